//! [`Outcomes`]: how the last calls ended.

use std::collections::VecDeque;

use toolwright_core::policy::CircuitBreaker;

/// How the last calls ended, as many as the policy looks at.
#[derive(Default)]
pub(super) struct Outcomes {
    /// The oldest first; true is a failure.
    last: VecDeque<bool>,
    failed: u32,
}

/// How many of how many calls failed.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub(super) failed: u32,
    pub(super) of: u32,
}

impl Outcomes {
    pub(super) fn worked(&mut self, policy: &CircuitBreaker) {
        self.push(false, policy.window);
    }

    /// Counts a failure, and says whether that was one too many.
    pub(super) fn failed(&mut self, policy: &CircuitBreaker) -> Option<Record> {
        self.push(true, policy.window);
        let record = Record { failed: self.failed, of: self.len() };
        let share = f64::from(record.failed) / f64::from(record.of.max(1));
        (record.of >= policy.min_calls && share >= policy.failures).then_some(record)
    }

    fn push(&mut self, failed: bool, window: u32) {
        if self.len() >= window && self.last.pop_front() == Some(true) {
            self.failed -= 1;
        }
        self.last.push_back(failed);
        self.failed += u32::from(failed);
    }

    fn len(&self) -> u32 {
        // There are never more than the window, which is a `u32`.
        u32::try_from(self.last.len()).unwrap_or(u32::MAX)
    }
}
