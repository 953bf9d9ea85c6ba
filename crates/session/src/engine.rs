//! [`RunEngine`] and [`SliceDriver`]: who drives a run and when, and how a piece of it is driven.
//!
//! The engine owns who drives and when; the log owns what happened. An engine knows nothing of models and tools:
//! it is told to [`wake`](RunEngine::wake) a conversation, has somebody drive a [`Slice`] of its run, and does
//! what [`Next`] says. A wake too many finds nothing to do, and one that was lost can be sent again.

use std::{borrow::Cow, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};
use toolwright_core::{ActionableError, ConversationId, Fault, RunId, Timestamp};

/// What an engine or a driver of slices does, which belongs to nobody.
pub type EngineFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Says who drives a run, and when.
pub trait RunEngine: Send + Sync {
    /// Has the run of a conversation driven on, by whoever is there to do it. Once it is taken up here it is
    /// not lost any more; the same again does no harm.
    fn wake(&self, wake: Wake) -> EngineFuture<Result<(), EngineError>>;

    /// Has what the engine keeps for somebody who is gone for good driven by others: how many conversations go on. An
    /// engine that keeps nothing for anybody has nothing to do.
    fn hand_on(&self) -> EngineFuture<Result<usize, EngineError>> {
        Box::pin(async { Ok(0) })
    }

    /// By what this engine can be told from another; nothing where that cannot be seen from here.
    fn place(&self) -> EngineFuture<Result<Option<EnginePlace>, EngineError>> {
        Box::pin(async { Ok(None) })
    }

    /// Whether it is this engine that somebody knows by this name.
    fn knows(&self, name: &str) -> EngineFuture<Result<bool, EngineError>> {
        let _ = name;
        Box::pin(async { Ok(true) })
    }

    /// Whether the engine is there and takes what is to be driven.
    fn check(&self) -> EngineFuture<Result<(), EngineError>>;

    /// Whether the engine can be looked after from here. What is begun is driven without that; what is not done then is said
    /// by the error.
    fn check_admin(&self) -> EngineFuture<Result<(), EngineError>> {
        Box::pin(async { Ok(()) })
    }
}

/// By what an engine can be told from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePlace {
    /// A name that no other engine has; it may have had others before.
    pub name: String,
    /// Where it is, as whoever uses it knows it.
    pub address: String,
}

/// A run that is to be driven on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wake {
    /// Its conversation.
    pub conversation: ConversationId,
    /// The run.
    pub run: RunId,
    /// How long it may be left alone first.
    pub after: Option<Duration>,
}

impl Wake {
    /// Now.
    pub fn now(conversation: ConversationId, run: RunId) -> Self {
        Self { conversation, run, after: None }
    }

    /// After some time.
    #[must_use]
    pub fn after(mut self, after: Duration) -> Self {
        self.after = Some(after);
        self
    }
}

/// Drives runs, a piece at a time, for whoever is the engine.
pub trait SliceDriver: Send + Sync {
    /// Drives a run until it is time to leave it: some rounds are done, only people are waited for, it has ended, or
    /// this process is to be left. It has to be polled to its end: whoever drops it breaks off what runs.
    ///
    /// What becomes of a tool or a model is in the log and no error here. An error is about driving, and the same
    /// slice is to be driven again, here or elsewhere.
    fn slice(&self, slice: Slice) -> EngineFuture<Result<Next, SliceError>>;

    /// Whether a conversation of the log of this name ([`Store::log_id`](toolwright_store::Store::log_id)) can be driven
    /// here. Where it is another log than this process has, and this one has no such conversation, it is for others.
    fn knows(
        &self,
        log: &str,
        conversation: &ConversationId,
    ) -> EngineFuture<Result<(), SliceError>> {
        let _ = (log, conversation);
        Box::pin(std::future::ready(Ok(())))
    }

    /// From now on every slice ends at its next boundary, the first included: this process is about to go.
    fn drain(&self);

    /// Whether this process can be given slices now.
    fn fitness(&self) -> Fitness {
        Fitness::Well
    }
}

/// Whether a process can be given slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitness {
    /// It can.
    Well,
    /// Not now, and what it drives it drives on: the log did not answer for a moment.
    Hesitant,
    /// It drives nothing: it is cut off from the log.
    CutOff,
}

/// A piece of a run, driven in one go by one process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// The conversation.
    pub conversation: ConversationId,
    /// The run.
    pub run: RunId,
    /// How much of the run's time was used by the slices before, as far as the engine knows: where it does not, the
    /// log tells.
    pub spent: Duration,
}

impl Slice {
    /// The first piece of a run.
    pub fn first(conversation: ConversationId, run: RunId) -> Self {
        Self { conversation, run, spent: Duration::ZERO }
    }
}

/// What an engine does after a slice. Other than the log, this is all that it has to keep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Another slice, as soon as may be.
    Again {
        /// How much of the run's time was used so far.
        spent: Duration,
    },
    /// Nothing, until the run is woken; at this moment at the latest.
    Waiting {
        /// When something is due that nobody has to say: the time to decide is up.
        until: Option<Timestamp>,
    },
    /// The run has ended, and what waited behind it was begun as this one: its first slice.
    Follow {
        /// The run.
        run: RunId,
    },
    /// Nothing more: the run has ended.
    Ended,
}

/// Why an engine cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EngineError {
    message: String,
    advice: Option<String>,
    fault: Fault,
}

/// Why a slice could not be driven. It is to be driven again: nothing that happened is lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SliceError {
    message: String,
    advice: Option<String>,
    fault: Fault,
}

macro_rules! actionable {
    ($error:ident) => {
        impl $error {
            /// One that happened meanwhile: the same again may work.
            pub fn new(message: impl Into<String>) -> Self {
                Self { message: message.into(), advice: None, fault: Fault::Failure }
            }

            /// Says what a person can do about it.
            #[must_use]
            pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
                self.advice = Some(advice.into());
                self
            }

            /// Says where the reason lies.
            #[must_use]
            pub fn of_fault(mut self, fault: Fault) -> Self {
                self.fault = fault;
                self
            }

            /// The same, told by another error.
            pub fn told(error: &dyn ActionableError) -> Self {
                let advice = error.advice().map(Cow::into_owned);
                Self { message: error.to_string(), advice, fault: error.fault() }
            }
        }

        impl ActionableError for $error {
            fn advice(&self) -> Option<Cow<'_, str>> {
                self.advice.as_deref().map(Cow::Borrowed)
            }

            fn fault(&self) -> Fault {
                self.fault
            }
        }
    };
}

actionable!(EngineError);
actionable!(SliceError);
