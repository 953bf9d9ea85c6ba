//! A client for one address, with a key that goes there and nowhere else.
//!
//! [`Address`] is where an API begins, as settings give it; [`client`] goes there. Reasons are given as
//! words, for errors of the caller's own.

mod address;

use std::{
    error::Error,
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::redirect;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

pub use self::address::Address;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const MOST_REDIRECTS: usize = 5;
const AGENT: &str = concat!("toolwright/", env!("CARGO_PKG_VERSION"));

/// A client that goes to this address and no further: a key must not follow where an answer points to.
///
/// # Errors
/// When no encrypted connection can be made from here: why.
pub fn client(address: &Address) -> Result<reqwest::Client, String> {
    let tls = if address.is_encrypted() { trusting()? } else { untrusting()? };
    // A proxy sees all of an unencrypted request, and the key is for the address only.
    let proxies = if address.is_encrypted() { Proxies::Named } else { Proxies::None };
    build(tls, redirect::Policy::none(), proxies)
}

/// A client that goes where this address points to, if it does: a few times, and never from an
/// encrypted address to one that is not. For what needs no key: proxies of the environment are used for
/// unencrypted addresses, too, unless they are on this machine.
///
/// # Errors
/// When no encrypted connection can be made from here: why.
pub fn following(address: &Address) -> Result<reqwest::Client, String> {
    // Machines without certificates can still be given what is not encrypted.
    let tls = trusting()
        .or_else(|error| if address.is_encrypted() { Err(error) } else { untrusting() })?;
    let policy = redirect::Policy::custom(|attempt| {
        let encrypted = attempt.previous().first().is_some_and(|it| it.scheme() == "https");
        if attempt.previous().len() > MOST_REDIRECTS {
            attempt.error("too many redirects")
        } else if encrypted && attempt.url().scheme() != "https" {
            attempt.error("a redirect to an unencrypted address")
        } else {
            attempt.follow()
        }
    });
    let proxies = if address.is_this_machine() { Proxies::None } else { Proxies::Named };
    build(tls, policy, proxies)
}

/// What went wrong at the bottom of an error: clients wrap it in several layers of "error sending request".
/// It repeats nothing that was sent.
pub fn innermost(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

/// Which proxies are used.
#[derive(Clone, Copy)]
enum Proxies {
    /// Those that the environment names: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, less `NO_PROXY`.
    Named,
    None,
}

fn build(
    tls: ClientConfig,
    redirects: redirect::Policy,
    proxies: Proxies,
) -> Result<reqwest::Client, String> {
    let builder = reqwest::Client::builder()
        .redirect(redirects)
        .referer(false)
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(AGENT)
        .tls_backend_preconfigured(tls);
    let builder = match proxies {
        Proxies::Named => builder,
        Proxies::None => builder.no_proxy(),
    };
    builder.build().map_err(|error| error.to_string())
}

/// Trusts whom the system trusts. Read once: it takes milliseconds.
fn trusting() -> Result<ClientConfig, String> {
    static CONFIG: OnceLock<Result<ClientConfig, String>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier);
        Ok(builder.map_err(|error| error.to_string())?.with_no_client_auth())
    });
    config.clone()
}

/// Trusts nobody.
fn untrusting() -> Result<ClientConfig, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}
