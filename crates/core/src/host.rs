//! [`is_this_machine`]: whether a host is the machine one is on.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether a host is this machine: a loopback address, or `localhost` itself. Names below `localhost` are
/// not: who answers for them is a matter of the resolver's.
///
/// The host is the one that whoever connects has parsed. Another reader may find another host in the same
/// text (`127.0.0.1.` is a name to some): never judge a text for it.
pub fn is_this_machine(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let address = match bare {
        Some(inner) => inner.parse::<Ipv6Addr>().map(IpAddr::from),
        None => host.parse::<Ipv4Addr>().map(IpAddr::from),
    };
    address.map_or(host == "localhost", |it| it.to_canonical().is_loopback())
}
