//! [`Http2Connector`]: connections to one server for those who speak HTTP/2 over them, as gRPC does.

use std::fmt;

use http::Uri;
use hyper::rt::{Read, Write};

use crate::{
    HttpError, HttpErrorKind, HttpSettings,
    connect::{Connector, Version},
};

/// Connects to one server for those who speak HTTP/2: through the same proxies and with the same
/// certificates as everything else.
pub struct Http2Connector {
    connector: Connector,
    shown: String,
}

impl Http2Connector {
    /// To the server of an address, of which only scheme, host and port count.
    ///
    /// # Errors
    /// When it is none, or the proxy that is set for it is none.
    pub fn new(address: &Uri, settings: &HttpSettings) -> Result<Self, HttpError> {
        let (Some(scheme), Some(host)) = (address.scheme_str(), address.host()) else {
            let reason = "it is not the address of a server";
            return Err(HttpError::new(HttpErrorKind::Settings, reason));
        };
        let shown = match address.port_u16() {
            Some(port) => format!("{scheme}://{host}:{port}"),
            None => format!("{scheme}://{host}"),
        };
        let connector = Connector::new(address.clone(), settings, Version::Two)?;
        Ok(Self { connector, shown })
    }

    /// Whether a secret may be sent over what is connected.
    ///
    /// # Errors
    /// When a proxy would read it.
    pub fn check_secret(&self) -> Result<(), HttpError> {
        self.connector.check_secret()
    }

    /// A stream to it, encrypted where its address says so.
    ///
    /// # Errors
    /// When there is no way to it.
    pub async fn connect(
        &self,
    ) -> Result<impl Read + Write + Unpin + Send + 'static + use<>, HttpError> {
        self.connector.connect().await
    }
}

impl fmt::Display for Http2Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}
