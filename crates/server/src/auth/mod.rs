//! [`Gate`]: who may come in. It looks at the head of every request, before its body is read and
//! whatever route it names.
//!
//! Under which name the server was asked for, and which page asks, comes first: a page of somebody
//! else's can make a browser send requests, cookie and all. Then who asks: somebody with the token, a
//! browser that was let in with a link, or a program of the same user on the same machine.

mod asker;
mod audit;
#[cfg(target_os = "linux")]
mod diag;
mod grants;
mod identity;
mod links;
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

use std::{collections::BTreeMap, num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{Html, IntoResponse, Redirect, Response},
};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use toolwright_store::Store;

pub(crate) use self::{
    asker::Asker,
    audit::Done,
    identity::{Identity, Way},
    peer::Peer,
    sign_in::Returned,
};
use self::{
    audit::audit,
    grants::{Grants, Shown},
    links::Links,
    names::Names,
    revocable::Revocable,
    sessions::Known,
    sign_in::{Outcome, SignIn, cookie},
    trusted::{Header, Said},
};
pub use self::{
    identity::{Scope, Scopes},
    named::{NamedToken, NamedTokens, SignedInBrowser, SignedInBrowsers},
    sessions::{BrowserSession, BrowserSessions},
    token::Token,
};
use crate::{
    ApiError, AuthMode, ServerError, Settings, page,
    places::Newcomer,
    routes::{Need, Row, needs},
    server::Service,
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
    header: Option<Header>,
    scopes: ScopeMap,
    sign_in: Option<SignIn>,
}

/// Somebody who was let in.
struct Visitor {
    who: Identity,
    /// What they showed, where that may be taken back while they listen.
    shown: Option<Revoked>,
}

/// What may be taken back.
#[derive(Clone)]
enum Revoked {
    /// A browser that followed a link, by its id.
    Browser(String),
    /// Something in the database.
    Grant(Shown),
}

/// Who asks.
enum Who {
    /// Somebody who may.
    Known(Visitor),
    /// Somebody who showed nothing.
    Stranger,
    /// Somebody who showed something that is wrong.
    Guessing,
    /// Somebody who is not let in, whatever they showed.
    Refused(ApiError),
}

impl Who {
    fn operator(way: Way) -> Self {
        Self::Known(Visitor { who: Identity::operator(way), shown: None })
    }
}

/// What people may do who sign in, by the groups that they are in.
pub(crate) struct ScopeMap {
    all: Scopes,
    groups: BTreeMap<String, Scopes>,
}

impl ScopeMap {
    fn new(settings: &Settings) -> Result<Self, ServerError> {
        let read = |key: &'static str, words: &[String]| {
            let wrong = |word| {
                let reason = format!("`{word}` is no scope: use ask, decide or admin");
                ServerError::identity(key, &reason)
            };
            Scopes::of(words).map_err(wrong)
        };
        let groups = settings.identity.groups.iter();
        let groups = groups.map(|(name, words)| Ok((name.clone(), read("groups", words)?)));
        let all = read("scopes", &settings.identity.scopes)?;
        Ok(Self { all, groups: groups.collect::<Result<_, ServerError>>()? })
    }

    /// What somebody may do who is in these groups.
    fn of<S: AsRef<str>>(&self, groups: impl IntoIterator<Item = S>) -> Scopes {
        let groups = groups.into_iter().filter_map(|it| self.groups.get(it.as_ref()).copied());
        groups.fold(self.all, Scopes::and)
    }
}

