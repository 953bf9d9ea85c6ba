//! QuestionReply a tool's question.

use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use toolwright_core::QuestionAnswer;
use utoipa::ToSchema;

use crate::{
    ApiError,
    address::Name,
    auth::{Asker, Done},
    error::Failed,
    json::Json,
};

/// The answer to a tool's question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuestionReply {
    /// The call that asks.
    call_id: String,
    /// The question, as its `question_asked` names it.
    question_id: String,
    action: Action,
    /// What was filled in, by the names of the fields. A field that is `null` was left empty; one that is
    /// not there is what stood there at first.
    #[schema(value_type = Option<Object>)]
    content: Option<Map<String, Value>>,
}

/// What the user does about it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    /// Answer it, or visit the address.
    Accept,
    /// Not answer it.
    Decline,
    /// Close it.
    Cancel,
}

/// Answer a tool's question
#[utoipa::path(
    post, path = "/api/conversations/{id}/questions", operation_id = "answer_question", tag = "chat",
    request_body = QuestionReply, params(("id" = String, Path)),
    responses(
        (status = 204, description = "The tool has its answer"),
        (status = 404, description = "No such question waits", body = Failed),
        (status = 409, description = "The run was cut short (`unfinished`)", body = Failed),
        (status = 422, description = "The answer is not valid: the question goes on waiting", body = Failed),
    )
)]
pub(crate) async fn answer(
    service: Asker,
    Name(id): Name,
    Json(answering): Json<QuestionReply>,
) -> Result<StatusCode, ApiError> {
    let verdict = match answering.action {
        Action::Accept => "accept",
        Action::Decline => "decline",
        Action::Cancel => "cancel",
    };
    let call = Some(answering.call_id.clone());
    service.record().note(Done { call, verdict: Some(verdict), ..Done::default() });
    service.check(&id.as_str().into()).await?;
    let gone = "no such question waits for an answer";
    let going = service.runs().going_or(&id.as_str().into(), gone).await?;
    service.record().begun(&going.run);
    let answer = match answering.action {
        Action::Accept => QuestionAnswer::Accept { content: answering.content.unwrap_or_default() },
        Action::Decline => QuestionAnswer::Decline,
        Action::Cancel => QuestionAnswer::Cancel,
    };
    let (call, question) = (answering.call_id.into(), answering.question_id.into());
    service.runs().answer(&going, &call, &question, answer).await?;
    Ok(StatusCode::NO_CONTENT)
}
