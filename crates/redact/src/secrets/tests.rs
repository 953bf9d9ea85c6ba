use proptest::prelude::*;

use super::*;
use crate::{
    reference::spelled::{dumps, hex, wrapped},
    spelling,
};

const SECRET: &str = "sk-canary-0123456789abcdefXYZ-and-more-of-it";

fn secrets() -> Secrets {
    Secrets::new([SECRET])
}

fn cleaned(text: &str) -> String {
    secrets().clean(text).map_or_else(|| text.to_owned(), |(cleaned, _)| cleaned)
}

/// Each form in which a secret is written.
fn spellings() -> Vec<String> {
    let escaped = |each: fn(u8) -> String| SECRET.bytes().map(each).collect::<String>();
    let mut all = vec![
        SECRET.to_owned(),
        SECRET.chars().rev().collect(),
        hex(SECRET.as_bytes()).concat(),
        hex(SECRET.as_bytes()).concat().to_uppercase(),
    ];
    let encoded = spelling::base64(SECRET.as_bytes());
    all.extend(encoded.into_iter().map(|it| String::from_utf8(it).unwrap()));
    all.push(escaped(|it| format!("%{it:02X}")));
    all.push(escaped(|it| format!("\\x{it:02x}")));
    all.push(escaped(|it| format!("\\{it:03o}")));
    all.push(escaped(|it| format!("\\u{it:04x}")));
    all
}

/// No part of a spelling that is worth anything is left.
#[track_caller]
fn assert_gone(text: &str, of: &str) {
    let letters: Vec<char> = of.chars().collect();
    for part in letters.windows(2 * LONG) {
        let part: String = part.iter().collect();
        assert!(!text.contains(&part), "{part:?} is left in {text:?}");
    }
}

#[test]
fn what_is_spread_over_lines_is_found() {
    for before in ["", "user:", "a line of its own\n"] {
        let text = format!("{before}{SECRET}\nand the rest of the file, which may be seen\n");
        for dump in dumps(&text) {
            let left = cleaned(&dump);
            assert_gone(&left.replace([' ', '\n'], ""), &hex(SECRET.as_bytes()).concat());
            assert_gone(&left, SECRET);
            // What is beside it stays.
            assert!(left.contains(dump.lines().last().unwrap()), "{left}");
        }
    }
    let encoded = spelling::base64(SECRET.as_bytes());
    let digits = hex(SECRET.as_bytes()).concat().into_bytes();
    for spelled in encoded.into_iter().chain([digits]) {
        let spelled = String::from_utf8(spelled).unwrap();
        for width in [4, 20, 60, 64, 76] {
            let text = format!("begin\n{}\nend", wrapped(&spelled, width));
            let left = cleaned(&text);
            assert_gone(&left.replace('\n', ""), &spelled);
            assert!(left.starts_with("begin\n") && left.ends_with("\nend"), "{left}");
        }
    }
    let spaced = format!(" {} ", hex(SECRET.as_bytes()).join(" "));
    assert_eq!(cleaned(&spaced), " [redacted] ");
}

#[test]
fn nothing_else_is_taken_out() {
    let text = "The sk-\ncanary sang… and sk-ca… sang on\n00000000: 6162 6364  abcd\n";
    assert_eq!(secrets().clean(text), None);
}

proptest! {
    /// Wherever a line is cut, whatever stands around it: the secret is out of it before.
    #[test]
    fn a_line_is_cut_behind_what_was_taken_out(
        before in "[a-z ]{0,60}",
        which in 0_usize..64,
        behind in "[a-z ]{0,60}",
        most in 0_usize..200,
    ) {
        let all = spellings();
        let spelled = all.get(which % all.len()).unwrap();
        let line = secrets().line(&format!("{before}<{spelled}>{behind}"), most);
        assert_gone(&line, spelled);
        prop_assert!(line.chars().count() <= most + 1);
        prop_assert!(!line.contains(spelled.get(..LONG).unwrap()), "{}", line);
    }

    /// Whoever cut a text with the usual mark, and wherever: what is left of a secret is no use.
    #[test]
    fn what_a_cut_left_is_taken_out(which in 0_usize..64, at in 0_usize..400, gap in 0_usize..2) {
        // Escapes are read only whole.
        let all: Vec<String> = spellings().into_iter().filter(|it| !it.contains(['%', '\\'])).collect();
        let spelled = all.get(which % all.len()).unwrap();
        let at = at % spelled.len();
        let (head, tail) = spelled.split_at(at);
        let gap = ["", "\n"][gap];
        for text in [
            format!("so {head}{gap}… [truncated 7 bytes] …{gap}{tail} far"),
            format!("so {head}{gap}… [14 bytes more in this line]"),
            format!("…{gap}{tail} far"),
        ] {
            let left = cleaned(&text);
            for part in [head, tail].into_iter().filter(|it| it.len() >= LONG) {
                prop_assert!(!left.contains(part), "{part:?} in {left:?}");
            }
        }
    }
}
