//! Holding an answer against the results before the run ends: [`ReviewMode`] says how strictly.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Events, Phase, ResultMode, Run, RunError};
use crate::{
    CallValidator, Event, EventKind, FinishReason, Message, Outcome, Status, Timestamp, Usage,
    Verdict,
    review::{Finding, FindingKind, MOST_FINDINGS, Review, ReviewCheck, ReviewTools, correction},
};

/// How strictly an answer is held against the results.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ReviewMode {
    /// Not at all.
    #[default]
    Off,
    /// What is wrong is shown beside the answer.
    Warn,
    /// What is wrong goes back to the model, once.
    Enforce,
    /// What is wrong is not said: the results themselves are the answer. For models that do not
    /// mend their words when they are told what is wrong with them.
    Replace,
}

/// The name under which an answer is sent back.
pub(super) const REVIEW: &str = "review";
/// What stands in the place of a rejected answer where there is no result.
const NO_RESULTS: &str = "No tool returned an answer to this. What the model wrote rests on no result, \
    and is not shown.";

/// What stands before the results where a rejected answer says that something was done which was not: results alone
/// would leave that open.
const NOTHING_DONE: &str = "Nothing was changed: the model wrote that it was done, but no tool did it. Ask again in \
    other words, say exactly what is to become what, or choose another model.";

/// What was found in what was said beside calls: people read that as much as the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Aside {
    findings: Vec<Finding>,
    checked: usize,
}

/// An answer that was looked at.
struct Looked {
    review: Review,
    /// Whether a judge has an opinion.
    is_judged: bool,
    usage: Usage,
}

impl Looked {
    /// What is to be said of the answer, whatever is done about it.
    fn verdict(&self) -> Verdict {
        match (self.review.findings.is_empty(), self.review.checked, self.is_judged) {
            (false, ..) => Verdict::NotSupported,
            (true, 0, false) => Verdict::NothingToCheck,
            (true, ..) => Verdict::Passed,
        }
    }

    fn reviewed(self, verdict: Verdict) -> EventKind {
        let Review { findings, checked } = self.review;
        EventKind::Reviewed { findings, checked, verdict, usage: self.usage }
    }
}

impl Aside {
    fn add(&mut self, findings: &[Finding], checked: usize) {
        let new: Vec<_> = findings.iter().filter(|it| !self.findings.contains(it)).collect();
        let room = MOST_FINDINGS.saturating_sub(self.findings.len());
        self.findings.extend(new.into_iter().take(room).cloned());
        self.checked += checked;
    }
}

impl ReviewMode {
    /// Whether nothing is reviewed.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

impl Run {
    /// Whether a text is shown only once it is known to stand.
    pub(super) fn holds_answers(&self) -> bool {
        // A text that comes before an answer in its form is no part of that.
        let is_draft = self.output.is_some() && !self.output_asked.is_asked();
        self.mode == ResultMode::Loop
            && (is_draft || matches!(self.reviewing, ReviewMode::Enforce | ReviewMode::Replace))
    }

    /// Holds what a reply says beside its calls against what is known so far; the reply itself is not
    /// part of the conversation yet. What is not supported is not shown, where a text may be held back.
    pub(super) fn review_aside(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        reply: &Message,
    ) {
        let text = reply.content();
        if self.reviewing.is_off() || self.mode != ResultMode::Loop || text.trim().is_empty() {
            return self.release(out, at, text);
        }
        let mut looked = self.look_at_aside(gate, text);
        // The calls beside it may do what it says, where any still run.
        let may_be_done = !reply.calls().is_empty() && self.closing.is_none();
        looked.review.findings.retain(|it| !may_be_done || it.kind != FindingKind::Undone);
        let verdict = match looked.verdict() {
            Verdict::NotSupported if self.holds_answers() => Verdict::Withheld,
            verdict => verdict,
        };
        if verdict.accepts() {
            self.release(out, at, text);
        }
        // Nearly every such text only says what is done next.
        if verdict != Verdict::NothingToCheck {
            self.emit(out, at, looked.reviewed(verdict));
        }
    }

