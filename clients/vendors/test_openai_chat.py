"""OpenAI's package, reading Chat Completions."""

import json

import openai
import pytest
from conftest import CITY, PICTURE, SCHEMA, TEXT, WEATHER, Weather, turns
from openai.types.chat import ChatCompletionChunk

QUESTION = [{"role": "user", "content": "Weather?"}]


@pytest.fixture
def client(address):
    return openai.OpenAI(base_url=f"{address}/chat/v1", api_key="k", max_retries=0)


def whole(client, model, **more):
    return client.chat.completions.create(model=model, messages=QUESTION, **more)


def streamed(client, model, **more):
    """Through the package's own assembling."""
    asked = {"model": model, "messages": QUESTION, "stream_options": {"include_usage": True}, **more}
    with client.chat.completions.stream(**asked) as pieces:
        for _ in pieces:
            pass
        return pieces.get_final_completion()


both = pytest.mark.parametrize("ask", [whole, streamed])


@both
def test_text_and_usage(client, ask):
    answer = ask(client, "text")
    [choice] = answer.choices
    assert (choice.message.content, choice.finish_reason) == (TEXT, "stop")
    usage = answer.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (80, 30, 110)
    assert usage.prompt_tokens_details.cached_tokens == 64
    assert usage.completion_tokens_details.reasoning_tokens == 12


@both
def test_a_call_after_text(client, ask):
    [choice] = ask(client, "call").choices
    assert (choice.message.content, choice.finish_reason) == ("I'll look.", "tool_calls")
    [call] = choice.message.tool_calls
    assert (call.id, call.function.name) == ("call_1", "get_weather")
    assert json.loads(call.function.arguments) == CITY


@both
def test_several_calls(client, ask):
    [choice] = ask(client, "calls").choices
    calls = choice.message.tool_calls
    assert [(it.id, it.function.name) for it in calls] == [("call_1", "get_weather"), ("call_2", "now")]
    assert [json.loads(it.function.arguments) for it in calls] == [CITY, {}]
    assert choice.message.content is None


def test_reasoning(client):
    message = whole(client, "thought").choices[0].message
    assert (message.reasoning_content, message.content) == ("The weather first.", "31 °C")
    pieces = whole(client, "thought", stream=True)
    deltas = [piece.choices[0].delta for piece in pieces if piece.choices]
    thoughts = "".join(getattr(it, "reasoning_content", None) or "" for it in deltas)
    assert thoughts == "The weather first."


@both
@pytest.mark.parametrize(
    ("model", "reason"), [("length", "length"), ("filter", "content_filter")]
)
def test_stop_reasons(client, ask, model, reason):
    if ask is whole:
        assert whole(client, model).choices[0].finish_reason == reason
        return
    # The package's assembling takes what was cut off for a failure, if it had to have a form.
    pieces = list(whole(client, model, stream=True))
    assert [it.choices[0].finish_reason for it in pieces if it.choices][-1] == reason


def test_what_is_cut_off_has_no_type(client):
    asked = {"messages": QUESTION, "response_format": Weather}
    with pytest.raises(openai.LengthFinishReasonError):
        client.chat.completions.parse(model="length", **asked)
    with pytest.raises(openai.ContentFilterFinishReasonError):
        client.chat.completions.parse(model="filter", **asked)


@both
def test_a_refusal(client, ask):
    [choice] = ask(client, "refusal").choices
    assert (choice.message.refusal, choice.message.content) == ("I'd rather not.", None)
    assert choice.finish_reason == "stop"


def test_an_answer_has_a_type(client):
    asked = {"model": "schema", "messages": QUESTION, "response_format": Weather}
    assert client.chat.completions.parse(**asked).choices[0].message.parsed == WEATHER
    assert streamed(client, "schema", response_format=Weather).choices[0].message.parsed == WEATHER


@pytest.mark.parametrize("model", ["text", "calls", "thought", "refusal", "length"])
def test_every_chunk_is_valid(client, model):
    options = {"include_usage": True}
    for chunk in whole(client, model, stream=True, stream_options=options):
        ChatCompletionChunk.model_validate(chunk.model_dump(exclude_unset=True), strict=True)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("model", "kind", "code"),
    [
        ("too-long", openai.BadRequestError, "context_length_exceeded"),
        ("invalid", openai.BadRequestError, None),
        ("key", openai.AuthenticationError, "invalid_api_key"),
        ("forbidden", openai.PermissionDeniedError, None),
        ("model", openai.NotFoundError, "model_not_found"),
        ("limit", openai.RateLimitError, "rate_limit_exceeded"),
        ("quota", openai.RateLimitError, "insufficient_quota"),
        ("server", openai.InternalServerError, "server_error"),
        ("overloaded", openai.InternalServerError, "server_is_overloaded"),
    ],
)
def test_errors(client, model, kind, code, stream):
    with pytest.raises(kind) as told:
        list(whole(client, f"fail-{model}", stream=stream))
    assert (told.value.code, told.value.request_id) == (code, "req_scripted")


def test_a_limit_passes(client):
    patient = client.with_options(max_retries=1)
    assert whole(patient, "patient").choices[0].message.content == TEXT


def test_it_breaks_in_the_middle(client):
    with pytest.raises(openai.APIError, match="overloaded") as told:
        streamed(client, "break")
    assert told.value.code == "server_is_overloaded"


def test_models(client):
    assert [it.id for it in client.models.list()] == ["scripted"]


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_asked_is_understood(client, stream):
    function = {"name": "get_weather", "arguments": '{"city":"Pune"}'}
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Weather?"}, picture]},
        {
            "role": "assistant",
            "content": "I'll look.",
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "31 C"},
    ]
    tool = {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}
    form = {"type": "json_schema", "json_schema": {"name": "weather", "schema": SCHEMA}}
    answer = client.chat.completions.create(
        model="asked",
        messages=messages,
        tools=[tool],
        tool_choice={"type": "function", "function": {"name": "get_weather"}},
        max_completion_tokens=99,
        response_format=form,
        stream=stream,
    )
    if stream:
        deltas = [piece.choices[0].delta.content for piece in answer if piece.choices]
        asked = json.loads("".join(it or "" for it in deltas))
    else:
        asked = json.loads(answer.choices[0].message.content)
    assert asked["turns"] == turns()
    assert (asked["model"], asked["system"], asked["stream"]) == ("asked", "Be brief.", stream)
    assert (asked["tools"], asked["choice"]) == (["get_weather"], {"tool": "get_weather"})
    assert (asked["max_tokens"], asked["schema"]) == (99, SCHEMA)
