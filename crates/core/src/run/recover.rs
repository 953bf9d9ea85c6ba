//! Going on after a crash: what a log that was cut short leaves open.

use std::{sync::Arc, time::Duration};

use super::{CallState, Phase, ResultMode, Run, RunError, foreign::NOT_CHECKED};
use crate::{
    Event, EventKind, FailureKind, FinishReason, Message, Outcome, RequestedCall, Status, Timestamp,
};

/// What becomes of a run that is recovered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recovery {
    /// It goes on.
    GoesOn,
    /// It is ended.
    Ends,
}

impl Run {
    /// Makes a run that was loaded from a log ready to go on. Nothing that may have had an effect
    /// is started again: such a call is settled as interrupted, and so is one that was not checked
    /// yet. Calls of repeatable tools, and checked calls that never started, run now; decisions
    /// that were not made are asked for again.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn recover(&mut self, at: Timestamp) -> Result<Vec<Event>, RunError> {
        self.recovered(at, Recovery::GoesOn)
    }

    /// As [`Run::recover`], for a run that is ended next: nobody is asked again for what they did not decide.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn recover_to_end(&mut self, at: Timestamp) -> Result<Vec<Event>, RunError> {
        self.recovered(at, Recovery::Ends)
    }

    fn recovered(&mut self, at: Timestamp, what: Recovery) -> Result<Vec<Event>, RunError> {
        if self.is_ended() {
            return Err(RunError::Ended);
        }
        let mut out = Vec::new();
        self.tell_disregarded(&mut out, at);
        match self.phase {
            // `step` says what is to be done about it.
            Phase::Answered(_) if !self.reviewing.is_off() || self.output.is_some() => {}
            Phase::Answered(_) | Phase::Accepted(_) => self.finish(&mut out, at),
            Phase::Rejected(_) => self.replace(&mut out, at),
            Phase::Ran => self.answer_with_results(&mut out, at),
            Phase::Tools => self.recover_calls(&mut out, at, what),
            // It was asked, and is asked once.
            Phase::Model if self.mode == ResultMode::SingleShot && self.empty_replies > 0 => {
                self.nothing_said(&mut out, at, FinishReason::Stop);
            }
            _ => self.recover_correction(&mut out, at),
        }
        Ok(out)
    }

    /// Ends a run that nobody will go on with: every open call is settled as interrupted.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn abandoned(&mut self, at: Timestamp) -> Result<Vec<Event>, RunError> {
        let mut out = self.recover_to_end(at)?;
        if !self.is_ended()
            && matches!(self.phase, Phase::Answered(_))
            && !self.holds_answers()
            && self.output.is_none()
        {
            // It was shown while it came, and nothing could have been done about it.
            self.finish(&mut out, at);
        }
        if !self.is_ended() {
            let text = Outcome::interrupted().text;
            self.settle_all(&mut out, at, Status::Interrupted, &text);
            let message = "the run was interrupted and not resumed".to_owned();
            self.fail(&mut out, at, FailureKind::Interrupted, message, None);
        }
        Ok(out)
    }

    /// Ends a copy of a run that goes no further than to here: nothing is said in it any more.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn cut_short(&mut self, at: Timestamp) -> Result<Vec<Event>, RunError> {
        self.expect_alive()?;
        if self.phase == Phase::Tools {
            return self.abandoned(at);
        }
        let mut out = Vec::new();
        let stands = self.output.is_none() && !self.holds_answers();
        match self.phase {
            Phase::Accepted(_) => self.finish(&mut out, at),
            Phase::Answered(_) if stands => self.finish(&mut out, at),
            _ => {
                let message = "the conversation was forked here".to_owned();
                self.fail(&mut out, at, FailureKind::Interrupted, message, None);
            }
        }
        Ok(out)
    }

    /// The log may end between sending an answer back and saying why.
    fn recover_correction(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        let last = self.conversation.messages().last().map(|message| message.role());
        if let (Some(reason), Some("assistant")) = (self.answer_rejected.clone(), last) {
            let message = Arc::new(Message::correction(reason));
            self.emit(out, at, EventKind::message(message));
        }
        self.recover_output(out, at);
    }

    fn recover_calls(&mut self, out: &mut Vec<Event>, at: Timestamp, what: Recovery) {
        if self.open.is_empty() {
            // The log ends right behind the reply: its calls were never looked at.
            let reply = self.conversation.messages().last().cloned();
            let calls = reply.iter().flat_map(|reply| reply.calls());
            let tool_calls =
                calls.map(|call| RequestedCall::new(call, &call.name, &call.parse().map(Arc::new)));
            let tool_calls = tool_calls.collect();
            self.emit(out, at, EventKind::ToolCalls { tool_calls });
        }
        let mut again = Vec::new();
        let mut lost = Vec::new();
        for call in &self.open {
            match call.state {
                CallState::Started if call.effect.is_repeatable() => again.push(call.clone()),
                CallState::Proposed if self.disregarded => {
                    let outcome = Outcome::new(Status::Interrupted, NOT_CHECKED);
                    lost.push((call.id.clone(), outcome));
                }
                CallState::Started | CallState::Proposed => {
                    lost.push((call.id.clone(), Outcome::interrupted()));
                }
                CallState::Undecided | CallState::Ready | CallState::Settled(_) => {}
            }
        }
        for call in again {
            let kind = EventKind::CallChecked {
                id: call.id,
                tool: call.tool,
                arguments: call.arguments,
                effect: call.effect,
                provenance: Vec::new(),
                review_reason: call.review_reason,
            };
            self.emit(out, at, kind);
        }
        // Those among them, too, that somebody has to look at.
        let undecided: Vec<_> = self.undecided().map(|call| call.id.clone()).collect();
        for (id, outcome) in lost {
            self.settle(out, at, &id, outcome, None, Duration::ZERO);
        }
        if what == Recovery::GoesOn && !undecided.is_empty() {
            self.emit(out, at, EventKind::DecisionNeeded { calls: undecided });
        }
        self.answer_with_results(out, at);
    }
}
