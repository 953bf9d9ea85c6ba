//! [`Approver`]: who decides whether a destructive tool may run.
//!
//! [`RuleApprover`] puts [`Rules`] before whoever is asked; [`DenyAll`] and [`AllowAll`] ask nobody.

mod given;
mod pattern;
mod question;
mod rule;
mod rule_approver;
mod rules;

use std::sync::Arc;

use futures_core::future::BoxFuture;
use toolwright_core::{CallPreview, CallSource, CheckedCall, Decision, RunId, ToolSpec};

pub use self::{
    given::RuleSource,
    pattern::matches as matches_pattern,
    question::{QuestionFuture, QuestionRequest},
    rule::{Rule, RuleVerdict},
    rule_approver::RuleApprover,
    rules::Rules,
};

/// A call that somebody decides about.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ApprovalRequest<'a> {
    /// The run that makes it.
    pub run: &'a RunId,
    /// The run that was asked for: the same, unless the one that makes the call is a part of it.
    pub root: &'a RunId,
    /// The call.
    pub call: &'a CheckedCall,
    /// Its tool.
    pub tool: &'a ToolSpec,
    /// What it would do.
    pub preview: &'a CallPreview,
    /// How many decisions the run has asked somebody for already, with those that it is a part of.
    pub asked: u32,
    /// The agents on the way to it, by the names of the tools that they are, where the run is a part of another.
    pub path: &'a [String],
}

impl<'a> ApprovalRequest<'a> {
    /// Why somebody has to look at it, whatever was approved beforehand.
    pub fn review_reason(&self) -> Option<&'a str> {
        let CallPreview { review_reason: care, rule_concern: doubt, .. } = self.preview;
        care.as_deref().or(self.call.review_reason.as_deref()).or(doubt.as_deref())
    }

    /// Whether nobody has to decide about it: it would run if no rule were about it.
    pub fn is_optional(&self) -> bool {
        !self.tool.effect.needs_decision() && !self.needs_review()
    }

    /// Whether somebody has to look at it: it had to be repaired, needs care, or was changed since
    /// it was last looked at.
    pub fn needs_review(&self) -> bool {
        let call = self.call;
        call.source == CallSource::Repaired
            || call.original_arguments.is_some()
            || self.review_reason().is_some()
    }
}

/// Decides whether a call may run: a person at a terminal, a page, or a rule.
///
/// ```
/// use futures_core::future::BoxFuture;
/// use toolwright_core::Decision;
/// use toolwright_runtime::{ApprovalRequest, Approver};
///
/// /// Nothing is done in the folder of somebody else.
/// struct OnlyMine;
///
/// impl Approver for OnlyMine {
///     fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
///         let path = request.call.arguments["path"].as_str().unwrap_or_default();
///         let decision = match path.starts_with("/home/me/") && !request.needs_review() {
///             true => Decision::Allow,
///             false => Decision::deny("It is not mine."),
///         };
///         Box::pin(std::future::ready(decision))
///     }
/// }
/// ```
pub trait Approver: Send + Sync {
    /// Decides about one call. The run waits for as long as this takes.
    ///
    /// A call that needs a look ([`ApprovalRequest::needs_review`]) runs only with
    /// [`Decision::AllowReviewed`], which is for those who looked at it. They may also change it
    /// ([`Decision::Edit`]): they are then asked again about what that makes of it.
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision>;

    /// Brings what it decides by up to date. Asked before a call is looked at: what was taken back before counts no
    /// more then. Whoever asks another passes it on.
    fn refresh(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// What it decides without asking anybody, where it does: by a rule, or as calls were approved beforehand.
    /// Asked before [`Approver::decide`], which is then left out. Such a decision does not count among
    /// those somebody was asked for, and comes before what a call that cannot work fails with.
    fn without_asking(&self, _request: &ApprovalRequest<'_>) -> Option<Decision> {
        None
    }

    /// Whether it wants to decide about calls of a tool even where nobody has to: a rule may be about
    /// them.
    fn wants(&self, _tool: &ToolSpec) -> bool {
        false
    }

    /// Why somebody has to look at a call, beside what the call and its tool say: it becomes a part of
    /// what is shown ([`CallPreview::rule_concern`]). Whoever asks another passes the question on.
    fn concern(&self, _question: &ApprovalRequest<'_>) -> Option<String> {
        None
    }

    /// Whether it can be asked about several calls at once, and decides about them in any order. At a terminal
    /// there is one line to type at.
    fn decides_in_any_order(&self) -> bool {
        false
    }

    /// Whether it can put questions of tools to the user. Where it cannot they are declined, and a notice
    /// says so. That calls were approved beforehand answers nothing.
    fn answers_questions(&self, _request: &QuestionRequest<'_>) -> bool {
        false
    }

    /// Puts a tool's question to the user. The call waits for as long as this takes, and its time stands
    /// still. The answer is checked before the tool sees it ([`Question::check_answer`]); one that is not
    /// valid is taken for [`QuestionAnswer::Cancel`], so whoever can ask again does.
    ///
    /// [`Question::check_answer`]: toolwright_core::Question::check_answer
    /// [`QuestionAnswer::Cancel`]: toolwright_core::QuestionAnswer::Cancel
    fn answer<'a>(&'a self, _request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        question::declined()
    }
}

impl<A: Approver + ?Sized> Approver for Box<A> {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        (**self).decide(question)
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        (**self).refresh()
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        (**self).without_asking(request)
    }

    fn wants(&self, tool: &ToolSpec) -> bool {
        (**self).wants(tool)
    }

    fn concern(&self, question: &ApprovalRequest<'_>) -> Option<String> {
        (**self).concern(question)
    }

    fn decides_in_any_order(&self) -> bool {
        (**self).decides_in_any_order()
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        (**self).answers_questions(request)
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        (**self).answer(request)
    }
}

impl<A: Approver + ?Sized> Approver for Arc<A> {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        (**self).decide(question)
    }

    fn refresh(&self) -> BoxFuture<'_, ()> {
        (**self).refresh()
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        (**self).without_asking(request)
    }

    fn wants(&self, tool: &ToolSpec) -> bool {
        (**self).wants(tool)
    }

    fn concern(&self, question: &ApprovalRequest<'_>) -> Option<String> {
        (**self).concern(question)
    }

    fn decides_in_any_order(&self) -> bool {
        (**self).decides_in_any_order()
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        (**self).answers_questions(request)
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        (**self).answer(request)
    }
}

/// Nobody is there to ask: everything that needs a decision is denied. The default.
#[derive(Clone, Copy, Debug, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(nobody_there()))
    }

    fn without_asking(&self, _: &ApprovalRequest<'_>) -> Option<Decision> {
        Some(nobody_there())
    }
}

fn nobody_there() -> Decision {
    Decision::deny("nobody is there to approve it.")
}

/// The person approved everything beforehand: everything that nobody has to look at. A call that had
/// to be repaired is denied, and the model asked to send it again; one that needs care is denied, too.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowAll;

impl Approver for AllowAll {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::Allow))
    }

    fn without_asking(&self, _: &ApprovalRequest<'_>) -> Option<Decision> {
        Some(Decision::Allow)
    }
}
