//! [`ResultMode`]: what becomes of the results; and single shot, where they are the answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Phase, Run,
    report::{has_succeeded, report},
};
use crate::{Event, EventKind, Message, Outcome, Timestamp};

/// What becomes of the results.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ResultMode {
    /// They go back to the model, until it answers.
    #[default]
    Loop,
    /// They are the answer. The model is asked once, and nothing it says is sent back to it.
    SingleShot,
}

impl ResultMode {
    /// Whether results go back to the model.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_loop(&self) -> bool {
        *self == Self::Loop
    }
}

impl Run {
    /// Ends a single shot whose calls all have their results. The answer joins the conversation as
    /// the assistant's: it stands in the place of the reply, and some providers want a word of the
    /// assistant's between results and the next question.
    pub(super) fn answer_with_results(&mut self, out: &mut Vec<Event>, at: Timestamp) {
        if self.phase != Phase::Ran {
            return;
        }
        let messages = self.conversation.messages().iter();
        let results = messages.rev().map_while(|message| match &**message {
            Message::Tool(result) => Some(result),
            _ => None,
        });
        // Both in the order of the calls, from the last.
        let mut told: Vec<String> = results
            .zip(self.settled.iter().rev())
            .map(|(result, call)| report(&call.tool, &call.args, &result.outcome))
            .collect();
        told.reverse();
        let message = Arc::new(Message::assistant(told.join("\n\n")));
        self.emit(out, at, EventKind::message(message));
        self.finish(out, at);
    }

    /// Whether the results are the answer, and one of them says that it is none.
    pub(super) fn has_failed(&self) -> bool {
        self.mode == ResultMode::SingleShot && self.last_outcomes().any(|it| !has_succeeded(it))
    }

    /// How the calls of the last reply that had any ended, from the last.
    pub(super) fn last_outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let messages = self.conversation.messages().iter().rev();
        let before = messages.skip_while(|message| matches!(&***message, Message::Assistant(_)));
        before.map_while(|message| match &**message {
            Message::Tool(result) => Some(&result.outcome),
            _ => None,
        })
    }

    /// Whether the model may be asked once more.
    pub(super) fn may_ask_again(&self) -> bool {
        self.mode == ResultMode::Loop && self.closing.is_none()
    }
}
