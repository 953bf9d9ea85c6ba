//! [`Draft`]: a line that is typed while a run goes on: what the keys make of it.

use toolwright_core::QueueMode;

/// What came of some keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Keyed {
    /// The line is this now.
    Draft(String),
    /// It was entered: the run takes it up, or it is asked after it.
    Entered(String, QueueMode),
}

/// A line that is typed while a run goes on.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    /// Bytes of a letter that is not whole.
    bytes: Vec<u8>,
    escape: Escape,
    /// What was read of a sequence, behind `ESC [`.
    sequence: Vec<u8>,
    /// What comes is pasted: the end of a line in it enters nothing.
    is_pasted: bool,
}

/// How much of a sequence was read that begins with Escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    Begun,
    /// Up to a letter or `~`.
    Sequence,
    /// One more byte (`ESC O P`).
    Single,
}

/// The longest line, in bytes.
const LONGEST: usize = 64 << 10;
/// The sequences that a terminal puts around what is pasted.
const PASTE_BEGINS: &[u8] = b"200~";
const PASTE_ENDS: &[u8] = b"201~";

impl Draft {
    /// Takes up what was typed.
    pub(super) fn feed(&mut self, typed: &[u8]) -> Vec<Keyed> {
        let mut keyed = Vec::new();
        for byte in typed {
            keyed.extend(self.key(*byte));
        }
        keyed.push(Keyed::Draft(self.text.clone()));
        keyed
    }

    /// What stands there and was not entered.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What stands there now, where somebody else has taken it up.
    pub(super) fn set_text(&mut self, text: String) {
        self.text = text;
    }

    /// Whether Escape was pressed, or the rest of a sequence is to come.
    pub(super) fn is_escaped(&self) -> bool {
        self.escape == Escape::Begun
    }

    /// Nothing came behind Escape: the next key is a key of its own.
    pub(super) fn escape_alone(&mut self) {
        self.escape = Escape::None;
    }

    fn key(&mut self, byte: u8) -> Option<Keyed> {
        match (std::mem::take(&mut self.escape), byte) {
            (Escape::Begun, b'\r' | b'\n') => return self.entered(QueueMode::Next),
            (Escape::Begun, b'[') => {
                self.sequence.clear();
                self.escape = Escape::Sequence;
            }
            (Escape::Begun, b'O') => self.escape = Escape::Single,
            (Escape::Begun | Escape::Single, _) => {}
            (Escape::Sequence, b'@'..=b'~') => {
                self.sequence.push(byte);
                self.is_pasted = match self.sequence.as_slice() {
                    PASTE_BEGINS => true,
                    PASTE_ENDS => false,
                    _ => self.is_pasted,
                };
            }
            (Escape::Sequence, _) => {
                // None that means something is longer.
                if self.sequence.len() < PASTE_ENDS.len() {
                    self.sequence.push(byte);
                }
                self.escape = Escape::Sequence;
            }
            (Escape::None, b'\r' | b'\n') if self.is_pasted => self.letter(b'\n'),
            (Escape::None, b'\t') if self.is_pasted => self.letter(b'\t'),
            (Escape::None, b'\r' | b'\n') => return self.entered(QueueMode::Steer),
            (Escape::None, 0x1b) => self.escape = Escape::Begun,
            (Escape::None, 0x08 | 0x7f) => drop(self.text.pop()),
            // Ctrl-U and Ctrl-W, as everywhere else.
            (Escape::None, 0x15) => self.text.clear(),
            (Escape::None, 0x17) => {
                let kept = self.text.trim_end().rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.text.truncate(kept);
            }
            (Escape::None, ..0x20) => {}
            (Escape::None, byte) => self.letter(byte),
        }
        None
    }

    fn entered(&mut self, mode: QueueMode) -> Option<Keyed> {
        // It goes on in the next line.
        if self.text.ends_with('\\') {
            self.text.pop();
            self.text.push('\n');
            return None;
        }
        let text = std::mem::take(&mut self.text);
        (!text.trim().is_empty()).then_some(Keyed::Entered(text, mode))
    }

    fn letter(&mut self, byte: u8) {
        if byte.is_ascii() {
            self.bytes.clear();
        }
        self.bytes.push(byte);
        match std::str::from_utf8(&self.bytes) {
            Ok(letter) if self.text.len() < LONGEST => self.text.push_str(letter),
            // It goes on, or is none.
            Err(error) if error.error_len().is_none() => return,
            _ => {}
        }
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use toolwright_core::QueueMode;

    use super::{Draft, Keyed};

    fn entered(typed: &[u8]) -> (Vec<(String, QueueMode)>, String) {
        // However it is cut: a terminal sends what it likes at once.
        let mut draft = Draft::default();
        let keyed = typed.iter().flat_map(|byte| draft.feed(&[*byte])).collect::<Vec<_>>();
        let lines = keyed.into_iter().filter_map(|it| match it {
            Keyed::Entered(text, mode) => Some((text, mode)),
            Keyed::Draft(_) => None,
        });
        (lines.collect(), draft.text().to_owned())
    }

    #[test]
    fn a_line_is_entered_for_now_or_for_later() {
        let (lines, rest) = entered("And in Oslo?\rThen\u{1b}\rmore".as_bytes());
        let then = ("Then".to_owned(), QueueMode::Next);
        assert_eq!(lines, [("And in Oslo?".to_owned(), QueueMode::Steer), then]);
        assert_eq!(rest, "more");
    }

    /// Whatever stands in it, a paste is one text, and nothing of it is entered by itself.
    #[test]
    fn what_is_pasted_is_entered_by_a_key() {
        let (lines, rest) = entered(b"a \x1b[200~one\r/quit\nthr\tee\x1b[201~ b\rc");
        assert_eq!(lines, [("a one\n/quit\nthr\tee b".to_owned(), QueueMode::Steer)]);
        assert_eq!(rest, "c");
    }

    #[test]
    fn a_line_that_ends_in_a_backslash_goes_on() {
        let (lines, rest) = entered(b"first\\\rsecond\rc:\\\r");
        assert_eq!(lines, [("first\nsecond".to_owned(), QueueMode::Steer)]);
        assert_eq!(rest, "c:\n");
    }

    #[test]
    fn escape_alone_takes_no_other_key_with_it() {
        let mut draft = Draft::default();
        draft.feed(b"\x1b");
        assert!(draft.is_escaped());
        draft.escape_alone();
        draft.feed(b"hello");
        assert_eq!(draft.text(), "hello");
    }

    #[test]
    fn keys_edit_and_sequences_are_no_text() {
        for (typed, text) in [
            ("ab\u{7f}c", "ac"),
            ("Größe 気\u{7f}温", "Größe 温"),
            ("one two\u{17}three", "one three"),
            ("gone\u{15}here", "here"),
            ("a\u{1b}[A\u{1b}[1;5C\u{1b}[3~\u{1b}OPb", "ab"),
            ("a\u{1b}fb\tc", "abc"),
            ("\u{7f}\u{17}", ""),
        ] {
            assert_eq!(entered(typed.as_bytes()).1, text, "{typed:?}");
        }
        assert_eq!(entered(b"a\xff\xc3b").1, "ab", "what is no text is left out");
        assert!(entered(b" \r\r").0.is_empty());
    }
}
