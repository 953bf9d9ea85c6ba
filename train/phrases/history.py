"""The watch history. Results are written in the product's words from the sample and from invented videos."""

import re

from . import store, trading
from .patterns import gather
from .talks import CANT, Talk, clean, later
from .words import expand, moment, number, placed, say, typo

TOPICS = """machine learning|cooking pasta|cooking|guitar|quantum physics|home gardening|woodworking|chess openings|chess|stoicism|Python|Python tutorials|Rust|
travel in Japan|bread|baking bread|fitness|space|black holes|history of Rome|electric cars|photography|Kubernetes|piano|climate change|knitting|neural networks|
deep learning|web servers|databases|git|budgeting|index funds|inflation|mortgages|cycling|bike repair|soldering|microcontrollers|sailing|coral reefs|watercolour|
drawing|calligraphy|sleep|habits|memory|Spanish|French|German grammar|yoga|running|stretching|saving money|home repair|plumbing|astronomy|Saturn|jazz|
blues guitar|music theory|Lisbon|Kyoto|train travel|packing light|medieval history|maps|data science|spreadsheets|charts|statistics|linear regression|
transformers|soup recipes|curry|fermentation|sharpening knives|tomatoes|compost|pruning|portrait photography|photo editing|batteries|electric motors|
JavaScript|React hooks|Docker|Linux|system design|interview tips|cars|movies|film reviews|dinosaurs|volcanoes|philosophy|meditation|dogs|cat behaviour|
3D printing|drones|fishing|camping|coffee|espresso|sourdough|sushi|vegan meals|meal prep|football|tennis|Formula 1|cricket|skateboarding|surfing|
astrophysics|beekeeping|pottery|origami|bouldering|glaciers|type design|solar panels|mushrooms|cheese making|violin making|bird migration|tiny houses|blacksmithing|swimming technique|street food|film photography|
telescopes|
steam trains|lighthouses|octopuses|card tricks|interior design|juggling|robotics|chocolate|Iceland|Greek mythology|insects|bridges|languages|vocabulary|pronunciation|Japanese kanji|Italian cooking|Thai food|barbecue|
cocktails|wine tasting|
tea ceremonies|marathon training|kettlebells|posture|back pain|nutrition|cold showers|time management|note taking|speed reading|logic puzzles|number theory|calculus|probability|cryptography|compilers|operating systems|
networking|SQL|TypeScript|
Go concurrency|embedded C|home automation|mechanical keyboards|vintage synths|mixing vocals|drum patterns|ukulele|violin|opera|film scores|screenwriting|animation|colour grading|typography|architecture|urban planning|
trams|airports|sailing knots|
hiking boots|winter camping|foraging|houseplants|lawn care|carpentry joints|upholstery|leatherwork|sewing|crochet|watch repair|car detailing|motorbikes|e-bikes|train journeys|Patagonia|Norway|Morocco|Vietnam|
New Zealand|the Silk Road|the Cold War|
the Moon landings|plate tectonics|deep sea creatures|whales|wolves|evolution|genetics|the immune system|anaesthesia|psychology|behavioural economics|stock options|retirement|real estate|tax returns|freelancing|
job interviews|leadership|chess endgames|
poker odds|board games|speedrunning|retro consoles|tutorials|science|economics|geopolitics|World War II|ancient Egypt|vaccines|mental health|public speaking|negotiation|startups|crypto|Excel|Blender|
Unity""".replace("\n", "").split("|") + store.things("topics")
RECENT = [
    "[What|Which] [videos have I watched|videos did I watch|did I watch|have I been watching|was I watching] [recently|lately|these days|of late]?",
    "[show|list|give me|display] [me |][my |the ][recent|latest|last|most recent] [videos|watches|history|viewing]",
    "recent videos", "what [was|is] the last [thing|video] I watched?", "my [watch history|recent viewing|latest videos]", "what have I been up to on YouTube[| lately]?", "what did I see [recently|lately]?",
    "show [me |]my watch history",
    "[pull up|open|bring up] my [recent|latest] [videos|watch history]", "catch me up on what I watched", "what's new in my history?",
]
RECENT_N = [
    "[show|list|give me|display|get] [me |][my |the |]last {n} videos[| I watched]", "{n} most recent videos", "[the |my |]{n} latest videos", "[what were|what are] [the|my] last {n} [videos|things] I watched?",
    "[list|show] {n} videos I watched [recently|lately]",
    "last {n} [watched |]videos", "the {n} [videos|ones] I saw most recently", "only [show |]the last {n} videos", "which {n} videos did I watch last?", "recent videos, [just|only] {n}[| of them]",
    "top {n} most recent [watches|videos]",
]
STATS = [
    "[What are|Show|show me|give me|get] my [watch|viewing|overall|watch history|YouTube] [statistics|stats|numbers|totals]",
    "how [many videos|many channels|much|many hours] have I watched[| in total| overall| so far| altogether]?", "[what's|what is] my total watch time?", "my viewing habits",
    "overall stats", "how long have I been watching [videos|YouTube]?", "[what is|what's] the average [length|duration] of [videos I watch|my videos]?", "when [was|is] my [first|oldest] [watched |]video?",
    "which channels do I watch [the |]most[| often]?",
    "summary of my viewing [habits|history|patterns]", "how much time [have I spent|did I spend|do I spend] [on videos|watching|watching videos|on YouTube]?", "total [hours|videos|watch time]",
    "what are my [top|most watched|favourite] channels?", "statistics [please|about my history]",
    "how far back does my history go?", "tell me about my viewing [patterns|habits]", "how big is my watch history?",
]
DETAILS = [
    "[tell me about|details of|details on|details for|info on|information about|describe|look up|show me] [the |]video {v}", "what is [video |the video |]{v}[| about]?", "how [often|many times] did I watch {v}?",
    "when did I [last |]watch {v}?", "how long is {v}?",
    "which channel is {v} from?", "{v} [details|info]", "get [me |]details [for|of|about] {v}", "more about {v}", "have I seen {v}?", "give me the [title|length] of {v}",
    "I watched https://www.youtube.com/watch?v={v}, [what was that|tell me about it]?",
]
SIMILAR = [
    "[what|which] videos are [similar to|like] {v}?", "[find|show|give me|get] [me |][some |]videos [similar to|like|related to|close to] {v}", "[more|something|anything] like {v}",
    "recommend something [like|similar to] {v}", "related to {v}", "similar videos to {v}",
    "[what else|anything else] have I watched like {v}?", "because I liked {v}, what else?", "{v}: [similar ones|more like this]?",
]
SIMILAR_N = ["[find|show|give me|get] [me |]{n} videos [similar to|like|related to] {v}", "top {n} [similar to|like] {v}", "{n} [recommendations|videos] [like|based on] {v}", "[the |]{n} videos most like {v}"]
CHANNEL = [
    "[tell me about|info about|information on|what about|details on] [the channel {c}|{c}|the {c} channel]", "how [much of|many videos of|many videos from|much from] {c} have I [watched|seen]?",
    "{c} [channel stats|stats|channel info|statistics]", "how much do I watch from {c}?",
    "[how many|total] videos [watched |]from {c}", "how long have I watched {c}[| in total]?", "what's the [latest|most recent|last] video I watched from {c}?", "my stats for {c}", "watch time for [the channel |]{c}",
    "do I watch {c} [much|a lot|often]?", "channel [info|details] {c}",
    "when did I last watch {c}?", "show me [the |]channel {c}", "how [often|much] do I watch {c}?",
]
TOPIC = [
    "[What|Which] videos [did I watch|have I watched|have I seen] [about|on|regarding] {t}?", "[find|show|get|list] [me |][the |my |]videos [about|on] {t}", "{t} videos",
    "[anything|something] [about|on] {t}[| in my history]?", "did I [ever |]watch [something|anything] [about|on] {t}?",
    "search [my history |]for {t}", "which videos [covered|cover|deal with|talk about] {t}?", "what did I watch about {t}?", "[find|show|search] [me |]{t}", "look for {t} [videos|in my history]",
    "have I [watched|seen] [any |]{t} [videos|stuff|content]?", "find me [some |]{t}",
    "I remember a video about {t}, which one was it?", "{t}: what have I watched?", "my {t} videos", "show what I watched on {t}", "where was that video [on|about] {t}?", "videos I saw about {t}",
    "what do I have on {t}?", "is there anything on {t} among my videos?", "which clips were about {t}?", "dig up the {t} videos", "I'm looking for [something|a video|the videos] [on|about] {t}",
    "have I learned anything about {t}?", "when did I look into {t}?", "everything I've seen [on|about] {t}",
    "the {t} stuff I watched", "that video [on|about] {t}[, which was it|, what was it called]?", "any [video|videos] explaining {t}?", "did I see a tutorial on {t}?", "list what I know on {t} from videos",
    "was there [something|a video] on {t}?", "bring up {t}", "how many {t} videos have I seen?",
]
TOPIC_TIME = [
    "{t} videos {w}", "[what|which videos] did I watch [about|on] {t} {w}?", "[find|show|get] [me |]{t} [videos |]{w}", "[find|show] [me |]videos [about|on] {t} {w}", "{w}, what did I watch [about|on] {t}?",
    "what {t} [stuff|content|videos] did I see {w}?",
    "[anything|something] [about|on] {t} {w}?", "search for {t} {w}", "did I watch [any |]{t} [videos |]{w}?", "videos on {t} {w}", "list [the |my |]{t} videos {w}", "what was I watching [about|on] {t} {w}?",
    "{t} I [studied|learned about|looked into|watched|looked at|was into] {w}", "which {t} videos did I see {w}?", "{w}: [anything|something|videos] [on|about] {t}?", "what did I learn about {t} {w}?",
    "the {t} videos {w}", "how many videos [on|about] {t} did I watch {w}?", "was there [a video|something] [on|about] {t} {w}?",
    "have I seen [anything|something] [on|about] {t} {w}?", "only {t}, {w}", "dig up {t} {w}", "did {t} come up {w}?", "stuff on {t} {w}", "what {t} did I study {w}?",
]
TOPIC_N = ["{n} videos [about|on] {t}", "[top|best|the best] {n} [for|on|about] {t}", "[give me|show me|find] [the |]{n} [results|videos|matches] [about|on|for] {t}", "show {n} {t} videos",
    "find {n} videos [on|about] {t}", "at most {n} videos [about|on] {t}"]
