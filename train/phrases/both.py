"""Two and three asks in one at the desk: several figures of a quote, a price and candles, a price and a chain, what is held and what it is worth."""

import re

from . import demo, market, trading
from .patterns import heard
from .talks import Talk, clean
from .trading import FIGURES, candles, expiring, no_candles, note, others, pair, placed, quote, quote_lines, quoted, search
from .words import back, earlier, say

# What is asked of one quote, in the order in which it is told.
FIGURED = {"high_low": ("high", "low"), "ohl": ("open", "high", "low"), "open_prev": ("open", "Previous close"), "price_volume": ("", "Volume"), "price_prev": ("", "Previous close"), "price_vwap": ("", "average price"),
           "price_circuit": ("", "Circuit"), "price_high_low": ("", "high", "low")}
HEARD = {name: heard("trading", name, slots) for name, slots in {
    **{f"FIGURES_{name}": "q" for name in FIGURED}, "PRICE_CANDLES": "abw", "PRICE_PAST": "qw", "PRICE_CHAIN": "q", "PRICE_EXPIRIES": "q", "PRICE_CHAIN_LATER": "qw", "MIX_PRICE_CHAIN": "ab", "MIX_PRICE_EXPIRIES": "ab",
    "BOTH_CHAINS": "ab", "BOTH_EXPIRIES": "ab", "BOTH_INTRADAY": "abvw", "OWN_PRICE": "q", "PRICES_FOUR": "abcd", "SPOT_FUTURE": "q", "ACCOUNT_ALL": "", "ACCOUNT_PRICE": "qk", "FUNDS_TWO": "", "HELD_CANDLES": "v", "HELD_MANY": "n",
    "LEFT_OUT": "qn", "LEVEL": "qn", "FUNDS_NOTE": "", "PRICE_TIP": "qpv"}.items()}
ACCOUNTS = {"get_holdings": ["holdings", "portfolio", "pf", "shares", "stocks", "investments"], "get_positions": ["positions", "open positions", "open trades", "pnl", "p&l", "trades"], "get_funds": ["funds", "balance", "available margin", "cash balance", "margin"]}
UNTOLD = "I can't do the rest with my tools."


def worded(r, name, **values):
    return say(r, r.choice(HEARD[name]), **values)


def bare(answer):
    """An answer that another one follows: what both would say at the end is said once."""
    return answer.replace(trading.SIMULATED, "")


def told(desk, found):
    return desk.of("get_market_quote", found)[0]


def figures(r, it, desk, today):
    """Several figures of one quote."""
    kind = r.choice(list(FIGURED))
    typed, result, found, _ = desk.instrument(("EQUITY",) if re.search("volume|vwap|circuit", kind) else ("EQUITY", "INDEX", "FUTCOM"))
    it.user(worded(r, f"FIGURES_{kind}", q=typed))
    got = trading.looked(it, desk, typed, result, found)
    name, price, lines = next(quote_lines(got))
    said = []
    for one in FIGURED[kind]:
        value = re.search(FIGURES[one][0], "\n".join(lines)) if one else None
        if one and not value:
            return None
        said.append(f"{name} is at {price}." if not one else FIGURES[one][1].format("it", value.group(1)).replace(" of it ", " ") if said else FIGURES[one][1].format(name, value.group(1)))
    return it.answer(" ".join(said) + note(got))


def dated(r, today):
    """(words with a blank before them, arguments, first day, last day) of a time, mostly one."""
    if not today or r.random() < 0.25:
        return "", {}, None, None
    words, start, end, _ = earlier(r, today)
    return " " + placed(r, words), clean({"from_date": str(start), "to_date": str(end) if end else None}), start, end


def price_candles(r, it, desk, today):
    """The price of one, the candles of another, or of the same."""
    words, dates, start, end = dated(r, today)
    same = r.random() < 0.4
    pattern = r.choice([one for one in HEARD["PRICE_PAST" if same else "PRICE_CANDLES"] if words or re.search("candle|daily|histor|past prices|chart", one)] or HEARD["PRICE_PAST" if same else "PRICE_CANDLES"])
    tool = "get_daily_ohlcv" if re.search("daily|candle|ohlc|bars", pattern) else "get_historical_data"
    if same:
        one = other = desk.instrument(("EQUITY", "INDEX"))
        it.user(say(r, pattern, q=one[0], w=words)).calls(search(one[0])).results(one[1])
    else:
        one, other = others(desk, 2)
        it.user(say(r, pattern, a=one[0], b=other[0], w=words)).calls(search(one[0]), search(other[0])).results(one[1], other[1])
    bars, some = desk.candles(other[2], start, end)
    price = told(desk, one[2])
    it.calls(quote(pair(desk, one[2])), (tool, {**desk.both(other[2]), **dates})).results(price, bars)
    return it.answer(bare(quoted(price)) + "\n\n" + (candles(bars, "", it.here) if some else no_candles(bars)))


