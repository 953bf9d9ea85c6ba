//! [`Drive`]: what a conversation is told to do; [`Done`]: what came of it, as Restate's journal keeps it.
//!
//! Both carry the version of their form. Workers of several versions may share an address while one replaces the
//! other: one that meets a form it does not know leaves the message to a worker that does.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::{ConversationId, RunId, Timestamp};
use toolwright_session::{Next, Slice};

/// The form of messages. It rises when an older worker would misunderstand one; a field that may be missing is
/// added without.
pub(crate) const VERSION: u32 = 1;

/// A slice of a run is to be driven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Drive {
    v: u32,
    run: RunId,
    /// How much of the run's time was used before.
    #[serde(default)]
    spent_ms: u64,
    /// Which log the conversation is in, where whoever woke it knew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) log: Option<String>,
}

/// A slice was driven. All that a conversation does afterwards follows from this value, as it is the one that is
/// there again when a worker takes over in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Done {
    v: u32,
    next: Next,
    /// How long the next one is to wait, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delay_ms: Option<u64>,
}

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// A newer worker can.
    Newer(u32),
    /// Nobody can.
    Malformed(String),
}

impl Unreadable {
    /// It as a sentence.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Newer(version) => format!(
                "this worker is too old for the message: it is of form {version}, and the worker knows up to \
                 {VERSION}. A newer worker will take it; replace this one"
            ),
            Self::Malformed(reason) => format!("the message is none of Toolwright's: {reason}"),
        }
    }
}

/// The form first: the rest may be anything.
fn read<T: for<'a> Deserialize<'a>>(value: Value) -> Result<T, Unreadable> {
    let version = value.get("v").and_then(Value::as_u64);
    let version = version.and_then(|it| u32::try_from(it).ok());
    match version {
        None | Some(0) => {
            Err(Unreadable::Malformed("it does not say which form it has".to_owned()))
        }
        Some(version) if version > VERSION => Err(Unreadable::Newer(version)),
        Some(_) => {
            serde_json::from_value(value).map_err(|it| Unreadable::Malformed(it.to_string()))
        }
    }
}

