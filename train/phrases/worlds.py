"""Files that nobody has read before: [`draw`] makes one of many kinds, with what stands in it, what that is called, and what else it could be.

A [`File`] has its name, its lines, its [`Fact`]s (a value in a line, and what people call it) and its items (lines that can be struck off, and what they are about)."""

import re

from .talks import lines, rare
from .words import MONTHS, WEEKDAYS

PEOPLE = """Sam Nadia Ravi Lea Tom Mira Jonas Priya Omar Elif Oskar Mina Lena Tomas Aisha Hema Arjun Sunita Kiran Deepak Meera Anil Pooja Vikram Neha Sanjay Imran Fatima Yusuf Ana Bruno Carla Diego Elena Felix Gita Hugo Ida Jan Karin Leo Maja
Nils Olga Pavel Rosa Stefan Tara Uma Vera Wanda Yara Zara Kofi Amina Ngozi Mei Jun Haruto Linh Jose Maria Luis Ingrid Freya Aino Mikko Piotr Agata Ivan Dana""".split()
# What clubs, shops, schools and houses have to do with.
THINGS = """hall|piano|projector|garden|roof|kitchen|boiler|website|newsletter|van|trailer|ladder|tent|oven|printer|banner|logo|poster|flyer|bike rack|fence|gate|shed|cellar|library|stage|microphone|speaker|camera|laptop|router|server|database|backup|
certificate|domain|invoice|receipt|contract|insurance|permit|lease|survey|questionnaire|report|presentation|essay|homework|exam|lesson|worksheet|textbook|schedule|rota|agenda|minutes|budget|grant|donation|raffle|sponsor|caterer|bakery|florist|
plumber|electrician|painter|carpenter|landlord|bank|tax office|town council|school|kindergarten|clinic|dentist|vet|pharmacy|gym|pool|field|pitch|jersey|trophy|medal|whistle|net|ball|racket|boat|canoe|paddle|life jacket|anchor|engine|tyre|brake|
battery|charger|cable|lamp|curtain|carpet|sofa|table|chair|bench|shelf|cupboard|fridge|freezer|dishwasher|kettle|coffee machine|tea urn|cutlery|plates|napkins|tablecloth|bunting|fireworks|candles|matches|first aid kit|fire extinguisher|smoke alarm|
parser|importer|exporter|login page|checkout|search box|sidebar|footer|dark mode|unit tests|docs|changelog|release notes|pipeline|deploy script|cron job|cache|queue|webhook|rate limiter|api key|feature flag|staging server|load balancer|dashboard|
choir robes|sheet music|song list|costume|props|ticket desk|guest list|seating plan|wedding cake|photographer|band|dj|playlist|bus|train tickets|hotel|visa|passport|luggage|map|compass|tent pegs|seedlings|compost|watering can|greenhouse|beehives|hens""".replace("\n", "").split("|")
# To do, done, doing.
DOINGS = """book booked booking|call called calling|order ordered ordering|fix fixed fixing|clean cleaned cleaning|paint painted painting|print printed printing|pay paid paying|return returned returning|check checked checking|sell sold selling|repair repaired repairing|
replace replaced replacing|measure measured measuring|update updated updating|renew renewed renewing|cancel cancelled cancelling|review reviewed reviewing|send sent sending|collect collected collecting|move moved moving|test tested testing|photograph photographed photographing|
finish finished finishing|sort sorted sorting|label labelled labelling|wash washed washing|hang hung hanging|build built building|buy bought buying|plan planned planning|draft drafted drafting|file filed filing|scan scanned scanning|ask asked asking|email emailed emailing|
tidy tidied tidying|inspect inspected inspecting|count counted counting|store stored storing""".replace("\n", "").split("|")
TAILS = """|||for April|before Friday|by the end of May|with {p}|for the summer fair|again|for {p}|next week|in the morning|for the open day|when it is dry|for room {n}|after the holidays|at the market|for the juniors|(ask {p} first)|- urgent|, {n} pieces|near the station|
for the new members|from the old supplier|on Monday|tonight""".replace("\n", "").split("|")
GOODS = """milk|bread|eggs|butter|rice|lentils|chickpeas|onions|garlic|tomatoes|potatoes|carrots|spinach|coriander|ginger|lemons|apples|pears|plums|bananas|grapes|mangoes|yoghurt|paneer|cheese|olives|pasta|flour|sugar|salt|pepper|cumin|turmeric|honey|jam|tea|coffee|oats|
raisins|almonds|walnuts|peanuts|chocolate|biscuits|crackers|soap|shampoo|toothpaste|sponges|bin bags|foil|matches|candles|batteries|light bulbs|envelopes|stamps|printer paper|pens|pencils|glue|tape|string|nails|screws|hinges|sandpaper|brushes|paint|plaster|cement|
tiles|seeds|soil|flower pots|cat food|dog biscuits|bird seed|straw|hay|socks|gloves|scarf|raincoat|boots|sunscreen|hat|torch|sleeping bag|water bottle|rope|penknife|notebook|chalk|crayons|scissors|stickers|balloons|paper cups|juice|lemonade|cider|cutlery|salmon|tofu|
beans|mustard|vinegar|olive oil|sesame|basil|thyme|parsley|cinnamon|vanilla|yeast|cocoa|cream|ice cream""".replace("\n", "").split("|")
# A setting's name, what people call it, and what it may be.
SETTINGS = lines("""
port|port, port number, server port|port
http_port|http port, port for http|port
host|host, hostname, server address|host
bind_address|bind address|host
timeout_seconds|timeout, timeout in seconds, time out|int 2 120
timeout|timeout, time limit|int 2 900
request_timeout_ms|request timeout, timeout for requests|int 100 9000
retries|retries, number of retries, retry count|int 0 12
max_retries|retries, max retries, retry limit|int 1 12
debug|debug, debug mode, debugging|flag
verbose|verbose, verbose output, verbose mode|flag
dry_run|dry run, dry run mode|flag
log_level|log level, logging level, level of the log|level
log_file|log file|path
workers|workers, number of workers, worker count|int 1 64
threads|threads, thread count|int 1 64
max_connections|max connections, connection limit|int 10 900
pool_size|pool size, size of the pool|int 2 80
cache_ttl|cache ttl, cache lifetime|int 10 9000
cache_size_mb|cache size, size of the cache|int 8 900
cache_enabled|cache, caching|flag
database_url|database url, db url, database address|url
db_name|db name, database name, name of the database|word
db_user|db user, database user|word
table_prefix|table prefix, prefix of the tables|word
region|region|zone
bucket|bucket, bucket name|word
language|language, default language|lang
locale|locale|lang
timezone|time zone, timezone|tz
currency|currency, default currency|currency
decimals|decimals, decimal places, number of decimals|int 0 6
date_format|date format|datefmt
theme|theme, colour theme|word
dark_mode|dark mode, dark theme|flag
primary_color|primary color, main colour|color
accent_color|accent color, accent colour|color
font_size|font size, size of the font, text size|int 8 32
font_family|font, font family, typeface|word
line_width|line width, line length|int 60 140
line_length|line length, max line length|int 60 140
tab_width|tab width, tab size|int 2 8
indent_size|indent, indent size, indentation|int 2 8
max_upload_mb|upload limit, max upload size|int 1 900
max_file_size|max file size, file size limit|int 10 9000
page_size|page size, items per page|int 5 200
items_per_page|items per page, page size|int 5 200
session_minutes|session length, session timeout|int 5 600
token_expiry_hours|token expiry|int 1 96
rate_limit|rate limit, requests per minute|int 5 900
batch_size|batch size, size of a batch|int 8 900
interval_minutes|interval, polling interval, update interval|int 1 240
refresh_seconds|refresh rate, refresh interval|int 5 900
backup_hour|backup hour, hour of the backup|int 0 23
backup_dir|backup folder, backup directory|path
keep_days|retention, days to keep|int 2 400
data_dir|data folder, data directory|path
output_dir|output folder, output directory|path
upload_dir|upload folder, uploads directory|path
template_dir|template folder, templates directory|path
admin_email|admin email, email of the admin, admin address|email
support_email|support email, support address|email
sender|sender, sender address, from address|email
smtp_host|smtp host, mail server|host
smtp_port|smtp port, mail port|port
base_url|base url, site address, base address|url
api_url|api url, api address, endpoint|url
endpoint|endpoint, api endpoint|url
webhook_url|webhook, webhook url, webhook address|url
api_version|api version|int 1 9
version|version, version number, release|version
min_version|minimum version, min version|version
python_version|python version, version of python|ver2
node_version|node version, version of node|ver2
requires_python|minimum python version, python version required|ver2
name|name, project name, app name|word
title|title, site title|words
description|description|words
slogan|slogan, tagline|words
author|author|person
maintainer|maintainer|person
owner|owner|person
license|license, licence|license
environment|environment, env|env
mode|mode|env
secure|secure mode, security|flag
ssl|ssl, tls, encryption|flag
use_https|https|flag
allow_signup|signup, sign ups, registration|flag
allow_guests|guest access, guests|flag
maintenance|maintenance mode, maintenance|flag
notifications|notifications|flag
send_emails|emails, sending of emails, email sending|flag
auto_save|auto save, autosave|flag
auto_update|auto update, automatic updates|flag
compress|compression|flag
analytics|analytics, tracking|flag
public|public access, public mode|flag
strict|strict mode, strictness|flag
volume|volume, loudness|int 0 100
brightness|brightness|int 0 100
contrast|contrast|int 0 100
temperature|temperature, target temperature|int 12 30
humidity|humidity, target humidity|int 30 80
sample_rate|sample rate|int 8000 48000
bitrate|bitrate|int 64 320
resolution|resolution|res
width|width|int 100 2000
height|height|int 100 2000
margin|margin|int 0 80
opacity|opacity, transparency|frac
threshold|threshold|frac
learning_rate|learning rate|frac
dropout|dropout|frac
epochs|epochs, number of epochs|int 1 90
seed|seed, random seed|int 1 9000
tax_rate|tax rate, vat rate, vat|int 5 27
discount_percent|discount, discount percentage|int 2 60
shipping_fee|shipping fee, shipping cost, delivery charge|money
late_fee|late fee, fee for late returns|money
membership_fee|membership fee, fee, member fee|money
hourly_rate|hourly rate, rate per hour|int 12 160
max_guests|guest limit, max guests|int 2 90
max_players|player limit, max players|int 2 64
lives|lives, number of lives|int 1 9
difficulty|difficulty, difficulty level|word
gravity|gravity|frac
speed|speed|int 1 90
lap_count|laps, number of laps|int 2 60
loan_days|loan period|int 7 60
max_books|book limit, books per person|int 2 30
opening_time|opening time|time
closing_time|closing time|time
start_date|start date|date
end_date|end date|date
deadline|deadline, due date|date
season|season|year
year|year|year
room|room, room number|int 1 400
floor|floor|int 0 12
seats|seats, number of seats|int 10 900
capacity|capacity|int 10 900
channel|channel, chat channel|word
prefix|prefix|word
separator|separator, delimiter|sep
encoding|encoding|enc
image|image, docker image|word
replicas|replicas, number of replicas|int 1 20
memory_mb|memory, memory limit|int 64 8000
cpu_limit|cpu limit, cpus|int 1 16
health_path|health check path, health path|path
queue|queue, queue name|word
topic|topic|word
""")
SETTINGS = [(key, [it.strip() for it in calls.split(",")], kind) for key, calls, kind in (it.split("|") for it in SETTINGS)]
# What texts of clubs, schools, shops and teams tell, by what kind of value it has.
SUBJECTS = {
    "money": "membership fee|entry fee|rent|deposit|monthly budget|ticket price|price of a lesson|fine for late books|travel allowance|hall rent|prize money|catering budget|electricity bill|hourly wage|cost of the trip|registration fee|parking fee|book allowance|raffle price|donation goal|insurance premium|repair bill|phone bill",
    "date": "next meeting|next rehearsal|concert|summer fair|deadline|due date|exam|release|open day|general meeting|inspection|school trip|sports day|wedding|delivery|next payment|holiday party|workshop|first lesson|final match|renovation|election|audit|launch|demo|closing date|blood drive|bake sale|camp",
    "time": "rehearsal|breakfast|lunch|first bus|last train|meeting|service|opening|lesson|match|parade|speech|film|check-in|tour|assembly|yoga class|market|kick-off|dinner|call with the team|story hour",
    "person": "treasurer|chairman|secretary|coach|caretaker|head teacher|project lead|contact for visitors|driver|cook|editor|auditor|youth leader|on-call engineer|first aider|conductor|class speaker|host|photographer|referee|key holder|product owner|librarian|landlord|substitute",
    "place": "meeting|key|rehearsal|spare key|first aid kit|projector|party|exam|lost property box|assembly point|exhibition|kitchen key|archive|ladder|sound desk|repair café|spare battery|fuse box|parking lot for guests",
    "number": "members|chairs|volunteers|seats|copies|tables|participants|pupils|teams|rooms|parking spaces|open tickets|guests|lockers|keys|bikes|beehives|tents|instruments|invitations|failed tests|new subscribers|replies",
    "email": "contact address|address for questions|support address|treasurer's email|address for complaints|email for bookings|press contact|address for invoices|help desk",
    "code": "door code|wifi password|alarm code|gate code|locker code|discount code|meeting ID|booking reference|PIN of the safe|account number|order number|licence key|room code|voucher code",
}
TELLS = {
    "money": ["The {k} is {v} euros.", "The {k} stays at {v}.", "{K}: {v}", "We agreed on a {k} of {v}.", "{K}: {v} EUR", "The {k} goes up to {v} this year.", "For now the {k} is {v} a month.", "- {k}: {v}", "| {k} | {v} |", "{K} - {v}", "Everybody thinks that a {k} of {v} is fair."],
    "date": ["The {k} is on {v}.", "{K}: {v}", "The {k} has moved to {v}.", "Next up: {k}, {v}.", "- {v}: {k}", "{K} on {v}, all are welcome.", "| {k} | {v} |", "Please keep {v} free for the {k}.", "Date of the {k}: {v}."],
    "time": ["The {k} starts at {v}.", "{K}: {v}", "{v} {k}", "- {v} - {k}", "The {k} is at {v} sharp.", "We begin the {k} at {v}.", "| {v} | {k} |", "{K} from {v} on."],
    "person": ["{v} is the {k}.", "{K}: {v}", "The {k} is {v}, as before.", "{v} has taken over as {k}.", "- {k}: {v}", "| {k} | {v} |", "The new {k} is {v}.", "Ask {v} ({k})."],
    "place": ["The {k} is in {v}.", "{K}: {v}", "You find the {k} in {v}.", "- {k}: {v}", "The {k} has moved to {v}.", "From now on the {k} is in {v}."],
    "number": ["There are {v} {k} in all.", "{K}: {v}", "We counted {v} {k}.", "- {v} {k}", "At the moment we have {v} {k}.", "| {k} | {v} |", "{v} {k} so far, more to come."],
    "email": ["The {k} is {v}.", "{K}: {v}", "Write to {v} ({k}).", "- {k}: {v}"],
    "code": ["The {k} is {v}.", "{K}: {v}", "New {k}: {v}", "- {k}: {v}", "{K} is now {v}, tell nobody."],
}
# How one asks for such a thing.
ASKS = {
    "money": ["how much is the {k}", "what is the {k}", "what's the {k}", "how high is the {k}"], "date": ["when is the {k}", "what date is the {k}", "what day is the {k}"], "time": ["when does the {k} start", "what time is the {k}", "when is the {k}"],
    "person": ["who is the {k}", "who's the {k}", "who is our {k}", "name of the {k}"], "place": ["where is the {k}", "where's the {k}", "where do I find the {k}"], "number": ["how many {k} are there", "how many {k} do we have", "number of {k}"],
    "email": ["what is the {k}", "what's the {k}", "which one is the {k}"], "code": ["what is the {k}", "what's the {k}", "which is the {k}"],
}
PLACES = "room {n}|the cellar|the main hall|the library|building {c}|the attic|the red cupboard|the garage|the old school|the town hall|drawer {n}|the office|the green shed|{p}'s house|the back room|the chapel|gym {n}|the kitchen|the van|the lobby|classroom {n}|locker {n}".split("|")
HEADS = "Notes|Minutes|Plan|Summary|Info|Overview|Things to know|Announcements|News|Handbook|Rules|Welcome|For new members|FAQ|Week {n}|Sprint {n}|Term {n}|Project {w}|About {w}|House rules|Meeting of {d}|Report {y}|Agenda|Decisions|Events {y}|How we work|Guide|Facts|Contacts|Checklist|Draft".split("|")
REMARKS = """{p} opened the meeting.|Thanks to everybody who helped.|The rest stays as it is.|Questions go to {p}.|{p} and {p} were absent.|This was decided unanimously.|Nothing else was discussed.|See also {w}.|More about this next time.|{p} will take care of it.|Last updated by {p}.|
We had {n} replies so far.|The old rules no longer apply.|It rained, but nobody minded.|Bring your own cup.|No dogs, please.|Keep the windows closed at night.|Doors close ten minutes before.|{p} brings the cake.|The {t} still has to be checked.|Somebody left a {t} behind.|We need a new {t}.|
Please read this to the end.|The {t} is borrowed from {p}.|All prices include tax.|Children come for free.|Thanks, {p}!|TODO: ask {p} about the {t}.|Not decided yet: the {t}.|For the {t} see page {n}.""".replace("\n", "").split("|")
STEMS = """notes todo ideas plan draft summary report minutes agenda budget ledger expenses invoice receipts contacts members guests birthdays addresses schedule rota timetable calendar itinerary packing shopping groceries recipe menu inventory stock prices orders wishlist reading books films
songs setlist lyrics poem letter speech essay thesis chapter outline lecture lesson homework quiz grades attendance syllabus faq guide manual handbook rules policy statutes glossary readme changelog history roadmap backlog bugs retro standup decisions questions feedback survey results
training workout diary journal log garden chores renovation moving insurance taxes warranty passwords devices servers hosts deploy release incident runbook onboarding security config settings options defaults params constants env local prod staging main app server client index utils helpers
parser lexer router models schema queries views forms auth users orders cart checkout payment mailer worker scheduler cache store database migrate seed report export import convert backup restore build test lint run start stop install setup clean game player level board score sensor motor
thermostat pump camera player radio weather station map route trip hotel flight camp hike race match team league season choir band concert festival theatre museum library school class exam clinic farm bakery cafe shop kiosk market""".split()
MORE = "old|new|final|v2|v3|2024|2025|2026|copy|draft|march|april|may|june|october|monday|q1|q2|team|club|house|summer|winter|north|east|staff|kids|public|private|backup|short|full|signed|en|de|hi|tmp|bak|01|02|1|2|3".split("|")
FOLDERS = """src docs tests crates web app scripts lib data include examples public assets config internal pkg cmd test benches src/tools src/api app/models notes ledger club school recipes finance garden travel letters meetings minutes plans lists archive archive/2025 drafts books music lessons lessons/week2
reports reports/q1 invoices orders stock server client backend frontend api cli core tools ops infra deploy ci .github migrations db sql templates static styles components pages hooks services handlers jobs workers plugins themes i18n fixtures samples demo sandbox scratch work private shared
family house kitchen sports team events events/summer choir theatre research thesis thesis/chapters lab experiments results figures logs backups inbox projects projects/kiosk conf etc settings home office hr members admin wiki manual Documents Notes Club_Files My\u00a0Stuff""".replace("My\u00a0Stuff", "Archive").split()
ENDS = "md txt csv json toml yaml yml ini env cfg conf py rs js ts go sh sql html css pdf png jpg zip lock xml docx svg mp3".split()
VERBS = """load save parse render fetch build check send read open close merge split count find init update delete sort print format compute convert validate encode decode compress resize rotate draw play pause stop start restart connect retry schedule cancel refund charge pack unpack sign verify hash
import export sync backup restore migrate seed index search filter group round clamp normalize tokenize escape trim strip wrap unwrap push pop shift map reduce collect drain flush notify subscribe publish lock unlock reserve release assign approve reject archive clone copy move rename trace""".split()
NOUNS = """user config token page order file cache report image basket route invoice table index email theme job list item query amount entry member guest ticket seat room lesson grade pupil book loan shelf recipe dish menu price stock parcel driver vehicle trip stop map pixel frame sound track song
playlist note tag label comment thread post feed photo album event slot shift rota wage tax refund budget account ledger balance payment coupon cart address phone contact message alert alarm sensor motor pump valve reading sample series chart axis legend matrix vector node edge graph tree leaf
branch commit patch diff header footer sidebar button dialog form field option flag level score player board tile card deck round team league match season record row column cell sheet""".split()


