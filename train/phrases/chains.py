"""Asks across packs: what one tool returns goes into another's call, or two matters stand in one sentence."""

import re

from . import demo, history, market, store, trading, workspace, worlds
from .patterns import gather
from .talks import Talk, later, lines, rare, tell
from .words import expand, say

# What was found ({x}) is written down; the first part asks for it.
TO_NOTE = lines("""
{x} and [note it down|write it down|make a note of it|save it as a note|put it in my notes|jot it down|note it|keep it in my notes|add it to my notes]
{x}, then [note it|write that down|make a note|put that into my notes|save that as a note]
{x}. [Note|Write down|Save|Keep] [it|that|the answer|the result] [in my notes|as a note|for me]
[note|write down|jot down|make a note of|put in my notes|add to my notes] {y}
[I want|I need|make me|take|leave] a note [with|of|saying] {y}
[can|could] you [note|write down|put in my notes] {y}?
{y}, [note that|as a note please|into my notes]
""")
TO_FILE = lines("""
{x} and [save|write|put|store] it [to|into|in] {f}
{x}, then [write|save|put] [it|that|the answer] [to|into] [the file |]{f}
{x}. [Save|Write|Put] [it|that|the result] [to|into|in] {f}
[save|write|put|store] {y} [to|into|in] [a file called |the file |a new file ||]{f}
[create|make] [a file |]{f} with {y}[ in it|]
[put|dump] {y} into {f}[| please]
""")
TO_FILE_END = lines("""
{x} and [add|append] it to {f}
{x}, then [append|add] [it|that] [to the end of|at the end of|to] {f}
[add|append] {y} to [the end of |]{f}
[add|put] {y} [at the end of|at the bottom of|as a last line of] {f}
""")


# How one asks for what is to be written down, and what it is called.
FIND_WEATHER = lines("""
what's the weather in {v}
check the weather in {v}
get the weather for {v}
weather in {v}
how's the weather in {v}
look up the weather in {v}
""")
FIND_WEATHER_OF = lines("""
the weather in {v}
the current weather of {v}
{v}'s weather
what the weather is like in {v}
""")
FIND_PRICE = lines("""
what's the price of {v}
get the price of {v}
quote {v}
check {v}
how much is {v}
look up {v}'s price
price of {v}
where is {v} trading
""")
FIND_PRICE_OF = lines("""
the price of {v}
the {v} price
what {v} costs now
today's {v} price
the current quote of {v}
where {v} is trading
""")
FIND_VIDEO = lines("""
what was the last video I watched
look up the last video I watched
get my latest video
find my most recent video
""")
FIND_VIDEO_OF = lines("""
the title of the last video I watched
the name of my latest video
which video I watched last
my most recent video's title
""")
FIND_TIP = lines("""
work out a {v}
calculate a {v}
what's a {v}
""")
FIND_TIP_OF = lines("""
the total of a {v}
what a {v} makes in total
""")
FIND_FUNDS = lines("""
look up my available margin
how much money do I have to trade
what are my funds
look up my balance
""")
FIND_FUNDS_OF = lines("""
my available margin
what I can trade with
my trading balance
""")
# Notes, lines and files that go elsewhere.
NOTES_FILE = lines("""
[save|write|put|copy|export] [all |]my notes [to|into|in] [the file |a file called |]{f}
[make|create] [a file |]{f} [with|from|out of] my notes
I want my notes in {f}
read my notes and [save|write] them to {f}
""")
LINE_NOTE = lines("""
[note|write down|put in my notes] what {f} says about {k}
look up what {f} says about {k} and note it
read {f} and make a note of the part about {k}
what does {f} say about {k}? Note it
find the line about {k} in {f} and put it in my notes
""")
COMMAND_NOTE = lines("""
run `{c}` and [note the output|write down what it says|put the result in my notes|note it|make a note of it]
[note|write down] what `{c}` prints
what does `{c}` say? Note it down
do {c}, then note the output
""")
NTH_OPEN = lines("""
[search|grep|look] for {w} and [open|show|print] the {o} [file|match|one|hit]
find {w}, then show me the {o} file [that has it|it is in]
open the {o} file that mentions {w}
show the {o} of the files with {w} in them
""")
NTH_NOTE = lines("""
[search|grep|look] for {w} and [note|write down] [the name of |]the {o} file
which files mention {w}? Note the {o} one
find {w} and put the {o} file's name in my notes
""")


