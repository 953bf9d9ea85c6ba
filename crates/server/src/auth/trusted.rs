//! [`Header`]: what a proxy says about who asks, and [`Proxies`]: of whom that is believed.

use std::net::{IpAddr, SocketAddr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use toolwright_app::config::IdentityConfig;

use super::{Identity, NamedTokens, Way, groups::ScopeMap};
use crate::ServerError;

/// The networks of proxies that are believed.
pub(super) struct Proxies(Vec<IpNet>);

/// What a proxy says about who asks.
pub(super) struct Header {
    name: HeaderName,
    groups: Option<HeaderName>,
}

/// What became of what a request says about who asks.
pub(super) enum Said {
    /// Nothing is said.
    Nothing,
    /// A proxy that is trusted says who it is.
    By(Identity),
    /// Somebody says it who is not trusted, or it cannot be understood, or they may do nothing here.
    Refused(&'static str),
}

impl Proxies {
    /// As they are configured.
    pub(super) fn new(config: &IdentityConfig) -> Result<Self, ServerError> {
        let wrong = |reason: String| ServerError::identity("trusted", &reason);
        let trusted = config.trusted.iter().map(|text| {
            let none = || format!("`{text}` is no network: write `10.0.0.0/8`, or an address");
            let found = network(text).ok_or_else(|| wrong(none()))?;
            match is_too_wide(&found) {
                true => Err(wrong(format!(
                    "`{text}` has nearly everybody in it, and any of them could say who asks: name the network that \
                     the proxy is in, such as `10.0.0.0/8`, or its address"
                ))),
                false => Ok(found),
            }
        });
        trusted.collect::<Result<_, _>>().map(Self)
    }

    /// Whether whoever is at this address is believed.
    pub(super) fn is_trusted(&self, ip: IpAddr) -> bool {
        self.0.iter().any(|it| has(it, ip))
    }

    /// From which address somebody asks: that of the connection, or the one that the proxies say which are believed.
    /// What stands before the first who is not may be anybody's word.
    pub(super) fn client(&self, headers: &HeaderMap, peer: IpAddr) -> IpAddr {
        let said = headers.get_all(FORWARDED_FOR).iter().map(|it| it.to_str().unwrap_or_default());
        let said: Vec<_> = said.flat_map(|it| it.split(',')).map(forwarded).collect();
        let mut client = peer;
        for before in said.into_iter().rev() {
            match before {
                Some(ip) if self.is_trusted(client) => client = ip,
                _ => break,
            }
        }
        client
    }
}

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// An address as proxies write it, with a port or without.
fn forwarded(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let with_port = || text.parse::<SocketAddr>().ok().map(|it| it.ip());
    text.parse().ok().or_else(with_port)
}

impl Header {
    /// As it is configured.
    pub(super) fn new(config: &IdentityConfig) -> Result<Option<Self>, ServerError> {
        let wrong = |key: &'static str, reason: &str| ServerError::identity(key, reason);
        let groups = config.groups_header.as_deref().map(|it| named("groups_header", it));
        let groups = groups.transpose()?;
        let Some(name) = &config.header else {
            return match groups {
                Some(_) => {
                    let reason = "no proxy says who asks: name the header for that, too (`header`)";
                    Err(wrong("groups_header", reason))
                }
                None => Ok(None),
            };
        };
        let name = named("header", name)?;
        if groups.as_ref() == Some(&name) {
            let reason = "it is the header that says who asks: groups need one of their own";
            return Err(wrong("groups_header", reason));
        }
        if config.trusted.is_empty() {
            return Err(wrong("trusted", "nobody is trusted to say who asks: name the proxy"));
        }
        Ok(Some(Self { name, groups }))
    }

    /// Who asks, as whoever sent this says, which is believed of some alone.
    pub(super) fn read(&self, headers: &HeaderMap, is_trusted: bool, scopes: &ScopeMap) -> Said {
        let groups = self.groups.iter().flat_map(|name| headers.get_all(name));
        let groups: Vec<_> = groups.collect();
        let mut names = headers.get_all(&self.name).iter();
        let (first, second) = (names.next(), names.next());
        if first.is_none() && groups.is_empty() {
            return Said::Nothing;
        }
        if !is_trusted {
            return Said::Refused("only a trusted proxy may say who asks");
        }
        let (Some(name), None) = (first, second) else {
            return Said::Refused("the proxy does not say who asks, or says it twice");
        };
        // One of them may be the asker's own, which the proxy passed on.
        if groups.len() > 1 {
            return Said::Refused("the proxy says twice which groups they are of");
        }
        // Other letters than those of ASCII are UTF-8, as everywhere else: what is not could be anybody's name.
        let Ok(name) = str::from_utf8(name.as_bytes()) else {
            return Said::Refused(
                "the name that the proxy says has letters that cannot be read: have it send them as UTF-8",
            );
        };
        if !NamedTokens::is_name(name) {
            return Said::Refused(
                "what the proxy says is no name: it is empty, has a blank in it, or more than 64 letters",
            );
        }
        let groups: Vec<&str> = groups
            .into_iter()
            .filter_map(|it| str::from_utf8(it.as_bytes()).ok())
            .flat_map(|it| it.split(','))
            .map(str::trim)
            .collect();
        let scopes = scopes.of(groups);
        if scopes.is_empty() {
            return Said::Refused("they may do nothing here");
        }
        let owner = Some(NamedTokens::owner_for(name).into());
        Said::By(Identity { name: name.into(), owner, scopes, way: Way::Header })
    }
}

/// A header that only a proxy sets.
fn named(key: &'static str, text: &str) -> Result<HeaderName, ServerError> {
    let wrong = |reason: &str| ServerError::identity(key, reason);
    let Ok(name) = text.parse::<HeaderName>() else {
        let shown = text.escape_debug();
        return Err(wrong(&format!(
            "`{shown}` is no name of a header: those have letters (a to z), digits and `-`, such as X-Forwarded-User"
        )));
    };
    let word = name.as_str();
    let is_clients = CLIENTS.contains(&word)
        || ["sec-", "content-", "accept", "if-", "access-control-", "proxy-"]
            .iter()
            .any(|it| word.starts_with(it));
    match is_clients {
        true => Err(wrong(&format!(
            "`{text}` is sent by browsers and programs themselves, and says something else: take one that only \
             your proxy sets, such as X-Forwarded-User"
        ))),
        false => Ok(name),
    }
}

/// What clients send themselves, or what says where a request comes from and goes to.
const CLIENTS: &[&str] = &[
    "authorization",
    "cache-control",
    "connection",
    "cookie",
    "date",
    "expect",
    "forwarded",
    "host",
    "idempotency-key",
    "keep-alive",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "origin",
    "pragma",
    "range",
    "referer",
    "te",
    "traceparent",
    "tracestate",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-real-ip",
    "x-toolwright-key",
];

/// A network, or one address.
fn network(text: &str) -> Option<IpNet> {
    let text = text.trim();
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// Whether strangers are in it. The networks of IPv6 that are never routed are as wide as they are.
fn is_too_wide(network: &IpNet) -> bool {
    match network {
        IpNet::V4(it) => it.prefix_len() < 8,
        IpNet::V6(it) => {
            let first = it.network();
            let is_private = (first.is_unique_local() && it.prefix_len() >= 7)
                || (first.is_unicast_link_local() && it.prefix_len() >= 10);
            it.prefix_len() < 16 && !is_private
        }
    }
}

/// An address of IPv4 may be told as the one of IPv6 that stands for it.
fn has(network: &IpNet, ip: IpAddr) -> bool {
    network.contains(&ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::{Header, IdentityConfig, Proxies, Said, ScopeMap, has, network as parsed};

    #[test]
    fn names_and_groups_are_utf_8() {
        let words = |it: &str| vec![it.to_owned()];
        let config = IdentityConfig {
            header: Some("X-User".to_owned()),
            groups_header: Some("X-Groups".to_owned()),
            trusted: words("10.0.0.0/8"),
            scopes: words("ask"),
            groups: [("équipe".to_owned(), words("admin"))].into(),
            oidc: None,
        };
        let (header, scopes) = (Header::new(&config), ScopeMap::new(&config));
        let header = header.ok().flatten().unwrap();
        let scopes = scopes.unwrap_or_else(|error| panic!("{error}"));
        let read = |name: &[u8], groups: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.append("x-user", name.try_into().unwrap());
            headers.append("x-groups", groups.try_into().unwrap());
            header.read(&headers, true, &scopes)
        };
        let Said::By(who) = read("carlé".as_bytes(), "x, équipe".as_bytes()) else {
            panic!("it is a name")
        };
        assert_eq!((&*who.name, who.owner.as_deref()), ("carlé", Some("user:carlé")));
        assert!(who.is_admin());
        // A group that cannot be read is none, and adds nothing.
        let Said::By(who) = read(b"ann", b"\xe9quipe") else { panic!("it is a name") };
        assert!(!who.is_admin());
        let long = "é".repeat(65);
        for (name, told) in [
            (b"carl\xe9".as_slice(), "have it send them as UTF-8"),
            (b"", "is no name"),
            (b"a b", "is no name"),
            ("a\u{a0}b".as_bytes(), "is no name"),
            (long.as_bytes(), "is no name"),
        ] {
            let Said::Refused(why) = read(name, b"x") else { panic!("{name:?} is taken") };
            assert!(why.contains(told), "{name:?}: {why}");
        }
    }

    #[test]
    fn a_client_is_known_by_what_proxies_say_that_are_believed() {
        let trusted = vec!["10.0.0.0/8".to_owned()];
        let proxies = Proxies::new(&IdentityConfig { trusted, ..IdentityConfig::default() });
        let proxies = proxies.unwrap_or_else(|error| panic!("{error}"));
        for (peer, said, client) in [
            ("10.0.0.1", &[] as &[&str], "10.0.0.1"),
            ("10.0.0.1", &["203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["203.0.113.9:4711"], "203.0.113.9"),
            ("10.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1"),
            ("10.0.0.1", &["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            // What the client wrote itself.
            ("10.0.0.1", &["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1", "203.0.113.9, 10.0.0.2"], "203.0.113.9"),
            ("10.0.0.1", &["203.0.113.9, unknown"], "10.0.0.1"),
            ("203.0.113.7", &["198.51.100.1"], "203.0.113.7"),
        ] {
            let mut headers = HeaderMap::new();
            for line in said {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            let found = proxies.client(&headers, peer.parse().unwrap());
            assert_eq!(found.to_string(), client, "{peer} says {said:?}");
        }
    }

    #[test]
    fn a_network_has_its_own_and_no_others() {
        for (network, address, is_in) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("10.0.0.7", "10.0.0.7", true),
            ("10.0.0.7", "10.0.0.8", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:1::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("::1", "127.0.0.1", false),
        ] {
            let found = parsed(network).unwrap();
            assert_eq!(has(&found, address.parse().unwrap()), is_in, "{address} in {network}");
        }
        for text in ["", "10.0.0.0/33", "x/8", "10.0.0.0/-1", "::/129", "10.0.0/8"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
