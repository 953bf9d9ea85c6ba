"""Weather, notes, videos and files as other people ask of them: two asks at once, what goes into a note, second questions about a list."""

import json
import re

from . import demo, history, store, workspace
from .history import alike, channel_told, detailed, fitting, from_channel, line_told, listed, told
from .patterns import heard
from .talks import CANT, Talk, clean, mention, rare, tell
from .words import moment, number, placed, say

DEMO = {name: heard("demo", name, slots) for name, slots in {"TWO_WEATHERS": "ce", "WEATHER_TIP": "cpa", "WEATHER_NOTE": "ct", "TIP_NOTE": "pat", "TWO_TIPS": "pab", "LIST_DELETE": "", "TAKE_LIST": "t", "DELETE_TAKE": "t", "NOTE_WEATHER": "c", "NOTE_TIP": "pa",
    "NOTE_TOTAL": "pa", "NOTE_IT_AFTER": "", "THREE_WEATHERS": "cef", "TWO_NOTES": "ts", "TWO_RATES": "paq", "WEATHER_LIST": "c", "TIP_LIST": "pa", "THREE_ASKS": "cpat"}.items()}
HISTORY = {name: heard("history", name, slots) for name, slots in {"RECENT_ONE": "", "LAST_TOLD": "l", "LAST_ALIKE": "l", "REFER_TOLD": "w", "REFER_ALIKE": "w", "REFER_CHANNEL": "w", "REFER_ACT": "w", "REFER_1": "", "REFER_2": "", "REFER_3": "", "REFER_last": "",
    "REFER_about": "x", "REFER_from": "c", "IT_TOLD": "", "IT_ALIKE": "", "IT_CHANNEL": "", "IT_CHANNEL_MORE": "", "CHANNEL_NEWEST_TOLD": "", "CHANNEL_NEWEST_ALIKE": "", "SAME_CHANNEL": "c", "SAME_TOPIC": "t", "SAME_TIME": "w", "SAME_ONLY_CHANNEL": "c",
    "SAME_N": "n", "THANKS": "", "RECENT_TYPE": "c"}.items()}
FILES = {name: heard("workspace", name, slots) for name, slots in {"NOTE_SEARCH": "w", "NOTE_VALUE": "kf", "NOTE_RUN": "c", "NOTE_IT_AFTER": "", "RUN_TWO": "ab", "SHOW_RUN": "fc", "SEARCH_SHOW_FILE": "wf", "LIST_SHOW_FILE": "df",
    "EDIT_RUN": "onfc", "WRITE_RUN": "ftc"}.items()}
REMARKS = heard("small", "REMARKS", own=["I should do that some day"])


def noted(it, text):
    return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


