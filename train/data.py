"""Makes the training data: `out/train.jsonl.xz`, one conversation a line, and `out/test.json`.

    python data.py --bfcl path/to/bfcl_eval/data [--count 110000] [--seed 9]

A line is `[[role, content, learned], …]`: the prompt's messages as the product shows them; what is learned is
what the assistant says, but for calls that are wrong on purpose.
"""

import argparse
import datetime
import json
import lzma
import multiprocessing
import os
import pathlib
import random
import re

import bfcl
from phrases import demo, functions, history, invented, small, trading, workspace
from tools import FRESH_TURNS, TURNS, conversation, pack, system

HERE = pathlib.Path(__file__).parent
PACKS = {task: pack(task) for task in ("demo", "trading", "history", "workspace")}
EVERY = [it for tools in PACKS.values() for it in tools]
MAKERS = [(demo.talk, 14), (trading.talk, 30), (history.talk, 27), (workspace.talk, 24), (functions.talk, 40), (invented.talk, 14), (small.talk, 9)]
MOST = 6
# Parameters whose values may be put together freely.
FREE = {"command", "content", "new_string", "text"}
SHARDS = 64
LONGEST = 7600  # characters, about 2,000 tokens


def offered(r, it):
    """The tools a conversation is shown: those it needs, and others, in the toolbox's order."""
    if it.task == "own":
        return it.own
    if it.task == "any":
        own = r.choice(list(PACKS.values()) + [EVERY])
    else:
        own = PACKS[it.task] if r.random() < 0.75 else EVERY
    need = [tool for tool in EVERY if tool["name"] in it.need]
    rest = [tool for tool in own if tool["name"] not in it.need and tool["name"] not in it.avoid]
    most = MOST if r.random() < 0.7 else r.randint(max(1, len(need)), MOST)
    if it.avoid:
        rest = [tool for tool in EVERY if tool["name"] not in it.avoid and not near(tool["name"], it.avoid)]
    some = need + r.sample(rest, max(0, min(len(rest), most - len(need))))
    order = {tool["name"]: at for at, tool in enumerate(EVERY)}
    some.sort(key=lambda tool: order[tool["name"]])
    if r.random() < 0.12:
        r.shuffle(some)
    return some


# Tools that could do in another's place.
ALIKE = [{"get_historical_data", "get_daily_ohlcv", "get_intraday_ohlcv"}, {"search_instruments", "find_instrument"}, {"show", "search", "list", "bash"}, {"edit", "write", "bash"},
         {"get_recent_videos", "search_videos_by_topic", "find_similar_videos", "get_video_details", "get_channel_info", "get_statistics"},
         {"search_instruments", "get_market_quote", "get_historical_data", "get_daily_ohlcv", "get_intraday_ohlcv", "get_option_chain", "get_expiries", "find_instrument"}]


def near(name, avoided):
    return any(name in group and group & avoided for group in ALIKE)


def day(r):
    return datetime.date(2026, 1, 1) + datetime.timedelta(days=r.randint(0, 900))


def finished(r, it, today):
    """The messages of a conversation, as the prompt shows them."""
    tools = offered(r, it)
    said = [(role, content.replace("{tools}", small.names(tools)) if role == "assistant" else content) for role, content in it.messages]
    shown = [("system", system(tools, today)), *conversation([(("assistant" if role == "slip" else role), content) for role, content in said])]
    turns = [at for at, (role, _) in enumerate(said) if role == "user"]
    # What older turns say rests on results that are no longer shown at length.
    fresh = turns[-FRESH_TURNS] if len(turns) > FRESH_TURNS else 0
    learned = [False] + [role == "assistant" and at >= fresh for at, (role, _) in enumerate(said)]
    return [[role, content, int(it)] for (role, content), it in zip(shown, learned)]


