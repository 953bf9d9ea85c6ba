"""[`say`]: one wording out of a pattern, as somebody would type it. Values in it stay as they are."""

import calendar
import datetime
import re

DAY = datetime.timedelta(days=1)
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
           12: "twelve", 15: "fifteen", 20: "twenty", 25: "twenty five", 30: "thirty"}
WEEKDAYS = list(calendar.day_name)
MONTHS = list(calendar.month_name)[1:]

BEFORE = ["", "", "", "", "", "", "", "", "please ", "hey, ", "hi, ", "ok, ", "can you tell me: ", "quick question: ", "so ", "hello, ",
          "I was wondering, ", "um, ", "also ", "now ", "sorry, ", "one thing: "]
AFTER = ["", "", "", "", "", "", "", "", "", " please", " pls", " thanks", ", please", " for me", " thx", " if you can", ", thank you", " asap"]
# What people say on the way to what they want, and behind it: long, and of no use.
RUN_UPS = """so I was wondering |ok so basically |hey, not sure if you can do this but |my friend asked me, so: |I have been meaning to ask, |right, next thing, |good morning, small request: |sorry to bother you again, |before I forget, |
I'm on my phone so keep it short, |listen, |ok last one: |do one thing, |kindly |sir, |buddy, |yaar, |just curious, |it's been a long day, anyway: |let me ask you this, |for my own reference, |I keep forgetting, |my boss wants to know, |
hi there, hope you are well. |can u pls |hey quick one, |alright, |hmm ok, |tell me na, |one small doubt: |don't laugh but |I'm in a hurry, |let's see, |what I really want: |ok google, |hey bot, |assistant, """.replace("\n", "").split("|")
RUN_OUTS = """, can you pull that up| or no| na| yaar| real quick| when you get a sec|, I forgot|, I want to know| kindly|, just curious|, need it for a call|, thanks in advance|, that would be great|, I'm in a hurry| only|, can you check| ok|, what do you think|, would help me a lot|, no rush|, tell me| right now| , pls revert|
 buddy| mate| sir|, I can't remember|, that's all| again|, if it's not too much trouble|, let me know""".replace("\n", "").split("|")
# As thumbs write.
THUMBS = {"what": "wht wat", "just": "jst", "you": "u", "your": "ur", "are": "r", "please": "pls plz", "about": "abt", "because": "bcz coz", "how": "hw", "much": "mch", "which": "whch wich", "the": "teh d", "show": "shw sho",
          "tell": "tel", "today": "2day tdy", "want": "wnt", "with": "wid w", "for": "4 fr", "have": "hv hav", "from": "frm", "this": "dis ths", "that": "dat tht", "would": "wud", "could": "cud", "should": "shud", "many": "mny", "there": "ther",
          "where": "wher whr", "some": "sum", "know": "kno", "give": "giv gimme", "watched": "wached watchd", "watch": "wach", "price": "prce pric", "weather": "wether weathr", "file": "fil", "files": "fils", "need": "ned", "videos": "vids vdos",
          "video": "vid vdo", "last": "lst", "list": "lst", "people": "ppl", "think": "thnk", "right": "rite", "see": "c", "before": "b4", "message": "msg", "everything": "evrything", "something": "smth", "and": "n &", "my": "mi", "me": "meh",
          "when": "wen", "were": "wer", "was": "ws", "is": "iz", "it": "itt", "open": "opn", "search": "serch", "find": "fnd", "think": "thnk", "going": "goin", "doing": "doin", "don't": "dont", "what's": "whats wats", "i'm": "im"}


def thumbed(r, text):
    """Words as they are typed in a hurry, about every other one that has such a form."""
    return re.sub(r"[A-Za-z']+", lambda m: r.choice(THUMBS[m.group().lower()].split()) if m.group().lower() in THUMBS and r.random() < 0.5 else m.group(), text)


def expand(r, pattern):
    """Resolves `[a|b|c]`, nested ones too, at random."""
    while True:
        inner = re.search(r"\[([^\[\]]*)\]", pattern)
        if not inner:
            return pattern
        pattern = pattern[: inner.start()] + r.choice(inner.group(1).split("|")) + pattern[inner.end():]


def typo(r, text):
    """One slip of the fingers in a word of four letters or more."""
    words = [m for m in re.finditer(r"[A-Za-z]{4,}", text)]
    if not words:
        return text
    word = r.choice(words)
    old, at = word.group(), r.randrange(1, len(word.group()) - 1)
    new = r.choice([old[:at] + old[at + 1] + old[at] + old[at + 2:], old[:at] + old[at + 1:], old[:at] + old[at] + old[at:],
                    old[:at] + r.choice("aeiorstnlk") + old[at + 1:]])
    return text[: word.start()] + new + text[word.end():]


