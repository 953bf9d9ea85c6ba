//! [`ToolCall`]: a call as an editor shows it: a title, a kind, places, and what it would change.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use toolwright_core::{
    CallPreview, PreviewContent, RuleTargets, ToolEffect, revealed, truncate_line,
};

use crate::{diff::hunks, rpc::with};

/// How long a title is, in characters.
const TITLE: usize = 120;
/// How much of arguments and results is passed on as data, in bytes, and of a result as text.
const RAW: usize = 64 << 10;
const TEXT: usize = 64 << 10;
/// How much of a call's arguments is shown to whoever decides by them, in bytes: all that a person can read.
const ARGUMENTS: usize = 1 << 20;

/// The names by which tools call a path among their arguments, and a line.
const PATHS: [&str; 4] = ["file_path", "path", "file", "filename"];
const LINES: [&str; 4] = ["line", "start_line", "offset", "from_line"];

/// A call, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) struct ToolCall {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) effect: Option<ToolEffect>,
    pub(crate) preview: Option<CallPreview>,
}

impl ToolCall {
    pub(crate) fn new(tool: &str, arguments: &Value) -> Self {
        let (tool, arguments) = (tool.to_owned(), arguments.clone());
        Self { tool, arguments, effect: None, preview: None }
    }

    /// What a person is told it is, in one line.
    pub(crate) fn title(&self) -> String {
        let told = match (self.command(), self.path()) {
            (Some(command), _) => format!("{}: {command}", self.tool),
            (None, Some(path)) => format!("{} {path}", self.tool),
            (None, None) => match &self.arguments {
                Value::Object(fields) if fields.is_empty() => self.tool.clone(),
                arguments => format!("{} {arguments}", self.tool),
            },
        };
        truncate_line(&revealed(&told), TITLE)
    }

    fn command(&self) -> Option<&str> {
        match self.preview.as_ref().and_then(|it| it.content.as_ref()) {
            Some(PreviewContent::Command(command)) => Some(command),
            _ => self.arguments.get("command")?.as_str(),
        }
    }

    fn path(&self) -> Option<&str> {
        PATHS.iter().find_map(|name| self.arguments.get(name)?.as_str())
    }

