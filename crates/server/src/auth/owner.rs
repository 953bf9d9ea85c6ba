//! [`is_ours`]: whether a program of this process's own user made the other end of a connection.
//!
//! Linux knows of every connection of this machine which user made its end. What it says is
//! only worth something about a socket that somebody still holds: once it was closed by its owner, it
//! is told as root's while the rest of what it sent is on its way. So, in this order:
//!
//! 1. The far end is told to be established, made by our user, and held (its inode is not 0).
//! 2. A process of ours holds it: one that is our user's through and through, so no program that only
//!    acts with our rights for somebody else, and that lives in our PID and user namespaces.
//! 3. Our own end is still established. As one end cannot be without the other, what was found in
//!    the first step was the far end of *this* connection, and nobody else's at the same port later.
//!
//! Everything that came over the connection came from that socket, so nothing can change afterwards.

use std::{
    net::SocketAddr,
    os::fd::{AsFd, BorrowedFd},
};

/// Both ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    theirs: SocketAddr,
    ours: SocketAddr,
    /// What our end is called in the kernel's list; 0 where nobody knows.
    inode: u64,
}

impl Ends {
    pub(super) fn of(stream: &impl AsFd, theirs: SocketAddr, ours: SocketAddr) -> Self {
        Self { theirs, ours, inode: inode(stream.as_fd()) }
    }

    /// The address of the other end.
    pub(super) fn theirs(&self) -> std::net::IpAddr {
        self.theirs.ip()
    }

    /// Whether both are on this machine, and for it alone.
    pub(super) fn are_here(&self) -> bool {
        self.theirs.ip().is_loopback() && self.ours.ip().is_loopback()
    }
}

fn inode(socket: BorrowedFd<'_>) -> u64 {
    rustix::fs::fstat(socket).map_or(0, |it| it.st_ino)
}

/// Elsewhere nobody knows: the token is needed, or the socket in the data folder.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_ours(_: &Ends) -> bool {
    false
}

#[cfg(target_os = "linux")]
pub(super) use self::linux::{is_made_by_us, is_ours};

/// Elsewhere nobody knows before something is shown.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_made_by_us(_: &Ends) -> bool {
    false
}

/// An end of a connection, as the kernel knows it.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The user who made it.
    pub(super) owner: u32,
    /// What it is called; 0 where nobody holds it any more.
    pub(super) inode: u64,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        fs::{self, File},
        io::{BufRead, BufReader},
        net::{IpAddr, SocketAddr},
        os::unix::fs::MetadataExt,
        path::{Path, PathBuf},
    };

    use super::{super::diag, End, Ends};

    /// `TCP_ESTABLISHED`, as the list has it.
    const ESTABLISHED: &str = "01";

    /// Whether a program of this process's own user made the far end, and one still holds it.
    pub(in super::super) fn is_ours(ends: &Ends) -> bool {
        let us = rustix::process::geteuid().as_raw();
        let far = established(ends.theirs, ends.ours).filter(|it| is_made_by(it, us));
        far.is_some_and(|far| is_held_by_us(far.inode, us) && is_still_there(ends))
    }

    /// Whether the far end was made by this process's own user, where that can be told at once. It is not
    /// enough to let anybody in: the socket may have been handed to somebody else.
    pub(in super::super) fn is_made_by_us(ends: &Ends) -> bool {
        let us = rustix::process::geteuid().as_raw();
        let far = || diag::ask(ends.theirs, ends.ours).flatten();
        ends.are_here() && far().is_some_and(|it| is_made_by(&it, us))
    }

    fn is_made_by(end: &End, user: u32) -> bool {
        end.owner == user && end.inode != 0
    }

    /// The end at `local` of the established connection to `remote`.
    pub(super) fn established(local: SocketAddr, remote: SocketAddr) -> Option<End> {
        diag::ask(local, remote).unwrap_or_else(|| listed(local, remote))
    }

    /// The same, where the kernel does not answer, out of the list of all.
    pub(super) fn listed(local: SocketAddr, remote: SocketAddr) -> Option<End> {
        let mapped = |it: SocketAddr| match it.ip() {
            IpAddr::V4(ip) => SocketAddr::new(ip.to_ipv6_mapped().into(), it.port()),
            IpAddr::V6(_) => it,
        };
        let found = |list, local, remote| find(list, &as_listed(local), &as_listed(remote));
        // A socket for IPv6 may talk to an address of IPv4: it is listed with its like.
        let v4 = local.is_ipv4().then(|| found("/proc/net/tcp", local, remote)).flatten();
        v4.or_else(|| found("/proc/net/tcp6", mapped(local), mapped(remote)))
    }

    fn find(list: &str, local: &str, remote: &str) -> Option<End> {
        let lines = BufReader::new(File::open(list).ok()?).lines().map_while(Result::ok);
        lines.into_iter().find_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let is_it = fields.nth(1)? == local && fields.next()? == remote;
            if !is_it || fields.next()? != ESTABLISHED {
                return None;
            }
            // Queues, timers and retransmissions stand in between, then a timeout.
            let owner = fields.nth(3)?.parse().ok()?;
            Some(End { owner, inode: fields.nth(1)?.parse().ok()? })
        })
    }

    /// Whether our end is still what it was when the far end was looked for.
    fn is_still_there(ends: &Ends) -> bool {
        let near = established(ends.ours, ends.theirs);
        ends.inode != 0 && near.is_some_and(|end| end.inode == ends.inode)
    }

    /// Whether a process of ours has this socket. Those that began last are looked at first: who asks
    /// has often just begun.
    fn is_held_by_us(inode: u64, us: u32) -> bool {
        let Ok(all) = fs::read_dir("/proc") else { return false };
        let ids = all.flatten().filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        let name = PathBuf::from(format!("socket:[{inode}]"));
        ids.into_iter().any(|id| {
            let process = PathBuf::from(format!("/proc/{id}"));
            // The folder is its effective user's: most are told apart by that alone.
            let may_be = fs::metadata(&process).is_ok_and(|it| it.uid() == us);
            may_be && has(&process, &name) && is_wholly_ours(&process, us)
        })
    }

    fn has(process: &Path, socket: &Path) -> bool {
        let Ok(open) = fs::read_dir(process.join("fd")) else { return false };
        open.flatten().any(|it| fs::read_link(it.path()).is_ok_and(|to| to == socket))
    }

    /// Whether a process has no other user's rights and acts for no other: its real, effective, saved
    /// and file-system user are ours, and its namespaces, too. Root in a container is not root.
    fn is_wholly_ours(process: &Path, us: u32) -> bool {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        let users = status.lines().find_map(|line| line.strip_prefix("Uid:"));
        let users = users.map(|ids| ids.split_ascii_whitespace().map(str::parse::<u32>));
        let are_us = users.is_some_and(|ids| {
            let ids: Vec<_> = ids.collect();
            ids.len() == 4 && ids.iter().all(|id| *id == Ok(us))
        });
        are_us && ["ns/user", "ns/pid"].iter().all(|it| is_in_our(process, it))
    }

    fn is_in_our(process: &Path, namespace: &str) -> bool {
        let theirs = fs::read_link(process.join(namespace));
        let ours = fs::read_link(Path::new("/proc/self").join(namespace));
        theirs.is_ok_and(|theirs| ours.is_ok_and(|ours| ours == theirs))
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
}

