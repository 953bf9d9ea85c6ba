//! [`Position`]: an event's place in its conversation.
//!
//! Events are stored under one number that holds the conversation's key and the event's place in
//! it. A conversation is therefore one unbroken range of the table: loading, paging and deleting
//! read and touch that range and nothing else.

use std::{fmt, ops::Range};

use serde::{Deserialize, Serialize};

use crate::StoreError;

/// An event's place in its conversation, from 0, without gaps. Runs follow one another, so it
/// orders all events of all runs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Position(pub u64);

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The bits for the place; the rest is the conversation's key.
pub(crate) const BITS: u32 = 32;
const PLACES: i64 = 1 << BITS;

/// The numbers of a conversation's events.
pub(crate) fn range(key: i64) -> Range<i64> {
    key * PLACES..(key + 1) * PLACES
}

/// The number of the event at `place`.
pub(crate) fn number(key: i64, place: i64) -> Result<i64, StoreError> {
    if (0..PLACES).contains(&place) && (0..1 << (63 - BITS)).contains(&key) {
        Ok(key * PLACES + place)
    } else {
        Err(StoreError::Conflict("the database has no room for more events of its kind".to_owned()))
    }
}

/// A place that somebody names, as the databases count: one that cannot be is one that is never taken.
pub(crate) fn place(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(PLACES).min(PLACES)
}

/// The key of the conversation that an event of this number is in.
#[cfg(feature = "postgres")]
pub(crate) fn key(number: i64) -> i64 {
    number >> BITS
}

/// The place that an event's number says.
pub(crate) fn position(number: i64) -> Position {
    Position(number.rem_euclid(PLACES).unsigned_abs())
}
