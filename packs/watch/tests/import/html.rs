//! Pages of activity.

use jiff::tz::TimeZone;
use toolwright_watch::Channel;

use crate::making::{Desk, at, cell, channel_id, channel_url, page, watched};

const AD: &str = "<b>Details:</b><br>&emsp;From Google Ads<br>";

fn entry(id: &str, title: &str, time: &str) -> String {
    let channel = channel_url("Benn Jordan");
    format!(
        "Watched&nbsp;<a href=\"https://www.youtube.com/watch?v={id}\">{title}</a><br>\
         <a href=\"{channel}\">Benn Jordan</a><br>{time}"
    )
}

#[test]
fn a_page_says_what_a_file_says() {
    let desk = Desk::new();
    let cells = [
        cell(
            &entry(
                "rtTWtzWav8I",
                "It&#39;s &quot;R&amp;B&quot; &lt;3",
                "Feb 6, 2025, 12:17:00&#8239;PM PST",
            ),
            "",
        ),
        cell(&entry("aaaaaaaaaaa", "An ad", "Feb 6, 2025, 12:18:00&#8239;PM PST"), AD),
        cell("Watched a video that has been removed<br>Feb 6, 2025, 12:19:00&#8239;PM PST", ""),
        cell("Visited YouTube Music<br>Feb 6, 2025, 12:20:00 PM PST", ""),
        cell(
            &entry(
                "bbbbbbbbbbb",
                "https://www.youtube.com/watch?v=bbbbbbbbbbb",
                "Feb 5, 2025, 1:00:00 AM PST",
            ),
            "",
        ),
        cell(&entry("ccccccccccc", "No time", "the day before"), ""),
    ];
    let imported = desk.import(&desk.file("whatever.htm", page(&cells))).unwrap();
    assert_eq!((imported.entries, imported.added, imported.ads), (6, 2, 1));
    assert_eq!((imported.gone, imported.other, imported.broken), (1, 1, 1));
    assert!(imported.problems[0].contains("the day before"), "{:?}", imported.problems);
    let video = desk.video("rtTWtzWav8I");
    assert_eq!(video.title.as_deref(), Some("It's \"R&B\" <3"));
    assert_eq!(video.last, at("2025-02-06T20:17:00Z"));
    let channel =
        Channel { id: Some(channel_id("Benn Jordan")), name: String::from("Benn Jordan") };
    assert_eq!(video.channel, Some(channel));
    assert_eq!(desk.video("bbbbbbbbbbb").title, None);
}

#[test]
fn a_broken_entry_is_found_at_its_byte() {
    let desk = Desk::new();
    let good = cell(&entry("rtTWtzWav8I", "Tea", "Feb 6, 2025, 12:17:00 PM PST"), "");
    let bad = cell(&entry("ccccccccccc", "No time", "never"), "");
    let text = page(&[good, bad]);
    let imported = desk.import(&desk.file("page.html", &text)).unwrap();
    let at = text.match_indices("class=\"outer-cell").nth(1).unwrap().0;
    assert!(imported.problems[0].contains(&format!("byte {at}")), "{:?}", imported.problems);
}

#[test]
fn a_page_that_ends_early_keeps_what_came_before() {
    let desk = Desk::new();
    let cells: Vec<_> = (0..300)
        .map(|it| {
            cell(&entry(&format!("aaaaaaaa{it:03}"), "Tea", "Feb 6, 2025, 12:17:00 PM PST"), AD)
        })
        .enumerate()
        .map(|(at, it)| if at % 2 == 0 { it.replace(AD, "") } else { it })
        .collect();
    let whole = page(&cells);
    // In the last entry, after its time: whether it is an advertisement cannot be told any more.
    let cut = &whole[..whole.rfind("<b>Details:").unwrap()];
    let imported = desk.import(&desk.file("page.html", cut)).unwrap();
    assert_eq!((imported.added, imported.ads), (150, 149));
    assert!(
        imported.problems[0].contains(&format!("byte {}", cut.len())),
        "{:?}",
        imported.problems
    );
}

#[test]
fn a_page_and_a_file_of_the_same_history_are_one() {
    let desk = Desk::new();
    desk.entries(&[watched("rtTWtzWav8I", "Tea", "Benn Jordan", "2025-02-06T20:17:00.987Z")]);
    let path = desk.file(
        "page.html",
        page(&[cell(&entry("rtTWtzWav8I", "Tea", "Feb 6, 2025, 12:17:00 PM PST"), "")]),
    );
    let imported = desk.import(&path).unwrap();
    assert_eq!((imported.added, imported.known), (0, 1));
}

#[test]
fn a_zone_of_many_meanings_is_the_one_that_is_set() {
    let desk = Desk::new();
    let path = desk.file(
        "page.html",
        page(&[cell(&entry("rtTWtzWav8I", "Tea", "Feb 6, 2025, 12:17:00 PM IST"), "")]),
    );
    let zone = TimeZone::get("Asia/Kolkata").unwrap();
    desk.library.import_in(&zone, &path, &mut |_, _| {}).unwrap();
    assert_eq!(desk.video("rtTWtzWav8I").last, at("2025-02-06T06:47:00Z"));
}

#[test]
fn other_pages_are_no_history() {
    let desk = Desk::new();
    let path = desk.file("page.html", "<html><body><p>Hello</p></body></html>");
    let error = desk.import(&path).unwrap_err();
    assert!(error.advice.unwrap().contains("takeout.google.com"));
}
