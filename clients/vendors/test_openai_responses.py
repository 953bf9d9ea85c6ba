"""OpenAI's package, reading Responses."""

import json

import openai
import pytest
from conftest import CITY, PICTURE, SCHEMA, SEAL, TEXT, WEATHER, Weather, turns
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter


@pytest.fixture
def client(address):
    return openai.OpenAI(base_url=f"{address}/responses/v1", api_key="k", max_retries=0)


def whole(client, model, **more):
    return client.responses.create(model=model, input="Weather?", **more)


def streamed(client, model, **more):
    """Through the package's own assembling, which holds the order of events to be right."""
    with client.responses.stream(model=model, input="Weather?", **more) as events:
        for _ in events:
            pass
        return events.get_final_response()


def last(client, model):
    """The response of the event that ends the stream."""
    return list(whole(client, model, stream=True))[-1].response


both = pytest.mark.parametrize("ask", [whole, streamed])
any_end = pytest.mark.parametrize("ask", [whole, last])


@both
def test_text_and_usage(client, ask):
    answer = ask(client, "text")
    assert (answer.output_text, answer.status) == (TEXT, "completed")
    assert answer.output[0].phase == "final_answer"
    usage = answer.usage
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (80, 30, 110)
    assert usage.input_tokens_details.cached_tokens == 64
    assert usage.output_tokens_details.reasoning_tokens == 12


@both
def test_a_call_after_text(client, ask):
    answer = ask(client, "call")
    text, call = answer.output
    assert (answer.output_text, text.type, call.type) == ("I'll look.", "message", "function_call")
    assert (call.call_id, call.name, call.status) == ("call_1", "get_weather", "completed")
    assert json.loads(call.arguments) == CITY


@both
def test_several_calls(client, ask):
    calls = ask(client, "calls").output
    assert [(it.call_id, it.name) for it in calls] == [("call_1", "get_weather"), ("call_2", "now")]
    assert [json.loads(it.arguments) for it in calls] == [CITY, {}]
    assert len({it.id for it in calls}) == 2


@both
def test_reasoning(client, ask):
    thought, text = ask(client, "thought").output
    assert [it.text for it in thought.summary] == ["The weather first."]
    assert (thought.encrypted_content, text.content[0].text) == (SEAL, "31 °C")


@both
def test_reasoning_before_calls(client, ask):
    kinds = [it.type for it in ask(client, "thought-call").output]
    assert kinds == ["reasoning", "function_call", "function_call"]


@both
def test_reasoning_that_is_not_shown(client, ask):
    thought, _ = ask(client, "redacted").output
    assert (thought.summary, thought.encrypted_content) == ([], SEAL)


@any_end
@pytest.mark.parametrize(
    ("model", "reason"), [("length", "max_output_tokens"), ("filter", "content_filter")]
)
def test_stop_reasons(client, ask, model, reason):
    answer = ask(client, model)
    assert (answer.status, answer.incomplete_details.reason) == ("incomplete", reason)
    assert answer.output[-1].status == "incomplete"


@both
def test_a_refusal(client, ask):
    [message] = ask(client, "refusal").output
    [part] = message.content
    assert (part.type, part.refusal) == ("refusal", "I'd rather not.")


def test_an_answer_has_a_type(client):
    answer = client.responses.parse(model="schema", input="Weather?", text_format=Weather)
    assert answer.output_parsed == WEATHER
    assert streamed(client, "schema", text_format=Weather).output_parsed == WEATHER


MODELS = ["text", "call", "calls", "thought", "thought-call", "redacted", "length", "refusal"]


@pytest.mark.parametrize("model", [*MODELS, "break-flat", "break-failed"])
def test_every_event_is_valid(client, model):
    valid = TypeAdapter(ResponseStreamEvent)
    numbers = []
    for event in whole(client, model, stream=True):
        valid.validate_python(event.model_dump(by_alias=True, exclude_unset=True))
        numbers.append(event.sequence_number)
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("model", MODELS)
def test_every_response_is_valid(client, model):
    answer = whole(client, model)
    Response.model_validate(answer.model_dump(by_alias=True, exclude_unset=True))


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
    assert told.value.code == code


def test_a_limit_passes(client):
    assert whole(client.with_options(max_retries=1), "patient").output_text == TEXT


def test_it_breaks_in_the_middle(client):
    with pytest.raises(openai.APIError, match="overloaded") as told:
        list(whole(client, "break", stream=True))
    assert told.value.code == "server_is_overloaded"


def test_it_breaks_as_described(client):
    event = list(whole(client, "break-flat", stream=True))[-1]
    assert (event.type, event.code) == ("error", "server_error")


def test_it_breaks_as_a_response(client):
    event = list(whole(client, "break-failed", stream=True))[-1]
    assert (event.type, event.response.status) == ("response.failed", "failed")
    assert event.response.error.code == "server_error"


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_asked_is_understood(client, stream):
    picture = {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}"}
    call = {"call_id": "call_1", "name": "get_weather", "arguments": '{"city":"Pune"}'}
    items = [
        {"role": "user", "content": [{"type": "input_text", "text": "Weather?"}, picture]},
        {"type": "message", "role": "assistant", "content": "I'll look."},
        {"type": "function_call", **call},
        {"type": "function_call_output", "call_id": "call_1", "output": "31 C"},
    ]
    tool = {"type": "function", "name": "get_weather", "parameters": SCHEMA, "strict": True}
    answer = client.responses.create(
        model="asked",
        instructions="Be brief.",
        input=items,
        tools=[tool],
        tool_choice="required",
        max_output_tokens=99,
        text={"format": {"type": "json_schema", "name": "weather", "schema": SCHEMA}},
        stream=stream,
    )
    answer = list(answer)[-1].response if stream else answer
    asked = json.loads(answer.output_text)
    assert asked["turns"] == turns()
    assert (asked["model"], asked["system"], asked["stream"]) == ("asked", "Be brief.", stream)
    assert (asked["tools"], asked["choice"]) == (["get_weather"], "required")
    assert (asked["max_tokens"], asked["schema"]) == (99, SCHEMA)


def test_a_turn_goes_back_as_it_came(client):
    answer = whole(client, "thought-call")
    items = [{"role": "user", "content": "Weather?"}]
    items += [it.model_dump(exclude_none=True) for it in answer.output]
    results = [{"type": "function_call_output", "call_id": f"call_{n}", "output": "x"} for n in (1, 2)]
    asked = client.responses.create(model="asked", input=items + results)
    asked = json.loads(asked.output_text)
    thought, *calls = asked["turns"][1]["parts"]
    assert thought == {"reasoning": {"text": "The weather first.", "seal": SEAL}}
    assert [it["call"]["arguments"] for it in calls] == [CITY, {}]
