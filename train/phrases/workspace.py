"""Working in a folder: files shown, searched, changed and commands run."""

import json
import pathlib
import re

from .talks import Talk, clean
from .words import number, say

RESULTS = [it for it in json.loads((pathlib.Path(__file__).parent.parent / "results.json").read_text()) if it["task"] == "workspace"]
SHOWN = [it for it in RESULTS if it["tool"] == "show" and it["ok"] and "start_line" not in it["arguments"]]
ROOTS = ["/home/ana/orchard", "/srv/site", "/home/user/project", "/srv/app", "/Users/kim/code/shop", "/home/dev/api", "/root/demo"]
FOLDERS = "src docs tests crates web app scripts lib data include examples public assets config internal pkg cmd test benches src/tools src/api app/models".split()
STEMS = "main lib config server utils app index notes guide todo api routes models settings schema client parser user auth database helpers cache router logger report setup plan install build deploy changes".split()
ENDS = "rs py md toml json yaml yml txt js ts html css sh go c h sql java rb ini cfg csv xml lock env".split()
WHOLE = "README.md Cargo.toml package.json Makefile Dockerfile LICENSE .gitignore CHANGELOG.md CONTRIBUTING.md pyproject.toml requirements.txt go.mod tsconfig.json docker-compose.yml .env setup.py index.html main.py justfile".split()
WORDS = """alpha beta timeout localhost debug release version user token error main TODO FIXME port retries println parse_args unwrap async Config Handler connect
render update password max_size email http://localhost:8080 import println! self.name DATABASE_URL fetch useState createServer logger greet handle_request
black green 8080 9090 true false 0.3.1 1.2.0 Hello foo bar baz count limit title name color width verbose""".split()
SHOW = ["[show|open|print|read|display|cat|view] [me |][the file |file |]{f}", "what's in {f}?", "[let me see|I want to see|I'd like to see|take a look at|look at] {f}", "what does {f} [say|contain|look like]?", "show [me |]the [contents|content] of {f}", "{f} please", "contents of {f}", "can you [open|show|read] {f}[| for me]?",
        "[what is|what's] written in {f}", "pull up {f}", "show me what's inside {f}"]
LINES = ["[show|print|read|display] [me |]lines {a} [to|through|-|until] {b} [of|in|from] {f}", "lines {a}[-| to | through ]{b} of {f}", "{f} [from line {a} to line {b}|lines {a}-{b}|line {a} to {b}]", "what's on lines {a} to {b} of {f}?", "[show|read] {f}, lines {a} to {b}"]
FROM = ["[show|read|print] {f} [from|starting at|beginning at] line {a}[| on| onwards]", "{f} from line {a}"]
UPTO = ["[show|read|print] [me |]the first {b} lines of {f}", "first {b} lines of {f}", "top {b} lines of {f}", "head of {f}, {b} lines"]
EDIT = ["[replace|change|swap] {o} [with|to|for|by|into] {n} in {f}", "in {f}[,|] [replace|change|swap|substitute] {o} [with|by|for|to] {n}", "edit {f}: {o} -> {n}", "rename {o} to {n} in {f}", "[set|turn|make] {o} [to|into] {n} in {f}", "[update|fix|correct] {f}: {o} should be {n}", "{f}: change {o} to {n}", "in {f} it says {o}, [make it|change it to] {n}",
        "please edit {f} so that {o} becomes {n}"]
