"""Weather, tips and notes; and what is said about them that asks for no call."""

import json
import re

from .patterns import gather
from .store import things
from .talks import CANT, Talk, afterwards, clean, joined, later, lines, mention, rare, tell
from .words import expand, number, say, typo

CITIES = """Paris|Tokyo|San Francisco|San Francisco, CA|Nairobi|Berlin|Toronto|Cape Town|New Delhi|Rio de Janeiro|Seoul|Austin, Texas|Rome|Cairo|Dublin|Hanoi|
Madrid|Chicago|Mumbai|Kyoto|Vienna|Buenos Aires|São Paulo|London|New York|New York City|Los Angeles, CA|Boston|Seattle, WA|Denver, CO|Miami|Oslo|Stockholm|
Copenhagen|Helsinki|Reykjavik|Zurich|Zürich|Munich|Hamburg|Prague|Warsaw|Budapest|Athens|Lisbon|Porto|Barcelona|Valencia|Marseille|Lyon|Nice|Brussels|Amsterdam|
Utrecht|Edinburgh|Glasgow|Manchester|Liverpool|Leeds|Bristol|Cork|Istanbul|Ankara|Tel Aviv|Dubai|Abu Dhabi|Doha|Riyadh|Tehran|Karachi|Lahore|Dhaka|Kolkata|
Chennai|Bengaluru|Hyderabad|Pune|Jaipur|Kathmandu|Colombo|Bangkok|Chiang Mai|Singapore|Kuala Lumpur|Jakarta|Manila|Hong Kong|Shanghai|Beijing|Taipei|Osaka|
Sapporo|Busan|Sydney|Melbourne|Brisbane|Perth, Australia|Auckland|Wellington|Lagos|Accra|Addis Ababa|Kampala|Casablanca|Tunis|Dakar|Johannesburg|Mexico City|
Guadalajara|Bogotá|Medellín|Lima|Quito|Santiago|Montevideo|Caracas|Havana|Vancouver|Montreal|Calgary|Portland, Oregon|Salt Lake City|Las Vegas, NV|
New Orleans|Nashville, Tennessee|St. Louis|Kansas City|Minneapolis|Anchorage, Alaska|Honolulu|Springfield, IL|Santa Fe|Ulm|Graz|Bern|Split|Riga|Tallinn|
Vilnius|Kraków|Gdańsk|Bratislava|Ljubljana|Zagreb|Sarajevo|Sofia|Bucharest|Chișinău|Kyiv|Tbilisi|Yerevan|Baku|Tashkent|Almaty|Ulaanbaatar|Lhasa|Yangon|Phnom Penh|Vientiane|
Darwin|Hobart|Suva|Nuuk|Tromsø|Bergen|Malmö|Aarhus|Turku|Cologne|Leipzig|Basel|Geneva|Turin|Naples|Palermo|Bologna|Seville|Bilbao|Granada|Faro|Toulouse|Bordeaux|Nantes|Ghent|Antwerp|
Rotterdam|The Hague|Cardiff|Belfast|Galway|York|Bath|Marrakesh|Algiers|Khartoum|Lusaka|Harare|Windhoek|Gaborone|Maputo|Kigali|Abuja|Asunción|La Paz|Panama City|San José|Guatemala City|
Tucson, Arizona|Boise, ID|Fargo, North Dakota|Savannah, GA|Buffalo, NY|El Paso|Tampa|Detroit|Omaha|Quebec City|Halifax|Winnipeg""".replace("\n", "").split("|")
CITIES = list(dict.fromkeys(CITIES + things("places")))
SKIES = ["72°F, sunny"] * 12 + ["55°F, cloudy", "18°C, light rain", "31°C, clear", "-4°C, snow", "64°F, windy", "9°C, fog", "88°F, humid", "22°C, partly cloudy", "38°C, hot", "27°C, haze", "2°C, sleet", "41°F, drizzle", "15°C, overcast",
    "101°F, clear", "24°C, thunderstorms", "12°C, sunny"]
