"""The Agent Client Protocol's own package for Python, as the editor: every message is read by its types."""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from acp import PROTOCOL_VERSION, RequestError, spawn_agent_process, text_block
from acp.interfaces import Client
from acp.schema import (
    AcceptElicitationResponse,
    AgentMessageChunk,
    AgentThoughtChunk,
    AllowedOutcome,
    ClientCapabilities,
    DeniedOutcome,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    EnvVariable,
    FileEditToolCallContent,
    McpServerStdio,
    RequestPermissionResponse,
    ToolCallProgress,
    ToolCallStart,
    UserMessageChunk,
)

MODEL = os.environ["DESK_MODEL"]


class Editor(Client):
    """Keeps what it is told, and answers questions as it is told to."""

    def __init__(self, option="allow_once"):
        self.option, self.updates, self.questions, self.forms = option, [], [], []
        self.asked = asyncio.Event()

    async def session_update(self, session_id, update, **_):
        self.updates.append(update)

    async def request_permission(self, session_id, tool_call, options, **_):
        self.questions.append((tool_call, options))
        self.asked.set()
        if self.option is None:
            await asyncio.sleep(3600)
        if self.option == "cancelled":
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        chosen = next(it for it in options if it.kind == self.option)
        outcome = AllowedOutcome(outcome="selected", option_id=chosen.option_id)
        return RequestPermissionResponse(outcome=outcome)

    async def create_elicitation(self, message, mode, **_):
        self.forms.append((message, mode))
        return AcceptElicitationResponse(action="accept", content={"n": 3})

    def text(self, kind):
        return "".join(it.content.text for it in self.updates if isinstance(it, kind))

    def calls(self):
        states = {}
        for it in self.updates:
            if isinstance(it, (ToolCallStart, ToolCallProgress)):
                states[it.tool_call_id] = it.status or states.get(it.tool_call_id)
        return states


def driven(folder, test, **more):
    """Runs a test with the program as it is, a folder to work in, and data of its own."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    env = {
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
        "TOOLWRIGHT_DATA": str(folder / "data"),
        "TOOLWRIGHT_MODEL": "scripted",
        "OPENAI_API_BASE": f"{MODEL}/v1",
    }
    editor = Editor(**more)

    async def run():
        program = os.environ["TOOLWRIGHT_BIN"]
        # Forms are a part of the protocol that is not settled yet.
        more = {"use_unstable_protocol": True}
        async with spawn_agent_process(editor, program, "acp", env=env, **more) as (agent, _):
            forms = ElicitationCapabilities(form=ElicitationFormCapabilities())
            told = await agent.initialize(
                protocol_version=PROTOCOL_VERSION,
                client_capabilities=ClientCapabilities(elicitation=forms),
            )
            assert told.protocol_version == PROTOCOL_VERSION
            assert told.agent_capabilities.load_session
            await test(agent, editor, work)

    asyncio.run(asyncio.wait_for(run(), 60))


async def ask(agent, session, words):
    answer = await agent.prompt(session_id=session.session_id, prompt=[text_block(words)])
    return answer.stop_reason


def test_a_prompt_is_answered_and_loads_again(tmp_path):
    async def first(agent, editor, work):
        session = await agent.new_session(cwd=str(work), mcp_servers=[])
        assert session.modes.current_mode_id == "workspace"
        await agent.set_session_mode(session_id=session.session_id, mode_id="demo")
        assert await ask(agent, session, "What is the weather?") == "end_turn"
        assert await ask(agent, session, "Please think") == "end_turn"
        assert editor.text(AgentThoughtChunk) == "Let me see."
        first.id, first.text, first.calls = session.session_id, editor.text(AgentMessageChunk), editor.calls()
        assert set(first.calls.values()) == {"completed"} and len(first.calls) == 2

    async def again(agent, editor, work):
        listed = await agent.list_sessions()
        assert [(it.session_id, it.cwd) for it in listed.sessions] == [(first.id, str(work))]
        await agent.load_session(session_id=first.id, cwd=str(work), mcp_servers=[])
        assert editor.text(UserMessageChunk) == "What is the weather?Please think"
        assert editor.text(AgentMessageChunk) == first.text
        assert editor.calls() == first.calls
        await agent.close_session(session_id=first.id)

    driven(tmp_path, first)
    driven(tmp_path, again)


@pytest.mark.parametrize(
    ("option", "becomes"),
    [
        ("allow_once", "new\n"),
        ("allow_always", "new\n"),
        ("reject_once", "old\n"),
        ("reject_always", "old\n"),
        ("cancelled", "old\n"),
    ],
)
def test_a_change_is_decided_about_by_its_diff(tmp_path, option, becomes):
    async def test(agent, editor, work):
        (work / "a.txt").write_text("old\n")
        session = await agent.new_session(cwd=str(work), mcp_servers=[])
        assert await ask(agent, session, "edit a.txt") == "end_turn"
        [(call, options)] = editor.questions
        [diff] = call.content
        assert isinstance(diff, FileEditToolCallContent)
        assert (diff.path, diff.old_text, diff.new_text) == (str(work / "a.txt"), "old\n", "new\n")
        assert len(options) == 4
        assert (work / "a.txt").read_text() == becomes

    driven(tmp_path, test, option=option)


def test_what_runs_is_cancelled(tmp_path):
    async def test(agent, editor, work):
        (work / "a.txt").write_text("old\n")
        session = await agent.new_session(cwd=str(work), mcp_servers=[])
        running = asyncio.create_task(ask(agent, session, "edit a.txt"))
        await editor.asked.wait()
        await agent.cancel(session_id=session.session_id)
        assert await running == "cancelled"
        assert set(editor.calls().values()) == {"failed"}
        assert (work / "a.txt").read_text() == "old\n"

    driven(tmp_path, test, option=None)


def test_what_fails_says_why(tmp_path):
    async def test(agent, editor, work):
        session = await agent.new_session(cwd=str(work), mcp_servers=[])
        with pytest.raises(RequestError) as failed:
            await ask(agent, session, "fail")
        assert "no such thing" in str(failed.value)
        with pytest.raises(RequestError):
            await agent.new_session(cwd="/no/such/folder", mcp_servers=[])

    driven(tmp_path, test)


@pytest.fixture
def folder():
    """One that every account may look into: where we are root, servers are started as nobody."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


