//! [`SkillTool`]: `load_skill`, by which a model reads a skill and its files.

use std::{fmt::Write, sync::Arc};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    Output, RunContext, Tool, ToolEffect, ToolError, ToolResult, ToolSpec, truncate_line,
};

use super::Skill;
use crate::{
    Level,
    wording::{attribute, beginning, contained},
};

/// The name of the tool.
pub const LOAD_SKILL: &str = "load_skill";

/// How much of a skill, or of one of its files, is read at once, in bytes.
const MOST: usize = 32 << 10;
/// How many files of a skill are listed.
const LISTED: usize = 50;

/// The tool by which a model reads a skill and its files. What it returns was read before: no path leads
/// anywhere else.
pub struct SkillTool {
    spec: ToolSpec,
    skills: Vec<Arc<Skill>>,
}

impl SkillTool {
    /// The tool for these skills; none where a model may load none.
    pub fn new(skills: &[Arc<Skill>]) -> Option<Self> {
        let skills: Vec<_> = skills.iter().filter(|it| !it.is_for_user_alone).cloned().collect();
        if skills.is_empty() {
            return None;
        }
        let names: Vec<_> = skills.iter().map(|it| it.name.as_str()).collect();
        let parameters = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "enum": names, "description": "The skill."},
                "path": {
                    "type": "string",
                    "description": "A file of the skill, by its path in it, such as references/api.md. \
                                    Without it: the skill itself, and which files it has.",
                },
            },
            "required": ["name"],
            "additionalProperties": false,
        });
        let about = "Load a skill: instructions for a certain kind of work, as they were listed, or one of \
                     its files. Load a skill before you begin work that it is for.";
        let spec =
            ToolSpec::new(LOAD_SKILL, about, parameters).effect(ToolEffect::ReadOnly).lasting();
        Some(Self { spec, skills })
    }

    fn load(&self, arguments: &Value) -> ToolResult {
        let name = arguments["name"].as_str().unwrap_or_default();
        let skill = self.skills.iter().find(|it| it.name == name);
        let skill = skill.ok_or_else(|| ToolError::new(format!("there is no skill `{name}`")))?;
        match arguments["path"].as_str() {
            None | Some("" | "SKILL.md" | "./SKILL.md") => Ok(Output::Text(whole(skill))),
            Some(path) => file(skill, path).map(Output::Text),
        }
    }
}

impl Tool for SkillTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, arguments: Arc<Value>, _: &'a RunContext) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move { self.load(&arguments) })
    }
}

/// What a skill says, and which files it has.
fn whole(skill: &Skill) -> String {
    let mut text = marked(skill, None, &skill.body);
    if skill.files.is_empty() {
        return text;
    }
    let _ = write!(text, "\nFiles of the skill, for `path`:");
    for (path, bytes) in skill.files.iter().take(LISTED) {
        let _ = write!(text, "\n- {} ({} bytes)", attribute(path), bytes.len());
    }
    if skill.files.len() > LISTED {
        let _ = write!(text, "\n- and {} more", skill.files.len() - LISTED);
    }
    text
}

/// What a file of a skill says.
fn file(skill: &Skill, path: &str) -> Result<String, ToolError> {
    let shown = truncate_line(path, 200);
    let Some(bytes) = skill.files.get(path.strip_prefix("./").unwrap_or(path)) else {
        let known: Vec<_> = skill.files.keys().take(LISTED).map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(ToolError::new(format!(
            "the skill `{}` has no file `{shown}`; its files are: {known}",
            skill.name
        )));
    };
    let text = std::str::from_utf8(bytes).map_err(|_| {
        ToolError::new(format!("`{shown}` is no text ({} bytes); it cannot be read", bytes.len()))
    })?;
    Ok(marked(skill, Some(path), text))
}

/// A text between marks that say whose it is.
fn marked(skill: &Skill, path: Option<&str>, text: &str) -> String {
    let kept = beginning(text, MOST);
    let cut = match text.len() - kept.len() {
        0 => String::new(),
        cut => format!("\n[cut: {cut} of {} bytes are not shown]", text.len()),
    };
    let source = match skill.level {
        Level::User => "user",
        Level::Project | Level::Server => "project",
    };
    let path = path.map(|it| format!(" path=\"{}\"", attribute(it))).unwrap_or_default();
    let folder = attribute(&skill.place);
    let kept = contained(kept);
    format!(
        "<skill_content name=\"{}\" source=\"{source}\" folder=\"{folder}\"{path}>\n{kept}{cut}\n\
         </skill_content>",
        skill.name
    )
}
