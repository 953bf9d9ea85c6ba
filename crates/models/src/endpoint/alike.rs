//! [`Alike`]: chunks that differ from one read before only in the text they bring.

/// What stands around the text in a chunk that brought text and nothing else. A server writes the
/// next one the same to the letter but for that text, and but for blanks at the end with which some pad
/// theirs; and a reply is mostly such chunks: they need not be parsed. Where the text has nothing in it
/// that JSON would escape, what is between the same bytes is the text.
#[derive(Default)]
pub(crate) struct Alike {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Alike {
    /// The text of a chunk that is like the one before.
    pub(crate) fn text<'a>(&self, chunk: &'a [u8]) -> Option<&'a str> {
        if self.before.is_empty() {
            return None;
        }
        let text = chunk.strip_prefix(self.before.as_slice())?;
        let text = text.trim_ascii_end().strip_suffix(self.after.as_slice())?;
        is_plain(text).then(|| std::str::from_utf8(text).ok())?
    }

    /// Remembers what stands around `text` in a chunk that was parsed and brought nothing else, `key` being what
    /// the text stands behind.
    pub(crate) fn learn(&mut self, chunk: &[u8], key: &[u8], text: &str) {
        self.forget();
        let chunk = chunk.trim_ascii_end();
        let mut found = memchr::memmem::find_iter(chunk, key).map(|at| at + key.len());
        // Once only: which of two holds the text cannot be told.
        let (Some(at), None) = (found.next(), found.next()) else { return };
        let Some((before, rest)) = chunk.split_at_checked(at) else { return };
        let after = rest.strip_prefix(text.as_bytes()).filter(|rest| rest.starts_with(b"\""));
        if let (true, Some(after)) = (is_plain(text.as_bytes()), after) {
            self.before.extend_from_slice(before);
            self.after.extend_from_slice(after);
        }
    }

    /// Forgets it: what comes next may mean something else.
    pub(crate) fn forget(&mut self) {
        self.before.clear();
        self.after.clear();
    }
}

/// Whether JSON writes the text as it is: no quotes, no backslashes, no control characters.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20))
}

#[cfg(test)]
mod tests {
    use super::Alike;

    const CONTENT: &[u8] = b"\"content\":\"";

    fn chunk(id: u32, text: &str) -> String {
        format!(
            r#"{{"id":{id},"choices":[{{"delta":{{"content":"{text}"}},"finish_reason":null}}]}}"#
        )
    }

    #[test]
    fn only_what_differs_in_plain_text_alone_is_alike() {
        let mut alike = Alike::default();
        assert_eq!(alike.text(chunk(1, "a").as_bytes()), None, "nothing was learnt");
        alike.learn(chunk(1, "Hello").as_bytes(), CONTENT, "Hello");
        assert_eq!(alike.text(chunk(1, " wörld").as_bytes()), Some(" wörld"));
        assert_eq!(alike.text(chunk(1, "").as_bytes()), Some(""));
        assert_eq!(alike.text((chunk(1, "padded") + "  ").as_bytes()), Some("padded"));
        let others = [
            chunk(2, "other id"),
            chunk(1, r#"a \"quote\""#),
            chunk(1, r"a\nline"),
            chunk(1, r#"x"},"finish_reason":"stop"#),
            chunk(1, "x").replace("null", "\"stop\""),
            chunk(1, "x") + " }",
        ];
        for other in others {
            assert_eq!(alike.text(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_learnt() {
        let mut alike = Alike::default();
        alike.learn(chunk(1, r"a\tb").as_bytes(), CONTENT, "a\tb");
        assert_eq!(alike.text(chunk(1, "x").as_bytes()), None, "an escape");
        let twice = r#"{"content":"Hello","choices":[{"delta":{"content":"Hello"}}]}"#;
        alike.learn(twice.as_bytes(), CONTENT, "Hello");
        assert_eq!(alike.text(twice.as_bytes()), None, "two places");
    }
}
