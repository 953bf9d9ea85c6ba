"""[`Market`]: kept results of the trading tools, with other prices, ids, names and days for each conversation."""

import datetime
import json
import pathlib
import re

from .words import typo

RESULTS = [it for it in json.loads((pathlib.Path(__file__).parent.parent / "results.json").read_text()) if it["task"] == "trading"]
COLLECTED = next(datetime.datetime.strptime(m.group(1), "%d %b %Y").date() for it in RESULTS
                 if (m := re.search(r"It is \w+ (\d+ \w+ \d+), ", it["text"])))
SEARCHES = [it for it in RESULTS if it["tool"] == "search_instruments" and it["data"] and "instrument_type" not in it["arguments"]]
INVENTED = """Zenlogic|Marudhar|Orvana|Kaveri|Nilgiri|Sahyadri|Tarang|Ashwin|Vindhya|Konark|Meghna|Surya|Indus|Palash|Garuda|Trishul|Aravali|Lotus|Monsoon|Peepal|
Saffron|Banyan|Cobalt|Helix|Northstar|Bluepeak|Redwood|Quanta|Silverline|Evergreen|Tamarind|Chinar|Deodar|Malwa|Coromandal|Periyar|Godavari|Narmada|Chambal|Betwa|
Himshikhar|Rann|Kutch|Vasant|Hemant|Sharad|Amrit|Jyoti|Prakash|Vayu|Agneya|Varuna|Kesar|Elaichi|Mogra|Champak|Ketaki|Parijat|Neem|Sal|Arjun|Mahua|Crestline|
Oakmont|Ironbridge|Fairwind|Greyhound|Kestrel|Osprey|Falcon|Marigold|Juniper|Larkspur|Solstice|Equinox|Zenith|Nadir|Vertex|Apexon|Novatek|Primus|Ultima|Corvus""".replace("\n", "").split("|")
TRADES = "Foods|Steel|Pharma|Motors|Bank|Textiles|Power|Cement|Chemicals|Finance|Logistics|Software|Energy|Infra|Retail|Hotels|Paints|Tyres|Sugar|Insurance|Telecom|Ports|Paper|Jewels|Realty|Mining".split("|")
# Companies that are listed: what they are called on the exchange, in full, and by those who type.
COMPANIES = json.loads((pathlib.Path(__file__).parent / "companies.json").read_text(encoding="utf-8"))
# How the indices are called: the search finds them by each of these.
CALLED = {
    "NIFTY": "nifty|nifty|nifty|Nifty|NIFTY|nifty 50|nifty50|Nifty 50|NIFTY 50|Nifty50|NIFTY50|nifty fifty|Nifty",
    "BANKNIFTY": "banknifty|banknifty|bank nifty|bank nifty|Bank Nifty|BankNifty|BANKNIFTY|BANK NIFTY|nifty bank|Nifty Bank|bank-nifty|Banknifty|bnf|bn",
    "FINNIFTY": "finnifty|finnifty|fin nifty|Fin Nifty|FinNifty|FINNIFTY|nifty fin service|nifty financial services|Nifty Financial Services",
    "SENSEX": "sensex|sensex|sensex|sensex|Sensex|Sensex|SENSEX|bse sensex|BSE Sensex|BSE SENSEX|sensex 30",
    "MIDCPNIFTY": "midcpnifty|midcpnifty|MIDCPNIFTY|midcap nifty|Midcap Nifty|nifty midcap select|nifty midcap|Nifty Midcap|MidcpNifty",
    "INDIA VIX": "vix|vix|india vix|India VIX|VIX|INDIA VIX|indiavix", "BANKEX": "bankex|Bankex|BANKEX", "NIFTYIT": "nifty it|Nifty IT|NIFTY IT", "NIFTY AUTO": "nifty auto|Nifty Auto|NIFTY AUTO",
    "NIFTYNXT50": "nifty next 50|Nifty Next 50", "NIFTY PHARMA": "nifty pharma|Nifty Pharma", "NIFTY METAL": "nifty metal|Nifty Metal", "NIFTY PSU BANK": "nifty psu bank|Nifty PSU Bank",
    "NIFTY 500": "nifty 500|Nifty 500",
}
# And the commodities. Those of the second list stand in the place of one of the first.
METALS = {
    "CRUDEOIL": "crude|crude|crude oil|crude oil|crudeoil|Crude Oil|CRUDEOIL|Crude|CRUDE", "NATURALGAS": "natural gas|natural gas|nat gas|natgas|naturalgas|Natural Gas|NATURALGAS|NG|ng", "GOLD": "gold|gold|gold|Gold|GOLD",
    "GOLDM": "gold mini|gold mini|goldm|gold m|Gold Mini|GOLDM|mini gold", "SILVER": "silver|silver|silver|Silver|SILVER", "COPPER": "copper|copper|Copper|COPPER", "ZINC": "zinc|zinc|Zinc|ZINC",
    "ALUMINIUM": "aluminium|aluminium|Aluminium|ALUMINIUM|aluminum|alu", "LEAD": "lead|lead|Lead|LEAD"}
