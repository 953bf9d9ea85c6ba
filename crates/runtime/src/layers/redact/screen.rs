//! [`Screen`]: what a model says, without what nobody may see, before it becomes an event.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use toolwright_core::{
    Call, Decision, JournalError, Message, ModelDelta, ModelError, ModelResponse, Question,
    QuestionAnswer, RunContext,
    guard::{CallCheck, Refusal},
    review::Finding,
};

use toolwright_redact::Flow;

use super::{Guard, output};

/// What comes to a run from outside and is no result of a call: what the model and the judge say,
/// what the user asked and whoever decides wrote, why something failed. A provider knows the key it
/// was sent, and a model may repeat what it should never have read.
#[derive(Clone, Default)]
pub(crate) struct Screen {
    /// None where the run has no secrets: then everything passes as it is.
    guard: Option<Guard>,
    /// Arguments in which something was hidden, as they read now.
    hidden: Arc<Mutex<HashSet<String>>>,
}

/// The parts of one reply, as they arrive.
pub(crate) struct Parts<'a> {
    guard: Option<&'a Guard>,
    flows: BTreeMap<Kind, Flow>,
}

/// What a piece is a piece of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Reasoning,
    Text,
    Arguments(usize),
}

impl Kind {
    fn part(self, text: String) -> Option<ModelDelta> {
        (!text.is_empty()).then_some(match self {
            Self::Reasoning => ModelDelta::Reasoning(text),
            Self::Text => ModelDelta::Text(text),
            Self::Arguments(index) => ModelDelta::CallArguments { index, json: text },
        })
    }
}

impl Screen {
    pub(crate) fn of(context: &RunContext) -> Self {
        Self { guard: Guard::of(context), hidden: Arc::default() }
    }

    /// Whether there is anything to hide.
    pub(crate) fn is_needed(&self) -> bool {
        self.guard.is_some()
    }

    /// For the parts of a reply.
    pub(crate) fn parts(&self) -> Parts<'_> {
        Parts { guard: self.guard.as_ref(), flows: BTreeMap::new() }
    }

    /// A whole reply. Calls in whose arguments something was hidden are remembered.
    pub(crate) fn reply(&self, mut reply: ModelResponse) -> ModelResponse {
        let Some(guard) = &self.guard else { return reply };
        let clean = |text: &mut String| *text = guard.text(std::mem::take(text));
        clean(&mut reply.text);
        clean(&mut reply.reasoning);
        reply.extra = reply.extra.map(|extra| guard.map(extra));
        reply.calls = reply.calls.into_iter().map(|call| self.call(guard, call)).collect();
        reply
    }

    fn call(&self, guard: &Guard, call: Call) -> Call {
        let mut places = 0;
        let arguments = output::clean_json(&guard.secrets, call.arguments, &mut places);
        if places > 0 {
            self.hide(arguments.clone());
        }
        Call {
            id: guard.text(call.id.as_str().to_owned()).into(),
            name: guard.text(call.name),
            arguments,
            source: call.source,
            extra: call.extra.map(|extra| guard.map(extra)),
        }
    }

    pub(crate) fn model_error(&self, mut error: ModelError) -> ModelError {
        error.message = self.text(error.message);
        error.advice = error.advice.map(|advice| self.text(advice));
        error
    }

    pub(crate) fn journal_error(&self, mut error: JournalError) -> JournalError {
        error.message = self.text(error.message);
        error.advice = error.advice.map(|advice| self.text(advice));
        error
    }

    pub(crate) fn decision(&self, decision: Decision) -> Decision {
        let Some(guard) = &self.guard else { return decision };
        match decision {
            Decision::Deny { reason } => Decision::Deny { reason: reason.map(|it| guard.text(it)) },
            Decision::Edit { arguments } => {
                let mut places = 0;
                let arguments = output::clean_value(&guard.secrets, arguments, &mut places);
                if places > 0 {
                    self.hide(arguments.to_string());
                }
                Decision::Edit { arguments }
            }
            decision => decision,
        }
    }

    /// What a tool asks the user. Nothing where what is left of it is no question.
    pub(crate) fn question(&self, question: Question) -> Option<Question> {
        let Some(guard) = &self.guard else { return Some(question) };
        let mut places = 0;
        let told = serde_json::to_value(&question).ok()?;
        let told = output::clean_value(&guard.secrets, told, &mut places);
        if places == 0 { Some(question) } else { serde_json::from_value(told).ok() }
    }

    /// What the user says to it. Nothing where something in it is secret: the tool may be anybody's.
    pub(crate) fn answer(&self, answer: QuestionAnswer) -> Option<QuestionAnswer> {
        let (Some(guard), Some(content)) = (&self.guard, answer.content()) else {
            return Some(answer);
        };
        let mut places = 0;
        output::clean_value(&guard.secrets, content.clone().into(), &mut places);
        (places == 0).then_some(answer)
    }

    pub(crate) fn finding(&self, finding: Finding) -> Finding {
        Finding::new(finding.check, finding.kind, self.text(finding.text))
    }

    /// What the user said. What the program says itself it says knowingly.
    pub(crate) fn message(&self, message: Message) -> Message {
        match message {
            Message::User(mut user) => {
                user.content = self.text(user.content);
                Message::User(user)
            }
            message => message,
        }
    }

    pub(crate) fn text(&self, text: String) -> String {
        match &self.guard {
            Some(guard) => guard.text(text),
            None => text,
        }
    }

    fn hide(&self, arguments: String) {
        self.hidden.lock().unwrap_or_else(PoisonError::into_inner).insert(arguments);
    }
}

impl Parts<'_> {
    /// What can be shown of a part now. [`ModelDelta::Response`] is for [`Screen::reply`].
    pub(crate) fn take(&mut self, part: ModelDelta) -> Option<ModelDelta> {
        let Some(guard) = self.guard else { return Some(part) };
        match part {
            ModelDelta::Text(text) => self.flow(Kind::Text, &text),
            ModelDelta::Reasoning(text) => self.flow(Kind::Reasoning, &text),
            ModelDelta::CallArguments { index, json } => self.flow(Kind::Arguments(index), &json),
            ModelDelta::CallName { index, name } => {
                Some(ModelDelta::CallName { index, name: guard.text(name) })
            }
            ModelDelta::Retry { attempt, wait_ms, reason } => {
                self.flows.clear();
                Some(ModelDelta::Retry { attempt, wait_ms, reason: guard.text(reason) })
            }
            reply @ ModelDelta::Response(_) => Some(reply),
        }
    }

    /// What is left once nothing more arrives.
    pub(crate) fn rest(&mut self) -> Vec<ModelDelta> {
        let flows = std::mem::take(&mut self.flows);
        flows.into_iter().filter_map(|(kind, mut flow)| kind.part(flow.finish())).collect()
    }

    fn flow(&mut self, kind: Kind, piece: &str) -> Option<ModelDelta> {
        let secrets = &self.guard?.secrets;
        let flow = self.flows.entry(kind).or_insert_with(|| Flow::new(secrets.clone()));
        kind.part(flow.push(piece))
    }
}

/// Refuses calls in whose arguments something was hidden: what would run is not what was written.
impl toolwright_core::Guard for Screen {
    fn name(&self) -> &str {
        "secrets"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        let hidden = self.hidden.lock().unwrap_or_else(PoisonError::into_inner);
        if !hidden.contains(&check.call.arguments) {
            return Ok(());
        }
        let reason =
            "the arguments hold something that is secret in this run, so the tool was not run.";
        Err(Refusal::new(reason)
            .instead("Leave it out: a tool that needs it is given it by the program."))
    }
}
