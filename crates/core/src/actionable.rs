//! [`ActionableError`]: an error that says what to do about it.

use std::{borrow::Cow, error::Error, io};

/// An error that says what to do about it. Its `Display` says what happened.
pub trait ActionableError: Error {
    /// What a person can do about it.
    fn advice(&self) -> Option<Cow<'_, str>>;

    /// Where the reason lies.
    fn fault(&self) -> Fault {
        Fault::Failure
    }

    /// What happened, and what a person can do about it.
    fn sentence(&self) -> String {
        match self.advice() {
            Some(advice) => format!("{self}; {advice}"),
            None => self.to_string(),
        }
    }
}

/// Where the reason for an error lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// In what was typed or set: the same again fails again.
    Usage,
    /// Nothing is set up that could do it.
    NotConfigured,
    /// In what happened meanwhile: the same again may work.
    Failure,
}

impl ActionableError for io::Error {
    fn advice(&self) -> Option<Cow<'_, str>> {
        None
    }
}

impl ActionableError for serde_json::Error {
    fn advice(&self) -> Option<Cow<'_, str>> {
        None
    }
}
