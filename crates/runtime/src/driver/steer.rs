//! Taking up what the user says while the run goes on.

use toolwright_core::{Message, ModelResponse, QueuedMessage};

use super::Driver;

impl Driver {
    /// What the user said since the model was last asked joins the conversation, if it may now.
    pub(super) async fn take_messages(&mut self) {
        if !self.run.takes_messages() {
            return;
        }
        let waiting = self.waiting().await;
        if !waiting.is_empty() {
            self.report(|run, at| run.steered(waiting, at));
            self.forget_taken();
        }
    }

    /// Reports a reply. Behind an answer the run goes on with what the user said meanwhile.
    pub(super) async fn replied(&mut self, reply: ModelResponse) {
        let waiting = if reply.calls.is_empty() { self.waiting().await } else { Vec::new() };
        let gate = self.gate.clone();
        let gate = gate.validator();
        self.report(|run, at| run.model_replied_while(reply, waiting, &gate, at));
        self.forget_taken();
    }

    /// What waits to be taken up: what the journal keeps, and what was said to this run alone.
    async fn waiting(&mut self) -> Vec<QueuedMessage> {
        // The user speaks to the run that they see.
        if self.nesting.outer.is_some() {
            return Vec::new();
        }
        let mut waiting = Vec::new();
        if let Some(journal) = self.commit.kept_in() {
            match journal.waiting().await {
                Ok(kept) => waiting = kept,
                // It still waits, and the next append tells whether the journal is gone.
                Err(error) => {
                    let error = self.screen.journal_error(error);
                    tracing::warn!(run = %self.run.id(), %error, "what waits could not be read");
                }
            }
        }
        waiting.extend(self.steered.handle().waiting());
        waiting.retain(|it| !self.run.has_taken_up(&it.id));
        waiting.into_iter().map(|it| self.screened(it)).collect()
    }

    fn screened(&self, queued: QueuedMessage) -> QueuedMessage {
        let message = match self.screen.message(Message::User(queued.message.clone())) {
            Message::User(said) => said,
            _ => queued.message,
        };
        QueuedMessage { message, ..queued }
    }

    fn forget_taken(&self) {
        self.steered.handle().settle(|id| self.run.has_taken_up(id));
    }
}
