//! [`SignIn`]: how people sign in on the page, with an identity provider.
//!
//! A sign-in that has begun is in the database, so that any server can end it, and ends once: by its state, in the browser
//! in which it began (a cookie), within ten minutes. A browser that is signed in gets a cookie and a key of its own, new
//! ones each time, as one with a link does (`sessions`).

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderValue, header, request::Parts};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use toolwright_app::config::OidcConfig;
use toolwright_core::printable;
use toolwright_store::{Grant, GrantKind, StoreError};

use super::{
    Gate, Identity, NamedTokens, Record, Way,
    beginnings::Beginnings,
    grants::{Holder, LIFE, later, now},
    head::{cookie, peer},
    oidc::{Begun, Claims, NotSignedIn, Provider},
    secret::{digest, random},
};
use crate::{ApiError, ServerError};

/// The cookie of a browser that is signed in.
pub(super) const SESSION: &str = "toolwright_session";
/// The cookie of a browser in which a sign-in has begun.
const BEGUN: &str = "toolwright_sign_in";
/// How long somebody may take to sign in.
const TIME: Duration = Duration::from_secs(10 * 60);
/// Where the provider sends browsers back to.
const BACK: &str = "/api/sign-in/oidc/callback";

/// How people sign in on the page.
pub(crate) struct SignIn {
    provider: Provider,
    beginnings: Beginnings,
    realm: String,
}

/// What comes back from a provider.
#[derive(Deserialize)]
pub(crate) struct Returned {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// A sign-in that has begun.
#[derive(Deserialize, Serialize)]
struct Waiting {
    nonce: String,
    verifier: String,
    /// The digest of the cookie of the browser in which it began.
    browser: String,
    redirect: String,
}

/// Why nobody is signed in, as the page is told.
enum Refusal {
    /// It took too long, was ended before, or began in another browser.
    Stale,
    /// The provider did not say who it is, or not so that it can be believed.
    Failed,
    /// Who it is may do nothing here.
    NotAllowed,
}

impl Refusal {
    fn word(&self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::Failed => "failed",
            Self::NotAllowed => "not_allowed",
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "nobody can sign in: the log cannot be used");
        Self::Failed
    }
}

impl SignIn {
    pub(super) fn new(config: &OidcConfig) -> Result<Self, ServerError> {
        let realm = format!("{} {}", config.issuer, config.client_id);
        Ok(Self { provider: Provider::new(config)?, beginnings: Beginnings::new(), realm })
    }

    /// Whether the provider answers, and with what is needed.
    pub(super) async fn check(&self) -> Result<(), ServerError> {
        let refused = |why: NotSignedIn| ServerError::Provider {
            issuer: self.provider.config().issuer.clone(),
            reason: why.to_string(),
        };
        self.provider.check().await.map_err(refused)
    }

    /// With whom people sign in, and as whose client: a session of anybody else's is none here.
    pub(super) fn realm(&self) -> &str {
        &self.realm
    }

    /// What the button says.
    pub(crate) fn label(&self) -> &str {
        &self.provider.config().label
    }
}

impl Gate {
    /// Sends a browser to where its user signs in.
    pub(crate) async fn begin_sign_in(&self, head: &Parts) -> Result<Response, ApiError> {
        let Some(sign_in) = &self.sign_in else { return Err(ApiError::not_found(NONE)) };
        let from = self.from(peer(head), head).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        if !sign_in.beginnings.may(from) {
            return Err(ApiError::overloaded(Duration::from_secs(1)));
        }
        let (state, browser) = (random(), random());
        let origin = self.names.origin(head);
        let waiting = Waiting {
            nonce: random(),
            verifier: random(),
            browser: digest(&browser),
            redirect: format!("{origin}{BACK}"),
        };
        let address = sign_in.provider.address(&waiting.begun(), &state).await;
        let address = match address {
            Ok(address) => address,
            Err(error) => {
                let issuer = &sign_in.provider.config().issuer;
                tracing::error!(%error, issuer, "nobody can sign in");
                return Ok(refused(head, &Refusal::Failed));
            }
        };
        let store = self.grants.store();
        store.tidy_grants(now()).await?;
        let at = now();
        let grant = Grant {
            kind: GrantKind::SignIn,
            name: digest(&state),
            digest: digest(&state),
            body: serde_json::to_string(&waiting).map_err(|_| ApiError::internal())?,
            created_at: at,
            used_at: at,
            expires_at: Some(later(TIME)),
        };
        if !store.put_grant(&grant).await? {
            return Err(ApiError::internal());
        }
        let (age, secure) = (TIME.as_secs(), secure(&origin));
        // The browser comes back from another site: with `Strict` it would not be sent.
        let cookie = format!(
            "{BEGUN}={browser}; Path=/api/sign-in; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
        );
        with_cookies(Redirect::to(address.as_str()).into_response(), [cookie])
    }

