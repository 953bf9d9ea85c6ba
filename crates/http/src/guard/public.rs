//! [`is_public`]: whether an address is one of the public Internet's.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that are nobody's on the public Internet, by their first bits: what is private, this machine's,
/// the link's, a carrier's, kept for documents and tests, multicast, and what is not given out.
const NOT_PUBLIC_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    // A cloud's metadata service at an address that is public on paper.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
];

/// Networks within `2000::/3` that are nobody's: protocols' own (Teredo among them), documents, 6to4. The
/// tunnels have an address of version 4 in them that could be anything, and are gone from the Internet.
const NOT_PUBLIC_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address is one of the public Internet's. What stands for an address of version 4 (mapped, or
/// NAT64) is judged as that one.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match stands_for(address) {
            Some(inner) => is_public_v4(inner),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !NOT_PUBLIC_V4.iter().any(|(network, length)| {
        (bits ^ u32::from(*network)).checked_shr(32 - length).unwrap_or_default() == 0
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = u128::from(address);
    // Nothing outside of `2000::/3` is given out: a list of what is bad would miss what is invented next.
    bits >> 125 == 1
        && !NOT_PUBLIC_V6.iter().any(|(network, length)| {
            (bits ^ u128::from(*network)).checked_shr(128 - length).unwrap_or_default() == 0
        })
}

/// The address of version 4 that one of version 6 stands for: `::ffff:0:0/96`, `64:ff9b::/96`.
fn stands_for(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [head @ .., a, b, c, d] = address.octets();
    let is_mapped = head == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
    let is_nat64 = head == [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
    (is_mapped || is_nat64).then_some(Ipv4Addr::new(a, b, c, d))
}
