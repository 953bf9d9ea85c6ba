"""The trading desk: what is looked up first, and what is then asked with what was found."""

import re

from tools import cut

from . import market
from .talks import Talk, clean
from .words import number, say, span, timed

PRICE = [
    "[What's|What is|Whats|tell me|give me|get|show me|check|find] the [current |latest |last |live |]price of {q}[| now| today| right now]?", "[price|quote|ltp|rate|level|value] [of|for] {q}", "{q} [price|quote|ltp|share price|stock price|rate|level][| now| today]", "how much is {q}[| trading at| now| today]?",
    "[how is|how's] {q} [doing|trading|performing][| today| now]?", "what is {q} [at|trading at|worth][| now| right now| today]?", "[get|give|fetch] me [a|the] quote [for|of|on] {q}", "where is {q} [trading|right now|at]?", "{q}?", "current [value|level|price] of {q}", "is {q} [up|down] today?",
    "what does {q} cost[| now]?", "[can you |]check {q} for me", "how much does one share of {q} cost?", "latest on {q}", "at what price is {q} [trading|quoting]?", "i want to know the price of {q}", "[quote|price] {q}", "how has {q} moved today?", "{q} kitna hai", "price check: {q}", "market price of {q} please",
]
ASPECT = {
    "high": ["[what's|what is|what was] [today's|the day's] high [of|for|in] {q}?", "{q} day high", "how high did {q} go today?", "highest price of {q} today"],
    "low": ["[what's|what is|what was] [today's|the day's] low [of|for|in] {q}?", "{q} day low", "how low did {q} go today?", "lowest price of {q} today"],
    "open": ["[what|where] did {q} open[| today| at]?", "open price of {q}", "{q} opening price"],
    "Previous close": ["[what's|what is|what was] the previous close of {q}?", "{q} previous close", "where did {q} close [yesterday|last]?", "[last|previous] close of {q}"],
    "Volume": ["[what's|what is] the volume [of|in|for] {q}[| today]?", "{q} volume", "how many shares of {q} were traded[| today]?", "trading volume of {q}"],
    "Circuit": ["circuit limits of {q}", "what are the circuit limits for {q}?", "{q} upper and lower circuit"],
}
PRICES = ["[price|prices|quote|quotes|ltp] of {a} and {b}", "[compare|show|get] [the |]prices? of {a} [and|with|vs] {b}", "{a} and {b} [price|prices|quotes]", "[how are|how's] {a} and {b} doing[| today]?", "[what are|what's] {a} and {b} [at|trading at]?", "[give me|show] quotes for {a} and {b}", "is {a} or {b} [up|down] more today?", "{a} vs {b}"]
PRICES_THREE = ["[price|prices|quotes] of {a}, {b} and {c}", "{a}, {b}, {c} [prices|quotes|ltp]", "how are {a}, {b} and {c} doing?", "[show|get] me {a}, {b} and {c}"]
DAILY = ["[daily|day] [candles|bars|ohlc|ohlcv|chart|prices] [of|for] {q}{w}", "{q} daily [candles|ohlc|chart|bars]{w}", "[show|get|give me] [me |]the daily [candles|ohlcv|prices|data] [of|for] {q}{w}", "open high low close of {q} [day by day|each day]{w}"]
HISTORY = ["[historical|past|history of] [data|prices] [of|for] {q}{w}", "[how did|how has] {q} [perform|do|move|performed|done|moved]{w}?", "[show|get|give me|fetch] [me |][the |][history|historical data|price history|past prices] [of|for] {q}{w}", "{q} [history|price history|historical data|performance]{w}", "{q} prices{w}",
           "what was {q} [like|trading at]{w}?", "what was the [highest|lowest] price of {q}{w}?", "trend of {q}{w}", "how much did {q} [gain|lose|rise|fall|change]{w}?"]
