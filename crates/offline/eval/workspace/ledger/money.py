"""Amounts of money, in whole cents."""


def parse_amount(text):
    """Reads 12.50, 12,50 or -3 as cents."""
    text = text.strip().replace(",", ".")
    return round(float(text) * 100)


def format_amount(cents, currency="EUR"):
    """Writes cents as 12.50 EUR."""
    # TODO: thousands separators
    return f"{cents / 100:.2f} {currency}"
