"""Google's package, reading `generateContent`."""

import base64
import json

import pytest
from conftest import CITY, PICTURE, SCHEMA, SEAL, TEXT, WEATHER, Weather, turns
from google import genai
from google.genai import errors, types

SEALED = base64.b64decode(SEAL)


@pytest.fixture(params=["v1", "v1beta"])
def client(address, request):
    options = types.HttpOptions(base_url=f"{address}/gemini", api_version=request.param)
    return genai.Client(api_key="k", http_options=options)


def whole(client, model, contents="Weather?", config=None):
    return client.models.generate_content(model=model, contents=contents, config=config)


def pieces(client, model, contents="Weather?", config=None):
    asked = {"model": model, "contents": contents, "config": config}
    return list(client.models.generate_content_stream(**asked))


def parts(answers):
    found = [it.candidates[0].content for it in answers if it.candidates]
    return [part for content in found if content for part in content.parts or []]


def once(client, model, **more):
    return [whole(client, model, **more)]


both = pytest.mark.parametrize("ask", [once, pieces])


@both
def test_text_and_usage(client, ask):
    answers = ask(client, "text")
    assert "".join(it.text for it in answers) == TEXT
    assert answers[-1].candidates[0].finish_reason == types.FinishReason.STOP
    usage = answers[-1].usage_metadata
    # Thoughts are counted apart.
    assert (usage.prompt_token_count, usage.candidates_token_count) == (80, 18)
    assert (usage.cached_content_token_count, usage.thoughts_token_count) == (64, 12)
    assert usage.total_token_count == 110


@both
def test_a_call_after_text(client, ask):
    answers = ask(client, "call")
    *texts, last = parts(answers)
    assert "".join(it.text for it in texts) == "I'll look."
    call = last.function_call
    assert (call.id, call.name, call.args) == ("call_1", "get_weather", CITY)
    # There is no word of its own for calls.
    assert answers[-1].candidates[0].finish_reason == types.FinishReason.STOP


@both
def test_several_calls(client, ask):
    calls = [it.function_call for it in parts(ask(client, "calls"))]
    assert [(it.id, it.name) for it in calls] == [("call_1", "get_weather"), ("call_2", "now")]
    assert [it.args for it in calls] == [CITY, {}]


@both
def test_reasoning_is_sealed_at_the_end(client, ask):
    found = parts(ask(client, "thought"))
    assert "".join(it.text for it in found if it.thought) == "The weather first."
    assert "".join(it.text for it in found if not it.thought) == "31 °C"
    assert [it.thought_signature for it in found if it.thought_signature] == [SEALED]
    assert found[-1].thought_signature == SEALED


@both
def test_reasoning_is_sealed_at_the_first_call(client, ask):
    calls = [it for it in parts(ask(client, "thought-call")) if it.function_call]
    assert [it.thought_signature for it in calls] == [SEALED, None]


@both
@pytest.mark.parametrize(("model", "reason"), [("length", "MAX_TOKENS"), ("filter", "SAFETY")])
def test_stop_reasons(client, ask, model, reason):
    assert ask(client, model)[-1].candidates[0].finish_reason == reason


@both
def test_a_refused_prompt_has_no_candidate(client, ask):
    [answer] = ask(client, "refusal")
    feedback = answer.prompt_feedback
    assert (answer.candidates, feedback.block_reason) == (None, "PROHIBITED_CONTENT")
    assert feedback.block_reason_message == "I'd rather not."


def test_an_answer_has_a_type(client):
    config = types.GenerateContentConfig(
        response_mime_type="application/json", response_schema=Weather
    )
    assert whole(client, "schema", config=config).parsed == WEATHER
    text = "".join(it.text for it in pieces(client, "schema", config=config))
    assert Weather.model_validate_json(text) == WEATHER