WEATHER = [
    "[What's|What is|Hows|How's|How is|tell me|give me|show me|check|get] the [current |latest ||] [weather|weather forecast|weather report|forecast] [in|for|at] {c}[| today| now| right now| at the moment]?",
    "weather [in |for |]{c}", "{c} weather[| today| now]", "[Is it|Will it be] [raining|sunny|cold|hot|warm|snowing|windy|cloudy] [in|over in] {c}[| today| right now]?",
    "[Do I need|Will I need|Should I take|Should I bring] [an umbrella|a jacket|a coat|sunglasses] [in|for|to] {c}[| today]?", "How [hot|cold|warm] is it [in|over in] {c}[| now| today]?",
    "[current conditions|temperature|the temperature|temp] [in|at|for] {c}", "What's it like outside in {c}?",
    "I'm [flying|travelling|going|heading] to {c}[| today| tomorrow], [what's|how's] the weather[| there| like]?",
    "what kind of weather [are they having|do they have] in {c}[| now]?", "could you [check|look up|find out] [the weather|how the weather is] [in|for] {c}?", "{c} - [weather|how warm]?",
    "what does the sky look like in {c}", "[nice|good] weather in {c}?", "in {c}, what is the weather [like|now]?", "let me know the weather in {c}", "how many degrees [is it |]in {c}",
    "[my sister|my son|a friend|my boss] is in {c}[, what's the weather like there|, how's the weather there|: is it warm there]?", "[does|will] it rain in {c}[| today]?",
    "I [need|want|would like] [the weather|the temperature] [for|in] {c}",
    "is {c} [warm|cold|sunny|rainy|hot] [right now|today|at the moment]?", "what should I wear in {c} today?", "[any|is there any] [rain|snow|sun|wind] in {c}[| today| now]?", "what are the temperatures in {c}?",
    "is it [warm|nice] enough for a [walk|picnic|swim] in {c}?",
]
TIP_BOTH = [
    "[Calculate|Compute|Work out|Figure out|What's|What is|Give me|How much is] a {p}[%| percent] tip [on|for] [a bill of {a}|a {a} bill|{a}|{a}]", "{p}% tip [on|for] {a}", "[tip|gratuity] of {p}% on {a}",
    "[I want|I would like|I'd like|we want] to [leave|tip|give] {p}[%| percent] on [a bill of |]{a}", "add [a |]{p}% tip to {a}", "the bill [is|was|came to] {a}, [tip|how much is] {p}[%| percent]?",
    "how much [tip|do I tip|should I leave] [on|for] {a} at {p}[%| percent]?", "{a} [dinner|lunch|bill|check], {p}% tip", "[tip|calculate tip] {a} {p}%", "what would {p} percent [of tip |]be on {a}",
    "[we paid|we owe|dinner cost] {a} and [want|would like] to tip {p}[%| percent]", "with a {p}% tip, what does {a} [come to|make in total]?",
]
TIP_ONE = [
    "[how much|what] [tip|should I tip|do I tip] [on|for] [a bill of {a}|a {a} bill|{a}]?", "[calculate|work out|compute] the [tip|gratuity] [on|for] {a}", "tip [for|on] {a}",
    "what's [the usual|a normal|a fair] tip on {a}?",
    "the bill was {a}, what do I leave as a tip?", "I owe {a} for dinner. [Tip|What tip]?", "[usual|standard] tip for {a}[| please]",
]
NOTES = """buy milk|call mum on Sunday|the wifi password is on the fridge|book the dentist|pick up the parcel before six|water the plants|ask Sam about the contract|
return the library books|team lunch on Thursday|renew the passport|milk, eggs and bread|send the invoice to Nadia|check the tyre pressure|meeting moved to 3pm|
parking spot is B12|pay the rent|finish the slides for Monday|cancel the gym|the plumber comes at ten|buy a birthday card for Lea|try the new bakery|
the code of the door is 4711|read chapter 7|order coffee beans|feed the cat twice a day|flight leaves at 6:40|ring the bank about the card|
back up the laptop|train to Lyon at 9:15|prune the roses|ideas for the garden: more herbs|talk to Ravi about the budget|size 42 shoes|check the oven""".replace("\n", "").split("|")
NAMES = """Sam Nadia Ravi Lea Tom Anna Mira Jonas Priya Omar Elif Kofi Mei Luca Ines Pablo Yuki Hana Ivan Zoe Noor Emil Rosa Amir Greta Arjun Sunita Kiran Deepak Meera Anil Pooja Vikram Neha Sanjay
Lakshmi Imran Farah Oskar Lena Dmitri Chidi Amina Bao Linh Jun Carla Bjorn Freya Piotr Agata Hema Gita Suresh Divya Rahul Manoj""".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
# Notes of things to do and of things that are so; {n} a name, {d} a weekday, {k} a number, {w} a rare word.
TO_DO = lines("""
[buy|get|order|pick up] [milk|eggs|bread|flour|coffee beans|two lemons|batteries|printer paper|cat food|a birthday card for {n}|stamps|rice and beans|{k} screws|paint for the fence|tickets for {d}]
[call|ring|email|text|write to] [mum|dad|{n}|the bank|the dentist|the landlord|the school|the garage|aunt {n}] [on {d}|about the card|about the invoice|tomorrow|before noon|at {h}|]
[book|cancel|move|confirm] the [dentist|flight|hotel|gym|table for {k}|appointment|train to Lyon|piano lesson|meeting with {n}] [|for {d}|on {d}]
[water the plants|feed the cat|take the bins out|clean the oven|back up the laptop|prune the roses|check the tyre pressure|charge the bike|fix the tap|air the cellar|change the filter] [|on {d}|twice a day|tonight|\
every {d}]
[pay|check] the [rent|invoice|insurance|electricity bill|school fees] [|by {d}|before {d}]
[send|return|bring] the [invoice|library books|parcel|form {k}|drill|keys] [|by {d}|to {n}|back to {n}]
[sign|print|renew|find] the [contract|passport|tax papers|form {k}|lease] [|by {d}|before {d}]
[ask|tell|remind] {n} about [the budget|the keys|{w}|the flowers|room {k}|{d}]
[finish|read|review|rehearse] [the slides for {d}|chapter {k}|the report|{n}'s draft|the {w} paper]
""")
FACTS = lines("""
the [wifi password|spare key|receipt|drill|map|charger] is [on the fridge|under the mat|in the blue box|with {n}|in drawer {k}|behind the door]
[the code of the door|my locker number|the gate code|the room|the order number|the seat] is [{k}|{k}{k}]
[team lunch|the party|choir|the meeting|football|the parents' evening] is on {d}[| at {h}]
[the plumber|{n}|the parcel|the piano tuner|grandma] [comes|arrives] [at ten|on {d}|at {h}|on {d} at {h}]
[the flight|the train|the bus|the ferry] [leaves|goes] at [6:40|9:15|17:05|21:30|5:55]
the parking spot is B{k}
{n} [likes|hates|is allergic to] [nuts|jazz|tulips|olives|early meetings|{w}]
""")
SCRAPS = lines("""
[bins out|no school|market|library closed|payday|yoga] on {d}
size {k} shoes
parking spot B{k}
[train|bus|flight] at [6:40|9:15|17:05|21:30]
milk, eggs and [bread|butter|rice|{w}]
ideas for the [garden|trip|talk]: [more herbs|{w}|fewer slides|start in {w}]
{w} {w} {k}
""")
for some, key in ((TO_DO, "do"), (FACTS, "facts"), (SCRAPS, "scraps")):
    some += things("notes")[key]
TAKE = lines("""
[take|make|write down|save|add|keep|jot down] a note: {t}
note: {t}
[write|jot|note|put] [this |that |]down: {t}
remember: {t}
please note {t}
add [to my notes|a note|this to my notes]: {t}
put [this |]in my notes: {t}
save this: {t}
[save|write|add] this [as a note|to my notes|in my notes]: {t}
don't let me forget: {t}
new note: {t}
can you [note|write down|jot down] {t}
keep in mind: {t}
[remind me|reminder|note to self|memo|for my notes|to remember|a note for me|one for the notes]: {t}
I [have|need|want] to [note|write down|remember] something: {t}
[note|write down|jot down|save|add] "{t}"
make a note saying "{t}"
{t} - [note that|write that down|add it to my notes|please note|save that]
""")
TAKE_TO_DO = lines("""
[remind me|remember|help me remember] to {t}
make a note to {t}
[I must|I have to|I need to] {t}, [note it|write that down|make a note|put it in my notes]
note that I [must|should|have to|need to] {t}
don't let me forget to {t}
I mustn't forget to {t}, [note that down|make a note of it]
""")
TAKE_FACT = lines("""
[note|write down|remember|make a note|jot down|keep in mind|save] that {t}
[please |]remember {t}
""")
LIST = [
    "[show|list|read|give me|get|display] [me |][all |][my|the] notes", "what [notes do I have|did I note|did I write down|is in my notes|are my notes|have I noted]?", "my notes", "read [back |out |]my notes[| to me]",
    "do I have any notes?", "what did I ask you to [remember|note|write down]?", "which notes [are there|have I got|do I have]?", "anything in my notes?", "what was I supposed to remember?", "open my notes",
    "how many notes do I have?",
    "[let me see|I want to see|I'd like to hear|can I see] [my|the] notes", "what have you [noted|written down|remembered] for me?", "do I have [reminders|any reminders]?", "what's on my [list|notes]?",
    "did I note anything about {x}?",
    "is there [a note|something in my notes] about {x}?", "notes?", "tell me what I [noted|wrote down]", "look [into|at] my notes", "what do my notes say[| about {x}]?",
]
DELETE = [
    "[delete|remove|clear|erase|wipe|throw away|drop|trash] [all |all of |][my|the] notes", "[forget|get rid of] [all my|everything in my] notes",
    "I [don't need|no longer need] [my|the] notes[, delete them| any more, remove them|: wipe them]", "empty my notes", "start over with no notes",
    "clear the notes", "delete [everything|all] I [noted|wrote down]", "my notes can go, delete them", "[clear|clean] out my notes", "[yes, |]delete all notes", "remove every note", "make my notes empty",
    "I want all my notes [deleted|gone|removed]",
]
SAID_OF_TIP = ["The tip is {tip} and the total is {total}.", "The tip is {tip}, which makes {total} in total.", "A tip of {tip}; the total is {total}."]

