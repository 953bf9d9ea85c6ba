//! [`check`]: whether a policy can be kept.

use std::time::Duration;

use toolwright_core::{Policy, ToolSpec};

/// What is wrong with a tool under the policy it would have, and what to do about it.
pub(crate) fn check(spec: &ToolSpec, policy: &Policy) -> Result<(), String> {
    times(policy)?;
    rate(policy)?;
    if let Some(retry) = &policy.retry {
        if retry.attempts == 0 {
            return Err("no attempt at all: give `retry.attempts` at least 1".to_owned());
        }
        if retry.attempts > 1 && spec.agent {
            return Err(
                "a call of an agent is a run, which tries again by itself what can be tried \
                        again: leave the retry out"
                    .to_owned(),
            );
        }
        if retry.attempts > 1 && !spec.effect.is_repeatable() {
            return Err("a retry would do twice what should be done once: declare the tool \
                        `read_only` or `idempotent` if it is, or leave the retry out"
                .to_owned());
        }
    }
    if policy.cache.is_some() && !spec.effect.is_read_only() {
        return Err("an answer from the cache would leave undone what the tool does: declare it \
                    `read_only` if it is, or leave the cache out"
            .to_owned());
    }
    if let Some(breaker) = &policy.breaker {
        if !(0.0..=1.0).contains(&breaker.failures) {
            let share = breaker.failures;
            return Err(format!("`breaker.failures` is a share from 0 to 1, and {share} is not"));
        }
        if breaker.window == 0 || breaker.window < breaker.min_calls {
            return Err(format!(
                "the breaker looks at the last {} calls and waits for {} of them: give \
                 `breaker.window` at least 1, and at least `breaker.min_calls`",
                breaker.window, breaker.min_calls
            ));
        }
    }
    Ok(())
}

/// A time of nothing is a mistake everywhere.
fn times(policy: &Policy) -> Result<(), String> {
    let times = [
        ("timeout", policy.timeout),
        ("idle_timeout", policy.idle_timeout),
        ("cache.ttl", policy.cache.as_ref().map(|cache| cache.ttl)),
        ("breaker.cooldown", policy.breaker.map(|breaker| breaker.cooldown)),
        ("rate.period", policy.rate.period),
    ];
    match times.iter().find(|(_, time)| *time == Some(Duration::ZERO)) {
        Some((name, _)) => Err(format!("`{name}` is no time at all: give it one, or leave it out")),
        None => Ok(()),
    }
}

fn rate(policy: &Policy) -> Result<(), String> {
    let rate = &policy.rate;
    for (name, count) in [("calls", rate.calls), ("max_concurrent", rate.max_concurrent)] {
        if count == Some(0) {
            return Err(format!(
                "with `rate.{name} = 0` no call could ever be made: give it at least 1, or do not \
                 offer the tool"
            ));
        }
    }
    if rate.period.is_some() && rate.calls.is_none() {
        return Err(
            "`rate.period` says in what time, but not how many: add `rate.calls`".to_owned()
        );
    }
    Ok(())
}
