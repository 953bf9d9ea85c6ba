//! Messages to a run that goes on: taken up while it does, or asked when it has ended.

use std::time::{SystemTime, UNIX_EPOCH};

use http::StatusCode;
use serde::{Deserialize, Serialize};
use toolwright_core::{Message, QueueMode, QueuedMessage, Timestamp, UserMessage};
use toolwright_store::Withdrawal;
use utoipa::ToSchema;

use super::{chat::check_tools_off, conversations::exact, once::SaidOnce};
use crate::{
    ApiError,
    address::Name,
    attached::{Attached, attach},
    auth::Asker,
    error::Failed,
    json::{IdempotencyKey, Json, Keyed},
    text::is_blank,
};

/// As much may wait in a conversation.
const MOST: usize = 50;

/// A message to a run that goes on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saying {
    /// What is said. It may be empty where something is attached.
    #[serde(default)]
    message: String,
    /// What comes with it: pictures, files, sound. At most 10.
    #[serde(default)]
    #[schema(max_items = 10)]
    attachments: Vec<Attached>,
    /// What it waits for: `steer` where nothing is said.
    #[serde(default)]
    mode: When,
    /// The tools that are off for the run that begins with it, and for those behind that; as for the run that goes on
    /// where nothing is said. The run that goes on keeps those that it has.
    #[schema(max_items = 1000)]
    tools_off: Option<Vec<String>>,
}

/// What a message waits for.
#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum When {
    /// The run takes it up as soon as every call has its result, also behind an answer.
    #[default]
    Steer,
    /// It is the next question, once the run has its answer.
    Next,
}

/// A message that waits.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingMessage {
    id: String,
    mode: When,
    /// Since when, in milliseconds since 1970.
    at: u64,
    /// What was said.
    #[schema(value_type = Object)]
    message: Message,
}

/// What waits in a conversation, the oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingMessages {
    messages: Vec<WaitingMessage>,
}

/// A message was taken.
#[derive(Serialize, ToSchema)]
pub(crate) struct Taken {
    /// Its name: the event `message` that takes it up has it as `queued`.
    id: String,
}

impl From<When> for QueueMode {
    fn from(when: When) -> Self {
        match when {
            When::Steer => Self::Steer,
            When::Next => Self::Next,
        }
    }
}

impl From<QueuedMessage> for WaitingMessage {
    fn from(it: QueuedMessage) -> Self {
        let mode = match it.mode {
            QueueMode::Steer => When::Steer,
            QueueMode::Next => When::Next,
        };
        let message = Message::User(it.message);
        Self { id: it.id.to_string(), mode, at: it.at.0, message }
    }
}

/// Say something to the run that goes on
///
/// It is kept before this is answered. The event `message` whose `queued` is its id takes it up; until then
/// it can be taken back. After a run that was stopped or failed it goes on waiting, until something is
/// asked in the conversation or the run is resumed.
#[utoipa::path(
    post, path = "/api/conversations/{id}/messages", operation_id = "say", tag = "chat",
    request_body = Saying, params(("id" = String, Path), IdempotencyKey),
    responses(
        (status = 202, description = "It waits", body = Taken),
        (status = 400, description = "No JSON, or something that cannot be attached", body = Failed),
        (status = 404, description = "No such conversation", body = Failed),
        (status = 409, description = "No run goes on, or too much waits already", body = Failed),
        (status = 422, description = "The key was used for something else", body = Failed),
    )
)]
pub(crate) async fn say(
    service: Asker,
    Name(id): Name,
    Keyed { value: saying, key }: Keyed<Saying>,
) -> Result<(StatusCode, Json<Taken>), ApiError> {
    if is_blank(&saying.message) && saying.attachments.is_empty() {
        return Err(ApiError::invalid("the message is empty"));
    }
    check_tools_off(saying.tools_off.as_deref().unwrap_or_default())?;
    let message = attach(UserMessage::new(saying.message), saying.attachments)?;
    // Before anything is read: whatever ends from here on, this knows who is asked next.
    let follow = service.runs().followed_by(&id.as_str().into());
    let is_here = service.runs().active(&id.as_str().into()).is_some();
    let found = exact(&service, &id).await?;
    let SaidOnce { name, is_said } = SaidOnce::new(&service, &found.id, key).await?;
    if is_said {
        return Ok((StatusCode::ACCEPTED, Json(Taken { id: name.to_string() })));
    }
    if !service.runs().standing(&found).await?.is_going {
        return Err(ApiError::idle());
    }
    let store = service.store();
    if store.queued(&found.id).await?.len() >= MOST {
        return Err(ApiError::queue_full(MOST));
    }
    let follow = match &saying.tools_off {
        Some(tools) => {
            service.runs().follow_without(&found.id, tools).await?;
            follow.map(|it| it.without(tools))
        }
        None => follow,
    };
    let mode = saying.mode.into();
    let queued = QueuedMessage { id: name.clone(), mode, at: now(), message };
    store.queue(&found.id, queued).await?;
    service.runs().queued(&found.id, follow);
    // Whoever drives the run looks at what waits when it ends. Where it ended before this waited, and nobody took it,
    // it would wait for nobody.
    if !is_here
        && store.progress(&found.id).await?.is_none_or(|it| it.open.is_none())
        && store.withdraw(&found.id, &name).await? == Withdrawal::Withdrawn
    {
        service.runs().queue_changed(&found.id);
        return Err(ApiError::idle());
    }
    Ok((StatusCode::ACCEPTED, Json(Taken { id: name.to_string() })))
}

/// What waits in a conversation
#[utoipa::path(
    get, path = "/api/conversations/{id}/messages", operation_id = "waiting", tag = "chat",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = WaitingMessages),
        (status = 404, description = "No such conversation", body = Failed),
    )
)]
pub(crate) async fn list(
    service: Asker,
    Name(id): Name,
) -> Result<Json<WaitingMessages>, ApiError> {
    let id = exact(&service, &id).await?.id;
    let messages = service.store().queued(&id).await?;
    Ok(Json(WaitingMessages { messages: messages.into_iter().map(WaitingMessage::from).collect() }))
}

/// Take a message back that waits
#[utoipa::path(
    delete, path = "/api/conversations/{id}/messages/{message}", operation_id = "withdraw",
    tag = "chat", params(("id" = String, Path), ("message" = String, Path)),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "No such message", body = Failed),
        (status = 409, description = "A run took it up, or is about to: `taken_up`", body = Failed),
    )
)]
pub(crate) async fn withdraw(
    service: Asker,
    Name((id, message)): Name<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let gone = || ApiError::not_found("no such message waits");
    if message.contains('\0') {
        return Err(gone());
    }
    let id = exact(&service, &id).await?.id;
    match service.store().withdraw(&id, &message.into()).await? {
        Withdrawal::Withdrawn => {
            service.runs().queue_changed(&id);
            Ok(StatusCode::NO_CONTENT)
        }
        Withdrawal::TakenUp => Err(ApiError::taken_up()),
        Withdrawal::Unknown => Err(gone()),
    }
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