def found(r, today):
    """(asks, what it is called, calls and results, what was found): something to be looked up."""
    pick = r.random()
    if pick < 0.3:
        place = demo.city(r)
        result, _ = demo.sky_of(r, place)
        asks, named = r.choice(FIND_WEATHER), r.choice(FIND_WEATHER_OF)
        return asks, named, place, [(("get_weather", {"location": place}), result)], result, demo.sky_of
    if pick < 0.55:
        desk = market.Market(r, today)
        typed, result, one, _ = desk.instrument(("EQUITY", "INDEX"))
        told, _ = desk.of("get_market_quote", one)
        name, price, _ = next(trading.quote_lines(told))
        asks = r.choice(FIND_PRICE)
        named = r.choice(FIND_PRICE_OF)
        return asks, named, typed, [(trading.search(typed), result), (trading.quote(trading.pair(desk, one)), told)], f"{name} is at {price.split(' ')[0]}", None
    if pick < 0.7:
        (amount, shown), (percent, words) = demo.money(r), demo.percents(r)
        result = demo.tip_of(amount, percent)
        total = re.search(r'"total":([\d.]+)', result).group(1)
        value = f"{words} percent tip on {shown}"
        return r.choice(FIND_TIP), r.choice(FIND_TIP_OF), value, [(("calculate_tip", {"amount": amount, "percentage": percent}), result)], f"Total with tip: {total}", None
    if pick < 0.76:
        funds = market.Market(r, today).text(market.WHOLE["get_funds"])
        line = re.search(r"Available to trade: ₹[\d,.]+\d", funds)
        if line:
            return r.choice(FIND_FUNDS), r.choice(FIND_FUNDS_OF), "", [(("get_funds", {}), funds)], line.group(), None
    if pick < 0.87:
        shelf = store.Shelf(r)
        result = shelf.recent(1)
        title = history.listed(result)[0][0]
        return r.choice(FIND_VIDEO), r.choice(FIND_VIDEO_OF), "", [(("get_recent_videos", {"limit": 1}), result)], title, None
    if r.random() < 0.5:
        file, one = worlds.with_fact(r)
        if one.asks and "`" not in one.line and "{" not in one.line:
            ask = r.choice(one.asks)
            return r.choice([ask + " according to {v}", ask + ", see {v}", "look into {v}, " + ask, "find out from {v} " + ask]), r.choice([f"what {{v}} says about {one.calls[0]}", f"the line about {one.calls[0]} from {{v}}", f"what stands in {{v}} about {one.calls[0]}"]), file.name, [(("show", {"file_path": file.name}), workspace.numbered(file.text))], one.line.strip(), None
    name = workspace.path(r, ["toml", "yaml", "ini", "env", "yml"])
    known, text = workspace.settings(r, name)
    key, value, line, _ = r.choice(known)
    return r.choice(["what's the " + key + " in {v}", "look up the " + key + " in {v}", "check " + key + " in {v}", "find the " + key + " in {v}"]), r.choice(["the " + key + " from {v}", "the value of " + key + " in {v}", "the " + key + " that is set in {v}"]), name, [(("show",
        {"file_path": name}), workspace.numbered(text))], line.strip().rstrip(","), None


def kept(r, it, today):
    """Looked up, and written down: in the notes, in a file, at a file's end."""
    asks, named, value, made, text, _ = found(r, today)
    place = r.choice(["note", "note", "file", "end"])
    name = workspace.path(r, ["txt", "md", "log", "csv"])
    pattern = expand(r, r.choice({"note": TO_NOTE, "file": TO_FILE, "end": TO_FILE_END}[place]))
    pattern = pattern.replace("{x}", asks).replace("{y}", named)
    question = tell(r, pattern, v=value, f=name)
    it.user(question)
    for call, result in made:
        it.calls(call).results(result)
    if place == "note":
        return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
    root = r.choice(workspace.ROOTS)
    if place == "file":
        return it.calls(("write", {"content": text, "file_path": name})).results(workspace.written(r, root, name, text)).answer(f"{name} is written: {text}")
    return it.calls(("write", {"append": True, "content": text, "file_path": name})).results(workspace.added(r, root, name, text)).answer(f"Added to the end of {name}: {text}")


