"""The watch history. Results are written in the product's words from the sample and from invented videos."""

import re

from tools import cut

from . import store
from .talks import Talk, clean
from .words import number, say, span, timed, typo

TOPICS = """machine learning|cooking pasta|cooking|guitar|quantum physics|home gardening|woodworking|chess openings|chess|stoicism|Python|Python tutorials|Rust|
travel in Japan|bread|baking bread|fitness|space|black holes|history of Rome|electric cars|photography|Kubernetes|piano|climate change|knitting|neural networks|
deep learning|web servers|databases|git|budgeting|index funds|inflation|mortgages|cycling|bike repair|soldering|microcontrollers|sailing|coral reefs|watercolour|
drawing|calligraphy|sleep|habits|memory|Spanish|French|German grammar|yoga|running|stretching|saving money|home repair|plumbing|astronomy|Saturn|jazz|
blues guitar|music theory|Lisbon|Kyoto|train travel|packing light|medieval history|maps|data science|spreadsheets|charts|statistics|linear regression|
transformers|soup recipes|curry|fermentation|sharpening knives|tomatoes|compost|pruning|portrait photography|photo editing|batteries|electric motors|
JavaScript|React hooks|Docker|Linux|system design|interview tips|cars|movies|film reviews|dinosaurs|volcanoes|philosophy|meditation|dogs|cat behaviour|
3D printing|drones|fishing|camping|coffee|espresso|sourdough|sushi|vegan meals|meal prep|football|tennis|Formula 1|cricket|skateboarding|surfing|
tutorials|science|economics|geopolitics|World War II|ancient Egypt|vaccines|mental health|public speaking|negotiation|startups|crypto|Excel|Blender|Unity""".replace("\n", "").split("|")
RECENT = [
    "[What|Which] [videos have I watched|videos did I watch|did I watch|have I been watching|was I watching] [recently|lately|these days|of late]?", "[show|list|give me|display] [me |][my |the ][recent|latest|last|most recent] [videos|watches|history|viewing]",
    "recent videos", "what [was|is] the last [thing|video] I watched?", "my [watch history|recent viewing|latest videos]", "what have I been up to on YouTube[| lately]?", "what did I see [recently|lately]?", "show [me |]my watch history",
    "[pull up|open|bring up] my [recent|latest] [videos|watch history]", "catch me up on what I watched", "what's new in my history?",
]
RECENT_N = [
    "[show|list|give me|display|get] [me |][my |the |]last {n} videos[| I watched]", "{n} most recent videos", "[the |my |]{n} latest videos", "[what were|what are] [the|my] last {n} [videos|things] I watched?", "[list|show] {n} videos I watched [recently|lately]",
    "last {n} [watched |]videos", "the {n} [videos|ones] I saw most recently", "only [show |]the last {n} videos", "which {n} videos did I watch last?", "recent videos, [just|only] {n}[| of them]", "top {n} most recent [watches|videos]",
]
STATS = [
    "[What are|Show|show me|give me|get] my [watch|viewing|overall|watch history|YouTube] [statistics|stats|numbers|totals]", "how [many videos|many channels|much|many hours] have I watched[| in total| overall| so far| altogether]?", "[what's|what is] my total watch time?", "my viewing habits",
    "overall stats", "how long have I been watching [videos|YouTube]?", "[what is|what's] the average [length|duration] of [videos I watch|my videos]?", "when [was|is] my [first|oldest] [watched |]video?", "which channels do I watch [the |]most[| often]?",
    "summary of my viewing [habits|history|patterns]", "how much time [have I spent|did I spend|do I spend] [on videos|watching|watching videos|on YouTube]?", "total [hours|videos|watch time]", "what are my [top|most watched|favourite] channels?", "statistics [please|about my history]",
    "how far back does my history go?", "tell me about my viewing [patterns|habits]", "how big is my watch history?",
]
DETAILS = [
    "[tell me about|details of|details on|details for|info on|information about|describe|look up|show me] [the |]video {v}", "what is [video |the video |]{v}[| about]?", "how [often|many times] did I watch {v}?", "when did I [last |]watch {v}?", "how long is {v}?",
    "which channel is {v} from?", "{v} [details|info]", "get [me |]details [for|of|about] {v}", "more about {v}", "have I seen {v}?", "give me the [title|length] of {v}", "I watched https://www.youtube.com/watch?v={v}, [what was that|tell me about it]?",
]
SIMILAR = [
    "[what|which] videos are [similar to|like] {v}?", "[find|show|give me|get] [me |][some |]videos [similar to|like|related to|close to] {v}", "[more|something|anything] like {v}", "recommend something [like|similar to] {v}", "related to {v}", "similar videos to {v}",
    "[what else|anything else] have I watched like {v}?", "because I liked {v}, what else?", "{v}: [similar ones|more like this]?",
]
SIMILAR_N = ["[find|show|give me|get] [me |]{n} videos [similar to|like|related to] {v}", "top {n} [similar to|like] {v}", "{n} [recommendations|videos] [like|based on] {v}", "[the |]{n} videos most like {v}"]
CHANNEL = [
    "[tell me about|info about|information on|what about|details on] [the channel |the |]{c}[| channel]", "how [much of|many videos of|many videos from|much from] {c} have I [watched|seen]?", "{c} [channel stats|stats|channel info|statistics]", "[what do I watch|how much do I watch] from {c}?",
    "[how many|total] videos [watched |]from {c}", "how long have I watched {c}[| in total]?", "what's the [latest|most recent|last] video I watched from {c}?", "my stats for {c}", "watch time for [the channel |]{c}", "do I watch {c} [much|a lot|often]?", "channel [info|details] {c}",
    "when did I last watch {c}?", "show me [the |]channel {c}", "how [often|much] do I watch {c}?",
]
TOPIC = [
    "[What|Which] videos [did I watch|have I watched|have I seen] [about|on|regarding] {t}?", "[find|show|get|list] [me |][the |my |]videos [about|on] {t}", "{t} videos", "[anything|something] [about|on] {t}[| in my history]?", "did I [ever |]watch [something|anything] [about|on] {t}?",
    "search [my history |]for {t}", "which videos [covered|cover|deal with|talk about] {t}?", "what did I watch about {t}?", "[find|show|search] [me |]{t}", "look for {t} [videos|in my history]", "have I [watched|seen] [any |]{t} [videos|stuff|content]?", "find me [some |]{t}",
    "I remember a video about {t}, which one was it?", "{t}: what have I watched?", "my {t} videos", "show what I watched on {t}", "where was that video [on|about] {t}?", "videos I saw about {t}",
]
TOPIC_TIME = [
    "{t} videos {w}", "[what|which videos] did I watch [about|on] {t} {w}?", "[find|show|get] [me |]{t} [videos |]{w}", "[find|show] [me |]videos [about|on] {t} {w}", "{w}, what did I watch [about|on] {t}?", "what {t} [stuff|content|videos] did I see {w}?",
    "[anything|something] [about|on] {t} {w}?", "search for {t} {w}", "did I watch [any |]{t} [videos |]{w}?", "videos on {t} {w}", "list [the |my |]{t} videos {w}", "what was I watching [about|on] {t} {w}?",
]
TOPIC_N = ["{n} videos [about|on] {t}", "[top|best|the best] {n} [for|on|about] {t}", "[give me|show me|find] [the |]{n} [results|videos|matches] [about|on|for] {t}", "show {n} {t} videos", "find {n} videos [on|about] {t}", "at most {n} videos [about|on] {t}"]
TOPIC_CHANNEL = ["{t} [from|by] {c}", "videos [about|on] {t} [by|from] {c}", "did {c} [cover|do something on] {t}?", "{c} videos [on|about] {t}", "[what|which videos] did I watch from {c} [about|on] {t}?", "find {c} videos about {t}", "[anything|something] on {t} from the channel {c}?"]


