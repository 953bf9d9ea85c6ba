//! The letters that stand for bytes in a vocabulary: each byte has one that can be seen.

/// The byte that a letter stands for.
pub(super) fn byte(letter: char) -> Option<u8> {
    let code = u32::from(letter);
    match code {
        33..=126 | 161..=172 | 174..=255 => u8::try_from(code).ok(),
        // The others have the letters from 256 on, in their order.
        256..=288 => u8::try_from(code - 256).ok(),
        289..=322 => u8::try_from(code - 289 + 127).ok(),
        323 => Some(173),
        _ => None,
    }
}

/// The bytes that a text of such letters stands for.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    text.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_letter() {
        let mut all: Vec<u8> = (0..=400).filter_map(char::from_u32).filter_map(byte).collect();
        all.sort_unstable();
        assert_eq!(all, (0..=255).collect::<Vec<u8>>());
        assert_eq!(bytes("ĠaĊ"), Some(b" a\n".to_vec()));
        assert_eq!(bytes("日"), None);
    }
}
