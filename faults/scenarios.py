"""The faults, one by one. Each scenario takes a world that is well, does its worst, and leaves it well again; the account
is made after each, over everything that was asked so far."""

import contextlib
import http.client
import http.server
import json
import os
import shutil
import socket
import threading
import time

from client import Refused
from cluster import program, wait_for
from world import now, refused

SCENARIOS = {}


def scenario(short=False, engine=True):
    def add(function):
        function.short, function.engine = short, engine
        SCENARIOS[function.__name__] = function
        return function

    return add


def back(world, process):
    """A worker that is there again, and that HAProxy knows to be."""
    process.start()
    at = world.cluster.workers.index(process)
    wait_for(f"{process.name} to listen", lambda: listens(world.cluster.worker_ports[at]))
    time.sleep(0.7)


def listens(port):
    with socket.socket() as it:
        return it.connect_ex(("127.0.0.1", port)) == 0


# One engine or the other


@scenario(short=True, engine=False)
def a_server_is_killed_in_a_tool_and_the_other_goes_on(world):
    """Without an engine: what it drove stands still, and any server can be told to go on with it."""
    asked = world.ask("local-kill", [("put", 20)], [("pay", 1500)], [("look", 10)], server=0)
    driver = world.driver("local-kill.1.0")
    assert driver is world.cluster.servers[0]
    driver.kill()
    time.sleep(0.2)
    other = world.cluster.client(1)
    other.call("POST", f"/api/conversations/{asked.conversation}/resume", {})
    assert asked.end()["type"] == "done"
    assert asked.statuses() == {"c0_0": "success", "c1_0": "interrupted", "c2_0": "success"}
    world.cluster.start_server(0)


@scenario(engine=False)
def one_server_asked_another_watched_and_stopped(world):
    asked = world.ask("local-stop", [("pay", 8000)], server=0)
    world.cluster.wait_begun("local-stop.0.0")
    began = now()
    world.cluster.client(1).stop(asked.conversation)
    assert asked.end()["type"] == "error"
    assert now() - began < 7
    assert asked.statuses()["c0_0"] in ("cancelled", "interrupted")


@scenario(engine=False)
def one_server_asked_another_decides(world):
    asked = world.ask("local-sign", [("sign", 20)], server=0)
    asked.wait_event("decision_needed")
    other = world.cluster.client(1)
    (call,) = wait_for("what waits to be told by the other server", lambda: other.waiting(asked.conversation))
    other.decide(asked.conversation, call)
    assert asked.end()["type"] == "done"
    assert asked.statuses() == {"c0_0": "success"}


def go_on_with(world, asked, at):
    """Tells a server to go on with a run that nobody drives. It does not need whoever told it to stay."""
    client = world.cluster.client(at)
    try:
        client._open(client.ports[0], "POST", f"/api/conversations/{asked.conversation}/resume", {})[0].close()
    except (Refused, OSError, http.client.HTTPException):
        # It goes on, has ended, or nobody is there: the next one is told.
        pass


@scenario(short=True, engine=False)
def servers_are_killed_in_turn(world):
    """Without an engine: 24 conversations, six kills, and whoever is left is told to go on."""
    rounds = [("put", 100)], [("pay", 200)], [("look", 50), ("pay", 100)], [("put", 100)]
    asked = [world.ask(f"turn{at}", *rounds, server=at % 2) for at in range(24)]
    for it in asked:
        it.wait_event("run_started")
    for kill in range(6):
        time.sleep(0.4)
        world.cluster.servers[kill % 2].kill()
        world.cluster.start_server(kill % 2)
        for it in asked:
            if it.thread.is_alive():
                go_on_with(world, it, (kill + 1) % 2)

    def ended():
        left = [it for it in asked if it.thread.is_alive()]
        for it in left:
            go_on_with(world, it, 0)
        return not left

    wait_for("all of them to end", ended, 120, 0.5)
    for it in asked:
        assert it.end()["type"] == "done", it.end()


# Workers


