"""Dapr's own SDK and Dapr Agents, with Toolwright in the place of the sidecar: tools run in the application."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from dapr.clients import DaprClient
from dapr.clients.exceptions import DaprGrpcError
from dapr.clients.grpc import conversation as spoken
from dapr_agents.llm.dapr import DaprChatClient
from pydantic import BaseModel

import weather_and_tip

HTTP = f"http://127.0.0.1:{os.environ['DAPR_HTTP_PORT']}"
QUESTION = "What's the weather in San Francisco and calculate a 20% tip on $45.60?"


def ask(*messages, **more):
    inputs = [spoken.ConversationInputAlpha2(messages=list(messages))]
    with DaprClient() as client:
        return client.converse_alpha2(name=more.pop("name", "toolwright"), inputs=inputs, **more)


def test_the_program_runs_as_it_is():
    ended = subprocess.run(
        [sys.executable, "weather_and_tip.py"], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        'get_weather({"location":"San Francisco, CA"})',
        'calculate_tip({"amount":45.6,"percentage":20})',
        "Response: Weather in San Francisco, CA: 72°F, sunny; a tip of $9.12.",
    ]


def test_tools_run_in_the_application():
    question, calls, weather, tip, answer = weather_and_tip.answer(QUESTION)
    assert [it["function"]["name"] for it in calls["tool_calls"]] == ["get_weather", "calculate_tip"]
    assert len({it["id"] for it in calls["tool_calls"]}) == 2
    assert weather["content"] == "Weather in San Francisco, CA: 72°F, sunny"
    assert json.loads(tip["content"]) == {"tip": 9.12, "total": 54.72}
    assert answer["content"].endswith("a tip of $9.12.")


def test_a_question_without_tools():
    said = DaprChatClient().generate(messages=[{"role": "user", "content": "Hello"}])
    assert said.get_message().content == "Questions so far: 1"
    assert said.metadata["usage"]["total_tokens"] == 8


def test_a_component_is_named():
    client = DaprChatClient(component_name="toolwright")
    assert client.generate("Hello").get_message().content == "Questions so far: 1"
    with pytest.raises(DaprGrpcError) as error:
        DaprChatClient(component_name="openai").generate("Hello")
    assert error.value.code().name == "INVALID_ARGUMENT"
    assert "failed finding conversation component openai" in error.value.details()


def test_an_answer_has_a_form():
    class Tip(BaseModel):
        tip: float
        total: float

    said = DaprChatClient().generate("A tip on $10, please", response_format=Tip)
    assert said == Tip(tip=1.5, total=11.5)


def test_the_sdk_alone():
    answer = ask(
        spoken.create_system_message("Be brief."),
        spoken.create_user_message("Which options?"),
        context_id="c1",
        temperature=0.25,
    )
    assert answer.context_id == "c1"
    [output] = answer.outputs
    [choice] = output.choices
    assert (choice.finish_reason, json.loads(choice.message.content)) == ("stop", {"temperature": 0.25})


def test_what_fails_is_told():
    with pytest.raises(DaprGrpcError) as error:
        ask(spoken.create_user_message("fail"))
    assert error.value.code().name == "INTERNAL"
    assert "no such thing" in error.value.details()
    with pytest.raises(DaprGrpcError) as error:
        ask(spoken.create_user_message("My number is 12345"), scrub_pii=True)
    assert "scrub_pii" in error.value.details()


def test_the_rest_of_dapr_is_refused_by_name():
    with DaprClient() as client, pytest.raises(DaprGrpcError) as error:
        client.get_state("store", "key")
    assert error.value.code().name == "UNIMPLEMENTED"
    assert "GetState" in error.value.details()
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{HTTP}/v1.0/state/store/key")
    assert refused.value.code == 501
    told = json.load(refused.value)
    assert told["errorCode"] == "ERR_NOT_IMPLEMENTED" and "/v1.0/state" in told["message"]


def test_over_http():
    body = {"inputs": [{"messages": [{"ofUser": {"content": [{"text": "Hello"}]}}]}]}
    url = f"{HTTP}/v1.0-alpha2/conversation/toolwright/converse"
    with urllib.request.urlopen(url, data=json.dumps(body).encode()) as answer:
        [output] = json.load(answer)["outputs"]
    assert output["choices"][0]["message"] == {"content": "Questions so far: 1"}
    assert output["usage"]["totalTokens"] == "8"


@pytest.mark.parametrize("header", ["Origin", "Referer", "X-Forwarded-For"])
def test_no_page_may_ask(header):
    url = f"{HTTP}/v1.0-alpha2/conversation/toolwright/converse"
    request = urllib.request.Request(url, data=b"{}", headers={header: "http://a.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 401


def test_a_wrong_token_is_refused(monkeypatch):
    request = urllib.request.Request(f"{HTTP}/v1.0/metadata", headers={"dapr-api-token": "wrong"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 401
    request = urllib.request.Request(
        f"{HTTP}/v1.0/metadata", headers={"dapr-api-token": os.environ["DESK_TOKEN"]}
    )
    with urllib.request.urlopen(request) as answer:
        assert json.load(answer)["components"][0]["name"] == "toolwright"