MORE_METALS = {
    "SILVERM": "silver mini|silver mini|silverm|Silver Mini|SILVERM", "CRUDEOILM": "crude mini|crude oil mini|crudeoilm|crudem|Crude Mini|CRUDEOILM", "NATGASMINI": "natgas mini|natural gas mini|natgasmini|nat gas mini|NATGASMINI",
    "SILVERMIC": "silver micro|silver mic|silvermic|SILVERMIC", "GOLDPETAL": "gold petal|goldpetal|Gold Petal|GOLDPETAL", "GOLDGUINEA": "gold guinea|goldguinea|GOLDGUINEA", "MENTHAOIL": "mentha oil|menthaoil|mentha|Mentha Oil|MENTHAOIL",
    "COTTON": "cotton|Cotton|COTTON", "NICKEL": "nickel|Nickel|NICKEL", "ZINCMINI": "zinc mini|zincmini|ZINCMINI", "LEADMINI": "lead mini|leadmini|LEADMINI", "ALUMINI": "aluminium mini|alu mini|alumini|ALUMINI",
    "CARDAMOM": "cardamom|elaichi|CARDAMOM", "STEELREBAR": "steel rebar|steelrebar|STEELREBAR", "KAPAS": "kapas|KAPAS"}
MAIN = ("NIFTY", "BANKNIFTY", "FINNIFTY", "SENSEX", "MIDCPNIFTY")
SIMULATED = "⚠ Simulated data: made up by Toolwright's market simulator. Nothing of it is real."
OK = "✅ Success!\n\n"


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
# A plain name that finds something with a kept quote; contracts asked for as such are made in [`Market.futures`] and [`Market.option`].
USABLE = [it for it in SEARCHES if (it["data"][0]["exchange_segment"], it["data"][0]["security_id"]) in BY_KEY["get_market_quote"]
          and not re.search(r"\bfut|\b[cp]e$", it["arguments"]["query"])]
INDICES = {it["data"][0]["symbol_name"]: it for it in USABLE if it["data"][0]["instrument_type"] == "INDEX"}
# Their searches list no other commodity.
ALONE = ("GOLDM", "COPPER", "LEAD")
EQUITIES = sorted({it["data"][0]["symbol_name"] for it in USABLE if it["data"][0]["instrument_type"] == "EQUITY"})
NAMED = {it["data"][0]["symbol_name"]: it["data"][0] for it in USABLE}
FUTURES = {found["symbol_name"]: datetime.date.fromisoformat(found["expiry"]) for it in RESULTS if it["tool"] == "search_instruments" for found in it["data"] or [] if found["symbol_name"].endswith("-FUT")}
CHAINS = [it for it in BY_KEY["get_option_chain"].values() if it["ok"]]


def sort(symbol, display):
    """Companies of a sort are shown alike: funds, those that are called as their symbol, and others."""
    return "fund" if re.search(r"BEES|ETF", symbol + display) else "same" if symbol.lower() == display.lower() else "plain"


OTHERS = {}
for _symbol, (_display, *_) in COMPANIES.items():
    if _symbol not in EQUITIES:
        OTHERS.setdefault(sort(_symbol, _display), []).append(_symbol)


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


def count(n):
    """`17.39 lakh`, `1.04 crore`, `98,775`, as the product counts."""
    return f"{n / 1e7:.2f} crore" if n >= 1e7 else f"{n / 1e5:.2f} lakh" if n >= 1e5 else f"{n:,}"


