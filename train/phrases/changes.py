"""Changes to files where one ask wants several, or one that is hard: two or three settings, all rows of a kind, lines out and in, names throughout a file,
keys into sections, lines beside others, comments, what is swapped, what is not there, what is so already, and which of two lines is meant.

A [`Doc`] keeps two texts: what the calls make of it, by the rules of the product's `edit`, and what was wanted. What cannot be done so is drawn again."""

import difflib
import re

from . import workspace, worlds
from .patterns import gather
from .talks import Talk, lines, rare, tell
from .words import WEEKDAYS, expand, say

# How several changes are called for: "blocks", a call for each file, from the first line that changes to the last, so that all or none of them is made, as the
# product has them made; "lines", a call for each line and all in one turn; "turns", the same a turn each.
WAY = "blocks"
LONGEST, MOST = 150, 7  # of a line that is changed; of changes in one ask


class Unfit(Exception):
    """What was drawn cannot be asked for, or not be done: something else is."""


def applied(text, old, new, every=False):
    """A text as the product's `edit` changes it."""
    if not old or old == new or old not in text:
        raise Unfit
    some = text.split("\n")
    if not new and not every:
        whole = [at for at, line in enumerate(some) if line == old] or [at for at, line in enumerate(some) if line.lstrip(" \t") == old and text.count(old) == 1]
        if len(whole) == 1:
            return "\n".join(some[: whole[0]] + some[whole[0] + 1:])
    if text.count(old) > 1 and not every:
        raise Unfit
    return text.replace(old, new)


def diffed(name, before, after):
    """What changed in a file, as the product tells it."""
    return "\n".join(difflib.unified_diff(before.split("\n"), after.split("\n"), f"a/{name}", f"b/{name}", lineterm="")) + "\n"


class Doc:
    """A file that is changed: its name, its text, its text as it shall be, and how that comes about."""

    def __init__(self, file):
        self.name, self.first, self.text, self.facts = file.name, file.text, file.text, file.facts
        self.wanted = file.text.split("\n")
        self.steps, self.whole = [], True
        if len(worlds.numbered(self.text)) >= worlds.SHOWN or "`" in self.text or self.text.count("\n") < 1:
            raise Unfit

    def at(self, line):
        if self.wanted.count(line) != 1 or not line.strip() or len(line) > LONGEST:
            raise Unfit
        return self.wanted.index(line)

    def change(self, line, after):
        self.wanted[self.at(line)] = after
        self.steps.append((line, after))

    def drop(self, line):
        del self.wanted[self.at(line)]
        self.steps.append((line, ""))

    def below(self, line, new):
        self.wanted[self.at(line) + 1: self.at(line) + 1] = new.split("\n")
        self.steps.append((line, f"{line}\n{new}"))

    def above(self, line, new):
        self.wanted[self.at(line): self.at(line)] = new.split("\n")
        self.steps.append((line, f"{new}\n{line}"))

    def end(self, new):
        self.wanted.append(new)
        self.steps.append((None, new))

    def every(self, old, new):
        self.wanted = [re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, line) for line in self.wanted]
        self.steps.append((old, new, True))

    def block(self):
        """All changes of lines as one, from the first to the last of them, where the file was shown."""
        some = [step for step in self.steps if step[0] is not None and len(step) == 2]
        after = self.text
        for step in some:
            after = applied(after, *step)
        old, new, begin, end = self.text.split("\n"), after.split("\n"), 0, 0
        while begin < min(len(old), len(new)) and old[begin] == new[begin]:
            begin += 1
        while end < min(len(old), len(new)) - begin and old[-1 - end] == new[-1 - end]:
            end += 1
        old, new = ("\n".join(it[begin: len(it) - end]) for it in (old, new))
        if len(some) < 2 or not self.whole or not old or not new or self.text.count(old) != 1:
            return self.steps
        return [(old, new), *(step for step in self.steps if step not in some)]

    def made(self, root):
        """The calls, and what they return."""
        out = []
        for step in self.block() if WAY == "blocks" else self.steps:
            before = self.text
            if step[0] is None:
                self.text += "\n" + step[1]
                result = f"File written successfully: {root}/{self.name}\n\n1 line added\n\n{diffed(self.name, before, self.text)}"
                out.append((("write", {"append": True, "content": step[1], "file_path": self.name}), result))
                continue
            old, new, every = (*step, False)[:3]
            self.text = applied(before, old, new, every)
            plain = not every and "\n" not in new and old in before.split("\n") and new
            result = workspace.lined(None, root, self.name, before, old, new) if plain else f"File edited successfully: {root}/{self.name}\n\n{diffed(self.name, before, self.text)}"
            out.append((("edit", {"file_path": self.name, "new_string": new, "old_string": old, **({"replace_all": True} if every else {})}), result))
        return out


def change(it, root, docs, answer):
    """All changes that were drawn, and what is said of them."""
    made = [one for doc in docs for one in doc.made(root)]
    if len(made) > MOST:
        raise Unfit
    if WAY != "turns":
        it.calls(*(call for call, _ in made)).results(*(result for _, result in made))
    else:
        for call, result in made:
            it.calls(call).results(result)
    it.files = getattr(it, "files", []) + [(doc.name, doc.first, "\n".join(doc.wanted)) for doc in docs]
    return it.answer(answer)


def calm(it, docs, answer):
    """Nothing is changed."""
    it.files = [(doc.name, doc.first, doc.first) for doc in docs]
    return it.answer(answer)


# ---- how a file is named, and seen


OPEN = lines("""
[open|show|read] {f}
[show me|let me see|pull up|print] {f}
what's in {f}?
can you [open|show me] {f}?
{f} please
I want to look at {f}
""")


def half(r, doc):
    """Half of a file's name, by which it is found, too."""
    base = doc.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return base.lower() if re.fullmatch(r"[A-Za-z]{4,}", base) and "." in doc.name else None


def told(r, pattern, **values):
    """What is said; no value brings a second `the`."""
    pattern = expand(r, pattern)
    values = {name: value.removeprefix("the ") if re.search(rf"\b[Tt]he \{{{name}\}}", pattern) else value for name, value in values.items()}
    return tell(r, pattern, **values)


def asked(r, it, doc, pattern, **values):
    """A pattern with {f} is said, and the file is shown, unless it was: mostly by its name, by half of it, or as what was just seen."""
    pick, short = r.random(), half(r, doc)
    pattern = expand(r, pattern)
    if pick < 0.13:
        workspace.shown_file(it.user(say(r, r.choice(OPEN), f=doc.name)), doc.name, doc.text).answer(workspace.shown_as(doc.name))
        there = r.choice(["that file", "the file", "it", "there"])
        if there == "there":
            pattern = re.sub(r"\b(in|from|of|to|into|inside|throughout|across|at the top of|on) \{f\}", lambda m: "there" if m.group(1) in ("in", "on", "inside") else m.group(), pattern)
            there = "it"
        if there == "it" and re.search(r"(^|[.:;,] )\{f\}|\{f\}( mein| me| ke| se|:)", pattern):
            there = "that file"
        return it.user(told(r, pattern, f=there, **values))
    if pick < 0.2 and short:
        it.user(told(r, pattern, f=r.choice([f"the {short} file", f"the {short}", short, f"{short} file"]), **values))
        return it.calls(("show", {"file_path": short})).results(workspace.numbered(doc.text) + f"\n[this is {doc.name}: there is no {short}]")
    it.user(told(r, pattern, f=doc.name, **values))
    return workspace.shown_file(it, doc.name, doc.text)


# ---- what is drawn


def words(text):
    return set(re.findall(r"[\w.@-]+", text.lower()))


def clear(fact, file):
    """What a fact is called by that means no other line of its file."""
    own = fact.line
    def only(call):
        said = words(call)
        return not any(one is not fact and one.line != own and any(said <= words(other) for other in one.calls) for one in file.facts) and not any(line != own and said <= words(line.replace("_", " ")) for line in file.text.split("\n"))
    return [call for call in fact.calls if only(call)]


def fine(file):
    return len(worlds.numbered(file.text)) < worlds.SHOWN and "`" not in file.text


def some_facts(r, n, flags=True, kinds=None, more=0):
    """(doc, file, n facts of it, each with what it is called and its new value): on lines of their own, told apart by their names."""
    for _ in range(400):
        file = worlds.draw(r, kinds or worlds.WITH_FACTS)
        fit = {}
        for one in worlds.changeable(file):
            if one.line not in fit and len(one.line) < LONGEST and (flags or one.kind != "flag") and file.text.count(one.line) == 1 and one.value not in ("",) and clear(one, file):
                fit[one.line] = one
        if len(fit) < n + more or not fine(file):
            continue
        some = r.sample(list(fit.values()), n)
        if len({call for one in some for call in one.calls}) < sum(len(set(one.calls)) for one in some):
            continue
        doc = Doc(file)
        out = []
        for one in some:
            new = worlds.another(r, one)
            if not one.after(new).strip() or new in one.line:
                break
            out.append((one, r.choice(clear(one, file)), new))
        else:
            return doc, file, out
    raise Unfit


def some_items(r, n, more=0, kinds=None):
    """(doc, n items of it): lines that are named by what they are about."""
    for _ in range(400):
        file = worlds.draw(r, kinds or [worlds.todo, worlds.todo, worlds.shopping, worlds.shopping, worlds.rows, worlds.schedule, worlds.plain, worlds.recipe, worlds.records])
        fit = [it for it in file.items if file.text.count(it[0]) == 1 and len(it[0]) < LONGEST]
        if len(fit) < n + more or not fine(file):
            continue
        some = r.sample(fit, n)
        calls = [short(it) for it in some]
        if any(sum(words(call) <= words(line) for line in file.text.split("\n")) != 1 for call in calls):
            continue
        return Doc(file), some
    raise Unfit


def short(item):
    """What an item is called, without `the`."""
    return item[1][0].removeprefix("the ")


def done(doc, old, new):
    return workspace.done(doc.name, old.strip(), new.strip())


def ended(doc, text):
    return f"Added to the end of {doc.name}: `{text}`."


def changed_lines(doc, some):
    """Many changes as they are told."""
    if len(some) <= 2:
        return "\n".join(done(doc, old, new) for old, new in some)
    return f"Done: these lines of {doc.name} are changed:\n" + "\n".join(f"- `{new.strip()}`" for _, new in some)


def gone_lines(doc, some):
    if len(some) <= 2:
        return "\n".join(workspace.gone(what, doc.name) for what in some)
    return f"Done: {', '.join(some[:-1])} and {some[-1]} are gone from {doc.name}."


def absent(r, doc, goods=False):
    if goods:
        for _ in range(60):
            one = r.choice(worlds.GOODS if r.random() < 0.6 else worlds.THINGS)
            if not any(word in doc.text.lower() for word in re.findall(r"[a-z]{3,}", one)):
                return one
        raise Unfit
    return workspace.absent(r, worlds.File(doc.name, doc.text))


def at_end(r, doc):
    """A line in the form of the others, and how it is said."""
    marks = [m.group() for m in (re.match(r"- \[ \] |[-*+] |\[ \] |TODO ", line) for line in doc.first.split("\n") if line) if m]
    mark = marks[-1] if marks else ""
    text = r.choice([worlds.task(r)[0], r.choice(worlds.GOODS), f"{r.randint(2, 40)} {r.choice(worlds.GOODS)}", f"{rare(r)} {r.choice(worlds.THINGS)}"])
    if text in doc.first or any(line.lower().endswith(text.lower()) for line in doc.first.split("\n")):
        raise Unfit
    return text, mark + text


# ---- two or three settings of one file