    /// The kind by which an editor chooses a picture. What it would do says more than what it is called, and
    /// what it is called counts only where its effect does not say otherwise.
    pub(crate) fn kind(&self) -> &'static str {
        match self.preview.as_ref().and_then(|it| it.content.as_ref()) {
            Some(PreviewContent::Diff(_)) => return "edit",
            Some(PreviewContent::Command(_)) => return "execute",
            None => {}
        }
        let changes = self.effect.is_none_or(|it| !it.is_read_only());
        // Of a foreign tool the server's name stands before its own.
        let own = self.tool.rsplit("__").next().unwrap_or(&self.tool).to_lowercase();
        let kinds = own.split(['_', '-', '.']).filter_map(|word| match word {
            "delete" | "remove" | "rm" if changes => Some("delete"),
            "move" | "rename" | "mv" if changes => Some("move"),
            "edit" | "write" | "create" | "insert" | "replace" | "patch" | "update" if changes => {
                Some("edit")
            }
            "bash" | "shell" | "exec" | "execute" | "run" | "command" if changes => Some("execute"),
            "search" | "find" | "grep" | "glob" | "query" => Some("search"),
            "fetch" | "download" | "browse" => Some("fetch"),
            "think" | "plan" => Some("think"),
            "read" | "show" | "list" | "ls" | "get" | "cat" | "view" | "open" => Some("read"),
            _ => None,
        });
        let mut kinds = kinds;
        kinds.next().unwrap_or("other")
    }

    /// The places it is about: those in the editor's folder that its arguments name.
    pub(crate) fn locations(&self, cwd: &Path) -> Vec<Value> {
        let Some(path) = self.absolute(cwd) else { return Vec::new() };
        let line = LINES.iter().find_map(|name| self.arguments.get(name)?.as_u64());
        let line = line.or_else(|| Some(self.first_hunk()?.line)).filter(|line| *line > 0);
        let location = json!({"path": path});
        vec![match line.and_then(|it| u32::try_from(it).ok()) {
            Some(line) => with(location, "line", line),
            None => location,
        }]
    }

    fn first_hunk(&self) -> Option<crate::diff::Hunk> {
        match self.preview.as_ref()?.content.as_ref()? {
            PreviewContent::Diff(diff) => hunks(diff)?.0.into_iter().next(),
            PreviewContent::Command(_) => None,
        }
    }

    /// The path it is about, where that is in its folder: what its preview says, or its arguments.
    fn absolute(&self, cwd: &Path) -> Option<PathBuf> {
        let preview = self.preview.as_ref();
        let place = preview.and_then(|it| it.place.as_deref()).map_or(cwd, Path::new);
        let told = match preview.map(|it| (&it.targets, &it.content)) {
            Some((RuleTargets::These(targets), Some(PreviewContent::Diff(_)))) => {
                targets.first().map(|it| it.text.as_str())
            }
            _ => None,
        };
        within(place, Path::new(told.or_else(|| self.path())?))
    }

    /// What it would do, where its tool told: a diff in the editor's form, or a command.
    pub(crate) fn preview_content(&self, cwd: &Path) -> Vec<Value> {
        let Some(content) = self.preview.as_ref().and_then(|it| it.content.as_ref()) else {
            return Vec::new();
        };
        match content {
            PreviewContent::Command(command) => vec![fenced("sh", command)],
            PreviewContent::Diff(diff) => {
                self.diff(cwd, diff).unwrap_or_else(|| vec![fenced("diff", diff)])
            }
        }
    }

    /// None where an editor would not show what is decided about: characters that cannot be seen, or a place that
    /// is not known.
    fn diff(&self, cwd: &Path, diff: &str) -> Option<Vec<Value>> {
        if revealed(diff) != diff {
            return None;
        }
        let path = self.absolute(cwd)?;
        let (hunks, is_new) = hunks(diff)?;
        let told = hunks.into_iter().map(|hunk| {
            let old = if is_new { Value::Null } else { hunk.old.into() };
            json!({"type": "diff", "path": path, "oldText": old, "newText": hunk.new})
        });
        Some(told.collect())
    }

    /// All that somebody decides by: what it would do, or else its arguments.
    pub(crate) fn question_content(&self, cwd: &Path) -> Vec<Value> {
        let told = self.preview_content(cwd);
        if !told.is_empty() {
            return told;
        }
        let arguments = format!("{:#}", self.arguments);
        let shown = match arguments.len() > ARGUMENTS {
            true => format!("{}\n[… too long to be shown whole]", cut(&arguments, ARGUMENTS)),
            false => arguments,
        };
        vec![fenced("json", &shown)]
    }

    /// Its arguments as data, bounded.
    pub(crate) fn raw_input(&self) -> Value {
        bounded(&self.arguments)
    }
}

/// A text as content of a call, bounded.
pub(crate) fn text(text: &str) -> Value {
    let shown = match text.len() > TEXT {
        true => {
            format!("{}\n[… {} bytes more]", cut(text, TEXT), text.len() - cut(text, TEXT).len())
        }
        false => text.to_owned(),
    };
    json!({"type": "content", "content": {"type": "text", "text": shown}})
}

/// A text that is shown as it is, with what cannot be seen in it made visible.
pub(crate) fn fenced(language: &str, text: &str) -> Value {
    let text = revealed(text);
    // Longer than any in it: nothing in it ends the block.
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let text = format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'));
    json!({"type": "content", "content": {"type": "text", "text": text}})
}

/// The value where it is short enough, else its beginning as text.
pub(crate) fn bounded(value: &Value) -> Value {
    let written = value.to_string();
    match written.len() > RAW {
        true => Value::from(format!("{}…", cut(&written, RAW))),
        false => value.clone(),
    }
}

fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// A path below a folder, by its text alone: it is only shown. None where it leads out of it.
fn within(folder: &Path, path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole.starts_with(folder).then_some(whole)
}

#[cfg(test)]
mod tests {
    use toolwright_core::RuleTarget;

    use super::*;

