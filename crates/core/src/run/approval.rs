//! What a driver reports about decisions: what a call would do, what was decided, and whether that
//! still stands.

use std::{sync::Arc, time::Duration};

use super::{CallState, Events, OpenCall, Run, RunError};
use crate::{
    CallId, CallPreview, CallSource, CallValidator, Decision, EventKind, Fingerprint, Outcome,
    Status, Timestamp,
};

/// What the model is told about a call that was approved without a look at it, and had to be
/// repaired.
const REPAIRED: &str = "it cannot be taken back, and its JSON or the name of its tool was not valid and \
                      had to be repaired. Send the same call again, as valid JSON and with the tool's \
                      exact name.";

/// The same about one whose arguments were changed.
const CHANGED: &str = "the user changed its arguments, and nobody looked at it since.";

impl Run {
    /// What a call would do. A call that was decided about and would now do something else waits for
    /// a decision again.
    ///
    /// # Errors
    /// When the call neither waits for a decision nor has one.
    pub fn call_previewed(&mut self, id: &CallId, preview: CallPreview, at: Timestamp) -> Events {
        let call = match self.open_in(id, &CallState::Undecided) {
            Ok(call) => call,
            Err(error) => self.decided_call(id).ok_or(error)?,
        };
        let (is_ready, fingerprint) =
            (call.state == CallState::Ready, call.fingerprint_with(&preview));
        let mut out = Vec::with_capacity(2);
        if is_ready {
            self.emit(&mut out, at, EventKind::DecisionNeeded { calls: vec![id.clone()] });
        }
        let preview = Arc::new(preview);
        self.emit(&mut out, at, EventKind::CallPreview { id: id.clone(), fingerprint, preview });
        Ok(out)
    }

    /// Somebody wants to decide about calls that would otherwise run: a rule is about them.
    ///
    /// # Errors
    /// When one of them is not about to run, or was decided about.
    pub fn questioned(&mut self, calls: Vec<CallId>, at: Timestamp) -> Events {
        for id in &calls {
            let call = self.open_in(id, &CallState::Ready)?;
            if call.needs_decision() {
                return Err(RunError::Changed(id.clone()));
            }
        }
        let mut out = Vec::with_capacity(1);
        self.emit(&mut out, at, EventKind::DecisionNeeded { calls });
        Ok(out)
    }

    /// Whether the decision about a call covers what it would do now. True for calls that nobody has
    /// to decide about.
    pub fn stands(&self, id: &CallId, preview: &CallPreview) -> bool {
        self.decided_call(id).is_none_or(|call| {
            let decided = call.decided.as_ref();
            decided.is_some_and(|decided| *decided == call.fingerprint_with(preview))
        })
    }

    /// A call that waits for a decision cannot work: it gets its result, and nobody is asked. Whoever changed
    /// its arguments is told, and decides all the same. `whole` is as in [`Run::tool_settled`].
    ///
    /// # Errors
    /// When the call neither waits for a decision nor has one.
    pub fn call_failed(
        &mut self,
        id: &CallId,
        outcome: Outcome,
        whole: Option<String>,
        at: Timestamp,
    ) -> Events {
        let call = match self.open_in(id, &CallState::Undecided) {
            Ok(call) => call,
            Err(error) => self.decided_call(id).ok_or(error)?,
        };
        let mut out = Vec::with_capacity(3);
        if call.original_arguments.is_some() && call.state == CallState::Undecided {
            let message = format!("{} cannot work like this: {}", call.tool, outcome.reason());
            self.emit(&mut out, at, EventKind::Notice { message, id: Some(id.clone()) });
            return Ok(out);
        }
        if let Some(text) = whole {
            self.emit(&mut out, at, EventKind::FullResult { id: id.clone(), text });
        }
        self.settle(&mut out, at, id, outcome, None, Duration::ZERO);
        self.answer_with_results(&mut out, at);
        Ok(out)
    }

    /// A guard refuses what a call would do that waits for a decision: it gets its result, and nobody is asked.
    ///
    /// # Errors
    /// When the call does not wait for a decision.
    pub fn call_refused(
        &mut self,
        id: &CallId,
        (guard, outcome): (String, Outcome),
        at: Timestamp,
    ) -> Events {
        self.open_in(id, &CallState::Undecided)?;
        let mut out = Vec::with_capacity(2);
        self.settle(&mut out, at, id, outcome, Some(guard), Duration::ZERO);
        self.answer_with_results(&mut out, at);
        Ok(out)
    }

