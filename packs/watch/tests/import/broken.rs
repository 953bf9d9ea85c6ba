//! Entries and files that are not as they should be.

use serde_json::{Value, json};

use crate::making::{Desk, watched, with};

fn good(at: usize) -> Value {
    watched(&format!("aaaaaaaa{at:03}"), "Tea", "Channel", "2023-06-04T04:07:59Z")
}

#[test]
fn broken_entries_are_counted_and_the_first_five_described() {
    let desk = Desk::new();
    let mut entries: Vec<_> = (0..3).map(good).collect();
    entries.push(with(good(3), json!({"time": null})));
    entries.push(with(good(4), json!({"time": "last Tuesday"})));
    entries.push(with(good(5), json!({"subtitles": "none"})));
    entries.extend([json!(7), json!("Watched [Tea], {Cake}"), json!([[1], {}]), json!(null)]);
    entries.push(good(6));
    let text = json!(entries).to_string();
    let imported = desk.import(&desk.file("watch.json", &text)).unwrap();
    assert_eq!((imported.entries, imported.added, imported.broken), (11, 4, 7));
    assert_eq!(imported.problems.len(), 5);
    let untimed = entries[3].to_string();
    let at = text.find(&untimed).unwrap();
    assert!(imported.problems[0].contains(&format!("byte {at}:")), "{:?}", imported.problems);
    assert!(imported.problems[1].contains("last Tuesday"));
}

#[test]
fn a_file_that_ends_early_keeps_what_came_before_and_says_where() {
    let whole = json!((0..500).map(good).collect::<Vec<_>>()).to_string();
    for cut in [whole.len() / 2, whole.len() / 3, whole.len() - 1] {
        let desk = Desk::new();
        let text = &whole[..cut];
        let imported = desk.import(&desk.file("watch.json", text)).unwrap();
        let kept = text.matches("\"titleUrl\"").count() as u64;
        assert!(
            imported.added + 1 >= kept && imported.added <= kept,
            "{} of {kept}",
            imported.added
        );
        assert_eq!(imported.problems.len(), 1);
        assert!(imported.problems[0].contains(&format!("byte {cut}")), "{:?}", imported.problems);
        assert!(imported.problems[0].contains("kept"));
    }
}

#[test]
fn a_file_that_goes_astray_keeps_what_came_before() {
    let desk = Desk::new();
    let text = format!("[{},{} oops {}]", good(0), good(1), good(2));
    let imported = desk.import(&desk.file("watch.json", &text)).unwrap();
    assert_eq!(imported.added, 2);
    let at = text.find("oops").unwrap();
    assert!(imported.problems[0].contains(&format!("byte {at}")), "{:?}", imported.problems);
}

#[test]
fn a_mark_at_the_beginning_is_no_part_of_the_file() {
    let desk = Desk::new();
    let text = format!("\u{feff} \n[{},{{}}]", good(0));
    let imported = desk.import(&desk.file("watch.json", &text)).unwrap();
    assert_eq!((imported.added, imported.broken), (1, 1));
    let at = text.rfind("{}").unwrap();
    assert!(imported.problems[0].contains(&format!("byte {at}")), "{:?}", imported.problems);
}

#[test]
fn an_entry_too_long_to_be_one_is_skipped() {
    let desk = Desk::new();
    let long = with(good(0), json!({"description": "x".repeat(3 << 20)}));
    let imported = desk.entries(&[long, good(1)]);
    assert_eq!((imported.added, imported.broken), (1, 1));
}

#[test]
fn quotes_brackets_and_escapes_in_titles_end_nothing() {
    let desk = Desk::new();
    let titles = ["]", "}\"]", "\\", "\\\"", "a\\\\\"}", "{[", "\u{1f980}\"\n]"];
    let entries: Vec<_> = titles
        .iter()
        .enumerate()
        .map(|(at, title)| with(good(at), json!({"title": format!("Watched {title}")})))
        .collect();
    let imported = desk.entries(&entries);
    assert_eq!((imported.added, imported.broken), (titles.len() as u64, 0));
    assert_eq!(desk.video("aaaaaaaa004").title.as_deref(), Some(titles[4]));
}

#[test]
fn progress_counts_entries() {
    let desk = Desk::new();
    let path = desk.file(
        "watch.json",
        json!((0..999).map(good).chain([good(999)]).collect::<Vec<_>>()).to_string(),
    );
    let mut told = Vec::new();
    desk.library.import(&path, &mut |done, all| told.push((done, all))).unwrap();
    assert_eq!(told, [(1000, None), (1000, Some(1000))]);
}
