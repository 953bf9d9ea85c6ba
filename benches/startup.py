"""How long the command line takes from its spawn to the first byte of its request.

A listener in this process stands in for the model. It notes when the first byte comes, reads the
peak memory of the client while that waits, and answers, so that the client ends as it would.
Nothing is pinned here: `taskset` would be one more exec in the time, and the user does not pin.
"""

import os
import select
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

GOAL_MS = 10.0
GOAL_RSS_MB = 20.0
SPAWNS = 20
# Far above any right start; a client that never asks must not hang the rest.
TIMEOUT_S = 10.0

_CHUNK = '{"id":"c","object":"chat.completion.chunk","created":0,"model":"nifty","choices":[%s]%s}'
_EVENTS = [
    _CHUNK % ('{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}', ""),
    _CHUNK % ('{"index":0,"delta":{},"finish_reason":"stop"}', ""),
    _CHUNK % ("", ',"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}'),
    "[DONE]",
]
_SSE = "".join(f"data: {event}\n\n" for event in _EVENTS).encode()


class Failed(Exception):
    """The client did not ask, or did not end well."""


def measure(program: Path, spawns: int = SPAWNS) -> dict:
    """`min_ms`, `median_ms`, `rss_mb` and `spawns`; or `error`, in words."""
    if not program.exists():
        return {"error": f"toolwright: not built ({program})"}
    with socket.create_server(("127.0.0.1", 0)) as listener, tempfile.TemporaryDirectory() as data:
        try:
            # The first one reads the program from the disk and lays out the data folder.
            _spawn(program, listener, data)
            results = [_spawn(program, listener, data) for _ in range(spawns)]
        except (Failed, OSError) as error:
            return {"error": f"failed: {error}"}
    walls = [wall for wall, _ in results]
    return {
        "min_ms": min(walls) * 1e3,
        "median_ms": statistics.median(walls) * 1e3,
        "rss_mb": max(rss for _, rss in results),
        "spawns": spawns,
        "walls_ms": [wall * 1e3 for wall in walls],
    }


def _spawn(program: Path, listener: socket.socket, data: str) -> tuple[float, float]:
    """Seconds to the first byte, and peak MB by then."""
    # Neither the user's settings nor a proxy may take part.
    proxies = {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}
    env = {key: value for key, value in os.environ.items() if key.lower() not in proxies}
    env |= {
        "OPENAI_API_BASE": f"http://127.0.0.1:{listener.getsockname()[1]}/v1",
        "OPENAI_API_KEY": "bench",
        "TOOLWRIGHT_MODEL": "nifty",
        "TOOLWRIGHT_DATA": data,
        "HOME": data,
        "XDG_CONFIG_HOME": data,
    }
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [program, "ask", "hi"],
            env=env,
            cwd=data,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
        try:
            asked = _serve_until_exit(process, listener)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
        if asked is None or process.returncode != 0:
            output.seek(0)
            said = output.read().decode(errors="replace").strip()[-300:]
            what = "exited without a request" if asked is None else "asked, then exited"
            raise Failed(f"{what}, status {process.returncode}: {said}")
    at, rss = asked
    return at - start, rss


def _serve_until_exit(
    process: subprocess.Popen, listener: socket.socket
) -> tuple[float, float] | None:
    """When the first byte of the first request came, and the peak MB before its answer."""
    asked = None
    deadline = time.monotonic() + TIMEOUT_S
    while process.poll() is None:
        if time.monotonic() > deadline:
            raise Failed(f"no end after {TIMEOUT_S:g} s")
        # Short waits, to see soon that the client has gone; the wait ends with a connection.
        if not select.select([listener], [], [], 0.02)[0]:
            continue
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(TIMEOUT_S)
            first = connection.recv(1)
            at = time.perf_counter()
            if not first:
                continue
            is_chat = _read_request(connection, first)
            if asked is None:
                asked = at, _peak_rss_mb(process.pid)
            connection.sendall(_reply(is_chat))
    return asked


def _read_request(connection: socket.socket, received: bytes) -> bool:
    """Reads one request to its end; whether it asks for a completion."""
    while b"\r\n\r\n" not in received:
        received += _some(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {key.lower(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    if "content-length" in headers:
        length = int(headers["content-length"])
        while len(body) < length:
            body += _some(connection)
    elif headers.get("transfer-encoding", "").lower() == "chunked":
        while not body.endswith(b"0\r\n\r\n"):
            body += _some(connection)
    return "/chat/completions" in lines[0]


def _some(connection: socket.socket) -> bytes:
    received = connection.recv(65536)
    if not received:
        raise Failed("the client left in the middle of its request")
    return received


def _reply(is_chat: bool) -> bytes:
    status, kind, body = "200 OK", "text/event-stream", _SSE
    if not is_chat:
        status, kind, body = "404 Not Found", "application/json", b"{}"
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n"
    return f"{head}connection: close\r\n\r\n".encode() + body


def _peak_rss_mb(pid: int) -> float:
    """From VmHWM: ru_maxrss survives exec, and would be this interpreter's."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise Failed("no VmHWM in /proc")
