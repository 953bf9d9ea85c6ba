//! [`Difference`]: what is not as the log has it, and [`differences`], which finds it.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use toolwright_core::{CallId, Event, EventKind, Message, Status, truncate_line};

/// How much is shown of a text, in characters.
const SHOWN: usize = 160;

/// What is not as the log has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// What it is about.
    pub kind: DifferenceKind,
    /// The same in a sentence.
    pub message: String,
    /// As the log has it; nothing where it has no such thing.
    pub recorded: Option<String>,
    /// As it is now.
    pub now: Option<String>,
}

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DifferenceKind {
    /// Which tool is called, and with what.
    Call,
    /// How a call ends: whether it runs, and which guard refuses it.
    Status,
    /// What the model reads of a result.
    Result,
    /// Which guards send an answer back.
    Returned,
    /// The answer.
    Answer,
    /// Whether there is one.
    End,
}

/// What happened in a run, as far as it is compared.
#[derive(Default)]
pub(super) struct Played {
    pub(super) calls: Vec<PlayedCall>,
    returned: Vec<String>,
    pub(super) answer: Option<String>,
    failure: Option<String>,
}

pub(super) struct PlayedCall {
    id: CallId,
    tool: String,
    arguments: Arc<Value>,
    status: Option<Status>,
    guard: Option<String>,
    text: String,
}

impl PlayedCall {
    /// Whether it did not run because somebody or something said no.
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.status, Some(Status::Refused | Status::Denied))
    }

    fn shown(&self) -> String {
        truncate_line(&format!("{} {}", self.tool, self.arguments), SHOWN)
    }

    /// How it ended, and why where that was not well.
    fn end(&self) -> String {
        let status = self.status.map_or("nothing", Status::as_str);
        let status = match &self.guard {
            Some(guard) => format!("{status} ({guard})"),
            None => status.to_owned(),
        };
        match self.status {
            Some(Status::Ok) | None => status,
            Some(_) => format!("{status}: {}", self.text),
        }
    }
}

impl Played {
    pub(super) fn of(events: &[Event]) -> Self {
        let mut played = Self::default();
        for event in events {
            match &event.kind {
                EventKind::ToolCalls { tool_calls } => {
                    played.calls.extend(tool_calls.iter().map(|call| PlayedCall {
                        id: call.id.clone(),
                        tool: call.tool.clone(),
                        arguments: call.args.clone(),
                        status: None,
                        guard: None,
                        text: String::new(),
                    }));
                }
                EventKind::CallFinished { id, status, message, guard, .. } => {
                    played.finished(id, *status, message, guard.as_ref());
                }
                EventKind::AnswerRejected { guard, .. } => played.returned.push(guard.clone()),
                EventKind::Done(answer) => played.answer = Some(answer.response.clone()),
                EventKind::Error(failure) => played.failure = Some(failure.message.clone()),
                _ => {}
            }
        }
        played
    }

    fn finished(&mut self, id: &CallId, status: Status, message: &Message, guard: Option<&String>) {
        // Ids are given once in a run.
        if let Some(call) = self.calls.iter_mut().find(|call| call.id == *id) {
            call.status = Some(status);
            call.guard = guard.cloned();
            message.content().clone_into(&mut call.text);
        }
    }
}

/// What is not as the log has it, in order.
pub(super) fn differences(was: &Played, is: &Played) -> Vec<Difference> {
    let mut found = Vec::new();
    for at in 0..was.calls.len().max(is.calls.len()) {
        found.extend(of_call(at + 1, was.calls.get(at), is.calls.get(at)));
    }
    let list = |guards: &[String]| (!guards.is_empty()).then(|| guards.join(", "));
    let (before, after) = (list(&was.returned), list(&is.returned));
    found.extend(apart(DifferenceKind::Returned, "answers sent back by", before, after));
    let (before, after) = (was.failure.clone(), is.failure.clone());
    found.extend(apart(DifferenceKind::End, "the failure", before, after));
    let (before, after) = (was.answer.clone(), is.answer.clone());
    found.extend(apart(DifferenceKind::Answer, "the answer", before, after));
    found
}

fn of_call(number: usize, was: Option<&PlayedCall>, is: Option<&PlayedCall>) -> Option<Difference> {
    let (before, after) = (was.map(PlayedCall::shown), is.map(PlayedCall::shown));
    let (Some(was), Some(is)) = (was, is) else {
        return apart(DifferenceKind::Call, &format!("call {number}"), before, after);
    };
    let name = format!("call {number} (`{}`)", is.tool);
    if (&was.tool, &was.arguments) != (&is.tool, &is.arguments) {
        return apart(DifferenceKind::Call, &format!("call {number}"), before, after);
    }
    if (was.status, &was.guard) != (is.status, &is.guard) {
        return apart(DifferenceKind::Status, &name, Some(was.end()), Some(is.end()));
    }
    let what = format!("the result of {name}");
    apart(DifferenceKind::Result, &what, Some(was.text.clone()), Some(is.text.clone()))
}

fn apart(
    kind: DifferenceKind,
    what: &str,
    recorded: Option<String>,
    now: Option<String>,
) -> Option<Difference> {
    if recorded == now {
        return None;
    }
    let shown = |text: &Option<String>| match text {
        Some(text) => format!("`{}`", truncate_line(text, SHOWN)),
        None => "nothing".to_owned(),
    };
    let message = format!("{what}: recorded {}, now {}", shown(&recorded), shown(&now));
    Some(Difference { kind, message, recorded, now })
}
