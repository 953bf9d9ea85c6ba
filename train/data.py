"""Makes the training data: `out/train-NN.jsonl.gz`, one conversation a line, and `out/test.json`.

    python data.py --bfcl path/to/bfcl_eval/data [--count 240000] [--seed 21]

A line is `[[role, content, learned], …]`: the prompt's messages as the product shows them; what is learned is
what the assistant says, but for calls that are wrong on purpose. Every file is a fair part of the whole: a run
that sees a third of the data reads a third of the files.
"""

import argparse
import datetime
import gzip
import json
import multiprocessing
import os
import pathlib
import random
import re

import bfcl
from phrases import chains, changes, demo, desk, functions, history, invented, lookups, patterns, small, spoken, trading, workspace
from phrases.talks import later
from tools import FRESH_TURNS, TURNS, conversation, pack, system

HERE = pathlib.Path(__file__).parent
PACKS = {task: pack(task) for task in ("demo", "trading", "history", "workspace")}
EVERY = [it for tools in PACKS.values() for it in tools]
PACK_OF = {tool["name"]: task for task, tools in PACKS.items() for tool in tools}
MAKERS = [(demo.talk, 12), (trading.talk, 24), (desk.talk, 24), (history.talk, 22), (workspace.talk, 42), (changes.talk, 30), (chains.talk, 18), (lookups.talk, 16), (spoken.talk, 16), (functions.talk, 56), (invented.talk, 6), (small.talk, 12)]
MOST = 12
# Parameters whose values may be put together freely, or are one of a few.
FREE = {"command", "content", "new_string", "text", "interval"}
SHARDS = 48
LONGEST = 2_900  # tokens, about: with fewer tools where it would be longer


def plain(text):
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def questions():
    """What the product is tested with, in plain letters; nobody reads them here. What is said a hundred times a day is no secret."""
    asks = [plain(turn["ask"]) for path in sorted(QUESTIONS.glob("*/*.jsonl")) for line in path.open(encoding="utf-8") for turn in json.loads(line)["turns"]]
    return {it for it in asks if it.count(" ") >= 3}


QUESTIONS = HERE.parent / "crates" / "offline" / "eval"
TESTED = questions()


def offered(r, it, few=False):
    """The tools a conversation is shown: mostly whole packs, as the product offers them, in the toolbox's order. `few`: hardly more than it needs."""
    if it.task == "own":
        return it.own
    need = [tool for tool in EVERY if tool["name"] in it.need]
    fits = [tool for tool in EVERY if tool["name"] not in it.need and tool["name"] not in it.avoid and not (it.avoid and near(tool["name"], it.avoid))]
    packs = list(dict.fromkeys(PACK_OF[tool["name"]] for tool in need)) or [it.task if it.task != "any" and not it.avoid else r.choice(list(PACKS))]
    others = [task for task in PACKS if task not in packs]
    r.shuffle(others)
    if few:
        some = need + r.sample(fits, max(0, min(len(fits), 3 - len(need))))
    elif r.random() < 0.62:
        some, rest = list(need), [tool for tool in fits if PACK_OF[tool["name"]] in packs]
        some += rest if len(rest) <= MOST - len(need) else r.sample(rest, MOST - len(need))
        while others and len(some) < MOST and r.random() < 0.5:
            more = [tool for tool in fits if PACK_OF[tool["name"]] == others[0]]
            some += more if len(more) <= MOST - len(some) else r.sample(more, MOST - len(some))
            others.pop(0)
    else:
        own = [tool for tool in fits if PACK_OF[tool["name"]] in packs] if r.random() < 0.7 else fits
        most = MOST if r.random() < 0.3 else r.randint(max(1, len(need)), max(MOST - 3, len(need)))
        some = need + r.sample(own, max(0, min(len(own), most - len(need))))
    # The pack that is meant most stands first, and the others in the toolbox's order.
    order, first = {tool["name"]: at for at, tool in enumerate(EVERY)}, r.choice(packs)
    tasks = sorted(PACKS, key=lambda task: task != first)
    if r.random() < 0.2:
        r.shuffle(tasks)
    some.sort(key=lambda tool: (tasks.index(PACK_OF[tool["name"]]), order[tool["name"]]))
    if r.random() < 0.06:
        r.shuffle(some)
    return some


class Offers:
    """Tool lists that several conversations are shown, so that `lora.py` reads what those begin with once for all of them."""

    OPEN, MOST = 48, 16

    def __init__(self):
        self.open = []

    def list_for(self, r, it, few=False):
        """A list that was made before, where one fits; a new one otherwise."""
        if it.task == "own" or few:
            return offered(r, it, few)
        packs = {PACK_OF[name] for name in it.need}
        fitting = [one for one in self.open if self.fits(one[0], it)]
        # The pack that is meant stands first, mostly.
        meant = [one for one in fitting if not packs or PACK_OF[one[0][0]["name"]] in packs]
        fitting = meant if r.random() < 0.8 else fitting
        if fitting and r.random() < 0.95:
            one = r.choice(fitting)
            one[1] -= 1
            if not one[1]:
                self.open.remove(one)
            return one[0]
        made = offered(r, it)
        if len(made) > 3:
            self.open = [*self.open, [made, self.MOST]][-self.OPEN:]
        return made

    @staticmethod
    def fits(tools, it):
        names = {tool["name"] for tool in tools}
        away = it.avoid and any(name in it.avoid or near(name, it.avoid) for name in names - set(it.need))
        return names >= set(it.need) and not away


