//! [`ServerMetadata`] and [`ResourceMetadata`]: what servers say about logging in.

use serde::Deserialize;
use toolwright_http::Url;

use super::{AuthError, error::shown};

/// What a server says about who lets one in (RFC 9728).
#[derive(Debug, Default, Deserialize)]
pub(super) struct ResourceMetadata {
    pub(super) resource: String,
    #[serde(default)]
    pub(super) authorization_servers: Vec<String>,
    #[serde(default)]
    pub(super) scopes_supported: Option<Vec<String>>,
}

impl ResourceMetadata {
    /// Whether it is about this server: the same origin, and the server's path or one above it.
    pub(super) fn check(&self, server: &Url) -> Result<(), AuthError> {
        let covers = Url::parse(&self.resource).is_ok_and(|resource| {
            let (own, theirs) = (server.path().trim_end_matches('/'), resource.path());
            let rest = own.strip_prefix(theirs.trim_end_matches('/'));
            resource.origin() == server.origin()
                && resource.fragment().is_none()
                && rest.is_some_and(|it| it.is_empty() || it.starts_with('/'))
        });
        if covers {
            return Ok(());
        }
        let about = shown(&self.resource);
        Err(AuthError::metadata(format!(
            "what it says about logging in is about another server ({about}): a token for that one is not asked for here"
        )))
    }
}

/// What a login server says of itself (RFC 8414, OpenID Connect Discovery).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ServerMetadata {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Option<String>,
    pub(super) token_endpoint: Option<String>,
    pub(super) registration_endpoint: Option<String>,
    pub(super) scopes_supported: Option<Vec<String>>,
    response_types_supported: Option<Vec<String>>,
    code_challenge_methods_supported: Option<Vec<String>>,
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    pub(super) authorization_response_iss_parameter_supported: Option<bool>,
}

impl ServerMetadata {
    /// Whether it is about this login server, and whether that can be used.
    pub(super) fn check(&self, issuer: &str) -> Result<(), AuthError> {
        let own = shown(issuer);
        // Whoever names another server would have its answers taken for that one's.
        if self.issuer.trim_end_matches('/') != issuer.trim_end_matches('/') {
            let other = shown(&self.issuer);
            return Err(AuthError::metadata(format!(
                "the login server {own} says that it is another ({other})"
            )));
        }
        let has =
            |list: &Option<Vec<String>>, wanted: &str| list.iter().flatten().any(|it| it == wanted);
        if !has(&self.code_challenge_methods_supported, "S256") {
            return Err(AuthError::metadata(format!(
                "the login server {own} does not protect the code that it gives a browser (PKCE with S256): \
                 whoever saw that code could use it"
            )));
        }
        if self.response_types_supported.is_some() && !has(&self.response_types_supported, "code") {
            return Err(AuthError::metadata(format!("the login server {own} gives no codes")));
        }
        Ok(())
    }
}
