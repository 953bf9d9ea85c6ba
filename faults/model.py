"""A model that follows the plan in the question, over OpenAI's API.

The last message of the user that begins with `plan ` is followed by JSON:

    {"key": "a17", "rounds": [[["look", 20]], [["put", 50], ["pay", 50]]], "think": 10}

In round n it calls the tools of `rounds[n]`, each with the key `a17.n.i` and how many milliseconds to take (or with
whatever arguments stand there in their place); then it answers `done a17`. It keeps nothing from one request to the next: whichever process asks, after whatever crash, gets
the same reply to the same messages, and so a call has the same key however often it is asked for.

As a program it prints its address and serves until its input ends.
"""

import asyncio
import json
import sys


def plan_of(messages):
    """The plan, and how many rounds of it were done."""
    plan, done = None, 0
    for message in messages:
        text = message.get("content")
        if isinstance(text, list):
            text = "".join(part.get("text", "") for part in text)
        if message["role"] == "user" and text.startswith("plan "):
            plan, done = json.loads(text[5:]), 0
        elif message["role"] == "assistant" and message.get("tool_calls"):
            done += 1
    return plan, done


def reply(body):
    plan, done = plan_of(body["messages"])
    if plan is None:
        return 0, {"content": "no plan"}, "stop"
    wait = plan.get("think", 0) / 1000
    if done >= len(plan["rounds"]):
        return wait, {"content": f"done {plan['key']}"}, "stop"
    calls = [
        {
            "index": at,
            "id": f"c{done}_{at}",
            "type": "function",
            "function": {
                "name": tool,
                "arguments": json.dumps(how if isinstance(how, dict) else {"key": f"{plan['key']}.{done}.{at}", "ms": how}),
            },
        }
        for at, (tool, how) in enumerate(plan["rounds"][done])
    ]
    return wait, {"tool_calls": calls}, "tool_calls"


def chunks(delta, reason):
    def chunk(choices, **more):
        it = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "plan", "choices": choices, **more}
        return f"data: {json.dumps(it)}\n\n"

    first = chunk([{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}])
    last = chunk([{"index": 0, "delta": {}, "finish_reason": reason}])
    usage = chunk([], usage={"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8})
    return (first + last + usage + "data: [DONE]\n\n").encode()


def whole(delta, reason):
    calls = [{k: v for k, v in call.items() if k != "index"} for call in delta.get("tool_calls", [])]
    message = {"role": "assistant", "content": delta.get("content"), **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}
    it = {"id": "c", "object": "chat.completion", "created": 0, "model": "plan", "choices": [choice], "usage": usage}
    return json.dumps(it).encode()


async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = 0
            for line in head.split("\r\n")[1:]:
                name, _, value = line.partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            body = await reader.readexactly(length)
            if head.startswith("GET"):
                kind, said = "application/json", json.dumps({"object": "list", "data": [{"id": "plan", "object": "model"}]}).encode()
            else:
                asked = json.loads(body)
                wait, delta, reason = reply(asked)
                if wait:
                    await asyncio.sleep(wait)
                if asked.get("stream"):
                    kind, said = "text/event-stream", chunks(delta, reason)
                else:
                    kind, said = "application/json", whole(delta, reason)
            writer.write(f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {len(said)}\r\n\r\n".encode() + said)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1000, limit=2**24)
    print("http://%s:%d" % server.sockets[0].getsockname()[:2], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
