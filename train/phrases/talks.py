"""[`Talk`]: a conversation being written: what is said, which tools are called, what they return."""

import re

from tools import call
from .words import BEFORE, RUN_UPS, expand, say, thumbed, typo

CONSONANTS, VOWELS = "b br c ch d dr f fl g gr h j k kl l m n p pl qu r s sh st t tr v w z".split(), "a e i o u a e o ai ea oo".split()
# What is said where a tool's whole result, or what the whole toolbox can do, is put in its place by the product.
CAN = "I can:\n[[tools]]"
CANT = "I can't do that with my tools. I can:\n[[tools]]"
OPENINGS = ["hm, ", "oh, ", "well, ", "by the way, ", "honestly, ", "haha, ", "you know, ", "ah, ", "just saying: ", "I must say, ", "so, ", "hey, ", "ok, ", "hi, "]


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
        self.need += [name for name in dict.fromkeys(name for name, _ in calls) if name not in self.need]
        return self

    def slip(self, *calls):
        """Calls that are wrong: they are shown, and not learned."""
        self.calls(*calls)
        self.messages[-1] = ("slip", self.messages[-1][1])
        return self

    def results(self, *texts):
        self.messages += [("tool", text) for text in texts]
        return self

    @property
    def here(self):
        """How many results there are since the person last spoke: the number of the newest."""
        last = max(at for at, (role, _) in enumerate(self.messages) if role == "user")
        return sum(role == "tool" for role, _ in self.messages[last:])

    def answer(self, text):
        """What is said; what is quoted in ` keeps its blanks."""
        parts = text.split("`")
        self.messages.append(("assistant", "`".join(part if at % 2 else re.sub(r" +", " ", part) for at, part in enumerate(parts)).strip()))
        return self

    def quiet(self, text, answer, *need):
        """A turn without a call, although these tools are offered (six at most)."""
        self.need += [name for name in need if name not in self.need][: max(0, 6 - len(self.need))]
        return self.user(text).answer(answer)


def later(text, by):
    """An answer's text where so many more results stand before those it points at."""
    return re.sub(r"(?m)^\[\[(\d)\]\]$", lambda m: f"[[{int(m.group(1)) + by}]]", text)


def clean(arguments):
    return {name: value for name, value in arguments.items() if value is not None}


def lines(text):
    """The patterns of a block, one a line."""
    return [it for it in text.strip().split("\n") if it]


def tell(r, pattern, **values):
    """`say`, but nothing is put behind a value that stands last: it would be read as a part of it."""
    text = expand(r, pattern)
    if not text.endswith("}"):
        return say(r, text, **values)
    head, last = re.fullmatch(r"(.*?)(\{\w+\})", text).groups() if text.count("{") == 1 else (text[: text.rindex("{")], text[text.rindex("{"):])
    if r.random() < 0.35:
        head = r.choice(RUN_UPS if r.random() < 0.25 else BEFORE) + head
    lower, sloppy, thumbs, out = r.random() < 0.35, r.random() < 0.12, r.random() < 0.07, []
    for part in re.split(r"(\{\w+\})", head):
        if re.fullmatch(r"\{\w+\}", part):
            out.append(str(values[part[1:-1]]))
            continue
        part = part.lower() if lower or thumbs else part
        part = thumbed(r, part) if thumbs else part
        out.append(typo(r, part) if sloppy and r.random() < 0.5 else part)
    text = re.sub(r" +", " ", "".join(out)).lstrip()
    if not lower and not thumbs and text and not head.startswith("{"):
        text = text[0].upper() + text[1:]
    return text + str(values[last[1:-1]])


def mention(r, pattern, **values):
    """What is said and asks for nothing: no `please` in it."""
    text = expand(r, pattern)
    if r.random() < 0.22:
        opening = r.choice(OPENINGS)
        text = opening + (text if text[:1] == "{" or text[:2] in ("I ", "I'") else text[:1].lower() + text[1:])
    lower, bare, sloppy, thumbs, out = r.random() < 0.3, r.random() < 0.4, r.random() < 0.08, r.random() < 0.07, []
    parts = re.split(r"(\{\w+\})", text)
    for part in parts:
        if re.fullmatch(r"\{\w+\}", part):
            out.append(str(values[part[1:-1]]))
            continue
        part = thumbed(r, part.lower()) if thumbs else part.lower() if lower else part
        out.append(typo(r, part) if sloppy else part)
    text = re.sub(r" +", " ", "".join(out)).strip()
    text = text.rstrip("?.!") if bare else text
    return text[0].upper() + text[1:] if not lower and parts[0] and r.random() < 0.9 else text


