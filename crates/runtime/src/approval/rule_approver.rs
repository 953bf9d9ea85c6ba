//! [`RuleApprover`]: rules first, then whoever is asked.

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{CallPreview, CallSource, Decision, ToolSpec};

use super::{
    ApprovalRequest, Approver, QuestionFuture, QuestionRequest, Rule, RuleVerdict, Rules, question,
    rules::Judgement,
};
use crate::driver::now;

/// Rules first, then whoever is asked.
pub struct RuleApprover<A> {
    rules: Arc<Rules>,
    most: Option<u32>,
    asked: A,
}

impl<A: Approver> RuleApprover<A> {
    /// These rules, and where they do not say, `asked`.
    pub fn new(rules: Arc<Rules>, asked: A) -> Self {
        Self { rules, most: None, asked }
    }

    /// Asks at most so many times in one run. A model that asks for one thing after the other hopes
    /// for a tired yes: beyond that the answer is no.
    #[must_use]
    pub fn at_most(mut self, questions: u32) -> Self {
        self.most = Some(questions);
        self
    }

    fn ask<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        match self.rules.judge(question, now()) {
            Judgement::Unclear(rule) => {
                Box::pin(async move { in_doubt(self.asked.decide(question).await, &rule) })
            }
            _ => self.asked.decide(question),
        }
    }
}

impl<A: Approver> Approver for RuleApprover<A> {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        match self.without_asking(question) {
            // It was given since it was found that somebody has to be asked, and may be taken back again already.
            Some(Decision::Allow | Decision::AllowReviewed) => Box::pin(async move {
                self.refresh().await;
                match self.without_asking(question) {
                    Some(decision) => decision,
                    None => self.ask(question).await,
                }
            }),
            Some(decision) => Box::pin(std::future::ready(decision)),
            None => self.ask(question),
        }
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.rules.refresh().await;
            self.asked.refresh().await;
        })
    }

    fn without_asking(&self, question: &ApprovalRequest<'_>) -> Option<Decision> {
        // What somebody changed they are shown again, whatever is allowed without them.
        let is_plain = question.call.source != CallSource::Repaired
            && question.call.original_arguments.is_none();
        Some(match self.rules.judge(question, now()) {
            Judgement::Denied(rule) => Decision::deny(format!("a rule says so: {rule}.")),
            Judgement::Allowed | Judgement::Named
                if is_plain && question.review_reason().is_none() =>
            {
                Decision::Allow
            }
            Judgement::Open if question.is_optional() => Decision::Allow,
            // Somebody looked at exactly this when they said "always"; what the tool itself asks to
            // be careful about is another matter each time.
            Judgement::Named if is_plain && question.preview.review_reason.is_none() => {
                Decision::AllowReviewed
            }
            _ if self.most.is_some_and(|most| question.asked >= most) => {
                let most = self.most.unwrap_or_default();
                Decision::deny(format!(
                    "the user was asked {most} times in this run, which is enough. Go on without, \
                     or say what is left to do."
                ))
            }
            Judgement::Unclear(rule) => in_doubt(self.asked.without_asking(question)?, &rule),
            _ => self.asked.without_asking(question)?,
        })
    }

    fn wants(&self, tool: &ToolSpec) -> bool {
        self.rules.restrict(&tool.name, now()) || self.asked.wants(tool)
    }

    fn concern(&self, question: &ApprovalRequest<'_>) -> Option<String> {
        match self.rules.judge(question, now()) {
            Judgement::Unclear(rule) => Some(unclear(&rule)),
            _ => self.asked.concern(question),
        }
    }

    fn decides_in_any_order(&self) -> bool {
        self.asked.decides_in_any_order()
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        self.most.is_none_or(|most| request.asked < most) && self.asked.answers_questions(request)
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        match self.answers_questions(request) {
            true => self.asked.answer(request),
            false => question::declined(),
        }
    }
}

/// What is decided about a call that a rule may deny: approval beforehand does not cover it, whether or not
/// the doubt was shown.
fn in_doubt(decision: Decision, rule: &Rule) -> Decision {
    match decision {
        Decision::Allow => Decision::deny(format!(
            "{}. Somebody has to look at it first, and nobody did.",
            unclear(rule)
        )),
        decision => decision,
    }
}

/// Why somebody has to look at a call that this rule may deny.
fn unclear(rule: &Rule) -> String {
    format!(
        "there is a rule ({rule}), and it cannot be told whether this call does that. A rule that \
         allows the program by its name says that you trust it"
    )
}

impl Rule {
    /// The rules that let calls like this one run from now on, where it would run; none where every
    /// such call has to be looked at.
    pub fn always(question: &ApprovalRequest<'_>) -> Vec<Self> {
        Self::always_about(&question.tool.name, &question.call.arguments, question.preview)
    }

    /// The same about a call that waits somewhere else, as the log has it: its tool, its arguments and what it would do.
    pub fn always_about(tool: &str, arguments: &Value, preview: &CallPreview) -> Vec<Self> {
        if preview.review_reason.is_some() {
            return Vec::new();
        }
        let Some(subjects) = super::rules::subjects(arguments, preview) else { return Vec::new() };
        let allow = || {
            let rule = Self::new(RuleVerdict::Allow, tool);
            match &preview.place {
                Some(place) => rule.place(place),
                None => rule,
            }
        };
        let always = &preview.always;
        if !always.is_empty() {
            return always.iter().map(|pattern| allow().pattern(pattern)).collect();
        }
        if subjects.is_empty() {
            return vec![allow()];
        }
        subjects.iter().map(|subject| allow().exactly(&subject.text)).collect()
    }
}
