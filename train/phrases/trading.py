"""The trading desk: what is looked up first, and what is then asked with what was found."""

import re

from . import demo, market, store
from .patterns import gather, listened
from .talks import CANT, Talk, clean, later
from .words import MONTHS, WEEKDAYS, back, earlier, expand, months_before, number, placed, say, span, timed

PRICE = [
    "[What's|What is|Whats|tell me|give me|get|show me|check|find] the [current |latest |last |live |]price of {q}[| now| today| right now]?", "[price|quote|ltp|rate|level|value] [of|for] {q}",
    "{q} [price|quote|ltp|share price|stock price|rate|level][| now| today]", "how much is {q}[| trading at| now| today]?",
    "[how is|how's] {q} [doing|trading|performing][| today| now]?", "what is {q} [at|trading at|worth][| now| right now| today]?", "[get|give|fetch] me [a|the] quote [for|of|on] {q}",
    "where is {q} [trading|right now|at]?", "{q}?", "current [value|level|price] of {q}", "is {q} [up|down] today?",
    "what does {q} cost[| now]?", "[can you |]check {q} for me", "how much does one share of {q} cost?", "latest on {q}", "at what price is {q} [trading|quoting]?", "i want to know the price of {q}",
    "[quote|price] {q}", "how has {q} moved today?", "{q} kitna hai", "price check: {q}", "market price of {q} please",
    "[give me|what's|show|tell me] the latest [on|for|about] {q}", "{q} [now|today|right now|currently|please|live|latest|update]", "[update|status] on {q}", "[what's up with|what about|how about] {q}[| today]?",
    "did {q} [rise|fall|gain|drop|go up|go down] today?", "is {q} in the [green|red][| today]?",
    "[could you|can you|would you] [tell me|look up|check|fetch|get] [what {q} costs|the price of {q}|how {q} is doing|where {q} stands|the {q} price]?", "how far is {q} [up|down] today?", "what did {q} do today?",
    "how did {q} end [the day|today]?", "last traded price of {q}", "{q} [cmp|ltp|spot price|spot]",
    "I'm watching {q}, where is it now?", "need the [price|quote|rate] [of|for] {q}", "[pull up|bring up|open] {q}", "how expensive is {q}?", "what's one {q} share going for?",
    "[today's|todays] {q} [price|rate|level]", "[show|see] {q}", "what is the {q} [share |stock |]price?", "{q} - [how much|price|up or down]?",
    "by how much has {q} changed today?", "percentage change [of|in] {q}[| today]", "is {q} doing well?", "at what level does {q} stand?", "tell me about {q}['s price| price]",
    "[wanna|want to] know [where {q} is|what {q} is at]", "{q} going up or down?", "look at {q} for me", "quick quote on {q}",
]
INDEX = [
    "[how is|how's|hows] the {q}[| doing| today| now]?", "where is the {q}[| now| today]?", "[give me|tell me|what's|show] the {q}[| level| value| now]", "where does the {q} stand?",
    "where did the {q} [close|end|finish]?", "at how many points is the {q}?", "how many points is {q} [up|down]?", "{q} [points|level] now",
    "how is the market[| today]? {q}", "is the {q} [up|down|higher|lower] today?", "latest {q}[| level| number| value]", "the {q} please", "what's the {q} at?", "level of the {q} index",
    "{q} index [now|level|value|today]", "give me the latest on {q}[| please| now]", "[any|what] movement in {q}?", "how did {q} close?",
]
ASPECT = {
    "high": ["[what's|what is|what was] [today's|the day's] high [of|for|in] {q}?", "{q} day high", "how high did {q} [go|get|climb] today?", "highest price of {q} today", "today's top [of|for] {q}", "{q} high today",
    "intraday high of {q}"],
    "low": ["[what's|what is|what was] [today's|the day's] low [of|for|in] {q}?", "{q} day low", "how low did {q} [go|get|fall] today?", "lowest price of {q} today", "today's bottom [of|for] {q}", "{q} low today",
    "intraday low of {q}"],
    "open": ["[what|where] did {q} open[| today| at]?", "[open|opening] price of {q}", "{q} opening price", "at what price did {q} open?", "where did {q} start [today|the day]?", "{q} open today"],
    "Previous close": ["[what's|what is|what was] the previous close of {q}?", "{q} previous close", "where did {q} close [yesterday|last]?", "[last|previous|yesterday's] close of {q}",
    "at what price did {q} close yesterday?", "yesterday's [close|closing price] [of|for] {q}", "{q} [yesterday's close|prev close|closing price yesterday]",
                       "what was {q}'s close [yesterday|the day before]?"],
    "Volume": ["[what's|what is] the volume [of|in|for] {q}[| today]?", "{q} volume", "how many shares of {q} [were traded|changed hands][| today]?", "trading volume of {q}", "how [much|heavily] is {q} traded?",
    "volume traded in {q}", "is there much volume in {q}?", "{q} traded volume today"],
    "average price": ["[what's|what is] the average [traded |trading |]price [of|for|in] {q}[| today]?", "average traded price of {q}", "{q} [average price|atp|vwap|avg price|average traded price]",
    "at what price was {q} traded on average[| today]?", "[atp|vwap] of {q}", "avg traded price for {q}",
                      "what did {q} trade at on average today?", "mean price of {q} today"],
    "Circuit": ["circuit limits of {q}", "what are the circuit limits [for|of|on] {q}?", "{q} upper and lower circuit", "[upper|lower] circuit [of|for] {q}", "where is the [upper|lower] circuit of {q}?",
    "{q} circuit [limits|filter|levels]", "price band of {q}", "how far can {q} [rise|fall] today before it hits the circuit?"],
    "Best bid": ["[best |]bid and ask [of|for|in] {q}", "{q} bid ask", "what are the bid and the ask [of|for|in] {q}?", "bid price of {q}", "ask price of {q}", "market depth of {q}", "who bids what for {q}?"],
}
PRICES = ["[price|prices|quote|quotes|ltp] of {a} and {b}", "[compare|show|get] [the |][price|prices] of {a} [and|with|vs] {b}", "{a} and {b} [price|prices|quotes]", "[how are|how's] {a} and {b} doing[| today]?",
    "[what are|what's] {a} and {b} [at|trading at]?", "[give me|show] quotes for {a} and {b}", "is {a} or {b} [up|down] more today?", "{a} vs {b}",
          "{a} & {b}[| now| today| please]?", "{a} and {b}[| now| today]?", "{a}, {b}?", "both {a} and {b}, where are they?", "where are {a} and {b}[| trading| now]?", "which is [higher|cheaper|dearer], {a} or {b}?",
          "how do {a} and {b} compare[| today]?", "did {a} and {b} rise today?", "[latest|levels] [on|of] {a} and {b}",
          "[check|look up|quote] {a} and {b}", "{a} as well as {b}, [prices|quotes] please", "price of {a}, and of {b}", "how much are {a} and {b}?", "tell me where {a} is and where {b} is",
          "which moved more today: {a} or {b}?", "{a} / {b} [price|now]", "{a} plus {b} quotes"]
PRICES_THREE = ["[price|prices|quotes] of {a}, {b} and {c}", "{a}, {b}, {c} [prices|quotes|ltp]", "how are {a}, {b} and {c} doing?", "[show|get] me {a}, {b} and {c}", "{a}, {b} and {c}[| now| today]?",
    "[compare|check] {a}, {b} and {c}", "where are {a}, {b} & {c}?", "which of {a}, {b} and {c} gained the most today?"]
DAILY = ["[daily|day] [candles|bars|ohlc|ohlcv|chart|prices] [of|for] {q}{w}", "{q} daily [candles|ohlc|chart|bars]{w}", "[show|get|give me] [me |]the daily [candles|ohlcv|prices|data] [of|for] {q}{w}",
    "open high low close of {q} [day by day|each day]{w}"]
HISTORY = ["[historical|past] [data|prices] [of|for] {q}{w}", "[how did|how has] {q} [perform|do|move|performed|done|moved]{w}?",
    "[show|get|give me|fetch] [me |][the |][history|historical data|price history|past prices] [of|for] {q}{w}", "{q} [history|price history|historical data|performance]{w}", "{q} prices{w}",
           "what was {q} [like|trading at]{w}?", "what was the [highest|lowest] price of {q}{w}?", "trend of {q}{w}", "how much did {q} [gain|lose|rise|fall|change]{w}?"]
MINUTES = ["{v}[ minute|-minute| min|-min|m] [candles|bars|chart|data|ohlc] [of|for] {q}{w}", "intraday {q} {v}[ minute|m| min] [bars|candles|chart]{w}", "{q} {v}[ minute| min|-minute|m] [candles|chart|bars|data]{w}",
    "[show|get|give me] [me |]{v}[ minute|-minute] candles [of|for] {q}{w}", "{q} intraday in {v} minute steps{w}"]
INTRADAY = ["intraday [candles|chart|data|prices|ohlc|moves] [of|for] {q}{w}", "{q} intraday[| data| chart| candles]{w}", "[show|get] [me |]the intraday [chart|data|candles] [of|for] {q}{w}",
    "how did {q} move during the day{w}?"]
CHAIN = ["[option chain|options chain|options|the option chain] [of|for|on] {q}", "{q} option chain", "[show|get|give me|pull up|fetch] [me |]the {q} option[s|] [chain|]", "calls and puts [of|on|for] {q}",
    "what [options|calls and puts] are there [on|for] {q}?", "{q} [put call ratio|pcr]", "put/call ratio of {q}", "open interest of {q} options", "at the money strike of {q}?", "implied volatility of {q} options"]
CHAIN_N = ["{n} strikes of the {q} option chain", "option chain of {q}, {n} strikes", "show {n} strikes around the money for {q}", "{q} options, [only |]{n} strikes"]
EXPIRIES = ["[expiries|expiry dates|expiry|expiration dates] [of|for] {q}[| options]", "when do [the |]{q} options [expire|end]?", "[list|show|get|give me] [me |]the [expiry dates|expiries|expirations] [for|of] {q}",
    "{q} [expiries|expiry dates|option expiries|expiry|expirations|expiry days|expiry list]", "next [expiry|expiries] [for|of] {q}",
            "which expiries [are there|exist] for {q}?", "when is the next {q} expiry?", "on which days do {q} options [end|expire]?", "{q} - when do the options run out?", "what expiries does {q} have?",
            "how many expiries are there for {q}?", "does {q} have weekly expiries?", "until when do {q} options run?", "when does {q} expire[| next]?",
            "{q} expiry [calendar|schedule|date]", "last expiry [day |]of {q} options", "is there an expiry for {q} this week?", "tell me {q}'s expiry dates", "what's the nearest expiry of {q}?"]
