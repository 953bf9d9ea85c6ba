//! [`Digits`]: what programs write over several lines, as the digits and letters it is made of.

use std::ops::Range;

/// The letters of a text in a row, without the layout around them: `base64` and `xxd -p` break their lines,
/// `xxd`, `hexdump -C` and `od -t x1` set digits in groups, with a number before and the text beside them.
pub(crate) struct Digits {
    pub(crate) bytes: Vec<u8>,
    /// Where each byte came from.
    from: Vec<usize>,
    /// Whether what stands beside the digits, up to the end of their line, tells the same.
    has_column: bool,
}

impl Digits {
    /// The text without its spaces and line breaks.
    pub(crate) fn wrapped(text: &[u8]) -> Self {
        let mut digits = Self { bytes: Vec::new(), from: Vec::new(), has_column: false };
        digits.take(text, 0);
        digits
    }

    /// The digits of lines that begin with a number and go on with pairs of hexadecimal digits. What
    /// other lines part is not joined.
    pub(crate) fn dumped(text: &[u8]) -> Self {
        let mut digits = Self { bytes: Vec::new(), from: Vec::new(), has_column: true };
        let mut at = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            match groups(line) {
                Some(part) => {
                    digits.take(line.get(part.clone()).unwrap_or_default(), at + part.start);
                }
                None if digits.bytes.last() != Some(&b'\n') => {
                    digits.bytes.push(b'\n');
                    digits.from.push(at);
                }
                None => {}
            }
            at += line.len();
        }
        digits
    }

    fn take(&mut self, text: &[u8], start: usize) {
        let letters = text.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
        for (at, byte) in letters {
            self.bytes.push(*byte);
            self.from.push(start + at);
        }
    }

    /// Where in the text a part came from.
    pub(crate) fn place(&self, text: &[u8], part: &Range<usize>) -> Option<Range<usize>> {
        let start = *self.from.get(part.start)?;
        let last = *self.from.get(part.end.checked_sub(1)?)?;
        let behind = text.get(last + 1..).unwrap_or_default();
        let end = match memchr::memchr(b'\n', behind) {
            _ if !self.has_column => last + 1,
            Some(at) => last + 1 + at,
            None => text.len(),
        };
        Some(start..end)
    }
}

/// Whether there is anything for [`Digits::wrapped`] to leave out.
pub(crate) fn has_spaces(text: &[u8]) -> bool {
    memchr::memchr2(b' ', b'\n', text).is_some()
        || memchr::memchr3(b'\t', b'\r', b'\x0c', text).is_some()
}

/// The bytes of [`Digits::wrapped`], without where they came from: enough to see that nothing is there.
pub(crate) fn unwrapped(text: &[u8]) -> Vec<u8> {
    // Each letter is written, and written over if it was a space: a jump for every word costs more.
    let mut letters = vec![0; text.len()];
    let mut length = 0;
    for byte in text {
        if let Some(place) = letters.get_mut(length) {
            *place = *byte;
        }
        length += usize::from(!byte.is_ascii_whitespace());
    }
    letters.truncate(length);
    letters
}

/// Whether any line is one of a dump.
pub(crate) fn is_in(text: &[u8]) -> bool {
    let behind = memchr::memchr_iter(b'\n', text).map(|at| at + 1);
    let mut starts = std::iter::once(0).chain(behind);
    starts.any(|start| {
        let rest = text.get(start..).unwrap_or_default();
        let mut number = rest.iter().skip_while(|byte| **byte == b' ').take(4);
        // Hardly any line begins so, and only of those the end is looked for.
        number.all(u8::is_ascii_hexdigit) && {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            groups(rest.get(..end).unwrap_or_default()).is_some()
        }
    })
}

/// Where in a line of a dump the digits are.
fn groups(line: &[u8]) -> Option<Range<usize>> {
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
    let indent = line.iter().take_while(|byte| **byte == b' ').count();
    let number = line.get(indent..)?.iter().take_while(|byte| is_digit(byte)).count();
    if number < 4 {
        return None;
    }
    let after = indent + number;
    let has_colon = line.get(after) == Some(&b':');
    let start = after + usize::from(has_colon);
    let (mut at, mut end) = (start, start);
    loop {
        let spaces = line.get(at..)?.iter().take_while(|byte| **byte == b' ').count();
        let from = at + spaces;
        let length = line.get(from..)?.iter().take_while(|byte| is_digit(byte)).count();
        let follows = line.get(from + length).is_none_or(u8::is_ascii_whitespace);
        // Behind two spaces is what the digits mean, where a colon stands behind the number.
        let is_column = has_colon && spaces > 1 && end > start;
        if spaces == 0 || length == 0 || !length.is_multiple_of(2) || !follows || is_column {
            break;
        }
        at = from + length;
        end = at;
    }
    (end > start).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> String {
        String::from_utf8(Digits::dumped(text.as_bytes()).bytes).unwrap()
    }

    #[test]
    fn the_digits_of_a_dump_are_read_and_nothing_beside_them() {
        let xxd = "00000000: 6162 6364 6566  abcdef\n00000006: 67             g\n";
        assert_eq!(digits(xxd), "61626364656667");
        let hexdump = "00000000  61 62  63 64  |ab cd|\n00000004\n";
        assert_eq!(digits(hexdump), "61626364\n");
        assert_eq!(digits("0000000 61 62\n0000002 63\n"), "616263");
        assert_eq!(digits("a line\nanother\n"), "\n");
    }
}
