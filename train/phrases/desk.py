"""At the desk, as other people ask: second questions, two at once, what is near, what is next, what is held."""

import re

from . import both, demo, market, trading
from .patterns import heard
from .talks import CANT, Talk, clean
from .trading import asked, candles, chained, expiring, looked, note, others, pair, quote, quoted, search, told_of
from .words import MONTHS, WEEKDAYS, back, earlier, expand, months_before, number, placed, say

ASPECTS = {name: heard("trading", f"FOLLOW_ASPECT_{name}", own=[f"and the {name.lower()}?"]) for name in ("high", "low", "open", "Previous close", "Volume", "average price", "Circuit")}
HEARD = {name: heard("trading", name, slots) for name, slots in {
    "HOURLY_60": "qw", "MINUTES_SINCE": "qvw", "SPAN_days": "qn", "SPAN_weeks": "qn", "SPAN_months": "qn", "COMPARE": "ab", "COMPARE_PRICE": "ab", "COMPARE_TIME": "abw", "NEXT_EXPIRY": "q", "EXPIRY_IN": "qw", "CHAIN_AHEAD": "qw",
    "CHAIN_AHEAD_N": "qwn", "CHAIN_NEAR": "q", "CHAIN_NEAR_AT": "qw", "CHAIN_NEAR_N": "qn", "CHAIN_MAXOI": "q", "DAYS_LEFT": "q", "HOLDING_VALUE": "q", "HOLDING_INVESTED": "q", "BIGGEST_value": "", "BIGGEST_small": "", "LOSERS": "", "WINNERS": "",
    "BIGGEST_position_gain": "", "BIGGEST_position_loss": "", "BIGGEST_position": "", "BIGGEST_best_rupees": "", "BIGGEST_worst_rupees": "", "POSITION_OF": "q", "COUNT_holdings": "", "TOTAL_GAIN": "", "NOTE_PRICE": "q", "NOTE_TWO": "ab",
    "NOTE_TEXT_PRICE": "qt", "ASK_TWO_positions_funds": "", "ASK_TWO_holdings_funds": "", "ASK_TWO_positions_holdings": "", "FIRST_LAST_1": "", "FIRST_LAST_2": "", "FIRST_LAST_3": "", "FIRST_LAST_last": "", "FIRST_LAST_ask": "w", "LIST_FIRST": "w",
    "FOLLOW_HOURLY": "", "FOLLOW_MINUTES": "v", "FOLLOW_DAILY": "", "FOLLOW_TIME": "w", "FOLLOW_MEANT": "q", "FOLLOW_EXCHANGE": "x", "FOLLOW_PRICE": "", "FOLLOW_EXPIRIES": "", "FOLLOW_CHAIN": "", "FOLLOW_STRIKES": "n", "FOLLOW_HISTORY": "w",
    "FOLLOW_NOTE": "", "FOLLOW_OWN": "", "FOLLOW_CONTRACT": "", "FOLLOW_FUTURE": "", "FOLLOW_SPOT": "", "FOLLOW_COMPARE": "q", "FOLLOW_REFRESH": "", "FOLLOW_ACT": "n", "FOLLOW_MORE_ACCOUNT_funds": "", "FOLLOW_MORE_ACCOUNT_positions": "",
    "FOLLOW_MORE_ACCOUNT_holdings": "", "FOLLOW_HELD_ask": "q", "FOLLOW_WHY_NOT": "", "FOLLOW_AVG": "", "VAGUE": ""}.items()}


def worded(r, name, **values):
    return say(r, r.choice(HEARD[name]), **values)


def priced(r, it, desk, kinds=None):
    """A quote is asked for and told; (instrument, all that were found, what the quote said, what was typed)."""
    typed, result, found, every = desk.instrument(kinds)
    it.user(say(r, r.choice(trading.PRICE), q=typed))
    told = looked(it, desk, typed, result, found)
    it.answer(quoted(told))
    return found, every, told, typed


