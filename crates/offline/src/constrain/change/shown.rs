//! [`Seen`]: the lines of files in what tools returned.

use crate::diff::Diff;

/// What was seen of files.
pub(super) struct Seen<'a> {
    /// Lines that were shown or found and still stand there, without blanks around them; each once.
    pub(super) lines: Vec<&'a str>,
    /// Files that were shown and not changed since, line by line as they stand there.
    pub(super) files: Vec<Vec<&'a str>>,
}

impl<'a> Seen<'a> {
    /// In what tools returned.
    pub(super) fn of(found: &'a [String]) -> Self {
        Self { lines: shown(found), files: files(found) }
    }
}

/// The lines of files that were shown or found and still stand there, without what stands before them: their numbers, where they
/// are, blanks.
fn shown(found: &[String]) -> Vec<&str> {
    let mut lines = Vec::new();
    for text in found {
        if let Some(diff) = Diff::of(text) {
            let gone: Vec<_> = diff.gone().map(str::trim).collect();
            lines.retain(|it| !gone.contains(it));
            lines.extend(diff.come().map(str::trim));
        } else {
            let own = text.lines().filter_map(|it| numbered(it).or_else(|| placed(it)));
            lines.extend(own.map(str::trim));
        }
    }
    lines.retain(|it| !it.is_empty());
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// The files that were shown and not changed since, line by line as they stand there.
fn files(found: &[String]) -> Vec<Vec<&str>> {
    // Which file was changed its diff tells by a name that those shown do not have.
    let last = found.iter().rposition(|it| Diff::of(it).is_some()).map_or(0, |at| at + 1);
    let since = found.iter().skip(last);
    let files = since.map(|text| text.lines().map_while(numbered).collect::<Vec<_>>());
    files.filter(|it| !it.is_empty()).collect()
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
