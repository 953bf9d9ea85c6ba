"""Small talk, remarks, and what no tool can do: answered without a call, whatever tools are offered."""

import re

from . import demo, workspace
from .patterns import gather
from .talks import AFTERWARDS, CAN, CANT, Talk, afterwards, joined, lines, mention, rare
from .words import expand, say

TALK = {
    "greet": (["[hi|hello|hey|hey there|hello there|good morning|good evening|good afternoon|hiya|yo|howdy|namaste|hola|hi there][|!| :)]"], ["Hello! What would you like to know?", "Hi! How can I help?"]),
    "thanks": (["[thanks|thank you|thx|ty|cheers|much appreciated|many thanks|thanks a lot|thank you so much|thanks a million|great, many thanks|perfect, thank you|ok thanks|awesome, thanks|thank u|tysm][|!|!!|.]",
    "that['s|s| was] [helpful|great|very helpful|all I needed|exactly what I needed][|, thanks|, thank you|!]"], ["You're welcome!", "Glad to help."]),
    "bye": (["[bye|goodbye|see you|see you later|good night|that's all|that's all for now|I'm done|nothing else|no more questions|talk to you later|cya][|!|.| thanks]"], ["Goodbye!", "Goodbye! Come back any time."]),
    "praise": (["[nice|cool|great|awesome|perfect|good job|well done|great job|you're great|you are helpful|I like you|wow|excellent|lovely|amazing|neat|sweet][|!|.]",
    "[ok|okay|alright|I see|got it|makes sense|understood|fine|sure|hmm|right][|.|!]"], ["Glad to hear that.", "Good. What else can I do?"]),
    "self": (["[who|what] are you?", "what's your name?", "are you [a robot|an AI|human|real|chatgpt|a bot|a person]?", "which model are you?", "who made you?", "are you [there|ok|awake]?",
    "how are you[| today| doing]?", "how do you work?", "do you have feelings?"], ["I am a small model that runs on this machine and answers with tools.", "I am a small offline model. I answer with the tools I have."]),
    "can": (["what can you do[| for me]?", "how can you help[| me]?", "[what are your|show me your|which] [capabilities|features|tools do you have]?", "help", "what should I ask you?", "how do I use this?",
    "what do you know[| about]?", "what [all |]can [I ask|you answer|this thing do|I do here]?", "[help me out|how does this work|what is this|menu|options|commands|capabilities]", "what are you [good at|for|able to do]?",
    "[list|show|tell me] [all |][your tools|your skills|what you can do|the things you can do|everything you can do]", "which tools are there?", "what kind of [questions|things] can you [answer|do]?", "[I'm new here|first time here], what can you do?"], [CAN]),
}
BEYOND = """who won the world cup in 2018?|what is the capital of Australia?|tell me a joke|write me a poem about autumn|translate good morning into Spanish|what is the meaning of life?|solve 3x + 5 = 20|
who wrote Hamlet?|book me a flight to Rome|order a pizza|send an email to my boss|call my mother|set an alarm for seven|turn off the lights|play some jazz|what should I cook tonight?|
how tall is Mount Everest?|explain quantum entanglement|write a python function that reverses a string|draw me a cat|what year did the Berlin wall fall?|how do I tie a tie?|recommend a good book|
what is 17 times 23?|who is the president of France?|buy 10 shares of TCS|place an order for 50 NIFTY futures|sell all my holdings|cancel my last order|transfer 500 euros to Anna|upload this video|
delete my YouTube account|subscribe me to this channel|like the last video|convert 10 miles to kilometres|what's the exchange rate of the euro?|find me a hotel in Vienna|how do I get to the station?|
summarise this article|what is love?|is there life on Mars?|how do vaccines work?|what's the best phone to buy?|tell me the news|who is the richest person?|
write a cover letter|fix my printer|what's my IP address?|how old is the universe?|which language should I learn?|tell me about your day|sing a song|make me laugh|what's the square root of 144?|
give me relationship advice|should I quit my job?|predict the lottery numbers|diagnose my headache|what rhymes with orange?|how many calories are in a banana?|post this on Twitter|
who painted the Mona Lisa?|tell me a story about a dragon|spell necessary|what day is Christmas?|how do I learn to swim?|name three rivers in Africa|what's the fastest animal?|open the garage door|
pay my electricity bill|schedule a meeting with Tom at noon|find cheap tickets for Hamilton|track my parcel|what's the plot of Inception?|compare iPhone and Pixel|is a tomato a fruit?|
explain inflation to a child|help me with my homework|what's the population of Brazil?|how far is the moon?|start the dishwasher|who invented the telephone?|define serendipity""".replace("\n", "").split("|")
NONE = [CANT]


