//! [`Gate`]: who may come in. It looks at the head of every request, before its body is read and
//! whatever route it names.
//!
//! Under which name the server was asked for, and which page asks, comes first: a page of somebody
//! else's can make a browser send requests, cookie and all. Then who asks: somebody with the token, a
//! browser that was let in with a link, or a program of the same user on the same machine.

#[cfg(target_os = "linux")]
mod diag;
mod links;
mod names;
mod owner;
mod peer;
mod revocable;
mod secret;
mod sessions;
mod token;

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{Html, IntoResponse, Redirect, Response},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};

pub(crate) use self::peer::Peer;
use self::{links::Links, names::Names, revocable::Revocable, sessions::Known};
pub use self::{
    sessions::{BrowserSession, BrowserSessions},
    token::Token,
};
use crate::{ApiError, AuthMode, ServerError, Settings, page, places::Newcomer, server::Service};

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
}

/// Who asks.
enum Who {
    /// Somebody who may.
    Known,
    /// A browser that may, for as long as it is known.
    Browser(BrowserSession),
    /// Somebody who showed nothing.
    Stranger,
    /// Somebody who showed something that is wrong.
    Guessing,
}

impl Gate {
    pub(crate) fn new(settings: &Settings) -> Result<Self, ServerError> {
        let address = settings.address;
        Ok(Self {
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

    /// Forgets the browser that asks, and has it forget its cookie.
    pub(crate) fn sign_out(&self, headers: &HeaderMap) -> Result<HeaderValue, ApiError> {
        let session = self.browsers.cookie(headers).and_then(|it| self.browsers.find(it));
        if let Some(session) = session {
            self.browsers.forget(&session.id).map_err(|error| {
                tracing::error!(%error, "a browser could not be forgotten");
                ApiError::internal()
            })?;
        }
        HeaderValue::try_from(self.browsers.farewell()).map_err(|_| ApiError::internal())
    }

    async fn look(&self, head: &Parts) -> Result<Option<BrowserSession>, ApiError> {
        self.check_names(head)?;
        match self.who(head).await {
            Who::Known => Ok(None),
            Who::Browser(session) => Ok(Some(session)),
            Who::Stranger => Err(ApiError::unauthorized()),
            Who::Guessing => Err(self.guessed()),
        }
    }

    fn check_names(&self, head: &Parts) -> Result<(), ApiError> {
        match peer(head) {
            Some(peer) if peer.is_socket() => self.names.check_on_socket(head),
            _ => self.names.check(head),
        }
    }

    /// Whoever has the right token is not slowed down by those who guess.
    fn guessed(&self) -> ApiError {
        match self.guesses.check() {
            Ok(()) => ApiError::unauthorized(),
            Err(_) => ApiError::overloaded(Duration::from_secs(1)),
        }
    }

    async fn who(&self, head: &Parts) -> Who {
        if let Some(shown) = bearer(&head.headers) {
            return if self.token.is(shown) { Who::Known } else { Who::Guessing };
        }
        if let Some(cookie) = self.browsers.cookie(&head.headers) {
            return match self.browsers.find(cookie) {
                Some(session) if is_for_page(head) => Who::Browser(session),
                Some(session) if sessions::has_key(&session, &head.headers) => {
                    Who::Browser(session)
                }
                // Somebody who came by a cookie, and not the page it was given to.
                Some(_) => Who::Stranger,
                None => Who::Guessing,
            };
        }
        let may_be_ours = self.auth == AuthMode::Local && !names::is_of_browser(&head.headers);
        match peer(head).filter(|_| may_be_ours) {
            Some(peer) if is_same_user(peer.clone()).await => Who::Known,
            _ => Who::Stranger,
        }
    }

    /// Whether somebody may come in at another port, whose protocol has a place of its own for the token.
    pub(crate) async fn admit(
        &self,
        peer: &Arc<Peer>,
        head: &Parts,
        shown: Option<&str>,
    ) -> Result<(), ApiError> {
        if let Some(shown) = shown {
            return if self.token.is(shown) { Ok(()) } else { Err(self.guessed()) };
        }
        let may_be_ours = self.auth == AuthMode::Local
            && !names::is_of_browser(&head.headers)
            && names::is_of_machine(head);
        match may_be_ours && is_same_user(peer.clone()).await {
            true => Ok(()),
            false => Err(ApiError::unauthorized()),
        }
    }

    /// Swaps the one-time token of a link for a cookie, and a key for the page.
    fn exchange(&self, head: &Parts) -> Option<Result<Response, ApiError>> {
        let shown = launch_token(head)?;
        if let Err(error) = self.check_names(head) {
            return Some(Err(error));
        }
        if !self.links.take(shown) {
            return Some(Err(self.guessed()));
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

/// Lets requests in, or not.
pub(crate) async fn check(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    let gate = service.gate();
    let refused = match gate.exchange(&head) {
        Some(Ok(response)) => {
            is_known(&head);
            return response;
        }
        Some(Err(refused)) => refused,
        None => match gate.look(&head).await {
            Ok(session) => {
                is_known(&head);
                let response = next.run(Request::from_parts(head, body)).await;
                return match session {
                    Some(session) => {
                        let service = service.clone();
                        response.map(|body| Body::new(Revocable::new(body, service, session.id)))
                    }
                    None => response,
                };
            }
            Err(refused) => refused,
        },
    };
    let response = refused.into_response();
    if response.status() == StatusCode::UNAUTHORIZED && wants_page(&head) {
        let page = no_entry(gate.names.first());
        return (StatusCode::UNAUTHORIZED, Html(page)).into_response();
    }
    response
}

fn peer(head: &Parts) -> Option<&Arc<Peer>> {
    head.extensions.get::<Arc<Peer>>()
}

/// Whoever was let in keeps their connection.
fn is_known(head: &Parts) {
    if let Some(Some(newcomer)) = head.extensions.get::<Option<Arc<Newcomer>>>() {
        newcomer.is_known();
    }
}

/// Looking it up reads files of the kernel's: whoever else is served does not wait for that.
async fn is_same_user(peer: Arc<Peer>) -> bool {
    tokio::task::spawn_blocking(move || peer.is_same_user()).await.unwrap_or(false)
}

/// Whether the page itself is asked for, which is no secret.
fn is_for_page(head: &Parts) -> bool {
    head.method == Method::GET && page::exists(head.uri.path())
}

/// A name for something that went wrong, for whoever looks for it in the log.
pub(crate) fn fault_id() -> String {
    format!("fault_{:.12}", secret::random())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    // Anything else that is shown is wrong, too.
    Some(if scheme.eq_ignore_ascii_case("bearer") { token.trim() } else { "" })
}

fn launch_token(head: &Parts) -> Option<&str> {
    if head.method != Method::GET || head.uri.path() != "/" {
        return None;
    }
    head.uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn wants_page(head: &Parts) -> bool {
    let accept = head.headers.get(header::ACCEPT).and_then(|it| it.to_str().ok());
    head.method == Method::GET && accept.is_some_and(|it| it.contains("text/html"))
}

/// What a browser shows that nobody let in.
fn no_entry(name: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Toolwright</title>\
         <meta name=\"viewport\" content=\"width=device-width\">\
         <h1>This browser is not known here</h1>\
         <p>The link that <code>toolwright serve</code> prints lets one browser in, once, within ten minutes. \
         For a new one, run this in a terminal on the same machine:</p>\
         <pre>curl -X POST {name}/api/launch</pre>"
    )
}
