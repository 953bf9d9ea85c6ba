//! [`EngineConfig`]: who drives runs, and where that is.

use std::{
    net::{Ipv4Addr, SocketAddr},
    ops::RangeInclusive,
    time::Duration,
};

use serde::Deserialize;

use super::{
    Flags, Setting,
    server::address,
    sources::{Sources, parsed},
    values,
};
use crate::AppError;

/// What files say about it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EngineSection {
    /// `local`, `restate`.
    pub(super) kind: Option<String>,
    pub(super) ingress: Option<String>,
    /// An address, or `none`.
    pub(super) admin: Option<String>,
    pub(super) worker: Option<String>,
    /// Wider than what is taken, so that whatever is beyond that is told with the bounds.
    pub(super) slice_rounds: Option<i64>,
    #[serde(deserialize_with = "values::time")]
    pub(super) decision_timeout: Option<Duration>,
    #[serde(deserialize_with = "values::time")]
    pub(super) grace: Option<Duration>,
    #[serde(deserialize_with = "values::time")]
    pub(super) drain: Option<Duration>,
}

/// Who drives runs, and where that is.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Who drives them.
    pub kind: Setting<EngineKind>,
    /// Where Restate takes calls in.
    pub ingress: Setting<String>,
    /// Where Restate is looked after; none where this process is not to know.
    pub admin: Setting<Option<String>>,
    /// Where a worker listens for Restate.
    pub worker: Setting<SocketAddr>,
    /// Rounds that are driven in one go.
    pub slice_rounds: Setting<u32>,
    /// How long somebody may take for a decision before it is a no.
    pub decision_timeout: Setting<Option<Duration>>,
    /// How long a worker that does not answer is waited for before another one takes its conversations.
    pub grace: Setting<Duration>,
    /// How long runs have for coming to a boundary when a worker is to end.
    pub drain: Setting<Duration>,
}

/// Who drives runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// The process that was asked.
    #[default]
    Local,
    /// Workers, whichever is there: Restate says which, and when.
    Restate,
}

impl EngineKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Restate => "restate",
        }
    }

    fn parse(word: &str) -> Result<Self, &'static str> {
        let all = [Self::Local, Self::Restate];
        all.into_iter().find(|it| it.name() == word).ok_or("use local or restate")
    }
}

const INGRESS: &str = "http://127.0.0.1:8080";
const ADMIN: &str = "http://127.0.0.1:9070";
const PORT: u16 = 9080;
/// A slice costs a few milliseconds, and what is begun moves to another worker with its next one.
const ROUNDS: u32 = 3;
const MOST_ROUNDS: u32 = 1000;
const SECOND: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// As long as anybody is waited for.
const GRACE: Duration = Duration::from_secs(30);
/// What most tools may take.
const DRAIN: Duration = Duration::from_secs(60);

impl EngineConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        file: EngineSection,
    ) -> Result<Self, AppError> {
        let kind = sources.pick("--engine", flags.engine.clone(), "TOOLWRIGHT_ENGINE", file.kind);
        let ingress = sources.pick("", None, "TOOLWRIGHT_ENGINE_INGRESS", file.ingress);
        let admin = sources.pick("", None, "TOOLWRIGHT_ENGINE_ADMIN", file.admin);
        let given = flags.worker_addr.clone();
        let worker = sources.pick("--addr", given, "TOOLWRIGHT_WORKER_ADDR", file.worker);
        let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
        let rounds = sources.bounded(
            "engine.slice_rounds",
            file.slice_rounds,
            &(1..=i64::from(MOST_ROUNDS)),
            (
                |it: i64| it.to_string(),
                "none would never end, and with very many no other worker can take a run over",
            ),
        )?;
        let time = |name, given, bounds: RangeInclusive<Duration>, why| {
            sources.bounded(name, given, &bounds, (toolwright_duration::format, why))
        };
        let decision = time(
            "engine.decision_timeout",
            file.decision_timeout,
            SECOND..=YEAR,
            "people have to read what they decide about; leave it out for as long as they like",
        )?;
        let grace = time(
            "engine.grace",
            file.grace,
            SECOND..=GRACE,
            "a worker that is busy for a moment is not to lose what it drives, and nobody waits longer for one that \
             is stopped",
        )?;
        let drain = time(
            "engine.drain",
            file.drain,
            SECOND..=DAY,
            "what runs needs a moment to come to a boundary, and a worker that is to end has to end",
        )?;
        Ok(Self {
            kind: parsed("engine.kind", kind, EngineKind::Local, EngineKind::parse)?,
            ingress: parsed("engine.ingress", ingress, INGRESS.to_owned(), place)?,
            admin: parsed("engine.admin", admin, Some(ADMIN.to_owned()), place_or_none)?,
            worker: parsed("engine.worker", worker, usual, |text| {
                address(text).map_err(|_| "use an address and a port, such as 127.0.0.1:9080")
            })?,
            slice_rounds: sources.in_file(rounds.and_then(|it| u32::try_from(it).ok()), ROUNDS),
            decision_timeout: sources.in_file(decision.map(Some), None),
            grace: sources.in_file(grace, GRACE),
            drain: sources.in_file(drain, DRAIN),
        })
    }
}

/// An address. Who wants to log in there says so under `http.headers`.
fn place(text: &str) -> Result<String, &'static str> {
    let text = text.trim().trim_end_matches('/');
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.contains('@') => Ok(text.to_owned()),
        _ => Err("use an address with http:// or https:// and without a password in it"),
    }
}

fn place_or_none(text: &str) -> Result<Option<String>, &'static str> {
    match text.trim() {
        "none" => Ok(None),
        text => place(text).map(Some).map_err(
            |_| "use an address with http:// or https:// and without a password in it, or `none`",
        ),
    }
}

#[cfg(test)]
mod tests;