FIND = ["[find|search for|search|look up|lookup|find me] {q}", "[which|what] instrument is {q}?", "[what's|what is|give me|get] the [security id|id|instrument id] [of|for] {q}", "security id [of|for] {q}",
    "[find|search for] the instrument {q}", "{q} [security id|symbol]", "is {q} listed?", "what's the symbol [of|for] {q}?", "which exchange is {q} on?",
        "search instruments for {q}", "is there an instrument [called|named] {q}?", "is there [something|anything] called {q}?", "do you [know|have] [a share|an instrument|a stock] called {q}?",
        "does {q} exist[| as an instrument]?", "can {q} be traded?", "find the [ticker|symbol|scrip] [of|for] {q}", "what is {q} [listed as|called on the exchange]?",
        "where is {q} listed?", "[look up|find] the {q} [share|stock|instrument]", "show me what matches {q}", "anything matching {q}?", "which segment is {q} in?", "is {q} a [share|stock] or an index?",
        "what kind of instrument is {q}?", "ticker for {q}", "scrip code of {q}", "search {q} [among the instruments|in the market]", "any instrument with the name {q}?"]
# With the exchange named; {x} is the exchange or segment as it is said.
WITHIN = ["[find|look up|search for|search|lookup|get] [the symbol |symbol |]{s} [in|on] {x}", "{s} [on|in] {x}", "look up {s} [in|within] {x}", "get the instrument {s} from {x}",
    "is {s} [listed|traded|available] on {x}?", "[security id|id|instrument id] of {s} [on|in] {x}", "which id does {s} have [on|in] {x}?", "find me {s} [on|in] {x}",
          "is there a {s} [on|in] {x}?", "search {x} for {s}", "in {x}, look up {s}", "I need the id of {s} [on|in] {x}", "does {x} have {s}?", "the {x} instrument {s}", "what's {s} called on {x}?",
          "[check|see] if {s} is on {x}"]
WITHIN_PRICE = ["[price|quote|ltp|rate] of {s} on {x}", "{s} [price|quote] on {x}", "what's {s} [at|trading at] on {x}?", "how much is {s} on {x}[| now| today]?", "how is {s} doing on {x}?",
    "[get|give me|show] the {x} [price|quote] [of|for] {s}", "on {x}, what does {s} cost?", "where is {s} trading on {x}?", "{x} price of {s}"]
SEGMENTS = {"BSE_EQ": ["BSE", "the BSE", "bse", "BSE_EQ", "the BSE segment", "BSE equity", "the Bombay exchange"], "NSE_EQ": ["NSE", "the NSE", "nse", "NSE_EQ", "the NSE segment", "NSE equity", "the National exchange"],
            "IDX_I": ["the index segment", "IDX_I", "the indices segment", "the indices"], "MCX_COMM": ["MCX", "the MCX", "mcx", "MCX_COMM", "the MCX segment", "the commodity exchange"]}
FUTURE = ["[price|quote|ltp|rate] of the {w} {q} [future|futures contract|futures|fut]", "[what's|what is|show me|get] the [price|quote] of the {w} {q} [future|futures contract]",
    "how much is the {w} {q} [future|fut]?", "{w} {q} [future|futures|fut] [price|quote]", "where is the {w} {q} future [trading|at]?", "quote the {w} future [of|on] {q}",
          "{q} [future|futures|fut], {w} [contract|month|one]", "the {w} [futures |]contract [of|on] {q}: [price|what does it cost]?", "[how is|how's] the {w} {q} future doing?",
          "what does the {w} {q} [future|futures contract] cost?", "I'd like the price of the {w} [future|futures contract] on {q}"]
FUTURE_BARE = ["[price|quote|ltp|rate] of {q} [futures|future|fut]", "{q} [futures|future|fut] [price|quote|rate|now|today]", "how are {q} futures doing?", "what are {q} futures trading at?",
    "how much is a {q} future?", "[show|get|check] {q} futures", "{q} [futures|fut]?", "what's the {q} future at?", "where are {q} futures?"]
FUTURE_MCX = ["{q} futures on MCX", "[price|rate|quote] of {q} futures on [MCX|the MCX]", "what's the {q} future on MCX [at|trading at]?", "MCX {q} futures [price|rate|now]",
    "how much is {q} on MCX, the futures contract?", "{q} [fut|future] MCX", "how are {q} futures on the MCX?"]
FUTURE_ASPECT = {"Open interest": ["open interest [of|in|for] {q} [futures|the future]", "what's the [open interest|oi] of the {q} future?", "{q} futures [open interest|oi]",
    "how much open interest is there in {q} futures?"], "Volume": ["volume [of|in] {q} futures", "{q} futures volume", "how many {q} futures were traded?"],
                 "average price": ["average traded price of the {q} future", "{q} futures atp", "average price of {q} futures today"], "Circuit": ["circuit limits of the {q} future", "{q} futures upper circuit"],
                 "high": ["day high of {q} futures", "how high did {q} futures go today?"]}
FUTURE_FIND = ["[find|search for|look up|list] {q} futures", "[which|what] futures [are there|exist] on {q}?", "is there a {q} future?", "show me the futures contracts of {q}", "when does the {q} future expire?",
    "what's the lot size of the {q} future?", "{q} futures contracts", "which {q} futures can I trade?"]
NEAR = [["nearest", "near month", "near-month", "front month", "current", "closest", "first", "soonest"], ["second", "mid month", "second nearest", "next but one"], ["far month", "far-month", "furthest", "last",
    "third"]]
OPTION = ["[price|premium|quote|ltp|rate] of {o}", "{o} [price|premium|quote|ltp]", "[what's|what is] the [premium|price] of [the |]{o}?", "how much is [the |]{o}?", "{o}?", "[show|get|check] [the |]{o}",
    "what does [the |]{o} cost?", "where is [the |]{o} trading?", "quote for {o}", "how is [the |]{o} doing?", "{o} now", "I want the premium of {o}"]
OPTION_FIND = ["[find|search for|look up] {o}", "security id of {o}", "is there a {o}?", "id of the option {o}", "search the option {o}"]
# The place in the list of expiries that is meant: the second, the third, the last, the last of the nearest month.
LATER = {1: ["the expiry after the nearest", "the expiry after the next one", "the second expiry", "the second nearest expiry", "the following expiry, not the nearest", "the later expiry, not the nearest one",
    "the expiry after this one", "the one after the nearest expiry", "the next but one expiry", "the expiry that follows the nearest",
             "the expiry following the first", "the 2nd expiry", "not the nearest but the next expiry"],
         2: ["the third expiry", "the third nearest expiry", "the 3rd expiry", "the third expiry in the list", "the expiry two after the nearest"],
         -1: ["the last expiry", "the furthest expiry", "the farthest expiry", "the latest expiry there is", "the most distant expiry", "the final expiry", "the longest dated expiry", "the last available expiry",
         "the expiry furthest out", "the last of the expiries", "the expiry furthest away"],
         "month": ["the monthly expiry", "this month's monthly expiry", "the month end expiry", "the monthly contract", "the monthly expiry, not the weekly one"],
         0: ["the nearest expiry", "the first expiry", "the closest expiry", "the soonest expiry", "the near expiry"]}
CHAIN_AT = ["[option chain|options|the option chain|options chain] [of|on|for] {q} for {w}", "{q} option chain[,| for] {w}", "{q} options, {w}",
    "[show|get|give me|pull up] [me |]the {q} [option chain|options] [for|of] {w}", "calls and puts [of|on] {q} for {w}", "for {w}, [show|what is] the {q} option chain", "{q} chain for {w}",
            "[put call ratio|pcr|open interest] of {q} for {w}", "I want {q} options with {w}", "what do {q} options cost for {w}?", "what does the option chain of {q} look like for {w}?",
            "[atm|at the money] strike of {q} for {w}"]
THEN_CHAIN = ["[and |now |]the [option chain|chain|options] for {w}", "[show|get|give me] the [chain|option chain] for {w}", "but for {w}", "[and|what about|how about] {w}?", "same for {w}", "now {w}",
    "[open|pull up] {w}", "I meant {w}", "and with {w}?", "for {w} please"]
ACCOUNT = {
    "get_positions": ["[show|list|get|give me|what are|display] [me |]my [open |current |]positions", "[what|which] [positions|trades] [are open|do I have open|have I got|do I have]?",
    "my [open trades|positions|p&l|open positions]", "[do I have|have I] any open positions?", "how are my positions doing?", "[profit and loss|profit or loss|pnl] [on|of] my positions",
                      "am I long or short anything?", "what am I holding intraday?", "show my [trades|futures positions|derivatives]", "what's my [p&l|pnl|profit] today?", "did I make money [today|on my trades]?",
                      "[any|which] positions still open?", "what did I trade today?", "how much am I [up|down] on open trades?", "list what I have open", "positions please"],
    "get_holdings": ["[show|list|get|give me|display] [me |]my [holdings|portfolio|shares|stocks|investments]", "[what|which] [stocks|shares] do I [own|have|hold]?", "my [portfolio|holdings|investments]",
    "how is my portfolio doing?", "what's my portfolio worth?", "how much are my [shares|holdings|stocks] worth?", "what do I own?", "portfolio value",
                     "[profit|gain|loss] on my holdings", "am I in profit on my shares?", "which of my shares lost money?", "what's in my [demat account|portfolio|account]?", "how have my investments done?",
                     "total value of my shares", "how much did I invest in all?", "holdings", "list everything I hold"],
    "get_funds": ["[what's|what is|show|check] my [balance|account balance|available margin|margin|cash balance|fund limit]", "how much [money|cash|margin|buying power] [do I have|is left|is available|have I got]?",
    "available [margin|funds|balance|cash]", "[account balance|funds|my funds|margin|fund limits]", "how much can I [withdraw|trade with|take out]?",
                  "can I afford to trade? show my funds", "[what's|what is] my withdrawable balance?", "how much margin is [used|in use]?", "how much money is in my [trading |]account?", "what can I spend?",
                  "money left to trade?", "how much of my margin is blocked?", "cash available for [trading|withdrawal]?", "what was my balance at the start of the day?"],
}
OWN = ["do I [own|have|hold] [any |][shares of |]{q}[| shares]?", "is {q} in my [portfolio|holdings|demat]?", "have I got [any |]{q}?", "am I holding {q}?", "did I ever buy {q}? check my holdings",
    "any {q} in my portfolio?", "do I still [have|own|hold] {q}?"]
