//! The address and the HTTP client underneath, with this crate's errors.

use toolwright_http::{Address, Client};

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
pub(super) fn client(address: &Address) -> Result<Client, WatchError> {
    Client::pinned(address).map_err(|error| {
        let message = format!("YouTube's API cannot be asked: {error}");
        let advice = error.advice_sentence();
        let advice = advice.unwrap_or_else(|| "Check the settings of proxies.".to_owned());
        WatchError::new(WatchErrorKind::Api, message).with_advice(advice)
    })
}