MINUTES = ["{v}[ minute|-minute| min|-min|m] [candles|bars|chart|data|ohlc] [of|for] {q}{w}", "intraday {q} {v}[ minute|m| min] [bars|candles|chart]{w}", "{q} {v}[ minute| min|-minute|m] [candles|chart|bars|data]{w}", "[show|get|give me] [me |]{v}[ minute|-minute] candles [of|for] {q}{w}", "{q} intraday in {v} minute steps{w}"]
INTRADAY = ["intraday [candles|chart|data|prices|ohlc|moves] [of|for] {q}{w}", "{q} intraday[| data| chart| candles]{w}", "[show|get] [me |]the intraday [chart|data|candles] [of|for] {q}{w}", "[how did|how has] {q} move[|d] during the day{w}?"]
CHAIN = ["[option chain|options chain|options|the option chain] [of|for|on] {q}", "{q} option chain", "[show|get|give me|pull up|fetch] [me |]the {q} option[s|] [chain|]", "calls and puts [of|on|for] {q}", "what [options|calls and puts] are there [on|for] {q}?", "{q} [put call ratio|pcr]", "put/call ratio of {q}", "open interest of {q} options", "at the money strike of {q}?", "implied volatility of {q} options"]
CHAIN_N = ["{n} strikes of the {q} option chain", "option chain of {q}, {n} strikes", "show {n} strikes around the money for {q}", "{q} options, [only |]{n} strikes"]
EXPIRIES = ["[expiries|expiry dates|expiry|expiration dates] [of|for] {q}[| options]", "when do [the |]{q} options [expire|end]?", "[list|show|get|give me] [me |]the [expiry dates|expiries|expirations] [for|of] {q}", "{q} [expiries|expiry dates|option expiries]", "next [expiry|expiries] [for|of] {q}", "which expiries [are there|does {q} have|exist] for {q}?".replace("[are there|does {q} have|exist]", "[are there|exist]"), "when is the next {q} expiry?"]
FIND = ["[find|search for|search|look up|lookup|find me] {q}", "[which|what] instrument is {q}?", "[what's|what is|give me|get] the [security id|id|instrument id] [of|for] {q}", "security id [of|for] {q}", "[find|search for] the instrument {q}", "{q} [security id|symbol]", "is {q} listed?", "what's the symbol [of|for] {q}?", "which exchange is {q} on?", "search instruments for {q}"]
SYMBOL = ["find [the symbol |symbol |]{s} [in|on|within] [the segment |segment |]{g}", "{s} in {g}", "look up {s} in [the |]{g}[| segment]", "get the instrument {s} from {g}"]
ACCOUNT = {
    "get_positions": ["[show|list|get|give me|what are|display] [me |]my [open |current |]positions", "[what|which] [positions|trades] [are open|do I have open|have I got|do I have]?", "my [open trades|positions|p&l|open positions]", "[do I have|have I] any open positions?", "how are my positions doing?", "[profit and loss|profit or loss|pnl] [on|of] my positions", "am I long or short anything?", "what am I holding intraday?", "show my [trades|futures positions|derivatives]"],
    "get_holdings": ["[show|list|get|give me|display] [me |]my [holdings|portfolio|shares|stocks|investments]", "[what|which] [stocks|shares] do I [own|have|hold]?", "my [portfolio|holdings|investments]", "how is my portfolio doing?", "what's my portfolio worth?", "how much are my [shares|holdings|stocks] worth?", "what do I own?", "portfolio value", "[profit|gain|loss] on my holdings", "am I in profit on my shares?", "which of my shares lost money?"],
    "get_funds": ["[what's|what is|show|check] my [balance|account balance|available margin|margin|cash balance|fund limit]", "how much [money|cash|margin|buying power] [do I have|is left|is available|have I got]?", "available [margin|funds|balance|cash]", "[account balance|funds|my funds|margin|fund limits]", "how much can I [withdraw|trade with|take out]?", "can I afford to trade? show my funds", "[what's|what is] my withdrawable balance?", "how much margin is [used|in use]?"],
}
SIMULATED = " Simulated data."


def note(result):
    return SIMULATED if "⚠ Simulated data" in result else ""


def quote_lines(result):
    """(name, price and change, the other lines) of each quote in a result."""
    for block in result.split("\n\n"):
        match = re.match(r"(.*), [A-Z]+_[A-Z]+ \d+: (.*)", block)
        if match:
            yield match.group(1), match.group(2), block.split("\n- ")[1:]


def quoted(result, aspect=None):
    said = []
    for name, price, lines in quote_lines(result):
        line = next((it for it in lines if aspect and aspect.lower() in it.lower()), None)
        said.append(f"{name}: {line}." if line else f"{name} is at {price}.")
    closed = "" if aspect or "this is the last price" not in result else " The market is closed: this is the last price."
    return " ".join(said) + closed + note(result)


def candles(result):
    head, *lines = result.split("\n\n")[1].split("\n- ")
    head = re.sub(r", [A-Z]+_[A-Z]+ \d+: ", ": ", head, count=1)
    return head + ". " + ". ".join(it[0].upper() + it[1:] for it in lines[:2]) + "." + note(result)


