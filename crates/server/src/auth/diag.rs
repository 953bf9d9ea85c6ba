//! [`ask`]: what the kernel knows of one end of a connection, asked for by its addresses.
//!
//! The kernel finds it in the table it finds packets' sockets in, so it takes the same few
//! microseconds however many connections there are; the lists in `/proc/net` are written out whole for
//! every look.

use std::net::{IpAddr, SocketAddr};

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
};

use super::owner::End;

// From `linux/netlink.h`, `linux/sock_diag.h` and `linux/inet_diag.h`.
const ERROR: u16 = 2;
const BY_FAMILY: u16 = 20;
const REQUEST: u16 = 1;
const HEADER: usize = 16;
const TCP: u8 = 6;
const ESTABLISHED: u8 = 1;
const NO_SUCH: i32 = -2;
/// Where the user and the inode stand in the answer: behind its first word, the addresses and three
/// more words.
const OWNER: usize = HEADER + 4 + 48 + 12;

/// The established end at `local` of the connection to `remote`, or that there is none; nothing where
/// the kernel cannot be asked.
pub(super) fn ask(local: SocketAddr, remote: SocketAddr) -> Option<Option<End>> {
    let family = if local.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::CLOEXEC;
    let kind = (AddressFamily::NETLINK, SocketType::DGRAM);
    let kernel = socket_with(kind.0, kind.1, flags, Some(netlink::SOCK_DIAG)).ok()?;
    let question = question(u8::try_from(family.as_raw()).ok()?, local, remote);
    send(&kernel, &question, SendFlags::empty()).ok()?;
    let mut answer = [0; 1024];
    // The answer is there when the question was taken.
    let (length, _) = recv(&kernel, &mut answer, RecvFlags::DONTWAIT).ok()?;
    read(answer.get(..length)?)
}

fn question(family: u8, local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let any_state = u32::MAX.to_ne_bytes();
    let mut body = vec![family, TCP, 0, 0];
    body.extend(any_state);
    body.extend(local.port().to_be_bytes());
    body.extend(remote.port().to_be_bytes());
    body.extend(address(local.ip()));
    body.extend(address(remote.ip()));
    // Of any interface, and whatever mark the kernel gave it.
    body.extend([[0; 4], [0xff; 4], [0xff; 4]].as_flattened());
    let length = u32::try_from(HEADER + body.len()).unwrap_or_default();
    let mut all = length.to_ne_bytes().to_vec();
    all.extend(BY_FAMILY.to_ne_bytes());
    all.extend(REQUEST.to_ne_bytes());
    all.extend([0; 8]);
    all.extend(body);
    all
}

fn address(ip: IpAddr) -> [u8; 16] {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, c, d] = ip.octets();
            [a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        }
        IpAddr::V6(ip) => ip.octets(),
    }
}

fn read(answer: &[u8]) -> Option<Option<End>> {
    let kind = u16::from_ne_bytes(*answer.get(4..)?.first_chunk()?);
    match kind {
        ERROR => {
            let error = i32::from_ne_bytes(*answer.get(HEADER..)?.first_chunk()?);
            (error == NO_SUCH).then_some(None)
        }
        BY_FAMILY => {
            let state = *answer.get(HEADER + 1)?;
            let word = |at: usize| Some(u32::from_ne_bytes(*answer.get(at..)?.first_chunk()?));
            let end = End { owner: word(OWNER)?, inode: word(OWNER + 4)?.into() };
            Some((state == ESTABLISHED).then_some(end))
        }
        _ => None,
    }
}
