//! How long to wait before the next attempt.

use std::time::Duration;

use toolwright_core::policy::Retry;

/// The wait after the attempt of this number: any time up to a bound that doubles. With the whole
/// of it left to chance, those who failed together come back spread as thin as can be.
pub(super) fn wait(policy: &Retry, attempt: u32) -> Duration {
    bound(policy, attempt).mul_f64(fastrand::f64())
}

fn bound(policy: &Retry, attempt: u32) -> Duration {
    let doublings = attempt.saturating_sub(1);
    let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
    policy.initial_backoff.saturating_mul(factor).min(policy.max_backoff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_doubles_and_ends() {
        let policy = Retry {
            initial_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(1),
            ..Retry::default()
        };
        let bounds = [1, 2, 3, 4, 5, 40, u32::MAX].map(|n| bound(&policy, n).as_millis());
        assert_eq!(bounds, [100, 200, 400, 800, 1_000, 1_000, 1_000]);
    }

    #[test]
    fn a_wait_is_within_its_bound_and_not_always_the_same() {
        let policy = Retry::default();
        let waits: Vec<_> = (0..100).map(|_| wait(&policy, 2)).collect();
        assert!(waits.iter().all(|wait| *wait <= bound(&policy, 2)));
        assert!(waits.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