#[cfg(all(test, target_os = "linux"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{
        net::{TcpListener, TcpStream},
        os::fd::OwnedFd,
    };

    use super::{
        linux::{established, listed},
        *,
    };

    fn connected(address: &str) -> Option<(TcpStream, TcpStream, Ends)> {
        let listener = TcpListener::bind(address).ok()?;
        let far = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (near, theirs) = listener.accept().unwrap();
        let ends = Ends::of(&near, theirs, near.local_addr().unwrap());
        Some((far, near, ends))
    }

    #[test]
    fn the_owner_of_a_connection_is_found() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Some((_far, _near, ends)) = connected(address) else { continue };
            assert!(is_ours(&ends) && is_made_by_us(&ends), "{address}");
            let far = established(ends.theirs, ends.ours);
            assert_eq!(far, listed(ends.theirs, ends.ours), "whoever is asked");
            let nobody = SocketAddr::new(ends.theirs.ip(), 1);
            assert_eq!(established(nobody, ends.ours), None);
        }
    }

    #[test]
    fn what_its_owner_closed_is_nobodys() {
        let (far, _near, ends) = connected("127.0.0.1:0").unwrap();
        drop(far);
        assert!(!is_ours(&ends) && !is_made_by_us(&ends));
    }

    /// Somebody else's connection at the same port as one that is over.
    #[test]
    fn another_connection_at_the_same_port_is_not_it() {
        let (_far, near, ends) = connected("127.0.0.1:0").unwrap();
        assert!(is_ours(&ends));
        assert!(!is_ours(&Ends { inode: ends.inode + 1, ..ends }));
        assert!(!is_ours(&Ends { inode: 0, ..ends }));
        drop(OwnedFd::from(near));
        assert!(!is_ours(&ends));
    }

    /// A socket for IPv6 that talks to an address of IPv4, as Java's do.
    #[test]
    fn a_mapped_address_is_found() {
        use rustix::net::{AddressFamily, SocketType, connect, socket};
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let Ok(far) = socket(AddressFamily::INET6, SocketType::STREAM, None) else { return };
        let to: SocketAddr = format!("[::ffff:127.0.0.1]:{port}").parse().unwrap();
        connect(&far, &to).unwrap();
        let (near, theirs) = listener.accept().unwrap();
        let ends = Ends::of(&near, theirs, near.local_addr().unwrap());
        assert!(ends.are_here() && is_ours(&ends) && is_made_by_us(&ends));
        assert_eq!(established(ends.theirs, ends.ours), listed(ends.theirs, ends.ours));
    }
}
