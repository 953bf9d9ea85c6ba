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
mod links;
mod meant;
mod named;
mod names;
mod oidc;
mod owner;
mod peer;
mod revocable;
mod secret;
mod sessions;
mod sign_in;
mod token;
mod trusted;
mod visitor;

use std::{num::NonZeroU32, time::Duration};

use axum::response::{IntoResponse, Redirect, Response};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, HeaderValue, header, request::Parts};
use toolwright_store::Store;

pub(crate) use self::{
    asker::Asker,
    audit::{Done, Record},
    entering::check,
    identity::{Identity, Way},
    peer::Peer,
    sign_in::Returned,
};
use self::{
    grants::Grants,
    groups::ScopeMap,
    head::{cookie, is_for_page, launch_token, peer},
    links::Links,
    names::Names,
    sessions::Known,
    sign_in::SignIn,
    trusted::{Header, Proxies},
};
pub use self::{
    identity::{Scope, Scopes},
    named::{AddedToken, NamedToken, NamedTokens, NewToken, SignedInBrowser, SignedInBrowsers},
    sessions::{BrowserSession, BrowserSessions},
    token::Token,
};
use crate::{
    ApiError, AuthMode, ServerError, Settings,
    routes::{Need, Row},
};

/// How many wrong tokens a second are looked at.
const GUESSES: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// Who may come in.
pub(crate) struct Gate {
    names: Names,
    auth: AuthMode,
    token: Token,
    browsers: Known,
    links: Links,
    guesses: DefaultDirectRateLimiter,
    grants: Grants,
    proxies: Proxies,
    header: Option<Header>,
    scopes: ScopeMap,
    sign_in: Option<SignIn>,
}

impl Gate {
    pub(crate) fn new(settings: &Settings, store: &Store) -> Result<Self, ServerError> {
        let address = settings.address;
        let identity = &settings.identity;
        let sign_in = identity.oidc.as_ref().map(SignIn::new).transpose()?;
        let (proxies, header) = (Proxies::new(identity)?, Header::new(identity)?);
        let scopes = ScopeMap::new(identity)?;
        meant::check(identity)?;
        Ok(Self {
            grants: Grants::new(store.clone()),
            proxies,
            header,
            scopes,
            sign_in,
            names: Names::of(address, &settings.hosts)?,
            auth: settings.auth,
            token: settings.token.clone(),
            browsers: Known::new(&settings.folder, address.port()),
            links: Links::new(settings.limits.link),
            guesses: RateLimiter::direct(Quota::per_second(GUESSES)),
        })
    }

    /// A link that lets one browser in, once.
    pub(crate) fn link(&self) -> String {
        format!("{}/?token={}", self.names.first(), self.links.make())
    }

    /// Whether a browser is still known.
    pub(crate) fn is_known(&self, session: &str) -> bool {
        self.browsers.is_known(session)
    }

    /// How people sign in, where they do.
    pub(crate) fn sign_in(&self) -> Option<&SignIn> {
        self.sign_in.as_ref()
    }

    /// Forgets the browser that asks, and has it forget its cookies.
    pub(crate) async fn sign_out(&self, headers: &HeaderMap) -> Result<Vec<HeaderValue>, ApiError> {
        let session = self.browsers.cookie(headers).and_then(|it| self.browsers.find(it));
        if let Some(session) = session {
            self.browsers.forget(&session.id).map_err(|error| {
                tracing::error!(%error, "a browser could not be forgotten");
                ApiError::internal()
            })?;
        }
        if let Some(shown) = cookie(headers, sign_in::SESSION) {
            self.grants.forget_session(shown).await?;
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
    fn exchange(&self, head: &Parts) -> Option<Result<Response, ApiError>> {
        let shown = launch_token(head)?;
        if let Err(error) = self.check_names(head) {
            return Some(Err(error));
        }
        if !self.links.take(shown) {
            return Some(Err(self.guessed(ApiError::unauthorized())));
        }
        let admitted = self.browsers.admit(&head.headers).map_err(|error| {
            tracing::error!(%error, "a browser could not be let in");
            ApiError::internal()
        });
        Some(admitted.map(|it| {
            // What follows `#` is told to the page, and sent to nobody.
            let page = Redirect::to(&format!("/#key={}", it.key));
            ([(header::SET_COOKIE, it.cookie)], page).into_response()
        }))
    }
}

/// A name for something that went wrong, for whoever looks for it in the log.
pub(crate) fn fault_id() -> String {
    format!("fault_{:.12}", secret::random())
}