def days(r, it, today):
    """Weather, tips and notes."""
    pick = r.choice(list(DEMO))
    (amount, shown), (percent, words) = demo.money(r), demo.percents(r)
    a, b = demo.city(r), demo.city(r)
    text = demo.filled(r, r.choice(r.choice([demo.TO_DO, demo.FACTS, demo.SCRAPS])))
    pattern = demo.spelled(r.choice(DEMO[pick]), words)
    values = {"c": a, "e": b, "p": words, "a": shown, "t": text}
    if pick in ("THREE_WEATHERS", "TWO_NOTES", "TWO_RATES", "WEATHER_LIST", "TIP_LIST", "THREE_ASKS"):
        return more(r, it, pick, pattern, values, amount, percent)
    weather = lambda place: (("get_weather", {"location": place}), *demo.sky_of(r, place))
    tip = lambda amount: (("calculate_tip", {"amount": amount, "percentage": percent}), (made := demo.tip_of(amount, percent)), demo.tip_told(r, made))
    take = (("take_note", {"text": text}), f"Noted: {text}", f"I noted: {text}")
    if pick == "TWO_TIPS":
        other, values["b"] = demo.money(r)
        two = [tip(amount), tip(other)]
        two = [(*one[:2], f"{said}: tip {json.loads(one[1])['tip']}, total {json.loads(one[1])['total']}.") for one, said in zip(two, (shown, values["b"]))]
    else:
        two = {"TWO_WEATHERS": lambda: [weather(a), weather(b)], "WEATHER_TIP": lambda: [weather(a), tip(amount)], "WEATHER_NOTE": lambda: [weather(a), take], "TIP_NOTE": lambda: [tip(amount), take]}.get(pick, lambda: None)()
    if two:
        if pick == "TWO_WEATHERS" and a == b:
            return None
        question = tell(r, pattern, **values)
        if pick in ("WEATHER_TIP", "WEATHER_NOTE", "TIP_NOTE"):
            # In the order in which they are asked for.
            places = [question.find(str(values[key])) for key in {"WEATHER_TIP": "ca", "WEATHER_NOTE": "ct", "TIP_NOTE": "at"}[pick]]
            two = two if places[0] <= places[1] else two[::-1]
        return it.user(question).calls(*(one[0] for one in two)).results(*(one[1] for one in two)).answer("\n".join(one[2] for one in two))
    if pick in ("LIST_DELETE", "TAKE_LIST", "DELETE_TAKE"):
        some = demo.kept(r, 1)
        it.user(tell(r, pattern, **values))
        if pick == "LIST_DELETE":
            result, said = demo.deleted(r)
            return it.calls(("list_notes", {})).results(demo.listing(some)).calls(("delete_notes", {})).results(result).answer(f"{demo.notes_told(some)}\n\n{said}")
        if pick == "TAKE_LIST":
            return it.calls(take[0]).results(take[1]).calls(("list_notes", {})).results(demo.listing([*some, text])).answer(f"I noted: {text}\n{demo.notes_told([1], 2)}")
        return it.calls(("delete_notes", {})).results("All notes are deleted.").calls(take[0]).results(take[1]).answer(f"All notes are deleted. I noted: {text}")
    if pick == "NOTE_IT_AFTER":
        if r.random() < 0.5:
            call, result, said = weather(a)
            it.user(say(r, r.choice(demo.WEATHER), c=a)).calls(call).results(result).answer(said)
            return noted(it.user(say(r, pattern)), result)
        call, result, said = tip(amount)
        it.user(say(r, demo.spelled(r.choice(demo.TIP_BOTH), words), p=words, a=shown)).calls(call).results(result).answer(said)
        return noted(it.user(say(r, pattern)), "Tip: {tip}, total: {total}".format(**json.loads(result)))
    call, result, said = weather(a) if pick == "NOTE_WEATHER" else tip(amount)
    text = result if pick == "NOTE_WEATHER" else ("Total with tip: {total}" if pick == "NOTE_TOTAL" else "Tip: {tip}, total: {total}").format(**json.loads(result))
    it.user(tell(r, pattern, **values)).calls(call).results(result)
    it.calls(("take_note", {"text": text})).results(f"Noted: {text}")
    return it.answer(f"{said} I noted: {text}" if r.random() < 0.5 else f"I noted: {text}")


def more(r, it, pick, pattern, values, amount, percent):
    """Two things of one kind, or of several, all of them done in one turn."""
    weather = lambda place: (("get_weather", {"location": place}), *demo.sky_of(r, place))
    tip = lambda percent: (("calculate_tip", {"amount": amount, "percentage": percent}), (made := demo.tip_of(amount, percent)), demo.tip_told(r, made))
    take = lambda text: (("take_note", {"text": text}), f"Noted: {text}", f"I noted: {text}")
    notes = lambda at: (("list_notes", {}), demo.listing(some := demo.kept(r, 1)), demo.notes_told(some, at))
    if pick == "THREE_WEATHERS":
        values["f"] = demo.city(r)
        two = [weather(values[key]) for key in "cef"]
    elif pick == "TWO_NOTES":
        # Both are things to do, as both may stand behind "to".
        values.update({key: demo.filled(r, r.choice(demo.TO_DO)) for key in "ts"})
        two = [take(values[key]) for key in "ts"]
    elif pick == "TWO_RATES":
        other = r.choice([it for it in (5, 8, 10, 12, 15, 18, 20, 22, 25, 30) if it != percent])
        values["q"] = str(other)
        two = [(*(one := tip(each))[:2], f"At {each}%: tip {json.loads(one[1])['tip']}, total {json.loads(one[1])['total']}.") for each in (percent, other)]
    elif pick == "WEATHER_LIST":
        two = [weather(values["c"]), notes(2)]
    elif pick == "TIP_LIST":
        two = [tip(percent), notes(2)]
    else:
        two = [weather(values["c"]), tip(percent), take(values["t"])]
    if len({json.dumps(one[0]) for one in two}) < len(two):
        return None
    question = tell(r, pattern, **values)
    if pick in ("THREE_ASKS", "THREE_WEATHERS", "TWO_NOTES"):
        # In the order in which they are asked for.
        places = [question.find(str(values[key])) for key in {"THREE_ASKS": "cat", "THREE_WEATHERS": "cef", "TWO_NOTES": "ts"}[pick]]
        two = [two[at] for at in sorted(range(len(two)), key=places.__getitem__)]
    return it.user(question).calls(*(one[0] for one in two)).results(*(one[1] for one in two)).answer("\n".join(one[2] for one in two))


