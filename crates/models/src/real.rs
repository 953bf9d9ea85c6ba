//! [`forbid_real_requests`]: a switch for tests; and [`check_real_request`], which models ask.

use std::sync::atomic::{AtomicBool, Ordering};

use toolwright_core::{ModelError, ModelErrorKind, is_this_machine};

static FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on this process asks no model but those on this machine's loopback: a test that
/// forgot to script its model fails instead of costing money.
pub fn forbid_real_requests() {
    FORBIDDEN.store(true, Ordering::Relaxed);
}

/// Whether this process may ask a model at this host. Models ask it before they connect.
///
/// # Errors
/// When it may not: [`forbid_real_requests`] was called, and the host is not this machine.
pub fn check_real_request(host: &str) -> Result<(), ModelError> {
    if is_this_machine(host) || !FORBIDDEN.load(Ordering::Relaxed) {
        return Ok(());
    }
    Err(ModelError::new(
        ModelErrorKind::NotConfigured,
        format!("real requests are forbidden in this process, and {host} would be one"),
    ))
}