# {k} becomes {n}, and {j} {m}.
TWO = lines("""
in {f} [set|change|switch|put] [the |]{k} to {n} and [the |]{j} to {m}
[set|change|update] [the |]{k} to {n} and [the |]{j} to {m} in {f}
{f}: set {k} to {n}, {j} to {m}
{f}: {k} -> {n} and {j} -> {m}
{k} = {n}, {j} = {m} in {f} please
[can|could] you [please |]change two things in {f}: {k} to {n}, and {j} to {m}?
I need two changes in {f}. {k} should be {n}. {j} should be {m}
both the {k} and the {j} in {f} are wrong: make the first {n} and the second {m}
update {f} so that the {k} is {n} and the {j} is {m}
the {k} in {f} should be {n}, and while you're there make the {j} {m}
make the {k} {n} in {f}, and the {j} {m}
in {f} the {k} has to become {n}, the {j} has to become {m}
we moved: {k} in {f} must be {n} now and {j} must be {m}
{f} mein {k} ko {n} kar do aur {j} ko {m}
{k} {n} karo aur {j} {m} karo, {f} mein
kindly do the needful in {f}, {k} to {n} and {j} to {m}
give {k} the value {n} and {j} the value {m} in {f}
set {k} to {n} in {f}, also {j} to {m}
set {k} to {n}, and set {j} to {m}; it's all in {f}
edit {f}: new {k} is {n}, new {j} is {m}
[open|edit] {f} and put {n} for {k} and {m} for {j}
I'd like {f} to say {n} for {k} and {m} for {j}
use {n} as {k} and {m} as {j} in {f}
{f} has the old {k} and {j}; change them to {n} and {m}
change {k} and {j} in {f} to {n} and {m}
change the {k} and the {j} in {f}: {n} and {m}, in that order
set {k} and {j} in {f} to {n} and {m} respectively
replace the {k} in {f} with {n} and the {j} with {m}
from now on we use {n} for the {k} and {m} for the {j}, so update {f}
would you mind setting {k} to {n} and {j} to {m} in {f}?
two edits to {f} pls: {k} to {n}; {j} to {m}
change {k} to {n} in {f}. Do the same with {j}, to {m}
the {k} in {f} isn't right any more, it's {n}. Fix the {j} as well, that's {m} now
{j} needs to be {m} and {k} needs to be {n}, {f}
in {f}, {k}: {n}, {j}: {m}, [update both|change both|set both]
adjust {f}: the {k} goes to {n} and the {j} to {m}
not only should the {k} in {f} be {n}, the {j} should be {m}
in {f} I want {n} for {k}, plus {m} for {j}
let the {k} be {n} and the {j} be {m} in {f}
""")
# And {l} {p}.
THREE = lines("""
in {f} [set|change] {k} to {n}, {j} to {m} and {l} to {p}
{f}: {k} to {n}, {j} to {m}, {l} to {p}, [change all three|please update|set these]
[set|change|update] {k} to {n}, {j} to {m} and {l} to {p} in {f}
three changes in {f}: {k} to {n}, {j} to {m}, and {l} to {p}
{f}: {k} -> {n}, {j} -> {m}, {l} -> {p}
make the {k} {n}, the {j} {m} and the {l} {p} in {f}
[can|could] you set {k} to {n} and {j} to {m} in {f}? And {l} to {p}
update {f}: {k} should be {n}, {j} should be {m}, {l} should be {p}
{k} = {n}; {j} = {m}; {l} = {p} in {f}
I need {f} with {k} at {n}, {j} at {m} and {l} at {p}
in {f}, {k} must be {n}. {j} must be {m}. {l} must be {p}
{f} mein {k} {n}, {j} {m} aur {l} {p} kar do
change {k}, {j} and {l} in {f} to {n}, {m} and {p}
set {k} to {n} in {f}, {j} to {m} too, and finally {l} to {p}
for the new server {f} needs {n} as {k}, {m} as {j} and {p} as {l}
please edit {f} like this: {k} becomes {n}, {j} becomes {m}, {l} becomes {p}
new values for {f}, please set them: {k} {n}, {j} {m}, {l} {p}
first set {k} to {n} in {f}, then {j} to {m}, then {l} to {p}
{f} is out of date: {k} is {n} now, {j} is {m}, {l} is {p}. Update it
put {n} for {k}, {m} for {j} and {p} for {l} in {f}
adjust {k} to {n}, {j} to {m}, {l} to {p}, all in {f}
would you change three settings in {f}? {k}: {n}, {j}: {m}, {l}: {p}
kindly update {f} with {k} {n}, {j} {m} and {l} {p}
use {n} for {k}, {m} for {j}, {p} for {l} in {f}
the {k} in {f} should be {n}, same file: {j} should be {m} and {l} should be {p}
replace {k} by {n}, {j} by {m}, and {l} by {p} in {f}
{k} to {n} and {j} to {m} and {l} to {p} in {f}, change them please
switch {f} over: {k} {n}, {j} {m}, {l} {p}
I want the {k} to be {n}, the {j} {m} and the {l} {p} in {f}
{f}, set {k} {n} / {j} {m} / {l} {p}
let's change {f}: the {k} to {n}, the {j} to {m}, the {l} to {p}
""")
# One change within a sentence.
PART = lines("""
set [the |]{k} to {n}
change [the |]{k} to {n}
make [the |]{k} {n}
[the |]{k} should be {n}
[the |]{k} must be {n}
put [the |]{k} to {n}
use {n} as [the |]{k}
update [the |]{k} to {n}
I want [the |]{k} to be {n}
""")
PART_ON = ["turn {k} on", "switch on {k}", "enable {k}", "turn on {k}", "{k} should be on", "activate {k}"]
PART_OFF = ["turn {k} off", "switch off {k}", "disable {k}", "turn off {k}", "{k} should be off", "deactivate {k}"]
# Two of these ({A}, {B}), and three.
FRAME = ["in {f}, {A} and {B}", "{A} and {B} in {f}", "{f}: {A}, {B}", "{A} in {f}, and also {B}", "{A}, then {B}, [both|] in {f}", "in {f} please {A}. Also {B}", "{A} in {f}. And {B}", "could you {A} and {B} in {f}?", "{f}: {A}; {B}", "for {f}: {A}, and {B} as well", "{A} plus {B} in {f}", "{A} in {f} and while you are at it {B}"]
FRAME_THREE = ["in {f}, {A}, {B} and {C}", "{A}, {B} and {C} in {f}", "{f}: {A}; {B}; {C}", "{A} in {f}, {B}, and {C}", "in {f} please {A} and {B}. Also {C}", "{A}. {B}. {C}. All in {f}"]


def part(r, at, fact):
    """A pattern's part for one change, with the slots of its place."""
    if fact.kind == "flag":
        text = r.choice(PART_ON if fact.value.lower() == "false" else PART_OFF)
    else:
        text = r.choice(PART)
    k, n = [("k", "n"), ("j", "m"), ("l", "p")][at]
    return expand(r, text).replace("{k}", "{%s}" % k).replace("{n}", "{%s}" % n)


def slots_of(r, some):
    out = {}
    for (k, n), (fact, call, new) in zip([("k", "n"), ("j", "m"), ("l", "p")], some):
        out[k], out[n] = call, workspace.typed_value(r, fact, new)
    return out


def wording(r, some, two, three):
    """A pattern for two or three changes; flags are turned on or off."""
    if any(fact.kind == "flag" for fact, _, _ in some) or r.random() < 0.4:
        text = r.choice(FRAME if len(some) == 2 else FRAME_THREE)
        for at, (fact, _, _) in enumerate(some):
            text = text.replace("{" + "ABC"[at] + "}", part(r, at, fact))
        return text
    return r.choice(two if len(some) == 2 else three)


TWO_ANY = lines("""
[set|change] [the |]{k} to {n} and [the |]{j} to {m}
the {k} should be {n} and the {j} {m}
make the {k} {n}, and the {j} {m}
{k} to {n}, {j} to {m}, [change both|set both|update it]
change two settings: {k} to {n} and {j} to {m}
[can|could] you set {k} to {n} and {j} to {m}? I don't know which file
somewhere there is a {k} and a {j}: change them to {n} and {m}
update {k} to {n} and {j} to {m}, wherever they are
{k} ko {n} kar do aur {j} ko {m}
we need {k} {n} and {j} {m}, set them
find {k} and {j} and set them to {n} and {m}
{k} -> {n} and {j} -> {m}
put {n} for {k} and {m} for {j}, look where they are set
both the {k} and the {j} are wrong, make the first {n} and the second {m}
use {n} as {k} and {m} as {j}
""")


def nowhere(r, it, root):
    """Two values, and nobody says in which file: each is searched for."""
    doc, file, some = some_facts(r, 2, flags=False, kinds=[worlds.config, worlds.prose, worlds.rows])
    found = [workspace.findable(file, fact, call) for fact, call, _ in some]
    if not all(found):
        raise Unfit
    it.user(told(r, r.choice(TWO_ANY), **slots_of(r, some)))
    it.calls(*(("search", {"pattern": call}) for _, call, _ in some)).results(*(hits + note for hits, note in found))
    pairs = [(fact.line, fact.after(new)) for fact, _, new in some]
    for old, new in pairs:
        doc.change(old, new)
    # What a search finds is told without what stands before it.
    doc.steps, doc.whole = [(old.strip(), new.strip()) for old, new in doc.steps], False
    return change(it, root, [doc], "\n".join(done(doc, old, new) for old, new in pairs))


def settings(r, it, root):
    """Two or three values of one file."""
    n = r.choice([2, 2, 2, 3])
    if r.random() < 0.12:
        return nowhere(r, it, root)
    if n == 2 and r.random() < 0.12:
        return host_and_port(r, it, root)
    doc, _, some = some_facts(r, n, kinds=[worlds.config] if n == 3 or r.random() < 0.5 else None)
    asked(r, it, doc, wording(r, some, TWO, THREE), **slots_of(r, some))
    pairs = [(fact.line, fact.after(new)) for fact, _, new in some]
    for old, new in pairs:
        doc.change(old, new)
    return change(it, root, [doc], "\n".join(done(doc, old, new) for old, new in pairs))


ADDRESS = lines("""
{f} should [point to|connect to|talk to] {n} on port {m}, change host and port
[set|change] [the |]host and [the |]port in {f} to {n} and {m}
change host and port in {f} to {n}:{m}
we moved to {n}, port {m}, update {f}
{f}: use {n}, port {m}
make host and port in {f} {n} and {m}
the host and the port in {f} are wrong, it's {n} and {m}, fix both
[can|could] you switch {f} to {n}, port {m}?
in {f} the host must be {n} and the port {m}
set host = {n} and port = {m} in {f}
{f} still has the old server, change it: {n}, port {m}
use host {n} with port {m} in {f}
kindly update host and port in {f}, {n} and {m}
let {f} connect to {n} at port {m}, change that
the server is at {n} port {m} now, [fix|update|change] {f}
{f} mein host {n} aur port {m} kar do
point {f} at {n} on port {m}
host {n}, port {m}, set that in {f}
the new host is {n} and the new port {m}, please update {f}
""")


def host_and_port(r, it, root):
    form, lead = r.choice(["toml", "yaml", "ini", "env", "json", "py", "cfg", "js", "rb", "sh"]), r.choice(["", "", "", "db_", "server_", "api_", "proxy_", "redis_"])
    host, new = (worlds.made(r, "host") for _ in (1, 2))
    port, last = (worlds.made(r, "port") for _ in (1, 2))
    some = [(key, worlds.made(r, kind), kind) for key, _, kind in worlds.some_settings(r, r.randint(2, 5)) if not re.search("host|port|address|url", key)]
    at = r.randint(0, len(some))
    some[at:at] = [(f"{lead}host", host, "host"), (f"{lead}port", port, "port")][:: r.choice([1, 1, -1])]
    rows = [("  " if form == "json" else "") + worlds.setting_line(key, value, kind, form, n == len(some) - 1) for n, (key, value, kind) in enumerate(some)]
    head, tail = {"json": (["{"], ["}"]), "sh": (["#!/bin/sh", ""], [])}.get(form, ([], []))
    base = r.choice(["config", "settings", "server", "app", "local", "prod", "db", "client", rare(r), worlds.stem(r)])
    doc = Doc(worlds.File(r.choice(["", "", "config/", "conf/", "app/", f"{r.choice(worlds.FOLDERS)}/"]) + (f"{base}.{form}" if form != "env" else r.choice([".env", ".env.local", f"{base}.env"])), "\n".join([*head, *rows, *tail])))
    if new == host or last == port or doc.first.count(host) != 1 or doc.first.count(port) != 1:
        raise Unfit
    one, two = (next(line for line in rows if re.search(rf"(?i)\b{lead}{word}\b", line)) for word in ("host", "port"))
    values = {"n": new, "m": last}
    asked(r, it, doc, r.choice(ADDRESS), **values)
    pairs = [(one, one.replace(host, new)), (two, two.replace(port, last))]
    for old, after in pairs:
        doc.change(old, after)
    return change(it, root, [doc], changed_lines(doc, pairs))


# ---- all rows of a kind


# {g} is what each row has, {n} what it becomes.
ALL_SET = lines("""
[set|change] every {g} in {f} to {n}
[set|change|switch] [all|all the] {g} values in {f} to {n}
make every {g} {n} in {f}
make all of them {n} in {f}, I mean the {g}
every {g} in {f} should be {n}
all {g} entries in {f} [should be|must be|need to be] {n}
{f}: every {g} to {n}, [change them all|set it|update them]
the {g} should be {n} everywhere in {f}
in {f} set the {g} to {n} for everything
in {f}, {g} should be {n} in each line
put the {g} to {n} in all lines of {f}
{f} mein sab {g} ko {n} kar do
sabka {g} {n} karo in {f}
please make the {g} {n} for all of them in {f}
give every line in {f} the {g} {n}
give them all the {g} {n} in {f}
I want the same {g} everywhere in {f}: {n}, change it
update {f} so that each {g} is {n}
change whatever {g} is in {f} to {n}, in every line
each one in {f} needs the {g} {n}
use {n} as the {g} all through {f}
{n} for every {g} in {f}, please change it
the {g} in {f} is too different, set it to {n} throughout
[can|could] you change the {g} of everything in {f} to {n}?
kindly change {g} for all in {f} to {n}
all lines in {f}: {g} to {n}, change it
reset every {g} in {f} to {n}
no matter what it is now, set each {g} in {f} to {n}
there should be no other {g} than {n} in {f}, fix all
across the whole of {f}, set {g} to {n}
the {g} of each one in {f} must be {n} now
we decided that every {g} is {n}, update {f}
""")
# The same where {g} is what only some rows are about.
ALL_ROWS = lines("""
[raise|change|set|put] all {g} rows in {f} to {n}
[set|change] every {g} entry in {f} to {n}
[raise|change|set] all {g}s to {n} in {f}
every {g} in {f} should be {n}
{f}: all {g}s are {n} now, update them
the {g} is {n} for everybody now, change all of them in {f}
in {f} change each {g} amount to {n}
in {f} all the {g} lines [should say|must be|should be] {n}
all {g} rows in {f}: {n} instead, change them
{f} mein sab {g} wale {n} kar do
make all {g} payments {n} in {f}
put {n} for every {g} in {f}
whoever paid a {g} in {f} paid {n}, fix all these rows
each {g} costs {n} now: update {f}
please set the amount of all {g} entries in {f} to {n}
all of the {g} amounts in {f} are wrong, they should be {n}
update every {g} row of {f} to {n}
give all {g} lines in {f} the amount {n}
fix the {g}s in {f}, each is {n}
change the {g} to {n} everywhere in {f}
the {g} went up, so {n} in every such row of {f}, change it
not one {g} in {f} is right. They should all be {n}
use {n} for all {g} rows, {f}
kindly make all {g}s {n} in {f}
adjust all the {g}s in {f} to {n}
""")
ALL_DONE = lines("""
mark everything [in|on] {f} as done
mark all [items|tasks|lines|points] in {f} [as |]done
[tick|check] off everything in {f}
tick all the boxes in {f}
everything in {f} is done, [mark it|tick it off|check it off]
all of {f} is finished, mark all of it done
{f}: mark all as done
all done! mark every item in {f}
set every item in {f} to done
{f} mein sab done mark kar do
we finished the whole of {f}, tick them all
please mark each task in {f} as completed
I did everything in {f}, mark it all done
change all the open items in {f} to done
[can|could] you tick every box in {f}?
put an x in every box in {f}
complete all items in {f}, that is mark them done
nothing is open in {f} any more, tick everything
mark the remaining ones in {f} as done
every open task in {f} is done, update the file
the list in {f} is all done, please check them off
tick every single line in {f}
kindly mark all the points of {f} as done
set all checkboxes in {f}
all boxes in {f} should be ticked
make every item in {f} done
whatever is open in {f}: mark it done
switch all items in {f} from open to done
""")
TWO_DONE = lines("""
mark {k} and {j} as done in {f}
{k} and {j} are done, [mark|tick] them in {f}
[tick|check] off {k} and {j} in {f}, they are done
in {f} mark {k} as done, and {j} too
{f}: {k} done, {j} done, mark both
set {k} and {j} in {f} to done
both {k} and {j} are finished, mark them done in {f}
{f} mein {k} aur {j} ko done mark kar do
[can|could] you mark {k} and {j} done in {f}?
tick two boxes in {f}, {k} and {j} are done
I did {k}, and {j} as well: mark them as done in {f}
please put an x at {k} and at {j} in {f}, mark them done
""")
ALL_ON = lines("""
[turn|switch] everything on in {f}
enable [everything|all of them|all the flags] in {f}
[turn|switch] on all [the |]flags in {f}
all flags in {f} should be on
{f}: turn all of it on
set every flag in {f} to true
make all the flags true in {f}
activate all features in {f}
every feature in {f} should be enabled, change it
{f} mein sab on kar do
all the switches in {f} to true, please change them
please enable each one in {f}
""")
ALL_OFF = lines("""
[turn|switch] everything off in {f}
disable [everything|all of them|all the flags] in {f}
[turn|switch] off all [the |]flags in {f}
all flags in {f} should be off
{f}: turn all of it off
set every flag in {f} to false
make all the flags false in {f}
deactivate all features in {f}
every feature in {f} should be disabled, change it
{f} mein sab off kar do
all the switches in {f} to false, please change them
please disable each one in {f}
""")
# All lines that are about {g} go.
ALL_GONE = lines("""
[remove|delete|drop] all [the |]{g} [rows|lines|entries] [from|in] {f}
[remove|delete] every {g} [row|line|entry] in {f}
get rid of all the {g} lines in {f}
in {f} [delete|remove] everything about {g}
take [all the|every] {g} entry out of {f}
all {g} rows in {f} can go, delete them
{f}: delete each {g} line
we don't need the {g} rows in {f} any more, remove them all
no more {g} in {f}: take all those lines out
{f} se saare {g} wale rows hata do
strike every {g} line from {f}
throw out all the {g} entries in {f}
clean {f} of all {g} lines, remove them
every {g} row in {f} has to go, delete it
please delete whatever is about {g} in {f}
cut all {g} lines from {f}
""")
EACH = "membership|donation|deposit|lesson|ticket|locker|workshop|refund|taxi|training|prize|gift|repair|raffle|permit|rental".split("|")


