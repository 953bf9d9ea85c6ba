//! [`Address`]: where an endpoint is.

use reqwest::Url;

use crate::{EmbedError, EmbedErrorKind};

/// Where an endpoint is: an origin, and the path its API begins with.
#[derive(Clone, Debug)]
pub(super) struct Address(Url);

impl Address {
    /// Reads an address that settings give. It must hold no secret, as errors show its host.
    pub(super) fn new(text: &str) -> Result<Self, EmbedError> {
        let url = Url::parse(text.trim()).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("it must begin with https:// or http:// and a host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it must not hold a user's name or password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it must end with its path"));
        }
        Ok(Self(url))
    }

    /// Where vectors are to be had.
    pub(super) fn embeddings(&self) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/embeddings", self.path()));
        url
    }

    /// The host, and the port where it is not the usual one.
    pub(super) fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The path the API begins with, without a slash at its end.
    pub(super) fn path(&self) -> &str {
        self.0.path().trim_end_matches('/')
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

fn wrong(reason: &str) -> EmbedError {
    let message = format!("The address of the embeddings endpoint is wrong: {reason}.");
    EmbedError::new(EmbedErrorKind::Refused, message)
        .with_advice("Set the root of its API, such as http://127.0.0.1:11434/v1.")
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_slash_at_the_end_does_not_matter() {
        for base in ["http://a:1/v1", "http://a:1/v1/", " http://a:1/v1// "] {
            let address = Address::new(base).unwrap();
            assert_eq!(address.embeddings().as_str(), "http://a:1/v1/embeddings");
            assert_eq!((address.host().as_str(), address.path()), ("a:1", "/v1"));
        }
        assert_eq!(
            Address::new("https://a").unwrap().embeddings().as_str(),
            "https://a/embeddings"
        );
    }

    #[test]
    fn an_address_with_a_secret_is_refused_and_not_shown() {
        for base in ["http://me:hunter2@a/v1", "http://a/v1?key=hunter2", "hunter2", "ftp://a"] {
            let error = Address::new(base).unwrap_err();
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
