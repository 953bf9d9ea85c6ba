//! Days written with the month's name: `5 January 2024`, `Jan 5, 2024`, `05-Jan-24`,
//! `January 5–7`, `January 2024`.

use super::moment::Date;

/// The days written at the start of `text`, and how long they are written. Two for a range.
pub(super) fn in_words(text: &str) -> Option<(Vec<Date>, usize)> {
    if text.starts_with(|c: char| c.is_ascii_digit()) { day_first(text) } else { month_first(text) }
}

/// The same in other languages than English, each month in all of them.
const OTHERS: [&str; 12] = [
    "januar jänner janvier enero gennaio janeiro januari styczeń stycznia ocak январь января जनवरी janv",
    "februar février febrero febbraio fevereiro februari luty lutego şubat февраль февраля फ़रवरी फरवरी",
    "märz mars marzo março maart marzec marca mart март марта मार्च",
    "april avril abril aprile kwiecień kwietnia nisan апрель апреля अप्रैल",
    "mai mayo maggio maio mei maj maja mayıs май мая मई",
    "juni juin junio giugno junho czerwiec czerwca haziran июнь июня जून",
    "juli juillet julio luglio julho lipiec lipca temmuz июль июля जुलाई",
    "august août agosto augustus augusti sierpień sierpnia ağustos август августа अगस्त",
    "september septembre septiembre settembre setembro wrzesień września eylül сентябрь сентября सितंबर सितम्बर",
    "oktober octobre octubre ottobre outubro październik października ekim октябрь октября okt अक्टूबर अक्तूबर",
    "november novembre noviembre novembro listopad listopada kasım ноябрь ноября नवंबर नवम्बर",
    "december dezember décembre diciembre dicembre dezembro grudzień grudnia aralık декабрь декабря dez दिसंबर दिसम्बर",
];

/// No name is longer, in bytes.
const LONGEST: usize = 32;

/// The number of the month at the start of `text` by a name of another language, and what follows.
fn other_month(text: &str) -> Option<(u8, &str)> {
    let in_word = |c: char| c.is_alphabetic() || ('\u{900}'..'\u{980}').contains(&c);
    let end = text.find(|c| !in_word(c)).unwrap_or(text.len());
    let rest = text.get(end..)?;
    let word = text.get(..end).filter(|it| (2..=LONGEST).contains(&it.len()))?;
    let lower = word.to_lowercase();
    let at = OTHERS.iter().position(|names| names.split(' ').any(|it| it == lower))?;
    Some((u8::try_from(at + 1).ok()?, rest.strip_prefix('.').unwrap_or(rest)))
}

/// The number of the month at the start of `text`, and what follows its name.
fn month(text: &str) -> Option<(u8, &str)> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let word = text.get(..end)?;
    // `may` and `march` are words; a month is written with a capital.
    if !(3..=9).contains(&end) || !word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let is = |name: &str| name.get(..3) == Some(lower.as_str()) || name == lower;
    let at = if lower == "sept" { Some(8) } else { MONTHS.iter().position(|name| is(name)) };
    let rest = text.get(end..)?;
    // `Jan. 5` is shortened; in `5 Jan.` a sentence ends.
    let shortened = rest
        .strip_prefix('.')
        .filter(|it| it.trim_start_matches([' ', ',']).starts_with(|c: char| c.is_ascii_digit()));
    Some((u8::try_from(at? + 1).ok()?, shortened.unwrap_or(rest)))
}

/// Whether the word is a month's name.
pub(super) fn is_month(word: &str) -> bool {
    month(word).is_some_and(|(_, rest)| rest.is_empty())
}

/// Takes a day off the start: `5`, `05`, `5th`.
fn day(text: &str) -> Option<(u8, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let day = text.get(..end)?.parse().ok().filter(|day| end <= 2 && (1..=31).contains(day))?;
    let rest = text.get(end..)?;
    let ordinal = ["st", "nd", "rd", "th", "er"].iter().find_map(|it| rest.strip_prefix(it));
    let rest = ordinal.unwrap_or(rest);
    (!rest.starts_with(char::is_alphanumeric) && !goes_on(rest)).then_some((day, rest))
}

