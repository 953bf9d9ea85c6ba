//! [`Zone`]: time zones as HTML exports write them.
//!
//! Short names come from `cldr/zones.tsv`, which `cldr/make.py` writes. Many have several meanings: IST is India, Ireland
//! and Israel. Which zones have a name is known here; which of them a file means, [`super::dating`] finds out.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    tokens::{Kind, clean, tokens},
    words::Words,
};

const TABLE: &str = include_str!("../../cldr/zones.tsv");
/// Longer names are sentences.
const LONGEST: usize = 8;
/// From the dateline to the dateline, in minutes: what a zone of no known name may be.
const OFFSETS: std::ops::RangeInclusive<i32> = -12 * 60..=14 * 60;
/// Offsets of zones are whole quarters of an hour.
const QUARTER: i32 = 15;
/// Where next to nobody watches YouTube: a name that others have, too, is hardly ever theirs.
const RARE: [&str; 4] =
    ["America/Havana", "Asia/Pyongyang", "Atlantic/South_Georgia", "Pacific/Bougainville"];

/// By which people know an offset: of the zones that share one, these are named.
const KNOWN: [&str; 7] = [
    "America/Chicago",
    "America/Halifax",
    "America/Los_Angeles",
    "Asia/Kolkata",
    "Asia/Riyadh",
    "Asia/Shanghai",
    "Europe/London",
];

/// What a text says of the zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// So many minutes east of Greenwich.
    Offset(i32),
    /// A name, or nothing.
    Name(String),
}

/// What a short name may mean.
#[derive(Clone, Debug)]
pub(super) struct NamedOffset {
    pub(super) minutes: i32,
    pub(super) zones: Vec<&'static str>,
    /// What is spoken there.
    pub(super) languages: Vec<&'static str>,
}

/// Short names of time zones.
pub(super) struct ZoneNames {
    names: HashMap<&'static str, Vec<NamedOffset>>,
}

impl ZoneNames {
    /// The table, read when first needed.
    pub(super) fn get() -> &'static Self {
        static NAMES: LazyLock<ZoneNames> = LazyLock::new(ZoneNames::read);
        &NAMES
    }

    fn read() -> Self {
        let mut names = HashMap::<_, Vec<NamedOffset>>::new();
        for line in TABLE.lines().filter(|it| !it.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(name), Some(minutes)) = (columns.next(), columns.next()) else { continue };
            let Ok(minutes) = minutes.parse() else { continue };
            let mut list = || columns.next().unwrap_or_default().split_whitespace().collect();
            let named = NamedOffset { minutes, zones: list(), languages: list() };
            names.entry(name).or_default().push(named);
        }
        Self { names }
    }

    /// What a name may mean, the commonest first; nothing where it is not known.
    pub(super) fn find(&self, name: &str) -> &[NamedOffset] {
        self.names.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Every zone that has a name.
    pub(super) fn zones(&self) -> Vec<&'static str> {
        let mut zones: Vec<_> =
            self.names.values().flatten().flat_map(|it| it.zones.iter().copied()).collect();
        zones.sort_unstable();
        zones.dedup();
        zones
    }
}

/// Whether a zone of this name may be so many seconds east of Greenwich.
pub(crate) fn may_be(name: &str, seconds: i64) -> bool {
    let Ok(minutes) = i32::try_from(seconds / 60) else { return false };
    let named = ZoneNames::get().find(name);
    seconds % 60 == 0
        && if named.is_empty() {
            minutes % QUARTER == 0 && OFFSETS.contains(&minutes)
        } else {
            named.iter().any(|it| it.minutes == minutes)
        }
}

/// Whether people know an offset by this zone.
pub(super) fn is_known(zone: &str) -> bool {
    KNOWN.contains(&zone)
}

/// Whether a name that others have, too, is hardly ever this zone's.
pub(super) fn is_rare(zone: &str) -> bool {
    RARE.contains(&zone)
}

impl Zone {
    /// What a text says of the zone, if it is about zones at all.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim_matches([' ', ',', '.', '(', ')']);
        if !ZoneNames::get().find(text).is_empty() {
            return Some(Self::Name(text.to_owned()));
        }
        if let Some(minutes) = offset(text) {
            return Some(Self::Offset(minutes));
        }
        let is_name = text.chars().count() <= LONGEST && text.chars().all(char::is_alphabetic);
        is_name.then(|| Self::Name(text.to_owned()))
    }
}

/// Minutes in `GMT+05:30`, `UTC-3`, `+0900`, and in whatever a language calls Greenwich.
fn offset(text: &str) -> Option<i32> {
    if text == "Z" {
        return Some(0);
    }
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