def fake(work):
    """A server, in the folder that is open: that is what it sees in its sandbox."""
    script = work / "server.py"
    shutil.copy(Path(__file__).parent.parent / "crates/mcp/tests/it/client/server.py", script)
    script.chmod(0o644)
    env = [EnvVariable(name="SOME_TOKEN", value="canary-0815-4711")]
    return McpServerStdio(name="fake", command="/usr/bin/python3", args=[str(script)], env=env)


@pytest.mark.parametrize(
    ("option", "says"),
    [("allow_always", "It says: hello"), ("reject_once", "Not offered.")],
)
def test_a_server_that_the_editor_names_is_approved_there(folder, option, says):
    async def test(agent, editor, work):
        session = await agent.new_session(cwd=str(work), mcp_servers=[fake(work)])
        assert await ask(agent, session, "echo hello") == "end_turn"
        assert editor.text(AgentMessageChunk) == says
        [(call, options)] = editor.questions
        assert call.title == "May 16 tools of the MCP server fake be used?"
        shown = call.content[0].content.text
        assert "fake__echo" in shown and "SOME_TOKEN" in shown and "canary" not in shown
        assert [it.kind for it in options] == ["allow_always", "reject_once"]
        # What was approved is not asked about again, and neither is what was not.
        assert await ask(agent, session, "echo hello") == "end_turn"
        assert len(editor.questions) == 1

    driven(folder, test, option=option)


def test_what_a_server_asks_is_answered_in_a_form(folder):
    async def test(agent, editor, work):
        session = await agent.new_session(cwd=str(work), mcp_servers=[fake(work)])
        assert await ask(agent, session, "how many") == "end_turn"
        [(message, mode)] = editor.forms
        assert message == "fake (tool fake__asks) asks: How many?"
        assert mode.session_id == session.session_id and mode.tool_call_id == "call_fake__asks"
        assert mode.requested_schema.required == ["n"]
        assert '"content": {"n": 3}' in editor.text(AgentMessageChunk)

    driven(folder, test, option="allow_always")


def test_an_agents_calls_are_told_under_its_own(tmp_path):
    settings = tmp_path / ".config" / "toolwright"
    settings.mkdir(parents=True)
    (settings / "toolwright.toml").write_text('[agents.helper]\ntask = "demo"\ndescription = "Helps."\n')

    async def test(agent, editor, work):
        session = await agent.new_session(cwd=str(work), mcp_servers=[])
        await agent.set_session_mode(session_id=session.session_id, mode_id="general")
        assert await ask(agent, session, "delegate the tip") == "end_turn"
        calls = editor.calls()
        assert calls == {"call_helper": "completed", "call_helper/call_calculate_tip": "completed"}
        titles = [it.title for it in editor.updates if isinstance(it, ToolCallStart)]
        assert titles[1].startswith("helper › calculate_tip")

    driven(tmp_path, test)
