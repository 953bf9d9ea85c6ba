//! Taking the conversation of a run that goes on, also from somebody who does not let go of it.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use toolwright_session::{Slice, SliceError};
use toolwright_store::{ConversationLease, StoreError};

use super::{Inner, told};

/// Whoever lets go of a conversation does so at once, or not soon.
const TRIES: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(25);
const LATER: Duration = Duration::from_millis(250);

impl Inner {
    /// Takes the conversation of a run that goes on: at once where nobody has it, and from whoever has it once they
    /// had time to let go. They are waited for here: were it left to whoever is asked next, each of several processes
    /// would begin to count anew.
    pub(super) async fn take(&self, slice: &Slice) -> Result<ConversationLease, SliceError> {
        let (id, store) = (&slice.conversation, self.pool.store());
        let (mut tries, mut since, mut known) = (0, Instant::now(), None);
        loop {
            let holder = match store.acquire(id).await {
                Ok(lease) => return Ok(lease),
                Err(StoreError::InUse { holder, .. }) => holder,
                Err(error) => return Err(told(&error)),
            };
            // Another one has as long.
            if known != holder {
                (since, known) = (Instant::now(), holder.clone());
            }
            tries += 1;
            if tries < TRIES {
                sleep(BETWEEN).await;
                continue;
            }
            let in_use = StoreError::InUse { id: id.clone(), holder };
            if *self.is_draining.borrow() {
                return Err(told(&in_use));
            }
            let left = self.settings.grace.saturating_sub(since.elapsed());
            if left.is_zero() {
                tracing::warn!(conversation = %id, "taken over: {in_use}, for too long");
                return store.seize(id).await.map_err(|error| told(&error));
            }
            sleep(LATER.min(left)).await;
        }
    }
}
