//! [`GuardedHttp`]: asks what a server names, and only where it may lead.

use std::{pin::Pin, time::Duration};

use http::{Request, StatusCode, header::AUTHORIZATION};
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use serde::de::DeserializeOwned;
use toolwright_core::is_this_machine;
use toolwright_http::{Address, AddressGuard, Client, HttpErrorKind, HttpSettings, Url};

use super::{AuthError, OAuthConfig, error::shown};

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest answer.
const LONGEST: usize = 256 << 10;

/// Asks what a server names, and only where it may lead. It follows nobody anywhere.
#[derive(Clone, Debug)]
pub(super) struct GuardedHttp {
    /// The server that one logs in to: on its own host it may name what it likes.
    server: Url,
    allow_hosts: Vec<String>,
}

impl GuardedHttp {
    pub(super) fn new(server: &Url, config: &OAuthConfig) -> Self {
        Self { server: server.clone(), allow_hosts: config.allow_hosts.clone() }
    }

    /// An address that a server names, if it may be gone to as far as can be told without looking it up.
    pub(super) fn checked(&self, what: &'static str, text: &str) -> Result<Url, AuthError> {
        let url = Url::parse(text).map_err(|_| {
            let reason = "it is not the address of a server".to_owned();
            AuthError::Address { what, url: shown(text), reason }
        })?;
        self.guard(what, &url)?;
        Ok(url)
    }

    fn guard(&self, what: &'static str, url: &Url) -> Result<AddressGuard, AuthError> {
        let refused = |reason: String| {
            let url = shown(url.as_str());
            AuthError::Address { what, url, reason }
        };
        let is_here = |url: &Url| url.host_str().is_some_and(is_this_machine);
        let is_ours = is_here(url) && is_here(&self.server);
        if url.scheme() != "https" && !(url.scheme() == "http" && is_ours) {
            let told =
                "it does not begin with https://, and what is said there could be read on the way";
            return Err(refused(told.to_owned()));
        }
        if url.fragment().is_some() {
            return Err(refused("it has a fragment".to_owned()));
        }
        // A proxy looks names up where one is set; where they lead to is a matter of its rules then.
        let mut guard = AddressGuard::new().with_any_port().with_proxies();
        for host in &self.allow_hosts {
            let bad =
                |reason| refused(format!("`allow_hosts` has an entry that is no host: {reason}"));
            guard = guard.allow_host(host).map_err(bad)?;
        }
        if is_ours || url.host_str() == self.server.host_str() {
            let (host, port) = (url.host_str(), url.port_or_known_default());
            let own = format!("{}:{}", host.unwrap_or_default(), port.unwrap_or_default());
            guard = guard.allow_host(&own).map_err(refused)?;
        }
        guard.check(url).map_err(|error| refused(error.to_string()))?;
        Ok(guard)
    }

    /// Sends a request, and reads the answer whole.
    pub(super) async fn send(
        &self,
        what: &'static str,
        request: Request<Vec<u8>>,
    ) -> Result<HttpResponse, AuthError> {
        let url = self.checked(what, &request.uri().to_string())?;
        let told = shown(url.as_str());
        let unreachable = |reason: String| {
            let url = told.clone();
            AuthError::Unreachable { what, url, reason }
        };
        let settings = HttpSettings::default().with_guard(self.guard(what, &url)?);
        let address = Address::new(&url.origin().ascii_serialization()).map_err(unreachable)?;
        let (mut head, body) = request.into_parts();
        if let Some(login) = head.headers.get_mut(AUTHORIZATION) {
            login.set_sensitive(true);
        }
        let answer = async {
            let client = Client::pinned_with(&address, &settings)?;
            let request = client.request(head.method, url).headers(head.headers).body(body);
            let mut response = request.send().await?;
            let body = response.bytes(LONGEST).await?;
            let mut answer = HttpResponse::new(body);
            *answer.status_mut() = response.status();
            *answer.headers_mut() = response.headers().clone();
            Ok::<_, toolwright_http::HttpError>(answer)
        };
        let answer = tokio::time::timeout(PATIENCE, answer).await;
        let answer =
            answer.map_err(|_| unreachable(format!("none in {} seconds", PATIENCE.as_secs())))?;
        let answer = answer.map_err(|error| match error.kind {
            HttpErrorKind::Blocked | HttpErrorKind::UncheckedProxy => {
                AuthError::Address { what, url: told.clone(), reason: error.to_string() }
            }
            _ => unreachable(error.to_string()),
        })?;
        if answer.status().is_redirection() {
            let status = answer.status();
            return Err(unreachable(format!(
                "it points elsewhere ({status}), and is not followed there"
            )));
        }
        Ok(answer)
    }