# Tools that could do in another's place.
ALIKE = [{"get_historical_data", "get_daily_ohlcv", "get_intraday_ohlcv"}, {"search_instruments", "find_instrument"}, {"show", "search", "list", "bash"}, {"edit", "write", "bash"},
         {"get_recent_videos", "search_videos_by_topic", "find_similar_videos", "get_video_details", "get_channel_info", "get_statistics"},
         {"search_instruments", "get_market_quote", "get_historical_data", "get_daily_ohlcv", "get_intraday_ohlcv", "get_option_chain", "get_expiries", "find_instrument"}]


def near(name, avoided):
    return any(name in group and group & avoided for group in ALIKE)


def day(r):
    return datetime.date(2026, 1, 1) + datetime.timedelta(days=r.randint(0, 900))


def finished(r, it, today, offers):
    """The messages of a conversation, as the prompt shows them; None where they are too long."""
    made = shown_with(it, offers.list_for(r, it), today)
    if length(made) > LONGEST:
        made = shown_with(it, offers.list_for(r, it, few=True), today)
    return made if length(made) <= LONGEST else None


def length(made):
    """About how many tokens it is: figures and signs take one each, or more."""
    text = "".join(content for _, content, _ in made)
    return len(text) // 4 if len(text) < 4000 else 0.13 * len(text) + 0.87 * len(re.findall(r"[0-9]", text)) + 1.5 * len(re.findall(r"[^A-Za-z0-9 ]", text))


def shown_with(it, tools, today):
    said = it.messages
    shown = [("system", system(tools, today)), *conversation([(("assistant" if role == "slip" else role), content) for role, content in said])]
    turns = [at for at, (role, _) in enumerate(said) if role == "user"]
    # What older turns say rests on results that are no longer shown at length.
    fresh = turns[-FRESH_TURNS] if len(turns) > FRESH_TURNS else 0
    learned = [False] + [role == "assistant" and at >= fresh for at, (role, _) in enumerate(said)]
    return [[role, content, int(it)] for (role, content), it in zip(shown, learned)]


def grounded(made):
    """Whether all that is learned can be read in what is shown before it, and points at what is there."""
    seen, results = made[0][1].rsplit("\n", 1)[-1], 0
    for role, content, learned in made[1:]:
        results = 0 if role == "user" else results + (role == "tool")
        if learned and "<tool_call>" in content:
            for one in re.findall(r"<tool_call>(.*?)</tool_call>", content):
                if not all(stands(key, value, seen) for key, value in json.loads(one)["arguments"].items()):
                    return False
        elif learned:
            if any(it.rstrip(".,:") not in seen for it in re.findall(r"\d[\d,.:]+", content)):
                return False
            points = re.findall(r"\[\[(\w+)\]\]", content)
            if "```" in content or any(it != "tools" and not 1 <= int(it) <= min(results, 9) for it in points) or len(points) != len(re.findall(r"(?m)^\[\[\w+\]\]$", content)):
                return False
        # Several lines of a file are copied without their numbers.
        seen += "\n" + content + ("\n" + re.sub(r"(?m)^ *\d+\t", "", content) if role == "tool" else "")
    return True


def stands(key, value, seen):
    if isinstance(value, str):
        return key in FREE or value in seen or value.isupper() or bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value))
    if isinstance(value, dict):
        return all(stands(key, it, seen) for it in value.values())
    if isinstance(value, list):
        return all(stands(key, it, seen) for it in value)
    return isinstance(value, bool) or value < 100 or f"{value:g}" in seen.replace(",", "") or str(value) in seen


def together(r, a, b):
    """Two questions about different things as one, with the calls of both in one turn."""
    for it in (a, b):
        if [role for role, _ in it.messages] != ["user", "assistant", "tool", "assistant"] or "<tool_call>" in it.messages[3][1]:
            return a
    (_, ask), made, result, (_, told) = a.messages
    # A note, a text or a command ends where the next sentence begins.
    open_ended = re.search(r'"name": "(take_note|write|edit|bash)"', made[1])
    values = [str(value) for one in re.findall(r"<tool_call>(.*?)</tool_call>", b.messages[1][1]) for value in json.loads(one)["arguments"].values()]
    question = small.joined(r, ask, b.messages[0][1], values, bool(open_ended))
    a.messages = [("user", question), ("assistant", made[1] + "\n" + b.messages[1][1]), result, b.messages[2], ("assistant", told + "\n\n" + later(b.messages[3][1], 1))]
    a.need += [name for name in b.need if name not in a.need]
    a.task = "any" if a.task != b.task else a.task
    return a


