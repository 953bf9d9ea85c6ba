//! [`Header`]: what a proxy says about who asks, and from whom that is believed.

use std::net::IpAddr;

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use toolwright_app::config::IdentityConfig;

use super::{Identity, NamedTokens, ScopeMap, Way};
use crate::ServerError;

/// What a proxy says about who asks.
pub(super) struct Header {
    name: HeaderName,
    groups: Option<HeaderName>,
    trusted: Vec<IpNet>,
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

impl Header {
    /// As it is configured.
    pub(super) fn new(config: &IdentityConfig) -> Result<Option<Self>, ServerError> {
        let Some(name) = &config.header else { return Ok(None) };
        let wrong = |key: &'static str, reason: &str| ServerError::identity(key, reason);
        let header = |key, name: &str| {
            let name: Result<HeaderName, _> = name.parse();
            name.map_err(|_| wrong(key, "it is no name of a header"))
        };
        let trusted = config.trusted.iter().map(|text| {
            let reason = format!("`{text}` is no network: write `10.0.0.0/8`, or an address");
            network(text).ok_or_else(|| wrong("trusted", &reason))
        });
        let trusted = trusted.collect::<Result<Vec<_>, _>>()?;
        if trusted.is_empty() {
            return Err(wrong("trusted", "nobody is trusted to say who asks: name the proxy"));
        }
        let groups = config.groups_header.as_deref().map(|it| header("groups_header", it));
        Ok(Some(Self { name: header("header", name)?, groups: groups.transpose()?, trusted }))
    }

    /// Whether whoever is at this address may say who asks.
    pub(super) fn is_trusted(&self, ip: IpAddr) -> bool {
        self.trusted.iter().any(|it| has(it, ip))
    }

    /// Who asks, as the proxy at this address says.
    pub(super) fn read(
        &self,
        headers: &HeaderMap,
        peer: Option<IpAddr>,
        scopes: &ScopeMap,
    ) -> Said {
        let groups = self.groups.iter().flat_map(|name| headers.get_all(name));
        let groups: Vec<_> = groups.collect();
        let mut names = headers.get_all(&self.name).iter();
        let (first, second) = (names.next(), names.next());
        if first.is_none() && groups.is_empty() {
            return Said::Nothing;
        }
        if !peer.is_some_and(|ip| self.is_trusted(ip)) {
            return Said::Refused("only a trusted proxy may say who asks");
        }
        let (Some(name), None) = (first, second) else {
            return Said::Refused("the proxy does not say who asks, or says it twice");
        };
        // One of them may be the asker's own, which the proxy passed on.
        if groups.len() > 1 {
            return Said::Refused("the proxy says twice which groups they are of");
        }
        let Some(name) = name.to_str().ok().filter(|name| NamedTokens::is_name(name)) else {
            return Said::Refused("the proxy says no name");
        };
        let groups: Vec<&str> = groups
            .into_iter()
            .filter_map(|it| it.to_str().ok())
            .flat_map(|it| it.split(','))
            .map(str::trim)
            .collect();
        let scopes = scopes.of(groups);
        if scopes.is_empty() {
            return Said::Refused("they may do nothing here");
        }
        let owner = Some(format!("user:{name}").into());
        Said::By(Identity { name: name.into(), owner, scopes, way: Way::Header })
    }
}

/// A network, or one address.
fn network(text: &str) -> Option<IpNet> {
    let text = text.trim();
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// An address of IPv4 may be told as the one of IPv6 that stands for it.
fn has(network: &IpNet, ip: IpAddr) -> bool {
    network.contains(&ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::{has, network as parsed};

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