# What is said about the weather, tips and notes, and asks for nothing: (patterns, answers, the tools that are offered).
SAID = [
    (lines("""
[I really|we|my kids|my wife and I|my dogs|people here|I do] [love|adore|like|enjoy] [sunny mornings|the rain|snow|fog|warm evenings|thunderstorms|mild winters|hot summers|this weather|windy days|spring]
[what a|such a] [lovely|beautiful|nice|gorgeous|sunny|warm] [day|morning|evening|sky|sunset]!
[the weather|the sky|the sun|the forecast] [is|was|has been] [great|lovely|fantastic|wonderful] [here|today|this week|lately|on our trip|yesterday]
[finally|at last] [some sun|spring|a warm day|snow|rain for the garden]!
I was in {c} [last week|last year|in May|once], [lovely weather|it was so warm|sunny every day|not a cloud]
{c} [is|was] [beautiful|lovely|great] in [spring|autumn|the rain|summer|the snow]
I [can't wait for|look forward to] [summer|the sun|the first snow|warmer days|my trip to {c}]
"""), ["Glad to hear that.", "That sounds nice."], ["get_weather"]),
    (lines("""
[I|we|my kids|my cat|my knees] [hate|can't stand|don't like|dislike|suffer in] [the rain|cold winters|this heat|fog|humid days|wind|storms|grey skies]
[it's|it is|it has been] [so|too|way too|awfully|terribly] [cold|hot|wet|windy|humid|grey|cloudy] [here|today|outside|these days|this week]
it [rained|snowed|stormed|hailed] [all day|all week|the whole weekend|on my birthday|during the match|yesterday]
[my umbrella broke|I got soaked|I forgot my coat|the heating is broken|my flight was delayed by snow|the storm took the roof off|I'm freezing|I'm melting]
in {c} it was [freezing|boiling|30°C|-10°C|pouring|foggy] [yesterday|last week|all the time|when I was there]
the [forecast|weather app|weather report] [was wrong|is always wrong|never gets it right|lied to me] [again|today|]
[this|the] [winter|summer|heat|rain|fog] [never ends|is killing me|is too much|makes me tired]
"""), ["Sorry to hear that."], ["get_weather"]),
    (lines("""
I [had|had such] [a great dinner|a nice lunch|a good meal|pizza|sushi] [yesterday|last night|with {n}|in {c}], the [tip|bill] was [huge|tiny|fine|a surprise|{a}]
[the|that] [waiter|waitress|service|barber|driver] [deserved|earned|got] [every cent|a big tip|a good tip|{a} from me|nothing from me]
I [always|never|usually|rarely|often] [tip|leave a tip|tip well|round up|tip {p}%]
[tipping|leaving a tip|a {p}% tip] is [normal here|too much|out of fashion|confusing|rude in some countries|generous|expected here|fair]
the [bill|check|dinner|lunch|taxi] [was|cost|came to] {a}[, what a joke|, way too much|, not bad|, {n} paid|, quite cheap|, I paid it already]
[{n}|my boss|my uncle] [left|gave|paid] [a {p}% tip|{a}|{a} as a tip|no tip][, can you believe it|, how generous|!| yesterday]
we [split|shared] the bill [with {n}|in three|as always]
I'm [bad|good|hopeless] at [tips|maths|percentages|splitting bills]
{a} is [a lot|too much|nothing] for a [dinner|haircut|taxi|pizza]
"""), ["I see.", "I see. Tell me the amount if you want a tip worked out."], ["calculate_tip"]),
    (lines("""
[my notes are|writing notes is|a good note is|taking notes is] [quite useful|handy|half the work|boring|important|old-fashioned|a good habit|great]
I [love|like|hate|always forget|never read|often lose] [my notes|taking notes|writing things down|notes on paper|sticky notes|lists]
my [notes|reminders|lists] [are|were] [a mess|fine|useful|too long|important to me|private|all over the place|safe with you]
[I'm|I am] [so forgetful|bad at remembering things|getting old|glad I wrote it down|not good with notes]
[yesterday|last week] I [wrote|took|made] [a note|some notes|three notes] [on paper|in my diary|about the trip|at school]
[{n}|my teacher|my mother] [takes|writes|keeps] [great notes|too many notes|notes on everything|no notes]
[the|that] [meeting|lecture|talk] was [so long that I took no notes|full of things to note|not worth a note]
I [already|have already] [noted|wrote down|deleted|read] [that|it|them|everything] [myself|on paper|yesterday|]
I [lost|found|burned|forgot] my [notes|notebook|diary] [yesterday|on the train|at school|]
"""), ["I see.", "I see. Tell me if I should note something."], ["take_note", "list_notes", "delete_notes"]),
    (lines("""
[don't|do not|please don't|never|you must not] [delete|remove|erase|clear|touch|throw away|wipe] [anything of mine|my notes|the notes|any of my notes|them|a thing]
[keep|leave|save] [my notes|the notes|all my notes] [as they are|alone|where they are|safe]
[no|wait|stop|hold on], [don't delete|I still need|keep|leave|I want to keep] [my notes|the notes|them]
[no need to|you needn't|you don't have to|don't] [note|write down|remember|save] [that|this|it|anything]
I [did not ask|didn't ask|never asked|didn't tell|never told] you to [delete|erase|note|change] [anything|my notes|that]
[my notes|the notes] [must|should] [stay|not be deleted|not be touched|remain]
"""), ["All right, I leave your notes as they are."], ["delete_notes", "list_notes", "take_note"]),
    (lines("""
my name is {n}[, how do you do|, hello|, pleased to meet you|]
[I am|I'm|this is] {n}[, hi|, nice to meet you|, I'm new here| from {c}|]
"""), ["Nice to meet you. What can I do for you?"], ["get_weather", "take_note"]),
    (lines("""
[I live|I grew up|I work|I study|I was born] in {c}
[{n}|my sister|my best friend] [lives|works|moved|was born] in {c}
[I've|I have] [never|always wanted to|often] [been to|go to|visit] {c}
{c} is [my home town|where I live|a big city|far away|my favourite city|too expensive]
"""), ["I see. What can I do for you?", "I see."], ["get_weather", "take_note"]),
    (lines("""
[that's|that is|this is|what you say is] [not right|a mistake|nonsense|quite wrong|all wrong], but [forget about it|never mind that|leave it be|it doesn't matter]
[never mind that|forget that|forget what I said|nothing|no, let it be|let it be|leave it there|skip it|not now|not yet|wait|hold on|stop|cancel that|no|nope|nah|don't|never]
I [hate|love|can't stand|don't like] [this day|weekends|meetings|early mornings|{d} mornings|{d} meetings|long {d}s]
I'm [tired|bored|happy|hungry|sad|busy|in a hurry|at work|on the train|back home|so excited|not feeling well]
[today was|yesterday was|this week was|the week has been|my day was] [awful|great|long|boring|stressful|good]
[just testing|testing|this is a test|I'm only trying you out|ignore this|don't mind me|nothing to do|no task today]
[that's not the thing I meant|you don't understand|we'll see|let me think|let me check first|one moment|give me a second|I'll be right back]
[good|bad|great|strange|interesting] [idea|question|joke|news|day][!|.|]
"""), ["All right.", "I see."], ["delete_notes", "take_note", "get_weather"]),
]
# What is to be known and not to be looked up with these tools.
KNOWN = [
    (lines("""
what [causes|makes|is behind] [a thunderstorm|rainbows|fog|hail|wind|the seasons|lightning|a drought|tornadoes|heat waves|dew]?
why [is the sky blue|does it rain|is snow white|does it snow|is it colder on mountains|do clouds float|does thunder rumble|are deserts dry|is winter cold]?
how [do|does] [clouds form|a barometer work|weather forecasts work|a thermometer work|hurricanes get their names|a rainbow form|people predict the weather|wind arise|snow form]?
what is [a cold front|humidity|air pressure|the jet stream|a monsoon|El Niño|the difference between weather and climate|wind chill|a heat index|fog made of|the coldest place on earth|the record for rain in a day]?
[explain|tell me about|what do you know about] [how clouds form|the water cycle|monsoons|climate change|thunderstorms|hurricanes|the weather on Mars|tides]
how [do I|can I|does one] [convert Fahrenheit to Celsius|read a weather map|become a meteorologist|protect plants from frost|dress for the cold|drive on ice]?
[who|when was it that somebody] [invented the thermometer|first measured air pressure|made the first forecast]?
what was the weather [like |][in {c} |][last year|in 1990|a hundred years ago|on the day I was born]?
"""), ["get_weather"]),
    (lines("""
why do [people|Americans|we|guests] [tip|leave tips|tip waiters|tip so much]?
[is|was] [tipping|it rude to tip|a tip] [required|expected|normal|taxed|allowed|in Japan|usual] in [Japan|Italy|the US|France|hotels|taxis]?
[who|when|where] [invented tipping|did tipping begin|is tipping rude|do waiters live on tips]?
what does [the word tip|gratuity|service charge|the word bill] [mean|stand for|come from]?
how [do|can] I [split a bill fairly|ask for the bill in Spanish|become a waiter|do percentages in my head|save money|complain about a bill]?
[explain|tell me] [what a service charge is|how percentages work|the history of tipping|the etiquette of tipping|what gratuity means]
how much does a waiter earn[| in {c}]?
what [tax|VAT|income tax] do waiters pay[| in {c}]?
"""), ["calculate_tip"]),
    (lines("""
how [do|can|should] I [take good notes|take better notes|remember things better|write a diary|organise my notes|keep a journal|learn vocabulary|stop forgetting things]?
what [makes a good note|is the Cornell method|is a memo|is a mind map|does memo mean|is the best app for notes|is shorthand]?
why [do people forget|is writing by hand better|should one take notes|do we forget dreams|are notes useful]?
[who|when was it that somebody] [invented the notebook|invented paper|wrote the first diary|invented the pencil]?
[explain|tell me about] [note taking|the Cornell method|how memory works|mind maps|shorthand]
[is it|would it be] better to [write notes by hand|type notes|note everything|record a lecture]?
"""), ["take_note", "list_notes"]),
]
# What is wanted and no tool here does, though one seems to.
NOT_DONE = [
    (["[delete|remove|erase|forget] [only |just |][the note about {x}|my last note|the first note|the second note|one note|the newest note|the note from yesterday|note number {k}]"],
    ["I can only delete all notes at once."], ["delete_notes", "list_notes"]),
    (["[change|edit|correct|rewrite|rename|move|sort] [the note about {x}|my last note|the second note|my first note]", "[translate|print|colour|email|share|upload] my notes[| to {n}| for {n}]",
    "[share|send] [the note about {x}|my notes] [with|to] {n}"],
     [CANT], ["take_note", "list_notes", "delete_notes"]),
    (["[pay|split|send|email|photograph|print] the bill[| with {n}| for me]", "[transfer|send] {a} to {n}", "[book|reserve] a table for {k}[| in {c}]", "convert {a} to [yen|rupees|francs|pesos]",
    "[order|buy] [pizza|dinner|flowers] for {a}"], [CANT], ["calculate_tip"]),
    (["[book|find|reserve] [a flight|a hotel|a train|a room|tickets] [to|in|for] {c}", "[what time is it|how many people live|what can I see|where can I eat|who is the mayor] in {c}?",
    "how [far|long] is it to {c}?", "[show me|draw] a map of {c}", "[make|let] it [rain|snow]",
      "which [language|currency] do they [speak|use] in {c}?", "[set|wake me with] an alarm for {k}[| o'clock]", "[text|call|phone] {n}[| for me| right now]"], [CANT], ["get_weather",
      "take_note"]),
]
NO_PLACE = lines("""
[What's|What is|How's|How is|tell me|check|give me|show me] the [weather like|current weather|weather report|forecast|temperature|weather forecast|weather][ today| now| right now| outside| this morning|\
 for tomorrow| this weekend]?
[weather|forecast|temperature|temp|the weather][| now| today|?]
[will it|does it|is it going to] [rain|snow|get cold|be sunny|clear up|be warm][| today| tomorrow| tonight| this afternoon]?
is it [cold|hot|warm|raining|sunny|windy|snowing][| outside| out there| today| right now]?
[do I need|should I take|should I bring|will I need|should I wear] [an umbrella|a coat|a jacket|sunglasses|boots|a scarf][| today| tomorrow]?
how [hot|cold|warm|windy] is it[| outside| today| right now| out there]?
what's it like outside?
[can I|is it safe to] [hang out the washing|go for a run|have a picnic|cycle to work][| today| without getting wet]?
what should I wear [today|tomorrow|tonight]?
what's the weather [like |][where I am|where I live|at my place|at home|there|here]?
how's the weather in my [town|city|village|area]?
""")
NO_AMOUNT = lines("""
[calculate|work out|compute|figure out|what is|give me] a {p}[%| percent] tip[| for me| on my bill| on the bill| on dinner]
[I want|I'd like|we want] to [tip|leave|give] {p}[%| percent][| on the bill| to the waiter]
{p}% tip
[how much is|what's] {p}[%| percent] [tip|of the bill|on our bill]?
add a {p}% tip to [the bill|my bill|our dinner]
""")
NO_FIGURES = lines("""
[how much|what] should I [tip|leave as a tip|give the waiter][| for dinner| tonight| today]?
[calculate|work out|compute|figure out] [the|a|my] tip[| for me| on the bill| for dinner]
[I need|help me with|can you do] [a|the] tip
what's the tip on [the|my|our] [bill|dinner|lunch|check]?
tip calculator
what do I [tip|leave] the [waiter|driver|barber]?
""")
NO_TEXT = lines("""
[take|make|write|add|save|leave] [a|a new|another] note[| for me]
[note|write|jot] [something|this|that|it] down[| for me]
[can you|could you|please] [take a note|note something|write something down|remember something][| for me]?
[I want|I need|I'd like] to [note something|make a note|write something down|save a note|add a note]
[remind me of something|help me remember something|set a reminder|new note|add to my notes|a note, please]
""")
PLACE_TOLD = ["{c}", "in {c}", "{c}, please", "I mean {c}", "sorry, {c}", "{c} of course", "for {c}", "oh, in {c}", "I'm in {c}", "{c}!", "I live in {c}", "let's say {c}"]
AMOUNT_TOLD = ["{a}", "it's {a}", "the bill is {a}", "{a}, I think", "it was {a}", "{a} in all", "oh, {a}", "sorry, {a}", "we paid {a}", "it came to {a}"]
# A bill that several share: the tip and the total are told, and who shares them.
SPLIT = ["split {a} [between|among] {k} [of us |people |]with {p}[%| percent] tip", "{a} for {k} people with {p}[%| percent] tip, what is that?", "we are {k} and the bill is {a}, {p}[%| percent] tip on top", "tip {p}[%| percent] on {a}, shared by {k}"]
SPLIT_ONE = ["split {a} between {k} with a tip", "{k} of us had dinner for {a}, what's the tip?", "we are {k}, the bill is {a}, what do we leave?"]
# What is said next, and leans on what was asked before.
FOLLOW_PLACE = ["[no|sorry|oh|wait|oops], [I meant |I mean |]{c}", "I meant {c}", "not there, {c}", "[and|what about|how about|and in|and what about] {c}?", "same for {c}", "{c}?", "now {c}", "and {c} too", "[the same|and the same] for {c}", "also {c}",
    "[compare that|compare it] with {c}", "is it warmer in {c}?", "and over in {c}?"]
