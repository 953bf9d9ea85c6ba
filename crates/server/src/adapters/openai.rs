//! OpenAI's chat completions, with the server's own tools run behind them.
//!
//! As there, nothing is kept: the client sends the whole conversation each time. Nobody can be asked
//! either, so what was not approved beforehand is denied.

use std::{
    convert::Infallible,
    time::{SystemTime, UNIX_EPOCH},
};

use axum::{
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_app::{ApprovalMode, RunOverrides};
use toolwright_core::{
    Conversation, DisplayText, Event, EventKind, FinishReason, Message, RunContext, Usage,
};
use toolwright_runtime::{Agent, RunStream, new_conversation_id};
use utoipa::ToSchema;

use super::telling::Reviewed;
use crate::{
    ApiError,
    attached::bounded,
    error::Failed,
    json::{Json, Upload},
    runs::Admitted,
    server::Service,
    sse,
};

/// The model that stands for whatever was configured.
const OURS: &str = "toolwright";

/// What clients of OpenAI's API send. What is not named here is for models, and left to ours.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Completion {
    /// `toolwright`, or a model's own name.
    model: String,
    /// The conversation; the last message is the question.
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Value>,
    /// Whether the answer comes in pieces.
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    /// Tools that the client would run itself: there is no way for that here.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    tools: Option<Vec<Value>>,
}

/// What is streamed besides the answer.
#[derive(Deserialize, ToSchema)]
pub(crate) struct StreamOptions {
    /// Whether the last piece says what it cost.
    #[serde(default)]
    include_usage: Option<bool>,
}

/// Ask, as clients of OpenAI's API do
#[utoipa::path(
    post, path = "/v1/chat/completions", tag = "adapters", request_body = Completion,
    responses(
        (status = 200, description = "A completion, whole or in pieces", content(
            (Object = "application/json"), (String = "text/event-stream"),
        )),
        (status = 400, description = "No JSON, or a message that cannot be read", body = Failed),
        (status = 502, description = "There is no answer", body = Failed),
    )
)]
pub(crate) async fn complete(
    State(service): State<Service>,
    Upload(asked): Upload<Completion>,
) -> Result<Response, ApiError> {
    if asked.tools.as_ref().is_some_and(|tools| !tools.is_empty()) {
        return Err(ApiError::invalid("the tools are the server's own: send no `tools`"));
    }
    let messages = read(asked.messages)?;
    let model = Some(asked.model.clone()).filter(|name| name != OURS);
    let wish = RunOverrides { model, deciding: ApprovalMode::Nobody, ..RunOverrides::default() };
    let session = service.host().session(&wish)?;
    let admitted = service.runs().admit()?;
    let context = service.host().context(&wish, None)?;
    let running = begin(session.agent(), messages, context)?;
    let naming = Naming::new(asked.model);
    if asked.stream == Some(true) {
        let usage = asked.stream_options.and_then(|it| it.include_usage) == Some(true);
        return Ok(Pieces::new(naming, usage).respond(running, admitted));
    }
    whole(running, &naming).await
}

/// What the client sent. Pictures and files come in it as they are: nothing is fetched.
fn read(messages: Vec<Value>) -> Result<Vec<Message>, ApiError> {
    let read = messages.into_iter().enumerate().map(|(index, message)| {
        let message = serde_json::from_value::<Message>(message)
            .map_err(|error| ApiError::malformed(format!("messages[{index}]: {error}")))?;
        bounded(format_args!("messages[{index}]"), message.attachments().len())?;
        Ok(message)
    });
    read.collect()
}

/// A run of what the client sent. Its instructions stand below ours.
fn begin(
    agent: &Agent,
    mut messages: Vec<Message>,
    context: RunContext,
) -> Result<RunStream, ApiError> {
    let Some(Message::User(question)) = messages.pop() else {
        return Err(ApiError::invalid("the last message must be the user's"));
    };
    let is_system = |message: &Message| matches!(message, Message::System(_));
    let (system, rest): (Vec<_>, Vec<_>) = messages.into_iter().partition(is_system);
    let ours = agent.settings().system.as_deref().into_iter();
    let system: Vec<_> = ours.chain(system.iter().map(Message::content)).collect();
    let system = (!system.is_empty()).then(|| Message::system(system.join("\n\n")));
    // What only a provider sees is what a provider sent us, and not what a client did.
    let rest = rest.into_iter().map(Message::without_extra);
    let (history, _) = Conversation::load(system.into_iter().chain(rest));
    let prepared = agent.prepare(question).conversation(history);
    let prepared = prepared.conversation_id(new_conversation_id());
    Ok(prepared.context(context).start())
}

