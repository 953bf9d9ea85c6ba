"""Tools that do not exist, so that new ones work: names, parameters and wordings put together at random."""

import datetime
import json
import re

from .demo import CITIES, NOTES
from .history import TOPICS
from .small import NONE
from .talks import Talk, later
from .words import number, say, written

PEOPLE = "Anna|Tom|Priya|the dentist|Marcus|Yuki|Olga|Ben|Fatima|Lars|Grace|Juan Carlos|Emma|my boss|the landlord|Sofia|Liam|Chen Wei|Aisha|Peter".split("|")
PRODUCTS = "running shoes|wireless headphones|a blue jacket|coffee maker|iPhone 15|office chair|yoga mat|4K monitor|garden hose|mechanical keyboard|winter boots|desk lamp|water bottle|board games|tent|electric kettle".split("|")
LANGUAGES = "French|Spanish|German|Japanese|Italian|Hindi|Portuguese|Korean|Arabic|Dutch|Swedish|Polish|Turkish|English".split("|")
CURRENCIES = "USD|EUR|INR|GBP|JPY|CHF|CAD|AUD|CNY|SEK".split("|")
COUNTRIES = "Brazil|Kenya|Japan|Canada|Norway|Vietnam|Egypt|Peru|Poland|New Zealand|South Korea|Germany|India|Mexico".split("|")
FOODS = "mushroom risotto|pad thai|lentil soup|pancakes|chicken curry|tiramisu|ramen|falafel|apple pie|lasagne|tacos|shakshuka".split("|")
GENRES = "jazz|rock|comedy|thriller|sci-fi|folk|drama|classical|horror|hip hop".split("|")
TEAMS = "Manchester United|Lakers|FC Barcelona|Mumbai Indians|Bayern Munich|Golden State Warriors|Arsenal|Boston Celtics|Ajax".split("|")
PLACES = "the main hall|room 204|the kitchen|the living room|gate B7|the office|the garage|Central Park|Terminal 3|the east wing".split("|")