THEN_KEPT = ["[note|save|write down|remember] [that|it|this][| in my notes| as a note| for me]", "[put|add] [that|it] [in|to] my notes", "make a note of [that|it]", "[now |ok, |]note [that|it] down"]
THEN_FILE = ["[save|write|put|store] [that|it|this] [to|into|in] {f}", "[now |ok, |]put [that|it] [into|in] [the file |a file called |]{f}", "and [save|write] it to {f}"]
THEN_END = ["[add|append] [that|it|this] to {f}", "[now |ok, |][add|append] [that|it] [at|to] the end of {f}"]


def kept_then(r, it, today):
    """Looked up in one turn, and written down in the next."""
    asks, _, value, made, text, _ = found(r, today)
    it.user(say(r, asks + "[?|]", v=value))
    for call, result in made:
        it.calls(call).results(result)
    last = made[-1][0][0]
    answer = {"get_market_quote": lambda: trading.quoted(made[-1][1]), "calculate_tip": lambda: demo.tip_told(r, made[-1][1]), "get_recent_videos": lambda: history.line_told(made[-1][1], 0),
              "get_funds": lambda: text, "get_weather": lambda: f"{value}: {made[-1][1].split(': ', 1)[1]}.", "show": lambda: shown_value(asks, value, text, made[-1][1])}[last]()
    it.answer(answer)
    place = r.choice(["note", "note", "file", "end"])
    name, root = workspace.path(r, ["txt", "md", "log", "csv"]), r.choice(workspace.ROOTS)
    if place == "note":
        return it.user(say(r, r.choice(THEN_KEPT))).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
    if place == "file":
        return it.user(tell(r, r.choice(THEN_FILE), f=name)).calls(("write", {"content": text, "file_path": name})).results(workspace.written(r, root, name, text)).answer(f"{name} is written: {text}")
    return it.user(tell(r, r.choice(THEN_END), f=name)).calls(("write", {"append": True, "content": text, "file_path": name})).results(workspace.added(r, root, name, text)).answer(f"Added to the end of {name}: {text}")


def shown_value(asks, name, text, result):
    """A setting as it is told."""
    key = re.search(r"^(?:what's the|look up the|check|find the) (\w+) in \{v\}$", asks)
    if not key:
        return f"In {name}: `{text}`"
    key = key.group(1)
    line = next(it.split("\t", 1)[1] for it in result.split("\n") if re.match(rf'(?i)\s*"?{key}"?\s*[:=]', it.split("\t", 1)[-1]))
    value = re.split(r"[:=]\s*", line, maxsplit=1)[1].strip().strip('",')
    return f"The {key} in {name} is {value}: `{line.strip().rstrip(',')}`"


def notes_to_file(r, it, today):
    """The notes into a file."""
    some, name, root = demo.kept(r, 1)[:4], workspace.path(r, ["txt", "md"]), r.choice(workspace.ROOTS)
    text = "\n".join(some)
    question = tell(r, r.choice(NOTES_FILE), f=name)
    return it.user(question).calls(("list_notes", {})).results(demo.listing(some)).calls(("write", {"content": text, "file_path": name})).results(workspace.written(r, root, name, text)).answer(f"{name} is written.")