fn write<T: Serialize>(message: &T) -> Value {
    // Names, numbers and words: there is nothing in it that could not be written.
    serde_json::to_value(message).unwrap_or_default()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Drive {
    pub(crate) fn new(run: RunId, spent: Duration) -> Self {
        Self { v: VERSION, run, spent_ms: millis(spent), log: None }
    }

    /// The same about a conversation in this log.
    pub(crate) fn in_log(self, log: Option<String>) -> Self {
        Self { log, ..self }
    }

    pub(crate) fn read(value: Value) -> Result<Self, Unreadable> {
        read(value)
    }

    pub(crate) fn write(&self) -> Value {
        write(self)
    }

    pub(crate) fn slice(&self, conversation: ConversationId) -> Slice {
        let spent = Duration::from_millis(self.spent_ms);
        Slice { conversation, run: self.run.clone(), spent }
    }
}

impl Done {
    pub(crate) fn new(next: Next, now: Timestamp) -> Self {
        let delay_ms = match &next {
            Next::Waiting { until } => until.map(|it| it.since(now)),
            Next::Again { .. } | Next::Follow { .. } | Next::Ended => None,
        };
        Self { v: VERSION, next, delay_ms }
    }

    pub(crate) fn read(value: Value) -> Result<Self, Unreadable> {
        read(value)
    }

    pub(crate) fn write(&self) -> Value {
        write(self)
    }

    /// What is to be driven next, and after how long; nothing where nothing is.
    pub(crate) fn then(self, driven: &Drive) -> Option<(Drive, Option<Duration>)> {
        let next = |run, spent| Drive::new(run, spent).in_log(driven.log.clone());
        match self.next {
            Next::Again { spent } => Some((next(driven.run.clone(), spent), None)),
            Next::Follow { run } => Some((next(run, Duration::ZERO), None)),
            // People were waited for: that time is none of the run's.
            Next::Waiting { .. } => {
                let delay = Duration::from_millis(self.delay_ms?);
                Some((driven.clone(), Some(delay)))
            }
            Next::Ended => None,
        }
    }
}

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(millis(since))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn drive() -> Drive {
        Drive::new(RunId::from("run_1"), Duration::from_millis(1500))
    }

    #[test]
    fn what_workers_tell_each_other_keeps_its_form() {
        // Workers of the version before read this: what is here may gain fields, and lose none.
        assert_eq!(drive().write(), json!({ "v": 1, "run": "run_1", "spent_ms": 1500 }));
        let cases = [
            (
                Next::Again { spent: Duration::from_secs(2) },
                json!({ "v": 1, "next": { "again": { "spent": { "secs": 2, "nanos": 0 } } } }),
            ),
            (
                Next::Waiting { until: Some(Timestamp(5000)) },
                json!({ "v": 1, "next": { "waiting": { "until": 5000 } }, "delay_ms": 4000 }),
            ),
            (
                Next::Waiting { until: None },
                json!({ "v": 1, "next": { "waiting": { "until": null } } }),
            ),
            (
                Next::Follow { run: RunId::from("run_2") },
                json!({ "v": 1, "next": { "follow": { "run": "run_2" } } }),
            ),
            (Next::Ended, json!({ "v": 1, "next": "ended" })),
        ];
        for (next, form) in cases {
            let done = Done::new(next, Timestamp(1000));
            assert_eq!(done.write(), form);
            assert_eq!(Done::read(form), Ok(done));
        }
    }

    #[test]
    fn what_follows_is_in_the_same_log() {
        let drive = drive().in_log(Some("a".to_owned()));
        assert_eq!(drive.write()["log"], "a");
        let all = [
            Next::Again { spent: Duration::ZERO },
            Next::Follow { run: RunId::from("run_2") },
            Next::Waiting { until: Some(Timestamp(1)) },
        ];
        for next in all {
            let (then, _) = Done::new(next, Timestamp(0)).then(&drive).unwrap();
            assert_eq!(then.log.as_deref(), Some("a"), "{then:?}");
        }
    }

    #[test]
    fn what_is_newer_is_told_from_what_is_nothing() {
        let newer = json!({ "v": 2, "runs": ["run_1"] });
        assert_eq!(Drive::read(newer.clone()), Err(Unreadable::Newer(2)));
        assert_eq!(Done::read(newer), Err(Unreadable::Newer(2)));
        assert!(Unreadable::Newer(2).sentence().contains("too old"));
        for nothing in
            [json!(null), json!({}), json!({ "v": 0 }), json!({ "v": "1" }), json!({ "v": 1 })]
        {
            let read = Drive::read(nothing.clone());
            assert!(matches!(read, Err(Unreadable::Malformed(_))), "{nothing}: {read:?}");
        }
        let more = json!({ "v": 1, "run": "run_1", "colour": "blue" });
        assert_eq!(Drive::read(more), Ok(Drive::new(RunId::from("run_1"), Duration::ZERO)));
    }

    #[test]
    fn what_comes_next_follows_from_the_value() {
        let then = |next| Done::new(next, Timestamp(1000)).then(&drive());
        let run = RunId::from("run_1");
        let spent = Duration::from_secs(9);
        assert_eq!(then(Next::Again { spent }), Some((Drive::new(run, spent), None)));
        let late = Next::Waiting { until: Some(Timestamp(400)) };
        assert_eq!(then(late), Some((drive(), Some(Duration::ZERO))), "it is due already");
        assert_eq!(then(Next::Waiting { until: None }), None);
        assert_eq!(then(Next::Ended), None);
        let next = RunId::from("run_2");
        let first = Drive::new(next.clone(), Duration::ZERO);
        assert_eq!(then(Next::Follow { run: next }), Some((first, None)));
    }
}