# verbs ; nouns ; parameters. A parameter: names=kind=wordings; names ending in ? are optional.
CONCEPTS = """
book|reserve|buy;flight|plane ticket;origin|from_city|departure=city=from {};destination|to_city|arrival=city=to {};date?|departure_date=date=on {};passengers?|num_passengers=int:1:9=for {} people,for {} passengers;cabin?|travel_class=enum:economy:business:first=in {} class
book|reserve|get;hotel|hotel room|room;city|location=city=in {};check_in|arrival_date=date=from {},starting {};nights?|num_nights=int:1:14=for {} nights;guests?=int:1:6=for {} guests
book|reserve;table|dinner table;restaurant|venue=word:TEAMS=at {};people|party_size=int:2:12=for {} people;time|at=time=at {};date?=date=on {}
find|search|look for;restaurant|places to eat;city|location|area=city=in {},near {};cuisine?|food_type=enum:italian:indian:thai:mexican:japanese=that is {},serving {} food;price?|budget=enum:cheap:moderate:expensive=that is {}
find|search|get;recipe|recipes;dish|query|name=word:FOODS=for {};servings?|portions=int:1:10=for {} servings;diet?=enum:vegan:vegetarian:keto=that is {}
convert|change|exchange;currency|money;amount|value=num=of {};from_currency|source=word:CURRENCIES=from {};to_currency|target=word:CURRENCIES=to {},into {}
convert;units|measurement;value|amount=num={};from_unit|unit=word:UNITS=from {};to_unit|target_unit=word:UNITS=to {}
translate;text|sentence|phrase;text|content=quote={};target_language|language|to=word:LANGUAGES=into {},to {};source_language?=word:LANGUAGES=from {}
send|write;email|mail|message;recipient|to|receiver=word:PEOPLE=to {};subject|title=quote=with the subject {},about {};urgent?|priority=bool=urgently,as urgent
send|text;sms|text message;phone|number|phone_number=phone=to {};message|body=quote=saying {}
schedule|set up|arrange|create;meeting|appointment|call;person|attendee|with_whom=word:PEOPLE=with {};date|day=date=on {};time?|start_time=time=at {};duration?|minutes=int:15:120=for {} minutes
cancel|delete|remove;meeting|appointment|booking;id|booking_id|reference=code={},with the id {};reason?=quote=because {}
set|create|add;reminder|alarm;text|title|what=note=to {};time|at=time=at {};date?=date=on {}
get|check|show|fetch;weather forecast|forecast;city|location|place=city=in {},for {};days|num_days=int:1:10=for the next {} days,over {} days;unit?|units=enum:celsius:fahrenheit=in {}
get|check|tell me;time|local time|current time;city|timezone_city|place=city=in {}
calculate|compute|work out;loan payment|mortgage payment|monthly payment;principal|amount|loan_amount=num=of {},on {};rate|interest_rate=num=at {} percent;years|term=int:1:30=over {} years
calculate|compute|find;area of a rectangle|rectangle area;width|length_a=num=with width {};height|length_b=num=and height {}
calculate|compute|find;area of a circle|circle area;radius|r=num=with radius {};precision?=int:1:5=to {} decimals
calculate|compute;compound interest|interest;principal|amount=num=on {};rate|annual_rate=num=at {} percent;years|time=int:1:40=for {} years;compounds_per_year?|n=int:1:12=compounded {} times a year
calculate|work out;bmi|body mass index;weight|weight_kg=num=with a weight of {} kg;height|height_cm=int:120:210=and a height of {} cm
calculate|get;distance|route length;start|origin|from_place=city=from {},between {};end|destination|to_place=city=to {},and {};unit?=enum:km:miles=in {}
calculate|compute|add up;discount|discounted price|sale price;price|original_price=num=of {};percent|discount_percent=int:5:70=with {} percent off
play|start|put on;song|track|music;title|song|name=quote={};artist?|singer=word:PEOPLE=by {};volume?=int:1:100=at volume {}
play|find|recommend|suggest;movie|film|movies;genre|category=word:GENRES=that is {},in the genre {};year?|release_year=int:1970:2025=from {};count?|limit=int:1:10=and show {} of them
search|find|look up;product|products|items;query|product|keywords=word:PRODUCTS=matching {},like {};max_price?|price_limit=num=under {};sort?|order=enum:price:rating:newest=sorted by {}
add|put;item to cart|product to the basket;product|item|name=word:PRODUCTS={};quantity|count|qty=int:1:20=times {}
track|follow|locate;parcel|package|order|shipment;tracking_number|order_id|code=code={},with number {};carrier?=enum:dhl:ups:fedex=by {}
turn on|switch on|activate;light|lights|lamp;room|location|where=word:PLACES=in {};brightness?|level=int:1:100=at {} percent;color?|colour=enum:warm:white:blue:red=in {}
set|change|adjust;thermostat|temperature;temperature|value|degrees=num=to {} degrees;room?|zone=word:PLACES=in {}
lock|unlock|close;door|gate;door|name|which=word:PLACES=of {};delay?|seconds=int:5:120=after {} seconds
get|fetch|show|look up;stock price|share price|quote;ticker|symbol|company=ticker=of {},for {};exchange?|market=enum:NYSE:NASDAQ:LSE=on {}
get|show|fetch|read;news|headlines|articles;topic|query|subject=topic=about {},on {};country?|region=word:COUNTRIES=from {};limit?|count=int:1:20=but only {}
get|look up|find;definition|meaning;word|term=quote=of {};language?|lang=word:LANGUAGES=in {}
get|look up;population|number of inhabitants;country|place=word:COUNTRIES=of {};year?=int:1950:2024=in {}
find|get|list;nearby places|points of interest;type|category|kind=enum:cafe:museum:pharmacy:park=of type {};location|near=city=near {},around {};radius?|radius_m=int:100:5000=within {} metres
order|request|call;taxi|ride|cab;pickup|from_address|start=city=from {};dropoff|to_address|end=city=to {};seats?|passengers=int:1:6=with {} seats
order|buy;food|meal|delivery;dish|item=word:FOODS=of {};quantity?|count=int:1:8=times {};address?|deliver_to=city=to {}
create|add|open;task|todo|ticket;title|name|summary=note=to {},called {};due?|due_date|deadline=date=by {};priority?|level=enum:low:medium:high=with {} priority
update|change|edit;contact|address book entry;name|person|contact=word:PEOPLE=of {};email|new_email|address=email=to {}
get|find|look up;contact|phone number|email address;name|person=word:PEOPLE=of {},for {}
create|register|add;user|account|customer;name|full_name|username=word:PEOPLE=for {},named {};email|mail=email=with the email {};admin?|is_admin=bool=as an admin,with admin rights
get|fetch|show;order status|invoice|order;order_id|id|number=code={},with id {}
delete|remove|close;account|user|record;id|user_id|account_number=code={},with the id {};confirm?=bool=without asking again
generate|make|create;password|passcode;length|num_characters=int:6:40=with {} characters;symbols?|include_symbols=bool=with symbols
generate|draw|make;image|picture;prompt|description|subject=topic=of {},about {};style?=enum:cartoon:realistic:sketch=in {} style;size?=enum:small:medium:large=in {} size
count|get|find;word frequency|occurrences;text|content=quote=in {};word|term=topicword=of {}
sort|order;list|numbers|array;numbers|values|items=ints={};descending?|reverse=bool=in descending order,largest first
find|compute|get;average|mean|maximum|sum;numbers|values|data=ints=of {}
compare|rank;countries|cities|places;places|cities|items=cities={};metric|by|criterion=enum:population:area:cost=by {}
summarize|shorten;article|page|website;url|link|address=url=at {},{};max_words?|length=int:50:500=in {} words
open|visit|load;page|website|url;url|address=url={};new_tab?=bool=in a new tab
get|check|show;match result|score|fixture;team|club=word:TEAMS=of {},for {};date?|day=date=on {};season?|year=int:2000:2025=in the season {}
get|check;exam grade|student grade|score;student|name=word:PEOPLE=of {},for {};course|subject=topic=in {}
log|record|add;expense|spending|purchase;amount|value=num=of {};category|type=enum:food:travel:rent:other=for {};date?|day=date=on {}
log|record|track;workout|exercise|run;activity|type|sport=enum:running:cycling:swimming:yoga=of {};minutes|duration=int:5:180=for {} minutes;distance?|km=num=over {} km
check|test|get;availability|stock level|inventory;product|item|sku=word:PRODUCTS=of {},for {};store?|location=city=in {}
get|check|show;air quality|pollution|pollen count;city|location=city=in {},for {}
start|run|launch;timer|countdown;minutes|duration=int:1:90=for {} minutes,of {} minutes;label?|name=quote=called {}
deploy|restart|stop;service|server|container;name|service|target=servicename={};environment?|env=enum:staging:production=in {},on {};replicas?|count=int:1:9=with {} replicas
query|search|list;database|table|records;table|collection=servicename=in {};limit?|max_rows=int:1:100=but at most {} rows
assign|give|hand over;issue|bug|ticket;issue_id|ticket|number=code={};assignee|to|person=word:PEOPLE=to {}
rate|review;movie|book|restaurant;title|name=quote={};stars|rating|score=int:1:5=with {} stars;comment?|text=quote=saying {}
pay|settle|transfer;bill|invoice|money;recipient|payee|to=word:PEOPLE=to {};amount|sum|value=num=of {};currency?=word:CURRENCIES=in {}
roll|throw;dice|die;sides|faces=int:4:20=with {} sides;count|times|number_of_dice=int:1:6=and {} of them
get|look up|find;horoscope|star sign;sign|zodiac=enum:aries:leo:virgo:pisces=for {};day?=enum:today:tomorrow=for {}
solve|find roots of;quadratic equation|equation;a=int:1:12=with a = {};b=int:1:40=b = {};c=int:1:40=c = {}
"""
POOLS = {"TEAMS": TEAMS, "FOODS": FOODS, "CURRENCIES": CURRENCIES, "LANGUAGES": LANGUAGES, "PEOPLE": PEOPLE, "PRODUCTS": PRODUCTS, "COUNTRIES": COUNTRIES, "GENRES": GENRES, "PLACES": PLACES,
         "UNITS": "miles|kilometers|pounds|kilograms|feet|meters|inches|liters|gallons|ounces|grams".split("|")}