def one(r, tested, offers):
    """A conversation of our own."""
    make = r.choices([it for it, _ in MAKERS], [weight for _, weight in MAKERS])[0]
    today = day(r) if r.random() < 0.85 else None
    it = make(r, today)
    if it.task == "own" and any(bfcl.bare(tool["name"]) in tested for tool in it.own):
        return None
    first = it.task
    if first not in ("own", "any") and len(it.messages) == 4 and r.random() < 0.1:
        # Two asks of different packs in one sentence.
        it = together(r, it, r.choice([demo, demo, history, workspace]).talk(r, today))
    if first not in ("own", "any") and r.random() < 0.02:
        it = small.without(r, it)
    elif make is not small.talk and it.messages[-1][0] == "assistant" and "<tool_call>" not in it.messages[-1][1]:
        pick = r.random()
        if pick < 0.05:
            small.thanks(r, it)
        elif pick < 0.09:
            # A remark, a refusal, a doubt: nothing is to be called, though the tools are there.
            small.afterwards(r, it)
        elif pick < 0.17 and first != "own":
            # Another matter in the same conversation.
            other = r.choice([demo, history, workspace, trading]).talk(r, today)
            if len(set(it.need) | set(other.need)) <= MOST:
                it.messages += other.messages
                it.need += [name for name in other.need if name not in it.need]
                it.task = "any" if other.task != it.task else it.task
    if sum(role == "user" for role, _ in it.messages) > TURNS or any(role == "user" and plain(text) in TESTED for role, text in it.messages):
        return None
    made = finished(r, it, today, offers)
    return made if made and (first == "own" or grounded(made)) else None


def shard(work):
    """A part of the conversations in a file of its own, the same whoever makes it: how many, and how they are."""
    at, seed, count, tested, lines = work
    r, made, offers = random.Random(seed), list(lines), Offers()
    while len(made) < count:
        it = one(r, tested, offers)
        if it:
            made.append(it)
    r.shuffle(made)
    path = HERE / "out" / f"train-{at:02}.jsonl.gz"
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in made)
    characters = sum(len(content) for line in made for _, content, _ in line)
    silent = sum("<tool_call>" not in "".join(c for role, c, _ in line if role == "assistant") for line in made)
    return len(made), characters, silent


def tests(sets):
    """What is scored at the end of training."""
    out = {}
    for name, ones in sets.items():
        out[name] = [{"messages": [["system", system(it["tools"])], *it["messages"]], "truth": it["truth"]} for it in ones]
    return out


def development(count, seed=77):
    """Turns of our own tasks, drawn with another seed than what is learned."""
    r, out = random.Random(seed), []
    while len(out) < count:
        made = one(r, set(), Offers())
        if not made:
            continue
        at = r.choice([at for at, (role, _, learned) in enumerate(made) if role == "assistant" and learned])
        out.append({"messages": [[role, content] for role, content, _ in made[:at]], "expected": made[at][1]})
    return out


def unheard(count):
    """Turns of our own tasks, in patterns that were held back wherever a list has such."""
    patterns.held_back()
    try:
        r, out = random.Random(78), []
        while len(out) < count:
            make = r.choice([demo.talk, trading.talk, desk.talk, chains.talk, history.talk, lookups.talk, spoken.talk, changes.talk, workspace.talk, workspace.talk, small.talk])
            today = day(r) if r.random() < 0.85 else None
            try:
                made = finished(r, make(r, today), today, Offers())
            except (IndexError, RecursionError):
                # Where only some of a list's patterns fit, none of those held back may.
                continue
            if not made or not grounded(made):
                continue
            at = r.choice([at for at, (role, _, learned) in enumerate(made) if role == "assistant" and learned])
            out.append({"messages": [[role, content] for role, content, _ in made[:at]], "expected": made[at][1], "of": make.__module__.split(".")[-1]})
        return out
    finally:
        patterns.held_back(False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bfcl", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=240_000)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    (HERE / "out").mkdir(exist_ok=True)
    for path in (HERE / "out").glob("train-*.jsonl.gz"):
        path.unlink()
    if patterns.REFUSED:
        print(len(patterns.REFUSED), "patterns of other hands are not used: unknown slots or open brackets")
    sets, tested = bfcl.tests(options.bfcl)
    r = random.Random(options.seed)
    lines = []
    for tools, messages in bfcl.examples(r, options.bfcl, tested):
        today = day(r) if r.random() < 0.5 else None
        made = [["system", system(tools, today), 0], *[[role, content, int(role == "assistant")] for role, content in messages]]
        if length(made) <= LONGEST:
            lines.append(made)
    r.shuffle(lines)
    print("bfcl lines:", len(lines))
    each = -(-options.count // SHARDS)
    with multiprocessing.Pool(options.jobs) as pool:
        done = pool.map(shard, [(at, f"{options.seed}/{at}", each, tested, lines[at::SHARDS]) for at in range(SHARDS)], chunksize=1)
    test = tests(sets)
    test["own"], test["unheard"] = development(300), unheard(500)
    (HERE / "out" / "test.json").write_text(json.dumps(test, ensure_ascii=False))
    count, characters, silent = (sum(it) for it in zip(*done))
    print(count, "conversations,", round(characters / 1e6), "M characters,", f"{silent / count:.1%} without a call")


if __name__ == "__main__":
    main()
