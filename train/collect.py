"""Calls the real tools and keeps what they return: `results.json`, so that making data needs no binary.

    python collect.py path/to/toolwright
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
# Stands in the kept results for the workspace's full path.
ROOT = "{root}"

# Names as people say them; what the search makes of each is kept.
NAMES = """NIFTY|nifty 50|bank nifty|BANKNIFTY|fin nifty|sensex|india vix|midcap nifty|nifty it|nifty auto|nifty next 50|nifty pharma|
nifty metal|bankex|RELIANCE|reliance|ril|TCS|tcs|infosys|INFY|hdfc bank|HDFCBANK|icici bank|icici|SBI|SBIN|state bank|ITC|airtel|
bharti airtel|larsen and toubro|l&t|axis bank|tata steel|TATASTEEL|bajaj finance|kotak|kotak bank|hindustan unilever|hul|maruti|
maruti suzuki|mahindra|M&M|asian paints|sun pharma|titan|ultratech|nestle|wipro|WIPRO|hcl tech|HCLTECH|tech mahindra|ongc|ntpc|
power grid|coal india|jsw steel|hindalco|tata motors|adani enterprises|adani ports|bajaj finserv|bajaj auto|hero motocorp|eicher|
grasim|cipla|dr reddy|divis|britannia|indusind bank|bpcl|tata consumer|apollo hospitals|sbi life|hdfc life|BEL|trent|zomato|eternal|
jio financial|indigo|vedanta|gail|ioc|dlf|pnb|bank of baroda|canara bank|pfc|rec|sail|bhel|hal|tata power|irctc|irfc|paytm|nykaa|lic|
dmart|pidilite|dabur|godrej consumer|marico|havells|siemens|abb|bosch|ambuja cements|lupin|biocon|muthoot finance|yes bank|idfc first|
federal bank|suzlon|vodafone idea|nmdc|naukri|mrf|tvs motor|ashok leyland|voltas|sbi card|mphasis|persistent|coforge|adani green|
adani power|polycab|dixon|tata elxsi|hindpetro|swiggy|delhivery|hyundai|bse|mcx|cdsl|niftybees|goldbees|bankbees|crude|crude oil|
natural gas|gold|gold mini|silver|copper|zinc|aluminium|lead|nifty futures|nifty fut|banknifty futures|reliance futures|
crude oil futures|gold futures|NIFTY 25700 CE|nifty 26000 pe|banknifty 55600 ce|reliance 1360 ce|hdfcbank|nifty 500|nifty psu bank|
united spirits|jubilant|indian hotels|godrej properties|exide|oil india|nhpc|rvnl|policybazaar|fortis|glenmark|apple|tesla|qqqq""".replace("\n", "").split("|")

FILES = {
    "README.md": "# Orchard\n\nA small web server for recipes.\n\n## Usage\n\nRun `cargo run` and open http://localhost:8080.\n\n## Licence\n\nMIT\n",
    "Cargo.toml": '[package]\nname = "orchard"\nversion = "0.3.1"\nedition = "2024"\n\n[dependencies]\nserde = "1"\ntokio = { version = "1", features = ["full"] }\n',
    "src/main.rs": 'mod config;\nmod server;\n\nfn main() {\n    let port = 8080;\n    println!("listening on {port}");\n    server::run(port);\n}\n',
    "src/config.rs": 'pub struct Config {\n    pub port: u16,\n    pub host: String,\n    pub timeout: u64,\n}\n\nimpl Default for Config {\n    fn default() -> Self {\n        Self { port: 8080, host: "localhost".into(), timeout: 30 }\n    }\n}\n',
    "src/server.rs": '// TODO: graceful shutdown\npub fn run(port: u16) {\n    // TODO: read the host from the configuration\n    let address = format!("0.0.0.0:{port}");\n    println!("{address}");\n}\n',
    "docs/guide.md": "# Guide\n\n1. Install Rust.\n2. Clone the repository.\n3. Run `make build`.\n\nRecipes live in `data/recipes.json`.\n",
    "docs/api.md": "# API\n\n`GET /recipes` lists all recipes.\n`GET /recipes/{id}` shows one.\n`POST /recipes` adds one.\n",
    "data/recipes.json": '[\n  {"id": 1, "title": "Pancakes", "minutes": 20},\n  {"id": 2, "title": "Lentil soup", "minutes": 45}\n]\n',
    "tests/recipes.rs": "#[test]\nfn lists_recipes() {\n    assert_eq!(2, 1 + 1);\n}\n",
    "scripts/build.sh": "#!/bin/sh\nset -e\ncargo build --release\ncp target/release/orchard dist/\n",
    "Makefile": "build:\n\tcargo build\n\ntest:\n\tcargo test\n",
    "notes.txt": "buy apples\nfix the login page\nask about the invoice\n",
    "app/main.py": 'import sys\n\n\ndef greet(name):\n    return f"Hello, {name}!"\n\n\nif __name__ == "__main__":\n    print(greet(sys.argv[1]))\n',
    "app/config.yaml": "debug: true\nretries: 3\nendpoint: https://example.com/api\n",
    "web/index.html": "<!doctype html>\n<title>Orchard</title>\n<h1>Recipes</h1>\n",
    "web/style.css": "body { color: black; }\nh1 { color: green; }\n",
    ".gitignore": "target/\ndist/\n",
    "CHANGELOG.md": "# Changelog\n\n## 0.3.1\n\n- Faster start.\n\n## 0.3.0\n\n- Recipes can be searched.\n",
}

WORKSPACE = (
    [("show", {"file_path": name}) for name in FILES]
    + [("show", {"file_path": name, "start_line": 2, "end_line": 4}) for name in FILES if FILES[name].count("\n") > 4]
    + [("show", {"file_path": name}) for name in ("missing.md", "src/lib.rs", "setup.py")]
    + [("list", {})] + [("list", {"path": path}) for path in ("src", "docs", "app", "web", "nothing")]
    + [("search", {"pattern": word}) for word in "port TODO Recipes println greet localhost cargo timeout version retries zebra serde".split()]
    + [("search", {"pattern": word, "path": path}) for word, path in (("port", "src"), ("Recipes", "docs"), ("name", "app"), ("color", "web"))]
    + [("search", {"pattern": word, "glob": glob}) for word, glob in (("port", "*.rs"), ("import", "*.py"), ("build", "*.sh"))]
    + [("search", {"pattern": "recipes", "ignore_case": True})]
    + [("edit", {"file_path": "src/main.rs", "old_string": "8080", "new_string": "9090"}),
       ("edit", {"file_path": "app/config.yaml", "old_string": "debug: true", "new_string": "debug: false"}),
       ("edit", {"file_path": "Cargo.toml", "old_string": "0.3.1", "new_string": "0.4.0"}),
       ("edit", {"file_path": "web/style.css", "old_string": "green", "new_string": "red"}),
       ("edit", {"file_path": "README.md", "old_string": "small", "new_string": "tiny"}),
       ("edit", {"file_path": "web/style.css", "old_string": "color", "new_string": "background"}),
       ("edit", {"file_path": "web/style.css", "old_string": "color", "new_string": "background", "replace_all": True}),
       ("edit", {"file_path": "notes.txt", "old_string": "pears", "new_string": "plums"}),
       ("write", {"file_path": "todo.md", "content": "buy milk"}),
       ("write", {"file_path": "notes.txt", "content": "hello"}),
       ("write", {"file_path": "docs/plan.md", "content": "# Plan"}),
       ("write", {"file_path": "notes.txt", "content": "hello", "overwrite": True})]
    + [("bash", {"command": command}) for command in (
        "git log --oneline", "git status", "git status --short", "git branch", "git diff --stat", "ls", "ls -la docs", "wc -l src/main.rs", "wc -l src/*.rs",
        "wc -w README.md", "date +%Y", "pwd", "du -sh src", "find . -name '*.rs'", "grep -rn TODO src", "head -n 3 README.md", "tail -n 2 notes.txt",
        "cat notes.txt", "sort notes.txt", "python3 app/main.py Ada", "echo hello", "uname -s", "false", "pytest -q", "ls nothing", "sh scripts/build.sh",
        "find . -name '*.md' | wc -l", "python3 --version", "cat app/config.yaml", "stat -c %s README.md")]
)


def plan():
    """Every call that needs no result of another."""
    yield from (("demo", "get_weather", {"location": "Paris"}), ("demo", "calculate_tip", {"amount": 45.6, "percentage": 20}))
    yield from (("demo", "calculate_tip", {"amount": 80}), ("demo", "list_notes", {}))
    for name in NAMES:
        yield "trading", "search_instruments", {"query": name}
    for symbol in ("NIFTY", "BANKNIFTY"):
        for kind in ("INDEX", "FUTURES", "OPTIONS"):
            yield "trading", "search_instruments", {"query": symbol, "instrument_type": kind}
    for symbol, segment in (("NIFTY", "IDX_I"), ("TCS", "NSE_EQ"), ("TCS", "BSE_EQ"), ("RELIANCE", "BSE_EQ"), ("INFY", "NSE_EQ"), ("WIPRO", "NSE_EQ"),
                            ("SENSEX", "IDX_I"), ("ITC", "BSE_EQ"), ("ZZZ", "NSE_EQ")):
        yield "trading", "find_instrument", {"symbol": symbol, "segment": segment}
    for tool in ("get_positions", "get_holdings", "get_funds"):
        yield "trading", tool, {}
    for video in range(1, 97, 2):
        yield "history", "get_video_details", {"video_id": f"sample-{video:04}"}
    yield "history", "get_video_details", {"video_id": "dQw4w9WgXcQ"}
    for channel in range(1, 25):
        yield "history", "get_recent_videos", {"channel_id": f"UCsample-channel-{channel:07}"}
    for limit in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20):
        yield "history", "get_recent_videos", {"limit": limit}
    yield "history", "get_recent_videos", {}
    yield "history", "get_statistics", {}
    for topic in ("Python", "Python tutorials", "cooking", "guitar", "piano", "machine learning", "neural networks", "bread", "travel", "Rome", "chess",
                  "black holes", "gardening", "running", "yoga", "woodworking", "savings", "French", "drawing", "photography", "rust", "databases", "quilting"):
        yield "history", "search_videos_by_topic", {"query": topic}
        yield "history", "search_videos_by_topic", {"query": topic, "date_from": "2026-10-01", "date_to": "2026-10-31"}
    for tool, arguments in WORKSPACE:
        yield "workspace", tool, arguments


def follow_ups(results):
    """Calls that need an identifier an earlier result returned."""
    seen = set()
    for one in [it for it in results if it["tool"] == "search_instruments" and it.get("data")]:
        for place, found in enumerate(one["data"]["instruments"][:2]):
            key = (found["exchange_segment"], found["security_id"])
            if key in seen:
                continue
            seen.add(key)
            segment, number = key
            yield "trading", "get_market_quote", {"securities": {segment: [number]}}
            both = {"exchange_segment": segment, "security_id": number}
            if len(seen) % 3 == 0:
                yield "trading", "get_historical_data", {"exchange_segment": segment, "from_date": "2026-10-01", "security_id": number, "to_date": "2026-10-31"}
                yield "trading", "get_daily_ohlcv", {"exchange_segment": segment, "from_date": "2026-11-09", "security_id": number}
                yield "trading", "get_intraday_ohlcv", {"exchange_segment": segment, "interval": "15", "security_id": number}
            if place == 0 and found["instrument_type"] in ("INDEX", "EQUITY"):
                yield "trading", "get_expiries", both
                yield "trading", "get_option_chain", {**both, "strikes": 5}
    for one in [it for it in results if it["tool"] == "get_recent_videos" and it.get("data")]:
        for channel in {video["channel"] for video in one["data"]["videos"][:1]}:
            if channel not in seen:
                seen.add(channel)
                yield "history", "get_channel_info", {"channel_name": channel}
    yield "history", "get_channel_info", {"channel_name": "Nobody"}


class Tools:
    """The binary, with a data folder and a workspace of its own."""

    def __init__(self, binary, folder):
        self.binary, self.data, self.workspace = binary, folder / "data", folder / "work"
        for name, content in FILES.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        git = ["git", "-C", self.workspace, "-c", "user.name=o", "-c", "user.email=o@example.com"]
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "Recipes can be searched"]):
            subprocess.run(git + words, check=True)

    def call(self, task, tool, arguments):
        command = [self.binary, "--data", self.data, "--json", "tools", "call", tool, json.dumps(arguments), "--task", task, "--approve"]
        if task == "workspace":
            command += ["--workspace", self.workspace]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        reply = json.loads(done.stdout or "{}")
        text = (reply.get("text") or done.stderr.removeprefix("error: ").strip()).replace(str(self.workspace), ROOT)
        return {"task": task, "tool": tool, "arguments": arguments, "text": text, "data": reply.get("data"), "ok": bool(reply.get("success"))}


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(sys.argv[1], pathlib.Path(folder))
        results = [tools.call(*one) for one in plan()]
        results += [tools.call(*one) for one in follow_ups(results)]
    for one in results:
        if one["tool"] != "search_instruments":
            one.pop("data")
        elif one["data"]:
            keep = ("display_name", "exchange_segment", "instrument_type", "security_id", "symbol_name", "expiry")
            one["data"] = [{k: it[k] for k in keep if k in it} for it in one["data"]["instruments"]]
    (HERE / "results.json").write_text("[\n" + ",\n".join(json.dumps(it, ensure_ascii=False) for it in results) + "\n]\n")
    print(len(results), "results,", sum(not it["ok"] for it in results), "of them failures")


if __name__ == "__main__":
    main()
