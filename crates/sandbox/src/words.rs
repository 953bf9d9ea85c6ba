//! [`Words`]: what a program wrote, as text that anything can show.

use crate::Output;

/// Stands for what is no text.
const UNKNOWN: char = '\u{fffd}';

/// What a program wrote, without what only a terminal understands.
#[derive(Default)]
pub struct Words {
    /// The text.
    pub text: String,
    /// How many bytes of it were no text, and are shown as `�`.
    pub replaced: u64,
    state: State,
}

/// Where in a terminal's command the text is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// After ESC and a character that says more follows.
    Charset,
    /// In ESC [ …
    Sequence,
    /// In ESC ] … and its like, which go on to BEL or ESC \.
    Title,
}

impl From<Output> for Words {
    fn from(output: Output) -> Self {
        let Output { mut head, mut tail, skipped } = output;
        let mut words =
            Self { text: String::with_capacity(head.len() + tail.len()), ..Self::default() };
        if skipped == 0 {
            head.append(&mut tail);
            words.push(&head);
            return words;
        }
        // What was cut through is not text that the command wrote wrongly.
        let whole = head.len() - split(&head);
        let begun = tail.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
        let cut = skipped + (head.len() - whole + begun) as u64;
        words.push(head.get(..whole).unwrap_or_default());
        drop(head);
        words.state = State::Text;
        words.text.push_str(&format!("\n… [truncated {cut} bytes] …\n"));
        words.push(tail.get(begun..).unwrap_or_default());
        words
    }
}

impl Words {
    fn push(&mut self, bytes: &[u8]) {
        for chunk in bytes.utf8_chunks() {
            chunk.valid().chars().for_each(|next| self.next(next));
            if !chunk.invalid().is_empty() {
                self.replaced += chunk.invalid().len() as u64;
                self.text.push(UNKNOWN);
            }
        }
    }

    fn next(&mut self, next: char) {
        self.state = match (self.state, next) {
            (_, '\u{1b}') => State::Escape,
            (State::Text, '\0') => {
                self.replaced += 1;
                self.text.push(UNKNOWN);
                State::Text
            }
            (State::Text, '\u{9b}') => State::Sequence,
            (State::Escape, '[') => State::Sequence,
            (State::Escape, ']' | 'P' | 'X' | '^' | '_') => State::Title,
            (State::Escape | State::Charset, ' '..='/') => State::Charset,
            (State::Escape | State::Charset, '0'..='~') => State::Text,
            (State::Sequence, ' '..='?') => State::Sequence,
            (State::Sequence, '@'..='~') | (State::Title, '\u{7}' | '\u{9c}') => State::Text,
            // No title goes on over lines: it was none.
            (State::Title, other) if other != '\n' => State::Title,
            (_, other) => {
                self.text.push(other);
                State::Text
            }
        };
    }
}

/// How many bytes at the end are the beginning of a character.
fn split(bytes: &[u8]) -> usize {
    let last = bytes.iter().rev().take(4).position(|byte| *byte & 0xc0 != 0x80);
    let Some(back) = last else { return 0 };
    let first = bytes.iter().rev().nth(back).copied().unwrap_or_default();
    let needed = match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    };
    if back + 1 < needed { back + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(head: &[u8], tail: &[u8], skipped: u64) -> Words {
        Output { head: head.to_vec(), tail: tail.to_vec(), skipped }.into()
    }

    #[test]
    fn what_only_a_terminal_understands_is_left_out() {
        for (written, read) in [
            ("\u{1b}[1;31mred\u{1b}[0m text", "red text"),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(Btext\u{1b}7\u{1b}8", "text"),
            ("\u{1b}]never ends\nnext", "\nnext"),
            ("a\u{1b}", "a"),
            ("tab\tline\r\n", "tab\tline\r\n"),
        ] {
            assert_eq!(words(written.as_bytes(), b"", 0).text, read, "{written:?}");
        }
    }

    #[test]
    fn what_is_no_text_is_replaced_and_counted() {
        let words = words(b"a\xff\0b\xe2\x82", b"\xacc", 0);
        assert_eq!((words.text.as_str(), words.replaced), ("a\u{fffd}\u{fffd}b\u{20ac}c", 2));
    }

    #[test]
    fn a_character_that_was_cut_through_is_let_go() {
        let words = words("ab\u{20ac}".as_bytes().get(..4).unwrap(), b"\x82\xaccd", 10);
        assert_eq!(words.text, "ab\n… [truncated 14 bytes] …\ncd");
        assert_eq!(words.replaced, 0);
    }
}