MANY = ["how many [shares of {q}|{q} shares|{q}] do I [hold|own|have]?", "how much {q} do I [own|hold]?", "quantity of {q} in my holdings", "number of {q} shares I own", "what's my {q} [quantity|holding]?",
    "how many {q} are in my portfolio?"]
PAID = ["what did I pay for {q} on average?", "[what's|what is] my average [price|cost|buy price] [of|for|in] {q}?", "my [buy|purchase|cost] price of {q}", "at what [price|average] did I buy {q}?",
    "what did my {q} shares cost me[| on average]?", "average cost of my {q}[| shares]", "how much did I pay per {q} share?", "my avg for {q}"]
GAIN = ["[am I|how much am I] [up|down|in profit|losing] on {q}?", "[profit|gain|loss] on my {q}[| shares]", "how are my {q} shares doing?", "how much have I [made|lost] on {q}?", "return on my {q} holding",
    "is my {q} in profit?"]
HIGHEST = ["[what's|what is|what was] the [highest|lowest] [price|level|value|point] of {q} {w}?", "[highest|lowest] [price|level|point] of {q} {w}", "{q} [high|low|peak|bottom] {w}",
    "how [high|low] did {q} [go|get|climb|fall] {w}?", "the [high|low] of {q} {w}", "at what [high|low] was {q} {w}?", "when was {q} at its [highest|lowest] {w}?",
           "[top|bottom] of {q} {w}?", "what was {q}'s [maximum|minimum|peak|low|high] {w}?", "find the [highest|lowest] {q} {w}", "the [best|worst] level {q} saw {w}", "how [far up|far down|high|low] was {q} {w}?"]
YEAR = ["52[-| ]week [high|low] of {q}", "{q} 52[-| ]week [high|low]", "[what's|what is] the 52[-| ]week [high|low] of {q}?", "[highest|lowest] price of {q} in [a year|the last 52 weeks|52 weeks|one year]",
    "one year [high|low] of {q}", "{q} [yearly|one-year|1 year] [high|low]", "how [high|low] was {q} over the last 52 weeks?"]
CLOSED = ["[closing price|close] of {q} {w}", "[where|at what price] did {q} close {w}?", "what was {q}'s [close|closing price] {w}?", "{q} close {w}", "how did {q} [close|end] {w}?", "{q} closing price {w}",
    "what was {q} at {w}?", "how much was {q} {w}?", "price of {q} {w}", "{q} price {w}"]
# What the desk cannot do, and what it cannot explain.
ACTS = [
    "[buy|purchase|get me] {n} [shares |]of {q}", "[buy|sell] {n} {q}[| shares| at market| at the market price| today]", "sell [all |half of |]my {q}[| shares]",
    "[place|put in|enter] [a|an] [buy|sell|limit|market|stop loss|bracket|cover] order for {q}", "[place|set|add] a stop[ |-]loss [on|for] {q}[| at {n}]",
    "[cancel|modify|change] my [last |pending |open |]order[| for {q}]",
    "[exit|close|square off] [all my positions|my {q} position|everything|my open trades]", "[set|create] [an alert|a price alert|an alarm] [when|if] {q} [crosses|falls below|goes above] {n}",
    "[notify|alert|tell|ping] me when {q} [hits|reaches|drops to] {n}", "[short|go long on|go short] {q}", "[book|take] profit in {q}", "[invest|put] {n} rupees [in|into] {q}",
    "[start|set up|begin] a SIP [in|of {n} in|for] {q}", "[add|deposit|transfer] {n}[| rupees] to my trading account", "withdraw {n}[| rupees] to my bank[| account]", "[pledge|unpledge|transfer|gift] my {q} shares",
    "[open|create] a [demat|trading] account for me", "[close|delete|block] my [demat |trading |]account", "[change|reset] my [password|pin|trading password]",
    "[apply|bid] for the {q} IPO", "[should I|shall I|is it a good time to] [buy|sell|hold] {q}[| now]?", "will {q} [go up|fall|rise|crash|recover] [tomorrow|next week|soon|this year]?",
    "[predict|forecast] [the price of {q}|{q} for tomorrow|where {q} will be next month]", "[what's|give me] [a|your] target [price |]for {q}", "is {q} a good [buy|investment|stock]?",
    "which [stock|share|option|mutual fund] should I buy[| now| today]?", "[recommend|suggest|give me] [a good stock|some stock tips|a multibagger|three stocks to buy|an intraday tip]",
    "[what's|what is] the [PE ratio|market cap|dividend|book value|eps|dividend yield|face value] of {q}?", "{q} [dividend|quarterly results|earnings|balance sheet|shareholding pattern|market cap]",
    "[news|latest news|headlines] [about|on|for] {q}", "why is {q} [falling|rising|down|so high][| today]?", "why did {q} [fall|jump|crash|rise][| today]?", "who is the [CEO|chairman|founder] of {q}?",
    "when are {q}'s [results|earnings]?",
    "[draw|plot] a [chart|graph] of {q} and email it", "[email|send|text|forward] me [the {q} chart|my holdings|my portfolio statement]",
    "[download|export|print] my [tax|p&l|profit and loss|contract] [statement|report|note]",
    "[file|compute|calculate] my [taxes|capital gains tax|tax on shares]", "[backtest|test] [a moving average strategy|my strategy] on {q}",
    "[convert|roll over] my [position|future|intraday position] [to delivery|to next month]", "[exercise|write|sell] [a|my] {q} [call|put]", "hedge my portfolio", "rebalance my portfolio",
    "what's the [dollar|euro|pound] [worth|rate][| today]?", "what's bitcoin trading at on Binance?", "[call|contact|message] my broker", "complain to my broker[| about the charges]",
    "how much brokerage [did I pay|do I pay][| last month]?", "show my [order book|order history|trade book|past orders|profile|client id|nominee|bank details|kyc status|watchlist]",
    "[add|remove] {q} [to|from] my watchlist",
    "[update|change] my [nominee|phone number|address|email]", "[set|put] a target of {n} for {q}", "average down on {q}", "buy the dip in {q}", "get me out of {q}", "trail my stop in {q}",
    "[repeat|undo] my last trade", "place the same order again", "[subscribe|upgrade] me to the data plan", "[increase|raise] my [limit|margin]", "lend me {n} rupees",
    "what will my portfolio be worth in [a year|ten years]?", "how much tax will I pay on {q}?", "which broker is the [best|cheapest]?", "who holds the most {q} shares?", "what did analysts say about {q}?",
    "[rate|score] my portfolio", "is {q} overvalued?", "when should I exit {q}?",
]
TERMS = """an option premium|a candle chart|a candlestick|open interest|implied volatility|the put/call ratio|a stop loss|a limit order|a market order|margin|leverage|short selling|a futures contract|a call option|
a put option|a strike price|the expiry|intraday trading|delivery trading|a demat account|
an index|an ETF|a mutual fund|a bonus issue|a stock split|a dividend|the P/E ratio|market capitalisation|a circuit limit|upper circuit|a bull market|a bear market|a blue chip|an IPO|a bid and an ask|the spread|
liquidity|volatility|hedging|arbitrage|a lot size|theta|delta|vega|gamma|a straddle|a strangle|
an iron condor|a covered call|at the money|in the money|out of the money|VWAP|average traded price|a moving average|RSI|MACD|support and resistance|a gap up|a doji|a hammer candle|Bollinger bands|volume|turnover|
a penny stock|a debenture|a bond|a treasury bill|inflation|GDP|repo rate|a depository|settlement|T+1|
a contract note|brokerage|STT|SEBI|a market maker|an order book|slippage|a bracket order|a cover order|rollover|contango|backwardation|cost of carry|physical settlement|mark to market|a margin call|square off|a pledge|
free float|beta|alpha|the Sharpe ratio|compounding|rupee cost averaging|a SIP|NAV|
an expense ratio|a REIT|a commodity|a derivative|an underlying|OHLC|LTP|a security ID|a segment""".replace("\n", "").split("|")
PAIRS = """a stock and an index|a future and an option|a call and a put|intraday and delivery|a limit order and a market order|NSE and BSE|a share and a bond|the Nifty and the Sensex|margin and leverage|
an ETF and a mutual fund|a holding and a position|open interest and volume|a bull and a bear market|long and short|American and European options|
trading and investing|a broker and an exchange|equity and debt|technical and fundamental analysis|weekly and monthly expiries""".replace("\n", "").split("|")
EXPLAIN = ["[explain|define|describe] {t}", "explain what {t} [means|is]", "what is {t}?", "what does {t} mean?", "what is meant by {t}?",
    "[can you|could you|please] explain {t}[| to me| to a beginner| in simple words]?", "[tell me|teach me] what {t} is", "I don't understand {t}[|, help me]",
           "how does {t} work?", "what's {t}, in simple words?", "[meaning|definition] of {t}", "what do people mean by {t}?", "why is {t} important?", "what exactly is {t}?", "I'm new to trading, what's {t}?",
           "give me an example of {t}", "what is {t} [used for|good for]?", "who invented {t}?", "explain {t} like I'm five",
           "how do I [read|use|understand] {t}?", "is {t} a good or a bad thing?"]
DIFFER = ["[what's|what is|explain|tell me] the difference between {p}?", "how do {p} differ?", "compare {p} for me in words", "{p}: what's the difference?", "which is better for beginners, {p}?",
    "what distinguishes {p}?"]
