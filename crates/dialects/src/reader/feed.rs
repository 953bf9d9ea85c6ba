//! [`Feed`]: what passes between a decoder and its reading.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{DecodedPart, Dialect};

/// How a text ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The model had said everything.
    Whole,
    /// The model had said everything, and what it did not finish it did not mean.
    Stopped,
    /// The model was cut off.
    CutOff,
}

/// What passes between a decoder and its reading: text one way, parts the other. Only one of them
/// runs at a time, so the lock is never waited for.
pub(crate) struct Feed(Mutex<State>);

struct State {
    input: String,
    end: Option<End>,
    parts: Vec<DecodedPart>,
    dialect: Dialect,
}

impl Feed {
    pub(crate) fn new(dialect: Dialect) -> Self {
        let (input, parts) = (String::new(), Vec::new());
        Self(Mutex::new(State { input, end: None, parts, dialect }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, text: &str) {
        self.state().input.push_str(text);
    }

    pub(crate) fn end(&self, end: End) {
        self.state().end = Some(end);
    }

    /// What came since the last time; or how the text ended; or nothing yet.
    pub(super) fn take(&self) -> Option<Result<String, End>> {
        let mut state = self.state();
        match state.end {
            _ if !state.input.is_empty() => Some(Ok(std::mem::take(&mut state.input))),
            Some(end) => Some(Err(end)),
            None => None,
        }
    }

    pub(super) fn give(&self, parts: &mut Vec<DecodedPart>) {
        let mut state = self.state();
        if state.parts.is_empty() {
            std::mem::swap(&mut state.parts, parts);
        } else {
            state.parts.append(parts);
        }
    }

    pub(crate) fn parts(&self) -> Vec<DecodedPart> {
        std::mem::take(&mut self.state().parts)
    }

    pub(super) fn recognised(&self, dialect: Dialect) {
        let mut state = self.state();
        if state.dialect == Dialect::Auto {
            state.dialect = dialect;
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.state().dialect
    }
}