impl Gate {
    pub(crate) fn new(settings: &Settings, store: &Store) -> Result<Self, ServerError> {
        let address = settings.address;
        let sign_in = settings.identity.oidc.as_ref().map(SignIn::new).transpose()?;
        Ok(Self {
            grants: Grants::new(store.clone()),
            header: Header::new(&settings.identity)?,
            scopes: ScopeMap::new(settings)?,
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
        if let Some(shown) = cookie(headers, sign_in::SESSION)
            && let Some((_, shown, _)) = self.grants.session(shown).await?
        {
            self.grants.forget(&shown).await?;
        }
        let farewells = [self.browsers.farewell(), sign_in::farewell()];
        let values = farewells.into_iter().map(HeaderValue::try_from);
        values.collect::<Result<_, _>>().map_err(|_| ApiError::internal())
    }

    async fn look(&self, head: &Parts) -> Result<Visitor, ApiError> {
        self.check_names(head)?;
        match self.who(head).await? {
            Who::Known(visitor) => Ok(visitor),
            Who::Stranger => Err(ApiError::unauthorized()),
            Who::Guessing => Err(self.guessed()),
            Who::Refused(error) => Err(error),
        }
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
    fn guessed(&self) -> ApiError {
        match self.guesses.check() {
            Ok(()) => ApiError::unauthorized(),
            Err(_) => ApiError::overloaded(Duration::from_secs(1)),
        }
    }

    async fn who(&self, head: &Parts) -> Result<Who, ApiError> {
        // Before anything else that is shown: what somebody else says about who asks is never passed over.
        let said = match &self.header {
            Some(header) => {
                header.read(&head.headers, peer(head).and_then(|it| it.ip()), &self.scopes)
            }
            None => Said::Nothing,
        };
        if let Said::Refused(why) = said {
            return Ok(Who::Refused(ApiError::forbidden(why)));
        }
        if let Some(shown) = bearer(&head.headers) {
            return self.with_token(shown).await;
        }
        if let Said::By(who) = said {
            return Ok(Who::Known(Visitor { who, shown: None }));
        }
        // One may be left of an earlier time: the other is the one that counts then.
        let session = match cookie(&head.headers, sign_in::SESSION) {
            Some(shown) => Some(self.signed_in(head, shown).await?),
            None => None,
        };
        let link = self.browsers.cookie(&head.headers).map(|shown| self.with_link(head, shown));
        match (session, link) {
            (Some(Who::Known(visitor)), _) | (_, Some(Who::Known(visitor))) => {
                return Ok(Who::Known(visitor));
            }
            (Some(Who::Stranger), _) | (_, Some(Who::Stranger)) => return Ok(Who::Stranger),
            (None, None) => {}
            _ => return Ok(Who::Guessing),
        }
        // Whoever comes through a proxy that says nothing is not its user.
        let proxy = self.header.as_ref().zip(peer(head).and_then(|it| it.ip()));
        let is_proxied = proxy.is_some_and(|(header, ip)| header.is_trusted(ip));
        let may_be_ours =
            self.auth == AuthMode::Local && !is_proxied && !names::is_of_browser(&head.headers);
        Ok(match peer(head).filter(|_| may_be_ours) {
            Some(peer) if is_same_user(peer.clone()).await => Who::operator(Way::Local),
            _ => Who::Stranger,
        })
    }

    async fn with_token(&self, shown: &str) -> Result<Who, ApiError> {
        if self.token.is(shown) {
            return Ok(Who::operator(Way::ServerToken));
        }
        Ok(match self.grants.token(shown).await? {
            Some((who, shown)) => Who::Known(Visitor { who, shown: Some(Revoked::Grant(shown)) }),
            None => Who::Guessing,
        })
    }

    async fn signed_in(&self, head: &Parts, cookie: &str) -> Result<Who, ApiError> {
        Ok(match self.grants.session(cookie).await? {
            Some((who, shown, key)) => {
                match is_for_page(head) || sessions::is_key(&key, &head.headers) {
                    true => Who::Known(Visitor { who, shown: Some(Revoked::Grant(shown)) }),
                    false => Who::Stranger,
                }
            }
            None => Who::Guessing,
        })
    }

    fn with_link(&self, head: &Parts, cookie: &str) -> Who {
        match self.browsers.find(cookie) {
            Some(session) if is_for_page(head) || sessions::has_key(&session, &head.headers) => {
                let who = Identity::operator(Way::Link);
                Who::Known(Visitor { who, shown: Some(Revoked::Browser(session.id)) })
            }
            // Somebody who came by a cookie, and not the page it was given to.
            Some(_) => Who::Stranger,
            None => Who::Guessing,
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
            return match self.with_token(shown).await? {
                Who::Known(visitor) => visitor.who.require(Scope::Ask),
                _ => Err(self.guessed()),
            };
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
    let (mut head, body) = request.into_parts();
    let gate = service.gate();
    let row = row(&head);
    let trace = Trace::of(&head, row);
    let refused = match gate.exchange(&head) {
        Some(Ok(response)) => {
            is_known(&head);
            trace.tell("sign_in", Some(&Identity::operator(Way::Link)), &response);
            return response;
        }
        Some(Err(refused)) => (None, refused),
        None if gate.is_for_all(&head, row) => match gate.check_names(&head) {
            Ok(()) => {
                let response = next.run(Request::from_parts(head, body)).await;
                if let Some(outcome) = response.extensions().get::<Outcome>() {
                    trace.sign_in(outcome);
                }
                return response;
            }
            Err(refused) => (None, refused),
        },
        None => match gate.look(&head).await {
            Ok(Visitor { who, shown }) => match allowed(&who, &head, row) {
                Ok(()) => {
                    is_known(&head);
                    head.extensions.insert(who.clone());
                    let response = next.run(Request::from_parts(head, body)).await;
                    if let Some(action) = row.and_then(|row| row.action) {
                        trace.tell(action, Some(&who), &response);
                    }
                    return match shown {
                        Some(shown) => {
                            let service = service.clone();
                            response.map(|body| Body::new(Revocable::new(body, service, shown)))
                        }
                        None => response,
                    };
                }
                Err(refused) => (Some(who), refused),
            },
            Err(refused) => (None, refused),
        },
    };
    let (who, refused) = refused;
    let response = refused.into_response();
    trace.tell(row.and_then(|row| row.action).unwrap_or("enter"), who.as_ref(), &response);
    if response.status() == StatusCode::UNAUTHORIZED && wants_page(&head) {
        let page = no_entry(gate.names.first());
        return (StatusCode::UNAUTHORIZED, Html(page)).into_response();
    }
    response
}

/// The row of the table that is about this request.
fn row(head: &Parts) -> Option<&'static Row> {
    needs(&head.method, route(head)?)
}

/// The route that a request leads to; none where only the page's files are left.
fn route(head: &Parts) -> Option<&str> {
    head.extensions.get::<MatchedPath>().map(MatchedPath::as_str)
}

/// Whether somebody may ask for this. What is no route at all is for everybody who is known: the page's files.
fn allowed(who: &Identity, head: &Parts, row: Option<&Row>) -> Result<(), ApiError> {
    match row.map(|row| row.need) {
        Some(Need::Open | Need::Nothing | Need::Known) => Ok(()),
        Some(Need::Scope(scope)) => who.require(scope),
        None if route(head).is_none() => Ok(()),
        None => who.require(Scope::Admin),
    }
}

/// What is told of a request in the audit log.
struct Trace {
    from: String,
    path: String,
    conversation: Option<String>,
}

impl Trace {
    fn of(head: &Parts, row: Option<&Row>) -> Self {
        let from = match peer(head).and_then(|it| it.ip()) {
            Some(ip) => ip.to_string(),
            None => "socket".to_owned(),
        };
        let path = head.uri.path();
        let conversation = row.and_then(|row| row.conversation(path)).map(str::to_owned);
        Self { from, path: path.to_owned(), conversation }
    }

    fn sign_in(&self, outcome: &Outcome) {
        let (who, status) = match outcome {
            Outcome::In(who) => (Some(who), StatusCode::OK),
            Outcome::Refused => (None, StatusCode::FORBIDDEN),
        };
        audit("sign_in", who, &self.from, &self.path, status, &Done::default());
    }

    fn tell(&self, action: &str, who: Option<&Identity>, response: &Response) {
        let mut done = response.extensions().get::<Done>().cloned().unwrap_or_default();
        let named = |name: &str| {
            let value = response.headers().get(name).and_then(|it| it.to_str().ok());
            value.map(str::to_owned)
        };
        done.conversation = done
            .conversation
            .or_else(|| self.conversation.clone())
            .or_else(|| named("x-conversation-id"));
        done.run = done.run.or_else(|| named("x-run-id"));
        audit(action, who, &self.from, &self.path, response.status(), &done);
    }
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
