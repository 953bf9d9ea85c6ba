//! Questions program code asks of a conversation: was a tool called, what did it return, which
//! value did it return. A wrong question gets a [`QueryError`] that says what was wrong.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Conversation;
use crate::{Status, ToolMessage};

/// Why a question about a conversation has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The tool was never called.
    #[error("`{tool}` was not called; called so far: {}", list(called))]
    NotCalled {
        /// The tool asked about.
        tool: String,
        /// The tools that were called.
        called: Vec<String>,
    },
    /// The tool was called and never succeeded.
    #[error("`{tool}` was called but did not succeed; its last call ended as {status}: {text}")]
    NotSuccessful {
        /// The tool asked about.
        tool: String,
        /// How its last call ended.
        status: Status,
        /// What the model was told.
        text: String,
    },
    /// The result is text, not JSON.
    #[error("the result of `{tool}` is not JSON ({reason}): {text}")]
    NotJson {
        /// The tool asked about.
        tool: String,
        /// What the parser said.
        reason: String,
        /// The beginning of the result.
        text: String,
    },
    /// The result has no such place.
    #[error(
        "the result of `{tool}` has nothing at `{pointer}`; at its root it has: {}",
        list(keys)
    )]
    Missing {
        /// The tool asked about.
        tool: String,
        /// The place asked for.
        pointer: String,
        /// The keys at the root of the result.
        keys: Vec<String>,
    },
    /// The value there is of another type.
    #[error(
        "the value at `{pointer}` in the result of `{tool}` is not of the wanted type: {reason}"
    )]
    WrongType {
        /// The tool asked about.
        tool: String,
        /// The place asked for.
        pointer: String,
        /// What the conversion said.
        reason: String,
    },
}

impl Conversation {
    /// Whether a call of `tool` has a result, whatever it was.
    pub fn was_called(&self, tool: &str) -> bool {
        self.results_of(tool).next().is_some() || self.answered_before(tool)
    }

    /// Whether a call of `tool` succeeded.
    pub fn has_answered(&self, tool: &str) -> bool {
        self.results_of(tool).any(|result| result.outcome.status.is_ok())
            || self.answered_before(tool)
    }

    /// Whether it answered in the part that a digest stands for.
    fn answered_before(&self, tool: &str) -> bool {
        self.digest.as_ref().is_some_and(|digest| digest.answered.contains(tool))
    }

    /// Whether at least one of `tools` was called.
    pub fn called_any(&self, tools: &[&str]) -> bool {
        tools.iter().any(|tool| self.was_called(tool))
    }

    /// Whether every one of `tools` was called.
    pub fn called_all(&self, tools: &[&str]) -> bool {
        tools.iter().all(|tool| self.was_called(tool))
    }

    /// Those of `tools` that were called.
    pub fn which_called<'t>(&self, tools: &[&'t str]) -> Vec<&'t str> {
        tools.iter().copied().filter(|tool| self.was_called(tool)).collect()
    }

    /// The results of `tool`, oldest first, failures included.
    pub fn results_of<'a>(
        &'a self,
        tool: &'a str,
    ) -> impl DoubleEndedIterator<Item = &'a ToolMessage> {
        self.results().filter(move |result| result.name == tool)
    }

    /// The first result of `tool`.
    pub fn first_result_of<'a>(&'a self, tool: &'a str) -> Option<&'a ToolMessage> {
        self.results_of(tool).next()
    }

    /// The last result of `tool`.
    pub fn last_result_of<'a>(&'a self, tool: &'a str) -> Option<&'a ToolMessage> {
        self.results_of(tool).next_back()
    }

    /// The value at `pointer` (`/security_id`, `/instruments/0/name`; `""` is the whole) in the
    /// last successful result of `tool`. In an envelope the pointer may also be meant from the
    /// inside: `/security_id` finds `/data/security_id`.
    ///
    /// # Errors
    /// When there is no such result, it is not JSON, or has no such value of type `T`.
    pub fn value<T: DeserializeOwned>(&self, tool: &str, pointer: &str) -> Result<T, QueryError> {
        let result = self.successful(tool)?;
        let value = result.outcome.value().map_err(|error| {
            let text = preview(result.outcome.said());
            tracing::error!(tool, %error, bytes = text.len(), "the tool's result is not JSON");
            QueryError::NotJson { tool: tool.into(), reason: error.to_string(), text }
        })?;
        let inner = value.get("data").filter(|_| value.get("success").is_some());
        let found = value
            .pointer(pointer)
            .or_else(|| inner.and_then(|data| data.pointer(pointer)))
            .ok_or_else(|| QueryError::Missing {
                tool: tool.into(),
                pointer: pointer.into(),
                keys: keys(inner.unwrap_or(&value)),
            })?;
        T::deserialize(found).map_err(|error| QueryError::WrongType {
            tool: tool.into(),
            pointer: pointer.into(),
            reason: error.to_string(),
        })
    }

    fn successful(&self, tool: &str) -> Result<&ToolMessage, QueryError> {
        let ok = self.results().rfind(|it| it.name == tool && it.outcome.status.is_ok());
        ok.ok_or_else(|| match self.results().rfind(|it| it.name == tool) {
            Some(last) => QueryError::NotSuccessful {
                tool: tool.into(),
                status: last.outcome.status,
                text: preview(last.outcome.said()),
            },
            None => {
                let mut called: Vec<_> = self.results().map(|it| it.name.clone()).collect();
                called.sort();
                called.dedup();
                QueryError::NotCalled { tool: tool.into(), called }
            }
        })
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

fn keys(value: &Value) -> Vec<String> {
    match value {
        Value::Object(map) => map.keys().cloned().collect(),
        Value::Array(items) => vec![format!("a list of {}", items.len())],
        other => vec![preview(&other.to_string())],
    }
}

fn preview(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
