//! The breaker and the rate against models that are too simple to be wrong.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use proptest::prelude::*;
use serde_json::json;
use tokio::time::{Instant, advance, sleep, sleep_until};
use toolwright_core::{
    Policy, RunContext, Status,
    policy::{CircuitBreaker, RateLimit},
};

use super::{temporary, toolbox};
use crate::support::{spec, text, tool};

fn reader(policy: Policy) -> toolwright_core::ToolSpec {
    spec("it", toolwright_core::ToolEffect::ReadOnly).policy(policy)
}

fn paused<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap().block_on(work)
}

/// What a breaker does, with every outcome written down and the clock in milliseconds.
struct Plain {
    policy: CircuitBreaker,
    outcomes: Vec<bool>,
    off_until: Option<u64>,
}

impl Plain {
    /// Whether a call now is made, and if so, what follows from how it ends.
    fn call(&mut self, now: u64, works: bool) -> bool {
        if let Some(until) = self.off_until {
            if now < until {
                return false;
            }
            self.off_until = None;
            if works {
                self.outcomes.clear();
            } else {
                self.off_until = Some(now + self.policy.cooldown.as_millis() as u64);
            }
            return true;
        }
        self.outcomes.push(works);
        let window = self.policy.window as usize;
        let last = &self.outcomes[self.outcomes.len().saturating_sub(window)..];
        let failed = last.iter().filter(|works| !**works).count() as f64;
        let enough = last.len() >= self.policy.min_calls as usize;
        if !works && enough && failed / last.len() as f64 >= self.policy.failures {
            self.off_until = Some(now + self.policy.cooldown.as_millis() as u64);
        }
        true
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_breaker_is_what_the_plain_one_is(
        failures in (0..=10_u8).prop_map(|tenths| f64::from(tenths) / 10.0),
        (window, min_calls) in (1..12_u32).prop_flat_map(|window| (Just(window), 0..=window)),
        cooldown in 1..50_u64,
        steps in prop::collection::vec((any::<bool>(), 0..20_u64), 1..80),
    ) {
        let policy = CircuitBreaker { failures, window, min_calls, cooldown: Duration::from_millis(cooldown) };
        let works = Arc::new(AtomicBool::new(true));
        let working = works.clone();
        let tool = tool(
            reader(Policy { breaker: Some(policy), ..Policy::default() }),
            move |_, _| {
                let works = working.load(SeqCst);
                async move { if works { text("fine") } else { temporary() } }
            },
        );
        let toolbox = toolbox(tool);
        let mut plain = Plain { policy, outcomes: Vec::new(), off_until: None };
        paused(async move {
            let (mut at, context) = (0, RunContext::new());
            for (working, wait) in steps {
                works.store(working, SeqCst);
                let made = plain.call(at, working);
                let outcome = toolbox.call("it", json!({}), &context).await;
                let wanted = match (made, working) {
                    (false, _) => Status::Refused,
                    (true, true) => Status::Ok,
                    (true, false) => Status::Failed,
                };
                prop_assert_eq!(outcome.status, wanted, "at {} ms", at);
                let off = plain.off_until.is_some_and(|until| until > at);
                prop_assert_eq!(!toolbox.unavailable_tools(&RunContext::new()).is_empty(), off);
                advance(Duration::from_millis(wait)).await;
                at += wait;
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_rate_is_kept_first_come_first_served(
        calls in 1..5_u32,
        period in 1..40_u64,
        gaps in prop::collection::vec(0..25_u64, 1..40),
    ) {
        let rate = RateLimit {
            calls: Some(calls),
            period: Some(Duration::from_millis(period)),
            ..RateLimit::default()
        };
        let log = Arc::new(Mutex::new(Vec::new()));
        let starts = log.clone();
        let tool = tool(reader(Policy { rate, ..Policy::default() }), move |arguments, _| {
            starts.lock().unwrap().push((arguments["n"].as_u64().unwrap(), Instant::now()));
            async { text("fine") }
        });
        let toolbox = toolbox(tool);
        let arrivals = paused(async move {
            // On a whole millisecond, as the timer's are.
            sleep(Duration::from_millis(1)).await;
            let (mut at, mut arrivals, mut tasks) = (Instant::now(), Vec::new(), Vec::new());
            for (n, gap) in gaps.iter().enumerate() {
                at += Duration::from_millis(*gap);
                sleep_until(at).await;
                let toolbox = toolbox.clone();
                arrivals.push(Instant::now());
                tasks.push(tokio::spawn(async move {
                    toolbox.call("it", json!({"n": n}), &RunContext::new()).await.status
                }));
                tokio::task::yield_now().await;
            }
            for task in tasks {
                assert_eq!(task.await.unwrap(), Status::Ok);
            }
            arrivals
        });
        let log = log.lock().unwrap();
        for (n, (arrived, (which, started))) in arrivals.iter().zip(log.iter()).enumerate() {
            prop_assert_eq!(*which, n as u64, "first come, first served");
            // Each starts when it comes, or a period after the one so many before it.
            let before = n.checked_sub(calls as usize).map(|n| log[n].1);
            let due = before.map_or(*arrived, |at| at + Duration::from_millis(period));
            let due = due.max(*arrived);
            prop_assert!(*started >= due, "not before its time");
            let late = started.duration_since(due);
            prop_assert!(late <= Duration::from_millis(1), "nor after it: {:?}", late);
        }
    }
}
