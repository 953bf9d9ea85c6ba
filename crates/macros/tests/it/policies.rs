//! What is declared about how calls are treated.

use std::{sync::Arc, time::Duration};

use toolwright_core::{
    Policy, RunContext, Toolset,
    policy::{CachePolicy, CircuitBreaker, RateLimit, Retry, RetryOn},
};
use toolwright_macros::{tool, toolset};

const SECOND: Duration = Duration::from_secs(1);

/// Everything, in full.
#[tool(
    manual,
    read_only,
    timeout = "5s",
    idle_timeout = "1s",
    retry(attempts = 4, initial_backoff = "100ms", max_backoff = "2s", on = "any"),
    cache(ttl = "2m", entries = 10),
    breaker(failures = 0.25, window = 8, min_calls = 4, cooldown = "1m"),
    limit(per_run = 3, calls = 10, period = "2s", max_concurrent = 2),
    redact("email", "phone")
)]
fn in_full(context: &RunContext) {
    let _ = context;
}

#[test]
fn everything_that_can_be_said_is_in_the_policy() {
    let wanted = Policy {
        timeout: Some(5 * SECOND),
        idle_timeout: Some(SECOND),
        retry: Some(Retry {
            attempts: 4,
            initial_backoff: SECOND / 10,
            max_backoff: 2 * SECOND,
            on: RetryOn::Any,
        }),
        breaker: Some(CircuitBreaker {
            failures: 0.25,
            window: 8,
            min_calls: 4,
            cooldown: 60 * SECOND,
        }),
        cache: Some(CachePolicy { ttl: 120 * SECOND, entries: 10 }),
        rate: RateLimit {
            per_run: Some(3),
            calls: Some(10),
            period: Some(2 * SECOND),
            max_concurrent: Some(2),
        },
        redact: vec!["email".to_owned(), "phone".to_owned()],
    };
    assert_eq!(in_full::tool().spec().policy, wanted);
}

/// In short.
#[tool(manual, read_only, retry = 3, cache = "60s", breaker, limit(max_concurrent = 1))]
fn in_short(city: String) -> String {
    city
}

#[test]
fn what_is_left_out_is_the_usual() {
    let wanted = Policy {
        retry: Some(Retry { attempts: 3, ..Retry::default() }),
        cache: Some(CachePolicy { ttl: 60 * SECOND, ..CachePolicy::default() }),
        breaker: Some(CircuitBreaker::default()),
        rate: RateLimit { max_concurrent: Some(1), ..RateLimit::default() },
        ..Policy::default()
    };
    assert_eq!(in_short::tool().spec().policy, wanted);
}

/// Twice is once.
#[tool(manual, idempotent, retry(on = "temporary"), breaker(failures = 1))]
fn again() {}

#[test]
fn nothing_in_particular_can_be_said() {
    let policy = again::tool().spec().policy.clone();
    assert_eq!(policy.retry, Some(Retry::default()));
    assert!((policy.breaker.unwrap().failures - 1.0).abs() < f64::EPSILON);
}

struct State;

#[toolset]
impl State {
    /// A method.
    #[tool(read_only, retry = 2, cache(ttl = "1s"), timeout = "1s")]
    fn method(&self, context: &RunContext) {
        let _ = (self, context);
    }
}

#[test]
fn methods_say_it_the_same_way() {
    let tools = Arc::new(State).tools();
    let policy = &tools[0].spec().policy;
    assert_eq!(policy.timeout, Some(SECOND));
    assert_eq!(policy.retry.unwrap().attempts, 2);
    assert_eq!(policy.cache.unwrap().ttl, SECOND);
}
