//! [`Change`]: a text in a file replaced by another, and every other byte as it was.

use std::{borrow::Cow, path::Path};

use memchr::memmem;

use super::{FileError, MOST, Spot, hint};

/// A text in a file replaced by another.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) content: Vec<u8>,
    pub(crate) spots: Vec<Spot>,
}

/// Which occurrences of a text are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The only one there is.
    Only,
    /// All of them.
    All,
}

/// How many lines are named where a text occurs too often.
const NAMED: usize = 5;
/// How long a line of a setting is at most.
const LINE: usize = 400;
/// How many occurrences are replaced at most.
const REPLACED: usize = 1_000_000;

/// Replaces `old` in the content of the file at `path`.
///
/// Line endings are the file's: where `old` is found only with other ones it is found all the same,
/// and what is inserted gets those of the file. Where nothing stays of whole lines their
/// end goes, too: nobody means an empty line.
pub(crate) fn replace(
    path: &Path,
    content: &[u8],
    (old, new): (&str, &str),
    which: Which,
) -> Result<Change, FileError> {
    if old.is_empty() {
        return Err(FileError::EmptyOld);
    }
    if old == new {
        return Err(FileError::Same);
    }
    let (old, new) = in_endings_of(content, old, new);
    let (old, new) = (old.as_bytes(), new.as_bytes());
    if old == new {
        return Err(FileError::SameInFile);
    }
    let found = find(content, old);
    if found.is_empty() {
        let hint = hint::hint(content, &String::from_utf8_lossy(old));
        return Err(FileError::Absent { path: path.to_owned(), hint });
    }
    if found.len() > REPLACED {
        return Err(FileError::TooMany { path: path.to_owned(), most: REPLACED as u64 });
    }
    let found = match which {
        Which::Only if new.is_empty() => the_line(content, found, old.len()),
        _ => found,
    };
    if which == Which::Only && found.len() > 1 {
        let (times, lines) = (found.len() as u64, lines(content, &found));
        return Err(FileError::Many { path: path.to_owned(), times, lines });
    }
    let mut settings = found.iter().take(NAMED);
    if let Some(line) = settings.find_map(|at| half_a_setting(content, *at, old, new)) {
        return Err(FileError::HalfASetting { line });
    }
    match whole_lines(content, &found, old.len()).filter(|_| new.is_empty()) {
        Some((found, len)) => build(content, &found, len, new),
        None => build(content, &found, old.len(), new),
    }
}

/// Where a text is to go that occurs several times, the only one of them that is whole lines, if there is one: what is a part
/// of a longer line is not that line.
fn the_line(content: &[u8], found: Vec<usize>, len: usize) -> Vec<usize> {
    let lines: Vec<_> = found.iter().filter(|at| is_lines(content, **at, len)).collect();
    match lines.as_slice() {
        [only] => vec![**only],
        _ => found,
    }
}

/// Whether what is there begins with a line and ends with one, before its end.
fn is_lines(content: &[u8], at: usize, len: usize) -> bool {
    let before = content.get(..at).unwrap_or_default();
    let behind = content.get(at + len..).unwrap_or_default();
    let is_end = behind.is_empty() || behind.starts_with(b"\n") || behind.starts_with(b"\r\n");
    (before.is_empty() || before.ends_with(b"\n"))
        && is_end
        && content.get(at..at + len).is_some_and(|it| !it.ends_with(b"\n"))
}

/// Where all occurrences are whole lines, these with their ends: where they begin, and how long they are. The last line of a
/// file may end with none; then that of the line before goes.
fn whole_lines(content: &[u8], found: &[usize], len: usize) -> Option<(Vec<usize>, usize)> {
    if let [only] = found {
        // Nothing stays of a line but what it was indented by: nobody means that, either.
        let before = content.get(..*only).unwrap_or_default();
        let indent = before.iter().rev().take_while(|it| matches!(it, b' ' | b'\t')).count();
        let start = only - indent;
        if indent > 0 && is_lines(content, start, len + indent) {
            return whole_lines(content, &[start], len + indent);
        }
    }
    if !found.iter().all(|at| is_lines(content, *at, len)) {
        return None;
    }
    let behind = |at: &usize| content.get(at + len..).unwrap_or_default();
    for end in [b"\r\n".as_slice(), b"\n"] {
        if found.iter().all(|at| behind(at).starts_with(end)) {
            return Some((found.to_vec(), len + end.len()));
        }
        let before = |at: &usize| content.get(..*at).is_some_and(|it| it.ends_with(end));
        if found.iter().all(|at| behind(at).is_empty() && before(at)) {
            let begins = found.iter().map(|at| at - end.len());
            return Some((begins.collect(), len + end.len()));
        }
    }
    None
}

