"""Puts three sets of the Berkeley Function Calling Leaderboard into the form of our own questions.

    python3 bfcl.py FOLDER_OF_BFCL_DATA FOLDER_TO_WRITE

They are for testing only: nothing is trained on them or tuned by them, so all are held out. A question
brings its own tools, and the first reply alone is scored, as BFCL's check of the syntax tree does: one
call, the right function, every argument one of those that are possible.
"""

import json
import pathlib
import sys

SETS = ["simple_python", "multiple", "irrelevance"]
TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def schema(of):
    """BFCL's words for types as JSON Schema's."""
    of = {key: it for key, it in of.items() if key != "optional"}
    kind = of.get("type")
    if kind in TYPES:
        of["type"] = TYPES[kind]
        if of["type"] is None:
            del of["type"]
    if isinstance(of.get("properties"), dict):
        of["properties"] = {name: schema(it) for name, it in of["properties"].items()}
    if isinstance(of.get("items"), dict):
        of["items"] = schema(of["items"])
    return of


def name(of):
    """A name that every provider takes: `math.factorial` is `math_factorial`."""
    return of.replace(".", "_")


def tool(function):
    parameters = schema(function["parameters"])
    described = {
        "name": name(function["name"]),
        "description": function["description"],
        "parameters": parameters,
    }
    return {"type": "function", "function": described}


def wanted(possible):
    """What an argument may be. An empty text among the possible ones means that it may be left out."""
    return {"any": [one(it) for it in possible] + ([None] if "" in possible else [])}


def one(value):
    if isinstance(value, dict):
        return {"fields": {key: wanted(it) for key, it in value.items()}}
    if isinstance(value, list) and any(isinstance(it, dict) for it in value):
        return [one(it) for it in value]
    return {"like": value}


def case(kind, question, answer):
    calls = [
        {"tool": name(function), "args": {key: wanted(it) for key, it in args.items()}}
        for call in answer
        for function, args in call.items()
    ]
    [messages] = question["question"]
    ask = "\n".join(it["content"] for it in messages)
    return {
        "id": f"bfcl-{question['id']}",
        "split": "held",
        "group": f"bfcl_{kind}",
        "tools": [tool(it) for it in question["function"]],
        "turns": [{"ask": ask, "calls": [calls] if calls else []}],
    }


def main():
    data, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for kind in SETS:
        file = f"BFCL_v4_{kind}.json"
        answers = {}
        if (data / "possible_answer" / file).exists():
            answers = {it["id"]: it["ground_truth"] for it in lines(data / "possible_answer" / file)}
        cases = [case(kind, it, answers.get(it["id"], [])) for it in lines(data / file)]
        text = "".join(json.dumps(it, ensure_ascii=False) + "\n" for it in cases)
        (out / f"bfcl_{kind}.jsonl").write_text(text, encoding="utf-8")
        print(f"{kind}: {len(cases)} questions")


main()
