"""Makes `crates/offline/adapter/packs.words`: by which words people mean which pack.

    python packs.py [--count 160000] [--seed 11]

A question is asked of four yes-or-no models, one for each pack, that see which words it has, which stand beside each other, and how long words begin and end,
each hashed to one of 32,768 places. They learn from what is asked in the training data (`data.py`), from questions for tools of others and from small talk, which mean no
pack, and are scored on patterns that were held back. The file is a line of JSON (the packs, each one's scale and bias), then a byte for each place and pack.
`crates/offline/src/route/packs.rs` reads it, and makes the same places of the same words.
"""

import argparse
import json
import pathlib
import random
import re

import numpy
import scipy.sparse

import data
from phrases import chains, demo, desk, functions, history, invented, lookups, patterns, small, spoken, trading, workspace

OUT = pathlib.Path(__file__).parent.parent / "crates" / "offline" / "adapter" / "packs.words"
TASKS = ["demo", "trading", "history", "workspace"]
GROUPS = ["demo", "market", "watch", "workspace"]
PLACES = 1 << 15
LONG, AFFIX = 5, 4
MAKERS = [(demo.talk, 14), (trading.talk, 16), (desk.talk, 12), (history.talk, 20), (workspace.talk, 30), (chains.talk, 14), (lookups.talk, 12), (spoken.talk, 12), (small.talk, 16)]
OTHERS = [(functions.talk, 14), (invented.talk, 3)]


def place(feature):
    """FNV-1a of 32 bits."""
    number = 0x811C9DC5
    for byte in feature.encode():
        number = ((number ^ byte) * 0x01000193) & 0xFFFFFFFF
    return number % PLACES


def words(text):
    """What is between spaces, in small letters and without signs around it. What has a figure is one, and what ends as files do is a file."""
    made = []
    for word in text.lower().split():
        while word and not word[0].isalnum():
            word = word[1:]
        while word and not word[-1].isalnum():
            word = word[:-1]
        if not word:
            continue
        if is_file(word):
            made.append("<file>")
        made.append("<figure>" if any(it in "0123456789" for it in word) else word)
    return made


def is_file(word):
    ending = re.split(r"[./]", word)
    return len(ending) > 1 and 1 <= len(ending[-1]) <= 5 and all("a" <= it <= "z" for it in ending[-1])


def places(text):
    some = words(text)
    around = ["<", *some, ">"]
    features = some + [f"{a} {b}" for a, b in zip(around, around[1:])]
    for word in some:
        if len(word) >= LONG and word.isalpha():
            features += ["^" + word[:AFFIX], word[-AFFIX:] + "$"]
    return sorted({place(it) for it in features})


def asked(talk):
    """What is asked in a conversation, each with the packs whose tools are called for it."""
    made = []
    for role, content in talk.messages:
        if role == "user":
            made.append((content, set()))
        elif role in ("assistant", "slip") and made:
            made[-1][1].update(data.PACK_OF.get(name) for name in re.findall(r'"name": "(\w+)"', content))
    return made


def questions(r, makers, count):
    made = []
    while len(made) < count:
        make = r.choices([it for it, _ in makers], [weight for _, weight in makers])[0]
        try:
            it = make(r, data.day(r))
        except (IndexError, RecursionError):
            # Where only some of a list's patterns fit, none of those held back may.
            continue
        if it.task not in ("own", "any") and len(it.messages) == 4 and r.random() < 0.12:
            it = data.together(r, it, r.choice([demo, demo, history, workspace]).talk(r, None))
        made += [(text, packs) for text, packs in asked(it) if data.plain(text) not in data.TESTED]
    return made


def matrix(texts):
    """A row for each text; long ones do not weigh more."""
    rows = [places(it) for it in texts]
    begins = numpy.cumsum([0, *map(len, rows)])
    numbers = numpy.concatenate([numpy.full(len(it), len(it) ** -0.5, numpy.float32) for it in rows])
    return scipy.sparse.csr_matrix((numbers, numpy.concatenate(rows).astype(numpy.int32), begins), shape=(len(texts), PLACES))


def likely(features, weights, bias):
    return 1 / (1 + numpy.exp(-(features @ weights + bias)))


def fitted(features, wanted, epochs=10, together=512, rate=0.02, decay=1e-6):
    """Adam, with a rate that falls to nothing."""
    r, count = numpy.random.default_rng(1), features.shape[0]
    weights, bias = numpy.zeros((PLACES, len(TASKS)), numpy.float32), numpy.zeros(len(TASKS), numpy.float32)
    mean, square, step, steps = numpy.zeros_like(weights), numpy.zeros_like(weights), 0, epochs * (count // together)
    for _ in range(epochs):
        order = r.permutation(count)
        for at in range(0, count - together + 1, together):
            some = order[at : at + together]
            wrong = (likely(features[some], weights, bias) - wanted[some]) / together
            slope = features[some].T @ wrong + decay * weights
            step += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
            now = rate * (1 - step / steps)
            weights -= now * (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.999**step)) + 1e-8)
            bias -= now * 10 * wrong.sum(0)
    return weights, bias


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=160_000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    learned = questions(random.Random(options.seed), MAKERS + OTHERS, options.count)
    patterns.held_back()
    scored = questions(random.Random(6), MAKERS, 4_000)
    truth = [numpy.array([[it in packs for it in TASKS] for _, packs in some], numpy.float32) for some in (learned, scored)]
    features = [matrix([text for text, _ in some]) for some in (learned, scored)]
    weights, bias = fitted(features[0], truth[0])
    # In eight bits, as it is kept.
    scale = numpy.abs(weights).max(0) / 127
    kept = numpy.round(weights / scale).astype(numpy.int8)
    told = likely(features[1], kept * scale, bias) > 0.5
    print(f"{(told == (truth[1] > 0.5)).all(1).mean():.1%} of {len(scored)} questions in patterns that were held back: these packs and no others")
    head = {"packs": GROUPS, "scale": [float(f"{it:.7g}") for it in scale], "bias": [float(f"{it:.7g}") for it in bias]}
    OUT.write_bytes(json.dumps(head).encode() + b"\n" + kept.tobytes())


if __name__ == "__main__":
    main()