    /// Signs somebody in who comes back from the provider.
    pub(crate) async fn finish_sign_in(
        &self,
        head: &Parts,
        returned: &Returned,
    ) -> Result<Response, ApiError> {
        let Some(sign_in) = &self.sign_in else { return Err(ApiError::not_found(NONE)) };
        let holder = match self.returned(sign_in, head, returned).await {
            Ok(holder) => holder,
            Err(refusal) => return Ok(refused(head, &refusal)),
        };
        let (cookie, key) = (random(), random());
        let at = now();
        let grant = Grant {
            kind: GrantKind::Session,
            name: digest(&random()).chars().take(16).collect(),
            digest: digest(&cookie),
            body: serde_json::to_string(&Holder { key: Some(digest(&key)), ..holder.clone() })
                .map_err(|_| ApiError::internal())?,
            created_at: at,
            used_at: at,
            expires_at: Some(later(LIFE)),
        };
        if !self.grants.store().put_grant(&grant).await? {
            return Err(ApiError::internal());
        }
        let (age, secure) = (LIFE.as_secs(), secure(&self.names.origin(head)));
        let session =
            format!("{SESSION}={cookie}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
        let begun = format!("{BEGUN}=; Path=/api/sign-in; Max-Age=0; HttpOnly; SameSite=Lax");
        // What follows `#` is told to the page, and sent to nobody. It leads nowhere else, whatever was asked for.
        let page = Redirect::to(&format!("/#key={key}")).into_response();
        let response = with_cookies(page, [session, begun])?;
        if let Some(who) = holder.identity(Way::Oidc) {
            tell(head, Some(&who));
        }
        Ok(response)
    }

    /// Who came back.
    async fn returned(
        &self,
        sign_in: &SignIn,
        head: &Parts,
        returned: &Returned,
    ) -> Result<Holder, Refusal> {
        let state = returned.state.as_deref().ok_or(Refusal::Stale)?;
        let store = self.grants.store();
        let found = store.grant(GrantKind::SignIn, &digest(state)).await?;
        let found = found.filter(|it| it.is_current(now())).ok_or(Refusal::Stale)?;
        let waiting: Waiting = serde_json::from_str(&found.body).map_err(|_| Refusal::Stale)?;
        // Somebody else's sign-in, put under this user's hands, or the other way round.
        let browser = cookie(&head.headers, BEGUN).map(digest).unwrap_or_default();
        if !bool::from(browser.as_bytes().ct_eq(waiting.browser.as_bytes())) {
            return Err(Refusal::Stale);
        }
        if !store.remove_grant(GrantKind::SignIn, &found.name).await? {
            return Err(Refusal::Stale);
        }
        let config = sign_in.provider.config();
        if returned.iss.as_deref().is_some_and(|iss| iss != config.issuer) {
            tracing::warn!("a sign-in came back from another issuer");
            return Err(Refusal::Failed);
        }
        let Some(code) = returned.code.as_deref().filter(|_| returned.error.is_none()) else {
            return Err(Refusal::Failed);
        };
        let claims = sign_in.provider.claims(&waiting.begun(), code).await;
        let claims = claims.map_err(|error| {
            tracing::warn!(%error, "nobody was signed in");
            Refusal::Failed
        })?;
        self.admitted(sign_in, &claims)
    }

    /// Who it is, if they may do anything here.
    fn admitted(&self, sign_in: &SignIn, claims: &Claims) -> Result<Holder, Refusal> {
        let config = sign_in.provider.config();
        let subject = claims.text("sub").unwrap_or_default();
        let is_subject =
            config.subjects.is_empty() || config.subjects.iter().any(|it| it == subject);
        let domain = claims.email().and_then(|it| it.rsplit_once('@')).map(|(_, domain)| domain);
        let is_of = |domain: &str| config.domains.iter().any(|it| it.eq_ignore_ascii_case(domain));
        let is_domain = config.domains.is_empty() || domain.is_some_and(is_of);
        let scopes = self.scopes.of(claims.words(&config.groups));
        // An address is somebody's only where the provider says so.
        let owner = match config.name.as_str() {
            "email" => claims.email(),
            name => claims.text(name),
        };
        let owner = owner.filter(|name| NamedTokens::is_name(name));
        let Some(owner) = owner.filter(|_| is_subject && is_domain && !scopes.is_empty()) else {
            return Err(Refusal::NotAllowed);
        };
        let shown = claims.text("name").or_else(|| claims.text("preferred_username"));
        let shown = shown.or(claims.email()).unwrap_or(owner);
        // Nothing in it changes the order of what stands beside it.
        let name = printable(shown).chars().take(100).collect();
        // What a provider calls somebody by is another's where it is written in another way; an address is not.
        let owner = match config.name.as_str() {
            "sub" => format!("user:{owner}"),
            _ => NamedTokens::owner_for(owner),
        };
        let realm = Some(sign_in.realm.clone());
        Ok(Holder { name, owner, scopes: scopes.to_string(), realm, key: None })
    }
}

const NONE: &str = "nobody signs in here";

impl Waiting {
    fn begun(&self) -> Begun<'_> {
        Begun { redirect: &self.redirect, verifier: &self.verifier, nonce: &self.nonce }
    }
}

/// Back to the page, which says why.
fn refused(head: &Parts, refusal: &Refusal) -> Response {
    tell(head, None);
    Redirect::to(&format!("/#sign-in={}", refusal.word())).into_response()
}

/// Tells who signed in, or that nobody did.
fn tell(head: &Parts, who: Option<&Identity>) {
    if let Some(record) = head.extensions.get::<Record>() {
        record.signed_in(who);
    }
}

fn with_cookies(
    mut response: Response,
    cookies: impl IntoIterator<Item = String>,
) -> Result<Response, ApiError> {
    for cookie in cookies {
        let cookie = HeaderValue::try_from(cookie).map_err(|_| ApiError::internal())?;
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// What makes a browser drop its cookie.
pub(super) fn farewell() -> String {
    format!("{SESSION}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
}

/// What is told with a cookie that goes over TLS alone.
pub(super) fn secure(origin: &str) -> &'static str {
    if origin.starts_with("https:") { "; Secure" } else { "" }
}
