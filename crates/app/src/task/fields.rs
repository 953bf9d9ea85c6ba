//! [`TaskFields`]: what the front matter of a task says, and `[tasks.NAME]` of the config file.

use std::path::PathBuf;

use serde::Deserialize;
use toolwright_core::{ModelOptions, ReviewMode, ToolChoice, is_hidden, truncate_line};
use toolwright_runtime::{Rule, RuleVerdict};

use super::{PackChoice, Task, TaskSource, ToolPattern, file::FrontMatter};
use crate::config::{LimitsSection, RuleSection, values};

/// What the front matter of a task says. The config file says the same of a task, and the prompt.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TaskFields {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) packs: Option<Vec<String>>,
    pub(crate) sources: Option<Vec<String>>,
    pub(crate) tools: Option<Vec<String>>,
    #[serde(deserialize_with = "values::named")]
    pub(crate) model: Option<String>,
    #[serde(deserialize_with = "values::named")]
    pub(crate) first_tool_choice: Option<String>,
    pub(crate) options: ModelOptions,
    pub(crate) limits: LimitsSection,
    #[serde(deserialize_with = "values::review")]
    pub(crate) review: Option<ReviewMode>,
    pub(crate) one_at_a_time: Option<bool>,
    pub(crate) starters: Option<Vec<String>>,
    pub(crate) approvals: Vec<RuleSection>,
    /// The system prompt. In a file it stands below the front matter.
    pub(crate) prompt: Option<String>,
}

/// What a task says of how its runs go. What becomes of it depends on who says it: the user decides, what
/// comes with the program is what holds where nobody says anything, and a project only makes narrower
/// what holds without it, but for the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TaskSettings {
    pub(crate) model: Option<String>,
    pub(crate) options: ModelOptions,
    pub(crate) limits: LimitsSection,
    pub(crate) review: Option<ReviewMode>,
    pub(crate) one_at_a_time: Option<bool>,
}

impl TaskFields {
    /// What these say of how runs go.
    pub(crate) fn settings(&self) -> TaskSettings {
        TaskSettings {
            model: self.model.clone(),
            options: self.options.clone(),
            limits: self.limits.clone(),
            review: self.review,
            one_at_a_time: self.one_at_a_time,
        }
    }

    /// The fields that say something.
    fn named(&self) -> Vec<&'static str> {
        let all = [
            ("title", self.title.is_some()),
            ("description", self.description.is_some()),
            ("packs", self.packs.is_some()),
            ("sources", self.sources.is_some()),
            ("tools", self.tools.is_some()),
            ("model", self.model.is_some()),
            ("first_tool_choice", self.first_tool_choice.is_some()),
            ("options", !self.options.is_empty()),
            ("limits", self.limits != LimitsSection::default()),
            ("review", self.review.is_some()),
            ("one_at_a_time", self.one_at_a_time.is_some()),
            ("starters", self.starters.is_some()),
            ("approvals", !self.approvals.is_empty()),
            ("prompt", self.prompt.is_some()),
        ];
        all.into_iter().filter(|(_, is_said)| *is_said).map(|(name, _)| name).collect()
    }

    /// The task they make, with what the config file says of it, and where that is. An error names the
    /// field.
    pub(crate) fn task(
        self,
        said: Option<(Self, PathBuf)>,
        name: &str,
        source: TaskSource,
    ) -> Result<Task, (&'static str, String)> {
        if matches!(source, TaskSource::Project(_)) {
            self.check_projects()?;
        }
        let own = self;
        let said_in = said.as_ref().map(|(fields, path)| (path.clone(), fields.named()));
        let said = said.map(|(fields, _)| fields).unwrap_or_default();
        let prompt = said.prompt.as_ref().or(own.prompt.as_ref());
        let prompt = prompt.filter(|it| !it.trim().is_empty()).cloned();
        let reason = "it has no prompt: say what the model is to do";
        let prompt = prompt.ok_or_else(|| ("prompt", reason.to_owned()))?;
        let (own_settings, said_settings) = (own.settings(), said.settings());
        let approvals = said.approvals.into_iter().chain(own.approvals);
        let tools = said.tools.or(own.tools);
        let title = said.title.or(own.title).map(|it| plain(&it)).filter(|it| !it.is_empty());
        let packs = said.packs.or(own.packs).map_or(PackChoice::All, chosen);
        // Who wants all there is wants what was added, too; who names packs knows what the task is about.
        let sources = match (said.sources.or(own.sources), &packs) {
            (Some(names), _) => chosen(names),
            (None, PackChoice::All) => PackChoice::All,
            (None, PackChoice::Named(_)) => PackChoice::Named(Vec::new()),
        };
        let starters = said.starters.or(own.starters).unwrap_or_default();
        Ok(Task {
            name: name.to_owned(),
            title: title.unwrap_or_else(|| titled(name)),
            description: plain(&said.description.or(own.description).unwrap_or_default()),
            packs,
            sources,
            tools: tools.map(|it| it.iter().map(|it| ToolPattern::new(it)).collect()),
            first_tool_choice: said
                .first_tool_choice
                .or(own.first_tool_choice)
                .map_or(ToolChoice::Auto, |it| choice(&it)),
            starters: starters.iter().map(|it| plain(it)).collect(),
            approvals: approvals.map(Rule::from).collect(),
            said_in,
            front: FrontMatter::default(),
            own: own_settings,
            said: said_settings,
            prompt,
            source,
        })
    }

    /// Whether a project may say this. All fields are here, so that one that is new is decided about.
    fn check_projects(&self) -> Result<(), (&'static str, String)> {
        let Self {
            // What people see and what the model is told: it is shown before it is trusted.
            title: _,
            description: _,
            starters: _,
            prompt: _,
            // Of what the user has set up; no tool runs that would not run in a task of the user's.
            packs: _,
            sources: _,
            tools: _,
            first_tool_choice: _,
            // These only make narrower what holds without them: `Sources::folders`.
            limits: _,
            review: _,
            one_at_a_time: _,
            model,
            options,
            approvals,
        } = self;
        if !options.headers.is_empty() || !options.extra.is_empty() {
            let reason = "a project's task may not send headers or fields of its own (`options`)";
            return Err(("options", reason.to_owned()));
        }
        options.check().map_err(|error| ("options", error.to_string()))?;
        if approvals.iter().any(|rule| rule.verdict() == RuleVerdict::Allow) {
            let reason = "a project's task may deny and ask (`approvals`), but allow nothing";
            return Err(("approvals", reason.to_owned()));
        }
        // A file of weights, anywhere.
        if model.as_deref().is_some_and(|name| name.trim().starts_with("offline:")) {
            let reason = "a project's task may not name a file as its model (`model`)";
            return Err(("model", reason.to_owned()));
        }
        Ok(())
    }
}

/// A line for people: on a page and in a list it is taken for what it seems to be.
fn plain(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .filter(|it| !is_hidden(*it))
        .collect();
    truncate_line(&text, LONGEST)
}

/// The longest line that people are shown of a task.
const LONGEST: usize = 2_000;

/// `["*"]` stands for all there are.
fn chosen(names: Vec<String>) -> PackChoice {
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