def line_to_note(r, it, today):
    """A line of a file, or what a command printed, into the notes."""
    if r.random() < 0.5:
        name, topics = workspace.path(r, ["md", "txt"]), r.sample(workspace.TOPICS, 3)
        some = [workspace.sentence(r, one) for one in topics]
        at = r.randrange(3)
        question = say(r, r.choice(LINE_NOTE), f=name, k=topics[at])
        return (it.user(question).calls(("show", {"file_path": name})).results(workspace.numbered("\n".join([f"# {rare(r).capitalize()}", "", *some]))).calls(("take_note", {"text": some[at]})).results(f"Noted: {some[at]}").answer(f"I noted: {some[at]}"))
    command = r.choice(["git branch --show-current", "whoami", "date", "hostname", "python3 --version", "git rev-parse --short HEAD", "node --version", "nproc", "uptime -p", f"wc -l {workspace.path(r)}"])
    text = workspace.prints(r, command).split("\n")[0] if command not in ("hostname", "nproc", "uptime -p", "git rev-parse --short HEAD") else {"hostname": rare(r), "nproc": str(r.randint(2, 64)), "uptime -p": f"up {r.randint(2, 20)} hours"}.get(command, f"{r.getrandbits(28):07x}")
    question = say(r, r.choice(COMMAND_NOTE), c=command)
    return it.user(question).calls(("bash", {"command": command})).results(f"{text}\n[exit 0, 0.0 s]").calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


# The {o} line of a list ({f}) into the notes; a line about {k} from one file to the end of another; the lines of a table that fit.
FIRST_NOTE = ["go to {f} and [note|write down] the {o} [item|line|entry|point]", "[note|write down] the {o} [item|line|thing] of {f}", "what's the {o} [thing|item] in {f}? Note it", "put the {o} line of {f} in my notes"]
LINE_OVER = ["[copy|add] the line about {k} from {f} to {h}", "[append|put] what {f} says about {k} to the end of {h}", "take the {k} line from {f} and add it to {h}"]
ROWS_NOTE = ["who in {f} joined after {y}? [note their names|make a note of them]", "note the names of all in {f} who came after {y}", "[look into|read] {f} and note who joined after {y}"]
NOTES_END = ["add my notes to the end of {f}", "append [all |]my notes to {f}", "put my notes at the bottom of {f}, keep what is there"]
TWO_CITIES = ["[write|save|put] the weather in {a} and {b} [to|into] {f}", "weather in {a} and {b}, save both in {f}", "check {a} and {b} and write their weather to {f}"]
COUNT_NOTE = ["how many lines does {f} have? Note [it|the number]", "count the lines of {f} and note that", "note how many lines {f} has"]


def moved(r, it, today):
    """What stands in a file, into the notes or into another file; the notes to a file's end; two lookups into one file."""
    root, pick = r.choice(workspace.ROOTS), r.random()
    if pick < 0.3:
        file, _ = worlds.with_item(r)
        some = [line for line, *_ in file.items]
        if len(some) < 2:
            return moved(r, it, today)
        at, which = r.choice([(0, "first"), (-1, "last"), (1, "second")])
        rows = [line for line in file.text.split("\n") if line]
        if rows[0] != some[0] or rows[-1] != some[-1] or "\t" in rows[0]:
            return moved(r, it, today)
        text = re.sub(r"^([-*+] |\d+\. )?(\[.\] )?(TODO )?", "", some[at]).strip()
        it.user(say(r, r.choice(FIRST_NOTE), f=file.name, o=which)).calls(("show", {"file_path": file.name})).results(workspace.numbered(file.text))
        return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
    if pick < 0.5:
        file, (line, calls, _) = worlds.with_item(r)
        other, text = workspace.path(r, ["md", "txt", "csv", "org"]), line.strip()
        it.user(say(r, r.choice(LINE_OVER), f=file.name, h=other, k=calls[0].removeprefix("the "))).calls(("show", {"file_path": file.name})).results(workspace.numbered(file.text))
        return it.calls(("write", {"append": True, "content": text, "file_path": other})).results(workspace.added(r, root, other, text)).answer(f"Added to the end of {other}: {text}")
    if pick < 0.6:
        file, year = worlds.records(r), r.randint(2010, 2024)
        names = [re.search(r"name\W+(\w+)", line).group(1) for line in file.text.split("\n") if "since" in line and int(re.search(r"since\W+(\d+)", line).group(1)) > year]
        if not names or len(names) > 4:
            return moved(r, it, today)
        text = ", ".join(names)
        it.user(say(r, r.choice(ROWS_NOTE), f=file.name, y=year)).calls(("show", {"file_path": file.name})).results(workspace.numbered(file.text))
        return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
    name = workspace.path(r, ["txt", "md", "log"])
    if pick < 0.74:
        some = demo.kept(r, 1)[:4]
        text = "\n".join(some)
        it.user(say(r, r.choice(NOTES_END), f=name)).calls(("list_notes", {})).results(demo.listing(some))
        return it.calls(("write", {"append": True, "content": text, "file_path": name})).results(workspace.added(r, root, name, text)).answer(f"Added to the end of {name}.")
    if pick < 0.88:
        a, b = demo.city(r), demo.city(r)
        if a == b:
            return moved(r, it, today)
        skies = [demo.sky_of(r, place)[0] for place in (a, b)]
        text = "\n".join(skies)
        it.user(say(r, r.choice(TWO_CITIES), a=a, b=b, f=name)).calls(("get_weather", {"location": a}), ("get_weather", {"location": b})).results(*skies)
        return it.calls(("write", {"content": text, "file_path": name})).results(workspace.written(r, root, name, text)).answer(f"{name} is written: {', '.join(skies)}")
    n = str(r.randint(3, 900))
    it.user(say(r, r.choice(COUNT_NOTE), f=name)).calls(("bash", {"command": f"wc -l {name}"})).results(f"{n} {name}\n[exit 0, 0.0 s]")
    return it.calls(("take_note", {"text": f"{name} has {n} lines"})).results(f"Noted: {name} has {n} lines").answer(f"I noted: {name} has {n} lines")


