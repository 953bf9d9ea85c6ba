#!/usr/bin/env python3
"""Runs the clients side by side against the scripted server and prints a table for each cell.

Builds nothing: `make bench` does, and then runs this. Every client runs once in each repetition,
so that a busy spell of the machine falls on all of them, and ratios are taken within a
repetition. Goals are printed beside the figures and never change the exit code: a figure from a
shared machine is no reason to fail a build.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import startup

WORKSPACE = Path(__file__).resolve().parent.parent
DEFAULT_BIN = Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target")) / "dist"
# The program that the goals are for.
SUBJECT = "toolwright"
# Far above any right run; a client that hangs must not hang the rest.
CLIENT_TIMEOUT_S = 300
# What a client's line of JSON must have; `growth` may be missing.
FIGURES = ("ok", "wall_s", "cpu_s", "peak_rss_mb", "p50_ms")


@dataclass(frozen=True)
class Cell:
    """One table: a scenario at a concurrency."""

    scenario: str
    concurrency: int
    conversations: int
    # Requests in one conversation: who sent fewer did not hold it.
    requests: int
    title: str
    # The figure that has a goal, and the most it may be.
    goal: tuple[str, float]


CELLS = {
    "A1": Cell("nifty", 1, 300, 3, "three requests, one conversation at a time", ("ratio", 2.0)),
    "A32": Cell("nifty", 32, 600, 3, "three requests, 32 conversations at a time", ("ratio", 2.0)),
    "B": Cell("parallel", 1, 20, 2, "eight tools of 50 ms at once", ("p50_ms", 52.0)),
    "C": Cell("long", 1, 5, 101, "a hundred rounds with results of 2 KB", ("ratio", 1.6)),
}


@dataclass(frozen=True)
class Peer:
    """A client: called with BASE_URL SCENARIO N CONCURRENCY, prints one line of JSON."""

    command: list[str]
    env: dict[str, str] = field(default_factory=dict)
    # Of a cell's conversations, how many this one holds; less than 1 for a slow one.
    share: float = 1.0

    def built(self) -> bool:
        return shutil.which(self.command[0]) is not None


def known_peers(binaries: Path) -> dict[str, Peer]:
    floor = str(binaries / "bench-floor")
    peers = {
        "floor": Peer([floor]),
        "floor-tcp": Peer([floor], {"FLOOR": "tcp"}),
        "lean": Peer([floor], {"FLOOR": "lean"}),
        SUBJECT: Peer([str(binaries / "bench-loop")]),
    }
    for name, extra in json.loads(os.environ.get("BENCH_EXTRA", "{}")).items():
        peers[name] = Peer(extra) if isinstance(extra, list) else Peer(**extra)
    return peers


class Pinning:
    """Server and clients on a core each, where there are two and `taskset` to say so."""

    def __init__(self) -> None:
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self.on = len(cores) >= 2 and shutil.which("taskset") is not None
        self.cores = cores[:2] if self.on else []

    def server(self) -> list[str]:
        return ["taskset", "-c", str(self.cores[0])] if self.on else []

    def client(self) -> list[str]:
        return ["taskset", "-c", str(self.cores[1])] if self.on else []

    def __str__(self) -> str:
        if not self.on:
            return "not pinned"
        return f"server on core {self.cores[0]}, clients on core {self.cores[1]}"


class Server:
    """The scripted server, for as long as the `with` block lasts."""

    def __init__(self, binaries: Path, pinning: Pinning, flush: bool) -> None:
        command = [str(binaries / "bench-server"), "127.0.0.1:0", *(["--flush"] if flush else [])]
        self.process = subprocess.Popen(
            [*pinning.server(), *command], stdout=subprocess.PIPE, text=True
        )
        # "listening on 127.0.0.1:PORT"
        words = self.process.stdout.readline().split()
        if not words:
            raise SystemExit("bench-server did not start")
        self.address = words[-1]

    def stats(self) -> dict:
        with urllib.request.urlopen(f"http://{self.address}/stats", timeout=10) as reply:
            return json.load(reply)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()


def run_client(peer: Peer, server: Server, pinning: Pinning, cell: Cell, count: int) -> dict:
    """The client's line of JSON; `ok` is -1 and `error` says why when there is none."""
    arguments = [f"http://{server.address}/v1", cell.scenario, str(count), str(cell.concurrency)]
    command = [*pinning.client(), *peer.command, *arguments]
    before = server.stats()
    try:
        done = subprocess.run(
            command, env={**os.environ, **peer.env}, capture_output=True, timeout=CLIENT_TIMEOUT_S
        )
        error = done.stderr.decode(errors="replace").strip()[-300:]
        row = {"error": error} if error else {}
        row |= json.loads(done.stdout.splitlines()[-1])
        if lacking := [name for name in FIGURES if not isinstance(row.get(name), (int, float))]:
            row = {"ok": -1, "error": f"printed no {', '.join(lacking)}"}
    except subprocess.TimeoutExpired:
        row = {"ok": -1, "error": f"no end after {CLIENT_TIMEOUT_S} s"}
    except (IndexError, TypeError, ValueError):
        row = {"ok": -1, "error": error or "printed no line of JSON"}
    except OSError as cause:
        row = {"ok": -1, "error": f"did not start: {cause}"}
    after = server.stats()
    # Each reading of the statistics takes a connection; the second one's is in the difference.
    return row | {
        "requests": after["requests"] - before["requests"],
        "rejected": after["rejected"] - before["rejected"],
        "connections": after["connections"] - before["connections"] - 1,
        "server_cpu_s": after["cpu_s"] - before["cpu_s"],
        "load": os.getloadavg()[0],
    }


