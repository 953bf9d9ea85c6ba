"""The command line."""

import sys

from ledger.money import format_amount
from ledger.report import balance, by_month
from ledger.store import load_entries


def main(words=None):
    words = sys.argv[1:] if words is None else words
    entries = load_entries()
    if "--month" in words:
        entries = by_month(entries, int(words[words.index("--month") + 1]))
    if words[:1] == ["report"]:
        for entry in entries:
            print(entry["date"], entry["what"], format_amount(entry["amount"]))
    print("Balance:", format_amount(balance(entries)))


if __name__ == "__main__":
    main()
