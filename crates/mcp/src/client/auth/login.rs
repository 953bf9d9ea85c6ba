//! [`Login`]: a login that was begun, until the browser comes back.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use oauth2::{
    AuthUrl, ClientId, CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    basic::BasicClient,
};
use tokio::sync::mpsc;
use toolwright_core::is_this_machine;
use toolwright_http::Url;

use super::{
    super::{HttpEndpoint, McpServerConfig, McpTransport, error::words},
    AuthError, OAuthConfig,
    client::CodeExchange,
    discovery::LoginServer,
    error::shown,
    guarded::GuardedHttp,
    probe::probe,
    redirect::{RedirectAnswer, RedirectListener},
    registration::RegisteredClient,
    scopes,
    token_store::Credentials,
};

/// How long the user may take.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// A login that was begun: the address that a user opens, and the port that the browser comes back to.
pub struct Login {
    name: String,
    endpoint: Url,
    config: OAuthConfig,
    http: GuardedHttp,
    server: LoginServer,
    client: RegisteredClient,
    listener: RedirectListener,
    state: CsrfToken,
    verifier: PkceCodeVerifier,
    scopes: Vec<String>,
    url: Url,
}

impl Login {
    /// Finds out where one logs in to a server, and waits for the browser from now on.
    ///
    /// # Errors
    /// When one cannot log in to it, or what it says about that cannot be trusted.
    pub async fn begin(server: &McpServerConfig) -> Result<Self, AuthError> {
        let (endpoint, config) = parts(server)?;
        let http = GuardedHttp::new(&endpoint.url, config);
        let challenge = probe(endpoint).await?;
        let found = LoginServer::discover(&http, &endpoint.url, challenge.as_ref()).await?;
        check_same_issuer(&server.name, &endpoint.url, config, &found)?;
        let listener = RedirectListener::open(config.callback_port).await?;
        let redirect = listener.address();
        let client = RegisteredClient::find(&http, &found, config, &redirect).await?;
        let scopes = wanted_scopes(&server.name, &endpoint.url, config, &found)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let known = BasicClient::new(ClientId::new(client.id.clone()))
            .set_auth_uri(AuthUrl::from_url(found.authorize.clone()))
            .set_redirect_uri(redirect_url(&redirect)?);
        let (url, state) = known
            .authorize_url(CsrfToken::new_random)
            .set_pkce_challenge(challenge)
            .add_scopes(scopes.iter().cloned().map(Scope::new))
            .add_extra_param("resource", &found.resource)
            .url();
        Ok(Self {
            name: server.name.clone(),
            endpoint: endpoint.url.clone(),
            config: config.clone(),
            http,
            server: found,
            client,
            listener,
            state,
            verifier,
            scopes,
            url,
        })
    }

    /// The address that the user opens in a browser.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The server that lets one in.
    pub fn issuer(&self) -> &str {
        &self.server.issuer
    }

    /// What is asked for.
    pub fn scopes(&self) -> &[String] {
        &self.scopes
    }

    /// Waits until the browser comes back, or until the user pastes the address that it ended at, and keeps what
    /// came of it.
    ///
    /// # Errors
    /// When nobody logged in, or the login server gives no token.
    pub async fn finish(self, mut pasted: mpsc::Receiver<String>) -> Result<(), AuthError> {
        let state = self.state.secret().clone();
        let redirect = self.listener.address();
        let by_hand = async {
            while let Some(text) = pasted.recv().await {
                let answer = Url::parse(text.trim()).ok();
                if let Some(answer) = answer.and_then(|it| RedirectAnswer::read(&it, &state)) {
                    return answer;
                }
            }
            std::future::pending().await
        };
        let came_back = async {
            tokio::select! {
                answer = self.listener.answer(&state) => answer,
                answer = by_hand => answer,
            }
        };
        let answer = tokio::time::timeout(PATIENCE, came_back).await;
        let answer = answer.map_err(|_| AuthError::Slow(toolwright_duration::format(PATIENCE)))?;
        let code = code(answer, &self.server)?;
        let exchange = CodeExchange {
            client: &self.client,
            token: &self.server.token,
            redirect: redirect_url(&redirect)?,
            resource: &self.server.resource,
            code,
            verifier: self.verifier,
        };
        let grant = exchange.send(&self.http).await?;
        let login = Credentials {
            server: self.endpoint.into(),
            resource: self.server.resource,
            issuer: self.server.issuer,
            token_endpoint: self.server.token.into(),
            client: self.client,
            access_token: grant.access_token,
            refresh_token: grant.refresh_token,
            expires_at: grant.expires_at,
            // Where nothing is said it is what was asked for.
            scopes: grant.scopes.unwrap_or(self.scopes),
            since: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, nanoseconds),
            wanted: Vec::new(),
        };
        let kept = self.config.tokens.save(&self.name, login);
        kept.map_err(|error| not_kept(&self.config, &error))
    }
}

