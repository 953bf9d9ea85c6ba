"""The Model Context Protocol's own client for Python, over both transports and in both eras."""

import json
import os

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

BASE = os.environ["DESK_URL"]
TOKEN = os.environ["DESK_TOKEN"]
BIN = os.environ["DESK_BIN"]
ERAS = ["legacy", "2026-07-28"]


def over_stdio(tmp_path, *more, task="demo", **options):
    arguments = ["--data", str(tmp_path), "mcp", "serve", "--task", task, *more]
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    return Client(StdioServerParameters(command=BIN, args=arguments, env=env), **options)


def over_http(**options):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    http = httpx2.AsyncClient(headers=headers, timeout=60)
    return Client(streamable_http_client(f"{BASE}/mcp", http_client=http), **options)


def asked(decision, seen=None):
    async def callback(_, params):
        if seen is not None:
            seen.append(params.message)
        return ElicitResult(action="accept", content={"decision": decision})

    return callback


@pytest.fixture(params=[(place, era) for place in ("stdio", "http") for era in ERAS], ids=str)
def opened(request, tmp_path):
    place, era = request.param
    if place == "stdio":
        return lambda **options: over_stdio(tmp_path, mode=era, **options)
    return lambda **options: over_http(mode=era, **options)


def run(work):
    anyio.run(work)


def test_tools_are_listed_and_called(opened):
    async def work():
        async with opened() as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools["get_weather"].annotations.read_only_hint is True
            assert tools["delete_notes"].annotations.destructive_hint is True
            result = await client.call_tool("calculate_tip", {"amount": 45.6, "percentage": 20})
            assert result.structured_content == {"tip": 9.12, "total": 54.72}
            assert json.loads(result.content[0].text) == result.structured_content

    run(work)


def test_what_is_wrong_with_a_call_is_told(opened):
    async def work():
        async with opened() as client:
            result = await client.call_tool("calculate_tip", {"amount": 1, "percentage": 200})
            assert result.is_error and "200 is greater" in result.content[0].text
            with pytest.raises(MCPError) as error:
                await client.call_tool("no_such_tool", {})
            assert error.value.error.code == -32602

    run(work)


@pytest.mark.parametrize("decision", ["allow", "deny"])
def test_the_user_decides_in_the_client(opened, decision):
    async def work():
        seen = []
        async with opened(elicitation_callback=asked(decision, seen)) as client:
            result = await client.call_tool("delete_notes", {})
            assert result.is_error == (decision == "deny")
            assert len(seen) == 1 and seen[0].startswith("May `delete_notes` run?")

    run(work)


@pytest.mark.parametrize("era", ERAS)
def test_who_cannot_be_asked_is_told_how_to_allow(tmp_path, era):
    async def work():
        async with over_stdio(tmp_path, mode=era) as client:
            result = await client.call_tool("delete_notes", {})
            assert result.is_error and "--approve" in result.content[0].text
        async with over_stdio(tmp_path, "--approve", mode=era) as client:
            assert not (await client.call_tool("delete_notes", {})).is_error

    run(work)


@pytest.mark.parametrize("era", ERAS)
def test_a_made_up_id_is_refused_and_a_returned_one_is_not(tmp_path, era):
    async def work():
        async with over_stdio(tmp_path, task="trading", mode=era) as client:
            quote = {"securities": {"IDX_I": [13]}}
            result = await client.call_tool("get_market_quote", quote)
            assert result.is_error and "was not returned by any earlier result" in result.content[0].text
            await client.call_tool("search_instruments", {"query": "NIFTY"})
            result = await client.call_tool("get_market_quote", quote)
            assert not result.is_error, result.content[0].text

    run(work)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong-token-0123456789"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://example.com"}, 403),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "example.com"}, 403),
    ],
)
def test_who_may_not_come_in_is_told_so(headers, status):
    # As a page would send it: programs of the same user need no token here.
    headers = {"Sec-Fetch-Mode": "cors", **headers}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert httpx2.post(f"{BASE}/mcp", json=body, headers=headers).status_code == status
