//! What the user says to a run that goes on: it joins the conversation where every call has its result.

use std::sync::Arc;

use super::{Events, Phase, Run, RunError};
use crate::{Event, EventKind, Message, MessageId, QueuedMessage, Timestamp};

impl Run {
    /// Whether what the user says may join the conversation now: the model is about to be asked, and
    /// every call has its result. What is said once the answer was asked for in its form comes too late
    /// for this run.
    pub fn takes_messages(&self) -> bool {
        self.phase == Phase::Model && !self.output_asked.is_asked()
    }

    /// The user said this while the run went on. To be reported before [`Run::model_called`]; what the
    /// run took up already is left out.
    ///
    /// # Errors
    /// When the run [takes no messages](Run::takes_messages).
    pub fn steered(&mut self, messages: Vec<QueuedMessage>, at: Timestamp) -> Events {
        self.expect_alive()?;
        if !self.takes_messages() {
            return Err(RunError::NotAsking);
        }
        let mut out = Vec::with_capacity(messages.len());
        self.take_up(&mut out, at, messages);
        Ok(out)
    }

    /// Whether it took up this message of the conversation's queue.
    pub fn has_taken_up(&self, message: &MessageId) -> bool {
        self.taken_up.contains(message)
    }

    pub(super) fn take_up(
        &mut self,
        out: &mut Vec<Event>,
        at: Timestamp,
        messages: Vec<QueuedMessage>,
    ) {
        for QueuedMessage { id, message, .. } in messages {
            if !self.taken_up.contains(&id) {
                let message = Arc::new(Message::User(message.steering()));
                self.emit(out, at, EventKind::Message { message, queued: Some(id) });
            }
        }
    }

    /// What of this the run goes on with behind an answer: all of it that it has not taken up, or nothing
    /// where the answer is the last word.
    pub(super) fn goes_on_with(
        &self,
        waiting: Vec<QueuedMessage>,
        answer: &EventKind,
        at: Timestamp,
    ) -> Vec<QueuedMessage> {
        let mut new: Vec<_> =
            waiting.into_iter().filter(|it| !self.taken_up.contains(&it.id)).collect();
        if new.is_empty() || !self.takes_messages() || !self.may_ask_again() {
            return Vec::new();
        }
        // What the answer itself costs counts, too.
        let mut answered = self.clone();
        answered.fold_kind(answer, at);
        if answered.overspent().is_some() {
            new.clear();
        }
        new
    }
}
