import unittest

from ledger.money import format_amount, parse_amount


class MoneyTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse_amount("12,50"), 1250)

    def test_format(self):
        self.assertEqual(format_amount(1250), "12.50 EUR")


if __name__ == "__main__":
    unittest.main()
