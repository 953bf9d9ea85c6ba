//! [`Owners`]: whose an access token is, where the token does not say so itself.

use std::{
    collections::HashMap,
    fmt,
    sync::{Mutex, PoisonError},
};

/// With more tokens than this, all are forgotten: asking again costs one request each.
const MOST: usize = 256;

/// Whose an access token is, as the broker told.
#[derive(Default)]
pub(super) struct Owners(Mutex<HashMap<String, String>>);

impl Owners {
    /// The client's number, if it was told.
    pub(super) fn of(&self, token: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(token).cloned()
    }

    pub(super) fn told(&self, token: &str, client_id: &str) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(token.to_owned(), client_id.to_owned());
    }
}

impl fmt::Debug for Owners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Owners(…)")
    }
}
