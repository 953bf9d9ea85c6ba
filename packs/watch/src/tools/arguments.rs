//! What models write in arguments, as lenient as can be without guessing. What cannot be understood is
//! told in a sentence.

use jiff::{Timestamp, Zoned, civil::Date};

use super::answer::Stop;
use crate::words;

/// What is left of an argument that says something: some models write `""` for what they leave out.
pub(super) fn said(argument: Option<String>) -> Option<String> {
    argument.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty())
}

/// The id of a video, which may be given as the video's address.
pub(super) fn video_id(text: &str) -> Result<String, Stop> {
    let text = text.trim();
    let id = if is_id(text) { Some(text) } else { in_address(text) };
    id.map(str::to_owned).ok_or_else(|| {
        Stop::Told(format!(
            "I couldn't understand the video ID '{}': it is the 11 characters after v= in the video's \
             address, such as abc123xyz45.",
            words::plain(text)
        ))
    })
}

/// The id of a channel, which may be given as the channel's address.
pub(super) fn channel_id(text: &str) -> Option<&str> {
    let id = text.rsplit_once("/channel/").map_or(text, |(_, rest)| rest);
    let id = id.split(['/', '?', '#', '&']).next().unwrap_or_default();
    let rest = id.strip_prefix("UC")?;
    (rest.len() == 22 && rest.bytes().all(is_of_id)).then_some(id)
}

fn is_id(text: &str) -> bool {
    text.len() == 11 && text.bytes().all(is_of_id)
}

fn is_of_id(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn in_address(text: &str) -> Option<&str> {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let (host, path) = rest.split_once('/')?;
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = path.split(['/', '#']);
    let first = parts.next()?;
    let host = host.to_ascii_lowercase();
    let id = match host.strip_prefix("www.").unwrap_or(&host) {
        "youtu.be" => Some(first),
        "youtube.com" | "m.youtube.com" | "music.youtube.com" | "youtube-nocookie.com" => {
            match first {
                "watch" => query.split(['&', '#']).find_map(|pair| pair.strip_prefix("v=")),
                "shorts" | "live" | "embed" | "v" => parts.next(),
                _ => None,
            }
        }
        _ => None,
    };
    id.filter(|it| is_id(it))
}

/// Days, both included, as moments: from when, and before when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Days {
    pub(super) from: Option<Timestamp>,
    pub(super) before: Option<Timestamp>,
}

impl Days {
    /// The days from one to another, where `now` is.
    pub(super) fn new(from: Option<&str>, to: Option<&str>, now: &Zoned) -> Result<Self, Stop> {
        let (from, to) = (from.map(date).transpose()?, to.map(date).transpose()?);
        if let (Some(from), Some(to)) = (from, to)
            && from > to
        {
            return Err(Stop::Told(format!(
                "The start date {from} is after the end date {to}: give the earlier one as date_from."
            )));
        }
        let start = |day: Date| {
            // Not midnight: where clocks go forward at midnight, the day begins at one.
            day.to_zoned(now.time_zone().clone()).map(|it| it.timestamp()).ok()
        };
        let before = to.and_then(|it| it.tomorrow().ok()).and_then(start);
        Ok(Self { from: from.and_then(start), before })
    }

    /// Whether any day was given.
    pub(super) fn are_given(self) -> bool {
        self != Self::default()
    }
}

