"""Where the entries are kept."""

import csv

from ledger.money import parse_amount

DEFAULT_PATH = "data/entries.csv"
MAX_ENTRIES = 5000


def load_entries(path=DEFAULT_PATH):
    """Every entry, with its amount in cents."""
    with open(path, newline="") as file:
        entries = list(csv.DictReader(file))
    for entry in entries[:MAX_ENTRIES]:
        entry["amount"] = parse_amount(entry["amount"])
    return entries