SERVICES = "api-gateway web auth billing search-index users orders payments_v2 cache worker-3 frontend invoices events".split()
TICKERS = "AAPL MSFT GOOG TSLA AMZN NVDA META IBM ORCL NFLX INTC".split() + ["Apple", "Tesla", "Microsoft", "Nvidia"]
DESCRIBE = {"int": ["a number", "how many", "an integer"], "num": ["the amount", "a number", "in units"], "date": ["as YYYY-MM-DD", "the day, YYYY-MM-DD"], "time": ["the time of day", "e.g. 14:30"], "city": ["the city", "name of the city", "a place"],
            "code": ["the identifier", "as it was given"], "bool": ["whether it is so", "true or false"]}


def parse(line):
    verbs, nouns, *parameters = line.split(";")
    made = []
    for text in parameters:
        names, kind, wordings = text.split("=", 2)
        first, *others = names.split("|")
        made.append(((first.rstrip("?"), *others), first.endswith("?"), kind, wordings.split(",") if "{}" not in wordings or wordings.count("{}") > 1 else [wordings]))
    return verbs.split("|"), nouns.split("|"), made


ALL = [parse(line) for line in CONCEPTS.strip().split("\n")]


def value(r, kind, today):
    """(as typed, as JSON, schema)."""
    name, *rest = kind.split(":")
    if name == "int":
        n = r.randint(int(rest[0]), int(rest[1]))
        return number(r, n) if n < 13 else str(n), n, {"type": "integer"}
    if name == "num":
        n = r.choice([r.randint(1, 2000), round(r.uniform(1, 500), 1), round(r.uniform(1, 500), 2), r.randint(1, 60) * 1000])
        return str(n), n, {"type": r.choice(["number", "number", "integer"]) if isinstance(n, int) else "number"}
    if name == "enum":
        one = r.choice(rest)
        return one, one, {"type": "string", "enum": rest}
    if name == "bool":
        return "", True, {"type": "boolean"}
    if name == "date":
        day = (today or datetime.date(2026, 6, 1)) + datetime.timedelta(days=r.randint(1, 90))
        if today and r.random() < 0.25:
            word, ahead = r.choice([("tomorrow", 1), ("today", 0)])
            return word, str(today + datetime.timedelta(days=ahead)), {"type": "string"}
        return (written(r, day, today) if today and day.year == today.year and r.random() < 0.7 else str(day)), str(day), {"type": "string", **({"format": "date"} if r.random() < 0.3 else {})}
    if name == "ints":
        some = [r.randint(1, 99) for _ in range(r.randint(3, 6))]
        return ", ".join(map(str, some[:-1])) + f" and {some[-1]}", some, {"type": "array", "items": {"type": r.choice(["integer", "number"])}}
    if name == "cities":
        some = r.sample(CITIES, r.randint(2, 3))
        return ", ".join(some[:-1]) + f" and {some[-1]}", some, {"type": "array", "items": {"type": "string"}}
    text = {
        "city": lambda: r.choice(CITIES), "word": lambda: r.choice(POOLS[rest[0]]), "topic": lambda: r.choice(TOPICS), "topicword": lambda: r.choice(TOPICS).split(" ")[0],
        "note": lambda: r.choice(NOTES), "quote": lambda: r.choice(NOTES + TOPICS + FOODS), "time": lambda: r.choice(["{}:{:02}".format(r.randint(7, 21), r.choice([0, 15, 30, 45])), f"{r.randint(1, 11)}pm", f"{r.randint(6, 11)} am", "noon"]),
        "code": lambda: r.choice(["{}-{}", "{}{}", "#{}{}"]).format(r.choice(["ORD", "TK", "A", "INV", "bk", "X9", "PKG"]), r.randint(100, 99999)), "email": lambda: r.choice(["anna", "tom.b", "info", "p.nair", "sales"]) + "@" + r.choice(["example.com", "mail.org", "acme.io"]),
        "phone": lambda: f"+{r.randint(1, 99)} {r.randint(100, 999)} {r.randint(1000000, 9999999)}", "url": lambda: "https://" + r.choice(["example.com", "news.org/today", "blog.io/post/12", "en.wikipedia.org/wiki/Tea"]), "ticker": lambda: r.choice(TICKERS), "servicename": lambda: r.choice(SERVICES),
    }[name]()
    schema = {"type": "string"}
    if name == "word" and rest[0] in ("CURRENCIES", "UNITS") and r.random() < 0.4:
        schema["enum"] = POOLS[rest[0]]
    return text, text, schema


