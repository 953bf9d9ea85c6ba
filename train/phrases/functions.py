"""Functions as libraries and services describe them, one line each in `sciences.py`, `everyday.py` and the files beside them: a call or several among one to five of
them, nothing called where none of them does what is asked (mostly beside one that is near), and what is missing asked for."""

import json
import math
import re
import statistics

from . import errands, everyday, invented, reckoning, sciences, services, studies
from .small import BEYOND, NONE
from .talks import Talk
from .words import expand, typo

# Each file has its own pools, and names in `Entry` say whose one is.
FILES = {"sciences": sciences, "everyday": everyday, "reckoning": reckoning, "errands": errands, "studies": studies, "services": services}
POOLS = {**invented.POOLS, **{f"{source}/{name}": pool for source, file in FILES.items() for name, pool in file.POOLS.items()}}
# Objects of some fields: how they are said, and each field's kind and words.
OBJECTS = {f"{source}/{name}": one for source in ("reckoning", "errands", "studies", "services") for name, one in FILES[source].OBJECTS.items()}
SAME = [pair for file in FILES.values() for pair in file.SAME]
# Files whose functions do something, and do not reckon.
DOES = ("everyday", "errands", "services")
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
VERBS = set("""calculate compute get find determine convert check is has count make create show fetch solve estimate evaluate generate calc list search look up add set book send turn
play order track cancel update delete remove start stop open close write read translate schedule reserve buy pay recommend suggest log record retrieve lookup give""".split())
# Words of a name that do not tell what it is about; those of them that do not even tell what is done.
DULL = VERBS | set("of the a an in on to from for by and with between at into".split())
MUTE = set("calculate compute get determine evaluate fetch retrieve show lookup look up of the a an in on to from for by and with between at into".split())
EDGE = {"", " ", ",", ".", "?", "!", ":", ";"}


def owned(kind, source):
    """A kind with the file whose pool or object it names."""
    if not kind.startswith(("word", "obj")):
        return kind
    return re.sub(r"(?<=:)[A-Z]+$", lambda m: f"{source}/{m.group()}" if f"{source}/{m.group()}" in POOLS or f"{source}/{m.group()}" in OBJECTS else m.group(), kind)


class Entry:
    """A described function, read."""

    def __init__(self, form, source):
        self.source, self.group, self.wordings = source, form.group, form.wordings
        self.names, self.descriptions = form.names.split("|"), form.descriptions.split("|")
        self.parameters = {}
        for text in form.parameters.split("|"):
            name, kind, *words = text.split("=", 2)
            kind = owned(kind, source)
            self.parameters[name.rstrip("?")] = (name.endswith("?"), kind, words[0].strip() if words else "")
        self.cores = [frozenset(tokens(it)) for it in self.names]
        self.acts = [frozenset(tokens(it, MUTE)) for it in self.names]
        self.tokens = set().union(*self.cores)
        self.kin = {at for at, names in enumerate(SAME) if any(it in names for it in self.names)}

    def required(self):
        return [name for name, (optional, _, _) in self.parameters.items() if not optional]


def tokens(name, dull=DULL):
    found = re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower())
    return {it[:-1] if len(it) > 3 and it.endswith("s") and not it.endswith("ss") else it for it in found if it not in dull} or set(found)


def used(wording):
    return re.findall(r"\{(\w+)[:}]", wording)


def said(wording):
    """Values that a wording says in other words: `{name:VALUE~words}`."""
    return {name: (words, json.loads(value) if re.fullmatch(r"true|false|-?\d+(\.\d+)?", value) else value) for name, value, words in re.findall(r"\{(\w+):([^{}~]*)~([^{}]*)\}", wording)}


ALL = [Entry(it, source) for source, file in FILES.items() for it in file.FUNCTIONS]
# Words of choices that may be said in other words.
MEANT = {value for one in ALL for wording in one.wordings for _, value, _ in re.findall(r"\{(\w+):([^{}~]*)~([^{}]*)\}", wording)
         if not re.fullmatch(r"true|false|-?\d+(\.\d+)?", value)}


def same(a, b):
    """Whether one of them might do the other's work. Those of one file are known to differ, but for `SAME`."""
    return a is b or bool(a.kin & b.kin) or bool(set(a.acts) & set(b.acts)) or a.source != b.source and any(x <= y or y <= x for x in a.cores for y in b.cores)


# Of each: those it may stand beside, those like it that do something else, and those that have nothing to do with it.
OTHERS = {one: [it for it in ALL if not same(one, it)] for one in ALL}
FITS = {one: set(it) for one, it in OTHERS.items()}
NEAR = {one: [it for it in OTHERS[one] if it.group == one.group] for one in ALL}
LIKE = {one: [it for it in OTHERS[one] if it.group == one.group or it.source == one.source and it.tokens & one.tokens] for one in ALL}
FAR = {one: [it for it in OTHERS[one] if it.group != one.group and not it.tokens & one.tokens] for one in ALL}


def bag(one):
    """The words in which a function is told of."""
    text = " ".join([*one.names, *one.descriptions, one.group, *one.parameters, *(words for _, _, words in one.parameters.values())])
    return {it for it in re.findall(r"[a-z]{4,}", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower().replace("_", " ")) if it not in DULL and it not in ("calculate", "given", "number", "name", "value")}


def hard():
    """Of each: those that sound most like it and do something else."""
    bags, rare_words = {one: bag(one) for one in ALL}, {}
    for words in bags.values():
        for word in words:
            rare_words[word] = rare_words.get(word, 0) + 1
    made = {}
    for one in ALL:
        score = {it: sum(1 / rare_words[word] for word in bags[one] & bags[it]) for it in OTHERS[one]}
        made[one] = [it for it in sorted(score, key=score.get, reverse=True)[:12] if score[it] > 0] or LIKE[one] or OTHERS[one][:12]
    return made


