//! Answers that have to have a form: the model is asked for it in a turn of its own, behind the last one
//! with tools.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Events, Phase, Run};
use crate::{
    CallValidator, Event, EventKind, Failure, FailureKind, FinishReason, Limit, Message,
    OutputSchema, Timestamp, truncate_line,
};

/// The name under which an answer is sent back that does not have its form.
pub(super) const OUTPUT: &str = "output";
/// What a call is answered with that comes when the answer is due.
pub(super) const NO_CALL: &str =
    "The call was not run: the answer is due now, as JSON and without further calls.";

/// How far the model was asked for an answer in its form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Asked {
    /// Not at all: it may still call tools.
    #[default]
    NotYet,
    /// It is to be told.
    Requested,
    /// It was told.
    Told,
    /// Its answer was sent back, which is done once.
    Returned,
}

impl Asked {
    pub(super) fn is_asked(self) -> bool {
        self != Self::NotYet
    }

    pub(super) fn told(&mut self) {
        if *self == Self::Requested {
            *self = Self::Told;
        }
    }

    pub(super) fn returned(&mut self) {
        *self = Self::Returned;
    }
}

impl Run {
    /// The model has no tools to call: it is asked for its answer in the form it has to have at once. Nothing
    /// happens where there is no such form, or it was asked already.
    ///
    /// # Errors
    /// When the run does not wait for the model.
    pub fn no_tools(&mut self, at: Timestamp) -> Events {
        self.expect_model()?;
        let mut out = Vec::new();
        self.ask_for_output(&mut out, at);
        Ok(out)
    }

    /// The form the answer has to have.
    pub fn output(&self) -> Option<&Arc<OutputSchema>> {
        self.output.as_ref()
    }

    /// The form that the model's next reply has to have: it was asked for its answer.
    pub fn output_due(&self) -> Option<Arc<OutputSchema>> {
        self.output.clone().filter(|_| self.output_asked.is_asked())
    }

    /// Whether the last message is an answer that comes before the one in its form.
    pub(super) fn is_draft(&self) -> bool {
        self.output.is_some()
            && !self.output_asked.is_asked()
            && matches!(self.phase, Phase::Answered(_))
    }

    pub(super) fn ask_for_output(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        if self.output.is_none() || self.output_asked.is_asked() {
            return;
        }
        self.emit(out, at, EventKind::OutputRequested);
        self.tell_form(out, at);
    }

    fn tell_form(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        let Some(output) = &self.output else { return };
        let message = Arc::new(Message::correction(output.instruction()));
        self.emit(out, at, EventKind::message(message));
    }

    /// The log may end between asking for the answer and saying how.
    pub(super) fn recover_output(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        if self.output_asked == Asked::Requested {
            self.tell_form(out, at);
        }
    }

    /// The model called tools when it had to answer.
    pub(super) fn ask_for_output_at_limit(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        limit: Limit,
    ) {
        match self.output_asked.is_asked() || !may_go_on(Some(limit)) {
            true => self.fail_at_limit(out, at, limit),
            false => self.ask_for_output(out, at),
        }
    }

    /// Takes an answer: as it is, or where it has to have a form only if it has it.
    pub(super) fn accept(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        text: &str,
    ) {
        let Some(output) = self.output.clone() else { return self.review(out, at, gate, text) };
        if self.is_draft() {
            return match self.closing.or_else(|| self.over_budget(out, at)) {
                Some(limit) => self.ask_for_output_at_limit(out, at, limit),
                None => self.ask_for_output(out, at),
            };
        }
        match self.answered_how() {
            FinishReason::Refusal => {
                let message = format!("the model declined to answer: {}", truncate_line(text, 300));
                let advice = Some("rephrase the question, or ask another model".to_owned());
                let failure = self.failure(FailureKind::Refused, message, advice);
                let failure = Failure { response: text.to_owned(), ..failure };
                return self.emit(out, at, EventKind::Error(Box::new(failure)));
            }
            FinishReason::Length => {
                let message = "the answer was cut off: the model reached the most it may write";
                let advice = "allow longer replies (max_output_tokens), or ask for less at once";
                let advice = Some(advice.to_owned());
                return self.fail(out, at, FailureKind::Truncated, message.to_owned(), advice);
            }
            finish @ FinishReason::ContentFilter => return self.nothing_said(out, at, finish),
            FinishReason::Stop | FinishReason::ToolCalls => {}
        }
        let violations = violations(&output, gate, text);
        match violations.is_empty() {
            true => self.review(out, at, gate, text),
            false => self.unfit(out, at, &violations),
        }
    }

    /// Whether an answer has the form it has to have, if it has to have one.
    pub(super) fn fits(&self, gate: &CallValidator<'_>, text: &str) -> bool {
        self.output.as_ref().is_none_or(|output| {
            let is_whole =
                matches!(self.answered_how(), FinishReason::Stop | FinishReason::ToolCalls);
            is_whole && violations(output, gate, text).is_empty()
        })
    }

    fn answered_how(&self) -> FinishReason {
        match self.phase {
            Phase::Answered(finish) => finish,
            _ => FinishReason::Stop,
        }
    }

    /// Sends an answer back that does not have its form, once.
    pub(super) fn unfit(&mut self, out: &mut Vec<Event>, at: Timestamp, violations: &[String]) {
        let all = violations.join("\n- ");
        if self.output_asked == Asked::Returned || !may_go_on(self.closing) {
            let message = format!("the answer does not have the form it has to have:\n- {all}");
            let advice = "ask again, ask another model, or make the schema simpler";
            return self.fail(out, at, FailureKind::Output, message, Some(advice.to_owned()));
        }
        let reason = format!(
            "Your answer does not fit the JSON Schema:\n- {all}\nGive all of it again, as JSON that fits and \
             nothing else."
        );
        let message = Arc::new(Message::correction(reason.clone()));
        self.emit(out, at, EventKind::AnswerRejected { guard: OUTPUT.to_owned(), reason });
        self.emit(out, at, EventKind::message(message));
    }

    /// An answer in its form that no result supports, and that was to be replaced by the results.
    pub(super) fn fail_unsupported(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        let message = "the answer states what no tool returned, and is not given".to_owned();
        let advice = "ask again, or ask another model";
        self.fail(out, at, FailureKind::Output, message, Some(advice.to_owned()));
    }
}

/// Everything that is wrong with an answer.
fn violations(output: &OutputSchema, gate: &CallValidator<'_>, text: &str) -> Vec<String> {
    match output.read(text) {
        Ok((answer, _)) => gate.output.violations(output, &answer),
        Err(error) => vec![format!("it is no JSON: {error}")],
    }
}

/// Whether an answer may still be asked for at this limit: those that bound what is spent are final.
fn may_go_on(limit: Option<Limit>) -> bool {
    matches!(limit, None | Some(Limit::Rounds | Limit::Calls))
}
