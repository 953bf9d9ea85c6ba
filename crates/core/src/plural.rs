//! [`plural`]: the word that follows a count.

/// The word that follows `number`: `1 holding`, `0 holdings`.
pub fn plural<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}
