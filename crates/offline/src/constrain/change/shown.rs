//! [`Seen`]: the lines of files in what tools returned.

use super::{
    Changed,
    line::is_table,
    section::{indent, is_heading, section},
};
use crate::diff::Diff;

/// What was seen of files.
pub(super) struct Seen<'a> {
    /// Lines that were shown or found and still stand there; empty ones are none.
    pub(super) lines: Vec<Line<'a>>,
    /// Files that were shown, line by line as they stand there now.
    pub(super) files: Vec<Vec<&'a str>>,
}

/// A line that was shown or found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Without blanks around it.
    pub(super) text: &'a str,
    /// Which of the files it stands in, and where there; a line that was only found has none.
    pub(super) place: Option<(usize, usize)>,
    /// The heading it stands under, and the line that it is indented behind.
    pub(super) under: [&'a str; 2],
    /// The line that names the fields of this one.
    pub(super) columns: Option<&'a str>,
}

/// What a line becomes, or a piece of one.
#[derive(Clone, Debug)]
pub(super) struct Edit<'a> {
    pub(super) line: Line<'a>,
    /// All of the line, or a piece of it.
    pub(super) old: &'a str,
    pub(super) new: String,
}

impl<'a> Line<'a> {
    /// A line of which nothing else is known.
    pub(super) fn alone(text: &'a str) -> Self {
        Self { text: text.trim(), place: None, under: [""; 2], columns: None }
    }

    /// All of it becomes something else.
    pub(super) fn becomes(self, new: String) -> Edit<'a> {
        Edit { line: self, old: self.text, new }
    }
}

impl Edit<'_> {
    /// Whether a line changes as a whole, and not only what stands somewhere in it.
    pub(super) fn is_whole(&self) -> bool {
        self.old == self.line.text
    }

    /// The lines that stand in the place of this one: the first of them behind its blanks. None where it goes.
    pub(super) fn lines(&self, raw: &str) -> Vec<String> {
        let blanks = raw.get(..indent(raw)).unwrap_or_default();
        let lines = self.new.lines().enumerate();
        lines
            .map(|(at, it)| if at == 0 { format!("{blanks}{it}") } else { it.to_owned() })
            .collect()
    }
}

impl<'a> Seen<'a> {
    /// In what tools returned.
    pub(super) fn of(found: &'a [String]) -> Self {
        let mut files: Vec<Vec<&str>> = Vec::new();
        let mut loose: Vec<&str> = Vec::new();
        for text in found {
            let file: Vec<_> = text.lines().map_while(numbered).collect();
            if let Some(diff) = Diff::of(text) {
                let changed = files.iter_mut().rev().find_map(|it| {
                    let after = diff.apply(it)?;
                    *it = after;
                    Some(())
                });
                if changed.is_none() {
                    let gone: Vec<_> = diff.gone().map(str::trim).collect();
                    loose.retain(|it| !gone.contains(it));
                    loose.extend(diff.come().map(str::trim));
                }
            } else if file.is_empty() {
                loose.extend(text.lines().filter_map(placed).map(str::trim));
            } else if !files.iter().any(|it| contains(it, &file)) {
                files.retain(|it| !contains(&file, it));
                files.push(file);
            }
        }
        let mut lines: Vec<_> =
            files.iter().enumerate().flat_map(|(at, file)| placed_lines(at, file)).collect();
        loose.sort_unstable();
        loose.dedup();
        loose.retain(|text| !text.is_empty() && !lines.iter().any(|it| it.text == *text));
        lines.extend(loose.into_iter().map(Line::alone));
        Self { lines, files }
    }

    /// How many times a text stands in what was seen.
    pub(super) fn count(&self, text: &str) -> usize {
        let in_files = self.files.iter().flatten().map(|it| it.matches(text).count());
        let found = self.lines.iter().filter(|it| it.place.is_none());
        in_files.chain(found.map(|it| it.text.matches(text).count())).sum()
    }