def say(r, pattern, **values):
    """A wording of the pattern; `{name}` are values, which no style changes."""
    text = expand(r, pattern)
    if r.random() < 0.35:
        text = r.choice(RUN_UPS if r.random() < 0.25 else BEFORE) + text
    if r.random() < 0.3:
        # What stands behind a value is read as a part of it, unless something parts them.
        after = [it for it in RUN_OUTS if it[0] == "," or not text.endswith("}")] if r.random() < 0.25 else AFTER
        text = re.sub(r"[?.!]?$", lambda m: r.choice(after) + m.group(), text, count=1)
    parts = re.split(r"(\{\w+\})", text)
    lower, sloppy, bare, thumbs = r.random() < 0.35, r.random() < 0.16, r.random() < 0.4, r.random() < 0.07
    out = []
    for part in parts:
        if re.fullmatch(r"\{\w+\}", part):
            out.append(str(values[part[1:-1]]))
            continue
        part = part.lower() if lower or thumbs else part
        part = thumbed(r, part) if thumbs else part
        out.append(typo(r, part) if sloppy and r.random() < 0.5 else part)
    text = re.sub(r" +", " ", "".join(out)).strip()
    text = text.rstrip("?.!") if bare or thumbs else text
    if not lower and not thumbs and text and not parts[0].startswith("{") and parts[0]:
        text = text[0].upper() + text[1:]
    return text


def number(r, n):
    """A small number in digits, or sometimes in words."""
    return NUMBERS[n] if n in NUMBERS and r.random() < 0.3 else str(n)


def back(today, days):
    return today - days * DAY


def months_before(day, n):
    month = day.month - 1 - n
    year, month = day.year + month // 12, month % 12 + 1
    return datetime.date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def month_span(year, month):
    return datetime.date(year, month, 1), datetime.date(year, month, calendar.monthrange(year, month)[1])


def written(r, day, today):
    """A day as people write it."""
    forms = [str(day)] * 3 + [f"{day.day} {MONTHS[day.month - 1]} {day.year}", f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
                              f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}"]
    if day.year == today.year and day <= today:
        ending = "th" if 11 <= day.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
        forms += [f"{MONTHS[day.month - 1]} {day.day}", f"{day.day} {MONTHS[day.month - 1]}", f"{MONTHS[day.month - 1]} {day.day}{ending}",
                  f"{day.day} {MONTHS[day.month - 1][:3]}"]
    return r.choice(forms)


def span(r, today):
    """(words, first day, last day or None): a time people mean. Weeks begin on Monday; both ends count."""
    monday = back(today, today.weekday())
    first = today.replace(day=1)
    pick = r.random()
    if pick < 0.42:
        last = back(first, 1)
        return r.choice([
            ("yesterday", back(today, 1), back(today, 1)), ("today", today, today),
            ("this week", monday, today), ("last week", back(monday, 7), back(monday, 1)), ("the previous week", back(monday, 7), back(monday, 1)),
            ("this month", first, today), ("last month", last.replace(day=1), last), ("last month", last.replace(day=1), last),
            ("last month", last.replace(day=1), last), ("the previous month", last.replace(day=1), last),
            ("this year", today.replace(month=1, day=1), today), ("last year", datetime.date(today.year - 1, 1, 1), datetime.date(today.year - 1, 12, 31)),
        ])
    if pick < 0.6:
        word, n = r.choice([("days", r.choice([2, 3, 5, 7, 10, 14, 30, 60, 90])), ("weeks", r.choice([2, 3, 4, 6])), ("months", r.choice([2, 3, 6, 9]))])
        start = months_before(today, n) if word == "months" else back(today, n * (7 if word == "weeks" else 1))
        return f"{r.choice(['the last', 'the past', 'the last', 'the previous'])} {number(r, n)} {word}", start, today
    if pick < 0.75:
        month = r.randint(1, 12)
        year = today.year if month < today.month else today.year - 1
        start, end = month_span(year, month)
        if r.random() < 0.4:
            return f"{MONTHS[month - 1]} {year}", start, end
        return MONTHS[month - 1], start, end
    if pick < 0.83:
        day = back(today, r.randint(1, 6))
        return f"since {WEEKDAYS[day.weekday()]}", day, None
    day = back(today, r.randint(3, 300))
    if pick < 0.9:
        return f"{r.choice(['since', 'since', 'after', 'from'])} {written(r, day, today)}{'' if r.random() < 0.8 else ' on'}", day, None
    end = min(today, day + r.randint(1, 60) * DAY)
    a, b = written(r, day, today), written(r, end, today)
    return r.choice([f"from {a} to {b}", f"between {a} and {b}", f"from {a} until {b}", f"{a} to {b}"]), day, end


