"""Anthropic's package, reading Messages."""

import json

import anthropic
import pytest
from anthropic.types import Message, RawMessageStreamEvent
from conftest import CITY, PICTURE, SCHEMA, SEAL, TEXT, WEATHER, Weather, turns
from pydantic import TypeAdapter

QUESTION = {"max_tokens": 99, "messages": [{"role": "user", "content": "Weather?"}]}


@pytest.fixture
def client(address):
    return anthropic.Anthropic(base_url=f"{address}/messages", api_key="k", max_retries=0)


def whole(client, model, **more):
    return client.messages.create(model=model, **{**QUESTION, **more})


def streamed(client, model, **more):
    """Through the package's own assembling."""
    with client.messages.stream(model=model, **{**QUESTION, **more}) as events:
        for _ in events:
            pass
        return events.get_final_message()


both = pytest.mark.parametrize("ask", [whole, streamed])


@both
def test_text_and_usage(client, ask):
    answer = ask(client, "text")
    assert ([it.text for it in answer.content], answer.stop_reason) == ([TEXT], "end_turn")
    usage = answer.usage
    # The cached ones are counted apart.
    assert (usage.input_tokens, usage.cache_read_input_tokens) == (16, 64)
    assert (usage.output_tokens, usage.output_tokens_details.thinking_tokens) == (30, 12)


@both
def test_a_call_after_text(client, ask):
    answer = ask(client, "call")
    text, call = answer.content
    assert (text.text, answer.stop_reason) == ("I'll look.", "tool_use")
    assert (call.type, call.id, call.name, call.input) == ("tool_use", "call_1", "get_weather", CITY)


@both
def test_several_calls(client, ask):
    calls = ask(client, "calls").content
    assert [(it.id, it.name) for it in calls] == [("call_1", "get_weather"), ("call_2", "now")]
    assert [it.input for it in calls] == [CITY, {}]


@both
def test_reasoning(client, ask):
    thought, text = ask(client, "thought").content
    assert (thought.thinking, thought.signature) == ("The weather first.", SEAL)
    assert text.text == "31 °C"


@both
def test_reasoning_that_is_not_shown(client, ask):
    thought, _ = ask(client, "redacted").content
    assert (thought.type, thought.data) == ("redacted_thinking", SEAL)


@both
@pytest.mark.parametrize(
    ("model", "reason"), [("length", "max_tokens"), ("filter", "refusal"), ("refusal", "refusal")]
)
def test_stop_reasons(client, ask, model, reason):
    assert ask(client, model).stop_reason == reason


@both
def test_a_refusal_is_explained(client, ask):
    answer = ask(client, "refusal")
    assert (answer.content, answer.stop_details.explanation) == ([], "I'd rather not.")
    assert ask(client, "filter").stop_details.category == "general_harms"


def test_an_answer_has_a_type(client):
    answer = client.messages.parse(model="schema", output_format=Weather, **QUESTION)
    assert answer.parsed_output == WEATHER
    assert streamed(client, "schema", output_format=Weather).parsed_output == WEATHER


MODELS = ["text", "call", "calls", "thought", "redacted", "length", "filter", "refusal"]


@pytest.mark.parametrize("model", MODELS)
def test_every_event_is_valid(client, model):
    valid = TypeAdapter(RawMessageStreamEvent)
    for event in whole(client, model, stream=True):
        valid.validate_python(event.model_dump(by_alias=True, exclude_unset=True))


@pytest.mark.parametrize("model", MODELS)
def test_every_message_is_valid(client, model):
    Message.model_validate(whole(client, model).model_dump(by_alias=True, exclude_unset=True))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("model", "kind", "told_as"),
    [
        ("too-long", anthropic.BadRequestError, "invalid_request_error"),
        ("invalid", anthropic.BadRequestError, "invalid_request_error"),
        ("key", anthropic.AuthenticationError, "authentication_error"),
        ("forbidden", anthropic.PermissionDeniedError, "permission_error"),
        ("model", anthropic.NotFoundError, "not_found_error"),
        ("limit", anthropic.RateLimitError, "rate_limit_error"),
        ("quota", anthropic.RateLimitError, "rate_limit_error"),
        ("server", anthropic.InternalServerError, "api_error"),
        ("overloaded", anthropic.InternalServerError, "overloaded_error"),
    ],
)
def test_errors(client, model, kind, told_as, stream):
    with pytest.raises(kind) as told:
        list(whole(client, f"fail-{model}", stream=stream))
    assert told.value.body["error"]["type"] == told_as
    assert told.value.request_id == "req_scripted"
    # A limit that does not pass says no time.
    assert ("retry-after" in told.value.response.headers) == (model in ("limit", "server", "overloaded"))


def test_a_limit_passes(client):
    [text] = whole(client.with_options(max_retries=1), "patient").content
    assert text.text == TEXT


def test_it_breaks_in_the_middle(client):
    with pytest.raises(anthropic.APIStatusError, match="Overloaded") as told:
        streamed(client, "break")
    assert told.value.body["error"]["type"] == "overloaded_error"


def test_models(client):
    assert [it.id for it in client.models.list()] == ["scripted"]


@both
def test_what_is_asked_is_understood(client, ask):
    source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
    call = {"id": "call_1", "name": "get_weather", "input": {"city": "Pune"}}
    messages = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "Weather?"}, {"type": "image", "source": source}],
        },
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "I'll look."}, {"type": "tool_use", **call}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "31 C"}],
        },
    ]
    mark = {"type": "ephemeral"}
    answer = ask(
        client,
        "asked",
        messages=messages,
        system=[{"type": "text", "text": "Be brief.", "cache_control": mark}],
        tools=[{"name": "get_weather", "input_schema": SCHEMA, "cache_control": mark}],
        tool_choice={"type": "any"},
        output_config={"format": {"type": "json_schema", "schema": SCHEMA}},
    )
    asked = json.loads(answer.content[0].text)
    assert asked["turns"] == turns(error=False)
    assert (asked["model"], asked["system"]) == ("asked", "Be brief.")
    assert asked["stream"] == (ask is streamed)
    assert (asked["tools"], asked["choice"], asked["marks"]) == (["get_weather"], "required", 2)
    assert (asked["max_tokens"], asked["schema"]) == (99, SCHEMA)


def test_a_turn_goes_back_as_it_came(client):
    content = [it.model_dump(exclude_none=True) for it in whole(client, "thought-call").content]
    results = [{"type": "tool_result", "tool_use_id": f"call_{n}", "content": "x"} for n in (1, 2)]
    messages = [
        *QUESTION["messages"],
        {"role": "assistant", "content": content},
        {"role": "user", "content": results},
    ]
    asked = json.loads(whole(client, "asked", messages=messages).content[0].text)
    thought, *calls = asked["turns"][1]["parts"]
    assert thought == {"reasoning": {"text": "The weather first.", "seal": SEAL}}
    assert [it["call"]["arguments"] for it in calls] == [CITY, {}]
