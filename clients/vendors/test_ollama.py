"""Ollama's package, reading its own API."""

import json

import ollama
import pytest
from conftest import CITY, PICTURE, SCHEMA, TEXT, WEATHER, Weather, turns

QUESTION = [{"role": "user", "content": "Weather?"}]


@pytest.fixture
def client(address):
    return ollama.Client(host=f"{address}/ollama")


def once(client, model, messages=QUESTION, **more):
    return [client.chat(model=model, messages=messages, **more)]


def pieces(client, model, messages=QUESTION, **more):
    return list(client.chat(model=model, messages=messages, stream=True, **more))


def text(answers):
    return "".join(it.message.content or "" for it in answers)


def calls(answers):
    found = [call.function for it in answers for call in it.message.tool_calls or []]
    return [(it.name, dict(it.arguments)) for it in found]


both = pytest.mark.parametrize("ask", [once, pieces])


@both
def test_text_and_usage(client, ask):
    answers = ask(client, "text")
    assert text(answers) == TEXT
    last = answers[-1]
    assert (last.done, last.done_reason) == (True, "stop")
    assert (last.prompt_eval_count, last.eval_count) == (80, 30)
    assert last.total_duration > 0
    assert not any(it.done for it in answers[:-1])


@both
def test_a_call_after_text(client, ask):
    answers = ask(client, "call")
    assert (text(answers), calls(answers)) == ("I'll look.", [("get_weather", CITY)])
    # There is no word of its own for calls.
    assert answers[-1].done_reason == "stop"


@both
def test_several_calls(client, ask):
    assert calls(ask(client, "calls")) == [("get_weather", CITY), ("now", {})]


@both
def test_reasoning(client, ask):
    answers = ask(client, "thought")
    assert "".join(it.message.thinking or "" for it in answers) == "The weather first."
    assert text(answers) == "31 °C"


@both
@pytest.mark.parametrize(
    ("model", "reason"), [("length", "length"), ("filter", "stop"), ("refusal", "stop")]
)
def test_stop_reasons(client, ask, model, reason):
    assert ask(client, model)[-1].done_reason == reason


@both
def test_a_refusal_is_text(client, ask):
    assert text(ask(client, "refusal")) == "I'd rather not."


@both
def test_an_answer_has_a_type(client, ask):
    answers = ask(client, "schema", format=Weather.model_json_schema())
    assert Weather.model_validate_json(text(answers)) == WEATHER


@both
@pytest.mark.parametrize(
    ("model", "status", "words"),
    [
        ("too-long", 400, "context length"),
        ("invalid", 400, "does not support tools"),
        ("key", 401, "unauthorized"),
        ("forbidden", 403, "denied"),
        ("model", 404, "not found"),
        ("limit", 429, "too many requests"),
        ("quota", 429, "usage limit"),
        ("server", 500, "an error was encountered"),
        ("overloaded", 503, "server busy"),
    ],
)
def test_errors(client, ask, model, status, words):
    with pytest.raises(ollama.ResponseError, match=words) as told:
        ask(client, f"fail-{model}")
    assert told.value.status_code == status


def test_it_breaks_in_the_middle(client):
    with pytest.raises(ollama.ResponseError, match="server busy"):
        pieces(client, "break")


def test_models(client):
    assert [it.model for it in client.list().models] == ["scripted:latest"]
    shown = client.show("scripted")
    assert shown.capabilities == ["completion", "tools", "thinking", "vision"]
    assert shown.modelinfo["scripted.context_length"] == 32768


@both
def test_what_is_asked_is_understood(client, ask):
    function = {"name": "get_weather", "arguments": {"city": "Pune"}}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Weather?", "images": [PICTURE]},
        {"role": "assistant", "content": "I'll look.", "tool_calls": [{"function": function}]},
        {"role": "tool", "tool_name": "get_weather", "content": "31 C"},
    ]
    tool = {"name": "get_weather", "description": "The weather", "parameters": SCHEMA}
    answers = ask(
        client,
        "asked",
        messages=messages,
        tools=[{"type": "function", "function": tool}],
        format=SCHEMA,
        options={"num_predict": 99},
        think=True,
    )
    asked = json.loads(text(answers))
    # This package knows no ids.
    assert asked["turns"] == turns(call="")
    assert (asked["model"], asked["system"]) == ("asked", "Be brief.")
    assert asked["stream"] == (ask is pieces)
    assert (asked["tools"], asked["thinking"]) == (["get_weather"], True)
    assert (asked["max_tokens"], asked["schema"]) == (99, SCHEMA)
