"""The Berkeley function-calling sets: three for testing only, the rest, where no function is shared, for training."""

import json
import re

from phrases.demo import CITIES
from phrases.small import NONE
from tools import call, ordered

TESTED = ("simple_python", "multiple", "irrelevance")
LEARNED = {"live_simple": 20, "live_multiple": 13, "live_parallel": 16, "live_parallel_multiple": 16, "parallel": 18, "parallel_multiple": 18,
           "simple_java": 3, "simple_javascript": 3, "live_irrelevance": 9}
KINDS = {"dict": "object", "float": "number", "tuple": "array", "double": "number", "long": "integer", "int": "integer", "short": "integer", "byte": "integer", "str": "string", "char": "string",
         "bool": "boolean", "list": "array", "arraylist": "array", "hashmap": "object", "set": "array", "queue": "array", "stack": "array"}


def load(folder, name):
    return [json.loads(line) for line in (folder / f"BFCL_v4_{name}.json").open()]


def answers(folder, name):
    path = folder / "possible_answer" / f"BFCL_v4_{name}.json"
    return {it["id"]: it["ground_truth"] for it in map(json.loads, path.open())} if path.exists() else {}


def schema(value):
    """JSON Schema out of BFCL's own, sorted as the product keeps it."""
    if not isinstance(value, dict):
        return {}
    out = {key: value[key] for key in ("description", "enum", "required", "format", "minimum", "maximum") if key in value}
    kind = value.get("type")
    if isinstance(kind, str) and kind != "any":
        kind = KINDS.get(kind.lower(), kind.lower())
        if kind in ("string", "integer", "number", "boolean", "array", "object"):
            out["type"] = kind
    if isinstance(value.get("properties"), dict):
        out["properties"] = {name: schema(it) for name, it in value["properties"].items()}
    if isinstance(value.get("items"), dict):
        out["items"] = schema(value["items"])
    if not out.get("enum"):
        out.pop("enum", None)
    return ordered(out)


def definition(function):
    return {"name": function["name"], "description": function.get("description", ""), "parameters": {"type": "object", **schema(function["parameters"])}}


def questions(one):
    turns = one["question"][0]
    return [("user" if it["role"] == "system" else it["role"], it["content"]) for it in turns if it["role"] in ("user", "assistant", "system")]


def tests(folder):
    """{set: [{tools, messages, truth}]}, and the names of their functions."""
    out, names = {}, set()
    for name in TESTED:
        truth = answers(folder, name)
        out[name] = [{"tools": [definition(it) for it in one["function"]], "messages": questions(one), "truth": truth.get(one["id"], [])} for one in load(folder, name)]
        if name != "irrelevance":
            names |= {it["name"] for one in out[name] for it in one["tools"]}
    return out, {bare(it) for it in names}


def bare(name):
    """A function's name however it is written: without its module, in small letters and digits alone."""
    return re.sub(r"[^a-z0-9]", "", name.split(".")[-1].lower())


class Unreachable(Exception):
    """A value nobody said: it could not be decoded."""


def spoken(value, property_, text):
    """The value as it stands in the conversation."""
    if isinstance(value, str) and "enum" not in property_ and not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        at = text.lower().find(value.lower())
        if at < 0 or not value:
            raise Unreachable
        return text[at : at + len(value)]
    if isinstance(value, list):
        return [spoken(it, property_.get("items", {}), text) for it in value]
    if isinstance(value, dict):
        inner = property_.get("properties", {})
        return {name: spoken(it[0] if isinstance(it, list) and it else it, inner.get(name, {}), text) for name, it in value.items() if it not in ([""], "", [])}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def calls(r, truth, tools, text):
    """The calls of a ground truth, each value one that was said; a value that may be left out is."""
    by = {it["name"]: it["parameters"].get("properties", {}) for it in tools}
    made = []
    for one in truth:
        (name, parameters), = one.items()
        arguments = {}
        for key, allowed in parameters.items():
            options = [it for it in allowed if it != ""]
            optional = "" in allowed or not options
            chosen = None
            for option in options:
                try:
                    chosen = spoken(option, by[name].get(key, {}), text)
                    break
                except Unreachable:
                    continue
            if chosen is None and not optional:
                raise Unreachable
            # A default that nobody mentioned is left out.
            if chosen is not None and not (optional and not isinstance(chosen, str) and str(chosen) not in text):
                arguments[key] = chosen
        made.append((name, arguments))
    return made


RENAMED = [lambda it: it, lambda it: it, lambda it: it.split(".")[-1], lambda it: it.replace(".", "_"), lambda it: re.sub(r"_(\w)", lambda m: m.group(1).upper(), it.replace(".", "_"))]


