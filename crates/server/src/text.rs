//! [`is_blank`]: whether a text says nothing.

/// Whether there is nothing in a text but blanks and control characters.
///
/// Where the description of the API asks for something to read, its pattern has the same characters:
/// what `\S` is differs from one language to the next.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control())
}