def price_options(r, it, desk, today):
    """A price, and the chain or the expiries of the same or of another."""
    pick = r.random()
    optioned = lambda: next(one for one in iter(lambda: desk.instrument(("EQUITY", "INDEX")), None) if one[2]["symbol_name"] != "INDIA VIX")
    if pick < 0.62:
        one = other = optioned()
        name = "PRICE_CHAIN" if pick < 0.26 else "PRICE_EXPIRIES" if pick < 0.44 else "PRICE_CHAIN_LATER"
        words = ""
        _, days = dates = desk.expiries(other[2])
        if name == "PRICE_CHAIN_LATER":
            day, words = trading.which(r, days)
        it.user(worded(r, name, q=one[0], w=words)).calls(search(one[0])).results(one[1])
    else:
        one = desk.instrument(("EQUITY", "INDEX"))
        other = optioned()
        if one[2]["security_id"] == other[2]["security_id"]:
            return None
        name = "MIX_PRICE_CHAIN" if pick < 0.84 else "MIX_PRICE_EXPIRIES"
        _, days = dates = desk.expiries(other[2])
        it.user(worded(r, name, a=one[0], b=other[0])).calls(search(one[0]), search(other[0])).results(one[1], other[1])
    price, both = told(desk, one[2]), desk.both(other[2])
    head = bare(quoted(price)) + "\n\n"
    if name == "PRICE_CHAIN_LATER":
        it.calls(quote(pair(desk, one[2])), ("get_expiries", both)).results(price, dates[0])
        return it.calls(("get_option_chain", {**both, "expiry": str(day)})).results(desk.chain(other[2], day)).answer(head + "[[4]]")
    if name.endswith("EXPIRIES"):
        return it.calls(quote(pair(desk, one[2])), ("get_expiries", both)).results(price, dates[0]).answer(head + expiring(dates[0], trading.asked(it), it.here))
    return it.calls(quote(pair(desk, one[2])), ("get_option_chain", both)).results(price, desk.chain(other[2], days[0])).answer(head + f"[[{it.here}]]")


def both(r, it, desk, today):
    """The same of two: chains, expiries, candles of minutes."""
    name = r.choice(["BOTH_CHAINS", "BOTH_EXPIRIES", "BOTH_INTRADAY"])
    some = others(desk, 2)
    if any(one[2]["symbol_name"] == "INDIA VIX" for one in some):
        return None
    step, words, dates, last = r.choice(["1", "5", "15", "25", "60"]), "", {}, None
    if name == "BOTH_INTRADAY" and today and r.random() < 0.5:
        last = r.choice([today, back(today, 1)])
        words, dates = " today" if last == today else " yesterday", {"from_date": str(last), "to_date": str(last)}
    it.user(worded(r, name, a=some[0][0], b=some[1][0], v=step, w=words)).calls(*(search(one[0]) for one in some)).results(*(one[1] for one in some))
    calls, texts = [], []
    for one in some:
        got, days = desk.expiries(one[2])
        if name == "BOTH_CHAINS":
            call, got = ("get_option_chain", desk.both(one[2])), desk.chain(one[2], days[0])
        elif name == "BOTH_EXPIRIES":
            call = ("get_expiries", desk.both(one[2]))
        else:
            call, got = ("get_intraday_ohlcv", {**desk.both(one[2]), **dates, "interval": step}), trading.stepped(desk.of("get_intraday_ohlcv", one[2], last)[0], int(step))
        calls.append(call)
        texts.append(got)
    return it.calls(*calls).results(*texts).answer("[[3]]\n\n[[4]]")


def own(r, it, desk, today):
    """Whether it is held, and what it costs now."""
    typed, result, found, _ = desk.instrument(("EQUITY",))
    symbol = desk.names.get(found["symbol_name"], found["symbol_name"])
    held = desk.holdings(symbol) if r.random() < 0.7 else desk.holdings()
    line = re.search(rf"^- {re.escape(symbol)}: (\d+) at (\S+), ", held, re.M)
    price = told(desk, found)
    it.user(worded(r, "OWN_PRICE", q=typed)).calls(("get_holdings", {}), search(typed)).results(held, result).calls(quote(pair(desk, found))).results(price)
    return it.answer((f"You hold {line.group(1)} {symbol}, bought at {line.group(2)} on average. " if line else f"There is no {symbol} among your holdings. ") + quoted(price))


def four(r, it, desk, today):
    some = others(desk, 4, ("INDEX",) if r.random() < 0.2 else ("EQUITY", "INDEX"))
    it.user(worded(r, "PRICES_FOUR", **dict(zip("abcd", (one[0] for one in some))))).calls(*(search(one[0]) for one in some)).results(*(one[1] for one in some))
    return it.calls(quote(*(pair(desk, one[2]) for one in some))).results(trading.several(desk, some)).answer("[[5]]")


def spot_future(r, it, desk, today):
    """What it costs, and what its nearest future does."""
    typed, result, found, every = desk.instrument(("EQUITY", "INDEX"))
    made = desk.futures(found, every)
    if not made:
        return None
    it.user(worded(r, "SPOT_FUTURE", q=typed)).calls(search(typed), search(typed, "FUTURES")).results(result, made[0])
    # The product tells the segments in the order of their names.
    parts = sorted([(found["exchange_segment"], told(desk, found)), (made[1][0]["exchange_segment"], desk.future_quote(made[1][0], found))])
    text = "✅ Success!\n\n" + "\n\n".join(one.split("\n\n")[1] for _, one in parts) + "\n\n" + parts[0][1].split("\n\n")[-1]
    return it.calls(quote(pair(desk, found), pair(desk, made[1][0]))).results(text).answer(quoted(text))


