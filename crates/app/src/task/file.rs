//! [`read`]: a task out of Markdown with front matter.

use super::{TaskFields, template};
use crate::words::in_words;

/// What is wrong with a task's file, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) line: usize,
    pub(crate) reason: String,
}

/// The front matter of a task as it is written: where something stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter(String);

/// What stands around the front matter.
const FENCE: &str = "---";

/// What a task's file says.
pub(crate) fn read(text: &str) -> Result<(TaskFields, FrontMatter), Mistake> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let at = |line, reason: &str| Mistake { line, reason: reason.to_owned() };
    let mut lines = text.split_inclusive('\n');
    if lines.next().map(str::trim_end) != Some(FENCE) {
        return Err(at(1, "a task begins with a line `---`, then its front matter, then `---`"));
    }
    let (mut front, mut count, mut is_closed) = (String::new(), 1, false);
    for line in lines.by_ref() {
        count += 1;
        if line.trim_end() == FENCE {
            is_closed = true;
            break;
        }
        front.push_str(line);
    }
    if !is_closed {
        return Err(at(1, "the front matter is not closed: write a line `---` below it"));
    }
    let mut fields: TaskFields = if front.trim().is_empty() {
        TaskFields::default()
    } else {
        serde_saphyr::from_str(&front).map_err(|error| {
            let line = error.location().map_or(1, |it| usize::try_from(it.line()).unwrap_or(1));
            Mistake { line: line + 1, reason: plain(&error) }
        })?
    };
    let front = FrontMatter(front);
    if fields.prompt.is_some() {
        let line = front.line_of("prompt", "").unwrap_or(2);
        return Err(at(
            line,
            "`prompt` does not stand in the front matter: it is the text below it",
        ));
    }
    let body: String = lines.collect();
    template::check(&body).map_err(|it| Mistake { line: it.line + count, ..it })?;
    fields.prompt = Some(body.trim().to_owned());
    Ok((fields, front))
}

impl FrontMatter {
    /// The line of the file in which this field says this word.
    pub(crate) fn line_of(&self, field: &str, word: &str) -> Option<usize> {
        let mut first = None;
        let mut is_inside = false;
        for (at, line) in self.0.lines().enumerate() {
            let is_deeper = line.starts_with([' ', '\t', '-', '#', ']', '}']);
            if !is_deeper && !line.trim().is_empty() {
                let key = line.split(':').next().unwrap_or_default();
                is_inside = key.trim().trim_matches(['"', '\'']) == field;
                first = first.or(is_inside.then_some(at));
            }
            if is_inside && line.contains(word) {
                return Some(at + 2);
            }
        }
        // Where it is all in one line, as `{ packs: [x] }`, the word is all there is.
        let anywhere = || self.0.lines().position(|line| !word.is_empty() && line.contains(word));
        first.or_else(anywhere).map(|at| at + 2)
    }
}

/// What the reader says, without its picture of the line: the file is at hand, and may be long.
fn plain(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    // It tells the place once more, at the end.
    let told = first.rsplit_once(" at line ").map_or(first, |(told, _)| told);
    // The prompt is a field of the config file's alone.
    in_words(told.trim_end_matches(", prompt"))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_field_is_found_where_it_stands() {
        let text =
            "---\ntitle: packs\npacks: [a, b]\ntools:\n  - get_x\n# get_y\n  - get_y\n---\nx";
        let (_, front) = read(text).unwrap();
        for (field, word, line) in [
            ("packs", "b", Some(3)),
            ("tools", "get_x", Some(5)),
            ("tools", "nothing", Some(4)),
            ("title", "packs", Some(2)),
            ("model", "nothing", None),
        ] {
            assert_eq!(front.line_of(field, word), line, "{field} {word}");
        }
    }
}
