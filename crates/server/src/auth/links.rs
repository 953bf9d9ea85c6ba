//! [`Links`]: each lets one browser in, once, and soon.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use subtle::ConstantTimeEq;

use super::secret::random;

/// How many may wait to be used; a further one takes the place of the oldest.
const MOST: usize = 4;

/// Links that let one browser in, once.
pub(super) struct Links {
    waiting: Mutex<VecDeque<Link>>,
    life: Duration,
}

struct Link {
    token: String,
    made: Instant,
}

impl Links {
    /// None yet; each is good for so long.
    pub(super) fn new(life: Duration) -> Self {
        Self { waiting: Mutex::default(), life }
    }

    /// The token of a new link.
    pub(super) fn make(&self) -> String {
        let token = random();
        let mut waiting = self.current();
        while waiting.len() >= MOST {
            waiting.pop_front();
        }
        waiting.push_back(Link { token: token.clone(), made: Instant::now() });
        token
    }

    /// Uses a link up.
    pub(super) fn take(&self, shown: &str) -> bool {
        let mut waiting = self.current();
        let before = waiting.len();
        waiting.retain(|link| !bool::from(link.token.as_bytes().ct_eq(shown.as_bytes())));
        waiting.len() < before
    }

    /// Those that are still good.
    fn current(&self) -> MutexGuard<'_, VecDeque<Link>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|link| link.made.elapsed() < self.life);
        waiting
    }
}
