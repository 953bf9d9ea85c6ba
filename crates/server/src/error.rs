//! [`ApiError`]: why a request was not served, as the client is told; and [`ServerError`]: why there
//! is no server.

use std::{borrow::Cow, fmt::Display, io, net::SocketAddr, time::Duration};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use toolwright_app::{AppError, SessionError, config::ManageMode};
use toolwright_core::{
    ActionableError, AttachmentError, ConversationId, Failure, FailureKind, Fault, JournalError,
    JournalErrorKind, ModelErrorKind, RunId,
};
use toolwright_store::StoreError;
use utoipa::ToSchema;

use crate::auth::{Scope, VARIABLE};

/// When whoever met a store that does not answer may come back.
const STORE_AGAIN: Duration = Duration::from_secs(5);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Nothing can listen at the address.
    #[error("cannot listen at {address}: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
    },
    /// The address can be reached from other machines, and nobody said who may come in.
    #[error("{0} can be reached from other machines, and nothing says who may come in")]
    Open(SocketAddr),
    /// What was given as a name of the server's is none.
    #[error("`{0}` in `server.hosts` is no name of a server")]
    Host(String),
    /// How people sign in is not said so that it can be used.
    #[error("`server.identity.{key}` cannot be used: {reason}")]
    Identity {
        /// The key.
        key: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The identity provider does not answer, or not with what is needed.
    #[error("nobody can sign in at {issuer}: {reason}")]
    Provider {
        /// Its address, as it says it itself.
        issuer: String,
        /// What is wrong.
        reason: String,
    },
    /// The token cannot be read or kept.
    #[error("the server's token in {path} cannot be used: {reason}")]
    Token {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// No link for a browser could be kept.
    #[error("there is no link for a browser: {0}")]
    Link(String),
}

impl ServerError {
    pub(crate) fn identity(key: &'static str, reason: &str) -> Self {
        Self::Identity { key, reason: reason.to_owned() }
    }
}

impl ActionableError for ServerError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(match self {
            Self::Listen { reason, .. } if reason.kind() == io::ErrorKind::AddrInUse => {
                "another program listens there: stop it, or choose another with --addr"
            }
            Self::Listen { .. } => "choose another address with --addr",
            Self::Open(_) => {
                "add --auth token: everybody who comes in then needs the server's token"
            }
            Self::Host(_) => "write `host:port`, or `https://host` behind a proxy with TLS",
            Self::Identity { .. } => "docs/server.md has examples under \"Teams\"",
            Self::Provider { .. } => {
                "see that `server.identity.oidc.issuer` is the provider's address letter by letter, and that this machine \
                 reaches it; whoever is signed in stays so"
            }
            Self::Token { path, .. } if path == VARIABLE => {
                "set a longer one, such as 32 letters and figures by chance, or leave it out: one is made and kept then"
            }
            Self::Token { .. } => "remove the file: a new token is made",
            Self::Link(_) => "see whether the database runs, and start the server again",
        }))
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Link(_) | Self::Provider { .. } => Fault::Failure,
            _ => Fault::Usage,
        }
    }
}

/// Why a request was not served.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    body: Problem,
    retry_after: Option<Duration>,
}

/// The body of an answer that is none.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Failed {
    error: Problem,
}

