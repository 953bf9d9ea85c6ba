//! [`Outcome`]: how a call ended, told to two audiences.
//!
//! The model reads `text`; the operator reads `detail`. Nothing copies the second into the first,
//! so an error's source, a path or a secret in it cannot reach a provider by accident.

use std::{borrow::Cow, fmt, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::{Attachment, truncate_line};

/// How a call ended. Every call ends in exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The tool ran and answered.
    #[serde(rename = "success")]
    Ok,
    /// The tool ran and failed, or the call could not be understood.
    #[serde(rename = "error")]
    Failed,
    /// A guard refused the call; the tool did not run.
    Refused,
    /// The tool was stopped when its time was up.
    #[serde(rename = "timeout")]
    TimedOut,
    /// A person, or the policy that stands in for one, said no; the tool did not run.
    Denied,
    /// The run was cancelled while the call was open.
    Cancelled,
    /// The process died while the call was open; nobody knows how far the tool got.
    Interrupted,
}

impl Status {
    /// The word scripts see: `success`, `error`, `refused`, `timeout`, `denied`, `cancelled`,
    /// `interrupted`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "success",
            Self::Failed => "error",
            Self::Refused => "refused",
            Self::TimedOut => "timeout",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the tool answered.
    pub fn is_ok(self) -> bool {
        self == Self::Ok
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a call ended: a status, what the model reads, and what only people read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What the model reads: the content of the `tool` message.
    pub text: String,
    /// What is attached to it, in the order in which it stands there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// The result as data, when `text` is not itself that data as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub data: Option<Value>,
    /// The same in words, where `text` is JSON for the model: for people, and for models that read
    /// words better.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// What the operator reads: sources of an error, stack of a panic. Never sent to a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The arguments as the tool understood them, where it failed with them and says so: a path
    /// that was resolved, say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The arguments it ran with, where somebody changed those that the model wrote. The first line
    /// of `text` tells the model so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_arguments: Option<Arc<Value>>,
    /// How many characters that line has, with its end: the tool did not say them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) notice: usize,
    /// How many characters behind them are a mark that says how the call ended (`✅ Success!`), and no
    /// part of the words.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) mark: usize,
    /// Why it failed, where `text` says so as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// How that line begins.
const EDITED: &str = "The user changed the arguments of this call. It ran with: ";
/// How much of the arguments it tells, and of one text in them, in characters.
const ARGUMENTS: usize = 2_000;
const ARGUMENT: usize = 300;

impl Outcome {
    /// An outcome of this status that says `text` to the model.
    pub fn new(status: Status, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            status,
            text,
            attachments: Vec::new(),
            data: None,
            words: None,
            detail: None,
            input: None,
            edited_arguments: None,
            notice: 0,
            mark: 0,
            reason: None,
        }
    }

    /// An outcome of this status that says `words` to the model, behind a mark that says how the call
    /// ended. [`Outcome::unmarked`] is without it.
    pub fn marked(status: Status, mark: &str, words: &str) -> Self {
        Self { mark: mark.chars().count(), ..Self::new(status, format!("{mark}{words}")) }
    }

    /// The tool answered with `text`.
    pub fn ok(text: impl Into<String>) -> Self {
        Self::new(Status::Ok, text)
    }

    /// The tool failed; `text` says to the model what was wrong.
    pub fn failed(text: impl Into<String>) -> Self {
        Self::new(Status::Failed, text)
    }

    /// A guard refused the call; `text` says why and what to use instead.
    pub fn refused(text: impl Into<String>) -> Self {
        Self::new(Status::Refused, text)
    }

    /// There is no such tool; `message` says which there are.
    pub fn unknown_tool(message: &str) -> Self {
        Self::marked(Status::Failed, "Error: ", message)
    }

    /// Nobody knows how far the call got.
    pub fn interrupted() -> Self {
        Self::new(
            Status::Interrupted,
            "The call was interrupted before it returned a result; it may or may not have taken \
             effect.",
        )
    }

    /// Adds what the tool attached.
    #[must_use]
    pub fn with_attachments(mut self, attachments: Vec<Attachment>) -> Self {
        self.attachments = attachments;
        self
    }

    /// Adds the result as data, for programs and pages.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// Adds the result in words, for people.
    #[must_use]
    pub fn with_words(mut self, words: impl Into<String>) -> Self {
        self.words = Some(words.into());
        self
    }

    /// Adds what only the operator may read.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Adds the arguments as the tool understood them.
    #[must_use]
    pub fn with_input(mut self, input: Value) -> Self {
        self.input = Some(input);
        self
    }

    /// Says, to the model too, that the call ran with arguments that somebody changed.
    pub(crate) fn with_edited(mut self, arguments: Arc<Value>) -> Self {
        if self.data.is_none() {
            let value = serde_json::from_str::<Value>(&self.text).ok();
            self.data = value.filter(|value| value.is_object() || value.is_array());
        }
        let told = truncate_line(&shortened(&arguments).to_string(), ARGUMENTS);
        let notice = format!("{EDITED}{told}\n");
        self.notice = notice.chars().count();
        self.text = notice + &self.text;
        self.edited_arguments = Some(arguments);
        self
    }

    /// What the tool said: `text` without the line about arguments that somebody changed.
    pub fn said(&self) -> &str {
        // One line and no more, whatever number a log has that came from elsewhere.
        match self.text.split_once('\n') {
            Some((line, said)) if self.notice > 0 && line.chars().count() + 1 == self.notice => {
                said
            }
            _ => &self.text,
        }
    }

    /// As [`Outcome::readable`], without the mark of a success. A failure says that it is one.
    pub fn unmarked(&self) -> &str {
        match &self.words {
            Some(words) => words,
            None if self.status.is_ok() => behind(self.said(), self.mark),
            None => self.said(),
        }
    }

    /// Why a call failed or was refused, without what its format puts around that.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or_else(|| behind(self.said(), self.mark))
    }