def measure(options: argparse.Namespace, peers: dict[str, Peer], pinning: Pinning) -> list[dict]:
    rows = []
    with Server(options.bin, pinning, options.flush) as server:
        for rep in range(options.reps):
            for name in options.cells:
                cell = CELLS[name]
                # There and back, so that none always follows the same one.
                for who, peer in list(peers.items())[:: -1 if rep % 2 else 1]:
                    count = round(cell.conversations * peer.share / (3 if options.quick else 1))
                    count = max(count, 1)
                    row = run_client(peer, server, pinning, cell, count)
                    row |= {"peer": who, "cell": name, "rep": rep, "n": count}
                    rows.append(row)
                    progress(row)
    return rows


def progress(row: dict) -> None:
    if not right(row):
        detail = f"FAILED: {failure(row)}; {row.get('error', '')}"
    else:
        detail = (
            f"cpu {cpu_us(row):9.1f} us  p50 {row['p50_ms']:8.3f} ms"
            f"  server {row['server_cpu_s'] / max(row['requests'], 1) * 1e6:5.1f} us/request"
            f"  connections {row['connections']:3}  load {row['load']:.1f}"
        )
    print(f"{row['rep']} {row['cell']:4} {row['peer']:16} {detail}", file=sys.stderr, flush=True)


def failure(row: dict) -> str:
    if row["ok"] < 0:
        return "no figures"
    counts = f"{row['requests']} requests, {row['rejected']} rejected"
    return f"{row['ok']} of {row['n']} right, {counts}"


def right(row: dict) -> bool:
    asked = row["requests"] >= row["n"] * CELLS[row["cell"]].requests
    return row["ok"] == row["n"] and row["rejected"] == 0 and asked


def cpu_us(row: dict) -> float:
    return row["cpu_s"] / row["n"] * 1e6


def verdict(figure: float | None, limit: float, unit: str) -> str:
    if figure is None:
        return f"goal ≤ {limit:g}{unit}: not measured"
    return f"goal ≤ {limit:g}{unit}: {'met' if figure <= limit else 'missed'}"


def figures(rows: list[dict], floor: dict[int, float]) -> dict:
    """What the repetitions of one peer in one cell come to."""
    ratios = [cpu_us(row) / floor[row["rep"]] for row in rows if floor.get(row["rep"])]
    growths = [row["growth"] for row in rows if row.get("growth") is not None]
    return {
        "ratio": statistics.median(ratios) if ratios else None,
        "cpu_us": min(map(cpu_us, rows)),
        "p50_ms": min(row["p50_ms"] for row in rows),
        "per_s": max(row["n"] / row["wall_s"] for row in rows),
        "rss_mb": max(row["peak_rss_mb"] for row in rows),
        "growth": statistics.median(growths) if growths else None,
    }