    /// What is at an address, if there is anything of this form.
    pub(super) async fn document<T: DeserializeOwned>(
        &self,
        what: &'static str,
        url: &Url,
    ) -> Result<Option<T>, AuthError> {
        let request = Request::get(url.as_str()).header("accept", "application/json");
        let request = request.body(Vec::new()).map_err(|_| {
            let reason = "it is not the address of a server".to_owned();
            AuthError::Address { what, url: shown(url.as_str()), reason }
        })?;
        let answer = self.send(what, request).await?;
        match answer.status() {
            StatusCode::OK => Ok(serde_json::from_slice(answer.body()).ok()),
            status if status.is_client_error() => Ok(None),
            status => Err(AuthError::Unreachable {
                what,
                url: shown(url.as_str()),
                reason: format!("HTTP {status}"),
            }),
        }
    }
}

/// Tokens are asked for at one kind of place.
impl<'c> AsyncHttpClient<'c> for GuardedHttp {
    type Error = AuthError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, AuthError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send("the token endpoint", request))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{super::TokenStore, *};

    fn of(server: &str, allow: &[&str]) -> GuardedHttp {
        let mut config = OAuthConfig::new(TokenStore::in_folder(std::path::Path::new("/nowhere")));
        config.allow_hosts = allow.iter().map(|it| (*it).to_owned()).collect();
        GuardedHttp::new(&server.parse().unwrap(), &config)
    }

    #[test]
    fn a_server_leads_to_the_public_and_to_its_own_host() {
        let may = |server: &str, url: &str| of(server, &[]).checked("it", url).is_ok();
        for server in
            ["https://mcp.example/mcp", "https://10.0.0.5:8443/mcp", "http://127.0.0.1:9/mcp"]
        {
            assert!(
                may(server, "https://login.example/x")
                    && may(server, "https://login.example:8443/x")
            );
            for url in [
                "https://169.254.169.254/",
                "https://2852039166/",
                "https://0xa9fea9fe/",
                "https://192.168.0.1/",
                "https://10.0.0.6/",
                "https://100.64.0.1/",
                "https://[fe80::1]/",
                "https://[::ffff:10.0.0.1]/",
                "https://0.0.0.0/",
                "http://login.example/",
                "ftp://login.example/",
                "https://a:b@login.example/",
                "https://login.example/#x",
                "/x",
                "",
            ] {
                assert!(!may(server, url), "{server} {url}");
            }
        }
        // This machine is only for who is on it, and no host of a network for another.
        for url in [
            "http://127.0.0.1:1/",
            "https://127.0.0.1/",
            "http://localhost:1/",
            "https://[::1]/",
            "https://[::ffff:127.0.0.1]/",
        ] {
            assert!(!may("https://mcp.example/mcp", url), "{url}");
            assert!(!may("https://10.0.0.5/mcp", url), "{url}");
            assert!(may("http://127.0.0.1:9/mcp", url), "{url}");
        }
        assert!(may("https://10.0.0.5:8443/mcp", "https://10.0.0.5/x"));
        assert!(!may("https://10.0.0.5:8443/mcp", "http://10.0.0.5/x"));
    }

    #[test]
    fn the_user_may_allow_a_host() {
        let own = of("https://mcp.corp.example/mcp", &["10.0.0.7", "10.0.0.8:8443"]);
        assert!(own.checked("it", "https://10.0.0.7/x").is_ok());
        assert!(own.checked("it", "https://10.0.0.8:8443/x").is_ok());
        assert!(own.checked("it", "https://10.0.0.8/x").is_err());
        assert!(own.checked("it", "http://10.0.0.7/x").is_err());
        let wrong = of("https://mcp.example/mcp", &["https://x/"]).checked("it", "https://y/");
        assert!(wrong.unwrap_err().to_string().contains("no host"));
    }
}
