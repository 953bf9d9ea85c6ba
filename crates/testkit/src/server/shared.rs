//! [`Shared`]: what the connections of one server have in common.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::watch;

use super::request::Recorded;
use crate::api::{Failure, Route, SpokenApi, show};
use crate::chunking::Chunking;
use crate::reply::Reply;
use crate::wire::Wire;

/// Makes a reply from a request.
type Handler = dyn Fn(&Recorded) -> Reply + Send + Sync;

/// Where the replies come from.
#[derive(Clone)]
pub(super) enum Source {
    Script(VecDeque<Reply>),
    Handler(Arc<Handler>),
}

impl fmt::Debug for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Script(replies) => write!(formatter, "Script({} left)", replies.len()),
            Self::Handler(_) => formatter.write_str("Handler"),
        }
    }
}

/// The state of a server.
#[derive(Debug)]
pub(super) struct Shared {
    chunking: Chunking,
    key: Option<String>,
    state: Mutex<State>,
    progress: watch::Sender<Progress>,
}

/// Requests and replies under one lock, so that both keep the same order.
#[derive(Debug)]
struct State {
    source: Source,
    requests: Vec<Recorded>,
    panics: usize,
}

/// How far the server is.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub(super) received: usize,
    pub(super) serving: usize,
}

/// A request that counts as being served until this is dropped.
pub(super) struct Serving<'a>(&'a watch::Sender<Progress>);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|progress| progress.serving -= 1);
    }
}

impl Shared {
    pub(super) fn new(source: Source, chunking: Chunking, key: Option<String>) -> Self {
        Self {
            chunking,
            key,
            state: Mutex::new(State { source, requests: Vec::new(), panics: 0 }),
            progress: watch::Sender::default(),
        }
    }

    /// Checks and records a request, and decides the reply.
    pub(super) fn answer(&self, mut request: Recorded) -> (Wire, Serving<'_>) {
        let fixed = self.fixed(&mut request);
        let mut state = self.state();
        request.number = state.requests.len();
        let next = fixed.map_or_else(|| state.next(&mut request), Next::Reply);
        state.requests.push(request.clone());
        drop(state);
        self.progress.send_modify(|progress| {
            progress.received += 1;
            progress.serving += 1;
        });
        // Made before the handler runs, so that the count goes down again even if that panics.
        let serving = Serving(&self.progress);
        let reply = match next {
            Next::Reply(reply) => reply,
            Next::Ask(handler) => handler(&request),
        };
        (Wire::new(&reply.said(&request), self.chunking), serving)
    }

    /// The reply to what the script has no part in; notes the violations either way.
    fn fixed(&self, request: &mut Recorded) -> Option<Reply> {
        if request.malformed {
            return Some(error(400, "not an HTTP/1.1 request").header("connection", "close"));
        }
        let Some(route) = Route::of(request) else {
            let path = request.path.split('?').next().unwrap_or_default();
            let unknown = format!("{} {path}: there is no such route", request.method);
            request.violations.push(unknown);
            return Some(error(404, "no such route"));
        };
        if let Route::Ask(api) = route {
            request.violations.extend(content_type(request));
            request.violations.extend(api.violations(request));
        }
        if !self.admits(route.api(), request) {
            return Some(route.api().error(Failure::Key).reply());
        }
        match route {
            Route::Ask(_) => None,
            Route::Models(api) => Some(Reply::json(api.models())),
            Route::Show => Some(Reply::json(show())),
            Route::Version => Some(Reply::json(json!({"version": "0.30.0"}))),
        }
    }

    fn admits(&self, api: SpokenApi, request: &Recorded) -> bool {
        let Some(key) = &self.key else { return true };
        let bears = request.header("authorization") == Some(&format!("Bearer {key}"));
        match api {
            SpokenApi::Messages => bears || request.header("x-api-key") == Some(key),
            SpokenApi::Gemini => request.header("x-goog-api-key") == Some(key),
            SpokenApi::Chat | SpokenApi::Responses | SpokenApi::Ollama => bears,
        }
    }

    pub(super) fn requests(&self) -> Vec<Recorded> {
        self.state().requests.clone()
    }

    pub(super) fn problems(&self) -> Vec<String> {
        let state = self.state();
        let mut problems = Vec::new();
        for request in &state.requests {
            let number = request.number;
            problems
                .extend(request.violations.iter().map(|what| format!("request {number}: {what}")));
        }
        if let Source::Script(left) = &state.source
            && !left.is_empty()
        {
            problems.push(format!("{} scripted replies were not used", left.len()));
        }
        if state.panics > 0 {
            problems.push(format!("{} connections ended in a panic", state.panics));
        }
        problems
    }

    pub(super) fn panicked(&self) {
        self.state().panics += 1;
    }

    pub(super) async fn wait(&self, reached: impl FnMut(&Progress) -> bool) {
        // It fails only without a sender, and the sender is ours.
        let _ = self.progress.subscribe().wait_for(reached).await;
    }

    /// Nothing is left half done under this lock, so a panic elsewhere does not spoil it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reply, or whom to ask for it once the lock is free.
enum Next {
    Reply(Reply),
    Ask(Arc<Handler>),
}

impl State {
    fn next(&mut self, request: &mut Recorded) -> Next {
        match &mut self.source {
            Source::Handler(handler) => Next::Ask(Arc::clone(handler)),
            Source::Script(replies) => Next::Reply(replies.pop_front().unwrap_or_else(|| {
                let message = "the script has no reply left for this request";
                request.violations.push(message.to_owned());
                error(500, message)
            })),
        }
    }
}

fn content_type(request: &Recorded) -> Option<String> {
    let value = request.header("content-type").unwrap_or_default();
    let media_type = value.split(';').next().unwrap_or_default().trim();
    (!media_type.eq_ignore_ascii_case("application/json"))
        .then(|| format!("content-type: must be application/json, not {value:?}"))
}

fn error(status: u16, message: &str) -> Reply {
    let kind = if status < 500 { "invalid_request_error" } else { "server_error" };
    let error = json!({"message": message, "type": kind, "param": null, "code": null});
    Reply::status(status).body(json!({"error": error}).to_string())
}
