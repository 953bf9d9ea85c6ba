//! [`Roots`]: whose certificates are trusted.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};
use rustls_platform_verifier::Verifier;

use crate::{HttpError, HttpErrorKind};

/// A bundle of all the world's authorities is a quarter of it.
const LARGEST: u64 = 1 << 20;

/// Whose certificates are trusted: those the system trusts, and those that were named.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    extra: Vec<CertificateDer<'static>>,
    /// Made when first needed, and once: reading those of the system takes milliseconds.
    config: OnceLock<Result<Arc<ClientConfig>, HttpError>>,
}

impl Roots {
    /// Those the system trusts; the same for all who ask.
    pub(crate) fn system() -> Arc<Self> {
        static SYSTEM: OnceLock<Arc<Roots>> = OnceLock::new();
        SYSTEM.get_or_init(Arc::default).clone()
    }

    /// Those in this file as well.
    pub(crate) fn with_file(file: &Path) -> Result<Self, HttpError> {
        let pem = toolwright_files::read_bounded(file, LARGEST);
        let pem = pem.map_err(|error| bad(file, &error.to_string()))?;
        let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
        let extra = read.map_err(|error| bad(file, &error.to_string()))?;
        if extra.is_empty() {
            return Err(bad(file, "there is no certificate in it"));
        }
        let mut store = RootCertStore::empty();
        for certificate in &extra {
            store.add(certificate.clone()).map_err(|error| bad(file, &error.to_string()))?;
        }
        Ok(Self { extra, config: OnceLock::new() })
    }

    pub(crate) fn config(&self) -> Result<Arc<ClientConfig>, HttpError> {
        self.config.get_or_init(|| self.read()).clone()
    }

    fn read(&self) -> Result<Arc<ClientConfig>, HttpError> {
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new_with_extra_roots(self.extra.clone(), provider.clone());
        let verifier = verifier.map_err(|error| none(&error))?;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| none(&error))?;
        // It is rustls's name for a verifier that is not its own: this one asks the system.
        let mut config = builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Arc::new(config))
    }
}

fn bad(file: &Path, reason: &str) -> HttpError {
    let reason = format!("the certificates in {} cannot be used: {reason}", file.display());
    HttpError::new(HttpErrorKind::Settings, reason)
        .with_advice("name a file of CA certificates in PEM form (BEGIN CERTIFICATE)")
}

fn none(error: &rustls::Error) -> HttpError {
    let reason = format!("no certificates to check https with: {error}");
    HttpError::new(HttpErrorKind::Certificates, reason).with_advice(
        "install the system's CA certificates (Debian: apt-get install ca-certificates)",
    )
}
