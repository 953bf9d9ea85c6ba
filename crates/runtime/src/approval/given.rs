//! [`GivenRules`]: rules that are given and taken back somewhere else while calls are checked.
//!
//! Where they lie is the truth. What is here is what was last read there, and it is read anew before a call is checked.

use std::{
    error::Error,
    sync::{
        Arc, PoisonError, RwLock, RwLockReadGuard,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
};

use futures_core::future::BoxFuture;
use tokio::sync::Mutex;

use super::{Rule, RuleVerdict};

/// Where rules lie that are given and taken back while calls are checked.
pub trait RuleSource: Send + Sync {
    /// All of them, as they are now.
    ///
    /// # Errors
    /// When they cannot be read: then somebody is asked about every call.
    fn rules(&self) -> BoxFuture<'_, Result<Vec<Rule>, Box<dyn Error + Send + Sync>>>;
}

/// Rules that are given and taken back somewhere else.
pub(super) struct GivenRules {
    source: Arc<dyn RuleSource>,
    rules: RwLock<Vec<Rule>>,
    /// How many readings were begun.
    begun: AtomicU64,
    /// The last reading that was finished. There is one at a time, so none puts what is older in the place of what is newer.
    finished: Mutex<u64>,
}

impl GivenRules {
    pub(super) fn new(source: Arc<dyn RuleSource>) -> Self {
        let (begun, finished) = (AtomicU64::new(0), Mutex::new(0));
        Self { source, rules: RwLock::new(unknown()), begun, finished }
    }

    /// What was last read.
    pub(super) fn last_read(&self) -> RwLockReadGuard<'_, Vec<Rule>> {
        self.rules.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads them, unless a reading that was begun later than this call was finished meanwhile.
    pub(super) async fn refresh(&self) {
        let begun = self.begun.load(SeqCst);
        let mut finished = self.finished.lock().await;
        if *finished > begun {
            return;
        }
        let reading = self.begun.fetch_add(1, SeqCst) + 1;
        let rules = self.source.rules().await.unwrap_or_else(|error| {
            tracing::error!(%error, "rules cannot be read: every call is asked about");
            unknown()
        });
        *self.rules.write().unwrap_or_else(PoisonError::into_inner) = rules;
        *finished = reading;
    }
}

/// What holds where nobody knows what was given: it may have been taken back, and it may have been a denial.
fn unknown() -> Vec<Rule> {
    vec![Rule::new(RuleVerdict::Ask, "*")]
}
