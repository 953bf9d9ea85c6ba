"""Writes words.tsv, the words in dates of every locale that YouTube has, and dates.tsv, dates to test them with.

Both come from Unicode's locale data (CLDR, under the licence Unicode-3.0, see LICENSE), through Babel. A word
counts as it stands in a date, with whatever a language writes before and after it: what twelve dates of one
year have in common is filling, and what sets them apart is the month.

And zones.tsv, the short names of time zones: those of the time zone database as it is (the package tzdata) and as it
was before it gave up names that were its own invention (exports still use them), and CLDR's.

    pip install babel tzdata; pip download --no-deps pytz==2016.6.1; unzip pytz-*.whl 'pytz/zoneinfo/*'
    python make.py pytz/zoneinfo
"""

import collections
import datetime
import importlib.resources
import pathlib
import sys
import unicodedata
import zoneinfo

import babel
from babel import Locale, dates
from babel.core import get_global
from babel.languages import get_official_languages
from babel.localedata import locale_identifiers

HERE = pathlib.Path(__file__).parent
# The languages of YouTube, as it lists them; CLDR's names for them.
LOCALES = """
af am ar as az be bg bn bs ca cs da de el en en_GB en_IN es es_419 es_US et eu fa fi fil fr fr_CA gl gu he hi
hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl or pa pl pt pt_PT ro ru si sk sl sq
sr sr_Latn sv sw ta te th tr uk ur uz vi zh zh_Hant zh_Hant_HK zu
""".split()
DIGITS = {"arab": 0x660, "arabext": 0x6F0, "beng": 0x9E6, "deva": 0x966, "mymr": 0x1040}
# Arabic is written with either digits, by country.
ALSO = {"ar": "arab"}


def fold(text):
    """As `library::fold` does."""
    strip = lambda it: "".join(
        c for c in it if not ("\u0300" <= c <= "\u036f" or "\u1ab0" <= c <= "\u1aff" or "\u1dc0" <= c <= "\u1dff")
    )
    text = strip(unicodedata.normalize("NFKD", text)).lower()
    return unicodedata.normalize("NFC", strip(unicodedata.normalize("NFKD", text)))


def words(text):
    """Runs of letters with their marks, folded; what is invisible is left out."""
    found, word = [], ""
    for letter in fold(text):
        kind = unicodedata.category(letter)
        if kind == "Cf":
            continue
        if kind[0] in "LM":
            word += letter
        else:
            found.append(word)
            word = ""
    found.append(word)
    return [it for it in found if it]


def whole(locale, form, moment):
    # A pattern's letters in quotes are themselves.
    glue = locale.datetime_formats[form].replace("'", "")
    day = dates.format_date(moment, form, locale)
    time = dates.format_time(moment, "medium", locale=locale)
    return glue.replace("{0}", time).replace("{1}", day), day


def months_of(locale, form):
    """Twelve lists of words, and what they have in common; nothing where the month is a number."""
    lists = [words(whole(locale, form, datetime.datetime(2025, month, 6, 1, 17, 9))[1]) for month in range(1, 13)]
    common = [it for it in lists[0] if all(it in other for other in lists)]
    names = [" ".join(it for it in one if it not in common) for one in lists]
    return (names if all(names) else None), common


def is_ordinal(locale, form):
    """Whether a day is written with a dot, before a month that is a word."""
    pattern = locale.date_formats[form].pattern
    return "d. MMM" in pattern


def names_of(locale):
    """The names by themselves."""
    for context in ("format", "stand-alone"):
        for width in ("abbreviated", "wide"):
            names = [locale.months[context][width][month] for month in range(1, 13)]
            if not any(it.isdigit() for name in names for it in name):
                yield [" ".join(words(it)) for it in names]


def halves_of(locale):
    """Words for the halves of the day, where the locale's times have them."""
    pattern = locale.time_formats["medium"].pattern
    found = {}
    if "a" in pattern or "B" in pattern:
        for width in ("abbreviated", "wide"):
            for half in ("am", "pm"):
                word = locale.day_periods["format"].get(width, {}).get(half)
                if word:
                    found[" ".join(words(word))] = half
    if "B" in pattern:
        rules = locale.day_period_rules[None]
        for name, when in rules.items():
            half = "am" if when[0].get("from", when[0].get("at", 0)) < 12 * 3600 else "pm"
            for width in ("abbreviated", "wide"):
                word = locale.day_periods["format"][width].get(name)
                if word:
                    found[" ".join(words(word))] = half
    return found


def rows():
    for name in LOCALES:
        locale = Locale.parse(name)
        seen, fillings = set(), set()
        lists = []
        for form in ("medium", "long"):
            months, common = months_of(locale, form)
            lists += [months] if months else []
            fillings.update(common)
            fillings.update(words(locale.datetime_formats[form].replace("{0}", "").replace("{1}", "")))
        # Where the month is a number, words around it may still change with it.
        for month in range(1, 13):
            for form in ("medium", "long"):
                day = whole(locale, form, datetime.datetime(2025, month, 6, 1, 17, 9))[1]
                if sum(c.isdigit() for c in day) > 5:
                    fillings.update(words(day))
        for kind, found in (("months", lists), ("names", names_of(locale))):
            for names in found:
                if tuple(names) not in seen and len(set(names)) == 12:
                    seen.add(tuple(names))
                    yield [kind, name, *names]
        if any(is_ordinal(locale, form) for form in ("medium", "long")):
            yield ["ordinal", name]
        for word, half in halves_of(locale).items():
            yield [half, name, word]
        time = locale.time_formats["medium"].pattern
        fillings.update(words(" ".join(part for at, part in enumerate(time.split("'")) if at % 2)))
        for word in sorted(fillings - {it for names in seen for it in names}):
            yield ["filling", name, word]
        yield ["zone", name, " ".join(words(locale.zone_formats["gmt"].replace("%s", " ")))]