def after_quote(r, it, desk, today):
    """What is said after a quote."""
    found, every, told, typed = priced(r, it, desk)
    index = found["instrument_type"] == "INDEX"
    pick = r.choice(["aspect", "aspect", "meant", "meant", "exchange", "expiries", "chain", "history", "note", "note", "own", "future", "compare", "refresh", "act", "thanks"])
    if pick == "aspect":
        name = r.choice(list(ASPECTS))
        it.user(say(r, r.choice(ASPECTS[name]))).answer(quoted(told, name))
    elif pick == "meant":
        typed, result, other, _ = desk.instrument()
        it.user(worded(r, "FOLLOW_MEANT", q=typed))
        it.answer(quoted(looked(it, desk, typed, result, other)))
    elif pick == "exchange":
        also = next((one for one in every[1:] if one["exchange_segment"] == "BSE_EQ" and one["symbol_name"] == found["symbol_name"]), None)
        if also and ("BSE_EQ", also["security_id"]) in market.BY_KEY["get_market_quote"]:
            told, _ = desk.of("get_market_quote", also)
            it.user(worded(r, "FOLLOW_EXCHANGE", x=r.choice(["BSE", "bse", "the BSE"]))).calls(quote(pair(desk, also))).results(told).answer(quoted(told))
    elif pick == "expiries" and not found["symbol_name"].endswith("FUT"):
        dates, _ = desk.expiries(found)
        it.user(worded(r, "FOLLOW_EXPIRIES")).calls(("get_expiries", desk.both(found))).results(dates).answer(expiring(dates, asked(it), 1))
    elif pick == "chain" and not found["symbol_name"].endswith("FUT"):
        _, days = desk.expiries(found)
        chain = desk.chain(found, days[0])
        it.user(worded(r, "FOLLOW_CHAIN")).calls(("get_option_chain", desk.both(found))).results(chain).answer(chained(chain, asked(it), 1))
        if r.random() < 0.5:
            n = r.choice([2, 4, 5, 6, 8, 10])
            it.user(worded(r, "FOLLOW_STRIKES", n=number(r, n))).calls(("get_option_chain", {**desk.both(found), "strikes": n})).results(chain).answer("[[1]]")
    elif pick == "history" and today:
        words, start, end, _ = earlier(r, today)
        it.user(worded(r, "FOLLOW_HISTORY", w=placed(r, words)))
        told_of(r, it, desk, found, "get_historical_data", clean({"from_date": str(start), "to_date": str(end) if end else None}), start, end)
    elif pick == "note":
        name, price, _ = next(trading.quote_lines(told))
        text = f"{name} is at {price.split(' ')[0]}"
        it.user(worded(r, "FOLLOW_NOTE")).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
    elif pick == "own" and found["instrument_type"] == "EQUITY":
        symbol = desk.names.get(found["symbol_name"], found["symbol_name"])
        held = desk.holdings(symbol) if r.random() < 0.7 else desk.holdings()
        line = re.search(rf"^- {re.escape(symbol)}: (\d+) at (\S+), ", held, re.M)
        it.user(worded(r, "FOLLOW_OWN")).calls(("get_holdings", {})).results(held)
        it.answer((f"Yes, you hold {line.group(1)} {symbol}, bought at {line.group(2)} on average." if line else f"There is no {symbol} among your holdings.") + note(held))
        if line and r.random() < 0.5:
            whole = re.search(rf"^- ({re.escape(symbol)}: .*)$", held, re.M).group(1)
            it.user(worded(r, "FOLLOW_AVG")).answer(f"{whole}.{note(held)}")
    elif pick == "future" and not found["symbol_name"].endswith("FUT"):
        made = desk.futures(found, every)
        if made:
            told = desk.future_quote(made[1][0], found)
            it.user(worded(r, "FOLLOW_FUTURE")).calls(search(typed, "FUTURES")).results(made[0]).calls(quote(pair(desk, made[1][0]))).results(told).answer(quoted(told))
            if len(made[1]) > 1 and r.random() < 0.5:
                told = desk.future_quote(made[1][1], found)
                it.user(worded(r, "FOLLOW_CONTRACT")).calls(quote(pair(desk, made[1][1]))).results(told).answer(quoted(told))
    elif pick == "compare":
        typed, result, other, _ = desk.instrument(("INDEX",) if index else ("EQUITY",))
        it.user(worded(r, "FOLLOW_COMPARE", q=typed))
        it.answer(quoted(looked(it, desk, typed, result, other)))
    elif pick == "refresh":
        it.user(worded(r, "FOLLOW_REFRESH")).calls(quote(pair(desk, found))).results(told).answer(quoted(told))
    elif pick == "act":
        it.user(worded(r, "FOLLOW_ACT", n=r.choice([5, 10, 50, 100, 500]))).answer(CANT)
    else:
        it.user(worded(r, "FOLLOW_WHY_NOT")).answer("You're welcome!")
    return it