HARD = hard()
# Parameters that a function may have besides, and that nobody speaks of.
BESIDES = """unit=string=Unit of the result=metric;format=string=Output format=json;precision=integer=Number of decimal places=2;language=string=Language of the answer=en;verbose=boolean=Whether to return details=false;
limit=integer=Maximum number of results=10;timezone=string=Time zone=UTC;currency=string=Currency of the amounts=USD;include_metadata=boolean=Whether to include metadata=false;round_result=boolean=Whether to round the result=true;
sort_by=string=Field to sort by=relevance;order=string=Sort order, 'asc' or 'desc'=asc;page=integer=Page of the results=1;timeout=integer=Timeout in seconds=30;mode=string=Mode of operation=standard;region=string=Region code=US;
detailed=boolean=Return a detailed report=false;output_unit=string=Unit in which the result is given=default;method=string=Method to use=auto;tags=array=Tags to filter by=;notify=boolean=Send a notification=false;locale=string=Locale for formatting=en-US;
source=string=Data source to use=default;max_attempts=integer=How often to try=3;include_tax=boolean=Whether tax is included=false;dry_run=boolean=Only pretend to do it=false;confidence=number=Confidence level=0.95;version=string=API version=v1""".replace("\n", "").split(";")


def besides(r):
    """(name, schema) of such a parameter."""
    name, kind, words, default = r.choice(BESIDES).split("=")
    words += r.choice([". Default is {}", " (default {})", ". Defaults to {}.", ", default: '{}'", ". Optional.", ""]).format(default) if default else r.choice(["", ". Optional."])
    made = {"type": kind, "description": words}
    if kind == "array":
        made["items"] = {"type": "string"}
    elif default and r.random() < 0.25:
        made["default"] = json.loads(default) if kind in ("integer", "boolean", "number") else default
    return name, made


# Values.

def fraction(r, low, high):
    """A number of one or two decimals, now and then a whole one."""
    places = 0 if r.random() < 0.15 else r.choice([1, 1, 2]) if high > 2 else r.choice([2, 2, 3])
    made = round(r.uniform(low, high), places) if places else r.randint(round(low), round(high))
    return int(made) if made == int(made) else made


def listed(r, some):
    some = [str(it) for it in some]
    return r.choice([", ".join(some[:-1]) + " and " + some[-1], ", ".join(some[:-1]) + " and " + some[-1], ", ".join(some), "[" + ", ".join(some) + "]"])


def draw(r, kind, today):
    """(as typed, as JSON); numbers are typed where it is seen what stands around them."""
    name, *rest = kind.split(":")
    if name == "int":
        low, high = int(rest[0]), int(rest[1])
        made = r.randint(low, high)
        if high - low > 20000 and not rest[2:] and r.random() < 0.75:
            # Large sums are mostly round ones.
            step = next(step for step in (100000, 10000, 1000, 500, 100, 50, 10, 5, 1) if step * 8 < high - low)
            made = max(low, min(high, round(made / step) * step))
        return None, made
    if name == "float":
        return None, fraction(r, float(rest[0]), float(rest[1]))
    if name == "num":
        return None, r.choice([r.randint(1, 2000), fraction(r, 1, 500), r.randint(1, 60) * 1000])
    if name == "year":
        made = r.randint(int(rest[0]), int(rest[1]))
        return str(made), made
    if name in ("percent", "rate"):
        low, high = (float(it) for it in rest) if rest else (1, 30)
        made = r.choice([r.randint(round(low), round(high)), r.randint(round(low), round(high)), round(r.uniform(low, high), 1)])
        shown = f"{made:g}"
        if name == "percent":
            return shown + r.choice(["%", "%", "%", " percent", " percent", " %"]), json.loads(shown)
        share = json.loads(f"{float(shown) / 100:.6g}")
        return (shown + r.choice(["%", "%", " percent"]) if r.random() < 0.6 else str(share)), share
    if name == "intset":
        low, high, least, most = (int(it) for it in rest)
        some = r.sample(range(low, high + 1), r.randint(least, most))
        return listed(r, some), some
    if name in ("intlist", "floatlist"):
        low, high, least, most = [float(it) for it in rest] + [1, 99, 3, 7][len(rest):]
        some = [r.randint(int(low), int(high)) if name == "intlist" else fraction(r, low, high) for _ in range(r.randint(int(least), int(most)))]
        return listed(r, some), some
    if name == "vector":
        some = [r.randint(-9, 12) for _ in range(int(rest[0]) if rest else r.choice([2, 3]))]
        return r.choice(["[{}]", "[{}]", "({})"]).format(", ".join(map(str, some))), some
    if name == "matrix":
        size = int(rest[0]) if rest else r.choice([2, 2, 3])
        some = [[r.randint(-9, 12) for _ in range(size)] for _ in range(size)]
        return str(some), some
    if name in ("obj", "objs"):
        template, fields = OBJECTS[rest[0]]
        some, source = [], rest[0].split("/")[0]
        while len(some) < (1 if name == "obj" else r.choice([2, 2, 2, 3])):
            made = {field: draw(r, owned(kind, source), today) for field, (kind, _) in fields.items()}
            if len({str(data) for _, data in made.values()}) == len(made) or not any(isinstance(data, str) for _, data in made.values()):
                some.append((template.format(**{field: data if typed is None else typed for field, (typed, data) in made.items()}), {field: data for field, (_, data) in made.items()}))
        shown = [typed for typed, _ in some]
        return (shown[0], some[0][1]) if name == "obj" else (", ".join(shown[:-1]) + " and " + shown[-1], [data for _, data in some])
    if name in ("pick", "enum"):
        one = r.choice(rest)
        return one, one
    if name in ("words", "some"):
        pool = POOLS[rest[0]] if name == "words" else rest
        some = r.sample(pool, min(len(pool), r.choice([2, 2, 3, 3, 4])))
        return listed(r, some).replace("[", "").replace("]", ""), some
    if name == "ints":
        return draw(r, "intlist", today)
    if name == "word":
        one = r.choice(POOLS[rest[0]])
        return one, one
    typed, data, _ = invented.value(r, kind, today)
    return typed, data