def asked_list(r, it, shelf, today):
    """A list of videos is asked for and pointed at: (the result, the call)."""
    kind = r.choice([history.recent, history.topic, history.topic, history.similar])
    question, made, result, answer = kind(r, shelf, today)
    it.user(question).calls(made).results(result).answer(answer)
    return result, made


def videos(r, it, today):
    """What was watched: the last one, one of a list, the same otherwise."""
    shelf, pick = store.Shelf(r), r.random()
    if pick < 0.1:
        result = shelf.recent(1)
        video = listed(result)[0]
        it.user(say(r, r.choice(HISTORY["RECENT_ONE"]))).calls(("get_recent_videos", {"limit": 1})).results(result).answer(line_told(result, 0))
        if r.random() < 0.6:
            kind = r.choice(["IT_TOLD", "IT_ALIKE", "IT_CHANNEL"])
            it.user(say(r, r.choice(HISTORY[kind])))
            return detailed(r, it, shelf, *video) if kind == "IT_TOLD" else alike(r, it, shelf, video[1]) if kind == "IT_ALIKE" else channel_told(r, it, shelf, shelf.named(*video).channel)
        return it
    if pick < 0.25:
        n = r.choice([1, 1, 1, 2, 2, 3, 4])
        result = shelf.recent(n)
        video = listed(result)[n - 1]
        words = history.expand(r, r.choice(history.LAST)) if n == 1 else r.choice(history.NTH[n])
        kind = r.choice(["LAST_TOLD", "LAST_ALIKE"])
        it.user(say(r, r.choice(HISTORY[kind]), l=words)).calls(("get_recent_videos", {"limit": n})).results(result)
        return detailed(r, it, shelf, *video) if kind == "LAST_TOLD" else alike(r, it, shelf, video[1])
    if pick < 0.55:
        result, _ = asked_list(r, it, shelf, today)
        some = listed(result)[:10]
        if len(some) < 2 or len(result) > 1150:
            return None
        at = r.choice([0, 0, 1, 1, 2, len(some) - 1])
        at = min(at, len(some) - 1)
        title, name = some[at]
        word, video = history.about(r, some, at), shelf.named(title, name)
        ways = [r.choice(HISTORY[f"REFER_{at + 1}"])] if at < 3 else []
        ways += [r.choice(HISTORY["REFER_last"])] if at == len(some) - 1 else []
        ways += [say_plain(r.choice(HISTORY["REFER_about"]), x=word)] if word else []
        ways += [say_plain(r.choice(HISTORY["REFER_from"]), c=video.channel)] if result.count(f" from {video.channel} ") == 1 else []
        ways += [title]
        kind = r.choices(["REFER_TOLD", "REFER_ALIKE", "REFER_CHANNEL", "REFER_ACT"], [4, 3, 2, 1])[0]
        it.user(say(r, r.choice(HISTORY[kind]), w=history.expand(r, r.choice(ways))))
        if kind == "REFER_ACT":
            return it.answer(CANT)
        return detailed(r, it, shelf, title, name) if kind == "REFER_TOLD" else alike(r, it, shelf, name) if kind == "REFER_ALIKE" else channel_told(r, it, shelf, video.channel)
    if pick < 0.7:
        video = shelf.video()
        text = shelf.details(video, video.id)
        it.user(say(r, r.choice(history.DETAILS), v=video.id)).calls(("get_video_details", {"video_id": video.id})).results(text)
        it.answer(history.one_told(history.asked(it), text, 1))
        kind = r.choice(["IT_ALIKE", "IT_CHANNEL", "IT_CHANNEL_MORE"])
        it.user(say(r, r.choice(HISTORY[kind])))
        if kind == "IT_ALIKE":
            return alike(r, it, shelf, video.id)
        return channel_told(r, it, shelf, video.channel) if kind == "IT_CHANNEL" else from_channel(r, it, shelf, video.channel, re.search(r"Its channel's ID is (\S+)\. ", text).group(1))
    if pick < 0.82:
        name = r.choice(shelf.channels)
        text = shelf.channel(name)
        it.user(say(r, r.choice(history.CHANNEL), c=name)).calls(("get_channel_info", {"channel_name": name})).results(text)
        it.answer(history.one_told(history.asked(it), text, 1))
        kind = r.choice(["CHANNEL_NEWEST_TOLD", "CHANNEL_NEWEST_ALIKE", "SAME_CHANNEL", "SAME_CHANNEL", "IT_CHANNEL_MORE"])
        newest = re.search(r"The most recent one was '(.*)' \((\S+)\), ", text).groups()
        if kind == "SAME_CHANNEL":
            other = r.choice(store.CHANNELS)
            about = shelf.channel(other)
            first = history.asked(it)
            it.user(say(r, r.choice(HISTORY[kind]), c=other)).calls(("get_channel_info", {"channel_name": other})).results(about)
            return it.answer(history.one_told(first, about, 1))
        it.user(say(r, r.choice(HISTORY[kind])))
        if kind == "IT_CHANNEL_MORE":
            return from_channel(r, it, shelf, name, re.search(r"The channel's ID is (\S+)\.", text).group(1))
        return detailed(r, it, shelf, *newest) if kind == "CHANNEL_NEWEST_TOLD" else alike(r, it, shelf, newest[1])
    if pick < 0.85:
        # By its whole name, or by its first word where that says something.
        words = r.choice(shelf.channels)
        name = words if r.random() < 0.6 or words.split(" ")[0] in ("The", "A", "In", "On", "Two", "How", "My") else words.split(" ")[0]
        name = history.typed(r, name)
        text = shelf.channel(words) if r.random() < 0.6 else f"I couldn't find {name} in your watch history." + shelf.note
        return it.user(say(r, r.choice(HISTORY["RECENT_TYPE"]), c=name)).calls(("get_channel_info", {"channel_name": name})).results(text).answer(history.one_told("", text, 1))
    question, made, result, answer = history.topic(r, shelf, today)
    it.user(question).calls(made).results(result).answer(answer)
    arguments, kind = dict(made[1]), r.choice(["SAME_TOPIC", "SAME_TOPIC", "SAME_TIME", "SAME_ONLY_CHANNEL", "SAME_N", "THANKS"])
    if kind == "THANKS":
        return it.user(say(r, r.choice(HISTORY[kind]))).answer("You're welcome!")
    values = {"t": r.choice(history.TOPICS), "c": r.choice(shelf.channels)}
    n, values["n"] = history.small(r)
    if kind == "SAME_TOPIC":
        arguments["query"] = values["t"]
    elif kind == "SAME_ONLY_CHANNEL":
        arguments["channel_name"] = values["c"]
    elif kind == "SAME_N":
        arguments["n_results"] = n
    else:
        if not today:
            return None
        words, start, end, _ = moment(r, today)
        values["w"] = placed(r, words)
        arguments.pop("date_to", None)
        arguments.update(clean({"date_from": str(start), "date_to": str(end) if end else None}))
    found = fitting(r, shelf, arguments, r.choice([0, 1, 2, 3, 4]))
    return it.user(say(r, r.choice(HISTORY[kind]), **values)).calls(("search_videos_by_topic", arguments)).results(found).answer(told(found))