EDIT_ALL = ["replace [all|every|all occurrences of|every occurrence of] {o} [with|by] {n} in {f}", "[change|rename] {o} to {n} everywhere in {f}", "in {f}, replace {o} with {n} everywhere", "swap all {o} for {n} in {f}"]
WRITE = ["[create|make|write] [a |a new |the |][file |file called |file named |]{f} [with|containing|that says|with the content|with the text] {t}", "write {t} [to|into] {f}", "[save|put] {t} [in|into|to|as] {f}", "new file {f}: {t}", "make {f} with [the line |]{t} in it"]
TEXTS = """hello|hello world|# Plan|buy milk|print("hi")|TODO: tests|debug: true|# Notes|first draft|export default {}|[package]|echo done|The quick brown fox|node_modules|version = 2|
console.log(1)|# Changelog|import os|{"a": 1}|one two three""".replace("\n", "").split("|")
LIST = ["[list|show] [the |all |all the |]files[| here| in this folder| in the workspace| in the project]", "[what|which] files are [here|there|in this folder|in the workspace|in this project]?", "ls", "what's in this [folder|directory|project|repo]?", "show [me |]the [project structure|folder structure|directory tree|workspace|layout]", "list everything", "what do we have here?"]
LIST_IN = ["[list|show] [me |][the |all |]files [in|under|inside] [the |]{d}[| folder| directory]", "what's in [the |]{d}[/|] [folder|directory]?", "ls {d}", "files under {d}", "what's inside {d}?", "[what|which] files are in {d}?", "list {d}", "contents of the {d} folder"]
LIST_DEEP = ["list {d} {n} levels deep", "show the files in {d}, {n} folders deep", "tree of {d} with depth {n}"]
SEARCH = ["where is {w} [used|defined|mentioned|set]?", "[search|grep|look] for {w}", "[find|show] [all |me |][uses|occurrences|mentions] of {w}", "which files [mention|contain|use|have] {w}?", "find {w} in the [code|project|files|repo|workspace]", "[search|grep] [the code |the workspace |the project |]for {w}", "is {w} used anywhere?", "who uses {w}?", "find {w}", "grep {w}", "any {w} [left |]in the code?"]
SEARCH_IN = ["[search|look|grep] for {w} in {d}", "grep {w} [in|under] {d}", "find {w} [in|under|inside] [the |]{d}[| folder|/]", "where in {d} is {w} [used|mentioned]?", "which files in {d} [mention|contain] {w}?", "does {d} [mention|contain] {w}?"]
SEARCH_GLOB = ["[search|grep] [for |]{w} in {g} files", "find {w} in all {g} files", "which {g} files [contain|mention] {w}?", "grep {w} only in {g}"]
SEARCH_CASE = ["[search|grep] for {w}[,| ] [ignoring case|ignore case|case insensitive|in any case|whatever the case]", "find {w} regardless of case", "case-insensitive search for {w}"]
RUN = ["[run|execute|do|try] {c}", "[run|execute] `{c}`", "please [run|do|execute] {c}", "can you run {c}?", "use the shell: {c}", "in the shell, [run|do] {c}", "run the command {c}", "[run|start] `{c}`[ and tell me what it says| and show the output|]", "$ {c}", "what does `{c}` [say|print|output]?", "terminal: {c}"]
LITERAL = """cargo build|cargo test|git log --oneline|ls -la|npm test|make lint|git diff|cargo fmt|pytest -q|df -h|wc -l src/main.rs|git branch|cat Makefile|npm run build|cargo clippy|
python3 app/main.py Ada|git status|make test|uname -a|echo hello|date|whoami|pwd|npm install|go test ./...|cargo check|make build|ls docs|head -n 5 README.md|
git show HEAD|git stash list|python3 -m http.server --help|tail -n 20 app.log|sort notes.txt|ps aux|env|which python3|node --version|ruff check .|mvn package|
cargo run --release|git remote -v|du -sh .|find . -name '*.py'|docker ps|free -m|sh scripts/build.sh|./run.sh|make -j4|tar tf backup.tar|sed -n 1,5p README.md""".replace("\n", "").split("|")
# What is asked for in words, and the command that does it; {f} a file, {d} a folder, {n} a number.
COMPOSED = [
    (["how many lines [does {f} have|are in {f}|has {f}]?", "count the lines [of|in] {f}", "line count of {f}"], "wc -l {f}"), (["how many words are in {f}?", "count the words in {f}", "word count of {f}"], "wc -w {f}"),
    (["[how big is|what's the size of|how large is] [the |]{d}[| folder| directory]?", "disk usage of {d}", "how much space does {d} take?"], "du -sh {d}"), (["[what's|show|check] the git status", "git status", "[are there|do I have] uncommitted changes?", "what [has changed|did I change] [in git|since the last commit]?"], "git status"),
    (["[show|list] [me |]the [last|latest] {n} commits", "[last|latest] {n} [git |]commits", "what were the last {n} commits?"], "git log --oneline -n {n}"), (["[show|list] the [git log|commit history|commits]", "git history", "what was committed?"], "git log --oneline"),
    (["[what|which] branch am I on?", "current [git |]branch", "which branch is this?"], "git branch --show-current"), (["[list|show] [all |the |][git |]branches", "which branches [are there|exist]?"], "git branch"),
    (["[run|execute|start] the tests", "do the tests pass?", "test [it|the project|everything]", "are the tests green?"], "cargo test"), (["build the project", "[compile|build] [it|the code]", "does it [build|compile]?"], "cargo build"), (["format the code", "run the formatter"], "cargo fmt"), (["[run|start] [the linter|clippy]", "lint the code"], "cargo clippy"),
    (["what [day|date] is it on this machine?", "what time is it on this machine?", "run date"], "date"), (["[which|what] python version [is installed|do we have]?", "python version"], "python3 --version"), (["which user am I?", "who am I on this machine?"], "whoami"),
    (["[how much|what] disk space is [left|free]?", "free disk space"], "df -h"), (["find all {e} files", "list all {e} files[| in the project]", "where are the {e} files?"], "find . -name '*.{e}'"), (["how many {e} files are there?", "count the {e} files"], "find . -name '*.{e}' | wc -l"),
    (["[show|print] the last {n} lines of {f}", "tail of {f}, {n} lines"], "tail -n {n} {f}"), (["[make|create] [a |the |]folder [called |named |]{d}", "mkdir {d}"], "mkdir -p {d}"), (["[delete|remove] [the file |]{f}", "rm {f}"], "rm {f}"), (["[rename|move] {f} to {h}", "mv {f} {h}"], "mv {f} {h}"), (["copy {f} to {h}", "make a copy of {f} called {h}"], "cp {f} {h}"),
    (["sort [the lines of |]{f}", "show {f} sorted"], "sort {f}"), (["run [the script |]{s}", "execute {s}"], "sh {s}"), (["run {p} with python", "start [the python script |]{p}", "execute the python file {p}"], "python3 {p}"), (["[what changed in|show the diff of|diff] {f}", "show [me |]the changes [in|to] {f}"], "git diff {f}"),
    (["commit [everything|all changes] with [the message|message] {m}", "git commit all with message {m}"], "git add -A && git commit -m \"{m}\""), (["how many commits are there?", "count the commits"], "git rev-list --count HEAD"), (["who [wrote|changed] {f} last?", "last commit that touched {f}"], "git log -1 {f}"),
]
MESSAGES = ["fix typo", "Add tests", "update docs", "first version", "Rename the parser", "clean up"]
OUTPUTS = ["ok", "3 passed, 0 failed", "Compiling orchard v0.3.1\n    Finished in 2.31s", "a1b2c3d Fix typo\n9f8e7d6 First version", "* main", "On branch main\nnothing to commit, working tree clean", "12 src/main.rs", "42", "total 24", "Hello, Ada!", "1.4M", "main", "Python 3.11.2",
           "./src/main.rs\n./src/lib.rs", "running 12 tests\ntest result: ok. 12 passed; 0 failed", " M README.md\n M src/main.rs", "src/main.rs | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)", "16K\tsrc", "Sun Nov 15 12:00:00 UTC 2026", ""]