/// A day; a time behind it does not count.
fn date(text: &str) -> Result<Date, Stop> {
    let day = text.split(['T', 't', ' ']).next().unwrap_or_default();
    let has_form = day.len() == 10 && day.bytes().filter(|it| *it == b'-').count() == 2;
    let read = day.parse::<Date>().ok().filter(|_| has_form);
    read.ok_or_else(|| {
        Stop::Told(format!(
            "I couldn't understand the date '{}': write it as YYYY-MM-DD.",
            words::plain(text)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::{Days, Stop, channel_id, video_id};

    #[test]
    fn an_id_is_taken_from_an_address() {
        for text in [
            "abc123xyz45",
            " abc123xyz45 ",
            "https://www.youtube.com/watch?v=abc123xyz45",
            "https://www.youtube.com/watch?list=PL0&v=abc123xyz45&t=30s",
            "http://m.youtube.com/watch?v=abc123xyz45#t=3",
            "youtube.com/watch?v=abc123xyz45",
            "https://music.YouTube.com/watch?v=abc123xyz45",
            "https://youtu.be/abc123xyz45?si=xyz",
            "https://www.youtube.com/shorts/abc123xyz45",
            "https://www.youtube.com/live/abc123xyz45?feature=share",
            "https://www.youtube-nocookie.com/embed/abc123xyz45",
        ] {
            assert_eq!(video_id(text).ok().as_deref(), Some("abc123xyz45"), "{text}");
        }
        for text in [
            "",
            "abc",
            "abc123xyz456",
            "abc 23xyz45",
            "äbc123xyz4",
            "Python Tutorial",
            "https://example.com/watch?v=abc123xyz45",
            "https://www.youtube.com/watch?v=abc",
            "https://www.youtube.com/@somebody",
            "https://youtube.com.example.com/watch?v=abc123xyz45",
        ] {
            assert!(matches!(video_id(text), Err(Stop::Told(_))), "{text}");
        }
    }

    #[test]
    fn a_channel_has_an_id_or_a_name() {
        let id = "UCabcdefghijklmnopqrstuv";
        assert_eq!(channel_id(id), Some(id));
        assert_eq!(channel_id(&format!("https://www.youtube.com/channel/{id}/videos")), Some(id));
        for name in
            ["", "UC", "Tech Channel", "UCabcdefghijklmnopqrstu", "UCabcdefghijklmnopqrstüv"]
        {
            assert_eq!(channel_id(name), None, "{name}");
        }
    }

    fn days(from: &str, to: &str, zone: &str) -> String {
        let now = format!("2025-06-15T12:00[{zone}]").parse().unwrap();
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        match Days::new(given(from).as_deref(), given(to).as_deref(), &now) {
            Ok(Days { from, before }) => {
                let text =
                    |it: Option<jiff::Timestamp>| it.map_or("-".to_owned(), |it| it.to_string());
                format!("{} {}", text(from), text(before))
            }
            Err(Stop::Told(text)) => text,
            Err(Stop::Failed(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn both_days_are_included_where_the_person_is() {
        let berlin = "Europe/Berlin";
        let december = "2024-11-30T23:00:00Z 2024-12-31T23:00:00Z";
        assert_eq!(days("2024-12-01", "2024-12-31", berlin), december);
        assert_eq!(days("2024-12-01T08:00:00Z", "2024-12-31 23:59", berlin), december);
        assert_eq!(
            days("2024-02-29", "2024-02-29", "UTC"),
            "2024-02-29T00:00:00Z 2024-03-01T00:00:00Z"
        );
        assert_eq!(days("", "2024-12-31", "Asia/Kolkata"), "- 2024-12-31T18:30:00Z");
        assert_eq!(days("2024-12-31", "", "America/New_York"), "2024-12-31T05:00:00Z -");
        assert_eq!(days("", "9999-12-31", "UTC"), "- -", "as far as there are days");
        // 23 hours, 25 hours, and a day that begins at one.
        assert_eq!(
            days("2025-03-30", "2025-03-30", berlin),
            "2025-03-29T23:00:00Z 2025-03-30T22:00:00Z"
        );
        assert_eq!(
            days("2025-10-26", "2025-10-26", berlin),
            "2025-10-25T22:00:00Z 2025-10-26T23:00:00Z"
        );
        assert_eq!(
            days("2025-04-25", "2025-04-25", "Africa/Cairo"),
            "2025-04-24T22:00:00Z 2025-04-25T21:00:00Z"
        );
    }

    #[test]
    fn a_day_that_is_none_is_told() {
        for wrong in [
            "2024-13-01",
            "2025-02-29",
            "01.12.2024",
            "last month",
            "2024-12",
            "20241201",
            "2024-W49",
        ] {
            assert_eq!(
                days("2024-12-01", wrong, "UTC"),
                format!("I couldn't understand the date '{wrong}': write it as YYYY-MM-DD.")
            );
        }
        assert_eq!(
            days("2024-12-31", "2024-12-01", "UTC"),
            "The start date 2024-12-31 is after the end date 2024-12-01: give the earlier one as date_from."
        );
    }
}
