//! [`random`]: a secret that nobody guesses; and [`digest`]: by which it is known again.

use sha2::{Digest, Sha256};

/// 256 random bits. Without randomness there is no secret, and nothing may be served.
pub(super) fn random() -> String {
    let mut bytes = [0_u8; 32];
    match getrandom::fill(&mut bytes) {
        Ok(()) => hex(&bytes),
        Err(error) => {
            tracing::error!(%error, "the system has no randomness");
            std::process::abort()
        }
    }
}

/// What is kept of a secret: enough to know it again, and not to tell it.
pub(super) fn digest(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
