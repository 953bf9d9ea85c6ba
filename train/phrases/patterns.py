"""[`gather`]: a file's patterns, with those of other hands beside them, and a few of each kept back.

`heard/FILE.json`, `heard/more_FILE.json` and `heard/third_FILE.json` are `{"CONSTANT": ["pattern", …]}` for `FILE.py`: written by other people, with the slots that the constant's own patterns have.
A dict's or a list's parts are named by their key or place (`ASPECT_high`, `COMPOSED_3`). They weigh at least as much as the file's own.

Of every twenty patterns one is never learned: [`held_back`] puts those in the place of the others, so that what is scored is worded as nothing was."""

import hashlib
import json
import pathlib
import re

from .words import expand

HEARD = pathlib.Path(__file__).parent / "heard"
HELD = {}  # the list's id: (the list, what is learned, what is held back)
REFUSED = []


class Sober:
    """Every choice falls on what is first, second, …: to see whether a pattern can be said at all."""

    def __init__(self, at):
        self.at = at

    def choice(self, some):
        return some[self.at % len(some)]


def slots(patterns):
    return {name for it in patterns for name in re.findall(r"\{(\w+)\}", it)}


def fit(pattern, known):
    """Whether a pattern can be used: its slots are known, its choices close, and nothing of it is a choice's left-over."""
    if not isinstance(pattern, str) or pattern.startswith("//") or not slots([pattern]) <= known:
        return False
    return all(not re.search(r"[\[\]|]", re.sub(r"\{\w+\}", "", expand(Sober(at), pattern))) or "||" in pattern for at in range(4))


def parts(name, value):
    """The lists of patterns in a constant, each by its name."""
    if isinstance(value, list) and value and all(isinstance(it, str) for it in value):
        yield name, value
    elif isinstance(value, dict):
        for key, it in value.items():
            yield from parts(f"{name}_{key}".replace(" ", "_"), it)
    elif isinstance(value, list):
        for at, it in enumerate(value):
            yield from parts(f"{name}_{at}", it)
    elif isinstance(value, tuple) and value and isinstance(value[0], list):
        # The patterns stand first, then what is said to them.
        yield from parts(name, value[0])


def spoken(patterns):
    """Whether these are patterns, and not names of things."""
    return sum("{" in it or "[" in it for it in patterns) * 3 > len(patterns)


def mark(pattern):
    return hashlib.sha256(pattern.encode()).digest()


def listened(file):
    """What was heard for a file: each constant's patterns, of all the hands that wrote some."""
    made = {}
    for path in (HEARD / f"{hand}{file}.json" for hand in ("", "more_", "third_")):
        for name, some in (json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}).items():
            made.setdefault(name.replace(" ", "_"), []).extend(some)
    return made


def gather(file, constants, plain=()):
    """Takes up what was heard for a file's constants (its `globals()`), and keeps some of all patterns back. `plain`: constants that hold no patterns."""
    heard = listened(file)
    for constant, value in list(constants.items()):
        if not constant.isupper() or constant in plain:
            continue
        for name, own in parts(constant, value):
            if id(own) in HELD or not (spoken(own) or name in heard):
                continue
            known = slots(own)
            others = [it for it in dict.fromkeys(heard.get(name, ())) if fit(it, known) and it not in own]
            REFUSED.extend((file, name, it) for it in heard.get(name, ()) if not str(it).startswith("//") and not fit(it, known))
            back = []
            for some in (own, others):
                order = sorted(some, key=mark)
                back += order[: round(len(some) / 20)] if len(some) >= 12 else []
            kept = [it for it in own if it not in back]
            new = [it for it in others if it not in back]
            # Those of other hands are drawn as often as the file's own, or more.
            learned = kept + new * max(1, -(-len(kept) // len(new)) if new else 1)
            HELD[id(own)] = (own, learned, back)
            own[:] = learned


def heard(file, name, known="", own=()):
    """Patterns that were only heard, with these slots (`"qw"`), and some of our own beside them."""
    some = [*own, *listened(file).get(name.replace(" ", "_"), ())]
    made = list(dict.fromkeys(it for it in some if fit(it, set(known))))
    REFUSED.extend((file, name, it) for it in some if not str(it).startswith("//") and not fit(it, set(known)))
    back = sorted(made, key=mark)[: round(len(made) / 20)] if len(made) >= 12 else []
    learned = [it for it in made if it not in back]
    HELD[id(made)] = (made, learned, back)
    made[:] = learned
    return made


def held_back(on=True):
    """Puts what was held back in the place of what is learned, or back again."""
    for own, learned, back in HELD.values():
        own[:] = back if on and back else learned