OPINIONS = ["is trading [risky|safe|gambling|legal|hard|worth it]?", "how do I [start|begin|learn] [trading|investing|options trading]?",
    "what does [NSE|BSE|MCX|SEBI|LTP|OHLC|OI|IV|ATM|ITM|FNO|ETF|IPO|NAV|STT|CNC|MIS] stand for?", "who [founded|runs|owns|regulates] [the NSE|the BSE|SEBI|MCX]?", "when was the [NSE|BSE|Nifty|Sensex] founded?",
    "how many [stocks|companies] are in the [Nifty|Sensex|Bank Nifty]?",
            "how is the [Nifty|Sensex] calculated?", "can I lose more than I invest?", "how much money do I need to start trading?", "what are the best books about trading?", "is it better to invest or to trade?",
            "how do people get rich with shares?", "what caused the crash of 2008?", "why do markets fall when rates rise?", "do I pay tax on [profits|dividends|options]?",
            "what time does the [market|exchange|NSE] open[| usually]?", "on which days is the market closed in general?", "what is a good strategy for [beginners|options|intraday]?",
            "how do I read a [candle chart|balance sheet|option chain]?", "what should I know before buying [options|futures|shares]?", "is [gold|silver|real estate|crypto] a good investment?",
            "how do brokers make money?",
            "what happens [when an option expires|if a company goes bankrupt|at settlement|if I don't square off]?", "why is the strike price [important|needed]?",
            "how does [short selling|margin trading|a stop loss|the order book|rollover] work?", "what's the safest investment?", "are options [riskier|better] than shares?"]
SIMULATED = " Simulated data."


def note(result):
    return SIMULATED if "⚠ Simulated data" in result else ""


def quote_lines(result):
    """(name, price and change, the other lines) of each quote in a result."""
    for block in result.split("\n\n"):
        match = re.match(r"(.*), [A-Z]+_[A-Z]+ \d+: (.*)", block)
        if match:
            yield match.group(1), match.group(2), block.split("\n- ")[1:]


FIGURES = {"high": (r"high (₹?[\d,.]+\d)", "The day's high of {} is {}."), "low": (r"low (₹?[\d,.]+\d)", "The day's low of {} is {}."), "open": (r"Open (₹?[\d,.]+\d)", "{} opened at {}."),
           "Previous close": (r"Previous close (₹?[\d,.]+\d)", "The previous close of {} is {}."), "Volume": (r"Volume ([\d,.]+\d(?: lakh| crore)?)", "The volume of {} is {}."),
           "average price": (r"average price (₹?[\d,.]+\d)", "The average traded price of {} is {}."), "Open interest": (r"Open interest ([\d,.]+\d(?: lakh| crore)?)", "The open interest of {} is {}."),
           "Circuit": (r"Circuit limits (₹?[\d,.]+\d to ₹?[\d,.]+\d)", "The circuit limits of {} are {}."), "Best bid": (r"(Best bid .*)", "{}: {}.")}


def quoted(result, aspect=None):
    said = []
    for name, price, lines in quote_lines(result):
        figure = aspect and re.search(FIGURES[aspect][0], "\n".join(lines))
        if figure:
            said.append(FIGURES[aspect][1].format(name, figure.group(1)))
        else:
            said.append((f"The quote of {name} tells nothing about that. It" if aspect else name) + f" is at {price}.")
    closed = "" if aspect or "this is the last price" not in result else " The market is closed: this is the last price."
    return " ".join(said) + closed + note(result)


def no_candles(result):
    name, start, end = re.search(r"\n\n(.*?), [A-Z]+_[A-Z]+ \d+: no daily candles from (.*?) to (.*?)\. ", result).groups()
    return f"There are no daily candles of {name} {f'for {start}' if start == end else f'from {start} to {end}'}: there was no trading then." + note(result)


def extreme(result, low):
    """The highest or the lowest of candles."""
    name = re.search(r"\n\n(.*?), [A-Z]+_[A-Z]+ \d+: ", result).group(1)
    found = re.search(r"lowest (\S+ \(.*?\))" if low else r"Highest (\S+ \(.*?\))", result).group(1)
    return f"The {'lowest' if low else 'highest'} of {name} was {found}." + note(result)


def closed_at(result):
    name = re.search(r"\n\n(.*?), [A-Z]+_[A-Z]+ \d+: ", result).group(1)
    day, value = re.search(r" to (\w+ \d+ \w+ \d+)\n", result).group(1), re.search(r"to close (\S+),", result).group(1)
    return f"{name} closed at {value} on {day}." + note(result)


def candles(result, asked="", at=1):
    """Candles: the product puts them there; how it went is said in words where that was asked."""
    head, *lines = result.split("\n\n")[1].split("\n- ")
    if re.search(r"how (much )?(did|has|have)|perform|trend|gain|lose|lost", asked.lower()):
        name = re.sub(r", [A-Z]+_[A-Z]+ \d+: .*", "", head, flags=re.S)
        return f"{name} went f{lines[0][1:]}." + note(result)
    return f"[[{at}]]"


def chained(result, asked="", at=1):
    """An option chain, or the one figure of it that was asked for."""
    name = re.search(r"Option chain of (.*?), [A-Z]+_[A-Z]+ \d+, ", result).group(1)
    asked = asked.lower()
    ratio, money, interest = re.search(r"put/call ratio ([\d.]+)", result), re.search(r"At the money: (\S+)", result), re.search(r"Open interest: (calls .*?, puts .*?),", result)
    if re.search(r"pcr|put.{1,4}call ratio", asked) and ratio:
        return f"The put/call ratio of {name} is {ratio.group(1)}." + note(result)
    if re.search(r"\b(atm|at the money) strike\b|\bstrike .*\b(atm|at the money)", asked) and money:
        return f"The strike at the money of {name} is {money.group(1)}." + note(result)
    if re.search(r"open interest|\boi\b", asked) and interest:
        return f"The open interest of {name}: {interest.group(1)}." + note(result)
    return f"[[{at}]]"


def expiring(result, asked="", at=1):
    """Expiries, or the one that was asked for."""
    head, *lines = result.split("\n\n")[1].split("\n- ")
    name = re.sub(r", [A-Z]+_[A-Z]+ \d+ .*", "", head, flags=re.S)
    # What people say on the way to what they want names no expiry.
    asked = re.sub(r"ok last one: |right, next thing, ", "", asked.lower())
    if not lines:
        return re.sub(r", [A-Z]+_[A-Z]+ \d+ ", " ", head, count=1).split(". ")[0].rstrip(".") + "." + note(result)
    if re.search(r"how many (?!days)", asked):
        return f"{name} has options with {len(lines)} expiries." + note(result)
    if re.search(r"\b(last|furthest|farthest|until when|final)\b", asked):
        return f"The last expiry of {name} is {lines[-1]}." + note(result)
    if re.search(r"\b(next|nearest|closest|first|soonest|upcoming)\b", asked) and not re.search("expiries|expirations", asked):
        return f"The next expiry of {name} is {lines[0]}." + note(result)
    return f"[[{at}]]"


def found_as(result, asked=""):
    name = re.search(r"Found (.*?)(?:, the closest to what was asked)?:\n", result).group(1)
    number_, segment = re.search(r"Security ID: (\d+)", result).group(1), re.search(r"Exchange: (\S+)", result).group(1)
    if re.search(r"\bkind\b|share or|a share|stock or", asked):
        return f"{name} is of the type {re.search(r'Type: (.*)', result).group(1)}, on {segment}." + note(result)
    return f"{name} has the security ID {number_} on {segment}." + note(result)


def failed(result):
    reason = result.removeprefix("❌ Error: ").removeprefix("❌ Refused: ").split("\n")[0]
    return reason[0].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def search(typed, kind=None):
    return "search_instruments", clean({"instrument_type": kind, "query": typed})


def quote(*pairs):
    by = {}
    for segment, number_ in pairs:
        by.setdefault(segment, []).append(number_)
    return "get_market_quote", {"securities": by}


def pair(desk, found):
    return found["exchange_segment"], desk.id(found["security_id"])


def looked(it, desk, typed, result, found, kind=None):
    """The search, its result, and the quote of what was found."""
    it.calls(search(typed, kind)).results(result)
    told, _ = desk.of("get_market_quote", found)
    it.calls(quote(pair(desk, found))).results(told)
    return told


def price(r, it, desk):
    typed, result, found, _ = desk.instrument()
    index = found["instrument_type"] == "INDEX"
    aspects = [name for name in ASPECT if not index or name not in ("Volume", "average price", "Circuit", "Best bid") or r.random() < 0.15]
    aspect = r.choice(aspects) if r.random() < 0.32 else None
    it.user(say(r, r.choice(ASPECT[aspect] if aspect else INDEX if index and r.random() < 0.5 else PRICE), q=typed))
    it.answer(quoted(looked(it, desk, typed, result, found), aspect))
    return found, aspect


def several(desk, some):
    """One quote of several instruments."""
    by, blocks, tail = {}, [], ""
    for one in some:
        by.setdefault(one[2]["exchange_segment"], []).append(one)
    for segment in sorted(by):
        for one in by[segment]:
            parts = desk.of("get_market_quote", one[2])[0].split("\n\n")
            blocks.append(parts[1])
            tail = parts[-1]
    return "✅ Success!\n\n" + "\n\n".join(blocks) + "\n\n" + tail


def others(desk, count, kinds=("EQUITY", "INDEX")):
    some = []
    while len(some) < count:
        one = desk.instrument(kinds)
        if all(one[2]["security_id"] != other[2]["security_id"] for other in some):
            some.append(one)
    return some


def prices(r, it, desk):
    count = 3 if r.random() < 0.2 else 2
    some = others(desk, count, ("INDEX",) if count == 2 and r.random() < 0.3 else ("EQUITY", "INDEX"))
    names = dict(zip("abc", (one[0] for one in some)))
    it.user(say(r, r.choice(PRICES_THREE if count == 3 else PRICES), **names)).calls(*(search(one[0]) for one in some)).results(*(one[1] for one in some))
    told = several(desk, some)
    it.calls(quote(*(pair(desk, one[2]) for one in some))).results(told)
    it.answer(f"[[{it.here}]]")
    if r.random() < 0.25:
        # Another one in the place of the last.
        typed, result, found, _ = others(desk, 1)[0]
        it.user(say(r, r.choice(AND), q=typed))
        it.answer(quoted(looked(it, desk, typed, result, found)))


def when(r, today, always=False):
    if not today or (not always and r.random() < 0.3):
        return "", {}, None, None
    words, start, end, _ = earlier(r, today)
    return " " + placed(r, words), clean({"from_date": str(start), "to_date": str(end) if end else None}), start, end


def asked(it):
    return next(text for role, text in reversed(it.messages) if role == "user")