TOPIC_CHANNEL = ["{t} [from|by] {c}", "videos [about|on] {t} [by|from] {c}", "did {c} [cover|do something on] {t}?", "{c} videos [on|about] {t}", "[what|which videos] did I watch from {c} [about|on] {t}?",
    "find {c} videos about {t}", "[anything|something] on {t} from the channel {c}?"]


def question_time(r, patterns, words, **values):
    return say(r, r.choice(patterns), w=placed(r, words), **values)


def note(result):
    return " This is a sample history." if "(This is a sample history" in result else ""


def told(result, at=1):
    """A list of videos: the product puts it there; what was not found is said."""
    head, *rest = result.split("\n")
    if any(re.match(r"\d+\. ", it) for it in rest):
        return f"[[{at}]]"
    return head + (" Found by words only." if "(Found by words only" in result else "") + note(result)


def one_told(asked, result, at=1):
    """What a result in sentences says about what was asked; all of it where everything was."""
    asked, found = asked.lower(), None
    if "couldn't find" in result:
        return result.split("\n")[0] + note(result)
    title = re.search(r"You watched '(.*)' from (.*?)\. ", result)
    if title:
        # Words of the title ask for nothing.
        asked = asked.replace(title.group(1).lower().rstrip("?.!"), "")
        length, times = re.search(r"It's (.*?) long", result), re.search(r"(?:you watched it|You watched it) (.*?)\. Its", result)
        if re.search("how long|length|lenght", asked) and length:
            found = f"'{title.group(1)}' is {length.group(1)} long."
        elif re.search("how often|how many times|how many time|when did|last watch|have i seen", asked) and times:
            found = f"You watched '{title.group(1)}' {times.group(1)}."
        elif re.search("(which|what) channel|who made", asked):
            found = f"'{title.group(1)}' is from {title.group(2)}."
        elif re.search("title|called|name of", asked):
            found = f"It is '{title.group(1)}' from {title.group(2)}."
    channel = re.search(r"You've watched (.*?) from (.*?)\. Your total watch time from this channel is (about .*?), with", result)
    if channel:
        many, name, spent = channel.groups()
        asked = asked.replace(name.lower(), "")
        newest = re.search(r"The most recent one was '(.*)' \(\S+\), (.*?)\. The", result)
        if re.search("latest|most recent|last video|newest|when did", asked) and newest and not re.search("(channel|maker|one) (of|behind|that made|who made)", asked):
            found = f"The most recent one from {name} was '{newest.group(1)}', {newest.group(2)}."
        elif re.search("watch time|how long|how much time|time spent|hours", asked):
            found = f"Your total watch time from {name} is {spent}."
        elif re.search("how often|how many times", asked):
            found = f"You've watched the videos of {name} a total of {re.search(r'a total of (.*?) times', result).group(1)} times."
        elif re.search("how many|how much|many of|a lot|number of", asked):
            found = f"You've watched {many} from {name}, {spent} in all."
    whole = re.search(r"You've watched (.*?) across (.*?)\. Your total watch time is (approximately .*?), with an average video duration of (.*? minutes)", result)
    if whole:
        many, channels, spent, mean = whole.groups()
        if re.search("average|typical", asked):
            found = f"Your videos are {mean} long on average."
        elif re.search("how many (different )?channels", asked):
            found = f"You've watched {many} across {channels}."
        elif re.search("which channel|top channel|top \\d|favou?rite|most watched|watch (the )?most|channels do i", asked):
            found = re.search(r"(The channels you've watched most are .*? videos?\))\.", result).group(1) + "."
        elif re.search("(my|the|your|when|which) (very )?(first|1st)|first (watched )?(video|date|entry|vid)|oldest|earliest|far back|how long have|since when|start", asked):
            found = re.search(r"(Your viewing history spans .*?)\. The", result).group(1) + "."
        elif re.search("how many hours|watch time|much time|hours|spen[dt]", asked):
            found = f"Your total watch time is {spent}."
        elif re.search("how many video|how many have|how many vid|number of videos|total videos", asked):
            found = f"You've watched {many} across {channels}."
    return found + note(result) if found else f"[[{at}]]"


def channel(r, shelf):
    return r.choice(shelf.channels) if r.random() < 0.6 else r.choice(store.CHANNELS)


def typed(r, name):
    """A channel's name or a title as people type it: in small letters, without its marks, with a slip."""
    pick = r.random()
    if pick < 0.24:
        return name.lower()
    if pick < 0.3:
        return re.sub(r"[',.:!?]", "", name.lower())
    return typo(r, name) if pick < 0.33 else name


def small(r):
    n = r.choice([1, 2, 3, 3, 4, 5, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 50])
    return n, number(r, n)


def recent(r, shelf, today):
    if r.random() < 0.55:
        n, words = small(r)
        question, arguments = say(r, r.choice(RECENT_N), n=words), {"limit": n}
        question = question.replace(" 1 videos", " 1 video")
    else:
        question, arguments, n = say(r, r.choice(RECENT)), {}, 10
        if re.search(r"last (thing|video)\b", question.lower()):
            arguments, n = {"limit": 1}, 1
    result = shelf.recent(min(n, r.choice([10, 50])))
    if n == 1:
        return question, ("get_recent_videos", arguments), result, line_told(result, 0)
    return question, ("get_recent_videos", arguments), result, told(result)


def line_told(result, at, head=""):
    """One video of a list, in words."""
    line = re.findall(r"^\d+\. (.*)$", result, re.M)[at]
    return head + re.sub(r" - watched (.*)$", r", watched \1", re.sub(r" \[relevance: .*?\]$", "", line)) + "." + note(result)


LONGEST = ["[which|what] [one |video |]of my last {n} videos [was|is] the {o}?", "the {o} [one |video |]of my last {n}", "what's the {o} video among the last {n} I watched?", "{o} of the last {n} videos?", "of the last {n} videos I saw, which was {o}?",
    "among my last {n} videos, which is the {o}?"]
LONGEST_RECENT = ["[which|what] [recent video|of my recent videos|of the videos I watched recently] [was|is] the {o}?", "what's the {o} video I watched [recently|lately]?", "the {o} [recent one|of my recent videos|thing I watched lately]"]