FAILURES = ["error: could not compile `orchard`", "bash: line 1: pytest: command not found", "make: *** No rule to make target 'lint'.  Stop.", "test result: FAILED. 11 passed; 1 failed", "fatal: not a git repository", "ls: cannot access 'nothing': No such file or directory", "npm ERR! missing script: test"]


def path(r, ends=ENDS):
    if r.random() < 0.35 and ends is ENDS:
        return r.choice(WHOLE)
    name = f"{r.choice(STEMS)}.{r.choice(ends)}"
    return f"{r.choice(FOLDERS)}/{name}" if r.random() < 0.6 else name


def numbered(text, start=1):
    return "".join(f"{n:6}\t{line}\n" for n, line in enumerate(text.splitlines(), start))


def body(r):
    """What stands in a file: a kept one, or lines of words."""
    if r.random() < 0.6:
        shown = r.choice(SHOWN)["text"]
        return "\n".join(re.sub(r"^ *\d+\t", "", line) for line in shown.rstrip("\n").split("\n"))
    return "\n".join(" ".join(r.sample(WORDS, r.randint(1, 6))) for _ in range(r.randint(1, 40)))


def fenced(name, lines, more):
    text = "\n".join(lines)
    return f"{name} begins with:\n```\n{text}\n```" if more else f"{name}:\n```\n{text}\n```"


