"""[`Talk`]: a conversation being written: what is said, which tools are called, what they return."""

import re

from tools import call


class Talk:
    """Messages as (role, content), and the tools the conversation needs."""

    def __init__(self, task):
        self.task, self.messages, self.need, self.avoid = task, [], [], set()

    def user(self, text):
        self.messages.append(("user", text))
        return self

    def calls(self, *calls):
        """Calls of one turn: (name, arguments) each."""
        self.messages.append(("assistant", "\n".join(call(name, arguments) for name, arguments in calls)))
        self.need += [name for name, _ in calls if name not in self.need]
        return self

    def slip(self, *calls):
        """Calls that are wrong: they are shown, and not learned."""
        self.calls(*calls)
        self.messages[-1] = ("slip", self.messages[-1][1])
        return self

    def results(self, *texts):
        self.messages += [("tool", text) for text in texts]
        return self

    def answer(self, text):
        self.messages.append(("assistant", re.sub(r" +", " ", text).strip()))
        return self


def clean(arguments):
    return {name: value for name, value in arguments.items() if value is not None}