def say_plain(pattern, **values):
    for name, value in values.items():
        pattern = pattern.replace("{" + name + "}", value)
    return pattern


def two_steps(r, it, pick):
    """Two things to be done in the workspace in one sentence: at once, or the second after the first where it needs that."""
    it.task, root, name, command = "workspace", r.choice(workspace.ROOTS), workspace.path(r), workspace.literal(r)
    pattern = r.choice([one for one in FILES[pick] if "&&" not in one])
    if command[-1] in ".?!":
        return None
    ran = lambda command, at: ((text := workspace.prints(r, command)), f"{text}{chr(10) if text else ''}[exit 0, 0.{r.randint(0, 9)} s]", workspace.ran(command, text, at))[1:]
    show = (("show", {"file_path": name}), workspace.numbered(workspace.body(r)))
    if pick == "RUN_TWO":
        other = workspace.literal(r)
        if other[-1] in ".?!":
            return None
        (a, first), (b, second) = ran(command, 1), ran(other, 2)
        return it.user(tell(r, pattern, a=command, b=other)).calls(("bash", {"command": command})).results(a).calls(("bash", {"command": other})).results(b).answer(f"{first}\n\n{second}")
    if pick == "SHOW_RUN":
        result, said = ran(command, 2)
        question = tell(r, pattern, f=name, c=command)
        if question.find(command) < question.find(name):
            result, said = ran(command, 1)
            return it.user(question).calls(("bash", {"command": command}), show[0]).results(result, show[1]).answer(f"{said}\n\n{workspace.shown_as(name, 2)}")
        return it.user(question).calls(show[0], ("bash", {"command": command})).results(show[1], result).answer(f"{workspace.shown_as(name)}\n\n{said}")
    if pick == "SEARCH_SHOW_FILE":
        word = r.choice([rare(r), workspace.symbol(r)])
        line = f"{workspace.path(r)}:{r.randint(1, 90)}: {workspace.hit(r, word)}\n"
        return it.user(tell(r, pattern, w=workspace.quoted(r, word), f=name)).calls(("search", {"pattern": word}), show[0]).results(line, show[1]).answer(f"`{word}` is in:\n[[1]]\n\n{workspace.shown_as(name, 2)}")
    if pick == "LIST_SHOW_FILE":
        folder = r.choice(workspace.FOLDERS)
        return it.user(tell(r, pattern, d=folder, f=name)).calls(("list", {"path": folder}), show[0]).results("\n".join(workspace.tree(r, folder)), show[1]).answer(f"{workspace.listing(folder)}\n\n{workspace.shown_as(name, 2)}")
    result, said = ran(command, 2)
    if pick == "EDIT_RUN":
        old, new = workspace.pair(r)
        if old == new or "'" in old + new:
            return None
        question = tell(r, pattern, o=f"'{old}'", n=f"'{new}'", f=name, c=command)
        it.user(question).calls(("edit", {"file_path": name, "new_string": new, "old_string": old})).results(workspace.diff(r, root, name, old, new))
        return it.calls(("bash", {"command": command})).results(result).answer(f"{workspace.done(name, old, new)}\n\n{said}")
    text = workspace.content(r)
    it.user(tell(r, pattern, f=name, t=workspace.quoted(r, text, always=True), c=command)).calls(("write", {"content": text, "file_path": name})).results(workspace.written(r, root, name, text))
    return it.calls(("bash", {"command": command})).results(result).answer(f"{name} is written.\n\n{said}")


