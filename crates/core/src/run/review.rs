//! Holding an answer against the results before the run ends: [`Reviewing`] says how strictly.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Phase, Run, RunError};
use crate::{
    Event, EventKind, Message, Render, Timestamp, Usage, Verdict,
    review::{Finding, correction, review},
};

/// How strictly an answer is held against the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reviewing {
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

impl Reviewing {
    /// Whether nothing is reviewed.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

impl Run {
    /// Reviews the answer that was just given. With a judge the run then waits for its word, unless
    /// the answer goes back already.
    pub(super) fn review(&mut self, out: &mut Vec<Event>, at: Timestamp, text: &str) {
        if self.reviewing.is_off() {
            return self.finish(out, at);
        }
        let findings = review(text, &self.conversation);
        // Without findings a judge, where there is one, has the last word: `step` asks for it.
        if !self.has_judge || !findings.is_empty() {
            self.conclude(out, at, findings, Usage::default());
        }
    }

    /// The judge has looked at the answer.
    ///
    /// # Errors
    /// When the run does not wait for a judge.
    pub fn judged(
        &mut self,
        findings: Vec<Finding>,
        usage: Usage,
        at: Timestamp,
    ) -> Result<Vec<Event>, RunError> {
        if !self.awaits_judge() {
            return Err(RunError::NotAsking);
        }
        let mut out = Vec::new();
        self.conclude(&mut out, at, findings, usage);
        Ok(out)
    }

    fn conclude(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        findings: Vec<Finding>,
        usage: Usage,
    ) {
        let may_return = !self.review_returned && self.may_ask_again();
        let verdict = match (findings.is_empty(), self.reviewing) {
            (true, _) => Verdict::Passed,
            (false, Reviewing::Enforce) if may_return => Verdict::Returned,
            (false, Reviewing::Replace) if self.last_results().is_some() => Verdict::Replaced,
            (false, _) => Verdict::Warned,
        };
        let reason = correction(&findings);
        self.emit(out, at, EventKind::Reviewed { findings, verdict, usage });
        if verdict == Verdict::Returned {
            let message = Arc::new(Message::correction(reason.clone()));
            self.emit(out, at, EventKind::AnswerReturned { guard: REVIEW.to_owned(), reason });
            self.emit(out, at, EventKind::Message { message });
            return;
        }
        if verdict == Verdict::Replaced
            && let Some(results) = self.last_results()
        {
            let message = Arc::new(Message::assistant(results));
            self.emit(out, at, EventKind::Message { message });
        }
        self.finish(out, at);
    }

    /// The results that the answer was made from, in the tools' own words.
    fn last_results(&self) -> Option<String> {
        let messages = self.conversation.messages().iter().rev();
        let before = messages.skip_while(|message| matches!(&***message, Message::Assistant(_)));
        let results = before.map_while(|message| match &**message {
            Message::Tool(result) => Some(result.outcome.readable()),
            _ => None,
        });
        let mut results: Vec<_> =
            results.map(|text| text.strip_prefix(Render::SUCCESS).unwrap_or(text)).collect();
        results.reverse();
        Some(results.join("\n\n")).filter(|text| !text.trim().is_empty())
    }

    pub(super) fn awaits_judge(&self) -> bool {
        self.has_judge && matches!(self.phase, Phase::Answered(_))
    }
}
