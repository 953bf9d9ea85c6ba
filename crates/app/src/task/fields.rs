//! [`TaskFields`]: what the front matter of a task says, and `[tasks.NAME]` of the config file.

use serde::Deserialize;
use toolwright_core::{Limits, ReviewMode, ToolChoice};
use toolwright_runtime::{Rule, RuleVerdict};

use super::{PackChoice, Task, TaskSource, ToolPattern};
use crate::config::{LimitsSection, RuleSection, review_mode};

/// What the front matter of a task says. The config file says the same of a task, and the prompt.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TaskFields {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) packs: Option<Vec<String>>,
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) model: Option<String>,
    pub(crate) first_tool_choice: Option<String>,
    pub(crate) limits: LimitsSection,
    pub(crate) review: Option<String>,
    pub(crate) one_at_a_time: Option<bool>,
    pub(crate) starters: Option<Vec<String>>,
    pub(crate) approvals: Vec<RuleSection>,
    /// The system prompt. In a file it stands below the front matter.
    pub(crate) prompt: Option<String>,
}

impl TaskFields {
    /// What these say, and what the others say where these do not.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            title: self.title.or(other.title),
            description: self.description.or(other.description),
            packs: self.packs.or(other.packs),
            tools: self.tools.or(other.tools),
            model: self.model.or(other.model),
            first_tool_choice: self.first_tool_choice.or(other.first_tool_choice),
            limits: self.limits.or(other.limits),
            review: self.review.or(other.review),
            one_at_a_time: self.one_at_a_time.or(other.one_at_a_time),
            starters: self.starters.or(other.starters),
            approvals: [self.approvals, other.approvals].concat(),
            prompt: self.prompt.or(other.prompt),
        }
    }

    /// The task they make.
    pub(crate) fn task(self, name: &str, source: TaskSource) -> Result<Task, String> {
        let prompt = self.prompt.filter(|it| !it.trim().is_empty());
        let prompt = prompt.ok_or("it has no prompt: say what the model is to do")?;
        let mut task = Task {
            name: name.to_owned(),
            title: self.title.unwrap_or_else(|| titled(name)),
            description: self.description.unwrap_or_default(),
            packs: self.packs.map_or(PackChoice::All, packs),
            tools: self.tools.unwrap_or_default().iter().map(|it| ToolPattern::new(it)).collect(),
            model: self.model,
            first_tool_choice: self.first_tool_choice.as_deref().map_or(ToolChoice::Auto, choice),
            limits: self.limits,
            review: self.review.as_deref().map(review_mode).transpose()?,
            one_at_a_time: self.one_at_a_time,
            starters: self.starters.unwrap_or_default(),
            approvals: self.approvals.into_iter().map(Rule::from).collect(),
            prompt,
            source,
        };
        task.limits.check()?;
        if matches!(task.source, TaskSource::Project(_)) {
            task.narrow()?;
        }
        Ok(task)
    }
}

impl Task {
    /// Leaves of what a project's file says what a project may decide: nothing that allows more than
    /// holds without it.
    fn narrow(&mut self) -> Result<(), String> {
        if self.approvals.iter().any(|rule| rule.verdict == RuleVerdict::Allow) {
            return Err("a project's task may deny and ask (`approvals`), but allow nothing".into());
        }
        // A file of weights, anywhere.
        if self.model.as_deref().is_some_and(|name| name.starts_with("offline:")) {
            return Err("a project's task may not name a file as its model".into());
        }
        if self.review == Some(ReviewMode::Off) {
            self.review = Some(ReviewMode::Warn);
        }
        self.limits = std::mem::take(&mut self.limits).at_most(&Limits::default());
        Ok(())
    }
}

/// `["*"]` stands for all there are.
fn packs(names: Vec<String>) -> PackChoice {
    if names.iter().any(|name| name == "*") { PackChoice::All } else { PackChoice::Named(names) }
}

fn choice(word: &str) -> ToolChoice {
    match word {
        "auto" => ToolChoice::Auto,
        "required" => ToolChoice::Required,
        "none" => ToolChoice::None,
        name => ToolChoice::Tool(name.to_owned()),
    }
}

/// `release-notes` → `Release notes`.
fn titled(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut letters = words.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
