//! [`PermissionApprover`]: the user, asked through the editor (`session/request_permission`).

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use toolwright_core::{
    CallId, CallPreview, CallSource, Decision, QuestionAnswer, QuestionKind, RuleTargets, RunId,
    revealed, truncate_line,
};
use toolwright_runtime::{
    ApprovalRequest, Approver, QuestionFuture, QuestionRequest, Rule, RuleVerdict,
};

use crate::{
    RuleGrants,
    form::FormQuestion,
    params::ClientCapabilities,
    tool_call::{ToolCall, text},
};

/// How much of what a rule is about fits the name of an option, in characters.
const ABOUT: usize = 60;

/// The user, asked through the editor. Whoever follows the run passes the question on, behind everything that
/// was told of the run before; where nobody does, the answer is no.
pub(crate) struct PermissionApprover {
    can: ClientCapabilities,
    follower: Mutex<Option<mpsc::UnboundedSender<Asked>>>,
}

/// What the user is asked.
pub(crate) enum Asked {
    /// Whether a call may run.
    Permission(Box<Question>),
    /// What a tool wants to know.
    Form(FormQuestion),
}

impl PermissionApprover {
    /// Asks through an editor that can do this.
    pub(crate) fn new(can: ClientCapabilities) -> Self {
        Self { can, follower: Mutex::default() }
    }

    fn send(&self, asked: Asked) {
        let follower = self.follower.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(follower) = follower.as_ref() {
            // Where it cannot be sent, the question is dropped, and nobody decides.
            let _ = follower.send(asked);
        }
    }

    /// Questions of the run that begins now. There is one at a time.
    pub(crate) fn follow(&self) -> mpsc::UnboundedReceiver<Asked> {
        let (sender, questions) = mpsc::unbounded_channel();
        *self.follower.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
        questions
    }
}

impl Approver for PermissionApprover {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let (answer, decided) = oneshot::channel();
        self.send(Asked::Permission(Box::new(Question::new(request, answer))));
        Box::pin(async move {
            decided.await.unwrap_or_else(|_| Decision::deny("nobody decided about it."))
        })
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        match request.question.kind {
            QuestionKind::Form { .. } => self.can.forms,
            QuestionKind::Url { .. } => self.can.addresses,
            _ => false,
        }
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        let (answer, answered) = oneshot::channel();
        self.send(Asked::Form(FormQuestion::new(request, answer)));
        Box::pin(async move { answered.await.unwrap_or(QuestionAnswer::Cancel) })
    }
}

impl Asked {
    /// The call it is about, and its run.
    pub(crate) fn call(&self) -> (&RunId, &CallId) {
        match self {
            Self::Permission(question) => (&question.run, &question.call),
            Self::Form(question) => (&question.run, &question.call),
        }
    }
}

/// A call that the user is asked about.
pub(crate) struct Question {
    run: RunId,
    call: CallId,
    /// The agents on the way to it.
    path: Vec<String>,
    told: ToolCall,
    concerns: Vec<String>,
    /// The rules that hold from now on where the user says "always".
    always: Vec<Rule>,
    /// The rule that holds in this session where the user says "never".
    never: Option<Rule>,
    answer: oneshot::Sender<Decision>,
}

impl Question {
    fn new(request: &ApprovalRequest<'_>, answer: oneshot::Sender<Decision>) -> Self {
        let call = request.call;
        let is_plain = call.source != CallSource::Repaired && call.original_arguments.is_none();
        let repaired = (call.source == CallSource::Repaired).then(|| {
            "its JSON, or the tool's name, was not valid and was repaired: is this what is meant?"
                .to_owned()
        });
        let concerns = repaired.into_iter().chain(request.review_reason().map(str::to_owned));
        let mut told = ToolCall::new(&call.tool, &call.arguments);
        told.effect = Some(request.tool.effect);
        told.preview = Some(request.preview.clone());
        Self {
            run: request.run.clone(),
            call: call.id.clone(),
            path: request.path.to_vec(),
            told,
            concerns: concerns.collect(),
            // What was meant, or made of it by hand, is no rule for what is meant next.
            always: if is_plain { Rule::always(request) } else { Vec::new() },
            never: never(&request.tool.name, request.preview),
            answer,
        }
    }