def question_time(r, patterns, words, **values):
    shown = timed(r, words)
    return say(r, r.choice(patterns), w=shown, **values)


def told(r, result):
    """A list of videos as an answer: its head and its first lines, as they stand there."""
    result = cut(result)
    head, *rest = result.split("\n")
    lines = [it for it in rest if re.match(r"\d+\. ", it)]
    few = lines[:5]
    notes = " This is a sample history." if "(This is a sample history" in result else ""
    notes = (" Found by words only." if "(Found by words only" in result else "") + notes
    if not lines:
        return head + notes
    tail = "\n" + notes.strip() if notes else ""
    return head + "\n" + "\n".join(few) + tail


def first_sentences(r, result, keep, also=None):
    """A result in sentences as an answer: its first ones, and those about what was asked."""
    sentences = re.split(r"(?<=[.!?]) (?=[A-Z])", result.split("\n\n")[0])
    kept = [it for at, it in enumerate(sentences) if at < keep or (also and also in it)]
    return " ".join(kept) + (" This is a sample history." if "(This is a sample history" in result else "")


def channel(r, shelf):
    return r.choice(shelf.channels) if r.random() < 0.6 else r.choice(store.CHANNELS)


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
        if "last thing" in question.lower() or "last video" in question.lower():
            arguments, n = {"limit": 1}, 1
    result = shelf.recent(min(n, r.choice([10, 50])))
    return question, ("get_recent_videos", arguments), result, told(r, result)


