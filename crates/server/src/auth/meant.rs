//! [`check`]: settings about who signs in that cannot be meant. Each would let in nobody, or everybody as the same
//! person, and none would say why.

use toolwright_app::config::{IdentityConfig, OidcConfig};
use toolwright_core::is_hidden;

use crate::ServerError;

/// Claims that say something about the token, and nothing about a person: with some everybody would be the same one,
/// with others somebody else each time.
const OF_TOKEN: &[&str] = &[
    "acr",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "azp",
    "c_hash",
    "exp",
    "iat",
    "iss",
    "jti",
    "nbf",
    "nonce",
    "sid",
];

/// Refuses what cannot be meant.
///
/// # Errors
/// The first setting that cannot be.
pub(super) fn check(config: &IdentityConfig) -> Result<(), ServerError> {
    let wrong = |key: &'static str, reason: &str| Err(ServerError::identity(key, reason));
    let is_told = |oidc: &OidcConfig| !oidc.groups.is_empty();
    let says_groups = config.groups_header.is_some() || config.oidc.as_ref().is_some_and(is_told);
    if !config.groups.is_empty() && !says_groups {
        let reason = "nobody says which groups people are in: name the header in which the proxy does \
                      (`groups_header`), or the claim of the provider (`oidc.groups`)";
        return wrong("groups", reason);
    }
    config.oidc.as_ref().map_or(Ok(()), check_oidc)
}

fn check_oidc(oidc: &OidcConfig) -> Result<(), ServerError> {
    let wrong = |key: &'static str, reason: &str| Err(ServerError::identity(key, reason));
    let name = oidc.name.as_str();
    if name.trim().is_empty() {
        return wrong("oidc.name", "it names no claim: leave it out for `sub`, or take `email`");
    }
    if OF_TOKEN.contains(&name) {
        let reason = format!(
            "the claim `{name}` says nothing about a person, so conversations would be everybody's or nobody's: take \
             `sub` or `email`"
        );
        return wrong("oidc.name", &reason);
    }
    if oidc.groups == name {
        let reason =
            format!("`{name}` is the claim that says who it is: groups need one of their own");
        return wrong("oidc.groups", &reason);
    }
    if let Some(domain) = oidc.domains.iter().find(|it| !is_domain(it)) {
        let reason = format!(
            "`{}` is no domain, so nobody could sign in: write what follows the `@`, such as example.com, each that you \
             mean; leave it out for all",
            domain.escape_debug()
        );
        return wrong("oidc.domains", &reason);
    }
    if oidc.subjects.iter().any(|it| it.trim().is_empty()) {
        let reason = "one of them is empty, and nobody is called that: leave it out; where none is named all are let in";
        return wrong("oidc.subjects", reason);
    }
    Ok(())
}

/// Whether a mail address can end with it.
fn is_domain(text: &str) -> bool {
    let is_odd = |it: char| {
        matches!(it, '@' | '*') || it.is_whitespace() || it.is_control() || is_hidden(it)
    };
    !text.is_empty() && !text.starts_with('.') && !text.contains(is_odd)
}
