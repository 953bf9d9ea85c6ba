//! [`Alike`]: lines that differ from one read before only in their time and in the text they bring.

/// What stands around the time and the text in a line that brought text and nothing else. A server writes the
/// next one the same to the letter but for those two, and a reply is mostly such lines: they need not be
/// parsed. Where neither has anything in it that JSON would escape, what is between the same bytes is the text.
#[derive(Default)]
pub(super) struct Alike {
    /// Up to the time.
    before: Vec<u8>,
    /// From the time to the text.
    between: Vec<u8>,
    after: Vec<u8>,
}

const TIME: &[u8] = b"\"created_at\":\"";

impl Alike {
    /// The text of a line that is like the one before.
    pub(super) fn text<'a>(&self, line: &'a [u8]) -> Option<&'a str> {
        if self.between.is_empty() {
            return None;
        }
        let timed = line.strip_prefix(self.before.as_slice())?;
        let text = without_time(timed)?.strip_prefix(self.between.as_slice())?;
        let text = text.strip_suffix(self.after.as_slice())?;
        is_plain(text).then(|| std::str::from_utf8(text).ok())?
    }

    /// Remembers what stands around `text` in a line that was parsed and brought nothing else; `key` is the
    /// field that brought it, with the quote that opens the text.
    pub(super) fn learn(&mut self, line: &[u8], key: &[u8], text: &str) {
        self.between.clear();
        let Some((before, timed)) = behind(line, TIME) else { return };
        let Some((between, rest)) =
            without_time(timed).and_then(|rest| behind(rest, key)).filter(|_| !has(before, key))
        else {
            return;
        };
        let after = rest.strip_prefix(text.as_bytes()).filter(|rest| rest.starts_with(b"\""));
        if let (true, Some(after)) = (is_plain(text.as_bytes()), after) {
            before.clone_into(&mut self.before);
            between.clone_into(&mut self.between);
            after.clone_into(&mut self.after);
        }
    }
}

/// The line up to the only place of `key`, that included, and what is behind it.
fn behind<'a>(line: &'a [u8], key: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = memchr::memmem::find(line, key)?;
    // Once only: which of two is meant cannot be told.
    let (to, rest) = line.split_at_checked(at + key.len())?;
    (!has(rest, key)).then_some((to, rest))
}

fn has(line: &[u8], key: &[u8]) -> bool {
    memchr::memmem::find(line, key).is_some()
}

/// What is behind a time, its closing quote first.
fn without_time(timed: &[u8]) -> Option<&[u8]> {
    // `2026-11-15T20:22:19.184789123+02:00` is as long as they get.
    let end = memchr::memchr(b'"', timed.get(..40).unwrap_or(timed))?;
    let (time, rest) = timed.split_at_checked(end)?;
    // All bytes at once: where it ends is known.
    let is_odd = time.iter().fold(false, |odd, byte| odd | (*byte == b'\\') | (*byte < 0x20));
    (!is_odd).then_some(rest)
}

/// Whether JSON writes the text as it is: no quotes, no backslashes, no control characters.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20))
}

#[cfg(test)]
mod tests {
    use super::Alike;

    fn line(time: &str, text: &str) -> String {
        format!(
            r#"{{"model":"m","created_at":"{time}","message":{{"role":"assistant","content":"{text}"}},"done":false}}"#
        )
    }

    #[test]
    fn only_what_differs_in_its_time_and_in_plain_text_is_alike() {
        let mut alike = Alike::default();
        assert_eq!(alike.text(line("1", "a").as_bytes()), None, "nothing was learnt");
        alike.learn(line("1", "Hello").as_bytes(), b"\"content\":\"", "Hello");
        assert_eq!(alike.text(line("2026-11-15T20:22:19.1Z", "wörld").as_bytes()), Some("wörld"));
        assert_eq!(alike.text(line("", "").as_bytes()), Some(""));
        let others = [
            line("1", r#"a \"quote\""#),
            line("1", r"a\nline"),
            line("1", r#"","thinking":"x"#),
            line("1", "x").replace("false", "true"),
            line("1", "x").replace("\"m\"", "\"n\""),
            line(r#"1","done_reason":"x"#, "x"),
            line(r"\u0031", "x"),
            line(&"1".repeat(50), "x"),
            line("1", "x") + " ",
        ];
        for other in others {
            assert_eq!(alike.text(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_learnt() {
        let mut alike = Alike::default();
        let key = b"\"content\":\"".as_slice();
        alike.learn(line("1", r"a\tb").as_bytes(), key, "a\tb");
        assert_eq!(alike.text(line("1", "x").as_bytes()), None, "an escape");
        let twice = r#"{"content":"a","created_at":"1","message":{"content":"a"}}"#;
        alike.learn(twice.as_bytes(), key, "a");
        assert_eq!(alike.text(twice.as_bytes()), None, "two places");
        alike.learn(br#"{"message":{"content":"a"}}"#, key, "a");
        assert_eq!(alike.text(br#"{"message":{"content":"a"}}"#), None, "no time");
    }
}
