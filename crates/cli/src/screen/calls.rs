//! [`OpenCalls`]: the calls of a run that have not finished, and which of them have a line already.

use std::collections::HashMap;

use toolwright_core::{CallId, CallSource, RequestedCall, truncate_line};

use crate::style::{END, WARN};

/// How much of a call's arguments fits its line.
pub(super) const ARGUMENTS: usize = 100;

/// The calls of a run that have not finished.
#[derive(Default)]
pub(super) struct OpenCalls {
    all: HashMap<CallId, RequestedCall>,
    /// Those of them that run and are not on the screen: a call has one line, with what came of it.
    running: Vec<CallId>,
}

impl OpenCalls {
    pub(super) fn add(&mut self, calls: &[RequestedCall]) {
        self.all.extend(calls.iter().map(|it| (it.id.clone(), it.clone())));
    }

    pub(super) fn get(&self, id: &CallId) -> Option<&RequestedCall> {
        self.all.get(id)
    }

    pub(super) fn start(&mut self, id: &CallId) {
        self.running.push(id.clone());
    }

    /// Those that run and are not on the screen.
    pub(super) fn running(&self) -> Vec<CallId> {
        self.running.clone()
    }

    /// A call that runs gets its line now; nothing where it has one.
    pub(super) fn take_running(&mut self, id: &CallId) -> Option<&RequestedCall> {
        let at = self.running.iter().position(|it| it == id)?;
        self.running.remove(at);
        self.all.get(id)
    }

    /// A call has finished.
    pub(super) fn remove(&mut self, id: &CallId) -> Option<RequestedCall> {
        self.all.remove(id)
    }
}

/// The arguments on a line, and whether they are what the model wrote.
pub(super) fn arguments(call: &RequestedCall) -> String {
    let arguments = truncate_line(&call.args.to_string(), ARGUMENTS);
    match call.source {
        CallSource::Repaired => format!("{arguments}{END} {WARN}repaired"),
        _ => arguments,
    }
}

pub(super) fn milliseconds(elapsed: f64) -> String {
    match elapsed {
        it if it >= 1000.0 => format!("{:.1} s", it / 1000.0),
        it if it >= 10.0 => format!("{it:.0} ms"),
        it => format!("{it:.1} ms"),
    }
}