    /// A change as `edit` is told it: the text that goes stands once in its file, with as many of the lines before it as that takes.
    pub(super) fn change(&self, edit: &Edit<'_>) -> Changed {
        let told = Changed { new: edit.new.clone(), old: edit.old.to_owned() };
        let Some((file, at)) = edit.line.place.filter(|_| edit.is_whole()) else { return told };
        let Some(file) = self.files.get(file) else { return told };
        if let Some(last) = last_of_list(file, at).filter(|_| edit.new.is_empty()) {
            return last;
        }
        let text = file.join("\n");
        let is_twice = |it: &str| text.matches(it).nth(1).is_some();
        if !is_twice(&told.old) {
            return told;
        }
        let new = edit.lines(file.get(at).copied().unwrap_or_default());
        let longer = (0..at).rev().find_map(|from| {
            let old = file.get(from..=at)?.join("\n");
            let kept = file.get(from..at)?.iter().map(|it| (*it).to_owned());
            let new = kept.chain(new.clone()).collect::<Vec<_>>().join("\n");
            (!is_twice(&old)).then_some(Changed { new, old })
        });
        longer.unwrap_or(told)
    }
}

/// How the last thing of a list goes in JSON: the comma before it goes, too.
fn last_of_list(file: &[&str], at: usize) -> Option<Changed> {
    let is_json = file.first().is_some_and(|it| it.starts_with(['{', '[']) && !it.contains(']'));
    let before = at.checked_sub(1)?;
    let (one, line) = (file.get(before)?, file.get(at)?);
    let new = one.strip_suffix(',')?;
    let is_last = is_json && !line.trim_end().ends_with(',');
    is_last.then(|| Changed { new: new.to_owned(), old: format!("{one}\n{line}") })
}

/// Whether lines stand in a file one behind the other.
fn contains(file: &[&str], lines: &[&str]) -> bool {
    file.windows(lines.len()).any(|it| it == lines)
}

/// The lines of a file that are not empty, with what they stand under.
fn placed_lines<'a>(number: usize, file: &[&'a str]) -> Vec<Line<'a>> {
    let mut headings = vec![""; file.len()];
    for (at, heading) in file.iter().enumerate().filter(|(_, it)| is_heading(it)) {
        let own = section(file, at).unwrap_or_default();
        for it in own {
            if let Some(place) = headings.get_mut(it) {
                *place = heading;
            }
        }
    }
    let columns = columns(file);
    // Lines that others may be indented behind: each with more blanks than the one before.
    let mut open: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for (at, (line, heading)) in file.iter().zip(headings).enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        open.retain(|it| indent(it) < indent(line));
        let behind = open.last().copied().unwrap_or_default();
        open.push(line);
        all.push(Line {
            text: line.trim(),
            place: Some((number, at)),
            under: [heading, behind],
            columns: columns.filter(|_| at > 0),
        });
    }
    all
}

/// The first line of a table, which names its fields.
fn columns<'a>(file: &[&'a str]) -> Option<&'a str> {
    let first = file.first().copied()?;
    let count = |line: &str| line.split(',').count();
    let is_named = is_table(first) && !first.contains(|it: char| it.is_ascii_digit());
    let mut rest = file.iter().skip(1).filter(|it| !it.trim().is_empty());
    (is_named && rest.all(|it| count(it) == count(first))).then_some(first)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_is_known_as_it_stands_now() {
        let found = [
            "     1\t[a]\n     2\tx = 1\n     3\t[b]\n     4\tx = 1\n",
            "File edited successfully: /w/a\n\n--- a/a\n+++ b/a\n@@ -1,4 +1,5 @@\n [a]\n-x = 1\n+x = 2\n+y = 3\n [b]\n x = 1\n",
        ];
        let found = found.map(str::to_owned);
        let seen = Seen::of(&found);
        assert_eq!(seen.files, [vec!["[a]", "x = 2", "y = 3", "[b]", "x = 1"]]);
        let last = seen.lines.last().copied().expect("there are lines");
        assert_eq!((last.text, last.place, last.under), ("x = 1", Some((0, 4)), ["[b]", ""]));
    }

    #[test]
    fn a_text_that_stands_twice_is_told_with_what_stands_before_it() {
        let found = ["     1\t[a]\n     2\t  x = 1\n     3\t[b]\n     4\t  x = 1\n".to_owned()];
        let seen = Seen::of(&found);
        let changed = |at: usize| {
            let line = seen.lines.get(at).copied().expect("there is one");
            seen.change(&line.becomes("x = 2".to_owned()))
        };
        assert_eq!((&*changed(3).old, &*changed(3).new), ("[b]\n  x = 1", "[b]\n  x = 2"));
        assert_eq!((&*changed(1).old, &*changed(1).new), ("[a]\n  x = 1", "[a]\n  x = 2"));
        assert_eq!(&*changed(0).old, "[a]");
    }
}
