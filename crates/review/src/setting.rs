//! [`Setting`]: what the words around a figure make of it.

use super::{
    Vocabulary,
    calendar::Calendar,
    figure::{Figure, Form, Reading},
    reckoned::Shift,
    scan::{Mention, What},
    stated::{is_offer, is_standard, status_phrase},
    unit::Unit,
};

/// What the words around a figure make of it.
pub(super) struct Setting {
    /// `about 24,000`: zeros at the end are not meant to the letter.
    about: bool,
    /// `the last 30 days`, `week 23`: how far somebody looked, not what was found.
    scope: bool,
    /// `35 days ago`: reckoned from a date, by a clock that is not at hand.
    ago: bool,
    /// `15 of the 40`: a part of something that is checked itself.
    part: bool,
    /// `Fortune 500`: the number in a name that carries one.
    named: bool,
    /// `1887–89`: the end of a span of years.
    span: bool,
    /// `a ratio of 1.67`.
    ratio: bool,
    /// `RFC 7231`: the number in the name of a standard.
    standard: bool,
    /// `Shall I look at the last 50?`: nothing is said to be so.
    offer: bool,
    /// `404` where words for it are `not found`.
    phrase: Option<&'static [&'static str]>,
    /// `three days later`, of a day.
    shifts: Vec<Shift>,
}

impl Setting {
    /// The setting of a mention in its line.
    pub(super) fn of(line: &str, mention: &Mention<'_>, vocabulary: &Vocabulary) -> Self {
        let before = last_of(line.get(..mention.start).unwrap_or_default());
        let after = line.get(mention.start + mention.text.len()..).unwrap_or_default();
        let after = first_of(after);
        let before = before.trim_end_matches(|c: char| c == '*' || c.is_whitespace());
        let last = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
        let bare = |it: &'_ str| it.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let next: Vec<String> = after.split_whitespace().take(4).map(bare).collect();
        let size = mention.text.parse().ok();
        let name = last.trim_matches(|c: char| !c.is_alphabetic() && c != '&');
        Self {
            about: is_hedge(&last) || after.starts_with('+'),
            scope: is_scope(&last, &next),
            ago: next.iter().take(2).any(|it| is_ago(it)) || is_ago_before(before),
            part: is_part(&next),
            named: size.is_some_and(|size| vocabulary.is_numbered(name, size)),
            span: last.strip_suffix('–').is_some_and(ends_in_year),
            ratio: before.to_lowercase().contains("ratio"),
            standard: is_standard(name),
            offer: is_offer(line, mention.start),
            phrase: status_phrase(mention.text, &last, &next),
            shifts: match mention.what {
                What::Moment(_) => Shift::around(before, after),
                _ => Vec::new(),
            },
        }
    }

    /// Whether what is mentioned is offered, or asked, and not said to be so.
    pub(super) fn offers(&self) -> bool {
        self.offer
    }

    /// How far a day is said to be from another.
    pub(super) fn shifts(&self) -> &[Shift] {
        &self.shifts
    }

    /// The words that say the same as a status code.
    pub(super) fn phrase(&self) -> Option<&'static [&'static str]> {
        self.phrase
    }

    /// Whether nothing is stated by the figure that a result could support.
    pub(super) fn is_idle(&self, figure: &Figure, calendar: &Calendar) -> bool {
        let timed = matches!(figure.unit, Unit::Seconds(_));
        let few = matches!(figure.form, Form::Digits(1..=3)) && figure.unit == Unit::Bare;
        let all = figure.unit == Unit::Percent
            && figure.readings.first().is_some_and(|it| it.value == 100.0);
        (self.scope && (timed || few))
            || (self.ago && timed && calendar.knows_days())
            || (self.part && few)
            || (self.span && figure.form == Form::Digits(2))
            || self.named
            || (self.standard && figure.unit == Unit::Bare)
            || all
    }

    /// Whether a number may say how many times one thing is another.
    pub(super) fn tells_ratio(&self) -> bool {
        self.ratio
    }

    /// How far a source may be from the figure and still round to it.
    pub(super) fn tolerance(&self, reading: Reading) -> f64 {
        if !self.about {
            return reading.step / 2.0;
        }
        let mut step = reading.step;
        while reading.value >= step * 10.0 && (reading.value / (step * 10.0)).fract() == 0.0 {
            step *= 10.0;
        }
        step
    }
}

