//! [`Login`]: a name and a password, as they stand in an address.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use http::HeaderValue;
use percent_encoding::percent_decode_str;
use url::Url;

/// A name and a password. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) name: String,
    pub(crate) password: String,
}

impl Login {
    /// Takes the login out of an address.
    pub(crate) fn take(url: &mut Url) -> Option<Self> {
        if url.username().is_empty() && url.password().is_none() {
            return None;
        }
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let login = Self {
            name: plain(url.username()),
            password: plain(url.password().unwrap_or_default()),
        };
        // Addresses that had a login have a host, and can lose it.
        let _ = (url.set_username(""), url.set_password(None));
        Some(login)
    }

    /// The login as a header's value.
    pub(crate) fn basic(&self) -> Option<HeaderValue> {
        let text = BASE64_STANDARD.encode(format!("{}:{}", self.name, self.password));
        let mut value = HeaderValue::from_str(&format!("Basic {text}")).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login(…)")
    }
}
