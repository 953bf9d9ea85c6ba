"""[`Shelf`]: a watch history made up for one conversation, told in the words of the product's tools."""

import json
import pathlib
import re
import string
from collections import namedtuple

Video = namedtuple("Video", "id title channel length ago")
RESULTS = json.loads((pathlib.Path(__file__).parent.parent / "results.json").read_text())


def things(name):
    """Names of things, of which there are hundreds: `things/NAME.json`."""
    return json.loads((pathlib.Path(__file__).parent / "things" / f"{name}.json").read_text(encoding="utf-8"))


HOWTOS = things("howtos")
AGO = ["2 hours ago", "5 hours ago", "yesterday", "2 days ago", "3 days ago", "4 days ago", "5 days ago", "6 days ago", "1 week ago", "2 weeks ago", "3 weeks ago", "1 month ago",
       "2 months ago", "3 months ago", "5 months ago", "1 year ago"]
TITLES = """How {} Really Works|{} in 10 Minutes|The Truth about {}|{} for Beginners|Advanced {}|Why {} Matters|{}: What Nobody Tells You|A Day of {}|My {} Setup|
5 {} Mistakes to Avoid|Learning {} the Slow Way|{} Explained|The History of {}|{} vs Reality|I Tried {} for 30 Days|{}, Part 2|Everything about {}|A Gentle Introduction to {}|
Is {} Worth It?|{} on a Budget|The Science of {}|Ten Years of {}|{}: a Visual Guide|Rethinking {}|{} Myths, Tested|The Art of {}|
Getting Started with {}|{} at Home|Inside the World of {}|{} without the Hype|Weekend Project: {}|The Quiet Joy of {}|{} Q&A|Before You Start {}|
{}: the Complete Story|A Short Course in {}|{} from Zero|What I Learned from {}|{} in One Hour|My First Year of {}|{}, Explained Calmly|Questions about {}, Answered|{}: Good, Bad and Ugly|
The Problem with {}|Notes on {}|The Future of {}|{} in Plain Words|Three Lessons from {}|{} for Busy People|A Love Letter to {}|Is {} Overrated?|{} Live|The Beauty of {}|{} - Full Documentary|
Everything Wrong with {}|How {} Changed My Life|{} 101|{}, but Simple|Behind the Scenes: {}|{} (Part 1 of 3)|Ask Me about {}|{} Masterclass|{}: Seven Tips|{} | Episode 12|{} for Kids|
My Honest Opinion on {}|Listening to Experts on {}|{} Then and Now|An Evening with {}|{} - What Works and What Does Not""".replace("\n", "").replace("{} | Ep", "{} / Ep").split("|")
HOW_TITLES = """How to {}|How to {} (Step by Step)|How to {} in 5 Minutes|How to {} like a Pro|Never Struggle to {} Again|The Easy Way to {}|{}: a Beginner's Guide|Learn to {} Today|How I {} Every Time|
{}, the Right Way|3 Ways to {}|How NOT to {}|Watch Me {}|{} without Special Tools""".replace("\n", "").split("|")
SMALL = set("a an and as at but by for from in of on or the to vs with without".split())
THINGS = """Espresso|Black Holes|Rust|Python|Investing|Sourdough|Chess|Jazz|Sailing|Yoga|Drones|Volcanoes|Compilers|Tokyo|Gardening|Batteries|Knitting|Woodworking|
Docker|Sleep|Negotiation|Cameras|Cycling|Roman Roads|Deep Learning|Calligraphy|Tax|Bread|Quantum Physics|Running|Minimalism|Linux|Coral Reefs|Maps|
Beekeeping|Pottery|Neural Networks|Origami|Spanish|Watercolour|Bouldering|Glaciers|Type Design|Solar Panels|Mushrooms|Cheese|Violin Making|Bird Migration|
Lisbon|Tiny Houses|Fermentation|Blacksmithing|Kubernetes|Statistics|Swimming|Street Food|Film Photography|Telescopes|Trains|Lighthouses|Octopuses|Ceramics|
Card Tricks|Public Speaking|Interior Design|Electric Cars|Meditation|Soup|Juggling|Robotics|Databases|Chocolate|Iceland|Mythology|Insects|Bridges""".replace("\n", "").split("|") + things("topics")
CHANNELS = """3Blue1Brown|Kurzgesagt|CodeAesthetic|Bon Appetit|NileRed|Fireship|Computerphile|Veritasium|Numberphile|Sixty Symbols|Vsauce|Smarter Every Day|Wendover Productions|
Real Engineering|The Coding Train|GothamChess|Practical Engineering|Technology Connections|TED|Crash Course|MIT OpenCourseWare|Two Minute Papers|
Quiet Workshop|The Slow Kitchen|Bytes and Bolts|North Trail|Paper Planes|Atlas of Small Things|Night Sky Diary|Rust Never Sleeps|Salt and Smoke|The Map Room|Daily Grammar|Chess in Plain Words|
Garden Shed Science|Copper Pot|Level Ground|Two Left Feet|Deep Field|The Loop Station|Mossy Bench|Open Stage|Cold Brew Coding|Wheel and Chain|Tall Ships Weekly|Brick by Brick|Curious Ledger|
Little Lab|Harbour Lights|Numbers at Night|Old Town Walks|Studio Nine|Pixel Orchard|Green Thumb TV|The Data Barn|Wild Rivers|Sunday Bakers|Fret and Bow|Lens and Light|The Language Loft|Iron Kettle|
Motor Garage""".replace("\n", "").split("|") + things("channels")
SAMPLE_NOTE = "\n\n(This is a sample history: nothing was imported yet. `toolwright watch import FILE` brings in yours.)"


