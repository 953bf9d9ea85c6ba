//! [`ParkedCalls`]: calls whose tool asked something, and whose client has gone to ask its user.
//!
//! In the protocol without sessions a question is the result of a call, and the answer comes with the next request. The
//! run waits here meanwhile, for a while: a client that does not come back is no answer.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::model::JsonObject;

use super::{approval::AskedQuestion, call::Going, request_state::TO_DECIDE};

/// How many wait at the same time.
const MOST: usize = 64;

/// A call whose tool asked something.
pub(super) struct ParkedCall {
    pub(super) going: Going,
    pub(super) question: AskedQuestion,
    /// What it was called with: the next request is the same.
    pub(super) arguments: Option<JsonObject>,
}

/// Calls whose client has gone to ask its user.
#[derive(Clone, Default)]
pub(super) struct ParkedCalls(Arc<Mutex<HashMap<String, ParkedCall>>>);

impl ParkedCalls {
    /// Lets a call wait under this name, where there is room.
    #[allow(clippy::result_large_err, reason = "what does not fit is given back as it is")]
    pub(super) fn put(&self, name: &str, call: ParkedCall) -> Result<(), ParkedCall> {
        let mut all = self.lock();
        if all.len() >= MOST {
            return Err(call);
        }
        all.insert(name.to_owned(), call);
        let (parked, name) = (Arc::downgrade(&self.0), name.to_owned());
        tokio::spawn(async move {
            tokio::time::sleep(TO_DECIDE).await;
            if let Some(all) = parked.upgrade() {
                // Dropped where nothing is held: its run goes on.
                let late = all.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
                drop(late);
            }
        });
        Ok(())
    }

    /// The call that waits under this name.
    pub(super) fn take(&self, name: &str) -> Option<ParkedCall> {
        self.lock().remove(name)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, ParkedCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
