//! [`Grant`]: what a login server gives, and asking it for that.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use oauth2::{
    AuthorizationCode, ClientId, ClientSecret, PkceCodeVerifier, RedirectUrl, RefreshToken,
    RequestTokenError, TokenResponse, TokenUrl,
    basic::{
        BasicClient, BasicErrorResponse, BasicErrorResponseType, BasicTokenResponse, BasicTokenType,
    },
};
use toolwright_http::Url;
use toolwright_redact::Secrets;

use super::{
    super::error::words, AuthError, guarded::GuardedHttp, registration::RegisteredClient, scopes,
    token_store::Credentials,
};

/// The longest token.
const LONGEST: usize = 16 << 10;
/// No token is good for longer.
const YEAR: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// What a login server gives.
pub(super) struct Grant {
    pub(super) access_token: String,
    pub(super) refresh_token: Option<String>,
    /// When it ends, in seconds since 1970.
    pub(super) expires_at: Option<u64>,
    /// What it allows, where that is said.
    pub(super) scopes: Option<Vec<String>>,
}

/// Why a login server gives nothing.
pub(super) enum NoGrant {
    /// It will not, however often it is asked.
    Refused(String),
    /// It did not, this time.
    Failed(AuthError),
}

impl From<NoGrant> for AuthError {
    fn from(why: NoGrant) -> Self {
        match why {
            NoGrant::Refused(reason) => Self::Refused(reason),
            NoGrant::Failed(error) => error,
        }
    }
}

/// Where a code is exchanged, and for what.
pub(super) struct CodeExchange<'a> {
    pub(super) client: &'a RegisteredClient,
    pub(super) token: &'a Url,
    pub(super) redirect: RedirectUrl,
    pub(super) resource: &'a str,
    pub(super) code: String,
    pub(super) verifier: PkceCodeVerifier,
}

impl CodeExchange<'_> {
    /// The tokens for a code that a browser came back with.
    pub(super) async fn send(self, http: &GuardedHttp) -> Result<Grant, NoGrant> {
        let Self { client, token, redirect, resource, code, verifier } = self;
        let secrets = [&code, verifier.secret()].map(Clone::clone);
        let known = at(client, token).set_redirect_uri(redirect);
        let request = known.exchange_code(AuthorizationCode::new(code)).set_pkce_verifier(verifier);
        let answer = request.add_extra_param("resource", resource).request_async(http).await;
        let secrets = secrets.iter().chain(&client.secret).map(String::as_str);
        grant(&answer.map_err(|error| no_grant(error, &Secrets::new(secrets)))?)
    }
}

/// New tokens in the place of those that end.
pub(super) async fn renew(http: &GuardedHttp, old: &Credentials) -> Result<Grant, NoGrant> {
    let bad = || AuthError::metadata("the token endpoint is not the address of a server");
    let token = Url::parse(&old.token_endpoint).map_err(|_| NoGrant::Failed(bad()))?;
    let refresh = RefreshToken::new(old.refresh_token.clone().unwrap_or_default());
    let known = at(&old.client, &token);
    let request = known.exchange_refresh_token(&refresh);
    let answer = request.add_extra_param("resource", &old.resource).request_async(http).await;
    let secrets = old.secrets();
    let secrets = Secrets::new(secrets.iter().map(String::as_str));
    grant(&answer.map_err(|error| no_grant(error, &secrets))?)
}

type TokenClient = BasicClient<
    oauth2::EndpointNotSet,
    oauth2::EndpointNotSet,
    oauth2::EndpointNotSet,
    oauth2::EndpointNotSet,
    oauth2::EndpointSet,
>;

fn at(client: &RegisteredClient, token: &Url) -> TokenClient {
    let known = BasicClient::new(ClientId::new(client.id.clone()))
        .set_auth_type(client.auth_type())
        .set_token_uri(TokenUrl::from_url(token.clone()));
    match &client.secret {
        Some(secret) => known.set_client_secret(ClientSecret::new(secret.clone())),
        None => known,
    }
}

fn grant(answer: &BasicTokenResponse) -> Result<Grant, NoGrant> {
    let bad = |told: &str| NoGrant::Failed(AuthError::metadata(told));
    if *answer.token_type() != BasicTokenType::Bearer {
        return Err(bad("the token endpoint gives tokens of a kind that is not known here"));
    }
    let access_token = answer.access_token().secret().clone();
    let is_token =
        |it: &str| (1..=LONGEST).contains(&it.len()) && it.bytes().all(|b| b.is_ascii_graphic());
    let refresh_token = answer.refresh_token().map(|it| it.secret().clone());
    if !is_token(&access_token) || refresh_token.as_ref().is_some_and(|it| it.len() > LONGEST) {
        return Err(bad("what the token endpoint gives is no token"));
    }
    let expires_at = answer.expires_in().map(|it| now() + it.min(YEAR).as_secs());
    let scopes =
        answer.scopes().map(|all| scopes::bounded(all.iter().map(|it| it.as_str().to_owned())));
    Ok(Grant { access_token, refresh_token, expires_at, scopes })
}

fn no_grant(error: RequestTokenError<AuthError, BasicErrorResponse>, secrets: &Secrets) -> NoGrant {
    let response = match error {
        RequestTokenError::ServerResponse(response) => response,
        RequestTokenError::Request(error) => return NoGrant::Failed(error),
        _ => {
            let told = "what the token endpoint gives is no answer by the protocol";
            return NoGrant::Failed(AuthError::metadata(told));
        }
    };
    let said = response.error_description().map(|it| format!(" ({it})")).unwrap_or_default();
    let said = format!("{}{said}", response.error().as_ref());
    let said = secrets.clean(&said).map_or(said, |(clean, _)| clean);
    let told = format!("the login server gives no token: {}", words(&said));
    match response.error() {
        // It has troubles of its own.
        BasicErrorResponseType::Extension(_) => NoGrant::Failed(AuthError::Refused(told)),
        _ => NoGrant::Refused(told),
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}
