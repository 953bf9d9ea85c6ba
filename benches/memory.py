"""How much memory the server takes: alone, with the offline model in use, and after it was given up again.

python3 benches/memory.py MODELS. MODELS is the folder `models` of a data folder, as `toolwright models pull offline` fills
it; nothing is written there. The questions are those of crates/offline/eval that may be looked at, as many of each
group, each in a conversation of its own, with all tools at hand.

`--idle` waits six minutes more: what nobody asked for five is given up. `--program` names another program, `--before` what
stands before it (`--before "env LD_PRELOAD=…"`).
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROUPS = ["demo", "history", "none", "trading", "workspace"]
GOAL_USED_MB = 350
GOAL_IDLE_MB = 30
# The weights are given up five minutes after the last question; what held them takes a moment to go.
IDLE_S = 360
# The allocator gives back what was freed a second later.
SETTLED_S = 3


def questions(count: int) -> list[str]:
    """As many of each group, from all over its list, the groups taking turns."""
    groups = []
    for name in GROUPS:
        lines = (HERE.parent / f"crates/offline/eval/questions/{name}.jsonl").read_text().splitlines()
        asked = [it["turns"][0]["ask"] for it in map(json.loads, lines) if it["split"] == "dev"]
        each = -(-count // len(GROUPS))
        groups.append([asked[at * len(asked) // each] for at in range(each)])
    return [question for turn in zip(*groups) for question in turn][:count]


def memory(pid: int) -> dict[str, float]:
    """In MB: all that is there, what no file has, this process's share where others have the same pages; and the peak."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    lines += Path(f"/proc/{pid}/status").read_text().splitlines()
    names = {"Rss": "rss", "Anonymous": "anon", "Pss": "pss", "VmHWM": "peak"}
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    return {names[name]: int(value.split()[0]) / 1024 for name, value in pairs if name in names}


def told(what: str, pid: int) -> dict[str, float]:
    """Prints what is taken now."""
    now = memory(pid)
    figures = ", ".join(f"{name} {now[name]:.0f}" for name in ("rss", "anon", "pss", "peak"))
    print(f"{what}: {figures} MB", flush=True)
    return now


def ask(address: str, question: str) -> None:
    """Asks in a new conversation, and reads to the end of the run."""
    body = json.dumps({"message": question, "task": "general"}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{address}/api/chat/stream", body, headers)
    with urllib.request.urlopen(request, timeout=300) as answer:
        answer.read()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path)
    parser.add_argument("--program", type=Path, default=Path("target/dist/toolwright"))
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--idle", action="store_true")
    parser.add_argument("--before", type=shlex.split, default=[])
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, work = Path(folder, "data"), Path(folder, "work")
        work.mkdir()
        (work / "README.md").write_text("# Kites\n\nHow to fly them.\n")
        # What conversations begin with is kept beside the weights: the first one here finds nothing.
        shutil.copytree(wanted.models, data / "models", ignore=shutil.ignore_patterns("prefixes"))
        measure(wanted, data, work)


def measure(wanted: argparse.Namespace, data: Path, work: Path) -> None:
    """Serves, asks, and prints."""
    kept = ("PATH", "TERM", "LANG", "LD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"HOME": str(data), "XDG_CONFIG_HOME": str(data), "TOOLWRIGHT_DATA": str(data)}
    command = [*wanted.before, wanted.program.resolve(), "serve", "--json", "--port", "0", "--approve"]
    command += ["--workspace", work, "--task", "general", "--log", "off"]
    # A runner may be root, in a folder of its own.
    command += ["--allow-root"] if os.geteuid() == 0 else []
    server = subprocess.Popen(command, cwd=work, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        address = json.loads(server.stdout.readline())["address"]
        told("started", server.pid)
        most, begun = 0.0, time.perf_counter()
        asked = questions(wanted.questions)
        for number, question in enumerate(asked, 1):
            ask(address, question)
            most = max(most, memory(server.pid)["rss"])
            if number % 10 == 0:
                told(f"{number} asked", server.pid)
        took = time.perf_counter() - begun
        time.sleep(SETTLED_S)
        now = told(f"{len(asked)} asked, {SETTLED_S} s later", server.pid)
        print(f"in use: {now['rss']:.0f} MB, goal {GOAL_USED_MB}; {most:.0f} at most; {took:.0f} s")
        if wanted.idle:
            time.sleep(IDLE_S)
            now = told("idle", server.pid)
            print(f"idle: {now['rss']:.0f} MB, {now['anon']:.0f} of them in no file, goal {GOAL_IDLE_MB}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
