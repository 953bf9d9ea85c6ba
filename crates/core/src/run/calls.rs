//! What a driver reports about calls: that they start, what is said about them, how they end.

use std::{sync::Arc, time::Duration};

use super::{CallState, Events, OpenCall, Run, RunError};
use crate::{
    CallId, Event, EventKind, Message, Outcome, PolicyNote, Status, Timestamp, ToolMessage,
};

impl Run {
    /// The tool is about to run.
    ///
    /// # Errors
    /// When the call may not be started now.
    pub fn tool_started(&mut self, id: &CallId, at: Timestamp) -> Events {
        let Some(call) = self.runnable().find(|call| call.id == *id) else {
            return Err(RunError::NoSuchCall(id.clone()));
        };
        let kind = EventKind::CallStarted { id: id.clone(), tool: call.tool.clone() };
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, kind);
        Ok(out)
    }

    /// The tool says how far it is.
    ///
    /// # Errors
    /// When the call does not run.
    pub fn tool_progress(&mut self, id: &CallId, text: String, at: Timestamp) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::CallProgress { id: id.clone(), data: text });
        Ok(out)
    }

    /// A layer did something about the call.
    ///
    /// # Errors
    /// When the call does not run.
    pub fn policy_applied(&mut self, id: &CallId, note: PolicyNote, at: Timestamp) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::PolicyApplied { id: id.clone(), note });
        Ok(out)
    }

    /// The call has its result. `whole` is the result as the tool gave it, where the outcome holds
    /// only a part.
    ///
    /// # Errors
    /// When the call was not started, or has its result already.
    pub fn tool_settled(
        &mut self,
        id: &CallId,
        outcome: Outcome,
        whole: Option<String>,
        elapsed: Duration,
        at: Timestamp,
    ) -> Events {
        self.open_in(id, &CallState::Started)?;
        let mut out = Vec::with_capacity(1);
        if let Some(text) = whole {
            self.emit(&mut out, at, EventKind::FullResult { id: id.clone(), text });
        }
        self.settle(&mut out, at, id, outcome, None, elapsed);
        self.answer_with_results(&mut out, at);
        Ok(out)
    }

    pub(super) fn settle(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        id: &CallId,
        outcome: Outcome,
        guard: Option<String>,
        elapsed: Duration,
    ) {
        self.end_nested(out, at, id, outcome.status);
        let Some(call) = self.open.iter().find(|call| call.id == *id) else { return };
        let (tool, status) = (call.tool.clone(), outcome.status);
        let outcome = match call.ran_edited() {
            Some(arguments) => outcome.with_edited(arguments),
            None => outcome,
        };
        let message = ToolMessage { call: id.clone(), name: tool.clone(), outcome };
        let kind = EventKind::CallFinished {
            id: id.clone(),
            tool,
            status,
            message: Arc::new(Message::Tool(message)),
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
            guard,
        };
        self.emit(out, at, kind);
    }

    pub(super) fn settle_all(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        status: Status,
        text: &str,
    ) {
        self.settle_all_with(out, at, status, text, Vec::new());
    }

    /// As [`Run::settle_all`], with what there was of the results.
    pub(super) fn settle_all_with(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        status: Status,
        text: &str,
        mut partial: Vec<PartialResult>,
    ) {
        let ran = |call: &OpenCall| match (&call.state, call.started) {
            (CallState::Started, Some(started)) => Duration::from_millis(at.since(started)),
            _ => Duration::ZERO,
        };
        let open = self.open.iter().filter(|call| !call.state.is_settled());
        let open: Vec<_> = open.map(|call| (call.id.clone(), ran(call))).collect();
        for (id, elapsed) in open {
            let left = partial.iter().position(|it| it.call == id);
            let left = left.map(|at| partial.swap_remove(at));
            let told = left.as_ref().map_or_else(|| text.to_owned(), |it| it.told(text));
            if let Some(text) = left.and_then(|it| it.whole) {
                self.emit(out, at, EventKind::FullResult { id: id.clone(), text });
            }
            self.settle(out, at, &id, Outcome::new(status, told), None, elapsed);
        }
    }

    /// The open call, if it is in this state.
    pub(super) fn open_in(&self, id: &CallId, state: &CallState) -> Result<&OpenCall, RunError> {
        self.expect_alive()?;
        let call = self.open.iter().find(|call| call.id == *id && call.state == *state);
        call.ok_or_else(|| RunError::NoSuchCall(id.clone()))
    }
}

/// What there was of a call's result when it was broken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialResult {
    /// The call.
    pub call: CallId,
    /// What the model reads of it.
    pub text: String,
    /// All of it, where that is only a part.
    pub whole: Option<String>,
}

impl PartialResult {
    /// Why the call was broken off, and what there was until then.
    pub fn told(&self, why: &str) -> String {
        format!("{why} Until then:\n{}", self.text)
    }
}
