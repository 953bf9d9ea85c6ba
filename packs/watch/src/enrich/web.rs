//! The address and the HTTP client underneath, with this crate's errors.

use toolwright_web::Address;

use crate::{WatchError, WatchErrorKind};

/// Where YouTube's API begins.
pub(super) fn address(base: &str) -> Result<Address, WatchError> {
    Address::new(base).map_err(|reason| {
        let message = format!("the address of YouTube's API is wrong: {reason}");
        let advice = "Write it as in https://www.googleapis.com/youtube/v3.";
        WatchError::new(WatchErrorKind::Api, message).with_advice(advice)
    })
}

/// A client that goes to this address and no further.
pub(super) fn client(address: &Address) -> Result<reqwest::Client, WatchError> {
    toolwright_web::client(address).map_err(|reason| {
        let message = format!("no encrypted connection can be made from here: {reason}");
        let advice =
            "Install the system's CA certificates (Debian: apt-get install ca-certificates).";
        WatchError::new(WatchErrorKind::Api, message).with_advice(advice)
    })
}