/// How far a setting reaches, in bytes.
const REACH: usize = 80;

fn first_of(text: &str) -> &str {
    let end = (0..=REACH.min(text.len())).rev().find_map(|end| text.get(..end));
    end.unwrap_or_default()
}

fn last_of(text: &str) -> &str {
    let start = text.len().saturating_sub(REACH);
    (start..=text.len()).find_map(|start| text.get(start..)).unwrap_or_default()
}

fn ends_in_year(text: &str) -> bool {
    let digits = text.chars().rev().take_while(char::is_ascii_digit).count();
    digits == 4
}

/// `of`, as it is written.
const PARTS: &[&str] = &["of", "von", "der", "sur", "de", "su", "van", "av", "z", "ze", "из"];

/// Whether the words that follow are `of the 40`, `out of 40`.
fn is_part(next: &[String]) -> bool {
    let mut words = next.iter().map(String::as_str).skip_while(|it| *it == "out");
    let of = words.next().is_some_and(|it| PARTS.contains(&it));
    let mut words = words.skip_while(|it| matches!(*it, "the" | "your" | "these" | "all"));
    of && words.next().is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
}

/// `the last 30 days`, in the languages answers are written in; before a number or, as in French and
/// Spanish, behind it.
fn is_scope(last: &str, next: &[String]) -> bool {
    const BEFORE: &str = "
        last past next previous coming week letzten letzte nächsten vergangenen derniers dernières
        prochains últimos últimas próximos ultimi ultime prossimi laatste afgelopen komende senaste
        kommande ostatnich ostatnie ostatnim kolejnych son geçen önümüzdeki последние последних
        следующие पिछले अगले";
    const BEHIND: &str = "derniers dernières prochains";
    let has = |list: &str, word: &str| list.split_whitespace().any(|it| it == word);
    let ideographs = ["過去", "过去", "最近", "直近", "近"];
    has(BEFORE, last)
        || next.first().is_some_and(|it| has(BEHIND, it))
        || ideographs.iter().any(|it| last.ends_with(it))
}

/// Whether a word behind a number says that so much time passed.
fn is_ago(word: &str) -> bool {
    const AGO: &str = "
        ago earlier later fa geleden sedan temu önce назад पहले atrás";
    AGO.split_whitespace().any(|it| it == word)
        || ["日前", "天前", "前"].iter().any(|it| word.starts_with(it))
}

/// The same before it: `vor 35 Tagen`, `il y a 35 jours`.
fn is_ago_before(before: &str) -> bool {
    let lower = before.to_lowercase();
    ["vor", "il y a", "hace", "há"]
        .iter()
        .any(|it| lower.strip_suffix(it).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)))
}

fn is_hedge(word: &str) -> bool {
    const HEDGES: &[&str] = &[
        "about",
        "around",
        "approximately",
        "approx",
        "approx.",
        "roughly",
        "nearly",
        "almost",
        "over",
        "under",
        "above",
        "below",
        "than",
        "some",
        "circa",
        "least",
        "most",
        "near",
    ];
    const OTHERS: &str = "
        etwa rund ungefähr knapp fast über unter circa ca ca. ca.: environ presque près
        unos unas aproximadamente cerca casi alrededor circa quasi oltre quase ongeveer
        bijna ruim ungefär cirka nästan runt drygt około ponad prawie niemal yaklaşık neredeyse около
        примерно почти более लगभग करीब d'environ";
    let ideographs = ["約", "约", "大约", "大約", "およそ"];
    HEDGES.contains(&word)
        || word.ends_with(['~', '≈'])
        || OTHERS.split_whitespace().any(|it| it == word)
        || ideographs.iter().any(|it| word.ends_with(it))
}