def samples():
    for name in LOCALES:
        locale = Locale.parse(name)
        systems = {locale.default_numbering_system, ALSO.get(name)} & set(DIGITS)
        for form in ("medium", "long"):
            for month in range(1, 13):
                # Both halves of the day, one and two figures.
                hour = (month * 5 + (3 if form == "long" else 0)) % 24
                moment = datetime.datetime(2020 + month % 6, month, (month * 7) % 28 + 1, hour, month * 4, 59 - month)
                text, _ = whole(locale, form, moment)
                zone = locale.zone_formats["gmt"] % "+02:00"
                instant = (moment - datetime.timedelta(hours=2)).isoformat() + "Z"
                if locale.datetime_formats[form].index("{0}") < locale.datetime_formats[form].index("{1}"):
                    zone = ""
                    instant = moment.isoformat() + "Z"
                text = f"{text} {zone}".strip()
                yield [name, form, text, instant]
                for system in systems:
                    yield [name, form, text.translate({48 + it: DIGITS[system] + it for it in range(10)}), instant]


# Before that there were no videos.
FIRST_YEAR, OLD_UNTIL, UNTIL = 2005, 2017, 2027
# Seen in exports, and in none of the three.
ALSO_ZONES = [
    ("BST", 360, "Asia/Dhaka"),
    ("HAEC", 120, "Europe/Paris"),
    ("HEC", 60, "Europe/Paris"),
    ("TRT", 180, "Europe/Istanbul"),
]


def is_name(text):
    return text and len(text) <= 8 and all(unicodedata.category(c)[0] in "LM" for c in text)


def moments(until):
    moment = datetime.datetime(FIRST_YEAR, 1, 1, 12, tzinfo=datetime.timezone.utc)
    while moment.year < until:
        yield moment
        moment += datetime.timedelta(days=5)


def minutes(moment):
    return int(moment.utcoffset().total_seconds()) // 60


def canonical():
    table = importlib.resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text()
    return [line.split("\t")[2] for line in table.splitlines() if not line.startswith("#")]


def names_of_zones():
    """Every name, offset and zone."""
    zoneinfo.reset_tzpath(())
    # The package itself is too old to be imported.
    before = pathlib.Path(sys.argv[1])
    short = {}
    for name in sorted(locale_identifiers()):
        # Dates are in the words of one of these; their countries may name zones.
        if name.split("_")[0] in {it.split("_")[0] for it in LOCALES}:
            for zone, names in Locale.parse(name).meta_zones.items():
                for kind, text in names.get("short", {}).items():
                    short.setdefault(zone, set()).add((kind, text))
    for zone in canonical():
        now = zoneinfo.ZoneInfo(zone)
        offsets = collections.defaultdict(set)
        for moment in moments(UNTIL):
            local = moment.astimezone(now)
            offsets[local.year].add(minutes(local))
            yield local.tzname(), minutes(local), zone
        if (before / zone).is_file():
            with (before / zone).open("rb") as file:
                old = zoneinfo.ZoneInfo.from_file(file)
            for moment in moments(OLD_UNTIL):
                local = moment.astimezone(old)
                yield local.tzname(), minutes(local), zone
        meta = get_global("meta_zones").get(zone)
        # CLDR's names are those of zones as they are today.
        today = offsets[UNTIL - 2]
        for kind, text in short.get(meta, ()):
            if kind == "standard":
                yield text, min(today), zone
            if kind == "daylight" and len(today) > 1:
                yield text, max(today), zone
    yield from ALSO_ZONES


def zones():
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for name, offset, zone in names_of_zones():
        if is_name(name) and name != "UTC":
            found[name][offset].add(zone)
    for name in sorted(found):
        groups = found[name].items()
        for offset, where in sorted(groups, key=lambda it: (-len(it[1]), -it[0])):
            territories = {get_global("zone_territories").get(zone) for zone in where} - {None}
            spoken = {it.split("_")[0] for land in territories for it in get_official_languages(land, regional=True, de_facto=True)}
            yield [name, str(offset), " ".join(sorted(where)), " ".join(sorted(spoken))]


def write(path, about, lines):
    head = [
        f"# {about}",
        f"# Written by make.py from Unicode's locale data (CLDR) in Babel {babel.__version__}. Licence: Unicode-3.0, see LICENSE.",
    ]
    text = "\n".join(head + ["\t".join(line) for line in lines]) + "\n"
    (HERE / path).write_text(text, encoding="utf-8")


write("words.tsv", "Words in dates: what they are, the locale, the words.", rows())
write("dates.tsv", "Dates: locale, form, text, moment.", samples())
write(
    "zones.tsv",
    "Short names of time zones: the name, minutes east of Greenwich, zones that have both, languages there. With "
    "the time zone database (public domain).",
    zones(),
)
