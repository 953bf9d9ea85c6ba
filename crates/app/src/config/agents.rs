//! [`AgentConfig`]: an agent that is a tool of others.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::AppError;

/// An agent in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AgentSection {
    task: Option<String>,
    description: Option<String>,
    model: Option<String>,
    max_rounds: Option<u32>,
}

/// An agent that is a tool of others: a task, and when it is to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentConfig {
    /// The task, by its name.
    pub task: String,
    /// What models are told about it.
    pub description: String,
    /// The model it asks; that of the task, or the usual one, where nothing is said.
    pub model: Option<String>,
    /// How many rounds it may use tools in.
    pub max_rounds: Option<u32>,
}

/// The agents that the file names.
///
/// # Errors
/// When one does not say what it does.
pub(super) fn read(
    sections: &BTreeMap<String, AgentSection>,
) -> Result<BTreeMap<String, AgentConfig>, AppError> {
    let read = sections.iter().map(|(name, it)| {
        let wrong = |reason: &str| AppError::BadSource {
            section: format!("agents.{name}"),
            reason: reason.to_owned(),
        };
        let said = |text: &Option<String>| text.clone().filter(|it| !it.trim().is_empty());
        let task = said(&it.task).ok_or_else(|| wrong("`task` names the task that it does"))?;
        let description = said(&it.description).ok_or_else(|| {
            wrong("`description` tells models when to ask it, and what it has to be told")
        })?;
        if it.max_rounds == Some(0) {
            return Err(wrong("`max_rounds` is at least 1"));
        }
        let (model, max_rounds) = (said(&it.model), it.max_rounds);
        Ok((name.clone(), AgentConfig { task, description, model, max_rounds }))
    });
    read.collect()
}