def named(r, verb, noun):
    words = [verb.replace(" ", "_"), noun.replace(" ", "_")]
    snake = "_".join(words)
    return r.choice([snake, snake, snake, re.sub(r"_(\w)", lambda m: m.group(1).upper(), snake), noun.replace(" ", "_"), f"{noun.split(' ')[-1]}_{words[0]}", f"{noun.split(' ')[0]}.{words[0]}".replace(".", r.choice([".", "_"]))])


def tool(r, concept, today):
    """A definition, and for each parameter what would be typed for it."""
    verbs, nouns, parameters = concept
    verb, noun = r.choice(verbs), r.choice(nouns)
    properties, required, said = {}, [], []
    for names, optional, kind, wordings in parameters:
        if optional and r.random() < 0.25:
            continue
        typed, data, schema = value(r, kind, today)
        name = r.choice(names)
        if r.random() < 0.12:
            name = re.sub(r"_(\w)", lambda m: m.group(1).upper(), name)
        if name in properties:
            continue
        words = r.choice(DESCRIBE.get(kind.split(":")[0], [f"the {names[0].replace('_', ' ')}", f"{names[0].replace('_', ' ')} of the {noun}"]))
        properties[name] = {**schema, **({"description": words[0].upper() + words[1:] + r.choice(["", "."])} if r.random() < 0.8 else {})}
        required += [] if optional else [name]
        said.append((name, optional, typed, data, wordings))
    other = r.choice(verbs)
    definition = {"name": named(r, verb, noun), "description": r.choice([f"{other[0].upper() + other[1:]} a {noun}.", f"{verb[0].upper() + verb[1:]}s the {r.choice(nouns)}", f"Use this to {other} a {r.choice(nouns)}.", f"{noun[0].upper() + noun[1:]}: {other}."]),
                  "parameters": {"type": "object", "properties": dict(sorted(properties.items())), "required": required}}
    return definition, (r.choice(verbs), r.choice(nouns)), said


