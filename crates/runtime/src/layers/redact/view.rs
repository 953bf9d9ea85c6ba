//! [`View`]: a text as it reads once decoded.

use std::ops::Range;

/// A text as it reads once decoded, and where each byte of it came from. A secret is found however
/// it was escaped, letter by letter or not at all, without a list of all the ways to do so.
pub(super) struct View {
    pub(super) bytes: Vec<u8>,
    /// Where each byte came from, and after the last where the text ends.
    from: Vec<usize>,
}

impl View {
    /// The text with `\n`, `\"`, `\u0041` and their like read as JSON reads them.
    pub(super) fn unescaped(text: &[u8]) -> Self {
        Self::decoded(text, b'\\', escape)
    }

    /// The text with `%41` and its like read as addresses read them.
    pub(super) fn unquoted(text: &[u8]) -> Self {
        Self::decoded(text, b'%', percent)
    }

    /// This view, of a text that was itself a view.
    pub(super) fn through(mut self, outer: &Self) -> Self {
        for at in &mut self.from {
            *at = outer.from.get(*at).copied().unwrap_or(*at);
        }
        self
    }

    /// Where in the text a part of the view came from.
    pub(super) fn place(&self, part: &Range<usize>) -> Option<Range<usize>> {
        Some(*self.from.get(part.start)?..*self.from.get(part.end)?)
    }

    fn decoded(text: &[u8], mark: u8, decode: fn(&[u8], &mut Vec<u8>) -> Option<usize>) -> Self {
        let mut view = Self {
            bytes: Vec::with_capacity(text.len()),
            from: Vec::with_capacity(text.len() + 1),
        };
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let plain = memchr::memchr(mark, rest).unwrap_or(rest.len());
            view.bytes.extend(rest.iter().take(plain));
            view.from.extend(at..at + plain);
            at += plain;
            let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) else { break };
            let taken = decode(rest, &mut view.bytes).unwrap_or_else(|| {
                view.bytes.push(mark);
                1
            });
            view.from.resize(view.bytes.len(), at);
            at += taken;
        }
        view.from.push(text.len());
        view
    }
}

/// Reads the escape at the beginning of a text: how long it is, and what it stands for.
fn escape(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let plain = match text.get(1)? {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 8,
        b'f' => 12,
        known @ (b'"' | b'\\' | b'/') => *known,
        b'u' => return letter(text, out),
        _ => return None,
    };
    out.push(plain);
    Some(2)
}

/// `\u0041`, or two of them for a letter that needs both.
fn letter(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let first = unit(0)?;
    let units = [first, unit(6).unwrap_or_default()];
    let read = char::decode_utf16(units).next()?.ok()?;
    out.extend(read.encode_utf8(&mut [0; 4]).as_bytes());
    Some(if read.len_utf16() == 2 { 12 } else { 6 })
}

fn percent(text: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let digits = std::str::from_utf8(text.get(1..3)?).ok()?;
    out.push(u8::from_str_radix(digits, 16).ok()?);
    Some(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(view: &View) -> &str {
        std::str::from_utf8(&view.bytes).unwrap()
    }

    #[test]
    fn escapes_are_read_and_found_again() {
        let text = r#"a\"b\u0063\ud83d\ude00 \x \"#;
        let view = View::unescaped(text.as_bytes());
        assert_eq!(reads(&view), "a\"bc😀 \\x \\");
        assert_eq!(view.place(&(1..4)).map(|it| &text[it]), Some(r#"\"b\u0063"#));
        assert_eq!(view.place(&(4..8)).map(|it| &text[it]), Some(r"\ud83d\ude00"));
        assert_eq!(view.place(&(0..view.bytes.len())), Some(0..text.len()));
    }

    #[test]
    fn a_view_of_a_view_leads_back_to_the_text() {
        let text = r#"{\"k\":\"a\\nb\"}"#;
        let outer = View::unescaped(text.as_bytes());
        let inner = View::unescaped(&outer.bytes).through(&outer);
        assert_eq!(reads(&inner), "{\"k\":\"a\nb\"}");
        assert_eq!(inner.place(&(6..9)).map(|it| &text[it]), Some(r"a\\nb"));
    }

    #[test]
    fn percent_signs_are_read_where_they_mean_something() {
        let view = View::unquoted("100% a%2Fb%2fc%zz%".as_bytes());
        assert_eq!(reads(&view), "100% a/b/c%zz%");
    }
}
