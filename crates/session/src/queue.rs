//! Asking what waits in a conversation.

use toolwright_core::{ConversationId, RunContext};

use crate::{Session, SessionError, StartedRun};

impl Session {
    /// Asks what has waited longest in this conversation, whatever it waited for; nothing where nothing
    /// waits.
    ///
    /// What waits besides and is to steer a run is taken up by this one.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or another run goes on in it: then that one takes up
    /// what it can.
    pub async fn ask_next(
        &self,
        id: &ConversationId,
        context: RunContext,
    ) -> Result<Option<StartedRun>, SessionError> {
        // Most of the time nothing waits, and then nobody is kept from the conversation.
        if self.store().queued(id).await?.is_empty() {
            return Ok(None);
        }
        let lease = self.store().acquire(id).await?;
        let history = self.settled(&lease).await?;
        // Now nobody else takes it up; whoever takes it back may still be first.
        for next in self.store().queued(id).await? {
            if lease.take_up(&next.id).await? {
                let prepared = self.agent().prepare(next.message).queued(Some(next.id));
                let prepared = prepared.conversation(history);
                return self.start(lease, prepared, context).await.map(Some);
            }
        }
        Ok(None)
    }
}
