"""Scores a model: BFCL's `simple_python`, `multiple`, `irrelevance`, turns of our own, and turns in patterns that were held back. Greedy, without constraint."""

import json
import re

from llama import END, START


def prompt(tok, messages):
    text = "".join(f"{START}{role}\n{content}{END}\n" for role, content, *_ in messages)
    return tok.encode(text + f"{START}assistant\n", add_special_tokens=False).ids


def parsed(text):
    made = []
    for one in re.findall(r"<tool_call>(.*?)</tool_call>", text, re.S):
        try:
            made.append(json.loads(one))
        except ValueError:
            made.append({"name": "", "arguments": {}})
    return made


def bare(text):
    return re.sub(r"[ ,./\-_*^'\"]", "", text).lower()


def same(value, allowed):
    """As BFCL compares: texts without punctuation and case, the rest by value."""
    for one in allowed:
        if isinstance(one, str) and isinstance(value, str):
            if bare(one) == bare(value):
                return True
        elif isinstance(one, dict) and isinstance(value, dict):
            if all(key in one and same(it, one[key] if isinstance(one[key], list) else [one[key]]) for key, it in value.items()):
                return True
        elif isinstance(one, list) and isinstance(value, list):
            if len(one) == len(value) and all(same(a, [b]) for a, b in zip(value, one)):
                return True
        elif one == value or (isinstance(one, (int, float)) and isinstance(value, (int, float)) and abs(one - value) < 1e-6):
            return True
    return False


def fits(call, truth):
    (name, allowed), = truth.items()
    arguments = call.get("arguments") or {}
    if call.get("name") != name or not isinstance(arguments, dict):
        return False
    return all(key in allowed and same(it, allowed[key]) for key, it in arguments.items()) and all(key in arguments or "" in it for key, it in allowed.items())


def continued(model, tok, prompts, most, batch):
    """What the model writes after each prompt; prompts of like length together."""
    end = tok.token_to_id(END)
    order = sorted(range(len(prompts)), key=lambda at: len(prompts[at]))
    out = [None] * len(prompts)
    while order:
        # Attention takes the square of the longest; fewer of those at once.
        size = batch
        while size > 1 and size * len(prompts[order[:size][-1]]) ** 2 > batch * 1500**2:
            size //= 2
        some, order = order[:size], order[size:]
        for at, tokens in zip(some, model.write([prompts[at] for at in some], most, end)):
            out[at] = tok.decode(tokens, skip_special_tokens=False)
    return out


def judged(case, text):
    """(what was wanted, whether it came): the calls; none; or an answer that points at the same and has the same figures."""
    wanted = parsed(case["expected"])
    if wanted:
        return "calls", parsed(text) == wanted
    if case["messages"][-1][0] == "user":
        return "none", not parsed(text)
    told = lambda it: (re.findall(r"(?m)^\[\[\w+\]\]$", it), set(re.findall(r"\d[\d,.:]*\d", it)))
    return "answers", not parsed(text) and told(text) == told(case["expected"])


def score(model, tok, test, most=160, batch=128, limit=None):
    report, missed = {}, []
    for name in ("simple_python", "multiple", "irrelevance"):
        cases = test[name][:limit]
        texts = continued(model, tok, [prompt(tok, it["messages"]) for it in cases], most, batch)
        right = named = 0
        for case, text in zip(cases, texts):
            made, truth = parsed(text), case["truth"]
            if not truth:
                right += not made
                continue
            named += len(made) == 1 and made[0].get("name") in truth[0]
            right += len(made) == len(truth) and all(fits(a, b) for a, b in zip(made, truth))
        report[name] = {"right": right, "tool": named, "of": len(cases)}
        print(name, report[name], flush=True)
    for name in ("own", "unheard"):
        cases = test.get(name, [])[:limit]
        texts = continued(model, tok, [prompt(tok, it["messages"]) for it in cases], 96, batch)
        counts = {}
        for case, text in zip(cases, texts):
            kind, good = judged(case, text)
            for key in (kind, *([f"{case['of']} {kind}"] if "of" in case else [])):
                right, of = counts.get(key, (0, 0))
                counts[key] = (right + good, of + 1)
            if not good and len(missed) < 60:
                missed.append((case["messages"][-1][1][-160:], case["expected"][:200], text[:200]))
        report[name] = {key: list(it) for key, it in sorted(counts.items())}
        print(name, {key: f"{good} of {of}" for key, (good, of) in sorted(counts.items())}, flush=True)
    for one in missed:
        print("  missed", *(json.dumps(it, ensure_ascii=False) for it in one), sep="\n    ", flush=True)
    return report