def request(r, spoken, said):
    """The wording, and the arguments it states."""
    arguments, parts, values = {}, [], {}
    for at, (name, optional, typed, data, wordings) in enumerate(said):
        if optional and r.random() < 0.45:
            continue
        arguments[name] = data
        wording = r.choice(wordings)
        values[f"v{at}"] = typed
        parts.append((optional, wording.replace("{}", "{v%d}" % at)))
    head, tail = [it for o, it in parts if not o], [it for o, it in parts if o]
    if r.random() < 0.3:
        r.shuffle(head)
    r.shuffle(tail)
    verb, noun = spoken
    article = "" if noun.endswith("s") or r.random() < 0.3 else r.choice(["the ", "a ", "a ", "some "])
    body = " ".join([verb, article + noun, *head, *tail])
    frames = ["{}", "{}", "{}", "please {}", "can you {}?", "could you {}?", "I want to {}", "I'd like you to {}", "I need to {}", "{} for me", "help me {}", "would you {}?", "let's {}", "go ahead and {}", "my task: {}"]
    return say(r, r.choice(frames).replace("{}", body, 1), **values), arguments


def outcome(r, noun, arguments):
    """(result, answer)."""
    pick = r.random()
    if pick < 0.45:
        key, shown = r.choice([("status", r.choice(["confirmed", "ok", "done", "created", "pending"])), ("id", f"{r.choice('ABCX')}{r.randint(100, 9999)}"), ("price", round(r.uniform(5, 900), 2)), ("result", r.randint(1, 5000)), ("value", round(r.uniform(0, 100), 1)), ("total", r.randint(10, 9999))])
        other, second = r.choice([("time", f"{r.randint(8, 20)}:{r.choice(['00', '15', '30'])}"), ("name", r.choice(PEOPLE)), ("city", r.choice(CITIES)), ("count", r.randint(1, 50))])
        data = {key: shown, other: second} if r.random() < 0.6 else {key: shown}
        result = json.dumps(data, ensure_ascii=False, separators=r.choice([(",", ":"), (", ", ": ")]))
        return result, "The " + " and the ".join(f"{k} is {v}" for k, v in data.items()) + "."
    if pick < 0.6:
        lines = r.sample(TOPICS + FOODS + PRODUCTS, r.randint(2, 5))
        return "\n".join(f"{n}. {it}" for n, it in enumerate(lines, 1)), "I found:\n[[1]]"
    if pick < 0.72:
        why = r.choice(["not found", "the service is not available", "permission denied", "out of stock", "invalid input"])
        return f"Error: {why}", f"That did not work: {why}."
    text = r.choice([f"The {noun} is {r.randint(2, 900)}.", f"Done. Reference {r.choice('ABC')}{r.randint(100, 99999)}.", f"{noun[0].upper() + noun[1:]}: {r.choice(['yes', 'no', 'ready', 'on its way', 'open'])}", "OK"])
    return text, text if text != "OK" else "Done."


