"""`Cluster`: everything that a deployment has, as processes of this machine: PostgreSQL, Restate, HAProxy, a model,
servers and workers. All are real; each can be killed, stopped, frozen off the network and started again. Everything is
ended and removed with it, also where a test fails.

HAProxy and Restate run with the files of `deploy/`: what is tested is what is shipped.
"""

import atexit
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from client import Client
from wire import Wires

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(ROOT, "faults")
TOKEN = "the-token-of-a-test-0123456789"
LOG_KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"


def program():
    path = os.environ.get("TOOLWRIGHT_BIN") or os.path.join(ROOT, "target/debug/toolwright")
    if not os.access(path, os.X_OK):
        sys.exit(f"{path} is missing: build it (cargo build -p toolwright-cli), or name another in TOOLWRIGHT_BIN")
    return os.path.realpath(path)


def has_engine():
    """Whether the program was built with the durable engine."""
    return subprocess.run([program(), "worker", "--help"], capture_output=True).returncode == 0


def script(name):
    done = subprocess.run(["sh", os.path.join(ROOT, "scripts", name)], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout.strip()


_given = set()


def free_port():
    """A port that nobody has, below those that the system gives away by itself."""
    while True:
        with socket.socket() as it:
            it.bind(("127.0.0.1", 0))
            port = it.getsockname()[1]
        if port not in _given:
            _given.add(port)
            return port


def wait_for(what, until, patience=60, pause=0.02):
    end = time.monotonic() + patience
    while True:
        found = until()
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience} s for {what}")
        time.sleep(pause)