def sample():
    """The sample's videos, read off the kept results."""
    found = {}
    for one in RESULTS:
        if one["tool"] == "get_recent_videos":
            ids = dict(re.findall(r"(\d+)\. (sample-\d+)", one["text"]))
            for n, title, channel, _, length, ago in re.findall(r"^(\d+)\. (.*) from (.*?)( \(([\d:]+)\))? - watched (.*)$", one["text"], re.M):
                found[ids[n]] = Video(ids[n], title, channel, length, ago)
    return list(found.values())


SAMPLE = sample()


def video_id(r):
    return "".join(r.choice(string.ascii_letters + string.digits + "_-") for _ in range(11))


def counted(n, word):
    return f"{n} {word}{'' if n == 1 else 's'}"


def headed(theme):
    """A theme as it stands in a title."""
    words = theme.split(" ")
    return " ".join(it if any(c.isupper() for c in it) or at and it in SMALL else it[:1].upper() + it[1:] for at, it in enumerate(words))


def titles(r, theme, n):
    """Titles of videos about a theme."""
    some = HOW_TITLES if theme in HOWTOS else TITLES
    name = headed(theme)
    within = name[0].lower() + name[1:] if name.startswith("The ") else name
    return [it.format(name if it.startswith("{}") else within) for it in r.sample(some, min(n, len(some)))]