def schema(r, kind, words, plain):
    """The schema of a parameter; `plain`: a day is given as it was typed."""
    name, *rest = kind.split(":")
    described = {"description": words[0].upper() + words[1:] + ("." if r.random() < 0.25 and words[-1].isalnum() else "")} if words else {}
    if name in ("int", "year"):
        return {"type": "integer" if r.random() < 0.8 else "number", **described}
    if name in ("float", "num", "percent"):
        return {"type": "number", **described}
    if name == "rate":
        words = described.get("description", "The rate").rstrip(".")
        return {"type": "number", "description": words if re.search("decimal|fraction|0\\.", words) else words + r.choice([", as a decimal", " (as a decimal, 0.05 for 5%)", " as a fraction of 1"])}
    if name in ("intlist", "intset", "ints", "floatlist", "vector"):
        return {"type": "array", "items": {"type": "integer" if name in ("intlist", "intset", "ints", "vector") and r.random() < 0.6 else "number"}, **described}
    if name in ("obj", "objs"):
        fields = OBJECTS[rest[0]][1]
        inner = {field: schema(r, kind, words, plain) for field, (kind, words) in sorted(fields.items())}
        made = {"type": "object", "properties": inner, "required": list(fields)}
        return {**made, **described} if name == "obj" else {"type": "array", "items": made, **described}
    if name == "matrix":
        return {"type": "array", "items": {"type": "array", "items": {"type": r.choice(["integer", "number"])}}, **described}
    if name in ("words", "some", "cities"):
        return {"type": "array", "items": {"type": "string"}, **described}
    if name == "bool":
        return {"type": "boolean", **described}
    if name == "enum" and r.random() < 0.25:
        said = described.get("description", "").rstrip(".")
        return {"type": "string", "description": (said or "Kind") + r.choice([". Options: {}", " ({})", ", one of {}", ". One of: {}", ". Can be {}"]).format(r.choice([", ", "/", " or ", ", "]).join(r.choice(["{}", "'{}'"]).format(it) for it in rest))}
    if name == "enum":
        return {"type": "string", "enum": rest, **described}
    if name == "word" and rest[0] in ("CURRENCIES", "UNITS") and r.random() < 0.3:
        return {"type": "string", "enum": POOLS[rest[0]], **described}
    if name == "date":
        said = described.get("description", "")
        if plain:
            return {"type": "string", "description": re.sub(r",? *(in |as |\()*(the )?(format |form )?YYYY-MM-DD\)?( format)?", "", said) or "The day"}
        if "YYYY-MM-DD" in said or r.random() < 0.5:
            return {"type": "string", "description": said if "YYYY-MM-DD" in said else (said.rstrip(".") or "The day") + r.choice([", YYYY-MM-DD", " in the format YYYY-MM-DD", " (YYYY-MM-DD)"])}
        return {"type": "string", "format": "date", **described}
    return {"type": "string", **described}


class Made:
    """A function as it is offered: its definition, and how its parameters are called there."""

    def __init__(self, r, entry, keep=()):
        self.entry = entry
        # Days that are given as they were typed, as nothing asks for a form.
        self.plain, whole = set(), r.random() < 0.1
        name = r.choice(entry.names)
        pick = r.random()
        if "." in name:
            name = name.replace(".", "_") if pick < 0.35 else name
        elif pick < 0.12:
            name = re.sub(r"_(\w)", lambda m: m.group(1).upper(), name)
        elif pick < 0.24:
            name = re.sub(r"\W+", "_", entry.group) + "." + name
        self.name = name
        camel, bare = r.random() < 0.08, r.random() < 0.12
        self.keys, properties, required = {}, {}, []
        for key, (optional, kind, words) in entry.parameters.items():
            if optional and key not in keep and r.random() < 0.3:
                continue
            shown = re.sub(r"_(\w)", lambda m: m.group(1).upper(), key) if camel else key
            words = "" if bare or r.random() < 0.1 else words
            if optional and words and r.random() < 0.4 and "efault" not in words and kind.startswith(("int", "enum")):
                words += r.choice([". Default is {}", ", default {}", " (default is {})", ". Defaults to {}"]).format(draw(r, kind, None)[1])
            self.keys[key] = shown
            if kind == "date" and not optional and words and whole:
                self.plain.add(key)
            properties[shown] = schema(r, kind, words, key in self.plain)
            required += [] if optional else [shown]
        # Some of them within an object.
        self.within = None
        if len(required) > 1 and r.random() < 0.035:
            self.within = r.choice(["options", "parameters", "details", "data", "config", "input", "request"])
            inner = {name: properties.pop(name) for name in list(properties)}
            properties, required = {self.within: {"type": "object", "description": r.choice(["What it is about", "The details", "Settings of the call", "The input"]), "properties": dict(sorted(inner.items())), "required": required}}, [self.within]
        for _ in range(r.choice([0, 0, 0, 1, 1, 2, 3])):
            extra, told = besides(r)
            if extra not in properties and extra not in entry.parameters and not any(extra in it or it in extra for it in entry.parameters):
                properties[extra] = told
        description = r.choice(entry.descriptions)
        description = description.rstrip(".") + r.choice(["", ".", "."]) if r.random() < 0.6 else description
        self.definition = {"name": name, "description": description, "parameters": {"type": "object", "properties": dict(sorted(properties.items())), "required": required}}

    def values(self, r, names, today, wording=""):
        """{parameter: (typed, JSON)}; no two texts of one kind are the same. `wording`: where some are said in other words."""
        out, told = {}, said(wording)
        for name in names:
            kind = self.entry.parameters[name][1]
            for _ in range(20):
                typed, data = draw(r, kind, today)
                if isinstance(data, (int, float)) or all(data != other for _, other in out.values()):
                    break
            out[name] = told.get(name) or (typed, typed if name in self.plain else data)
        rows = [name for name, (_, data) in out.items() if isinstance(data, list) and isinstance(data[0], (int, float))]
        if len(rows) > 1:
            # Two lists beside each other: it must be seen where one ends.
            out.update({name: (str(out[name][1]), out[name][1]) for name in rows})
        return out

    def arguments(self, values):
        made = {self.keys[name]: data for name, (_, data) in values.items()}
        return {self.within: made} if self.within else made


def figure(r, n, before, after):
    """A number as somebody types it between these."""
    shown = str(n)
    free = (before == "" or before[-1] in " $€£") and after[:1] in EDGE and not re.match(r" ?[=+*/^<>%°×-]|, ?-?\d|,\{| x\b", after)
    bound = re.search(r"[=+*/^<>×(-] ?$|\d,? $|\bx $", before)
    if isinstance(n, int) and free and not bound:
        if 0 < n <= 12 and before[-1:] not in "$€£" and r.random() < 0.15:
            return WORDS[n]
        if n >= 1_000_000 and n % 100_000 == 0 and r.random() < 0.35:
            return f"{n / 1_000_000:g} million"
        if n >= 20_000 and n % 1000 == 0 and n < 1_000_000 and r.random() < 0.06 and after[:1] != " ":
            return f"{n // 1000}k"
        if n >= 1000 and r.random() < 0.18:
            return f"{n:,}"
    return shown


