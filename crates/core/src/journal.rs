//! [`Journal`]: where a run's events are kept before anything acts on them.

use std::{borrow::Cow, fmt, sync::Arc};

use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::{ActionableError, Digest, Event, QueuedMessage, RunId};

/// Where a run's events are kept before anything acts on them.
pub trait Journal: Send + Sync {
    /// Appends events in one piece: all of them or none. Once the future is ready they survive a
    /// crash of the process and of the machine. What is appended later is kept later, also where
    /// nobody waits in between.
    /// The bytes of what is [attached](crate::Attachment) to them are kept with them.
    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>>;

    /// The bytes of something that was attached; nothing where they are not here.
    fn attachment(
        &self,
        _digest: &Digest,
    ) -> BoxFuture<'static, Result<Option<Arc<[u8]>>, JournalError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// What waits for the run to take it up, the oldest first. What events that were appended name as
    /// `queued` waits no longer, and what is handed out here nobody takes back while the run goes on.
    fn waiting(&self) -> BoxFuture<'static, Result<Vec<QueuedMessage>, JournalError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }
}

impl<J: Journal + ?Sized> Journal for Arc<J> {
    fn append(&self, events: &[Event]) -> BoxFuture<'static, Result<(), JournalError>> {
        (**self).append(events)
    }

    fn attachment(
        &self,
        digest: &Digest,
    ) -> BoxFuture<'static, Result<Option<Arc<[u8]>>, JournalError>> {
        (**self).attachment(digest)
    }

    fn waiting(&self) -> BoxFuture<'static, Result<Vec<QueuedMessage>, JournalError>> {
        (**self).waiting()
    }
}

/// What kind of failure it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JournalErrorKind {
    /// Somebody else holds the database for too long.
    Busy,
    /// There is no room for more.
    Full,
    /// The conversation is now in other hands.
    NotHeld,
    /// What was to be appended does not fit what is there.
    Conflict,
    /// It cannot be reached or written.
    Unavailable,
}

/// Why events could not be kept, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JournalError {
    /// What kind of failure it was.
    pub kind: JournalErrorKind,
    /// What happened, in one line.
    pub message: String,
    /// What a person can do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl JournalError {
    /// A failure of this kind.
    pub fn new(kind: JournalErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), advice: None }
    }

    /// Adds what a person can do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for JournalError {}

impl ActionableError for JournalError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }
}

/// Somebody who watches runs: metrics, log lines, traces. It sees every event once it is kept,
/// and must not block.
pub trait Observer: Send + Sync {
    /// One event of some run.
    fn observe(&self, event: &Event);

    /// Somebody goes on here with a run that was left, or that another process began; it asks this model.
    fn resumed(&self, run: &RunId, model: &str) {
        let _ = (run, model);
    }

    /// A run is left without an end: nothing more of it is observed here unless somebody goes on with it.
    fn left(&self, run: &RunId) {
        let _ = run;
    }
}

impl<O: Observer + ?Sized> Observer for Arc<O> {
    fn observe(&self, event: &Event) {
        (**self).observe(event);
    }

    fn resumed(&self, run: &RunId, model: &str) {
        (**self).resumed(run, model);
    }

    fn left(&self, run: &RunId) {
        (**self).left(run);
    }
}
