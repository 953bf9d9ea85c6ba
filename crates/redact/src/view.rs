//! [`View`]: a text as it reads once decoded.

use std::ops::Range;

/// A text as it reads once decoded, and where each byte of it came from. A secret is found however
/// it was escaped, letter by letter or not at all, without a list of all the ways to do so.
#[derive(Clone)]
pub(crate) struct View {
    pub(crate) bytes: Vec<u8>,
    /// Where each byte came from, and after the last where the text ends.
    from: Vec<usize>,
    /// How much of it reads so whatever comes behind the text.
    sure: usize,
}

/// A way to write letters: what it begins with, how long it may be, and how it is read.
struct Code {
    mark: u8,
    longest: usize,
    decode: fn(&[u8], &mut Vec<u8>) -> Option<usize>,
}

/// A part of a text that is read at once.
struct Piece {
    at: usize,
    taken: usize,
    /// How much of the text decides how it is read, if it is not as it stands there.
    needed: Option<usize>,
}

const ESCAPE: Code = Code { mark: b'\\', longest: 12, decode: escape };
const PERCENT: Code = Code { mark: b'%', longest: 3, decode: percent };

impl View {
    /// The text with `\n`, `\"`, `\u0041` and their like read as JSON reads them.
    pub(crate) fn unescaped(text: &[u8]) -> Self {
        Self::decoded(text, text.len(), &ESCAPE)
    }

    /// The text with `%41` and its like read as addresses read them.
    pub(crate) fn unquoted(text: &[u8]) -> Self {
        Self::decoded(text, text.len(), &PERCENT)
    }

    /// What this view reads like with the escapes in it read once more.
    pub(crate) fn unescaped_again(&self) -> Self {
        let mut inner = Self::decoded(&self.bytes, self.sure, &ESCAPE);
        for at in &mut inner.from {
            *at = self.from.get(*at).copied().unwrap_or(*at);
        }
        inner
    }

    /// What reads so whatever comes behind the text.
    pub(crate) fn sure(&self) -> &[u8] {
        self.bytes.get(..self.sure).unwrap_or_default()
    }

    /// Where in the text a byte of the view came from.
    pub(crate) fn start(&self, at: usize) -> usize {
        self.from.get(at).copied().unwrap_or_default()
    }

    /// The last place up to this one in the text where something in the view begins.
    pub(crate) fn boundary(&self, at: usize) -> usize {
        let after = self.from.partition_point(|from| *from <= at);
        self.from.get(after.saturating_sub(1)).copied().unwrap_or_default()
    }

    /// Where in the text a part of the view came from.
    pub(crate) fn place(&self, part: &Range<usize>) -> Option<Range<usize>> {
        Some(*self.from.get(part.start)?..*self.from.get(part.end)?)
    }

    /// Reads a text of which this much is sure.
    fn decoded(text: &[u8], sure: usize, code: &Code) -> Self {
        let mut from = Vec::with_capacity(text.len() + 1);
        let mut safe = usize::MAX;
        let bytes = code.read(text, |piece, end| match piece.needed {
            None => {
                if piece.at + piece.taken > sure {
                    safe = safe.min(from.len() + sure.saturating_sub(piece.at));
                }
                from.extend(piece.at..piece.at + piece.taken);
            }
            Some(needed) => {
                if piece.at + needed > sure {
                    safe = safe.min(from.len());
                }
                from.resize(end, piece.at);
            }
        });
        from.push(text.len());
        Self { sure: safe.min(bytes.len()), bytes, from }
    }
}

impl Code {
    /// What a text reads like. `taken` is told of each piece of the text, in order, and how long the
    /// result is with it.
    fn read(&self, text: &[u8], mut taken: impl FnMut(Piece, usize)) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let plain = memchr::memchr(self.mark, rest).unwrap_or(rest.len());
            let (before, rest) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
            out.extend_from_slice(before);
            taken(Piece { at, taken: plain, needed: None }, out.len());
            at += plain;
            if rest.is_empty() {
                break;
            }
            let read = (self.decode)(rest, &mut out);
            let length = read.unwrap_or_else(|| {
                out.push(self.mark);
                1
            });
            let needed = if read.is_some() { length } else { self.longest };
            taken(Piece { at, taken: length, needed: Some(needed) }, out.len());
            at += length;
        }
        out
    }
}

/// What a text reads like as [`View::unescaped`], without where that came from: enough to see that
/// nothing is there, in half the time.
pub(crate) fn unescaped(text: &[u8]) -> Vec<u8> {
    ESCAPE.read(text, |_, _| {})
}

/// The same as [`View::unquoted`].
pub(crate) fn unquoted(text: &[u8]) -> Vec<u8> {
    PERCENT.read(text, |_, _| {})
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
        // Not JSON's, but that of most languages.
        b'x' => {
            plain_hex(text.get(2..4)?, out)?;
            return Some(4);
        }
        // Nor are three octal digits.
        b'0'..=b'3' => {
            out.push(octal(text.get(1..4)?)?);
            return Some(4);
        }
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
    plain_hex(text.get(1..3)?, out)?;
    Some(3)
}

/// What three octal digits stand for.
fn octal(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()
}

/// Two hexadecimal digits.
fn plain_hex(digits: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    out.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
    Some(())
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
        let inner = outer.unescaped_again();
        assert_eq!(reads(&inner), "{\"k\":\"a\nb\"}");
        assert_eq!(inner.place(&(6..9)).map(|it| &text[it]), Some(r"a\\nb"));
    }

    #[test]
    fn three_octal_digits_are_a_letter() {
        let text = r"\150\151 \15 \400 \+15";
        let view = View::unescaped(text.as_bytes());
        assert_eq!(reads(&view), r"hi \15 \400 \+15");
    }

    #[test]
    fn percent_signs_are_read_where_they_mean_something() {
        let view = View::unquoted("100% a%2Fb%2fc%zz%".as_bytes());
        assert_eq!(reads(&view), "100% a/b/c%zz%");
    }
}
