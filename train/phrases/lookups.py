"""Questions about what stands in a folder's files, by people who do not know in which: something is searched for, a file is found by half its name, or the folder is looked at first."""

import re

from . import demo, workspace, worlds
from .chains import found
from .patterns import gather
from .talks import Talk, later, lines, rare, tell
from .words import expand, number, say

# Asks for a fact ({k}) that stands in some file.
FACT = lines("""
what['s|s| is] [the|our] {k}[|?| here?| in this project?]
[which|what] {k} [do we use|is it|have we got|applies|is set]?
[tell me|give me|I need|find|look up] the {k}
[how much|how high|how many|what] is the {k}[|?| these days?]
do we [have|know] [a|the] {k}?
{k}[?||, what is it?| please]
where does it say what the {k} is?
the {k} must be [somewhere|in one of the files], what is it?
somebody [asked me for|wants to know] the {k}
what did we [say|write|agree] about the {k}?
""")
# Somebody ({n}) who stands in the files.
PERSON = lines("""
who is {n}[|?| in this project?]
[since when is|is] {n} [a member|with us|on the list|on the team]?
what [did {n} pay|does {n} do|is {n}'s role|do we know about {n}]?
[is|was] {n} [there|present|mentioned|named] [anywhere|somewhere|]?
[find|look up|search for] {n}
when did {n} [join|start|pay|sign]?
[anything|is there anything|something] [about|on|by|from] {n}?
""")
# A name of the code ({w}).
SYMBOL = lines("""
what is {w}[?|| for?| set to?| here?]
what [does {w} do|value has {w}|calls {w}|is the value of {w}]?
where does {w} come from?
{w}[?|, where is that?|, what's that?]
explain {w} to me
how is {w} [defined|used|implemented]?
""")
# A file by half its name ({s}).
STEM = lines("""
[read|show|open|print] [me |][the |]{s}[| file]
what['s|s| is] in the {s}[| file]?
what does the {s} [say|contain]?
[the |]{s} file[| please]
let me see the {s}
""")
# What is new in a version ({v}).
NEWS = lines("""
what['s|s| is|] [new|changed] [in|with] {v}?
what changed [in|with|for] [version |]{v}?
release notes [of|for] {v}
which [changes|fixes] came [with|in] {v}?
""")
# A fact ({k}) in a file that is called by half its name ({s}).
INSIDE = lines("""
what['s|s| is] the {k} [as per|according to|in] the {s}?
what does the {s} say about the {k}?
check the {s} for the {k}
the {k}, see the {s}
""")
# A question ({q}) that some file answers: nobody says which.
ASKED = lines("""
{q}?
{q}? [It's in one of the files|it must be in here somewhere|look it up|see our files]
[find out|look up|check] {q}
[does anybody know|any idea|do the files say] {q}?
I [forgot|need to know] {q}
{q} - [it stands somewhere in here|somebody wrote it down]
""")
TOP = lines("""
list [only |][the |]top level[| only| folder only][|, don't go inside folders|, no subfolders]
[which|what] files and folders are at the top[| level]?
just the first level of the [folder|project|tree]
ls without [going into|opening] the folders
""")
DEEP = lines("""
list [everything|the files|the folders] {n} [level|levels] deep
[tree|the tree], {n} levels
show the folder structure down to level {n}
""")
TAIL = lines("""
[show|print|give me|what are] the last {n} lines of {f}[|?]
last {n} lines of {f}
tail {f}, {n} lines
the final {n} lines in {f}
""")
HEAD = lines("""
[show|print|give me|what are] the first {n} lines of {f}[|?]
first {n} lines of {f}
head of {f}, {n} lines
the top {n} lines in {f}
""")
LAST_LINE = lines("""
what['s| is] the last line of {f}?
last line of {f}
how does {f} end?
""")
FIRST_LINE = lines("""
what['s| is] the first line of {f}?
first line of {f}
how does {f} begin?
""")
# Found ({x}), written down ({y}), and all notes shown.
THREE = lines("""
{x}, {y}, [then|and then|and finally] [show me|read|list] [all |]my notes
{x} and {y}, then show me all notes
{x}. Then {y} and [list|read out] my notes
first {x}, then {y}, then my notes
""")
NOTED = ["note it", "note that down", "put it in my notes", "make a note of it", "save that as a note", "put that into notes", "write it down", "add it to my notes", "note the result"]
RUN_NOTE = lines("""
run {c} and note [the result|what it says|the output]
run `{c}` and put [the output|what it prints] [in|into] my notes
[do|execute] {c}, then note [it|the result]
""")
NOTE_TEXT = lines("""
note [it down |]that {t}
[don't|dont] let me forget {t}
{t}, [jot that down|note that]
note to self {t}
""")

