//! [`show`]: what lets people in, listed for a person or for a program; and that there is no such thing.

use serde_json::Value;

use crate::{
    error::{CommandError, Result},
    style::{DIM, END, line, out},
};

/// One of a list.
pub(super) struct Entry {
    /// For programs.
    pub(super) json: Value,
    /// For people.
    pub(super) line: String,
}

/// Shows a list, or says that there is `nothing` in it.
pub(super) fn show(entries: Vec<Entry>, nothing: &str, json: bool) -> Result {
    if json {
        let all: Vec<_> = entries.into_iter().map(|it| it.json).collect();
        return Ok(out(&format!("{}\n", serde_json::to_string_pretty(&all)?))?);
    }
    if entries.is_empty() {
        line(&format!("{DIM}{nothing}{END}"));
    }
    for it in entries {
        out(&format!("{}\n", it.line))?;
    }
    Ok(())
}

/// What was named is not in the list.
pub(super) fn unknown(message: String, advice: &'static str) -> crate::error::Error {
    CommandError::unusable(message).with_advice(advice).into()
}