def shown_as(name, text):
    lines = text.split("\n")
    few = []
    for line in lines[:8]:
        if sum(len(it) for it in few) + len(line) > 320:
            break
        few.append(line)
    return fenced(name, few or [lines[0][:200]], len(few) < len(lines))


def show(r, root):
    name, text = path(r), body(r)
    lines = text.split("\n")
    pick = r.random()
    if r.random() < 0.08:
        question = say(r, r.choice(SHOW), f=name)
        result = f"Error executing show: Invalid input: File does not exist: {root}/{name}"
        return question, ("show", {"file_path": name}), result, f"{name} does not exist."
    if pick < 0.6:
        return say(r, r.choice(SHOW), f=name), ("show", {"file_path": name}), numbered(text), shown_as(name, text)
    a = r.randint(1, max(1, len(lines) - 1))
    b = r.randint(a, min(len(lines), a + 12)) if r.random() < 0.5 else a + r.randint(1, 60)
    if pick < 0.7:
        question, arguments, a = say(r, r.choice(UPTO), f=name, b=number(r, b)), {"end_line": b, "file_path": name}, 1
    elif pick < 0.78:
        question, arguments, b = say(r, r.choice(FROM), f=name, a=a), {"file_path": name, "start_line": a}, len(lines)
    else:
        question, arguments = say(r, r.choice(LINES), f=name, a=a, b=b), {"end_line": b, "file_path": name, "start_line": a}
    some = "\n".join(lines[a - 1 : b]) or " "
    result = numbered(some, a) + (f"\n[lines {a}-{b} of {len(lines)}; ask for start_line {b + 1} to see more]" if b < len(lines) else "")
    return question, ("show", arguments), result, shown_as(name, some)


def value(r):
    text = r.choice(WORDS)
    return f"{text} = {r.choice(WORDS)}" if r.random() < 0.15 else f"{r.choice(STEMS)}: {text}" if r.random() < 0.1 else text


def quoted(r, text):
    """As typed: bare, or in quotes that do not belong to the value."""
    return r.choice(["{}", "{}", "{}", "'{}'", "\"{}\"", "`{}`"]).format(text)


def edit(r, root):
    name, old = path(r), value(r)
    new = r.choice([it for it in WORDS if it != old])
    whole = r.random() < 0.2
    question = say(r, r.choice(EDIT_ALL if whole else EDIT), f=name, o=quoted(r, old), n=quoted(r, new))
    arguments = clean({"file_path": name, "new_string": new, "old_string": old, "replace_all": True if whole else None})
    at = r.randint(1, 90)
    result = f"File edited successfully: {root}/{name}\n\n--- a/{name}\n+++ b/{name}\n@@ -{at},3 +{at},3 @@\n fn x() {{\n-    {old}\n+    {new}\n }}\n"
    answer = f"Done: in {name}, {old} is now {new}."
    if r.random() < 0.1:
        result, answer = f"Error executing edit: Invalid input: old_string is not in {root}/{name}. Show the file and copy the text exactly as it is there.", f"{old} is not in {name}, so nothing was changed."
    elif r.random() < 0.06:
        result, answer = "The call of edit was denied by the user. Do not try it again.", f"You did not allow it: {name} is not changed."
    return question, ("edit", arguments), result, answer


def write(r, root):
    name, text = path(r), r.choice(TEXTS)
    question = say(r, r.choice(WRITE), f=name, t=quoted(r, text))
    return question, ("write", {"content": text, "file_path": name}), f"File written successfully: {root}/{name}\n\n1 line", f"{name} is written."