def seconds(length):
    made = 0
    for part in length.split(":"):
        made = made * 60 + int(part)
    return made


def longest(r, shelf, today):
    """The longest or the shortest of the latest."""
    n = r.choice([3, 3, 4, 5, 5, 6, 8]) if r.random() < 0.6 else None
    short = r.random() < 0.4
    result = shelf.recent(n or 10)
    lines = re.findall(r"^\d+\. (.*)$", result, re.M)
    known = [(seconds(m.group(1)), at) for at, line in enumerate(lines) if (m := re.search(r" \(([\d:]+)\) - watched ", line))]
    if len(known) < 2 or len(result) > 1150:
        return recent(r, shelf, today)
    _, at = (min if short else max)(known)
    words = "shortest" if short else "longest"
    question = say(r, r.choice(LONGEST if n else LONGEST_RECENT), o=words, n=number(r, n or 1))
    return question, ("get_recent_videos", clean({"limit": n})), result, line_told(result, at, f"The {words} is ")


def stats(r, shelf, today):
    result, question = shelf.statistics(), say(r, r.choice(STATS))
    return question, ("get_statistics", {}), result, one_told(question, result)


def details(r, shelf, today):
    video = shelf.video() if r.random() < 0.85 else None
    name = video.id if video else store.video_id(r)
    result = shelf.details(video, name)
    question = say(r, r.choice(DETAILS), v=name)
    return question, ("get_video_details", {"video_id": name}), result, one_told(question, result)


def similar(r, shelf, today):
    video = shelf.video()
    n, words = small(r)
    some = r.random() < 0.4
    question = say(r, r.choice(SIMILAR_N), n=words, v=video.id) if some else say(r, r.choice(SIMILAR), v=video.id)
    result = shelf.found(min(n if some else 5, r.choice([3, 5, 10])) if r.random() < 0.9 else 0)
    return question, ("find_similar_videos", clean({"video_id": video.id, "n_results": n if some else None})), result, told(result)


def about_channel(r, shelf, today):
    name, known = (words := channel(r, shelf)), r.random() < 0.9
    name = typed(r, words)
    result = shelf.channel(words) if known else f"I couldn't find {name} in your watch history." + shelf.note
    question = say(r, r.choice(CHANNEL), c=name)
    return question, ("get_channel_info", {"channel_name": name}), result, one_told(question, result)


def topic(r, shelf, today):
    meant, pick, arguments, owner = r.choice(TOPICS), r.random(), {}, None
    theme = meant.lower() if r.random() < 0.3 else typo(r, meant) if r.random() < 0.06 else meant
    arguments["query"] = theme
    if pick < 0.4:
        question = say(r, r.choice(TOPIC), t=theme)
    elif pick < 0.75 and today:
        words, start, end, _ = moment(r, today)
        question = question_time(r, TOPIC_TIME, words, t=theme)
        arguments.update(clean({"date_from": str(start), "date_to": str(end) if end else None}))
        if r.random() < 0.12:
            owner = channel(r, shelf)
            name = typed(r, owner)
            question, arguments["channel_name"] = question.rstrip("?.!") + r.choice([f" from {name}", f", from {name}", f" by {name}", f", {name} only", f" on {name}"]), name
    elif pick < 0.88:
        n, words = small(r)
        question, arguments["n_results"] = say(r, r.choice(TOPIC_N), n=words, t=theme), n
    else:
        owner = channel(r, shelf)
        name = typed(r, owner)
        question, arguments["channel_name"] = say(r, r.choice(TOPIC_CHANNEL), t=theme, c=name), name
    # The channel's own name stands in what is found, however it was typed.
    result = fitting(r, shelf, {**arguments, "channel_name": owner} if owner else arguments, min(arguments.get("n_results", 10), r.choice([1, 2, 3, 4, 6, 8])) if r.random() < 0.85 else 0, meant)
    return question, ("search_videos_by_topic", arguments), result, told(result)


def fitting(r, shelf, arguments, n, meant=None, sure=False):
    """What a search returns: videos about what was asked, of the channel that was asked for. `meant`: the topic where it was misspelt; `sure`: such a one stands first."""
    about_it = shelf.about(meant or arguments["query"], r.randint(1, max(1, min(n, 3))) if "channel_name" not in arguments else n, arguments.get("channel_name"))
    return shelf.found(n, about_it if n and (sure or r.random() < 0.75 or "channel_name" in arguments) else None)


TWO_TOPICS = ["[find|show|list|search] [me |][videos on |videos about |]{a} and {b}[| videos]", "[find|search for|look for] {a} videos and {b} videos", "did I watch more [on|about] {a} or [on |]{b}?", "[search|look] for both {a} and {b}", "{a} and {b}: what have I [watched|seen]?",
    "what did I watch [on|about] {a} and [on |about |]{b}?", "anything on {a}, and on {b}?", "{a} or {b}, which did I watch more of? search both", "compare what I watched on {a} and on {b}", "videos about {a}, also about {b}"]
TWO_CHANNELS = ["compare [how much I watched |my stats for |]{a} and {b}", "how much do I watch {a} and how much {b}?", "do I watch {a} or {b} more?",
    "stats for {a} and {b}", "[tell me about|info on] {a} and {b}", "{a} vs {b}, which do I watch more?", "how many videos of {a} and of {b} have I seen?", "who have I watched more, {a} or {b}?"]


def two_at_once(r, it, shelf, today):
    """The same asked of two topics or two channels: two calls in one turn."""
    if r.random() < 0.55:
        a, b = r.sample(TOPICS, 2)
        results = [fitting(r, shelf, {"query": one}, r.choice([0, 1, 2, 3])) for one in (a, b)]
        told_ = [f"There is nothing on {one}." if "couldn't find" in result else told(result, at) for at, (one, result) in enumerate(zip((a, b), results), 1)]
        return it.user(say(r, r.choice(TWO_TOPICS), a=a, b=b)).calls(("search_videos_by_topic", {"query": a}), ("search_videos_by_topic", {"query": b})).results(*results).answer("\n\n".join(told_))
    a, b = r.sample(shelf.channels, 2)
    results = [shelf.channel(one) for one in (a, b)]
    it.user(say(r, r.choice(TWO_CHANNELS), a=a, b=b)).calls(("get_channel_info", {"channel_name": a}), ("get_channel_info", {"channel_name": b})).results(*results)
    return it.answer("\n\n".join(one_told("how much", result, at).replace(" This is a sample history.", "") for at, result in enumerate(results, 1)))


NEWEST = ["[what|which videos] did I watch [recently|lately] from {c}?", "[recent|latest|last|newest] videos [from|by] {c}", "[show|list] my recent {c} videos", "what have I seen from {c} [lately|recently]?",
    "[list|show] [the |my |]videos from {c}", "[which|what] {c} videos have I [watched|seen]?", "what did I watch from {c}?", "everything I watched from {c}",
          "[my |]{c} videos, the newest first", "recently watched from {c}", "which ones by {c} did I see?", "what was I watching from {c}?", "list what I saw from {c}"]
NEWEST_N = ["[the |my |]last {n} videos from {c}", "{n} [latest|most recent|newest] {c} videos", "[show|give me|list] {n} recent videos [from|by] {c}", "which {n} videos did I watch last from {c}?",
    "the {n} I saw most recently from {c}"]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
MORE = ["[how often|how many times] did I watch", "how long is", "tell me more about", "details [of|on|for]", "give me details [on|of|about]", "get [me |]the details of", "when did I [last |]watch", "describe", "info on", "more about",
    "what do you know about", "show me details of"]
LAST = ["the [last|latest|most recent|newest] [video|one|thing] I [watched|saw]", "my [last|latest|most recent|newest] video", "what I watched last", "the video I just [watched|finished]",
    "the [last|latest] one in my history", "the top of my history"]
NTH = {2: ["the second most recent video", "the last but one video I watched", "the video before the last one", "my second latest video", "the second video in my history", "the one I watched before the last",
    "the second to last video I watched", "the second newest one", "the 2nd most recent video"],
       3: ["the third most recent video", "my third latest video", "the third video in my history", "the third newest one", "the 3rd most recent video I watched"], 4: ["the fourth most recent video",
       "my fourth latest video", "the fourth newest one in my history"], 5: ["the fifth most recent video", "the fifth video in my history", "the 5th latest video"]}
