//! [`Tls`]: the way to a server, encrypted, and whose server it is looked at as far as was asked for.

use std::{
    fmt, io,
    path::Path,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::future::BoxFuture;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use rustls_platform_verifier::Verifier;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::{
    Socket,
    tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream},
};
use tokio_rustls::{TlsConnector, client::TlsStream as Encrypted};

use crate::{StoreError, address::Safety};

/// The way to a server.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

/// A bundle of all the world's authorities is a quarter of it.
const LARGEST: u64 = 1 << 20;

const ROOTS: &str = "name the certificate of the authority that signed the server's, in PEM form: \
                     sslrootcert=FILE in the address of the database";

impl Tls {
    pub(super) fn new(safety: &Safety) -> Result<Self, StoreError> {
        let provider = Arc::new(ring::default_provider());
        let unusable = |error: &dyn fmt::Display| StoreError::Tls {
            what: format!("no certificate can be looked at here: {error}"),
            advice: "install the system's CA certificates (Debian: apt-get install ca-certificates), \
                     or name those that count: sslrootcert=FILE in the address of the database",
        };
        let any_name = |authority| -> Arc<dyn ServerCertVerifier> {
            Arc::new(AnyName { authority, provider: provider.clone() })
        };
        let verifier: Arc<dyn ServerCertVerifier> = match safety {
            Safety::Plain | Safety::Encrypted => any_name(None),
            Safety::Authority(file) => any_name(Some(signed_by(file, &provider)?)),
            Safety::Name(Some(file)) => signed_by(file, &provider)?,
            Safety::Name(None) => {
                let system = Verifier::new(provider.clone());
                Arc::new(system.map_err(|error| unusable(&error))?)
            }
        };
        let builder = ClientConfig::builder_with_provider(provider);
        let builder = builder.with_safe_default_protocol_versions();
        let config = builder
            .map_err(|error| unusable(&error))?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }
}

fn signed_by(
    file: &Path,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, StoreError> {
    let bad = |reason: &dyn fmt::Display| StoreError::Tls {
        what: format!("the certificates in {} cannot be used: {reason}", file.display()),
        advice: ROOTS,
    };
    let pem = toolwright_files::read_bounded(file, LARGEST).map_err(|error| bad(&error))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| bad(&error))?;
        roots.add(certificate).map_err(|error| bad(&error))?;
    }
    if roots.is_empty() {
        return Err(bad(&"there is no certificate in it"));
    }
    let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), provider.clone());
    verifier.build().map_err(|error| bad(&error))
}

/// Whoever has a certificate of the right authority, whatever the name in it; whoever it is, where no authority was asked
/// for: then the way is encrypted, and no more.
#[derive(Debug)]
struct AnyName {
    authority: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        // The name is looked at last: whatever else can be wrong is not.
        match authority.verify_server_cert(certificate, between, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// A handshake that did not come about.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Handshake(io::Error);

/// What an error on the way to a server means, if it is about TLS.
pub(super) fn problem(source: &(dyn std::error::Error + 'static)) -> Option<StoreError> {
    let Some(Handshake(error)) = source.downcast_ref() else {
        // The client says so, and nothing else.
        return (source.to_string() == "server does not support TLS").then(|| StoreError::Tls {
            what: "the server offers no TLS, and the address demands it".to_owned(),
            advice: "switch TLS on there (`ssl = on` in postgresql.conf); where nobody can listen on \
                     the way to it, write sslmode=disable in the address",
        });
    };
    let Some(said) = error.get_ref().and_then(|it| it.downcast_ref::<rustls::Error>()) else {
        return Some(StoreError::Lost(error.to_string()));
    };
    let (what, advice) = match said {
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            ("the server's certificate was signed by nobody who is trusted here".to_owned(), ROOTS)
        }
        rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => (
            "the server's certificate is for another name than the one in the address".to_owned(),
            "write a name that the certificate has as the host; where the authority alone counts, \
             write sslmode=verify-ca in the address",
        ),
        rustls::Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        ) => (
            "the server's certificate has expired".to_owned(),
            "renew it there, and look whether the clock of this machine is right",
        ),
        other => (
            other.to_string(),
            "look at the server's certificate, and at sslmode and sslrootcert in the address",
        ),
    };
    Some(StoreError::Tls { what, advice })
}

impl MakeTlsConnect<Socket> for Tls {
    type Stream = Way;
    type TlsConnect = Connect;
    type Error = Handshake;

    fn make_tls_connect(&mut self, name: &str) -> Result<Connect, Handshake> {
        Ok(Connect { config: self.0.clone(), name: name.to_owned() })
    }
}

/// A way that is to be made.
pub(super) struct Connect {
    config: Arc<ClientConfig>,
    name: String,
}

impl TlsConnect<Socket> for Connect {
    type Stream = Way;
    type Error = Handshake;
    type Future = BoxFuture<'static, Result<Way, Handshake>>;

    fn connect(self, socket: Socket) -> Self::Future {
        Box::pin(async move {
            let name = ServerName::try_from(self.name)
                .map_err(|error| Handshake(io::Error::new(io::ErrorKind::InvalidInput, error)))?;
            let made = TlsConnector::from(self.config).connect(name, socket).await;
            made.map(|way| Way(Box::new(way))).map_err(Handshake)
        })
    }
}

/// A way that is encrypted.
pub(super) struct Way(Box<Encrypted<Socket>>);

impl TlsStream for Way {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl AsyncRead for Way {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_read(context, into)
    }
}

impl AsyncWrite for Way {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut *self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.0).poll_shutdown(context)
    }
}
