//! [`Zone`]: time zones as HTML exports write them.

use jiff::tz::{Offset, TimeZone};

use super::{
    tokens::{Kind, clean, tokens},
    words::Words,
};

/// Zones whose short names mean one thing only, with minutes east of Greenwich.
const ZONES: &[(&str, i32)] = &[
    ("Z", 0),
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("WEZ", 0),
    ("WEST", 60),
    ("WESZ", 60),
    ("CET", 60),
    ("MEZ", 60),
    ("HEC", 60),
    ("CEST", 120),
    ("MESZ", 120),
    ("HAEC", 120),
    ("EET", 120),
    ("OEZ", 120),
    ("EEST", 180),
    ("OESZ", 180),
    ("MSK", 180),
    ("TRT", 180),
    ("EAT", 180),
    ("PKT", 300),
    ("NPT", 345),
    ("ICT", 420),
    ("WIB", 420),
    ("WITA", 480),
    ("WIT", 540),
    ("SGT", 480),
    ("HKT", 480),
    ("PHT", 480),
    ("AWST", 480),
    ("KST", 540),
    ("JST", 540),
    ("ACST", 570),
    ("AEST", 600),
    ("ACDT", 630),
    ("AEDT", 660),
    ("NZST", 720),
    ("NZDT", 780),
    ("NDT", -150),
    ("NST", -210),
    ("BRT", -180),
    ("EDT", -240),
    ("EST", -300),
    ("CDT", -300),
    ("MDT", -360),
    ("MST", -420),
    ("PDT", -420),
    ("PST", -480),
    ("AKDT", -480),
    ("AKST", -540),
    ("HST", -600),
];

/// Longer names are sentences.
const LONGEST: usize = 8;

/// What a text says of the zone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Zone {
    Told(TimeZone),
    /// Nothing, or what has more than one meaning: IST, CST, BST.
    Unclear,
}

impl Zone {
    /// What a text says of the zone, if it is about zones at all.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', ',', '.', '(', ')']);
        let known = ZONES.iter().find(|(name, _)| *name == text).map(|(_, minutes)| *minutes);
        if let Some(minutes) = known.or_else(|| offset(text)) {
            let offset = Offset::from_seconds(minutes * 60).ok()?;
            return Some(Self::Told(TimeZone::fixed(offset)));
        }
        let is_name = text.chars().count() <= LONGEST && text.chars().all(char::is_alphabetic);
        is_name.then_some(Self::Unclear)
    }
}

/// Minutes in `GMT+05:30`, `UTC-3`, `+0900`, and in whatever a language calls Greenwich.
fn offset(text: &str) -> Option<i32> {
    let (mut words, mut sign, mut numbers) = (Vec::new(), None, Vec::new());
    for token in tokens(&clean(text))? {
        match token.kind {
            Kind::Word(word) => words.push(word),
            Kind::Number(number, figures) => numbers.push((number, figures)),
            Kind::Sign('+') if sign.is_none() => sign = Some(1),
            Kind::Sign('-' | '\u{2212}') if sign.is_none() => sign = Some(-1),
            Kind::Sign(':' | '.' | '(' | ')' | '[' | ']') => {}
            Kind::Sign(_) => return None,
        }
    }
    let is_greenwich = Words::get().meanings(&words.join(" ")).is_some_and(|it| it.is_zone);
    if !is_greenwich && !words.is_empty() {
        return None;
    }
    let (hours, minutes) = match (numbers.as_slice(), sign) {
        ([], None) if is_greenwich => (0, 0),
        ([(both, 4)], Some(_)) => (both / 100, both % 100),
        ([(hours, 1 | 2)], Some(_)) => (*hours, 0),
        ([(hours, 1 | 2), (minutes, 2)], Some(_)) => (*hours, *minutes),
        _ => return None,
    };
    let is_one = hours <= 15 && minutes < 60;
    let minutes = i32::try_from(hours * 60 + minutes).ok()?;
    is_one.then_some(sign.unwrap_or(1) * minutes)
}