def filled(r, text, values, sloppy=True):
    """The text with its values in it; no style changes those."""
    text = re.sub(r"\{\w+:(?:[^{}~]*~)?([^{}]*)\}", r"\1", text)
    parts = re.split(r"(\{\w+\})", text)
    lower, slips = sloppy and r.random() < 0.28, sloppy and r.random() < 0.1
    out = []
    for at, part in enumerate(parts):
        if not re.fullmatch(r"\{\w+\}", part):
            part = part.lower() if lower else part
            out.append(typo(r, part) if slips and r.random() < 0.5 else part)
            continue
        typed, data = values[part[1:-1]]
        before, after = parts[at - 1], parts[at + 1]
        if typed is None:
            typed = figure(r, data, before, after)
        elif re.match(r"%| percent| %", after):
            typed = re.sub(r" ?(%|percent)$", "", typed)
        elif typed[0] == "[" and before.endswith("["):
            typed = typed[1:-1]
        elif typed in ("today", "tomorrow") and before.endswith((" on ", "On ")):
            out[-1] = out[-1][:-3]
        out.append(typed)
    text = re.sub(r" +", " ", "".join(out)).strip()
    return text if lower or parts[0] == "" else text[0].upper() + text[1:]


ORDERS = re.compile(r"(calculate|compute|find|work out|figure out|give|tell|show|get|convert|solve|determine|check|estimate|count|list|evaluate|book|order|set|send|add|create|make|look|search|play|turn|translate|i need|generate|sort|simulate)\b", re.I)
ASKS = re.compile(r"(what|how|which|is|are|does|do|can|could|where|when|who|will|would|if|at what|by)\b", re.I)


def styled(r, text):
    """A greeting before it or a word of thanks behind, and the full stop left out."""
    pick = r.random()
    if pick < 0.2:
        if ORDERS.match(text):
            head = r.choice(["please ", "please ", "can you ", "could you ", "hey, ", "hi, ", "I need you to ", "would you ", "I'd like you to ", "go ahead and ", "help me out: ", "ok, "])
            text = head + text[0].lower() + text[1:] if not text.startswith(("I ", "I'")) else text
            if head in ("can you ", "could you ", "would you ") and re.search(r"[\w%\])}]$", text) and r.random() < 0.6:
                text += "?"
        elif ASKS.match(text):
            head = r.choice(["hey, ", "hi, ", "quick question: ", "ok, ", "so ", "hello, ", "I was wondering, ", "question: ", "for my homework: ", "just curious, "])
            text = head + text[0].lower() + text[1:]
        else:
            head = r.choice(["Hi. ", "Hello! ", "Hey, ", "Quick one: ", "Here's one: ", "So, "])
            text = head + (text if head.endswith((". ", "! ")) or text.startswith("I") else text[0].lower() + text[1:])
    if r.random() < 0.1 and not text.endswith(".") and "{" not in text[-2:]:
        text = re.sub(r"\??$", lambda m: r.choice([" please", " pls", ", please", ", thanks", " thanks"]) + m.group(), text, count=1)
    return text.rstrip("?.!") if r.random() < 0.25 else text


def worded(r, entry):
    """A wording in which all that is required stands."""
    for _ in range(30):
        text = expand(r, r.choice(entry.wordings))
        if set(entry.required()) <= set(used(text)):
            return text
    raise ValueError(f"{entry.names[0]}: a wording without what is required")


def calling(name):
    """A parameter's name as somebody says it."""
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").lower()
    return re.sub(r"(\w) (minutes|hours|seconds|kg|cm|km|gb|grams|mm)$", r"\1 in \2", words)


BASE = re.compile(r"(Calculate|Compute|Find|Determine|Estimate|Get|Convert|Solve|Evaluate|Count|Generate|Check|Create|Book|Order|Search for|Search|Look up|Send|Set|Add|Play|Translate|Track|List|Show|Reserve|Schedule|Cancel|Recommend|Make|Work out|Sort)s? ")


def stem(r, entry):
    """What the function does in a few words, "calculate the area of a triangle", or nothing."""
    fits = [it for it in entry.descriptions if BASE.match(it)]
    if not fits:
        return None
    text = r.choice(fits)
    verb = BASE.match(text).group(1)
    text = verb.lower() + " " + text[BASE.match(text).end():]
    text = re.split(r"[.,;:(]| from (?!one\b|degrees\b|decimal\b)| given\b| using\b| based on\b| by (?:its|their|the|a)\b| with (?:the|its|a) (?:given|specified)| for (?:a|the) (?:given|specified)\b| at (?:a|the) (?:given|specified)\b| in (?:a|the) (?:given|specified)\b| and (?:its|their|the)\b", text)[0].strip()
    return re.sub(r"\b(given|specified) ", "", text) if 2 < len(text.split(" ")) < 14 else None


def stated(r, made, given, values):
    """The same asked with each value by its name: "…. The base is 5 and the height is 7." """
    head = stem(r, made.entry)
    frame = r.choice(["{}", "{}", "please {}", "can you {}", "could you {}", "I need to {}", "I want to {}", "help me {}", "{} for me"]).format(head)
    if not given:
        return filled(r, frame + r.choice(["", ".", "?" if frame.startswith(("can", "could")) else "."]), values)
    same = expand(r, r.choice(["[ = ]", "[ is ]", "[: ]"]))
    if r.random() < 0.5:
        parts = [f"the {calling(name)} {'are' if isinstance(values[name][1], list) else 'is'} {{{name}}}" for name in given]
        text = frame + r.choice([". ", ", ", ". ", " when "])
        text += (parts[0][0].upper() + parts[0][1:] if text.endswith(". ") else parts[0]) + ("" if len(parts) == 1 else ", " + ", ".join(parts[1:-1]) + " and " + parts[-1] if len(parts) > 2 else " and " + parts[-1])
    else:
        text = frame + r.choice([", ", ": "] if same == " is " else [", ", ": ", " with ", " for "]) + ", ".join(f"{calling(name)}{same}{{{name}}}" for name in given)
    return filled(r, text + r.choice(["", "."]), values)


# What comes back.

