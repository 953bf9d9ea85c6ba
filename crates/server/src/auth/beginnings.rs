//! [`Beginnings`]: how many sign-ins begin, for each address they come from: whoever begins one after the other keeps nobody
//! else from signing in.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
};

use governor::{
    DefaultDirectRateLimiter, Quota, RateLimiter, clock::DefaultClock,
    state::keyed::HashMapStateStore,
};

/// How many begin in a second from one address: a whole office may be behind it.
const BEGINNINGS: NonZeroU32 = NonZeroU32::new(20).unwrap();
/// How many addresses are told apart. Where more come within a second or so they share what one has.
const MOST: usize = 10_000;

/// How many sign-ins begin.
pub(super) struct Beginnings {
    each: RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>,
    rest: DefaultDirectRateLimiter,
}

impl Beginnings {
    pub(super) fn new() -> Self {
        let quota = Quota::per_second(BEGINNINGS);
        Self { each: RateLimiter::hashmap(quota), rest: RateLimiter::direct(quota) }
    }

    /// Whether one more may begin from this address.
    pub(super) fn may(&self, from: IpAddr) -> bool {
        if self.each.len() >= MOST {
            self.each.retain_recent();
        }
        if self.each.len() >= MOST {
            return self.rest.check().is_ok();
        }
        self.each.check_key(&one(from)).is_ok()
    }
}

/// What counts as one address: whoever has one of IPv6 has all of its network.
fn one(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & (u128::MAX << 64)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::{Beginnings, MOST};

    #[test]
    fn whoever_begins_too_many_is_alone_with_that() {
        let beginnings = Beginnings::new();
        let ip = |text: &str| text.parse().unwrap();
        for attacker in ["203.0.113.1", "2001:db8::1"] {
            let begun = (0..100_000).filter(|_| beginnings.may(ip(attacker))).count();
            assert!(begun >= 20, "{begun}");
            assert!(begun < 100_000, "nobody stops {attacker}");
        }
        assert!(beginnings.may(ip("203.0.113.2")));
        assert!(beginnings.may(ip("2001:db8:0:1::1")));
    }

    #[test]
    fn many_addresses_take_no_more_room_than_there_is() {
        let beginnings = Beginnings::new();
        for at in 0..u32::try_from(3 * MOST).unwrap() {
            beginnings.may(std::net::Ipv4Addr::from_bits(at).into());
        }
        assert!(beginnings.each.len() <= MOST);
    }
}
