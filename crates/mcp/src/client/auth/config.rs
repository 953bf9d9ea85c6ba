//! [`OAuthConfig`]: how one logs in to a server, where that is not left to the server.

use std::fmt;

use super::TokenStore;

/// How one logs in to a server. What is not said here the server says.
#[derive(Clone)]
#[non_exhaustive]
pub struct OAuthConfig {
    /// Where tokens are kept.
    pub tokens: TokenStore,
    /// As which client, where one was registered by hand: an id, or the address of a client's metadata document.
    pub client_id: Option<String>,
    /// The secret of that client. It is never shown.
    pub client_secret: Option<String>,
    /// What is asked for, in the place of what the server wants to have asked for.
    pub scopes: Option<Vec<String>>,
    /// The port that the browser comes back to; one that is free, where nothing is said.
    pub callback_port: Option<u16>,
    /// Hosts of login servers that may be gone to though their addresses are not public.
    pub allow_hosts: Vec<String>,
}

impl OAuthConfig {
    /// Everything is left to the server; tokens are kept here.
    pub fn new(tokens: TokenStore) -> Self {
        Self {
            tokens,
            client_id: None,
            client_secret: None,
            scopes: None,
            callback_port: None,
            allow_hosts: Vec::new(),
        }
    }
}

impl fmt::Debug for OAuthConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthConfig")
            .field("tokens", &self.tokens)
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .field("callback_port", &self.callback_port)
            .field("allow_hosts", &self.allow_hosts)
            .finish_non_exhaustive()
    }
}
