//! [`Labels`]: values of one label, so many and no more.

use std::{
    collections::HashSet,
    sync::{Arc, PoisonError, RwLock},
};

/// What a value is called that was never let in: a model can invent names.
const UNKNOWN: &str = "unknown";
/// What values are called that came when there was no more room.
const OTHER: &str = "other";

/// Values of one label, so many and no more: every value is a time series in somebody's database,
/// for as long as the process lives.
#[derive(Debug)]
pub(crate) struct Labels {
    most: usize,
    known: RwLock<HashSet<Arc<str>>>,
    unknown: Arc<str>,
    other: Arc<str>,
}

impl Labels {
    /// Room for this many.
    pub(crate) fn new(most: usize) -> Self {
        let (unknown, other) = (UNKNOWN.into(), OTHER.into());
        Self { most, known: RwLock::default(), unknown, other }
    }

    /// The label of a value that may be let in.
    pub(crate) fn admit(&self, value: &str) -> Arc<str> {
        if let Some(known) = self.get(value) {
            return known;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= self.most {
            return self.other.clone();
        }
        let label: Arc<str> = value.into();
        known.insert(label.clone());
        label
    }

    /// The label of a value that is not let in by this: its own only if it was before.
    pub(crate) fn find(&self, value: &str) -> Arc<str> {
        self.get(value).unwrap_or_else(|| self.unknown())
    }

    /// The label of a value that is not known.
    pub(crate) fn unknown(&self) -> Arc<str> {
        self.unknown.clone()
    }

    fn get(&self, value: &str) -> Option<Arc<str>> {
        // A set is whole at every moment, also when somebody panicked meanwhile.
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(value).cloned()
    }
}
