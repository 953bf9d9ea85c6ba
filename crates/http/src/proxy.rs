//! [`Proxy`]: who passes requests on; [`Proxies`]: which one, for which address.

use http::{HeaderValue, Uri, uri::Scheme};
use toolwright_core::is_this_machine;
use url::Url;

use crate::{HttpError, HttpErrorKind, basic::Login, no_proxy::NoProxy};

/// Who passes requests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Proxy {
    /// Scheme, host and port; without a login.
    pub(crate) uri: Uri,
    pub(crate) kind: ProxyKind,
    pub(crate) login: Option<Login>,
}

/// What a proxy is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProxyKind {
    /// HTTP: `CONNECT` for what is encrypted, whole addresses for what is not.
    Http,
    /// SOCKS, version 5; names are looked up by the proxy.
    Socks,
}

impl Proxy {
    /// Reads the address of a proxy: `host:port`, `http://`, `https://`, `socks5://`, `socks5h://`.
    ///
    /// # Errors
    /// When it is none; nothing of it is repeated, as a password may be in it.
    pub(crate) fn new(text: &str) -> Result<Self, &'static str> {
        const FORM: &str = "a proxy is written as http://HOST:PORT, https://HOST:PORT or \
                            socks5://HOST:PORT, with NAME:PASSWORD@ before the host if it wants a login";
        let text = text.trim();
        let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let mut url = Url::parse(&whole).map_err(|_| FORM)?;
        let login = Login::take(&mut url);
        let (kind, usual) = match url.scheme() {
            "http" => (ProxyKind::Http, 80),
            "https" => (ProxyKind::Http, 443),
            "socks5" | "socks5h" => (ProxyKind::Socks, 1080),
            _ => return Err(FORM),
        };
        let host = url.host_str().filter(|it| !it.is_empty()).ok_or(FORM)?;
        let authority = format!("{host}:{}", url.port().unwrap_or(usual));
        let uri = Uri::builder().scheme(url.scheme()).authority(authority).path_and_query("/");
        Ok(Self { uri: uri.build().map_err(|_| FORM)?, kind, login })
    }

    /// The proxy as people may see it.
    pub(crate) fn shown(&self) -> String {
        self.uri.to_string().trim_end_matches('/').to_owned()
    }

    /// What shows an HTTP proxy who asks.
    pub(crate) fn authorization(&self) -> Option<HeaderValue> {
        self.login.as_ref().filter(|_| self.kind == ProxyKind::Http).and_then(Login::basic)
    }
}

/// A proxy that is set, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    place: &'static str,
    proxy: Result<Proxy, &'static str>,
}

/// Which proxy is used for which address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proxies {
    http: Option<Named>,
    https: Option<Named>,
    no: NoProxy,
}

impl Proxies {
    /// Those that the environment names, as curl reads it: names in lower case first, an empty one is not
    /// set, and `HTTP_PROXY` is nobody's word where a web server made it of a request's header (CGI).
    pub(crate) fn of_vars(vars: &dyn Fn(&'static str) -> Option<String>) -> Self {
        let named = |names: &[&'static str]| {
            let set = |name: &&'static str| {
                vars(name).filter(|it| !it.trim().is_empty()).map(|it| (*name, it))
            };
            names.iter().find_map(set)
        };
        let proxy =
            |(place, text): (&'static str, String)| Named { place, proxy: Proxy::new(&text) };
        let is_cgi = vars("REQUEST_METHOD").is_some();
        let of_http: &[&'static str] =
            if is_cgi { &["http_proxy"] } else { &["http_proxy", "HTTP_PROXY"] };
        let all = || named(&["all_proxy", "ALL_PROXY"]);
        Self {
            http: named(of_http).or_else(all).map(proxy),
            https: named(&["https_proxy", "HTTPS_PROXY"]).or_else(all).map(proxy),
            no: NoProxy::new(&named(&["no_proxy", "NO_PROXY"]).unwrap_or_default().1),
        }
    }

    /// This one for all addresses, or none.
    pub(crate) fn with_proxy(self, proxy: Option<Proxy>) -> Self {
        let named = proxy.map(|proxy| Named { place: "proxy", proxy: Ok(proxy) });
        Self { http: named.clone(), https: named, ..self }
    }

    pub(crate) fn with_no_proxy(self, list: &str) -> Self {
        Self { no: NoProxy::new(list), ..self }
    }

    /// The proxy for an origin. This machine is never asked through one: it would be asked for itself.
    pub(crate) fn of(&self, origin: &Uri) -> Result<Option<Proxy>, HttpError> {
        let host = origin.host().unwrap_or_default();
        if is_this_machine(&host.to_ascii_lowercase()) || self.no.contains(host, port(origin)) {
            return Ok(None);
        }
        let named = if is_encrypted(origin) { &self.https } else { &self.http };
        let Some(Named { place, proxy }) = named else { return Ok(None) };
        proxy.clone().map(Some).map_err(|form| {
            let reason =
                format!("{place} is set to something that is not the address of a proxy: {form}");
            HttpError::new(HttpErrorKind::Settings, reason)
                .with_advice("correct it, or name the host in NO_PROXY")
        })
    }

    /// Which proxies there are, for people.
    pub(crate) fn shown(&self) -> Vec<(&'static str, String)> {
        let shown = |named: &Option<Named>| {
            let named = named.as_ref()?;
            let text = named.proxy.as_ref().map_or_else(|it| (*it).to_owned(), Proxy::shown);
            Some((named.place, text))
        };
        let mut all: Vec<_> = [&self.https, &self.http].into_iter().filter_map(shown).collect();
        all.dedup();
        all
    }

    /// The passwords in them.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let named = [&self.https, &self.http].into_iter().flatten();
        let logins = named.filter_map(|it| it.proxy.as_ref().ok()?.login.as_ref());
        logins.map(|it| it.password.clone()).collect()
    }
}

/// Whether what is sent there is encrypted.
pub(crate) fn is_encrypted(origin: &Uri) -> bool {
    origin.scheme() == Some(&Scheme::HTTPS)
}

/// The port of an origin.
pub(crate) fn port(origin: &Uri) -> u16 {
    origin.port_u16().unwrap_or(if is_encrypted(origin) { 443 } else { 80 })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(vars: &[(&str, &str)], origin: &str) -> Result<Option<String>, HttpError> {
        let get = |name: &str| {
            vars.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned())
        };
        let proxy = Proxies::of_vars(&get).of(&origin.parse().unwrap())?;
        Ok(proxy.map(|it| it.shown()))
    }

