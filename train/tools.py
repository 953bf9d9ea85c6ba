"""The prompt, byte for byte as the product renders it, and the packs' tools.

    python tools.py ../crates/offline/tests/prompts    # checks this renderer against the golden files
"""

import datetime
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
TELLING = ("enum", "const", "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
           "minLength", "maxLength", "minItems", "maxItems")
TURNS, FRESH_TURNS, FRESH, OLD = 6, 2, 1200, 300


def spaced(value):
    return json.dumps(value, ensure_ascii=False)


def ordered(value):
    """Objects sorted by key, as the product keeps them."""
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value)}
    return [ordered(it) for it in value] if isinstance(value, list) else value


def resolved(schema, root):
    for _ in range(8):
        if not isinstance(schema, dict) or "$ref" not in schema:
            break
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target.get(part, {}) if isinstance(target, dict) else {}
        schema = target
    return schema if isinstance(schema, dict) else {}


def is_union(text):
    depth, quoted, skip = 0, False, False
    for char in text:
        if skip:
            skip = False
        elif quoted and char == "\\":
            skip = True
        elif char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "|" and depth == 0:
            return True
    return False


def fields(properties, schema, root, depth):
    required = schema.get("required") or []
    return ", ".join(f"{k}{'' if k in required else '?'}: {kind(v, root, depth)}" for k, v in properties.items())


def kind(schema, root, depth):
    """A schema in words: `string`, `"A"|"B"`, `{k: T}`."""
    schema = resolved(schema, root)
    if "const" in schema:
        return spaced(schema["const"])
    values = [spaced(it) for it in schema.get("enum") or [] if it is not None]
    if 1 <= len(values) <= 14:
        return "|".join(values)
    options = schema.get("anyOf") or schema.get("oneOf")
    if options is not None:
        kinds = [kind(it, root, depth) for it in options if not (isinstance(it, dict) and it.get("type") == "null")]
        return "|".join(dict.fromkeys(kinds)) or "any"
    types = schema.get("type")
    types = [types] if isinstance(types, str) else types or (["object"] if "properties" in schema else [])
    return "|".join(named(it, schema, root, depth) for it in types if it != "null") or "any"


def named(name, schema, root, depth):
    if name not in ("array", "object") or depth == 0:
        return name
    depth -= 1
    if name == "array":
        item = kind(schema["items"], root, depth) if "items" in schema else "any"
        return f"({item})[]" if is_union(item) else f"{item}[]"
    if schema.get("properties"):
        return "{" + fields(schema["properties"], schema, root, depth) + "}"
    extra = schema.get("additionalProperties")
    return "{[key]: " + kind(extra, root, depth) + "}" if isinstance(extra, dict) else "object"


def signature(tool):
    """`name(arg: type, opt?: type) - description`, and a line for each parameter that needs one."""
    schema = tool["parameters"]
    properties = schema.get("properties") or {}
    text = f"{tool['name']}({fields(properties, schema, schema, 4)})"
    line = (tool.get("description") or "").strip().split("\n")[0]
    text += f" - {line[:160]}" if line else ""
    for name, value in properties.items():
        words = " ".join(str(value.get("description") or "").split())
        if words and (name in (schema.get("required") or []) or any(it in value for it in TELLING)):
            text += f"\n  {name}: {words[:90]}"
    return text


def system(tools, today=None):
    """What the model reads first. The day stands last, so that the part before it is the same every day."""
    parts = ["You call tools."] + (["# Tools", *(SIGNED.get(id(it)) or signature(it) for it in tools)] if tools else [])
    return "\n".join(parts + ([today.strftime("Today is %Y-%m-%d (%A).")] if today else []))


def call(name, arguments):
    return f"<tool_call>{{\"name\": {spaced(name)}, \"arguments\": {arguments if isinstance(arguments, str) else spaced(ordered(arguments))}}}</tool_call>"


def cut(text, most=FRESH):
    if len(text) <= most:
        return text
    kept = text[:most]
    line = kept.rfind("\n")
    return (kept[:line] if line > 0 else kept) + "\n…"


def safe(text):
    return text.replace("<|im_", "< |im_").replace("<|endoftext", "< |endoftext")


def conversation(messages):
    """(role, content) as shown: the last turns, results cut. A result is `("tool", text)`."""
    turns = [at for at, (role, _) in enumerate(messages) if role == "user"]
    first = turns[-TURNS] if len(turns) >= TURNS else 0
    fresh = turns[-FRESH_TURNS] if len(turns) >= FRESH_TURNS else 0
    for at, (role, content) in enumerate(messages[first:], first):
        yield role, safe(cut(content, OLD if at < fresh else FRESH) if role == "tool" else content)


def render(messages):
    return "".join(f"<|im_start|>{role}\n{content}<|im_end|>\n" for role, content in messages)


SIGNED = {}


def pack(task):
    """The tools of a task: demo, trading, history, workspace. They are the same all the time, and so are their signatures."""
    tools = [it["function"] for it in json.loads((HERE / "schemas" / f"{task}.json").read_text())]
    KEPT.extend(tools)
    SIGNED.update((id(it), signature(it)) for it in tools)
    return tools


KEPT = []  # So that no other tool gets the place, and the signature, of one of these.


def from_openai(messages):
    for it in messages:
        if it["role"] == "tool" or it["role"] == "user":
            yield it["role"], it["content"]
        elif it["role"] == "assistant" and it.get("tool_calls"):
            yield "assistant", "\n".join(written(one["function"]) for one in it["tool_calls"])
        elif it["role"] == "assistant" and it["content"]:
            yield "assistant", it["content"]


def written(function):
    try:
        return call(function["name"], spaced(json.loads(function["arguments"])))
    except ValueError:
        return call(function["name"], function["arguments"])


def check(folder):
    wrong = 0
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        golden = json.loads(path.read_text())
        today = datetime.date.fromisoformat(golden["today"]) if golden.get("today") else None
        tools = [ordered(it["function"]) for it in golden["tools"]]
        messages = [("system", system(tools, today)), *conversation(list(from_openai(golden["messages"])))]
        text = render(messages) + "<|im_start|>assistant\n"
        good = text == golden["expected"]
        wrong += not good
        print("ok  " if good else "DIFF", path.name)
    return wrong


if __name__ == "__main__":
    sys.exit(check(sys.argv[1]))