def stats(r, shelf, today):
    result, question = shelf.statistics(), say(r, r.choice(STATS))
    asked = question.lower()
    also = "channels you've" if "channels" in asked else "history spans" if re.search("first|oldest|far back|how long have", asked) else None
    return question, ("get_statistics", {}), result, first_sentences(r, result, 2, also)


def details(r, shelf, today):
    video = shelf.video() if r.random() < 0.85 else None
    name = video.id if video else store.video_id(r)
    result = shelf.details(video, name)
    return say(r, r.choice(DETAILS), v=name), ("get_video_details", {"video_id": name}), result, first_sentences(r, result, 2)


def similar(r, shelf, today):
    video = shelf.video()
    n, words = small(r)
    some = r.random() < 0.4
    question = say(r, r.choice(SIMILAR_N), n=words, v=video.id) if some else say(r, r.choice(SIMILAR), v=video.id)
    result = shelf.found(min(n if some else 5, r.choice([3, 5, 10])) if r.random() < 0.9 else 0)
    return question, ("find_similar_videos", clean({"video_id": video.id, "n_results": n if some else None})), result, told(r, result)


def about_channel(r, shelf, today):
    name = channel(r, shelf)
    name = name.lower() if r.random() < 0.1 else name
    result = shelf.channel(name) if r.random() < 0.9 else f"I couldn't find {name} in your watch history." + shelf.note
    return say(r, r.choice(CHANNEL), c=name), ("get_channel_info", {"channel_name": name}), result, first_sentences(r, result, 4)


def topic(r, shelf, today):
    theme, pick, arguments = r.choice(TOPICS), r.random(), {}
    theme = theme.lower() if r.random() < 0.3 else typo(r, theme) if r.random() < 0.06 else theme
    arguments["query"] = theme
    if pick < 0.4:
        question = say(r, r.choice(TOPIC), t=theme)
    elif pick < 0.75 and today:
        words, start, end = span(r, today)
        question = question_time(r, TOPIC_TIME, words, t=theme)
        arguments.update(clean({"date_from": str(start), "date_to": str(end) if end else None}))
        if r.random() < 0.12:
            name = channel(r, shelf)
            question, arguments["channel_name"] = question.rstrip("?.!") + f" from {name}", name
    elif pick < 0.88:
        n, words = small(r)
        question, arguments["n_results"] = say(r, r.choice(TOPIC_N), n=words, t=theme), n
    else:
        name = channel(r, shelf)
        question, arguments["channel_name"] = say(r, r.choice(TOPIC_CHANNEL), t=theme, c=name), name
    result = shelf.found(min(arguments.get("n_results", 10), r.choice([1, 2, 3, 4, 6, 8, 10])) if r.random() < 0.85 else 0)
    return question, ("search_videos_by_topic", arguments), result, told(r, result)


LATEST = ["[how often|how many times] did I watch the [last|latest] video I [saw|watched]?", "[tell me more about|details of|give me details on] [the|my] [last|latest|most recent] video[| I watched]",
          "how long was the [last|latest] video I watched?"]
NEWEST = ["[what|which videos] did I watch [recently|lately] from {c}?", "[recent|latest|last|newest] videos [from|by] {c}", "[show|list] my recent {c} videos", "what have I seen from {c} [lately|recently]?"]
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]


def listed(result):
    """(title, id) of each line of a list that the prompt still shows."""
    ids = dict(re.findall(r"(\d+)\. ([\w-]{11})(?=,|\n|$)", result.split("Video IDs: ")[-1])) if "Video IDs: " in result else {}
    titles = re.findall(r"^(\d+)\. (.*?) from ", result, re.M)
    return [(title, ids[number]) for number, title in titles if number in ids]


def refer(r, it, shelf, result):
    """A follow-up about one of the videos of the list."""
    videos = listed(result)[:10]
    if not videos or len(result) > 1150:
        return
    at = r.randrange(min(len(videos), 6))
    title, name = videos[at]
    which = r.choice([f"the {ORDINALS[at]} one", f"number {at + 1}", f"the {ORDINALS[at]}", f"#{at + 1}", f"'{title}'", title, f"the {ORDINALS[at]} video"] + (["the last one"] if at == len(videos) - 1 else []))
    if r.random() < 0.6:
        question = say(r, "[tell me more about|what about|details on|more on|how long is|when did I watch|info on|describe] {w}?", w=which)
        answer = shelf.details(shelf.named(title, name), name)
        it.user(question).calls(("get_video_details", {"video_id": name})).results(answer).answer(first_sentences(r, answer, 2))
    else:
        question = say(r, "[find|show|any|give me] [more |]videos [like|similar to|related to] {w}", w=which)
        found = shelf.found(r.choice([2, 3, 5]))
        it.user(question).calls(("find_similar_videos", {"video_id": name})).results(found).answer(told(r, found))