/// Where a server is, and how one logs in to it.
fn parts(server: &McpServerConfig) -> Result<(&HttpEndpoint, &OAuthConfig), AuthError> {
    let none = |told: &str| Err(AuthError::NotOffered(told.to_owned()));
    let (endpoint, config) = match (&server.transport, &server.oauth) {
        (McpTransport::Http(endpoint), Some(config)) => (endpoint, config),
        (McpTransport::Http(_), None) => {
            return none("it is sent a token of yours already: `bearer_token_env`, or a header");
        }
        (McpTransport::Off(reason), _) if !reason.is_empty() => return none(reason),
        (McpTransport::Off(_), _) => return none("it is switched off"),
        (McpTransport::Stdio(_), _) => {
            return none("it is a program on this machine, and nobody logs in to it");
        }
    };
    if !is_safe(&endpoint.url) {
        return none("its address does not begin with https://: a token could be read on the way");
    }
    Ok((endpoint, config))
}

/// Whether a token may be sent there.
pub(super) fn is_safe(url: &Url) -> bool {
    url.scheme() == "https" || url.host_str().is_some_and(is_this_machine)
}

/// A client that was registered by hand was registered at one login server: should the server name another since,
/// that one would be shown its secret, and nobody asked the user.
fn check_same_issuer(
    name: &str,
    url: &Url,
    config: &OAuthConfig,
    server: &LoginServer,
) -> Result<(), AuthError> {
    let last = config.tokens.of(name, url).map_err(|error| not_kept(config, &error))?;
    let Some(last) = last.filter(|it| config.client_id.as_ref() == Some(&it.client.id)) else {
        return Ok(());
    };
    if last.issuer == server.issuer {
        return Ok(());
    }
    let (before, now) = (shown(&last.issuer), shown(&server.issuer));
    Err(AuthError::metadata(format!(
        "it names another login server ({now}) than the one you logged in by ({before}), where `client_id` was \
         registered: where that is right, `toolwright mcp logout {name}` forgets the one before"
    )))
}

/// What is asked for: what the user says; or what the server wants, with what it found missing since the last login.
fn wanted_scopes(
    name: &str,
    url: &Url,
    config: &OAuthConfig,
    server: &LoginServer,
) -> Result<Vec<String>, AuthError> {
    if let Some(scopes) = &config.scopes {
        return Ok(scopes::bounded(scopes.iter().cloned()));
    }
    let last = config.tokens.of(name, url).map_err(|error| not_kept(config, &error))?;
    let missing = last.filter(|it| !it.wanted.is_empty());
    let more = missing.into_iter().flat_map(|it| it.scopes.into_iter().chain(it.wanted));
    let stays = (server.has_offline_access).then(|| "offline_access".to_owned());
    Ok(scopes::bounded(server.scopes.iter().cloned().chain(more).chain(stays)))
}

/// The code that a browser came back with.
fn code(answer: RedirectAnswer, server: &LoginServer) -> Result<String, AuthError> {
    let own = shown(&server.issuer);
    // Looked at first: what another server says is none of this login's business (RFC 9207).
    match &answer.issuer {
        Some(issuer) if *issuer != server.issuer => {
            return Err(AuthError::metadata(format!(
                "the browser came back from another login server ({}) than it was sent to ({own})",
                shown(issuer)
            )));
        }
        None if server.tells_issuer => {
            return Err(AuthError::metadata(format!(
                "the browser came back without the name of the login server ({own}), which always tells it"
            )));
        }
        _ => {}
    }
    match (answer.error, answer.code) {
        (Some(error), _) => {
            let more = answer.error_description.map(|it| format!(" ({it})")).unwrap_or_default();
            let said = words(&format!("{error}{more}"));
            Err(AuthError::Refused(format!("the login server {own} did not let you in: {said}")))
        }
        (None, Some(code)) if !code.is_empty() => Ok(code),
        _ => Err(AuthError::metadata(format!("the login server {own} gave the browser no code"))),
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn redirect_url(address: &str) -> Result<RedirectUrl, AuthError> {
    let bad = |_| AuthError::Local("there is no address to come back to".to_owned());
    RedirectUrl::new(address.to_owned()).map_err(bad)
}

fn not_kept(config: &OAuthConfig, error: &std::io::Error) -> AuthError {
    AuthError::Local(format!("{} cannot be used: {error}", config.tokens.path().display()))
}