THINGS = """currency|membership fee|opening hours|deadline|treasurer|phone number|minimum age|python version|licence|port|database host|support email|release date|budget|rent|hall|password policy|maintainer|entry fee|
delivery time|discount|wifi name|account number|chairman|postal address|bus stop|dress code|vat rate|shipping cost|return policy|warranty|tax id|guest limit|room number|max upload size|timeout|retry limit|log level|cache size|
default language|time zone|backup schedule|data folder|api key name|base url|session length|page size|primary color|font|logo|slogan|mascot|founding year|next meeting|last audit|insurance|emergency contact|first aid kit|
caretaker|cleaning day|bin day|quiet hours|parking rules|guest password|price of coffee|kitchen rota|holiday plan|notice period|overtime rate|travel allowance|sick leave|training budget|team size|sprint length|code owner|
test command|build tool|minimum version|target platform|supported browsers|docker image|region|bucket|queue name|feature flag|rate limit|error code|exit code|encoding|separator|date format|decimal places|rounding|interest rate|
loan|deposit|fine|quorum|statutes|motto|newsletter|secretary|auditor|youth group|trainer|season|home ground|jersey number|boat|engine|mileage|oven temperature|serving size|allergens""".replace("\n", "").split("|")
FIRST = """Ravi|Oskar|Mina|Priya|Lena|Tomas|Aisha|Hema|Arjun|Sunita|Kiran|Deepak|Meera|Anil|Pooja|Vikram|Neha|Sanjay|Lakshmi|Imran|Fatima|Yusuf|Ana|Bruno|Carla|Diego|Elena|Felix|Gita|Hugo|Ida|Jan|Karin|Leo|Maja|
Nils|Olga|Pavel|Rosa|Stefan|Tara|Uma|Vera|Wanda|Xin|Yara|Zara|Kofi|Amina|Chidi|Ngozi|Mei|Jun|Haruto|Sora|Linh|Bao|Jose|Maria|Luis|Ingrid|Bjorn|Freya|Aino|Mikko|Piotr|Agata|Janos|Eszter|Ivan|Dana""".replace("\n", "").split("|")
WORTHS = ["EUR", "INR", "8080", "MIT", "UTC"]


def worth(r):
    return r.choice([str(r.randint(2, 99)), str(r.randint(100, 9000)), f"{r.randint(2, 99)}.{r.randint(0, 99):02}", r.choice(FIRST), rare(r), f"{rare(r)} {rare(r)}", f"{rare(r)}@{rare(r)}.example", f"{r.randint(7, 20)}:{r.choice(['00', '30'])}",
        f"{r.randint(1, 28)} {r.choice(['March', 'April', 'June', 'October'])}", f"20{r.randint(10, 26)}", r.choice(WORTHS), r.choice(demo.DAYS)])


def stands(r, thing, value):
    """A line in which a thing's value stands, and the file it may be in."""
    key = thing.replace(" ", r.choice(["_", "_", "-"]))
    pick = r.random()
    if pick < 0.35:
        name = workspace.path(r, ["toml", "ini", "yaml", "env", "cfg"])
        return name, r.choice([f'{key} = "{value}"', f"{key}: {value}", f"{key}={value}"])
    if pick < 0.5:
        return workspace.path(r, ["py", "rs", "js", "go"]), r.choice([f'{key.upper().replace("-", "_")} = "{value}"', f"// {thing}: {value}", f"# the {thing} is {value}"])
    capital = thing[0].upper() + thing[1:]
    return workspace.path(r, ["md", "txt", "rst"]), r.choice([f"The {thing} is {value}.", f"{capital}: {value}", f"- {thing}: {value}", f"The {thing} stays at {value}.", f"{capital} {value}, as before.", f"**{capital}** {value}", f"We set the {thing} to {value}.", f"| {thing} | {value} |"])