class Fact:
    """A value in a line: the line, the value in it, what people call it, what kind it is."""

    def __init__(self, line, value, calls, kind, asks=None):
        self.line, self.value, self.calls, self.kind, self.asks = line, value, calls, kind, asks

    def after(self, new):
        """The line with another value."""
        at = self.line.rindex(self.value)
        return self.line[:at] + new + self.line[at + len(self.value):]


class File:
    """A file: its lines, the facts in them, and items as (line, what it is about, what is said of it when it is done)."""

    def __init__(self, name, text, facts=(), items=()):
        self.name, self.text = name, text
        some = text.split("\n")
        self.facts = [it for it in facts if some.count(it.line) == 1 and it.line.count(it.value) == 1]
        self.items = [it for it in items if some.count(it[0]) == 1]


def of(r, some):
    return r.choice(some)


def date(r):
    day, month, year = r.randint(1, 28), r.randint(1, 12), r.randint(2024, 2028)
    return r.choice([f"{day} {MONTHS[month - 1]}", f"{day} {MONTHS[month - 1]}", f"{year}-{month:02}-{day:02}", f"{MONTHS[month - 1]} {day}", f"{day} {MONTHS[month - 1]} {year}", f"{day:02}.{month:02}.{year}", f"{day} {MONTHS[month - 1][:3]}"])


