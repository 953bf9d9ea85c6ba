//! Whether a text has the format that a field asks for.

use super::field::TextFormat;

/// What is wrong with a text, if its format is not this.
pub(super) fn violation(format: TextFormat, text: &str) -> Option<&'static str> {
    match format {
        TextFormat::Email if !is_email(text) => Some("is no e-mail address"),
        TextFormat::Uri if !is_uri(text) => Some("is no URI, such as https://example.com/"),
        TextFormat::Date if !is_date(text) => Some("is no date, such as 2026-03-01"),
        TextFormat::DateTime if !is_date_time(text) => {
            Some("is no date with a time, such as 2026-03-01T12:00:00Z")
        }
        _ => None,
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_plain = |it: &str| {
        !it.is_empty()
            && !it.contains('@')
            && !it.chars().any(|it| it.is_whitespace() || it.is_control())
    };
    is_plain(local) && is_plain(domain) && !domain.starts_with('.') && !domain.ends_with('.')
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
        && !rest.is_empty()
        && rest.chars().all(|it| it.is_ascii_graphic() && !"<>\"{}|\\^`".contains(it))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't', ' ']) else { return false };
    let Some(at) = time.find(['Z', 'z', '+', '-']) else { return false };
    let (clock, zone) = time.split_at(at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|it| it.is_ascii_digit());
    let is_zone = match zone.strip_prefix(['+', '-']) {
        Some(offset) => is_clock(offset, &[23, 59]),
        None => zone.eq_ignore_ascii_case("z"),
    };
    // A minute may have a second more.
    is_date(date) && is_clock(clock, &[23, 59, 60]) && is_fraction && is_zone
}

fn is_clock(text: &str, most: &[u32]) -> bool {
    let parts: Vec<_> = text.split(':').collect();
    let fits = |(part, most): (&&str, &u32)| digits(part, 2).is_some_and(|it| it <= *most);
    parts.len() == most.len() && parts.iter().zip(most).all(fits)
}

fn digits(text: &str, count: usize) -> Option<u32> {
    let is_number = text.len() == count && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        let cases: [(TextFormat, &[&str], &[&str]); 4] = [
            (
                TextFormat::Email,
                &["ann@example.com", "a.b+c@example.co.uk"],
                &[
                    "",
                    "ann",
                    "@example.com",
                    "ann@",
                    "a b@example.com",
                    "a@b@c",
                    "a@.com",
                    "a@com.",
                ],
            ),
            (
                TextFormat::Uri,
                &["https://example.com/a?b#c", "mailto:ann@example.com", "urn:x:y"],
                &["", "example.com", "://x", "1http://x", "https://a b", "https:"],
            ),
            (
                TextFormat::Date,
                &["2026-03-01", "2024-02-29", "2000-02-29"],
                &[
                    "",
                    "2026-3-1",
                    "2026-02-29",
                    "1900-02-29",
                    "2026-13-01",
                    "2026-00-10",
                    "2026-04-31",
                    "+026-03-01",
                ],
            ),
            (
                TextFormat::DateTime,
                &["2026-03-01T12:00:00Z", "2026-03-01t23:59:60.5+05:30"],
                &[
                    "",
                    "2026-03-01",
                    "2026-03-01T12:00:00",
                    "2026-03-01T24:00:00Z",
                    "2026-03-01T12:00Z",
                    "2026-03-01T12:00:00.Z",
                    "2026-03-01T12:00:00+25:00",
                    "2026-03-01T12:00:00Zx",
                ],
            ),
        ];
        for (format, good, bad) in cases {
            for text in good {
                assert_eq!(violation(format, text), None, "{format:?} {text}");
            }
            for text in bad {
                assert!(violation(format, text).is_some(), "{format:?} {text}");
            }
        }
    }
}
