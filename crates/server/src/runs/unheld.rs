//! Runs that somebody listens to here and that nobody drives any more: whoever listens is told so, wherever they were asked
//! and whoever drove them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use toolwright_core::{ConversationId, Timestamp};
use toolwright_store::{ConversationStatus, StoreError};

use super::{Channel, Runs, entrusted::waits, instructing::Standing};

const NO_WORKER: &str = "none drives it for now, and it goes on once one does; `toolwright doctor` tells whether the engine \
     has workers";
const NOBODY: &str = "Whoever drove it is gone, and it stands still; resume it to go on.";

/// When something last happened in conversations that nobody held.
type Seen = HashMap<ConversationId, Timestamp>;

impl Runs {
    /// Looks after what is listened to here and driven elsewhere, so often, until everybody leaves. What stands still from
    /// one look to the next is not driven.
    pub(super) fn look_after(self: &Arc<Self>, often: Duration) {
        let (this, leaving) = (Arc::downgrade(self), self.leaving.clone());
        tokio::spawn(leaving.run_until_cancelled_owned(async move {
            let mut seen = Seen::new();
            loop {
                tokio::time::sleep(often).await;
                let Some(runs) = this.upgrade() else { return };
                seen = runs.look(seen).await;
            }
        }));
    }

    async fn look(&self, seen: Seen) -> Seen {
        let mut now = Seen::new();
        let listened = self.open_channels().into_iter();
        for channel in listened.filter(|it| self.active(&it.id).is_none()) {
            match self.stands_since(&channel, &seen).await {
                Ok(at) => now.extend(at.map(|at| (channel.id.clone(), at))),
                // Deleted, or not to be read for now: then nobody can say anything about it.
                Err(error) => tracing::debug!(%error, "a conversation was not looked at"),
            }
        }
        now
    }

    /// Since when nothing happens in a conversation that nobody holds. Whoever listens is told, the second time.
    async fn stands_since(
        &self,
        channel: &Channel,
        seen: &Seen,
    ) -> Result<Option<Timestamp>, StoreError> {
        let summary = self.store().find(channel.id.as_str()).await?;
        if summary.state != ConversationStatus::Unfinished || summary.id != channel.id {
            return Ok(None);
        }
        let at = summary.updated_at;
        if seen.get(&channel.id) == Some(&at) && channel.undriven().1.is_none() {
            match self.standing(&summary).await? {
                // The engine has it wait for people, and nobody has to be there for that.
                Standing { is_going: true, waits_for: 1.. } => {}
                Standing { is_going: true, .. } => channel.tell_undriven(waits(NO_WORKER)),
                Standing { is_going: false, .. } => channel.tell_undriven(NOBODY.to_owned()),
            }
        }
        Ok(Some(at))
    }
}
