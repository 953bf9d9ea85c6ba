"""OpenAI's own client against `/v1`: the server's tools run behind it."""

import asyncio
import json
import os
import urllib.request

import openai
import pydantic
import pytest

BASE = os.environ["DESK_URL"]
TOKEN = os.environ["DESK_TOKEN"]


def client(key=TOKEN):
    # The client would ask again by itself, and hide what it was told.
    return openai.OpenAI(base_url=f"{BASE}/v1", api_key=key, max_retries=0)


def ask(question, **more):
    messages = [{"role": "user", "content": question}]
    return client().chat.completions.create(model="toolwright", messages=messages, **more)


def test_models_are_listed():
    names = [model.id for model in client().models.list()]
    assert names == ["toolwright", "openai:scripted"]


def test_an_answer_comes_whole():
    answer = ask("Hello")
    [choice] = answer.choices
    assert choice.message.content == "Questions so far: 1"
    assert choice.message.role == "assistant"
    assert choice.message.tool_calls is None
    assert choice.finish_reason == "stop"
    assert (answer.object, answer.model) == ("chat.completion", "toolwright")
    assert answer.usage.total_tokens == 8


def test_a_model_is_asked_for_by_its_name():
    messages = [{"role": "user", "content": "Hello"}]
    answer = client().chat.completions.create(model="scripted", messages=messages)
    assert answer.model == "scripted"


def test_the_conversation_is_the_clients():
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": "And again"},
    ]
    answer = client().chat.completions.create(model="toolwright", messages=messages)
    assert answer.choices[0].message.content == "Questions so far: 2"


def test_tools_run_in_the_server():
    answer = ask("A tip?")
    assert answer.choices[0].message.content == "The tip is $1.50."
    assert answer.choices[0].message.tool_calls is None
    # Two rounds: one that called, and one that answered.
    assert answer.usage.total_tokens == 16
    [call] = answer.model_extra["toolwright"]["tool_calls"]
    assert (call["tool"], call["status"]) == ("calculate_tip", "success")


def test_an_answer_comes_in_pieces():
    pieces = list(ask("A tip?", stream=True, stream_options={"include_usage": True}))
    texts = [piece.choices[0].delta.content for piece in pieces if piece.choices]
    assert "".join(text or "" for text in texts) == "The tip is $1.50."
    assert len({piece.id for piece in pieces}) == 1
    assert pieces[0].choices[0].delta.role == "assistant"
    assert [p.choices[0].finish_reason for p in pieces if p.choices][-1] == "stop"
    assert pieces[-1].choices == []
    assert pieces[-1].usage.total_tokens == 16


def test_the_clients_own_assembling_works():
    messages = [{"role": "user", "content": "A tip?"}]
    with client().chat.completions.stream(model="toolwright", messages=messages) as stream:
        deltas = [event.delta for event in stream if event.type == "content.delta"]
        final = stream.get_final_completion()
    assert "".join(deltas) == "The tip is $1.50."
    assert final.choices[0].message.content == "The tip is $1.50."
    assert final.choices[0].finish_reason == "stop"


def test_many_ask_at_the_same_time():
    async def all_of_them():
        async with openai.AsyncOpenAI(base_url=f"{BASE}/v1", api_key=TOKEN) as many:
            messages = [{"role": "user", "content": "A tip?"}]
            asked = [
                many.chat.completions.create(model="toolwright", messages=messages)
                for _ in range(8)
            ]
            return await asyncio.gather(*asked)

    answers = asyncio.run(all_of_them())
    assert {it.choices[0].message.content for it in answers} == {"The tip is $1.50."}
    assert len({it.id for it in answers}) == 8


def test_what_nobody_can_be_asked_about_is_denied():
    note = os.path.join(os.environ["DESK_WORKSPACE"], "openai.txt")
    with open(note, "w", encoding="utf-8") as file:
        file.write("old\n")
    answer = ask("edit openai.txt")
    [call] = answer.model_extra["toolwright"]["tool_calls"]
    assert call["status"] == "denied"
    with open(note, encoding="utf-8") as file:
        assert file.read() == "old\n"


PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def look(url):
    return ask([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": url}}])


def test_a_picture_goes_with_a_question():
    assert look(PICTURE).choices[0].message.content == "Attached: image/png"


def test_nothing_is_fetched():
    with pytest.raises(openai.BadRequestError, match=r"messages\[0\].*content\[1\].*not fetched"):
        look("https://example.org/a.png")


class Tip(pydantic.BaseModel):
    tip: float
    total: float


def parse(question, **more):
    messages = [{"role": "user", "content": question}]
    return client().chat.completions.parse(
        model="toolwright", messages=messages, response_format=Tip, **more
    )


def test_an_answer_has_a_type():
    answer = parse("A tip?")
    assert answer.choices[0].message.parsed == Tip(tip=1.5, total=11.5)
    # The schema kept nobody from calling a tool.
    [call] = answer.model_extra["toolwright"]["tool_calls"]
    assert (call["tool"], call["status"]) == ("calculate_tip", "success")


def test_an_answer_with_a_type_comes_in_pieces():
    messages = [{"role": "user", "content": "A tip?"}]
    asked = {"model": "toolwright", "messages": messages, "response_format": Tip}
    with client().chat.completions.stream(**asked) as pieces:
        for _ in pieces:
            pass
        answer = pieces.get_final_completion()
    assert answer.choices[0].message.parsed == Tip(tip=1.5, total=11.5)


def test_a_refusal_is_one():
    message = parse("decline").choices[0].message
    assert (message.content, message.parsed) == (None, None)
    assert "rather not" in message.refusal


def test_an_answer_is_any_object():
    answer = ask("A tip?", response_format={"type": "json_object"})
    assert json.loads(answer.choices[0].message.content) == {"tip": 1.5, "total": 11.5}


def test_options_are_handed_on():
    more = {"temperature": 0.5, "max_completion_tokens": 7, "stop": "END", "seed": 3}
    # Below it stands that no result has these figures.
    told, *_ = ask("options", **more).choices[0].message.content.splitlines()
    told = json.loads(told)
    assert told == {"temperature": 0.5, "max_tokens": 7, "stop": ["END"], "seed": 3}


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"temperature": 3}, "temperature"),
        ({"stop": [""]}, "stop"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"response_format": {"type": "grammar"}}, "response_format.type"),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": 7}}},
            "response_format.json_schema.schema",
        ),
    ],
)
def test_what_cannot_be_done_is_named(more, field):
    with pytest.raises(openai.BadRequestError, match=f"`{field}`"):
        ask("Hello", **more)


def test_a_wrong_key_is_told():
    with pytest.raises(openai.AuthenticationError) as told:
        client("wrong").models.list()
    assert told.value.code == "unauthorized"


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"messages": []}, "user's"),
        ({"messages": [{"role": "assistant", "content": "Hello"}]}, "user's"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
    ],
)
def test_what_cannot_be_asked_is_told(more, word):
    asked = {"messages": [{"role": "user", "content": "Hello"}], **more}
    with pytest.raises(openai.UnprocessableEntityError, match=word) as told:
        client().chat.completions.create(model="toolwright", **asked)
    assert told.value.code == "invalid"


def test_a_run_that_fails_is_told():
    with pytest.raises(openai.InternalServerError, match="no such thing") as told:
        ask("fail")
    assert told.value.status_code == 502


def test_a_run_that_fails_in_pieces_is_told():
    with pytest.raises(openai.APIError, match="no such thing"):
        list(ask("fail", stream=True))


def test_every_operation_has_a_name_of_its_own():
    request = urllib.request.Request(f"{BASE}/api/openapi.json")
    request.add_header("authorization", f"Bearer {TOKEN}")
    with urllib.request.urlopen(request) as answer:
        paths = json.load(answer)["paths"]
    names = [it["operationId"] for path in paths.values() for it in path.values()]
    assert sorted(names) == sorted(set(names))
    # Whether a server can be asked is told to everybody.
    guarded = [it for path in paths.values() for it in path.values() if it.get("security") != [{}]]
    assert all({"401", "403", "429"} <= set(it["responses"]) for it in guarded)
    assert len(guarded) > 40