def report(rows: list[dict], names: list[str], missing: list[str], cells: list[str]) -> None:
    for name in cells:
        cell = CELLS[name]
        kind, limit = cell.goal
        unit = " × floor" if kind == "ratio" else " ms"
        print(f"\n### {name}: {cell.scenario}, {cell.title}\n")
        print("| client | CPU ÷ floor | CPU µs (min) | p50 ms (min) | per s (best)", end="")
        print(" | peak RSS MB | growth | goal |\n|---|---|---|---|---|---|---|---|")
        here = [row for row in rows if row["cell"] == name]
        floor = {row["rep"]: cpu_us(row) for row in here if row["peer"] == "floor" and right(row)}
        for who in names:
            own = [row for row in here if row["peer"] == who]
            if who in missing:
                print(f"| {who} | not built |  |  |  |  |  |  |")
                continue
            wrong = next((row for row in own if not right(row)), None)
            if wrong:
                print(f"| {who} | failed: {failure(wrong)} |  |  |  |  |  |  |")
                continue
            it = figures(own, floor)
            goal = verdict(it[kind], limit, unit) if who == SUBJECT else ""
            print(
                f"| {who} | {number(it['ratio'], 2)} | {it['cpu_us']:.1f} | {it['p50_ms']:.2f}"
                f" | {it['per_s']:.0f} | {it['rss_mb']:.1f} | {number(it['growth'], 1)} | {goal} |"
            )


def number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def report_startup(result: dict) -> None:
    print('\n### Start: `toolwright ask "hi"`, from spawn to the first byte of its request\n')
    if "error" in result:
        print(result["error"])
        return
    print("| figure | value | goal |\n|---|---|---|")
    fastest, rss = result["min_ms"], result["rss_mb"]
    print(f"| wall ms, min | {fastest:.1f} | {verdict(fastest, startup.GOAL_MS, ' ms')} |")
    print(f"| wall ms, median of {result['spawns']} | {result['median_ms']:.1f} |  |")
    print(f"| peak RSS MB | {rss:.1f} | {verdict(rss, startup.GOAL_RSS_MB, ' MB')} |")


def parse_options() -> argparse.Namespace:
    def names(text: str) -> list[str]:
        return [name for name in text.split(",") if name]

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", type=Path, default=DEFAULT_BIN, help="folder of the programs")
    parser.add_argument("--peers", type=names, help="clients (default: all but floor-tcp)")
    parser.add_argument("--cells", type=names, default=list(CELLS), help="tables: A1,A32,B,C")
    parser.add_argument("--reps", type=int, default=5, help="repetitions (default 5)")
    parser.add_argument("--quick", action="store_true", help="a third of the conversations")
    parser.add_argument("--flush", action="store_true", help="one write for each streamed event")
    parser.add_argument("--no-start", action="store_true", help="leave out the start of the CLI")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every single figure")
    options = parser.parse_args()
    if unknown := set(options.cells) - set(CELLS):
        parser.error(f"no cell {', '.join(sorted(unknown))}; there are {', '.join(CELLS)}")
    if options.reps < 1:
        parser.error("--reps must be at least 1")
    return options


def main() -> None:
    options = parse_options()
    known = known_peers(options.bin)
    names = options.peers or [name for name in known if name != "floor-tcp"]
    if unknown := set(names) - set(known):
        raise SystemExit(f"no client {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    # All ratios are to it.
    names = ["floor", *(name for name in dict.fromkeys(names) if name != "floor")]
    if not known["floor"].built() or not (options.bin / "bench-server").exists():
        raise SystemExit(f"no bench-server and bench-floor in {options.bin}: run `make bench`")
    missing = [name for name in names if not known[name].built()]
    for name in missing:
        print(f"{name}: not built ({known[name].command[0]})", file=sys.stderr)

    pinning = Pinning()
    peers = {name: known[name] for name in names if name not in missing}
    rows = measure(options, peers, pinning)
    start = None if options.no_start else startup.measure(options.bin / "toolwright")
    load = statistics.median(row["load"] for row in rows) if rows else os.getloadavg()[0]
    print(
        f"{time.strftime('%Y-%m-%d')}, {platform.system()} {platform.machine()},"
        f" {os.cpu_count()} cores, load {load:.1f}; {pinning}; repetitions: {options.reps}"
        f"{', quick' if options.quick else ''}{', flushed' if options.flush else ''}"
    )
    report(rows, names, missing, options.cells)
    if start is not None:
        report_startup(start)
    if options.json:
        options.json.write_text(json.dumps({"rows": rows, "start": start}, indent=1) + "\n")


if __name__ == "__main__":
    main()