    /// Ends a run with what was said beside calls that are not run: there is no round left to say it
    /// better in.
    pub(super) fn last_word(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        text: &str,
    ) {
        let mut response = text.to_owned();
        if !self.reviewing.is_off() {
            let looked = self.look_at_aside(gate, text);
            let verdict = match (looked.verdict(), self.reviewing) {
                (Verdict::NotSupported, ReviewMode::Replace) => Verdict::Replaced,
                (verdict, _) => verdict,
            };
            if verdict == Verdict::Replaced {
                response = self.replacement(says_undone(&looked.review.findings));
            }
            // What was not withheld was shown with its reply.
            let is_new = |it: &Finding| !self.aside.findings.contains(it);
            let was_shown = looked.review.findings.iter().all(is_new);
            match (was_shown, verdict) {
                (true, Verdict::Replaced) => self.release(out, at, &format!("\n\n{response}")),
                (true, _) => {}
                (false, _) => self.release(out, at, &response),
            }
            self.emit(out, at, looked.reviewed(verdict));
            if verdict == Verdict::Replaced {
                let message = Arc::new(Message::assistant(response.clone()));
                self.emit(out, at, EventKind::message(message));
            }
        }
        self.done(out, at, response, FinishReason::ToolCalls);
    }

    /// Shows a text that was held back.
    pub(super) fn release(&mut self, out: &mut Vec<Event>, at: Timestamp, text: &str) {
        if self.holds_answers() && !text.is_empty() {
            self.emit(out, at, EventKind::Content { data: text.to_owned() });
        }
    }

    /// Reviews the answer that was just given. With a judge the run then waits for its word, unless
    /// something was found already.
    pub(super) fn review(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        gate: &CallValidator<'_>,
        text: &str,
    ) {
        if self.reviewing.is_off() {
            return self.finish(out, at);
        }
        let review = self.look_at_answer(gate, text);
        // Without findings a judge, where there is one, has the last word: `step` asks for it.
        if !self.has_judge || !review.findings.is_empty() {
            self.conclude(out, at, Looked { review, is_judged: false, usage: Usage::default() });
        }
    }

    /// The answer of a run that was cut short is held against the results, as [`Step::Review`]
    /// wants it.
    ///
    /// [`Step::Review`]: super::Step::Review
    ///
    /// # Errors
    /// When no answer waits for that.
    pub fn checked(&mut self, gate: &CallValidator<'_>, at: Timestamp) -> Events {
        let text = self.unreviewed()?;
        let mut out = Vec::new();
        self.accept(&mut out, at, gate, &text);
        Ok(out)
    }

    /// The judge has looked at the answer; none where it has no opinion.
    ///
    /// # Errors
    /// When the run does not wait for a judge.
    pub fn judged(
        &mut self,
        opinion: Option<Vec<Finding>>,
        usage: Usage,
        gate: &CallValidator<'_>,
        at: Timestamp,
    ) -> Events {
        let text = self.unreviewed()?;
        if !self.has_judge {
            return Err(RunError::NotAsking);
        }
        let mut out = Vec::new();
        if !self.fits(gate, &text) {
            // A process died before that was known.
            self.accept(&mut out, at, gate, &text);
            return Ok(out);
        }
        let mut review = self.look_at_answer(gate, &text);
        let is_judged = opinion.is_some();
        if review.findings.is_empty() {
            review.findings = opinion.unwrap_or_default();
        }
        self.conclude(&mut out, at, Looked { review, is_judged, usage });
        Ok(out)
    }

    /// Looks at a text beside calls. Whether it answers is not asked of it.
    fn look_at_aside(&self, gate: &CallValidator<'_>, text: &str) -> Looked {
        let mut review = self.look_at(gate, text);
        review.findings.retain(|it| it.check == ReviewCheck::Supported);
        Looked { review, is_judged: false, usage: Usage::default() }
    }

    /// Looks at an answer, and counts what was said beside calls before it. What was withheld counts
    /// against an answer that states nothing itself: it goes on from what nobody was shown.
    fn look_at_answer(&self, gate: &CallValidator<'_>, text: &str) -> Review {
        let mut review = self.look_at(gate, text);
        if review.checked == 0 || !self.holds_answers() {
            let known = review.findings.clone();
            let more = self.aside.findings.iter().filter(|it| !known.contains(it));
            review.findings.extend(more.cloned());
        }
        review.checked += self.aside.checked;
        review
    }

    fn look_at(&self, gate: &CallValidator<'_>, text: &str) -> Review {
        let tools = match self.reviewing {
            ReviewMode::Off | ReviewMode::Warn => ReviewTools::Related(gate.catalog),
            ReviewMode::Enforce | ReviewMode::Replace => ReviewTools::Required(gate.catalog),
        };
        gate.reviewer.review(text, &self.conversation, tools)
    }

