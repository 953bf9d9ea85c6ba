//! [`Approvers`]: who decides about calls: rules first, then a person at the terminal, or nobody.

use std::{
    io::{self, IsTerminal},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_core::future::BoxFuture;
use rustyline::{DefaultEditor, error::ReadlineError};
use serde_json::Value;
use toolwright_app::ApprovalRules;
use toolwright_core::{CallSource, Decision, is_hidden, revealed};
use toolwright_runtime::{AllowAll, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover};

use super::questions::WithQuestions;
use crate::{
    reading::{Dialogue, is_person, reading},
    stop::pressed,
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
    /// By these rules.
    pub(crate) fn with(approvals: Arc<ApprovalRules>, approve: bool) -> Self {
        Self { approvals, approve }
    }

    /// Nobody is asked: what rules do not allow was approved beforehand, or is denied.
    pub(crate) fn unattended(self) -> Box<dyn Approver> {
        let rules = self.approvals.rules();
        match self.approve {
            true => Box::new(RuleApprover::new(rules, AllowAll)),
            false => Box::new(RuleApprover::new(rules, DenyAll)),
        }
    }

    /// The person at the terminal is asked; where nobody is there, that is said, and how it is approved: the next line
    /// of a pipe is no answer to anything.
    pub(crate) fn attended(self) -> Box<dyn Approver> {
        match (is_person(), self.approve) {
            (true, _) => {}
            (false, true) => return self.unattended(),
            (false, false) => {
                let nobody = NobodyThere { is_told: AtomicBool::new(false) };
                return Box::new(RuleApprover::new(self.approvals.rules(), nobody));
            }
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
        Box::pin(async move { DenyAll.decide(question).await })
    }

    fn without_asking(&self, question: &ApprovalRequest<'_>) -> Option<Decision> {
        if !self.is_told.swap(true, Ordering::SeqCst) {
            line(&format!(
                "{WARN}!{END} {} asks first, and this is no terminal: --approve approves it beforehand, \
                 `toolwright chat` asks at one.",
                tame(&question.tool.name)
            ));
        }
        DenyAll.without_asking(question)
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
            // What the call would do is on its way to the screen: it comes first.
            let Some(_dialogue) = dialogue().await else { return stopped().await };
            self.ask(question).await
        })
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        (self.approved && !request.needs_review()).then_some(Decision::Allow)
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
        let prompt = format!("Run it? [y]es, once{offer} / [e]dit / [N]o, or why not: ");
        loop {
            let answer = match typed(&prompt, "").await {
                Answer::Line(answer) => answer,
                Answer::Interrupted => return stopped().await,
                Answer::Nothing => return Decision::Deny { reason: None },
            };
            return match answer.trim() {
                "y" | "Y" | "yes" => Decision::AllowReviewed,
                "a" | "A" | "always" if !always.is_empty() => {
                    self.grant(&always).await;
                    Decision::AllowReviewed
                }
                "e" | "E" | "edit" => match edited(&question.call.arguments).await {
                    Some(decision) => decision,
                    None => continue,
                },
                "" | "n" | "N" | "no" | "a" | "A" | "always" => Decision::Deny { reason: None },
                reason => Decision::deny(reason),
            };
        }
    }

    async fn grant(&self, rules: &[Rule]) {
        if let Err(error) = self.approvals.grant(rules).await {
            return line(&format!("{WARN}!{END} It runs this once: no rule can be kept: {error}"));
        }
        for rule in rules {
            line(&format!("{DIM}From now on: {}.{END}", revealed(&rule.to_string())));
        }
        line(&format!("{DIM}`toolwright approvals` lists and removes these.{END}"));
    }
}

fn place(question: &ApprovalRequest<'_>) -> &'static str {
    if question.preview.place.is_some() { " here" } else { "" }
}

/// The run ends, and with it the call that was asked about, which nobody decided about.
async fn stopped() -> Decision {
    match pressed() {
        true => std::future::pending().await,
        false => Decision::Deny { reason: None },
    }
}

/// The arguments as somebody wrote them anew; nothing where they are left as they are.
async fn edited(arguments: &Value) -> Option<Decision> {
    let mut text = visible(arguments);
    loop {
        text = match typed("Arguments: ", &text).await {
            Answer::Line(text) if !text.trim().is_empty() => text,
            Answer::Interrupted => return Some(stopped().await),
            _ => return None,
        };
        match serde_json::from_str(&text) {
            Ok(arguments) => return Some(Decision::Edit { arguments }),
            Err(error) => line(&format!("{WARN}That is no JSON:{END} {error}. Nothing leaves it.")),
        }
    }
}

/// JSON in which everything can be seen: the terminal obeys nothing in it, and nothing in it hides.
fn visible(arguments: &Value) -> String {
    let mut text = String::new();
    for letter in arguments.to_string().chars() {
        // All that is no text of somebody's is plain in JSON, so that this stands within quotes.
        if letter.is_control() || is_hidden(letter) {
            let units = letter.encode_utf16(&mut [0; 2]).to_vec();
            text.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            text.push(letter);
        }
    }
    text
}

/// What came of asking.
enum Answer {
    Line(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or nobody could be asked. What cannot be read is no permission.
    Nothing,
}

/// Begins to ask. Whoever is in the middle of a line finishes it first: it was said to the run, and its end is no
/// answer. Nothing where Ctrl-C was pressed.
pub(super) async fn dialogue() -> Option<Dialogue> {
    let mut dialogue = Dialogue::open().await;
    while let Some(begun) = dialogue.begun() {
        line(&format!("{WARN}{FINISH}{END}"));
        match typed("› ", &begun).await {
            Answer::Line(line) => dialogue.finish(line),
            Answer::Interrupted => {
                dialogue.leave(begun);
                return None;
            }
            Answer::Nothing => break,
        }
    }
    Some(dialogue)
}

/// Said to whoever is in the middle of a line.
const FINISH: &str =
    "You were typing, which is no answer to this: finish your line with Enter, then you are asked.";

/// What was typed; nothing where nobody could, or Ctrl-C or Ctrl-D was pressed.
pub(super) async fn read(prompt: &str) -> Option<String> {
    match typed(prompt, "").await {
        Answer::Line(line) => Some(line),
        Answer::Interrupted | Answer::Nothing => None,
    }
}

/// What was typed behind a prompt, where this stood already.
async fn typed(prompt: &str, initial: &str) -> Answer {
    let (prompt, initial) = (prompt.to_owned(), initial.to_owned());
    reading(move || read_line(&prompt, &initial)).await.unwrap_or(Answer::Nothing)
}

fn read_line(prompt: &str, initial: &str) -> Answer {
    if io::stdin().is_terminal()
        && let Ok(mut editor) = DefaultEditor::new()
    {
        return match editor.readline_with_initial(prompt, (initial, "")) {
            Ok(line) => Answer::Line(line),
            Err(ReadlineError::Interrupted) => Answer::Interrupted,
            Err(_) => Answer::Nothing,
        };
    }
    let _ = ask_for(prompt);
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    line("");
    match read {
        Ok(length) if length > 0 => Answer::Line(answer),
        _ => Answer::Nothing,
    }
}