    /// A person, or somebody who stands in for one, decided about what has this fingerprint. The
    /// gate is asked about arguments they changed; where it refuses them a notice says why, and the
    /// call goes on waiting as it was.
    ///
    /// # Errors
    /// When the call does not wait for a decision, or the decision is about something else.
    pub fn decided(
        &mut self,
        id: &CallId,
        about: &Fingerprint,
        decision: Decision,
        gate: &CallValidator<'_>,
        at: Timestamp,
    ) -> Events {
        self.take_decision(id, about, (decision, false), gate, at)
    }

    /// As [`Run::decided`], where nobody was asked: a rule decided, or what was approved beforehand did.
    ///
    /// # Errors
    /// When the call does not wait for a decision, or the decision is about something else.
    pub fn decided_unasked(
        &mut self,
        id: &CallId,
        about: &Fingerprint,
        decision: Decision,
        gate: &CallValidator<'_>,
        at: Timestamp,
    ) -> Events {
        self.take_decision(id, about, (decision, true), gate, at)
    }

    fn take_decision(
        &mut self,
        id: &CallId,
        about: &Fingerprint,
        (decision, automatic): (Decision, bool),
        gate: &CallValidator<'_>,
        at: Timestamp,
    ) -> Events {
        let call = self.open_in(id, &CallState::Undecided)?;
        if *about != call.fingerprint_with(&call.preview) {
            return Err(RunError::Changed(id.clone()));
        }
        let decision = match call.unseen() {
            Some(reason) if decision == Decision::Allow => Decision::deny(reason),
            _ => decision,
        };
        let denied = format!("The call of {} was denied", call.tool);
        let mut out = Vec::new();
        let (fingerprint, made) = (Some(about.clone()), decision.clone());
        self.emit(
            &mut out,
            at,
            EventKind::DecisionMade { id: id.clone(), fingerprint, decision: made, automatic },
        );
        match decision {
            Decision::Allow | Decision::AllowReviewed => {}
            Decision::Deny { reason } => {
                let text = match reason {
                    Some(reason) => format!("{denied}: {reason}"),
                    None => format!("{denied} by the user. Do not try it again."),
                };
                let outcome = Outcome::new(Status::Denied, text);
                self.settle(&mut out, at, id, outcome, None, Duration::ZERO);
                self.answer_with_results(&mut out, at);
            }
            Decision::Edit { arguments } => self.edit(&mut out, at, id, arguments, gate),
        }
        Ok(out)
    }

    fn decided_call(&self, id: &CallId) -> Option<&OpenCall> {
        self.open
            .iter()
            .find(|call| call.id == *id && call.state == CallState::Ready && call.needs_decision())
    }
}

impl OpenCall {
    /// Whether it passed the checks.
    pub(super) fn is_checked(&self) -> bool {
        self.state != CallState::Proposed
    }

    /// Whether somebody decides about it before it runs, or did.
    pub(super) fn needs_decision(&self) -> bool {
        self.decided.is_some()
            || self.effect.needs_decision()
            || self.review_reason.is_some()
            || self.original_arguments.is_some()
    }

    /// Whether a decision lets it run.
    pub(super) fn permitted_by(&self, decision: &Decision) -> bool {
        match decision {
            Decision::Allow => self.unseen().is_none(),
            Decision::AllowReviewed => true,
            Decision::Deny { .. } | Decision::Edit { .. } => false,
        }
    }

    /// Why it may not run before somebody looked at it.
    fn unseen(&self) -> Option<String> {
        if self.original_arguments.is_some() {
            return Some(CHANGED.to_owned());
        }
        if self.source == CallSource::Repaired {
            return Some(REPAIRED.to_owned());
        }
        let CallPreview { review_reason: care, rule_concern: doubt, .. } = &*self.preview;
        let care = care.as_ref().or(self.review_reason.as_ref()).or(doubt.as_ref())?;
        Some(format!("{care}. Somebody has to look at it first, and nobody did."))
    }

    fn fingerprint_with(&self, preview: &CallPreview) -> Fingerprint {
        Fingerprint::of(&self.tool, &self.arguments, preview)
    }
}