    /// The answer that was not looked at yet.
    fn unreviewed(&self) -> Result<String, RunError> {
        let last = self.conversation.messages().last();
        match (&self.phase, last) {
            (Phase::Answered(_), Some(message)) => Ok(message.content().to_owned()),
            _ => Err(RunError::NotAsking),
        }
    }

    fn conclude(&mut self, out: &mut Vec<Event>, at: Timestamp, looked: Looked) {
        let may_return = !self.review_returned && self.may_ask_again();
        let verdict = match (looked.verdict(), self.reviewing) {
            (Verdict::NotSupported, ReviewMode::Enforce) if may_return => Verdict::Returned,
            // Results in words do not have the form that was asked for: it is said once more.
            (Verdict::NotSupported, ReviewMode::Replace) if self.output.is_some() && may_return => {
                Verdict::Returned
            }
            (Verdict::NotSupported, ReviewMode::Replace) => Verdict::Replaced,
            (verdict, _) => verdict,
        };
        if verdict.accepts()
            && let Ok(text) = self.unreviewed()
        {
            self.release(out, at, &text);
        }
        let reason = correction(&looked.review.findings);
        self.emit(out, at, looked.reviewed(verdict));
        match verdict {
            Verdict::Returned => {
                let message = Arc::new(Message::correction(reason.clone()));
                self.emit(out, at, EventKind::AnswerRejected { guard: REVIEW.to_owned(), reason });
                self.emit(out, at, EventKind::message(message));
            }
            Verdict::Replaced => self.replace(out, at),
            _ => self.finish(out, at),
        }
    }

    /// Ends a run with the results in the place of an answer that was rejected.
    pub(super) fn replace(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        if self.output.is_some() {
            return self.fail_unsupported(out, at);
        }
        let results = self.replacement(self.rejected_undone);
        self.release(out, at, &results);
        let message = Arc::new(Message::assistant(results));
        self.emit(out, at, EventKind::message(message));
        self.finish(out, at);
    }

    /// Takes note of what follows from a review. What a text is told that stands in any case
    /// changes nothing.
    pub(super) fn fold_verdict(&mut self, verdict: Verdict, findings: &[Finding], checked: usize) {
        if self.phase == Phase::Model {
            self.aside.add(findings, checked);
        }
        let Phase::Answered(finish) = self.phase else { return };
        self.phase = match verdict {
            Verdict::Returned => {
                self.review_returned = true;
                self.answer_rejected = Some(correction(findings));
                Phase::Model
            }
            Verdict::Replaced => {
                self.rejected_undone = says_undone(findings);
                Phase::Rejected(finish)
            }
            _ => Phase::Accepted(finish),
        };
    }

    /// What takes the place of an answer that was rejected: the results it was made from, in the
    /// tools' own words, or that there are none; behind a word about it where it said that something was done.
    fn replacement(&self, undone: bool) -> String {
        let messages = self.conversation.messages().iter().rev().map(|it| &**it);
        let this = messages.take_while(|it| !it.is_question());
        // A correction, or an answer that a guard sent back, may stand behind them.
        let last = this.skip_while(|it| !matches!(it, Message::Tool(_)));
        let outcomes = last.map_while(|it| match it {
            Message::Tool(result) => Some(&result.outcome),
            _ => None,
        });
        // A refusal is told to the model, and is no result.
        let told = outcomes.filter(|it| it.status != Status::Refused);
        let mut results: Vec<_> = told.map(Outcome::unmarked).collect();
        results.reverse();
        let results = results.join("\n\n");
        match (undone, results.trim().is_empty()) {
            (true, true) => NOTHING_DONE.to_owned(),
            (true, false) => format!("{NOTHING_DONE}\n\nWhat the tools returned:\n\n{results}"),
            (false, true) => NO_RESULTS.to_owned(),
            (false, false) => results,
        }
    }

    pub(super) fn awaits_judge(&self) -> bool {
        self.has_judge && matches!(self.phase, Phase::Answered(_))
    }
}

/// Whether an answer says that something was done which was not.
fn says_undone(findings: &[Finding]) -> bool {
    findings.iter().any(|it| it.kind == FindingKind::Undone)
}