FOLLOW_BILL = ["[and|what about|how about|and what about] [for |on |][a bill of |]{a}?", "[the same|same] [for|on|with] {a}", "and [if the bill is|if it was|if the bill were|when it's] {a}?", "now [for|with|on] {a}", "and {a}?", "[make|say] the bill {a}",
    "what if [it's|we paid|the bill was] {a}", "and [for |]another bill of {a}?", "{a}?", "ok, and [for |on ]{a}", "do [it|that|the same] for {a} [too|as well]", "same [percentage|tip|rate][,|] [but |]{a}"]
FOLLOW_PERCENT = ["[and|what about|how about|and with|make it|and at|now with|what if I tip|try|rather|let's say|what would it be with|same bill with|same with] {p}[%| percent]?", "[actually|hm|no], {p}[%| percent]"]
FOLLOW_NOTE = ["[and|also|and also|another one|one more|next]: {t}", "[and|also] [note|remember|write down|add]: {t}", "and [another note|one more note]: {t}", "also to {t}", "and remind me to {t}"]
NOTE_THAT = ["[note that|write that down|save that as a note|note it|put that in my notes|make a note of that|keep that in my notes]", "[please |]add that to my notes"]
DELETE_THEM = ["[delete|remove|clear|erase|wipe|throw away] [them|them all|all of them|all|everything|all that]", "[they can|all of that can] go"]
# What is said after the answer.
AFTER_WEATHER = [(lines("""
[hm|oh|ah|brr|wow|ok|phew][,|] [that's|it's|that is] [rather cold|hot|warm|mild|chilly|nice|too cold|too hot|warmer than here|colder than here|what I hoped for|perfect for a walk|good for my trip]
[I'll|then I'll|so I'll|we'll] [take a jacket|pack a coat|wear shorts|stay at home|leave the umbrella here|bring sunscreen|go for a walk then]
[lucky them|I'm jealous|good for them|I wish I were there|that sounds lovely|same as here|just like here|better than here]
[I love|I like|I hate|I miss] [that kind of weather|weather like that|such days|it when it's like that]
no umbrella then
"""), ["Good. What else can I do?", "I see."])]
AFTER_TIP = [(lines("""
[hm|oh|wow|ouch|ok][,|] [that's|that is] [too much|too expensive|a lot|quite a lot|not much|fair|fine|more than I thought|cheap|ok for me|generous]
[too expensive for me|too much for me|that's steep|I can't afford that|they didn't earn it|then I won't tip|I'd rather not tip|we'll pay in cash|I'll round it up myself|I'll just pay that|dinner was worth it|\
{n} will pay]
"""), ["I see.", "All right."])]
AFTER_NOTE = [(lines("""
[hm|oh|ah|ok|right][,|] [I forgot about that|I remember now|that's old|those are old|I did that already|that was it|good that I wrote it down|I had forgotten]
[I'll|I will] [do it tomorrow|take care of it|do that on {d}|not forget it|read it again later]
[keep it|keep them|don't delete it|don't delete them|leave it there|leave them there|no, don't remove them]
"""), ["All right."])]