    #[test]
    fn the_environment_is_read_as_curl_reads_it() {
        let (plain, secure) = ("http://a.test/", "https://a.test/");
        let some = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(of(&[], secure), Ok(None));
        assert_eq!(of(&[("HTTPS_PROXY", "p:1")], secure), some("http://p:1"));
        assert_eq!(of(&[("HTTPS_PROXY", "p:1")], plain), Ok(None));
        assert_eq!(of(&[("HTTP_PROXY", "p:1")], secure), Ok(None));
        assert_eq!(of(&[("HTTP_PROXY", "p:1")], plain), some("http://p:1"));
        assert_eq!(
            of(&[("https_proxy", "q"), ("HTTPS_PROXY", "p:1")], secure),
            some("http://q:80")
        );
        assert_eq!(of(&[("https_proxy", " "), ("HTTPS_PROXY", "p:1")], secure), some("http://p:1"));
        assert_eq!(of(&[("ALL_PROXY", "socks5h://s")], plain), some("socks5h://s:1080"));
        assert_eq!(of(&[("ALL_PROXY", "s:1"), ("HTTP_PROXY", "p:1")], secure), some("http://s:1"));
        assert_eq!(of(&[("HTTPS_PROXY", "https://me:pw@p")], secure), some("https://p:443"));
        // A request's `Proxy:` header is `HTTP_PROXY` to a program that a web server starts.
        let cgi = [("REQUEST_METHOD", "GET"), ("HTTP_PROXY", "p:1")];
        assert_eq!(of(&cgi, plain), Ok(None));
        assert_eq!(of(&[cgi[0], ("http_proxy", "q:1")], plain), some("http://q:1"));
        assert_eq!(of(&[("HTTPS_PROXY", "p:1"), ("NO_PROXY", "a.test")], secure), Ok(None));
        for here in
            ["https://localhost/", "https://LOCALHOST/", "https://127.0.0.1:1/", "https://[::1]/"]
        {
            assert_eq!(of(&[("ALL_PROXY", "p:1")], here), Ok(None), "{here}");
        }
    }

    #[test]
    fn what_is_no_proxy_is_an_error_where_it_would_be_used_and_is_not_repeated() {
        for text in
            ["ftp://me:hunter2@p", "http://", "me:hunter2@", "http://me:hunter2@p:99999", "://x"]
        {
            let vars = [("HTTPS_PROXY", text)];
            let error = of(&vars, "https://a.test/").unwrap_err();
            assert_eq!(error.kind, HttpErrorKind::Settings);
            assert!(error.reason.contains("HTTPS_PROXY"), "{error}");
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
            assert_eq!(of(&vars, "http://a.test/"), Ok(None), "it is used for nothing else");
            assert_eq!(of(&vars, "https://localhost/"), Ok(None));
        }
        let proxy = Proxy::new("http://me:hunter2@p:1").unwrap();
        assert!(!format!("{proxy:?} {}", proxy.shown()).contains("hunter2"));
        let basic = proxy.authorization().unwrap();
        assert_eq!(basic, "Basic bWU6aHVudGVyMg==");
        assert!(basic.is_sensitive());
    }
}