    /// What the editor is asked: all that the user decides by, and what can be answered.
    /// `call` is what the editor knows the call by.
    pub(crate) fn params(&self, session: &impl serde::Serialize, call: &str, cwd: &Path) -> Value {
        let path: String = self.path.iter().map(|agent| format!("{agent} › ")).collect();
        let concerns =
            self.concerns.iter().map(|it| text(&format!("Look twice: {}.", revealed(it))));
        let content: Vec<_> = concerns.chain(self.told.question_content(cwd)).collect();
        json!({
            "sessionId": session,
            "toolCall": {
                "toolCallId": call, "name": self.told.tool,
                "title": format!("{path}{}", self.told.title()), "kind": self.told.kind(),
                "status": "pending", "content": content,
                "locations": self.told.locations(cwd), "rawInput": self.told.raw_input(),
            },
            "options": self.options(),
        })
    }

    fn options(&self) -> Value {
        let option = |id: &str, name: &str| json!({"optionId": id, "name": name, "kind": id});
        let mut options = vec![option(ALLOW_ONCE, "Allow")];
        if !self.always.is_empty() {
            let about = self.always.iter().map(|rule| rule.pattern.as_deref().unwrap_or("*"));
            let about = about.collect::<Vec<_>>().join(", ");
            let about = truncate_line(&revealed(&about), ABOUT);
            let here = self.always.iter().any(|rule| rule.place.is_some());
            let here = if here { " in this folder" } else { "" };
            let name = format!("Always allow {} {about}{here}", self.told.tool);
            options.push(option(ALLOW_ALWAYS, &name));
        }
        options.push(option(REJECT_ONCE, "Reject"));
        if let Some(rule) = &self.never {
            let about = rule.pattern.as_deref().unwrap_or("*");
            let about = truncate_line(&revealed(about), ABOUT);
            let name = format!("Reject {} {about} in this session", self.told.tool);
            options.push(option(REJECT_ALWAYS, &name));
        }
        options.into()
    }

    /// Passes on what was answered. Nothing, an error, and an option that was not offered are no permission.
    pub(crate) async fn answer(
        self,
        outcome: Option<Result<Value, Value>>,
        rules: &dyn RuleGrants,
    ) {
        let outcome = outcome.and_then(Result::ok).unwrap_or_default();
        let said = |what: &str| outcome.get("outcome")?.get(what)?.as_str();
        let chosen = match said("outcome") {
            Some("selected") => said("optionId").unwrap_or_default(),
            _ => "",
        };
        let decision = match chosen {
            ALLOW_ONCE => Decision::AllowReviewed,
            ALLOW_ALWAYS if !self.always.is_empty() => {
                if let Err(error) = rules.allow_always(&self.always).await {
                    tracing::warn!(%error, "what was always allowed runs this once: no rule is kept");
                }
                Decision::AllowReviewed
            }
            REJECT_ALWAYS => {
                self.never.into_iter().for_each(|rule| rules.deny_in_session(rule));
                Decision::Deny { reason: None }
            }
            REJECT_ONCE => Decision::Deny { reason: None },
            _ => Decision::deny("the user did not decide about it."),
        };
        // The run may have been stopped meanwhile.
        let _ = self.answer.send(decision);
    }
}

const ALLOW_ONCE: &str = "allow_once";
const ALLOW_ALWAYS: &str = "allow_always";
const REJECT_ONCE: &str = "reject_once";
const REJECT_ALWAYS: &str = "reject_always";

/// The rule against exactly this call. Where it is about several things there is none: a rule against one of
/// them would be against more than was rejected.
fn never(tool: &str, preview: &CallPreview) -> Option<Rule> {
    let RuleTargets::These(targets) = &preview.targets else { return None };
    let [target] = targets.as_slice() else { return None };
    let rule = Rule::new(RuleVerdict::Deny, tool).exactly(&target.text);
    Some(match &preview.place {
        Some(place) => rule.place(place),
        None => rule,
    })
}
