//! A page tells its times in a zone that it only names. What it means is found out, or told.

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};
use toolwright_watch::Imported;

use crate::making::{Desk, at, cell, page, watched, with};

/// A time as an English page writes it, in this zone.
fn written(moment: Timestamp, zone: &TimeZone) -> String {
    moment.to_zoned(zone.clone()).strftime("%b %-d, %Y, %-I:%M:%S %p %Z").to_string()
}

fn id(zone: usize, nth: usize) -> String {
    format!("z{zone:04}n{nth:05}")
}

fn linked(id: &str, time: &str) -> String {
    cell(
        &format!(
            "Watched <a href=\"https://www.youtube.com/watch?v={id}\">Tea</a><br>\
             <a href=\"https://www.youtube.com/channel/UC{:022}\">C</a><br>{time}",
            7
        ),
        "",
    )
}

/// The same watches as a page in this zone, and as a file.
fn exports(zone: (usize, &TimeZone), moments: &[Timestamp]) -> (String, String) {
    let cells: Vec<_> = moments
        .iter()
        .enumerate()
        .map(|(nth, it)| linked(&id(zone.0, nth), &written(*it, zone.1)))
        .collect();
    let entries: Vec<Value> = moments
        .iter()
        .enumerate()
        .map(|(nth, it)| watched(&id(zone.0, nth), "Tea", "C", &it.to_string()))
        .collect();
    (page(&cells).replace(".outer-cell{margin:0}", ""), json!(entries).to_string())
}

/// Every time there is, with its video.
fn times(desk: &Desk) -> BTreeSet<(String, i64)> {
    let database = desk.database();
    let sql = "SELECT id, at / 1000 FROM watches JOIN videos ON row = video";
    let mut all = database.prepare(sql).unwrap();
    let all = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    all.map(Result::unwrap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, ..ProptestConfig::default() })]

    /// In every zone there is, a page and a file of the same history are one, whichever comes first.
    #[test]
    fn a_page_of_any_zone_and_a_file_are_the_same_history(
        seconds in vec(1_136_073_600_i64..1_767_225_600, 2..6),
    ) {
        let moments: Vec<_> =
            seconds.iter().map(|it| Timestamp::from_second(*it).unwrap()).collect();
        let (first, last) = (Desk::new(), Desk::new());
        let names: Vec<_> = jiff::tz::db().available().map(|it| it.to_string()).collect();
        prop_assert!(names.len() > 400);
        let mut expected = BTreeSet::new();
        for (nth, name) in names.iter().enumerate() {
            let Ok(zone) = TimeZone::get(name) else { continue };
            let (page, file) = exports((nth, &zone), &moments);
            for (desk, order) in [(&first, [&page, &file]), (&last, [&file, &page])] {
                let added = order.map(|text| {
                    let path = desk.file("export", text);
                    desk.library.import(&path, &mut |_, _| {}).unwrap().added
                });
                let all = moments.len() as u64;
                prop_assert_eq!(added, [all, 0], "{} {}", name, written(moments[0], &zone));
            }
            expected.extend(moments.iter().enumerate().map(|(it, at)| (id(nth, it), at.as_second())));
        }
        prop_assert_eq!(&times(&first), &expected);
        prop_assert_eq!(&times(&last), &expected);
        let counted = first.library.statistics().unwrap();
        prop_assert_eq!(counted.watches as usize, expected.len(), "sums are those of the times");
    }
}

fn one(desk: &Desk, said: &str, time: &str) -> Imported {
    let link = "<a href=\"https://www.youtube.com/watch?v=rtTWtzWav8I\">Tea</a>";
    let text = page(&[cell(&format!("{}<br>{time}", said.replace('*', link)), "")]);
    desk.library.import(&desk.file("page.html", text), &mut |_, _| {}).unwrap()
}

