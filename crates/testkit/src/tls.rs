//! [`TlsServer`]: a server behind TLS, with a certificate that nobody trusts.
//!
//! The certificates and the key lie beside this file. They were made for these tests, the authority's key
//! was thrown away, and they are for `localhost`, `127.0.0.1`, and `model.test` and its like.

use std::{net::SocketAddr, sync::Arc};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

/// The authority that signed the server's certificate, in PEM form.
pub const CA: &str = include_str!("tls/ca.pem");
/// Another authority, which signed nothing here.
pub const OTHER_CA: &str = include_str!("tls/foreign.pem");
/// The server's certificate, in PEM form.
pub const CERTIFICATE: &str = include_str!("tls/server.pem");
/// The key of the server's certificate, in PEM form.
pub const KEY: &str = include_str!("tls/server.key");

/// A server behind TLS: what is decrypted goes to another server. Dropping it ends it.
#[derive(Debug)]
pub struct TlsServer {
    address: SocketAddr,
    accepting: AbortHandle,
}

impl TlsServer {
    /// Puts TLS before a server on this machine.
    ///
    /// # Panics
    /// If no local port can be bound.
    #[allow(clippy::expect_used, reason = "without a server there is no test to run")]
    pub async fn start(before: SocketAddr) -> Self {
        let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).expect("PEM");
        let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).expect("PEM");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|it| it.with_no_client_auth().with_single_cert(vec![certificate], key))
            .expect("a server's settings");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free local port");
        let address = listener.local_addr().expect("the address of a bound socket");
        let accepting = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                connections.spawn(async move {
                    // A client that does not trust it leaves, and that is the client's affair.
                    let Ok(mut outer) = acceptor.accept(stream).await else { return };
                    let Ok(mut inner) = TcpStream::connect(before).await else { return };
                    let _ = copy_bidirectional(&mut outer, &mut inner).await;
                });
            }
        });
        Self { address, accepting: accepting.abort_handle() }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}
