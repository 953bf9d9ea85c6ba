"""`World`: a cluster with everything that was asked of it, and the account of it in the end."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time

from client import Refused
from cluster import ROOT, Cluster, wait_for


def accountant():
    """The program that has the checks of all tests (`crates/testkit/examples/account.rs`)."""
    path = os.environ.get("ACCOUNT_BIN") or os.path.join(ROOT, "target/debug/examples/account")
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is missing: cargo build -p toolwright-testkit --example account")
    return path


class Asked:
    """A question, and whoever listens to its run in a thread of its own."""

    def __init__(self, world, plan, server, key, conversation):
        self.world, self.plan, self.server = world, plan, server
        self.client = world.cluster.client(through_proxy=True) if server is None else world.cluster.client(server)
        self.listening, self.error = None, None
        self.seen = threading.Condition()
        self.events = []
        self.conversation = conversation
        self.key = key
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self):
        try:
            self.listening = self.client.ask(self.plan, self.key, self.conversation, self.world.patience, self._see)
        except Exception as error:  # noqa: BLE001 - it is told to whoever waits
            self.error = error
        with self.seen:
            self.seen.notify_all()

    def _see(self, listening, event):
        with self.seen:
            self.listening, self.conversation = listening, listening.conversation
            self.events.append(event)
            self.seen.notify_all()

    def wait_event(self, kind, count=1, patience=60):
        """Until a listener was shown so many events of a kind; the last of them."""

        def there():
            found = [it for it in self.events if it["type"] == kind]
            return found[count - 1] if len(found) >= count else None

        with self.seen:
            self.seen.wait_for(lambda: there() or self.error, patience)
            if self.error:
                raise self.error
            assert there(), f"{self.plan['key']}: no {kind} within {patience} s, only {[it['type'] for it in self.events]}"
            return there()

    def end(self, patience=None):
        """The run's end: its last event."""
        self.thread.join(patience or self.world.patience)
        if self.error:
            raise self.error
        assert not self.thread.is_alive(), f"{self.plan['key']} does not end: {[it['type'] for it in self.events][-5:]}"
        return self.listening.shown[-1]

    def statuses(self):
        """What became of its calls, by their ids."""
        log = self.world.cluster.client(self.server).log(self.conversation)
        run = self.listening.run
        return {it["id"]: it["status"] for it in log if it["type"] == "call_finished" and it["run"] == run}


class World:
    def __init__(self, patience=150, **options):
        self.cluster = Cluster(**options)
        self.patience = patience
        self.asked = []
        self.last = None

    def ask(self, key, *rounds, server=0, think=5, idempotent=True, conversation=None):
        """Asks for rounds of `(tool, milliseconds)`; through HAProxy where `server` is None."""
        plan = {"key": key, "rounds": [[list(call) for call in calls] for calls in rounds], "think": think}
        asked = Asked(self, plan, server, f"key-{key}" if idempotent else None, conversation)
        self.asked.append(asked)
        return asked

    def driver(self, key, among=None):
        """Which process runs the tool with this key: a worker, or a server that drives itself."""
        among = among or [*self.cluster.workers, *self.cluster.servers]

        def found():
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        words = file.read().decode("utf-8", "replace").split("\0")
                except OSError:
                    continue
                if key in words and "--" in words:
                    above = ancestors(int(pid))
                    for process in among:
                        if process.child and process.pid in above:
                            return process
            return None

        self.cluster.wait_begun(key)
        return wait_for(f"the process that runs {key}", found, 10)

    def account(self):
        """Holds everything against everything; what is wrong is an assertion."""
        folder = os.path.join(self.cluster.home, "account")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        shutil.copy(self.cluster.effects_file, os.path.join(folder, "effects"))
        client = self.cluster.client()
        shown = {}
        for asked in self.asked:
            asked.end()
            shown.setdefault(asked.listening.conversation, []).append(asked.listening.shown)
            assert asked.listening.terminals == 1
        for conversation, streams in shown.items():
            with open(os.path.join(folder, conversation + ".json"), "w") as file:
                json.dump({"log": client.log(conversation), "shown": streams}, file)
        done = subprocess.run([accountant(), folder], stdout=subprocess.PIPE, text=True)
        lines = done.stdout.splitlines()
        assert done.returncode == 0, "\n".join(lines[:40])
        self.last = json.loads(lines[-1])
        self.settled()
        return self.last

    def settled(self):
        """Nothing is under way in the engine, and nothing stands still there."""
        if not self.cluster.engine:
            return
        wait_for(
            "the engine to have nothing under way",
            lambda: not self.cluster.invocations("status not in ('completed', 'scheduled')"),
            60,
            0.1,
        )
        paused = self.cluster.invocations("status = 'paused'")
        assert not paused, paused

    def __enter__(self):
        self.cluster.__enter__()
        return self

    def __exit__(self, *failure):
        return self.cluster.__exit__(*failure)


def ancestors(pid):
    above = set()
    while pid > 1:
        above.add(pid)
        try:
            with open(f"/proc/{pid}/stat") as file:
                pid = int(file.read().rsplit(") ", 1)[1].split()[1])
        except (OSError, ValueError):
            break
    return above


def refused(call, *args):
    """The refusal that a call meets; none where it is taken."""
    try:
        call(*args)
    except Refused as refusal:
        return refusal
    return None


def now():
    return time.monotonic()
