"""`Client`: somebody who asks a server, listens, and goes on listening wherever a server answers."""

import http.client
import json
import random
import socket
import time

TERMINAL = ("done", "error")
PROVISIONAL = ("content", "reasoning", "call_delta")


class Refused(Exception):
    """The server answered, and not with what was asked for."""

    def __init__(self, status, said):
        super().__init__(f"{status}: {said[:400]}")
        self.status, self.said = status, said

    @property
    def code(self):
        try:
            return json.loads(self.said)["error"]["code"]
        except (ValueError, KeyError, TypeError):
            return ""


def provisional(event):
    return provisional(event["event"]) if event["type"] == "nested" else event["type"] in PROVISIONAL


class Client:
    """Addresses are tried one after the other; `first` is asked first."""

    def __init__(self, ports, token, first=0):
        self.ports = [*ports[first:], *ports[:first]]
        self.token = token
        self.reconnects = 0

    def _open(self, port, method, path, body=None, headers=(), timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sent = {"authorization": f"Bearer {self.token}", **dict(headers)}
        if body is not None:
            body = json.dumps(body).encode()
            sent["content-type"] = "application/json"
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        if response.status >= 300:
            said = response.read().decode("utf-8", "replace")
            connection.close()
            raise Refused(response.status, said)
        return connection, response

    def call(self, method, path, body=None, patience=60, headers=()):
        """One request, repeated wherever nobody answers or a server says to come again."""
        until = time.monotonic() + patience
        at = 0
        while True:
            try:
                connection, response = self._open(self.ports[at % len(self.ports)], method, path, body, headers, timeout=20)
                with connection_closed(connection):
                    said = response.read()
                    is_json = "json" in (response.getheader("content-type") or "")
                    return json.loads(said) if is_json and said else said
            except Refused as refused:
                if refused.status not in (429, 502, 503, 504) or time.monotonic() > until:
                    raise
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
            at += 1
            time.sleep(0.1 + random.random() * 0.2)

    def ask(self, plan, key=None, conversation=None, patience=240, on_event=None):
        """Asks, and listens until the run has ended. What was shown, in order, without what is provisional."""
        body = {"message": "plan " + json.dumps(plan), **({"conversation_id": conversation} if conversation else {})}
        headers = {"idempotency-key": key} if key else {}
        listening = Listening(self, on_event, patience)
        at = 0
        while not listening.conversation:
            try:
                listening.take(*self._open(self.ports[at % len(self.ports)], "POST", "/api/chat/stream", body, headers, 30))
            except Refused as refused:
                listening.give_up(refused, refused.status not in (429, 502, 503, 504))
            except (OSError, http.client.HTTPException) as error:
                # Without a key nobody knows whether it was asked.
                listening.give_up(error, key is None)
            if not listening.conversation:
                at += 1
                time.sleep(0.1 + random.random() * 0.3)
        return listening.go_on(at)

    def listen(self, conversation, patience=240, on_event=None, after=None):
        listening = Listening(self, on_event, patience)
        listening.conversation, listening.last = conversation, after
        return listening.go_on(0)

    def waiting(self, conversation):
        return self.call("GET", f"/api/conversations/{conversation}/decisions")["decisions"]

    def decide(self, conversation, call, verdict="allow"):
        body = {"call_id": call["call_id"], "fingerprint": call["fingerprint"], "verdict": verdict}
        return self.call("POST", f"/api/conversations/{conversation}/decisions", body)

    def stop(self, conversation):
        return self.call("POST", f"/api/conversations/{conversation}/stop")

    def log(self, conversation):
        events, after = [], None
        while True:
            path = f"/api/conversations/{conversation}/events?limit=5000" + (f"&after={after}" if after is not None else "")
            part = self.call("GET", path)
            events += [it["event"] for it in part["events"]]
            after = part.get("next")
            if after is None:
                return events


class connection_closed:
    def __init__(self, connection):
        self.connection = connection

    def __enter__(self):
        return self.connection

    def __exit__(self, *_):
        self.connection.close()


class Listening:
    """One run, watched over as many connections as it takes."""

    def __init__(self, client, on_event, patience):
        self.client, self.on_event = client, on_event
        self.until = time.monotonic() + patience
        self.conversation, self.run, self.last = None, None, None
        self.shown, self.undriven, self.terminals = [], [], 0
        self.refused = None

    @property
    def ended(self):
        return self.terminals > 0

    def give_up(self, error, at_once):
        if at_once or time.monotonic() > self.until:
            raise error

    def go_on(self, at):
        while not self.ended:
            if time.monotonic() > self.until:
                raise TimeoutError(f"{self.conversation} did not end: {[it['type'] for it in self.shown[-4:]]}")
            at += 1
            self.client.reconnects += 1
            headers = {} if self.last is None else {"last-event-id": str(self.last)}
            port = self.client.ports[at % len(self.client.ports)]
            path = f"/api/conversations/{self.conversation}/stream"
            try:
                self.take(*self.client._open(port, "GET", path, None, headers, 30))
            except Refused as refused:
                self.give_up(refused, refused.status not in (404, 429, 502, 503, 504))
            except (OSError, http.client.HTTPException) as error:
                self.give_up(error, False)
            if not self.ended:
                time.sleep(0.1 + random.random() * 0.3)
        return self

    def take(self, connection, response):
        """Reads one connection to its end, or to the run's."""
        name, ident, data = None, None, []
        with connection_closed(connection):
            try:
                for line in response:
                    line = line.decode().rstrip("\n").rstrip("\r")
                    if line.startswith("id:"):
                        ident = line[3:].strip()
                    elif line.startswith("event:"):
                        name = line[6:].strip()
                    elif line.startswith("data:"):
                        data.append(line[5:].strip())
                    elif not line and data:
                        if name is None:
                            self.see(ident, json.loads("".join(data)))
                        elif name == "undriven":
                            self.undriven.append(json.loads("".join(data))["message"])
                        name, ident, data = None, None, []
                        if self.ended:
                            return
            except (OSError, http.client.HTTPException, ValueError):
                return

    def see(self, ident, event):
        if event.get("type") == "run_started" and self.conversation is None:
            self.conversation = event["conversation_id"]
        if self.run is None:
            self.run = event.get("run")
        if provisional(event):
            return
        if ident and "." not in ident:
            self.last = int(ident)
        if event.get("run") != self.run:
            return
        self.shown.append(event)
        if event["type"] in TERMINAL:
            self.terminals += 1
        if self.on_event:
            self.on_event(self, event)
