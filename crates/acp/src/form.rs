//! [`FormQuestion`]: what a tool asks the user while its call runs, through the editor (`elicitation/create`).

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use toolwright_core::{CallId, Question, QuestionAnswer, QuestionKind, RunId, revealed};
use toolwright_runtime::QuestionRequest;

use crate::rpc::with;

/// What a tool asks the user.
pub(crate) struct FormQuestion {
    pub(crate) run: RunId,
    pub(crate) call: CallId,
    /// What the question is known by, where the user is sent elsewhere.
    id: String,
    /// Who asks, and what. It is never Toolwright.
    message: String,
    question: Question,
    answer: oneshot::Sender<QuestionAnswer>,
}

impl FormQuestion {
    pub(crate) fn new(
        request: &QuestionRequest<'_>,
        answer: oneshot::Sender<QuestionAnswer>,
    ) -> Self {
        let question = request.question.clone();
        let message = format!("{} asks: {}", request.asker(), question.message);
        Self {
            run: request.run.clone(),
            call: request.call.clone(),
            id: format!("{}-{}", request.run, request.id),
            message: revealed(&message).into_owned(),
            question,
            answer,
        }
    }

    /// What the editor is asked. `call` is what it knows the call by.
    pub(crate) fn params(&self, session: &impl serde::Serialize, call: &str) -> Value {
        let params = json!({"sessionId": session, "toolCallId": call, "message": self.message});
        match &self.question.kind {
            QuestionKind::Url { url, .. } => {
                let params = with(with(params, "mode", "url"), "url", url.as_str());
                with(params, "elicitationId", self.id.as_str())
            }
            _ => with(with(params, "mode", "form"), "requestedSchema", self.question.schema()),
        }
    }

    /// Passes on what was answered. What is no answer to this question is none; whoever asked checks the fields.
    pub(crate) fn answer(self, outcome: Option<Result<Value, Value>>) {
        let outcome = outcome.and_then(Result::ok).unwrap_or_default();
        let answer = match outcome.get("action").and_then(Value::as_str) {
            Some("accept") => QuestionAnswer::Accept { content: content(&outcome) },
            Some("decline") => QuestionAnswer::Decline,
            _ => QuestionAnswer::Cancel,
        };
        // The call may be over by now.
        let _ = self.answer.send(answer);
    }
}

fn content(outcome: &Value) -> Map<String, Value> {
    outcome.get("content").and_then(Value::as_object).cloned().unwrap_or_default()
}