def stretch(r, today):
    """(kind, number, first day): the last so many days, weeks or months."""
    kind = r.choice(["days", "weeks", "months"])
    n = r.choice({"days": [2, 3, 5, 7, 10, 15, 20, 30, 60, 90], "weeks": [2, 3, 4, 6], "months": [2, 3, 6, 9]}[kind])
    return kind, n, months_before(today, n) if kind == "months" else back(today, n * (7 if kind == "weeks" else 1))


def bars(r, it, desk, today):
    """Candles, and the same otherwise."""
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"))
    pick = r.random()
    if pick < 0.35 and today:
        kind, n, start = stretch(r, today)
        tool, dates, end = "get_historical_data", {"from_date": str(start)}, None
        dates = {**dates, "to_date": str(today)}
        it.user(worded(r, f"SPAN_{kind}", q=typed, n=number(r, n))).calls(search(typed)).results(result)
        told_of(r, it, desk, found, tool, dates, start, today)
        if r.random() < 0.45:
            words, start, end, _ = earlier(r, today)
            it.user(worded(r, "FOLLOW_TIME", w=placed(r, words)))
            told_of(r, it, desk, found, tool, clean({"from_date": str(start), "to_date": str(end) if end else None}), start, end)
        return it
    words, dates, last = "", {}, None
    if today and r.random() < 0.55:
        day = r.choice([today, back(today, 1), back(today, r.randint(1, 6))])
        words, dates, last = (("today", {"from_date": str(day), "to_date": str(day)}, day) if day == today else ("yesterday", {"from_date": str(day), "to_date": str(day)}, day) if day == back(today, 1) else
                              (f"since {WEEKDAYS[day.weekday()]}", {"from_date": str(day)}, today))
    step = r.choice(["1", "5", "15", "25", "60"])
    if r.random() < 0.55 or not words:
        step, question = "60", worded(r, "HOURLY_60", q=typed, w=f" {words}" if words else "")
    else:
        question = worded(r, "MINUTES_SINCE", q=typed, v=step, w=words)
    told = trading.stepped(desk.of("get_intraday_ohlcv", found, last)[0], int(step))
    it.user(question).calls(search(typed)).results(result).calls(("get_intraday_ohlcv", {**desk.both(found), **dates, "interval": step})).results(told).answer(candles(told, "", 2))
    pick = r.random()
    if pick < 0.3:
        other = r.choice([one for one in ("1", "5", "15", "25", "60") if one != step])
        told = trading.stepped(desk.of("get_intraday_ohlcv", found, last)[0], int(other))
        question = worded(r, "FOLLOW_HOURLY") if other == "60" else worded(r, "FOLLOW_MINUTES", v=other)
        it.user(question).calls(("get_intraday_ohlcv", {**desk.both(found), **dates, "interval": other})).results(told).answer(candles(told, "", 1))
    elif pick < 0.45 and dates:
        it.user(worded(r, "FOLLOW_DAILY"))
        start = last if "to_date" in dates else back(today, 3)
        start = today.fromisoformat(dates["from_date"])
        told_of(r, it, desk, found, "get_daily_ohlcv", dates, start, today.fromisoformat(dates["to_date"]) if "to_date" in dates else None)
    elif pick < 0.6:
        told, _ = desk.of("get_market_quote", found)
        it.user(worded(r, "FOLLOW_PRICE")).calls(quote(pair(desk, found))).results(told).answer(quoted(told))
    return it


def two(r, it, desk, today):
    """Two instruments in one question."""
    a, b = others(desk, 2)
    pick = r.random()
    if pick < 0.3 and today:
        words, start, end, _ = earlier(r, today)
        dates = clean({"from_date": str(start), "to_date": str(end) if end else None})
        it.user(worded(r, "COMPARE_TIME", a=a[0], b=b[0], w=placed(r, words))).calls(search(a[0]), search(b[0])).results(a[1], b[1])
        texts = [desk.candles(one[2], start, end)[0] for one in (a, b)]
        return it.calls(*(("get_historical_data", {**desk.both(one[2]), **dates}) for one in (a, b))).results(*texts).answer("[[3]]\n\n[[4]]")
    told = trading.several(desk, [a, b])
    name = r.choice(["COMPARE", "COMPARE", "COMPARE_PRICE", "NOTE_TWO"])
    it.user(worded(r, name, a=a[0], b=b[0])).calls(search(a[0]), search(b[0])).results(a[1], b[1]).calls(quote(pair(desk, a[2]), pair(desk, b[2]))).results(told)
    if name != "NOTE_TWO":
        return it.answer("[[3]]")
    text = ", ".join(f"{title} is at {price.split(' ')[0]}" for title, price, _ in trading.quote_lines(told))
    return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


