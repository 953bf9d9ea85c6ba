//! [`Pulse`]: when a call was last heard of.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::time::Instant;
use toolwright_core::{RunContext, Said};

use crate::layers::later;

/// When a call was last heard of: at its start, or when it last said how far it is.
pub(super) struct Pulse {
    start: Instant,
    /// Nanoseconds from there.
    last: Arc<AtomicU64>,
}

impl Pulse {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), last: Arc::default() }
    }

    /// The context to hand to the call: what it says there is heard here, and passed on.
    pub(super) fn heard_in(&self, context: &RunContext) -> RunContext {
        let (start, last) = (self.start, self.last.clone());
        context.watched(|before| {
            Arc::new(move |said| {
                if matches!(said, Said::Progress(_)) {
                    let nanos = start.elapsed().as_nanos();
                    last.fetch_max(u64::try_from(nanos).unwrap_or(u64::MAX), Relaxed);
                }
                if let Some(before) = &before {
                    before(said);
                }
            })
        })
    }

    /// When it will have been silent for that long.
    pub(super) fn due(&self, silence: Duration) -> Instant {
        let last = Duration::from_nanos(self.last.load(Relaxed));
        later(self.start, last.saturating_add(silence))
    }
}
