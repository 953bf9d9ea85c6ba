use jiff::{Timestamp, tz::TimeZone};

use super::read;

fn moment(text: &str) -> String {
    let zone = TimeZone::get("Asia/Kolkata").unwrap();
    read(text, &zone).map_or_else(|| String::from("unknown"), |it: Timestamp| it.to_string())
}

#[test]
fn dates_of_many_languages_are_read() {
    let dates = [
        ("Feb 6, 2025, 12:17:00 PM PST", "2025-02-06T20:17:00Z"),
        ("Feb 6, 2025, 12:17:00 AM PST", "2025-02-06T08:17:00Z"),
        ("Apr 19, 2026, 8:31:30 AM GMT+05:30", "2026-04-19T03:01:30Z"),
        ("6 Feb 2025, 09:05:03 GMT", "2025-02-06T09:05:03Z"),
        ("19 Apr 2026, 8:31:30 pm AEST", "2026-04-19T10:31:30Z"),
        ("06.02.2025, 12:17:00 MEZ", "2025-02-06T11:17:00Z"),
        ("15. März 2025, 12:17:00 MEZ", "2025-03-15T11:17:00Z"),
        ("6 févr. 2025, 12:17:00 CET", "2025-02-06T11:17:00Z"),
        ("6 août 2025 à 12:17:00 UTC+2", "2025-08-06T10:17:00Z"),
        ("30 juil. 2025, 00:17:00 CEST", "2025-07-29T22:17:00Z"),
        ("30 juin 2025, 00:17:00 CEST", "2025-06-29T22:17:00Z"),
        ("15 jun 2026, 20:30:41 CEST", "2026-06-15T18:30:41Z"),
        ("6 ene 2025, 8:31:30 p. m. GMT-03:00", "2025-01-06T23:31:30Z"),
        ("6 de fev. de 2025, 12:17:00 BRT", "2025-02-06T15:17:00Z"),
        ("6 mag 2025, 12:17:00 CEST", "2025-05-06T10:17:00Z"),
        ("6 mrt 2025, 12:17:00 CET", "2025-03-06T11:17:00Z"),
        ("2024. 3. 1. 오후 7:15:30 KST", "2024-03-01T10:15:30Z"),
        ("2024. 3. 1. 오전 12:15:30 KST", "2024-02-29T15:15:30Z"),
        ("2024/03/01 19:15:30 JST", "2024-03-01T10:15:30Z"),
        ("2024年3月1日 19:15:30 JST", "2024-03-01T10:15:30Z"),
        ("2024-03-01 19:15:30 UTC", "2024-03-01T19:15:30Z"),
        ("2024-03-01T19:15:30Z", "2024-03-01T19:15:30Z"),
    ];
    for (text, expected) in dates {
        assert_eq!(moment(text), expected, "{text}");
    }
}

#[test]
fn zones_of_many_meanings_and_none_are_the_persons_own() {
    assert_eq!(moment("Feb 6, 2025, 12:17:00 PM IST"), "2025-02-06T06:47:00Z");
    assert_eq!(moment("Feb 6, 2025, 12:17:00 PM"), "2025-02-06T06:47:00Z");
}

#[test]
fn what_is_no_date_is_none() {
    let texts = [
        "",
        "yesterday",
        "Feb 30, 2025, 12:17:00 PM PST",
        "13:61:00",
        "Foo 6, 2025, 12:17:00 UTC",
        "Feb 6, 2025, 13:17:00 PM UTC",
        "Feb 6, 2025",
        "6 of 7, 12:17:00 UTC",
        "Feb 6, 2025, 12:17:00 somewhere else",
        "1:2:3:4 Feb 6, 2025",
    ];
    for text in texts {
        assert_eq!(moment(text), "unknown", "{text}");
    }
}
