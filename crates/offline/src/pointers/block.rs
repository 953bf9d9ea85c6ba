//! [`block`]: how a result looks that an answer points at.

use serde_json::Value;
use toolwright_core::{Outcome, Verbatim};

use crate::diff::Diff;

/// The shortest fence.
const FENCE: usize = 3;

/// How a result looks, by what its tool declares; nothing where it says nothing.
pub(super) fn block(outcome: &Outcome, verbatim: Option<Verbatim>) -> String {
    let text = match (outcome.status.is_ok(), verbatim) {
        (true, _) => outcome.unmarked(),
        // The answer itself says that it failed.
        (false, Some(_)) => outcome.reason(),
        (false, None) => outcome.said(),
    };
    let text = text.trim_end_matches('\n');
    match verbatim {
        // A sentence about a file is not what the file says.
        Some(_) if !outcome.status.is_ok() && !text.contains('\n') => text.to_owned(),
        Some(Verbatim::Numbered) => unnumbered(text).unwrap_or_else(|| printed(text)),
        Some(Verbatim::Text) => printed(text),
        Some(Verbatim::Diff) => changed(text).unwrap_or_else(|| worded(text)),
        None => worded(text),
    }
}

/// So many lines of a change are shown.
const LINES: usize = 60;

/// The lines that went and those that came, behind the file's name; none where the text has no diff.
fn changed(text: &str) -> Option<String> {
    let diff = Diff::of(text)?;
    let mut lines = diff.lines.iter().take(LINES).copied().collect::<Vec<_>>().join("\n");
    if diff.lines.len() > LINES {
        lines.push_str(&format!("\n… {} lines more", diff.lines.len() - LINES));
    }
    let fence = fence(&lines);
    Some(format!("{}:\n{fence}diff\n{lines}\n{fence}", diff.name))
}

/// All ways in which a result may look: an earlier answer is read without knowing what its tools declared then.
pub(super) fn looks(outcome: &Outcome) -> Vec<String> {
    let declared = [Some(Verbatim::Numbered), Some(Verbatim::Text), Some(Verbatim::Diff), None];
    let mut looks: Vec<_> = declared.into_iter().map(|it| block(outcome, it)).collect();
    looks.dedup();
    looks
}

/// What was printed, in a fence. A note of the tool's, in brackets at the end, stands behind it.
fn printed(text: &str) -> String {
    match text.rsplit_once('\n') {
        Some((printed, note)) if is_note(note) => format!("{}\n{note}", fenced(printed)),
        None if text.is_empty() || is_note(text) => text.to_owned(),
        _ => fenced(text),
    }
}

/// The lines of a file without their numbers, and behind them what else is said; none where lines have no numbers.
fn unnumbered(text: &str) -> Option<String> {
    let mut lines = Vec::new();
    let mut rest = text;
    let mut next = None;
    while let Some((number, line)) =
        numbered(rest).filter(|(it, _)| next.is_none_or(|next| *it == next))
    {
        lines.push(line);
        next = Some(number + 1);
        rest = match rest.split_once('\n') {
            Some((_, rest)) => rest,
            None => "",
        };
    }
    let note = rest.trim_matches('\n');
    next.filter(|_| note.lines().all(is_note))?;
    let file = fenced(&lines.join("\n"));
    Some(if note.is_empty() { file } else { format!("{file}\n{note}") })
}

/// Whether a line is a note of the tool's.
fn is_note(line: &str) -> bool {
    line.starts_with('[') && !line.starts_with("[[") && line.ends_with(']')
}

/// The number and the text of the first line.
fn numbered(text: &str) -> Option<(u64, &str)> {
    let (number, line) = text.split('\n').next()?.split_once('\t')?;
    Some((number.trim_start().parse().ok()?, line))
}

/// A text in a fence.
fn fenced(text: &str) -> String {
    let fence = fence(text);
    format!("{fence}\n{text}\n{fence}")
}

/// A fence that is longer than any in a text.
fn fence(text: &str) -> String {
    let runs = text.split(|it| it != '`').map(str::len);
    "`".repeat(runs.max().map_or(FENCE, |longest| FENCE.max(longest + 1)))
}

/// Words as they are; of JSON a list as a list.
fn worded(text: &str) -> String {
    if !text.starts_with(['[', '{']) {
        return text.to_owned();
    }
    match serde_json::from_str(text) {
        Ok(Value::Array(items)) if !items.is_empty() && items.iter().all(is_line) => {
            items.iter().map(|it| format!("- {}", line(it))).collect::<Vec<_>>().join("\n")
        }
        Ok(_) => fenced(text),
        Err(_) => text.to_owned(),
    }
}

fn is_line(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty() && !text.contains('\n'),
        other => !other.is_array() && !other.is_object(),
    }
}

fn line(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