def ledger(r, n, share=0.5):
    """(file, what several rows are about, those rows): amounts are the last in a row."""
    what, glue, year = r.choice(EACH), r.choice([",", ",", ",", ";"]), r.randint(2023, 2027)
    others = [it for it in worlds.WHATS if what not in it and it not in EACH]
    people, out = r.sample(worlds.PEOPLE, n), [glue.join(r.choice([["date", "who", "what", "amount"], ["day", "name", "for", "paid"], ["date", "member", "purpose", "euros"]]))]
    is_it = [r.random() < share for _ in range(n)]
    if not 2 <= sum(is_it) <= MOST:
        raise Unfit
    rows = []
    for at in range(n):
        amount = f"{r.randint(2, 90)}.{r.choice(['00', '50', '20'])}" if r.random() < 0.6 else str(r.randint(2, 90))
        line = glue.join([f"{year}-{min(12, at + 1):02}-{r.randint(1, 28):02}", people[at], what if is_it[at] else r.choice(others), amount])
        out.append(line)
        rows.append((line, amount))
    base = r.choice("ledger entries payments cashbook accounts treasury income fees".split())
    name = r.choice(["", "data/", "club/", f"{r.choice(worlds.FOLDERS)}/"]) + r.choice([base, f"{base}_{r.choice(worlds.MORE)}", f"{base}{year}"]) + ".csv"
    return worlds.File(name, "\n".join(out)), what, [row for row, it in zip(rows, is_it) if it], rows


def columns(r):
    """(file, what each row has, {row: value}, its other value): rows of one kind, in one of many forms."""
    pick, n = r.random(), r.randint(2, 6)
    out, values = [], {}
    if pick < 0.3:
        g, some = r.choice([("priority", ["low", "medium", "high", "urgent"]), ("status", ["open", "waiting", "closed", "paused"]), ("state", ["new", "draft", "final", "sent"]), ("role", ["member", "guest", "trainer", "cook", "driver"]), ("level", ["beginner", "advanced", "expert"]), ("size", ["S", "M", "L", "XL"]), ("colour", ["red", "green", "blue", "black"])])
        whos = r.sample(worlds.PEOPLE, n) if g in ("role", "level", "size") else [f"{it.split()[0]} the {r.choice(worlds.THINGS)}" for it in r.sample(worlds.DOINGS, n)]
        who, form = "name" if g in ("role", "level", "size") else "task", r.choice(["csv", "csv", "yaml", "json", "md", "txt"])
        made = [r.choice(some) for _ in range(n)]
        if form == "csv":
            glue = r.choice([",", ";"])
            out, rows = [glue.join([who, g])], [glue.join([a, b]) for a, b in zip(whos, made)]
        elif form == "yaml":
            rows = [f"- {{{who}: {a}, {g}: {b}}}" for a, b in zip(whos, made)]
        elif form == "json":
            out, rows = ["["], [f'  {{"{who}": "{a}", "{g}": "{b}"}}{"," if at < n - 1 else ""}' for at, (a, b) in enumerate(zip(whos, made))]
        elif form == "md":
            out, rows = [f"| {who} | {g} |", "|---|---|"], [f"| {a} | {b} |" for a, b in zip(whos, made)]
        else:
            rows = [f"{a} ({g}: {b})" for a, b in zip(whos, made)]
        new = r.choice(some)
        tail = ["]"] if form == "json" else []
    elif pick < 0.65:
        g, low, high = r.choice([("timeout", 2, 90), ("limit", 5, 900), ("interval", 1, 90), ("memory", 64, 900), ("max_size", 5, 900), ("weight", 1, 90), ("delay", 1, 90), ("quota", 5, 900), ("port", 1000, 9000), ("priority", 1, 9)])
        form = r.choice(["toml", "yaml", "ini", "env", "json", "py"])
        names = r.sample("api db cache mail queue web worker search auth image report login upload export import backup billing".split(), n)
        made = [str(r.randint(low, high)) for _ in range(n)]
        rows = [{"toml": f"{a}_{g} = {b}", "ini": f"{a}_{g}={b}", "yaml": f"{a}_{g}: {b}", "env": f"{a}_{g}={b}".upper(), "py": f"{f'{a}_{g}'.upper()} = {b}", "json": f'  "{a}_{g}": {b}{"," if at < n - 1 else ""}'}[form] for at, (a, b) in enumerate(zip(names, made))]
        new, out, tail = str(r.randint(low, high)), ["{"] if form == "json" else [], ["}"] if form == "json" else []
        g = g.replace("_", " ")
    elif pick < 0.85:
        g, form, glue = r.choice([("price", 0), ("count", 0), ("deposit", 0), ("minimum", 0)])[0], "csv", r.choice([",", ",", ";"])
        goods, made = r.sample(worlds.GOODS, n), [f"{r.randint(1, 60)}.{r.choice(['99', '50', '25'])}" if g in ("price", "deposit") else str(r.randint(2, 90)) for _ in range(n)]
        out, rows = [glue.join(["item", g])], [glue.join([a, b]) for a, b in zip(goods, made)]
        new, tail = (f"{r.randint(1, 60)}.{r.choice(['99', '50'])}" if g in ("price", "deposit") and r.random() < 0.7 else str(r.randint(2, 60))), []
    else:
        g, form, glue = r.choice(["room", "hall", "gym"]), r.choice(["txt", "md"]), r.choice([": ", " - "])
        things, made = r.sample("yoga choir chess football drama robotics pottery gardening swimming reading cooking maths guitar piano dance judo sewing debate".split(), n), [str(r.randint(1, 40)) for _ in range(n)]
        rows = [f"{day}{glue}{a}, {g} {b}" for day, a, b in zip(WEEKDAYS, things, made)]
        new, tail, out = str(r.randint(1, 40)), [], []
    file = worlds.File(worlds.name(r, form) if form != "env" else r.choice([".env", "config/.env"]), "\n".join([*out, *rows, *tail]))
    return file, g, list(zip(rows, made)), new


def put_last(line, old, new):
    at = line.rindex(old)
    return line[:at] + new + line[at + len(old):]


def marked(line):
    """A line that is done with: its box has a mark, or it gets one."""
    if "[ ]" in line:
        return line.replace("[ ]", "[x]", 1)
    if not re.match("[-*+] ", line):
        raise Unfit
    return f"{line[:2]}[x] {line[2:]}"


def all_rows(r, it, root):
    """Every row of a kind: a call each; those that are so already stay."""
    pick = r.random()
    if pick < 0.3:
        file, g, rows, _ = ledger(r, r.randint(3, 9), r.choice([0.4, 0.6, 0.8]))
        new = r.choice([str(r.randint(2, 60)), f"{r.randint(2, 60)}.00", f"{r.randint(2, 60)}.50"])
        doc, pattern = Doc(file), r.choice(ALL_ROWS)
        pairs = [(line, put_last(line, old, new)) for line, old in rows if old != new]
        values = {"g": g, "n": new}
    elif pick < 0.65:
        file, g, rows, new = columns(r)
        doc, pattern, values = Doc(file), r.choice(ALL_SET), {"g": g, "n": new}
        pairs = [(line, put_last(line, old, new)) for line, old in rows if old != new]
    elif pick < 0.83:
        file = worlds.todo(r)
        doc, pattern, values = Doc(file), r.choice(ALL_DONE), {}
        some, pairs = [(one[0], one) for one in file.items], []
        if r.random() < 0.3 and len(some) > 2:
            # Two of them.
            some = r.sample(some, 2)
            k, j = (short(one) for _, one in some)
            if any(sum(words(it_) <= words(line) for line in file.text.split("\n")) != 1 for it_ in (k, j)):
                raise Unfit
            pattern, values = r.choice(TWO_DONE), {"k": k, "j": j}
        pairs = [(line, marked(line)) for line, _ in some if "[x]" not in line]
    else:
        on, n = r.random() < 0.5, r.randint(2, 6)
        form = r.choice(["toml", "yaml", "ini", "env", "json", "py"])
        keys = r.sample("dark_mode new_checkout beta_search uploads comments signup emails tracking exports chat reviews wishlist coupons guest_login two_factor push_messages auto_save live_preview maps stories badges".split(), n)
        flags = [r.random() < (0.25 if on else 0.75) for _ in keys]
        text = [str(it).lower() if form != "py" else str(it) for it in flags]
        rows = [{"toml": f"{a} = {b}", "ini": f"{a} = {b}", "yaml": f"{a}: {b}", "env": f"{a.upper()}={b}", "py": f"{a.upper()} = {b}", "json": f'  "{a}": {b}{"," if at < n - 1 else ""}'}[form] for at, (a, b) in enumerate(zip(keys, text))]
        head, tail = (["{"], ["}"]) if form == "json" else ([], [])
        base = r.choice("features flags toggles switches options experiments".split())
        doc = Doc(worlds.File(r.choice(["", "config/", "src/", "app/"]) + f"{base}.{form}", "\n".join([*head, *rows, *tail])))
        shall = str(on) if form == "py" else str(on).lower()
        pattern, values = r.choice(ALL_ON if on else ALL_OFF), {}
        pairs = [(line, put_last(line, b, shall)) for line, b in zip(rows, text) if b != shall]
    if not 2 <= len(pairs) <= MOST:
        raise Unfit
    asked(r, it, doc, pattern, **values)
    for old, new in pairs:
        doc.change(old, new)
    return change(it, root, [doc], changed_lines(doc, pairs))


def all_gone(r, it, root):
    file, g, rows, every = ledger(r, r.randint(4, 8), 0.4)
    if len(rows) == len(every):
        raise Unfit
    doc = Doc(file)
    asked(r, it, doc, r.choice(ALL_GONE), g=g)
    for line, _ in rows:
        doc.drop(line)
    return change(it, root, [doc], f"Done: the {g} lines are gone from {doc.name}:\n" + "\n".join(f"- `{line}`" for line, _ in rows))


# ---- lines out, and lines in