@both
@pytest.mark.parametrize(
    ("model", "kind", "code", "status"),
    [
        ("too-long", errors.ClientError, 400, "INVALID_ARGUMENT"),
        ("invalid", errors.ClientError, 400, "INVALID_ARGUMENT"),
        ("key", errors.ClientError, 400, "INVALID_ARGUMENT"),
        ("forbidden", errors.ClientError, 403, "PERMISSION_DENIED"),
        ("model", errors.ClientError, 404, "NOT_FOUND"),
        ("limit", errors.ClientError, 429, "RESOURCE_EXHAUSTED"),
        ("quota", errors.ClientError, 429, "RESOURCE_EXHAUSTED"),
        ("server", errors.ServerError, 500, "INTERNAL"),
        ("overloaded", errors.ServerError, 503, "UNAVAILABLE"),
    ],
)
def test_errors(client, ask, model, kind, code, status):
    with pytest.raises(kind) as told:
        ask(client, f"fail-{model}")
    assert (told.value.code, told.value.status) == (code, status)
    details = {it["@type"].rsplit(".", 1)[-1]: it for it in told.value.details["error"].get("details", [])}
    wanted = {"key": {"ErrorInfo"}, "limit": {"QuotaFailure", "RetryInfo"}, "quota": {"QuotaFailure"}}
    assert set(details) == wanted.get(model, set())
    if model == "limit":
        assert details["RetryInfo"]["retryDelay"] == "0.02s"


def test_a_limit_passes(address):
    again = types.HttpRetryOptions(attempts=2, initial_delay=0.01)
    options = types.HttpOptions(base_url=f"{address}/gemini", retry_options=again)
    answer = whole(genai.Client(api_key="k", http_options=options), "patient")
    assert answer.text == TEXT


def test_it_breaks_in_the_middle(client):
    with pytest.raises(errors.APIError) as told:
        pieces(client, "break")
    assert (told.value.code, told.value.status) == (503, "UNAVAILABLE")


def test_models(client):
    assert [it.name for it in client.models.list()] == ["models/scripted"]


@both
def test_what_is_asked_is_understood(client, ask):
    call = types.FunctionCall(id="call_1", name="get_weather", args={"city": "Pune"})
    result = types.FunctionResponse(id="call_1", name="get_weather", response={"output": "31 C"})
    picture = types.Blob(mime_type="image/png", data=base64.b64decode(PICTURE))
    contents = [
        types.Content(
            role="user", parts=[types.Part(text="Weather?"), types.Part(inline_data=picture)]
        ),
        types.Content(
            role="model", parts=[types.Part(text="I'll look."), types.Part(function_call=call)]
        ),
        types.Content(role="user", parts=[types.Part(function_response=result)]),
    ]
    function = types.FunctionDeclaration(name="get_weather", parameters_json_schema=SCHEMA)
    calling = types.FunctionCallingConfig(mode="ANY", allowed_function_names=["get_weather"])
    config = types.GenerateContentConfig(
        system_instruction="Be brief.",
        tools=[types.Tool(function_declarations=[function])],
        tool_config=types.ToolConfig(function_calling_config=calling),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        max_output_tokens=99,
        response_mime_type="application/json",
        response_json_schema=SCHEMA,
    )
    answers = ask(client, "asked", contents=contents, config=config)
    asked = json.loads("".join(it.text for it in answers))
    assert asked["turns"] == turns(error=False)
    assert (asked["model"], asked["system"]) == ("asked", "Be brief.")
    assert asked["stream"] == (ask is pieces)
    assert (asked["tools"], asked["choice"]) == (["get_weather"], {"tool": "get_weather"})
    assert (asked["max_tokens"], asked["schema"]) == (99, SCHEMA)


def test_a_turn_goes_back_as_it_came(client):
    found = parts(pieces(client, "thought-call"))
    results = [
        types.Part(function_response=types.FunctionResponse(id=id, name=name, response={"output": "x"}))
        for id, name in [("call_1", "get_weather"), ("call_2", "now")]
    ]
    contents = [
        types.Content(role="user", parts=[types.Part(text="Weather?")]),
        types.Content(role="model", parts=found),
        types.Content(role="user", parts=results),
    ]
    said = json.loads(whole(client, "asked", contents=contents).text)["turns"][1]["parts"]
    first, seal, second = said[-3:]
    assert (first["call"]["id"], seal, second["call"]["id"]) == ("call_1", {"seal": SEAL}, "call_2")
