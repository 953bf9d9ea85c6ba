//! The address and the HTTP client underneath, with this crate's errors.

use toolwright_http::{Address, Client};

use crate::{EmbedError, EmbedErrorKind};

/// Where the API begins.
pub(super) fn address(text: &str) -> Result<Address, EmbedError> {
    Address::new(text).map_err(|reason| {
        let message = format!("The address of the embeddings endpoint is wrong: {reason}.");
        EmbedError::new(EmbedErrorKind::Refused, message)
            .with_advice("Set the root of its API, such as http://127.0.0.1:11434/v1.")
    })
}

/// A client that goes to this address and no further.
pub(super) fn client(address: &Address) -> Result<Client, EmbedError> {
    Client::pinned(address).map_err(|error| {
        let message = format!("The embeddings endpoint cannot be asked: {error}.");
        let advice = error.advice_sentence();
        let advice = advice.unwrap_or_else(|| "Check the settings of proxies.".to_owned());
        EmbedError::new(EmbedErrorKind::Refused, message).with_advice(advice)
    })
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_slash_at_the_end_does_not_matter() {
        for base in ["http://a:1/v1", "http://a:1/v1/", " http://a:1/v1// "] {
            let address = address(base).unwrap();
            assert_eq!(address.join("embeddings").as_str(), "http://a:1/v1/embeddings");
            assert_eq!((address.host().as_str(), address.path()), ("a:1", "/v1"));
        }
        assert_eq!(
            address("https://a").unwrap().join("embeddings").as_str(),
            "https://a/embeddings"
        );
    }

    #[test]
    fn an_address_with_a_secret_is_refused_and_not_shown() {
        for base in ["http://me:hunter2@a/v1", "http://a/v1?key=hunter2", "hunter2", "ftp://a"] {
            let error = address(base).unwrap_err();
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