def money(r):
    value = r.choice([r.randint(5, 400), r.randint(5, 2400), round(r.uniform(5, 400), 2), round(r.uniform(5, 400), 2), r.randint(10, 120) + 0.5])
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    value = float(text) if "." in text else int(text)
    pick = r.random()
    if pick < 0.06:
        # In words, as long as they are few.
        value = r.choice([r.randint(11, 99), r.randint(11, 99), r.randint(20, 99) + 0.5])
        whole = spell(int(value))
        return value, r.choice(["{} dollars and fifty cents", "{} fifty", "{} and a half euros"] if value != int(value) else ["{} dollars", "{} euros", "{} pounds", "{} bucks", "{}", "{} quid", "{} francs"]).format(whole)
    if pick < 0.3:
        # Rupees, yen and the like: larger, and with commas.
        value = r.choice([r.randint(150, 9800), r.randint(20, 980) * 10, r.randint(150, 9800) + 0.5])
        text = f"{value:.2f}" if isinstance(value, float) else str(value)
        text = f"{value:,}" if isinstance(value, int) and value >= 1000 and r.random() < 0.4 else text
        return value, r.choice(["₹{}", "₹{}", "Rs {}", "Rs. {}", "{} rs", "{} rupees", "INR {}", "rs {}", "{} INR", "{}", "{} yen", "¥{}", "{} baht", "{} pesos", "{} kronor", "KSh {}", "{} won", "{} naira", "{}/-"]).format(text)
    form = r.choice(["${}", "${}", "{}", "{}", "{} dollars", "€{}", "{} euros", "£{}", "{} bucks", "${}", "{} €", "{}€", "{} pounds", "{} USD", "{} quid", "CHF {}", "{} francs", "{} EUR", "{} dirhams", "AED {}", "R{}", "C${}", "A${}",
        "S${}", "{} zloty", "{} lira", "{} kr", "{} reais", "US${}", "{}$", "{} GBP", "EUR {}", "$ {}"])
    return value, form.format(text)


TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()


