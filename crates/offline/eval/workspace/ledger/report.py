"""What is left, and what was spent on what."""


def balance(entries):
    """The sum of all amounts."""
    return sum(entry["amount"] for entry in entries)


def by_month(entries, month):
    """The entries of one month, 1 to 12."""
    # TODO: more than one year
    return [entry for entry in entries if int(entry["date"][5:7]) == month]