def files(r, it, today):
    """What files and commands say goes into a note."""
    pick = r.choice(["NOTE_SEARCH", "NOTE_VALUE", "NOTE_RUN", "NOTE_IT_AFTER", "REMARKS", "RUN_TWO", "SHOW_RUN", "SEARCH_SHOW_FILE", "LIST_SHOW_FILE", "EDIT_RUN", "WRITE_RUN"])
    if pick in ("RUN_TWO", "SHOW_RUN", "SEARCH_SHOW_FILE", "LIST_SHOW_FILE", "EDIT_RUN", "WRITE_RUN"):
        return two_steps(r, it, pick)
    if pick == "REMARKS":
        return it.quiet(mention(r, r.choice(REMARKS)), "I see.", *r.sample(["take_note", "delete_notes", "bash", "edit", "show", "get_weather", "calculate_tip", "search"], 3))
    if pick == "NOTE_SEARCH":
        word = r.choice([rare(r), workspace.symbol(r)])
        line = f"{workspace.path(r)}:{r.randint(1, 90)}: {workspace.hit(r, word)}"
        return noted(it.user(say(r, r.choice(FILES[pick]), w=workspace.quoted(r, word))).calls(("search", {"pattern": word})).results(line + "\n"), line)
    name = workspace.path(r, ["toml", "yaml", "ini", "env", "yml"])
    known, text = workspace.settings(r, name)
    key, value, line, _ = r.choice(known)
    if pick == "NOTE_VALUE":
        return noted(it.user(say(r, r.choice(FILES[pick]), k=key, f=name)).calls(("show", {"file_path": name})).results(workspace.numbered(text)), line.strip().rstrip(","))
    if pick == "NOTE_IT_AFTER":
        it.user(say(r, r.choice(workspace.ASK_VALUE), k=key, f=name)).calls(("show", {"file_path": name})).results(workspace.numbered(text)).answer(f"The {key} in {name} is {value}: `{line.strip().rstrip(',')}`")
        return noted(it.user(say(r, r.choice(FILES[pick]))), line.strip().rstrip(","))
    command = workspace.literal(r)
    text = workspace.prints(r, command).split("\n")[0]
    if not text or command[-1] in ".?!":
        return None
    return noted(it.user(say(r, r.choice(FILES[pick]), c=command)).calls(("bash", {"command": command})).results(f"{text}\n[exit 0, 0.0 s]"), text)


def talk(r, today):
    while True:
        kind = r.choices([days, videos, files], [4, 7, 5])[0]
        it = Talk({days: "demo", videos: "history", files: "any"}[kind])
        if kind(r, it, today):
            return it
