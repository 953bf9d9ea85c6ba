//! [`Step`]: what must happen next.

use std::sync::Arc;

use serde_json::Value;

use super::{CallState, OpenCall, Phase, Run};
use crate::{Answer, CallId, CallSource, Failure, ToolChoice, ToolEffect};

/// What must happen next, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Ask the model: report [`Run::model_called`], the parts, then [`Run::model_replied`] or
    /// [`Run::model_failed`].
    CallModel {
        /// Whether it may, must or must not call a tool.
        choice: ToolChoice,
    },
    /// Ask a person about each of these: report [`Run::call_previewed`] and [`Run::decided`].
    AwaitDecision(Vec<CheckedCall>),
    /// Run these, side by side if there are several: report [`Run::tool_started`] and
    /// [`Run::tool_settled`]. Empty while all that may run now are running.
    RunTools(Vec<CheckedCall>),
    /// Let the judge look at the answer, the last message: report [`Run::judged`].
    Judge,
    /// Hold the answer, the last message, against the results: report [`Run::checked`]. Only where
    /// a process died before that was done.
    Review,
    /// Nothing: the run has its answer, or has none.
    Done(Result<Box<Answer>, Box<Failure>>),
}

/// A call that passed every check.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckedCall {
    /// The call.
    pub id: CallId,
    /// The tool.
    pub tool: String,
    /// The arguments, parsed and valid.
    pub arguments: Arc<Value>,
    /// As the model wrote them, where somebody changed them. Whoever decides has to look at it.
    pub original_arguments: Option<Arc<Value>>,
    /// What running it does to the world.
    pub effect: ToolEffect,
    /// How it was obtained. Whoever decides about one that was repaired has to look at it.
    pub source: CallSource,
    /// Why else whoever decides about it has to look at it.
    pub review_reason: Option<String>,
    /// Whether somebody decided about it already.
    pub is_decided: bool,
}

impl CheckedCall {
    /// Whether somebody decides about it before it runs, or did.
    pub fn needs_decision(&self) -> bool {
        self.is_decided
            || self.effect.needs_decision()
            || self.review_reason.is_some()
            || self.original_arguments.is_some()
    }
}

impl Run {
    /// What must happen next.
    pub fn step(&self) -> Step {
        match &self.phase {
            Phase::Answered(_) if self.awaits_judge() && !self.is_draft() => Step::Judge,
            Phase::Answered(_) => Step::Review,
            // A run that waits for its end was cut short: `recover` comes first.
            Phase::Model | Phase::Ran | Phase::Accepted(_) | Phase::Rejected(_) => {
                Step::CallModel { choice: self.choice() }
            }
            Phase::Tools => self.next_tools(),
            Phase::Done(answer) => Step::Done(Ok(answer.clone())),
            Phase::Failed(failure) => Step::Done(Err(failure.clone())),
        }
    }

    pub(super) fn choice(&self) -> ToolChoice {
        if self.closing.is_some()
            || self.round >= self.limits.rounds
            || self.output_asked.is_asked()
        {
            ToolChoice::None
        } else if self.settled.is_empty() && self.answer_rejected.is_none() {
            self.first_choice.clone()
        } else {
            ToolChoice::Auto
        }
    }

    fn next_tools(&self) -> Step {
        let undecided: Vec<_> = self.undecided().map(checked).collect();
        if undecided.is_empty() {
            Step::RunTools(self.runnable().map(checked).collect())
        } else {
            Step::AwaitDecision(undecided)
        }
    }

    pub(super) fn undecided(&self) -> impl Iterator<Item = &OpenCall> {
        self.open.iter().filter(|call| call.state == CallState::Undecided)
    }

    /// What may start now. Decisions first, so that a person sees all that is planned; then
    /// readers together, and everything else alone and in the model's order.
    pub(super) fn runnable(&self) -> impl Iterator<Item = &OpenCall> {
        let may_run = self.phase == Phase::Tools && self.undecided().next().is_none();
        let unsettled = self.open.iter().filter(move |call| may_run && !call.state.is_settled());
        let (mut some, mut closed) = (false, false);
        let batch = unsettled.take_while(move |call| {
            let alone = !call.effect.is_read_only();
            let fits = !(closed || (alone && some));
            (some, closed) = (true, closed || alone);
            fits
        });
        batch.filter(|call| call.state == CallState::Ready)
    }
}

/// The call, for whoever runs it or decides about it.
pub(super) fn checked(call: &OpenCall) -> CheckedCall {
    CheckedCall {
        id: call.id.clone(),
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        original_arguments: call.original_arguments.clone(),
        effect: call.effect,
        source: call.source,
        review_reason: call.review_reason.clone(),
        is_decided: call.decided.is_some(),
    }
}
