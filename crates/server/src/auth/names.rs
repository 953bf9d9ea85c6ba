//! [`Names`]: under which names the server may be asked for, and by which pages.

use std::net::SocketAddr;

use http::{HeaderMap, HeaderName, Method, header, request::Parts};
use url::{Host, Origin, Url};

use crate::{ApiError, ServerError};

/// Under which names the server may be asked for. A page of somebody else's can have its own name
/// point to this machine: then the name gives it away.
pub(super) struct Names {
    all: Vec<Name>,
    /// How many of them are the address's own. Those behind them were given.
    own: usize,
}

/// A name of this server.
struct Name {
    /// `scheme://host:port` in the one way it is written: where its page comes from.
    origin: String,
    /// As a request may name it: `host:port`, and `host` alone where the port is the scheme's own.
    hosts: Vec<String>,
}

impl Name {
    /// A name as somebody wrote it: `desk.example:8001`, or `https://desk.example` where a proxy with
    /// TLS stands before it.
    fn read(text: &str) -> Option<Self> {
        let text = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let url = Url::parse(&text).ok()?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !matches!(url.scheme(), "http" | "https") || !is_bare || !is_plain {
            return None;
        }
        let Origin::Tuple(_, host, port) = url.origin() else { return None };
        let mut hosts = vec![format!("{host}:{port}")];
        if url.port().is_none() {
            hosts.push(host.to_string());
        }
        Some(Self { origin: url.origin().ascii_serialization(), hosts })
    }

    fn of(address: SocketAddr) -> Option<Self> {
        Self::read(&address.to_string())
    }
}

impl Names {
    /// Those of an address, and further ones.
    ///
    /// # Errors
    /// When one of the further ones is none.
    pub(super) fn of(address: SocketAddr, further: &[String]) -> Result<Self, ServerError> {
        let (ip, port) = (address.ip(), address.port());
        let mut all = Vec::new();
        if ip.is_unspecified() {
            let here = [([127, 0, 0, 1], port).into(), ([0, 0, 0, 0, 0, 0, 0, 1], port).into()];
            all.extend(here.into_iter().filter_map(Name::of));
        } else {
            all.extend(Name::of(address));
        }
        if ip.is_loopback() || ip.is_unspecified() {
            all.extend(Name::read(&format!("localhost:{port}")));
        }
        let own = all.len();
        for text in further {
            let name = Name::read(text).ok_or_else(|| ServerError::Host(text.clone()))?;
            all.push(name);
        }
        Ok(Self { all, own })
    }

    /// Where people open the page: under the first name that was given, and else at the address.
    pub(super) fn public(&self) -> &str {
        self.all.get(self.own).map_or_else(|| self.first(), |it| it.origin.as_str())
    }

    /// Where the page is, for whoever is on the same machine.
    pub(super) fn first(&self) -> &str {
        self.all.first().map_or("http://127.0.0.1", |it| it.origin.as_str())
    }

    /// The name under which this was asked for, with its scheme: where a browser comes back to.
    pub(super) fn origin(&self, head: &Parts) -> String {
        let host = text(&head.headers, &header::HOST).unwrap_or_default();
        let is_it = |name: &&Name| name.hosts.iter().any(|it| it.eq_ignore_ascii_case(host));
        // Of two that are called alike the one with TLS is meant: a proxy stands before it.
        let mut named: Vec<_> = self.all.iter().filter(is_it).collect();
        named.sort_by_key(|name| !name.origin.starts_with("https:"));
        named.first().map_or_else(|| self.first().to_owned(), |name| name.origin.clone())
    }

    /// Refuses what was asked for under another name, or by a page of another server's.
    pub(super) fn check(&self, head: &Parts) -> Result<(), ApiError> {
        if !names_one(head, |host| self.is_host(host)) {
            return Err(other_name());
        }
        self.check_page(head)
    }

    /// As [`Names::check`], on the socket in the data folder: no name of anybody's leads there, and
    /// programs call it what they like, `localhost` for one.
    pub(super) fn check_on_socket(&self, head: &Parts) -> Result<(), ApiError> {
        let is_known = |host: &str| host == "localhost" || self.is_host(host);
        if !names_one(head, is_known) {
            return Err(other_name());
        }
        self.check_page(head)
    }

    fn check_page(&self, head: &Parts) -> Result<(), ApiError> {
        let mut origins = head.headers.get_all(header::ORIGIN).iter();
        if !origins.all(|origin| origin.to_str().is_ok_and(|it| self.is_own(it))) {
            return Err(ApiError::forbidden("a page of another server's may not ask here"));
        }
        // Browsers say it themselves. Following a link is no question that a page asks.
        let site = text(&head.headers, &SITE);
        let is_link = head.method == Method::GET && text(&head.headers, &MODE) == Some("navigate");
        match site {
            Some("same-origin" | "none") | None => Ok(()),
            Some(_) if is_link => Ok(()),
            Some(_) => Err(ApiError::forbidden("a page of another server's may not ask here")),
        }
    }

    fn is_host(&self, host: &str) -> bool {
        let mut hosts = self.all.iter().flat_map(|name| &name.hosts);
        hosts.any(|it| it.eq_ignore_ascii_case(host))
    }

    /// Whether a page comes from here: scheme, host and port, in the one way browsers write them.
    fn is_own(&self, origin: &str) -> bool {
        self.all.iter().any(|name| name.origin == origin)
    }
}

/// Whoever set it up knows what to do; whoever only asks is told no name that they have not heard.
fn other_name() -> ApiError {
    ApiError::forbidden("this server has another name").with_advice(
        "open it under the name that you were given; whoever runs it lists further ones in `server.hosts`",
    )
}

/// Whether a request names one host, and one that is known. It may name it twice: both must be.
fn names_one(head: &Parts, is_known: impl Fn(&str) -> bool) -> bool {
    let mut hosts = head.headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let in_address = head.uri.authority().is_none_or(|it| is_known(it.as_str()));
    in_address && host.to_str().is_ok_and(is_known)
}

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // What cannot be read is not what a browser says about itself.
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Whether a browser asks, or somebody in the name of others: then being on this machine says
/// nothing about who asks.
pub(super) fn is_of_browser(headers: &HeaderMap) -> bool {
    let tell_tale = ["origin", "referer", "cookie", "forwarded", "via", "x-real-ip"];
    headers.keys().any(|name| {
        let name = name.as_str();
        tell_tale.contains(&name) || name.starts_with("sec-") || name.starts_with("x-forwarded-")
    })
}

/// Whether a request names this machine by an address, or as `localhost`. A page of somebody else's can have its own
/// name point here, and nothing else gives it away where it only reads.
pub(super) fn is_of_machine(head: &Parts) -> bool {
    let written = head.headers.get_all(header::HOST).iter().map(|it| it.to_str().ok());
    let mut hosts = written.chain(head.uri.authority().map(|it| Some(it.as_str()))).peekable();
    let is_address = |host: &str| {
        let url = Url::parse(&format!("http://{host}"));
        url.is_ok_and(|it| match it.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
            None => false,
        })
    };
    hosts.peek().is_some() && hosts.all(|host| host.is_some_and(is_address))
}
