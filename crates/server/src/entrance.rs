//! [`Entrance`]: for another protocol that is spoken beside this server's: the same people come in, and there is
//! as much room.

use std::{io, net::SocketAddr, sync::Arc};

use http::request::Parts;
use tokio::net::TcpStream;

use crate::{ApiError, AuthMode, ServerError, auth::Peer, runs::Admitted, server::Service};

/// Who may come in at another port of this program, and how much is done at a time.
#[derive(Clone)]
pub struct Entrance(Service);

/// Who is at the other end of a connection.
pub struct Caller(Arc<Peer>);

/// Room for one question, for as long as this is there.
pub struct Room {
    _admitted: Admitted,
}

impl Entrance {
    pub(crate) fn new(service: Service) -> Self {
        Self(service)
    }

    /// Whether somebody may listen at an address: only where nobody comes in without the token can it be one that
    /// other machines reach.
    ///
    /// # Errors
    /// When everybody could come in.
    pub fn check_address(&self, address: SocketAddr) -> Result<(), ServerError> {
        let is_closed = self.0.settings().auth == AuthMode::Token;
        if is_closed || address.ip().is_loopback() {
            return Ok(());
        }
        Err(ServerError::Open(address))
    }

    /// Who is at the other end of a connection.
    ///
    /// # Errors
    /// When they have gone already.
    pub fn caller(&self, stream: &TcpStream) -> io::Result<Caller> {
        let (theirs, ours) = (stream.peer_addr()?, stream.local_addr()?);
        Ok(Caller(Arc::new(Peer::over_tcp(stream, theirs, ours))))
    }

    /// Whether somebody may come in who shows this token, or none.
    ///
    /// # Errors
    /// When they may not.
    pub async fn admit(
        &self,
        caller: &Caller,
        head: &Parts,
        shown: Option<&str>,
    ) -> Result<(), ApiError> {
        self.0.gate().admit(&caller.0, head, shown).await
    }

    /// Room for a question to the model: it counts as a run does.
    ///
    /// # Errors
    /// When there is none.
    pub fn room(&self) -> Result<Room, ApiError> {
        self.0.runs().admit().map(|admitted| Room { _admitted: admitted })
    }
}
