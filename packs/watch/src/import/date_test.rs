use jiff::{Timestamp, tz::TimeZone};

use super::Languages;
use crate::import::dating::{Dating, Hints, Moment};

/// Reads a text in a zone, as a file of one entry would be.
fn read(text: &str, zone: &TimeZone, languages: &mut Languages) -> Option<Timestamp> {
    match super::read(text, languages)? {
        Moment::Exact(at) => Some(at),
        Moment::Local(local) => {
            let mut dating =
                Dating::new(Hints { configured: Some(zone.clone()), machine: TimeZone::UTC });
            if dating.date(&local).is_none() {
                dating.choose(std::slice::from_ref(&local), &[], &[]);
            }
            dating.date(&local).map(|it| it.at)
        }
    }
}

fn moment(text: &str) -> String {
    let zone = TimeZone::get("Asia/Kolkata").unwrap();
    read(text, &zone, &mut Languages::default())
        .map_or_else(|| String::from("unknown"), |it: Timestamp| it.to_string())
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

/// Every month of every locale that YouTube has, in both forms the locale data knows, and in the digits of
/// the language, too.
#[test]
fn every_locale_is_read() {
    let dates = include_str!("../../cldr/dates.tsv");
    let mut read_of = std::collections::BTreeMap::<&str, u32>::new();
    let mut wrong = Vec::new();
    for line in dates.lines().filter(|it| !it.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let [locale, _, text, expected] = columns[..] else { panic!("{line}") };
        // The one that writes the time first has no zone.
        let read = read(text, &TimeZone::UTC, &mut Languages::default());
        *read_of.entry(locale).or_default() += 1;
        if read.map(|it| it.to_string()).as_deref() != Some(expected) {
            wrong.push(format!("{line}: {read:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(read_of.len(), 83);
    assert!(read_of.values().all(|it| *it >= 24), "{read_of:?}");
}

/// Five names mean one month in Croatian and another in Polish or Czech: the file tells which it is.
#[test]
fn a_name_of_two_months_is_told_by_the_language() {
    let told = |before: &[&str], text: &str| {
        let mut languages = Languages::default();
        for text in before {
            read(text, &TimeZone::UTC, &mut languages).unwrap();
        }
        read(text, &TimeZone::UTC, &mut languages).unwrap().to_string()
    };
    let (polish, croatian) = ("6 sty 2025, 12:00:00 CET", "6. sij 2025. 12:00:00 CET");
    let (october, november) = ("2024-10-05T11:00:00Z", "2024-11-05T11:00:00Z");
    assert_eq!(told(&[], "5 lis 2024, 12:00:00 CET"), november);
    assert_eq!(told(&[], "5. lis 2024. 12:00:00 CET"), october);
    assert_eq!(told(&[polish], "5 lis 2024, 12:00:00 CET"), november);
    assert_eq!(told(&[croatian], "5 lis 2024 12:00:00 CET"), october);
    assert_eq!(told(&[croatian], "5 lip 2024 12:00:00 UTC"), "2024-06-05T12:00:00Z");
    assert_eq!(told(&[polish], "5 lip 2024, 12:00:00 UTC"), "2024-07-05T12:00:00Z");
    let mut languages = Languages::default();
    languages.hear("Obejrzano: Herbata");
    let heard = read("5. lis 2024, 12:00:00 CET", &TimeZone::UTC, &mut languages);
    assert_eq!(heard.unwrap().to_string(), november);
}

proptest::proptest! {
    /// No text is too odd: nothing panics, and what is no date has no moment.
    #[test]
    fn no_text_is_too_odd(text in "[0-9:. ,+a-zA-Z\u{660}-\u{669}\u{915}-\u{94d}月日年-]{0,40}") {
        if let Some(moment) = read(&text, &TimeZone::UTC, &mut Languages::default()) {
            proptest::prop_assert!(moment.to_string().len() >= 20);
        }
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
