"""Weather, tips and notes."""

import json

from .talks import Talk, clean
from .words import number, say, typo

CITIES = """Paris|Tokyo|San Francisco|San Francisco, CA|Nairobi|Berlin|Toronto|Cape Town|New Delhi|Rio de Janeiro|Seoul|Austin, Texas|Rome|Cairo|Dublin|Hanoi|
Madrid|Chicago|Mumbai|Kyoto|Vienna|Buenos Aires|São Paulo|London|New York|New York City|Los Angeles, CA|Boston|Seattle, WA|Denver, CO|Miami|Oslo|Stockholm|
Copenhagen|Helsinki|Reykjavik|Zurich|Zürich|Munich|Hamburg|Prague|Warsaw|Budapest|Athens|Lisbon|Porto|Barcelona|Valencia|Marseille|Lyon|Nice|Brussels|Amsterdam|
Utrecht|Edinburgh|Glasgow|Manchester|Liverpool|Leeds|Bristol|Cork|Istanbul|Ankara|Tel Aviv|Dubai|Abu Dhabi|Doha|Riyadh|Tehran|Karachi|Lahore|Dhaka|Kolkata|
Chennai|Bengaluru|Hyderabad|Pune|Jaipur|Kathmandu|Colombo|Bangkok|Chiang Mai|Singapore|Kuala Lumpur|Jakarta|Manila|Hong Kong|Shanghai|Beijing|Taipei|Osaka|
Sapporo|Busan|Sydney|Melbourne|Brisbane|Perth, Australia|Auckland|Wellington|Lagos|Accra|Addis Ababa|Kampala|Casablanca|Tunis|Dakar|Johannesburg|Mexico City|
Guadalajara|Bogotá|Medellín|Lima|Quito|Santiago|Montevideo|Caracas|Havana|Vancouver|Montreal|Calgary|Portland, Oregon|Salt Lake City|Las Vegas, NV|
New Orleans|Nashville, Tennessee|St. Louis|Kansas City|Minneapolis|Anchorage, Alaska|Honolulu|Springfield, IL|Santa Fe|Ulm|Graz|Bern|Split|Riga|Tallinn""".replace("\n", "").split("|")
SKIES = ["72°F, sunny"] * 6 + ["55°F, cloudy", "18°C, light rain", "31°C, clear", "-4°C, snow", "64°F, windy", "9°C, fog", "88°F, humid", "22°C, partly cloudy"]
WEATHER = [
    "[What's|What is|Hows|How's|How is|tell me|give me|show me|check|get] the [current |latest ||] [weather|weather forecast|weather report|forecast] [in|for|at] {c}[| today| now| right now| at the moment]?",
    "weather [in |for |]{c}", "{c} weather[| today| now]", "[Is it|Will it be] [raining|sunny|cold|hot|warm|snowing|windy|cloudy] [in|over in] {c}[| today| right now]?",
    "[Do|Will|Should] I [need|take|bring] [an umbrella|a jacket|a coat|sunglasses] [in|for] {c}[| today]?", "How [hot|cold|warm] is it [in|over in] {c}[| now| today]?",
    "[current conditions|temperature|the temperature|temp] [in|at|for] {c}", "What's it like outside in {c}?", "I'm [flying|travelling|going|heading] to {c}[| today| tomorrow], [what's|how's] the weather[| there| like]?",
    "what kind of weather [are they having|do they have] in {c}[| now]?", "could you [check|look up|find out] [the weather|how the weather is] [in|for] {c}?", "{c} - [weather|how warm]?",
    "what does the sky look like in {c}", "[nice|good] weather in {c}?", "in {c}, what is the weather [like|now]?", "let me know the weather in {c}", "how many degrees [is it |]in {c}",
]
TIP_BOTH = [
    "[Calculate|Compute|Work out|Figure out|What's|What is|Give me|How much is] a {p}[%| percent] tip [on|for] [a bill of |a ||]{a}[| bill]", "{p}% tip [on|for] {a}", "[tip|gratuity] of {p}% on {a}",
    "I [want|would like|'d like] to [leave|tip|give] {p}[%| percent] on [a bill of |]{a}", "add [a |]{p}% tip to {a}", "the bill [is|was|came to] {a}, [tip|how much is] {p}[%| percent]?",
    "how much [tip|do I tip|should I leave] [on|for] {a} at {p}[%| percent]?", "{a} [dinner|lunch|bill|check], {p}% tip", "[tip|calculate tip] {a} {p}%", "what would {p} percent [of tip |]be on {a}",
    "[we paid|we owe|dinner cost] {a} and [want|would like] to tip {p}[%| percent]", "with a {p}% tip, what [is|does] {a} [come to|make in total]?",
]
TIP_ONE = [
    "[how much|what] [tip|should I tip|do I tip] [on|for] [a |a bill of |]{a}[| bill]?", "[calculate|work out|compute] the [tip|gratuity] [on|for] {a}", "tip [for|on] {a}", "what's [the usual|a normal|a fair] tip on {a}?",
    "the bill was {a}, what do I leave as a tip?", "I owe {a} for dinner. [Tip|What tip]?", "[usual|standard] tip for {a}[| please]",
]
NOTES = """buy milk|call mum on Sunday|the wifi password is on the fridge|book the dentist|pick up the parcel before six|water the plants|ask Sam about the contract|
return the library books|team lunch on Thursday|renew the passport|milk, eggs and bread|send the invoice to Nadia|check the tyre pressure|meeting moved to 3pm|
parking spot is B12|pay the rent|finish the slides for Monday|cancel the gym|the plumber comes at ten|buy a birthday card for Lea|try the new bakery|
the code of the door is 4711|read chapter 7|order coffee beans|feed the cat twice a day|flight leaves at 6:40|ring the bank about the card|
back up the laptop|train to Lyon at 9:15|prune the roses|ideas for the garden: more herbs|talk to Ravi about the budget|size 42 shoes|check the oven""".replace("\n", "").split("|")
TAKE = [
    "[take|make|write down|save|add|keep] a note: {t}", "note: {t}", "[write|jot|note] [this |that |]down: {t}", "[note|write down|remember] that {t}", "remember: {t}", "please note {t}", "[remind me|remember] to {t}",
    "add [to my notes|a note]: {t}", "put [this |]in my notes: {t}", "save this: {t}", "make a note [to|saying] {t}", "don't let me forget: {t}", "new note: {t}", "can you [note|write down|jot down] {t}?", "keep in mind: {t}",
]
LIST = [
    "[show|list|read|give me|get|display] [me |][all |][my|the] notes", "what [notes do I have|did I note|did I write down|is in my notes|are my notes]?", "my notes", "read [back |out |]my notes[| to me]",
    "do I have any notes?", "what did I ask you to [remember|note|write down]?", "which notes [are there|have I got]?", "anything in my notes?", "what was I supposed to remember?", "open my notes", "how many notes do I have?",
]
DELETE = [
    "[delete|remove|clear|erase|wipe|throw away] [all |all of |][my|the] notes", "[forget|get rid of] [all my|everything in my] notes", "I [don't need|no longer need] [my|the] notes, delete them", "empty my notes", "start over with no notes", "clear the notes",
]