def chained(result):
    head, *lines = result.split("\n\n")[1].split("\n- ")
    head = re.sub(r", [A-Z]+_[A-Z]+ \d+, ", ", ", head, count=1)
    return head + ". " + ". ".join(it.rstrip(".") for it in lines[:3]) + "." + note(result)


def expiring(result):
    head, *lines = result.split("\n\n")[1].split("\n- ")
    head = re.sub(r", [A-Z]+_[A-Z]+ \d+ ", " ", head, count=1)
    if not lines:
        return head.split(". ")[0].rstrip(".") + "." + note(result)
    return head + " " + ", ".join(it.split(" ")[0] for it in lines) + "." + note(result)


def found_as(result):
    name = re.search(r"Found (.*):\n", result).group(1)
    number_, segment = re.search(r"Security ID: (\d+)", result).group(1), re.search(r"Exchange: (\S+)", result).group(1)
    return f"{name} has the security ID {number_} on {segment}." + note(result)


def failed(result):
    reason = result.removeprefix("❌ Error: ").removeprefix("❌ Refused: ").split("\n")[0]
    return reason[0].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def listing(result):
    return result.split("\n\n")[1] + ("\nSimulated data." if note(result) else "")


def search(typed, kind=None):
    return "search_instruments", clean({"instrument_type": kind, "query": typed})


def quote(*pairs):
    by = {}
    for segment, number_ in pairs:
        by.setdefault(segment, []).append(number_)
    return "get_market_quote", {"securities": by}


def pair(desk, found):
    return found["exchange_segment"], desk.id(found["security_id"])


def price(r, it, desk):
    typed, result, found, _ = desk.instrument()
    aspect = r.choice(list(ASPECT)) if r.random() < 0.2 else None
    question = say(r, r.choice(ASPECT[aspect] if aspect else PRICE), q=typed)
    kind = None
    if found["instrument_type"] == "INDEX" and r.random() < 0.08:
        question, kind = say(r, "[price|level|value|quote] of the {q} index", q=typed), "INDEX"
    it.user(question).calls(search(typed, kind)).results(result)
    told, _ = desk.of("get_market_quote", found)
    it.calls(quote(pair(desk, found))).results(told).answer(quoted(told, aspect))
    return found, typed


def prices(r, it, desk):
    count = 3 if r.random() < 0.25 else 2
    some = []
    while len(some) < count:
        one = desk.instrument(("EQUITY", "INDEX"))
        if all(one[2]["security_id"] != other[2]["security_id"] for other in some):
            some.append(one)
    names = dict(zip("abc", (one[0] for one in some)))
    it.user(say(r, r.choice(PRICES_THREE if count == 3 else PRICES), **names)).calls(*(search(one[0]) for one in some)).results(*(one[1] for one in some))
    blocks, tail = [], ""
    by = {}
    for one in some:
        by.setdefault(one[2]["exchange_segment"], []).append(one)
    for segment in sorted(by):
        for one in by[segment]:
            told, _ = desk.of("get_market_quote", one[2])
            parts = told.split("\n\n")
            blocks.append(parts[1])
            tail = parts[-1]
    told = "✅ Success!\n\n" + "\n\n".join(blocks) + "\n\n" + tail
    shown = quoted(cut(told))
    it.calls(quote(*(pair(desk, one[2]) for one in some))).results(told).answer(shown)


def when(r, today):
    if not today or r.random() < 0.35:
        return "", {}, None
    words, start, end = span(r, today)
    return " " + timed(r, words), clean({"from_date": str(start), "to_date": str(end) if end else None}), end or today


def bars(r, it, desk, today):
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"))
    words, dates, last = when(r, today)
    pick = r.random()
    extra = {}
    if pick < 0.4:
        tool, question = "get_historical_data", say(r, r.choice(HISTORY), q=typed, w=words)
        if not words:
            question = question.replace("  ", " ")
    elif pick < 0.65:
        tool, question = "get_daily_ohlcv", say(r, r.choice(DAILY), q=typed, w=words)
    else:
        tool, step = "get_intraday_ohlcv", r.choice(["1", "5", "15", "15", "25", "60"])
        if today and r.random() < 0.5:
            words, dates, last = r.choice([(" today", {"from_date": str(today), "to_date": str(today)}, today), ("", {}, None)])
        else:
            words, dates, last = "", {}, None
        if r.random() < 0.75:
            question, extra = say(r, r.choice(MINUTES), q=typed, v=step, w=words), {"interval": step}
        else:
            question = say(r, r.choice(INTRADAY), q=typed, w=words)
    told, _ = desk.of(tool, found, last)
    it.user(question).calls(search(typed)).results(result).calls((tool, {**desk.both(found), **dates, **extra})).results(told).answer(candles(told))
    if tool != "get_intraday_ohlcv" and today and r.random() < 0.25:
        words, start, end = span(r, today)
        told, _ = desk.of(tool, found, end or today)
        dates = clean({"from_date": str(start), "to_date": str(end) if end else None})
        it.user(say(r, "[and|what about|how about|and for] {w}?", w=timed(r, words))).calls((tool, {**desk.both(found), **dates})).results(told).answer(candles(told))
    return found


