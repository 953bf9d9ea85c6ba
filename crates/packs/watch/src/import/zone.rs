//! [`Zone`]: time zones as HTML exports write them.

use jiff::tz::{Offset, TimeZone};

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
        let is_name = text.len() <= 6 && text.bytes().all(|it| it.is_ascii_alphabetic());
        is_name.then_some(Self::Unclear)
    }
}

/// Minutes in `GMT+05:30`, `UTC-3`, `+0900`.
fn offset(text: &str) -> Option<i32> {
    let text = text.strip_prefix("GMT").or_else(|| text.strip_prefix("UTC")).unwrap_or(text);
    let (sign, digits) = match text.chars().next()? {
        '+' => (1, text.strip_prefix('+')?),
        '-' => (-1, text.strip_prefix('-')?),
        '\u{2212}' => (-1, text.strip_prefix('\u{2212}')?),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_one = (0..=15).contains(&hours) && (0..60).contains(&minutes);
    is_one.then_some(sign * (hours * 60 + minutes))
}