def told_of(r, it, desk, found, tool, dates, start, end, low=None):
    """Daily candles are asked for and told."""
    told, some = desk.candles(found, start, end)
    it.calls((tool, {**desk.both(found), **dates})).results(told)
    return it.answer(no_candles(told) if not some else candles(told, asked(it), it.here) if low is None else extreme(told, low) if low != "close" else closed_at(told))


def bars(r, it, desk, today):
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"))
    pick = r.random()
    if pick < 0.28:
        return minutes(r, it, desk, today, typed, result, found)
    low, tool = None, "get_historical_data"
    words, dates, start, end = when(r, today, pick > 0.62)
    if today and pick > 0.93:
        pattern = expand(r, r.choice(YEAR))
        question, low = say(r, pattern, q=typed), "low" in pattern
        start, end = months_before(today, 12), today
        dates = {"from_date": str(start), "to_date": str(end)}
    elif today and pick > 0.62:
        if r.random() < 0.38:
            for _ in range(9):
                words, start, end, one = earlier(r, today)
                if one and start < back(today, 1):
                    break
            else:
                return None
            question, low, dates = say(r, r.choice(CLOSED), q=typed, w=placed(r, words)), "close", {"from_date": str(start), "to_date": str(end)}
        else:
            pattern = r.choice(HIGHEST)
            side = r.random() < 0.5
            pattern = re.sub(r"\[(highest|high|top|best|maximum|far up|high)\|[^\]]*\]", lambda m: pick_side(m.group(), side), pattern)
            question, low = say(r, pattern, q=typed, w=words.strip()), side
    elif pick < 0.48:
        tool, question = "get_daily_ohlcv", say(r, r.choice(DAILY), q=typed, w=words)
    else:
        # Without a time only what is said to be of the past is.
        pattern = expand(r, r.choice(HISTORY if words else [it_ for it_ in HISTORY if re.search("histor|past prices", it_)]))
        question = say(r, pattern, q=typed, w=words)
        low = True if "lowest" in pattern else False if "highest" in pattern else None
    if tool == "get_historical_data" and r.random() < 0.2:
        # Only the daily candles can tell it.
        tool = "get_daily_ohlcv"
        it.avoid = {"get_historical_data"}
    it.user(question).calls(search(typed)).results(result)
    told_of(r, it, desk, found, tool, dates, start, end, low)
    if today and r.random() < 0.3:
        if r.random() < 0.3:
            typed, result, found, _ = others(desk, 1)[0]
            it.user(say(r, r.choice(AND), q=typed)).calls(search(typed)).results(result)
            return told_of(r, it, desk, found, tool, dates, start, end, low)
        words, start, end = span(r, today)[:3]
        shown = timed(r, words)
        if low == "close" and start:
            start = end = back(today, r.randint(1, 9))
            shown = r.choice([f"{number(r, (today - start).days)} days ago", f"{number(r, (today - start).days)} days ago"]) if (today - start).days > 1 else "yesterday"
        if "from_date" in dates and dates.get("to_date") == dates["from_date"] and r.random() < 0.5:
            start = end = back(today.fromisoformat(dates["from_date"]), 1)
            shown = r.choice(["the day before", "the day before that", "one day earlier", "the previous day"])
        dates = clean({"from_date": str(start), "to_date": str(end) if end else None})
        it.user(say(r, r.choice(["[and|what about|how about] {w}?", "[and|what about|how about] {w}?", "the same {w}", "{w}?"]), w=shown))
        told_of(r, it, desk, found, tool, dates, start, end, low)
    return found


def pick_side(choice, low):
    """`[highest|lowest]` to the half of it that is meant."""
    words = choice[1:-1].split("|")
    bad = ("lowest", "low", "bottom", "worst", "minimum", "far down", "fall", "down")
    return "[" + "|".join(it for it in words if (it in bad) == low) + "]" if any(it in bad for it in words) else choice


# How a length of candles is called, but for "15 minute".
STEPS = {"60": "hourly|hourly|hourly|60 minute|60 min|60-minute|one hour|1 hour|1h|1 hr|60m|hour-wise|hour by hour|every hour", "15": "15 min|fifteen minute|15-minute|15m|quarter-hourly|every 15 min|15 mins", "5": "5 min|five minute|5m|5-min|every 5 min|5 mins",
         "1": "1 minute|one minute|1m|1 min|minute by minute|every minute", "25": "25 min|twenty five minute|25m|25-minute"}
HOURLY = ["{v} [candles|chart|bars|data|prices|ohlc] [of|for] {q}{w}", "{q} {v} [candles|chart|bars|data]{w}", "[show|get|give me|pull up] [me |]the {v} [chart|candles|bars] [of|for] {q}{w}", "{q} {v}{w}", "{v} {q}{w}",
    "I [want|need] {q} [candles|bars|data] {v}{w}", "[how did|how has] {q} [move|moved|do] {v}{w}?", "{q} on the {v} chart{w}", "{v} view of {q}{w}", "[can you|could you] [show|pull] {v} [bars|candles] [for|of] {q}{w}?"]
INSTEAD = ["[and|now|what about|how about] {v}?", "{v} instead", "[make it|make that|rather] {v}", "[the same|same] [but |][with |in |]{v}[| candles| bars]", "no, {v}", "I meant {v}", "[show|give me] {v} [candles|bars|ones] [instead|now]", "{v} please",
    "[and |]the {v} [chart|candles]", "in {v} [candles|bars|steps]"]


def minutes(r, it, desk, today, typed, result, found):
    tool, step, extra, words, dates, last = "get_intraday_ohlcv", r.choice(["1", "5", "15", "15", "25", "60", "60", "60"]), {}, "", {}, None
    if today and r.random() < 0.45:
        day = r.choice([today, today, back(today, 1)])
        words, dates, last = r.choice([(" today" if day == today else " yesterday", {"from_date": str(day), "to_date": str(day)}, day), ("", {}, None)])
        if r.random() < 0.3:
            start = back(today, r.randint(1, 6))
            words, dates, last = f" since {WEEKDAYS[start.weekday()]}", {"from_date": str(start)}, today
    pick = r.random()
    if pick < 0.4:
        question, extra = say(r, r.choice(MINUTES), q=typed, v=step, w=words), {"interval": step}
    elif pick < 0.8:
        question, extra = say(r, r.choice(HOURLY), q=typed, v=r.choice(STEPS[step].split("|")), w=words), {"interval": step}
    else:
        question = say(r, r.choice(INTRADAY), q=typed, w=words)
    told, _ = desk.of(tool, found, last)
    told = stepped(told, int(extra.get("interval", "5")))
    it.user(question).calls(search(typed)).results(result).calls((tool, {**desk.both(found), **dates, **extra})).results(told)
    it.answer(extreme(told, low) if (low := sided(question)) is not None else candles(told, "", it.here))
    if r.random() < 0.3:
        other = r.choice([one for one in STEPS if one != step])
        again, _ = desk.of(tool, found, last)
        again = stepped(again, int(other))
        it.user(say(r, r.choice(INSTEAD), v=r.choice(STEPS[other].split("|")))).calls((tool, {**desk.both(found), **dates, "interval": other})).results(again).answer(candles(again, "", 1))
    elif r.random() < 0.2:
        typed, result, found, _ = others(desk, 1)[0]
        told, _ = desk.of(tool, found, last)
        told = stepped(told, int(extra.get("interval", "5")))
        it.user(say(r, r.choice(AND), q=typed)).calls(search(typed)).results(result).calls((tool, {**desk.both(found), **dates, **extra})).results(told).answer(candles(told, "", 2))
    return found


def sided(question):
    """Whether the lowest (true) or the highest is asked for, or neither."""
    words = question.lower()
    if re.search(r"high.{0,9}low|ohlc", words):
        return None
    return True if re.search(r"\blow(est)?\b", words) else False if re.search(r"\bhigh(est)?\b", words) else None