    /// Puts another text into the place of the one the model reads, which is given back.
    pub fn replace_text(&mut self, text: String) -> String {
        let kept = self.text.chars().zip(text.chars()).take_while(|(old, new)| old == new).count();
        if kept < self.notice + self.mark {
            (self.notice, self.mark) = (0, 0);
        }
        std::mem::replace(&mut self.text, text)
    }

    /// The result in words: those beside the JSON where there are some, else what the tool said.
    pub fn readable(&self) -> &str {
        self.words.as_deref().unwrap_or_else(|| self.said())
    }

    /// The result as a JSON value: `data` if there is any, else what the tool said, parsed.
    ///
    /// # Errors
    /// When the result is plain text.
    pub fn value(&self) -> Result<Cow<'_, Value>, serde_json::Error> {
        match &self.data {
            Some(data) => Ok(Cow::Borrowed(data)),
            None => serde_json::from_str(self.said()).map(Cow::Owned),
        }
    }

    /// `{"success": true, "data": …}` or `{"success": false, "error": …}`, with the words the
    /// model read beside it under `text`.
    pub fn envelope(&self) -> Value {
        if self.status.is_ok() {
            let data = self.value().map_or_else(|_| json!(self.said()), Cow::into_owned);
            json!({"success": true, "data": data, "text": self.text})
        } else {
            json!({"success": false, "error": self.text, "status": self.status, "text": self.text})
        }
    }
}

/// A text from its character number `start` on; all of it, where it is shorter.
fn behind(text: &str, start: usize) -> &str {
    let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.nth(start).and_then(|at| text.get(at..)).unwrap_or(text)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The value, each text in it cut where it is long.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().nth(ARGUMENT).is_some() => {
            Value::String(text.chars().take(ARGUMENT).chain(['…']).collect())
        }
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::Object(map) => {
            map.iter().map(|(name, value)| (name.clone(), shortened(value))).collect()
        }
        other => other.clone(),
    }
}

/// A value that is there, be it `null`: data that is nothing is not the same as no data.
pub(crate) fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}
