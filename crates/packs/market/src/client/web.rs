//! The HTTP client underneath, as this crate needs it.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::redirect;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use super::address::Address;
use crate::{MarketError, MarketErrorKind};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const MOST_REDIRECTS: usize = 5;
const AGENT: &str = concat!("toolwright/", env!("CARGO_PKG_VERSION"));

/// A client that goes to this address and no further.
pub(super) fn pinned(address: &Address) -> Result<reqwest::Client, MarketError> {
    let tls = if address.is_encrypted() { trusting()? } else { untrusting()? };
    client(address, tls, redirect::Policy::none())
}

/// A client that goes where this address points to, if it does: a few times, and never from an
/// encrypted address to one that is not.
pub(super) fn following(address: &Address) -> Result<reqwest::Client, MarketError> {
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
    client(address, tls, policy)
}

fn client(
    address: &Address,
    tls: ClientConfig,
    redirects: redirect::Policy,
) -> Result<reqwest::Client, MarketError> {
    let builder = reqwest::Client::builder()
        .redirect(redirects)
        .referer(false)
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(AGENT)
        .tls_backend_preconfigured(tls);
    // A proxy sees all of an unencrypted request, and the token is for the broker only.
    let builder = if address.is_encrypted() { builder } else { builder.no_proxy() };
    builder.build().map_err(|error| broken(&error.to_string()))
}

/// Trusts whom the system trusts. Read once: it takes milliseconds.
fn trusting() -> Result<ClientConfig, MarketError> {
    static CONFIG: OnceLock<Result<ClientConfig, String>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(BuilderVerifierExt::with_platform_verifier);
        Ok(builder.map_err(|error| error.to_string())?.with_no_client_auth())
    });
    config.clone().map_err(|error| broken(&error))
}

/// Trusts nobody.
fn untrusting() -> Result<ClientConfig, MarketError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| broken(&error.to_string()))?;
    Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

fn broken(reason: &str) -> MarketError {
    let message = format!(
        "The broker cannot be asked from here, as encrypted connections cannot be made: {reason}. \
         Install the system's CA certificates (Debian: apt-get install ca-certificates)."
    );
    MarketError::new(MarketErrorKind::Network, message)
}