def answers(port, path, token=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path, headers={"authorization": f"Bearer {token}"} if token else {})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Process:
    """One process, which can be started again as it was."""

    def __init__(self, name, home, command, env=None, cwd=None):
        self.name, self.command, self.env, self.cwd = name, command, env, cwd or home
        self.log = os.path.join(home, name + ".log")
        self.child = None

    def start(self):
        with open(self.log, "ab") as log:
            # A group of its own: who interrupts the tests ends them, and they end the rest.
            self.child = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.env, cwd=self.cwd, start_new_session=True
            )
        return self

    @property
    def pid(self):
        return self.child.pid

    @property
    def is_alive(self):
        return self.child is not None and self.child.poll() is None

    def kill(self):
        if self.is_alive:
            self.child.kill()
            self.child.wait()

    def stop(self):
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self):
        os.kill(self.pid, signal.SIGCONT)

    def end(self, patience=60):
        """SIGTERM, and its exit code."""
        self.child.terminate()
        return self.child.wait(patience)

    def memory(self):
        """Resident memory, in MiB."""
        with open(f"/proc/{self.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def said(self, last=4000):
        with open(self.log, "rb") as log:
            return log.read()[-last:].decode("utf-8", "replace")


class Postgres:
    """A server of its own, on a Unix socket; `scripts/postgres.sh` starts and removes it."""

    def __init__(self, durable=False):
        command = ["sh", os.path.join(ROOT, "scripts/postgres.sh"), *(["--durable"] if durable else [])]
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        line = self.child.stdout.readline()
        if not line.startswith("ready "):
            sys.exit("PostgreSQL could not be started")
        self.address = line[6:].strip()
        self.folder = re.search(r"host=(\S+)", self.address)[1]
        self.socket = os.path.join(self.folder, ".s.PGSQL.5432")

    def tell(self, word):
        self.child.stdin.write(word + "\n")
        self.child.stdin.flush()
        assert self.child.stdout.readline() == "done\n"

    def crash(self):
        self.tell("crash")

    def start(self):
        self.tell("start")

    def pids(self):
        """The first of its processes, and those that it has for others."""
        with open(os.path.join(self.folder, "data/postmaster.pid")) as file:
            first = int(file.readline())
        with open(f"/proc/{first}/task/{first}/children") as file:
            return [first, *map(int, file.read().split())]

    def stop(self):
        for pid in self.pids():
            os.kill(pid, signal.SIGSTOP)

    def go_on(self):
        for pid in self.pids():
            os.kill(pid, signal.SIGCONT)

    def memory(self):
        total = 0
        for pid in self.pids():
            # What is shared is counted once for each that has it, by its share.
            with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as file:
                total += int(re.search(r"Pss:\s+(\d+)", file.read())[1])
        return total / 1024

    def close(self):
        with contextlib.suppress(OSError):
            self.child.stdin.close()
        self.child.wait(30)


class Cluster:
    """`workers=0` is the local engine: servers drive their runs themselves."""

    def __init__(self, servers=2, workers=3, wired=False, durable=False, settings="", slice_rounds=None, more_workers=0, task="general", grace="3s"):
        self.home = tempfile.mkdtemp(prefix="toolwright-faults.")
        self.closed = False
        self.wires = Wires()
        self.model = self.postgres = self.restate = self.proxy = None
        self.processes = []
        atexit.register(self.close)
        self.effects_file = os.path.join(self.home, "effects")
        open(self.effects_file, "w").close()
        self.postgres = Postgres(durable)
        self._start_model()
        self.engine = workers > 0
        self.wired = wired
        self.ports = {"people": free_port(), "engine": free_port()}
        self.server_ports = [free_port() for _ in range(servers)]
        self.worker_ports = [free_port() for _ in range(workers + more_workers)]
        if self.engine:
            self._plan_restate()
        self._write_settings(settings, slice_rounds, task, grace)
        # A stretch of network of its own from each worker to the database, and from HAProxy to each worker.
        self.to_postgres = [self.wires.lay(self.postgres.socket) for _ in self.worker_ports] if wired else []
        self.to_worker = [self.wires.lay(("127.0.0.1", port)) for port in self.worker_ports] if wired else []
        self._start_proxy()
        self.workers = [self._worker(at) for at in range(workers)]
        self.servers = [self._server(at) for at in range(servers)]
        if self.engine:
            self.start_restate()
            for worker in self.workers:
                worker.start()
            self.register(self.worker_uri)
        # The first one makes the tables.
        for at in range(servers):
            self.start_server(at)

    # What there is

    def client(self, first=0, through_proxy=False):
        return Client([self.ports["people"]] if through_proxy else self.server_ports, TOKEN, first)

    def effects(self):
        with open(self.effects_file) as file:
            return file.read().splitlines()

    def began(self, key):
        """How often the call with this key began."""
        return sum(1 for it in self.effects() if it.startswith("begin ") and it.split(" ")[2] == key)

    def wait_begun(self, key, patience=60):
        wait_for(f"the tool of {key} to begin", lambda: self.began(key), patience)

    # Its parts

    def _start_model(self):
        self.model = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "model.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self.model_url = self.model.stdout.readline().strip()

    def _write_settings(self, more, slice_rounds, task, grace):
        tools = ""
        for name, effect in (("look", "read_only"), ("put", "idempotent"), ("pay", "write"), ("sign", "destructive")):
            command = ["sh", os.path.join(HERE, "effect.sh"), self.effects_file, name, "--", "{key}", "{ms}"]
            tools += f"""
[commands.{name}]
description = "Has the effect {name}."
command = {json.dumps(command)}
args = {{ key = "string, what it is about", ms = {{ type = "integer", minimum = 0 }} }}
effect = "{effect}"
sandbox = false
"""
        engine = ""
        if self.engine:
            engine = f"""
[engine]
kind = "restate"
ingress = "http://127.0.0.1:{self.restate_ports['ingress']}"
admin = "http://127.0.0.1:{self.restate_ports['admin']}"
grace = "{grace}"
drain = "20s"
"""
            if slice_rounds:
                engine += f"slice_rounds = {slice_rounds}\n"
        self.settings = os.path.join(self.home, "toolwright.toml")
        with open(self.settings, "w") as file:
            file.write(f"""
review = "off"
task = "{task}"
[model]
base_url = "{self.model_url}/v1"
name = "plan"
[limits]
rounds = 100
calls = 1000
[server]
runs_per_minute = 0
runs = 1000
hosts = ["http://127.0.0.1:{self.ports['people']}"]
[embeddings]
source = "off"
{engine}{tools}{more}""")

    def _env(self, name, database):
        # Nothing of the caller's settings.
        home = os.path.join(self.home, name)
        os.makedirs(os.path.join(home, "work"), mode=0o700, exist_ok=True)
        kept = {key: os.environ[key] for key in ("PATH", "TMPDIR", "LD_LIBRARY_PATH") if key in os.environ}
        return {
            **kept,
            "HOME": home,
            "TOOLWRIGHT_DATA": os.path.join(home, "data"),
            "TOOLWRIGHT_CONFIG": self.settings,
            "TOOLWRIGHT_LOG_KEY": LOG_KEY,
            "TOOLWRIGHT_TOKEN": TOKEN,
            "TOOLWRIGHT_LOG": os.environ.get("FAULTS_LOG", "warn"),
            "DATABASE_URL": database,
        }

    def _run(self, name, database, *arguments, binary=None):
        env = self._env(name, database)
        it = Process(name, self.home, [binary or program(), *arguments], env, os.path.join(self.home, name, "work"))
        self.processes.append(it)
        return it

    def _server(self, at):
        arguments = ["serve", "--addr", f"127.0.0.1:{self.server_ports[at]}", "--auth", "token"]
        if self.engine:
            arguments += ["--engine", "restate"]
        return self._run(f"server{at}", self.postgres.address, *arguments)

    def start_server(self, at):
        server = self.servers[at].start()
        wait_for(f"server {at} to answer; it said: {server.said()}", lambda: answers(self.server_ports[at], "/api/health", TOKEN))

    def worker_database(self, at):
        if not self.wired:
            return self.postgres.address
        return f"host=127.0.0.1 port={self.to_postgres[at].port} user=toolwright dbname=postgres"

    def _worker(self, at, binary=None, name=None):
        arguments = ["worker", "--addr", f"127.0.0.1:{self.worker_ports[at]}"]
        return self._run(name or f"worker{at}", self.worker_database(at), *arguments, binary=binary)

    def add_worker(self, at, name=None):
        """One that nobody has as an address yet: of a new version, say."""
        worker = self._worker(at, name=name).start()
        self.workers.append(worker)
        return worker

    @property
    def worker_uri(self):
        return f"http://127.0.0.1:{self.ports['engine']}"

    def _proxy_file(self):
        with open(os.path.join(ROOT, "deploy/haproxy.cfg")) as file:
            text = file.read()
        text = text.replace("bind :8001", f"bind 127.0.0.1:{self.ports['people']}")
        text = text.replace("bind :9080", f"bind 127.0.0.1:{self.ports['engine']}")
        servers = "\n".join(f"  server server{at} 127.0.0.1:{port}" for at, port in enumerate(self.server_ports))
        reached = [wire.port for wire in self.to_worker] or self.worker_ports
        workers = "\n".join(f"  server worker{at} 127.0.0.1:{port}" for at, port in enumerate(reached))
        text = re.sub(r".*server-template server .*", servers, text)
        text = re.sub(r".*server-template worker .*", workers or "  # none", text)
        text = re.sub(r"(?ms)^resolvers names\n.*?(?=^\S)", "", text)
        path = os.path.join(self.home, "haproxy.cfg")
        with open(path, "w") as file:
            file.write(text)
        return path

    def _start_proxy(self):
        command = [script("haproxy.sh"), "-db", "-f", self._proxy_file()]
        self.proxy = Process("haproxy", self.home, command, dict(os.environ)).start()
        self.processes.append(self.proxy)

    def _plan_restate(self):
        self.restate_ports = {"admin": free_port(), "ingress": free_port(), "node": free_port()}
        env = {
            **{key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ},
            "RESTATE_BASE_DIR": os.path.join(self.home, "restate"),
            "RESTATE_BIND_ADDRESS": f"127.0.0.1:{self.restate_ports['node']}",
            "RESTATE_ADVERTISED_ADDRESS": f"http://127.0.0.1:{self.restate_ports['node']}",
            "RESTATE_ADMIN__BIND_ADDRESS": f"127.0.0.1:{self.restate_ports['admin']}",
            "RESTATE_INGRESS__BIND_ADDRESS": f"127.0.0.1:{self.restate_ports['ingress']}",
        }
        command = [script("restate.sh"), "--config-file", os.path.join(ROOT, "deploy/restate.toml")]
        self.restate = Process("restate", self.home, command, env)
        self.processes.append(self.restate)

    def start_restate(self):
        def is_up():
            if not self.restate.is_alive:
                # Its ports may be taken for a moment after it was killed; whoever supervises it starts it again.
                self.restate.start()
            return answers(self.restate_ports["admin"], "/health") and answers(self.restate_ports["ingress"], "/restate/health")

        wait_for("Restate", is_up, pause=0.05)

    def admin(self, method, path, body=None, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.restate_ports["admin"], timeout=timeout)
        try:
            headers = {"content-type": "application/json", "accept": "application/json"}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            said = response.read()
            return response.status, json.loads(said) if said else None
        finally:
            connection.close()

    def register(self, uri):
        def registered():
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                status, self.registered = self.admin("POST", "/deployments", {"uri": uri})
                return status in (200, 201)

        wait_for(f"{uri} to be registered", registered, pause=0.2)
        return self.registered["id"]

    def register_only(self, uri):
        """As whoever deploys does it: what it did."""
        command = [program(), "worker", "--register-only", uri, "--json"]
        env = self._env("register", self.postgres.address)
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=env, cwd=self.home, timeout=60)
        assert done.returncode == 0, done.stdout
        return json.loads(done.stdout.splitlines()[-1])

    def doctor(self, name):
        """What `doctor` says of something."""
        env = self._env("doctor", self.postgres.address)
        done = subprocess.run([program(), "doctor", "--json"], stdout=subprocess.PIPE, text=True, env=env, cwd=self.home, timeout=60)
        return [it for it in json.loads(done.stdout)["checks"] if it["name"] == name]

    def invocations(self, where="status <> 'completed'"):
        """What the engine has under way, or what stands still."""
        query = f"select id, target, status, retry_count, last_failure from sys_invocation where {where}"
        return self.admin("POST", "/query", {"query": query})[1]["rows"]

    # Its end

    def close(self):
        if self.closed:
            return
        self.closed = True
        for it in self.processes:
            if it.is_alive:
                with contextlib.suppress(OSError):
                    it.go_on()
                it.kill()
        if self.model:
            self.model.kill()
            self.model.wait()
        if self.postgres:
            self.postgres.close()
        self.wires.close()
        if os.environ.get("FAULTS_KEEP"):
            print(f"kept: {self.home}", file=sys.stderr)
        else:
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            for it in self.processes:
                if os.path.exists(it.log):
                    print(f"--- {it.name} said last:\n{it.said(1500)}", file=sys.stderr)
        self.close()
