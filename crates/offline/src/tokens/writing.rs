//! [`Writing`]: a text that comes token by token.

/// A text that comes token by token. A character may be spread over several tokens; it is given
/// once it is whole.
#[derive(Clone, Debug, Default)]
pub struct Writing {
    held: Vec<u8>,
}

impl Writing {
    /// Takes the bytes of a token, and gives the text that is now whole.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            let (whole, skip) = match std::str::from_utf8(&self.held) {
                Ok(whole) => (whole.len(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or_default()),
            };
            let gone: Vec<u8> = self.held.drain(..whole + skip).collect();
            text.push_str(&String::from_utf8_lossy(&gone));
            if skip == 0 {
                return text;
            }
        }
    }

    /// What is left when no more tokens come.
    pub fn finish(self) -> String {
        String::from_utf8_lossy(&self.held).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_given_whole() {
        let mut writing = Writing::default();
        let parts: Vec<_> = "a€😀".bytes().map(|byte| writing.push(&[byte])).collect();
        assert_eq!(parts, ["a", "", "", "€", "", "", "", "😀"]);
        assert_eq!(writing.finish(), "");
    }

    #[test]
    fn what_is_no_text_is_marked() {
        let mut writing = Writing::default();
        assert_eq!(writing.push(b"a\xffb\xe2\x82"), "a\u{fffd}b");
        assert_eq!(writing.finish(), "\u{fffd}");
    }
}
