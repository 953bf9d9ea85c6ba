//! [`NoProxy`]: which hosts are asked without a proxy.

use std::net::IpAddr;

use ipnet::IpNet;

/// Which hosts are asked without a proxy: what `NO_PROXY` says, as curl reads it, and with ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NoProxy(Vec<Entry>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    hosts: Hosts,
    /// This port alone; any where none is named.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    All,
    Network(IpNet),
    /// The name, and all names below it.
    Domain(String),
}

impl NoProxy {
    /// Reads a list, parted by commas or spaces: `*`, `host`, `.domain`, `*.domain`, an address, a network
    /// (`10.0.0.0/8`, `fd00::/8`), each but the last with a port if need be (`host:8080`, `[::1]:8080`).
    pub(crate) fn new(list: &str) -> Self {
        let entries = list.split([',', ' ', '\t', '\n', '\r']).filter(|it| !it.is_empty());
        Self(entries.map(Entry::new).collect())
    }

    /// Whether a host, as it stands in an address, is asked without a proxy.
    pub(crate) fn contains(&self, host: &str, port: u16) -> bool {
        let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host);
        let address = bare.parse::<IpAddr>().ok().map(|it| it.to_canonical());
        let name = bare.strip_suffix('.').unwrap_or(bare).to_ascii_lowercase();
        self.0.iter().filter(|it| it.port.is_none_or(|it| it == port)).any(|entry| {
            match (&entry.hosts, address) {
                (Hosts::All, _) => true,
                (Hosts::Network(network), Some(address)) => network.contains(&address),
                (Hosts::Domain(domain), None) => is_below(&name, domain),
                _ => false,
            }
        })
    }
}

impl Entry {
    fn new(text: &str) -> Self {
        // With a colon of its own an address of version 6 has no port, unless it stands in brackets.
        if let Some(network) = network(text) {
            return Self { hosts: Hosts::Network(network), port: None };
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => match port.parse() {
                Ok(port) => (host, Some(port)),
                Err(_) => (text, None),
            },
            None => (text, None),
        };
        let hosts = match network(host) {
            Some(network) => Hosts::Network(network),
            None if host == "*" => Hosts::All,
            None => Hosts::Domain(domain(host)),
        };
        Self { hosts, port }
    }
}

/// An address or a network, in brackets or not.
fn network(text: &str) -> Option<IpNet> {
    let bare = text.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(text);
    let address = |it: IpAddr| IpNet::from(it.to_canonical());
    bare.parse().map(address).or_else(|_| bare.parse::<IpNet>()).ok()
}

/// `.domain` and `*.domain` mean the same as `domain`.
fn domain(text: &str) -> String {
    let text = text.strip_prefix('*').filter(|it| it.starts_with('.')).unwrap_or(text);
    let text = text.strip_prefix('.').unwrap_or(text);
    text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase()
}

fn is_below(name: &str, domain: &str) -> bool {
    let above = name.strip_suffix(domain);
    !domain.is_empty() && above.is_some_and(|it| it.is_empty() || it.ends_with('.'))
}

#[cfg(test)]
mod tests;
