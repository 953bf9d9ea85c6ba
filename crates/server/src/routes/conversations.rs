//! Conversations: the list, one of them, its name, its end.

use http::StatusCode;
use serde::{Deserialize, Serialize};
use toolwright_core::Timestamp;
use toolwright_store::{
    ConversationPage, ConversationStatus as Going, ConversationSummary, Cursor, StoreError,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    ApiError,
    address::{Name, Query},
    auth::{Asker, Scope},
    error::Failed,
    json::Json,
};

/// A conversation in a line.
#[derive(Serialize, ToSchema)]
pub(crate) struct Line {
    id: String,
    title: String,
    /// Milliseconds since 1970.
    created_at: u64,
    /// Milliseconds since 1970.
    updated_at: u64,
    runs: u32,
    messages: u32,
    /// `idle`, `unfinished` or `running`.
    state: &'static str,
    /// How many decisions and answers of the user it waits for.
    waiting: usize,
    /// Whether the run that goes on waits for somebody who drives it: an engine has it, and nobody is at it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    undriven: bool,
    /// The last answer, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_answer: Option<String>,
    /// The words that were searched for, with what stands around them.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<String>,
    /// The run in which they stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// Whose it is, for those who see everybody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
}

impl From<ConversationSummary> for Line {
    fn from(it: ConversationSummary) -> Self {
        Self {
            id: it.id.to_string(),
            title: it.title,
            created_at: it.created_at.0,
            updated_at: it.updated_at.0,
            runs: it.runs,
            messages: it.messages,
            state: match it.state {
                Going::Idle => "idle",
                Going::Unfinished => "unfinished",
                Going::Running => "running",
            },
            waiting: 0,
            undriven: false,
            last_answer: it.last_answer,
            excerpt: None,
            run: None,
            owner: None,
        }
    }
}

impl Line {
    /// With what the run that goes on waits for.
    async fn of(service: &Asker, summary: ConversationSummary) -> Result<Self, ApiError> {
        let standing = service.runs().standing(&summary).await?;
        let state = if standing.is_going { Going::Running } else { summary.state };
        let owner = summary.owner.clone().filter(|_| service.who().is_admin());
        if owner.as_deref().is_some_and(|it| !service.who().is_owner(it)) {
            service.record().shows_others();
        }
        Ok(Self {
            owner,
            waiting: standing.waits_for,
            undriven: standing.is_undriven(&summary),
            ..Self::from(ConversationSummary { state, ..summary })
        })
    }
}

/// A part of the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Lines {
    conversations: Vec<Line>,
    /// Where the list goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// Who has conversations, for those who see everybody's.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    owners: Vec<String>,
}

/// Which part of the list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// How many, at most 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
    /// Where to go on: `next` of the part before.
    #[param(pattern = r"^[0-9]{1,18}\.[^\u0000]+$")]
    before: Option<String>,
    /// Words that occur in it.
    q: Option<String>,
    /// Whose they are, for those who see everybody's.
    owner: Option<String>,
}

const MOST: usize = 200;

/// List conversations, the newest first, or find some
#[utoipa::path(
    get, path = "/api/conversations", operation_id = "conversations", tag = "conversations",
    params(Wanted),
    responses(
        (status = 200, body = Lines),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 422, description = "A parameter that cannot be used", body = Failed),
    )
)]
pub(crate) async fn list(
    service: Asker,
    Query(wanted): Query<Wanted>,
) -> Result<Json<Lines>, ApiError> {
    let limit = wanted.limit.unwrap_or(50);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::invalid(format!("limit is from 1 to {MOST}")));
    }
    let before = match wanted.before.as_deref().map(cursor) {
        Some(None) => return Err(ApiError::invalid("`before` is no place in the list")),
        Some(before) => before,
        None => None,
    };
    let owner = wanted.owner.filter(|owner| !owner.is_empty());
    if owner.as_ref().is_some_and(|owner| owner.contains('\0')) {
        return Err(ApiError::invalid("`owner` is nobody's name"));
    }
    let mut owners = Vec::new();
    let store = match owner {
        Some(owner) => {
            service.who().require(Scope::Admin)?;
            service.store().of(&owner)
        }
        None => service.store(),
    };
    if service.who().is_admin() {
        owners = service.store().owners().await?;
    }
    if let Some(words) = wanted.q.filter(|words| !words.trim().is_empty()) {
        let mut conversations = Vec::new();
        for hit in store.search(&words, limit).await? {
            let (excerpt, run) = (Some(hit.snippet), Some(hit.run.to_string()));
            conversations.push(Line { excerpt, run, ..Line::of(&service, hit.summary).await? });
        }
        return Ok(Json(Lines { conversations, next: None, owners }));
    }
    let found = store.list(&ConversationPage { before, limit }).await?;
    let next = found.last().filter(|_| found.len() == limit).map(|last| {
        let Cursor { updated_at, id } = last.cursor();
        format!("{}.{id}", updated_at.0)
    });
    let mut conversations = Vec::with_capacity(found.len());
    for summary in found {
        conversations.push(Line::of(&service, summary).await?);
    }
    Ok(Json(Lines { conversations, next, owners }))
}

