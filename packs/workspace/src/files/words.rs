//! [`Rendered`]: bytes in words, and numbers.

use toolwright_core::escape_invisible;

/// `48,113`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The text of these bytes, with each that is no UTF-8 as `\xNN`, up to `most` characters.
pub(super) struct Rendered {
    pub(super) text: String,
    /// How many of the bytes are in the text.
    pub(super) used: usize,
    /// How many of them are no UTF-8.
    pub(super) invalid: u64,
}

impl Rendered {
    pub(super) fn new(bytes: &[u8], most: usize) -> Self {
        let mut it = Self { text: String::new(), used: 0, invalid: 0 };
        let mut left = most;
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars().take(left) {
                it.text.push(character);
                it.used += character.len_utf8();
                left -= 1;
            }
            for byte in chunk.invalid().iter().take(left) {
                it.text.push_str(&format!("\\x{byte:02X}"));
                it.used += 1;
                it.invalid += 1;
                left -= 1;
            }
            if left == 0 {
                break;
            }
        }
        it
    }
}

/// A text as a model may be told it in a sentence.
pub(crate) fn printable(text: &str) -> String {
    plain(text.as_bytes(), 200)
}

/// The bytes as a person may safely look at them: nothing in them is invisible, moves the cursor or
/// changes the order of the others.
pub(super) fn plain(bytes: &[u8], most: usize) -> String {
    let rendered = Rendered::new(bytes, most);
    let mut text = String::with_capacity(rendered.text.len());
    for character in escape_invisible(&rendered.text).chars() {
        if character.is_control() && character != '\t' {
            text.extend(character.escape_default());
        } else {
            text.push(character);
        }
    }
    match bytes.len() - rendered.used {
        0 => text,
        more => format!("{text}… [{} bytes more]", count(more as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [0, 999, 1000, 48113, 1_000_000].map(count),
            ["0", "999", "1,000", "48,113", "1,000,000"]
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_marked_and_counted() {
        let rendered = Rendered::new(b"a\xffb\xc3\xa9", 100);
        assert_eq!((rendered.text.as_str(), rendered.used, rendered.invalid), ("a\\xFFbé", 5, 1));
        assert_eq!(Rendered::new("ééé".as_bytes(), 2).text, "éé");
    }

    #[test]
    fn nothing_hides_in_what_a_person_is_shown() {
        assert_eq!(plain("a\u{1b}[2Jb\u{202e}c\td".as_bytes(), 100), "a\\u{1b}[2Jb⟦U+202E⟧c\td");
        assert_eq!(plain(b"abcdef", 2), "ab… [4 bytes more]");
    }
}
