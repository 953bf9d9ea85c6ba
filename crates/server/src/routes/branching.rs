//! [`Place`]: where in a conversation a question is asked; and conversations that begin as a copy of another's.

use http::StatusCode;
use serde::Deserialize;
use toolwright_app::{Session, StartedRun};
use toolwright_core::{BranchPoint, ConversationId, RunContext, RunId, UserMessage};
use toolwright_runtime::{new_conversation_id, new_run_id};
use toolwright_store::Store;
use utoipa::ToSchema;

use super::conversations::{Line, exact};
use crate::{
    ApiError,
    address::Name,
    auth::{Asker, Done},
    error::Failed,
    json::{Json, whole_number},
};

/// A point of a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Point {
    /// The run.
    run: String,
    /// The event in it; its last where none is named.
    #[serde(default, deserialize_with = "whole_number")]
    seq: Option<u64>,
}

impl Point {
    /// The point, where the conversation has such a run.
    async fn find(&self, store: &Store, id: &ConversationId) -> Result<BranchPoint, ApiError> {
        let run = RunId::from(self.run.as_str());
        let end = store.runs(id).await?.end_of(&run).ok_or_else(no_such_run)?;
        Ok(self.seq.map_or(end, |seq| BranchPoint::Event { run, seq }))
    }
}

/// A run is named that the conversation does not have.
pub(super) fn no_such_run() -> ApiError {
    ApiError::not_found("there is no such run here")
}

/// Where a question is asked.
pub(crate) enum Place {
    /// At the end of a conversation, or in a new one.
    End(Option<String>),
    /// In the place of a run.
    InsteadOf(String, RunId),
    /// Behind a point.
    After(String, Point),
}

impl Place {
    pub(super) fn new(
        conversation: Option<String>,
        instead_of: Option<String>,
        after: Option<Point>,
    ) -> Result<Self, ApiError> {
        match (conversation, instead_of, after) {
            (conversation, None, None) => Ok(Self::End(conversation)),
            (Some(id), Some(run), None) => Ok(Self::InsteadOf(id, run.into())),
            (Some(id), None, Some(point)) => Ok(Self::After(id, point)),
            (None, ..) => Err(ApiError::invalid(
                "`instead_of` and `after` are about a conversation: name it in `conversation_id`",
            )),
            (Some(_), Some(_), Some(_)) => {
                Err(ApiError::invalid("give `instead_of` or `after`, not both"))
            }
        }
    }

    /// The conversation that is meant, where there is one; a new one where none is named.
    pub(super) async fn conversation(&self, service: &Asker) -> Result<ConversationId, ApiError> {
        match self {
            Self::End(None) => Ok(new_conversation_id()),
            Self::End(Some(id)) | Self::InsteadOf(id, _) | Self::After(id, _) => {
                Ok(exact(service, id).await?.id)
            }
        }
    }

    /// Asks there, in the conversation that is meant.
    pub(super) async fn ask(
        &self,
        session: &Session,
        id: &ConversationId,
        message: UserMessage,
        context: RunContext,
    ) -> Result<StartedRun, ApiError> {
        match self {
            Self::End(_) => Ok(session.ask(Some(id), message, context).await?),
            Self::InsteadOf(_, run) => {
                let begun = session.regenerate(id, Some(run), Some(message), context).await?;
                begun.ok_or_else(no_such_run)
            }
            Self::After(_, point) => {
                let point = point.find(session.store(), id).await?;
                Ok(session.ask_from(id, point, message, context).await?)
            }
        }
    }
}

/// Where a copy ends.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forking {
    /// The last point that is in it; the end of the newest path where none is named.
    after: Option<Point>,
}

/// Begin a conversation as a copy of this one
///
/// What leads to a point is copied, and nothing else. The copy stays when this conversation is deleted.
#[utoipa::path(
    post, path = "/api/conversations/{id}/fork", tag = "conversations", request_body = Forking,
    params(("id" = String, Path)),
    responses(
        (status = 201, description = "The new conversation", body = Line),
        (status = 404, description = "No such conversation, or no such run in it", body = Failed),
    )
)]
pub(crate) async fn fork(
    service: Asker,
    Name(id): Name,
    Json(forking): Json<Forking>,
) -> Result<(StatusCode, Json<Line>), ApiError> {
    let id = exact(&service, &id).await?.id;
    let store = service.store();
    let point = match forking.after {
        Some(point) => Some(point.find(&store, &id).await?),
        None => None,
    };
    let into = new_conversation_id();
    service.record().note(Done { into: Some(into.to_string()), ..Done::within(&id) });
    store.fork(&id, point.as_ref(), &into, new_run_id).await?;
    Ok((StatusCode::CREATED, Json(exact(&service, into.as_str()).await?.into())))
}