def long(day):
    return f"{day:%a} {day.day} {day:%b %Y}"


def change(old, new):
    way = "▲ +" if new >= old else "▼ -"
    return f"{way}{grouped(new - old)} ({'+' if new >= old else '-'}{abs(new - old) / old * 100:.2f}%)"


def contracts(text, days):
    """The names of contracts, with the month in which they end after so many days."""
    move = datetime.timedelta(days=days)

    def ends(symbol):
        return FUTURES[symbol] + move

    def symbol(match):
        old = match.group()
        if old not in FUTURES:
            return old
        base, day = re.sub(r"-(\d\d)?[A-Z][a-z]{2}\d{4}-FUT$", "", old), ends(old)
        return f"{base}-{f'{day:%d}' if re.search(r'-[0-9]{2}[A-Z]', old) else ''}{day:%b%Y}-FUT"

    def display(match):
        base, named = match.groups()
        return f"{base} {f'{ends(named):%b}'.upper()} FUT ({named})" if named in FUTURES else match.group()

    def option(match):
        base, day, month, strike, side, year = match.groups()
        day = datetime.datetime.strptime(f"{day} {month.title()} {year}", "%d %b %Y").date() + move
        return f"{base} {day:%d} {day:%b}".upper() + f" {strike} {side} ({base}-{day:%b%Y}-{strike}-{side[0]}E)"

    text = re.sub(r"^- (\w+)-Nov2026-(\d+)-([CP]E) (?=\()", lambda m: f"- {m.group(1)}-{COLLECTED + move:%b%Y}-{m.group(2)}-{m.group(3)} ", text, flags=re.M)
    text = re.sub(r"(\S+) [A-Z]{3} FUT \((\S+-FUT)\)", display, text)
    text = re.sub(r"[A-Z0-9&-]+-(?:\d\d)?[A-Z][a-z]{2}\d{4}-FUT", symbol, text)
    return re.sub(r"(\S+) (\d\d) ([A-Z]{3}) (\S+) (CALL|PUT) \(\S+?-[A-Z][a-z]{2}(\d{4})-\S+?\)", option, text)


