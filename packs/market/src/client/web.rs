//! The address and the HTTP client underneath, with this crate's errors.

use toolwright_web::Address;

use crate::{MarketError, MarketErrorKind};

/// Where the broker's API begins.
pub(super) fn address(text: &str) -> Result<Address, MarketError> {
    Address::new(text).map_err(|reason| {
        let message = format!(
            "The address of the broker's API is wrong: {reason}. Set it as in \
             https://api.dhan.co/v2 (DHANHQ_BASE_URL)."
        );
        MarketError::new(MarketErrorKind::Input, message)
    })
}

/// A client that goes to this address and no further.
pub(super) fn pinned(address: &Address) -> Result<reqwest::Client, MarketError> {
    toolwright_web::client(address).map_err(|reason| broken(&reason))
}

/// A client that goes where this address points to, if it does.
pub(super) fn following(address: &Address) -> Result<reqwest::Client, MarketError> {
    toolwright_web::following(address).map_err(|reason| broken(&reason))
}

fn broken(reason: &str) -> MarketError {
    let message = format!(
        "The broker cannot be asked from here, as encrypted connections cannot be made: {reason}. \
         Install the system's CA certificates (Debian: apt-get install ca-certificates)."
    );
    MarketError::new(MarketErrorKind::Network, message)
}