def examples(r, folder, tested):
    """(tools, messages) of the sets that may be learned, many times each, with other tools and names beside."""
    ones, pool = [], []
    for name, times in LEARNED.items():
        truth = answers(folder, name)
        for one in load(folder, name):
            tools = [definition(it) for it in one["function"]]
            if any(bare(it["name"]) in tested for it in tools):
                continue
            ones.append((tools, questions(one), truth.get(one["id"]), times))
            pool += tools
    dropped = 0
    for tools, messages, truth, times in ones:
        text = "\n".join(content for role, content in messages if role == "user")
        try:
            made = calls(r, truth, tools, text) if truth else []
        except (Unreachable, KeyError, ValueError):
            dropped += 1
            continue
        for _ in range(times):
            yield augmented(r, tools, messages, made, pool, tested)
    print("bfcl:", len(ones), "examples,", dropped, "of them with values nobody said")


def leaves(value):
    if isinstance(value, dict):
        for it in value.values():
            yield from leaves(it)
    elif isinstance(value, list):
        for it in value:
            yield from leaves(it)
    else:
        yield value


def replaced(value, old, new):
    if isinstance(value, dict):
        return {key: replaced(it, old, new) for key, it in value.items()}
    if isinstance(value, list):
        return [replaced(it, old, new) for it in value]
    return new if type(value) is type(old) and value == old else value


def varied(r, messages, made):
    """The same request about other figures and places, where each is said once and meant once."""
    messages, made = list(messages), list(made)
    said = [it for _, arguments in made for it in leaves(arguments)]
    for old in {it for it in said if not isinstance(it, bool)}:
        if r.random() < 0.45 or said.count(old) != 1:
            continue
        if isinstance(old, int) and old > 9:
            new = r.randint(10 ** (len(str(old)) - 1), 10 ** len(str(old)) - 1)
        elif isinstance(old, str) and old in CITIES:
            new = r.choice(CITIES)
        else:
            continue
        pattern = rf"(?<![\w.,]){re.escape(str(old))}(?![\w]|[.,]\d)"
        if sum(len(re.findall(pattern, content)) for _, content in messages) != 1:
            continue
        messages = [(role, re.sub(pattern, lambda _: str(new), content)) for role, content in messages]
        made = [(name, replaced(arguments, old, new)) for name, arguments in made]
    return messages, made


def reshaped(r, tool, used):
    """The same tool told otherwise: fewer optional parameters and descriptions."""
    parameters = tool["parameters"]
    required = parameters.get("required") or []
    properties, bare = {}, r.random() < 0.15
    for name, value in (parameters.get("properties") or {}).items():
        if name not in required and name not in used and r.random() < 0.3:
            continue
        properties[name] = {key: it for key, it in value.items() if key != "description"} if bare or r.random() < 0.1 else value
    return {**tool, "parameters": {**parameters, "properties": properties}}


def words(tool):
    return {it for it in re.findall(r"[a-z]{4,}", f"{tool['name']} {tool['description']}".lower().replace("_", " "))}


def like(r, pool, gone):
    """Others of which the words are in part the same; not those that may be the same thing under another name."""
    own = set().union(*(words(it) for it in gone))
    names = set().union(*({it for it in re.findall(r"[a-z]{4,}", one["name"].lower().replace("_", " "))} for one in gone))
    some = [it for it in r.sample(pool, min(len(pool), 60)) if not names & words({**it, "description": ""})]
    some.sort(key=lambda it: -len(own & words(it)))
    return list({it["name"]: it for it in some[: r.choice([1, 1, 1, 2, 3])]}.values())


def augmented(r, tools, messages, made, pool, tested):
    messages, made = varied(r, messages, made)
    if made and r.random() < 0.16:
        # What is needed is not there, but what sounds like it: nothing is called.
        gone = {name for name, _ in made}
        alike = like(r, pool, [it for it in tools if it["name"] in gone])
        rest = [it for it in tools if it["name"] not in gone]
        if alike or rest:
            tools, made = (rest if rest and r.random() < 0.6 else alike or rest), []
    need = {name for name, _ in made}
    used = {name: {key for one, arguments in made if one == name for key in arguments} for name in need}
    keep = [it for it in tools if it["name"] in need]
    other = [it for it in tools if it["name"] not in need]
    r.shuffle(other)
    room = 10 - len(keep)
    if made:
        other = other[: r.randint(0, max(0, room))]
        extra = [it for it in r.sample(pool, r.choice([0, 0, 0, 1, 2, 3, 5, 8])) if it["name"] not in need]
        other = (other + extra)[: max(0, room)]
    some = {it["name"]: it for it in keep + other[:10]}
    rename = r.choice(RENAMED)
    names = {it: rename(it) for it in some}
    if len(set(names.values())) < len(names) or any(bare(it) in tested for it in names.values()):
        names = {it: it for it in some}
    shown = [{**reshaped(r, it, used.get(it["name"], ())), "name": names[it["name"]]} for it in some.values()]
    r.shuffle(shown)
    answer = "\n".join(call(names[name], arguments) for name, arguments in made) if made else NONE[0]
    return shown, [*messages, ("assistant", answer)]
