"""[`Market`]: kept results of the trading tools, with other prices, ids, names and days for each conversation."""

import datetime
import json
import pathlib
import re

RESULTS = [it for it in json.loads((pathlib.Path(__file__).parent.parent / "results.json").read_text()) if it["task"] == "trading"]
COLLECTED = next(datetime.datetime.strptime(m.group(1), "%d %b %Y").date() for it in RESULTS
                 if (m := re.search(r"It is \w+ (\d+ \w+ \d+), ", it["text"])))
SEARCHES = [it for it in RESULTS if it["tool"] == "search_instruments" and it["data"] and "instrument_type" not in it["arguments"]]
NONE_FOUND = "✅ Success!\n\nNo instrument matches \"{}\". Try another name or symbol.\n\n{}\n\n⚠ Simulated data: made up by Toolwright's market simulator. Nothing of it is real."
INVENTED = """Zenlogic|Marudhar|Orvana|Kaveri|Nilgiri|Sahyadri|Tarang|Ashwin|Vindhya|Konark|Meghna|Surya|Indus|Palash|Garuda|Trishul|Aravali|Lotus|Monsoon|Peepal|
Saffron|Banyan|Cobalt|Helix|Northstar|Bluepeak|Redwood|Quanta|Silverline|Evergreen""".replace("\n", "").split("|")
TRADES = "Foods|Steel|Pharma|Motors|Bank|Textiles|Power|Cement|Chemicals|Finance|Logistics|Software|Energy|Infra|Retail|Hotels".split("|")


def key_of(one):
    a = one["arguments"]
    if "securities" in a:
        (segment, ids), = a["securities"].items()
        return segment, ids[0]
    return a["exchange_segment"], a["security_id"]


BY_KEY = {}
for _one in RESULTS:
    if _one["tool"] not in ("search_instruments", "find_instrument", "get_positions", "get_holdings", "get_funds"):
        BY_KEY.setdefault(_one["tool"], {})[key_of(_one)] = _one
WHOLE = {name: next(it["text"] for it in RESULTS if it["tool"] == name) for name in ("get_positions", "get_holdings", "get_funds")}
USABLE = [it for it in SEARCHES if (it["data"][0]["exchange_segment"], it["data"][0]["security_id"]) in BY_KEY["get_market_quote"]]


def grouped(value):
    """`1,23,456.78`, as the product groups."""
    whole, part = f"{abs(value):.2f}".split(".")
    head, tail = whole[:-3], whole[-3:]
    while head:
        tail, head = head[-2:] + "," + tail, head[:-2]
    return f"{tail}.{part}"


def shifted(text, days):
    """Every day in the text so many days later."""
    move = datetime.timedelta(days=days)

    def long(match):
        day = datetime.datetime.strptime(match.group(2), "%d %b %Y").date() + move
        return f"{day:%a} {day.day} {day:%b %Y}"

    text = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{1,2} \w{3} \d{4})\b", long, text)
    return re.sub(r"\b\d{4}-\d\d-\d\d\b", lambda m: str(datetime.date.fromisoformat(m.group()) + move), text)


class Market:
    """One conversation's market: everything real is changed in the same way throughout."""

    def __init__(self, r, today):
        self.r, self.days = r, ((today - COLLECTED).days if today else 0)
        self.factor = 1.0 if r.random() < 0.2 else r.uniform(0.4, 2.2)
        self.is_open, self.new_ids = r.random() < 0.5, r.random() < 0.5
        self.ids = {}
        self.names = {}

    def instrument(self, kinds=None, optioned=False):
        """(what is typed, the search's result, the instrument found)."""
        r = self.r
        some = [it for it in USABLE if (not kinds or it["data"][0]["instrument_type"] in kinds)
                and (not optioned or BY_KEY["get_option_chain"].get(self.raw_key(it), {}).get("ok"))]
        # Indices are asked for far more often than their number among the searches says.
        indices = [it for it in some if it["data"][0]["instrument_type"] == "INDEX"]
        one = r.choice(indices) if indices and r.random() < 0.35 else r.choice(some)
        typed = one["arguments"]["query"]
        typed = r.choice([typed, typed, typed.lower(), typed.upper(), typed.title() if typed.islower() else typed])
        if one["data"][0]["instrument_type"] == "EQUITY" and r.random() < 0.25:
            typed = self.rename(one["data"][0])
        return typed, self.text(one["text"]), one["data"][0], one["data"]

    def rename(self, found):
        """Another company in its place: what is not known can only be copied."""
        name = f"{self.r.choice(INVENTED)} {self.r.choice(TRADES)}"
        symbol = name.split(" ")[0].upper() + self.r.choice(["", name.split(" ")[1][:3].upper()])
        self.names.setdefault(found["display_name"], name)
        self.names.setdefault(found["symbol_name"], symbol)
        return self.r.choice([name, symbol, name.lower(), name.split(" ")[0], symbol.lower()])

    @staticmethod
    def raw_key(one):
        return one["data"][0]["exchange_segment"], one["data"][0]["security_id"]

    def id(self, number):
        if not self.new_ids:
            return number
        if number not in self.ids:
            digits = max(2, len(str(number)) + self.r.choice([0, 0, -1, 1]))
            self.ids[number] = self.r.randint(10 ** (digits - 1), 10**digits - 1)
        return self.ids[number]

    def text(self, text, last=None):
        """A kept result as it reads in this market. `last`: the day that its newest day becomes."""
        days = self.days
        if last:
            found = [datetime.datetime.strptime(it, "%d %b %Y").date() for it in re.findall(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{1,2} \w{3} \d{4})", text)]
            days = (last - max(found)).days if found else days
        text = shifted(text, days) if days else text
        for old, new in self.names.items():
            text = text.replace(old, new)
        # Ids: after "ID", "security ID", a segment, and in the columns of ids.
        text = re.sub(r"(?i)(security id:? )(\d+)", lambda m: m.group(1) + str(self.id(int(m.group(2)))), text)
        text = re.sub(r"\b([A-Z]{3}_[A-Z]+) (\d+)\b", lambda m: f"{m.group(1)} {self.id(int(m.group(2)))}", text)
        text = re.sub(r"(?<![\d.,])\d{1,3}(?:,\d{2,3})*\.\d\d(?![\d%]| lakh| crore)", lambda m: grouped(float(m.group().replace(",", "")) * self.factor), text)
        if self.is_open:
            text = re.sub(r"- [\w ]+ is closed \([^)]*\): this is the last price, not a live one\. Last trade", "- Last trade", text)
            text = text.replace("is closed.", "is open.")
        return text

    def of(self, tool, found, last=None):
        """(result, whether it is no failure) of a tool about a found instrument; None where none was kept."""
        kept = BY_KEY[tool].get((found["exchange_segment"], found["security_id"]))
        if not kept and tool in ("get_historical_data", "get_daily_ohlcv", "get_intraday_ohlcv"):
            # Somebody else's candles under this one's name.
            other = self.r.choice([it for it in BY_KEY[tool].values() if it["ok"]])
            name = found["display_name"] if found["display_name"] == found["symbol_name"] else f"{found['display_name']} ({found['symbol_name']})"
            raw = re.sub(r"\n\n.*?, [A-Z_]+ \d+: ", lambda _: f"\n\n{name}, {found['exchange_segment']} {found['security_id']}: ", other["text"], count=1)
            return self.text(raw, last), True
        return (self.text(kept["text"], last), kept["ok"]) if kept else (None, False)

    def both(self, found):
        return {"exchange_segment": found["exchange_segment"], "security_id": self.id(found["security_id"])}