@scenario(short=True)
def a_worker_is_killed_in_a_tool(world):
    for at, share in enumerate((0.1, 0.8)):
        key = f"kill{at}"
        asked = world.ask(key, [("put", 20)], [("pay", 1000)], [("put", 1000)], [("look", 10)])
        driver = world.driver(f"{key}.1.0")
        time.sleep(share)
        driver.kill()
        second = world.driver(f"{key}.2.0")
        assert second is not driver
        second.kill()
        assert asked.end()["type"] == "done"
        statuses = asked.statuses()
        # What is not repeatable is told as interrupted, what is repeatable runs again.
        assert statuses == {"c0_0": "success", "c1_0": "interrupted", "c2_0": "success", "c3_0": "success"}, statuses
        assert world.cluster.began(f"{key}.1.0") == 1
        assert world.cluster.began(f"{key}.2.0") == 2
        back(world, driver)
        back(world, second)


@scenario(short=True)
def a_worker_is_stopped_until_another_took_over(world):
    asked = world.ask("zombie", [("pay", 2500)], [("put", 20)], [("pay", 20)])
    driver = world.driver("zombie.0.0")
    driver.stop()
    assert asked.end()["type"] == "done"
    log = world.cluster.client().log(asked.conversation)
    driver.go_on()
    # Its tool has ended meanwhile, and it wants to say so: it must not be heard.
    at = world.cluster.workers.index(driver)
    wait_for("the one that was stopped to listen again", lambda: listens(world.cluster.worker_ports[at]))
    time.sleep(3)
    assert world.cluster.client().log(asked.conversation) == log
    assert asked.statuses() == {"c0_0": "interrupted", "c1_0": "success", "c2_0": "success"}
    assert world.cluster.began("zombie.0.0") == 1
    assert driver.is_alive, driver.said()


@scenario(short=True)
def every_worker_is_frozen_and_listeners_hear_so(world):
    """What they drive is held still; a run that is stopped ends after the grace."""
    told = world.ask("frozen", [("pay", 1500)], [("put", 20)], server=0)
    ended = world.ask("given-up", [("pay", 1500)], [("put", 20)], server=0)
    world.driver("frozen.0.0")
    world.driver("given-up.0.0")
    for worker in world.cluster.workers:
        worker.stop()
    wait_for("listeners to hear why", lambda: any("no sign of life" in it for it in told.listening.undriven), 60)
    listed = world.cluster.client().call("GET", "/api/conversations?limit=100")["conversations"]
    assert [it["undriven"] for it in listed if it["id"] == told.conversation] == [True]
    began = time.monotonic()
    world.cluster.client(1).stop(ended.conversation)
    assert ended.end()["type"] == "error"
    # The grace is 3 s here; half a minute is the default.
    assert time.monotonic() - began < 20
    for worker in world.cluster.workers:
        worker.go_on()
    for at, _ in enumerate(world.cluster.workers):
        wait_for("all of them to listen again", lambda at=at: listens(world.cluster.worker_ports[at]))
    assert told.end()["type"] == "done"
    assert world.cluster.began("frozen.0.0") == 1


@scenario(short=True)
def a_worker_drains_in_a_tool(world):
    for at in range(2):
        key = f"drain{at}"
        asked = world.ask(key, [("pay", 1500)], [("pay", 1200)], [("pay", 20)])
        driver = world.driver(f"{key}.0.0")
        driver.child.terminate()
        assert world.driver(f"{key}.1.0") is not driver
        assert driver.child.wait(30) == 0, driver.said()
        assert asked.end()["type"] == "done"
        assert set(asked.statuses().values()) == {"success"}, asked.statuses()
        back(world, driver)


@scenario()
def no_worker_for_a_while(world):
    asked = [world.ask(f"nobody{at}", [("pay", 300)], [("put", 20)]) for at in range(4)]
    world.cluster.wait_begun("nobody0.0.0")
    for worker in world.cluster.workers:
        worker.kill()
    late = world.ask("nobody-late", [("pay", 20)])
    late.wait_event("run_started")
    time.sleep(4)
    for worker in world.cluster.workers:
        back(world, worker)
    for it in [*asked, late]:
        assert it.end()["type"] == "done"