def again(r, it, shelf, made, today):
    """The same search, with one thing changed."""
    arguments = dict(made[1])
    pick = r.random()
    if pick < 0.45 or not today:
        theme = r.choice(TOPICS)
        arguments["query"] = theme
        question = say(r, "[and|what about|how about|and on|same for|now] {t}?", t=theme)
    else:
        words, start, end = span(r, today)
        arguments.pop("date_to", None)
        arguments.update(clean({"date_from": str(start), "date_to": str(end) if end else None}))
        question = say(r, "[and|what about|how about|and those|only those] {w}?", w=timed(r, words))
    found = shelf.found(r.choice([0, 1, 2, 3, 5]))
    it.user(question).calls(("search_videos_by_topic", arguments)).results(found).answer(told(r, found))


def chain(r, it, shelf, today):
    """One question that needs a second call with what the first returned."""
    pick = r.random()
    if pick < 0.35:
        result = shelf.recent(1)
        name = listed(result)[0]
        question = say(r, "[find|show|what are] [videos|some videos|more] [like|similar to] the [last|latest|most recent] [one|video] I [watched|saw]")
        found = shelf.found(r.choice([2, 3, 5]))
        it.user(question).calls(("get_recent_videos", {"limit": 1})).results(result).calls(("find_similar_videos", {"video_id": name[1]})).results(found).answer(told(r, found))
    elif pick < 0.6:
        result = shelf.recent(1)
        name = listed(result)[0]
        question = say(r, r.choice(LATEST))
        answer = shelf.details(shelf.named(*name), name[1])
        it.user(question).calls(("get_recent_videos", {"limit": 1})).results(result).calls(("get_video_details", {"video_id": name[1]})).results(answer).answer(first_sentences(r, answer, 2))
    elif pick < 0.8:
        name = r.choice(shelf.channels)
        about = shelf.channel(name)
        number_ = re.search(r"The channel's ID is (\S+)\.", about).group(1)
        question = say(r, r.choice(NEWEST), c=name)
        result = shelf.recent(r.choice([2, 3, 4]), only=name)
        it.user(question).calls(("get_channel_info", {"channel_name": name})).results(about).calls(("get_recent_videos", {"channel_id": number_})).results(result).answer(told(r, result))
    else:
        theme = r.choice(TOPICS)
        found = shelf.found(r.choice([1, 2, 3]))
        name = listed(found)[0]
        question = say(r, "[find|search for] [a video about |the video on |]{t} and [tell me more about|give me details of] the [first|best|top] [match|one|result]", t=theme)
        answer = shelf.details(shelf.named(*name), name[1])
        it.user(question).calls(("search_videos_by_topic", {"query": theme})).results(found).calls(("get_video_details", {"video_id": name[1]})).results(answer).answer(first_sentences(r, answer, 2))
    return it


KINDS = [recent, recent, stats, details, similar, about_channel, about_channel, topic, topic, topic, topic]


def talk(r, today):
    it, shelf = Talk("history"), store.Shelf(r)
    pick = r.random()
    if pick < 0.1:
        return chain(r, it, shelf, today)
    if pick < 0.2:
        a, b = r.sample([recent, stats, about_channel, topic, details], 2)
        one, two = a(r, shelf, today), b(r, shelf, today)
        second = two[0][0].lower() + two[0][1:] if not two[0].startswith("I ") else two[0]
        question = one[0].rstrip("?.!") + r.choice([" and ", ", and ", ". Also, ", "? And ", " and also "]) + second
        return it.user(question).calls(one[1], two[1]).results(one[2], two[2]).answer(one[3].replace(" This is a sample history.", "").replace("\nThis is a sample history.", "") + "\n\n" + two[3])
    question, made, result, answer = r.choice(KINDS)(r, shelf, today)
    it.user(question).calls(made).results(result).answer(answer)
    if pick < 0.4 and made[0] in ("get_recent_videos", "search_videos_by_topic", "find_similar_videos"):
        refer(r, it, shelf, result)
    elif pick < 0.5 and made[0] == "search_videos_by_topic":
        again(r, it, shelf, made, today)
    elif pick < 0.5 and made[0] == "get_channel_info":
        name = channel(r, shelf)
        result = shelf.channel(name)
        it.user(say(r, "[and|what about|how about|and for|same for] {c}?", c=name)).calls(("get_channel_info", {"channel_name": name})).results(result).answer(first_sentences(r, result, 4))
    return it