def timed(r, words):
    """The words of a span after a noun: `videos in March`, `videos from last month`."""
    starts = words.split(" ")[0]
    if starts in ("since", "after", "from", "between", "yesterday", "today") or starts[0].isdigit():
        return f"from {words}" if starts in ("yesterday", "today") and r.random() < 0.5 else words
    if words.split(" ")[0] in MONTHS and " to " not in words:
        return r.choice(["in ", "from "]) + words
    return r.choice(["from ", "", "in ", "over "] if starts == "the" else ["from ", "", ""]) + words


def slipped(r, words):
    """Time words with a slip of the fingers or an abbreviation, as people type them: `last mnth`, `yesteday`. Dates and numbers stay."""
    short = {"month": ["mnth", "moth", "mounth", "monht"], "months": ["mths", "mnths", "moths"], "yesterday": ["yesteday", "ystrday", "yesterdy", "yday", "yesturday"], "week": ["wek", "wk", "weak"],
             "weeks": ["wks", "weaks", "wekks"], "previous": ["prev", "previos", "prevous", "privious"], "last": ["lst", "laast", "las"], "today": ["tday", "tody", "todya"], "since": ["sinse", "snce"],
             "year": ["yr", "yera", "yaer"], "days": ["dys", "dayz"], "past": ["pst", "paast"], "before": ["befor", "b4"], "between": ["betwen", "beetween"], "this": ["ths", "thsi"]}
    known = [word for word in words.split(" ") if word in short]
    if not known:
        return words
    word = r.choice(known)
    return " ".join(r.choice(short[it]) if it == word else it for it in words.split(" "))


def moment(r, today):
    """As [`span`], with more ways to say when, and now and then misspelt: (words, first day, last day or None, whether it is one day)."""
    if r.random() < 0.62:
        words, start, end = span(r, today)
        while words == MONTHS[today.month - 1]:
            # The month that has begun, or the same one a year ago: nobody knows.
            words, start, end = span(r, today)
    else:
        monday, first = back(today, today.weekday()), today.replace(day=1)
        last = back(first, 1)
        before = back(last.replace(day=1), 1)
        quarter = months_before(first, (today.month - 1) % 3)
        day = back(today, r.randint(1, 6))
        ago = r.choice([2, 3, 4, 5, 6, 10])
        named = WEEKDAYS[day.weekday()]
        words, start, end = r.choice([
            ("the day before yesterday", back(today, 2), back(today, 2)), ("the day before yesterday", back(today, 2), back(today, 2)),
            (f"{number(r, ago)} days ago", back(today, ago), back(today, ago)), (f"{number(r, ago)} days ago", back(today, ago), back(today, ago)),
            (f"last {named}" if day < monday else f"on {named}", day, day), (f"on {named}", day, day),
            ("the month before last", before.replace(day=1), before), ("the week before last", back(monday, 14), back(monday, 8)),
            ("the previous month", last.replace(day=1), last), ("the month that just ended", last.replace(day=1), last),
            ("the previous year", datetime.date(today.year - 1, 1, 1), datetime.date(today.year - 1, 12, 31)),
            ("so far this year", today.replace(month=1, day=1), today), ("so far this month", first, today), ("so far this week", monday, today),
            ("since the start of the year", today.replace(month=1, day=1), None), ("since the beginning of the month", first, None), ("since last month", last.replace(day=1), None),
            ("since yesterday", back(today, 1), None), ("since last week", back(monday, 7), None), ("since the beginning of this week", monday, None),
            ("last quarter", months_before(quarter, 3), back(quarter, 1)), ("this quarter", quarter, today),
            (f"the past {r.choice(['week', '7 days', 'seven days'])}", back(today, 7), today), (f"the past {r.choice(['30 days', 'thirty days'])}", back(today, 30), today),
            ("the past year", months_before(today, 12), today), ("the last twelve months", months_before(today, 12), today),
        ])
    one = end == start
    return (slipped(r, words) if r.random() < 0.13 else words), start, end, one


def earlier(r, today):
    """A moment that is not today alone: what is asked of today is asked of the price as it is."""
    while True:
        made = moment(r, today)
        if made[1] < today:
            return made


def placed(r, words):
    """The words of a moment after a verb or a noun: `in the previous month`, `on Friday`, `two days ago`."""
    if words.startswith(("on ", "so ", "last ", "lst ", "las ", "laast ")) or words.endswith(" ago") or words.startswith("the day"):
        return words
    return timed(r, words)
