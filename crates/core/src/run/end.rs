//! How a run ends: with an answer, at a limit, or because somebody or something stopped it.

use super::{Events, PartialResult, Phase, Run, RunError};
use crate::{
    Answer, Event, EventKind, Failure, FailureKind, FinishReason, JournalError, Limit, Status,
    Timestamp,
};

impl Run {
    /// Somebody cancelled the run: every open call is settled and the run ends.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn cancelled(&mut self, at: Timestamp) -> Events {
        self.cancelled_with(Vec::new(), at)
    }

    /// As [`Run::cancelled`], with what there was of the results of calls that ran.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn cancelled_with(&mut self, partial: Vec<PartialResult>, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        let text = "The call was cancelled.";
        self.settle_all_with(&mut out, at, Status::Cancelled, text, partial);
        self.fail(&mut out, at, FailureKind::Cancelled, "the run was cancelled".into(), None);
        Ok(out)
    }

    /// The wall clock ran out: every open call is settled and the run ends.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn out_of_time(&mut self, at: Timestamp) -> Events {
        self.out_of_time_with(Vec::new(), at)
    }

    /// As [`Run::out_of_time`], with what there was of the results of calls that ran.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn out_of_time_with(&mut self, partial: Vec<PartialResult>, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        // A log that was cut short may already say so.
        if self.closing != Some(Limit::WallClock) {
            self.reach(&mut out, at, Limit::WallClock);
        }
        let text = "The call was stopped because the run's time was up.";
        self.settle_all_with(&mut out, at, Status::TimedOut, text, partial);
        self.fail_at_limit(&mut out, at, Limit::WallClock);
        Ok(out)
    }

    /// A source of tools is not there that the run may not go without: every open call is settled and the run
    /// ends.
    ///
    /// # Errors
    /// When the run has ended.
    pub fn source_missing(&mut self, reason: String, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        let text = "The call was stopped: a source of tools that is required is not there.";
        self.settle_all(&mut out, at, Status::Interrupted, text);
        let advice = "see to that, or let runs go on without it: `required = false` in its section";
        let advice = Some(advice.to_owned());
        self.fail(&mut out, at, FailureKind::SourceMissing, reason, advice);
        Ok(out)
    }

    /// The events could not be kept: nothing more may happen. A terminal event among them was not
    /// seen by anybody, and is taken back.
    pub fn persist_failed(&mut self, error: JournalError, at: Timestamp) -> Vec<Event> {
        let mut out = Vec::new();
        if self.is_ended() {
            self.seq = self.seq.saturating_sub(1);
        }
        let text = "The call was stopped: what happens could not be recorded.";
        self.settle_all(&mut out, at, Status::Interrupted, text);
        let message = format!("the run could not be recorded and was stopped: {}", error.message);
        self.fail(&mut out, at, FailureKind::Storage(error.kind), message, error.advice);
        out
    }

    /// Ends a run whose last message is the answer.
    pub(super) fn finish(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        let finish = match self.phase {
            Phase::Answered(finish) | Phase::Accepted(finish) | Phase::Rejected(finish) => finish,
            _ => FinishReason::Stop,
        };
        let text = self.conversation.messages().last().map(|it| it.content().to_owned());
        let text = text.unwrap_or_default();
        let text = match &self.output {
            Some(output) => output.read(&text).map_or(text, |(_, json)| json),
            None => text,
        };
        self.done(out, at, text, finish);
    }

    pub(super) fn done(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        response: String,
        finish: FinishReason,
    ) {
        let answer = Answer {
            response,
            tool_calls: self.settled.clone(),
            finish_reason: finish,
            tools_executed: self.executed,
            usage: self.total_usage(),
            cost: self.cost(),
            conversation_id: self.conversation_id.clone(),
            failed: self.has_failed(),
        };
        self.emit(out, at, EventKind::Done(Box::new(answer)));
    }

    pub(super) fn fail(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        kind: FailureKind,
        message: String,
        advice: Option<String>,
    ) {
        let failure = self.failure(kind, message, advice);
        self.emit(out, at, EventKind::Error(Box::new(failure)));
    }

    pub(super) fn failure(
        &self,
        kind: FailureKind,
        message: String,
        advice: Option<String>,
    ) -> Failure {
        Failure {
            kind,
            message,
            advice,
            response: self.partial.clone(),
            tool_calls: self.settled.clone(),
            usage: self.total_usage(),
            cost: self.cost(),
            conversation_id: self.conversation_id.clone(),
        }
    }

    /// The limit that the reply went over, of those that count what replies use.
    pub(super) fn over_budget(&mut self, out: &mut Vec<Event>, at: Timestamp) -> Option<Limit> {
        let limit = self.overspent()?;
        self.reach(out, at, limit);
        Some(limit)
    }

    pub(super) fn reach(&mut self, out: &mut Vec<Event>, at: Timestamp, limit: Limit) {
        let message = format!("{} reached; {}", limit.describe(&self.limits), limit.advice());
        self.emit(out, at, EventKind::LimitReached { limit, message });
    }

    /// What the model is told about a call beyond a limit.
    pub(super) fn at_limit(&self, limit: Limit) -> String {
        let what = limit.describe(&self.limits);
        format!("The call was not run: the limit of {what} is reached. Answer with what you have.")
    }

    pub(super) fn fail_at_limit(&mut self, out: &mut Vec<Event>, at: Timestamp, limit: Limit) {
        let what = limit.describe(&self.limits);
        let message = format!("the run reached its limit of {what} without an answer");
        self.fail(out, at, FailureKind::Limit(limit), message, Some(limit.advice()));
    }

    pub(super) fn expect_alive(&self) -> Result<(), RunError> {
        if self.is_ended() { Err(RunError::Ended) } else { Ok(()) }
    }

    pub(super) fn expect_model(&self) -> Result<(), RunError> {
        self.expect_alive()?;
        if self.phase == Phase::Model { Ok(()) } else { Err(RunError::NotAsking) }
    }
}
