//! [`Names`]: under which names the server may be asked for, and by which pages.

use std::net::SocketAddr;

use http::{HeaderMap, HeaderName, Method, header, request::Parts};

use crate::ApiError;

/// Under which names the server may be asked for. A page of somebody else's can have its own name
/// point to this machine: then the name gives it away.
pub(super) struct Names {
    /// `host:port`, in lower case, the first for people.
    all: Vec<String>,
}

impl Names {
    pub(super) fn of(address: SocketAddr, further: &[String]) -> Self {
        let port = address.port();
        let mut all = Vec::new();
        if address.ip().is_unspecified() {
            all.extend([format!("127.0.0.1:{port}"), format!("[::1]:{port}")]);
        } else {
            all.push(address.to_string());
        }
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            all.push(format!("localhost:{port}"));
        }
        all.extend(further.iter().map(|name| name.to_ascii_lowercase()));
        if port == 80 {
            let bare = all.iter().filter_map(|it| it.strip_suffix(":80")).map(str::to_owned);
            let bare: Vec<_> = bare.collect();
            all.extend(bare);
        }
        Self { all }
    }

    /// The one for people.
    pub(super) fn first(&self) -> &str {
        self.all.first().map_or("127.0.0.1", String::as_str)
    }

    /// Refuses what was asked for under another name, or by a page of another server's.
    pub(super) fn check(&self, head: &Parts) -> Result<(), ApiError> {
        if !self.is_host(head) {
            return Err(ApiError::forbidden("this server has another name"));
        }
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

    fn is_host(&self, head: &Parts) -> bool {
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        let is_known = |name: &str| self.all.iter().any(|it| it.eq_ignore_ascii_case(name));
        // A request may name its host twice: both must be right.
        let in_address = head.uri.authority().is_none_or(|it| is_known(it.as_str()));
        in_address && host.to_str().is_ok_and(is_known)
    }

    fn is_own(&self, origin: &str) -> bool {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| self.all.iter().any(|it| it.eq_ignore_ascii_case(name)))
    }
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
    let tell_tale = ["origin", "referer", "cookie", "forwarded", "via"];
    headers.keys().any(|name| {
        let name = name.as_str();
        tell_tale.contains(&name) || name.starts_with("sec-") || name.starts_with("x-forwarded-")
    })
}
