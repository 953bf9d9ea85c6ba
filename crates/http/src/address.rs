//! [`Address`]: where an API is.

use http::Uri;
use toolwright_core::is_this_machine;
use url::Url;

/// Where an API is: an origin, and the path it begins with.
#[derive(Clone, Debug)]
pub struct Address(Url);

impl Address {
    /// Reads an address that settings give. It must hold no secret, as errors show its host.
    ///
    /// # Errors
    /// When it is none: why.
    pub fn new(text: &str) -> Result<Self, String> {
        let url = Url::parse(text.trim()).map_err(|error| error.to_string())?;
        let wrong = if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            "it must begin with https:// or http:// and a host"
        } else if !url.username().is_empty() || url.password().is_some() {
            "it must not hold a user's name or password"
        } else if url.query().is_some() || url.fragment().is_some() {
            "it must end with its path"
        } else {
            return Ok(Self(url));
        };
        Err(wrong.to_owned())
    }

    /// The address of something below it. The origin stays, whatever the path is.
    pub fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{}", self.path(), path.trim_start_matches('/')));
        url
    }

    /// The host, and the port where it is not the usual one.
    pub fn host(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Scheme, host and port, where it is not the usual one.
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The path the API begins with, without a slash at its end.
    pub fn path(&self) -> &str {
        self.0.path().trim_end_matches('/')
    }

    /// Whether what is sent there is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether it is on this machine. This holds for clients of this crate, which connect to what was
    /// read here.
    pub fn is_this_machine(&self) -> bool {
        is_this_machine(self.0.host_str().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;

/// An address as it may be shown: scheme, host and path. Names, passwords and queries are where keys are, and
/// so may be all of what is no address.
pub fn without_password(url: &str) -> String {
    let address = url.trim().parse::<Uri>().ok();
    let shown = address.as_ref().and_then(|it| {
        let scheme = it.scheme_str().filter(|it| matches!(*it, "http" | "https"))?;
        let host = it.authority()?.as_str().rsplit('@').next()?;
        Some(format!("{scheme}://{host}{}", it.path()))
    });
    // Nobody wrote the slash that a path begins with.
    let is_bare = address.is_some_and(|it| it.path() == "/") && !url.trim().ends_with('/');
    match shown {
        Some(shown) if is_bare => shown.trim_end_matches('/').to_owned(),
        Some(shown) => shown,
        None => "[hidden]".to_owned(),
    }
}
