"""Very many conversations, and faults of every kind at random moments."""

import json
import random
import threading
import time
import traceback

from world import World

AT_ONCE = 50


def plan(dice):
    """3 to 6 rounds of all that tools can be."""
    rounds = []
    for _ in range(dice.randint(3, 6)):
        rounds.append([(dice.choice(("look", "put", "pay", "pay")), dice.randint(0, 400)) for _ in range(dice.randint(1, 2))])
    return rounds


class Faults:
    """What goes wrong, one thing after another, until it is told to stop. Everything that was broken is mended."""

    def __init__(self, world, dice):
        self.world, self.dice = world, dice
        self.cluster = world.cluster
        self.counts = {}
        self.error = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.play, daemon=True)

    def play(self):
        kinds = [
            *[self.kill_worker] * 4,
            *[self.stop_worker] * 2,
            *[self.drain_worker] * 2,
            *[self.lose_database] * 2,
            *[self.lose_worker] * 2,
            *[self.kill_server] * 2,
            self.kill_engine,
            self.crash_database,
        ]
        try:
            # Each kind once, in some order, before any comes twice: no draw of the dice leaves one out.
            coming = self.dice.sample([*dict.fromkeys(kinds)], len(set(kinds)))
            while not self.over.wait(self.dice.uniform(0.3, 1.5)):
                fault = coming.pop() if coming else self.dice.choice(kinds)
                self.counts[fault.__name__] = self.counts.get(fault.__name__, 0) + 1
                fault()
        except Exception as error:  # noqa: BLE001 - told to whoever waits
            traceback.print_exc()
            self.error = error

    def end(self):
        self.over.set()
        self.thread.join()
        if self.error:
            raise self.error

    def worker(self):
        at = self.dice.randrange(len(self.cluster.workers))
        return at, self.cluster.workers[at]

    def kill_worker(self):
        _, worker = self.worker()
        worker.kill()
        time.sleep(self.dice.uniform(0, 1))
        worker.start()

    def stop_worker(self):
        _, worker = self.worker()
        worker.stop()
        time.sleep(self.dice.uniform(1, 6))
        worker.go_on()

    def drain_worker(self):
        _, worker = self.worker()
        worker.child.terminate()
        code = worker.child.wait(40)
        assert code == 0, f"a worker that was drained ended with {code}: {worker.said()}"
        worker.start()

    def lose_database(self):
        at, _ = self.worker()
        wire = self.cluster.to_postgres[at]
        if self.dice.random() < 0.5:
            wire.silence()
            time.sleep(self.dice.uniform(1, 5))
            wire.speak()
        else:
            wire.cut()
            time.sleep(self.dice.uniform(0.5, 3))
            wire.mend()

    def lose_worker(self):
        at, _ = self.worker()
        wire = self.cluster.to_worker[at]
        wire.silence()
        time.sleep(self.dice.uniform(1, 5))
        wire.speak()

    def kill_server(self):
        at = self.dice.randrange(len(self.cluster.servers))
        self.cluster.servers[at].kill()
        time.sleep(self.dice.uniform(0, 1))
        self.cluster.start_server(at)

    def kill_engine(self):
        self.cluster.restate.kill()
        time.sleep(self.dice.uniform(0, 1))
        self.cluster.start_restate()

    def crash_database(self):
        self.cluster.postgres.crash()
        time.sleep(self.dice.uniform(0, 2))
        self.cluster.postgres.start()


def run(count, seed=None):
    seed = random.randrange(2**32) if seed is None else seed
    print(f"soak: {count} conversations, --seed {seed}", flush=True)
    dice = random.Random(seed)
    began = time.monotonic()
    with World(servers=2, workers=3, wired=True, slice_rounds=dice.choice((1, 3)), patience=300) as world:
        faults = Faults(world, random.Random(seed + 1))
        try:
            ask_all(world, count, dice, faults)
            faults.end()
            account = world.account()
        except Exception:  # noqa: BLE001 - it is told, with the seed
            traceback.print_exc()
            print(f"FAILED soak --seed {seed} after {faults.counts}", flush=True)
            for it in world.cluster.processes:
                print(f"--- {it.name} said last:\n{it.said(1000)}", flush=True)
            return False
    took = time.monotonic() - began
    reconnects = sum(it.client.reconnects for it in world.asked)
    print(f"ok soak ({took:.0f} s) faults {json.dumps(faults.counts)}, {reconnects} reconnects, {json.dumps(account)}", flush=True)
    return True


def ask_all(world, count, dice, faults):
    plans = [plan(dice) for _ in range(count)]
    free = threading.Semaphore(AT_ONCE)
    lock = threading.Lock()
    failures = []

    def one(at):
        try:
            asked = world.ask(f"soak{at}", *plans[at], server=at % len(world.cluster.servers))
            last = asked.end()
            assert last["type"] == "done", last
        except Exception as error:  # noqa: BLE001
            with lock:
                failures.append(f"soak{at}: {error!r}")
        finally:
            free.release()

    faults.thread.start()
    threads = []
    for at in range(count):
        free.acquire()
        thread = threading.Thread(target=one, args=(at,), daemon=True)
        thread.start()
        threads.append(thread)
    for thread in threads:
        thread.join()
    assert not failures, f"{len(failures)} of {count} did not end: {failures[:5]}"
