import unittest

from ledger.report import balance


class ReportTest(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(balance([]), 0)


if __name__ == "__main__":
    unittest.main()