def account(r, it, desk, today):
    """Of the account, and a price; all of the account; two figures of the funds."""
    pick = r.random()
    text = lambda kind: trading.account_told(r, desk, kind, "")[0]
    if pick < 0.25:
        question = worded(r, "ACCOUNT_ALL")
        return it.user(question).calls(*((kind, {}) for kind in ACCOUNTS)).results(*(text(kind) for kind in ACCOUNTS)).answer("[[1]]\n\n[[2]]\n\n[[3]]")
    if pick < 0.45:
        return it.user(worded(r, "FUNDS_TWO")).calls(("get_funds", {})).results(text("get_funds")).answer("[[1]]")
    if pick < 0.7:
        typed, result, found, _ = desk.instrument()
        kind = r.choice(list(ACCOUNTS))
        words = r.choice(ACCOUNTS[kind])
        question = worded(r, "ACCOUNT_PRICE", q=typed, k=words)
        mine, price = text(kind), told(desk, found)
        first = question.find(typed) < question.find(words)
        calls = [(search(typed), result), ((kind, {}), mine)][:: 1 if first else -1]
        it.user(question).calls(*(one for one, _ in calls)).results(*(one for _, one in calls)).calls(quote(pair(desk, found))).results(price)
        said = [quoted(price), "[[2]]"] if first else ["[[1]]", quoted(price)]
        return it.answer("\n\n".join(said))
    held = desk.holdings()
    rows = re.findall(r"^- ([A-Z0-9&-]{2,16}): (\d+) at", held, re.M)
    if pick < 0.85:
        symbol, step = rows[0][0], r.choice(["1", "5", "15", "25", "60"])
        result, found = desk.known(symbol)
        got = trading.stepped(desk.of("get_intraday_ohlcv", found)[0], int(step))
        it.user(worded(r, "HELD_CANDLES", v=step)).calls(("get_holdings", {})).results(held).calls(search(symbol)).results(result)
        return it.calls(("get_intraday_ohlcv", {**desk.both(found), "interval": step})).results(got).answer("[[3]]")
    alone = [one for one in rows if sum(other[1] == one[1] for other in rows) == 1]
    if not alone:
        return None
    symbol, many = r.choice(alone)
    result, found = desk.known(symbol)
    it.user(worded(r, "HELD_MANY", n=many)).calls(("get_holdings", {})).results(held)
    return it.answer(quoted(trading.looked(it, desk, symbol, result, found)))


def level(r, it, desk, today):
    """Whether a price is above or below something: the price is told."""
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"))
    near = desk.last_price(found) * desk.factor * r.uniform(0.9, 1.1)
    step = 500 if near > 20_000 else 100 if near > 5000 else 50 if near > 1000 else 10 if near > 100 else 1
    it.user(worded(r, "LEVEL", q=typed, n=max(1, round(near / step)) * step))
    return it.answer(quoted(trading.looked(it, desk, typed, result, found)))


def funds_note(r, it, desk, today):
    """What can be withdrawn, as a note."""
    got = trading.account_told(r, desk, "get_funds", "")[0]
    text = re.search(r"- (Can be withdrawn: .*)", got).group(1)
    it.user(worded(r, "FUNDS_NOTE")).calls(("get_funds", {})).results(got)
    return it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")


def price_tip(r, it, desk, today):
    """A price, and a tip."""
    typed, result, found, _ = desk.instrument()
    (amount, shown), percent = demo.money(r), r.choice([5, 8, 10, 12, 15, 18, 20, 22, 25])
    tip = demo.tip_of(amount, percent)
    it.user(worded(r, "PRICE_TIP", q=typed, p=percent, v=shown)).calls(search(typed), ("calculate_tip", {"amount": amount, "percentage": percent})).results(result, tip)
    price = told(desk, found)
    return it.calls(quote(pair(desk, found))).results(price).answer(quoted(price) + " " + demo.tip_told(r, tip))


def left_out(r, it, desk, today):
    """A price, and something that no tool does: the price is told, and that the rest can't be done."""
    typed, result, found, _ = desk.instrument(("EQUITY",))
    it.user(worded(r, "LEFT_OUT", q=typed, n=r.choice([5, 10, 25, 50, 100, 200, 500, 1500])))
    return it.answer(quoted(trading.looked(it, desk, typed, result, found)) + " " + UNTOLD)


def talk(r, today):
    while True:
        it, desk = Talk("trading"), market.Market(r, today)
        kind = r.choices([figures, price_candles, price_options, both, own, four, spot_future, account, left_out, level, funds_note, price_tip], [12, 12, 10, 4, 6, 4, 4, 8, 2, 3, 1, 2])[0]
        if kind(r, it, desk, today) and it.messages and not trading.known(it):
            if kind in (funds_note, price_tip):
                it.task = "any"
            return it
