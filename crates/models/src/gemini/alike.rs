//! [`Alike`]: events that differ from one read before only in the text they bring, and in counts.

/// What stands around the text in an event that brought text and nothing else. The next one is the same to
/// the letter but for that text and for the tokens so far, and a reply is mostly such events: they need not be
/// parsed. Where the text has nothing in it that JSON would escape, what is between the same bytes is the text.
/// Of the counts only the last matter: they are read at the end.
#[derive(Default)]
pub(super) struct Alike {
    before: Vec<u8>,
    /// What stands behind the text, cut where counts stand.
    after: Vec<Vec<u8>>,
    /// The last event that was not parsed, for its counts; empty where there was none.
    last: Vec<u8>,
}

const TEXT: &[u8] = b"\"text\"";

impl Alike {
    /// The text of an event that is like the one before.
    pub(super) fn text<'a>(&mut self, event: &'a [u8]) -> Option<&'a str> {
        if self.before.is_empty() {
            return None;
        }
        let rest = event.strip_prefix(self.before.as_slice())?;
        let end = memchr::memchr2(b'"', b'\\', rest)?;
        let (text, mut rest) = rest.split_at_checked(end)?;
        let mut pieces = self.after.iter();
        rest = rest.strip_prefix(pieces.next()?.as_slice())?;
        for piece in pieces {
            let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
            rest = rest.get(digits..).filter(|_| digits > 0)?.strip_prefix(piece.as_slice())?;
        }
        let text = std::str::from_utf8(text).ok()?;
        if !rest.is_empty() || !is_plain(text) {
            return None;
        }
        if self.after.len() > 1 {
            self.last.clear();
            self.last.extend_from_slice(event);
        }
        Some(text)
    }

    /// Remembers what stands around `text` in an event that was parsed and brought nothing else.
    pub(super) fn learn(&mut self, event: &[u8], text: &str) {
        self.before.clear();
        self.after.clear();
        let mut found = memchr::memmem::find_iter(event, TEXT).map(|at| at + TEXT.len());
        // Once only: which of two holds the text cannot be told.
        let (Some(at), None) = (found.next(), found.next()) else { return };
        let opening = |it: &[u8]| it.iter().position(|byte| !matches!(byte, b':' | b' '));
        let begin = event.get(at..).and_then(opening).map(|skipped| at + skipped + 1);
        let Some((before, rest)) = begin.and_then(|it| event.split_at_checked(it)) else { return };
        let after = rest.strip_prefix(text.as_bytes()).filter(|rest| rest.starts_with(b"\""));
        if let (true, Some(after)) = (is_plain(text) && before.ends_with(b"\""), after) {
            self.before.extend_from_slice(before);
            self.after = cut(after);
        }
    }

    /// The last event that was not parsed, where its counts are the last ones.
    pub(super) fn last(&self) -> Option<&[u8]> {
        (!self.last.is_empty()).then_some(&self.last)
    }

    /// Notes that newer counts were read.
    pub(super) fn counted(&mut self) {
        self.last.clear();
    }
}

/// Whether JSON writes the text as it is: no quotes, no backslashes, no control characters.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20))
}

/// What stands behind a text, cut at the numbers among the counts. Any other number is no count: it must stay
/// the same.
fn cut(after: &[u8]) -> Vec<Vec<u8>> {
    let counts = [&b"\"usageMetadata\""[..], b"\"usage_metadata\""];
    let counts = counts.iter().find_map(|it| memchr::memmem::find(after, it));
    let mut pieces = Vec::new();
    let mut piece = Vec::new();
    let mut in_number = false;
    for (at, byte) in after.iter().enumerate() {
        let begins = counts.is_some_and(|counts| at > counts)
            && byte.is_ascii_digit()
            && matches!(piece.last(), Some(b':' | b' '));
        in_number = byte.is_ascii_digit() && (in_number || begins);
        if begins {
            pieces.push(std::mem::take(&mut piece));
        }
        if !in_number {
            piece.push(*byte);
        }
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use super::Alike;

    fn event(index: u8, text: &str, tokens: u32) -> String {
        format!(
            "{{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"{text}\"}}],\"role\": \"model\"}},\
             \"index\": {index}}}],\"usageMetadata\": {{\"promptTokenCount\": 5,\"totalTokenCount\": \
             {tokens}}},\"modelVersion\": \"gemini-4-argon\"}}"
        )
    }

    fn learnt() -> Alike {
        let mut alike = Alike::default();
        assert_eq!(alike.text(event(0, "a", 1).as_bytes()), None, "nothing was learnt");
        alike.learn(event(0, "Hello", 9).as_bytes(), "Hello");
        assert_eq!(alike.last(), None);
        alike
    }

    #[test]
    fn only_what_differs_in_plain_text_and_counts_is_alike() {
        let mut alike = learnt();
        assert_eq!(alike.text(event(0, " wörld", 10).as_bytes()), Some(" wörld"));
        assert_eq!(alike.text(event(0, "", 1234).as_bytes()), Some(""));
        assert_eq!(alike.last(), Some(event(0, "", 1234).as_bytes()));
        let others = [
            event(1, "another reply", 10),
            event(0, r#"a \"quote\""#, 10),
            event(0, r"a\nline", 10),
            event(0, "a\tb", 10),
            event(0, r#"x"}],"finishReason":"STOP"#, 10),
            event(0, "x", 10) + " ",
            event(0, "x", 10).replace("10}", "}"),
            event(0, "x", 10).replace("10}", "-1}"),
            event(0, "x", 10).replace("10}", "10,\"error\":{}}"),
            event(0, "x", 10).replace("gemini-4", "gemini-5"),
            event(0, "x", 10).replace("\"role\"", "\"thought\": true,\"role\""),
        ];
        for other in others {
            assert_eq!(alike.text(other.as_bytes()), None, "{other}");
        }
        assert_eq!(alike.last(), Some(event(0, "", 1234).as_bytes()), "only what was taken");
        alike.counted();
        assert_eq!(alike.last(), None);
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_learnt() {
        for (event, text) in [
            (event(0, r"a\tb", 1), "a\tb"),
            (r#"{"text":"a","parts":[{"text":"a"}]}"#.to_owned(), "a"),
            (r#"{"text":7}"#.to_owned(), "7"),
            (r#"{"text":"#.to_owned(), ""),
        ] {
            let mut alike = learnt();
            alike.learn(event.as_bytes(), text);
            assert_eq!(alike.text(event.as_bytes()), None, "{event}");
        }
    }
}
