//! [`Newer`]: messages of a form that this worker does not know, and since when it is asked for them.
//!
//! They are left to newer workers. Where none comes, after a rollback say, one would stand in its conversation's way for
//! ever; and all it says is that there is something to drive, which the log says, too.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Messages of a newer form, and since when they are seen.
#[derive(Debug)]
pub(crate) struct Newer {
    patience: Duration,
    seen: Mutex<HashMap<String, Instant>>,
}

impl Newer {
    /// Newer workers have so long to take one.
    pub(crate) fn new(patience: Duration) -> Self {
        Self { patience, seen: Mutex::default() }
    }

    /// Whether nobody took this one, as Restate names what it asks for.
    pub(crate) fn is_nobodys(&self, invocation: &str) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *seen.entry(invocation.to_owned()).or_insert_with(Instant::now);
        let is_over = since.elapsed() >= self.patience;
        if is_over {
            seen.remove(invocation);
        }
        // Those that somebody took are not asked for again; those that nobody took are asked for every few seconds.
        seen.retain(|_, since| since.elapsed() <= self.patience * 2);
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_left_to_others_for_a_while() {
        let newer = Newer::new(Duration::from_secs(600));
        assert!(!newer.is_nobodys("a") && !newer.is_nobodys("b") && !newer.is_nobodys("a"));
        let hasty = Newer::new(Duration::ZERO);
        assert!(hasty.is_nobodys("a") && hasty.is_nobodys("b"));
        assert!(hasty.seen.lock().unwrap().is_empty(), "what is over is forgotten");
    }
}