# The engine, and the database


@scenario(short=True)
def the_engine_is_killed_in_a_tool(world):
    for at in range(2):
        asked = world.ask(f"engine{at}", [("pay", 1500)], [("put", 20)])
        world.driver(f"engine{at}.0.0")
        world.cluster.restate.kill()
        world.cluster.start_restate()
        assert asked.end()["type"] == "done"
        # Who runs it is well: the tool ends as it would have, whoever is asked to go on.
        assert asked.statuses() == {"c0_0": "success", "c1_0": "success"}, asked.statuses()


@scenario()
def asked_while_the_engine_is_away(world):
    world.cluster.restate.kill()
    asked = world.ask("away", [("pay", 20)])
    time.sleep(3)
    world.cluster.start_restate()
    assert asked.end()["type"] == "done"
    assert asked.statuses() == {"c0_0": "success"}


@scenario(short=True)
def the_database_crashes_in_a_tool(world):
    for at, pause in enumerate((0, 4)):
        asked = world.ask(f"pg{at}", [("pay", 800)], [("put", 800)], [("pay", 20)])
        world.driver(f"pg{at}.0.0")
        world.cluster.postgres.crash()
        time.sleep(pause)
        world.cluster.postgres.start()
        assert asked.end()["type"] == "done"
        statuses = asked.statuses()
        assert statuses["c0_0"] in ("success", "interrupted"), statuses
        assert (statuses["c1_0"], statuses["c2_0"]) == ("success", "success"), statuses
        assert world.cluster.began(f"pg{at}.0.0") == 1


@scenario(short=True)
def asked_while_the_database_is_away(world):
    """Whoever asks is told soon, nothing of it happens later, and it is asked again when the database is back."""
    world.cluster.postgres.crash()
    client = world.cluster.client(0)
    port = client.ports[0]

    def answer(method, path, body=None):
        # Those who wait longer than this have gone.
        try:
            client._open(port, method, path, body, timeout=5)[0].close()
        except Refused as refused:
            return refused
        return None

    wait_for("the server to notice", lambda: answer("GET", "/api/health"))
    plan = {"key": "unkept", "rounds": [[["pay", 20]]], "think": 5}
    told = answer("POST", "/api/chat/stream", {"message": "plan " + json.dumps(plan)})
    assert told is not None and (told.status, told.code) == (503, "storage"), told
    world.cluster.postgres.start()
    assert world.ask("kept", [("pay", 20)]).end()["type"] == "done"
    assert world.cluster.began("unkept.0.0") == 0


# The network


@scenario()
def the_database_is_frozen_and_listeners_hear_so(world):
    asked = world.ask("ice", [("pay", 1500)], [("put", 20)], server=0)
    world.driver("ice.0.0")
    world.cluster.postgres.stop()
    try:
        wait_for("listeners to hear why", lambda: any("database does not answer" in it for it in asked.listening.undriven), 60)
    finally:
        world.cluster.postgres.go_on()
    assert asked.end()["type"] == "done"
    assert world.cluster.began("ice.0.0") == 1


@scenario(short=True)
def a_worker_loses_the_database(world):
    asked = world.ask("lost-pg", [("pay", 1000)], [("put", 20)], [("pay", 20)])
    driver = world.driver("lost-pg.0.0")
    wire = world.cluster.to_postgres[world.cluster.workers.index(driver)]
    wire.silence()
    assert asked.end()["type"] == "done"
    wire.speak()
    assert world.cluster.began("lost-pg.0.0") == 1
    wire.cut()
    again = world.ask("cut-pg", [("pay", 300)], [("put", 20)], [("pay", 20)])
    assert again.end()["type"] == "done"
    wire.mend()
    # It is well again: alone, it drives.
    others = [it for it in world.cluster.workers if it is not driver]
    for it in others:
        it.kill()
    alone = world.ask("alone", [("pay", 20)])
    assert alone.end()["type"] == "done"
    assert driver.is_alive, driver.said()
    for it in others:
        back(world, it)