def spell(n):
    """A number below a hundred in words."""
    if n < 20:
        return UNITS[n - 1]
    return TENS[n // 10 - 2] + (f"-{UNITS[n % 10 - 1]}" if n % 10 else "")


def city(r):
    name = r.choice(CITIES)
    if r.random() < 0.1:
        name = rare(r).capitalize() + r.choice(["", "", "ville", "burg", "ton", " Bay", " Falls", ", TX", ", Ohio"])
    name = typo(r, name) if r.random() < 0.04 else name
    return name.lower() if r.random() < 0.2 else name


def dated(r):
    month, day = r.choice("January February March April May June July August September October November December".split()), r.randint(1, 28)
    return r.choice([f"{month} {day}", f"{day} {month}", f"{day} {month[:3]}", f"{day}/{r.randint(1, 12)}", f"the {day}th" if day not in (1, 2, 3, 21, 22, 23) else f"the {day}{'st nd rd'.split()[day % 10 - 1]}", f"{day}.{r.randint(1, 12)}."])


def filled(r, pattern):
    """A note: the pattern with names, days, dates, sums and numbers in it."""
    text = expand(r, pattern)
    several = {"{n}": lambda: r.choice(NAMES), "{d}": lambda: r.choice(DAYS), "{k}": lambda: str(r.randint(2, 60)), "{h}": lambda: str(r.randint(1, 12)), "{w}": lambda: rare(r), "{c}": lambda: r.choice(CITIES),
               "{b}": lambda: dated(r), "{o}": lambda: r.choice("first second third fourth 5th 15th 21st last".split()), "{t}": lambda: r.choice(["{}:{:02}", "{}.{:02}"]).format(r.randint(5, 23), r.choice([0, 5, 10, 15, 20, 30, 40, 45, 50])),
               "{p}": lambda: r.choice(["{}{:04} {:05}", "0{} {:04}{:04}", "{}-{:03}-{:04}", "+{} {:05} {:04}"]).format(r.randint(10, 98), r.randint(100, 999), r.randint(1000, 9999)),
               "{m}": lambda: r.choice(["${}", "€{}", "£{}", "₹{}", "{} euros", "{} rupees", "{} dollars", "Rs {}", "{} bucks", "{}k", "₹{},500", "${}.50"]).format(r.randint(2, 95))}
    for mark, value in several.items():
        while mark in text:
            text = text.replace(mark, value(), 1)
    return " ".join(text.split())


def remark(r, pattern):
    return mention(r, pattern, c=city(r), n=r.choice(NAMES), a=money(r)[1], p=r.choice([5, 10, 15, 18, 20, 25, 30]), d=r.choice(DAYS), k=r.randint(2, 12), x=about(r))


def about(r):
    return r.choice(["milk", "the rent", "the dentist", r.choice(NAMES), "the party", "the plumber", "eggs", "my flight", "the keys", rare(r), "the garden", "school", "the contract"])


def tip_of(amount, percent):
    gratuity = round(amount * (18.0 if percent is None else percent) / 100, 2)
    return json.dumps({"tip": gratuity, "total": round(amount + gratuity, 2)}, separators=(",", ":"))


def tip_told(r, result):
    return r.choice(SAID_OF_TIP).format(**json.loads(result))


def percents(r):
    """(percentage, as it is written)"""
    percent = r.choice([5, 8, 10, 12, 15, 15, 17, 18, 20, 20, 20, 22, 25, 30, 12.5, r.randint(1, 40)])
    return percent, number(r, percent) if percent in (10, 15, 20, 25) and r.random() < 0.25 else str(percent)


def spelled(pattern, words):
    """No % behind a number in words."""
    return pattern if words[0].isdigit() else pattern.replace("{p}[%| percent]", "{p} percent").replace("{p}%", "{p} percent")


def tip(r):
    """(question, call, result, answer) about a tip."""
    (amount, shown), (percent, words) = money(r), percents(r)
    both = r.random() < 0.75
    shared = r.random() < 0.12
    many = r.choice(["two", "three", "four", "five", "six", "2", "3", "4", "5", "6", "7", "8"])
    patterns = (SPLIT if both else SPLIT_ONE) if shared else TIP_BOTH if both else TIP_ONE
    question = say(r, spelled(r.choice(patterns), words), p=words, a=shown, k=many)
    percent = percent if both else None
    result = tip_of(amount, percent)
    told = tip_told(r, result)
    return question, ("calculate_tip", clean({"amount": amount, "percentage": percent})), result, f"{told} That is for all {many} together." if shared else told


def sky_of(r, place):
    """(result, answer)"""
    sky = r.choice(SKIES)
    degrees, looks = sky.split(", ")
    both = f"{degrees} {'with' if looks in ('light rain', 'snow', 'fog', 'thunderstorms', 'drizzle', 'sleet', 'haze') else 'and'} {looks}"
    told = r.choice([f"The weather in {place} is {both}.", f"It is {both} in {place}.", f"{place}: {sky}."])
    return f"Weather in {place}: {sky}", told


def weather(r):
    place = city(r)
    result, told = sky_of(r, place)
    return say(r, r.choice(WEATHER), c=place), ("get_weather", {"location": place}), result, told


def note(r):
    kind, own = r.choices([(TO_DO, TAKE_TO_DO), (FACTS, TAKE_FACT), (SCRAPS, TAKE)], [5, 3, 2])[0]
    text, pattern = filled(r, r.choice(kind)), r.choice(r.choice([TAKE, own]))
    text = text[0].upper() + text[1:] if r.random() < 0.15 and pattern in TAKE else text.lower() if r.random() < 0.3 else text
    return tell(r, pattern, t=text), ("take_note", {"text": text}), f"Noted: {text}", r.choice([f"Noted: {text}", f"I noted: {text}"])


def kept(r, least=0):
    return [filled(r, r.choice(r.choice([TO_DO, FACTS, SCRAPS, NOTES]))) for _ in range(r.randint(least, 5))]


def listing(some):
    return json.dumps(some, ensure_ascii=False, separators=(",", ":"))


def notes_told(some, at=1):
    return f"Your notes:\n[[{at}]]" if some else "You have no notes."


def notes(r):
    some, pattern, about_it = kept(r), expand(r, r.choice(LIST)), about(r)
    told = notes_told(some)
    if "{x}" in pattern:
        if r.random() < 0.6:
            some.insert(r.randint(0, len(some)), expand(r, f"[ask {r.choice(NAMES)} about|think of|do something about|find out about|talk about] {about_it}"))
        hits = [it for it in some if about_it in it]
        told = r.choice(["Yes: ", "You noted: "]) + "; ".join(hits) if hits else f"There is no note about {about_it}." if some else "You have no notes."
    elif "how many" in pattern.lower() and some:
        told = f"You have {len(some)} note{'s' * (len(some) > 1)}:\n[[1]]"
    return say(r, pattern, x=about_it), ("list_notes", {}), listing(some), told


WHICH = ["what['s| is] my {o} note?", "[read|show|tell|give] me [my|the] {o} note", "the {o} note", "what did I note {w}?", "[which|what] was the {w} thing I [noted|wrote down]?", "my {o} note, what does it say?"]


def which_note(r):
    """One of the notes, by its place."""
    some = kept(r, 2)
    at, words, when = r.choice([(0, "first", "first"), (-1, "last", "last"), (-1, "latest", "last"), (-1, "newest", "most recently")] + ([(1, "second", "second")] if len(some) > 2 else []))
    pattern = expand(r, r.choice(WHICH if when in ("first", "last") else [it for it in WHICH if "{o}" in it]))
    return say(r, pattern, o=words, w=when), ("list_notes", {}), listing(some), f"Your {words if '{o}' in pattern else when} note: {some[at]}"


def deleted(r):
    """(result, answer)"""
    if r.random() < 0.25:
        return "The call of delete_notes was denied by the user. Do not try it again.", "You did not allow it: your notes are not deleted."
    return "All notes are deleted.", "All notes are deleted."


def delete(r):
    return say(r, r.choice(DELETE)), ("delete_notes", {}), *deleted(r)


def noted_after(r, it):
    """What a first call returned is written down with a second one."""
    if r.random() < 0.6:
        (amount, shown), (percent, words) = money(r), percents(r)
        both = r.random() < 0.8
        first = expand(r, spelled(r.choice(TIP_BOTH if both else TIP_ONE), words)).rstrip("?.!")
        percent = percent if both else None
        result = tip_of(amount, percent)
        made = json.loads(result)
        what, text = r.choice([
            ("[the total|the sum|the total amount|what I pay in total|the whole amount|how much that makes in total]", "Total with tip: {total}"),
            ("[the tip|the tip amount|how much the tip is|the amount of the tip]", "Tip: {tip}"),
            ("[it|that|the result|both|the tip and the total|the numbers|this]", "Tip: {tip}, total: {total}")])
        text = text.format(**made)
        call = ("calculate_tip", clean({"amount": amount, "percentage": percent}))
        values = {"p": words, "a": shown}
        told = tip_told(r, result)
    else:
        place = city(r)
        result, told = sky_of(r, place)
        call, values, text = ("get_weather", {"location": place}), {"c": place}, result
        if r.random() < 0.3:
            question = say(r, r.choice(["[note|write down|jot down|save|make a note of|add to my notes] [the weather|the current weather|the temperature] [in|for] {c}[| in my notes]",
                "make a note [of|with] the weather in {c}", "put the weather [in|of] {c} in my notes"]), c=place)
            return it.user(question).calls(call).results(result).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
        first, what = expand(r, r.choice(WEATHER)).rstrip("?.!"), "[it|that|the result|the weather|this|what you find]"
    if r.random() < 0.2:
        label = r.choice(["dinner with {n}", "lunch on {d}", "trip to {w}", "for {n}", "{w}", "party", "travel day"])
        label = filled(r, label)
        text = f"{label}: {text}"
        then = "[and |then |and then ][note|save|write down] " + what + " [as|under|with the label] " + r.choice(["{l}", "'{l}'", "\"{l}\""])
        values["l"] = label
    else:
        then = r.choice([
            "[and|, then|, and|. Then|and then|, and then|; then] [write|put|jot|note] " + what + " down[| in my notes| for me| as a note]",
            "[and|, then|, and|. Then|and then|, and then] [save|keep|add|put|store] " + what + " [in|to|into] [my|the] notes",
            "[and|, then|, and|. Then|and then|, and then] [save|keep|write down] " + what + " as a note[| afterwards| for later]", "[and|, and|and then] [note|remember|write down] " + what,
            "? [Save|Note|Write down|Keep] " + what + " [as a note |in my notes |]afterwards",
            ". [After that|Afterwards|When you have it|Once you know]: [note|write down|make a note of] " + what, "[and make|, then make|and take] a note of " + what])
    then = expand(r, then)
    glue = "" if then[0] in ",.;?" else " "
    question = tell(r, first + glue + then, **values)
    return it.user(question).calls(call).results(result).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"{told} I noted: {text}")


