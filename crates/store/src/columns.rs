//! [`Cell`] and [`Columns`]: what goes into a statement and what comes out, the same for both
//! databases, so that every query is written once.

use toolwright_core::Timestamp;

use crate::StoreError;

/// A value for a statement.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for Cell {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<Vec<u8>> for Cell {
    fn from(value: Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

/// A row that was read.
pub(crate) trait Columns {
    fn maybe_int(&self, at: usize) -> Result<Option<i64>, StoreError>;
    fn maybe_text(&self, at: usize) -> Result<Option<&str>, StoreError>;
    fn maybe_bytes(&self, at: usize) -> Result<Option<&[u8]>, StoreError>;

    fn int(&self, at: usize) -> Result<i64, StoreError> {
        self.maybe_int(at)?.ok_or_else(|| missing(at))
    }

    fn text(&self, at: usize) -> Result<&str, StoreError> {
        self.maybe_text(at)?.ok_or_else(|| missing(at))
    }

    fn count(&self, at: usize) -> Result<u32, StoreError> {
        Ok(u32::try_from(self.int(at)?).unwrap_or(u32::MAX))
    }

    fn time(&self, at: usize) -> Result<Timestamp, StoreError> {
        Ok(Timestamp(self.int(at)?.max(0).unsigned_abs()))
    }
}

/// How one row becomes a value.
pub(crate) type Reading<T> = fn(&dyn Columns) -> Result<T, StoreError>;

fn missing(at: usize) -> StoreError {
    StoreError::damaged(format_args!("column {at} of a row is empty"))
}

/// A moment as the databases keep it.
pub(crate) fn millis(at: Timestamp) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}
