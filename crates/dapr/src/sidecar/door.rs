//! [`Door`]: who may ask.

use std::{io, sync::Arc};

use http::request::Parts;
use tokio::net::TcpStream;

/// Who may ask. Only health checks are answered without it.
pub trait Door: Send + Sync + 'static {
    /// What is known of whoever is at the other end of a connection.
    type Peer: Send + Sync + 'static;
    /// Room for one question, for as long as it is held.
    type Room: Send + 'static;

    /// Who is at the other end of a connection.
    ///
    /// # Errors
    /// When they have gone already.
    fn peer(&self, stream: &TcpStream) -> io::Result<Self::Peer>;

    /// Whether somebody may ask this. It is decided by the head of a request, before its body is read.
    fn admit(
        &self,
        peer: Arc<Self::Peer>,
        head: &Parts,
    ) -> impl Future<Output = Result<(), Refused>> + Send;

    /// Room for a question to the model.
    ///
    /// # Errors
    /// When there is none.
    fn room(&self) -> Result<Self::Room, Refused>;
}

/// Why somebody may not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refused {
    /// They showed no token, or a wrong one.
    Stranger,
    /// There is too much to do.
    Busy,
    /// The server is about to stop.
    Stopping,
}
