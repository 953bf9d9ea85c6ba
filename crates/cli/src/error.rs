//! [`Error`]: why a command failed. Whatever says what to do about it becomes one with `?`.

use std::{borrow::Cow, fmt, io};

use toolwright_core::{ActionableError, Fault};

/// Why a command failed: any [`ActionableError`].
pub struct Error(Box<dyn ActionableError + Send + Sync>);

/// What a command comes to.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

impl Error {
    /// Where the reason lies.
    pub fn fault(&self) -> Fault {
        self.0.fault()
    }

    /// What a person can do about it.
    pub fn advice(&self) -> Option<Cow<'_, str>> {
        self.0.advice()
    }

    /// Whether whoever read what was written has gone.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        let error: &(dyn std::error::Error + 'static) = &*self.0;
        error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl<E: ActionableError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why a command failed, where nothing below it says so: what happened, and what to do.
#[derive(Debug)]
pub struct CommandError {
    message: String,
    advice: Option<String>,
    fault: Fault,
}

impl CommandError {
    /// Something that happened.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), advice: None, fault: Fault::Failure }
    }

    /// What was typed or given cannot be used.
    pub fn unusable(message: impl fmt::Display) -> Self {
        Self { fault: Fault::Usage, ..Self::failed(message) }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

impl ActionableError for CommandError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        self.advice.as_deref().map(Cow::Borrowed)
    }

    fn fault(&self) -> Fault {
        self.fault
    }
}
