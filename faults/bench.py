"""Measures the durable engine beside the local one, on the same machine and with the same program: `bench.py [PART…]`.

Parts: `rounds` (what an engine adds to a round), `rate` (conversations a second), `takeover` (until somebody goes on),
`memory` (of each process, and what a conversation takes). The tables are those of docs/scaling.md. Tools are functions of
the program, the model answers at once: what is left is Toolwright, the database and the engine. Everything shares the
machine, whoever asks included.
"""

import os
import statistics
import sys
import threading
import time

from cluster import wait_for
from world import World

QUICK = bool(os.environ.get("BENCH_QUICK"))


def tips(rounds, key):
    """Rounds of a tool that takes no time; no two calls are alike."""
    return [[("calculate_tip", {"amount": 10 + at, "percentage": 15})] for at in range(rounds)]


def world(**options):
    return World(**{"servers": 1, "workers": 0, "task": "demo", "durable": True, **options})


def spans(world, asked):
    """How long a run took, by the log: milliseconds from its first event to its last."""
    log = [it for it in world.cluster.client().log(asked.conversation) if it["run"] == asked.listening.run]
    return log[-1]["at"] - log[0]["at"]


def rounds():
    print("\n| p50 of a round, one conversation at a time | ms |\n| --- | --- |", flush=True)
    count = 6 if QUICK else 16
    ways = [("local", {}), ("restate, 1 round a slice", {"workers": 1, "slice_rounds": 1}), ("restate, 3 rounds a slice", {"workers": 1, "slice_rounds": 3}),
            ("restate, 20 rounds a slice", {"workers": 1, "slice_rounds": 20})]
    for name, options in ways:
        with world(**options) as it:
            took = []
            for at in range(count):
                asked = it.ask(f"r{at}", *tips(20, at), think=0)
                asked.end()
                took.append(spans(it, asked) / 21)
            print(f"| {name} | {statistics.median(took[count // 4:]):.1f} |", flush=True)


def rate():
    print("\n| conversations/s, 4 rounds with a tool each | 1 at once | 16 | 64 |\n| --- | --- | --- | --- |", flush=True)
    ways = [("local, 1 server", {}), ("local, 2 servers", {"servers": 2})]
    ways += [(f"restate, {count} worker{'s' * (count > 1)}", {"workers": count, "slice_rounds": 3}) for count in (1, 2, 4)]
    ways += [("restate, 2 workers, 1 round a slice", {"workers": 2, "slice_rounds": 1})]
    for name, options in ways:
        with world(**options) as it:
            figures = []
            for at_once, total in ((1, 20), (16, 160), (64, 320)):
                total = total // 4 if QUICK else total
                figures.append(f"{load(it, at_once, total):.1f}")
            print(f"| {name} | {' | '.join(figures)} |", flush=True)


