//! [`HttpSettings`]: which proxies, certificates and headers requests are sent with.

use std::{
    env, fmt,
    path::Path,
    sync::{Arc, OnceLock},
    time::Duration,
};

use http::{HeaderMap, Uri};

use crate::{
    AddressGuard, HttpError, HttpErrorKind,
    headers::OriginHeaders,
    proxy::{Proxies, Proxy},
    tls::Roots,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Those of this process, where they are not the environment's.
static OF_PROCESS: OnceLock<HttpSettings> = OnceLock::new();

/// Which proxies, certificates and headers requests are sent with. Cloning is cheap. Printing them shows
/// no password and no header.
///
/// The default is what the process was told ([`HttpSettings::install`]), or the environment:
/// `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in lower case, too. Whoever makes a client
/// without saying anything gets it, so that nothing connects in another way than the rest.
#[derive(Clone)]
pub struct HttpSettings {
    proxies: Arc<Proxies>,
    headers: Arc<OriginHeaders>,
    pub(crate) roots: Arc<Roots>,
    pub(crate) connect_timeout: Duration,
    pub(crate) guard: Option<Arc<AddressGuard>>,
}

impl Default for HttpSettings {
    fn default() -> Self {
        OF_PROCESS.get().cloned().unwrap_or_else(Self::from_env)
    }
}

impl HttpSettings {
    /// What the environment says.
    pub fn from_env() -> Self {
        // What is no text stays set: it is no proxy then, and nothing goes round it.
        Self::from_vars(&|name| env::var_os(name).map(|it| it.to_string_lossy().into_owned()))
    }

    /// As [`HttpSettings::from_env`], with variables of the caller's.
    pub fn from_vars(vars: &dyn Fn(&'static str) -> Option<String>) -> Self {
        Self {
            proxies: Arc::new(Proxies::of_vars(vars)),
            headers: Arc::default(),
            roots: Roots::system(),
            connect_timeout: CONNECT_TIMEOUT,
            guard: None,
        }
    }

    /// Makes these the default of this process. Only the first who says so is heard: clients that were
    /// made before keep theirs.
    pub fn install(self) {
        let _ = OF_PROCESS.set(self);
    }

    /// With this proxy for all addresses but those of this machine and of `no_proxy`:
    /// `http://HOST:PORT`, `https://…` or `socks5://…`, with `NAME:PASSWORD@` if need be; or `off`.
    ///
    /// # Errors
    /// When it is none. Nothing of it is repeated.
    pub fn with_proxy(mut self, proxy: &str) -> Result<Self, HttpError> {
        let proxy = match proxy.trim() {
            proxy if proxy.eq_ignore_ascii_case("off") => None,
            proxy => Some(Proxy::new(proxy).map_err(|form| {
                let reason = format!("what is set is not the address of a proxy: {form}");
                HttpError::new(HttpErrorKind::Settings, reason)
                    .with_advice("correct it, or write `off` for none")
            })?),
        };
        self.proxies = Arc::new(Proxies::clone(&self.proxies).with_proxy(proxy));
        Ok(self)
    }

    /// With another list of what is asked without a proxy: hosts, `.domains`, addresses, networks
    /// (`10.0.0.0/8`), with a port if need be, parted by commas; `*` for everything.
    #[must_use]
    pub fn with_no_proxy(mut self, list: &str) -> Self {
        self.proxies = Arc::new(Proxies::clone(&self.proxies).with_no_proxy(list));
        self
    }

    /// Trusting the certificates in this file (PEM) besides those the system trusts.
    ///
    /// # Errors
    /// When there are none in it.
    pub fn with_ca_file(mut self, file: impl AsRef<Path>) -> Result<Self, HttpError> {
        self.roots = Arc::new(Roots::with_file(file.as_ref())?);
        Ok(self)
    }

    /// With headers for every request to an origin (`https://gateway.example`), and to no other.
    ///
    /// # Errors
    /// When the origin, a name or a value cannot be used. No value is repeated.
    pub fn with_headers(
        mut self,
        origin: &str,
        headers: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, HttpError> {
        self.headers = Arc::new(OriginHeaders::clone(&self.headers).with(origin, headers)?);
        Ok(self)
    }

    /// Without the headers of any origin.
    #[must_use]
    pub fn without_headers(mut self) -> Self {
        self.headers = Arc::default();
        self
    }

    /// How long a server or a proxy may take for each step of connecting.
    #[must_use]
    pub fn with_connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Connecting only where the guard lets one: for addresses that somebody else names. Headers that are set
    /// for an origin are no part of such requests, as whoever names an address would use them.
    #[must_use]
    pub fn with_guard(mut self, guard: AddressGuard) -> Self {
        self.guard = Some(Arc::new(guard));
        self.without_headers()
    }

    /// Which proxies are used, and where each was set, for people: no logins.
    pub fn proxies(&self) -> Vec<(&'static str, String)> {
        self.proxies.shown()
    }

    /// The passwords of proxies, which nothing may repeat.
    pub fn secrets(&self) -> Vec<String> {
        self.proxies.secrets()
    }

    pub(crate) fn proxy(&self, origin: &Uri) -> Result<Option<Proxy>, HttpError> {
        self.proxies.of(origin)
    }

    pub(crate) fn headers(&self, origin: &str) -> HeaderMap {
        self.headers.of(origin)
    }
}

impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpSettings")
            .field("proxies", &self.proxies())
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}