@scenario()
def the_engine_loses_a_worker(world):
    asked = world.ask("lost-worker", [("pay", 1500)], [("put", 20)], [("pay", 20)])
    driver = world.driver("lost-worker.0.0")
    wire = world.cluster.to_worker[world.cluster.workers.index(driver)]
    wire.silence()
    assert asked.end()["type"] == "done"
    wire.speak()
    # Whoever is asked to go on leaves a healthy one the time to end its tool.
    assert asked.statuses()["c0_0"] == "success", asked.statuses()
    assert world.cluster.began("lost-worker.0.0") == 1
    wire.cut()
    assert world.ask("cut-worker", [("pay", 300)], [("put", 20)]).end()["type"] == "done"
    wire.mend()
    time.sleep(1.5)


# New versions


@scenario()
def a_new_program_behind_the_same_address(world):
    newer = os.path.join(world.cluster.home, "toolwright-newer")
    if not os.path.exists(newer):
        shutil.copy(program(), newer)
    asked = [world.ask(f"same-uri{at}", *[[("pay", 250)] for _ in range(8)]) for at in range(6)]
    for it in asked:
        it.wait_event("call_started")
    for at, worker in enumerate(world.cluster.workers):
        assert worker.end() == 0, worker.said()
        worker.command[0] = newer
        back(world, worker)
    for it in asked:
        assert it.end()["type"] == "done"
        assert set(it.statuses().values()) == {"success"}, it.statuses()


@scenario()
def a_new_version_at_a_new_address(world):
    cluster = world.cluster
    old = cluster.register(cluster.worker_uri)
    asked = [world.ask(f"new-uri{at}", *[[("pay", 300)] for _ in range(8)]) for at in range(4)]
    for it in asked:
        it.wait_event("call_started")
    before = list(cluster.workers)
    at = len(cluster.worker_ports) - 1
    newer = cluster.add_worker(at, name="newer")
    port = cluster.worker_ports[at]
    wait_for("the new version to listen", lambda: listens(port))
    new = cluster.register(f"http://127.0.0.1:{port}")
    assert new != old
    for worker in before:
        assert worker.end() == 0, worker.said()
    for it in asked:
        assert it.end()["type"] == "done"
        assert set(it.statuses().values()) == {"success"}, it.statuses()
    assert cluster.admin("DELETE", f"/deployments/{old}?force=true")[0] < 300
    assert world.ask("after-upgrade", [("pay", 20)]).end()["type"] == "done"
    # And back, for whatever comes next.
    for worker in before:
        worker.start()
    cluster.workers.remove(newer)
    time.sleep(1)
    cluster.register(cluster.worker_uri)
    assert world.ask("after-return", [("pay", 20)]).end()["type"] == "done"
    assert newer.end() == 0
    assert cluster.admin("DELETE", f"/deployments/{new}?force=true")[0] < 300


@contextlib.contextmanager
def an_old_address(world):
    """A worker at an address of its own, which new work goes to."""
    cluster = world.cluster
    at = len(cluster.worker_ports) - 1
    old = cluster.add_worker(at, name="old")
    port = cluster.worker_ports[at]
    wait_for("the old version to listen", lambda: listens(port))
    cluster.register_only(f"http://127.0.0.1:{port}")
    yield old, f"http://127.0.0.1:{port}"
    cluster.workers.remove(old)
    old.kill()