def searched(r, it, today):
    """Files that are found, and what is then done with one of them."""
    form = r.choice(["py", "rs", "md", "toml", "txt"])
    word, names = r.choice([rare(r), workspace.symbol(r)]), sorted({workspace.path(r, [form]) for _ in range(r.randint(2, 4))})
    result = "\n".join(f"{name}:{r.randint(1, 90)}: {workspace.hit(r, word)}\n" for name in names)
    at, which = r.choice([(0, "first"), (-1, "last")] + ([(1, "second")] if len(names) > 2 else []))
    if r.random() < 0.5:
        text = workspace.body(r)
        question = say(r, r.choice(NTH_OPEN), w=workspace.quoted(r, word), o=which)
        return it.user(question).calls(("search", {"pattern": word})).results(result).calls(("show", {"file_path": names[at]})).results(workspace.numbered(text)).answer(workspace.shown_as(names[at], 2))
    question = say(r, r.choice(NTH_NOTE), w=workspace.quoted(r, word), o=which)
    return it.user(question).calls(("search", {"pattern": word})).results(result).calls(("take_note", {"text": names[at]})).results(f"Noted: {names[at]}").answer(f"I noted: {names[at]}")


def both(r, it, today):
    """Two matters of two packs in one sentence, with all their calls."""
    def one(kind):
        if kind == "demo":
            return r.choice([demo.weather, demo.tip, demo.note, demo.notes])(r)
        if kind == "history":
            return r.choice([history.recent, history.stats, history.topic, history.about_channel])(r, store.Shelf(r), today)
        return r.choice([workspace.show, workspace.run, workspace.listed, workspace.search, workspace.ask, workspace.append, workspace.write, workspace.ask_told])(r, r.choice(workspace.ROOTS))
    kinds = r.sample(["demo", "history", "workspace"], 2)
    a, b = one(kinds[0]), one(kinds[1])
    closed = a[1][0] in ("take_note", "write", "edit", "bash")
    question = workspace.joined(r, a[0], b[0], [str(value) for value in b[1][1].values()], closed)
    return it.user(question).calls(a[1], b[1]).results(a[2], b[2]).answer(a[3] + "\n\n" + later(b[3], 1))


def talk(r, today):
    it = Talk("any")
    return r.choices([kept, kept_then, notes_to_file, line_to_note, searched, both, moved], [6, 3, 1, 2, 2, 4, 5])[0](r, it, today)


gather("chains", globals())
