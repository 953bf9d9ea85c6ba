//! [`Holders`]: who has conversations that are to be driven here, and since when.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep};
use toolwright_core::ConversationId;
use toolwright_session::{Slice, SliceError};
use toolwright_store::{ConversationLease, LeaseHolder, StoreError};

use super::{Inner, told};

/// Whoever lets go of a conversation does so at once, or not soon.
const TRIES: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(25);
/// How many are remembered.
const MOST: usize = 4096;

/// Since when somebody was found to have a conversation.
#[derive(Default)]
pub(super) struct Holders(Mutex<HashMap<ConversationId, (Option<LeaseHolder>, Instant)>>);

impl Holders {
    /// For how long this holder has been waited for.
    fn waited(&self, id: &ConversationId, holder: Option<LeaseHolder>) -> Duration {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if all.len() >= MOST {
            all.retain(|_, (_, since)| now.duration_since(*since) < Duration::from_secs(600));
        }
        let (known, since) = all.entry(id.clone()).or_insert_with(|| (holder.clone(), now));
        // Another one has as long.
        if *known != holder {
            (*known, *since) = (holder, now);
        }
        now.duration_since(*since)
    }

    fn forget(&self, id: &ConversationId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

impl Inner {
    /// Takes the conversation of a run that goes on: at once where nobody has it, and from whoever has it once they
    /// had time to let go.
    pub(super) async fn take(&self, slice: &Slice) -> Result<ConversationLease, SliceError> {
        let (id, store) = (&slice.conversation, self.pool.store());
        let mut tries = 0;
        let taken = loop {
            let holder = match store.acquire(id).await {
                Ok(lease) => break lease,
                Err(StoreError::InUse { holder, .. }) => holder,
                Err(error) => return Err(told(&error)),
            };
            tries += 1;
            if tries < TRIES {
                sleep(BETWEEN).await;
                continue;
            }
            let (waited, in_use) = (
                self.holders.waited(id, holder.clone()),
                StoreError::InUse { id: id.clone(), holder },
            );
            if waited < self.settings.grace {
                return Err(told(&in_use));
            }
            tracing::warn!(conversation = %id, "taken over: {in_use}, for too long");
            break store.seize(id).await.map_err(|error| told(&error))?;
        };
        self.holders.forget(id);
        Ok(taken)
    }
}