# {k} and {j} go.
TWO_GONE = lines("""
[remove|delete|drop] {k} and {j} from {f}
[remove|delete] the lines about {k} and {j} in {f}
in {f} [delete|remove|drop] the {k} line and the {j} line
take {k} and {j} out of {f}
{f}: delete {k} and {j}
{f}: {k} and {j} can go, [remove|delete] them
cross {k} and {j} off [the list in |]{f}
strike {k} off {f}, and {j} too
get rid of {k} and also of {j} in {f}
remove two lines from {f}: {k} and {j}
we no longer need {k} or {j}, [take them out of|remove them from|delete both in] {f}
{k} is done and so is {j}. Remove both from {f}
both {k} and {j} should go from {f}, delete them
please delete {k} in {f}. And {j}
{f} se {k} aur {j} hata do
{k} aur {j} dono nikal do {f} se
[can|could] you remove {k} and {j} from {f}?
neither {k} nor {j} belongs in {f}, remove them
I don't want {k} in {f}, and I don't want {j} either. Delete both
scratch {k} and {j} from {f}
cut out {k} and {j}, {f}
drop the entries for {k} and {j} in {f}
first delete {k} from {f}, then {j}
{f} without {k} and without {j}, please: remove them
kindly remove {k} and {j} entries from {f}
{k} out, {j} out, in {f}, remove them
ditch {k} as well as {j} in {f}
the entries {k} and {j} in {f} are wrong. Delete them
throw {k} and {j} out of {f}
please clean up {f}: remove {k}, remove {j}
delete these from {f}: {k}, {j}
""")
THREE_GONE = lines("""
[remove|delete|drop] {k}, {j} and {l} from {f}
take {k}, {j} and {l} out of {f}
{f}: delete {k}, {j} and {l}
cross {k}, {j} and {l} off {f}
in {f} remove the lines about {k}, {j} and {l}
get rid of {k}, {j}, {l} in {f}
{k}, {j} and {l} can go from {f}, delete them
{f} se {k}, {j} aur {l} hata do
please delete three lines from {f}: {k}, {j} and {l}
we don't need {k}, {j} or {l} any more, remove them from {f}
could you strike {k}, {j} and also {l} from {f}?
remove {k} from {f}, and {j}, and {l}
""")
# {k} goes, {t} comes to the end.
GONE_ADD = lines("""
in {f} [remove|delete] {k} and add {t}
{f}: {k} out, {t} in, remove and add
[remove|delete|take] {k} [from|out of] {f} and [add|append|put] {t} at the end
[remove|delete] the {k} line from {f} and add {t} to it
take {k} off {f} and put {t} on it
cross off {k} in {f} and add {t} at the bottom
drop {k} from {f} and append {t}
delete {k} from {f}, then add {t}
add {t} to {f} and remove {k}
add {t} to the end of {f}, and {k} can be deleted
{f}: add {t}, remove {k}
put {t} on {f}, and take {k} off it
append {t} to {f} and get rid of {k}
we have {k} now but still need {t}: remove the one from {f} and add the other
{k} is done, remove it from {f}. New item: {t}, add it
{f} se {k} hata do aur {t} add kar do
no {k} any more, delete that in {f}, and add {t}
I got {k}, strike it off {f}; and add {t}, I forgot
[can|could] you delete {k} in {f} and add {t} at the end?
out of {f} goes {k}, delete it, and add {t} at the end
please remove {k} in {f} and also add {t}
strike {k} from {f}, and write {t} at the end
update {f}: delete {k}, append {t}
kindly remove {k} and add {t} in {f}
remove {k}, add {t}, both in {f}
""")
# {k} becomes {n}, {j} goes.
SET_GONE = lines("""
in {f} [set|change] {k} to {n} and [remove|delete] {j}
[set|change] {k} to {n} in {f} and [remove|delete|drop] the {j} line
{f}: {k} to {n}, and delete {j}
{f}: set {k} to {n}, remove {j}
remove {j} from {f} and [set|change] {k} to {n}
delete {j} in {f}, and make {k} {n}
the {k} in {f} should be {n}, and {j} can go, delete it
make {k} {n} in {f} and get rid of {j}
change {k} to {n} in {f}, then take {j} out
take {j} out of {f}, and {k} should be {n}
update {f}: {k} is {n} now and {j} is no longer there, remove it
we don't use {j} any more, delete it in {f}, and put {k} to {n}
{f} mein {k} ko {n} kar do aur {j} hata do
{j} hata do {f} se, aur {k} {n} kar do
[can|could] you set {k} to {n} and drop {j} in {f}?
two things in {f}: {k} must be {n}, {j} must be removed
please change {k} to {n} and remove the {j} setting in {f}
{k} = {n} in {f}, and throw {j} out
I want {n} for {k} in {f} and no {j} at all, remove that line
get {j} out of {f}, delete it, and set {k} to {n}
edit {f}, {k} goes to {n}, {j} goes away, delete the line
drop {j} from {f} and use {n} for {k}
kindly change {k} to {n} and delete {j} from {f}
without {j} please, remove it from {f}, and with {k} set to {n}
""")
# {k} becomes {n} in {f}, {j} {m} in {h}.
TWO_FILES = lines("""
[set|change] {k} to {n} in {f} and {j} to {m} in {h}
in {f} set {k} to {n}, in {h} set {j} to {m}
{f}: {k} to {n}. {h}: {j} to {m}, [change both|please update]
[set|change] {k} in {f} to {n} and {j} in {h} to {m}
the {k} in {f} should be {n}, the {j} in {h} should be {m}
make {k} {n} in {f} and {j} {m} in {h}
in {f} the {k} must be {n} and in {h} the {j} must be {m}
change two files: {f}, {k} to {n}; {h}, {j} to {m}
update {f} ({k}: {n}) and {h} ({j}: {m})
{f} needs {k} {n}, and {h} needs {j} {m}, set both
[can|could] you change {k} to {n} in {f}, and {j} to {m} in {h}?
put {n} for {k} in {f}. Also put {m} for {j} in {h}
{f} mein {k} ko {n} kar do aur {h} mein {j} ko {m}
please edit {f} so that {k} is {n}, and {h} so that {j} is {m}
I need {k} at {n} in {f} and {j} at {m} in {h}
first {f}: set {k} to {n}. Then {h}: set {j} to {m}
set {k} = {n} in {f} and {j} = {m} in {h}
use {n} as {k} in {f} and {m} as {j} in {h}
{k} in {f} -> {n}, {j} in {h} -> {m}
adjust {f} and {h}: {k} in the first to {n}, {j} in the second to {m}
the {k} ({f}) becomes {n} and the {j} ({h}) becomes {m}, change them
switch {k} to {n} in {f}; while at it, {j} to {m} in {h}
kindly update {k} to {n} in {f} and {j} to {m} in {h}
{n} should be the {k} in {f}, and {m} the {j} in {h}
""")
# {k} goes from {f} to the end of {h}.
MOVE_FILE = lines("""
move {k} from {f} to {h}
take {k} out of {f} and put it [in|into] {h}
move the {k} line from {f} to the end of {h}
{k} belongs in {h} and not in {f}, move it
cut {k} from {f} and append it to {h}
remove {k} from {f} and add it to {h}
[can|could] you move {k} out of {f}, into {h}?
delete {k} in {f} and add that line to {h}
{f} se {k} hata ke {h} mein add kar do
put {k} in {h} instead of {f}, move the line
the {k} entry of {f} should go to {h}, move it there
shift {k} over from {f} to {h}, add it at the end
""")


def quoted(r, text):
    return workspace.quoted(r, text, always=True) if "'" not in text and '"' not in text else f"`{text}`"


def out_and_in(r, it, root):
    pick = r.random()
    if pick < 0.38:
        n = 2 if r.random() < 0.75 else 3
        doc, some = some_items(r, n, more=1)
        calls = [r.choice([short(one), *one[1]]) for one in some]
        asked(r, it, doc, r.choice(TWO_GONE if n == 2 else THREE_GONE), **dict(zip("kjl", calls)))
        for one in some:
            doc.drop(one[0])
        return change(it, root, [doc], gone_lines(doc, [short(one) for one in some]))
    if pick < 0.62:
        doc, (one,) = some_items(r, 1, more=1, kinds=[worlds.todo, worlds.shopping, worlds.schedule])
        text, line = at_end(r, doc)
        text = line if r.random() < 0.3 else text
        asked(r, it, doc, r.choice(GONE_ADD), k=r.choice(one[1]), t=quoted(r, text))
        doc.drop(one[0])
        doc.end(line)
        return change(it, root, [doc], f"{workspace.gone(short(one), doc.name)}\n{ended(doc, line)}")
    if pick < 0.8:
        doc, file, some = some_facts(r, 2, more=1, flags=False, kinds=[worlds.config, worlds.config, worlds.rows, worlds.plain])
        (fact, k, new), (other, j, _) = some
        if file.name.endswith(".json") and not other.line.endswith(","):
            raise Unfit
        asked(r, it, doc, r.choice(SET_GONE), k=k, n=workspace.typed_value(r, fact, new), j=j)
        doc.change(fact.line, fact.after(new))
        doc.drop(other.line)
        return change(it, root, [doc], f"{done(doc, fact.line, fact.after(new))}\n{workspace.gone(j, doc.name)}")
    if pick < 0.94:
        (a, _, ((fact, k, new),)), (b, _, ((other, j, last),)) = some_facts(r, 1, flags=False), some_facts(r, 1, flags=False)
        if a.name == b.name or len(a.text) + len(b.text) > 1700:
            raise Unfit
        it.user(told(r, r.choice(TWO_FILES), f=a.name, h=b.name, k=k, n=workspace.typed_value(r, fact, new), j=j, m=workspace.typed_value(r, other, last)))
        it.calls(("show", {"file_path": a.name}), ("show", {"file_path": b.name})).results(workspace.numbered(a.text), workspace.numbered(b.text))
        a.change(fact.line, fact.after(new))
        b.change(other.line, other.after(last))
        return change(it, root, [a, b], f"{done(a, fact.line, fact.after(new))}\n{done(b, other.line, other.after(last))}")
    doc, (one,) = some_items(r, 1, more=1, kinds=[worlds.todo, worlds.shopping])
    b = Doc(r.choice([worlds.todo, worlds.shopping])(r))
    if b.name == doc.name or one[0] in b.text:
        raise Unfit
    it.user(told(r, r.choice(MOVE_FILE), f=doc.name, h=b.name, k=r.choice(one[1])))
    it.calls(("show", {"file_path": doc.name}), ("show", {"file_path": b.name})).results(workspace.numbered(doc.text), workspace.numbered(b.text))
    doc.drop(one[0])
    b.below(b.wanted[-1], one[0])
    return change(it, root, [doc, b], f"{workspace.gone(short(one), doc.name)}\nDone: `{one[0].strip()}` is now at the end of {b.name}.")


# ---- names throughout a file


# The name {o} becomes {n}; {w} is what it is.
RENAME = lines("""
rename {o} to {n} in {f}
rename the {w} {o} to {n} in {f}
rename {o} to {n} throughout {f}
the {w} {o} in {f} should be called {n}, rename it everywhere
call it {n} instead of {o} everywhere in {f}
in {f} rename {o} into {n}
[change|rename] the name of the {w} {o} in {f} to {n}, everywhere
{f}: rename {o} -> {n}
{o} is a bad name, rename it to {n} in {f}
I want {o} to be named {n} in all of {f}, rename it
[replace|change] every {o} [by|with|to] {n} in {f}
every use of {o} in {f} should become {n}
refactor {f}: rename {o} to {n}
let's rename {o} in {f}, the new name is {n}
{f} mein {o} ka naam {n} kar do, sab jagah
the {w} {o} needs a better name: {n}. Change all of {f}
use the name {n} for {o} across {f}
[can|could] you rename the {w} {o} in {f} to {n}?
change {o} to {n} wherever it is used in {f}
{w} {o} in {f}: rename to {n}, all uses too
give the {w} {o} in {f} the name {n}, and change all the places where it is used
please rename {o} as {n} in {f}
substitute {n} for {o} in the whole of {f}
all occurrences of {o} in {f} must be {n}
turn {o} into {n} all over {f}, every occurrence
{o} => {n} everywhere in {f}
we renamed {o} to {n}, so update every place in {f}
kindly rename {w} {o} to {n} in {f}
don't call it {o}, rename it {n}, whole file {f}
the {w} is called {o} in {f}; rename it, I'd like {n}
both the definition and the uses of {o} in {f} should say {n}
""")
# A person or a place of a text.
RENAME_WORD = lines("""
change {o} to {n} everywhere in {f}
replace {o} [by|with] {n} everywhere in {f}
every {o} in {f} should be {n}
{f}: {n} instead of {o}, everywhere please
it's {n} and not {o}: fix all of {f}
write {n} instead of {o} throughout {f}
[replace|change] all the {o}s in {f} [by|with|to] {n}
whenever it says {o} in {f} it should say {n}, change that
the name {o} is wrong, it's {n}. Fix it in the whole of {f}
{f} mein har jagah {o} ki jagah {n} likh do
swap each {o} for {n} in {f}
use {n} wherever {f} says {o}
[can|could] you replace every mention of {o} in {f} with {n}?
put {n} in place of {o} in all of {f}
all mentions of {o} in {f} become {n}, change them
""")
# Nobody says in which file.
RENAME_ANY = lines("""
rename {o} to {n} everywhere
rename the {w} {o} to {n}[| in the project| wherever it is used]
the {w} {o} should be called {n}, rename it
{o} needs another name, {n}: rename it in all files
change every {o} [in the code|in the project] to {n}
find {o} and rename it to {n} everywhere
[can|could] you rename {o} to {n} across the project?
replace {o} by {n} in all files
{o} -> {n}, rename it everywhere
rename {w} {o}, make it {n}, all places
""")


def usage(r):
    """(file, {name: what it is}): a program that uses its names."""
    form = r.choice(["py", "py", "js", "go", "rs", "sh", "ts"])
    v, x = r.choice([r.choice(worlds.NOUNS), rare(r)]), r.choice([rare(r), r.choice(worlds.NOUNS)])
    a, b = r.sample(worlds.VERBS, 2)
    p, q, n, m = r.choice(worlds.NOUNS), r.choice(worlds.NOUNS), r.randint(2, 90), r.randint(2, 90)
    camel = form in ("js", "go", "ts")
    fn, other, load = [one if not camel else one.split("_")[0] + "".join(map(worlds.capital, one.split("_")[1:])) for one in (f"{a}_{p}", f"{b}_{q}", f"load_{rare(r)}")]
    const = f"{r.choice(['max', 'min', 'default'])}_{r.choice(worlds.NOUNS)}".upper()
    body = {
        "py": [f"{const} = {n}", "", f"def {fn}(path):", f"    {v} = {load}(path)", f"    if len({v}) > {const}:", f"        {v} = {v}[:{const}]", f"    return {v}", "", f"def {other}():", f"    {x} = {fn}(\"{rare(r)}.txt\")", f"    print({x})", f"    return {fn}({m})"],
        "js": [f"const {const} = {n};", "", f"function {fn}(id) {{", f"  const {v} = {load}(id);", f"  if ({v}.length > {const}) {{", "    return null;", "  }", f"  return {v};", "}", "", f"function {other}() {{", f"  const {x} = {fn}({m});", f"  console.log({x});", f"  return {fn}({x});", "}"],
        "go": [f"package {r.choice(worlds.NOUNS)}", "", f"const {const} = {n}", "", f"func {fn}(id int) int {{", f"\t{v} := {load}(id)", f"\tif {v} > {const} {{", f"\t\treturn {const}", "\t}", f"\treturn {v}", "}", "", f"func {other}() int {{", f"\t{x} := {fn}({m})", f"\treturn {fn}({x})", "}"],
        "rs": [f"const {const}: u32 = {n};", "", f"fn {fn}(id: u32) -> u32 {{", f"    let {v} = {load}(id);", f"    {v}.min({const})", "}", "", f"fn {other}() {{", f"    let {x} = {fn}({m});", f"    println!(\"{{}}\", {x} + {fn}({const}));", "}"],
        "sh": ["#!/bin/bash", f"{const}={n}", "", f"{fn}() {{", f"  {v}=$({load} \"$1\")", f"  echo \"${v}\" | head -n ${const}", "}", "", f"{x}=$({fn} {m})", f"echo \"{x}: ${x}\""],
    }["js" if form == "ts" else form]
    return worlds.File(worlds.name(r, form), "\n".join(body)), {fn: "function", v: "variable", x: "variable", other: "function", const: "constant"}


def names_in(text, names):
    """Those that stand there several times, and only as whole words."""
    return [one for one in names if text.count(one) >= 2 and text.count(one) == len(re.findall(rf"(?<!\w){re.escape(one)}(?!\w)", text))]


def renamed(r, old):
    for _ in range(30):
        a, b = r.choice(worlds.VERBS), r.choice([r.choice(worlds.NOUNS), rare(r)])
        new = old.split("_")[0] + "_" + b.upper() if old.isupper() else f"{a}_{b}" if "_" in old else f"{a}{worlds.capital(b)}" if re.search("[a-z][A-Z]", old) else r.choice([b, f"{b}s", f"{old}_list" if r.random() < 0.3 else b])
        if new != old:
            return new
    raise Unfit


def letter(r):
    """(file, a name that stands in several of its lines)."""
    who, other, third = r.sample(worlds.PEOPLE, 3)
    some = [f"{who} opened the meeting.", f"Thanks to {who} for the {r.choice(worlds.THINGS)}.", f"{who} will ask about the {r.choice(worlds.THINGS)}.", f"{other} and {who} were there.", f"The {r.choice(worlds.THINGS)} is with {who}.", f"Questions go to {who} or {third}.", f"{other} brings the {r.choice(worlds.THINGS)}.", worlds.filled(r, "The {t} is borrowed."), f"- {who}: {r.choice(worlds.DOINGS).split()[0]} the {r.choice(worlds.THINGS)}", f"- {other}: {r.choice(worlds.GOODS)}"]
    rows = r.sample(some, r.randint(4, 7))
    return worlds.File(worlds.name(r, r.choice(["md", "txt"]), 0.1), "\n".join([*worlds.heading(r, "md"), *rows])), who


