//! [`Approvers`]: who decides about calls: rules first, then a person at the terminal, or nobody.

use std::{
    io::{self, IsTerminal},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_core::future::BoxFuture;
use rustyline::DefaultEditor;
use toolwright_app::{AppError, ApprovalRules, Config};
use toolwright_core::{CallSource, Decision, revealed};
use toolwright_runtime::{AllowAll, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover};

use super::questions::WithQuestions;
use crate::{
    reading::{Dialogue, is_person, reading},
    style::{DIM, END, WARN, line, question as ask_for, tame},
};

/// How often a person is asked in one run.
const QUESTIONS: u32 = 30;

/// Who decides about calls.
pub(crate) struct Approvers {
    approvals: Arc<ApprovalRules>,
    /// Whether everything was approved beforehand that nobody has to look at.
    approve: bool,
}

impl Approvers {
    pub(crate) fn new(config: &Config, approve: bool) -> Result<Self, AppError> {
        Ok(Self { approvals: Arc::new(ApprovalRules::open(config)?), approve })
    }

    /// Nobody is asked: what rules do not allow was approved beforehand, or is denied.
    pub(crate) fn unattended(self) -> Box<dyn Approver> {
        let rules = self.approvals.rules();
        match self.approve {
            true => Box::new(RuleApprover::new(rules, AllowAll)),
            false => Box::new(RuleApprover::new(rules, DenyAll)),
        }
    }

    /// The person at the terminal is asked; where nobody is there, that is said, and how it is approved.
    pub(crate) fn answering(self) -> Box<dyn Approver> {
        if is_person() {
            return self.attended();
        }
        match self.approve {
            true => self.unattended(),
            false => {
                let nobody = NobodyThere { is_told: AtomicBool::new(false) };
                Box::new(RuleApprover::new(self.approvals.rules(), nobody))
            }
        }
    }

    /// A person is asked, if there is one.
    pub(crate) fn attended(self) -> Box<dyn Approver> {
        if self.approve && !io::stdin().is_terminal() {
            return self.unattended();
        }
        let (rules, approvals) = (self.approvals.rules(), self.approvals);
        let person = AtTheTerminal { approvals, approved: self.approve };
        Box::new(WithQuestions(RuleApprover::new(rules, person).at_most(QUESTIONS)))
    }
}

/// Denies, and tells whoever reads it later what could have been done.
struct NobodyThere {
    is_told: AtomicBool,
}

impl Approver for NobodyThere {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        if !self.is_told.swap(true, Ordering::SeqCst) {
            line(&format!(
                "{WARN}!{END} {} asks first, and this is no terminal: --approve approves it beforehand, \
                 `toolwright chat` asks.",
                tame(&question.tool.name)
            ));
        }
        Box::pin(async move { DenyAll.decide(question).await })
    }
}

/// Asks the person at the terminal.
struct AtTheTerminal {
    approvals: Arc<ApprovalRules>,
    /// Whether only that is asked about which somebody has to look at.
    approved: bool,
}

impl Approver for AtTheTerminal {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(async move {
            if self.approved && !question.needs_review() {
                return Decision::Allow;
            }
            // What the call would do is on its way to the screen: it comes first.
            let _dialogue = Dialogue::open().await;
            self.ask(question).await
        })
    }
}

impl AtTheTerminal {
    async fn ask(&self, question: &ApprovalRequest<'_>) -> Decision {
        if question.call.source == CallSource::Repaired {
            line(&format!(
                "{WARN}Its JSON, or the tool's name, was not valid and was repaired: is this what is meant?{END}"
            ));
        }
        if !question.path.is_empty() {
            let path = question.path.iter().map(|it| format!("`{}`", revealed(it)));
            line(&format!("{DIM}in {}{END}", path.collect::<Vec<_>>().join(" › ")));
        }
        if let Some(care) = question.review_reason() {
            line(&format!("{WARN}Look twice:{END} {}.", revealed(care)));
        }
        let always = match question.call.source {
            // What was meant is no rule for what is meant next.
            CallSource::Repaired => Vec::new(),
            _ => Rule::always(question),
        };
        let offer = match always.as_slice() {
            [] => String::new(),
            _ => format!(" / [a]lways{}", place(question)),
        };
        let prompt = format!("Run it? [y]es, once{offer} / [N]o, or why not: ");
        let Some(answer) = read(&prompt).await else { return Decision::Deny { reason: None } };
        match answer.trim() {
            "y" | "Y" | "yes" => Decision::AllowReviewed,
            "a" | "A" | "always" if !always.is_empty() => {
                self.grant(&always);
                Decision::AllowReviewed
            }
            "" | "n" | "N" | "no" | "a" | "A" | "always" => Decision::Deny { reason: None },
            reason => Decision::deny(reason),
        }
    }

    fn grant(&self, rules: &[Rule]) {
        for rule in rules {
            line(&format!("{DIM}From now on: {}.{END}", revealed(&rule.to_string())));
        }
        match self.approvals.grant(rules) {
            Ok(()) => line(&format!("{DIM}`toolwright approvals` lists and removes these.{END}")),
            Err(error) => {
                line(&format!("{WARN}!{END} It holds for now, but is not kept: {error}"));
            }
        }
    }
}

fn place(question: &ApprovalRequest<'_>) -> &'static str {
    if question.preview.place.is_some() { " here" } else { "" }
}

/// What was typed; nothing where nobody could, or Ctrl-C or Ctrl-D was pressed. What cannot be read
/// is no permission.
pub(super) async fn read(prompt: &str) -> Option<String> {
    let prompt = prompt.to_owned();
    reading(move || read_line(&prompt)).await.flatten()
}

fn read_line(prompt: &str) -> Option<String> {
    if io::stdin().is_terminal()
        && let Ok(mut editor) = DefaultEditor::new()
    {
        return editor.readline(prompt).ok();
    }
    let _ = ask_for(prompt);
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    line("");
    read.ok().filter(|length| *length > 0).map(|_| answer)
}
