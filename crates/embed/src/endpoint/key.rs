//! [`Key`]: the right to ask an endpoint.

use std::fmt;

/// The right to ask an endpoint. Never shown.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// This key.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into().trim().to_owned())
    }

    /// The key. Only for the header that carries it, and for hiding it.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}
