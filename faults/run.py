"""Runs the faults: `run.py [local|short|whole|soak|NAME…] [--seed N]`.

`local` is several servers without an engine. `short` is for every change: the most telling faults and 40 conversations, about three minutes on two cores. `whole` is
everything, and 500 conversations under random faults. A name runs that scenario alone. The last line is
`durable: N passed, M failed`.
"""

import argparse
import json
import signal
import sys
import time
import traceback

import soak
from cluster import has_engine
from scenarios import SCENARIOS
from world import World


def play(name, function, world):
    began = time.monotonic()
    try:
        function(world)
        account = world.account()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        traceback.print_exc()
        print(f"FAILED {name} ({time.monotonic() - began:.1f} s)", flush=True)
        return False
    print(f"ok {name} ({time.monotonic() - began:.1f} s) {json.dumps(account)}", flush=True)
    return True


def in_worlds(names, options):
    """Scenarios one after the other in one world; after a failure in a new one."""
    passed = failed = 0
    names = list(names)
    while names:
        with World(**options) as world:
            while names:
                name = names.pop(0)
                if play(name, SCENARIOS[name], world):
                    passed += 1
                else:
                    failed += 1
                    for it in world.cluster.processes:
                        print(f"--- {it.name} said last:\n{it.said(1200)}", file=sys.stderr)
                    break
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["short"])
    parser.add_argument("--seed", type=int, default=None, help="of the random faults; printed, and a new one each time")
    parser.add_argument("--conversations", type=int, default=None)
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    # Who ends this ends everything that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    if given.list:
        for name, function in SCENARIOS.items():
            print(f"{'short' if function.short else '     '}  {'restate' if function.engine else 'local'}  {name}")
        return 0
    wanted = [name for what in given.what for name in chosen(what)]
    local = [name for name in wanted if name != "soak" and not SCENARIOS[name].engine]
    durable = [name for name in wanted if name != "soak" and SCENARIOS[name].engine]
    passed = failed = 0
    if local:
        passed, failed = in_worlds(local, {"servers": 2, "workers": 0})
    if (durable or "soak" in wanted) and not has_engine():
        sys.exit("this program has no durable engine: build it with its default features")
    if durable:
        more = in_worlds(durable, {"servers": 2, "workers": 3, "wired": True, "slice_rounds": 1, "more_workers": 1})
        passed, failed = passed + more[0], failed + more[1]
    if "soak" in wanted:
        count = given.conversations or (40 if given.what == ["short"] else 500)
        ok = soak.run(count, given.seed)
        passed, failed = passed + ok, failed + (not ok)
    print(f"durable: {passed} passed, {failed} failed")
    return 1 if failed else 0


def chosen(what):
    if what == "short":
        return [*(name for name, it in SCENARIOS.items() if it.short), "soak"]
    if what == "local":
        return [name for name, it in SCENARIOS.items() if not it.engine]
    if what == "whole":
        return [*SCENARIOS, "soak"]
    if what == "soak" or what in SCENARIOS:
        return [what]
    sys.exit(f"there is no scenario {what}; --list names them")


if __name__ == "__main__":
    sys.exit(main())