def noted(r, it, desk, today):
    """A price, and a note of it."""
    typed, result, found, _ = desk.instrument()
    text = demo.filled(r, r.choice(demo.SCRAPS)) if r.random() < 0.25 else None
    it.user(worded(r, "NOTE_TEXT_PRICE", q=typed, t=text) if text else worded(r, "NOTE_PRICE", q=typed))
    name, price, _ = next(trading.quote_lines(looked(it, desk, typed, result, found)))
    text = f"{text} {price.split(' ')[0]}" if text else f"{name} is at {price.split(' ')[0]}"
    return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


def ahead(r, today, days):
    """(a day of the list, when that is in words): only where one day alone lies in that time."""
    monday = back(today, today.weekday())
    spans = [("this week", monday, 7), ("next week", back(monday, -7), 7)]
    fits = []
    for words, first, many in spans:
        inside = [day for day in days if 0 <= (day - first).days < many]
        fits += [(inside[0], words)] if len(inside) == 1 else []
    for day in days:
        alone = [it for it in days if (it.year, it.month) == (day.year, day.month)]
        if len(alone) == 1:
            fits.append((day, r.choice([f"in {MONTHS[day.month - 1]}", MONTHS[day.month - 1], f"{MONTHS[day.month - 1][:3].lower()}"])))
    return r.choice(fits) if fits else None


def expiry(r, it, desk, today):
    """The next one, the one next week, how long it is till then."""
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"), optioned=True)
    dates, days = desk.expiries(found)
    both = desk.both(found)
    line = re.findall(r"^- (.*)$", dates, re.M)
    name = re.search(r"\n\n(.*?), [A-Z]+_[A-Z]+ \d+ has", dates).group(1)
    pick = r.random()
    if pick < 0.3:
        return it.user(worded(r, "NEXT_EXPIRY", q=typed)).calls(search(typed)).results(result).calls(("get_expiries", both)).results(dates).answer(f"The next expiry of {name} is {line[0]}." + note(dates))
    if pick < 0.4:
        return it.user(worded(r, "DAYS_LEFT", q=typed)).calls(search(typed)).results(result).calls(("get_expiries", both)).results(dates).answer(f"The next expiry of {name} is {line[0]}." + note(dates))
    when = ahead(r, today, days) if today else None
    if when and pick < 0.75:
        day, words = when
        if pick < 0.55:
            it.user(worded(r, "EXPIRY_IN", q=typed, w=words)).calls(search(typed)).results(result).calls(("get_expiries", both)).results(dates)
            return it.answer(f"The expiry of {name} {'then ' if not words.startswith(('this', 'next', 'in')) else words + ' '}is {line[days.index(day)]}." + note(dates))
        chain, extra = desk.chain(found, day), {}
        if r.random() < 0.3:
            extra = {"strikes": r.choice([2, 4, 5, 6, 8, 10])}
            question = worded(r, "CHAIN_AHEAD_N", q=typed, w=words, n=extra["strikes"])
        else:
            question = worded(r, "CHAIN_AHEAD", q=typed, w=words)
        return it.user(question).calls(search(typed)).results(result).calls(("get_expiries", both)).results(dates).calls(("get_option_chain", {**both, "expiry": str(day), **extra})).results(chain).answer("[[3]]")
    chain, extra = desk.chain(found, days[0]), {}
    if pick > 0.93:
        day, words = trading.which(r, days)
        chain = desk.chain(found, day)
        it.user(worded(r, "CHAIN_NEAR_AT", q=typed, w=words)).calls(search(typed)).results(result).calls(("get_expiries", both)).results(dates)
        return it.calls(("get_option_chain", {**both, "expiry": str(day)})).results(chain).answer("[[3]]")
    if r.random() < 0.35:
        extra = {"strikes": r.choice([2, 4, 5, 6, 8, 10])}
        question = worded(r, "CHAIN_NEAR_N", q=typed, n=extra["strikes"])
    else:
        question = worded(r, r.choice(["CHAIN_NEAR", "CHAIN_NEAR", "CHAIN_MAXOI"]), q=typed)
    it.user(question).calls(search(typed)).results(result).calls(("get_option_chain", {**both, **extra})).results(chain).answer("[[2]]")
    if r.random() < 0.3:
        told, _ = desk.of("get_market_quote", found)
        it.user(worded(r, "FOLLOW_PRICE")).calls(quote(pair(desk, found))).results(told).answer(quoted(told))
    return it


