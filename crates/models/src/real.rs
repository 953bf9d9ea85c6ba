//! [`forbid_real_requests`]: a switch for tests.

use std::sync::atomic::{AtomicBool, Ordering};

use toolwright_core::{ModelError, ModelErrorKind, is_this_machine};

static FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on this process asks no model but those on this machine's loopback: a test that
/// forgot to script its model fails instead of costing money.
pub fn forbid_real_requests() {
    FORBIDDEN.store(true, Ordering::Relaxed);
}

pub(crate) fn check(host: &str) -> Result<(), ModelError> {
    if is_this_machine(host) || !FORBIDDEN.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(ModelError::new(
        ModelErrorKind::NotConfigured,
        format!("real requests are forbidden in this process, and {host} would be one"),
    ))
}
