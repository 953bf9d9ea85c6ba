//! [`read`]: a task out of Markdown with front matter.

use super::{TaskFields, template};

/// What is wrong with a task's file, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) line: usize,
    pub(crate) reason: String,
}

/// What stands around the front matter.
const FENCE: &str = "---";

/// What a task's file says.
pub(crate) fn read(text: &str) -> Result<TaskFields, Mistake> {
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
    if fields.prompt.is_some() {
        return Err(at(2, "`prompt` does not stand in the front matter: it is the text below it"));
    }
    let body: String = lines.collect();
    template::check(&body).map_err(|it| Mistake { line: it.line + count, ..it })?;
    fields.prompt = Some(body.trim().to_owned());
    Ok(fields)
}

/// What the reader says, without its picture of the line: the file is at hand, and may be long.
fn plain(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    // It tells the place once more, at the end.
    let told = first.rsplit_once(" at line ").map_or(first, |(told, _)| told);
    toolwright_core::truncate_line(told, 500)
}
