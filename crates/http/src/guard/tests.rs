#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use proptest::prelude::*;

use super::*;

/// As the registries write them, apart from the code's own table.
const RANGES: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/128",
    "::1/128",
    "::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/32",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
];

fn v4(bits: u32) -> IpAddr {
    Ipv4Addr::from(bits).into()
}

fn wrapped(bits: u32, head: u128) -> IpAddr {
    Ipv6Addr::from(head << 32 | u128::from(bits)).into()
}

proptest! {
    /// Whatever stands in one of the ranges is not public, at either end of it and between.
    #[test]
    fn nothing_in_a_range_is_public(range in prop::sample::select(RANGES), seed: u128) {
        let range: IpNet = range.parse().unwrap();
        let inside = match range {
            IpNet::V4(it) => {
                let free = u32::from(it.hostmask());
                v4(u32::from(it.network()) | seed as u32 & free)
            }
            IpNet::V6(it) => {
                let free = u128::from(it.hostmask());
                IpAddr::from(Ipv6Addr::from(u128::from(it.network()) | seed & free))
            }
        };
        for address in [inside, range.network(), range.broadcast()] {
            prop_assert!(!is_public(address), "{address}");
        }
    }

    /// What an address of version 4 is it is in every dress, and outside of the ranges it is public.
    #[test]
    fn version_4_is_judged_in_every_dress(bits: u32) {
        let address = v4(bits);
        let is_inside = RANGES.iter().any(|it| it.parse::<IpNet>().unwrap().contains(&address));
        prop_assume!(bits != u32::from(Ipv4Addr::new(168, 63, 129, 16)));
        prop_assert_eq!(is_public(address), !is_inside, "{}", address);
        prop_assert_eq!(is_public(wrapped(bits, 0xffff)), !is_inside);
        prop_assert_eq!(is_public(wrapped(bits, 0x64_ff9b << 64)), !is_inside);
        prop_assert!(!is_public(wrapped(bits, 0)), "the compatible form is gone");
    }
}

#[test]
fn known_addresses_are_what_they_are() {
    for good in
        ["1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"]
    {
        assert!(is_public(good.parse().unwrap()), "{good}");
    }
    for bad in [
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "255.255.255.255",
        "fd00:ec2::254",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001:0:7f00:1::",
        "fe80::1",
    ] {
        assert!(!is_public(bad.parse().unwrap()), "{bad}");
    }
}

fn kind(guard: &AddressGuard, url: &str) -> Option<HttpErrorKind> {
    guard.check(&Url::parse(url).unwrap()).err().map(|it| it.kind)
}

/// The ways to write 127.0.0.1, and others, that a reader of texts misses.
#[test]
fn what_is_written_oddly_is_read_as_it_is_connected_to() {
    let guard = AddressGuard::new();
    for url in [
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://127.0.0.1./",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://①②⑦.0.0.1/",
        "http://%31%32%37.0.0.1/",
        "http://0/",
        "http://[::]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "https://3232235777/",
        "http://me:pw@example.com/",
        "http://me@example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://example.com:22/",
        "https://example.com:8443/",
        "gopher://example.com:80/",
    ] {
        assert_eq!(kind(&guard, url), Some(HttpErrorKind::Blocked), "{url}");
    }
    for url in ["http://example.com/", "https://example.com:443/x?y", "https://1.1.1.1/"] {
        assert_eq!(kind(&guard, url), None, "{url}");
    }
    assert_eq!(kind(&guard.with_any_port(), "https://example.com:8443/"), None);
}

#[test]
fn a_host_is_allowed_by_its_name_and_port() {
    let guard = AddressGuard::new().allow_host("Intranet.example:8080").unwrap();
    let guard = guard.allow_host("10.0.0.7").unwrap().allow_host("[fd00::1]:81").unwrap();
    for good in [
        "http://intranet.example:8080/",
        "http://10.0.0.7/",
        "https://10.0.0.7/",
        "http://[fd00::1]:81/",
    ] {
        assert_eq!(kind(&guard, good), None, "{good}");
    }
    for bad in [
        "http://intranet.example:8081/",
        "http://10.0.0.7:8080/",
        "http://10.0.0.8/",
        "http://[fd00::1]/",
        "http://intranet.example.:8080/",
        "http://me@intranet.example:8080/",
    ] {
        assert_eq!(kind(&guard, bad), Some(HttpErrorKind::Blocked), "{bad}");
    }
    let narrow = AddressGuard::new().allow_host("10.0.0.7:80").unwrap();
    assert_eq!(kind(&narrow, "http://10.0.0.7/"), None);
    assert_eq!(kind(&narrow, "https://10.0.0.7/"), Some(HttpErrorKind::Blocked));
    for bad in ["", " ", "http://x", "a/b", "me@x", "*.example", "a b", "x:99999", "x?y"] {
        assert!(AddressGuard::new().allow_host(bad).is_err(), "{bad}");
    }
}
