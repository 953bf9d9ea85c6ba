"""The server all packages are pointed at, and what its models say.

`VENDORS_BIN` is the program (`cargo build -p toolwright-testkit --example vendors`). It ends when its
input does, and fails if one of the packages sent what the vendor's own server would refuse: that
would be a rule of ours that is wrong.
"""

import os
import subprocess

import pydantic
import pytest

TEXT = "31 °C in Pune ☀"
CITY = {"city": "Pune", "days": [1, 2]}
SEAL = "c2VhbGVkIHRob3VnaHRz"
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


class Weather(pydantic.BaseModel):
    city: str
    celsius: int


WEATHER = Weather(city="Pune", celsius=31)


def turns(call="call_1", error=None):
    """A question with a picture, a call and its result, as every API must be understood."""
    picture = {"media_type": "image/png", "base64": len(PICTURE), "link": None}
    result = {"id": call, "name": "get_weather", "text": "31 C", "files": [], "error": error}
    called = {"id": call, "name": "get_weather", "arguments": {"city": "Pune"}}
    return [
        {"role": "user", "parts": [{"text": "Weather?"}, {"file": picture}]},
        {"role": "assistant", "parts": [{"text": "I'll look."}, {"call": called}]},
        {"role": "user", "parts": [{"result": result}]},
    ]


@pytest.fixture(scope="session")
def address():
    command = [os.environ["VENDORS_BIN"]]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as server:
        yield server.stdout.readline().strip()
        server.stdin.close()
        refused = server.stderr.read()
        assert (server.wait(), refused) == (0, "")