ALIKE = ["[find|show|get|recommend|suggest|give me] [me |][[some |]videos|something|a few videos|others|more] [like|similar to|related to|close to]"]
OF_NEWEST = ["[pick|use|start with] the [newest|latest|most recent] video [from|by] {c} and [recommend others like it|find similar ones|suggest others like it|show me similar videos|look for related ones]",
    "[find|show|recommend|get] [me |]videos [like|similar to] the [latest|newest|last|most recent] [one|video] [from|by|of] {c}", "[what|which videos] [is|are] similar to the [last|latest] {c} video I [watched|saw]?",
             "based on the newest {c} video, what else [is there|would fit]?", "something like the last video I saw from {c}", "more like {c}'s [latest|newest|last] video",
             "recommendations from the most recent {c} video", "start from my latest {c} video and find [similar|related] ones", "[similar|related] videos to the last {c} one"]
OF_NEWEST_TOLD = ["[tell me more about|give me details on|details of|get details for|describe] the [latest|newest|last|most recent] [{c} video|video from {c}|video by {c}]",
    "how [long is|long was] the [last|latest|newest] [{c} video|video from {c}] I [watched|saw]?", "how often did I watch the [latest|newest|last] [{c} video|video from {c}]?",
    "take the newest {c} video and give me its details",
                  "[find|get] the last video I saw from {c} and tell me [how long it is|how often I watched it|more]", "my most recent {c} video, in detail"]
LOOK_LIST = ["look up {c} and show me which of its videos I watched",
    "[tell me about|look up|give me info on|find] the channel {c} and [show|list|tell me] [the videos I watched from it|its latest videos|what I saw of it|its recent videos]",
    "[info|details] on {c}, then its [recent|latest] videos", "what is {c} and what have I watched from it?", "look {c} up, then show me what I watched from them",
             "channel info for {c} and then the videos I saw there", "first look up the channel {c}, then list my videos from it", "check the channel {c} and show its videos"]
LOOK_LAST = ["look up {c} and give me details on its most recent video", "[find|look up] the channel {c}, then tell me more about the [latest|most recent] one", "[info|stats] on {c}, and details of its latest video",
    "check the channel {c} and describe the newest video I watched there"]
FIND_TOLD = ["[find|search for|look for] [a video about|the video on|the video about|a video on|] {t} and [tell me more about|give me details of|describe|get details on] the [first|best|top] [match|one|result|hit]",
    "search for the {t} video, then say how many times I saw it", "open the top search result on {t} in detail",
    "[how long|how often did I watch] [is |]the [best|top] match for {t}?".replace("[how long|how often did I watch] [is |]", "how long is "),
             "how [often|many times] did I watch the video about {t}?", "how long is the {t} video[| I watched]?", "when did I [last |]watch the {t} video?",
             "find the {t} video and tell me [how long it is|how often I saw it|when I watched it|which channel it is from|everything about it]", "look up the video on {t} and [show|give] me its details",
             "search {t} and open the [first|top] result",
             "details of the [first|top|best] [hit|result|match] for {t}", "I want to know more about that video on {t}", "search my history for {t}, then describe the best match",
             "which video was about {t}, and how long is it?", "tell me more about the video I watched on {t}", "what's the length of the {t} video?"]
FIND_NTH = ["search for {t} and [tell me more about|give me details on|describe] the {o} [result|match|hit|one]", "details of the {o} result [for|on] {t}", "[look up|find] {t} and open the {o} one",
    "the {o} match for {t}, in detail", "get details for the {o} search result on {t}", "how long is the {o} hit for {t}?"]
FIND_ALIKE = ["[find|search for] [the |a |]video [on|about] {t} and [recommend similar ones|show similar ones|find others like it|suggest something similar]", "[videos|something|more] like the one about {t}",
    "what is similar to that {t} video?", "[recommend|suggest|find] [videos|something] like the {t} video I watched", "search {t}, then find videos similar to the [top|best|first] result",
              "I liked the video on {t}, what else is like it?", "take the best match for {t} and look for related videos", "more videos like my {t} one", "because I enjoyed the {t} video, recommend something"]
FIND_CHANNEL = ["which channel made the video about {t}, and how much do I watch it?", "find the {t} video and tell me about its channel", "[info|stats] on the channel behind the {t} video",
    "look up the channel of the video on {t}", "who made the {t} video? Tell me about that channel", "search for {t} and then show the channel of the first result", "tell me about the channel that the {t} video is from"]
LAST_CHANNEL = ["[tell me about|look up|info on|details on|stats for] the channel of {l}", "which channel is {l} from, and how much do I watch it?", "how much do I watch the channel that made {l}?",
    "what do I know about the channel behind {l}?", "channel info for {l}"]
LAST_MORE = ["what else [have I watched|did I see] from the channel of {l}?", "[show|list] [me |]other videos from the channel of {l}", "more from the channel that made {l}", "videos from the same channel as {l}",
    "what else comes from the makers of {l}?"]
ID_CHANNEL = ["[tell me about|look up|info on] the channel of [video |]{v}", "which channel is {v} from and how much do I watch it?", "how much do I watch the channel behind {v}?",
    "channel stats for the maker of {v}", "{v}: tell me about its channel"]
ID_MORE = ["what else have I watched from the channel of {v}?", "[show|list] [other |]videos from the same channel as {v}", "more by the maker of {v}", "{v}: what else did its channel publish?",
    "videos from whoever made {v}"]
ID_ALIKE_TOLD = ["find videos like {v} and [tell me more about|give me details of|describe] the first", "what's the closest video to {v}? Give me its details", "details on the video most similar to {v}",
    "look for something like {v} and describe the top one", "get the best match for {v} and tell me how long it is"]
TOP = ["[tell me about|look up|info on|details on|stats for] the channel I watch [the |]most", "[tell me about|info on|look up] my [favourite|most watched|top] channel",
    "which channel do I watch most, and how much time have I spent on it?", "my top channel: how much of it have I watched?", "look up my number one channel"]
TOP_RECENT = ["[recent|latest|last] videos from [my favourite channel|my most watched channel|the channel I watch most|my top channel]",
    "what did I watch [lately|recently|last] from my [top|favourite|most watched] channel?", "[show|list] the newest videos of the channel I watch [the |]most"]
OUT_OF = ["[go through|look at|check|list] my last {n} videos and [tell me more about|give me details on|describe] the one about {x}",
    "[of|among] my last {n} videos, [how long is|tell me about|details on] the one about {x}", "in my last {n} videos there was one about {x}: details please", "show details of the {x} video out of my last {n}",
    "the one about {x} among the last {n} I watched, how often did I see it?"]
TAKE_DOWN = ["find the video [on|about] {t} and [note its title|write its title down|save the title as a note|make a note of it]", "[note|write down] the title of the {t} video",
    "search for {t} and put the title of the first result in my notes", "make a note of the {t} video I watched"]
LAST_DOWN = ["[note|write down|save] the title of {l}", "make a note of {l}", "put {l} into my notes", "take a note with the title of {l}"]


def listed(result):
    """(title, id) of each line of a list that the prompt still shows."""
    ids = dict(re.findall(r"(\d+)\. ([\w-]{11})(?=,|\n|$)", result.split("Video IDs: ")[-1])) if "Video IDs: " in result else {}
    titles = re.findall(r"^(\d+)\. (.*) from ", result, re.M)
    return [(title, ids[number]) for number, title in titles if number in ids]


def asked(it):
    return next(text for role, text in reversed(it.messages) if role == "user")


def detailed(r, it, shelf, title, name):
    """The details of a video are asked for and told."""
    answer = shelf.details(shelf.named(title, name), name)
    return it.calls(("get_video_details", {"video_id": name})).results(answer).answer(one_told(asked(it), answer, it.here))


def alike(r, it, shelf, name):
    found = shelf.found(r.choice([2, 3, 4]))
    return it.calls(("find_similar_videos", {"video_id": name})).results(found).answer(told(found, it.here))


def channel_told(r, it, shelf, name):
    about = shelf.channel(name)
    return it.calls(("get_channel_info", {"channel_name": name})).results(about).answer(one_told(asked(it), about, it.here))


