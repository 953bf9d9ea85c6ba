//! [`Alike`]: events that differ from one read before only in the text they bring.

/// What stands around the text in an event that brought text and nothing else. The next one is written the same to
/// the letter but for that text, and but for the blanks behind it with which the provider pads its events; and a
/// reply is mostly such events: they need not be parsed. Where the text has nothing in it that JSON would escape,
/// what is between the same bytes is the text.
#[derive(Default)]
pub(super) struct Alike {
    before: Vec<u8>,
    /// How many brackets close behind the text. Zero where nothing was learnt.
    closing: usize,
    /// The block that the text belongs to.
    block: usize,
}

impl Alike {
    /// The text of an event that is like the one before, and the block it belongs to.
    pub(super) fn text<'a>(&self, event: &'a [u8]) -> Option<(usize, &'a str)> {
        if self.closing == 0 {
            return None;
        }
        let text = event.strip_prefix(self.before.as_slice())?;
        let (text, end) = text.split_at_checked(memchr::memrchr(b'"', text)?)?;
        if closing(end)? != self.closing || !is_plain(text) {
            return None;
        }
        Some((self.block, std::str::from_utf8(text).ok()?))
    }

    /// Remembers what stands around `text` in an event that was parsed and brought nothing else, `key` being what
    /// the text stands behind. Where that cannot be told, what was learnt before still holds.
    pub(super) fn learn(&mut self, event: &[u8], key: &[u8], text: &str, block: usize) {
        let mut found = memchr::memmem::find_iter(event, key).map(|at| at + key.len());
        // Once only: which of two holds the text cannot be told.
        let (Some(at), None) = (found.next(), found.next()) else { return };
        let Some((before, rest)) = event.split_at_checked(at) else { return };
        let end = rest.strip_prefix(text.as_bytes()).and_then(closing);
        if let (true, Some(closing)) = (is_plain(text.as_bytes()), end) {
            self.before.clear();
            self.before.extend_from_slice(before);
            (self.closing, self.block) = (closing, block);
        }
    }

    /// Forgets what was learnt.
    pub(super) fn forget(&mut self) {
        self.closing = 0;
    }
}

/// How many brackets close behind the quote that ends a text, where there is nothing else.
fn closing(end: &[u8]) -> Option<usize> {
    let end = end.strip_prefix(b"\"")?;
    let brackets = end.iter().filter(|it| **it == b'}').count();
    let blanks = end.iter().filter(|it| it.is_ascii_whitespace()).count();
    (brackets > 0 && brackets + blanks == end.len()).then_some(brackets)
}

/// Whether JSON writes the text as it is: no quotes, no backslashes, no control characters.
fn is_plain(text: &[u8]) -> bool {
    text.iter().all(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20))
}

#[cfg(test)]
mod tests {
    use super::Alike;

    const KEY: &[u8] = b"\"text\":\"";

    fn event(index: u32, text: &str) -> String {
        format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"text_delta","text":"{text}"}}}}"#
        )
    }

    #[test]
    fn only_what_differs_in_plain_text_alone_is_alike() {
        let mut alike = Alike::default();
        assert_eq!(alike.text(event(1, "a").as_bytes()), None, "nothing was learnt");
        alike.learn(event(1, "Hello").as_bytes(), KEY, "Hello", 7);
        assert_eq!(alike.text(event(1, " wörld").as_bytes()), Some((7, " wörld")));
        assert_eq!(alike.text(event(1, "").as_bytes()), Some((7, "")));
        let padded = event(1, "x").replace("\"}}", "\" }    } ");
        assert_eq!(alike.text(padded.as_bytes()), Some((7, "x")));
        for other in [
            event(2, "other index"),
            event(1, r#"a \"quote\""#),
            event(1, r"a\nline"),
            event(1, "x") + "}",
            event(1, "x").replace("}}", "},\"more\":1}"),
            event(1, r#"x","type":"other"#),
            event(1, "x").replace("}}", "}"),
        ] {
            assert_eq!(alike.text(other.as_bytes()), None, "{other}");
        }
        alike.learn(event(1, r"a\tb").as_bytes(), KEY, "a\tb", 7);
        assert_eq!(alike.text(event(1, "x").as_bytes()), Some((7, "x")), "still");
        alike.forget();
        assert_eq!(alike.text(event(1, "x").as_bytes()), None);
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_learnt() {
        let mut alike = Alike::default();
        alike.learn(event(1, r"a\tb").as_bytes(), KEY, "a\tb", 0);
        assert_eq!(alike.text(event(1, "x").as_bytes()), None, "an escape");
        let twice = r#"{"text":"Hi","delta":{"text":"Hi"}}"#;
        alike.learn(twice.as_bytes(), KEY, "Hi", 0);
        assert_eq!(alike.text(twice.as_bytes()), None, "two places");
        let behind = r#"{"delta":{"text":"Hi"},"index":0}"#;
        alike.learn(behind.as_bytes(), KEY, "Hi", 0);
        assert_eq!(alike.text(behind.as_bytes()), None, "something behind it");
    }
}