def options(r, it, desk, today):
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"), optioned=r.random() < 0.9)
    pick = r.random()
    it_both = desk.both(found)
    if pick < 0.35:
        told, ok = desk.of("get_expiries", found)
        if told is None:
            return None
        it.user(say(r, r.choice(EXPIRIES), q=typed)).calls(search(typed)).results(result).calls(("get_expiries", it_both)).results(told).answer(expiring(told))
        days = re.findall(r"\n- (\d{4}-\d\d-\d\d)", told)
        if days and r.random() < 0.4:
            at = r.randrange(min(3, len(days)))
            chain, ok = desk.of("get_option_chain", found)
            if chain and ok:
                which = r.choice([f"the {['first', 'second', 'third'][at]} one", days[at], f"the {['nearest', 'next', 'third'][at]} expiry" if at != 1 else "the second expiry"])
                it.user(say(r, "[and the |show the |]option chain for {w}", w=which)).calls(("get_option_chain", {**it_both, "expiry": days[at]})).results(chain).answer(chained(chain))
        return found
    told, ok = desk.of("get_option_chain", found)
    if told is None:
        return None
    extra = {}
    if pick < 0.5:
        n = r.choice([2, 4, 5, 6, 8, 10, 12, 20])
        question, extra = say(r, r.choice(CHAIN_N), n=number(r, n), q=typed), {"strikes": n}
    elif pick < 0.62 and ok:
        # The expiry that is meant has to be asked for first.
        dates, _ = desk.of("get_expiries", found)
        days = re.findall(r"\n- (\d{4}-\d\d-\d\d)", dates or "")
        if days:
            at = r.randrange(min(3, len(days)))
            question = say(r, "[option chain of|options on] {q} for the [" + ["nearest|next|first", "second", "third"][at] + "] expiry", q=typed)
            it.user(question).calls(search(typed)).results(result).calls(("get_expiries", it_both)).results(dates)
            it.calls(("get_option_chain", {**it_both, "expiry": days[at]})).results(told).answer(chained(told))
            return found
        question = say(r, r.choice(CHAIN), q=typed)
    else:
        question = say(r, r.choice(CHAIN), q=typed)
    it.user(question).calls(search(typed)).results(result).calls(("get_option_chain", {**it_both, **extra})).results(told).answer(chained(told) if ok else failed(told))
    return found


def lookup(r, it, desk):
    if r.random() < 0.2:
        one = r.choice([x for x in market.RESULTS if x["tool"] == "find_instrument" and x["ok"]])
        symbol, segment = one["arguments"]["symbol"], one["arguments"]["segment"]
        told = desk.text(one["text"])
        it.user(say(r, r.choice(SYMBOL), s=symbol, g=segment)).calls(("find_instrument", {"segment": segment, "symbol": symbol})).results(told).answer(found_as(told))
        return
    if r.random() < 0.15:
        typed = r.choice(["apple", "Tesla", "zoomcar", "qqqq", "Google", "blue ocean ltd", "Acme Corp", "bitcoin", "Nvidia", "xyz industries", "Toyota"])
        told = market.NONE_FOUND.format(typed, "It is Mon 16 Nov 2026, 11:05 IST; NSE is open.")
        it.user(say(r, r.choice(FIND + PRICE), q=typed)).calls(search(typed)).results(told).answer(f"No instrument matches \"{typed}\".")
        return
    typed, result, _, _ = desk.instrument()
    it.user(say(r, r.choice(FIND), q=typed)).calls(search(typed)).results(result).answer(found_as(result))