def from_channel(r, it, shelf, name, by=None, most=None):
    """The newest of a channel. Its id is asked for where it is not known."""
    if by is None:
        text = shelf.channel(name)
        it.calls(("get_channel_info", {"channel_name": name})).results(text)
        by = re.search(r"The channel's ID is (\S+)\.", text).group(1)
    result = shelf.recent(min(most or 10, r.choice([2, 3, 4])), only=name)
    return it.calls(("get_recent_videos", clean({"channel_id": by, "limit": most}))).results(result).answer(told(result, it.here))


# Words of titles that do not tell what they are about.
PLAIN = {it.lower() for title in [*store.TITLES, *store.HOW_TITLES] for it in re.findall(r"[A-Za-z]{5,}", title)} | {"first", "every", "build", "building", "things", "better"}


def about(r, videos, at):
    """A word of one title that no other has."""
    words = [it for it in re.findall(r"[A-Za-z]{5,}", videos[at][0]) if it.lower() not in PLAIN]
    words = [it for it in words if not any(it.lower() in other[0].lower() for n, other in enumerate(videos) if n != at)]
    return r.choice([r.choice(words), r.choice(words).lower()]) if words else None


def refer(r, it, shelf, result):
    """A follow-up about one of the videos of the list."""
    videos = listed(result)[:10]
    if not videos or len(result) > 1150:
        return
    at = r.randrange(min(len(videos), 6))
    title, name = videos[at]
    named = about(r, videos, at)
    which = r.choice([f"the {ORDINALS[at]} one", f"number {at + 1}", f"the {ORDINALS[at]}", f"#{at + 1}", f"'{title}'", title, f"the {ORDINALS[at]} video"] + (["the last one", "the last one in the list",
        "the bottom one"] if at == len(videos) - 1 and at else [])
                     + ([f"the one about {named}", f"the {named} one", f"the one with {named} in it", f"the {named} video"] if named else []))
    pick = r.random()
    if pick < 0.55:
        it.user(say(r, "[tell me more about|what about|details on|more on|how long is|when did I watch|info on|describe|how often did I watch|open|get details for] {w}?", w=which))
        detailed(r, it, shelf, title, name)
    elif pick < 0.9:
        it.user(say(r, "[find|show|any|give me|recommend] [more |]videos [like|similar to|related to] {w}", w=which))
        alike(r, it, shelf, name)
    else:
        it.user(say(r, r.choice(["[like|share|download|play|delete] {w}", "add {w} to [a playlist|watch later]", "[send|email] {w} to Lea"]), w=which)).answer(CANT)


def after_details(r, it, shelf, video):
    """What comes after the details of a video: its channel, others like it."""
    shown = it.messages[-2][1]
    number_ = re.search(r"Its channel's ID is (\S+)\. ", shown)
    pick = r.random()
    if pick < 0.4 and number_:
        it.user(say(r, r.choice(["what else did [this|the|its] channel [make|publish|do]?", "[anything|what] else from that channel?", "more [from|by] [them|that channel]", "[show|list] other videos from its channel",
            "what else have I watched from that channel?", "other videos by the same channel?"])))
        from_channel(r, it, shelf, video.channel, number_.group(1))
    elif pick < 0.65:
        it.user(say(r, r.choice(["[and |]tell me about [its|the|that] channel", "how much do I watch that channel?", "[info on|look up] its channel", "[and |]the channel?", "stats for that channel"])))
        channel_told(r, it, shelf, video.channel)
    else:
        it.user(say(r, r.choice(["[find|show] [similar ones|similar videos|more like it|others like that]", "anything similar?", "more like this", "what else is like it?", "[and |]similar videos?",
            "recommend something like that", "related ones?"])))
        alike(r, it, shelf, video.id)


def after_channel(r, it, shelf, name):
    """What comes after a channel was told about."""
    shown = next(text for role, text in reversed(it.messages) if role == "tool")
    newest, number_ = re.search(r"The most recent one was '(.*)' \((\S+)\), ", shown), re.search(r"The channel's ID is (\S+)\.", shown)
    if not newest or not number_:
        return
    pick = r.random()
    if pick < 0.45:
        it.user(say(r, r.choice(["[list|show] [its|the|their] videos", "which of its videos did I watch?", "what did I watch from it?", "[and |]its [recent|latest] videos?", "show me what I saw there", "list them",
            "the videos, please", "what have I seen of it [lately|recently]?"])))
        from_channel(r, it, shelf, name, number_.group(1))
    elif pick < 0.75:
        it.user(say(r, r.choice(["[tell me more about|details on|describe] the [most recent|latest|last] one", "more about that [last|latest|most recent] video", "how long is the most recent one?",
            "how often did I watch that one?", "what about the latest video?"])))
        detailed(r, it, shelf, newest.group(1), newest.group(2))
    else:
        it.user(say(r, r.choice(["[find|show] [videos|something] like the [latest|most recent|last] one", "anything similar to that latest video?", "recommend something like its newest video"])))
        alike(r, it, shelf, newest.group(2))


def again(r, it, shelf, made, today):
    """The same search, with one thing changed."""
    arguments = dict(made[1])
    pick = r.random()
    if "couldn't find" in it.messages[-2][1] and r.random() < 0.6:
        arguments["query"] = theme = r.choice(TOPICS)
        question = say(r, r.choice(TRY_INSTEAD), t=theme)
    elif pick < 0.42 or not today:
        theme = r.choice(TOPICS)
        arguments["query"] = theme
        question = say(r, r.choice(["[and|what about|how about|and on|same for|now] {t}?", "{t}?", "[and |]the same for {t}", "now {t} instead", "also {t}"]), t=theme)
    elif pick < 0.9:
        words, start, end, _ = moment(r, today)
        arguments.pop("date_to", None)
        arguments.update(clean({"date_from": str(start), "date_to": str(end) if end else None}))
        question = say(r, r.choice(["[and|what about|how about|and those|only those] {w}?", "{w}?", "only {w}", "the same {w}"]), w=placed(r, words))
    else:
        name = channel(r, shelf)
        arguments["channel_name"] = name
        question = say(r, r.choice(["only [those |the ones |]from {c}", "[just|only] {c}", "[and|what about] from {c}?", "those by {c}"]), c=name)
    found = fitting(r, shelf, arguments, r.choice([0, 1, 2, 3, 4]))
    it.user(question).calls(("search_videos_by_topic", arguments)).results(found).answer(told(found))


