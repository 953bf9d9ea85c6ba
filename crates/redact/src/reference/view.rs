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
        let mut view = Self {
            bytes: Vec::with_capacity(text.len()),
            from: Vec::with_capacity(text.len() + 1),
            sure: usize::MAX,
        };
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let plain = memchr::memchr(code.mark, rest).unwrap_or(rest.len());
            if at + plain > sure {
                view.sure = view.sure.min(view.bytes.len() + sure.saturating_sub(at));
            }
            view.bytes.extend(rest.iter().take(plain));
            view.from.extend(at..at + plain);
            at += plain;
            let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) else { break };
            let read = (code.decode)(rest, &mut view.bytes);
            let taken = read.unwrap_or_else(|| {
                view.bytes.push(code.mark);
                1
            });
            let needed = if read.is_some() { taken } else { code.longest };
            if at + needed > sure {
                view.sure = view.sure.min(view.from.len());
            }
            view.from.resize(view.bytes.len(), at);
            at += taken;
        }
        view.sure = view.sure.min(view.bytes.len());
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