def account(r, it, desk):
    names = r.sample(list(ACCOUNT), 2 if r.random() < 0.2 else 1)
    questions = [say(r, r.choice(ACCOUNT[name])) for name in names]
    question = questions[0]
    if len(names) == 2:
        question = questions[0].rstrip("?.!") + r.choice([" and ", ", and ", ". Also, ", " and also "]) + questions[1][0].lower() + questions[1][1:]
    told = [holding_names(r, desk, desk.text(market.WHOLE[name])) for name in names]
    answers = [listing(one) for one in told]
    if len(names) == 2:
        answers[0] = answers[0].removesuffix("\nSimulated data.")
    it.user(question).calls(*((name, {}) for name in names)).results(*told).answer("\n\n".join(answers))


def holding_names(r, desk, text):
    """Other symbols, and fewer lines, in a list of the account."""
    pool = [it["data"][0]["symbol_name"] for it in market.SEARCHES if it["data"][0]["instrument_type"] == "EQUITY"]
    return re.sub(r"^- ([A-Z&]{3,12})(?=:| \()", lambda m: f"- {r.choice(pool)}", text, flags=re.M) if r.random() < 0.6 else text


def follow(r, it, desk, found, today):
    """A second question about the same instrument, or the same question about another."""
    pick = r.random()
    if pick < 0.4:
        typed, result, other, _ = desk.instrument()
        told, _ = desk.of("get_market_quote", other)
        question = say(r, "[and|what about|how about|and for|same for|and what about|now] {q}?", q=typed)
        it.user(question).calls(search(typed)).results(result).calls(quote(pair(desk, other))).results(told).answer(quoted(told))
    elif pick < 0.6:
        told, ok = desk.of("get_expiries", found)
        if told:
            it.user(say(r, "[and |what are |show |]its [option |]expiries[| too]?")).calls(("get_expiries", desk.both(found))).results(told).answer(expiring(told))
    elif pick < 0.75:
        told, ok = desk.of("get_option_chain", found)
        if told:
            it.user(say(r, "[and |show |now |]its option chain")).calls(("get_option_chain", desk.both(found))).results(told).answer(chained(told) if ok else failed(told))
    else:
        words, dates, last = when(r, today)
        told, _ = desk.of("get_historical_data", found, last)
        question = say(r, "[and |show |]its [history|historical prices|past prices]{w}", w=words)
        it.user(question).calls(("get_historical_data", {**desk.both(found), **dates})).results(told).answer(candles(told))


def refused(r, it, desk):
    """A call a guard refuses is followed by a better one. The bad call itself is not learned."""
    typed, result, found, _ = desk.instrument()
    segment, number_ = pair(desk, found)
    told, _ = desk.of("get_market_quote", found)
    pick = r.random()
    it.user(say(r, r.choice(PRICE), q=typed))
    if pick < 0.5:
        wrong = r.randint(1, 99999)
        it.slip(quote((segment, wrong))).results(f"❌ Refused: The value `{wrong}` for `securities` was not returned by any earlier result and was not given by the user. No values are known yet: first call the tool that returns them.")
        it.calls(search(typed)).results(result)
    else:
        it.calls(search(typed)).results(result)
        if pick < 0.75:
            wrong = r.choice([number_ + r.randint(1, 9), r.randint(1, 99999)])
            it.slip(quote((segment, wrong))).results(f"❌ Refused: The value `{wrong}` for `securities` was not returned by any earlier result and was not given by the user. Values that exist: security_id {number_} (from search_instruments), exchange_segment {segment} (from search_instruments).")
        else:
            other = r.choice([it_ for it_ in ("NSE_FNO", "NSE_EQ", "IDX_I", "MCX_COMM") if it_ != segment])
            it.slip(quote((other, number_))).results(f"❌ Refused: The values `{number_}` and `{other}` were returned, but not together: they do not belong to each other. What belongs together: {number_} and {segment}.")
    it.calls(quote((segment, number_))).results(told).answer(quoted(told))


def talk(r, today):
    it, desk = Talk("trading"), market.Market(r, today)
    pick = r.random()
    if pick < 0.34:
        found, _ = price(r, it, desk)
        if r.random() < 0.3:
            follow(r, it, desk, found, today)
    elif pick < 0.44:
        prices(r, it, desk)
    elif pick < 0.64:
        bars(r, it, desk, today)
    elif pick < 0.78:
        options(r, it, desk, today)
    elif pick < 0.86:
        lookup(r, it, desk)
    elif pick < 0.95:
        account(r, it, desk)
    else:
        refused(r, it, desk)
    return it if it.messages else talk(r, today)
