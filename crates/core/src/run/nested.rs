//! Runs within a run: a call that is a run of another agent, whose events stand under it.
//!
//! The run that the call is folds its events by the very code of any other. What it uses counts here, at its
//! own prices; whatever ends the call ends it first, so that every call in it has its result, too.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CallState, Events, Run, RunError};
use crate::{
    Authenticity, CallId, Conversation, Event, EventKind, FailureKind, Limit, Limits, Status,
    Timestamp, Usage,
};

/// What runs within a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Spent {
    usage: Usage,
    unreported: Usage,
    /// In millionths, for what providers reported, and with what they did not.
    cost: u64,
    estimated: u64,
    /// Whether a price was known for any of it.
    is_priced: bool,
    calls: u32,
}

impl Spent {
    /// How many calls they made.
    pub(super) fn calls(&self) -> usize {
        self.calls as usize
    }

    pub(super) fn with_cost(&self, own: Option<u64>) -> Option<u64> {
        self.with(own, self.cost)
    }

    pub(super) fn with_estimated_cost(&self, own: Option<u64>) -> Option<u64> {
        self.with(own, self.estimated)
    }

    fn with(&self, own: Option<u64>, nested: u64) -> Option<u64> {
        (own.is_some() || self.is_priced).then(|| own.unwrap_or_default().saturating_add(nested))
    }

    /// Adds what one of them used between these two moments.
    fn add(&mut self, before: &Self, after: &Self) {
        self.usage += after.usage.since(&before.usage);
        self.unreported += after.unreported.since(&before.unreported);
        self.cost = self.cost.saturating_add(after.cost.saturating_sub(before.cost));
        let estimated = after.estimated.saturating_sub(before.estimated);
        self.estimated = self.estimated.saturating_add(estimated);
        self.calls = self.calls.saturating_add(after.calls.saturating_sub(before.calls));
        self.is_priced |= after.is_priced;
    }
}

impl Run {
    /// Something happened in the run that a call is. The events are the next of that run, in their order; the
    /// first of them begins it.
    ///
    /// # Errors
    /// When the call does not run, or they are not the next of its run.
    pub fn nested(&mut self, id: &CallId, events: Vec<Event>, at: Timestamp) -> Events {
        let child = self.open_in(id, &CallState::Started)?.nested.as_deref();
        let (mut seq, mut name) = (child.map_or(0, |it| it.seq), child.map(|it| it.id.clone()));
        if child.is_some_and(Self::is_ended) {
            return Err(RunError::Ended);
        }
        for event in &events {
            let begins = matches!(event.kind, EventKind::RunStarted { .. });
            let name = name.get_or_insert_with(|| event.run.clone());
            if event.seq != seq || event.run != *name || begins != (seq == 0) {
                return Err(RunError::BadLog(format!(
                    "event {} of {} stands where {seq} of {name} belongs",
                    event.seq, event.run
                )));
            }
            seq += u64::from(!event.kind.is_provisional());
        }
        let mut out = Vec::with_capacity(events.len());
        for event in events {
            self.emit(&mut out, at, EventKind::Nested { id: id.clone(), event: Box::new(event) });
        }
        Ok(out)
    }

    /// The run that an open call is, as far as it has come.
    pub fn nested_run(&self, id: &CallId) -> Option<&Self> {
        self.open.iter().find(|call| call.id == *id)?.nested.as_deref()
    }

    /// What is left of its limits, for a run within it: what that one uses counts here.
    pub fn remaining(&self) -> Limits {
        let made = u32::try_from(self.calls_made()).unwrap_or(u32::MAX);
        let used = self.used_tokens();
        let cost = self.cost_with_estimates().unwrap_or_default();
        Limits {
            rounds: self.limits.rounds,
            calls: self.limits.calls.saturating_sub(made),
            tokens: self.limits.tokens.map(|most| most.saturating_sub(used)),
            cost: self.limits.cost.map(|most| most.saturating_sub(cost)),
            // Its clock goes on, or stands still, for both.
            wall_clock: self.limits.wall_clock,
        }
    }

    /// The limit that is used up, with what runs within this one used.
    pub fn exhausted(&self) -> Option<Limit> {
        let is_called_out = self.calls_made() >= self.limits.calls as usize;
        self.overspent().or_else(|| is_called_out.then_some(Limit::Calls))
    }

