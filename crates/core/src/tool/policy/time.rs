//! Lengths of time as people write them: in the words of `#[tool(timeout = "5s")]`, so that a config file
//! can say what an attribute says.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Writes a time.
pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&toolwright_duration::format(*time))
}

/// Reads a time. Where it must not be none is checked with the rest of the policy.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    toolwright_duration::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// The same for a time that may be left out.
pub(super) mod option {
    use super::{Deserializer, Duration, Serializer};

    /// Writes a time, or nothing.
    pub(in super::super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a time that is there.
    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use crate::Policy;

    #[test]
    fn every_time_comes_back_as_it_was() {
        for nanos in [1, 999, 1_000, 250_000_000, 1_500_000_000, 90_000_000_000, u64::MAX] {
            let timeout = Some(Duration::from_nanos(nanos));
            let policy = Policy { timeout, ..Policy::default() };
            let text = serde_json::to_string(&policy).unwrap();
            assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), policy, "{text}");
        }
    }

    #[test]
    fn a_config_says_what_an_attribute_says() {
        let said = json!({
            "timeout": "5s",
            "retry": {"attempts": 4, "initial_backoff": "100ms", "on": "any"},
            "cache": {"ttl": "2 m"},
            "breaker": {"cooldown": "1h"},
            "rate": {"per_run": 3, "calls": 10, "period": "1s", "max_concurrent": 2},
        });
        let policy: Policy = serde_json::from_value(said).unwrap();
        assert_eq!(policy.timeout, Some(Duration::from_secs(5)));
        assert_eq!(policy.retry.unwrap().initial_backoff, Duration::from_millis(100));
        assert_eq!(policy.cache.as_ref().unwrap().ttl, Duration::from_secs(120));
        assert_eq!(policy.breaker.unwrap().cooldown, Duration::from_secs(3_600));
        assert_eq!(policy.rate.period, Some(Duration::from_secs(1)));
    }

    #[test]
    fn what_is_misspelled_is_told() {
        for (said, wanted) in [
            (json!({"timeout": "5"}), "`5` is no time"),
            (json!({"timeout": 5}), "expected a string"),
            (json!({"time_out": "5s"}), "unknown field `time_out`"),
            (json!({"retry": {"tries": 3}}), "unknown field `tries`"),
            (json!({"cache": {"ttl": "99999999999999999999h"}}), "is too long a time"),
        ] {
            let error = serde_json::from_value::<Policy>(said).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