def made(r, kind):
    """A value of a kind."""
    kind, *ends = kind.split(" ")
    if kind == "int":
        low, high = map(int, ends)
        n = r.randint(low, high)
        return str(n if high - low < 100 or r.random() < 0.4 else max(low, n // 10 * 10))
    if kind == "money":
        return r.choice([str(r.randint(2, 90)), str(r.randint(2, 90) * 10), f"{r.randint(2, 90)}.{r.choice(['50', '00', '90', '20', '75'])}"])
    if kind == "place":
        return filled(r, of(r, PLACES))
    simple = {"port": lambda: str(r.choice([r.randint(1000, 9999), r.randint(20, 60) * 100, 8080, 5432, 3000])), "flag": lambda: r.choice(["true", "false"]), "version": lambda: f"{r.randint(0, 9)}.{r.randint(0, 20)}.{r.randint(0, 12)}", "ver2": lambda: f"{r.randint(2, 22)}.{r.randint(0, 14)}",
        "host": lambda: r.choice(["localhost", "127.0.0.1", "0.0.0.0", f"10.0.{r.randint(0, 9)}.{r.randint(2, 99)}", f"{rare(r)}.example.com", f"192.168.{r.randint(0, 4)}.{r.randint(2, 250)}"]), "level": lambda: r.choice(["debug", "info", "warn", "error", "trace", "warning"]),
        "path": lambda: r.choice([f"/var/{rare(r)}", f"./{of(r, STEMS)}", f"/srv/{of(r, STEMS)}", f"/{rare(r)}", f"data/{of(r, STEMS)}", f"/tmp/{rare(r)}"]), "url": lambda: r.choice([f"https://{rare(r)}.example.com", f"http://localhost:{r.randint(2000, 9000)}/{of(r, NOUNS)}", f"https://api.{rare(r)}.example/v{r.randint(1, 4)}", f"postgres://{rare(r)}@db/{of(r, NOUNS)}"]),
        "email": lambda: r.choice([f"{of(r, PEOPLE).lower()}@{rare(r)}.example", f"{of(r, ['info', 'hello', 'help', 'office', 'admin', 'team', 'desk'])}@{rare(r)}.example"]), "zone": lambda: f"{r.choice(['eu', 'us', 'ap'])}-{r.choice(['west', 'east', 'north', 'south'])}-{r.randint(1, 4)}",
        "lang": lambda: r.choice("en de fr hi es it pt nl pl tr sv fi ja en_GB en_IN de_AT".split()), "tz": lambda: r.choice("UTC Europe/Berlin Asia/Kolkata America/Lima Africa/Accra Asia/Tokyo Europe/Oslo".split()), "currency": lambda: r.choice("EUR USD INR GBP CHF SEK NOK PLN JPY BRL".split()),
        "datefmt": lambda: r.choice(["YYYY-MM-DD", "DD.MM.YYYY", "MM/DD/YYYY", "D MMM YYYY"]), "color": lambda: r.choice([f"#{r.getrandbits(24):06x}", r.choice("red green blue teal navy olive purple orange black gray".split())]), "license": lambda: r.choice("MIT Apache-2.0 GPL-3.0 BSD-2-Clause MPL-2.0 CC-BY-4.0 Unlicense".split()),
        "env": lambda: r.choice("production staging development test local".split()), "frac": lambda: f"0.{r.choice(['05', '1', '15', '2', '25', '3', '01', '001', '5', '75', '8', '9'])}", "year": lambda: str(r.randint(2019, 2029)), "res": lambda: r.choice(["1280x720", "1920x1080", "640x480", "2560x1440"]),
        "sep": lambda: r.choice([";", "|", "tab", "comma"]), "enc": lambda: r.choice(["utf-8", "latin-1", "ascii", "utf-16"]), "person": lambda: of(r, PEOPLE), "word": lambda: r.choice([rare(r), of(r, NOUNS), of(r, STEMS), f"{of(r, NOUNS)}-{rare(r)}"]), "words": lambda: f"{of(r, THINGS)} {r.choice(['and', 'for', 'of', 'with'])} {rare(r)}".capitalize(),
        "date": lambda: date(r), "time": lambda: r.choice([f"{r.randint(6, 22)}:{r.choice(['00', '15', '30', '45'])}", f"{r.randint(1, 12)} {r.choice(['am', 'pm'])}", f"{r.randint(6, 22):02}:{r.choice(['00', '30'])}"]), "number": lambda: str(r.randint(3, 240)),
        "code": lambda: r.choice([str(r.randint(1000, 9999)), f"{rare(r)}{r.randint(10, 99)}", f"{rare(r).upper()}-{r.randint(100, 999)}", f"{r.randint(10, 99)} {r.randint(100, 999)} {r.randint(10, 99)}"])}
    return simple[kind]()


def another(r, fact):
    """Another value for a fact, of its kind and in its form."""
    for _ in range(40):
        if fact.kind == "flag":
            pairs = {"true": "false", "on": "off", "yes": "no", "1": "0", "enabled": "disabled", "True": "False"}
            return {**pairs, **{b: a for a, b in pairs.items()}}[fact.value]
        if fact.kind == "date":
            day, month = r.randint(1, 28), MONTHS[r.randint(0, 11)]
            if re.fullmatch(r"\d+ [A-Z][a-z]+", fact.value):
                new = f"{day} {r.choice([fact.value.split(' ')[1], month])}"
            elif re.fullmatch(r"[A-Z][a-z]+ \d+", fact.value):
                new = f"{r.choice([fact.value.split(' ')[0], month])} {day}"
            else:
                new = made(r, "date")
        else:
            new = made(r, fact.kind)
        if new != fact.value and new not in fact.line and not new.endswith("."):
            return new
    return fact.value + "2"


def filled(r, pattern):
    """A remark with its slots filled."""
    makes = {"p": lambda: of(r, PEOPLE), "n": lambda: str(r.randint(2, 60)), "t": lambda: of(r, THINGS), "w": lambda: rare(r), "c": lambda: r.choice("ABCDEF"), "d": lambda: date(r), "y": lambda: str(r.randint(2023, 2028))}
    return re.sub(r"\{(\w)\}", lambda m: makes[m.group(1)](), pattern)


def capital(text):
    return text[:1].upper() + text[1:]


def stem(r):
    """A file's name without its ending: many forms of it."""
    a, b = of(r, STEMS), of(r, STEMS)
    pick = r.random()
    if pick < 0.4:
        return a
    return r.choice([f"{a}_{b}", f"{a}-{b}", f"{a}_{of(r, MORE)}", f"{a}-{of(r, MORE)}", f"{a}{r.randint(1, 30)}", capital(a), a.upper(), f"{capital(a)}{capital(b)}", f"{r.randint(2023, 2027)}-{r.randint(1, 12):02}-{a}", f"{r.randint(1, 20):02}-{a}", f"{a}_{rare(r)}", rare(r), f"{rare(r)}_{a}",
        f"{a}.{of(r, MORE)}" if r.random() < 0.3 else f"{a}_{r.choice(MONTHS).lower()}", f"{of(r, NOUNS)}_{of(r, VERBS)}er", f"{of(r, NOUNS)}s", f"test_{of(r, NOUNS)}", f"{of(r, NOUNS)}_test", f"{of(r, PEOPLE).lower()}_{a}"])


def spaced(r):
    """A name with blanks in it, as people give them."""
    a = of(r, STEMS)
    return r.choice([f"{a} {of(r, MORE)}", f"{capital(a)} {r.randint(2023, 2027)}", f"my {a}", f"{capital(a)} {of(r, STEMS)}", f"{of(r, THINGS)} {a}", f"{capital(of(r, THINGS))} {a}", f"{a} for {of(r, PEOPLE)}", f"{a} ({r.randint(1, 9)})", f"{of(r, PEOPLE)}'s {a}".replace("'", "")])


def name(r, end, blanks=0.0):
    """A file's path."""
    made = f"{spaced(r) if r.random() < blanks else stem(r)}{'.' + end if end else ''}"
    return f"{of(r, FOLDERS)}/{made}" if r.random() < 0.6 else made


# ---- settings


def quote(value, kind, form):
    bare = kind in ("flag", "port", "frac", "money", "number", "year") or kind.startswith("int") and re.fullmatch(r"[\d.]+", value)
    return value if bare or form in ("env", "ini", "cfg", "conf", "properties", "service", "yaml", "yml") and not re.search(r"[#:]", value) else f'"{value}"'


def setting_line(key, value, kind, form, last=False):
    shown = quote(value, kind, form)
    return {"json": f'"{key}": {shown}{"" if last else ","}', "yaml": f"{key}: {shown}", "yml": f"{key}: {shown}", "env": f"{key.upper()}={shown}", "ini": f"{key} = {shown}", "cfg": f"{key} = {shown}", "conf": f"{key} {shown};", "properties": f"{key.replace('_', '.')}={shown}", "toml": f"{key} = {shown}",
        "py": f"{key.upper()} = {shown.capitalize() if kind == 'flag' else shown}", "js": f"const {key.upper()} = {shown};", "ts": f"export const {key.upper()} = {shown};", "go": f"const {capital(key.split('_')[0])}{''.join(map(capital, key.split('_')[1:]))} = {shown}", "rs": f"const {key.upper()}: {'bool' if kind == 'flag' else 'u32' if shown[0] != chr(34) else '&str'} = {shown};",
        "sh": f"{key.upper()}={shown}", "css": f"  --{key.replace('_', '-')}: {value};", "service": f"{''.join(map(capital, key.split('_')))}={shown}", "tf": f"  {key} = {shown}", "lua": f"{key} = {shown}", "php": f"${key} = {shown};", "rb": f"{key.upper()} = {shown}", "mk": f"{key.upper()} := {value}"}[form]


COMMENTS = "change with care|see the docs|do not touch|{p} set this|in seconds|was {n} before|for {w} only|needs a restart|default|keep in sync with {w}|TODO: check|agreed with {p}|temporary|only on the server|the old value was too small".split("|")


def some_settings(r, many=None):
    chosen, names = [], set()
    for key, calls, kind in r.sample(SETTINGS, 24):
        if not names & set(calls) and key not in names:
            chosen.append((key, calls, kind))
            names |= {*calls, key}
    return chosen[: many or r.randint(2, 9)]


def config(r, form=None, name_=None, many=None):
    """Settings in one of many forms."""
    form = form or r.choice("toml toml yaml yaml yml json json ini env env cfg conf properties py js ts go rs sh css service tf lua php rb mk".split())
    out, facts, nested = [], [], r.random() < 0.45
    mark = {"js": "//", "ts": "//", "go": "//", "rs": "//", "php": "//", "lua": "--", "css": None, "json": None, "ini": ";"}.get(form, "#")
    chosen = some_settings(r, many)
    pad = ""
    if form == "json":
        out.append("{")
        pad = r.choice(["  ", "    "])
    if form == "css":
        out.append(":root {")
    if form == "tf":
        out.append(f'resource "{of(r, NOUNS)}" "{rare(r)}" {{')
    if form == "service":
        out += ["[Service]"]
    if form == "php":
        out.append("<?php")
    if form == "go":
        out += [f"package {of(r, NOUNS)}", ""]
    if form == "sh":
        out += ["#!/bin/sh", ""]
    section = ""
    for at, (key, calls, kind) in enumerate(chosen):
        if nested and (at == 0 or r.random() < 0.25) and form in ("toml", "ini", "cfg", "yaml", "yml"):
            section = r.choice([of(r, NOUNS), of(r, STEMS), rare(r)])
            out += ([""] if out and form not in ("yaml", "yml") else []) + ([f"{section}:"] if form in ("yaml", "yml") else [f"[{section}]"])
            pad = "  " if form in ("yaml", "yml") else ""
        value = made(r, kind)
        line = pad + setting_line(key, value, kind, form, at == len(chosen) - 1)
        if mark and r.random() < 0.12:
            note = filled(r, of(r, COMMENTS))
            if r.random() < 0.5:
                out.append(f"{pad}{mark} {note}")
            elif form not in ("env", "properties", "conf", "service"):
                line += f"  {mark} {note}"
        out.append(line)
        shown = value.capitalize() if form == "py" and kind == "flag" else value
        facts.append(Fact(line, shown, [*calls, key, key.replace("_", " ")] if form not in ("env", "sh", "py", "rs", "js") else [*calls, key.upper(), key.replace("_", " ")], kind))
    if form in ("json", "css", "tf"):
        out.append("}")
    if form == "sh":
        out += ["", f"echo \"{rare(r)}\""]
    ends = {"service": "service", "properties": "properties", "mk": "mk"}
    if not name_:
        base = r.choice([of(r, "config settings app server defaults options local prod staging main params constants project site club shop bot game player sensor deploy worker mail theme".split()), stem(r), rare(r)])
        name_ = r.choice([f"{base}.{ends.get(form, form)}", f"{base}.{ends.get(form, form)}", f"{of(r, ['config', 'conf', 'etc', 'settings', 'src', 'app', 'infra', 'deploy', 'server'])}/{base}.{ends.get(form, form)}", f"{of(r, FOLDERS)}/{base}.{ends.get(form, form)}"] + ([".env", ".env.local", f".env.{rare(r)}"] if form == "env" else []))
    return File(name_, "\n".join(out), facts)


def manifest(r):
    """What a package says of itself."""
    kind, title, version, author, licence = r.choice(["pyproject.toml", "Cargo.toml", "package.json", "setup.cfg", "composer.json", "pubspec.yaml", "Chart.yaml", "galaxy.yml", "manifest.json"]), f"{of(r, NOUNS)}-{rare(r)}", made(r, "version"), of(r, PEOPLE), made(r, "license")
    minimum, about = f"{r.choice([3, 18, 20, 1])}.{r.randint(1, 30)}", filled(r, "A {t} for {t}s and {w}.").replace("ss ", "s ")
    calls = {"name": ["name", "package name", "project name"], "version": ["version", "version number", "package version", "project version"], "license": ["license", "licence"], "author": ["author", "who wrote it"], "min": ["minimum python version", "min python version", "python version"]}
    if kind.endswith(".json"):
        least = r.choice(["node", "php"])
        some = [("name", f'  "name": "{title}",', title), ("version", f'  "version": "{version}",', version), ("about", f'  "description": "{about}",', about), ("author", f'  "author": "{author}",', author), ("license", f'  "license": "{licence}",', licence), ("min", f'  "engines": {{ "{least}": ">={minimum}" }}', minimum)]
        calls["min"] = [f"minimum {least} version", f"{least} version needed"]
        out = ["{", *(it[1] for it in some), "}"]
    elif kind.endswith(("yaml", "yml")):
        some = [("name", f"name: {title}", title), ("version", f"version: {version}", version), ("about", f"description: {about}", about), ("author", f"author: {author}", author), ("license", f"license: {licence}", licence)]
        out = [it[1] for it in some] + ["dependencies:", *(f"  {rare(r)}: ^{made(r, 'version')}" for _ in range(r.randint(1, 3)))]
    else:
        some = [("name", f'name = "{title}"', title), ("version", f'version = "{version}"', version), ("license", f'license = "{licence}"', licence)]
        some += [("min", f'requires-python = ">={minimum}"', minimum)] if kind != "Cargo.toml" else [("min", f'rust-version = "{minimum}"', minimum)]
        calls["min"] = calls["min"] if kind != "Cargo.toml" else ["minimum rust version", "rust version"]
        r.random() < 0.5 and some.append(("about", f'description = "{about}"', about))
        out = [{"Cargo.toml": "[package]", "setup.cfg": "[metadata]"}.get(kind, "[project]"), *(it[1] for it in some), "", f"[{r.choice(['dependencies', 'tool.' + rare(r)])}]", *(f'{rare(r)} = "{made(r, "version")}"' for _ in range(r.randint(1, 3)))]
    kinds = {"name": "word", "version": "version", "about": "words", "author": "person", "license": "license", "min": "ver2"}
    return File(kind, "\n".join(out), [Fact(line, value, calls.get(key, ["description"]), kinds[key]) for key, line, value in some])


# ---- texts


def told(r, kind=None, forms=None):
    """(line, fact) of a text that tells something."""
    kind = kind or r.choice(list(SUBJECTS))
    subject = of(r, SUBJECTS[kind].split("|"))
    value = made(r, kind)
    pattern = of(r, [it for it in TELLS[kind] if forms is None or (it[0] in "-|") == forms])
    line = pattern.format(k=subject, K=capital(subject), v=value)
    asks = [it.format(k=subject) for it in ASKS[kind]]
    return Fact(line, value, [subject], kind, asks)


def several(r, n, forms=None):
    facts, seen = [], set()
    for _ in range(n * 6):
        it = told(r, forms=forms)
        if it.calls[0] not in seen and not any(it.calls[0] in one or one in it.calls[0] for one in seen):
            facts.append(it)
            seen.add(it.calls[0])
        if len(facts) == n:
            break
    return facts


def heading(r, form):
    head = filled(r, of(r, HEADS))
    return {"md": [f"# {head}", ""], "rst": [head, "=" * len(head), ""], "org": [f"* {head}"], "adoc": [f"= {head}", ""], "html": [f"<h1>{head}</h1>"]}.get(form, r.choice([[head, ""], [head.upper(), ""], [head, "-" * len(head)], []]))


def prose(r):
    """Minutes, letters, announcements, rules: sentences with something to know in them."""
    form = r.choice("md md txt txt txt rst org adoc".split())
    facts = several(r, r.randint(2, 5), False)
    rows = [it.line for it in facts] + [filled(r, of(r, REMARKS)) for _ in range(r.randint(0, 4))]
    r.shuffle(rows)
    style = r.random()
    start = heading(r, form)
    if style < 0.15:
        start = [f"Dear {of(r, PEOPLE)},", ""]
        rows += ["", r.choice(["Best wishes,", "Yours,", "See you soon,"]), of(r, PEOPLE)]
    elif style < 0.35:
        start = [f"{r.choice(['Meeting of', 'Minutes,', 'Board meeting,'])} {date(r)}", f"Present: {', '.join(r.sample(PEOPLE, r.randint(2, 5)))}", ""]
    elif style < 0.5:
        rows = [f"- {it}" for it in rows]
    elif style < 0.6:
        rows = [f"{at}. {it}" for at, it in enumerate(rows, 1)]
    text = "\n".join(start + rows)
    for it in facts:
        it.line = next(row for row in rows if it.line in row)
    if 0.15 <= style < 0.35:
        facts.append(Fact(start[1], start[1].split(": ")[1], ["people present", "list of those present"], "list", ["who was present", "who was there", "who all were present", "who attended"]))
    return File(name(r, form, 0.15), text, facts)


def table(r):
    """What is to know in a table, or as points."""
    form = r.choice("md md txt".split())
    facts = several(r, r.randint(3, 6), True)
    bars = [it for it in facts if it.line[0] == "|"]
    points = [it.line for it in facts if it.line[0] != "|"]
    rows = ([f"| {r.choice(['What', 'Thing', 'Item'])} | {r.choice(['Value', 'Info', 'Now'])} |", "|---|---|", *(it.line for it in bars)] if bars else []) + ([""] if bars and points else []) + points
    return File(name(r, form, 0.15), "\n".join(heading(r, form) + rows), facts)


def task(r):
    """(a thing to do, what it is called, what is said when it is done)."""
    do, done, doing = of(r, DOINGS).split()
    thing = of(r, THINGS)
    tail = filled(r, of(r, TAILS))
    return f"{do} the {thing}{'' if not tail or tail[0] == ',' else ' '}{tail}", [f"the {thing}", thing, f"{doing} the {thing}", f"{do} the {thing}"], [f"the {thing} is {done}", f"{doing} the {thing} is done", f"{thing} {done}", f"we {done} the {thing}", f"{of(r, PEOPLE)} has {done} the {thing}", f"I {done} the {thing} already"]


def todo(r):
    """Things to do, each in a line."""
    many, mark = r.randint(2, 8), r.choice(["- ", "- ", "* ", "", "- [ ] ", "- [ ] ", "TODO ", "+ ", "[ ] "])
    some, items = [], []
    for _ in range(many):
        text, calls, done = task(r)
        if not any(call in other for call in calls[:2] for other in some) and not any(word in text for _, others, _ in items for word in others[:2]):
            some.append(text)
            items.append([mark + text, calls, done])
    if r.random() < 0.2 and mark in ("- [ ] ", "[ ] "):
        items[0][0] = items[0][0].replace("[ ]", "[x]")
    if r.random() < 0.12:
        items = [[f"{at}. {text[len(mark):]}", calls, done] for at, (text, calls, done) in enumerate(items, 1)]
    form = r.choice(["md", "md", "txt", "txt", "org", "", "todo"])
    head = r.choice([[], [], heading(r, form), [f"{of(r, WEEKDAYS)}:"], ["# TODO", ""], [f"{of(r, PEOPLE)}'s list", ""]])
    base = r.choice(["todo", "todo", "TODO", "tasks", "chores", "backlog", "checklist", "open_items", "to-do", "things to do", "punch list", "action items", f"todo_{of(r, MORE)}", f"{of(r, PEOPLE).lower()}_todo", stem(r)])
    end = f".{form}" if form else ""
    return File(r.choice([f"{base}{end}", f"{of(r, FOLDERS)}/{base}{end}", f"notes/{base}{end}"]), "\n".join(head + [it[0] for it in items]), (), items)


def shopping(r):
    """Goods, each in a line, some with how many."""
    some = r.sample(GOODS, r.randint(3, 10))
    mark, items, facts = r.choice(["- ", "", "* ", "- [ ] "]), [], []
    some = [it for it in some if not any(it in other for other in some if other != it)]
    for it in some:
        many = str(r.randint(2, 60)) if r.random() < 0.4 else None
        line = mark + (r.choice([f"{many} {it}", f"{it} x{many}", f"{it}, {many}", f"{it}: {many}", f"{many}x {it}"]) if many else it)
        items.append([line, [it, f"the {it}"], [f"we have {it}", f"{it} bought", f"we don't need {it} any more", f"I got the {it}", f"there is enough {it}"]])
        if many:
            facts.append(Fact(line, many, [it], "int 2 90", [f"how many {it}", f"how many {it} do we need", f"how much {it} is on the list"]))
    base = r.choice("shopping groceries packing list buy market supplies wishlist pantry stock order materials camping_list party".split() + [stem(r)])
    form = r.choice(["txt", "md", "txt", "list", ""])
    head = r.choice([[], [], [f"# {capital(base)}", ""], [f"For {date(r)}:"]])
    return File(r.choice([f"{base}{'.' + form if form else ''}", f"{of(r, FOLDERS)}/{base}{'.' + form if form else ''}", f"notes/{base}{'.' + form if form else ''}"]), "\n".join(head + [it[0] for it in items]), facts, items)


WHATS = "membership|donation|hall rent|stamps|coffee|cake sale|flowers|insurance|printer paper|bus tickets|concert tickets|repairs|chairs|deposit|raffle|catering|cleaning|sheet music|balls|jerseys|paint|web hosting|phone|electricity|water|prize|books|fuel|parking|tools|gift|training|lunch|taxi|bank fees|interest|subsidy|sponsor money|lost property|refund|scholarship".split("|")


def rows(r):
    """A table in a CSV file: what was paid, who is there, what is on the shelves, marks."""
    kind = r.choice(["ledger", "ledger", "people", "stock", "marks", "hours", "runs"])
    year, out, facts, items = r.randint(2023, 2027), [], [], []
    many, glue = r.randint(2, 8), r.choice([",", ",", ",", ";", "\t"])
    people, whats, goods = r.sample(PEOPLE, many), r.sample(WHATS, many), r.sample(GOODS, many)
    # An amount, a place in a line, is told of the line; so it must be there once.
    if kind == "ledger":
        out.append(glue.join(["date", "who", "what", "amount"]))
        for at in range(many):
            amount = f"{r.choice(['', '', '-'])}{r.randint(2, 480)}.{r.choice(['00', '50', '40', '20', '95'])}"
            line = glue.join([f"{year}-{min(12, at + 1):02}-{r.randint(1, 28):02}", people[at], whats[at], amount])
            out.append(line)
            facts.append(Fact(line, amount, [f"{whats[at]} entry", whats[at], f"{whats[at]} amount", f"{people[at]}'s {whats[at]}"], "money", [f"how much was the {whats[at]}", f"who paid the {whats[at]}", f"who paid for the {whats[at]} and how much", f"when was the {whats[at]} entered", f"what did {people[at]} pay", f"which amount stands for {whats[at]}"]))
            items.append([line, [f"{whats[at]} entry", f"{whats[at]} row", whats[at], f"row of {people[at]}"], [f"the {whats[at]} entry is a mistake", f"the {whats[at]} was paid back", f"{people[at]} gets the {whats[at]} back"]])
    elif kind == "people":
        out.append(glue.join(["name", "since", "phone", "role"]))
        for at in range(many):
            since, phone, role = str(r.randint(2009, 2026)), f"{r.randint(100, 999)}-{r.randint(1000, 9999)}", r.choice(["member", "guest", "board", "junior", "trainer", "cook", "driver"])
            line = glue.join([people[at], since, phone, role])
            out.append(line)
            facts.append(Fact(line, phone, [f"phone number of {people[at]}", f"{people[at]}'s number", f"{people[at]}'s phone"], "phone", [f"what is {people[at]}'s number", f"how do I reach {people[at]}", f"since when is {people[at]} with us", f"what is {people[at]}'s role", f"when did {people[at]} join"]))
            items.append([line, [f"{people[at]}", f"{people[at]}'s row", f"row of {people[at]}"], [f"{people[at]} has left", f"{people[at]} is no longer with us", f"{people[at]} moved away"]])
    elif kind == "stock":
        out.append(glue.join(["item", "count", "price"]))
        for at in range(many):
            count, price = str(r.randint(2, 400)), f"{r.randint(1, 60)}.{r.choice(['99', '50', '25', '10'])}"
            line = glue.join([goods[at], count, price])
            out.append(line)
            facts.append(Fact(line, price, [f"price of {goods[at]}", f"{goods[at]} price"], "money2", [f"what do {goods[at]} cost", f"how many {goods[at]} are in stock", f"price of {goods[at]}", f"how much is {goods[at]}"]))
            items.append([line, [goods[at], f"{goods[at]} row"], [f"we no longer sell {goods[at]}", f"{goods[at]} are sold out for good"]])
    elif kind == "marks":
        subjects = r.sample(["maths", "english", "music", "science", "art", "history", "sports", "hindi"], 2)
        out.append(glue.join(["pupil", *subjects]))
        for at in range(many):
            one, other = str(r.randint(31, 99)), str(r.randint(31, 99))
            line = glue.join([people[at], one, other])
            out.append(line)
            facts.append(Fact(line, other, [f"{people[at]}'s {subjects[1]} mark", f"{subjects[1]} mark of {people[at]}"], "int 31 99", [f"what did {people[at]} get in {subjects[1]}", f"{people[at]}'s marks", f"how did {people[at]} do in {subjects[0]}"]))
            items.append([line, [people[at], f"{people[at]}'s row"], [f"{people[at]} has changed schools", f"{people[at]} dropped the course"]])
    elif kind == "hours":
        out.append(glue.join(["day", "who", "hours"]))
        for at, day in enumerate(WEEKDAYS[:many]):
            hours = f"{r.randint(1, 9)}.{r.choice(['0', '5'])}"
            line = glue.join([day, people[at % len(people)], hours])
            out.append(line)
            facts.append(Fact(line, hours, [f"hours on {day}", f"{day} hours"], "hours", [f"who worked on {day}", f"how many hours on {day}", f"hours for {day}"]))
            items.append([line, [day, f"{day} row"], [f"nobody worked on {day}", f"{day} was a holiday"]])
    else:
        out.append(glue.join(["run", "loss", "accuracy"]))
        for at in range(many):
            score = f"0.{r.randint(400, 990)}"
            line = glue.join([f"run{at + 1}", f"{r.randint(0, 3)}.{r.randint(100, 990)}", score])
            out.append(line)
            facts.append(Fact(line, score, [f"accuracy of run{at + 1}"], "frac3", [f"what accuracy did run{at + 1} have", f"how good was run{at + 1}", f"result of run{at + 1}"]))
            items.append([line, [f"run{at + 1}", f"run{at + 1} row"], [f"run{at + 1} was broken", f"run{at + 1} does not count"]])
    base = {"ledger": "ledger entries payments cashbook expenses accounts 2025 2026 treasury bank donations", "people": "members contacts people phones team guests staff parents", "stock": "stock inventory prices shelf shop_items catalogue goods", "marks": "grades marks class results test_scores", "hours": "hours timesheet shifts work_log",
        "runs": "runs results experiments scores metrics"}[kind].split()
    return File(r.choice(["", "", f"{of(r, FOLDERS)}/", "data/"]) + f"{r.choice([of(r, base), of(r, base), of(r, base) + '_' + of(r, MORE), of(r, base) + '-' + rare(r)])}.{'tsv' if glue == chr(9) else 'csv'}", "\n".join(out), facts, items)


def records(r):
    """The same as JSON or YAML: one a line."""
    many, kind = r.randint(2, 6), r.choice(["json", "json", "jsonl", "yaml"])
    people, facts, items, out = r.sample(PEOPLE, many), [], [], []
    for at, who in enumerate(people):
        since, role, age = str(r.randint(2009, 2026)), r.choice(["member", "guest", "treasurer", "coach", "driver", "cook", "player", "pupil", "reader"]), r.randint(8, 80)
        comma = "," if kind == "json" and at < many - 1 else ""
        line = f'  {{"name": "{who}", "role": "{role}", "since": {since}}}{comma}' if kind == "json" else f'{{"name": "{who}", "role": "{role}", "since": {since}}}' if kind == "jsonl" else f"- {{name: {who}, role: {role}, age: {age}, since: {since}}}"
        out.append(line)
        facts.append(Fact(line, since, [f"year for {who}", f"{who}'s year", f"since of {who}"], "year", [f"since when is {who} with us", f"when did {who} join", f"what year did {who} join", f"what is {who}'s role", f"since when is {who} a member"]))
        facts.append(Fact(line, role, [f"role of {who}", f"{who}'s role"], "role", [f"what is {who}'s role", f"what does {who} do", f"which role has {who}"]))
        items.append([line, [who, f"{who}'s entry", f"entry of {who}"], [f"{who} has left", f"{who} quit", f"{who} moved away"]])
    if kind == "json":
        out, items = ["[", *out, "]"], []
    return File(f"{r.choice(['', 'data/', of(r, FOLDERS) + '/'])}{r.choice(['members', 'people', 'players', 'team', 'readers', 'pupils', 'guests', 'crew', 'staff', 'users', rare(r)])}.{kind}", "\n".join(out), facts, items)


def schedule(r):
    """Days or hours, and what there is then."""
    many, facts, items = r.randint(3, 7), [], []
    things, people = r.sample("yoga choir chess football drama robotics pottery gardening swimming reading cooking maths english history biology guitar piano dance judo sewing debate photography first-aid archery cycling climbing Spanish French Hindi art assembly lunch".split(), many), r.sample(PEOPLE, many)
    days = WEEKDAYS[:many] if r.random() < 0.6 else None
    hours = sorted(r.sample(range(7, 21), many))
    form, mark = r.choice(["md", "txt", "txt"]), r.choice(["", "- "])
    glue = r.choice([": ", " - ", "  ", " | "])
    for at, thing in enumerate(things):
        hour = f"{hours[at]}:{r.choice(['00', '15', '30'])}"
        when = days[at] if days else hour
        line = r.choice([f"{mark}{when}{glue}{thing}, {people[at]}, room {r.randint(1, 40)}", f"{mark}{when}{glue}{thing} with {people[at]} at {hour}" if days else f"{mark}{when}{glue}{thing} with {people[at]}", f"{mark}{when}{glue}{thing} ({people[at]})"])
        facts.append(Fact(line, people[at], [f"{thing} teacher", f"person for {thing}", f"{thing} person"], "person", [f"who does {thing}", f"when is {thing}", f"who is on for {thing}", f"what is on {when}" if days else f"what is at {when}", f"which day is {thing}" if days else f"what time is {thing}"]))
        items.append([line, [thing, f"the {thing} slot", f"{thing} slot", f"the {when} slot" if days else thing], [f"{thing} is cancelled", f"there is no {thing} any more", f"{people[at]} no longer does {thing}"]])
    return File(r.choice([name(r, form, 0.15), f"{r.choice(['schedule', 'timetable', 'rota', 'week', 'plan', 'classes', 'shifts', 'courses'])}.{form}"]), "\n".join(heading(r, form) + [it[0] for it in items]), facts, items)


def recipe(r):
    some, facts = r.sample(GOODS[:48], r.randint(3, 7)), []
    some = [it for it in some if not any(it in other for other in some if other != it)]
    out = [f"# {capital(rare(r))} {of(r, ['soup', 'curry', 'cake', 'bread', 'salad', 'pie', 'dal', 'stew', 'pancakes'])}", ""]
    for it in some:
        many, unit = str(r.choice([r.randint(2, 9), r.randint(1, 20) * 50])), r.choice(["g", "ml", "spoons of", "cups of", "pinches of"])
        line = f"- {many} {unit} {it}"
        out.append(line)
        facts.append(Fact(line, many, [f"{it}", f"amount of {it}"], "int 2 900", [f"how much {it} goes in", f"how much {it} do I need", f"amount of {it}"]))
    minutes, degrees = str(r.randint(8, 95)), str(r.randint(14, 25) * 10)
    last = [f"Bake for {minutes} minutes.", f"Heat the oven to {degrees} degrees."]
    out += ["", *last]
    facts += [Fact(last[0], minutes, ["baking time", "time in the oven"], "int 8 95", ["how long does it bake", "how long is the baking time"]), Fact(last[1], degrees, ["oven temperature", "temperature"], "int 140 250", ["how hot must the oven be", "what temperature does the oven need"])]
    return File(r.choice([f"recipes/{rare(r)}.md", f"{rare(r)}.md", name(r, "md", 0.2), "recipe.txt", f"kitchen/{rare(r)}_recipe.txt"]), "\n".join(out), facts, [[line, [it], [f"it does not need {it}", f"{it} is wrong in there"]] for line, it in zip(out[2:], some)])


CHANGES = "{V} the {n} {w}|{n} can be {d} now|no more crash when the {n} is empty|faster {n} {b}|{V} {n}s in {w} order|an empty {n} is no longer an error|{n} keeps its order|wrong {n} in the {m} is fixed|{m} shows the {n}|new option --{w}|the {n} can have blanks|{n}s over {k} are cut".split("|")


def change(r):
    verb = of(r, VERBS)
    return re.sub(r"\{(\w)\}", lambda m: {"V": capital(verb), "n": of(r, NOUNS), "w": rare(r), "d": verb.rstrip("e") + "ed", "b": verb.rstrip("e") + "ing", "m": of(r, NOUNS), "k": str(r.randint(2, 900))}[m.group(1)], capital(of(r, CHANGES)))


def versions(r, n):
    out, (a, b, c) = [], (r.randint(0, 4), r.randint(1, 15), r.randint(0, 9))
    for _ in range(n):
        out.append(f"{a}.{b}.{c}")
        b, c = (b, c - 1) if c and r.random() < 0.6 else (max(0, b - 1), r.randint(0, 6))
    return list(dict.fromkeys(out))


def changelog(r):
    """What changed in which version; `parts`: (version, its lines)."""
    out, parts = r.choice([["# Changelog", ""], ["# Changes", ""], ["Changelog", "=========", ""], ["# Release notes", ""], ["NEWS", ""]]), []
    form = r.choice(["## {}", "## {}", "## [{}]", "## v{}", "{}:", "Version {}"])
    for version in versions(r, r.randint(2, 4)):
        some = [f"- {change(r)}" for _ in range(r.randint(1, 3))]
        head = form.format(version) + (f" - {r.randint(2023, 2027)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}" if r.random() < 0.3 else "")
        parts.append((version, some))
        out += [head, "", *some, ""]
    it = File(r.choice(["CHANGELOG.md", "CHANGELOG.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "docs/changelog.md", "docs/releases.md", "CHANGES.txt", "changelog.txt", "CHANGELOG", "RELEASES.md"]), "\n".join(out).rstrip("\n"))
    it.parts = parts
    return it


def logs(r):
    """What a program wrote, with times."""
    out, start = [], r.randint(0, 80000)
    day, form = f"{r.randint(2024, 2027)}-{r.randint(1, 12):02}-{r.randint(1, 28):02}", r.choice(["{d} {t} {l} {m}", "{d}T{t}Z [{l}] {m}", "[{t}] {l}: {m}", "{l} {d} {t} {w}: {m}", "{t} {w}[{n}]: {l} {m}"])
    for _ in range(r.randint(3, 14)):
        start = min(86399, start + r.randint(1, 900))
        message = r.choice([f"{of(r, VERBS)} {of(r, NOUNS)} {rare(r)}", f"{of(r, NOUNS)} {r.randint(1, 999)} {r.choice(['started', 'stopped', 'saved', 'lost', 'not found', 'timed out'])}", f"user {of(r, PEOPLE).lower()} logged {r.choice(['in', 'out'])}", f"took {r.randint(2, 900)} ms", f"listening on {r.randint(1000, 9000)}",
            f"disk at {r.randint(10, 99)}%", f"retry {r.randint(1, 5)} of {r.randint(5, 9)}", f"cannot open /srv/{rare(r)}", f"connection to {rare(r)} refused", f"GET /{of(r, NOUNS)} 200", f"POST /{of(r, NOUNS)} {r.choice([201, 400, 500])}"])
        out.append(form.format(d=day, t=f"{start // 3600:02}:{start // 60 % 60:02}:{start % 60:02}", l=r.choice(["INFO", "INFO", "WARN", "ERROR", "DEBUG"]), m=message, w=rare(r), n=r.randint(100, 9000)))
    return File(r.choice(["app.log", "server.log", "logs/app.log", f"logs/{rare(r)}.log", "error.log", "build.log", f"logs/{day}.log", "debug.txt", "access.log", "sync.log", name(r, "log")]), "\n".join(out))


# ---- code


def symbol(r):
    """A name as code has it."""
    a, b, c = of(r, VERBS), r.choice([of(r, NOUNS), of(r, NOUNS), rare(r)]), of(r, NOUNS)
    return r.choice([f"{a}_{b}", f"{a}_{b}", f"{a}{capital(b)}", f"{capital(b)}{r.choice(['Store', 'Error', 'Parser', 'List', 'View', 'Job', 'Service', 'Client', 'Test', 'Config', 'Builder', 'Event'])}", f"{a}_{b}_{c}", f"{a}_{c}", f"is_{b}", f"{a}All{capital(b)}s", f"handle{capital(b)}", f"to_{b}", f"_{a}_{b}"])


def body_of(r, form):
    """A few lines of a function."""
    a, b, c, n = rare(r), of(r, NOUNS), of(r, NOUNS), r.randint(2, 99)
    return {"py": [f"{b} = {of(r, VERBS)}_{c}({r.choice(['path', 'self', a])})", f"if not {b}:", f"    return {r.choice(['None', '[]', str(n)])}", f"return {b}"], "rs": [f"let {b} = {of(r, VERBS)}_{c}({n});", f"println!(\"{a} {{}}\", {b});", b], "js": [f"const {b} = {of(r, VERBS)}{capital(c)}({n});", f"console.log('{a}', {b});", f"return {b};"],
        "go": [f"{b} := {of(r, VERBS)}{capital(c)}({n})", f"fmt.Println(\"{a}\", {b})", f"return {b}"], "sh": [f"{b}=$(cat {a}.txt)", f"echo \"{a}: ${b}\""]}[form][: r.randint(1, 4)]


def code(r, form=None):
    """A program, with constants that have values and functions that have names."""
    form = form or r.choice("py py py rs rs js ts go sh sql html css Dockerfile Makefile crontab vue java c".split())
    if form in ("sql", "html", "css", "Dockerfile", "Makefile", "crontab", "vue", "java", "c"):
        return odd_code(r, form)
    mark = "//" if form in ("rs", "js", "ts", "go") else "#"
    out = {"py": r.choice([[], [f"import {r.choice(['json', 'csv', 'sys', 're', 'pathlib'])}", ""], [f'"""{capital(of(r, THINGS))} and {of(r, THINGS)}."""', "", "import argparse", ""]]), "rs": r.choice([[], [f"use crate::{rare(r)};", ""], ["mod config;", ""]]), "js": r.choice([[], [f"import {{ {rare(r)} }} from './{rare(r)}';", ""]]), "ts": [f"import {{ {rare(r)} }} from './{rare(r)}';", ""],
        "go": [f"package {of(r, NOUNS)}", ""], "sh": ["#!/bin/bash", "set -e", ""]}[form][:]
    facts = []
    for key, calls, kind in some_settings(r, r.randint(0, 3)):
        value = made(r, kind)
        line = setting_line(key, value, kind, form)
        shown = value.capitalize() if form == "py" and kind == "flag" else value
        out.append(line)
        words = re.search(r"\b([A-Z][A-Za-z_]+|[A-Z_]+)\b(?=:? ?[a-z&0-9]* ?=)", line)
        facts.append(Fact(line, shown, [*calls, words.group(1) if words else key], kind))
    if r.random() < 0.3:
        out.append(f"{mark} {r.choice(['TODO', 'TODO', 'FIXME', 'NOTE', 'XXX'])}: {of(r, DOINGS).split()[0]} the {of(r, THINGS)}")
    inner = "js" if form == "ts" else form
    for _ in range(r.randint(1, 3)):
        title = symbol(r).lstrip("_")
        start, end = {"py": (f"def {title}({r.choice(['', 'path', 'name, size', 'self', 'rows'])}):", []), "rs": (f"{r.choice(['pub ', ''])}fn {title}({r.choice(['', 'path: &str', 'n: u32'])}) {{", ["}"]), "js": (f"{r.choice(['', 'export '])}function {title}({r.choice(['', 'id', 'a, b'])}) {{", ["}"]), "go": (f"func {title}({r.choice(['', 'n int'])}) int {{", ["}"]),
            "sh": (f"{title}() {{", ["}"])}[inner]
        out += [""] + [start] + [("\t" if form == "go" else "  " if inner in ("js", "sh") else "    ") + it for it in body_of(r, inner)] + end
    ends = {"py": ["", "", 'if __name__ == "__main__":', "    main()"], "sh": ["", f"{of(r, VERBS)}_{rare(r)} \"$@\""]}
    out += ends.get(form, []) if r.random() < 0.3 else []
    return File(name(r, form), re.sub(r"^\n+", "", "\n".join(out)), facts)


def odd_code(r, form):
    """Code that is made otherwise."""
    a, b, facts = rare(r), of(r, NOUNS), []
    if form == "sql":
        columns = r.sample(NOUNS, r.randint(2, 5))
        return File(name(r, "sql"), r.choice(["\n".join([f"CREATE TABLE {b}s (", "  id INTEGER PRIMARY KEY,", *(f"  {it} {r.choice(['TEXT', 'INTEGER', 'REAL', 'DATE'])}{',' if it != columns[-1] else ''}" for it in columns), ");"]), "\n".join([f"SELECT {', '.join(columns)}", f"FROM {b}s", f"WHERE {columns[0]} > {r.randint(2, 90)}", f"ORDER BY {columns[-1]};"]),
            "\n".join(f"INSERT INTO {b}s ({columns[0]}, {columns[1]}) VALUES ('{rare(r)}', {r.randint(2, 99)});" for _ in range(r.randint(1, 4)))]))
    if form == "html":
        title, link = f"{capital(a)} {of(r, THINGS)}", made(r, "email")
        some = ["<!doctype html>", "<html>", f"<title>{title}</title>", f"<h1>{capital(of(r, THINGS))} {of(r, THINGS)}</h1>", f"<p>{filled(r, of(r, REMARKS))}</p>", f'<a href="mailto:{link}">Write to us</a>', "</html>"]
        return File(name(r, "html"), "\n".join(some), [Fact(some[2], title, ["title", "page title"], "words"), Fact(some[5], link, ["contact address", "mail link", "email address"], "email")])
    if form == "css":
        some = []
        for selector in r.sample(["body", "h1", "h2", "p", "a", ".card", ".menu", "#main", "footer", ".button", "nav", "table"], r.randint(1, 4)):
            key, kind, call = r.choice([("color", "color", "text color"), ("background", "color", "background"), ("font-size", "px", "font size"), ("margin", "px", "margin"), ("padding", "px", "padding"), ("border-radius", "px", "border radius"), ("width", "px", "width")])
            value = made(r, "color") if kind == "color" else f"{r.randint(1, 48)}px"
            line = f"{selector} {{ {key}: {value}; }}"
            some.append(line)
            facts.append(Fact(line, value, [f"{call} of {selector}", f"{selector} {call}", f"{key} of {selector}"], kind))
        return File(name(r, "css"), "\n".join(some), facts)
    if form == "Dockerfile":
        version, port = made(r, "ver2"), made(r, "port")
        some = [f"FROM {r.choice(['python', 'node', 'rust', 'golang', 'alpine'])}:{version}", f"WORKDIR /{a}", "COPY . .", f"RUN {r.choice(['pip install -r requirements.txt', 'npm ci', 'cargo build --release', 'apk add git'])}", f"EXPOSE {port}", f'CMD ["./{a}"]']
        return File(r.choice(["Dockerfile", "docker/Dockerfile", "Dockerfile.dev", f"{of(r, FOLDERS)}/Dockerfile"]), "\n".join(some), [Fact(some[0], version, ["base image version", "version of the base image"], "ver2"), Fact(some[4], port, ["exposed port", "port"], "port"), Fact(some[1], f"/{a}", ["working directory", "workdir"], "path")])
    if form == "Makefile":
        flags = f"-{r.choice('abcqvx')}"
        some = [f"{a.upper()} = {r.randint(2, 90)}", "", "test:", f"\t{r.choice(['pytest', 'cargo test', 'python3 -m unittest', 'npm test', 'go test ./...'])} {flags}", "", f"{b}:", f"\tpython3 -m {a}.cli {b}", "", "clean:", "\trm -rf build"]
        return File(r.choice(["Makefile", "makefile", f"{of(r, FOLDERS)}/Makefile"]), "\n".join(some), [Fact(some[0], some[0].split(" = ")[1], [a.upper()], "int 2 90")])
    if form == "crontab":
        some = [f"{r.randint(0, 59)} {r.randint(0, 23)} * * {r.choice(['*', '1', '1-5', '0'])} /srv/{rare(r)}/{of(r, VERBS)}_{of(r, NOUNS)}.sh" for _ in range(r.randint(1, 5))]
        return File(r.choice(["crontab", "cron.txt", "etc/crontab", "jobs.cron"]), "\n".join(some))
    if form == "vue":
        return File(f"{of(r, ['components', 'src/components', 'views'])}/{capital(b)}{r.choice(['Card', 'List', 'Page'])}.{r.choice(['vue', 'jsx', 'svelte'])}", "\n".join(["<template>", f"  <div class=\"{b}\">{{{{ {a} }}}}</div>", "</template>"]))
    if form == "java":
        n = r.randint(2, 900)
        line = f"    static final int {b.upper()}_LIMIT = {n};"
        return File(f"src/{capital(b)}{capital(a)}.java", "\n".join([f"public class {capital(b)}{capital(a)} {{", line, f"    public int {of(r, VERBS)}{capital(b)}() {{", f"        return {b.upper()}_LIMIT;", "    }", "}"]), [Fact(line, str(n), [f"{b} limit", f"{b.upper()}_LIMIT"], "int 2 900")])
    n = r.randint(2, 900)
    line = f"#define MAX_{b.upper()} {n}"
    return File(f"{of(r, FOLDERS)}/{stem(r)}.{r.choice(['c', 'h', 'cpp'])}", "\n".join(["#include <stdio.h>", line, "", "int main(void) {", f"    printf(\"{a}\\n\");", "    return 0;", "}"]), [Fact(line, str(n), [f"max {b}", f"MAX_{b.upper()}", f"{b} limit"], "int 2 900")])


def plain(r):
    """Small files of a project that hardly anybody reads."""
    kind = r.choice(["requirements.txt", ".gitignore", "LICENSE", "hosts", "robots.txt", "CODEOWNERS", ".editorconfig", "VERSION", "AUTHORS", ".dockerignore", "Gemfile", "go.mod", "subtitles.srt", "quotes.txt", "words.txt", "links.md", "glossary.md", "bookmarks.txt"])
    facts, items = [], []
    if kind == "requirements.txt":
        out = []
        for it in sorted(r.sample("flask django requests numpy pandas click rich pytest black ruff httpx pydantic jinja2 pillow sqlalchemy celery redis boto3 fastapi uvicorn tqdm pyyaml attrs lxml".split(), r.randint(2, 7))):
            version = made(r, "version")
            out.append(f"{it}{r.choice(['==', '>=', '~='])}{version}")
            facts.append(Fact(out[-1], version, [f"{it} version", f"version of {it}", it], "version", [f"which version of {it} do we need", f"which {it} version do we use"]))
            items.append([out[-1], [it, f"the {it} line"], [f"we don't use {it} any more", f"{it} is no longer needed"]])
    elif kind in (".gitignore", ".dockerignore"):
        out = r.sample(["target/", "dist/", "node_modules/", "*.log", ".env", "__pycache__/", "*.tmp", "build/", ".DS_Store", "coverage/", "*.bak", "out/", "secrets.toml", "venv/"], r.randint(2, 7))
        items = [[it, [it.strip("*/."), it], [f"{it} shall be committed from now on"]] for it in out]
    elif kind == "LICENSE":
        who, year = of(r, PEOPLE), made(r, "year")
        out = [f"{r.choice(['MIT License', 'BSD 2-Clause License', 'ISC License'])}", "", f"Copyright (c) {year} {who}", "", "Permission is given to use, copy and change this software, at no cost,", "as long as this notice stays in all copies.", "", "It comes without any warranty."]
        facts = [Fact(out[2], year, ["year", "copyright year"], "year", ["which year is the copyright of", "what is the copyright year"])]
    elif kind == "hosts":
        out = ["127.0.0.1 localhost"]
        for _ in range(r.randint(1, 5)):
            host, address = rare(r), f"10.0.{r.randint(0, 9)}.{r.randint(2, 99)}"
            out.append(f"{address} {host}")
            facts.append(Fact(out[-1], address, [f"address of {host}", f"ip of {host}", f"{host} ip"], "ip", [f"what is the ip of {host}", f"which address has {host}"]))
    elif kind in ("VERSION", "AUTHORS"):
        out = [made(r, "version")] if kind == "VERSION" else r.sample(PEOPLE, r.randint(2, 6))
        items = [[it, [it], [f"{it} does not want to be named"]] for it in out] if kind == "AUTHORS" else []
    elif kind in ("glossary.md", "links.md", "bookmarks.txt"):
        out = [f"# {capital(kind.split('.')[0])}", ""]
        for _ in range(r.randint(2, 6)):
            word, value = rare(r), made(r, "url") if kind != "glossary.md" else f"a {of(r, THINGS)} for {of(r, THINGS)}s"
            out.append(r.choice([f"- {word}: {value}", f"{word}: {value}", f"* {word} - {value}"]))
            facts.append(Fact(out[-1], value, [f"{word}", f"entry for {word}"], "url" if kind != "glossary.md" else "words", [f"what stands for {word}", f"what is {word}"]))
            items.append([out[-1], [word, f"the {word} entry"], [f"{word} is out of date"]])
    else:
        out = [filled(r, of(r, REMARKS)) for _ in range(r.randint(2, 7))] if kind in ("quotes.txt", "subtitles.srt") else [rare(r) for _ in range(r.randint(2, 9))] if kind == "words.txt" else [f"{rare(r)}: {rare(r)} {rare(r)}" for _ in range(r.randint(2, 5))]
    folder = "" if r.random() < 0.65 else of(r, FOLDERS) + "/"
    return File(folder + kind, "\n".join(out), facts, items)


def readme(r):
    """What a project is, and how one runs it; `commands`: (what for, command)."""
    title, module = rare(r), rare(r)
    some = []
    for verb in r.sample(["report", "balance", "export", "import", "list", "stats", "sync", "serve", "check", "convert", "backup", "plot", "summary", "score", "draw", "train", "clean"], r.randint(1, 4)):
        some.append((verb, r.choice([f"python3 -m {module}.cli {verb}", f"./{module} {verb}", f"make {verb}", f"npm run {verb}", f"cargo run -- {verb}", f"sh scripts/{verb}.sh", f"python3 {module}.py {verb}", f"python3 tools/{verb}.py"])))
    about = f"A {r.choice(['small', 'simple', 'fast', 'tiny'])} {of(r, NOUNS)} {r.choice(['tool', 'server', 'library', 'script', 'bot'])} for {of(r, THINGS)}s."
    out = [f"# {capital(title)}", "", about, "", r.choice(["## Usage", "## How to run it", "## Commands"]), ""]
    out += [r.choice([f"    {command}", f"- `{command}` makes the {verb}", f"`{command}` - {verb}", f"{capital(verb)}: `{command}`"]) for verb, command in some]
    tail = told(r, "email", False)
    out += ["", tail.line] if r.random() < 0.5 else []
    it = File(r.choice(["README.md", "README.md", "README.md", "README", "readme.md", "docs/usage.md", "USAGE.md", "docs/README.md"]), "\n".join(out), [tail])
    it.commands = some
    return it


TABLE = [(config, 9), (manifest, 3), (prose, 7), (table, 3), (todo, 5), (shopping, 4), (rows, 6), (records, 3), (schedule, 3), (recipe, 2), (changelog, 2), (logs, 2), (code, 6), (plain, 4), (readme, 2)]


KINDS, WEIGHTS = zip(*TABLE)
# What one can ask about, change and strike off.
WITH_FACTS, WITH_ITEMS = [config, config, config, config, manifest, prose, prose, prose, table, rows, rows, records, schedule, recipe, code, plain, shopping], [todo, todo, todo, shopping, shopping, rows, rows, records, schedule, plain, recipe]
SHOWN = 1100  # characters: what is shown of a result


def numbered(text):
    return "".join(f"{n:6}\t{line}\n" for n, line in enumerate(text.splitlines(), 1))


def draw(r, kinds=None):
    """A file of any kind, or of one of these."""
    return r.choice(kinds)(r) if kinds else r.choices(KINDS, WEIGHTS)[0](r)


def changeable(it):
    return [one for one in it.facts if one.kind not in ("list", "phone", "money2", "hours", "frac3", "role", "px", "ip")]


def with_fact(r, kinds=None, change=False):
    """(file, fact): one that can be read as a whole; `change`: its value may become another."""
    while True:
        it = draw(r, kinds or WITH_FACTS)
        some = changeable(it) if change else it.facts
        if some and len(numbered(it.text)) < SHOWN:
            fact = r.choice(some)
            # What is called by a name that fits another line as well is not asked for.
            calls = [call for call in fact.calls if not any(other is not fact and call in other.calls for other in it.facts)]
            if calls:
                fact.calls = calls
                return it, fact


def with_item(r):
    """(file, item): a line that can be struck off."""
    while True:
        it = draw(r, WITH_ITEMS)
        if it.items and len(numbered(it.text)) < SHOWN:
            return it, r.choice(it.items)


def folder(r, inside=None, many=None):
    """Names of a folder's files, as different as they are."""
    names = set()
    for _ in range(many or (r.randint(2, 9) if r.random() < 0.9 else r.randint(10, 18))):
        made = draw(r).name if r.random() < 0.6 else name(r, of(r, [*ENDS, ""]), 0.1)
        names.add(f"{inside}/{made.rsplit('/', 1)[-1]}" if inside else made)
    return sorted(names)
