//! Runs that somebody listens to here and that nobody drives: whoever listens is told so, and why, wherever they were asked
//! and whoever drove them.
//!
//! Others have reasons: a worker cannot drive a run, or the engine does not answer. Whether nobody does is seen here
//! alone: another worker may go on with it, and then there is nothing to tell.

use std::{collections::HashMap, sync::Arc, time::Duration};

use toolwright_core::{ConversationId, Timestamp};
use toolwright_store::{ConversationStatus, StoreError};

use super::{Channel, Runs, standing::Standing};

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

    /// A run that is listened to here may not be driven, for this reason where one is known. It is looked at soon.
    pub(super) fn suspect(self: &Arc<Self>, id: &ConversationId, why: Option<String>) {
        let Some(channel) = self.elsewhere(id) else { return };
        if !channel.suspect(why) {
            return;
        }
        let (this, soon) = (self.clone(), self.soon);
        tokio::spawn(self.leaving.clone().run_until_cancelled_owned(async move {
            let looked = async {
                let since = this.store().find(channel.id.as_str()).await?.updated_at;
                tokio::time::sleep(soon).await;
                // Whoever has another reason from now on is looked at again.
                channel.suspected();
                this.tell_if_still(&channel, Some(since)).await
            };
            if let Err(error) = looked.await {
                channel.suspected();
                tracing::debug!(%error, "a conversation was not looked at");
            }
        }));
    }

    async fn look(&self, seen: Seen) -> Seen {
        let mut now = Seen::new();
        let listened = self.open_channels().into_iter();
        for channel in listened.filter(|it| self.active(&it.id).is_none()) {
            match self.tell_if_still(&channel, seen.get(&channel.id).copied()).await {
                Ok(at) => now.extend(at.map(|at| (channel.id.clone(), at))),
                // Deleted, or not to be read for now: then nobody can say anything about it.
                Err(error) => tracing::debug!(%error, "a conversation was not looked at"),
            }
        }
        now
    }

    /// Since when nothing happens in a conversation that nobody holds. Whoever listens is told where that was so before.
    async fn tell_if_still(
        &self,
        channel: &Channel,
        before: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, StoreError> {
        let summary = self.store().find(channel.id.as_str()).await?;
        if summary.state != ConversationStatus::Unfinished || summary.id != channel.id {
            return Ok(None);
        }
        let at = summary.updated_at;
        if before == Some(at) {
            match self.standing(&summary).await? {
                // The engine has it wait for people, and nobody has to be there for that.
                Standing { is_going: true, waits_for: 1.. } => {}
                Standing { is_going: true, .. } => channel.tell_undriven(|known| {
                    let why = known.unwrap_or(NO_WORKER);
                    format!("It waits for a worker: {why}")
                }),
                Standing { is_going: false, .. } => channel.tell_undriven(|_| NOBODY.to_owned()),
            }
        }
        Ok(Some(at))
    }
}