async fn whole(mut running: RunStream, naming: &Naming) -> Result<Response, ApiError> {
    let mut review = Reviewed::default();
    while let Some(event) = running.next().await {
        review.add(&event);
    }
    let answer = running.finish().await.map_err(|failure| ApiError::no_answer(&failure))?;
    let content = match review.line() {
        Some(line) => format!("{}\n\n{line}", answer.response),
        None => answer.response,
    };
    let mut choice = json!({
        "index": 0, "finish_reason": finish(answer.finish_reason), "logprobs": null,
        "message": {"role": "assistant", "content": content, "refusal": null},
    });
    mark(&mut choice, &review);
    let body = json!({
        "id": naming.id, "object": "chat.completion", "created": naming.created,
        "model": naming.model,
        "choices": [choice],
        "usage": usage(&answer.usage),
        // What the server did for it. Clients that do not know it leave it alone.
        "toolwright": {"tool_calls": answer.tool_calls},
    });
    Ok(Json(body).into_response())
}

/// Says what came of the review, for clients that know to look. Others leave it alone.
fn mark(choice: &mut Value, review: &Reviewed) {
    if let (Some(told), Some(choice)) = (review.told(), choice.as_object_mut()) {
        choice.insert(OURS.to_owned(), json!({"review": told}));
    }
}

/// What stands on every piece.
struct Naming {
    id: String,
    created: u64,
    model: String,
}

impl Naming {
    fn new(model: String) -> Self {
        let id = format!("chatcmpl-{}", new_conversation_id().as_str().trim_start_matches("conv_"));
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
        Self { id, created, model }
    }

    fn piece(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created,
            "model": self.model,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }

    /// The piece that says why there is no more, and what came of the review.
    fn end(&self, finish: &str, review: &Reviewed) -> Value {
        let mut piece = self.piece(&json!({}), Some(finish));
        if let Some(choice) = piece.pointer_mut("/choices/0") {
            mark(choice, review);
        }
        piece
    }

    /// The last piece, which says what it cost.
    fn cost(&self, used: &Usage) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created,
            "model": self.model, "choices": [], "usage": usage(used),
        })
    }
}

/// An answer in pieces.
struct Pieces {
    naming: Naming,
    shown: DisplayText,
    review: Reviewed,
    /// Whether anything was said, and whether what comes next is something else.
    has_said: bool,
    is_parted: bool,
    usage: bool,
}

impl Pieces {
    fn new(naming: Naming, usage: bool) -> Self {
        let (shown, review) = (DisplayText::new(), Reviewed::default());
        Self { naming, shown, review, has_said: false, is_parted: false, usage }
    }

    /// The run goes on only while somebody listens: there is no way back to it.
    fn respond(self, running: RunStream, admitted: Admitted) -> Response {
        let pieces =
            stream::unfold((self, running, admitted), |(mut pieces, mut run, place)| async {
                let event = run.next().await?;
                let text = pieces.write(&event);
                Some((text, (pieces, run, place)))
            });
        let pieces = pieces.filter(|text| std::future::ready(!text.is_empty()));
        let bytes = pieces.map(|text| Ok::<_, Infallible>(Bytes::from(text)));
        (sse::headers(), Body::from_stream(bytes)).into_response()
    }

    fn write(&mut self, event: &Event) -> String {
        let mut out = Vec::new();
        if let Some(text) = self.shown.add(event) {
            let gap = if std::mem::take(&mut self.is_parted) { "\n\n" } else { "" };
            self.has_said = true;
            out.push(self.naming.piece(&json!({"content": format!("{gap}{text}")}), None));
        }
        self.review.add(event);
        match &event.kind {
            EventKind::RunStarted { .. } => {
                out.push(self.naming.piece(&json!({"role": "assistant", "content": ""}), None));
            }
            // A text of its own: what the model says next does not go on with it.
            EventKind::RoundStarted { .. } => self.is_parted = self.has_said,
            EventKind::Done(answer) => {
                if let Some(line) = self.review.line() {
                    let line = format!("\n\n{line}");
                    out.push(self.naming.piece(&json!({"content": line}), None));
                }
                out.push(self.naming.end(finish(answer.finish_reason), &self.review));
                if self.usage {
                    out.push(self.naming.cost(&answer.usage));
                }
            }
            EventKind::Error(failure) => {
                out.push(json!({"error": {"message": failure.message, "type": "run_failed", "code": "run_failed"}}));
            }
            _ => {}
        }
        let mut text: String = out.iter().map(|piece| format!("data: {piece}\n\n")).collect();
        if event.kind.is_terminal() {
            text.push_str("data: [DONE]\n\n");
        }
        text
    }
}

fn finish(finish: FinishReason) -> &'static str {
    match finish {
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Refusal => "stop",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
    }
}

fn usage(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.total(),
    })
}

/// The models there are: ours
#[utoipa::path(
    get, path = "/v1/models", tag = "adapters", responses((status = 200, body = Object))
)]
pub(crate) async fn models(State(service): State<Service>) -> Result<Json<Value>, ApiError> {
    let name = service.host().engine()?.name();
    let model = |id: &str| json!({"id": id, "object": "model", "created": 0, "owned_by": OURS});
    Ok(Json(json!({"object": "list", "data": [model(OURS), model(&name)]})))
}