def rename(r, it, root):
    if r.random() < 0.25:
        file, old = letter(r)
        new = r.choice([one for one in worlds.PEOPLE if one not in file.text])
        if not names_in(file.text, [old]):
            raise Unfit
        doc = Doc(file)
        asked(r, it, doc, r.choice(RENAME_WORD), o=old, n=new)
        doc.every(old, new)
        return change(it, root, [doc], done(doc, old, new))
    file, kinds = usage(r)
    some = names_in(file.text, kinds)
    if not some:
        raise Unfit
    old = r.choice(some)
    new = renamed(r, old)
    if new in file.text:
        raise Unfit
    doc = Doc(file)
    values = {"o": workspace.quoted(r, old), "n": workspace.quoted(r, new), "w": kinds[old]}
    if r.random() < 0.72:
        asked(r, it, doc, r.choice(RENAME), **values)
        doc.every(old, new)
        return change(it, root, [doc], done(doc, old, new))
    docs = [doc]
    if kinds[old] == "function" and r.random() < 0.4:
        form = file.name.rsplit(".", 1)[-1]
        uses = {"py": [f"from {rare(r)} import {old}", "", f"print({old}({r.randint(2, 90)}))"], "go": [f"func main() {{", f"\tfmt.Println({old}({r.randint(2, 90)}))", f"\t_ = {old}(1)", "}"], "rs": [f"use crate::{old};", "", "fn main() {", f"    {old}({r.randint(2, 90)});", "}"], "sh": [f"{old} a.txt", f"{old} b.txt | sort"]}
        text = uses.get(form, [f"import {{ {old} }} from './{rare(r)}';", f"{old}({r.randint(2, 90)});"])
        second = Doc(worlds.File(worlds.name(r, form), "\n".join(text)))
        if second.name == doc.name:
            raise Unfit
        docs = sorted([doc, second], key=lambda one: one.name)
    hits = "\n".join("".join(f"{one.name}:{at}: {line}\n" for at, line in enumerate(one.text.split("\n"), 1) if old in line) for one in docs)
    it.user(tell(r, r.choice(RENAME_ANY), **values)).calls(("search", {"pattern": old})).results(hits)
    for one in docs:
        one.every(old, new)
    return change(it, root, docs, "\n".join(done(one, old, new) for one in docs))


# ---- into a section, beside a line, at the top


# A line {t} comes into the section {s}, behind what stands there.
INTO = lines("""
add {t} to the {s} section [of|in] {f}
add {t} to {s} in {f}
put {t} [in|into] the {s} part of {f}
in {f}, add {t} to the {s} section
[add|insert] {t} in the section {s} of {f}
{f}: add {t} to {s}
the {s} section in {f} needs {t}, add it
{s} in {f} should also have {t}, add it there
{t} belongs in the {s} section of {f}, add it there
{t} is missing from {s} in {f}, please add it
{f} ke {s} section mein {t} add kar do
{s} section mein {t} daal do, add karo file {f} mein
extend the {s} section of {f} with {t}
include {t} among the {s} entries in {f}, add it there
[can|could] you add {t} to {s} in {f}?
insert {t} at the end of the {s} section in {f}
add the line {t} to {s} in {f}, as the last one there
I need {t} in the {s} section of {f}, add it
to {s} in {f}, add {t}
one more for {s} in {f}: add {t}
append {t} to the {s} section in {f}, not to the end of the file
please add {t} to the part of {f} that is called {s}
new entry for the {s} section in {f}, add {t}
write {t} into the {s} section of {f}
let {s} have {t} as well, add it in {f}
add to {s} in {f}: {t}
kindly add {t} in {s} of {f}
stick {t} in the {s} block of {f}
the {s} list in {f} lacks {t}, put it there
under {s} in {f} comes {t} as the last entry, add it
put {t} with the other {s} entries in {f}
""")
# {k} is said in words, and {n}.
KEY_INTO = lines("""
add a {k} of {n} to the {s} section [of|in] {f}
add {k} with the value {n} to {s} in {f}
the {s} section in {f} needs a {k} of {n}, add it
in {f}, give {s} a new setting {k} with {n}
{f}: new key {k} with value {n} in {s}, add it
add the setting {k} ({n}) to {s} in {f}
put a {k} of {n} into {s} in {f}
{s} in {f} has no {k}, add it with {n}
{f} ke {s} mein {k} {n} add karo
insert {k} with {n} into the {s} part of {f}
[can|could] you add a {k} to {s} in {f}? The value is {n}
""")
# Directly behind the line that {s} is.
UNDER = lines("""
add {t} [directly |right |]under {s} in {f}
put {t} right below the heading {s} in {f}
add {t} below {s} in {f}
in {f}, [add|insert|put] {t} under the heading {s}
insert {t} directly after the {s} line in {f}
{f}: add {t} just under {s}
{t} should stand right under {s} in {f}, add it
[can|could] you put {t} directly below {s} in {f}?
{f} mein {s} ke neeche {t} add kar do
write {t} on the line after the heading {s}, {f}
the first thing below {s} in {f} should be {t}, add it
add a line under {s} in {f}: {t}
add {t} under {s}, at the start of that section, in {f}
please insert {t} immediately below {s} in {f}
beneath {s} in {f}, add {t}
new line below the {s} heading of {f}: add {t}
""")
# Behind the line about {y}.
BELOW = lines("""
add {t} [below|under|after|behind] {y} in {f}
put {t} [after|below] the {y} line in {f}
insert {t} after {y} in {f}
in {f} add {t} below {y}
{f}: add {t} after {y}
{t} comes after {y} in {f}, add it
[add|insert] {t} right under {y} in {f}
{f} mein {y} ke baad {t} add kar do
{y} ke neeche {t} likh ke add karo, {f}
I need {t} directly below {y} in {f}, add it
[can|could] you add {t} just after {y} in {f}?
below {y} in {f} put {t}
after the line about {y} in {f}, add {t}
add a line after {y} in {f}: {t}
{t} is missing after {y} in {f}, put it there
please put {t} behind {y} in {f}, on a line of its own
let {t} follow {y} in {f}, add it there
squeeze {t} in below {y} in {f}, add it there
put {t} next, after {y}, in {f}
the item following {y} in {f} should be {t}, add it
add {t} to {f}, right after {y}
write {t} beneath {y} in {f}
""")
ABOVE = lines("""
add {t} [before|above] {z} in {f}
put {t} [before|above] the {z} line in {f}
insert {t} before {z} in {f}
in {f} add {t} above {z}
{f}: add {t} before {z}
{t} comes before {z} in {f}, add it
[add|insert] {t} right above {z} in {f}
{f} mein {z} se pehle {t} add kar do
{z} ke upar {t} likh ke add karo, {f}
I need {t} directly above {z} in {f}, add it
[can|could] you add {t} just before {z} in {f}?
above {z} in {f} put {t}
before the line about {z} in {f}, add {t}
add a line before {z} in {f}: {t}
{t} has to stand before {z} in {f}, put it there
please put {t} ahead of {z} in {f}, on a line of its own
let {t} precede {z} in {f}, add it there
squeeze {t} in above {z} in {f}, add it there
add {t} to {f}, right before {z}
""")
FIRST = lines("""
add {t} as the first item [in|of] {f}
add {t} to the top of the list in {f}
put {t} first in {f}
{t} should be the first entry in {f}, add it
insert {t} at the beginning of the list in {f}
in {f}, add {t} as the first point
{f}: add {t} before everything else in the list
make {t} the first item on {f}, add it
{f} mein sabse pehle {t} add karo
add {t} above all the other items in {f}
{t} is most urgent: put it at the top of the list in {f}
start the list in {f} with {t}, add it there
[can|could] you add {t} at the very top of the list in {f}?
put {t} ahead of all others in {f}
please add {t} to {f}, but as the first one
the list in {f} should begin with {t}, add that
prepend {t} to the items in {f}
add to the start of the list in {f}: {t}
""")
# A heading {t} comes to the top.
HEADING = lines("""
add the heading {t} [at|to] the top of {f}
add a heading {t} to {f}
put the title {t} at the top of {f}
{f} has no heading, add {t}
give {f} the heading {t}
give {f} a title: {t}
start {f} with the heading {t}, add it
in {f}, add {t} as a heading at the top
insert the title {t} above everything in {f}
{f}: add the heading {t} on top
{f} should begin with the heading {t}, add it
[can|could] you put a heading {t} on top of {f}?
{f} ke upar heading {t} laga do, add it
the first line of {f} should be the heading {t}, add it
prepend the heading {t} to {f}
write {t} as a title at the top of {f}
please add {t} to {f} as its title
add {t} as the headline of {f}
I'd like a heading in {f}, at the top: {t}
make {t} the title of {f}, there is none yet, add it
a heading is missing in {f}: put {t} there
set a title in {f}: {t}
insert a heading line at the very top of {f}: {t}
kindly add heading {t} in {f}
add a top heading to {f} that says {t}
""")
# A comment {t} above the line of {k}.
REMARK = lines("""
add [a|the] comment {t} above {k} in {f}
put [a|the] comment {t} above the {k} line in {f}
in {f}, add the comment {t} before {k}
{f}: comment above {k}, add {t}
above {k} in {f} add a comment that says {t}
add a comment line above {k} in {f}: {t}
insert the comment {t} right before {k} in {f}
explain {k} in {f} with a comment above it, add {t}
write {t} as a comment above {k} in {f}
[can|could] you put the comment {t} over {k} in {f}?
note {t} as a comment above the {k} setting in {f}, add it there
{f} mein {k} ke upar comment {t} add karo
the {k} line in {f} needs a comment above it: add {t}
please add the remark {t} as a comment above {k} in {f}
I want a comment before {k} in {f}, add {t}
give the {k} line in {f} a comment above: {t}
leave a comment above {k} in {f}, put {t}
document {k} in {f}: add {t} as a comment line above
""")
COMMENT_OUT = lines("""
comment out {k} in {f}
comment out the {k} line in {f}
in {f}, comment out [the |]{k}
{f}: comment out {k}
comment the {k} setting out in {f}
please comment out {k} in {f}, don't delete it
make the {k} line in {f} a comment
turn the {k} line of {f} into a comment
disable the {k} line in {f} by commenting it out
[can|could] you comment out the line with {k} in {f}?
put a comment sign before {k} in {f}, comment it out
{f} mein {k} comment kar do, comment out
I don't want {k} for now, comment it out in {f}
comment {k} out, I may need it again, {f}
the {k} in {f} should be commented out
""")
COMMENT_OUT_TWO = lines("""
comment out {k} and {j} in {f}
comment out the {k} and {j} lines in {f}
in {f}, comment out both {k} and {j}
{f}: comment out {k}, {j}
comment {k} out in {f}, and {j} as well
please comment out two lines in {f}, {k} and {j}
make {k} and {j} in {f} comments
the {k} and the {j} in {f} should be commented out
comment out {k} in {f} and do the same with {j}
{f} mein {k} aur {j} dono comment out karo
""")
UNCOMMENT = lines("""
uncomment {k} in {f}
uncomment the {k} line in {f}
in {f}, uncomment [the |]{k}
{f}: uncomment {k}
the {k} line in {f} is commented out, uncomment it
[can|could] you uncomment {k} in {f}?
comment {k} back in, {f}: uncomment it
we need {k} again, uncomment it in {f}
remove the comment sign from {k} in {f}, uncomment it
{f} mein {k} uncomment kar do
make {k} in {f} active again, uncomment it
activate the {k} line in {f}, uncomment it
take the comment sign off the {k} line in {f}
please uncomment the setting {k} in {f}
""")
UNCOMMENT_TWO = lines("""
uncomment {k} and {j} in {f}
in {f}, uncomment both {k} and {j}
{f}: uncomment {k}, {j}
uncomment {k} in {f}, and {j} too
we need {k} and {j} again, uncomment them in {f}
the {k} and {j} lines in {f} should be uncommented
{f} mein {k} aur {j} uncomment karo
please uncomment the two lines {k} and {j} in {f}
""")


def sections(r):
    """(file, [(what a section is called, its heading, its lines, whether a blank stands behind the heading)], how a new line is made)."""
    n, form = r.choice([2, 2, 3]), r.choice(["toml", "ini", "cfg", "yaml", "md", "md", "md", "txt"])
    out, parts = [], []
    if form in ("md", "txt"):
        names = r.sample(["Monday", "Tuesday", "Friday", "Kitchen", "Garden", "Open", "Done", "Later", "Ideas", "Food", "Drinks", "Tools", "Decisions", "Questions", "Features", "Fixes", "To buy", "To ask", "Books", "Music", "House", "Office", "Team", "Week 1", "Week 2", "Inside", "Outside", "Added", "Changed", worlds.capital(rare(r))], n)
        blank, mark = r.random() < 0.45, r.choice(["- ", "- ", "* ", "- [ ] ", ""] if form == "md" else ["- ", "", "* "])
        if form == "md" and r.random() < 0.7:
            out += [f"# {worlds.filled(r, r.choice(worlds.HEADS))}", ""]
        for at, name in enumerate(names):
            head = {"md": f"## {name}", "txt": r.choice([f"{name}:", f"{name}:", name.upper()])}[form]
            some = [mark + (worlds.task(r)[0] if r.random() < 0.5 else r.choice(worlds.GOODS)) for _ in range(r.randint(1, 4))]
            out += ([""] if at and out[-1] else []) + [head] + ([""] if blank and form == "md" else []) + some
            parts.append((name, head, some, blank and form == "md"))
        return worlds.File(worlds.name(r, form), "\n".join(out)), parts, mark
    names = r.sample("server client database cache mail logging auth web worker paths limits theme user backup api queue storage search deploy test build network display audio sensor game prices shop club".split(), n)
    chosen = worlds.some_settings(r, 9)
    for at, name in enumerate(names):
        head = f"{name}:" if form == "yaml" else f"[{name}]"
        some = []
        for key, _, kind in chosen[at * 3: at * 3 + r.randint(1, 3)]:
            some.append(("  " if form == "yaml" else "") + worlds.setting_line(key, worlds.made(r, kind), kind, form))
        if not some:
            raise Unfit
        out += ([""] if at and form != "yaml" else []) + [head] + some
        parts.append((name, head, some, False))
    return worlds.File(r.choice(["", "", "config/", "conf/", "app/", f"{r.choice(worlds.FOLDERS)}/"]) + f"{r.choice(['config', 'settings', 'app', 'server', rare(r), 'local', worlds.stem(r)])}.{form}", "\n".join(out)), parts, form


def new_setting(r, doc, form):
    """(what it is called, its value, its line)."""
    for _ in range(60):
        key, calls, kind = r.choice(worlds.SETTINGS)
        if key not in doc.first:
            value = worlds.made(r, kind)
            return key, r.choice([*calls, key]), value, worlds.setting_line(key, value, kind, form)
    raise Unfit