# In the words of the other packs: (patterns, answer, the tools that are offered).
OTHERS = [
    (lines("""
[I|my brother|my uncle|a friend of mine] [lost|made|invested|saved] [money|a lot|nothing|a fortune] [with stocks|today|on options|last year|with gold]
[stocks|options|futures|shares|bonds] are [risky|exciting|not for me|complicated|fun]
[the market|the exchange|my portfolio] [was|is] [crazy|boring|red|green|closed] [today|again|this week|]
I [love|hate|don't trust|follow|avoid] [the stock market|options|banks|brokers|day trading]
"""), "I see.", ["get_market_quote", "search_instruments", "get_historical_data", "find_instrument"]),
    (lines("""
what is [a stock|an option|a future|a candle|a dividend|an index|a strike price|an expiry|open interest|a lot size|short selling|a bear market|inflation|an ISIN]?
[explain|tell me] [what a call option is|how options work|what an index is|what volatility means|what OHLC stands for|how a stock exchange works|what a put is]
[how do|how can|where do] [I|people|beginners] [buy shares|start investing|read a chart|learn trading|open an account|trade options|lose money slowly]?
[should I|is it wise to|is it a good time to] [invest|buy gold|sell everything|trade options|buy shares][| now| this year]?
why do [prices|stocks|markets] [fall|rise|crash|move|close at night]?
what's the difference between [a stock and a bond|a call and a put|an index and a fund|a future and an option]?
"""), CANT, ["get_market_quote", "search_instruments", "get_option_chain", "get_historical_data"]),
    (lines("""
I [love|like|hate|miss|follow|make] [videos|long videos|that channel|cooking videos|YouTube|shorts|documentaries|music videos]
I [watch|watched] [too much|nothing|a lot|a great film|videos all night] [yesterday|lately|at the weekend|these days|]
[videos|channels|documentaries|ads] are [too long|great|boring|addictive|getting better|everywhere]
[my kids|my friends|my parents] [watch|love|hate] [cartoons|videos|YouTube|long films] [all day|too|]
I [should|want to] [watch less|sleep more|read more books|stop watching so late]
"""), "I see.", ["get_recent_videos", "search_videos_by_topic", "get_statistics", "get_channel_info"]),
    (lines("""
how [do|does|can] [YouTube earn money|I start a channel|people get subscribers|I edit a video|the recommendations work|I become famous|I watch less]?
what [is|makes] [a good video|a vlog|a podcast|a good thumbnail|a short|streaming|a playlist]?
why [are videos so long|do people watch videos|are there so many ads|is YouTube popular]?
[make|upload|download|edit|record|translate] [a video|this video|my videos|a film][| for me]
[who|when was it that somebody] [invented television|founded YouTube|made the first video]?
"""), CANT, ["search_videos_by_topic", "get_recent_videos", "get_channel_info"]),
]


# Nothing is said with these.
GIBBERISH = lines("""
[asdf|asdfgh|asdfghjkl|qwerty|qwertz|lkjh|sdfsdf|jkl;|aaaa|xx|fghj|zxcvb|hjkl hjkl|fdsa|dfgdfg|uiop]
[??|???|!|!!|...|.|,|-|?!|#|**|/|:)|;-)|…|^^]
[hm hm hm|uh|uhm|eh|er|mmm|hmmmm|hmpf|pfff|bla bla|blah blah blah|lalala|tralala|haha|hahaha|lol|rofl|xd|meh|nah nah|tut tut]
[test test|testing 1 2 3|1 2 3|123|42|007|1|0|abc|a b c|foo|foo bar|x|y z|one two]
[the the the|and and|so so|well well|is is|what what what|it it]
""")
UNCLEAR = "Sorry, I don't understand that. What can I do for you?"