# What can be reckoned here, is.
REAL = {
    "factorial": lambda number: math.factorial(number), "gcd": lambda a, b: math.gcd(a, b), "lcm": lambda a, b: math.lcm(a, b),
    "is_prime": lambda number: number > 1 and all(number % it for it in range(2, math.isqrt(number) + 1)),
    "digit_sum": lambda number: sum(map(int, str(number))), "modulo": lambda dividend, divisor: dividend % divisor, "percentage_change": lambda old_value, new_value: round((new_value - old_value) / old_value * 100, 2),
    "square_root": lambda number, precision=4: round(number ** 0.5, precision), "percent_of": lambda percent, number: round(percent * number / 100, 2), "triangle_area": lambda base, height, unit=None: base * height / 2,
    "rectangle_area": lambda length, width: round(length * width, 2), "rectangle_perimeter": lambda length, width: round(2 * (length + width), 2), "circle_area": lambda radius, unit=None: round(math.pi * radius ** 2, 2),
    "circle_circumference": lambda radius: round(2 * math.pi * radius, 2), "sphere_volume": lambda radius: round(4 / 3 * math.pi * radius ** 3, 2),
    "cylinder_volume": lambda radius, height: round(math.pi * radius ** 2 * height, 2),
    "box_volume": lambda length, width, height: length * width * height, "hypotenuse": lambda a, b: round(math.hypot(a, b), 3), "list_mean": lambda numbers: round(sum(numbers) / len(numbers), 2),
    "list_median": lambda numbers: statistics.median(numbers),
    "combinations": lambda n, k: math.comb(n, k), "permutations": lambda n, k: math.perm(n, k), "is_leap_year": lambda year: year % 4 == 0 and (year % 100 != 0 or year % 400 == 0),
    "kinetic_energy": lambda mass, velocity: round(mass * velocity ** 2 / 2, 2),
    "force": lambda mass, acceleration: round(mass * acceleration, 2), "momentum": lambda mass, velocity: round(mass * velocity, 2), "density": lambda mass, volume: round(mass / volume, 3),
    "ohms_law_current": lambda voltage, resistance: round(voltage / resistance, 3),
    "electric_power": lambda voltage, current: round(voltage * current, 2), "series_resistance": lambda resistances: sum(resistances),
    "body_mass_index": lambda weight, height: round(weight / (height / 100) ** 2, 1), "average_speed_trip": lambda distance, time: round(distance / time, 1),
    "price_with_tax": lambda price, tax_rate: round(price * (1 + tax_rate / 100), 2), "discount_price": lambda price, discount: round(price * (1 - discount / 100), 2),
    "return_on_investment": lambda cost, gain: round((gain - cost) / cost * 100, 1),
    "debt_to_equity": lambda total_debt, total_equity: round(total_debt / total_equity, 2), "simple_interest": lambda principal, rate, time: round(principal * rate * time / 100, 2),
    "polygon_angle_sum": lambda sides: (sides - 2) * 180, "word_count": lambda text: len(text.split()),
    "count_vowels": lambda text: sum(it in "aeiou" for it in text.lower()),
    "is_palindrome": lambda text, ignore_spaces=False: (text := text.lower().replace(" " if ignore_spaces else "\n", "")) == text[::-1],
    "fibonacci_number": lambda n: round(((1 + 5 ** 0.5) / 2) ** n / 5 ** 0.5), "power": lambda base, exponent, mod=None: pow(base, exponent, mod), "nth_root": lambda number, degree: round(number ** (1 / degree), 4),
    "round_number": lambda value, decimals: round(value, decimals), "sine": lambda angle, unit="degrees": round(math.sin(math.radians(angle) if unit == "degrees" else angle), 4),
    "cosine": lambda angle, unit="degrees": round(math.cos(math.radians(angle) if unit == "degrees" else angle), 4), "point_distance": lambda x1, y1, x2, y2: round(math.hypot(x2 - x1, y2 - y1), 3),
    "cone_volume": lambda radius, height: round(math.pi * radius ** 2 * height / 3, 2), "sphere_surface": lambda radius: round(4 * math.pi * radius ** 2, 2), "trapezoid_area": lambda base1, base2, height: (base1 + base2) * height / 2,
    "compound_interest": lambda principal, rate, years, compounds_per_year=1: round(principal * ((1 + rate / compounds_per_year) ** (compounds_per_year * years) - 1), 2),
    "future_value": lambda present_value, annual_return, years: round(present_value * (1 + annual_return) ** years, 2), "gear_ratio": lambda driver_teeth, driven_teeth: round(driven_teeth / driver_teeth, 2),
    "loan_payment": lambda principal, annual_rate, years: round(principal * annual_rate / 1200 / (1 - (1 + annual_rate / 1200) ** (-12 * years)), 2),
    "depreciation": lambda cost, salvage_value, useful_life: round((cost - salvage_value) / useful_life, 2), "fuel_consumption": lambda distance, litres: round(litres / distance * 100, 1),
    "binomial_probability": lambda trials, successes, probability: round(math.comb(trials, successes) * probability ** successes * (1 - probability) ** (trials - successes), 4),
    "z_score": lambda value, mean, std_dev: round((value - mean) / std_dev, 2), "potential_energy": lambda mass, height, gravity=9.81: round(mass * height * gravity, 1),
    "degrees_to_radians": lambda degrees: round(math.radians(degrees), 4), "price_earnings_ratio": lambda share_price, earnings_per_share: round(share_price / earnings_per_share, 2),
}
TEXTUAL = {"strings", "encoding", "algebra", "calculus", "genetics", "biology", "sets", "files", "matrices", "vectors", "sequences", "networks", "dates"}
OTHERWISE = {"balance_equation", "moon_phase", "sunrise_time", "due_date", "sleep_cycles", "midpoint", "linear_regression", "confidence_interval", "prime_factors", "simplify_fraction", "list_mode",
             "random_number", "triangle_kind", "circle_overlap", "line_through_points", "rotate_point", "roman_numeral", "number_in_words", "primes_between", "convert_base", "scale_notes", "transpose_chord", "balance_reaction", "due_date_of_birth",
             "t_test", "rate_book", "draft_contract", "check_symptoms", "drug_interactions", "vet_visit", "bolt_torque", *studies.TOLD}