def stands(doc, new, where, line):
    return f"Done: in {doc.name}, `{new.strip()}` stands {where} `{line.strip()}`."


def into(r, it, root):
    """A line comes into a section: at its end, or directly under its heading."""
    file, parts, mark = sections(r)
    doc = Doc(file)
    name, head, some, blank = r.choice(parts)
    if doc.first.count(head) != 1 or any(doc.first.count(line) != 1 for line in some[-1:]):
        raise Unfit
    config = mark in ("toml", "ini", "cfg", "yaml")
    s = r.choice([name, name, name.lower(), head] if not config else [name, name, head])
    s = s.rstrip(":")
    if config:
        key, k, value, line = new_setting(r, doc, mark)
        text, new = line, ("  " if mark == "yaml" else "") + line
    else:
        text, _ = at_end(r, doc)
        new = mark + text
        if new in doc.first:
            raise Unfit
    last = some[-1]
    if r.random() < 0.35:
        # Directly under the heading, where something stands there; with a blank between, as the first of the list.
        asked(r, it, doc, r.choice(UNDER), s=s, t=quoted(r, text))
        if not blank:
            doc.below(head, new)
            return change(it, root, [doc], stands(doc, new, "below", head))
        doc.above(some[0], new)
        return change(it, root, [doc], stands(doc, new, "below", head))
    if config and r.random() < 0.4:
        asked(r, it, doc, r.choice(KEY_INTO), s=s, k=r.choice([k, key, key]), n=value)
        if key.replace("_", " ") not in it.messages[0][1].lower() and key not in " ".join(text for role, text in it.messages if role == "user"):
            raise Unfit
    else:
        asked(r, it, doc, r.choice(INTO), s=s, t=quoted(r, text))
    doc.below(last, new)
    return change(it, root, [doc], stands(doc, new, "below", last))


def listed(r):
    """(doc, its items, the mark they have)."""
    doc, some = some_items(r, 1, more=1, kinds=[worlds.todo, worlds.shopping])
    mark = re.match(r"(- \[ \] |[-*+] |\[ \] |TODO )?", some[0][0]).group()
    return doc, some[0], mark


def beside(r, it, root):
    """A line comes before or behind another, or to the beginning of a list."""
    pick = r.random()
    if pick < 0.2:
        doc, file, ((fact, k, _),) = some_facts(r, 1, kinds=[worlds.config])
        form = file.name.rsplit(".", 1)[-1] if "." in file.name else "env"
        if form not in ("toml", "ini", "cfg", "yaml", "yml", "env", "py", "js", "ts", "rs", "conf", "lua") or not re.match(r"[ A-Za-z]", fact.line):
            raise Unfit
        _, _, _, line = new_setting(r, doc, form)
        pad = re.match(" *", fact.line).group()
        above = r.random() < 0.4
        asked(r, it, doc, r.choice(ABOVE if above else BELOW), t=quoted(r, line), **{"z" if above else "y": k})
        (doc.above if above else doc.below)(fact.line, pad + line)
        return change(it, root, [doc], stands(doc, line, "above" if above else "below", fact.line))
    doc, item, mark = listed(r)
    text, _ = at_end(r, doc)
    said = mark + text if mark in ("- ", "* ") and r.random() < 0.2 else text
    if pick < 0.4:
        first = next((line for line in doc.first.split("\n") if line.startswith(mark) and line.lower() not in ("", "# todo") and not line.startswith(("#", "=")) and not line.endswith((":", "list", "==")) and not line.isupper()), None)
        if not mark or first is None:
            raise Unfit
        asked(r, it, doc, r.choice(FIRST), t=quoted(r, said))
        doc.above(first, mark + text)
        return change(it, root, [doc], stands(doc, mark + text, "above", first))
    above = pick < 0.67
    asked(r, it, doc, r.choice(ABOVE if above else BELOW), t=quoted(r, said), **{"z" if above else "y": r.choice([short(item), item[1][0]])})
    (doc.above if above else doc.below)(item[0], mark + text)
    return change(it, root, [doc], stands(doc, mark + text, "above" if above else "below", item[0]))


SIGNS = {"toml": "#", "yaml": "#", "yml": "#", "env": "#", "py": "#", "sh": "#", "rb": "#", "ini": "#", "cfg": "#", "conf": "#", "js": "//", "ts": "//", "go": "//", "rs": "//", "php": "//", "lua": "--", "properties": "#", "service": "#", "tf": "#", "mk": "#"}


COMMENT_CODE = lines("""
comment out the {w} line in {f}
comment out the {w} statement in {f}
{f}: comment out the {w}
in {f} comment out the {w} call
the {w} in {f} should be commented out
make the {w} line of {f} a comment
turn the {w} in {f} into a comment, don't delete it
I don't want the {w} in {f} for now, comment it out
[can|could] you comment out the {w} in {f}?
{f} mein {w} wali line comment out kar do
""")


def prints(r, it, root):
    """A line of a program becomes a comment: the one that prints."""
    file, _ = usage(r)
    form = file.name.rsplit(".", 1)[-1]
    w = {"py": "print", "js": "console.log", "ts": "console.log", "rs": "println", "go": "return", "sh": "echo"}[form]
    some = [line for line in file.text.split("\n") if w in line]
    if len(some) != 1 or form == "go":
        raise Unfit
    doc, (line,) = Doc(file), some
    pad = re.match(r"\s*", line).group()
    asked(r, it, doc, r.choice(COMMENT_CODE), w=r.choice([w, w, "print" if form != "sh" else w]))
    after = f"{pad}{SIGNS[form]} {line[len(pad):]}"
    doc.change(line, after)
    return change(it, root, [doc], done(doc, line, after))


def comments(r, it, root):
    """A heading at the top, a comment above a line, lines that become comments, and no longer are."""
    pick = r.random()
    if pick < 0.22:
        file = worlds.draw(r, [worlds.todo, worlds.shopping, worlds.prose, worlds.schedule, worlds.table])
        rows = file.text.split("\n")
        if not rows[0].strip() or rows[0].startswith(("#", "=", "*")) and not rows[0].startswith("* ") or len(rows) > 1 and rows[1].startswith(("---", "===")) or rows[0].isupper() or rows[0].startswith("|") or file.text.count(rows[0]) > 1:
            raise Unfit
        if not rows[1:2] or len(rows) > 1 and not rows[1] and not re.match("Dear|Meeting|Minutes|Board", rows[0]):
            raise Unfit
        doc = Doc(file)
        title = r.choice([worlds.filled(r, r.choice(worlds.HEADS)), worlds.capital(rare(r)), f"{worlds.capital(r.choice(worlds.THINGS))} {r.choice(worlds.STEMS)}", f"{r.choice(worlds.PEOPLE)}'s {r.choice(worlds.STEMS)}", f"{worlds.capital(r.choice(worlds.STEMS))} {r.randint(2023, 2028)}"])
        sign = "= " if file.name.endswith(".adoc") else "* " if file.name.endswith(".org") else "# "
        whole = sign + title
        said = whole if r.random() < 0.3 else title
        asked(r, it, doc, r.choice(HEADING), t=quoted(r, said) if r.random() < 0.6 else said)
        doc.above(rows[0], f"{whole}\n")
        return change(it, root, [doc], f"Done: `{whole}` is now the heading of {doc.name}.")
    if pick < 0.3:
        return prints(r, it, root)
    n = 1 if pick < 0.75 else 2
    doc, file, some = some_facts(r, n, kinds=[worlds.config])
    sign = SIGNS.get(file.name.rsplit(".", 1)[-1] if "." in file.name.rsplit("/", 1)[-1].lstrip(".") else "env")
    if not sign or any(one.line.startswith("\t") or not re.match(r"\s*[A-Za-z$]", one.line) for one, _, _ in some):
        raise Unfit
    if ";" in file.text and file.name.endswith("ini") and any(line.startswith(";") for line in file.text.split("\n")):
        sign = ";"
    fact, k, _ = some[0]
    if pick < 0.48:
        note = worlds.filled(r, r.choice([*worlds.COMMENTS, "ask {p} before changing this", "see {w}", "{p} wants this", "because of the {t}", "for {w} and {w}"]))
        if note in doc.first:
            raise Unfit
        said = f"{sign} {note}" if r.random() < 0.3 else note
        asked(r, it, doc, r.choice(REMARK), k=k, t=quoted(r, said))
        pad = re.match(r"\s*", fact.line).group()
        doc.above(fact.line, f"{pad}{sign} {note}")
        return change(it, root, [doc], stands(doc, f"{sign} {note}", "above", fact.line))
    def out(line):
        pad = re.match(r"\s*", line).group()
        return f"{pad}{sign} {line[len(pad):]}"
    if r.random() < 0.5:
        asked(r, it, doc, r.choice(COMMENT_OUT if n == 1 else COMMENT_OUT_TWO), k=k, **({"j": some[1][1]} if n == 2 else {}))
        pairs = [(one.line, out(one.line)) for one, _, _ in some]
    else:
        gap = r.choice([" ", " ", ""])
        marked = {one.line: out(one.line).replace(f"{sign} ", f"{sign}{gap}", 1) for one, _, _ in some}
        doc = Doc(worlds.File(file.name, "\n".join(marked.get(line, line) for line in file.text.split("\n"))))
        asked(r, it, doc, r.choice(UNCOMMENT if n == 1 else UNCOMMENT_TWO), k=k, **({"j": some[1][1]} if n == 2 else {}))
        pairs = [(marked[one.line], one.line) for one, _, _ in some]
    for old, new in pairs:
        doc.change(old, new)
    return change(it, root, [doc], "\n".join(done(doc, old, new) for old, new in pairs))


# ---- swapped, and moved within a file


SWAP_VALUES = lines("""
swap the values of {k} and {j} in {f}
swap {k} and {j} in {f}, I mean their values
{k} and {j} are mixed up in {f}, [swap them|exchange them|switch them]
in {f} swap the {k} with the {j}
exchange {k} and {j} in {f}
{f}: {k} and {j} the other way round, swap them
somebody confused {k} and {j} in {f}, swap their values
give {k} the value of {j} in {f} and the other way round
the {k} in {f} should have what {j} has, and {j} what {k} has
interchange the values of {k} and {j} in {f}
[can|could] you switch {k} and {j} around in {f}?
{f} mein {k} aur {j} ki value adla badli kar do, swap
{k} has the value of {j} in {f} and vice versa, fix it by swapping
switch the {k} and the {j} values in {f}
please swap what stands for {k} and for {j} in {f}
reverse the values of {k} and {j}, {f}
swap: {k} and {j} in {f}
the values of {k} and {j} in {f} must trade places
""")
SWAP_LINES = lines("""
swap the lines {k} and {j} in {f}
swap {k} and {j} in {f}
in {f} swap the order of {k} and {j}
{k} and {j} in {f} are in the wrong order, swap them
exchange the places of {k} and {j} in {f}
{f}: swap {k} with {j}
switch the two lines about {k} and {j} in {f}
{j} should come before {k} in {f}, swap the two
let {k} and {j} change places in {f}
[can|could] you swap {k} with {j} in {f}?
{f} mein {k} aur {j} ki jagah badal do
turn around the order of {k} and {j} in {f}
exchange the {k} line and the {j} line in {f}
please put {j} where {k} is in {f} and the other way round
reorder {f}: {j} first, {k} after it, swap them
flip {k} and {j} in {f}
""")
MOVE_ABOVE = lines("""
move {k} above {j} in {f}
move the {k} line before {j} in {f}
in {f}, put {k} before {j}, move it
{k} should stand above {j} in {f}, move it there
{f}: move {k} before {j}
take {k} in {f} and move it up, before {j}
[can|could] you move {k} to before {j} in {f}?
{f} mein {k} ko {j} se pehle kar do, move it
bring {k} ahead of {j} in {f}, move the line
please shift {k} above {j} in {f}
{k} is to be done before {j}, move it up in {f}
reorder {f} so that {k} comes just before {j}
""")
MOVE_BELOW = lines("""
move {k} below {j} in {f}
move the {k} line after {j} in {f}
in {f}, put {k} behind {j}, move it
{k} should stand below {j} in {f}, move it there
{f}: move {k} after {j}
take {k} in {f} and move it down, after {j}
[can|could] you move {k} to after {j} in {f}?
{f} mein {k} ko {j} ke baad kar do, move it
let {k} come after {j} in {f}, move the line
please shift {k} below {j} in {f}
{k} can wait until after {j}, move it down in {f}
reorder {f} so that {k} comes right after {j}
""")
MOVE_TOP = lines("""
move {k} to the top of the list in {f}
make {k} the first item in {f}, move it up
{k} should be first in {f}, move it there
in {f}, move {k} to the beginning of the list
{f}: move {k} up to first place
{k} is the most urgent in {f}, move it to the top
[can|could] you move {k} to the top in {f}?
put {k} first in {f}, it is further down now, move it
bring {k} to the top of the list in {f}, move the line
please move the {k} line up to be the first in {f}
""")
MOVE_END = lines("""
move {k} to the end of {f}
move {k} to the bottom of {f}
{k} should be last in {f}, move it there
in {f}, move the {k} line to the end
{f}: move {k} down to the end
{k} can wait, move it to the bottom of {f}
[can|could] you move {k} to the very end of {f}?
put {k} last in {f}, move the line
shift {k} to the end of the list in {f}
please move the {k} line down to be the last in {f}
""")


