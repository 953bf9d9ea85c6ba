//! The address and the HTTP client underneath, with this crate's errors.

use toolwright_http::{Address, Client};

use super::trouble;
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
pub(super) fn pinned(address: &Address) -> Result<Client, MarketError> {
    Client::pinned(address).map_err(|error| {
        let message = format!("The broker cannot be asked: {error}.");
        MarketError::new(MarketErrorKind::Input, trouble::advised(&message, &error, ""))
    })
}
