//! [`Provider`]: an identity provider that speaks OpenID Connect.

mod token;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use sha2::{Digest, Sha256};
use toolwright_app::config::OidcConfig;
use toolwright_http::{Client, Url};
use url::{Host, form_urlencoded};

pub(super) use self::token::Claims;
use self::token::{IdToken, Key};
use crate::ServerError;

/// How long anything of it may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How large anything of it may be.
const LARGEST: usize = 1 << 20;
/// For how long what it says about itself is not asked again.
const FRESH: Duration = Duration::from_secs(10 * 60);

/// Why nobody was signed in, for the log: nothing in it is secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NotSignedIn(String);

fn no(why: impl Into<String>) -> NotSignedIn {
    NotSignedIn(why.into())
}

/// What a provider says about itself.
#[derive(Clone, Debug, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

#[derive(Clone, Debug, Deserialize)]
struct Keys {
    /// Those that cannot be read are of a kind that is not used here.
    keys: Vec<Value>,
}

/// What was said, and when.
type Kept<T> = Mutex<Option<(Instant, Arc<T>)>>;

/// An identity provider.
pub(super) struct Provider {
    config: OidcConfig,
    issuer: Url,
    client: Client,
    metadata: Kept<Metadata>,
    keys: Kept<Vec<Key>>,
}

/// What is said to the provider about a sign-in, and must come back with it.
pub(super) struct Begun<'a> {
    pub(super) redirect: &'a str,
    pub(super) verifier: &'a str,
    pub(super) nonce: &'a str,
}

impl Provider {
    pub(super) fn new(config: &OidcConfig) -> Result<Self, ServerError> {
        let wrong = |reason: &str| ServerError::identity("oidc.issuer", reason);
        let issuer = Url::parse(&config.issuer).map_err(|_| wrong("it is no address"))?;
        if !is_safe(&issuer) {
            return Err(wrong("it must be `https://…`"));
        }
        if !issuer.username().is_empty() || issuer.password().is_some() {
            return Err(wrong(
                "an issuer has no name and no password in it: leave out what is before the `@`",
            ));
        }
        if issuer.query().is_some() || issuer.fragment().is_some() {
            return Err(wrong(
                "an issuer has no `?` and no `#` in it: leave out what begins there",
            ));
        }
        Ok(Self {
            config: config.clone(),
            issuer,
            client: Client::following(),
            metadata: Mutex::default(),
            keys: Mutex::default(),
        })
    }

    pub(super) fn config(&self) -> &OidcConfig {
        &self.config
    }

    /// Whether it says about itself what is needed, and has keys that can be used here.
    pub(super) async fn check(&self) -> Result<(), NotSignedIn> {
        self.endpoint(&self.metadata().await?.authorization_endpoint)?;
        match self.keys(FRESH).await?.is_empty() {
            true => Err(no("none of the provider's keys can be used here")),
            false => Ok(()),
        }
    }

    /// Where a browser goes to sign in.
    pub(super) async fn address(&self, begun: &Begun<'_>, state: &str) -> Result<Url, NotSignedIn> {
        let metadata = self.metadata().await?;
        let mut url = self.endpoint(&metadata.authorization_endpoint)?;
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(begun.verifier.as_bytes()));
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", begun.redirect)
            .append_pair("scope", "openid profile email")
            .append_pair("state", state)
            .append_pair("nonce", begun.nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        Ok(url)
    }