def swapped(r, it, root):
    pick = r.random()
    if pick < 0.45:
        doc, _, some = some_facts(r, 2, flags=False, kinds=[worlds.config, worlds.config, worlds.rows, worlds.schedule, worlds.prose, worlds.recipe, worlds.plain])
        (one, k, _), (other, j, _) = some
        if one.kind.split(" ")[0] != other.kind.split(" ")[0] or one.value == other.value or other.value in one.line or one.value in other.line:
            raise Unfit
        asked(r, it, doc, r.choice(SWAP_VALUES), k=k, j=j)
        pairs = [(one.line, one.after(other.value)), (other.line, other.after(one.value))]
        for old, new in pairs:
            doc.change(old, new)
        return change(it, root, [doc], "\n".join(done(doc, old, new) for old, new in pairs))
    doc, some = some_items(r, 2, more=0 if pick < 0.65 else 1, kinds=[worlds.todo, worlds.shopping, worlds.schedule, worlds.rows, worlds.plain])
    rows = doc.first.split("\n")
    some = sorted(some, key=lambda one: rows.index(one[0]))
    a, b = some
    first, second = rows.index(a[0]), rows.index(b[0])
    def names(x, y):
        return {"k": r.choice([short(x), x[1][0]]), "j": r.choice([short(y), y[1][0]])}
    if pick < 0.65:
        if second != first + 1:
            raise Unfit
        values = names(a, b)
        asked(r, it, doc, r.choice(SWAP_LINES), **values)
        # The second goes, and stands again before the first.
        doc.drop(b[0])
        doc.above(a[0], b[0])
        return change(it, root, [doc], stands(doc, b[0], "above", a[0]))
    if pick < 0.77:
        asked(r, it, doc, r.choice(MOVE_ABOVE), **names(b, a))
        doc.drop(b[0])
        doc.above(a[0], b[0])
        return change(it, root, [doc], stands(doc, b[0], "above", a[0]))
    if pick < 0.88:
        asked(r, it, doc, r.choice(MOVE_BELOW), **names(a, b))
        doc.drop(a[0])
        doc.below(b[0], a[0])
        return change(it, root, [doc], stands(doc, a[0], "below", b[0]))
    if pick < 0.94:
        mark = re.match(r"(- \[ \] |[-*+] |\[ \] |TODO )?", b[0]).group()
        first = next(line for line in rows if line.startswith(mark)) if mark else a[0]
        if not mark or first == b[0] or first.endswith(":"):
            raise Unfit
        asked(r, it, doc, r.choice(MOVE_TOP), k=names(b, a)["k"])
        doc.drop(b[0])
        doc.above(first, b[0])
        return change(it, root, [doc], stands(doc, b[0], "above", first))
    if a[0] == rows[-1]:
        raise Unfit
    asked(r, it, doc, r.choice(MOVE_END), k=names(a, b)["k"])
    doc.drop(a[0])
    doc.below(doc.wanted[-1], a[0])
    return change(it, root, [doc], f"Done: `{a[0].strip()}` is now at the end of {doc.name}.")


# ---- what is not there, and what is so already


def no_such(k, doc, more="nothing else was changed"):
    return f"There is no {k} in {doc.name}, so {more}."


def half_there(r, it, root):
    """One of the things is not there: the other is done, and that is said."""
    pick = r.random()
    if pick < 0.55:
        doc, file, ((fact, k, new),) = some_facts(r, 1, flags=False)
        other = absent(r, doc)
        kind = next(kind for _, calls, kind in worlds.SETTINGS if other in calls)
        if kind == "flag":
            raise Unfit
        value = worlds.made(r, kind)
        one, two = [(k, workspace.typed_value(r, fact, new)), (other, value)][:: r.choice([1, -1])]
        asked(r, it, doc, r.choice([it_ for it_ in TWO if "{n}:{m}" not in it_ and "in that order" not in it_ and "respectively" not in it_ and "are wrong" not in it_ and "has the old" not in it_]), k=one[0], n=one[1], j=two[0], m=two[1])
        doc.change(fact.line, fact.after(new))
        return change(it, root, [doc], f"{done(doc, fact.line, fact.after(new))}\n{no_such(other, doc)}")
    if pick < 0.85:
        doc, (one,) = some_items(r, 1, more=1)
        other = absent(r, doc, goods=True)
        k, j = [r.choice([short(one), *one[1]]), other][:: r.choice([1, -1])]
        asked(r, it, doc, r.choice(TWO_GONE), k=k, j=j)
        doc.drop(one[0])
        return change(it, root, [doc], f"{workspace.gone(short(one), doc.name)}\nThere is no line about {other} in {doc.name}, so nothing else was changed.")
    doc, _, ((fact, k, new),) = some_facts(r, 1, flags=False, kinds=[worlds.config, worlds.config, worlds.rows])
    other = absent(r, doc)
    asked(r, it, doc, r.choice(SET_GONE), k=k, n=workspace.typed_value(r, fact, new), j=other)
    doc.change(fact.line, fact.after(new))
    return change(it, root, [doc], f"{done(doc, fact.line, fact.after(new))}\n{no_such(other, doc)}")


SET_ONE = lines("""
[set|change|switch|put|update] [the |]{k} to {n} in {f}
in {f} [set|change|put] [the |]{k} to {n}
make [the |]{k} {n} in {f}
{f}: set {k} to {n}
{k} in {f} should be {n}
the {k} in {f} must be {n}, change it
[can|could] you change the {k} in {f} to {n}?
I want the {k} in {f} to be {n}
use {n} as the {k} in {f}
{f} mein {k} {n} kar do
{k} -> {n} in {f}
please make sure that {k} is set to {n} in {f}
we need {k} at {n} in {f}
edit {f} so that the {k} is {n}
kindly change {k} to {n} in {f}
give {k} the value {n} in {f}
put {n} for the {k} in {f}
the {k} ought to be {n}, fix {f}
update {f}, {k} is {n}
{k} = {n} in {f}
{f} needs {n} for {k}, set it
adjust the {k} to {n}, {f}
""")
ON_ONE = ["turn {k} on in {f}", "enable {k} in {f}", "switch on {k} in {f}", "{f}: turn on {k}", "in {f} {k} should be on", "activate {k} in {f}", "{f} mein {k} on kar do", "make sure {k} is enabled in {f}, turn it on", "set {k} to true in {f}", "{k} should be true in {f}", "could you switch {k} on in {f}?", "I want {k} on in {f}"]
OFF_ONE = ["turn {k} off in {f}", "disable {k} in {f}", "switch off {k} in {f}", "{f}: turn off {k}", "in {f} {k} should be off", "deactivate {k} in {f}", "{f} mein {k} off kar do", "make sure {k} is disabled in {f}, turn it off", "set {k} to false in {f}", "{k} should be false in {f}", "could you switch {k} off in {f}?", "I want {k} off in {f}"]
ADD_ONE = lines("""
add {t} to {f}[| unless it is there]
put {t} on {f}
add {t} to the list in {f}
{f} needs {t}, add it
make sure {t} is in {f}, add it if not
append {t} to {f} if it is missing
add {t} to {f}, if nobody has yet
{t} should be on {f}, add it
is {t} in {f}? If not, add it
check {f} for {t} and add it where it is missing
""")
MARK_ONE = lines("""
mark {k} as done in {f}
{k} is done, mark it in {f}
tick off {k} in {f}
in {f}, mark {k} as done
{f}: check off {k}
set {k} in {f} to done
tick the {k} box in {f}
{f} mein {k} done mark karo
[can|could] you mark {k} in {f} as finished, I mean done?
put an x at {k} in {f}, mark it done
""")


def so_already(doc, line, what="Nothing to change: "):
    return f"{what}{doc.name} already has `{line.strip()}`."


def nothing(r, it, root):
    """All is as it is asked for already, or a part of it."""
    pick = r.random()
    if pick < 0.5:
        doc, _, ((fact, k, _),) = some_facts(r, 1)
        if fact.kind == "flag":
            pattern = r.choice(ON_ONE if fact.value.lower() == "true" else OFF_ONE)
        else:
            pattern = r.choice(SET_ONE)
        asked(r, it, doc, pattern, k=k, n=fact.value)
        return calm(it, [doc], so_already(doc, fact.line))
    if pick < 0.68:
        # One of two is so.
        doc, _, some = some_facts(r, 2, flags=False)
        (fact, k, new), (other, j, _) = some
        pairs = [(k, workspace.typed_value(r, fact, new)), (j, other.value)][:: r.choice([1, -1])]
        asked(r, it, doc, r.choice([one for one in TWO if "are wrong" not in one and "has the old" not in one]), k=pairs[0][0], n=pairs[0][1], j=pairs[1][0], m=pairs[1][1])
        doc.change(fact.line, fact.after(new))
        return change(it, root, [doc], f"{done(doc, fact.line, fact.after(new))}\n{so_already(doc, other.line, '')}")
    if pick < 0.8:
        doc, (one,) = some_items(r, 1, kinds=[worlds.todo, worlds.shopping])
        text = re.sub(r"^(- \[[ x]\] |[-*+] |\[[ x]\] |TODO |\d+\. )", "", one[0])
        pattern = r.choice([it_ for it_ in ADD_ONE if "if" in it_.lower() or "unless" in it_ or "make sure" in it_])
        pattern = pattern.replace("[| unless it is there]", " unless it is there")
        asked(r, it, doc, pattern, t=quoted(r, text))
        return calm(it, [doc], f"`{text}` is already in {doc.name}, so nothing was added.")
    if pick < 0.92:
        file = worlds.todo(r)
        line = r.choice([row for row in file.text.split("\n") if "[ ]" in row] or [None])
        if not line:
            raise Unfit
        one = next((item for item in file.items if item[0] == line), None)
        if not one:
            raise Unfit
        rows = [row.replace("[ ]", "[x]", 1) if row == line or r.random() < 0.3 else row for row in file.text.split("\n")]
        doc = Doc(worlds.File(file.name, "\n".join(rows)))
        asked(r, it, doc, r.choice(MARK_ONE), k=r.choice([short(one), one[1][0]]))
        return calm(it, [doc], so_already(doc, line.replace("[ ]", "[x]", 1)))
    file, g, rows, new = columns(r)
    lines_ = [put_last(line, old, new) for line, old in rows]
    swap = dict(zip((line for line, _ in rows), lines_))
    doc = Doc(worlds.File(file.name, "\n".join(swap.get(line, line) for line in file.text.split("\n"))))
    asked(r, it, doc, r.choice(ALL_SET[:8]), g=g, n=new)
    return calm(it, [doc], f"Every {g} in {doc.name} is already {new}, so nothing was changed.")


# ---- words of a line that is named by others


MOVED = {
    "day": lines("""
the {k} [moved|has moved|was moved] to {n}, [update|change|fix] {f}
{k} is on {n} now, [update|change] {f}
move the {k} to {n} in {f}
in {f} the {k} should be on {n}
{f}: {k} on {n} instead, change it
the {k} in {f} has the wrong day, it's {n}, fix it
change the day of the {k} in {f} to {n}
we shifted {k} to {n}. Please update {f}
{k} ab {n} ko hai, {f} mein badal do
[can|could] you put the {k} on {n} in {f}?
reschedule the {k} to {n} in {f}, change the line
{f} still has the old day for the {k}; it should be {n}
no longer the old day: the {k} takes place on {n}, change {f}
it turns out the {k} is on {n}, correct {f}
{n} for the {k} please, edit {f}
set the date of the {k} to {n} in {f}
postpone the {k} to {n} in {f}, update the line
"""),
    "time": lines("""
the {k} starts at {n} now, [update|change|fix] {f}
move the {k} to {n} in {f}
in {f} the {k} should be at {n}
{f}: {k} at {n} instead, change it
change the time of the {k} in {f} to {n}
the {k} in {f} has the wrong time, it's {n}, fix it
{k} ab {n} par hai, {f} mein badal do
the {k} was put off to {n}. Please update {f}
[can|could] you put the {k} at {n} in {f}?
set the {k} to {n} in {f}
we begin the {k} at {n}, correct {f}
{n} for the {k} from now on, update {f}
"""),
    "person": lines("""
{n} is the new {k}, [update|change|fix] {f}
{n} takes over as {k}, update {f}
the {k} is {n} now, change {f}
in {f} the {k} should be {n}
{f}: {k} is {n}, fix it
put {n} in as {k} in {f}
we have a new {k}: {n}. Please change {f}
replace the {k} in {f} with {n}
{k} ab {n} hai, {f} mein badal do
[can|could] you make {n} the {k} in {f}?
the {k} in {f} is out of date, it's {n}, update it
change who is {k} in {f}: {n}
write {n} as {k} in {f}
from now on {n} does it: change the {k} in {f}
"""),
    "place": lines("""
the {k} is in {n} now, [update|change|fix] {f}
move the {k} to {n} in {f}
the {k} has moved to {n}, change {f}
in {f} the {k} should be in {n}
{f}: {k} in {n} instead, change it
change the place of the {k} in {f} to {n}
we keep the {k} in {n}, correct {f}
{k} ab {n} mein hai, {f} mein badal do
you find the {k} in {n} from now on, update {f}
set the place for the {k} to {n} in {f}
"""),
}
# In the line about {k}, {o} becomes {n}.
WORDS_IN = lines("""
in the {k} line of {f}, [write|put|use] {n} instead of {o}
in {f} change {o} to {n} in the line about {k}
in the line about {k} in {f}, replace {o} [by|with] {n}
the {k} line in {f} should say {n} and not {o}, fix it
{f}, line about {k}: {o} should be {n}
{f}: in the {k} line make it {n} instead of {o}
replace {o} with {n} where {f} speaks of {k}
fix the {k} line in {f}: it's {n}, not {o}
[can|could] you change {o} to {n} in the {k} entry of {f}?
{f} mein {k} wali line mein {o} ki jagah {n} likho
for {k} in {f}, {o} must become {n}, change it
change the {k} entry in {f} from {o} to {n}
next to {k} in {f} it says {o}, make that {n}
it says {o} in the {k} row of {f}; I'd rather have {n}, change it
please correct {o} to {n} in the {k} line of {f}
only in the line about {k}: {o} to {n}, change {f}
""")
# The words between quotes have commas in them.
QUOTES = lines("""
change {o} to {n} in {f}
replace {o} with {n} in {f}
in {f} replace {o} by {n}
in {f}, {o} should be {n}
{f}: write {n} instead of {o}
where {f} says {o}, put {n}
it should say {n} and not {o} in {f}, fix it
use {n} in place of {o} in {f}
{o} in {f} is wrong, make it {n}
{f} mein {o} ki jagah {n} kar do
change the part {o} in {f} so that it reads {n}
correct {o} to {n}, file {f}
[can|could] you turn {o} into {n} in {f}?
the text {o} in {f} should become {n}
please edit {f}, from {o} to {n}
{n} rather than {o} in {f}, change it
""")
EVENTS = "party|concert|meeting|rehearsal|picnic|workshop|market|match|tournament|flea market|bake sale|film night|board meeting|yoga class|choir|quiz night|parents' evening|book club|cleaning day|harvest|excursion|barbecue|first aid course|swimming lesson|open day|call with the bank|delivery|inspection|dinner|game night".split("|")


def events(r):
    """(file, {event: (line, day)}): what is on which day."""
    n = r.randint(2, 6)
    some = [it for it in r.sample(EVENTS, n + 2) ]
    some = [it for it in some if not any(it in other for other in some if other != it)][:n]
    days = r.sample([*WEEKDAYS, *WEEKDAYS], len(some))
    mark, style = r.choice(["- ", "", "* "]), r.choice([0, 1, 2, 3, 4])
    out = {}
    for it, day in zip(some, days):
        hour, place = f"{r.randint(7, 21)}:{r.choice(['00', '15', '30'])}", worlds.filled(r, r.choice(worlds.PLACES))
        if r.random() < 0.25:
            day = f"{r.randint(1, 28)} {r.choice(['March', 'May', 'June', 'July', 'October'])}"
        line = [f"{mark}{worlds.capital(it)} on {day} at {hour}, {place}", f"{mark}{day}: {it}, {hour}", f"{mark}{worlds.capital(it)}: {day}, {place}", f"{mark}{day} {hour} {it} ({r.choice(worlds.PEOPLE)})", f"{mark}The {it} is on {day}, {r.choice(worlds.PEOPLE)} brings the {r.choice(worlds.GOODS)}"][style]
        out[it] = (line, day)
    form = r.choice(["md", "txt"])
    base = r.choice(["events", "calendar", "dates", "week", "plan", "agenda", "programme", "schedule", worlds.stem(r)])
    return worlds.File(r.choice([f"{base}.{form}", f"notes/{base}.{form}", f"{r.choice(worlds.FOLDERS)}/{base}.{form}"]), "\n".join([*worlds.heading(r, form), *(line for line, _ in out.values())])), out


