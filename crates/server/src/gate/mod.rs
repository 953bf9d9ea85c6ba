//! [`Gate`]: who may come in. It looks at the head of every request, before its body is read and
//! whatever route it names.
//!
//! Under which name the server was asked for, and which page asks, comes first: a page of somebody
//! else's can make a browser send requests, cookie and all. Then who asks: somebody with the token, a
//! browser that was let in with a link, or a program of the same user on the same machine.

mod names;
mod peer;
mod token;

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{Html, IntoResponse, Redirect, Response},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, Method, StatusCode, header, request::Parts};

pub(crate) use self::peer::Peer;
pub use self::token::Token;
use self::{
    names::Names,
    token::{Links, Sessions},
};
use crate::{ApiError, Auth, Settings, server::Service};

/// How many wrong tokens a second are looked at.
const GUESSES: NonZeroU32 = NonZeroU32::new(20).unwrap();

/// Who may come in.
pub(crate) struct Gate {
    names: Names,
    auth: Auth,
    token: Token,
    sessions: Sessions,
    links: Links,
    guesses: DefaultDirectRateLimiter,
}

/// Who asks.
enum Who {
    /// Somebody who may.
    Known,
    /// Somebody who showed nothing.
    Stranger,
    /// Somebody who showed something that is wrong.
    Guessing,
}

impl Gate {
    pub(crate) fn new(settings: &Settings) -> Self {
        let address = settings.address;
        Self {
            names: Names::of(address, &settings.hosts),
            auth: settings.auth,
            token: settings.token.clone(),
            sessions: Sessions::of(&settings.token, address.port()),
            links: Links::default(),
            guesses: RateLimiter::direct(Quota::per_second(GUESSES)),
        }
    }

    /// A link that lets one browser in, once.
    pub(crate) fn link(&self) -> String {
        format!("http://{}/?token={}", self.names.first(), self.links.make())
    }

    fn look(&self, head: &Parts) -> Result<(), ApiError> {
        self.names.check(head)?;
        match self.who(head) {
            Who::Known => Ok(()),
            Who::Stranger => Err(ApiError::unauthorized()),
            // Whoever has the right token is not slowed down by those who guess.
            Who::Guessing => match self.guesses.check() {
                Ok(()) => Err(ApiError::unauthorized()),
                Err(_) => Err(ApiError::overloaded(Duration::from_secs(1))),
            },
        }
    }

    fn who(&self, head: &Parts) -> Who {
        if let Some(shown) = bearer(&head.headers) {
            return if self.token.is(shown) { Who::Known } else { Who::Guessing };
        }
        if let Some(cookie) = self.sessions.cookie(&head.headers) {
            return if self.sessions.is_valid(cookie) { Who::Known } else { Who::Guessing };
        }
        let peer = head.extensions.get::<Arc<Peer>>();
        let is_ours = self.auth == Auth::Local
            && !names::is_of_browser(&head.headers)
            && peer.is_some_and(|peer| peer.is_same_user());
        if is_ours { Who::Known } else { Who::Stranger }
    }

    /// Swaps the one-time token of a link for a cookie.
    fn exchange(&self, head: &Parts) -> Option<Result<Response, ApiError>> {
        let shown = launch_token(head)?;
        if let Err(error) = self.names.check(head) {
            return Some(Err(error));
        }
        if !self.links.take(shown) {
            let refused = match self.guesses.check() {
                Ok(()) => ApiError::unauthorized(),
                Err(_) => ApiError::overloaded(Duration::from_secs(1)),
            };
            return Some(Err(refused));
        }
        let cookie = self.sessions.make();
        Some(Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response()))
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
        Some(Ok(response)) => return response,
        Some(Err(refused)) => refused,
        None => match gate.look(&head) {
            Ok(()) => return next.run(Request::from_parts(head, body)).await,
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
         <p>The link that <code>toolwright serve</code> prints lets one browser in, once. \
         For a new one, run this in a terminal on the same machine:</p>\
         <pre>curl -X POST http://{name}/api/launch</pre>"
    )
}