    /// Who it is that signed in with this code.
    pub(super) async fn claims(
        &self,
        begun: &Begun<'_>,
        code: &str,
    ) -> Result<Claims, NotSignedIn> {
        #[derive(Deserialize)]
        struct Tokens {
            id_token: String,
        }
        let metadata = self.metadata().await?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", begun.redirect),
            ("code_verifier", begun.verifier),
        ];
        let mut request = self.client.post(self.endpoint(&metadata.token_endpoint)?);
        let (id, secret) = (&self.config.client_id, &self.config.client_secret);
        let methods = metadata.token_endpoint_auth_methods_supported.as_deref();
        // Where nothing is said it is the first.
        let is_basic = methods.is_none_or(|all| all.iter().any(|it| it == "client_secret_basic"));
        match secret {
            Some(secret) if is_basic => {
                request = request.header(header::AUTHORIZATION, basic(id, secret.reveal())?);
            }
            Some(secret) => {
                form.extend([("client_id", id.as_str()), ("client_secret", secret.reveal())]);
            }
            None => form.push(("client_id", id)),
        }
        let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
        let request = request.header(header::CONTENT_TYPE, kind).body(encoded(&form));
        let tokens: Tokens = answer(request, "the token endpoint").await?;
        self.verified(&tokens.id_token, begun.nonce).await
    }

    /// What a token says, if it is to be believed.
    async fn verified(&self, token: &str, nonce: &str) -> Result<Claims, NotSignedIn> {
        let token = IdToken::read(token)?;
        let fits = |keys: &[Key]| keys.iter().any(|key| token.is_signed_by(key));
        // A provider may have begun to use another key meanwhile.
        if !fits(&self.keys(FRESH).await?) && !fits(&self.keys(Duration::from_secs(30)).await?) {
            return Err(no("no key of the provider's signed the ID token"));
        }
        let claims = token.claims()?;
        claims.check(&self.config, nonce)?;
        Ok(claims)
    }

    async fn metadata(&self) -> Result<Arc<Metadata>, NotSignedIn> {
        if let Some(known) = kept(&self.metadata, FRESH) {
            return Ok(known);
        }
        let address = format!(
            "{}/.well-known/openid-configuration",
            self.config.issuer.trim_end_matches('/')
        );
        let address = self.endpoint(&address)?;
        let said: Metadata = answer(self.client.get(address), "its description").await?;
        if said.issuer != self.config.issuer {
            return Err(no("the provider says that it is another issuer"));
        }
        Ok(keep(&self.metadata, said))
    }

    async fn keys(&self, fresh: Duration) -> Result<Arc<Vec<Key>>, NotSignedIn> {
        if let Some(known) = kept(&self.keys, fresh) {
            return Ok(known);
        }
        let metadata = self.metadata().await?;
        let address = self.endpoint(&metadata.jwks_uri)?;
        let Keys { keys } = answer(self.client.get(address), "its keys").await?;
        let keys = keys.into_iter().filter_map(|key| serde_json::from_value(key).ok()).collect();
        Ok(keep(&self.keys, keys))
    }

    /// What the provider names is asked over TLS, or on this machine where it is here itself.
    fn endpoint(&self, text: &str) -> Result<Url, NotSignedIn> {
        let url = Url::parse(text).ok().filter(is_safe);
        let url = url.filter(|it| it.scheme() == "https" || self.issuer.scheme() == "http");
        url.ok_or_else(|| no("the provider names an address without TLS"))
    }
}

/// Whether nobody on the way can read or change what is said there.
fn is_safe(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_here)
}

/// RFC 6749, 2.3.1: both are encoded as in a form before they are joined.
fn basic(id: &str, secret: &str) -> Result<HeaderValue, NotSignedIn> {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(id), encoded(secret));
    let value = format!("Basic {}", base64::prelude::BASE64_STANDARD.encode(pair));
    let mut value = HeaderValue::try_from(value).map_err(|_| no("the secret cannot be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The fields of a form.
fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// What is answered, as JSON.
async fn answer<T: DeserializeOwned>(
    request: toolwright_http::RequestBuilder<'_>,
    what: &str,
) -> Result<T, NotSignedIn> {
    let accept = HeaderValue::from_static("application/json");
    let answered = async {
        let mut response = request.header(header::ACCEPT, accept).send().await?;
        let status = response.status();
        Ok::<_, toolwright_http::HttpError>((status, response.bytes(LARGEST).await?))
    };
    let answered = tokio::time::timeout(PATIENCE, answered).await;
    let answered = answered.map_err(|_| no(format!("{what} of the provider does not answer")))?;
    let (status, body) =
        answered.map_err(|error| no(format!("{what} of the provider: {error}")))?;
    if status != StatusCode::OK {
        return Err(no(format!("{what} of the provider answered with {}", status.as_u16())));
    }
    serde_json::from_slice(&body).map_err(|_| no(format!("{what} of the provider cannot be read")))
}

fn kept<T>(kept: &Kept<T>, fresh: Duration) -> Option<Arc<T>> {
    let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.as_ref().filter(|(at, _)| at.elapsed() < fresh).map(|(_, it)| it.clone())
}

fn keep<T>(kept: &Kept<T>, value: T) -> Arc<T> {
    let value = Arc::new(value);
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), value.clone()));
    value
}