    #[allow(clippy::needless_pass_by_value)] // reads better where it is called
    fn call(tool: &str, arguments: Value) -> ToolCall {
        ToolCall::new(tool, &arguments)
    }

    #[test]
    fn a_kind_comes_from_the_name_and_the_effect() {
        for (tool, effect, wanted) in [
            ("show", ToolEffect::ReadOnly, "read"),
            ("search", ToolEffect::ReadOnly, "search"),
            ("edit", ToolEffect::Write, "edit"),
            // It says that it changes nothing.
            ("edit", ToolEffect::ReadOnly, "other"),
            ("bash", ToolEffect::Destructive, "execute"),
            ("files__delete_file", ToolEffect::Destructive, "delete"),
            ("get_weather", ToolEffect::ReadOnly, "read"),
            ("fetch_page", ToolEffect::ReadOnly, "fetch"),
            ("calculate_tip", ToolEffect::ReadOnly, "other"),
            ("running_total", ToolEffect::Write, "other"),
        ] {
            let call = ToolCall { effect: Some(effect), ..call(tool, json!({})) };
            assert_eq!(call.kind(), wanted, "{tool} {effect:?}");
        }
    }

    #[test]
    fn a_place_is_in_the_folder_or_none() {
        let cwd = Path::new("/w");
        let at = |path: &str| call("show", json!({"file_path": path, "line": 3})).locations(cwd);
        assert_eq!(at("src/a.rs"), [json!({"path": "/w/src/a.rs", "line": 3})]);
        assert_eq!(at("./src/../b"), [json!({"path": "/w/b", "line": 3})]);
        assert_eq!(at("/w/c"), [json!({"path": "/w/c", "line": 3})]);
        for outside in ["../x", "/etc/passwd", "a/../../x", "/w2/x"] {
            assert_eq!(at(outside), Vec::<Value>::new(), "{outside}");
        }
    }

    fn edit(diff: &str) -> ToolCall {
        let preview = CallPreview {
            place: Some("/w".into()),
            content: Some(PreviewContent::Diff(diff.into())),
            targets: RuleTargets::These(vec![RuleTarget::new("x.rs")]),
            ..CallPreview::default()
        };
        ToolCall { preview: Some(preview), ..call("change", json!({"file_path": "x.rs"})) }
    }

    #[test]
    fn a_diff_is_told_with_its_absolute_path() {
        let call = edit("--- a/x.rs\n+++ b/x.rs\n@@ -7 +7 @@\n-a\n+b\n");
        assert_eq!(call.kind(), "edit");
        assert_eq!(
            call.question_content(Path::new("/w")),
            [json!({"type": "diff", "path": "/w/x.rs", "oldText": "a\n", "newText": "b\n"})]
        );
        assert_eq!(call.locations(Path::new("/w")), [json!({"path": "/w/x.rs", "line": 7})]);
    }

    #[test]
    fn what_cannot_be_seen_in_a_diff_is_made_visible() {
        let call = edit("--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\u{202e}c\n");
        let told = call.question_content(Path::new("/w"));
        assert_eq!(told[0]["type"], "content");
        assert!(!told[0].to_string().contains('\u{202e}'), "{told:?}");
    }

    #[test]
    fn a_command_is_shown_whole_and_ends_no_block() {
        let command = "echo '```'\nrm -rf /";
        let preview = CallPreview {
            content: Some(PreviewContent::Command(command.into())),
            ..CallPreview::default()
        };
        let call = ToolCall { preview: Some(preview), ..call("x", json!({})) };
        let told = call.question_content(Path::new("/w"));
        let text = told[0]["content"]["text"].as_str().unwrap();
        assert_eq!(text, format!("````sh\n{command}\n````"));
        assert_eq!(call.title(), "x: echo '```' rm -rf /");
    }

    #[test]
    fn what_is_long_is_cut() {
        let long = call("x", json!({"a": "ü".repeat(RAW)}));
        assert!(long.raw_input().as_str().unwrap().len() <= RAW + 4);
        assert!(long.title().chars().count() <= TITLE + 1);
        assert!(text(&"ü".repeat(TEXT)).to_string().len() < 2 * TEXT);
    }
}