def account(r, it, desk, today):
    """What is held, open and left."""
    pick = r.random()
    if pick < 0.2:
        typed, _, found, _ = desk.instrument(("EQUITY",))
        symbol = desk.names.get(found["symbol_name"], found["symbol_name"])
        held = desk.holdings(symbol)
        line = re.search(rf"^- ({re.escape(symbol)}: .*)$", held, re.M).group(1)
        return it.user(worded(r, r.choice(["HOLDING_VALUE", "HOLDING_INVESTED"]), q=r.choice([typed, symbol]))).calls(("get_holdings", {})).results(held).answer(f"{line}.{note(held)}")
    if pick < 0.4:
        name = r.choice(["BIGGEST_value", "BIGGEST_small", "LOSERS", "WINNERS", "BIGGEST_best_rupees", "BIGGEST_worst_rupees"])
        return it.user(worded(r, name)).calls(("get_holdings", {})).results(desk.holdings()).answer("[[1]]")
    if pick < 0.52:
        held = trading.holding_names(r, desk, desk.text(market.WHOLE["get_positions"]))
        return it.user(worded(r, r.choice(["BIGGEST_position_gain", "BIGGEST_position_loss", "BIGGEST_position"]))).calls(("get_positions", {})).results(held).answer("[[1]]")
    if pick < 0.6:
        typed, _, found, _ = desk.instrument(("EQUITY",))
        held = trading.holding_names(r, desk, desk.text(market.WHOLE["get_positions"]))
        symbol = desk.names.get(found["symbol_name"], found["symbol_name"])
        symbols = [one for one in re.findall(r"^- ([A-Z0-9&-]{2,16}) \(", held, re.M) if one != symbol]
        if symbols and r.random() < 0.6:
            # Most ask of what is there, by its symbol or by what it is called.
            symbol = r.choice(symbols)
            typed = r.choice([symbol, symbol.lower(), desk.called(symbol)])
        line = re.search(rf"^- ({re.escape(symbol)} \(.*)$", held, re.M)
        return it.user(worded(r, "POSITION_OF", q=typed)).calls(("get_positions", {})).results(held).answer((f"{line.group(1)}." if line else f"There is no position in {typed}.") + note(held))
    if pick < 0.7:
        held, name = desk.holdings(), r.choice(["COUNT_holdings", "TOTAL_GAIN", "TOTAL_GAIN"])
        many = re.search(r"(\d+) holdings", held).group(1)
        told = f"You hold {many} different shares." if name == "COUNT_holdings" else re.search(r"- (In all: .*)", held).group(1) + "."
        return it.user(worded(r, name)).calls(("get_holdings", {})).results(held).answer(told + note(held))
    if pick < 0.85:
        name = r.choice(["ASK_TWO_positions_funds", "ASK_TWO_holdings_funds", "ASK_TWO_positions_holdings"])
        kinds = [f"get_{one}" for one in name.split("_")[2:]]
        question = worded(r, name)
        place = lambda kind: min([question.lower().find(word) for word in {"get_positions": ["position", "pos", "trade", "open", "pnl"], "get_funds": ["fund", "balance", "cash", "margin", "money"], "get_holdings": ["holding", "portfolio", "pf", "own", "share", "stock",
            "hold"]}[kind] if word in question.lower()] or [999])
        kinds.sort(key=place)
        texts = [desk.holdings() if kind == "get_holdings" else desk.text(market.WHOLE[kind]) for kind in kinds]
        return it.user(question).calls(*((kind, {}) for kind in kinds)).results(*texts).answer("[[1]]\n\n[[2]]")
    names = ["funds", "positions", "holdings"]
    first, then = r.sample(names, 2)
    told, answer = trading.account_told(r, desk, f"get_{first}", "")
    it.user(say(r, r.choice(trading.ACCOUNT[f"get_{first}"]))).calls((f"get_{first}", {})).results(told)
    it.answer(trading.account_told(r, desk, f"get_{first}", asked(it))[1] if first != "holdings" else "[[1]]")
    if first == "holdings" and r.random() < 0.5:
        symbols = re.findall(r"^- ([A-Z0-9&-]{2,16}): \d", told, re.M)
        one = r.choice(symbols)
        line = re.search(rf"^- ({re.escape(one)}: .*)$", told, re.M).group(1)
        return it.user(worded(r, "FOLLOW_HELD_ask", q=r.choice([one, one.lower()]))).answer(f"{line}.{note(told)}")
    told, answer = trading.account_told(r, desk, f"get_{then}", "")
    return it.user(worded(r, f"FOLLOW_MORE_ACCOUNT_{then}")).calls((f"get_{then}", {})).results(told).answer("[[1]]")


