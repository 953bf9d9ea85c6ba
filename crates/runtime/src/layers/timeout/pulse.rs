//! [`Pulse`]: how often a call was heard of.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use toolwright_core::{RunContext, ToolUpdate};

/// How often a call said how far it is.
pub(super) struct Pulse {
    words: Arc<AtomicU64>,
}

impl Pulse {
    pub(super) fn new() -> Self {
        Self { words: Arc::default() }
    }

    /// The context to hand to the call: what it says there is heard here, and passed on.
    pub(super) fn heard_in(&self, context: &RunContext) -> RunContext {
        let words = self.words.clone();
        context.watched(|before| {
            Arc::new(move |said| {
                if matches!(said, ToolUpdate::Progress(_)) {
                    words.fetch_add(1, Relaxed);
                }
                if let Some(before) = &before {
                    before(said);
                }
            })
        })
    }

    /// How often it was heard of.
    pub(super) fn words(&self) -> u64 {
        self.words.load(Relaxed)
    }
}