def spoken_of(r, word):
    """A line that only speaks of it."""
    return r.choice([f"See {workspace.path(r)} for the {word}.", f"## {word[0].upper()}{word[1:]}", f"def {re.sub('[^a-z]+', '_', word.lower())}():", f"ask about the {word}", f"The {word} is told in {workspace.path(r)}.", f"- {word}"])


def hits(r, some):
    """What a search finds, as it tells it: (file, line) each."""
    by_file = {}
    for name, line in some:
        by_file.setdefault(name, []).append(line)
    return "\n".join("".join(f"{name}:{at}: {line}\n" for at, line in zip(sorted(r.sample(range(1, 120), len(by_file[name]))), by_file[name])) for name in sorted(by_file))


def told(r, what, some):
    """The line itself where there is one; all of them where there are several."""
    if len(some) == 1 and "`" not in some[0][1]:
        return f"In {some[0][0]}: `{some[0][1].strip()}`"
    return f"This is what the files say about {what}:\n[[1]]"


def world_fact(r, it, root):
    """What stands in a file of any kind, asked by somebody who does not know in which."""
    while True:
        file, one = worlds.with_fact(r)
        names = [name for name in worlds.PEOPLE if re.search(rf"\b{name}\b", one.line)] if one.asks else []
        calls = [call for call in [*one.calls, *names] if workspace.findable(file, one, call)]
        if not calls or "`" in one.line or len(one.line) > 200:
            continue
        if not one.asks:
            key = r.choice(calls)
            question = say(r, r.choice(FACT), k=key)
            break
        asks = [(ask, call) for ask in one.asks for call in calls if call.lower() in ask.lower()]
        if asks:
            ask, key = r.choice(asks)
            question = say(r, r.choice(ASKED), q=ask)
            break
    hits_, note = workspace.findable(file, one, key)
    more = [(name, spoken_of(r, key)) for name in (workspace.path(r),) if r.random() < 0.2 and not note and name != file.name]
    it.user(question)
    if r.random() < 0.06:
        return it.calls(("search", {"pattern": key})).results(f"No match for {key} in the {r.randint(2, 90)} files searched.").answer(f"The files say nothing about {key}.")
    return it.calls(("search", {"pattern": key})).results("\n".join(sorted([hits_, hits(r, more)]) if more else [hits_]) + note).answer(told(r, key, [(file.name, one.line.strip().rstrip(","))] + more))


def fitting(thing, some):
    """Those of these lines that a search for it finds, and what it says of them."""
    exact = [one for one in some if thing in one[1]]
    other = [one for one in some if thing.lower() in one[1].lower()]
    loose = [one for one in some if all(word in one[1].lower() for word in thing.lower().split())]
    if exact:
        return exact, ""
    return (other, f"\n[no line has {thing} in these letters: these have it in others]") if other else (loose, f"\n[no line has {thing}: these have its words, in any order]")


def fact(r, it, root):
    if r.random() < 0.55:
        return world_fact(r, it, root)
    thing = r.choice(THINGS) if r.random() < 0.8 else f"{rare(r)} {r.choice(['limit', 'fee', 'address', 'number', 'mode'])}"
    question = say(r, r.choice(FACT), k=thing)
    some = [stands(r, thing, worth(r))] + [(workspace.path(r), spoken_of(r, thing)) for _ in range(r.choice([0, 0, 1, 2]))]
    it.user(question)
    pick = r.random()
    if pick < 0.12:
        it.calls(("search", {"pattern": thing})).results(f"No match for {thing} in the {r.randint(2, 90)} files searched.")
        if " " not in thing:
            return it.answer(f"The files say nothing about {thing}.")
        last = thing.split(" ")[-1]
        if r.random() < 0.4:
            return it.calls(("search", {"pattern": last})).results(f"No match for {last} in the {r.randint(2, 90)} files searched.").answer(f"The files say nothing about {thing}.")
        some = [stands(r, last, worth(r))]
        return it.calls(("search", {"pattern": last})).results(hits(r, some)).answer(later(told(r, thing, some), 1))
    some, note = fitting(thing, some)
    return it.calls(("search", {"pattern": thing})).results(hits(r, some) + note).answer(told(r, thing, some))