def chain(r, it, shelf, today):
    """One question that needs a second call with what the first returned."""
    pick, theme, name = r.random(), r.choice(TOPICS), r.choice(shelf.channels)
    meant, theme = theme, theme.lower() if r.random() < 0.3 else theme
    last = expand(r, r.choice(LAST))
    if pick < 0.2:
        # The last one, or the second, the third.
        n = r.choice([1, 1, 1, 2, 2, 2, 3, 3, 4, 5])
        result = shelf.recent(n)
        video = listed(result)[n - 1]
        words = last if n == 1 else r.choice(NTH[n])
        similar = r.random() < 0.4
        it.user(say(r, f"{r.choice(ALIKE if similar else MORE)} {words}")).calls(("get_recent_videos", {"limit": n})).results(result)
        return alike(r, it, shelf, video[1]) if similar else detailed(r, it, shelf, *video)
    if pick < 0.27:
        # The newest of a channel: what is told of the channel names it.
        text = shelf.channel(name)
        video = re.search(r"The most recent one was '(.*)' \((\S+)\), ", text).groups()
        similar = r.random() < 0.55
        it.user(say(r, r.choice(OF_NEWEST if similar else OF_NEWEST_TOLD), c=name)).calls(("get_channel_info", {"channel_name": name})).results(text)
        return alike(r, it, shelf, video[1]) if similar else detailed(r, it, shelf, *video)
    if pick < 0.34:
        most = r.choice([2, 3, 3, 4, 5, 5, 6, 10]) if r.random() < 0.35 else None
        it.user(say(r, r.choice(NEWEST_N if most else NEWEST), c=name, n=number(r, most or 1)))
        return from_channel(r, it, shelf, name, most=most)
    if pick < 0.42:
        text = shelf.channel(name)
        number_, video = re.search(r"The channel's ID is (\S+)\.", text).group(1), re.search(r"The most recent one was '(.*)' \((\S+)\), ", text).groups()
        listing = r.random() < 0.65
        it.user(say(r, r.choice(LOOK_LIST if listing else LOOK_LAST), c=name)).calls(("get_channel_info", {"channel_name": name})).results(text)
        return from_channel(r, it, shelf, name, number_) if listing else detailed(r, it, shelf, *video)
    if pick < 0.7:
        # A search, and then one of what it found.
        kind = r.random()
        at = r.choice([1, 1, 2]) if kind > 0.82 else 0
        found = fitting(r, shelf, {"query": theme}, r.choice([1, 2, 3]) + at, meant, sure=True)
        video = listed(found)[at]
        if kind < 0.05:
            theme = r.choice(store.HOWTOS)
            found = fitting(r, shelf, {"query": theme}, r.choice([1, 2, 3]), sure=True)
            it.user(say(r, r.choice(HOWTO_TOLD), t=theme)).calls(("search_videos_by_topic", {"query": theme})).results(found)
            return detailed(r, it, shelf, *listed(found)[0])
        patterns = FIND_NTH if kind > 0.82 else FIND_TOLD if kind < 0.42 else FIND_ALIKE if kind < 0.66 else FIND_CHANNEL
        it.user(say(r, r.choice(patterns), t=theme, o=ORDINALS[at])).calls(("search_videos_by_topic", {"query": theme})).results(found)
        if patterns is FIND_ALIKE:
            return alike(r, it, shelf, video[1])
        return channel_told(r, it, shelf, shelf.named(*video).channel) if patterns is FIND_CHANNEL else detailed(r, it, shelf, *video)
    if pick < 0.78:
        result = shelf.recent(1)
        video = shelf.named(*listed(result)[0])
        more = r.random() < 0.5
        it.user(say(r, r.choice(LAST_MORE if more else LAST_CHANNEL), l=last)).calls(("get_recent_videos", {"limit": 1})).results(result)
        return from_channel(r, it, shelf, video.channel) if more else channel_told(r, it, shelf, video.channel)
    if pick < 0.84:
        video = shelf.video()
        text = shelf.details(video, video.id)
        more = r.random() < 0.5
        it.user(say(r, r.choice(ID_MORE if more else ID_CHANNEL), v=video.id)).calls(("get_video_details", {"video_id": video.id})).results(text)
        return from_channel(r, it, shelf, video.channel, re.search(r"Its channel's ID is (\S+)\. ", text).group(1)) if more else channel_told(r, it, shelf, video.channel)
    if pick < 0.88:
        video, found = shelf.video(), shelf.found(r.choice([1, 2, 3]))
        it.user(say(r, r.choice(ID_ALIKE_TOLD), v=video.id)).calls(("find_similar_videos", {"video_id": video.id})).results(found)
        return detailed(r, it, shelf, *listed(found)[0])
    if pick < 0.93:
        text = shelf.statistics()
        top = re.search(r"watched most are (.*?) \(\d+ video", text).group(1)
        newest = r.random() < 0.4 and top in shelf.channels
        it.user(say(r, r.choice(TOP_RECENT if newest else TOP))).calls(("get_statistics", {})).results(text)
        return from_channel(r, it, shelf, top) if newest else channel_told(r, it, shelf, top)
    if pick < 0.96:
        n = r.choice([3, 4, 5, 6])
        result = shelf.recent(n)
        videos = listed(result)
        at = r.randrange(n)
        words = about(r, videos, at)
        if not words or len(result) > 1150:
            return chain(r, it, shelf, today)
        it.user(say(r, r.choice(OUT_OF), n=number(r, n), x=words)).calls(("get_recent_videos", {"limit": n})).results(result)
        return detailed(r, it, shelf, *videos[at])
    # Into the notes.
    it.task = "any"
    if r.random() < 0.5:
        result, question, made = shelf.recent(1), say(r, r.choice(LAST_DOWN), l=last), ("get_recent_videos", {"limit": 1})
    else:
        result, question, made = fitting(r, shelf, {"query": theme}, r.choice([1, 2]), meant, sure=True), say(r, r.choice(TAKE_DOWN), t=theme), ("search_videos_by_topic", {"query": theme})
    title = listed(result)[0][0]
    return it.user(question).calls(made).results(result).calls(("take_note", {"text": title})).results(f"Noted: {title}").answer(f"I noted: {title}")


ACTS = [
    "[like|dislike|share|download|save|play|open|rewind|pause] [this video|the last video|that video|video {v}|{v}]", "[subscribe|unsubscribe] me [to|from] {c}",
    "[subscribe to|unsubscribe from|follow|block|mute] {c}", "turn on notifications for {c}", "[comment|reply] on {v}[|: great video]", "[upload|publish|post] [my video|this clip|a video|my holiday film]",
    "[delete|remove|clear|erase] [my watch history|video {v} from my history|the last video|everything I watched]",
    "[add|put] [{v}|this video|the last video] [to|into] [my playlist|watch later|a playlist|favourites]", "[create|make|start] a playlist [about {t}|of {t} videos|called {t}]",
    "[play|put on|start|stream] [some |a |]{t} [video|music|videos]", "[summarise|summarize|transcribe|translate|subtitle] [video |]{v}",
    "[give me|show] the [transcript|subtitles|captions|comments|likes|thumbnail] of {v}",
    "how many [likes|views|comments|subscribers] does [{v}|{c}] have?", "who [runs|owns|founded|hosts] {c}?", "when did {c} [start|join YouTube]?", "how much [money does {c} make|does {c} earn]?",
    "what's [trending|new|popular] on YouTube[| today| right now]?", "[is|when is] {c} [live|streaming][| now]?", "when does {c} upload [next|the next video]?",
    "[cancel|renew|upgrade|pause] my [YouTube Premium|subscription|membership]",
    "[edit|cut|trim|crop|render] my video", "[make|design|draw] a thumbnail[| for my video]", "[record|film|capture] my screen", "[delete|close|change|rename] my [account|channel|YouTube channel]",
    "[report|flag] [{v}|this video|that channel]", "[message|email|contact|write to] {c}", "send {v} to [Lea|Sam|Nadia|my mother]", "[cast|send] the video to my TV", "[turn up|turn down|mute] the volume",
    "skip the [ad|ads|intro]",
    "[set|change] the [quality|playback speed] to [1080p|2x|1.5]", "[book|buy|get] tickets for a {t} [course|show]", "[find|hire] me a {t} teacher", "[order|buy] a book on {t}", "[turn off|enable|disable] autoplay",
    "[block|hide] [ads|shorts]", "pause my watch history", "[import|export|back up] my [history|playlists|subscriptions]",
    "what's on [TV|Netflix|the radio] [tonight|now]?", "who will win the [match|election|race]?", "[rate|review|score] {v}", "is {v} [any good|worth watching|suitable for children]?", "what do people say about {c}?",
    "which video should become viral?", "how do I get more [subscribers|views|likes]?", "[translate|dub] {v} into [French|German|Hindi]", "what will {c} upload next?", "what music is playing in {v}?",
    "which camera does {c} use?",
    "[watch|view] {v} for me", "[sign|log] me [in|out]", "make my history private", "[move|copy] my playlist to Spotify", "[join|leave] the {c} membership", "[donate|send 5 dollars] to {c}",
]
EXPLAIN = ["explain {t}[| to me| to a beginner| in simple words]", "[teach|show] me how [to learn|to start with] {t}", "what's the best way to learn {t}?", "how hard is {t}?",
    "is {t} [worth learning|useful|difficult|healthy|fun]?", "why is {t} so popular?", "who invented {t}?", "[give me|write] a [lesson|short introduction|summary|definition] [in|of] {t}".replace("[in|of]", "of"),
    "what do I need [to start|for] {t}?",
           "tell me a fun fact about {t}", "how long does it take to learn {t}?", "what are the basics of {t}?", "can you teach me {t}?", "quiz me on {t}", "what's your opinion on {t}?", "how did {t} begin?",
           "what are the rules of {t}?", "give me three tips for {t}", "how expensive is {t}?", "what should I know about {t} before I start?"]
