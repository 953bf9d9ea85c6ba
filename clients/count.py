"""Counts the tests of JUnit reports, and says in one line what became of them."""

import sys
import xml.etree.ElementTree as ET

passed = failed = 0
for path in sys.argv[1:]:
    try:
        cases = list(ET.parse(path).iter("testcase"))
    except (OSError, ET.ParseError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        cases = []
    wrong = sum(any(case.find(it) is not None for it in ("failure", "error")) for case in cases)
    # A report without a test means that nothing was tested.
    failed += wrong if cases else 1
    passed += len(cases) - wrong

print(f"clients: {passed} passed, {failed} failed")
sys.exit(failed > 0)