/// A place in the list. What its pattern leaves out was never handed out as one.
fn cursor(text: &str) -> Option<Cursor> {
    let (updated_at, id) = text.split_once('.')?;
    let is_time = updated_at.len() <= 18 && updated_at.bytes().all(|it| it.is_ascii_digit());
    let updated_at = Timestamp(updated_at.parse().ok().filter(|_| is_time)?);
    (!id.is_empty() && !id.contains('\0')).then(|| Cursor { updated_at, id: id.into() })
}

/// One conversation
#[utoipa::path(
    get, path = "/api/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses(
        (status = 200, body = Line),
        (status = 404, description = "No such conversation", body = Failed),
    )
)]
pub(crate) async fn one(service: Asker, Name(id): Name) -> Result<Json<Line>, ApiError> {
    Ok(Json(Line::of(&service, exact(&service, &id).await?).await?))
}

/// A new name.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Renaming {
    /// The name.
    #[schema(
        max_length = 200,
        pattern = r"[^\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
    )]
    title: String,
}

/// How many characters a name may have.
const LONGEST: usize = 200;

/// Give a conversation another name
#[utoipa::path(
    patch, path = "/api/conversations/{id}", tag = "conversations", request_body = Renaming,
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Line),
        (status = 404, description = "No such conversation", body = Failed),
    )
)]
pub(crate) async fn rename(
    service: Asker,
    Name(id): Name,
    Json(renaming): Json<Renaming>,
) -> Result<Json<Line>, ApiError> {
    // As it was sent, blanks and all: that is what the description counts.
    let found = renaming.title.chars().count();
    if found > LONGEST {
        return Err(StoreError::Title { most: LONGEST, found }.into());
    }
    let id = exact(&service, &id).await?.id;
    let renamed = service.store().rename(&id, &renaming.title).await?;
    Ok(Json(Line::of(&service, renamed).await?))
}

/// Delete a conversation and every trace of it
#[utoipa::path(
    delete, path = "/api/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "No such conversation", body = Failed),
        (status = 409, description = "A run goes on in it", body = Failed),
    )
)]
pub(crate) async fn delete(service: Asker, Name(id): Name) -> Result<StatusCode, ApiError> {
    let id = exact(&service, &id).await?.id;
    // One that an engine drives goes on though nobody has it for now: whoever listens waits for its end.
    if service.runs().going(&id).await?.is_some() {
        return Err(ApiError::busy());
    }
    service.store().delete(&id).await?;
    service.runs().let_go(&id);
    Ok(StatusCode::NO_CONTENT)
}

/// The conversation of exactly this id: who has only a part of one may not find the rest.
pub(crate) async fn exact(service: &Asker, id: &str) -> Result<ConversationSummary, ApiError> {
    // PostgreSQL knows no text with a NUL in it, and would fail.
    if id.contains('\0') {
        return Err(ApiError::no_conversation());
    }
    match service.store().find(id).await {
        Ok(found) if found.id.as_str() == id => Ok(found),
        Ok(_) | Err(StoreError::NotFound(_)) => Err(ApiError::no_conversation()),
        Err(error) => Err(error.into()),
    }
}