class Market:
    """One conversation's market: everything real is changed in the same way throughout."""

    def __init__(self, r, today):
        self.r, self.days = r, ((today - COLLECTED).days if today else 0)
        self.factor = 1.0 if r.random() < 0.2 else r.uniform(0.4, 2.2)
        self.is_open, self.new_ids = r.random() < 0.5, r.random() < 0.5
        self.ids = {}
        # Old names and new ones; those that stand as they are; how invented ones are called.
        self.names, self.shown, self.spoken = {}, set(), {}

    def instrument(self, kinds=None, optioned=False):
        """(what is typed, the search's result, the instrument found, all that were found)."""
        r = self.r
        some = [it for it in USABLE if (not kinds or it["data"][0]["instrument_type"] in kinds)
                and (not optioned or BY_KEY["get_option_chain"].get(self.raw_key(it), {}).get("ok"))]
        # Indices are asked for far more often than their number among the searches says.
        indices = [name for name, it in INDICES.items() if any(it is one for one in some)]
        if indices and r.random() < 0.38:
            name = r.choice([it for it in indices if it in MAIN] or indices) if r.random() < 0.8 else r.choice(indices)
            one = INDICES[name]
            return r.choice(CALLED[name].split("|")), self.text(one["text"]), one["data"][0], one["data"]
        one = r.choice([it for it in some if it["data"][0]["instrument_type"] != "INDEX"] or some)
        found = one["data"][0]
        if found["instrument_type"] == "EQUITY":
            if found["symbol_name"] not in self.names and found["symbol_name"] not in self.shown and found["symbol_name"] not in ("BSE", "MCX") and (pick := r.random()) < 0.78:
                self.rename(found) if pick < 0.64 else self.invent(found)
            typed = self.called(found["symbol_name"])
        elif found["instrument_type"] == "FUTCOM":
            base = found["symbol_name"].split("-")[0]
            if base in ALONE and base not in self.names and base not in self.shown and r.random() < 0.6:
                self.names[base] = r.choice(list(MORE_METALS))
            typed = r.choice({**METALS, **MORE_METALS}[self.names.get(base, base)].split("|"))
            self.shown.add(base)
        else:
            typed = one["arguments"]["query"]
            typed = r.choice([typed, typed, typed.lower(), typed.upper()])
        return typed, self.listing(one), found, one["data"]

    def listing(self, one):
        """A search's result: under another name the old name's neighbours are not in it, but the new one's."""
        found, text = one["data"][0], one["text"]
        symbol = found["symbol_name"]
        self.shown.add(symbol)
        if symbol not in self.names or found["instrument_type"] != "EQUITY":
            return self.text(text)
        own = rf"- (({re.escape(found['display_name'])}|{re.escape(symbol)} .*) \()?{re.escape(symbol)}(-\w+-[\w-]+)?\)?: security ID"
        head, rest = text.split("\n\nOther matches:\n") if "\n\nOther matches:\n" in text else (text, "")
        if not rest:
            return self.text(text)
        block, *tail = rest.split("\n\n")
        lines = [it for it in self.text("\n".join(it for it in block.split("\n") if re.match(own, it) or re.match(r"- \d+ more of", it))).split("\n") if it]
        new = self.names[symbol]
        first = COMPANIES[new][0].split(" ")[0] if new in COMPANIES else ""
        alike = [it for it in OTHERS["plain"] if it != new and it not in self.names.values() and len(first) > 2 and COMPANIES[it][0].startswith(first + " ")]
        for it in self.r.sample(alike, min(len(alike), 2)) if self.r.random() < 0.6 else []:
            lines.insert(sum("EQ, EQUITY" in line for line in lines), f"- {COMPANIES[it][0]} ({it}): security ID {self.r.randint(100, 29999)}, NSE_EQ, EQUITY")
        tail = [self.text(it) for it in tail]
        return "\n\n".join([self.text(head), *(["Other matches:\n" + "\n".join(lines)] if lines else []), *tail])

    def called(self, symbol):
        """What somebody types for a share: its symbol, its name, a short form, a slip of the fingers."""
        r, new = self.r, self.names.get(symbol, symbol)
        if new not in COMPANIES:
            if new in self.spoken:
                return r.choice(self.spoken[new])
            typed = r.choice([it["arguments"]["query"] for it in USABLE if it["data"][0]["symbol_name"] == new] or [new])
            return r.choice([typed, typed.lower(), typed.upper()])
        display, *ways = COMPANIES[new]
        whole = re.sub(r" \(.*?\)", "", display)
        pick = r.random()
        if pick < 0.3:
            return r.choice([new, new.lower()])
        if pick < 0.5:
            return r.choice([whole, whole.lower(), whole.lower()])
        if pick < 0.54:
            return whole + r.choice([" Ltd", " Limited"]) if r.random() < 0.5 else whole.lower() + r.choice([" ltd", " limited"])
        way = r.choice(ways)
        if pick < 0.59:
            return typo(r, way if len(way) > 5 else whole.lower())
        return r.choice([way, way, way, way, way.title() if way.islower() and "&" not in way and "'" not in way else way, way.upper() if len(way) < 8 else way])

    def rename(self, found):
        """Another company in its place: what is not known can only be copied."""
        some = OTHERS[sort(found["symbol_name"], found["display_name"])]
        return self.renamed(found, self.r.choice([it for it in some if it not in self.names.values()] or some))

    def renamed(self, found, symbol):
        self.names[found["symbol_name"]] = symbol
        if found["display_name"].lower() != found["symbol_name"].lower():
            self.names[found["display_name"]] = COMPANIES[symbol][0] if symbol in COMPANIES else symbol.title()

    def invent(self, found):
        """A company that does not exist in its place."""
        name = f"{self.r.choice(INVENTED)} {self.r.choice(TRADES)}"
        symbol = name.split(" ")[0].upper() + self.r.choice(["", name.split(" ")[1][:3].upper()])
        if symbol in COMPANIES or symbol in self.names.values():
            return self.rename(found)
        self.names[found["symbol_name"]] = symbol
        self.spoken[symbol] = [symbol, symbol.lower()]
        if found["display_name"].lower() != found["symbol_name"].lower():
            self.names[found["display_name"]] = name
            self.spoken[symbol] += [name, name.lower(), name.split(" ")[0], name.split(" ")[0].lower()]

    def known(self, symbol):
        """(the search's result, the instrument) for a symbol of a list that was shown."""
        old = next((it for it, new in self.names.items() if new == symbol), symbol)
        if old not in EQUITIES:
            kind = sort(symbol, COMPANIES[symbol][0] if symbol in COMPANIES else symbol)
            old = self.r.choice([it for it in EQUITIES if it not in self.names and it not in self.shown and it not in ("BSE", "MCX") and sort(it, NAMED[it]["display_name"]) == kind])
            self.renamed(NAMED[old], symbol)
        one = next(it for it in USABLE if it["data"][0]["symbol_name"] == old)
        return self.listing(one), one["data"][0]

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

    def text(self, text, last=None, still=False):
        """A kept result as it reads in this market. `last`: the day that its newest day becomes. `still`: its days are right."""
        days = 0 if still else self.days
        if not still:
            text = contracts(text, days)
        if last:
            found = [datetime.datetime.strptime(it, "%d %b %Y").date() for it in re.findall(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{1,2} \w{3} \d{4})", text)]
            days = (last - max(found)).days if found else days
        text = shifted(text, days) if days else text
        if self.names:
            olds = "|".join(re.escape(old) for old in sorted(self.names, key=len, reverse=True))
            text = re.sub(rf"(?<![\w&])(?:{olds})(?![\w&])", lambda m: self.names[m.group()], text)
        # Ids: after "ID", "security ID", a segment, and in the columns of ids.
        text = re.sub(r"(?i)(security id:? )(\d+)", lambda m: m.group(1) + str(self.id(int(m.group(2)))), text)
        text = re.sub(r"\b([A-Z]{3}_[A-Z]+) (\d+)\b", lambda m: f"{m.group(1)} {self.id(int(m.group(2)))}", text)
        text = re.sub(r"(?<![\d.,])(?<!ratio )\d{1,3}(?:,\d{2,3})*\.\d\d(?![\d%]| lakh| crore)", lambda m: grouped(float(m.group().replace(",", "")) * self.factor), text)
        if self.is_open:
            text = re.sub(r"- [\w ]+ is closed \([^)]*\): this is the last price, not a live one\. Last trade", "- Last trade", text)
            text = text.replace("is closed.", "is open.")
        return text

    def of(self, tool, found, last=None):
        """(result, whether it is no failure) of a tool about a found instrument; None where none was kept."""
        kept = BY_KEY[tool].get((found["exchange_segment"], found["security_id"]))
        if not kept and tool in ("get_historical_data", "get_daily_ohlcv", "get_intraday_ohlcv"):
            # Somebody else's candles under this one's name.
            index = found["instrument_type"] == "INDEX"
            other = self.r.choice([it for it in BY_KEY[tool].values() if it["ok"] and (key_of(it)[0] == "IDX_I" if index else key_of(it)[0].endswith("_EQ"))])
            raw = re.sub(r"\n\n.*?, [A-Z_]+ \d+: ", lambda _: f"\n\n{self.title(found)}, {found['exchange_segment']} {found['security_id']}: ", other["text"], count=1)
            return self.text(raw, last), True
        return (self.deep(self.text(kept["text"], last)), kept["ok"]) if kept else (None, False)

    def deep(self, text):
        """A quote with the best bid and ask, which are there while the market is open."""
        price = re.search(r"^.*?, [A-Z]+_(?:EQ|FNO|COMM) \d+: (₹?)([\d,]+\.\d\d) ", text, re.M)
        if not self.is_open or not price or "\n- Circuit limits" not in text:
            return text
        units, last = price.group(1), float(price.group(2).replace(",", ""))
        bid, ask = last - 0.05 * self.r.randint(0, 3), last + 0.05 * self.r.randint(1, 4)
        side = lambda price: f"{units}{grouped(max(price, 0.05))} × {count(self.r.randint(1, 9000))}"
        return text.replace("\n- Circuit limits", f"\n- Best bid {side(bid)}, best ask {side(ask)}\n- Circuit limits", 1)

    def both(self, found):
        return {"exchange_segment": found["exchange_segment"], "security_id": self.id(found["security_id"])}

    @property
    def now(self):
        return COLLECTED + datetime.timedelta(days=self.days)

    def clock(self):
        return f"It is {long(self.now)}, {self.r.randint(9, 22):02}:{self.r.randint(0, 59):02} IST; NSE is closed."

    def title(self, found):
        same = found["display_name"].lower() == found["symbol_name"].lower()
        return found["symbol_name"] if same else f"{found['display_name']} ({found['symbol_name']})"

    def last_price(self, found):
        """The price of an instrument before it is changed for this market."""
        kept = BY_KEY["get_market_quote"].get((found["exchange_segment"], found["security_id"]))
        return float(re.search(r": ₹?([\d,]+\.\d\d) ", kept["text"]).group(1).replace(",", "")) if kept else 1234.5

    def none_found(self, typed, kind=None):
        words = f"No instrument of this type matches \"{typed}\". Try another name or symbol, or leave instrument_type out." if kind else f"No instrument matches \"{typed}\". Try another name or symbol."
        return f"{OK}{words}\n\n{self.clock()}\n\n{SIMULATED}"

    def within(self, found, typed):
        """What find_instrument returns."""
        exact = typed.lower() in (self.names.get(found["symbol_name"], found["symbol_name"]).lower(), self.names.get(found["display_name"], found["display_name"]).lower())
        ends = f"\n- Expiry: {long(datetime.date.fromisoformat(found['expiry']))}" if "expiry" in found else ""
        return self.text(f"{OK}Found {self.title(found)}{'' if exact else ', the closest to what was asked'}:\n- Security ID: {found['security_id']}\n- Exchange: {found['exchange_segment']}\n"
                         f"- Symbol: {found['symbol_name']}\n- Type: {found['instrument_type']}{ends}\n\nIt is {long(COLLECTED)}, {self.r.randint(9, 22):02}:{self.r.randint(0, 59):02} IST; NSE is closed.\n\n{SIMULATED}")

    def futures(self, found, every):
        """(result of a search for futures, the contracts, the nearest first), or None where there are none."""
        some = [it for it in every if it["instrument_type"] in ("FUTSTK", "FUTIDX", "FUTCOM") and it["symbol_name"].split("-")[0] == every[0]["symbol_name"].split("-")[0]]
        if not some:
            return None
        kept = next(it["text"] for it in SEARCHES if it["data"] is every)
        lots = dict(re.findall(r"\((\S+-FUT)\): .*lot (\d+)", kept))
        lot = next(iter(lots.values()), None)
        best, *others = some
        text = (f"{OK}Found {self.title(best)}:\n- Security ID: {best['security_id']}\n- Exchange: {best['exchange_segment']}\n- Symbol: {best['symbol_name']}\n- Type: {best['instrument_type']}\n"
                f"- Expiry: {long(FUTURES[best['symbol_name']])}" + (f"\n- Lot size: {lot}" if lot else ""))
        if others:
            text += "\n\nOther matches:" + "".join(f"\n- {self.title(it)}: security ID {it['security_id']}, {it['exchange_segment']}, {it['instrument_type']}, expires {long(FUTURES[it['symbol_name']])}"
                                                   + (f", lot {lot}" if lot else "") for it in others)
        return self.text(f"{text}\n\nIt is {long(COLLECTED)}, 20:34 IST; NSE is closed.\n\n{SIMULATED}"), some

    def quote_of(self, title, segment, number, last, units="₹", oi=False):
        """A quote in the product's form, of something that none was kept of. The days are those of the kept ones."""
        r = self.r
        old = last / (1 + r.uniform(-0.04, 0.04))
        first = old * (1 + r.uniform(-0.01, 0.01))
        high, low = max(first, last) * (1 + r.uniform(0, 0.012)), min(first, last) * (1 - r.uniform(0, 0.012))
        volume = r.choice([r.randint(900, 90_000), r.randint(100_000, 9_000_000), r.randint(10**7, 9 * 10**7)])
        exchange = segment.split("_")[0]
        lines = [f"{title}, {segment} {number}: {units}{grouped(last)} {change(old, last)}", f"Open {units}{grouped(first)}, high {units}{grouped(high)}, low {units}{grouped(low)}",
            f"Previous close {units}{grouped(old)}",
                 f"Volume {count(volume)}, average price {units}{grouped((first + high + low + last) / 4)}"]
        lines += [f"Open interest {count(r.randint(5000, 30_000_000))}"] if oi else []
        lines += [f"Circuit limits {units}{grouped(old * 0.9)} to {units}{grouped(old * 1.1)}",
                  f"{exchange} is closed ({long(COLLECTED)}, 20:35 IST): this is the last price, not a live one. Last trade {long(COLLECTED - datetime.timedelta(days=2))}, 15:29:59 IST"]
        return f"{OK}" + "\n- ".join(lines) + f"\n\n{SIMULATED}"

    def future_quote(self, contract, under):
        kept = BY_KEY["get_market_quote"].get((contract["exchange_segment"], contract["security_id"]))
        return self.deep(self.text(kept["text"] if kept else self.quote_of(self.title(contract), contract["exchange_segment"], contract["security_id"], self.last_price(under) * self.r.uniform(1.0, 1.012), oi=True)))

    def option(self, found, strike, side):
        """(result of a search for one option, (segment, id, expiry, title) of each, the nearest first)."""
        r, symbol = self.r, self.names.get(found["symbol_name"], found["symbol_name"])
        index, segment = found["instrument_type"] == "INDEX", "BSE_FNO" if found["symbol_name"] == "SENSEX" else "NSE_FNO"
        kind, lot = ("OPTIDX" if index else "OPTSTK"), r.choice([20, 30, 65, 120, 175, 500, 550])
        made = []
        for day in self.expiry_days(index)[:5]:
            name = f"{symbol} {day:%d} {day:%b}".upper() + f" {strike} {'CALL' if side == 'CE' else 'PUT'} ({symbol}-{day:%b%Y}-{strike}-{side})"
            made.append((segment, r.randint(10**6, 5 * 10**7), day, name))
        best, *others = made
        text = (f"{OK}Found {best[3]}:\n- Security ID: {best[1]}\n- Exchange: {segment}\n- Symbol: {best[3].split('(')[1][:-1]}\n- Type: {kind}\n- Strike: ₹{grouped(strike)} {'call' if side == 'CE' else 'put'}\n"
                f"- Expiry: {long(best[2])}\n- Lot size: {lot}")
        if others:
            text += "\n\nOther matches:" + "".join(f"\n- {it[3]}: security ID {it[1]}, {segment}, {kind}, expires {long(it[2])}, lot {lot}" for it in others)
        return f"{text}\n\n{self.clock()}\n\n{SIMULATED}", made

    def expiry_days(self, index):
        """The coming days on which options end: weeks and months for an index, months for a share."""
        r, first = self.r, self.now + datetime.timedelta(days=self.r.randint(1, 7))
        first += datetime.timedelta(days=max(0, 7 - first.weekday()) if first.weekday() > 4 else 0)
        if index and r.random() < 0.7:
            days = [first + datetime.timedelta(days=7 * at) for at in range(r.choice([3, 4]))]
            return days + [days[-1] + datetime.timedelta(days=at) for at in r.choice([[21], [21, 49], [28], [28, 56]])]
        first += datetime.timedelta(days=7 * r.randint(0, 3))
        return [first + datetime.timedelta(days=28 * at) for at in range(r.choice([2, 2, 3]))]

    def expiries(self, found):
        """(result of get_expiries, the days), made up for something that has options."""
        days = self.expiry_days(found["instrument_type"] == "INDEX")
        lines = [f"{day} ({long(day)}, {'tomorrow' if (day - self.now).days == 1 else f'in {(day - self.now).days} days'})" for day in days]
        head = f"{self.title(found)}, {found['exchange_segment']} {found['security_id']} has options with {len(days)} expiries:"
        return self.text(f"{OK}{head}" + "".join(f"\n- {it}" for it in lines) + f"\n\n{SIMULATED}", still=True), days

    def chain(self, found, day):
        """An option chain of this instrument for this day, after a kept one."""
        kept = BY_KEY["get_option_chain"].get((found["exchange_segment"], found["security_id"]))
        text = (kept if kept and kept["ok"] else self.r.choice(CHAINS))["text"]
        text = re.sub(r"Option chain of .*", lambda _: f"Option chain of {self.title(found)}, {found['exchange_segment']} {found['security_id']}, expiry {long(day)}", text, count=1)
        text = re.sub(r"calls ([\d.]+) (crore|lakh), puts ([\d.]+) (crore|lakh), put/call ratio [\d.]+", lambda m: self.interest(), text)
        return self.text(text, still=True)

    def interest(self):
        calls = self.r.uniform(1, 20)
        puts = calls * self.r.uniform(0.5, 1.6)
        return f"calls {calls:.2f} crore, puts {puts:.2f} crore, put/call ratio {puts / calls:.2f}"

    def candles(self, found, start=None, end=None):
        """Daily candles from one day to another, as the product tells them."""
        r = self.r
        end, start = min(end or self.now, self.now), start or self.now - datetime.timedelta(days=30)
        days = [start + datetime.timedelta(days=at) for at in range((end - start).days + 1)]
        days = [day for day in days if day.weekday() < 5]
        head = f"{contracts(self.title(found), self.days)}, {found['exchange_segment']} {found['security_id']}"
        if not days:
            return self.text(f"{OK}{head}: no daily candles from {long(start)} to {long(end)}. This is no error: there was no trading then (a weekend, a holiday), or the instrument did not exist yet. Try another time."
                             f"\n\n{SIMULATED}", still=True), False
        index, price, rows = found["instrument_type"] == "INDEX", self.last_price(found) * r.uniform(0.9, 1.1), []
        for day in reversed(days):
            first = price / (1 + r.uniform(-0.02, 0.02))
            rows.append((day, first, max(first, price) * (1 + r.uniform(0, 0.008)), min(first, price) * (1 - r.uniform(0, 0.008)), price, r.randint(10**5, 5 * 10**6)))
            price = first * (1 + r.uniform(-0.004, 0.004))
        units = "" if index else "₹"
        top, bottom = max(rows, key=lambda it: it[2]), min(rows, key=lambda it: it[3])
        text = (f"{OK}{head}: {len(rows)} daily candles, {long(rows[-1][0])} to {long(rows[0][0])}\n- From open {units}{grouped(rows[-1][1])} to close {units}{grouped(rows[0][4])}, {change(rows[-1][1], rows[0][4])}\n"
                f"- Highest {units}{grouped(top[2])} ({top[0]}), lowest {units}{grouped(bottom[3])} ({bottom[0]})")
        if not index:
            total = sum(it[5] for it in rows)
            text += f"\n- Volume {count(total)} in all, {count(total // len(rows))} on average"
        text += f"\n\nThe newest {'15 of ' + str(len(rows)) + ', the newest first; all are in the data' if len(rows) > 15 else 'first'}:\n| Time (IST) | Open | High | Low | Close |{'' if index else ' Volume |'}\n"
        text += "| --- " * (5 if index else 6) + "|"
        for it in rows[:15]:
            text += f"\n| {it[0]} | " + " | ".join(grouped(x) for x in it[1:5]) + (" |" if index else f" | {count(it[5])} |")
        return self.text(f"{text}\n\n{SIMULATED}", still=True), True

    def holdings(self, *symbols):
        """The account's shares: these, and others."""
        r = self.r
        others = [f"{r.choice(INVENTED).upper()}{r.choice(['', '', 'BANK', 'STEEL', 'FIN'])}" if r.random() < 0.15 else r.choice(list(COMPANIES)) for _ in range(r.randint(1 if symbols else 2, 5))]
        # What bears another name here is not there by its old one.
        others = [it for it in others if it not in self.names]
        names = list(dict.fromkeys([*symbols, *others]))
        r.shuffle(names)
        lines, paid, worth = [], 0.0, 0.0
        for name in names:
            many, old = r.choice([5, 10, 12, 20, 25, 30, 40, 50, 75, 100, 150, 200]), round(r.uniform(40, 4000), 2)
            new = round(old * r.uniform(0.75, 1.4), 2)
            paid, worth = paid + many * old, worth + many * new
            lines.append(f"{name}: {many} at ₹{grouped(old)}, now ₹{grouped(new)} {change(old, new)}")
        lines.append(f"In all: invested ₹{grouped(paid)}, now ₹{grouped(worth)} {change(paid, worth)}")
        return f"{OK}{len(names)} holdings:\n- " + "\n- ".join(lines) + f"\n\n{SIMULATED}"
