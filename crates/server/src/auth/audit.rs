//! [`Record`]: what is told of one request in the audit log: who did what, from where, and what became of it, one line under
//! the target `audit`. What was said, and what is secret, is in none of them. Which requests are told is said in one
//! table (`routes::needs`).

use std::{
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use axum::extract::{FromRequestParts, RawPathParams};
use http::{HeaderMap, StatusCode, request::Parts};
use toolwright_core::{ConversationId, RunId};
use toolwright_store::Store;

use super::Identity;
use crate::{
    ApiError,
    routes::{Audited, Row},
    server::Service,
};

/// What a request did, beside what its address says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    /// What it was, where that is not what its route usually does.
    pub(crate) action: Option<&'static str>,
    /// The conversation.
    pub(crate) conversation: Option<String>,
    /// The conversation that was made of it.
    pub(crate) into: Option<String>,
    /// The run.
    pub(crate) run: Option<String>,
    /// The call that was decided about or that asked.
    pub(crate) call: Option<String>,
    /// What exactly was decided about.
    pub(crate) fingerprint: Option<String>,
    /// What was decided.
    pub(crate) verdict: Option<&'static str>,
}

impl Done {
    /// Something in this conversation.
    pub(crate) fn within(conversation: &(impl ToString + ?Sized)) -> Self {
        Self { conversation: Some(conversation.to_string()), ..Self::default() }
    }
}

/// What is told of a request. Its route notes in it what it does, as it does it: so that it is told also where the rest of
/// the request fails. Clones are of the same request.
#[derive(Clone)]
pub(crate) struct Record(Arc<Told>);

struct Told {
    from: String,
    path: String,
    audited: Audited,
    /// The conversation that its path names.
    conversation: Option<String>,
    who: OnceLock<Identity>,
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    /// What was done, or tried, each with whether it is known to have been done.
    done: Vec<(Done, bool)>,
    /// Whether something of somebody else's was shown.
    shows_others: bool,
}

/// How long a name from outside may be in a line.
const LONGEST: usize = 200;

impl Record {
    /// Of a request that has come in just now.
    pub(super) async fn of(from: Option<IpAddr>, head: &mut Parts, row: Option<&Row>) -> Self {
        // As the route reads it: a name can be written in several ways.
        let names = RawPathParams::from_request_parts(head, &()).await.ok();
        let id = names.iter().flatten().find(|(name, _)| *name == "id");
        let id = id.map(|(_, id)| id.to_owned());
        let audited = row.map_or(Audited::No, |row| row.audited);
        Self::new(from, head, audited, id)
    }

    /// Of a question that came in another way.
    pub(super) fn of_question(from: Option<IpAddr>, head: &Parts) -> Self {
        Self::new(from, head, Audited::Each("ask"), None)
    }

    fn new(
        from: Option<IpAddr>,
        head: &Parts,
        audited: Audited,
        conversation: Option<String>,
    ) -> Self {
        let from = from.map_or_else(|| "socket".to_owned(), |it| it.to_string());
        let path = head.uri.path().to_owned();
        let (who, noted) = (OnceLock::new(), Mutex::default());
        Self(Arc::new(Told { from, path, audited, conversation, who, noted }))
    }

    /// Says who it is that asks.
    pub(super) fn is_by(&self, who: &Identity) {
        // Nobody becomes somebody else on the way.
        let _ = self.0.who.set(who.clone());
    }

    /// Notes what is about to be done; each thing gives a line of its own.
    pub(crate) fn note(&self, done: Done) {
        self.lock().done.push((done, false));
    }

    /// Notes that what was noted last was done, whatever becomes of the rest.
    pub(crate) fn settle(&self) {
        if let Some((_, is_done)) = self.lock().done.last_mut() {
            *is_done = true;
        }
    }

    /// Notes the run that began.
    pub(crate) fn begun(&self, run: &RunId) {
        if let Some((done, _)) = self.lock().done.last_mut() {
            done.run = Some(run.to_string());
        }
    }

