//! [`Address`]: where the broker is.

use reqwest::Url;

use crate::{MarketError, MarketErrorKind};

/// Where the broker is: an origin, and the path its API begins with.
#[derive(Clone, Debug)]
pub(super) struct Address(Url);

impl Address {
    /// Reads an address that settings give. It must hold no secret, as errors show its host.
    pub(super) fn new(text: &str) -> Result<Self, MarketError> {
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

    /// The address of something below it. The origin stays, whatever the path is.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let base = self.0.path().trim_end_matches('/');
        url.set_path(&format!("{base}/{}", path.trim_start_matches('/')));
        url
    }

    /// The host, and the port where it is not the usual one.
    pub(super) fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }
}

fn wrong(reason: &str) -> MarketError {
    let message = format!(
        "The address of the broker's API is wrong: {reason}. Set it as in \
         https://api.dhan.co/v2 (DHANHQ_BASE_URL)."
    );
    MarketError::new(MarketErrorKind::Input, message)
}