def gibberish(r):
    pick = r.random()
    if pick < 0.5:
        return expand(r, r.choice(GIBBERISH))
    if pick < 0.8:
        return "".join(r.choice("asdfghjklqwertzuiopyxcvbnm" if r.random() < 0.93 else " ") for _ in range(r.randint(4, 14))).strip() or "asdf"
    return " ".join(rare(r) for _ in range(r.randint(1, 4)))


def talk(r, today):
    """A turn, or a few, without a call; or a question back, and the call when it is answered."""
    pick = r.random()
    if pick < 0.07:
        # Whatever tools there are, those that write above all.
        return Talk("any").quiet(gibberish(r), UNCLEAR, *r.sample(["take_note", "delete_notes", "bash", "write", "edit", "search", "list_notes", "get_weather", "search_instruments", "search_videos_by_topic"], r.randint(1, 5)))
    if pick < 0.09:
        # What only a shell could do, where there is none: nothing else is called in its place.
        it = Talk("any")
        it.avoid = {"bash"}
        command = r.choice([r.choice(workspace.THREATS), workspace.literal(r)])
        return it.user(workspace.tell(r, r.choice(workspace.RUN), c=command)).answer(CANT)
    if pick < 0.11:
        it = Talk("any")
        it.avoid = {"get_weather"} if r.random() < 0.5 else {"take_note"}
        return it.user(say(r, r.choice(demo.WEATHER), c=demo.city(r)) if "get_weather" in it.avoid else demo.note(r)[0]).answer(CANT)
    if pick < 0.55:
        it = r.choice([demo.quiet, workspace.quiet])(r)
        if pick < 0.1 and "<tool_call>" not in it.messages[-1][1] and not it.messages[-1][1].endswith("?"):
            afterwards(r, it) if r.random() < 0.4 else r.choice([demo.quiet, workspace.quiet])(r, it)
            it.task = "any"
        return it
    if pick < 0.72:
        at = r.randrange(len(OTHERS))
        patterns, answer, need = OTHERS[at]
        return Talk("trading" if at < 2 else "history").quiet(mention(r, r.choice(patterns)), answer, *r.sample(need, r.randint(1, len(need))))
    it = Talk(r.choice(["demo", "trading", "history", "workspace", "any"]))
    for _ in range(r.choice([1, 1, 1, 2])):
        kind = r.random()
        if kind < 0.2:
            patterns, answers = r.choices(AFTERWARDS[:2], [1, 3])[0]
            it.quiet(mention(r, r.choice(patterns)), answers[0] if r.random() < 0.7 else r.choice(answers), *r.sample(["delete_notes", "take_note", "bash", "edit", "list_notes"], r.choice([0, 1, 2])))
        elif kind < 0.6:
            patterns, answers = TALK[r.choice([*TALK, "can", "can"])]
            it.user(plain(r, r.choice(patterns)) if r.random() < 0.6 else say(r, r.choice(patterns))).answer(r.choice(answers[:1] if r.random() < 0.8 else answers))
        else:
            it.user(say(r, r.choice(BEYOND).replace("[", "(").replace("]", ")").replace("{", "(").replace("}", ")"))).answer(CANT)
    return it


def plain(r, pattern):
    text = expand(r, pattern)
    return r.choice([text, text, text.lower(), text[0].upper() + text[1:]])


def thanks(r, it):
    """Somebody says thanks after an answer."""
    patterns, answers = TALK[r.choice(["thanks", "thanks", "bye", "praise"])]
    return it.user(plain(r, r.choice(patterns))).answer(answers[0] if r.random() < 0.8 else r.choice(answers))


def without(r, it):
    """The same question where the tool that it needs is missing: no call. Only for first turns, and only where there was one."""
    if "<tool_call>" not in it.messages[1][1]:
        return it
    question = it.messages[0][1]
    other = Talk("any")
    other.avoid = {name for role, content in it.messages if role == "assistant" for name in re.findall(r'"name": "(\w+)"', content)}
    other.user(question).answer(CANT)
    return other


gather("talks", {"AFTERWARDS": AFTERWARDS})
gather("small", globals(), plain=("NONE", "AFTERWARDS"))