def person(r, it, root):
    name = r.choice(FIRST) if r.random() < 0.8 else rare(r).capitalize()
    typed = name.lower() if r.random() < 0.45 else name
    def line():
        return r.choice([("txt", f"Present: {', '.join(r.sample(FIRST, 2) + [name])}"), ("json", f'{{"name": "{name}", "since": 20{r.randint(10, 26)}}},'), ("csv", f"20{r.randint(20, 26)}-0{r.randint(1, 9)}-1{r.randint(0, 9)},{name},{r.choice(['membership', 'donation', rare(r)])},{r.randint(2, 99)}.00"),
            ("md", f"- {name} {r.choice(['keeps the books', 'leads the ' + rare(r) + ' group', 'joined in 20' + str(r.randint(10, 26)), 'is away until ' + r.choice(demo.DAYS)])}"), ("txt", f"{name} pays {r.randint(2, 99)}."), ("toml", f'maintainer = "{name}"')])
    some = []
    for _ in range(r.choice([1, 1, 2, 3])):
        ending, text = line()
        some.append((workspace.path(r, [ending]), text))
    it.user(say(r, r.choice(PERSON), n=typed))
    if r.random() < 0.1:
        return it.calls(("search", {"pattern": typed})).results(f"No match for {typed} in the {r.randint(2, 90)} files searched.").answer(f"The files say nothing about {typed}.")
    note = f"\n[no line has {typed} in these letters: these have it in others]" if typed != name else ""
    return it.calls(("search", {"pattern": typed})).results(hits(r, some) + note).answer(told(r, typed, some))


def code(r, it, root):
    word = r.choice([workspace.symbol(r), workspace.symbol(r).upper(), f"{r.choice(workspace.NOUNS)}_{r.choice(workspace.VERBS)}".upper()])
    form = r.choice(["py", "rs", "js", "go"])
    name = workspace.path(r, [form])
    body = workspace.defined(r, word, form) if not word.isupper() else [f"{word} = {r.randint(2, 900)}"]
    some = [(name, body[0])] + [(workspace.path(r), workspace.hit(r, word)) for _ in range(r.choice([0, 1, 1, 2]))]
    it.user(say(r, r.choice(SYMBOL), w=workspace.quoted(r, word) if r.random() < 0.4 else word)).calls(("search", {"pattern": word})).results(hits(r, some))
    return it.answer(f"`{word}` is in:\n[[1]]")


STEMS = "todo readme settings changelog meeting makefile config notes members budget minutes agenda license plan schedule guide faq install usage contributing roadmap invoice prices menu recipe backup setup main utils report summary draft ideas contacts inventory rules statutes".split()


def stem(r):
    return r.choice(STEMS) if r.random() < 0.8 else rare(r)


def file_of(r, half):
    return f"{r.choice(['', '', 'docs/', 'notes/', 'config/', 'data/'])}{half if r.random() < 0.7 else half.upper()}.{r.choice(['md', 'txt', 'toml', 'py', 'csv', 'json'])}"


def by_stem(r, it, root):
    half = stem(r)
    name, text = file_of(r, half), workspace.body(r)
    if r.random() < 0.6:
        drawn = worlds.draw(r)
        if workspace.half_of(r, drawn) and "." in drawn.name:
            half, name, text = workspace.half_of(r, drawn), drawn.name, drawn.text
    it.user(say(r, r.choice(STEM), s=half))
    if r.random() < 0.15:
        # Several could be meant: they are told, and shown.
        names = sorted({file_of(r, half) for _ in range(3)} | {name})
        it.calls(("show", {"file_path": half})).results(f"Error executing show: Invalid input: File does not exist: {root}/{half}. Did you mean {' or '.join(names)}?")
        if len(names) == 1:
            return it.calls(("show", {"file_path": names[0]})).results(workspace.numbered(text)).answer(workspace.shown_as(names[0], 2))
        return it.answer(f"Which one do you mean: {' or '.join(names)}?")
    return it.calls(("show", {"file_path": half})).results(workspace.numbered(text) + f"\n[this is {name}: there is no {half}]").answer(workspace.shown_as(name))


