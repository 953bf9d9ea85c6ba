//! [`Answers`]: answers that are kept.

use std::{sync::Arc, time::Duration};

use moka::sync::Cache;
use tokio::time::Instant;
use toolwright_core::{Output, policy};

use super::key::Key;

/// Answers that are kept, each for the same time.
pub(super) struct Answers {
    /// None where nothing is to be kept.
    kept: Option<Cache<Key, Arc<Answer>>>,
    ttl: Duration,
}

struct Answer {
    output: Output,
    at: Instant,
}

/// An answer longer than this takes more than one place, so that a few long ones cannot take more
/// memory than many of the usual kind.
const PLACE: usize = 64 * 1024;

impl Answers {
    pub(super) fn new(policy: &policy::CachePolicy) -> Self {
        let kept = (policy.entries > 0).then(|| {
            Cache::builder()
                .max_capacity(policy.entries)
                .weigher(|key: &Key, answer: &Arc<Answer>| {
                    places(key.size().saturating_add(size(&answer.output)))
                })
                // Frees the memory. What may be served is decided by the clock below, which is the
                // one everything else here goes by.
                .time_to_live(policy.ttl.min(Duration::from_secs(86_400 * 365)))
                .build()
        });
        Self { kept, ttl: policy.ttl }
    }

    /// The answer and its age.
    pub(super) fn get(&self, key: &Key) -> Option<(Output, Duration)> {
        let answer = self.kept.as_ref()?.get(key)?;
        let age = answer.at.elapsed();
        (age < self.ttl).then(|| (answer.output.clone(), age))
    }

    pub(super) fn put(&self, key: Key, output: Output) {
        if let Some(kept) = &self.kept {
            kept.insert(key, Arc::new(Answer { output, at: Instant::now() }));
        }
    }
}

fn places(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(PLACE)).unwrap_or(u32::MAX).max(1)
}

fn size(output: &Output) -> usize {
    match output {
        Output::Text(text) | Output::Json(text) => text.len(),
        // How large data is nobody knows without walking through it; it says what the text says.
        Output::Readable { text, .. } | Output::Structured { json: text, .. } => {
            text.len().saturating_mul(4)
        }
        Output::Attached { output, attachments } => {
            let bytes = attachments.iter().map(|it| usize::try_from(it.size).unwrap_or(usize::MAX));
            bytes.fold(size(output), usize::saturating_add)
        }
    }
}
