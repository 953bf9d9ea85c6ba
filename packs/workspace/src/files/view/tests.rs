use std::io::Write as _;

use super::*;

fn shown(content: &[u8], first: Option<u64>, last: Option<u64>) -> String {
    match try_shown(content, first, last) {
        Ok(text) => text,
        Err(error) => panic!("{error}"),
    }
}

fn try_shown(content: &[u8], first: Option<u64>, last: Option<u64>) -> Result<String, String> {
    let span = Span::new(first, last).map_err(|error| error.to_string())?;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    render(file.reopen().unwrap(), content.len() as u64, span).map_err(|stop| match stop {
        Stop::Said(error) => error.to_string(),
        Stop::System(error) => error.to_string(),
    })
}

#[test]
fn what_is_shown_at_once_is_known_beforehand() {
    let wide = "y".repeat(3_000);
    for content in [
        "a\n\nc".to_owned(),
        "a\r\nb\r\n".to_owned(),
        "x\n".repeat(2_500),
        format!("{wide}\n{wide}"),
        format!("{}\n", "z".repeat(40)).repeat(1_500),
        "\0\0".to_owned(),
    ] {
        let page = shown(content.as_bytes(), None, None);
        let told = super::shown(content.as_bytes()).unwrap();
        let lines = page.lines().take_while(|it| !it.is_empty());
        let bare = lines.map(|it| it.split_once('\t').map_or(it, |(_, line)| line));
        assert!(bare.eq(told.lines()), "{told}");
    }
    assert_eq!(super::shown(b""), None);
}

#[test]
fn lines_are_numbered() {
    assert_eq!(shown(b"a\n\nc", None, None), "     1\ta\n     2\t\n     3\tc\n");
    assert_eq!(shown(b"\n", None, None), "     1\t\n");
}

#[test]
fn a_part_says_what_it_is_a_part_of() {
    let content = b"a\nb\nc\nd\n";
    assert_eq!(
        shown(content, Some(2), Some(3)),
        "     2\tb\n     3\tc\n\n[lines 2-3 of 4; ask for start_line 4 to see more]"
    );
    assert_eq!(shown(content, Some(3), Some(99)), "     3\tc\n     4\td\n\n[lines 3-4 of 4]");
}

#[test]
fn no_more_than_2000_lines_are_shown() {
    let text = shown("x\n".repeat(48_113).as_bytes(), None, None);
    assert_eq!(text.lines().filter(|line| line.contains('\t')).count(), 2000);
    assert!(text.ends_with("[lines 1-2000 of 48,113; ask for start_line 2001 to see more]"));
}

#[test]
fn no_more_than_50_kb_are_shown_and_no_line_is_lost() {
    let line = "x".repeat(999);
    let content = format!("{line}\n").repeat(100);
    let text = shown(content.as_bytes(), None, None);
    assert!(text.len() <= 50_000);
    let lines = text.lines().filter(|line| line.contains('\t')).count() as u64;
    let next = lines + 1;
    assert!(
        text.ends_with(&format!("[lines 1-{lines} of 100; ask for start_line {next} to see more]"))
    );
    assert!(shown(content.as_bytes(), Some(next), None).starts_with(&format!("{next:>6}\tx")));
}

#[test]
fn long_lines_are_cut_with_a_mark() {
    let text = shown("é".repeat(5000).as_bytes(), None, None);
    assert!(text.contains(&format!("{}… [6,000 bytes more in this line]\n", "é".repeat(2000))));
    let whole = "é".repeat(2000);
    assert_eq!(shown(whole.as_bytes(), None, None), format!("     1\t{whole}\n"));
}

#[test]
fn bytes_that_are_no_text_are_marked() {
    let text = shown(b"a\xffb\n", None, None);
    assert!(text.starts_with("     1\ta\\xFFb\n"), "{text}");
    assert!(text.ends_with("[1 byte here is not valid UTF-8 and is shown as \\xNN]"), "{text}");
    let text = shown(&[0xff; 9000], None, None);
    assert!(text.contains("[7,000 bytes more in this line]"), "{text}");
}

#[test]
fn line_endings_are_told_and_not_shown() {
    assert_eq!(
        shown(b"a\r\nb\r\n", None, None),
        "     1\ta\n     2\tb\n\n[these lines end in CRLF]"
    );
    assert!(shown(b"a\r\nb\n", None, None).ends_with("[1 of these lines end in CRLF]"));
}

#[test]
fn an_empty_file_and_a_binary_one_are_said_to_be() {
    assert_eq!(shown(b"", None, None), "The file is empty.");
    assert_eq!(
        shown(b"ELF\0\x01", None, None),
        "This is a binary file of 5 bytes. It is not shown."
    );
}

#[test]
fn lines_that_make_no_sense_are_errors() {
    let content = b"a\nb";
    let error = |first, last| try_shown(content, first, last).unwrap_err();
    assert_eq!(error(Some(0), None), "start_line and end_line count from 1");
    assert_eq!(error(None, Some(0)), "start_line and end_line count from 1");
    assert_eq!(error(Some(3), Some(2)), "end_line 2 is before start_line 3");
    assert_eq!(error(Some(3), None), "start_line 3 is past the end: the file has 2 lines");
    assert_eq!(
        error(Some(u64::MAX), None),
        format!("start_line {} is past the end: the file has 2 lines", u64::MAX)
    );
}