ACTS = set("book reserve send set add create order turn play cancel update delete remove start stop open close schedule buy pay log record lock activate control move rent enroll report return save move make switch".split())
SEEKS = set("find search list recommend suggest".split())
AMOUNT = {"price", "cost", "distance", "score", "rent", "value", "fare", "amount", "yield", "fee", "average", "usage", "gpa", "rate"}
NAMES = "Northside|Harbour View|The Blue Door|Old Mill|Green Lane|Riverside|Maple Corner|Sunrise|City Central|Lakeside|The Oak|Silver Line|Bellevue|Garden House".split("|")


def end(r, made, values):
    """(result, answer), or nothing."""
    parts = [it for it in re.split(r"[_.]", re.sub(r"([a-z])([A-Z])", r"\1_\2", made.name.split(".")[-1]).lower()) if it]
    noun, entry = " ".join(it for it in parts if it not in VERBS), made.entry
    if r.random() < 0.05:
        why = r.choice(["value out of range", "the service is not available", "timed out", "internal error", "invalid input", "too many requests", "permission denied"])
        return r.choice([f"Error: {why}", json.dumps({"error": why})]), f"That did not work: {why}."
    if entry.names[0] in OTHERWISE:
        return None
    if entry.names[0] in REAL:
        try:
            shown = REAL[entry.names[0]](**{name: data for name, (_, data) in values.items()})
        except (ArithmeticError, ValueError):
            return "Error: invalid input", "That did not work: invalid input."
        if isinstance(shown, bool):
            return r.choice([json.dumps({"result": shown}), str(shown).lower(), json.dumps({"result": shown, "status": "ok"})]), "Yes." if shown else "No."
    elif entry.source in DOES:
        verbs = {it for name in entry.names for it in name.split(".")[-1].split("_")[:1]} | set(parts[:1])
        if verbs & SEEKS and entry.group not in {"hotel", "restaurant", "map", "travel", "property", "car", "art"}:
            return None
        if verbs & SEEKS:
            some = [(name, round(r.uniform(3, 5), 1)) for name in r.sample(NAMES, r.randint(1, 3))]
            if r.random() < 0.15:
                return r.choice(["[]", json.dumps({"results": []}), "No results."]), "Nothing was found."
            listing = json.dumps([{"name": name, "rating": rating} for name, rating in some]) if r.random() < 0.6 else "\n".join(f"{name} ({rating})" for name, rating in some)
            return listing, "I found " + (", ".join(f"{name} ({rating})" for name, rating in some[:-1]) + " and " if some[1:] else "") + "{} ({}).".format(*some[-1])
        if verbs & ACTS:
            number = f"{r.choice('ABCRX')}{r.choice(['', '-'])}{r.randint(100, 99999)}"
            return r.choice([("OK", "Done."), (json.dumps({"status": "ok"}), "Done."), (json.dumps({"success": True}), "Done."), (json.dumps({"status": "confirmed", "id": number}), f"Done, it is confirmed. The id is {number}."),
                             (f"Done. Reference {number}.", f"Done. The reference is {number}."), (json.dumps({"reference": number}), f"Done. The reference is {number}.")])
        if not entry.cores or not any(core & AMOUNT for core in entry.cores):
            return None
        shown = r.choice([r.randint(2, 90), round(r.uniform(1, 90), 1), round(r.uniform(1, 900), 2)])
    elif entry.group in TEXTUAL or entry.names[0] in OTHERWISE or entry.tokens & {"info", "ph", "lookup"} or not noun:
        return None
    else:
        shown = round(r.uniform(0.01, 0.99), 3) if entry.group == "probability" or entry.tokens & {"correlation", "gini"} else r.choice([round(r.uniform(0.5, 10), r.randint(2, 4)), round(r.uniform(1, 90), r.randint(1, 3)), r.randint(2, 90)])
    key, pick = noun.replace(" ", "_"), r.random()
    told = "The " + re.sub(r"^(of|to|from|in|for|the) ", "", noun) + f" is {shown}." if noun and not set(parts) & {"to", "in", "is", "after", "at"} and noun[-1] != "s" and not noun.endswith(" of") and not re.match(r"\w+s |adjust|exchange|half life rem|.*(calculator|converter)", noun) and entry.group not in ("units", "currency") else f"The result is {shown}."
    if pick < 0.3 and key:
        return json.dumps({key: shown}), told
    if pick < 0.5:
        return json.dumps({"result": shown}), r.choice([told, f"The result is {shown}."])
    if pick < 0.7:
        return str(shown), r.choice([told, f"It is {shown}."])
    other, second = r.choice([("steps", r.randint(2, 9)), ("status", "ok"), ("cached", False), ("version", "1.2")])
    return json.dumps({r.choice([key or "value", "value", "result"]): shown, other: second}), told


def none(r):
    return NONE[0]


def spans(question, calls):
    """Whether each text of the arguments is a piece of what was said."""
    def pieces(value):
        if isinstance(value, str):
            return value in MEANT or bool(re.fullmatch(r"\d{4}-\d\d-\d\d", value)) or bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", question))
        return all(pieces(it) for it in (value.values() if isinstance(value, dict) else value)) if isinstance(value, (list, dict)) else True
    return all(pieces(it) for _, arguments in calls for it in arguments.values())


def beside(r, chosen):
    """Others to offer with these, most of them alike: none could do what those do."""
    count = r.choice([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 9])
    fits = lambda one: all(one in FITS[it] for it in chosen) and one not in chosen
    some = []
    for _ in range(min(count, 10 - len(chosen))):
        pick = r.random()
        pool = NEAR[chosen[0]] if pick < 0.35 else HARD[chosen[0]] if pick < 0.75 else OTHERS[chosen[0]]
        pool = [one for one in pool if fits(one) and one not in some]
        if pool:
            some.append(r.choice(pool))
    return [Made(r, it) for it in some]


def offer(r, it, made):
    """Sets what is offered; false where two are called alike."""
    it.own = [one.definition for one in made]
    r.shuffle(it.own)
    return len({one["name"] for one in it.own}) == len(it.own)


def once(r, today):
    """(function, question, values): one call."""
    entry = r.choice(ALL)
    if r.random() < 0.07 and stem(r, entry) and not any(kind == "bool" for _, (o, kind, _) in entry.parameters.items() if not o):
        given = entry.required()
        made = Made(r, entry)
        values = made.values(r, given, today)
        return made, stated(r, made, given, values), values
    text = worded(r, entry)
    made = Made(r, entry, used(text))
    values = made.values(r, used(text), today, text)
    return made, filled(r, styled(r, text), values), values