def listed(r, it, desk, today):
    """One of a list: of what is held, of contracts."""
    if r.random() < 0.5:
        held = desk.holdings()
        lines = re.findall(r"^- ([A-Z0-9&-]{2,16}: \d.*)$", held, re.M)
        at, words = r.choice([(0, "first"), (1, "second"), (-1, "last")] + ([(2, "third")] if len(lines) > 2 else []))
        if len(lines) < 2:
            return None
        return it.user(worded(r, "LIST_FIRST", w=words)).calls(("get_holdings", {})).results(held).answer(f"{lines[at]}.{note(held)}")
    typed, _, found, every = desk.instrument(("EQUITY", "INDEX"))
    made = desk.futures(found, every)
    if not made or len(made[1]) < 2:
        return None
    at = r.choice([0, 1, -1] + ([2] if len(made[1]) > 2 else []))
    which = r.choice(HEARD["FIRST_LAST_last" if at == -1 else f"FIRST_LAST_{at + 1}"])
    told = desk.future_quote(made[1][at], found)
    it.user(say(r, r.choice([one for one in trading.FUTURE_FIND if "lot" not in one and "expire" not in one]), q=typed)).calls(search(typed, "FUTURES")).results(made[0]).answer("[[1]]")
    return it.user(worded(r, "FIRST_LAST_ask", w=which)).calls(quote(pair(desk, made[1][at]))).results(told).answer(quoted(told))


def vague(r, it, desk, today):
    """Nothing is named: it is asked for, and told."""
    # What is asked is seen in the pattern: typing may spoil the words.
    asks = expand(r, r.choice(HEARD["VAGUE"]))
    it.quiet(say(r, asks), "Which instrument do you mean?", "get_market_quote", "search_instruments")
    asks = asks.lower()
    if r.random() < 0.4 or re.search(r"candle|chart|\bmin|hist|past|last|52|ohlc|daily|hour|buy|sell|own|hold|note|fut|compare|both|two", asks):
        return it
    chain, ends = re.search(r"chain|strike|\boc\b|call|\bput|option|pcr|\bce\b|\bpe\b|\biv\b|\boi\b", asks), re.search(r"expir|\bexp\b", asks)
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX") if chain or ends else None, optioned=bool(chain))
    it.user(r.choice([typed, typed, typed, f"of {typed}", f"I mean {typed}", f"{typed} please", f"{typed} ka"]))
    if chain or ends:
        dates, days = desk.expiries(found)
        told = dates if ends else desk.chain(found, days[0])
        it.calls(search(typed)).results(result).calls(("get_expiries" if ends else "get_option_chain", desk.both(found))).results(told)
        return it.answer(expiring(told, asks, it.here) if ends else chained(told, asks, it.here))
    aspects = {"high": r"\bhigh", "low": r"\blow\b|\blows\b", "open": r"\bopen(ed|ing)?\b", "Previous close": r"prev|yesterday|\bclosed?\b", "Volume": r"\bvol", "Circuit": "circuit", "average price": "vwap|atp|average"}
    meant = [name for name, words in aspects.items() if re.search(words, asks)]
    it.answer(quoted(looked(it, desk, typed, result, found), meant[0] if len(meant) == 1 else None))
    return it


def talk(r, today):
    if r.random() < 0.45:
        return both.talk(r, today)
    while True:
        it, desk = Talk("trading"), market.Market(r, today)
        kind = r.choices([after_quote, bars, two, noted, expiry, account, listed, vague], [8, 6, 4, 2, 5, 6, 2, 1])[0]
        if kind(r, it, desk, today) and it.messages and not trading.known(it):
            if "take_note" in it.need:
                it.task = "any"
            return it
