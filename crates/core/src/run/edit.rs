//! Arguments that whoever decides about a call made different: checked as the model's are, and
//! shown again before anything runs.

use std::sync::Arc;

use serde_json::Value;

use super::{CallState, OpenCall, ResultMode, Run};
use crate::{
    Call, CallId, CallPreview, CallValidator, Event, EventKind, FinishReason, Timestamp,
    call_validator::{Admitted, Place, Verdict},
};

impl Run {
    /// Somebody wants other arguments for a call that waits for a decision. It goes on waiting: with
    /// these, or, where they may not be used, as it was.
    pub(super) fn edit(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        id: &CallId,
        arguments: Value,
        gate: &CallValidator<'_>,
    ) {
        let kind = match self.check_again(id, arguments, gate) {
            Some(Ok(admitted)) => admitted.checked(id.clone()),
            Some(Err(message)) => EventKind::Notice { message, id: Some(id.clone()) },
            None => return,
        };
        self.emit(out, at, kind);
        self.emit(out, at, EventKind::DecisionNeeded { calls: vec![id.clone()] });
    }

    /// Whether the call may run with these arguments, or why not, in words for a person. Nothing
    /// where there is no such call.
    fn check_again(
        &self,
        id: &CallId,
        arguments: Value,
        gate: &CallValidator<'_>,
    ) -> Option<Result<Admitted, String>> {
        let index = self.open.iter().position(|call| call.id == *id)?;
        let open = self.open.get(index)?;
        // The reply is the last message until its calls have their results.
        let reply = self.conversation.messages().last()?;
        let wrote = reply.calls().iter().find(|call| call.id == *id)?;
        let call = Call { arguments: arguments.to_string(), ..wrote.clone() };
        let own = open.original_arguments.as_ref().unwrap_or(&open.arguments);
        let place = Place {
            index,
            finish: FinishReason::ToolCalls,
            earlier: self.earlier(index),
            original_arguments: Some(own),
            single_shot: self.mode == ResultMode::SingleShot,
        };
        let verdict = gate.admit(&call, Ok(Arc::new(arguments)), place, &self.conversation);
        Some(match verdict {
            Verdict::Admit(admitted) => Ok(admitted),
            Verdict::Settle { outcome, .. } => {
                let reason = outcome.reason();
                Err(format!("The arguments of {} were not changed: {reason}", open.tool))
            }
        })
    }
}

impl OpenCall {
    /// Takes note of arguments that are not those it was checked with before. What was shown and
    /// decided was about others.
    pub(super) fn edited(&mut self, arguments: &Arc<Value>) {
        if self.state == CallState::Proposed || self.arguments == *arguments {
            return;
        }
        let wrote = self.original_arguments.take().unwrap_or_else(|| self.arguments.clone());
        self.original_arguments = (wrote != *arguments).then_some(wrote);
        self.preview = Arc::new(CallPreview::default());
        self.decided = None;
    }

    /// The arguments it runs with, if it runs and they are not the model's.
    pub(super) fn ran_edited(&self) -> Option<Arc<Value>> {
        let runs = self.state == CallState::Started && self.original_arguments.is_some();
        runs.then(|| self.arguments.clone())
    }
}
