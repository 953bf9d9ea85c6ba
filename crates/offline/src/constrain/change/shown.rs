//! [`shown`]: the lines of files in what tools returned.

/// The lines of files that were shown or found, without what stands before them: their numbers, where they are, blanks.
pub(super) fn shown(found: &[String]) -> Vec<&str> {
    let mut lines = Vec::new();
    for text in found {
        let is_diff = text.contains("\n--- a/") && text.contains("\n+++ ");
        for line in text.lines() {
            let line = match is_diff {
                true => line.strip_prefix('+').filter(|it| !it.starts_with("++")),
                false => numbered(line).or_else(|| placed(line)),
            };
            lines.extend(line.map(str::trim).filter(|it| !it.is_empty()));
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// `     3\tport = 8080`, without the number.
fn numbered(line: &str) -> Option<&str> {
    let (number, text) = line.split_once('\t')?;
    let number = number.trim();
    (!number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())).then_some(text)
}

/// `app.toml:3: port = 8080`, without the place.
fn placed(line: &str) -> Option<&str> {
    let (path, rest) = line.split_once(':')?;
    let (number, text) = rest.split_once(':')?;
    let is_place = !path.contains(' ') && !number.is_empty();
    (is_place && number.bytes().all(|it| it.is_ascii_digit())).then_some(text)
}
