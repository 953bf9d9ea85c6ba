use super::*;

fn diff(old: &str, new: &str) -> String {
    let spot = Spot::all(old.as_bytes(), new.as_bytes());
    unified("f", (Some(old.as_bytes()), new.as_bytes()), &[spot], Bounds::MODEL)
}

fn numbers(lines: std::ops::RangeInclusive<u32>) -> String {
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_line_is_shown_with_three_around_it() {
    let old = numbers(1..=10);
    let new = old.replace("5\n", "five\n");
    assert_eq!(
        diff(&old, &new),
        "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
    );
}

#[test]
fn far_changes_have_hunks_of_their_own_and_near_ones_share() {
    let old = numbers(1..=40);
    let new = old.replace("\n5\n", "\nfive\n").replace("\n10\n", "\nten\n").replace("\n30\n", "\n");
    let text = diff(&old, &new);
    assert_eq!(text.matches("@@ -").count(), 2, "{text}");
    assert!(text.contains("@@ -2,12 +2,12 @@") && text.contains("@@ -27,7 +27,6 @@"), "{text}");
}

#[test]
fn new_and_emptied_files_are_diffs_too() {
    let new = unified("f", (None, b"a\nb\n"), &[Spot::all(b"", b"a\nb\n")], Bounds::MODEL);
    assert_eq!(new, "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
    assert_eq!(diff("a\n", ""), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n");
}

#[test]
fn a_missing_newline_at_the_end_is_marked() {
    assert_eq!(
        diff("a\nb", "a\nb\n"),
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
    );
}

#[test]
fn line_endings_are_shown_where_they_differ() {
    assert!(diff("a\r\nb\r\n", "a\r\nx\r\n").contains("-b\n+x\n"));
    assert!(diff("a\r\n", "a\n").contains("-a\\r\n+a\n"));
}

#[test]
fn it_is_bounded_and_says_so() {
    let text = diff(&numbers(1..=1000), &numbers(2001..=3000));
    assert!(text.lines().count() <= 204, "{}", text.lines().count());
    assert!(text.ends_with("[… the rest of the diff is left out]\n"), "{text}");
    let long = format!("{}\n", "x".repeat(900)).repeat(150);
    let text = diff("", &long);
    assert!(text.len() < 20_100 && text.ends_with("left out]\n"), "{}", text.len());
}

/// Whoever decides by it sees the end of a long line, too.
#[test]
fn a_long_line_is_whole_for_a_person() {
    let new = format!("{} tail\n", "x".repeat(9_000));
    let spot = Spot::all(b"", new.as_bytes());
    let text = whole("f", (Some(b""), new.as_bytes()), &[spot]).unwrap();
    assert!(text.ends_with(" tail\n"), "{text}");
    assert!(!diff("", &new).contains("tail"));
}

/// Whatever its length and shape: a person gets all of a diff, or none.
#[test]
fn a_person_never_gets_a_part() {
    let line = |length: usize| format!("{}\n", "x".repeat(length));
    for (new, is_shown) in [
        (line(9).repeat(2_500), true),
        (line(300_000), true),
        (line(9).repeat(19_000), true),
        (line(9).repeat(21_000), false),
        (line(3 << 20), false),
        (line(1_000).repeat(2_200), false),
    ] {
        let spot = Spot::all(b"", new.as_bytes());
        let text = whole("f", (None, new.as_bytes()), &[spot]);
        assert_eq!(text.is_some(), is_shown, "{}", new.len());
        let added =
            |text: String| text.lines().skip(3).map(|it| it[1..].to_owned() + "\n").collect();
        assert_eq!(text.map(added).unwrap_or_else(|| new.clone()), new);
    }
}

#[test]
fn nothing_in_it_is_invisible() {
    assert!(diff("", "a\u{202e}b\u{1b}[2J\n").contains("+a⟦U+202E⟧b\\u{1b}[2J\n"));
}

/// Applies a diff as `patch` does.
fn patched(old: &str, diff: &str) -> String {
    let mut lines = old.split_inclusive('\n');
    let (mut new, mut at) = (String::new(), 0);
    let mut parts = diff.lines().skip(2).peekable();
    while let Some(line) = parts.next() {
        let ending = if parts.peek().is_some_and(|it| it.starts_with('\\')) { "" } else { "\n" };
        if let Some(head) = line.strip_prefix("@@ -") {
            let (from, _) = head.split_once(" +").unwrap();
            let (start, count) = from.split_once(',').unwrap_or((from, "1"));
            let before = start.parse::<usize>().unwrap() - usize::from(count != "0");
            while at < before {
                new.push_str(lines.next().unwrap());
                at += 1;
            }
        } else if let Some(text) = line.strip_prefix('+') {
            new.push_str(&format!("{text}{ending}"));
        } else if line.starts_with([' ', '-']) {
            let text = lines.next().unwrap();
            at += 1;
            assert_eq!(text, format!("{}{ending}", &line[1..]));
            if line.starts_with(' ') {
                new.push_str(text);
            }
        }
    }
    new.extend(lines);
    new
}

mod random {
    use proptest::prelude::*;

    use super::{
        super::super::{Which, replace},
        *,
    };

    const FREE: Bounds = Bounds { lines: usize::MAX - 2, bytes: usize::MAX, characters: 500 };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_diff_makes_the_new_of_the_old(old in "[ab\n]{0,40}", new in "[ab\n]{0,40}") {
            let spot = Spot::all(old.as_bytes(), new.as_bytes());
            let text = unified("f", (Some(old.as_bytes()), new.as_bytes()), &[spot], FREE);
            prop_assert_eq!(patched(&old, &text), new, "{}", text);
        }

        #[test]
        fn and_so_does_that_of_an_edit(content in "[abc\n]{0,200}", old in "[ab\n]{1,3}", new in "[ab\n]{0,3}") {
            let path = std::path::Path::new("f");
            if let Ok(change) = replace(path, content.as_bytes(), (&old, &new), Which::All) {
                let versions = (Some(content.as_bytes()), change.content.as_slice());
                let text = unified("f", versions, &change.spots, FREE);
                let made = patched(&content, &text).into_bytes();
                prop_assert_eq!(made, change.content, "{}", text);
            }
        }
    }
}