def money(r):
    value = r.choice([r.randint(5, 400), round(r.uniform(5, 400), 2), round(r.uniform(5, 400), 2), r.randint(10, 120) + 0.5])
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    value = float(text) if "." in text else int(text)
    form = r.choice(["${}", "${}", "{}", "{} dollars", "€{}", "{} euros", "£{}", "{} bucks", "${}"])
    return value, form.format(text)


def city(r):
    name = r.choice(CITIES)
    name = typo(r, name) if r.random() < 0.04 else name
    return name.lower() if r.random() < 0.2 else name


def tip(r):
    """(question, call, result, answer) about a tip."""
    (amount, shown), percent = money(r), r.choice([5, 8, 10, 12, 15, 15, 17, 18, 20, 20, 20, 22, 25, 30, 12.5])
    both = r.random() < 0.75
    words = number(r, percent) if percent in (10, 15, 20, 25) and r.random() < 0.25 else str(percent)
    template = r.choice(TIP_BOTH if both else TIP_ONE)
    if not words[0].isdigit():
        template = template.replace("{p}[%| percent]", "{p} percent").replace("{p}%", "{p} percent")
    question = say(r, template, p=words, a=shown)
    gratuity = round(amount * (percent if both else 18.0) / 100, 2)
    result = json.dumps({"tip": gratuity, "total": round(amount + gratuity, 2)}, separators=(",", ":"))
    made = json.loads(result)
    answer = r.choice(["The tip is {tip} and the total is {total}.", "The tip is {tip}, which makes {total} in total.", "A tip of {tip}; the total is {total}."]).format(**made)
    return question, ("calculate_tip", clean({"amount": amount, "percentage": percent if both else None})), result, answer


