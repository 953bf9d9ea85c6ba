//! [`Provider`]: an identity provider that speaks OpenID Connect, and [`Claims`]: what it says about somebody.
//!
//! What it says is believed as `OpenID` Connect Core 3.1.3.7 wants it: signed with a key that it publishes, for this server,
//! by that issuer, not over, and for the very sign-in that was begun.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderValue, StatusCode, header};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use toolwright_app::config::OidcConfig;
use toolwright_core::unambiguous;
use toolwright_http::{Client, Url};
use url::{Host, form_urlencoded};

use super::grants::now;
use crate::ServerError;

/// How long anything of it may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How large anything of it may be.
const LARGEST: usize = 1 << 20;
/// For how long what it says about itself is not asked again.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// How far clocks may be apart, in seconds.
const SKEW: u64 = 60;

/// Why nobody was signed in, for the log: nothing in it is secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NotSignedIn(String);

fn no(why: impl Into<String>) -> NotSignedIn {
    NotSignedIn(why.into())
}

/// What a provider says about somebody.
pub(super) struct Claims(Map<String, Value>);

impl Claims {
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// What may be one word or several.
    pub(super) fn words(&self, name: &str) -> Vec<&str> {
        match self.0.get(name) {
            Some(Value::String(word)) => vec![word],
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// The mail address, where the provider says that it is theirs.
    pub(super) fn email(&self) -> Option<&str> {
        let is_theirs = self.0.get("email_verified") == Some(&Value::Bool(true));
        self.text("email").filter(|_| is_theirs)
    }
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

/// A key that a provider signs with.
#[derive(Clone, Debug, Deserialize)]
struct Key {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
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
        #[derive(Deserialize)]
        struct Head {
            alg: String,
            kid: Option<String>,
            crit: Option<Value>,
        }
        let mut parts = token.split('.');
        let (Some(head), Some(body), Some(seal), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(no("the ID token is none"));
        };
        let told: Head = decoded(head)?;
        if told.crit.is_some() {
            return Err(no("the ID token wants something that is not known"));
        }
        let seal = bytes(seal)?;
        let said = token.get(..head.len() + 1 + body.len()).unwrap_or_default();
        let fits = |keys: &[Key]| {
            let named = keys.iter().filter(|key| key.is_for(&told.alg, told.kid.as_deref()));
            named.into_iter().any(|key| key.signed(&told.alg, said.as_bytes(), &seal))
        };
        // A provider may have begun to use another key meanwhile.
        if !fits(&self.keys(FRESH).await?) && !fits(&self.keys(Duration::from_secs(30)).await?) {
            return Err(no("no key of the provider's signed the ID token"));
        }
        let claims = Claims(claims(&bytes(body)?)?);
        self.check(&claims, nonce)?;
        Ok(claims)
    }

    fn check(&self, claims: &Claims, nonce: &str) -> Result<(), NotSignedIn> {
        let id = self.config.client_id.as_str();
        let seconds = now().0 / 1000;
        let time = |name: &str| claims.0.get(name).and_then(Value::as_f64);
        let (earliest, latest) = ((seconds - SKEW.min(seconds)) as f64, (seconds + SKEW) as f64);
        let audience = claims.words("aud");
        if claims.text("iss") != Some(self.config.issuer.as_str()) {
            return Err(no("the ID token is of another issuer"));
        }
        if !audience.contains(&id) {
            return Err(no("the ID token is for another client"));
        }
        let party = claims.0.get("azp");
        if (audience.len() > 1 || party.is_some()) && claims.text("azp") != Some(id) {
            return Err(no("the ID token was given to another client"));
        }
        if time("exp").is_none_or(|end| end <= earliest) {
            return Err(no("the ID token is over"));
        }
        if time("iat").is_none_or(|at| at > latest) || time("nbf").is_some_and(|at| at > latest) {
            return Err(no("the ID token is not good yet"));
        }
        if claims.text("nonce") != Some(nonce) {
            return Err(no("the ID token is of another sign-in"));
        }
        match claims.text("sub") {
            Some(sub) if !sub.is_empty() => Ok(()),
            _ => Err(no("the ID token says of nobody")),
        }
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

impl Key {
    fn is_for(&self, alg: &str, kid: Option<&str>) -> bool {
        let is_meant = kid.is_none_or(|kid| self.kid.as_deref().is_none_or(|own| own == kid));
        let is_for_it = self.alg.as_deref().is_none_or(|own| own == alg);
        is_meant && is_for_it && self.usage.as_deref() != Some("enc")
    }

    /// Whether it signed this. Which ways there are is said here and not by the token.
    fn signed(&self, alg: &str, said: &[u8], seal: &[u8]) -> bool {
        let part = |text: &Option<String>| text.as_deref().and_then(|it| bytes(it).ok());
        match (alg, self.kty.as_str()) {
            ("RS256", "RSA") => {
                let (Some(n), Some(e)) = (part(&self.n), part(&self.e)) else { return false };
                let key = RsaPublicKeyComponents { n, e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, said, seal).is_ok()
            }
            ("ES256", "EC") if self.crv.as_deref() == Some("P-256") => {
                let (Some(x), Some(y)) = (part(&self.x), part(&self.y)) else { return false };
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(said, seal).is_ok()
            }
            _ => false,
        }
    }
}

fn bytes(text: &str) -> Result<Vec<u8>, NotSignedIn> {
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| no("the ID token cannot be read"))
}

fn decoded<T: DeserializeOwned>(text: &str) -> Result<T, NotSignedIn> {
    serde_json::from_slice(&bytes(text)?).map_err(|_| no("the ID token cannot be read"))
}

/// What is claimed. One that stands twice is two things to two readers.
fn claims(said: &[u8]) -> Result<Map<String, Value>, NotSignedIn> {
    let text = str::from_utf8(said).map_err(|_| no("the ID token cannot be read"))?;
    match unambiguous(text) {
        Ok(Value::Object(claims)) => Ok(claims),
        Ok(_) => Err(no("the ID token claims nothing")),
        Err(error) => Err(no(format!("the ID token cannot be read: {error}"))),
    }
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