def joined(r, first, second, values=(), closed=False):
    """Two asks as one message. `values` keep their letters; after a closed first one (its value stands last) a new sentence begins."""
    first = first.rstrip("?.!") if not closed else first
    if not any(second.startswith(str(it)) for it in values) and second[:2] not in ("I ", "I'") and not second[:2].isupper():
        second = second[0].lower() + second[1:]
    if closed:
        return first + r.choice([" Also, ", " And ", " Then ", " "] if first[-1] in "?!" else ["\n", "; also "] if first[-1] == "." else [". Also, ", ". And ", ". Then ", ". ", "; also ", "\n"]) + second
    return first + r.choice([" and ", " and also ", ", and ", ". Also, ", "? And ", ", also ", " plus ", ". Then ", ", then ", " and then ", ". Oh, and ", "? also ", ". and "]) + second


def rare(r):
    """A word that nobody has read before."""
    return "".join(r.choice(CONSONANTS) + r.choice(VOWELS) for _ in range(r.choice([2, 2, 3]))) + r.choice(["", "", "n", "r", "s", "t", "x", "l", "ck"])


# What is said after an answer and asks for nothing, and what is said to it.
AFTERWARDS = [
    (lines("""
[ok|okay|oh|ah|alright|hm|hmm|right|fine|I see|good|great|nice|cool|perfect][,|] [that's good to know|that helps|that's good|got it|I understand|makes sense|noted|interesting|that explains it|as I thought|\
what I expected|that's all I need]
[good to know|interesting|as expected|I thought so|just as I thought|that explains a lot|who would have thought|what a surprise|that's what I wanted to know|that was quick|fascinating|wow, really]
[that's|that is|this is|it's] [more than I thought|less than I thought|better than I thought|what I expected|a lot|not much|quite something|odd|strange|funny|surprising|nice|fine|great]
I [thought|knew|guessed|expected] [so|that|as much|something like that]
[I'll|I will] [think about it|keep that in mind|look at it later|tell Sam|decide later|come back to it|sleep on it]
[yes|yep|yeah|yup|exactly][,|] [that's it|that's right|correct|that's what I meant|so it is]
"""), ["Good. What else can I do?", "Glad to hear that.", "All right."]),
    (lines("""
[no|nope|nah][,|] [that's all|that's it|thanks anyway|leave it there|it's fine|I'm good|not now|forget it|don't|nothing else|not needed|don't bother]
[nevermind|never mind that|forget about it|leave that|leave it like that|leave it as it is|let it be|drop it|skip it|not now|maybe later|don't bother|stop|stop here|that's enough|enough for now]
[that's|that is|this is] [not right|incorrect|nonsense|not true|rubbish|all wrong][,| but] [forget about it|never mind|leave it|it doesn't matter|I don't care|whatever|it's not important|let's move on|drop it]
[mistake|bad idea|my mistake|my fault|my bad][,|] [forget it|never mind|leave it|it doesn't matter|sorry|let's leave it]
[don't|do not|please don't|you don't need to|no need to|no, don't] [do anything|do anything else|change anything|delete that|delete a thing|delete them|do it again|do that|look again|try again|repeat it|continue|\
save it|bother]
I [changed my mind|don't need it|don't want that any more|don't need that any more|take it back|will do it myself|would rather not|don't want to know more]
"""), ["All right.", "All right, I leave it.", "All right, I do nothing."]),
    (lines("""
[that's|that is|this is] [not really what I meant|not what I asked|not what I wanted|not it|not the one|not what I was looking for]
[you misunderstood|you got me wrong|you misunderstood me|you didn't understand me|I meant something else|no, something else|I wanted something else]
[hm|no|sorry|well][,|] [that's not it|that isn't what I meant|I meant something different|not that]
"""), ["Sorry. What do you mean?"]),
    (lines("""
[are you sure|really|is that right|is that true|is that correct|are you certain|seriously]?
[I doubt that|I don't believe it|I don't believe you|that can't be right|that sounds wrong|that looks wrong|hm, that can't be]
"""), ["That is what the tool returned."]),
    (lines("""
[that's|that is] [bad|sad|a pity|a shame|annoying|too bad|terrible|not good|bad news|disappointing|not what I hoped for]
[oh no|damn|pity|what a shame|ugh|too bad|how annoying|bad luck|I hoped for something else|I was afraid of that]
"""), ["Sorry to hear that."]),
]


def afterwards(r, it, own=()):
    """Somebody says something after an answer that asks for nothing; to a question back, or where no tool was called, only what fits there."""
    if it.messages[-1][1].endswith("?"):
        own, known, weights = (), AFTERWARDS[1:2], [1]
    else:
        known, weights = (AFTERWARDS, [3, 4, 1, 1, 1]) if any(role == "tool" for role, _ in it.messages) else (AFTERWARDS[:2], [1, 2])
    patterns, answers = r.choice(list(own)) if own and r.random() < 0.6 else r.choices(known, weights)[0]
    return it.quiet(mention(r, r.choice(patterns)), answers[0] if r.random() < 0.7 else r.choice(answers))
