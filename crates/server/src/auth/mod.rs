//! [`Gate`]: who may come in. It looks at the head of every request, before its body is read and
//! whatever route it names.
//!
//! Under which name the server was asked for, and which page asks, comes first: a page of somebody
//! else's can make a browser send requests, cookie and all. Then who asks: somebody with the token, a
//! browser that was let in with a link, or a program of the same user on the same machine.

mod asker;
mod audit;
mod beginnings;
#[cfg(target_os = "linux")]
mod diag;
mod entering;
mod grants;
mod groups;
mod head;
mod identity;
mod linked;
mod links;
mod meant;
mod named;
mod names;
mod oidc;
mod owner;
mod peer;
mod refusal;
mod revocable;
mod secret;
mod sessions;
mod sign_in;
mod token;
mod trusted;
mod visitor;

use std::{net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use axum::response::{IntoResponse, Redirect, Response};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, HeaderValue, header, request::Parts};
use toolwright_store::{GrantKind, Store};

pub(crate) use self::token::VARIABLE;
pub(crate) use self::{
    asker::Asker,
    audit::{Done, Record},
    entering::check,
    identity::{Identity, Way},
    peer::Peer,
    sign_in::Returned,
};
use self::{
    grants::{GrantError, Grants},
    groups::ScopeMap,
    head::{cookie, is_for_page, launch_token, peer},
    linked::Browsers,
    links::Links,
    names::Names,
    sign_in::SignIn,
    trusted::{Header, Proxies},
};
pub use self::{
    identity::{Scope, Scopes},
    linked::{LinkedBrowser, LinkedBrowsers},
    named::{AddedToken, NamedToken, NamedTokens, NewToken, SignedInBrowser, SignedInBrowsers},
    sessions::{BrowserSession, BrowserSessions},
    token::Token,
};
use crate::{
    ApiError, AuthMode, IdentityConfig, ServerError, Settings,
    routes::{Need, Row},
};

/// How many wrong tokens a second are looked at.
const GUESSES: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// Who may come in.
pub(crate) struct Gate {
    names: Names,
    auth: AuthMode,
    token: Token,
    browsers: Browsers,
    links: Links,
    guesses: DefaultDirectRateLimiter,
    grants: Grants,
    proxies: Proxies,
    header: Option<Header>,
    scopes: ScopeMap,
    sign_in: Option<SignIn>,
}

/// What is configured about people who sign in.
struct People {
    proxies: Proxies,
    header: Option<Header>,
    scopes: ScopeMap,
    sign_in: Option<SignIn>,
}

impl People {
    fn new(identity: &IdentityConfig) -> Result<Self, ServerError> {
        let sign_in = identity.oidc.as_ref().map(SignIn::new).transpose()?;
        let (proxies, header) = (Proxies::new(identity)?, Header::new(identity)?);
        let scopes = ScopeMap::new(identity)?;
        meant::check(identity)?;
        Ok(Self { proxies, header, scopes, sign_in })
    }
}

/// Whether people could sign in as it is configured: each setting can be used, and the identity provider answers.
///
/// # Errors
/// What stands in their way.
pub async fn check_identity(identity: &IdentityConfig) -> Result<(), ServerError> {
    match People::new(identity)?.sign_in {
        Some(sign_in) => sign_in.check().await,
        None => Ok(()),
    }
}

impl Gate {
    pub(crate) async fn new(settings: &Settings, store: &Store) -> Result<Self, ServerError> {
        let address = settings.address;
        let People { proxies, header, scopes, sign_in } = People::new(&settings.identity)?;
        Ok(Self {
            grants: Grants::new(store.clone()),
            proxies,
            header,
            scopes,
            sign_in,
            names: Names::of(address, &settings.hosts)?,
            auth: settings.auth,
            token: settings.token.clone(),
            browsers: Browsers::new(store, &settings.folder, address.port()).await,
            links: Links::new(store, settings.limits.link),
            guesses: RateLimiter::direct(Quota::per_second(GUESSES)),
        })
    }

    /// From which address somebody asks; none where it is no network that they come by.
    fn from(&self, peer: Option<&Arc<Peer>>, head: &Parts) -> Option<IpAddr> {
        peer.and_then(|it| it.ip()).map(|ip| self.proxies.client(&head.headers, ip))
    }

    /// A link that lets one browser in, once.
    pub(crate) async fn link(&self) -> Result<String, GrantError> {
        Ok(format!("{}/?token={}", self.page(), self.links.make().await?))
    }

    /// Where people open the page.
    pub(crate) fn page(&self) -> &str {
        self.names.public()
    }

    /// What is typed into a shell for a link; `token` stands for the server's token there, where one is needed.
    pub(crate) fn link_command(&self, token: &str) -> String {
        match self.auth {
            // Only on this machine is anybody known without it.
            AuthMode::Local => format!("curl -X POST {}/api/launch", self.names.first()),
            AuthMode::Token => format!(
                "curl -X POST -H \"Authorization: Bearer {token}\" {}/api/launch",
                self.page()
            ),
        }
    }

    /// How people sign in, where they do.
    pub(crate) fn sign_in(&self) -> Option<&SignIn> {
        self.sign_in.as_ref()
    }

    /// Forgets the browser that asks, and has it forget its cookies.
    pub(crate) async fn sign_out(&self, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
        if let Some(shown) = self.browser_cookie(headers) {
            self.forget_browser(shown).await?;
        }
        if let Some(shown) = cookie(headers, sign_in::SESSION) {
            self.grants.forget(GrantKind::Session, shown).await?;
        }
        let farewells = [self.browsers.farewell(), sign_in::farewell()];
        let values = farewells.into_iter().map(HeaderValue::try_from);
        values.collect::<Result<_, _>>().map_err(|_| ApiError::internal())
    }

    /// Whether this is for everybody: the page and the ways to sign in, where people sign in.
    fn is_for_all(&self, head: &Parts, row: Option<&Row>) -> bool {
        let is_way_in = row.is_some_and(|row| row.need == Need::Nothing);
        self.sign_in.is_some() && (is_way_in || is_for_page(head))
    }

    fn check_names(&self, head: &Parts) -> Result<(), ApiError> {
        match peer(head) {
            Some(peer) if peer.is_socket() => self.names.check_on_socket(head),
            _ => self.names.check(head),
        }
    }

    /// Whoever has the right token is not slowed down by those who guess.
    fn guessed(&self, error: ApiError) -> ApiError {
        match self.guesses.check() {
            Ok(()) => error,
            Err(_) => ApiError::overloaded(Duration::from_secs(1)),
        }
    }

    /// Swaps the one-time token of a link for a cookie, and a key for the page.
    async fn exchange(&self, head: &Parts) -> Option<Result<Response, ApiError>> {
        let shown = launch_token(head)?;
        Some(self.follow(head, shown).await)
    }

    async fn follow(&self, head: &Parts, shown: &str) -> Result<Response, ApiError> {
        self.check_names(head)?;
        if !self.links.take(shown).await? {
            return Err(self.guessed(ApiError::unauthorized()));
        }
        let admitted = self.admit_browser(head).await?;
        // What follows `#` is told to the page, and sent to nobody.
        let page = Redirect::to(&format!("/#key={}", admitted.key));
        Ok(([(header::SET_COOKIE, admitted.cookie)], page).into_response())
    }
}

/// A name for something that went wrong, for whoever looks for it in the log.
pub(crate) fn fault_id() -> String {
    format!("fault_{:.12}", secret::random())
}