/// Whether a number's separator and its next digit follow: `5` of `5,350` is no day.
fn goes_on(rest: &str) -> bool {
    rest.starts_with(['.', ',', ':']) && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
}

/// Takes a year off the start, behind a comma or a space: `, 2024`, ` 2024`, `-24`, ` '24`.
fn year(text: &str) -> Option<(i32, &str)> {
    let solid = text.trim_start_matches([',', ' ', '-', '\'', '’', '\u{a0}']);
    if solid.len() == text.len() {
        return None;
    }
    let solid = ["de ", "del "].iter().find_map(|it| solid.strip_prefix(it)).unwrap_or(solid);
    let short = text.trim_start_matches(' ').starts_with(['-', '\'', '’']);
    let end = solid.find(|c: char| !c.is_ascii_digit()).unwrap_or(solid.len());
    let rest = solid.get(end..)?;
    let year: i32 = solid.get(..end)?.parse().ok()?;
    let known = match end {
        4 => (1900..2200).contains(&year).then_some(year),
        2 if short => Some(2000 + year),
        _ => None,
    }?;
    (!rest.starts_with(char::is_alphanumeric) && !goes_on(rest)).then_some((known, rest))
}

/// A second day of a range: `–7`, ` to 7`.
fn until(text: &str) -> Option<(u8, &str)> {
    let solid = text.trim_start_matches([' ', '\u{a0}']);
    let rest = ["-", "–", "—", "to ", "through "].iter().find_map(|it| solid.strip_prefix(it))?;
    day(rest.trim_start_matches(' '))
}

/// `Oktober 2026`, `octubre de 2026`.
fn other_month_first(text: &str) -> Option<(Vec<Date>, usize)> {
    // Every word comes by, and hardly one has a year behind it.
    let end = text.find(|c: char| !c.is_alphabetic())?;
    let behind = text.get(end..)?.trim_start_matches(['.', ',', ' ', '\u{a0}']);
    if !behind.starts_with(|c: char| c.is_ascii_digit()) && !behind.starts_with("de") {
        return None;
    }
    let (month, rest) = other_month(text)?;
    let (year, after) = year(rest)?;
    Some((vec![Date { year: Some(year), month, day: None }], text.len() - after.len()))
}

fn month_first(text: &str) -> Option<(Vec<Date>, usize)> {
    let Some((month, rest)) = month(text) else { return other_month_first(text) };
    let solid = rest.trim_start_matches([' ', '-', '\u{a0}']);
    if solid.len() == rest.len() {
        return None;
    }
    let Some((first, after)) = day(solid) else {
        let (year, after) = year(rest)?;
        let date = Date { year: Some(year), month, day: None };
        return Some((vec![date], text.len() - after.len()));
    };
    let (second, after) = until(after).map_or((None, after), |(day, rest)| (Some(day), rest));
    let (year, after) = year(after).map_or((None, after), |(year, rest)| (Some(year), rest));
    let days = std::iter::once(first).chain(second);
    let dates = days.map(|day| Date { year, month, day: Some(day) }).collect();
    Some((dates, text.len() - after.len()))
}

fn day_first(text: &str) -> Option<(Vec<Date>, usize)> {
    let (first, rest) = day(text)?;
    let (second, rest) = until(rest).map_or((None, rest), |(day, rest)| (Some(day), rest));
    let solid = rest.trim_start_matches([' ', '-', '\u{a0}']);
    let solid = solid.strip_prefix("of ").unwrap_or(solid);
    let (month, after) = month(solid).or_else(|| {
        // `31. Oktober`, `31 de octubre`, `1er octobre`, `1º de outubro`.
        let bare = solid.strip_prefix(['.', 'º', '°']).unwrap_or(solid).trim_start_matches(' ');
        other_month(bare.strip_prefix("de ").unwrap_or(bare))
    })?;
    let (year, after) = year(after).map_or((None, after), |(year, rest)| (Some(year), rest));
    let days = std::iter::once(first).chain(second);
    let dates = days.map(|day| Date { year, month, day: Some(day) }).collect();
    Some((dates, text.len() - after.len()))
}