def inside(r, it, root):
    if r.random() < 0.4:
        return workspace.world_half(r, it, root)
    half, thing, value = stem(r), r.choice(THINGS), worth(r)
    name = file_of(r, half)
    others = [stands(r, other, worth(r))[1] for other in r.sample([one for one in THINGS if one != thing], r.randint(1, 4))]
    line = stands(r, thing, value)[1]
    some = others + [line]
    r.shuffle(some)
    it.user(say(r, r.choice(INSIDE), s=half, k=thing))
    if r.random() < 0.3:
        it.calls(("show", {"file_path": half})).results(workspace.missing(root, half))
        name = next(one for one in iter(lambda: workspace.path(r, ["md", "txt", "toml", "csv"]), None) if half not in one.lower())
        some, note = fitting(thing, [(name, line)])
        return it.calls(("search", {"pattern": thing})).results(hits(r, some) + note).answer(later(told(r, thing, some), 1))
    it.calls(("show", {"file_path": half})).results(workspace.numbered("\n".join(some)) + f"\n[this is {name}: there is no {half}]")
    return it.answer(f"In {name}: `{line.strip()}`" if "`" not in line else line)


def news(r, it, root):
    version, before = f"{r.randint(0, 9)}.{r.randint(1, 20)}.{r.randint(0, 9)}", f"{r.randint(0, 9)}.{r.randint(1, 20)}.{r.randint(0, 9)}"
    name = r.choice(["CHANGELOG.md", "CHANGELOG.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "docs/changelog.md", "docs/releases.md", "CHANGES.txt"])
    names = sorted([it_ for it_ in workspace.tree(r) if "chang" not in it_.lower()] + [f"{name} ({workspace.sized(r)})"])
    if r.random() < 0.75:
        drawn = worlds.changelog(r)
        name, (version, _) = drawn.name, r.choice(drawn.parts)
        names = sorted([it_ for it_ in workspace.tree(r) if not re.search("chang|hist|news|release", it_.lower())] + [f"{name} ({workspace.sized(r)})"])
        it.user(say(r, r.choice(NEWS), v=version)).calls(("list", {})).results("\n".join(names)).calls(("show", {"file_path": name})).results(workspace.numbered(drawn.text))
        return it.answer(workspace.shown_as(name, 2))
    text = "\n".join(["# Changelog", "", f"## {version}", "", *(f"- {r.choice(workspace.VERBS)} the {r.choice(workspace.NOUNS)} {rare(r)}" for _ in range(r.randint(1, 3))), "", f"## {before}", "", f"- {rare(r)} {rare(r)}"])
    it.user(say(r, r.choice(NEWS), v=version)).calls(("list", {})).results("\n".join(names)).calls(("show", {"file_path": name})).results(workspace.numbered(text))
    return it.answer(workspace.shown_as(name, 2))


def levels(r, it, root):
    every = workspace.tree(r)
    some = "\n".join(line for line in every if "/" not in line.rstrip("/"))
    if r.random() < 0.6:
        return it.user(say(r, r.choice(TOP))).calls(("list", {"depth": 1})).results(some or "src/").answer(workspace.listing(None))
    n = r.randint(1, 5)
    some = "\n".join(line for line in every if line.split(" (")[0].rstrip("/").count("/") < n)
    return it.user(say(r, r.choice(DEEP), n=number(r, n))).calls(("list", {"depth": n})).results(some or "src/").answer(workspace.listing(None))


def ends(r, it, root):
    name, some, n = workspace.path(r, ["csv", "txt", "md", "log", "py"]), workspace.body(r).split("\n"), r.randint(2, 12)
    drawn = worlds.draw(r)
    if " " not in drawn.name:
        name, some = drawn.name, drawn.text.split("\n")
    pick = r.random()
    if pick < 0.5:
        last = pick > 0.35
        n = 1 if last else n
        question = say(r, r.choice(LAST_LINE if last else TAIL), f=name, n=number(r, n))
        command, text = f"tail -n {n} {name}", "\n".join(some[-n:])
        return it.user(question).calls(("bash", {"command": command})).results(f"{text}\n[exit 0, 0.0 s]").answer(workspace.ran(command, text))
    first = pick > 0.85
    n = 1 if first else n
    question = say(r, r.choice(FIRST_LINE if first else HEAD), f=name, n=number(r, n))
    part = "\n".join(some[:n])
    result = workspace.numbered(part) + (f"\n[lines 1-{n} of {len(some)}; ask for start_line {n + 1} to see more]" if n < len(some) else "")
    return it.user(question).calls(("show", {"end_line": n, "file_path": name})).results(result).answer(workspace.shown_as(name))


def three(r, it, today):
    """Something is looked up, noted, and all notes are shown."""
    asks, _, value, made, text, _ = found(r, today)
    it.user(tell(r, r.choice(THREE).replace("{x}", asks).replace("{y}", r.choice(NOTED)), v=value))
    for call, result in made:
        it.calls(call).results(result)
    some = demo.kept(r)[:5] + [text]
    it.calls(("take_note", {"text": text})).results(f"Noted: {text}").calls(("list_notes", {})).results(demo.listing(some))
    return it.answer(f"I noted: {text}\n{demo.notes_told(some, it.here)}")


def run_note(r, it, today):
    command = r.choice(["git branch --show-current", "whoami", "date", "python3 --version", f"wc -l {workspace.path(r)}", f"python3 {workspace.path(r, ['py'])}", f"python3 -m {rare(r)}.cli {rare(r)}", "make version", f"./{rare(r)}.sh", "nproc", f"cat {workspace.path(r)}", f"python3 -m {rare(r)}"])
    text = r.choice([f"{r.choice(workspace.NOUNS)}: {worth(r)}", worth(r), f"{rare(r)} {worth(r)}"])
    it.user(tell(r, r.choice(RUN_NOTE), c=command)).calls(("bash", {"command": command})).results(f"{text}\n[exit 0, 0.1 s]")
    return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


def exact(r, it, today):
    """A note is what somebody said, letter by letter: names and words that nobody knows, in small letters, too."""
    name, other = r.choice(FIRST), r.choice(FIRST)
    text = expand(r, r.choice([f"{name} owes me {r.randint(2, 990)}", f"{name} [likes|hates|wants|needs|has|lost] [the {rare(r)}|{rare(r)} and {rare(r)}|{r.randint(2, 90)} {rare(r)}s]", f"[meet|call|pay|thank|ask] {name} [and {other} |][on {r.choice(demo.DAYS)}|about {rare(r)}|at {r.randint(1, 12)}]",
        f"the {rare(r)} [key|code|box] is [{r.randint(10, 9999)}|with {name}|in {rare(r)}]", f"{rare(r)} {rare(r)} [is due|comes|starts] on {r.choice(demo.DAYS)}", f"{name}'s [number|address|birthday|size] is {worth(r)}", f"[buy|order|return] {r.randint(2, 20)} {rare(r)}s for {name}"]))
    text = text.lower() if r.random() < 0.6 else text
    return it.user(tell(r, r.choice(NOTE_TEXT), t=text)).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


KINDS = [fact, fact, fact, person, person, code, by_stem, by_stem, inside, inside, news, levels, ends, ends]
KEEPS = [three, three, run_note, exact, exact]


def talk(r, today):
    if r.random() < 0.3:
        make = r.choice(KEEPS)
        return make(r, Talk("any" if make is not exact else "demo"), today)
    return r.choice(KINDS)(r, Talk("workspace"), r.choice(workspace.ROOTS))


gather("lookups", globals(), plain=("THINGS", "FIRST", "WORTHS", "STEMS", "NOTED"))
