"""The rows of Python for the table of bench-text: vLLM's pattern for Hermes' calls, and json-repair.

    python3 benches/text/bench_py.py FOLDER      # the folder bench-text has written

Processor time, the best of several rounds. Without the package its rows are left out.
"""

import json
import re
import sys
import time
from pathlib import Path

# As in vLLM's Hermes2ProToolParser.
PATTERN = re.compile(r"<tool_call>(.*?)</tool_call>|<tool_call>(.*)", re.DOTALL)


def row(what, using, size, work, result, rounds):
    least = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        found = work()
        least = min(least, time.process_time() - start)
    print(f"| {what} | {using} | {result(found)} | {least * 1e3:.2f} | {size / least / 1e6:.0f} |", flush=True)


def main():
    folder = Path(sys.argv[1])
    hermes, valid, broken, one = (
        (folder / name).read_text() for name in ("hermes.txt", "valid.json", "broken.json", "one.txt")
    )
    want = json.loads(valid)

    def calls(found):
        return f"{len(found)} of {hermes.count('</tool_call>')} calls"

    def records(found):
        if not isinstance(found, list):
            return "something else, and no error"
        return f"{sum(a == b for a, b in zip(found, want))} of {len(want)} records right"

    def by_pattern():
        return [json.loads(a or b) for a, b in PATTERN.findall(hermes)]

    row("1 MB of prose with calls", "Python `re`, then `json`", len(hermes), by_pattern, calls, 5)
    row("1 MB of JSON, valid", "Python `json`", len(valid), lambda: json.loads(valid), records, 5)
    try:
        import json_repair
    except ImportError:
        print("json-repair is not installed (pip install json-repair): its rows are left out", file=sys.stderr)
        return
    using = "Python `json-repair`"
    row("1 MB of JSON, valid", using, len(valid), lambda: json_repair.loads(valid), records, 3)
    row("the same, broken", using, len(broken), lambda: json_repair.loads(broken), records, 2)
    times = range(1000)
    row(
        "1000 × one broken call of 58 bytes", using, len(one) * 1000,
        lambda: [json_repair.loads(one) for _ in times], lambda found: "right" if found[0].get("limit") == 5 else found[0], 3,
    )


if __name__ == "__main__":
    main()