/// The line of a setting, where its name would get a value in its place, or a second one behind it: `debug` by
/// `true`, or by `debug = true`, in `debug = false`. Nobody means `true = false`, nor `debug = true = false`.
fn half_a_setting(content: &[u8], at: usize, old: &[u8], new: &[u8]) -> Option<String> {
    let is_name = |it: &[u8]| {
        it.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
            && it.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte))
    };
    let new = new.trim_ascii();
    let is_value =
        matches!(new, b"true" | b"false" | b"null" | b"none" | b"yes" | b"no" | b"on" | b"off")
            || (!new.is_empty() && new.iter().all(|it| it.is_ascii_digit() || *it == b'.'));
    let whole = new.strip_prefix(old).and_then(sign_of);
    if !is_name(old) || (!is_value && whole.is_none()) {
        return None;
    }
    // No setting is longer, and no more of a line is looked at.
    let before = content.get(at.saturating_sub(LINE)..at)?;
    let start = memchr::memrchr(b'\n', before).map_or(0, |it| it + 1);
    let indent = before.get(start..)?;
    let behind = content.get(at + old.len()..)?;
    let behind = behind.get(..LINE.min(behind.len()))?;
    let rest = behind.get(..memchr::memchr(b'\n', behind).unwrap_or(behind.len()))?;
    let sign = sign_of(rest)?;
    let is_spoiled = is_value || whole == Some(sign);
    let is_first = indent.iter().all(u8::is_ascii_whitespace);
    let line = [old, rest].concat();
    (is_spoiled && is_first).then(|| String::from_utf8_lossy(line.trim_ascii()).into_owned())
}

/// What stands between a name and its value, at the beginning of what follows the name. `==` and `::` are no such
/// signs.
fn sign_of(rest: &[u8]) -> Option<u8> {
    match rest.trim_ascii_start() {
        [sign @ (b'=' | b':'), next, ..] if next != sign => Some(*sign),
        _ => None,
    }
}

/// The content with `text` behind it, on lines of its own and with the line endings that the content has.
pub(crate) fn appended(content: &[u8], text: &str) -> Vec<u8> {
    let newlines = memchr::memchr_iter(b'\n', content).count();
    let has_returns = newlines > 0 && memmem::find_iter(content, "\r\n").count() == newlines;
    let end = if has_returns { "\r\n" } else { "\n" };
    let is_ended = |bytes: &[u8]| bytes.last().is_none_or(|last| *last == b'\n');
    let text: Cow<'_, str> = if has_returns { with_returns(text).into() } else { text.into() };
    let mut all = content.to_vec();
    if !is_ended(content) {
        all.extend_from_slice(end.as_bytes());
    }
    all.extend_from_slice(text.as_bytes());
    // The last line ends as the last one did before.
    if !content.is_empty() && is_ended(content) && !is_ended(text.as_bytes()) {
        all.extend_from_slice(end.as_bytes());
    }
    all
}

/// Where the text occurs. Occurrences that overlap count where there is only one else: which of them
/// is meant cannot be known.
fn find(content: &[u8], old: &[u8]) -> Vec<usize> {
    let finder = memmem::Finder::new(old);
    let mut found: Vec<usize> = finder.find_iter(content).take(REPLACED + 1).collect();
    if let [only] = found.as_slice() {
        let after = content.get(only + 1..).and_then(|rest| finder.find(rest));
        let overlapping = after.map(|at| only + 1 + at);
        found.extend(overlapping);
    }
    found
}

fn lines(content: &[u8], found: &[usize]) -> Vec<u64> {
    let mut lines = Vec::new();
    let (mut line, mut from) = (1, 0);
    for at in found.iter().take(NAMED) {
        let between = content.get(from..*at).unwrap_or_default();
        line += memchr::memchr_iter(b'\n', between).count() as u64;
        from = *at;
        lines.push(line);
    }
    lines
}

fn build(content: &[u8], found: &[usize], len: usize, new: &[u8]) -> Result<Change, FileError> {
    // Overlapping ones were found only to be counted.
    let mut places: Vec<usize> = Vec::with_capacity(found.len());
    for at in found {
        if places.last().is_none_or(|last| last + len <= *at) {
            places.push(*at);
        }
    }
    let (removed, added) = (places.len() * len, places.len() as u64 * new.len() as u64);
    let total = (content.len() - removed) as u64 + added;
    if total > MOST {
        return Err(FileError::WouldBeTooLarge { len: total, most: MOST });
    }
    let mut changed = Vec::with_capacity(usize::try_from(total).unwrap_or_default());
    let mut spots = Vec::with_capacity(places.len());
    let mut from = 0;
    for at in places {
        changed.extend_from_slice(content.get(from..at).unwrap_or_default());
        let start = changed.len();
        changed.extend_from_slice(new);
        spots.push(Spot { old: at..at + len, new: start..changed.len() });
        from = at + len;
    }
    changed.extend_from_slice(content.get(from..).unwrap_or_default());
    Ok(Change { content: changed, spots })
}

/// Both texts with the line endings of the file, where that is what it takes.
fn in_endings_of<'a>(content: &[u8], old: &'a str, new: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
    let newlines = memchr::memchr_iter(b'\n', content).count();
    let returns = memmem::find_iter(content, "\r\n").count();
    let is_there = memmem::find(content, old.as_bytes()).is_some();
    if returns == 0 {
        if !is_there && newlines > 0 && old.contains("\r\n") {
            return (Cow::Owned(without_returns(old)), Cow::Owned(without_returns(new)));
        }
        return (old.into(), new.into());
    }
    if !is_there && old.contains('\n') {
        return (Cow::Owned(with_returns(old)), Cow::Owned(with_returns(new)));
    }
    if returns == newlines && is_there {
        return (old.into(), Cow::Owned(with_returns(new)));
    }
    (old.into(), new.into())
}

fn with_returns(text: &str) -> String {
    without_returns(text).replace('\n', "\r\n")
}

fn without_returns(text: &str) -> String {
    text.replace("\r\n", "\n")
}

#[cfg(test)]
mod tests;
