//! [`Peer`]: who is at the other end of a connection.

use std::{net::SocketAddr, sync::OnceLock};

/// Who is at the other end of a connection.
#[derive(Debug)]
pub(crate) struct Peer {
    theirs: SocketAddr,
    ours: SocketAddr,
    /// Whether it is this process's own user. Looked up once, and only where it matters.
    is_same_user: OnceLock<bool>,
}

impl Peer {
    pub(crate) fn new(theirs: SocketAddr, ours: SocketAddr) -> Self {
        Self { theirs, ours, is_same_user: OnceLock::new() }
    }

    /// Whether a program of this process's own user, on this machine, is at the other end. What is
    /// not known is a no.
    pub(crate) fn is_same_user(&self) -> bool {
        let is_here = self.theirs.ip().is_loopback() && self.ours.ip().is_loopback();
        is_here && *self.is_same_user.get_or_init(|| owner::is_ours(self.theirs, self.ours))
    }
}

/// Linux lists every connection with the user who owns its end.
#[cfg(target_os = "linux")]
mod owner {
    use std::{
        fs::File,
        io::{BufRead, BufReader},
        net::{IpAddr, SocketAddr},
    };

    pub(super) fn is_ours(theirs: SocketAddr, ours: SocketAddr) -> bool {
        let us = rustix::process::geteuid().as_raw().to_string();
        of(theirs, ours).is_some_and(|owner| owner == us)
    }

    /// The user who owns the end at `theirs` of the connection to `ours`.
    fn of(theirs: SocketAddr, ours: SocketAddr) -> Option<String> {
        let list = match theirs.ip() {
            IpAddr::V4(_) => "/proc/net/tcp",
            IpAddr::V6(_) => "/proc/net/tcp6",
        };
        let (theirs, ours) = (as_listed(theirs), as_listed(ours));
        let lines = BufReader::new(File::open(list).ok()?).lines().map_while(Result::ok);
        lines.into_iter().find_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let is_it = fields.nth(1)? == theirs && fields.next()? == ours;
            // State, queues, timers and retransmissions stand in between.
            is_it.then(|| fields.nth(4).map(str::to_owned)).flatten()
        })
    }

    /// An address in the list's own way: words of 32 bits as this machine has them, in hexadecimal.
    fn as_listed(address: SocketAddr) -> String {
        let bytes = match address.ip() {
            IpAddr::V4(ip) => ip.octets().to_vec(),
            IpAddr::V6(ip) => ip.octets().to_vec(),
        };
        let words = bytes.as_chunks::<4>().0.iter();
        let words: String = words.map(|it| format!("{:08X}", u32::from_ne_bytes(*it))).collect();
        format!("{words}:{:04X}", address.port())
    }

    #[cfg(test)]
    mod tests {
        use std::net::{TcpListener, TcpStream};

        use super::*;

        #[test]
        fn the_owner_of_a_connection_is_found() {
            for address in ["127.0.0.1:0", "[::1]:0"] {
                let Ok(listener) = TcpListener::bind(address) else { continue };
                let ours = listener.local_addr().unwrap();
                let stream = TcpStream::connect(ours).unwrap();
                let theirs = stream.local_addr().unwrap();
                assert!(is_ours(theirs, ours), "{address}");
                // The same two ends the other way round are not that connection's far end.
                let nobody = SocketAddr::new(theirs.ip(), 1);
                assert_eq!(of(nobody, ours), None);
            }
        }
    }
}

/// Elsewhere nobody knows: the token is needed.
#[cfg(not(target_os = "linux"))]
mod owner {
    use std::net::SocketAddr;

    pub(super) fn is_ours(_: SocketAddr, _: SocketAddr) -> bool {
        false
    }
}
