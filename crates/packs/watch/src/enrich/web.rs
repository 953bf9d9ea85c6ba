//! The HTTP client underneath: it goes to one address, and no further.

use std::{sync::Arc, time::Duration};

use reqwest::{Url, redirect};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::{WatchError, WatchErrorKind};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const AGENT: &str = concat!("toolwright/", env!("CARGO_PKG_VERSION"));

/// Where videos are asked for, below the address of the API.
pub(super) fn address(base: &str) -> Result<Url, WatchError> {
    let mut url = Url::parse(base.trim()).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong("it must begin with https:// or http:// and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it must not hold a user's name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it must end with its path"));
    }
    let path = format!("{}/videos", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

/// A client for this address.
pub(super) fn client(address: &Url) -> Result<reqwest::Client, WatchError> {
    let tls = tls(address).map_err(|error| broken(&error.to_string()))?;
    let builder = reqwest::Client::builder()
        // The key must not follow where an answer points to.
        .redirect(redirect::Policy::none())
        .referer(false)
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(AGENT)
        .tls_backend_preconfigured(tls);
    // A proxy sees all of an unencrypted request, and the key is for the API only.
    let builder = if is_encrypted(address) { builder } else { builder.no_proxy() };
    builder.build().map_err(|error| broken(&error.to_string()))
}

/// Trusts whom the system trusts; where nothing is encrypted, nobody.
fn tls(address: &Url) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?;
    let builder = if is_encrypted(address) {
        builder.with_platform_verifier()?
    } else {
        builder.with_root_certificates(RootCertStore::empty())
    };
    Ok(builder.with_no_client_auth())
}

fn is_encrypted(address: &Url) -> bool {
    address.scheme() == "https"
}

fn wrong(reason: &str) -> WatchError {
    let message = format!("the address of YouTube's API is wrong: {reason}");
    let advice = "Write it as in https://www.googleapis.com/youtube/v3.";
    WatchError::new(WatchErrorKind::Api, message).with_advice(advice)
}

fn broken(reason: &str) -> WatchError {
    let message = format!("no encrypted connection can be made from here: {reason}");
    let advice = "Install the system's CA certificates (Debian: apt-get install ca-certificates).";
    WatchError::new(WatchErrorKind::Api, message).with_advice(advice)
}
