//! [`ModelHealth`]: whether a model is asked, or passed over for a while because it gave no reply.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use tokio::time::Instant;
use toolwright_core::{ModelError, ModelErrorKind, kind_name};

use crate::layers::later;

/// How long a model is passed over that failed once. Each time it fails again it is twice as long,
const FIRST: Duration = Duration::from_secs(30);
/// up to this.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// A provider that asks for a longer wait than this is tried again after it all the same.
const ASKED_AT_MOST: Duration = Duration::from_secs(60 * 60);

/// Whether a model is asked, or passed over for a while because it gave no reply. All runs of an agent share
/// what they learn of it.
#[derive(Default)]
pub(crate) struct ModelHealth {
    /// Whether there is anything to look up: mostly there is not, and nobody waits for a lock.
    is_cooling: AtomicBool,
    state: Mutex<Option<Cooling>>,
}

struct Cooling {
    /// Nobody tries before.
    until: Instant,
    /// When it failed last,
    failed_at: Instant,
    /// how often in a row,
    failures: u32,
    /// and how. Not in whose words: they may quote what one run asked, and go to another.
    kind: ModelErrorKind,
}

impl ModelHealth {
    /// Whether it may be asked now. Of those who ask once it is time to try again, one may: until that one
    /// has its reply, or as long as it was passed over before, the others go elsewhere.
    pub(crate) fn admits(&self) -> bool {
        if !self.is_cooling.load(Relaxed) {
            return true;
        }
        let mut state = self.lock();
        let Some(cooling) = &mut *state else { return true };
        let now = Instant::now();
        let is_due = cooling.until <= now;
        if is_due {
            cooling.until = later(now, pause(cooling.failures));
        }
        is_due
    }

    /// Why it is passed over, in words.
    pub(crate) fn describe(&self) -> String {
        let state = self.lock();
        let Some(cooling) = &*state else { return "it gave no reply before".to_owned() };
        let left = cooling.until.saturating_duration_since(Instant::now());
        let left = toolwright_duration::ahead(left);
        format!("it gave no reply before ({}); tried again in {left}", kind_name(&cooling.kind))
    }

    /// It replied.
    pub(crate) fn succeeded(&self) {
        if self.is_cooling.load(Relaxed) {
            *self.lock() = None;
            self.is_cooling.store(false, Relaxed);
        }
    }

    /// A question from this moment got no reply.
    pub(crate) fn failed(&self, asked_at: Instant, error: &ModelError) {
        let now = Instant::now();
        let mut state = self.lock();
        let failures = match &*state {
            // Many runs ask at once: that they all fail is one failure.
            Some(before) if asked_at < before.failed_at => return,
            Some(before) => before.failures.saturating_add(1),
            None => 1,
        };
        let asked = error.retry_after.map(|it| it.min(ASKED_AT_MOST));
        let until = later(now, asked.unwrap_or_else(|| pause(failures)));
        *state = Some(Cooling { until, failed_at: now, failures, kind: error.kind });
        self.is_cooling.store(true, Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Cooling>> {
        // Nothing under it panics half way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long a model is passed over that failed so often in a row.
fn pause(failures: u32) -> Duration {
    let doubled = failures.saturating_sub(1).min(10);
    FIRST.saturating_mul(1 << doubled).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn error() -> ModelError {
        ModelError::new(ModelErrorKind::Server, "in trouble: with what somebody asked")
    }

    async fn seconds(count: u64) {
        advance(Duration::from_secs(count)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_model_that_failed_is_passed_over_twice_as_long_each_time() {
        let health = ModelHealth::default();
        assert!(health.admits());
        for wait in [30, 60, 120, 240, 300, 300] {
            health.failed(Instant::now(), &error());
            seconds(wait - 1).await;
            assert!(!health.admits(), "{wait}");
            seconds(1).await;
            assert!(health.admits(), "{wait}");
        }
        health.succeeded();
        assert!(health.admits());
        health.failed(Instant::now(), &error());
        seconds(30).await;
        assert!(health.admits(), "it begins anew");
    }

    #[tokio::test(start_paused = true)]
    async fn one_run_tries_again_and_the_others_wait_for_it() {
        let health = ModelHealth::default();
        health.failed(Instant::now(), &error());
        seconds(30).await;
        assert!(health.admits());
        assert!(!health.admits(), "somebody tries already");
        // Whoever tried was broken off, and told nobody.
        seconds(30).await;
        assert!(health.admits());
    }

    #[tokio::test(start_paused = true)]
    async fn what_fails_at_once_is_one_failure() {
        let health = ModelHealth::default();
        let asked = Instant::now();
        seconds(1).await;
        (0..50).for_each(|_| health.failed(asked, &error()));
        seconds(30).await;
        assert!(health.admits());
    }

    #[tokio::test(start_paused = true)]
    async fn a_provider_that_says_how_long_is_believed_up_to_an_hour() {
        for (asked, wait) in [(7, 7), (1_000, 1_000), (86_400, 3_600)] {
            let health = ModelHealth::default();
            let mut error = error();
            error.retry_after = Some(Duration::from_secs(asked));
            health.failed(Instant::now(), &error);
            seconds(wait - 1).await;
            assert!(!health.admits(), "{asked}");
            seconds(1).await;
            assert!(health.admits(), "{asked}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn why_it_is_passed_over_quotes_nobody() {
        let health = ModelHealth::default();
        health.failed(Instant::now(), &error());
        assert_eq!(health.describe(), "it gave no reply before (server); tried again in 30 s");
    }
}
