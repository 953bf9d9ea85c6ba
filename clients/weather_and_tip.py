"""An application of Dapr Agents: two tools of its own, and a model behind Dapr's conversation API.

Nothing in it knows of Toolwright: what answers is whatever sidecar DAPR_GRPC_PORT and DAPR_HTTP_PORT lead to.
"""

import json

from dapr_agents import tool
from dapr_agents.llm.dapr import DaprChatClient
from pydantic import BaseModel, Field


class WeatherSchema(BaseModel):
    location: str = Field(description="City and state, e.g. San Francisco, CA")


@tool(args_model=WeatherSchema)
def get_weather(location: str) -> str:
    """Get current weather conditions"""
    return f"Weather in {location}: 72°F, sunny"


@tool
def calculate_tip(amount: float, percentage: float = 18.0) -> dict:
    """Calculate tip amount"""
    tip = amount * percentage / 100
    return {"tip": round(tip, 2), "total": round(amount + tip, 2)}


TOOLS = [get_weather, calculate_tip]


def result(call):
    """What a tool returns, or what went wrong with it, as text for the model."""
    tools = {it.name: it for it in TOOLS}
    try:
        returned = tools[call.function.name](**json.loads(call.function.arguments))
    except Exception as error:
        return f"Error executing {call.function.name}: {error}"
    return returned if isinstance(returned, str) else json.dumps(returned)


def answer(question, rounds=5):
    """Asks, runs the tools that the model calls, and asks again, until there is an answer."""
    client = DaprChatClient()
    messages = [{"role": "user", "content": question}]
    for _ in range(rounds):
        said = client.generate(messages=messages, tools=TOOLS).get_message()
        messages.append(said.model_dump())
        calls = said.get_tool_calls() or []
        if not calls:
            break
        for call in calls:
            print(f"{call.function.name}({call.function.arguments})")
            name, content = call.function.name, result(call)
            messages.append(
                {"role": "tool", "tool_call_id": call.id, "name": name, "content": content}
            )
    return messages


def main():
    question = "What's the weather in San Francisco and calculate a 20% tip on $45.60?"
    print(f"Response: {answer(question)[-1]['content']}")


if __name__ == "__main__":
    main()