def load(it, at_once, total):
    left = iter(range(total))
    lock = threading.Lock()
    prefix = f"l{at_once}-"

    def one():
        while True:
            with lock:
                at = next(left, None)
            if at is None:
                return
            client = it.cluster.client(at % len(it.cluster.servers))
            plan = {"key": f"{prefix}{at}", "rounds": [[list(call) for call in calls] for calls in tips(4, at)], "think": 0}
            assert client.ask(plan, f"{prefix}{at}").shown[-1]["type"] == "done"

    threads = [threading.Thread(target=one, daemon=True) for _ in range(at_once)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return total / (time.monotonic() - began)


def after(world, asked, moment):
    """Milliseconds from a moment until the log goes on."""

    def gone_on():
        log = world.cluster.client(1).log(asked.conversation)
        later = [it["at"] for it in log if it["at"] > moment]
        return later[0] - moment if later else None

    return wait_for("somebody to go on", gone_on, 120)


def takeover():
    print("\n| until somebody else goes on | ms: least, median, most |\n| --- | --- |", flush=True)
    count = 3 if QUICK else 7

    def tell(name, figures):
        print(f"| {name} | {min(figures):.0f}, {statistics.median(figures):.0f}, {max(figures):.0f} |", flush=True)

    with world(servers=2, workers=3, slice_rounds=1, task="general", durable=False) as it:
        killed, stopped, lost = [], [], []
        for at in range(count):
            asked = it.ask(f"k{at}", [("pay", 4000)], [("look", 0)])
            driver = it.driver(f"k{at}.0.0")
            time.sleep(0.2)
            moment = time.time() * 1000
            driver.kill()
            killed.append(after(it, asked, moment))
            asked.end()
            driver.start()
            time.sleep(1.5)
        tell("kill -9 of a worker in a tool", killed)
        for at in range(max(2, count // 2)):
            asked = it.ask(f"s{at}", [("pay", 20000)], [("look", 0)])
            driver = it.driver(f"s{at}.0.0")
            time.sleep(0.2)
            moment = time.time() * 1000
            driver.stop()
            stopped.append(after(it, asked, moment))
            driver.go_on()
            asked.end()
            time.sleep(1)
        tell("SIGSTOP of a worker in a tool, with a grace of 3 s", stopped)
        for at in range(count):
            # One listens at the first server, which is killed: until it is shown something by the second.
            asked = it.ask(f"v{at}", *[[("look", 30)] for _ in range(40)], server=0)
            asked.wait_event("call_finished", 3)
            before = asked.client.reconnects
            it.cluster.servers[0].kill()
            moment = time.monotonic()
            # What the first one had sent is read to its end first, and does not count.
            wait_for("it to ask the second", lambda: asked.client.reconnects > before, 60, 0.001)
            seen = len(asked.events)
            wait_for("the next event", lambda: len(asked.events) > seen, 60, 0.001)
            lost.append((time.monotonic() - moment) * 1000)
            asked.end()
            it.cluster.start_server(0)
        tell("kill -9 of a server: until its listeners are shown more by another, which they ask at once", lost)
        back = []
        for at in range(max(2, count // 2)):
            asked = it.ask(f"e{at}", *[[("look", 30)] for _ in range(60)], server=0)
            asked.wait_event("call_finished", 3)
            moment = time.time() * 1000
            it.cluster.restate.kill()
            it.cluster.start_restate()
            time.sleep(0.3)
            asked.end()
            log = [event["at"] for event in it.cluster.client().log(asked.conversation)]
            later = [at for at in log if at > moment]
            back.append(max(b - a for a, b in zip([moment, *later], later)))
        tell("kill -9 of Restate, started again at once: the longest pause of a run", back)


def memory():
    print("\n| process | MiB at rest | with {0} waiting | a conversation that waits, KiB | with 100 streams | a stream, KiB |".format(n := 100 if QUICK else 300))
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    with world(servers=1, workers=1, slice_rounds=3, task="general", durable=False) as it:
        load_some(it, 20)
        names = {"server": it.cluster.servers[0], "worker": it.cluster.workers[0], "restate": it.cluster.restate, "haproxy": it.cluster.proxy}

        def read():
            return {**{name: process.memory() for name, process in names.items()}, "postgres (all its processes)": it.cluster.postgres.memory()}

        rest = read()
        asked = [wait_until_it_waits(it, at) for at in range(n)]
        client = it.cluster.client()
        time.sleep(2)
        waiting = read()
        listeners = [threading.Thread(target=listen, args=(it, asked[at % n]), daemon=True) for at in range(100)]
        for thread in listeners:
            thread.start()
        time.sleep(3)
        heard = read()
        for conversation in asked:
            client.stop(conversation)
        for name in rest:
            a_wait, a_stream = (waiting[name] - rest[name]) * 1024 / n, (heard[name] - waiting[name]) * 1024 / 100
            print(f"| {name} | {rest[name]:.0f} | {waiting[name]:.0f} | {a_wait:.0f} | {heard[name]:.0f} | {a_stream:.0f} |", flush=True)


def load_some(it, count):
    for at in range(count):
        it.ask(f"warm{at}", [("look", 0)]).end()


def wait_until_it_waits(it, at):
    """A conversation that waits for a decision, and nobody listens to."""
    client = it.cluster.client()
    seen = []

    def see(listening, event):
        if event["type"] == "decision_needed":
            seen.append(listening.conversation)
            # Nobody goes on listening.
            listening.until = 0
            raise ConnectionError("enough")

    plan = {"key": f"wait{at}", "rounds": [[["sign", 0]]], "think": 0}
    try:
        client.ask(plan, f"wait{at}", patience=60, on_event=see)
    except (ConnectionError, TimeoutError):
        pass
    return seen[0]


def listen(it, conversation):
    try:
        it.cluster.client().listen(conversation, 600)
    except Exception:  # noqa: BLE001 - the end of the bench is the end of it
        pass


PARTS = {"rounds": rounds, "rate": rate, "takeover": takeover, "memory": memory}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