OPINIONS = ["how do I [upload|edit|download|delete|share|report] a video?", "how does [YouTube|the algorithm|monetisation|a recommendation|semantic search|autoplay] work?",
    "what is [a YouTube short|a playlist|a livestream|a premiere|a thumbnail|a content creator|clickbait|demonetisation|a podcast|a vlog|an influencer|4K|frame rate|a codec|closed captioning|"
    "copyright strike|watch time]?",
    "what does [4K|HD|fps|CPM|SEO|ASMR|DIY|HDR] [mean|stand for]?",
            "who [founded|owns|invented] YouTube?", "when was YouTube founded?", "is watching videos [bad|good] for [the eyes|children|sleep]?", "how much screen time is [healthy|too much]?",
            "how do I [start|grow] a [channel|YouTube channel]?", "what camera do I need for [vlogging|videos|streaming]?",
            "what's the difference between [a vlog and a blog|a short and a video|views and watch time|streaming and downloading|a playlist and a channel|1080p and 4K|a like and a subscription]?",
            "how do creators earn money?", "how long should a [video|short|podcast] be?", "why are ads so long?", "what is the most watched video ever?",
            "why do people watch [reaction videos|unboxings|ASMR|other people play games]?", "can I watch videos offline?", "how do I make a good thumbnail?", "is it legal to download videos?",
            "what's a good video editor?", "how do subtitles work?", "should children watch videos?"]


def quiet(r, it, shelf):
    """Nothing to call: what no tool does, and what is to be explained."""
    for _ in range(r.choice([1, 1, 1, 1, 2])):
        pick = r.random()
        if pick < 0.5:
            it.user(say(r, r.choice(ACTS), v=shelf.video().id, c=channel(r, shelf), t=r.choice(TOPICS))).answer(CANT)
        else:
            question = say(r, r.choice(EXPLAIN), t=r.choice(TOPICS)) if pick < 0.78 else say(r, r.choice(OPINIONS))
            it.user(question).answer(CANT)
    return it


HOWTO = ["did I [ever |]watch [a video|anything|something] on how to {t}?", "[find|show] [me |]the video on how to {t}", "[any|which] video[|s] [showed|showing] how to {t}?", "that how to {t} video",
    "videos on how to {t}", "I watched someone {t}, which video was that?", "the clip where they {t}, find it", "I need that video again, how to {t}", "[look|search] in my history for how to {t}", "have I seen a tutorial on how to {t}?"]
HOWTO_TOLD = ["how long was the video on how to {t}?", "when did I watch the one on how to {t}?", "find the how to {t} video and give me its details", "which channel showed how to {t}?", "how often did I watch the video about how to {t}?"]
TITLE_FIND = ["[have I seen|did I watch|is there] {v}[| in my history]?", "[find|look for|search for] {v}[| in my history]", "did I ever see {v}?", "{v}, have I watched that?", "is {v} among my videos?"]
TITLE_TOLD = ["how long is {v}?", "when did I [last |]watch {v}?", "how [often|many times] did I watch {v}?", "[tell me more about|details of|info on|describe] {v}", "length of {v}", "which channel is {v} from?", "did I watch {v} more than once?", "{v}: [details|how long|when did I see it]?"]
TITLE_ALIKE = ["[find|show|recommend|suggest] [me |][videos|something|more] like {v}", "I [liked|loved|enjoyed] {v}, [what else is like it|more like that|anything similar]?", "similar videos to {v}", "what goes well with {v}?", "more in the style of {v}"]
TITLE_CHANNEL = ["[tell me about|info on|look up] the channel that made {v}", "who made {v}, and how much do I watch them?", "the channel behind {v}: how much have I watched of it?"]
RECENT_TIME = ["what did I watch {w}?", "[show|list] [me |]what I watched {w}", "which videos did I see {w}?", "{w}, what did I watch?", "videos I watched {w}", "my history {w}"]
NEAR_TIMES = "today|yesterday|this week|this morning|last night|tonight|in the last few days|over the weekend|the last couple of days|since yesterday|this evening|these past few days".split("|")
# Two asks about the history in one, carried out in this order.
PAIRS = {
    "RECENT_STATS": ["my last {n} videos and my [total watch time|overall stats]", "list the last {n} videos I watched, and also [how many hours|how many videos] I've watched in all", "show {n} recent videos plus my statistics"],
    "STATS_RECENT": ["my [total watch time|stats], and [the|my] last {n} videos", "how many hours have I watched in total, and what were the last {n} videos?", "overall stats, then list my {n} latest videos"],
    "STATS_LAST": ["how much have I watched overall, and what was the last video?", "my stats and my last video", "total watch time, and the video I watched last"],
    "STATS_CHANNEL": ["my overall stats, and how much of that is {c}?", "how many hours in total, and how many from {c}?", "total watch time, and the same for {c}"],
    "CHANNEL_RECENT": ["how much do I watch {c}, and what were my last {n} videos?", "stats for {c} and my {n} latest videos", "tell me about {c}, and list the last {n} videos I saw"],
    "RECENT_TOPIC": ["my last {n} videos, and anything on {t}", "list {n} recent videos and also search for {t}", "what were my last {n} videos? And did I watch anything about {t}?"],
    "TOPIC_STATS": ["anything on {t}? And what's my total watch time?", "find videos about {t} and show my stats", "search {t}, and also how many videos have I watched overall?"],
    "TOPIC_AND_CHANNEL": ["what did I watch about {t}, and how much do I watch {c}?", "find {t} videos, and tell me about the channel {c}", "videos on {t} and also stats for {c}"],
    "CHANNEL_AND_TOPIC": ["how much have I watched of {c}, and did I see anything on {t}?", "stats for {c}, and find videos about {t}", "info on {c} plus everything on {t}"],
    "TWO_IDS": ["details of {v} and {u}", "tell me about {v} and about {u}", "how long are {v} and {u}?", "compare {v} with {u}"],
    "ID_BOTH": ["details of {v}, and videos like it", "tell me about {v} and find similar ones", "what is {v}, and what else is like it?"],
    "ID_CHANNEL_NAMED": ["details of {v}, and how much do I watch {c}?", "what is {v}? And give me the stats for {c}", "info on {v} and on the channel {c}"],
    "THREE_TOPICS": ["[find|show|search] videos on {t}, {s} and {u}", "what have I watched about {t}, about {s} and about {u}?", "{t}, {s}, {u}: anything on those?"],
    "THREE_CHANNELS": ["compare {c}, {d} and {e}", "how much do I watch {c}, {d} and {e}?", "stats for {c}, {d}, {e}"],
}
CHANNEL_DOWN = ["note how many videos I've watched from {c}", "how much have I watched of {c}? [Note|Write down|Save] the number", "count the {c} videos I saw and make a note of it"]
STATS_DOWN = ["note my total watch time", "[write down|save] how many hours I've watched in all", "put my total watch time in my notes"]
STATS_AGAIN = ["and my top channels?", "and how many hours in total?", "what about the average length?", "and since when?", "how many channels is that?", "and which channel do I watch most?", "and in hours?", "and my most watched channels?"]
TRY_INSTEAD = ["[try|search] {t} [then|instead]", "then look for {t}", "hm, maybe it was {t}", "perhaps under {t}?", "no? try {t}", "ok, what about {t}?", "maybe {t} then"]


def howto(r, shelf, today):
    """A search for what was done in a video."""
    theme = r.choice(store.HOWTOS)
    result = fitting(r, shelf, {"query": theme}, r.choice([0, 1, 1, 2, 3, 4]))
    return say(r, r.choice(HOWTO), t=theme), ("search_videos_by_topic", {"query": theme}), result, told(result)


def when(r, shelf, today):
    """What was watched in a time that is near: the latest tell when they were watched."""
    result = shelf.recent(10)
    return say(r, r.choice(RECENT_TIME), w=r.choice(NEAR_TIMES)), ("get_recent_videos", {}), result, told(result)


def quoted(r, title):
    title = typed(r, title).rstrip("?.!")
    return r.choice([f"'{title}'", f'"{title}"', title, title] if "'" not in title else [f'"{title}"', title])