def numeric(value):
    return isinstance(value[1], (int, float)) and not isinstance(value[1], bool)


def changed(r, made, values, today):
    """(name, other value): one of the values otherwise, for the same asked again."""
    fit = [name for name in values if made.entry.parameters[name][1].split(":")[0] in ("int", "float", "year", "percent", "city", "word", "enum", "pick", "ticker")]
    if not fit:
        return None
    name = r.choice(fit)
    for _ in range(9):
        other = made.values(r, [name], today)[name]
        if all(other[1] != it for _, it in values.values()):
            return name, other
    return None


def single(r, it, today):
    made, question, values = once(r, today)
    calls = [(made.name, made.arguments(values))]
    it.user(question).calls(*calls)
    said = question
    fine = offer(r, it, [made, *beside(r, [made.entry])])
    if r.random() < 0.45:
        back = end(r, made, values)
        if back:
            it.results(back[0]).answer(back[1])
            again = changed(r, made, values, today) if r.random() < 0.25 else None
            if again:
                name, other = again
                word = calling(name)
                alone, does = len(values) == 1 or not numeric(other), made.entry.source in DOES
                asks = [f"[and|what about|how about|and for|now for] {{{name}}}?", f"same for {{{name}}}"]
                if does or not alone:
                    asks = [f"[the |]same [for|with] {{{name}}}", f"[and|now] the same for {{{name}}}[|, please]"] if alone else [f"[same|again|once more] with {word} {{{name}}}", f"now with {{{name}}} as the {word}"]
                if not does and not alone:
                    asks += [f"[and|what about|how about|and if I take] a {word} of {{{name}}}?"]
                ask = r.choice(asks)
                ask = filled(r, expand(r, ask), {name: other})
                calls.append((made.name, made.arguments({**values, name: other})))
                said += "\n" + ask
                it.user(ask).calls(calls[-1])
                back = end(r, made, {**values, name: other})
                it.results(back[0]).answer(back[1]) if back else None
    return fine and spans(said, calls)


def several(r, it, today):
    """Two calls in one turn, or three."""
    pick = r.random()
    entry = r.choice(ALL)
    text = worded(r, entry)
    named = used(text)
    bools = re.search(r"\{\w+:", text)
    made = Made(r, entry, named)
    values = made.values(r, named, today, text)
    kinds = [made.entry.parameters[name][1].split(":")[0] for name in named]
    if pick < 0.3 and not bools and len(named) == 1 and kinds[0] in ("int", "float", "city", "word", "pick", "ticker", "year", "percent", "enum") and not re.search(r"\ban? \{|\b(I|I'm|my|we|our|is|was) ", text):
        # The same thing of two values: "the factorial of 5 and 8".
        name = named[0]
        others = []
        for _ in range(r.choice([1, 1, 1, 2])):
            again = changed(r, made, values, today)
            if again and all(again[1][1] != it for it in (values[name][1], *(o[1] for o in others))):
                others.append(again[1])
        if not others:
            return False
        keys = ["{" + name + "}"] + [f"{{{name}_{n}}}" for n in range(len(others))]
        joined = ", ".join(keys[:-1]) + r.choice([" and ", " and ", " and also ", " and of " if f" of {{{name}}}" in text and len(keys) == 2 else " and "]) + keys[-1]
        question = filled(r, styled(r, text.replace(keys[0], joined)), {name: values[name], **{f"{name}_{n}": o for n, o in enumerate(others)}})
        calls = [(made.name, made.arguments({name: one})) for one in (values[name], *others)]
        chosen = [made]
    elif pick < 0.58 and not bools:
        required = entry.required()
        if r.random() < 0.5:
            again = changed(r, made, values, today)
            if not again:
                return False
            name, other = again
            tail = [f"{calling(name)} {{again}}" if numeric(other) else "{again}"]
            frames = [". Then [the same|do it] again with {}.", ". Also do it for {}[| instead].", ", and once more with {}", " and the same for {}", ". What if it were {} instead?" if not numeric(other) else ". Repeat it with {}."]
            second, extra = {**values, name: other}, {"again": other}
        else:
            if not required or any(made.entry.parameters[name][1] == "bool" for name in required):
                return False
            fresh = made.values(r, required, today)
            if any(fresh[name][1] == values[name][1] for name in required):
                return False
            tail = [f"{calling(name)}[| of] {{again_{name}}}" if numeric(fresh[name]) else f"{calling(name)} {{again_{name}}}" if len(required) > 1 else f"{{again_{name}}}" for name in required]
            frames = [". Do the same for {}.", " and then the same with {}", ". Then [do|work out] another one with {}.", "; and again for {}", ". Repeat that with {}."]
            second, extra = {**values, **fresh}, {f"again_{name}": one for name, one in fresh.items()}
        tail = ", ".join(tail[:-1]) + (" and " if len(tail) > 1 else "") + tail[-1]
        if text.rstrip().endswith("?"):
            frames = [it for it in frames if it[0] in ".;"] or frames
            text = text.rstrip()[:-1] + "?" + expand(r, r.choice(frames).format(tail)).replace(". ", " ", 1).replace("; ", " ", 1)
            text = re.sub(r"\? (\w)", lambda m: "? " + m.group(1).upper(), text)
        else:
            text = text.rstrip(".!") + expand(r, r.choice(frames).format(tail))
        question = filled(r, text, {**values, **extra})
        calls = [(made.name, made.arguments(values)), (made.name, made.arguments(second))]
        chosen = [made]
    else:
        question = filled(r, styled(r, text), values)
        calls, chosen = [(made.name, made.arguments(values))], [made]
        for _ in range(r.choice([1, 1, 1, 1, 2])):
            pool = [one for one in OTHERS[entry] if all(one in FITS[it.entry] for it in chosen)]
            near = [one for one in NEAR[entry] if all(one in FITS[it.entry] for it in chosen)]
            other = r.choice(near if near and r.random() < 0.4 else pool)
            text = worded(r, other)
            also = Made(r, other, used(text))
            values = also.values(r, used(text), today, text)
            second = filled(r, text, values)
            join = r.choice([" And ", " Also, ", " Then ", " Next, ", " Besides that, "]) if question[-1] in "?.!" else r.choice([" and ", ", and ", ". Also, ", ". Then ", " and also ", ". And "]) if ORDERS.match(second) or ASKS.match(second) else ". "
            keep = re.match(r"I\b|[A-Z]{2}|\{", second) or text.startswith("{")
            question += join + (second if keep or join == ". " else second[0].lower() + second[1:])
            calls.append((also.name, also.arguments(values)))
            chosen.append(also)
    it.user(question).calls(*calls)
    fine = offer(r, it, [*chosen, *beside(r, [one.entry for one in chosen])]) and len(it.own) <= 10
    by = {one.name: one for one in chosen}
    if r.random() < 0.5:
        flat = lambda one, arguments: arguments[one.within] if one.within else arguments
        ends = [end(r, by[name], {key: (None, flat(by[name], arguments)[shown]) for key, shown in by[name].keys.items() if shown in flat(by[name], arguments)}) for name, arguments in calls]
        if all(ends):
            it.results(*(one[0] for one in ends))
            it.answer(("\n" if len(chosen) == 1 or any("\n" in one[1] for one in ends) else " ").join(one[1] for one in ends))
    return fine and spans(question, calls)