def notes_in_turn(r, it):
    """Reading, writing and deleting notes, one after the other."""
    pick, some = r.random(), kept(r, 1)
    text = filled(r, r.choice(TO_DO))
    if pick < 0.45:
        question = say(r, r.choice(["[read|show|list|tell me|give me] [me |]my notes[ and then| and|, then|, and then| and after that] [delete|remove|clear|erase|wipe] [them|them all|all of them|everything]",
            "[delete|clear|wipe|remove] my notes, but [read|show|list] them [to me |]first",
                                    "[before you delete|before deleting|before you clear] my notes, [show|read|list] them[| to me]", "what's in my notes? [delete|remove|clear] them [afterwards|after that|then]",
                                    "[list|show|read] [all |]notes, [afterwards|then] [delete|erase] them"]))
        result, told = deleted(r)
        return it.user(question).calls(("list_notes", {})).results(listing(some)).calls(("delete_notes", {})).results(result).answer(f"{notes_told(some)}\n\n{told}")
    if pick < 0.75:
        question = say(r, r.choice(["[note|write down|add] \"{t}\"[ and then| and|, then] [show|list|read] [me |][all |]my notes",
            "[add|save] '{t}' to my notes and [show me the list|read them all back|list them|show them all]"]), t=text)
        some.append(text)
        return it.user(question).calls(("take_note", {"text": text})).results(f"Noted: {text}").calls(("list_notes", {})).results(listing(some)).answer(f"I noted: {text}\n{notes_told(some, 2)}")
    question = tell(r, r.choice(["[delete|clear|wipe|remove|erase] [all |][my|the] notes[ and then| and|, then] [note|write down|add|save]: {t}", "[empty|clear] my notes and start [again|anew] with: {t}",
        "start over: delete [all|my] notes, then note \"{t}\""]), t=text)
    return it.user(question).calls(("delete_notes", {})).results("All notes are deleted.").calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"All notes are deleted. I noted: {text}")


def several(r, it):
    """Two or three asks in one message: as many calls in one turn."""
    kinds = r.choice([(weather, tip), (tip, weather), (weather, weather), (note, weather), (note, tip), (tip, note), (weather, note), (tip, tip), (note, note), (notes, weather), (notes, tip), (weather, notes),
        (weather, tip, note)])
    made = [kind(r) for kind in kinds]
    question = made[0][0]
    for at, (one, kind) in enumerate(zip(made[1:], kinds[1:]), 1):
        question = joined(r, question, one[0], [str(it) for it in one[1][1].values()], kinds[at - 1] is note)
    places = [one[1][1]["location"] for one in made if one[1][0] == "get_weather"]
    if kinds == (weather, weather) and r.random() < 0.7:
        if r.random() < 0.35:
            made.append(weather(r))
            places.append(made[2][1][1]["location"])
        listed = ", ".join(places[:-1]) + r.choice([" and ", " and in ", " or ", " versus "] if len(places) == 2 else [" and ", ", and "]) + "{b}"
        question = say(r, r.choice(["[what's|how's|compare|tell me] the weather in ", "weather for ", "[is it warmer|is it colder|where is it warmer:] in ", "how [warm|cold] is it in "]) + "{a}",
            a=listed.format(b=places[-1]))
    elif kinds == (tip, tip) and r.random() < 0.6:
        (one, a), (two, b), (percent, words) = money(r), money(r), percents(r)
        question = say(r, spelled(r.choice(["{p}[%| percent] tip [on|for] {a} and [on|for] {b}", "[what's|work out|calculate] a {p}[%| percent] tip [on|for] {a} and [for |on |]{b}",
            "[tips|the tips] [of|at] {p}[%| percent] for two bills: {a} and {b}"]), words), p=words, a=a, b=b)
        made = [(question, ("calculate_tip", {"amount": each, "percentage": percent}), tip_of(each, percent), "") for each in (one, two)]
        made = [(*it[:3], f"{shown}: tip {json.loads(it[2])['tip']}, total {json.loads(it[2])['total']}.") for it, shown in zip(made, (a, b))]
    answers = [later(one[3], at) for at, one in enumerate(made)]
    return it.user(question).calls(*[one[1] for one in made]).results(*[one[2] for one in made]).answer("\n".join(answers))