def weather(r):
    place, sky = city(r), r.choice(SKIES)
    question = say(r, r.choice(WEATHER), c=place)
    degrees, looks = sky.split(", ")
    answer = r.choice([f"The weather in {place} is {degrees} and {looks}.", f"It is {degrees} and {looks} in {place}.", f"{place}: {sky}."])
    return question, ("get_weather", {"location": place}), f"Weather in {place}: {sky}", answer


def note(r):
    text = r.choice(NOTES)
    text = text[0].upper() + text[1:] if r.random() < 0.2 else text
    return say(r, r.choice(TAKE), t=text), ("take_note", {"text": text}), f"Noted: {text}", r.choice([f"Noted: {text}", f"I noted: {text}"])


def notes(r):
    kept = r.sample(NOTES, r.randint(0, 5))
    listed = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    answer = "Your notes:\n" + "\n".join(f"- {it}" for it in kept) if kept else "You have no notes."
    return say(r, r.choice(LIST)), ("list_notes", {}), listed, answer


def delete(r):
    if r.random() < 0.25:
        return say(r, r.choice(DELETE)), ("delete_notes", {}), "The call of delete_notes was denied by the user. Do not try it again.", "You did not allow it: your notes are not deleted."
    return say(r, r.choice(DELETE)), ("delete_notes", {}), "All notes are deleted.", "All notes are deleted."


def lower_first(text):
    return text[0].lower() + text[1:] if text[:2] not in ("I ", "I'") else text


def talk(r, today):
    it = Talk("demo")
    kinds = [weather, weather, tip, tip, note, notes, delete]
    pick = r.random()
    if pick < 0.25:
        # Two asks in one question: two calls in one turn.
        a, b = r.choice([(weather, tip), (tip, weather), (weather, weather), (note, weather), (tip, note), (weather, note), (tip, tip)])
        one, two = a(r), b(r)
        join = r.choice([" and ", " and also ", ", and ", ". Also, ", "? And ", ", also ", " plus ", ". Then "])
        first = one[0].rstrip("?.!") if a is not note else one[0] + "."
        question = first + (join if a is not note else " ") + lower_first(two[0])
        if a is weather and b is weather and r.random() < 0.7:
            question = say(r, "[what's|how's|compare|tell me] the weather in {a} [and|and in|versus] {b}?", a=one[1][1]["location"], b=two[1][1]["location"])
        return it.user(question).calls(one[1], two[1]).results(one[2], two[2]).answer(f"{one[3]} {two[3]}" if "\n" not in one[3] + two[3] else f"{one[3]}\n{two[3]}")
    question, made, result, answer = r.choice(kinds)(r)
    it.user(question).calls(made).results(result).answer(answer)
    if pick < 0.5 and made[0] == "get_weather":
        place, sky = city(r), r.choice(SKIES)
        question = say(r, r.choice(["[and|what about|how about|and in|and what about] {c}?", "same for {c}", "{c}?", "now {c}", "and {c} too"]), c=place)
        degrees, looks = sky.split(", ")
        it.user(question).calls(("get_weather", {"location": place})).results(f"Weather in {place}: {sky}").answer(f"It is {degrees} and {looks} in {place}.")
    elif pick < 0.6 and made[0] == "calculate_tip":
        percent = r.choice([10, 12, 15, 18, 20, 25])
        gratuity = round(made[1]["amount"] * percent / 100, 2)
        result = json.dumps({"tip": gratuity, "total": round(made[1]["amount"] + gratuity, 2)}, separators=(",", ":"))
        it.user(say(r, "[and|what about|how about|and with|make it|and at] {p}[%| percent]?", p=percent)).calls(("calculate_tip", {"amount": made[1]["amount"], "percentage": percent}))
        it.results(result).answer("The tip is {tip} and the total is {total}.".format(**json.loads(result)))
    elif pick < 0.62 and made[0] == "take_note":
        it.user(say(r, r.choice(LIST))).calls(("list_notes", {})).results(json.dumps([made[1]["text"]], ensure_ascii=False)).answer(f"Your notes:\n- {made[1]['text']}")
    return it
