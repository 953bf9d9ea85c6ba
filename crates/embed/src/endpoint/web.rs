//! The HTTP client underneath, as this crate needs it.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::redirect;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use rustls_platform_verifier::BuilderVerifierExt;

use super::address::Address;
use crate::{EmbedError, EmbedErrorKind};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const AGENT: &str = concat!("toolwright/", env!("CARGO_PKG_VERSION"));

/// A client that goes to this address and no further: the key must not follow where an answer
/// points to.
pub(super) fn client(address: &Address) -> Result<reqwest::Client, EmbedError> {
    let tls = if address.is_encrypted() { trusting()? } else { untrusting()? };
    let builder = reqwest::Client::builder()
        .redirect(redirect::Policy::none())
        .referer(false)
        .http1_only()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .user_agent(AGENT)
        .tls_backend_preconfigured(tls);
    // A proxy sees all of an unencrypted request, and the key is for the endpoint only.
    let builder = if address.is_encrypted() { builder } else { builder.no_proxy() };
    builder.build().map_err(|error| broken(&error.to_string()))
}

/// Trusts whom the system trusts. Read once: it takes milliseconds.
fn trusting() -> Result<ClientConfig, EmbedError> {
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
fn untrusting() -> Result<ClientConfig, EmbedError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| broken(&error.to_string()))?;
    Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth())
}

fn broken(reason: &str) -> EmbedError {
    let message = format!("Encrypted connections cannot be made from here: {reason}.");
    EmbedError::new(EmbedErrorKind::Internal, message).with_advice(
        "Install the system's CA certificates (Debian: apt-get install ca-certificates).",
    )
}