class Stranger(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def something_else(port):
    """Another program, which speaks HTTP and knows nothing of Restate."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Stranger)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield
    server.shutdown()
    server.server_close()


@scenario(short=True)
def an_address_is_gone(world):
    """Restate keeps a slice for the address where it was begun. Nobody is there any more, and whoever deploys says where
    new work goes, once more."""
    for at, is_deleted in enumerate((False, True)):
        with an_old_address(world) as (old, address):
            asked = world.ask(f"gone{at}", [("pay", 20000)], [("put", 20)])
            assert world.driver(f"gone{at}.0.0") is old
            told = world.cluster.register_only(world.cluster.worker_uri)
            assert (told["instead_of"], told["handed_on"]) == (address, 0), told
            old.kill()
            if is_deleted:
                for it in world.cluster.admin("GET", "/deployments")[1]["deployments"]:
                    if it["uri"].rstrip("/") == address:
                        assert world.cluster.admin("DELETE", f"/deployments/{it['id']}?force=true")[0] < 300

            def told_by_doctor():
                (check,) = world.cluster.doctor("runs")
                return check if check["state"] == "error" else None

            check = wait_for("doctor to tell", told_by_doctor)
            assert is_deleted or address in check["message"], check
            assert "--register-only" in check["advice"], check
            assert world.cluster.register_only(world.cluster.worker_uri)["handed_on"] == 1
            assert asked.end()["type"] == "done"
            assert asked.statuses() == {"c0_0": "interrupted", "c1_0": "success"}, asked.statuses()
            again = world.ask(f"gone{at}-next", [("pay", 20)], conversation=asked.conversation)
            assert again.end()["type"] == "done"


@scenario(short=True)
def new_work_goes_where_nobody_is(world):
    """Doctor names the address that was registered before, where workers still are."""
    with an_old_address(world) as (old, address):
        old.kill()
        (check,) = world.cluster.doctor("workers")
        assert check["state"] == "error" and address in check["message"], check
        assert f"--register-only {world.cluster.worker_uri}" in check["advice"], check
        world.cluster.register_only(world.cluster.worker_uri)
        (check,) = world.cluster.doctor("workers")
        assert check["state"] == "ok", check


@scenario()
def an_address_is_gone_and_nobody_says_so(world):
    """Workers and servers notice by themselves, after a minute in which nothing happens."""
    with an_old_address(world) as (old, _):
        asked = world.ask("unsaid", [("pay", 20000)], [("put", 20)])
        assert world.driver("unsaid.0.0") is old
        world.cluster.register_only(world.cluster.worker_uri)
        old.kill()
        assert asked.end()["type"] == "done"
        assert asked.statuses() == {"c0_0": "interrupted", "c1_0": "success"}, asked.statuses()


@scenario()
def a_worker_is_frozen_at_an_old_address_and_nobody_says_so(world):
    """It holds its conversations in the database, and takes connections: that nobody goes on is seen in Restate alone."""
    with an_old_address(world) as (old, _):
        asked = world.ask("frozen", [("pay", 20000)], [("put", 20)])
        assert world.driver("frozen.0.0") is old
        old.stop()
        world.cluster.register_only(world.cluster.worker_uri)
        assert asked.end()["type"] == "done"
        assert asked.statuses() == {"c0_0": "interrupted", "c1_0": "success"}, asked.statuses()
        assert world.cluster.began("frozen.0.0") == 1


@scenario()
def another_program_is_at_an_old_address_and_nobody_says_so(world):
    """Addresses are given to others: what answers there is no worker."""
    with an_old_address(world) as (old, address):
        asked = world.ask("stranger", [("pay", 20000)], [("put", 20)])
        assert world.driver("stranger.0.0") is old
        world.cluster.register_only(world.cluster.worker_uri)
        old.kill()
        with something_else(int(address.rsplit(":", 1)[1])):
            assert asked.end()["type"] == "done"
        assert asked.statuses() == {"c0_0": "interrupted", "c1_0": "success"}, asked.statuses()


# People


@scenario(short=True)
def approved_elsewhere_while_everything_is_killed(world):
    asked = world.ask("approve", [("put", 20)], [("sign", 100)], [("pay", 20)], server=0)
    asked.wait_event("decision_needed")
    for worker in world.cluster.workers:
        worker.kill()
    world.cluster.restate.kill()
    other = world.cluster.client(1)
    (call,) = wait_for("what waits to be told by the other server", lambda: other.waiting(asked.conversation))
    other.decide(asked.conversation, call)
    twice = refused(other.decide, asked.conversation, call)
    assert twice is not None and twice.status in (404, 409), twice
    world.cluster.start_restate()
    for worker in world.cluster.workers:
        back(world, worker)
    assert asked.end()["type"] == "done"
    assert asked.statuses() == {"c0_0": "success", "c1_0": "success", "c2_0": "success"}
    assert world.cluster.began("approve.1.0") == 1


@scenario()
def denied_elsewhere(world):
    asked = world.ask("deny", [("sign", 100)], [("pay", 20)], server=0)
    asked.wait_event("decision_needed")
    other = world.cluster.client(1)
    (call,) = wait_for("what waits to be told by the other server", lambda: other.waiting(asked.conversation))
    other.decide(asked.conversation, call, "deny")
    assert asked.end()["type"] == "done"
    assert asked.statuses() == {"c0_0": "denied", "c1_0": "success"}, asked.statuses()
    assert world.cluster.began("deny.0.0") == 0


@scenario(short=True)
def stopped_while_waiting_and_in_a_tool(world):
    waits = world.ask("stop-wait", [("sign", 100)], server=0)
    waits.wait_event("decision_needed")
    world.cluster.client(1).stop(waits.conversation)
    assert waits.end(30)["type"] == "error"
    runs = world.ask("stop-tool", [("pay", 20000)], server=0)
    world.driver("stop-tool.0.0")
    began = now()
    world.cluster.client(1).stop(runs.conversation)
    assert runs.end(30)["type"] == "error"
    assert now() - began < 15
    assert world.cluster.began("stop-wait.0.0") == 0


@scenario(short=True)
def a_server_is_killed_with_listeners(world):
    asked = [world.ask(f"listen{at}", *[[("pay", 200)] for _ in range(6)], server=0) for at in range(8)]
    for it in asked:
        it.wait_event("call_finished")
    world.cluster.servers[0].kill()
    for it in asked:
        assert it.end()["type"] == "done"
        assert set(it.statuses().values()) == {"success"}
        assert it.client.reconnects > 0
    world.cluster.start_server(0)


@scenario()
def a_server_is_frozen_with_listeners_behind_the_proxy(world):
    """It takes connections and says nothing: HAProxy cuts its streams, and clients go on at the other one."""
    asked = [world.ask(f"behind{at}", [("pay", 45_000)], [("put", 20)], server=None) for at in range(4)]
    for it in asked:
        it.wait_event("run_started")
        world.cluster.wait_begun(f"{it.plan['key']}.0.0")
    world.cluster.servers[0].stop()
    for it in asked:
        assert it.end()["type"] == "done"
        assert world.cluster.began(f"{it.plan['key']}.0.0") == 1
    assert any(it.client.reconnects > 0 for it in asked)
    world.cluster.servers[0].go_on()


@scenario()
def asked_twice_with_one_key(world):
    first = world.ask("twice", [("pay", 300)], [("pay", 20)], server=0)
    first.wait_event("run_started")
    again = world.ask("twice", [("pay", 300)], [("pay", 20)], server=1)
    assert first.end()["type"] == "done" and again.end()["type"] == "done"
    assert again.listening.run == first.listening.run
    assert world.cluster.began("twice.0.0") == 1


@scenario()
def said_to_a_run_elsewhere(world):
    asked = world.ask("say", [("pay", 800)], [("put", 20)], server=0)
    world.driver("say.0.0")
    world.cluster.client(1).call(
        "POST", f"/api/conversations/{asked.conversation}/messages", {"message": "and one thing more", "mode": "steer"}
    )
    assert asked.end()["type"] == "done"
    said = [it for it in asked.listening.shown if it["type"] == "message" and it.get("queued")]
    assert len(said) == 1, [it["type"] for it in asked.listening.shown]