    /// Notes that something is shown that is somebody else's.
    pub(crate) fn shows_others(&self) {
        self.lock().shows_others = true;
    }

    /// Tells what became of a request that was let in.
    pub(super) async fn served(&self, store: &Store, status: StatusCode, headers: &HeaderMap) {
        let action = match self.0.audited {
            Audited::Each(action) => action,
            Audited::Others(action) if status.is_success() => {
                if !self.is_anothers(store).await {
                    return;
                }
                action
            }
            Audited::No | Audited::Others(_) | Audited::Within(_) => return,
        };
        let named = |name: &str| {
            let value = headers.get(name).and_then(|it| it.to_str().ok());
            value.map(str::to_owned)
        };
        let mut all = std::mem::take(&mut self.lock().done);
        if all.is_empty() {
            all.push((Done::default(), false));
        }
        for (mut done, is_done) in all {
            done.conversation = done.conversation.or_else(|| named("x-conversation-id"));
            done.run = done.run.or_else(|| named("x-run-id"));
            self.tell(action, if is_done { StatusCode::OK } else { status }, &done);
        }
    }

    /// Whether what was read is somebody else's. Where that cannot be found out it is told.
    async fn is_anothers(&self, store: &Store) -> bool {
        if self.lock().shows_others {
            return true;
        }
        let (Some(who), Some(id)) = (self.0.who.get(), &self.0.conversation) else { return false };
        // To anybody else it is not there.
        if !who.is_admin() {
            return false;
        }
        let owner = store.owner_of(&ConversationId::from(id.as_str())).await;
        owner.map_or(true, |owner| owner.is_some_and(|it| !who.is_owner(&it)))
    }

    /// Tells that it was refused, before its route was asked.
    pub(super) fn refused(&self, status: StatusCode) {
        let action = match self.0.audited {
            Audited::Each(action) | Audited::Others(action) | Audited::Within(action) => action,
            Audited::No => "enter",
        };
        self.tell(action, status, &Done::default());
    }

    /// Tells who signed in, or that somebody was not let in.
    pub(super) fn signed_in(&self, who: Option<&Identity>) {
        let status = if who.is_some() { StatusCode::OK } else { StatusCode::FORBIDDEN };
        if let Some(who) = who {
            self.is_by(who);
        }
        self.tell("sign_in", status, &Done::default());
    }

    /// Tells of a question that came along with others, or by a way of its own.
    pub(crate) fn asked(&self, status: StatusCode, done: &Done) {
        self.tell("ask", status, done);
    }

    fn tell(&self, action: &str, status: StatusCode, done: &Done) {
        let short = |text: &Option<String>| -> Option<String> {
            let text = text.as_ref()?.chars().filter(|it| !it.is_control());
            Some(text.take(LONGEST).collect())
        };
        let Told { from, path, conversation, who, .. } = &*self.0;
        let who = who.get();
        let path: String = path.chars().take(LONGEST).collect();
        tracing::info!(
            target: "audit",
            action = done.action.unwrap_or(action),
            who = who.map(|it| &*it.name),
            owner = who.and_then(|it| it.owner.as_deref()),
            way = who.map(|it| it.way.name()),
            from,
            path,
            status = status.as_u16(),
            conversation = short(&done.conversation).or_else(|| short(conversation)),
            into = short(&done.into),
            run = short(&done.run),
            call = short(&done.call),
            fingerprint = short(&done.fingerprint),
            verdict = done.verdict,
            "{}",
            if status.is_client_error() || status.is_server_error() { "refused" } else { "done" },
        );
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.0.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FromRequestParts<Service> for Record {
    type Rejection = ApiError;

    async fn from_request_parts(head: &mut Parts, _: &Service) -> Result<Self, ApiError> {
        head.extensions.get::<Self>().cloned().ok_or_else(ApiError::unauthorized)
    }
}