def follow(r, it, made, at=2):
    """A second question that leans on the first; `at`: where the result of that stands."""
    name, arguments = made
    if name == "get_weather":
        place = city(r)
        question = say(r, r.choice(FOLLOW_PLACE), c=place)
        result, told = sky_of(r, place)
        if r.random() < 0.15:
            text = it.messages[at][1]
            return it.user(say(r, r.choice(NOTE_THAT))).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
        return it.user(question).calls(("get_weather", {"location": place})).results(result).answer(told)
    if name == "calculate_tip":
        pick = r.random()
        amount, percent = arguments["amount"], arguments.get("percentage")
        if pick < 0.5:
            amount, shown = money(r)
            question = say(r, r.choice(FOLLOW_BILL), a=shown)
        elif pick < 0.85:
            percent = r.choice([it for it in (5, 8, 10, 12, 15, 18, 20, 22, 25, 30) if it != percent])
            question = say(r, r.choice(FOLLOW_PERCENT), p=percent)
        else:
            text = "Tip: {tip}, total: {total}".format(**json.loads(it.messages[at][1]))
            what = r.choice([("total", "Total with tip: {total}"), ("tip", "Tip: {tip}"), (None, text)])
            text = what[1].format(**json.loads(it.messages[at][1]))
            question = say(r, f"[note|write down|save|make a note of] the {what[0]}[| in my notes| as a note| for me]" if what[0] else r.choice(NOTE_THAT))
            return it.user(question).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"I noted: {text}")
        result = tip_of(amount, percent)
        return it.user(question).calls(("calculate_tip", clean({"amount": amount, "percentage": percent}))).results(result).answer(tip_told(r, result))
    if name == "take_note":
        if r.random() < 0.5:
            some = [*kept(r)[:3], arguments["text"]]
            return it.user(say(r, r.choice([it_ for it_ in LIST if "{x}" not in it_]))).calls(("list_notes", {})).results(listing(some)).answer(notes_told(some))
        text = filled(r, r.choice(TO_DO))
        question = tell(r, r.choice(FOLLOW_NOTE), t=text)
        return it.user(question).calls(("take_note", {"text": text})).results(f"Noted: {text}").answer(f"Noted: {text}")
    if name == "list_notes" and it.messages[at][1] != "[]":
        result, told = deleted(r)
        return it.user(say(r, r.choice(DELETE_THEM))).calls(("delete_notes", {})).results(result).answer(told)
    if name == "delete_notes" and it.messages[at][1].startswith("All"):
        return it.user(say(r, r.choice([it_ for it_ in LIST if "{x}" not in it_]))).calls(("list_notes", {})).results("[]").answer("You have no notes.")
    return it


def asks_back(r, it):
    """A value is missing: the assistant asks for it, and may be told."""
    pick = r.random()
    (amount, shown), (percent, words), place = money(r), percents(r), city(r)
    gives_up = r.random() < 0.12
    told = r.random() < 0.5
    if pick < 0.45:
        it.quiet(say(r, r.choice(NO_PLACE)), "Which place do you mean?", "get_weather")
        call, (result, answer) = ("get_weather", {"location": place}), sky_of(r, place)
        reply = mention(r, r.choice(PLACE_TOLD), c=place)
    elif pick < 0.7:
        given = r.random() < 0.6
        it.quiet(say(r, spelled(r.choice(NO_AMOUNT if given else NO_FIGURES), words), p=words), "What is the amount of the bill?", "calculate_tip")
        percent = percent if given else None
        result = tip_of(amount, percent)
        call, answer = ("calculate_tip", clean({"amount": amount, "percentage": percent})), tip_told(r, result)
        reply = mention(r, r.choice(AMOUNT_TOLD), a=shown)
    else:
        text = filled(r, r.choice(r.choice([TO_DO, FACTS, SCRAPS])))
        it.quiet(say(r, r.choice(NO_TEXT)), "What should the note say?", "take_note")
        call, result, answer = ("take_note", {"text": text}), f"Noted: {text}", f"Noted: {text}"
        reply = r.choice([text, text, text, f"that {text}" if text.startswith("the ") else text, f"\"{text}\"", f"it should say {text}", f"{text}, please"])
    if gives_up:
        return it.quiet(mention(r, "[never mind then|forget it then|no, leave it there|oh, nothing|not important|I don't know|doesn't matter|skip it|I changed my mind|later maybe]"), "All right.")
    return it.user(reply).calls(call).results(result).answer(answer) if told else it


def quiet(r, it=None):
    """Words of these tools, and no call."""
    it, pick = it or Talk("demo"), r.random()
    if pick < 0.34:
        return asks_back(r, it)
    if pick < 0.66:
        patterns, answers, need = r.choice(SAID)
    elif pick < 0.88:
        (patterns, need), answers = r.choice(KNOWN), [CANT]
    else:
        patterns, answers, need = r.choice(NOT_DONE)
    return it.quiet(remark(r, r.choice(patterns)), answers[0] if r.random() < 0.75 else r.choice(answers), *r.sample(need, r.randint(1, len(need))))


def talk(r, today):
    it = Talk("demo")
    pick = r.random()
    if pick < 0.14:
        quiet(r, it)
        return quiet(r, it) if r.random() < 0.1 and len(it.messages) == 2 and not it.messages[-1][1].endswith("?") else it
    if pick < 0.32:
        return several(r, it)
    if pick < 0.44:
        noted_after(r, it)
    elif pick < 0.5:
        notes_in_turn(r, it)
    else:
        question, made, result, answer = r.choice([weather, weather, weather, tip, tip, tip, note, note, note, notes, notes, which_note, delete, delete])(r)
        it.user(question).calls(made).results(result).answer(answer)
        if pick < 0.7:
            follow(r, it, made)
            if made[0] in ("get_weather", "calculate_tip") and r.random() < 0.2 and '"take_note"' not in it.messages[-3][1]:
                # Once more, from what was asked last.
                again = json.loads(re.findall(r"<tool_call>(.*?)</tool_call>", it.messages[-3][1])[-1])
                follow(r, it, (again["name"], again["arguments"]), at=-2)
        elif pick < 0.78:
            own = () if result == "[]" else {"get_weather": AFTER_WEATHER, "calculate_tip": AFTER_TIP, "take_note": AFTER_NOTE, "list_notes": AFTER_NOTE}.get(made[0], ())
            it.need += [] if "delete_notes" in it.need or r.random() < 0.5 else ["delete_notes"]
            said(r, it, own)
    return it


def said(r, it, own):
    """After an answer: words that ask for nothing."""
    if own and r.random() < 0.6:
        patterns, answers = r.choice(own)
        return it.quiet(remark(r, r.choice(patterns)), r.choice(answers))
    return afterwards(r, it)


gather("demo", globals(), plain=("TO_DO", "FACTS", "SCRAPS", "CITIES", "NOTES", "TENS", "UNITS"))
