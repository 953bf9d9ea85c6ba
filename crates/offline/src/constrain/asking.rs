//! [`is_asked`]: whether somebody asks for what a tool changes.

use std::sync::Arc;

use serde_json::Value;
use toolwright_core::{ToolSpec, asks};

use crate::{
    asked::{asking, wanted},
    files::{is_for_files, names_file},
};

/// Whether a request asks for a tool by one of the [words](ToolSpec::asked_by) that it declares.
///
/// What is not to be done asks for nothing, and a question for nothing that cannot be taken back (`should I delete it?`);
/// commands answer questions, too, and are looked at once they are written ([`Unasked`](crate::Unasked)). Files are
/// changed by many words, so for a tool for files no part counts that speaks of what another tool makes and names no file (`add
/// a note`). A tool that does away with all there is of something is asked for all of it.
pub(super) fn is_asked(spec: &ToolSpec, tools: &[Arc<ToolSpec>], request: &str) -> bool {
    if spec.asked_by.is_empty() {
        return true;
    }
    let is_careful = spec.effect.needs_decision() || is_for_files(spec);
    let may_answer = !is_careful || !spec.executable.is_empty();
    let parts = if may_answer { asking(request) } else { wanted(request) };
    let others: Vec<_> = match is_for_files(spec) {
        true => tools.iter().filter_map(|other| made_by(other, spec)).collect(),
        false => Vec::new(),
    };
    let is_for_another = |part: &str| {
        let names = names_file(part) || asks(part, &["file", "folder"]);
        !names
            && others.iter().any(|(other, thing)| asks(part, &[thing]) && other.is_asked_by(part))
    };
    let things = all_of(spec);
    let asks_for_all = |part: &str| things.is_none_or(|it| is_all(part, it));
    let rest = parts.into_iter().filter(|it| !is_for_another(it) && asks_for_all(it));
    // What is to be written is often no part of its own.
    let rest = rest.collect::<Vec<_>>().join("\n");
    // `notes/todo.txt` is no word that asks for a note.
    let is_word = |it: &&str| !is_for_files(spec) || !it.contains('/') || !names_file(it);
    let words = rest.lines().map(|it| it.split(' ').filter(is_word).collect::<Vec<_>>().join(" "));
    spec.is_asked_by(&words.collect::<Vec<_>>().join("\n"))
}

/// What a tool does away with, where it takes nothing that says of which: `notes` of `delete_notes`.
fn all_of(spec: &ToolSpec) -> Option<&str> {
    let takes = spec.parameters.get("properties").and_then(Value::as_object);
    let takes_nothing = takes.is_none_or(serde_json::Map::is_empty);
    let is_of_all = spec.effect.needs_decision() && takes_nothing;
    let (_, things) = spec.name.rsplit_once('_').filter(|_| is_of_all)?;
    things.ends_with('s').then_some(things)
}

/// Words for all there is.
const ALL: [&str; 21] = [
    "all",
    "everything",
    "every",
    "each",
    "them",
    "these",
    "those",
    "both",
    "whole",
    "entire",
    "list",
    "lot",
    "any",
    "anything",
    "what",
    "whatever",
    "stuff",
    "things",
    "over",
    "start",
    "slate",
];
/// Words for some of it.
const SOME: [&str; 7] = ["only", "except", "keep", "but", "besides", "last", "first"];

/// Whether a part speaks of all things, be they called by another word in the plural. What stands in the name of a file is no word.
fn is_all(part: &str, things: &str) -> bool {
    let named = part.to_lowercase();
    let named = named
        .split_whitespace()
        .filter(|it| !names_file(it))
        .flat_map(|it| it.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()));
    let named: Vec<_> = named.collect();
    let is_plural =
        |it: &&str| *it == things || it.len() > 3 && it.ends_with('s') && !it.ends_with("ss");
    named.iter().any(|it| is_plural(it) || ALL.contains(it))
        && !named.iter().any(|it| SOME.contains(it))
}

/// What another tool than this makes or changes, by the last word of its name: `note` of `take_note`.
fn made_by<'a>(other: &'a ToolSpec, spec: &ToolSpec) -> Option<(&'a ToolSpec, &'a str)> {
    let is_other = other.group != spec.group && !is_for_files(other);
    let changes = !other.effect.is_read_only() && !other.asked_by.is_empty();
    let (_, thing) = other.name.rsplit_once('_').filter(|_| is_other && changes)?;
    Some((other, thing))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::{ToolEffect, ToolGroup};

    use super::*;

    #[test]
    fn what_is_a_note_is_written_into_no_file() {
        let tool = |name: &str, group: &str, parameter: &str, words: &[&str]| {
            let parameters =
                json!({"type": "object", "properties": {parameter: {"type": "string"}}});
            let spec = ToolSpec::new(name, "Does it.", parameters).asked_by(words.iter().copied());
            Arc::new(spec.group(Arc::new(ToolGroup::new(group, ""))))
        };
        let write = tool("write", "workspace", "file_path", &["write", "add", "note", "take"]);
        let tools = [write.clone(), tool("take_note", "demo", "text", &["note", "add", "take"])];
        for (request, is) in [
            ("what port is in config/settings.toml? take a note of it as well", false),
            ("which of them joined? add a note with their names", false),
            ("Add a note: buy milk", false),
            ("so whom to write to for doubts", false),
            ("write the port into config/settings.toml", true),
            ("add a note on ports to docs/faq.md", true),
            ("add that to the end of the file", true),
            ("what is in a.txt? then add a line to it", true),
            ("asdfgh", false),
            ("do not add a line to a.txt", false),
            ("a.txt is short, don't write into it", false),
            ("mark the bank as paid in notes/write.txt", false),
        ] {
            assert_eq!(is_asked(&write, &tools, request), is, "{request}");
            let is_noted =
                ["note", "add", "take"].iter().any(|it| request.to_lowercase().contains(it));
            let is_noted = is_noted && !request.contains("not add");
            assert_eq!(is_asked(&tools[1], &tools, request), is_noted, "{request}");
        }
        // Where nothing takes notes a note may be a file.
        assert!(is_asked(&write, &tools[..1], "add a note with their names"));
    }

    #[test]
    fn what_cannot_be_taken_back_is_asked_for_and_all_of_it() {
        let delete = ToolSpec::new("delete_notes", "Deletes them.", json!({"type": "object"}));
        let delete =
            delete.effect(ToolEffect::Destructive).asked_by(["delete", "clear", "start over"]);
        let command = json!({"type": "object", "properties": {"command": {"type": "string"}}});
        let bash = ToolSpec::new("bash", "Runs it.", command).effect(ToolEffect::Destructive);
        let bash = bash.executable("command").asked_by(["run", "what", "delete"]);
        for (request, deletes, runs) in [
            ("delete all my notes", true, true),
            ("Delete my notes, please", true, true),
            ("clear everything", true, false),
            ("start over with no notes", true, false),
            ("delete it", false, true),
            ("delete the rent note only", false, true),
            ("delete all notes except the one on rent", false, true),
            ("delete notes.txt", false, true),
            ("should I delete my notes?", false, true),
            ("show my notes but do not delete them", false, false),
            ("what would you delete all notes for", false, true),
            ("don't run rm -rf data", false, false),
        ] {
            assert_eq!(is_asked(&delete, &[], request), deletes, "{request}");
            assert_eq!(is_asked(&bash, &[], request), runs, "{request}");
        }
    }
}