def stepped(told, step):
    """Kept candles of 15 minutes as those of another length: their times and their number."""
    if step == 15 or "25 15-minute" not in told:
        return told
    starts = [9 * 60 + 15 + step * at for at in range(-(-375 // step))]
    clock = [f"{it // 60:02}:{it % 60:02}" for it in starts]
    head, body = told.split("\n\nThe newest ", 1)
    head = head.replace("25 15-minute", f"{len(clock)} {step}-minute").replace("15:15 IST\n", f"{clock[-1]} IST\n", 1)
    head = re.sub(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d)\)", lambda m: f"{m.group(1)} {max(it for it in clock if it <= m.group(2))})", head)
    first, *rows = body.split("\n")
    title, many = (f"15 of {len(clock)}, the newest first; all are in the data:", 15) if len(clock) > 15 else ("first:", len(clock))
    lines = [it for it in rows if re.match(r"\| \d", it)]
    times = clock[::-1][:many]
    lines = [re.sub(r"^\| (\S+) \d\d:\d\d", rf"| \1 {at}", it) for it, at in zip(lines, times)]
    return head + "\n\nThe newest " + title + "\n" + "\n".join(rows[:2] + lines) + "\n\n" + told.split("\n\n")[-1]


def options(r, it, desk, today):
    typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"), optioned=r.random() < 0.6)
    while found["symbol_name"] == "INDIA VIX":
        typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"), optioned=True)
    pick, both = r.random(), desk.both(found)
    dates, days = desk.expiries(found)
    if pick < 0.3:
        it.user(say(r, r.choice(EXPIRIES), q=typed)).calls(search(typed)).results(result)
        if r.random() < 0.12:
            told, _ = desk.of("get_expiries", found)
            it.calls(("get_expiries", both)).results(told).answer(expiring(told, asked(it), it.here))
            return found
        it.calls(("get_expiries", both)).results(dates).answer(expiring(dates, asked(it), it.here))
        if r.random() < 0.4:
            day, words = which(r, days)
            if r.random() < 0.35:
                words = r.choice([str(day), f"the {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'][days.index(day)]} one", f"the {['first', 'second', 'third', 'fourth', 'fifth', 'sixth'][days.index(day)]}"])
            chain = desk.chain(found, day)
            it.user(say(r, r.choice(THEN_CHAIN[:2]), w=words)).calls(("get_option_chain", {**both, "expiry": str(day)})).results(chain).answer(chained(chain, asked(it), it.here))
        elif r.random() < 0.4:
            typed, result, found, _ = desk.instrument(("EQUITY", "INDEX"))
            told = desk.of("get_expiries", found)[0] if r.random() < 0.3 else None
            told = told or desk.expiries(found)[0]
            it.user(say(r, r.choice(AND), q=typed)).calls(search(typed)).results(result).calls(("get_expiries", desk.both(found))).results(told).answer(expiring(told, asked(it), it.here))
        return found
    it_first = desk.chain(found, days[0])
    if pick < 0.62:
        # The expiry that is meant has to be asked for first.
        day, words = which(r, days)
        chain = desk.chain(found, day)
        it.user(say(r, r.choice(CHAIN_AT), q=typed, w=words)).calls(search(typed)).results(result).calls(("get_expiries", both)).results(dates)
        it.calls(("get_option_chain", {**both, "expiry": str(day)})).results(chain).answer(chained(chain, asked(it), it.here))
        return found
    extra = {}
    if pick < 0.74:
        n = r.choice([2, 4, 5, 6, 8, 10, 12, 20])
        question, extra = say(r, r.choice(CHAIN_N), n=number(r, n), q=typed), {"strikes": n}
    else:
        question = say(r, r.choice(CHAIN), q=typed)
    it.user(question).calls(search(typed)).results(result)
    told, ok = desk.of("get_option_chain", found)
    if told and not ok and r.random() < 0.15:
        it.calls(("get_option_chain", {**both, **extra})).results(told).answer(failed(told))
        return None
    it.calls(("get_option_chain", {**both, **extra})).results(it_first).answer(chained(it_first, asked(it), it.here))
    if r.random() < 0.35:
        # Another expiry than the nearest: the list is needed for it.
        day, words = which(r, days, later=True)
        chain = desk.chain(found, day)
        it.user(say(r, r.choice(THEN_CHAIN), w=words)).calls(("get_expiries", both)).results(dates)
        it.calls(("get_option_chain", {**both, "expiry": str(day), **extra})).results(chain).answer(chained(chain, asked(it), it.here))
    return found


def which(r, days, later=False):
    """(a day of the list, what it is called)."""
    kinds = [1, 1, 1, -1, -1] + ([2] if len(days) > 2 else []) + (["month"] if len(days) > 2 else []) + ([] if later else [0])
    kind = r.choice(kinds)
    if kind == "month":
        day = [it for it in days if (it.year, it.month) == (days[0].year, days[0].month)][-1]
        if later and day == days[0]:
            return which(r, days, later)
    else:
        day = days[kind]
        alone = [it for it in days if it.month == day.month]
        if len(alone) == 1 and kind != 0 and r.random() < 0.25:
            return day, f"the {MONTHS[day.month - 1]} expiry"
    return day, r.choice(LATER[kind])


def contract(r, it, desk, today):
    """Futures: the contract is quoted, not the share."""
    commodity = r.random() < 0.3
    typed, _, found, every = desk.instrument(("FUTCOM",) if commodity else ("EQUITY", "INDEX"))
    made = desk.futures(found, every)
    if not made:
        return None
    result, some = made
    at, aspect = 0, None
    if r.random() < 0.14:
        told = result
        it.user(say(r, r.choice(FUTURE_FIND), q=typed)).calls(search(typed, "FUTURES")).results(result).answer(contracts_found(told, asked(it)))
        if r.random() < 0.5:
            at = r.randrange(min(3, len(some)))
            words = r.choice([f"the {['first', 'second', 'third'][at]} one", f"the {['first', 'second', 'third'][at]}"] + (["the nearest one", "it"] if at == 0 else []))
            told = desk.future_quote(some[at], found)
            it.user(say(r, "[price of|quote|what's the price of|how much is] {w}?", w=words)).calls(quote(pair(desk, some[at]))).results(told).answer(quoted(told))
        return None
    if r.random() < 0.2:
        aspect = r.choice(list(FUTURE_ASPECT))
        question = say(r, r.choice(FUTURE_ASPECT[aspect]), q=typed)
    elif commodity and r.random() < 0.5:
        question = say(r, r.choice(FUTURE_MCX), q=typed)
    elif r.random() < 0.35:
        question = say(r, r.choice(FUTURE_BARE), q=typed)
    else:
        at = r.choice([0, 0, 1, 2][: min(4, len(some) + 1)])
        words = r.choice(NEAR[at] if at < 2 or len(some) == 3 else ["third"])
        ends = month(result, at)
        if ends and r.random() < 0.35:
            words = r.choice([ends, ends[:3], ends.lower()])
        question = say(r, r.choice(FUTURE), q=typed, w=words)
    told = desk.future_quote(some[at], found)
    it.user(question).calls(search(typed, "FUTURES")).results(result).calls(quote(pair(desk, some[at]))).results(told).answer(quoted(told, aspect))
    if r.random() < 0.15 and len(some) > 1 and at == 0:
        told = desk.future_quote(some[1], found)
        it.user(say(r, "[and|what about|how about] the [next one|second one|next contract|contract after that|later one]?")).calls(quote(pair(desk, some[1]))).results(told).answer(quoted(told))
    return found


def month(result, at):
    """The month in which a contract of a search ends, where no other ends in it."""
    names = re.findall(r"(?:- Expiry:|expires) \w+ \d+ (\w+) \d+", result)
    full = next((it for it in MONTHS if it.startswith(names[at])), None) if at < len(names) else None
    return full if full and names.count(names[at]) == 1 else None


def contracts_found(result, question):
    first = re.search(r"Found (.*?):\n", result).group(1)
    end, lot = re.search(r"- Expiry: (.*)", result).group(1), re.search(r"- Lot size: (\d+)", result)
    if "lot size" in question.lower() and lot:
        return f"The lot size of {first} is {lot.group(1)}." + note(result)
    if "expire" in question.lower():
        return f"{first} expires {end}." + note(result)
    return "[[1]]"


def option(r, it, desk, today):
    """One option, by its strike."""
    typed, _, found, _ = desk.instrument(("EQUITY", "INDEX"))
    if found["instrument_type"] == "INDEX" and found["symbol_name"] not in market.MAIN:
        return None
    if found["instrument_type"] == "INDEX":
        # A number in the name would be read as a part of the strike.
        typed = r.choice([it_ for it_ in market.CALLED[found["symbol_name"]].split("|") if not re.search(r"\d|fifty", it_)])
    near = desk.last_price(found) * desk.factor
    step = 100 if near > 20_000 else 50 if near > 5000 else 20 if near > 1000 else 10
    strike, side = max(step, int(near // step + r.randint(-4, 4)) * step), r.choice(["CE", "PE"])
    word = r.choice([side, side.lower(), "call" if side == "CE" else "put", "CALL" if side == "CE" else "PUT"])
    named = f"{typed} {strike} {word}"
    result, made = desk.option(found, strike, side)
    if r.random() < 0.15:
        it.user(say(r, r.choice(OPTION_FIND), o=named)).calls(search(named)).results(result).answer(found_as(result))
        return None
    at, question = 0, say(r, r.choice(OPTION), o=named)
    if len(made) > 1 and r.random() < 0.3:
        at = r.choice([1, len(made) - 1])
        day = made[at][2]
        words = r.choice([f"{day.day} {day:%b}", f"{day.day} {MONTHS[day.month - 1]}", str(day)])
        question = say(r, "[price|premium|quote] of {o} [expiring|that expires|ending] {w}", o=named, w=words)
    segment, number_, _, title = made[at]
    raw = desk.quote_of(title, segment, number_, r.uniform(2, near / 20 + 5), oi=True)
    told = re.sub(r"\d{4}-\d\d-\d\d", "", raw)
    told = market.shifted(told, desk.days)
    it.user(question).calls(search(named)).results(result).calls(quote((segment, number_))).results(told).answer(quoted(told))
    return None


def lookup(r, it, desk):
    pick = r.random()
    if pick < 0.45:
        return within(r, it, desk)
    if pick < 0.58:
        typed = r.choice(["apple", "Tesla", "zoomcar", "qqqq", "Google", "blue ocean ltd", "Acme Corp", "bitcoin", "Nvidia", "xyz industries", "Toyota", "ethereum", "Samsung", "dogecoin", "Sony", "usdinr",
            "Alphabet", "abcd", "Netflix",
                          f"{r.choice(market.INVENTED)} {r.choice(market.TRADES)}", r.choice(market.INVENTED).lower(), r.choice(market.INVENTED)])
        told = desk.none_found(typed)
        it.user(say(r, r.choice(FIND + PRICE), q=typed)).calls(search(typed)).results(told).answer(f"No instrument matches \"{typed}\".{note(told) if r.random() < 0.5 else ''}")
        return None
    typed, result, found, every = desk.instrument()
    pattern = expand(r, r.choice(FIND))
    it.user(say(r, pattern, q=typed)).calls(search(typed)).results(result).answer(found_as(result, pattern))
    if r.random() < 0.4:
        also = next((one for one in every[1:] if one["exchange_segment"] == "BSE_EQ" and one["symbol_name"] == found["symbol_name"]), None)
        if also and ("BSE_EQ", also["security_id"]) in market.BY_KEY["get_market_quote"] and r.random() < 0.4:
            told, _ = desk.of("get_market_quote", also)
            it.user(say(r, "[quote|price of|how much is|what's the price of] the [BSE one|one on BSE|second one|one in BSE_EQ]")).calls(quote(pair(desk, also))).results(told).answer(quoted(told))
            return None
        told, _ = desk.of("get_market_quote", found)
        it.user(say(r, r.choice(["[what's|and] its [price|current price|quote|level]?", "and [how much is it|where is it|what does it cost]?", "[quote|price] it", "get the price", "how is it doing?",
            "[now |]the [quote|price]", "what's it [trading at|at|worth]?", "is it up?"])))
        it.calls(quote(pair(desk, found))).results(told).answer(quoted(told))
    return None


def within(r, it, desk):
    """The exchange is named: find_instrument, in the segment that is meant."""
    pick = r.random()
    if pick < 0.12:
        typed = r.choice(["USDINR", "usdinr", "EURINR", "GBPINR", "JPYINR", "eurinr"])
        exchange = r.choice(["NSE", "BSE"])
        segment = f"{exchange}_CURRENCY"
        told = f"❌ Error: there is no {typed} in {segment}; try search_instruments with another name"
        words = r.choice([f"the {exchange} currency segment", f"{exchange} currency", segment, f"currencies on {exchange}", f"the currency segment of {exchange}"])
        it.user(say(r, r.choice(WITHIN), s=typed, x=words)).calls(("find_instrument", {"segment": segment, "symbol": typed})).results(told).answer(failed(told))
        return None
    if pick < 0.24:
        typed, _, found, _ = desk.instrument(("FUTCOM",))
        segment = "MCX_COMM"
    elif pick < 0.4:
        typed, _, found, _ = desk.instrument(("INDEX",))
        segment = "IDX_I"
    else:
        typed, _, found, every = desk.instrument(("EQUITY",))
        also = next((one for one in every[1:] if one["exchange_segment"] == "BSE_EQ" and one["symbol_name"] == found["symbol_name"]), None)
        if also and ("BSE_EQ", also["security_id"]) in market.BY_KEY["get_market_quote"] and r.random() < 0.55:
            found = also
        segment = found["exchange_segment"]
    words = r.choice(SEGMENTS[segment])
    symbol = desk.names.get(found["symbol_name"], found["symbol_name"])
    typed = symbol if segment in ("NSE_EQ", "BSE_EQ") and r.random() < 0.4 else typed
    told = desk.within(found, typed)
    asks = r.random() < 0.4 and segment != "IDX_I"
    it.user(say(r, r.choice(WITHIN_PRICE if asks else WITHIN), s=typed, x=words)).calls(("find_instrument", {"segment": segment, "symbol": typed})).results(told)
    if not asks:
        it.answer(found_as(told))
        return None
    priced, _ = desk.of("get_market_quote", found)
    it.calls(quote(pair(desk, found))).results(priced).answer(quoted(priced))
    return None


FUND = [("withdraw|take out|pull out|nikal", "Can be withdrawn"), (r"start of (the )?day|opening balance|this morning|morning balance|(began|started?|opened|begin) (with|the day)|start the day|day began|day started", "At the start of the day"), (r"\bused|in use|blocked|utilis|\buse hua|stuck|locked", "In use"), ("pledge", "From pledged shares"),
    ("balance|money|cash|margin|afford|trade|spend|buying", "Available to trade")]


# Which of what is held did best, did worst, or is held most of.
BIGGEST = {
    "best": ["which of my [shares|stocks|holdings|investments] [is|did|has done|performed] [the |]best?", "my best [share|stock|holding|performer|investment]", "what's my [top|biggest] [gainer|winner]?", "which [share|stock|holding] [made|gained] [me |]the most[| in percent]?",
             "best performing [share|stock|holding] I [own|have|hold]", "where am I up the most?", "top gainer in my portfolio"],
    "worst": ["which of my [shares|stocks|holdings|investments] [is|did|has done|performed] [the |]worst?", "my worst [share|stock|holding|performer|investment]", "what's my biggest [loser|loss]?", "which [share|stock|holding] lost [me |]the most[| in percent]?",
              "worst performing [share|stock|holding] I [own|have|hold]", "where am I down the most?", "biggest loser in my portfolio"],
    "most": ["[which|what] [share|stock] do I [own|hold|have] the most [shares |]of?", "what do I hold most of[|, by number of shares]?", "of which [company|stock] do I have the most shares?", "largest quantity in my [portfolio|holdings]"],
}


def account_told(r, desk, name, question, at=1):
    """(result, answer) of a tool of the account."""
    told = desk.holdings() if name == "get_holdings" and r.random() < 0.7 else holding_names(r, desk, desk.text(market.WHOLE[name]))
    question = question.lower()
    if name == "get_funds":
        for words, line in FUND:
            found = re.search(words, question) and re.search(rf"- ({line}: .*)", told)
            if found:
                return told, found.group(1) + "." + note(told)
    if name == "get_holdings" and re.search(r"worth|value|in profit|how is my portfolio|invest(ed)? in all|how have|overall|\btotal\b|\breturns?\b|unrealised gain|up or down", question):
        return told, re.search(r"- (In all: .*)", told).group(1) + "." + note(told)
    if name == "get_positions" and re.search(r"p&l|p/l|pnl|p n l|\bmtm\b|profit|make money|how much am i|in all|total|kitna kamaya|kitna loss", question):
        return told, re.search(r"- (In all: .*)", told).group(1) + "." + note(told)
    return told, f"[[{at}]]"


def biggest(r, it, desk):
    """The best, the worst, the largest of the holdings."""
    kind, told = r.choice(list(BIGGEST)), desk.holdings()
    rows = [(m.group(1), int(m.group(2)), m.group(3), m.group(4), m.group(5), float(m.group(6))) for m in re.finditer(r"^- (\S+): (\d+) at (\S+), now (\S+) (.*\(([+-][\d.]+)%\))$", told, re.M)]
    if kind == "most":
        row = max(rows, key=lambda it_: it_[1])
        if sum(it_[1] == row[1] for it_ in rows) > 1:
            return biggest(r, it, desk)
        answer = f"You hold {row[1]} {row[0]}, more than of any other."
    else:
        row = (max if kind == "best" else min)(rows, key=lambda it_: it_[5])
        answer = f"{row[0]} did {kind}: bought at {row[2]}, now {row[3]} {row[4]}."
    it.user(say(r, r.choice(BIGGEST[kind]))).calls(("get_holdings", {})).results(told).answer(answer + note(told))
    if r.random() < 0.3:
        result, found = desk.known(row[0])
        it.user(say(r, "[get|show|give me|what's] [a quote of|the current price of|a quote for|the price of] {w}", w=r.choice(["it", "that one", "that", row[0]])))
        it.answer(quoted(looked(it, desk, row[0], result, found)))
    return None


def own_quote(r, it, desk):
    """What is held, and then the quote of one of it, in one question."""
    told = desk.holdings()
    symbols = re.findall(r"^- ([A-Z0-9&-]{2,16}): \d", told, re.M)
    at, words = r.choice([(0, "first"), (-1, "last"), (1, "second")][: min(3, len(symbols))])
    if at >= len(symbols):
        return None
    result, found = desk.known(symbols[at])
    question = say(r, r.choice(["[list|show|check] my holdings and [then |][quote|get the price of|look up the price of] the {o} one", "what's the [current |live |]price of the {o} share in my [portfolio|holdings]?", "[quote|get a quote for] my {o} holding",
        "look at my portfolio, then [quote|price] the {o} stock in it", "price of the {o} [thing|share|stock] I hold"]), o=words)
    it.user(question).calls(("get_holdings", {})).results(told)
    it.answer(quoted(looked(it, desk, symbols[at], result, found)))
    return None


def account(r, it, desk):
    pick = r.random()
    if pick < 0.28:
        return owned(r, it, desk)
    if pick < 0.4:
        return (biggest if r.random() < 0.7 else own_quote)(r, it, desk)
    names = r.sample(list(ACCOUNT), 2 if pick < 0.55 else 1)
    patterns = [expand(r, r.choice(ACCOUNT[name])) for name in names]
    questions = [say(r, pattern) for pattern in patterns]
    question = questions[0]
    if len(names) == 2:
        question = questions[0].rstrip("?.!") + r.choice([" and ", ", and ", ". Also, ", " and also "]) + questions[1][0].lower() + questions[1][1:]
    told = [account_told(r, desk, name, asked_, at) for at, (name, asked_) in enumerate(zip(names, patterns), 1)]
    answers = [one[1] for one in told]
    if len(names) == 2:
        answers[0] = answers[0].removesuffix(SIMULATED)
    it.user(question).calls(*((name, {}) for name in names)).results(*(one[0] for one in told)).answer("\n\n".join(answers))
    symbols = re.findall(r"^- ([A-Z0-9&-]{2,16}): \d", told[0][0], re.M)
    if names == ["get_holdings"] and symbols and r.random() < 0.35:
        # A share of the list.
        at = r.randrange(min(3, len(symbols)))
        result, found = desk.known(symbols[at])
        words = r.choice([f"the {['first', 'second', 'third'][at]} one", f"the {['first', 'second', 'third'][at]}", symbols[at], symbols[at]])
        it.user(say(r, "[get|show|give me] [a quote of|the current price of|a quote for] {w}", w=words))
        it.answer(quoted(looked(it, desk, symbols[at], result, found)))
    return None


def owned(r, it, desk):
    """What is held of one share: the holdings tell it, no search is needed."""
    typed, _, found, _ = desk.instrument(("EQUITY",))
    symbol = desk.names.get(found["symbol_name"], found["symbol_name"])
    typed = symbol if r.random() < 0.4 else typed
    kind = r.choice([OWN, MANY, PAID, GAIN])
    question = say(r, r.choice(kind), q=typed)
    if r.random() < 0.25:
        told = desk.holdings()
        if symbol in told:
            return None
        return it.user(question).calls(("get_holdings", {})).results(told).answer(f"There is no {typed} among your holdings." + note(told))
    told = desk.holdings(symbol)
    line = re.search(rf"^- ({re.escape(symbol)}: (\d+) at (\S+), now (\S+) (.*))$", told, re.M)
    many, paid, now, gain = line.group(2), line.group(3), line.group(4), line.group(5)
    answer = {id(OWN): f"Yes, you hold {many} {symbol}, bought at {paid} on average.", id(MANY): f"You hold {many} {symbol}.", id(PAID): f"You paid {paid} on average for {symbol}.",
              id(GAIN): f"{symbol}: bought at {paid}, now {now} {gain}."}[id(kind)]
    it.user(question).calls(("get_holdings", {})).results(told).answer(answer + note(told))
    return it


def holding_names(r, desk, text):
    """Other symbols, and fewer lines, in a list of the account."""
    pool = r.sample([it for it in market.COMPANIES if it not in desk.names and it not in desk.names.values() and it not in text], 12)
    return re.sub(r"^- ([A-Z0-9&-]{2,16})(?=:| \()", lambda m: f"- {pool.pop()}", text, flags=re.M) if r.random() < 0.75 else text


AND = ["[and|what about|how about|and for|same for|and what about|now] {q}?", "[and|what about|how about] the same for {q}?", "{q}?", "{q} too", "do the same for {q}", "[now|then] {q}", "and {q}", "also {q}",
    "{q} as well", "the same for {q}"]


def follow(r, it, desk, found, aspect, today):
    """A second question about the same instrument, or the same question about another."""
    pick = r.random()
    if pick < 0.36:
        typed, result, other, _ = desk.instrument()
        it.user(say(r, r.choice(AND), q=typed))
        it.answer(quoted(looked(it, desk, typed, result, other), aspect))
    elif pick < 0.52:
        told, ok = desk.of("get_expiries", found)
        told = desk.expiries(found)[0] if r.random() < 0.5 and "-" not in found["symbol_name"] else told
        if told:
            it.user(say(r, r.choice(["[and |what are |show |]its [option |]expiries[| too]?", "[and |]when do its options [expire|end]?", "which expiries does it have?", "[list|get] the expiries",
                "its expiry dates"]))).calls(("get_expiries", desk.both(found))).results(told).answer(expiring(told, asked(it), it.here))
    elif pick < 0.66:
        told, ok = desk.of("get_option_chain", found)
        if told:
            it.user(say(r, r.choice(["[and |show |now |]its option chain", "[and |]the option chain[| of it]?", "what options are there on it?", "[show|get] its [options|calls and puts]",
                "and its [pcr|put call ratio]?"]))).calls(("get_option_chain", desk.both(found))).results(told).answer(chained(told, asked(it), it.here) if ok else failed(told))
    elif pick < 0.76 and today:
        words, start, end, one = earlier(r, today)
        it.user(say(r, "[how about|what about|and] {w}?", w=placed(r, words)))
        told_of(r, it, desk, found, "get_historical_data", clean({"from_date": str(start), "to_date": str(end) if end else None}), start, end)
    elif pick < 0.84:
        it.user(say(r, r.choice(["[buy|sell] {n} of [them|it]", "[buy|sell] {n}", "ok, [buy|sell] it", "[place|put] an order for {n}", "set a stop loss at {n}", "alert me if it falls below {n}", "should I buy it?",
            "will it go up?", "why did it move?"]), n=r.choice([5, 10, 20, 25, 50, 100])))
        it.answer(CANT)
    else:
        words, dates, start, end = when(r, today)
        it.user(say(r, r.choice(["[and |show |]its [history|historical prices|past prices]{w}", "its price history{w}"] + (["[and |]how did it do{w}?", "what was it at{w}?"] if words else [])), w=words))
        told_of(r, it, desk, found, "get_historical_data", dates, start, end)


def quiet(r, it, desk):
    """Nothing to call: what no tool does, and what is to be explained."""
    for _ in range(r.choice([1, 1, 1, 1, 2])):
        pick = r.random()
        if pick < 0.5:
            typed = desk.instrument(("EQUITY", "INDEX"))[0]
            it.user(say(r, r.choice(ACTS), q=typed, n=r.choice([1, 2, 5, 10, 15, 20, 25, 50, 75, 100, 200, 500, 1000, 1500, 2500, 5000, 26000]))).answer(CANT)
        else:
            question = say(r, r.choice(EXPLAIN), t=r.choice(TERMS)) if pick < 0.82 else say(r, r.choice(DIFFER), p=r.choice(PAIRS)) if pick < 0.89 else say(r, r.choice(OPINIONS))
            it.user(question).answer(CANT)
    return it


NOTED = ["[look up|get|check|find|fetch] the price of {q} and [note it down|write it down|make a note of it|take a note of it|save it as a note|put it in my notes|jot it down|note it]",
    "[note|write|jot] down [the price of {q}|what {q} costs|where {q} is trading|the current {q} price]", "[take|make|save] a note [of|with] [the price of {q}|{q}'s price|the current {q} quote]",
         "{q} price, and note it", "note [the current price of {q}|how much {q} is]", "what's {q} at? Write it down for me", "quote {q} and add it to my notes", "I want a note with the price of {q}",
         "remember [today's price of {q}|what {q} costs today]", "check {q} and put the price in a note", "put the price of {q} into my notes", "save the {q} price [to|in] my notes"]
WITH = {
    "get_weather": ["the weather in {c}", "what's the weather in {c}", "how's the weather in {c}", "weather {c}", "is it raining in {c}", "the temperature in {c}", "how warm is it in {c}"],
    "get_holdings": ["list my holdings", "show my holdings", "my holdings", "what shares do I hold", "my portfolio", "what do I own", "show me my portfolio"],
    "get_funds": ["my available funds", "how much margin I have left", "show my funds", "my balance", "how much can I trade with", "what cash is left"],
    "get_positions": ["my open positions", "show my positions", "which positions are open", "list my positions"],
    "get_recent_videos": ["my last {n} videos", "the last {n} videos I watched", "show my {n} latest videos", "what were the last {n} videos I watched"],
    "take_note": ["note: {t}", "take a note: {t}", "write down: {t}", "make a note: {t}"],
    "list_notes": ["show my notes", "list my notes", "what's in my notes", "read my notes"],
}
FIRST = ["[price|quote] of {q}", "quote {q}", "what's {q} at", "how much is {q}", "{q} price", "get the price of {q}", "how is {q} doing", "what's the price of {q}", "check {q}", "look up the price of {q}",
    "{q} quote", "where is {q} trading", "latest on {q}", "tell me what {q} costs", "the current price of {q}"]


def across(r, it, desk):
    """A price and something else in one question: what needs no result is called at once, the quote after the search."""
    typed, result, found, _ = desk.instrument()
    it.task = "any"
    if r.random() < 0.42:
        it.user(say(r, r.choice(NOTED), q=typed))
        told = looked(it, desk, typed, result, found)
        name, told_price, _ = next(quote_lines(told))
        text = f"{name} is at {told_price.split(' ')[0]}"
        it.calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
        return it
    name = r.choice(["get_weather", "get_weather", "get_weather", "get_holdings", "get_holdings", "get_funds", "get_positions", "get_recent_videos", "take_note", "list_notes"])
    place, sky, n, text = r.choice(demo.CITIES), r.choice(demo.SKIES), r.choice([1, 2, 3, 5]), r.choice(demo.NOTES)
    place = place.lower() if r.random() < 0.2 else place
    asks = r.choice(WITH[name])
    price_first = name == "take_note" or r.random() < 0.6
    first, second = (r.choice(FIRST), asks) if price_first else (asks, r.choice(FIRST))
    question = say(r, first + r.choice([" and ", " and ", ", and ", " and also ", ". Also ", "? And ", " plus "]) + second + r.choice(["", "", "?"]), q=typed, c=place, n=n, t=text)
    if name == "take_note":
        question = say(r, first + r.choice([". Also ", " and ", ", and "]), q=typed).rstrip() + " " + asks.format(t=text)
    if name == "get_weather":
        arguments, other, answer = {"location": place}, f"Weather in {place}: {sky}", f"It is {sky.split(', ')[0]} and {sky.split(', ')[1]} in {place}."
    elif name == "get_recent_videos":
        shelf = store.Shelf(r)
        other = shelf.recent(n)
        arguments, answer = {"limit": n}, "[[1]]"
    elif name == "take_note":
        arguments, other, answer = {"text": text}, f"Noted: {text}", f"I noted: {text}"
    elif name == "list_notes":
        kept = r.sample(demo.NOTES, r.randint(1, 3))
        arguments, other, answer = {}, "[" + ",".join(f'"{one}"' for one in kept) + "]", "Your notes:\n[[1]]"
    else:
        arguments = {}
        other, answer = account_told(r, desk, name, "")
    calls = [(search(typed), result), ((name, arguments), other)]
    calls = calls if price_first else calls[::-1]
    it.user(question).calls(*(one for one, _ in calls)).results(*(one for _, one in calls))
    told, _ = desk.of("get_market_quote", found)
    it.calls(quote(pair(desk, found))).results(told)
    answers = [quoted(told), later(answer, 1) if price_first else answer]
    return it.answer("\n\n".join(answers if price_first else answers[::-1]))


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


# Sentences that others test with stay out of the data.
KNOWN = re.compile("|".join([
    "give me the latest on sensex", "^sensex expiries$", "sensex (and )?nifty now", "price of the nearest reliance future", "^gold futures on mcx", "lowest level of bank ?nifty in the previous month",
    "look up the price of .* and note it down", "^price of .* and the weather in", "^quote .* and list my holdings", "explain what an option premium", "what s a candle chart",
    "difference between a stock and an index", "how do i upload a video", "what does nse stand for", "is trading risky", "buy 10 shares of tcs", "^place a stop loss", "^like this video",
    "languages i studied last", "details on the second most recent video", "details for the top search result on neural networks"]))


def known(it):
    return any(role == "user" and KNOWN.search(" ".join(re.findall(r"[a-z0-9]+", text.lower()))) for role, text in it.messages)


def talk(r, today):
    """A conversation at the desk."""
    it = drawn(r, today)
    return talk(r, today) if known(it) else it


def drawn(r, today):
    it, desk = Talk("trading"), market.Market(r, today)
    pick = r.random()
    if pick < 0.2:
        found, aspect = price(r, it, desk)
        if r.random() < 0.35:
            follow(r, it, desk, found, aspect, today)
    elif pick < 0.3:
        prices(r, it, desk)
    elif pick < 0.44:
        bars(r, it, desk, today)
    elif pick < 0.56:
        options(r, it, desk, today)
    elif pick < 0.63:
        contract(r, it, desk, today)
    elif pick < 0.66:
        option(r, it, desk, today)
    elif pick < 0.74:
        lookup(r, it, desk)
    elif pick < 0.82:
        account(r, it, desk)
    elif pick < 0.89:
        across(r, it, desk)
    elif pick < 0.97:
        quiet(r, it, desk)
    else:
        refused(r, it, desk)
    return it if it.messages else drawn(r, today)


# Names of things, as others say them: none of these is kept back. A month may not be the one in which the nearest contract ends.
_HEARD = listened("trading")
for _name, _own in {"TERMS": TERMS, "PAIRS": PAIRS, **{f"NEAR_{at}": some for at, some in enumerate(NEAR)}, **{f"SEGMENTS_{name}": some for name, some in SEGMENTS.items()}}.items():
    _own += [it for it in _HEARD.get(_name, ()) if it not in _own and it not in ("the India VIX", "current month", "running month", "this month", "nearest expiry", "second month", "third month", "second-month")]
gather("trading", globals(), plain=("TERMS", "PAIRS", "FUND", "NEAR", "SEGMENTS", "_HEARD"))
