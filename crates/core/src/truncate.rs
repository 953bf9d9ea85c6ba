//! [`truncate_line`]: a text that fits where a line is expected.

/// The text on one line, and cut where it is longer than `most` characters.
pub fn truncate_line(text: &str, most: usize) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", flat.get(..at).unwrap_or_default()),
        None => flat,
    }
}