def grounded(made):
    """Whether all that is learned can be read in what is shown before it."""
    seen = made[0][1].split("# Tools")[0]
    for role, content, learned in made[1:]:
        if learned and "<tool_call>" in content:
            for one in re.findall(r"<tool_call>(.*?)</tool_call>", content):
                if not all(stands(key, value, seen) for key, value in json.loads(one)["arguments"].items()):
                    return False
        elif learned and any(it.rstrip(".,:") not in seen for it in re.findall(r"\d[\d,.:]+", content)):
            return False
        seen += "\n" + content
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
    a.messages = [("user", question), ("assistant", made[1] + "\n" + b.messages[1][1]), result, b.messages[2], ("assistant", told + "\n\n" + b.messages[3][1])]
    a.need += [name for name in b.need if name not in a.need]
    a.task = "any" if a.task != b.task else a.task
    return a


def one(r, tested):
    """A conversation of our own."""
    make = r.choices([it for it, _ in MAKERS], [weight for _, weight in MAKERS])[0]
    today = day(r) if r.random() < 0.85 else None
    it = make(r, today)
    if it.task == "own" and any(bfcl.bare(tool["name"]) in tested for tool in it.own):
        return None
    first = it.task
    if first not in ("own", "any") and len(it.messages) == 4 and r.random() < 0.06:
        it = together(r, it, r.choice([demo, history, workspace]).talk(r, today))
    if first not in ("own", "any") and r.random() < 0.05:
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
    if sum(role == "user" for role, _ in it.messages) > TURNS:
        return None
    made = finished(r, it, today)
    if first != "own" and not grounded(made):
        return None
    return made if sum(len(content) for _, content, _ in made) <= LONGEST else None


def shard(work):
    """A part of the conversations, the same whoever makes it."""
    seed, count, tested = work
    r, made = random.Random(seed), []
    while len(made) < count:
        it = one(r, tested)
        if it:
            made.append(it)
    return made


def tests(sets):
    """What is scored at the end of training."""
    out = {}
    for name, ones in sets.items():
        out[name] = [{"messages": [["system", system(it["tools"])], *it["messages"]], "truth": it["truth"]} for it in ones]
    return out


def development(count):
    """First calls of our own tasks, drawn with another seed than what is learned."""
    r, out = random.Random(77), []
    while len(out) < count:
        made = one(r, set())
        if not made:
            continue
        at = r.choice([at for at, (role, _, learned) in enumerate(made) if role == "assistant" and learned])
        out.append({"messages": [[role, content] for role, content, _ in made[:at]], "expected": made[at][1]})
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bfcl", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=110_000)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    (HERE / "out").mkdir(exist_ok=True)
    sets, tested = bfcl.tests(options.bfcl)
    r = random.Random(options.seed)
    lines = []
    for tools, messages in bfcl.examples(r, options.bfcl, tested):
        today = day(r) if r.random() < 0.5 else None
        made = [["system", system(tools, today), 0], *[[role, content, int(role == "assistant")] for role, content in messages]]
        if sum(len(content) for _, content, _ in made) <= LONGEST:
            lines.append(made)
    print("bfcl lines:", len(lines))
    each = max(0, options.count - len(lines)) // SHARDS
    with multiprocessing.Pool(options.jobs) as pool:
        for some in pool.imap(shard, [(f"{options.seed}/{at}", each, tested) for at in range(SHARDS)]):
            lines += some
    r.shuffle(lines)
    with lzma.open(HERE / "out" / "train.jsonl.xz", "wt", preset=1) as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    test = tests(sets)
    test["own"] = development(400)
    (HERE / "out" / "test.json").write_text(json.dumps(test, ensure_ascii=False))
    characters = sum(len(content) for line in lines for _, content, _ in line)
    silent = sum("<tool_call>" not in "".join(c for role, c, _ in line if role == "assistant") for line in lines)
    print(len(lines), "conversations,", round(characters / 1e6), "M characters,", f"{silent / len(lines):.1%} without a call")


if __name__ == "__main__":
    main()