fn told(said: &str, time: &str) -> (String, Vec<String>) {
    let desk = Desk::new();
    let problems = one(&desk, said, time).problems;
    (desk.video("rtTWtzWav8I").last.to_string(), problems)
}

/// The machine that runs the tests may be anywhere: what a language tells, or the name itself, is tested here; what
/// the machine tells is in the tests of the program.
#[test]
fn a_name_or_the_language_tells_the_zone() {
    for (said, time, expected) in [
        ("Watched *", "Jun 3, 2024, 10:15:30 PM SAST", "2024-06-03T20:15:30Z"),
        ("Watched *", "Jun 3, 2024, 10:15:30 PM WAT", "2024-06-03T21:15:30Z"),
        ("Watched *", "Jun 3, 2024, 10:15:30 PM IDT", "2024-06-03T19:15:30Z"),
        ("Watched *", "Jun 3, 2024, 10:15:30 PM BDT", "2024-06-03T16:15:30Z"),
        ("Watched *", "Jun 3, 2024, 10:15:30 PM GST", "2024-06-03T18:15:30Z"),
        ("* देखा", "3 जून 2024, 10:15:30 pm IST", "2024-06-03T16:45:30Z"),
        ("*", "2024年6月3日 下午10:15:30 CST", "2024-06-03T14:15:30Z"),
    ] {
        assert_eq!(told(said, time), (expected.to_owned(), Vec::new()), "{time}");
    }
}

#[test]
fn a_page_in_another_zone_moves_its_times() {
    let desk = Desk::new();
    let time = "Jun 3, 2024, 10:15:30 PM IST";
    one(&desk, "Watched *", time);
    let path = desk.file("page.html", page(&[linked("rtTWtzWav8I", time)]));
    for (zone, expected) in
        [("Europe/Dublin", "2024-06-03T21:15:30Z"), ("Asia/Kolkata", "2024-06-03T16:45:30Z")]
    {
        let zone = TimeZone::get(zone).unwrap();
        let imported = desk.library.import_in(&zone, &path, &mut |_, _| {}).unwrap();
        assert_eq!((imported.added, imported.known, imported.problems.len()), (0, 1, 0));
        assert_eq!(desk.video("rtTWtzWav8I").last, at(expected));
    }
    assert_eq!(desk.library.statistics().unwrap().watches, 1);
}

#[test]
fn what_is_gone_is_counted_once() {
    let removed = "Watched a video that has been removed";
    let bare = json!({"title": removed, "titleUrl": null, "subtitles": null});
    let entries = json!([
        watched("rtTWtzWav8I", "Tea", "C", "2024-06-03T16:45:30Z"),
        with(watched("", "", "", "2024-06-03T17:00:01Z"), bare),
    ]);
    let cells = [
        linked("rtTWtzWav8I", "Jun 3, 2024, 10:15:30 PM IST"),
        cell(&format!("{removed}<br>Jun 3, 2024, 10:30:01 PM IST"), ""),
    ];
    for order in [[0, 1], [1, 0]] {
        let desk = Desk::new();
        for which in order {
            let text = [page(&cells), entries.to_string()][which].clone();
            desk.library.import(&desk.file("export", text), &mut |_, _| {}).unwrap();
        }
        let statistics = desk.library.statistics().unwrap();
        assert_eq!((statistics.watches, statistics.gone), (1, 1), "{order:?}");
    }
}

/// Two times that no zone could make one stay two.
#[test]
fn watches_that_differ_otherwise_are_two() {
    let desk = Desk::new();
    one(&desk, "Watched *", "Jun 3, 2024, 10:15:30 PM IST");
    for time in ["2024-06-03T16:45:31Z", "2024-06-03T15:45:30Z", "2024-06-02T16:45:30Z"] {
        assert_eq!(desk.entries(&[watched("rtTWtzWav8I", "Tea", "C", time)]).added, 1, "{time}");
    }
    assert_eq!(desk.library.statistics().unwrap().watches, 4);
}