    /// The run of which this one is a part has used up a limit, which is told in `what`. One on calls leaves a
    /// round to answer in; what costs more ends the run.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn exhausted_outside(&mut self, limit: Limit, what: &str, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::new();
        let reached = format!("the run that this is a part of reached its limit of {what}");
        if self.closing.is_none() {
            let message = format!("{reached}; {}", limit.advice());
            self.emit(&mut out, at, EventKind::LimitReached { limit, message });
        }
        if limit != Limit::Calls {
            let (kind, advice) = (FailureKind::Limit(limit), Some(limit.advice()));
            self.fail(&mut out, at, kind, format!("{reached}, without an answer"), advice);
        }
        Ok(out)
    }

    /// What providers reported, here and in runs within this one.
    pub(super) fn total_usage(&self) -> Usage {
        let mut usage = self.usage;
        usage += self.nested.usage;
        usage
    }

    /// The limit on tokens or money that is exceeded.
    pub(super) fn overspent(&self) -> Option<Limit> {
        let over = |most: Option<u64>, used: u64| most.is_some_and(|most| used > most);
        if over(self.limits.tokens, self.used_tokens()) {
            Some(Limit::Tokens)
        } else if over(self.limits.cost, self.cost_with_estimates().unwrap_or_default()) {
            Some(Limit::Cost)
        } else {
            None
        }
    }

    /// Whether runs within this one used up what it may use: the model is then not asked again.
    pub(super) fn is_overspent_within(&mut self, out: &mut Vec<Event>, at: Timestamp) -> bool {
        if self.nested == Spent::default() {
            return false;
        }
        let Some(limit) = self.over_budget(out, at) else { return false };
        self.fail_at_limit(out, at, limit);
        true
    }

    pub(super) fn fold_nested(&mut self, id: &CallId, event: &Event, authenticity: Authenticity) {
        let is_it = |call: &&mut super::OpenCall| call.id == *id && !call.state.is_settled();
        let Some(call) = self.open.iter_mut().find(is_it) else { return };
        let begins = event.seq == 0 && matches!(event.kind, EventKind::RunStarted { .. });
        let mut child = match call.nested.take() {
            Some(child) => child,
            None if begins => {
                let outer = Arc::new(self.conversation.clone());
                Box::new(Self::blank(event.run.clone(), Conversation::within(outer)))
            }
            None => return,
        };
        if event.seq == child.seq && event.run == child.id {
            let (before, asked) = (child.spent(), child.asked);
            match authenticity {
                Authenticity::Authentic => child.fold(event),
                Authenticity::Foreign => child.fold_foreign(event),
            }
            self.nested.add(&before, &child.spent());
            self.asked = self.asked.saturating_add(child.asked.saturating_sub(asked));
        }
        call.nested = Some(child);
    }

    /// Ends the run that a call is, where it goes on and the call gets its result.
    pub(super) fn end_nested(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        id: &CallId,
        status: Status,
    ) {
        let Some(child) = self.nested_run(id).filter(|child| !child.is_ended()) else { return };
        // Its events are folded here as they become events of this run.
        let mut child = child.clone();
        let events = match status {
            Status::Cancelled => child.cancelled(at),
            Status::TimedOut => child.stopped_in_time(at),
            _ => child.abandoned(at),
        };
        for event in events.unwrap_or_default() {
            self.emit(out, at, EventKind::Nested { id: id.clone(), event: Box::new(event) });
        }
    }

    /// The time of the call that this run is was up.
    fn stopped_in_time(&mut self, at: Timestamp) -> Events {
        self.expect_alive()?;
        let mut out = Vec::new();
        let text = "The call was stopped because the run's time was up.";
        self.settle_all(&mut out, at, Status::TimedOut, text);
        let message =
            "the time of the run that this is a part of, or of its call, was up".to_owned();
        let (kind, advice) = (FailureKind::Limit(Limit::WallClock), Limit::WallClock.advice());
        self.fail(&mut out, at, kind, message, Some(advice));
        Ok(out)
    }

    fn calls_made(&self) -> usize {
        self.settled.len() + self.open.len() + self.nested.calls()
    }

    fn used_tokens(&self) -> u64 {
        let mut used = self.total_usage();
        used += self.unreported;
        used += self.nested.unreported;
        used.total()
    }

    fn spent(&self) -> Spent {
        let mut unreported = self.unreported;
        unreported += self.nested.unreported;
        Spent {
            usage: self.total_usage(),
            unreported,
            cost: self.cost().unwrap_or_default(),
            estimated: self.cost_with_estimates().unwrap_or_default(),
            is_priced: self.cost().is_some(),
            calls: u32::try_from(self.calls_made()).unwrap_or(u32::MAX),
        }
    }
}
