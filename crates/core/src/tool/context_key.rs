//! [`ContextKey`]: what of a [`RunContext`](super::RunContext) a result may depend on.

use std::{
    any::TypeId,
    collections::{BTreeMap, BTreeSet},
    fmt,
    hash::{Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use sha2::{Digest as _, Sha256};

/// What of a context a result may depend on: its values, labels and secrets, all of them. A tool sees
/// nothing else of a run, so two runs with equal keys may be given each other's results, and no
/// others may.
///
/// It is a digest: nobody can read a value out of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContextKey([u8; 32]);

impl fmt::Debug for ContextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContextKey(…)")
    }
}

/// What tells a value of a context from others of its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ValueKey {
    /// It is itself and no other: nothing is known of it.
    Unique(u64),
    /// Its hash: equal values have equal ones.
    Hashed([u8; 32]),
}

impl ValueKey {
    pub(super) fn unique() -> Self {
        /// Not the address of the value: that of another may be the same, later.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::Unique(NEXT.fetch_add(1, Relaxed))
    }

    pub(super) fn of(value: &impl Hash) -> Self {
        Self::Hashed(digest(value))
    }
}

impl ContextKey {
    pub(super) fn new(
        values: impl Iterator<Item = (TypeId, ValueKey)>,
        labels: &[(String, String)],
        secrets: &[Arc<str>],
    ) -> Self {
        let values: BTreeMap<_, _> = values.collect();
        // Of several labels of one name the last counts.
        let labels: BTreeMap<_, _> = labels.iter().map(|(name, value)| (name, value)).collect();
        let secrets: BTreeSet<_> = secrets.iter().collect();
        Self(digest(&(values, labels, secrets)))
    }
}

fn digest(value: &impl Hash) -> [u8; 32] {
    let mut hasher = Sha(Sha256::new());
    value.hash(&mut hasher);
    hasher.0.finalize().into()
}

/// `Hash` writes what tells values apart, and a digest of that is not found twice.
struct Sha(Sha256);

impl Hasher for Sha {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not asked for: the digest is taken as a whole.
    fn finish(&self) -> u64 {
        0
    }
}