def tree(r, folder=None):
    names = sorted({path(r) for _ in range(r.randint(2, 9))})
    names = sorted({f"{folder}/{it.split('/')[-1]}" for it in names}) if folder else names
    return [f"{it} ({r.randint(10, 9000):,} bytes)" for it in names]


def listed(r, root):
    pick = r.random()
    folder = None if pick < 0.45 else r.choice(FOLDERS)
    lines = tree(r, folder)
    answer = (f"In {folder}:\n" if folder else "In the workspace:\n") + "\n".join(f"- {it}" for it in lines[:8])
    if pick < 0.45:
        return say(r, r.choice(LIST)), ("list", {}), "\n".join(lines), answer
    if pick > 0.93:
        n = r.randint(1, 5)
        return say(r, r.choice(LIST_DEEP), d=folder, n=number(r, n)), ("list", {"depth": n, "path": folder}), "\n".join(lines), answer
    if pick > 0.88:
        return say(r, r.choice(LIST_IN), d=folder), ("list", {"path": folder}), f"Error executing list: Invalid input: File does not exist: {root}/{folder}", f"{folder} does not exist."
    return say(r, r.choice(LIST_IN), d=folder), ("list", {"path": folder}), "\n".join(lines), answer


def search(r, root):
    word, pick = r.choice([it for it in WORDS if re.fullmatch(r"[\w]+", it)]), r.random()
    folder, glob = r.choice(FOLDERS), "*." + r.choice(ENDS)
    if pick < 0.5:
        question, arguments = say(r, r.choice(SEARCH), w=quoted(r, word)), {"pattern": word}
    elif pick < 0.75:
        question, arguments = say(r, r.choice(SEARCH_IN), w=quoted(r, word), d=folder), {"path": folder, "pattern": word}
    elif pick < 0.88:
        question, arguments = say(r, r.choice(SEARCH_GLOB), w=quoted(r, word), g=glob), {"glob": glob, "pattern": word}
    else:
        question, arguments = say(r, r.choice(SEARCH_CASE), w=quoted(r, word)), {"ignore_case": True, "pattern": word}
    if r.random() < 0.15:
        many = r.randint(2, 90)
        return question, ("search", arguments), f"No match for {word} in the {many} files searched.", f"{word} was not found in the {many} files searched."
    lines = []
    for _ in range(r.randint(1, 4)):
        name = f"{folder}/{r.choice(STEMS)}.{r.choice(ENDS)}" if "path" in arguments else path(r)
        lines += [f"{name}:{at}: {' ' * r.choice([0, 4, 8])}{r.choice(['let ', '', '// ', 'fn ', 'self.'])}{word}{r.choice([' = 1', '()', ': u16,', '', ' is here'])}" for at in sorted(r.sample(range(1, 200), r.randint(1, 3)))] + [""]
    few = [re.sub(r": +", ": ", it) for it in lines if it]
    answer = f"{word} is in:\n" + "\n".join(f"- {it}" for it in few[:6])
    return question, ("search", arguments), "\n".join(lines), answer


def output(r, command):
    if r.random() < 0.15:
        code = r.choice([1, 2, 101, 127])
        text = r.choice(FAILURES)
        result = f"Error executing bash: Command failed with exit code {code}\n{text}\n[exit {code}, 0.{r.randint(0, 9)} s]"
        return result, f"`{command}` failed with exit code {code}:\n{text}"
    kept = next((it["text"] for it in RESULTS if it["tool"] == "bash" and it["ok"] and it["arguments"]["command"] == command), None)
    text = re.sub(r"\n?\[exit 0.*", "", kept) if kept and r.random() < 0.5 else r.choice(OUTPUTS)
    if "{root}" in text:
        text = "/srv/app"
    few = "\n".join(text.split("\n")[:8])
    return f"{text}{chr(10) if text else ''}[exit 0, 0.{r.randint(0, 9)} s]", f"`{command}` printed:\n{few}" if text else f"`{command}` ran without output."


