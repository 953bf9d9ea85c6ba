//! [`AddressGuard`]: which servers a client may connect to, where somebody else names them.
//!
//! An address that a model, a page or a document names must not lead into the network of whoever runs this:
//! to this machine, to a router, to the metadata of a cloud. The guard looks names up itself, refuses a name
//! as soon as one of its answers is not public, and hands the very addresses it looked at to whoever
//! connects: a second lookup could be answered differently.

use std::{fmt, io, net::IpAddr, sync::Arc};

use http::Uri;
use toolwright_timeout::timeout;
use url::Url;

use crate::{
    HttpError, HttpErrorKind, HttpSettings,
    proxy::{Proxy, port},
};

mod public;
mod resolver;

pub(crate) use self::resolver::{Checked, SystemResolver};
pub use self::{public::is_public, resolver::Resolver};

/// More answers than this are nobody's.
const MOST_ANSWERS: usize = 64;

/// Which servers a client may connect to: those at public addresses, on the usual ports, and those that are
/// allowed by name. It is given to a client with [`HttpSettings::with_guard`].
#[derive(Clone)]
pub struct AddressGuard {
    allowed: Vec<AllowedHost>,
    resolver: Arc<dyn Resolver>,
    any_port: bool,
    proxies: bool,
}

/// A host that is allowed wherever it is, on a port of its own or on the usual ones.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AllowedHost {
    host: String,
    port: Option<u16>,
}

impl Default for AddressGuard {
    fn default() -> Self {
        Self::new()
    }
}

impl AddressGuard {
    /// Public addresses only, on the ports 80 and 443, and through no proxy.
    pub fn new() -> Self {
        Self {
            allowed: Vec::new(),
            resolver: Arc::new(SystemResolver),
            any_port: false,
            proxies: false,
        }
    }

    /// Allows a host besides, whatever its address is: `intranet.example` on the usual ports,
    /// `intranet.example:8080` on this one.
    ///
    /// # Errors
    /// When it is not the name or the address of a host.
    pub fn allow_host(mut self, host: &str) -> Result<Self, String> {
        let bad = || "write a host as `intranet.example` or `intranet.example:8080`".to_owned();
        let text = host.trim();
        if text.is_empty() || text.contains(['/', '@', '?', '#', '\\', '*']) {
            return Err(bad());
        }
        // Read as whoever connects will have read it: with the rules for addresses on the web.
        let url = Url::parse(&format!("http://{text}/")).map_err(|_| bad())?;
        let host = url.host_str().ok_or_else(bad)?.to_owned();
        // 80 is the usual port of this scheme, and not told.
        let port = url.port().or_else(|| text.ends_with(":80").then_some(80));
        self.allowed.push(AllowedHost { host, port });
        Ok(self)
    }

    /// Allows every port of public addresses, not only the usual two.
    #[must_use]
    pub fn with_any_port(mut self) -> Self {
        self.any_port = true;
        self
    }

    /// Lets requests go through a proxy where one is set. The proxy looks names up then: where they lead to
    /// is a matter of its rules, and only addresses that are written as numbers are checked here.
    #[must_use]
    pub fn with_proxies(mut self) -> Self {
        self.proxies = true;
        self
    }

    /// With another way to look names up.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// Whether an address may be gone to, as far as it can be told without looking its host up.
    ///
    /// # Errors
    /// When it may not: why.
    pub fn check(&self, url: &Url) -> Result<(), HttpError> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(blocked("the address has a login in it"));
        }
        let uri = url.as_str().parse().map_err(|_| blocked("it is not the address of a server"))?;
        self.check_uri(&uri).map(drop)
    }

    /// Whether the host is allowed by name; where it is not, whether its port and what is written as a
    /// number may be connected to.
    fn check_uri(&self, uri: &Uri) -> Result<bool, HttpError> {
        if !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(blocked("only http and https addresses are gone to"));
        }
        let host = uri.host().unwrap_or_default().to_ascii_lowercase();
        let port = port(uri);
        if self.allowed.iter().any(|it| it.covers(&host, port)) {
            return Ok(true);
        }
        if !self.any_port && !USUAL_PORTS.contains(&port) {
            return Err(blocked(format!("the port {port} is not one of the usual, 80 and 443")));
        }
        match literal(&host) {
            Some(address) if !is_public(address) => Err(not_public(&host, address)),
            _ => Ok(false),
        }
    }

    /// The addresses of a server that may be connected to; none where a proxy finds them.
    pub(crate) async fn addresses(
        &self,
        uri: &Uri,
        proxy: Option<&Proxy>,
        settings: &HttpSettings,
    ) -> Result<Option<Checked>, HttpError> {
        let is_allowed = self.check_uri(uri)?;
        if let Some(proxy) = proxy {
            return self.through(uri, proxy).map(|()| None);
        }
        let host = uri.host().unwrap_or_default();
        if let Some(address) = literal(host) {
            return Ok(Some(Checked::new(vec![address])));
        }
        let limit = settings.connect_timeout;
        let found = timeout(limit, self.resolver.resolve(host)).await;
        let slow = |_| io::Error::new(io::ErrorKind::TimedOut, format!("no answer in {limit:?}"));
        let found = found.map_err(slow).flatten().map_err(|error| {
            let reason = format!("the name {host} cannot be looked up: {error}");
            HttpError::new(HttpErrorKind::Connect, reason)
        })?;
        if found.is_empty() || found.len() > MOST_ANSWERS {
            let reason = format!("the name {host} has {} addresses", found.len());
            return Err(HttpError::new(HttpErrorKind::Connect, reason));
        }
        // One answer that is not public is enough: which of them is connected to is chance.
        match found.iter().find(|it| !is_allowed && !is_public(**it)) {
            Some(address) => Err(not_public(host, *address)),
            None => Ok(Some(Checked::new(found))),
        }
    }

    fn through(&self, uri: &Uri, proxy: &Proxy) -> Result<(), HttpError> {
        if self.proxies {
            return Ok(());
        }
        let host = uri.host().unwrap_or_default();
        let reason = format!(
            "{host} would be looked up by the proxy {}, so that nobody here can tell whether its \
             address is public",
            proxy.shown()
        );
        Err(HttpError::new(HttpErrorKind::UncheckedProxy, reason))
    }
}

const USUAL_PORTS: [u16; 2] = [80, 443];

impl AllowedHost {
    fn covers(&self, host: &str, port: u16) -> bool {
        self.host == host && self.port.map_or(USUAL_PORTS.contains(&port), |own| own == port)
    }
}

/// The address that a host is written as, if it is.
fn literal(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(host);
    bare.parse().ok()
}

fn not_public(host: &str, address: IpAddr) -> HttpError {
    let leads = match literal(host) {
        Some(_) => format!("{host} is not a public address"),
        None => format!("{host} leads to {address}, which is not a public address"),
    };
    blocked(leads)
}

pub(crate) fn blocked(reason: impl Into<String>) -> HttpError {
    HttpError::new(HttpErrorKind::Blocked, reason)
}

impl fmt::Debug for AddressGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressGuard")
            .field("allowed", &self.allowed)
            .field("any_port", &self.any_port)
            .field("proxies", &self.proxies)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