class Shelf:
    """Videos, and how each tool tells of them."""

    def __init__(self, r):
        self.r, self.is_sample = r, r.random() < 0.6
        self.note = SAMPLE_NOTE if self.is_sample else ""
        self.ids, self.extra = {}, []
        if self.is_sample:
            self.videos = r.sample(SAMPLE, 50)
        else:
            names = r.sample(THINGS, 14) + r.sample(HOWTOS, 2)
            owners = r.sample(CHANNELS, 8)
            made = list(dict.fromkeys(titles(r, r.choice(names), 1)[0] for _ in range(70)))[:50]
            self.videos = [Video(video_id(r), title, r.choice(owners), self.clock(), r.choice(AGO)) for title in made]
        order = {ago: at for at, ago in enumerate(AGO)}
        self.videos.sort(key=lambda it: order.get(it.ago, 99))
        self.channels = sorted({it.channel for it in self.videos})

    def clock(self):
        minutes, seconds = self.r.randint(2, 59), self.r.randint(0, 59)
        return f"{minutes}:{seconds:02}" if self.r.random() < 0.9 else f"{self.r.randint(1, 3)}:{minutes:02}:{seconds:02}"

    def video(self):
        return self.r.choice(self.videos)

    def named(self, title, name):
        return next((it for it in self.videos + self.extra if it.id == name), Video(name, title, self.r.choice(self.channels), self.clock(), self.r.choice(AGO)))

    def about(self, theme, n, channel=None):
        """Videos whose titles have the theme in them."""
        r, some = self.r, titles(self.r, theme, n)
        for title in some:
            made = f"sample-{r.randint(97, 9999):04}" if self.is_sample else video_id(r)
            self.extra.append(Video(made, title, channel or r.choice(self.channels), self.clock(), r.choice(AGO)))
        return self.extra[len(self.extra) - len(some):] if some else []

    def list(self, head, lines, ids):
        text = head + "".join(f"\n{n}. {line}" for n, line in enumerate(lines, 1))
        return text + "\n\nVideo IDs: " + ", ".join(f"{n}. {it}" for n, it in enumerate(ids, 1))

    def recent(self, n, only=None):
        videos = [it for it in self.videos if only in (None, it.channel)][:n]
        if not videos:
            return "I couldn't find any videos from that channel in your recent history." + self.note
        head = "You watched 1 video recently:" if len(videos) == 1 else f"You've watched {len(videos)} videos recently. Here are some highlights:"
        lines = [f"{it.title} from {it.channel}{f' ({it.length})' if it.length else ''} - watched {it.ago}" for it in videos]
        return self.list(head, lines, [it.id for it in videos]) + self.note

    def found(self, n, among=None):
        """What a search returns: so many of the videos, these first."""
        words = "\n\n(Found by words only.)" if self.r.random() < 0.5 else ""
        if n == 0:
            return "I couldn't find any videos matching your search." + words + self.note
        first = list(among or [])[:n]
        videos = first + self.r.sample([it for it in self.videos if it not in first], n - len(first))
        scores = sorted((self.r.uniform(0.2, 0.95) for _ in videos), reverse=True)
        lines = [f"{it.title} from {it.channel} (watched {it.ago}) [relevance: {score:.2f}]" for it, score in zip(videos, scores)]
        head = f"I found {counted(n, 'video')} that {'matches' if n == 1 else 'match'} your search:"
        return self.list(head, lines, [it.id for it in videos]) + words + self.note

    def channel_id(self, name):
        made = "UCsample-channel-" + f"{self.r.randint(1, 24):07}" if self.is_sample else "UC" + (video_id(self.r) + video_id(self.r))
        return self.ids.setdefault(name, made)

    def details(self, video, name):
        if video is None:
            return f"I couldn't find a video with ID {name} in your watch history." + self.note
        times = self.r.choice([1, 1, 2, 3, 5])
        watched = f"you watched it once, {video.ago}" if times == 1 else f"you watched it {times} times, most recently {video.ago}"
        parts = video.length.split(":") if video.length else []
        minutes = (int(parts[0]) * 60 + int(parts[1]) if len(parts) == 3 else int(parts[0])) if parts else 0
        length = f"It's {counted(minutes, 'minute')} long and " if parts else ""
        watched = watched if length else watched[0].upper() + watched[1:]
        return (f"You watched '{video.title}' from {video.channel}. {length}{watched}. Its channel's ID is {self.channel_id(video.channel)}. "
                f"Its link is https://www.youtube.com/watch?v={video.id}{self.note}")

    def channel(self, name):
        r, n = self.r, self.r.randint(1, 60)
        last = next((it for it in self.videos if it.channel == name), None) or self.video()
        spent = r.choice([f"{r.randint(10, 59)} minutes", "1 hour", f"{r.randint(11, 98) / 10:.1f} hours", f"{r.randint(10, 60)} hours"])
        return (f"You've watched {counted(n, 'video')} from {name}. Your total watch time from this channel is about {spent}, with an average video duration of "
                f"{r.randint(4, 50)} minutes. You've watched its videos a total of {n + r.randint(1, 20)} times. "
                f"The most recent one was '{last.title}' ({last.id}), {last.ago}. The channel's ID is {self.channel_id(name)}.{self.note}")

    def statistics(self):
        r = self.r
        if self.is_sample and r.random() < 0.3:
            return next(it["text"] for it in RESULTS if it["tool"] == "get_statistics")
        videos, channels = r.randint(80, 9000), r.randint(10, 400)
        known = f" (the length of {videos - r.randint(1, 40):,} of the {videos:,} videos is known)" if r.random() < 0.6 else ""
        top = r.sample(self.channels, 3)
        return (f"You've watched {videos:,} videos across {channels} channels. Your total watch time is approximately {r.randint(20, 3000):,} hours, with an average video duration of "
                f"{r.randint(6, 40)} minutes{known}. You've watched videos a total of {videos + r.randint(10, 500):,} times. Your viewing history spans from "
                f"{r.choice(['March', 'May', 'July'])} {r.randint(1, 28)}, {r.randint(2015, 2025)} to November {r.randint(1, 15)}, 2026. The channels you've watched most are "
                f"{top[0]} ({r.randint(20, 60)} videos), {top[1]} ({r.randint(10, 20)} videos) and {top[2]} ({r.randint(4, 10)} videos).{self.note}")
