"""Writes words.tsv, the words in dates of every locale that YouTube has, and dates.tsv, dates to test them with.

Both come from Unicode's locale data (CLDR, under the licence Unicode-3.0, see LICENSE), through Babel. A word
counts as it stands in a date, with whatever a language writes before and after it: what twelve dates of one
year have in common is filling, and what sets them apart is the month.
"""

import datetime
import pathlib
import unicodedata

import babel
from babel import Locale, dates

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


def write(path, about, lines):
    head = [
        f"# {about}",
        f"# Written by make.py from Unicode's locale data (CLDR) in Babel {babel.__version__}. Licence: Unicode-3.0, see LICENSE.",
    ]
    text = "\n".join(head + ["\t".join(line) for line in lines]) + "\n"
    (HERE / path).write_text(text, encoding="utf-8")


write("words.tsv", "Words in dates: what they are, the locale, the words.", rows())
write("dates.tsv", "Dates: locale, form, text, moment.", samples())