def talk(r, today):
    """A conversation with tools of its own: `it.own` are their definitions."""
    it = Talk("own")
    concepts = r.sample(ALL, r.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 10]))
    made = [tool(r, one, today) for one in concepts]
    unique = {one[0]["name"]: one for one in made}
    made = list(unique.values())
    pick = r.random()
    it.own = [one[0] for one in made]
    r.shuffle(it.own)
    if pick < 0.12:
        # Asked for what none of them does.
        other = tool(r, r.choice([one for one in ALL if one not in concepts]), today)
        question, _ = request(r, other[1], other[2])
        return it.user(question).answer(NONE[0])
    chosen = r.sample(made, min(len(made), r.choice([1, 1, 1, 1, 2])))
    asked = [request(r, one[1], one[2]) for one in chosen]
    question = asked[0][0]
    if len(asked) == 2:
        question = question.rstrip("?.!") + r.choice([" and ", ". Then ", ", and ", ". Also ", " and also "]) + asked[1][0][0].lower() + asked[1][0][1:]
    it.user(question).calls(*((one[0]["name"], arguments) for one, (_, arguments) in zip(chosen, asked)))
    if r.random() < 0.35:
        ends = [outcome(r, one[1][1], arguments) for one, (_, arguments) in zip(chosen, asked)]
        it.results(*(end[0] for end in ends)).answer((" " if all("\n" not in end[1] for end in ends) else "\n").join(later(end[1], at) for at, end in enumerate(ends)))
        if len(chosen) == 1 and r.random() < 0.3:
            # The same again with one other value.
            strings = [(name, typed) for name, _, typed, data, _ in chosen[0][2] if isinstance(data, str) and typed == data and name in asked[0][1]
                       and "enum" not in chosen[0][0]["parameters"]["properties"][name]]
            if strings:
                name, old = r.choice(strings)
                pool = next((p for p in (CITIES, PEOPLE, PRODUCTS, LANGUAGES, FOODS, TEAMS, COUNTRIES, TOPICS, CURRENCIES) if old in p), None)
                if pool:
                    new = r.choice([x for x in pool if x != old])
                    end = outcome(r, chosen[0][1][1], {})
                    it.user(say(r, "[and|what about|how about|same for|now with|and for] {v}?", v=new)).calls((chosen[0][0]["name"], {**asked[0][1], name: new})).results(end[0]).answer(end[1])
    return it