def reworded(r, it, root):
    pick = r.random()
    if pick < 0.3:
        file, some = events(r)
        doc, k = Doc(file), r.choice(list(some))
        line, day = some[k]
        if line.count(day) != 1 or sum(k in row.lower() for row in doc.first.split("\n")) != 1:
            raise Unfit
        new = r.choice([one for one in WEEKDAYS if one not in line]) if day in WEEKDAYS or r.random() < 0.3 else f"{r.randint(1, 28)} {r.choice(['March', 'April', 'June', 'August', 'November'])}"
        if new == day:
            raise Unfit
        typed = new.lower() if new in WEEKDAYS and r.random() < 0.3 else new
        asked(r, it, doc, r.choice(MOVED["day"]), k=k, n=typed)
        after = line.replace(day, new)
        doc.change(line, after)
        return change(it, root, [doc], done(doc, line, after))
    if pick < 0.5:
        kinds = [worlds.prose, worlds.prose, worlds.table]
        doc, _, ((fact, k, new),) = some_facts(r, 1, kinds=kinds)
        if fact.kind not in ("date", "time", "person", "place"):
            raise Unfit
        asked(r, it, doc, r.choice(MOVED["day" if fact.kind == "date" else fact.kind]), k=k, n=new)
        doc.change(fact.line, fact.after(new))
        return change(it, root, [doc], done(doc, fact.line, fact.after(new)))
    if pick < 0.75:
        # Words of a line of several, that others of it name.
        doc, (one,) = some_items(r, 1, more=1, kinds=[worlds.todo, worlds.rows, worlds.records, worlds.schedule, worlds.shopping])
        line, k = one[0], short(one)
        rest = line
        for word in re.findall(r"\w+", k):
            rest = re.sub(rf"\b{re.escape(word)}\b", " ", rest)
        some = [word for word in re.findall(r"[A-Za-z][A-Za-z'-]{2,}|\d[\d.:-]*\d", rest) if line.count(word) == 1 and word not in ("name", "role", "since", "age", "the", "TODO", "with")]
        if not some:
            raise Unfit
        old = r.choice(some)
        new = str(r.randint(2, 900)) if old.isdigit() else f"{r.randint(7, 21)}:{r.choice(['00', '15', '45'])}" if re.fullmatch(r"\d+:\d\d", old) else r.choice(worlds.DOINGS).split()[0] if any(old == one.split()[0] for one in worlds.DOINGS) else r.choice([one for one in worlds.PEOPLE if one != old]) if old in worlds.PEOPLE else r.choice([w for w in WEEKDAYS if w != old]) if old in WEEKDAYS else re.sub(r"\d", lambda _: str(r.randint(1, 9)), old) if old[0].isdigit() else r.choice([rare(r), r.choice(worlds.GOODS), r.choice(worlds.THINGS), r.choice(worlds.DOINGS).split()[0]])
        if new == old or new in line or line.replace(old, new) in doc.first:
            raise Unfit
        new = r.choice(["May", "June", "the autumn"]) if old == "April" else new
        asked(r, it, doc, r.choice(WORDS_IN), k=k, o=workspace.quoted(r, old) if "'" not in old else old, n=quoted(r, new) if " " in new or r.random() < 0.4 else new)
        after = line.replace(old, new)
        doc.change(line, after)
        return change(it, root, [doc], done(doc, line, after))
    # Quoted words with commas.
    some = [it_ for it_ in r.sample(worlds.GOODS, 9)]
    rows = [worlds.filled(r, r.choice(worlds.REMARKS)) for _ in range(r.randint(1, 4))]
    people = r.sample(worlds.PEOPLE, 4)
    old, new, line = r.choice([
        (f"{some[0]}, {some[1]} and {some[2]}", f"{some[0]}, {some[1]}, {some[3]} and {some[2]}", "Bring {}, please."), (f"{some[0]}, {some[1]}", f"{some[0]}, {some[4]}", "- {} from the market"), (f"{people[0]}, {people[1]}", f"{people[0]}, {people[2]}, {people[1]}", "Present: {}"),
        (f"{some[0]} and {some[1]}", f"{some[0]}, {some[1]} and {some[2]}", "We still need {}."), (f"{people[0]} and {people[1]}", f"{people[0]}, {people[2]} and {people[3]}", "The keys are with {}."), (f"{r.choice(worlds.THINGS)}, {rare(r)}", f"{r.choice(worlds.THINGS)}, {rare(r)}, and more", "title: {}"),
        (f"{r.randint(2, 9)} {some[5]}, {r.randint(2, 9)} {some[6]}", f"{r.randint(2, 9)} {some[5]}, {r.randint(10, 19)} {some[6]}", "Order: {}"), (f"Dear {people[0]}", f"Dear {people[0]}, dear {people[1]}", "{},"), (f"on {r.choice(WEEKDAYS)}, at noon", f"on {r.choice(WEEKDAYS)}, in the evening", "We meet {}.")])
    line = line.format(old)
    rows.insert(r.randint(0, len(rows)), line)
    doc = Doc(worlds.File(worlds.name(r, r.choice(["md", "txt"])), "\n".join([*worlds.heading(r, "md"), *rows])))
    if doc.first.count(old) != 1 or old == new:
        raise Unfit
    form = r.choice(['"{}"', '"{}"', "'{}'"])
    asked(r, it, doc, r.choice(QUOTES), o=form.format(old), n=form.format(new))
    doc.change(line, line.replace(old, new))
    return change(it, root, [doc], done(doc, line, line.replace(old, new)))


# ---- which one is meant


UNCLEAR = lines("""
[set|change|update] [the |]{k} to {n} in {f}
in {f} [set|change] [the |]{k} to {n}
make [the |]{k} {n} in {f}
{f}: {k} to {n}, change it
the {k} in {f} should be {n}
[can|could] you change the {k} in {f} to {n}?
I need the {k} at {n} in {f}, set it
{f} mein {k} ko {n} kar do
use {n} as the {k} in {f}
put {n} for {k} in {f}
the {k} is wrong in {f}, it should be {n}
please edit the {k} in {f}, new value {n}
{k} = {n} in {f}
update {f}: {k} is {n} now
kindly set {k} to {n} in {f}
adjust the {k} in {f} to {n}
""")
UNCLEAR_GONE = lines("""
[remove|delete|drop] the {k} [line|entry] [from|in] {f}
in {f} [remove|delete] the {k} line
take the {k} entry out of {f}
{f}: delete {k}
{k} can go from {f}, delete it
get rid of the line about {k} in {f}
strike {k} off {f}
{f} se {k} wali line hata do
[can|could] you delete the {k} line in {f}?
the {k} row in {f} is a mistake, remove it
please remove {k} from {f}
{k} is settled, take it off {f}
we don't need the {k} line in {f} any more, delete it
scratch the {k} one from {f}
""")
UNCLEAR_MARK = lines("""
mark the {k} item as done in {f}
{k} is done, mark it in {f}
tick off {k} in {f}
{f}: check off the {k} one, it's done
set the {k} task in {f} to done
in {f} mark {k} as done
the one about the {k} is done, mark it in {f}
{f} mein {k} wala done mark karo
""")
CHOSEN = lines("""
the {o} one
{o}
the {o}
I meant the {o} one
the {o} one please
oh, the {o} one
""")


def which(*some):
    quoted_ = [f"`{line.strip()}`" for line in some]
    return f"Which one do you mean: {', '.join(quoted_[:-1])} or {quoted_[-1]}?"


ALL_CHOSEN = {2: ["both", "both of them", "both please", "the two of them", "I mean both", "both, of course"], 3: ["all of them", "all three", "all three please", "every one of them", "I mean all of them", "all"]}


def told_apart(r, it, root):
    """Of lines that are alike one is named."""
    return unclear(r, it, root, True)


def unclear(r, it, root, named=False):
    """Two lines fit alike, and the ask does not tell which: it is asked for, and then told."""
    pick, n = r.random(), 2 if r.random() < 0.85 else 3
    if pick < 0.5:
        form, names = r.choice(["toml", "yaml", "ini", "env", "json", "py"]), r.sample("api db http smtp admin cache mail queue web worker search auth metrics".split(), n)
        g, kind = r.choice([("port", "port"), ("timeout", "int 2 900"), ("host", "host"), ("user", "word"), ("retries", "int 1 9"), ("url", "url"), ("limit", "int 2 900"), ("size", "int 2 900"), ("threads", "int 1 32")])
        rows = [worlds.setting_line(f"{a}_{g}", worlds.made(r, kind), kind, form) for a in names]
        more = [worlds.setting_line(key, worlds.made(r, k), k, form) for key, _, k in worlds.some_settings(r, 3) if g not in key and not any(a in key for a in names)]
        every = rows + more
        r.shuffle(every)
        every = [("  " if form == "json" else "") + (line.rstrip(",") + ("," if at < len(every) - 1 else "") if form == "json" else line) for at, line in enumerate(every)]
        head, tail = (["{"], ["}"]) if form == "json" else ([], [])
        rows = [line for line in every if any(f"{a}_{g}" in line.lower() for a in names)]
        doc = Doc(worlds.File(r.choice(["", "config/", "app/"]) + (f"{r.choice(['config', 'settings', 'server', rare(r)])}.{form}" if form != "env" else ".env"), "\n".join([*head, *every, *tail])))
        new = worlds.made(r, kind)
        values = {"k": g, "n": new}
        pattern = r.choice(UNCLEAR)
        at = r.randrange(len(rows))
        def become(line):
            return worlds.Fact(line, re.search(r'[=:] ?"?([^"]+?)"?[,;]?$', line).group(1), [g], kind).after(new)
        if new in doc.first or any(len(row) > LONGEST or doc.first.count(row) > 1 for row in rows) or len(rows) != n:
            raise Unfit
        chosen = next(a for a in names if f"{a}_{g}" in rows[at].lower())
        calls = [f"{chosen} {g}", f"{chosen} {g}", f"{chosen}_{g}", f"{g} of the {chosen}", f"{chosen}'s {g}"]
    elif pick < 0.8:
        file, g, some, _ = ledger(r, r.randint(3, 7), 0.4)
        if len(some) not in (2, 3):
            raise Unfit
        doc, rows = Doc(file), [line for line, _ in some]
        at = r.randrange(len(rows))
        amounts, new = dict(some), str(r.randint(2, 90))
        chosen = next(name for name in worlds.PEOPLE if name in re.split(r"[,;]", rows[at]))
        if r.random() < 0.6:
            pattern, values = r.choice(UNCLEAR_GONE), {"k": g}
            calls = [f"{chosen}'s {g}", f"{g} of {chosen}", f"{chosen} {g}"]
            def become(line):
                return ""
        else:
            pattern, values = r.choice(UNCLEAR), {"k": f"{g} amount", "n": new}
            calls = [f"{chosen}'s {g}", f"{g} of {chosen}", f"{chosen}'s {g} amount", f"{g} amount of {chosen}"]
            def become(line):
                return put_last(line, amounts[line], new)
            if any(old == new for old in amounts.values()):
                raise Unfit
    else:
        thing = r.choice(worlds.THINGS)
        does = r.sample(worlds.DOINGS, n)
        mark = r.choice(["- [ ] ", "- ", "- [ ] "])
        rows = [f"{mark}{it_.split()[0]} the {thing}{r.choice(['', '', ' ' + worlds.filled(r, 'with {p}')])}" for it_ in does]
        others = [mark + worlds.task(r)[0] for _ in range(r.randint(1, 4))]
        if any(thing in line for line in others) or len(set(others)) < len(others):
            raise Unfit
        every = rows + others
        r.shuffle(every)
        rows = [line for line in every if line in rows]
        doc = Doc(worlds.File(r.choice(["", "notes/"]) + r.choice(["todo.md", "tasks.md", "chores.txt", "list.md"]), "\n".join(every)))
        at = r.randrange(len(rows))
        chosen = rows[at][len(mark):].split(" ")[0]
        marks = mark == "- [ ] " and r.random() < 0.5
        pattern, values = r.choice(UNCLEAR_MARK if marks else UNCLEAR_GONE), {"k": thing}
        calls = [f"{chosen} the {thing}", f"{chosen} {thing}", next(one for one in does if one.split()[0] == chosen).split()[2] + f" the {thing}"]
        def become(line):
            return line.replace("[ ]", "[x]") if marks else ""
    if named:
        k = r.choice(calls)
        asked(r, it, doc, pattern, **{**values, "k": k})
        return became(it, root, doc, rows[at:at + 1], become, k)
    asked(r, it, doc, pattern, **values)
    calm(it, [doc], which(*rows))
    if r.random() < 0.5:
        order = ["first", "second", "third"][at] if at < len(rows) - 1 or r.random() < 0.5 else "last"
        every = r.random() < 0.2
        it.user(tell(r, r.choice(ALL_CHOSEN[len(rows)] if every else CHOSEN), o=chosen if r.random() < 0.7 else order))
        it.files = []
        return became(it, root, doc, rows if every else rows[at:at + 1], become)
    return it


def became(it, root, doc, rows, become, what=None):
    """These lines are changed, or go."""
    told_ = []
    for line in rows:
        new = become(line)
        if new:
            doc.change(line, new)
        else:
            doc.drop(line)
        told_.append(done(doc, line, new) if new else workspace.gone(what, doc.name) if what else f"Done: `{line.strip()}` is gone from {doc.name}.")
    return change(it, root, [doc], "\n".join(told_))


KINDS = [(settings, 16), (all_rows, 18), (all_gone, 4), (out_and_in, 16), (rename, 11), (into, 11), (beside, 9), (comments, 12), (swapped, 8), (half_there, 9), (nothing, 9), (reworded, 16), (unclear, 8), (told_apart, 10)]


def talk(r, today):
    make, = r.choices([one for one, _ in KINDS], [weight for _, weight in KINDS])
    while True:
        it, root = Talk("workspace"), r.choice(workspace.ROOTS)
        try:
            it = make(r, it, root)
        except Unfit:
            continue
        it.kind = make.__name__
        return it


gather("changes", globals(), plain=("EACH", "EVENTS", "SIGNS"))
