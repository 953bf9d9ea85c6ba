//! [`Peer`]: who is at the other end of a connection.

use std::{
    net::{IpAddr, SocketAddr},
    os::fd::AsFd,
    sync::OnceLock,
};

use super::owner::{self, Ends};

/// Who is at the other end of a connection.
#[derive(Debug)]
pub(crate) enum Peer {
    /// Somebody on a network, be it this machine's own.
    Tcp {
        /// Both ends of the connection.
        ends: Ends,
        /// Whether it is this process's own user. Looked up once, and only where it matters.
        is_same_user: OnceLock<bool>,
    },
    /// A program of this user's, on the socket in a folder that no other user may enter. The kernel
    /// says who it was that connected.
    Socket,
}

impl Peer {
    /// Who is at the other end of `stream`.
    pub(crate) fn over_tcp(stream: &impl AsFd, theirs: SocketAddr, ours: SocketAddr) -> Self {
        Self::Tcp { ends: Ends::of(stream, theirs, ours), is_same_user: OnceLock::new() }
    }

    /// From which address it comes, where it comes over a network.
    pub(crate) fn ip(&self) -> Option<IpAddr> {
        match self {
            Self::Tcp { ends, .. } => Some(ends.theirs()),
            Self::Socket => None,
        }
    }

    /// Whether a program of this process's own user, on this machine, is at the other end. What is
    /// not known is a no.
    ///
    /// To be told once is enough: it is about the socket at the other end, and everything that comes
    /// over a connection comes from the same one.
    pub(crate) fn is_same_user(&self) -> bool {
        match self {
            Self::Tcp { ends, is_same_user } => {
                ends.are_here() && *is_same_user.get_or_init(|| owner::is_ours(ends))
            }
            Self::Socket => true,
        }
    }

    /// Whether it is told at once that this process's own user made the connection. That lets nobody in.
    pub(crate) fn is_made_by_us(&self) -> bool {
        match self {
            Self::Tcp { ends, .. } => owner::is_made_by_us(ends),
            Self::Socket => true,
        }
    }

    /// Whether the connection came over the socket in this user's folder, where no browser comes.
    pub(crate) fn is_socket(&self) -> bool {
        matches!(self, Self::Socket)
    }
}