def run(r, root):
    if r.random() < 0.45:
        command = r.choice(LITERAL)
        question = say(r, r.choice(RUN), c=command)
    else:
        patterns, form = r.choice(COMPOSED)
        values = {"f": path(r), "h": path(r), "d": r.choice(FOLDERS), "n": r.randint(2, 30), "e": r.choice(ENDS), "s": path(r, ["sh"]), "p": path(r, ["py"]), "m": r.choice(MESSAGES)}
        command = re.sub(r"\{(\w)\}", lambda m: str(values[m.group(1)]), form)
        question = say(r, r.choice(patterns), **values)
    result, answer = output(r, command)
    return question, ("bash", {"command": command}), result, answer


def mend(r, it, root):
    """What goes wrong the first time goes right the second."""
    name, old = path(r), r.choice(WORDS)
    new = r.choice([w for w in WORDS if w != old])
    if r.random() < 0.5:
        first = {"file_path": name, "new_string": new, "old_string": old}
        a, b = sorted(r.sample(range(1, 80), 2))
        it.user(say(r, r.choice(EDIT_ALL[:2]), f=name, o=old, n=new)).slip(("edit", first))
        it.results(f"Error executing edit: Invalid input: old_string occurs 2 times in {root}/{name}, in lines {a}, {b}: include the lines around the one you mean, or set replace_all to change them all")
        it.calls(("edit", {**first, "replace_all": True})).results(f"File edited successfully: {root}/{name}\n\n--- a/{name}\n+++ b/{name}\n@@ -{a},1 +{a},1 @@\n-{old}\n+{new}\n").answer(f"Done: in {name}, {old} is now {new}.")
    else:
        text = r.choice(TEXTS)
        it.user(say(r, "[overwrite|replace] {f} with {t}", f=name, t=text)).slip(("write", {"content": text, "file_path": name}))
        it.results(f"Error executing write: Invalid input: {root}/{name} already exists: use edit, or write with overwrite: true")
        it.calls(("write", {"content": text, "file_path": name, "overwrite": True})).results(f"File written successfully: {root}/{name}\n\n1 line").answer(f"{name} is written.")


def follow(r, it, made, root):
    """A second question about the same file."""
    name = made[1].get("file_path")
    if not name:
        return
    if made[0] in ("edit", "write"):
        text = body(r)
        it.user(say(r, "[show|open|let me see|print] [it|the file|me the file now|the result]")).calls(("show", {"file_path": name})).results(numbered(text)).answer(shown_as(name, text))
    elif r.random() < 0.5:
        old = r.choice(WORDS)
        new = r.choice([w for w in WORDS if w != old])
        it.user(say(r, "[now |]change {o} to {n} [there|in it|in that file]", o=old, n=new)).calls(("edit", {"file_path": name, "new_string": new, "old_string": old}))
        it.results(f"File edited successfully: {root}/{name}\n\n--- a/{name}\n+++ b/{name}\n@@ -1,1 +1,1 @@\n-{old}\n+{new}\n").answer(f"Done: in {name}, {old} is now {new}.")
    else:
        command = f"wc -l {name}"
        it.user(say(r, "how many lines does it have?")).calls(("bash", {"command": command})).results(f"{r.randint(2, 300)} {name}\n[exit 0, 0.0 s]")
        it.answer(f"`{command}` printed:\n{it.messages[-1][1].split(chr(10))[0]}")


KINDS = [show, show, show, edit, edit, write, listed, search, search, run, run, run]


def talk(r, today):
    it, root = Talk("workspace"), r.choice(ROOTS)
    pick = r.random()
    if pick < 0.05:
        mend(r, it, root)
        return it
    if pick < 0.15:
        a, b = r.sample([show, listed, search, run], 2)
        one, two = a(r, root), b(r, root)
        question = one[0].rstrip("?.!") + r.choice([" and ", ", then ", " and then ", ". Also ", " and also "]) + two[0][0].lower() + two[0][1:]
        return it.user(question).calls(one[1], two[1]).results(one[2], two[2]).answer(one[3] + "\n\n" + two[3])
    question, made, result, answer = r.choice(KINDS)(r, root)
    it.user(question).calls(made).results(result).answer(answer)
    if pick < 0.3:
        follow(r, it, made, root)
    return it
