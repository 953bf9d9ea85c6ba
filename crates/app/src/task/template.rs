//! The system prompt of a task, a template: what can stand in it, and what it becomes.

use std::{collections::HashSet, error::Error, sync::Arc};

use minijinja::Value;
use toolwright_core::{Tool, ToolSpec};

use super::{
    Calendar,
    file::Mistake,
    template_syntax::{self, BoundedPrompt, environment},
};

/// What a template may name.
pub(crate) const NAMES: [&str; 6] =
    ["tools", "instructions", "today", "date", "time_zone", "calendar"];

/// What a template is filled in with.
pub(crate) struct PromptValues<'a> {
    /// The tools that the task has.
    pub(crate) tools: &'a [Arc<dyn Tool>],
    /// What the packs say about them.
    pub(crate) instructions: String,
    /// What day it is.
    pub(crate) calendar: Calendar,
}

/// A tool, as a template sees it.
fn tool(spec: &ToolSpec) -> Value {
    let summary = spec.description.split("\n\n").next().unwrap_or_default();
    Value::from_pairs([
        ("name", spec.name.clone()),
        // The first paragraph of its description, in a line.
        ("summary", summary.replace('\n', " ")),
        ("description", spec.description.replace('\n', " ")),
        // `query (required), n_results (optional, default 10)`.
        ("parameters", parameters(spec).join(", ")),
    ])
}

/// Those first that must be given.
fn parameters(spec: &ToolSpec) -> Vec<String> {
    let fields = spec.parameters.get("properties").and_then(serde_json::Value::as_object);
    let mut fields: Vec<_> = fields.into_iter().flatten().collect();
    fields.sort_by_key(|(name, _)| !spec.is_required(name));
    let told = |(name, schema): (&String, &serde_json::Value)| match schema.get("default") {
        _ if spec.is_required(name) => format!("{name} (required)"),
        Some(default) if !default.is_null() => format!("{name} (optional, default {default})"),
        _ => format!("{name} (optional)"),
    };
    fields.into_iter().map(told).collect()
}

impl PromptValues<'_> {
    /// The prompt that a template becomes.
    pub(crate) fn fill_in(&self, template: &str) -> Result<String, Mistake> {
        let named = names(template)?;
        let tools = || self.tools.iter().map(|it| tool(it.spec())).collect::<Vec<_>>();
        let date = |fill: &dyn Fn(&Calendar) -> String| fill(&self.calendar);
        let value = |name: &str| match name {
            "tools" => tools().into_iter().collect(),
            "instructions" => Value::from(self.instructions.as_str()),
            "today" => Value::from(date(&Calendar::today)),
            "date" => Value::from(date(&Calendar::date)),
            "time_zone" => Value::from(date(&Calendar::time_zone)),
            "calendar" => Value::from(date(&Calendar::spans)),
            _ => Value::UNDEFINED,
        };
        // Only what stands in it is worked out.
        let values = NAMES.into_iter().filter(|it| named.contains(*it));
        let values = Value::from_pairs(values.map(|it| (it, value(it))));
        let mut prompt = BoundedPrompt::default();
        let environment = environment();
        environment
            .template_from_str(template)
            .and_then(|template| template.render_captured_to(values, &mut prompt).map(drop))
            .map_err(|error| mistake(&error))?;
        Ok(String::from_utf8_lossy(&prompt.0).trim().to_owned())
    }
}

/// Whether a template says what day it is: what was filled in yesterday is wrong today.
pub(crate) fn is_dated(template: &str) -> bool {
    names(template)
        .is_ok_and(|it| ["today", "date", "calendar"].iter().any(|day| it.contains(*day)))
}

/// Whether a template can be filled in.
pub(crate) fn check(template: &str) -> Result<(), Mistake> {
    let named = names(template)?;
    let mut unknown: Vec<_> = named.iter().filter(|it| !NAMES.contains(&it.as_str())).collect();
    unknown.sort();
    match unknown.first() {
        None => Ok(()),
        Some(name) => {
            let line = template.lines().position(|line| line.contains(name.as_str()));
            let reason =
                format!("there is no `{name}` in a prompt; there are: {}", NAMES.join(", "));
            Err(Mistake { line: line.map_or(1, |it| it + 1), reason })
        }
    }
}

/// What a template names.
fn names(template: &str) -> Result<HashSet<String>, Mistake> {
    template_syntax::check(template)?;
    let environment = environment();
    let parsed = environment.template_from_str(template).map_err(|error| mistake(&error))?;
    Ok(parsed.undeclared_variables(false))
}

pub(super) fn mistake(error: &minijinja::Error) -> Mistake {
    let written = error.source().map(ToString::to_string);
    let reason = written.or_else(|| error.detail().map(str::to_owned));
    let reason = reason.unwrap_or_else(|| error.kind().to_string());
    Mistake { line: error.line().unwrap_or(1), reason: format!("the prompt: {reason}") }
}
