//! [`HttpError`]: why a request got no answer, and what to do about it.

use std::error::Error;

/// Why a request got no answer. Its words repeat no password and nothing that was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct HttpError {
    /// What kind of reason it is.
    pub kind: HttpErrorKind,
    /// What happened.
    pub reason: String,
    /// What to do about it, where that is known here.
    pub advice: Option<&'static str>,
}

/// What kind of reason it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpErrorKind {
    /// A proxy, a file of certificates or a header that is set cannot be used.
    Settings,
    /// There are no certificates to check others with.
    Certificates,
    /// The server, or the proxy, cannot be reached.
    Connect,
    /// The proxy does not let the request through.
    Proxy,
    /// The proxy would, but failed.
    ProxyFailed,
    /// The server's certificate is not one that is trusted.
    Untrusted,
    /// A secret would be read by the proxy.
    Exposed,
    /// The connection broke.
    Broken,
    /// The head of the response does not end.
    Endless,
    /// The server points to where is not gone.
    Redirect,
    /// The address is not one that may be connected to: it is not public, or not allowed.
    Blocked,
    /// A proxy would look the name up, and whether it leads to a public address cannot be told here.
    UncheckedProxy,
    /// The body is longer than it may be.
    TooLong,
}

impl HttpError {
    pub(crate) fn new(kind: HttpErrorKind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into(), advice: None }
    }

    pub(crate) fn with_advice(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }

    /// What to do about it, as a sentence of its own.
    pub fn advice_sentence(&self) -> Option<String> {
        let mut letters = self.advice?.chars();
        let first = letters.next()?.to_ascii_uppercase();
        Some(format!("{first}{}.", letters.as_str()))
    }

    /// Whether no connection came about.
    pub fn is_connect(&self) -> bool {
        use HttpErrorKind::{
            Blocked, Certificates, Connect, Exposed, Proxy, ProxyFailed, Settings, UncheckedProxy,
            Untrusted,
        };
        matches!(
            self.kind,
            Settings
                | Certificates
                | Connect
                | Proxy
                | ProxyFailed
                | Untrusted
                | Exposed
                | Blocked
                | UncheckedProxy
        )
    }

    /// Whether it stays as it is until somebody changes a setting: asking again does not help.
    pub fn is_lasting(&self) -> bool {
        use HttpErrorKind::{Broken, Connect, Endless, ProxyFailed};
        !matches!(self.kind, Connect | ProxyFailed | Broken | Endless)
    }
}

/// What went wrong at the bottom of an error: clients wrap it in several layers of "error sending request".
pub fn innermost(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