ABOUT = ["who [invented|discovered|first came up with] [the|] {}?", "explain [the idea of |]{} to me [in simple words|like I'm five|in two sentences]", "what's the history [of|behind] {}?", "why is {} important?",
         "recommend a good [book|video|course] on {}",
         "write [a short poem|a song|an essay] about {}", "which [school|university] is best for learning {}?", "make me a [poster|slide|drawing] about {}", "translate the word {} into Spanish",
         "where can I read more about {}?", "how would you teach {} to children?",
         "is {} hard to learn?", "what are common mistakes people make with {}?", "give me ten [exercises|quiz questions] on {}", "who is the leading expert on {}?", "what's the difference between {} and a guess?",
         "remind me to study {} tomorrow",
         "send my teacher a note about {}", "buy a [textbook|poster|toolkit] about {}", "what did Newton think of {}?"]
SPEAKS = set("invent discover explain history book video course poem song essay school university poster slide drawing translate word read teach learn exercise quiz expert remind note send buy textbook message email".split())


def refused(r, it, today):
    """Nothing is called: none of them does what is asked."""
    pick = r.random()
    if pick < 0.12:
        # The very thing is offered, and something else is asked about it.
        entry = r.choice([one for one in ALL if one.source == "sciences" and not one.tokens & {"info", "lookup"}])
        topic = " ".join(word for word in re.split(r"[_.]", r.choice(entry.names)) if word not in VERBS)
        question = filled(r, styled(r, expand(r, r.choice(ABOUT)).replace("{}", topic)), {})
        fits = [one for one in FAR[entry] if not one.tokens & SPEAKS and one.source == "sciences"]
        offered = [Made(r, one) for one in [entry, *r.sample(fits, r.choice([0, 0, 0, 1, 2]))] if not one.tokens & SPEAKS]
    elif pick < 0.2:
        question = r.choice(BEYOND)
        words = {word[:5] for word in re.findall(r"[a-z]{4,}", question.lower())}
        fits = [one for one in ALL if one.source == "sciences" and not words & {word[:5] for text in (*one.names, *one.descriptions, one.group) for word in re.findall(r"[a-z]{4,}", text.lower())}]
        question = filled(r, styled(r, re.sub(r"[\[\]{}]", "", question)), {})
        offered = [Made(r, one) for one in r.sample(fits, r.choice([1, 1, 1, 2, 3]))]
    else:
        entry = r.choice(ALL)
        text = worded(r, entry)
        made = Made(r, entry, used(text))
        question = filled(r, styled(r, text), made.values(r, used(text), today, text))
        near = NEAR[entry] if r.random() < 0.5 and NEAR[entry] else HARD[entry]
        if pick < 0.76 and near:
            # One that sounds like it, or several.
            some = r.sample(near, min(len(near), r.choice([1, 1, 1, 1, 1, 2, 2, 3, 4, 6])))
            if r.random() < 0.15:
                some += [one for one in r.sample(FAR[entry], r.choice([1, 2, 3])) if one not in some]
        else:
            some = r.sample(FAR[entry], r.choice([1, 1, 1, 1, 2, 2, 3, 4, 5, 8]))
        offered = [Made(r, one) for one in some]
    it.user(question).answer(none(r))
    return bool(offered) and offer(r, it, offered)


def lacking(r, it, today):
    """What is required was not said: it is asked for, and now and then given."""
    entry = r.choice(ALL)
    required = entry.required()
    if not required or len(required) > 4 or any(len(name) == 1 for name in required) or any(entry.parameters[name][1] == "bool" for name in required) or not stem(r, entry):
        return False
    made = Made(r, entry)
    missing = r.sample(required, 1 if len(required) < 3 or r.random() < 0.8 else 2)
    if len(required) == 2 and r.random() < 0.2:
        missing = list(required)
    missing.sort(key=required.index)
    given = [name for name in required if name not in missing]
    values = made.values(r, required, today)
    question = stated(r, made, given, {name: values[name] for name in given})
    lack = [calling(name) for name in missing]
    lack = lack[0] if len(lack) == 1 else f"{lack[0]} and the {lack[1]}"
    it.user(question).answer(r.choice([f"I need the {lack} for that.", f"I need the {lack} for that.", f"I need the {lack} for that." if len(missing) > 1 or isinstance(values[missing[0]][1], list) else f"What is the {lack}?" if numeric(values[missing[0]]) else f"Which {lack}?", f"Please tell me the {lack}."]))
    fine = offer(r, it, [made, *beside(r, [entry])])
    if r.random() < 0.4:
        parts = [f"[the |]{calling(name)} {'are' if isinstance(values[name][1], list) else 'is'} {{{name}}}" for name in missing]
        reply = filled(r, expand(r, " and ".join(parts) if len(parts) > 1 or r.random() < 0.5 else r.choice(["{%s}", "{%s}", "it's {%s}", "sorry, {%s}", "take {%s}"]) % missing[0]), values)
        calls = [(made.name, made.arguments(values))]
        it.user(reply).calls(*calls)
        fine = fine and spans(question + "\n" + reply, calls)
    return fine


def talk(r, today):
    """A conversation with functions of its own: `it.own` are their definitions."""
    kind = r.choices([single, several, refused, lacking], [50, 8, 36, 6])[0]
    while True:
        it = Talk("own")
        if kind(r, it, today):
            return it
