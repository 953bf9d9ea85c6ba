//! [`Condition`]: whether the file can still be written to.
//!
//! What is written to a damaged file makes the damage worse, or is lost with it. So whoever first
//! finds a page that cannot be right ends the writing for this process; reading goes on, for as much
//! as can be saved.

use std::sync::{Arc, OnceLock};

use crate::StoreError;

/// Whether the file can still be written to.
#[derive(Clone, Default)]
pub(super) struct Condition(Arc<OnceLock<StoreError>>);

impl Condition {
    /// Takes note of an error, if it says that the file is damaged.
    pub(super) fn note(&self, error: &StoreError) {
        if matches!(error, StoreError::Damaged { .. }) && self.0.set(error.clone()).is_ok() {
            tracing::error!(%error, "nothing is written to the database any more");
        }
    }

    /// The damage that was found, if any was.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.0.get().map_or(Ok(()), |error| Err(error.clone()))
    }
}