/// What went wrong, and what to do about it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// A word for programs.
    code: &'static str,
    /// What happened.
    message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let body = Problem { code, message: bounded(message.into()), advice: None };
        Self { status, body, retry_after: None }
    }

    pub(crate) fn with_advice(mut self, advice: impl Into<String>) -> Self {
        self.body.advice = Some(advice.into());
        self
    }

    /// The error's own words, and its advice.
    fn of(status: StatusCode, code: &'static str, error: &impl ActionableError) -> Self {
        let mut this = Self::new(status, code, error.to_string());
        this.body.advice = error.advice().map(Cow::into_owned);
        this
    }

    /// What happened, in words.
    pub fn message(&self) -> &str {
        &self.body.message
    }

    /// What to do about it, in words.
    pub(crate) fn advice(&self) -> Option<&str> {
        self.body.advice.as_deref()
    }

    /// The status it is told with.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "who you are is not known here")
            .with_advice("sign in, or send a token of yours: `Authorization: Bearer …`")
    }

    /// Somebody showed a token that lets nobody in. Which of these it is would help those who guess.
    pub(crate) fn unknown_token() -> Self {
        let message = "the token is not known here: it is wrong, was removed, or its time is over";
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", message).with_advice(
            "send another one; whoever runs the server makes it with `toolwright tokens add`",
        )
    }

    pub(crate) fn forbidden(message: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// Somebody is known and may not do this.
    pub(crate) fn scope(scope: Scope) -> Self {
        let name = scope.name();
        let message = format!("this needs the scope `{name}`, which you do not have");
        Self::new(StatusCode::FORBIDDEN, "scope", message)
            .with_advice("ask whoever runs the server for it")
    }

    /// Settings are not changed from there.
    pub(crate) fn unmanaged(manage: ManageMode) -> Self {
        let (message, advice) = match manage {
            ManageMode::No => (
                "settings are not changed here: `server.manage` is `no`",
                "change them in the config file, and start the server anew",
            ),
            ManageMode::Local | ManageMode::Yes => (
                "settings are not changed here, as the server is reached from elsewhere, too",
                "change them in the config file, or set `manage = \"yes\"` under `[server]` in your config file",
            ),
        };
        Self::new(StatusCode::FORBIDDEN, "unmanaged", message).with_advice(advice)
    }

    /// A name that is no model's.
    pub(crate) fn no_such_model(name: &str) -> Self {
        AppError::NoSuchModel(name.chars().take(200).collect()).into()
    }

    /// Settings that cannot be used, or not be kept. Whoever may change them is told what is wrong.
    pub(crate) fn settings(error: &AppError) -> Self {
        let status = match error {
            // Nothing is wrong with what was asked for, nor with the server: somebody must see to the file.
            AppError::Meanwhile(_)
            | AppError::Restart(_)
            | AppError::Unwritable { .. }
            | AppError::Unreadable { .. } => StatusCode::CONFLICT,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::of(status, "settings", error)
    }

    /// What was asked for does not fit what is there by now.
    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn no_conversation() -> Self {
        Self::not_found("there is no such conversation")
    }

    pub(crate) fn busy() -> Self {
        Self::new(StatusCode::CONFLICT, "busy", "a run goes on in this conversation")
            .with_advice("wait until it has ended, or stop it")
    }

    pub(crate) fn idle() -> Self {
        Self::new(StatusCode::CONFLICT, "idle", "no run goes on in this conversation")
            .with_advice("ask it as a question")
    }

    pub(crate) fn queue_full(most: usize) -> Self {
        let message = format!("{most} messages wait in this conversation already");
        Self::new(StatusCode::CONFLICT, "queue_full", message)
            .with_advice("take some of them back, or wait until they were taken up")
    }

    pub(crate) fn taken_up() -> Self {
        let message = "a run took the message up already, or is about to";
        Self::new(StatusCode::CONFLICT, "taken_up", message)
            .with_advice("say to the run what you want instead, or stop it")
    }

    pub(crate) fn changed() -> Self {
        Self::new(StatusCode::CONFLICT, "changed", "this is not what waits for a decision now")
            .with_advice("look at what is shown now, and decide about that")
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message)
    }

    pub(crate) fn too_large(most: usize) -> Self {
        let message = format!("a request's body may have {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// Something in this field of the request cannot be attached.
    pub(crate) fn attachment(field: impl Display, error: &AttachmentError) -> Self {
        let message = format!("{field}: {error}");
        match error {
            AttachmentError::TooLarge { .. } => {
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
            }
            _ => Self::new(StatusCode::BAD_REQUEST, "attachment", message),
        }
    }

    pub(crate) fn too_many_attachments(field: impl Display, most: usize) -> Self {
        let message = format!("{field}: a question has at most {most} attachments");
        Self::new(StatusCode::BAD_REQUEST, "attachment", message)
    }

    pub(crate) fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "the request's body took too long")
    }

    pub(crate) fn not_json() -> Self {
        let message = "the body must be JSON: `content-type: application/json`";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    }

    pub(crate) fn method() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "not with this method")
    }

    pub(crate) fn overloaded(wait: Duration) -> Self {
        let message = "there is too much to do right now";
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "overloaded", message);
        Self { retry_after: Some(wait), ..error }
    }

    pub(crate) fn stopping() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server is about to stop")
    }

    /// Whether somebody else is at work in the conversation.
    pub(crate) fn is_busy(&self) -> bool {
        self.body.code == "busy"
    }

    pub(crate) fn key_taken() -> Self {
        let message = "this `Idempotency-Key` was used in the last 24 hours, for another request or in a conversation that is deleted";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "key_taken", message)
            .with_advice("send the very same body again, or choose a new key for this one")
    }

    /// Whether nothing such is there.
    pub(crate) fn is_not_found(&self) -> bool {
        self.body.code == "not_found"
    }

    /// The run that a key began was cut short, and nobody goes on with it.
    pub(crate) fn unfinished(conversation: &ConversationId, run: &RunId) -> Self {
        let what = format!("the run {run} that this `Idempotency-Key` began");
        Self::not_gone_on_with(conversation, &what)
    }

    /// The run that waited for somebody was cut short, and nobody goes on with it.
    pub(crate) fn cut_short(conversation: &ConversationId, run: &RunId) -> Self {
        Self::not_gone_on_with(conversation, &format!("the run {run} that waited for this"))
    }

    fn not_gone_on_with(conversation: &ConversationId, what: &str) -> Self {
        let message = format!("{what} was cut short, and nobody goes on with it");
        let advice = format!(
            "`POST /api/conversations/{conversation}/resume` goes on with it; its events so far are at \
             `GET /api/conversations/{conversation}/events`"
        );
        Self::new(StatusCode::CONFLICT, "unfinished", message).with_advice(advice)
    }

    /// A request was sent before whose answer is not kept.
    pub(crate) fn sent_before() -> Self {
        let message = "this request was sent before with the same `Idempotency-Key`, and its answer is not kept here";
        Self::new(StatusCode::CONFLICT, "sent_before", message)
            .with_advice("it is not done again; to have it done again choose a new key")
    }

    /// As [`ApiError::stopping`], for whoever asks whether the server can be asked.
    pub(crate) fn draining() -> Self {
        let message = "the server is about to stop: what goes on ends, and nothing new begins";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "draining", message)
    }

    pub(crate) fn no_store() -> Self {
        let message = "the store does not answer, or keeps nothing: nothing can be asked for now";
        let error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "storage", message)
            .with_advice("see whether the database runs; the server's log says more");
        Self { retry_after: Some(STORE_AGAIN), ..error }
    }

    /// Somebody has more of a conversation than its log.
    pub(crate) fn beyond_the_end(events: u64) -> Self {
        let message = format!(
            "the log of this conversation ends before that event: it has {events} by now, and was restored from an earlier state"
        );
        Self::new(StatusCode::CONFLICT, "beyond_the_end", message)
            .with_advice("read the conversation anew, and listen from its end")
    }

    /// A run that has no answer, where the protocol has no other way to say so.
    pub(crate) fn no_answer(failure: &Failure) -> Self {
        // What the client has to send differently is no fault of anybody behind the server.
        let status = match failure.kind {
            FailureKind::Model(ModelErrorKind::Attachment) => StatusCode::BAD_REQUEST,
            _ => StatusCode::BAD_GATEWAY,
        };
        let mut this = Self::new(status, "run_failed", &failure.message);
        this.body.advice.clone_from(&failure.advice);
        this
    }

    /// As [`ApiError::internal`], with the id under which the log has it.
    pub(crate) fn broken(id: &str) -> Self {
        let message = format!("something went wrong in the server; its log says what, under {id}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    /// As [`ApiError::internal`], with the reason in the log.
    fn unforeseen(error: &dyn std::error::Error) -> Self {
        tracing::error!(%error, "a request could not be served");
        Self::internal()
    }

    /// Something that is nobody's business but the operator's: the log has it.
    pub(crate) fn internal() -> Self {
        let message = "something went wrong in the server; its log says what";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

/// A message that quotes what was sent is not as long as that.
fn bounded(message: String) -> String {
    const HEAD: usize = 1_500;
    const TAIL: usize = 200;
    let count = message.chars().count();
    if count <= HEAD + TAIL {
        return message;
    }
    let head: String = message.chars().take(HEAD).collect();
    let tail: String = message.chars().skip(count - TAIL).collect();
    format!("{head} … {tail}")
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&Failed { error: self.body }).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(wait) = self.retry_after {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound(_) | StoreError::Ambiguous { .. } => Self::no_conversation(),
            StoreError::InUse { .. } | StoreError::NotHeld(_) => Self::busy(),
            StoreError::Invalid(_)
            | StoreError::Point(_)
            | StoreError::Conflict(_)
            | StoreError::Title { .. } => Self::invalid(error.to_string()),
            StoreError::Busy | StoreError::Full(_) => {
                Self::of(StatusCode::SERVICE_UNAVAILABLE, "storage", &error)
            }
            StoreError::Lost(_)
            | StoreError::Unavailable(_)
            | StoreError::Refused { .. }
            | StoreError::Tls { .. }
            | StoreError::Address { .. } => {
                tracing::error!(%error, "the store does not answer");
                Self::no_store()
            }
            _ => {
                tracing::error!(%error, "the store failed");
                Self::internal()
            }
        }
    }
}

impl From<JournalError> for ApiError {
    fn from(error: JournalError) -> Self {
        match error.kind {
            JournalErrorKind::Busy | JournalErrorKind::Full => {
                Self::of(StatusCode::SERVICE_UNAVAILABLE, "storage", &error)
            }
            JournalErrorKind::Unavailable => {
                tracing::error!(%error, "the store does not answer");
                Self::no_store()
            }
            _ => Self::unforeseen(&error),
        }
    }
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Store(store) => store.into(),
            SessionError::Journal(journal) => journal.into(),
            error if error.is_busy() => Self::busy(),
            error => Self::unforeseen(&error),
        }
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        let unprocessable = StatusCode::UNPROCESSABLE_ENTITY;
        match error {
            AppError::Session(error) => error.into(),
            AppError::NoSuchTask { .. }
            // Whoever wrote it reads here what is wrong, as at a terminal.
            | AppError::Task { .. }
            | AppError::NotOffered { .. }
            | AppError::BadValue { .. } => Self::of(unprocessable, "invalid", &error),
            AppError::Asked { .. } => Self::malformed(error.to_string()),
            AppError::NoSuchModel(_) => Self::of(StatusCode::BAD_REQUEST, "no_such_model", &error),
            AppError::Model(_) if error.fault() == Fault::NotConfigured => {
                Self::of(unprocessable, "invalid", &error)
            }
            error => Self::unforeseen(&error),
        }
    }
}
