//! [`Outcomes`]: how the last calls ended.

use std::collections::VecDeque;

use toolwright_core::{ContextKey, policy::CircuitBreaker};

use super::circuit::Reach;

/// How the last calls ended, as many as the policy looks at.
#[derive(Default)]
pub(super) struct Outcomes {
    /// The oldest first; a failure has the account it was met with.
    last: VecDeque<Option<ContextKey>>,
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
        self.push(None, policy.window);
    }

    /// Counts a failure, and says whether that was one too many.
    pub(super) fn failed(
        &mut self,
        account: ContextKey,
        policy: &CircuitBreaker,
        reach: Reach,
    ) -> Option<Record> {
        self.push(Some(account), policy.window);
        let record = Record { failed: self.failed, of: self.len() };
        let share = f64::from(record.failed) / f64::from(record.of.max(1));
        let is_many = record.of >= policy.min_calls && share >= policy.failures;
        let is_meant = || match reach {
            Reach::Account => true,
            Reach::Everybody => self.last.iter().flatten().any(|other| *other != account),
        };
        (is_many && is_meant()).then_some(record)
    }

    fn push(&mut self, failed: Option<ContextKey>, window: u32) {
        if self.len() >= window && self.last.pop_front().flatten().is_some() {
            self.failed -= 1;
        }
        self.failed += u32::from(failed.is_some());
        self.last.push_back(failed);
    }

    fn len(&self) -> u32 {
        // There are never more than the window, which is a `u32`.
        u32::try_from(self.last.len()).unwrap_or(u32::MAX)
    }
}