def by_title(r, it, shelf):
    """A video that is called by its title: it is searched for, and then it has an id."""
    video, pick = shelf.video(), r.random()
    shown = quoted(r, video.title)
    query = shown.strip("'\"") if shown[0] in "'\"" else shown
    if pick < 0.14 and re.search("how to ", query, re.I):
        query = shown = re.sub("^how to ", "", query, flags=re.I)
    found = shelf.found(r.choice([1, 1, 2, 3]), [video])
    patterns = r.choices([TITLE_FIND, TITLE_TOLD, TITLE_ALIKE, TITLE_CHANNEL], [2, 5, 3, 1])[0]
    it.user(say(r, r.choice(patterns), v=shown)).calls(("search_videos_by_topic", {"query": query})).results(found)
    if patterns is TITLE_FIND:
        return it.answer(told(found))
    return detailed(r, it, shelf, video.title, video.id) if patterns is TITLE_TOLD else alike(r, it, shelf, video.id) if patterns is TITLE_ALIKE else channel_told(r, it, shelf, video.channel)


def paired(r, it, shelf, today):
    """Two asks, or three, carried out in one turn."""
    kind = r.choice([*PAIRS, "STATS_RECENT", "STATS_LAST", "TOPIC_AND_CHANNEL", "RECENT_TOPIC"])
    n, words = small(r)
    owners, themes = r.sample([*shelf.channels, *r.sample(store.CHANNELS, 6)], 3), r.sample(TOPICS, 3)
    if len(set(owners)) < 3:
        return paired(r, it, shelf, today)
    a, b = r.sample(shelf.videos, 2)
    named, about_them = [typed(r, one) for one in owners], [one.lower() if r.random() < 0.4 else one for one in themes]
    values = {"n": words, "c": named[0], "d": named[1], "e": named[2], "t": about_them[0], "s": about_them[1], "u": b.id if kind == "TWO_IDS" else about_them[2], "v": a.id}
    pattern = r.choice(PAIRS[kind])
    question, asks = say(r, pattern, **values), re.sub(r"\{\w+\}", "", pattern)
    short = lambda text: text.replace(" This is a sample history.", "")
    statistics = lambda at: (("get_statistics", {}), text := shelf.statistics(), short(one_told(asks, text, at)))
    watched = lambda at, n=n: (("get_recent_videos", {"limit": n}), text := shelf.recent(min(n, r.choice([10, 50]))), short(line_told(text, 0)) if n == 1 else f"[[{at}]]")
    channel_ = lambda at, k=0: (("get_channel_info", {"channel_name": named[k]}), text := shelf.channel(owners[k]), short(one_told("how much", text, at)))
    searched = lambda at, k=0: (("search_videos_by_topic", {"query": about_them[k]}), text := fitting(r, shelf, {"query": about_them[k]}, r.choice([0, 1, 2, 3]), themes[k]),
        f"There is nothing on {about_them[k]}." if "couldn't find" in text else f"[[{at}]]")
    told_of = lambda at, one: (("get_video_details", {"video_id": one.id}), text := shelf.details(one, one.id), short(one_told(asks, text, at)))
    likened = lambda at: (("find_similar_videos", {"video_id": a.id}), shelf.found(r.choice([2, 3])), f"[[{at}]]")
    made = {"RECENT_STATS": lambda: [watched(1), statistics(2)], "STATS_RECENT": lambda: [statistics(1), watched(2)], "STATS_LAST": lambda: [statistics(1), watched(2, 1)], "STATS_CHANNEL": lambda: [statistics(1), channel_(2)],
            "CHANNEL_RECENT": lambda: [channel_(1), watched(2)], "RECENT_TOPIC": lambda: [watched(1), searched(2)], "TOPIC_STATS": lambda: [searched(1), statistics(2)], "TOPIC_AND_CHANNEL": lambda: [searched(1), channel_(2)],
            "CHANNEL_AND_TOPIC": lambda: [channel_(1), searched(2)], "TWO_IDS": lambda: [told_of(1, a), told_of(2, b)], "ID_BOTH": lambda: [told_of(1, a), likened(2)], "ID_CHANNEL_NAMED": lambda: [told_of(1, a), channel_(2)],
            "THREE_TOPICS": lambda: [searched(1), searched(2, 1), searched(3, 2)], "THREE_CHANNELS": lambda: [channel_(1), channel_(2, 1), channel_(3, 2)]}[kind]()
    return it.user(question).calls(*(one[0] for one in made)).results(*(one[1] for one in made)).answer("\n\n".join(one[2] for one in made))


def counted_down(r, it, shelf):
    """How much was watched, into the notes."""
    it.task = "any"
    if r.random() < 0.6:
        name = r.choice(shelf.channels)
        shown, text = typed(r, name), shelf.channel(name)
        note_ = f"{re.search(r'watched (.*? videos?) from ', text).group(1)} from {name}"
        it.user(say(r, r.choice(CHANNEL_DOWN), c=shown)).calls(("get_channel_info", {"channel_name": shown})).results(text)
    else:
        text = shelf.statistics()
        note_ = f"Total watch time: {re.search(r'total watch time is (.*?),? with', text).group(1)}"
        it.user(say(r, r.choice(STATS_DOWN))).calls(("get_statistics", {})).results(text)
    return it.calls(("take_note", {"text": note_})).results(f"Noted: {note_}").answer(f"I noted: {note_}")


KINDS = [recent, recent, recent, when, longest, stats, stats, details, similar, about_channel, about_channel, topic, topic, topic, topic, topic, howto]


def talk(r, today):
    """A conversation about what was watched."""
    it = drawn(r, today)
    return talk(r, today) if trading.known(it) else it


def drawn(r, today):
    it, shelf = Talk("history"), store.Shelf(r)
    pick = r.random()
    if pick < 0.06:
        return paired(r, it, shelf, today)
    if pick < 0.11:
        return by_title(r, it, shelf)
    if pick < 0.36:
        counted_down(r, it, shelf) if r.random() < 0.04 else chain(r, it, shelf, today)
        shown = it.messages[-3][1]
        if r.random() < 0.12 and '"get_video_details"' in shown:
            video = next((one for one in shelf.videos + shelf.extra if f'"{one.id}"' in shown), None)
            if video:
                after_details(r, it, shelf, video)
        return it
    if pick < 0.44:
        return quiet(r, it, shelf)
    if pick < 0.47:
        return two_at_once(r, it, shelf, today)
    if pick < 0.52:
        a, b = r.sample([recent, stats, about_channel, topic, details], 2)
        one, two = a(r, shelf, today), b(r, shelf, today)
        values = [str(value) for value in two[1][1].values()]
        second = two[0] if two[0].startswith("I ") or any(two[0].startswith(value) for value in values) else two[0][0].lower() + two[0][1:]
        question = one[0].rstrip("?.!") + r.choice([" and ", ", and ", ". Also, ", "? And ", " and also "]) + second
        return it.user(question).calls(one[1], two[1]).results(one[2], two[2]).answer(one[3].replace(" This is a sample history.", "") + "\n\n" + later(two[3], 1))
    question, made, result, answer = r.choice(KINDS)(r, shelf, today)
    it.user(question).calls(made).results(result).answer(answer)
    if pick < 0.66 and made[0] in ("get_recent_videos", "search_videos_by_topic", "find_similar_videos"):
        refer(r, it, shelf, result)
    elif pick < 0.76 and made[0] == "search_videos_by_topic":
        again(r, it, shelf, made, today)
    elif pick < 0.7 and made[0] == "get_video_details" and "couldn't find" not in result:
        after_details(r, it, shelf, next(one for one in shelf.videos if one.id == made[1]["video_id"]))
    elif pick < 0.7 and made[0] == "get_statistics":
        again_ = say(r, r.choice(STATS_AGAIN))
        it.user(again_).calls(("get_statistics", {})).results(result).answer(one_told(again_, result))
    elif pick < 0.72 and made[0] == "get_channel_info":
        name = made[1]["channel_name"]
        if name in shelf.channels and r.random() < 0.6:
            after_channel(r, it, shelf, name)
        else:
            name = channel(r, shelf)
            it.user(say(r, r.choice(["[and|what about|how about|and for|same for] {c}?", "{c}?", "[and |]the same for {c}", "now {c}", "also {c}"]), c=name))
            channel_told(r, it, shelf, name)
    return it


gather("history", globals(), plain=("TOPICS", "PLAIN", "NEAR_TIMES"))
