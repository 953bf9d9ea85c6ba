//! [`ToolSection`]: what `toolwright.toml` says about how calls of a tool are treated.
//!
//! ```toml
//! [tools."*"]
//! timeout = "30s"
//!
//! [tools.get_weather]
//! cache = "5m"
//! retry = 3
//! breaker = true
//! limit = { per_run = 3, calls = 10, period = "1s" }
//! ```

use std::time::Duration;

use serde::{Deserialize, Deserializer, de::Error};
use toolwright_core::{
    Policy,
    policy::{Breaker, Cache, Rate, Retry, RetryOn},
};

/// What `toolwright.toml` says about how calls of a tool are treated.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ToolSection {
    timeout: Option<Time>,
    idle_timeout: Option<Time>,
    retry: Option<Short<u32, RetrySection>>,
    breaker: Option<Short<bool, BreakerSection>>,
    cache: Option<Short<Time, CacheSection>>,
    limit: RateSection,
    redact: Vec<String>,
}

/// Something that can be said in a word, or part by part.
#[derive(Clone, Debug)]
enum Short<S, L> {
    Word(S),
    Parts(L),
}

// By hand, because an untagged enum would not say which key is wrong.
impl<'de, S: Deserialize<'de>, L: Deserialize<'de>> Deserialize<'de> for Short<S, L> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = toml::Value::deserialize(from)?;
        match value {
            toml::Value::Table(parts) => L::deserialize(parts).map(Self::Parts),
            word => S::deserialize(word).map(Self::Word),
        }
        .map_err(D::Error::custom)
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RetrySection {
    attempts: Option<u32>,
    wait: Option<Time>,
    most: Option<Time>,
    on: Option<RetryOn>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct BreakerSection {
    failures: Option<f64>,
    window: Option<u32>,
    least: Option<u32>,
    rest: Option<Time>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CacheSection {
    ttl: Option<Time>,
    by: Vec<String>,
    entries: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RateSection {
    per_run: Option<u32>,
    calls: Option<u32>,
    period: Option<Time>,
    at_once: Option<u32>,
}

/// A time as people write it: `250ms`, `30s`, `5m`.
#[derive(Clone, Copy, Debug)]
struct Time(Duration);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        humantime::parse_duration(&text)
            .map(Self)
            .map_err(|error| D::Error::custom(format!("`{text}` is not a time ({error})")))
    }
}

impl ToolSection {
    /// The policy it means.
    pub(super) fn policy(&self) -> Policy {
        let time = |time: Option<Time>| time.map(|time| time.0);
        let rate = &self.limit;
        Policy {
            timeout: time(self.timeout),
            idle_timeout: time(self.idle_timeout),
            retry: self.retry.as_ref().map(RetrySection::meant),
            breaker: self.breaker.as_ref().and_then(BreakerSection::meant),
            cache: self.cache.as_ref().map(CacheSection::meant),
            rate: Rate {
                per_run: rate.per_run,
                calls: rate.calls,
                period: time(rate.period),
                at_once: rate.at_once,
            },
            redact: self.redact.clone(),
        }
    }
}

impl RetrySection {
    fn meant(said: &Short<u32, Self>) -> Retry {
        let usual = Retry::default();
        match said {
            Short::Word(attempts) => Retry { attempts: *attempts, ..usual },
            Short::Parts(it) => Retry {
                attempts: it.attempts.unwrap_or(usual.attempts),
                wait: it.wait.map_or(usual.wait, |it| it.0),
                most: it.most.map_or(usual.most, |it| it.0),
                on: it.on.unwrap_or(usual.on),
            },
        }
    }
}

impl BreakerSection {
    fn meant(said: &Short<bool, Self>) -> Option<Breaker> {
        let usual = Breaker::default();
        match said {
            Short::Word(on) => on.then_some(usual),
            Short::Parts(it) => Some(Breaker {
                failures: it.failures.unwrap_or(usual.failures),
                window: it.window.unwrap_or(usual.window),
                least: it.least.unwrap_or(usual.least),
                rest: it.rest.map_or(usual.rest, |it| it.0),
            }),
        }
    }
}

impl CacheSection {
    fn meant(said: &Short<Time, Self>) -> Cache {
        let usual = Cache::default();
        match said {
            Short::Word(ttl) => Cache { ttl: ttl.0, ..usual },
            Short::Parts(it) => Cache {
                ttl: it.ttl.map_or(usual.ttl, |it| it.0),
                by: it.by.clone(),
                entries: it.entries.unwrap_or(usual.entries),
            },
        }
    }
}
