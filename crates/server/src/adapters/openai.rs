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
    Conversation, ConversationId, DisplayText, Event, EventKind, Failure, FailureKind,
    FinishReason, Message, RunContext, RunId, Usage,
};
use toolwright_runtime::{Agent, RunStream, new_conversation_id, new_run_id};
use utoipa::ToSchema;

use super::{openai_options::Options, telling::Reviewed};
use crate::{
    ApiError,
    attached::bounded,
    auth::Asker,
    error::Failed,
    json::{IdempotencyKey, Json, Keyed},
    routes::Once,
    runs::Admitted,
    server::Service,
    sse,
};

/// The model that stands for whatever was configured.
const OURS: &str = "toolwright";

/// What clients of OpenAI's API send.
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
    #[serde(flatten)]
    options: Options,
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
    params(IdempotencyKey),
    responses(
        (status = 200, description = "A completion, whole or in pieces", content(
            (Object = "application/json"), (String = "text/event-stream"),
        )),
        (status = 400, description = "No JSON, or a message that cannot be read", body = Failed),
        (status = 409, description = "It was sent before with the same key", body = Failed),
        (status = 502, description = "There is no answer", body = Failed),
    )
)]
pub(crate) async fn complete(
    service: Asker,
    Keyed { value: asked, key }: Keyed<Completion>,
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
    let shape = asked.options.shape()?;
    let has_form = shape.output.is_some();
    // Nothing is kept, so nobody can be told again what came of it: but it is done once.
    if Once::new(&service, new_conversation_id(), key).await?.was_sent() {
        return Err(ApiError::sent_before());
    }
    let names = (new_conversation_id(), new_run_id());
    let running = begin(shape.of(&session)?.agent(), messages, context, &names)?;
    let naming = Naming { has_form, ..Naming::new(asked.model) };
    if asked.stream == Some(true) {
        let usage = asked.stream_options.and_then(|it| it.include_usage) == Some(true);
        let pieces = Pieces::new(naming, usage).respond(running, admitted);
        return Ok(sse::with_names(pieces, &names.0, &names.1));
    }
    Ok(sse::with_names(whole(running, &naming).await?, &names.0, &names.1))
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

/// A run of what the client sent, called so. Its instructions stand below ours.
fn begin(
    agent: &Agent,
    mut messages: Vec<Message>,
    context: RunContext,
    (conversation, run): &(ConversationId, RunId),
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
    let prepared = prepared.conversation_id(conversation.clone()).run_id(run.clone());
    Ok(prepared.context(context).start())
}

async fn whole(mut running: RunStream, naming: &Naming) -> Result<Response, ApiError> {
    let mut review = Reviewed::default();
    while let Some(event) = running.next().await {
        review.add(&event);
    }
    let ended = running.finish().await;
    let (message, finish, used, calls) = match ended {
        Ok(answer) => {
            // What has a form has nothing else beside it.
            let content = match review.line().filter(|_| !naming.has_form) {
                Some(line) => format!("{}\n\n{line}", answer.response),
                None => answer.response,
            };
            let message = json!({"role": "assistant", "content": content, "refusal": null});
            (message, finish(answer.finish_reason), answer.usage, answer.tool_calls)
        }
        Err(failure) => {
            let (finish, refusal) =
                formless(&failure).ok_or_else(|| ApiError::no_answer(&failure))?;
            let message = json!({"role": "assistant", "content": null, "refusal": refusal});
            (message, finish, failure.usage, failure.tool_calls)
        }
    };
    let mut choice = json!({
        "index": 0, "finish_reason": finish, "logprobs": null, "message": message,
    });
    mark(&mut choice, &review);
    let body = json!({
        "id": naming.id, "object": "chat.completion", "created": naming.created,
        "model": naming.model,
        "choices": [choice],
        "usage": usage(&used),
        // What the server did for it. Clients that do not know it leave it alone.
        "toolwright": {"tool_calls": calls},
    });
    Ok(Json(body).into_response())
}

/// How it is told that the model declined to answer in a form, or was cut off while it did.
fn formless(failure: &Failure) -> Option<(&'static str, Option<&str>)> {
    match failure.kind {
        FailureKind::Refused => Some(("stop", Some(&failure.response))),
        FailureKind::Truncated => Some(("length", None)),
        _ => None,
    }
}

/// Says what came of the review, for clients that know to look. Others leave it alone.
fn mark(choice: &mut Value, review: &Reviewed) {
    if let (Some(told), Some(choice)) = (review.told(), choice.as_object_mut()) {
        choice.insert(OURS.to_owned(), json!({"review": told}));
    }
}

/// What stands on every piece.
struct Naming {
    /// Whether the answer has a form.
    has_form: bool,
    id: String,
    created: u64,
    model: String,
}

impl Naming {
    fn new(model: String) -> Self {
        let id = format!("chatcmpl-{}", new_conversation_id().as_str().trim_start_matches("conv_"));
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
        Self { has_form: false, id, created, model }
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
                if let Some(line) = self.review.line().filter(|_| !self.naming.has_form) {
                    let line = format!("\n\n{line}");
                    out.push(self.naming.piece(&json!({"content": line}), None));
                }
                out.push(self.naming.end(finish(answer.finish_reason), &self.review));
                if self.usage {
                    out.push(self.naming.cost(&answer.usage));
                }
            }
            EventKind::Error(failure) if formless(failure).is_some() => {
                let (finish, refusal) = formless(failure).unwrap_or_default();
                if let Some(refusal) = refusal {
                    out.push(self.naming.piece(&json!({"refusal": refusal}), None));
                }
                out.push(self.naming.end(finish, &self.review));
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

#[cfg(test)]
mod tests {
    use super::{super::telling::fallen_back, *};

    #[test]
    fn where_there_is_only_text_it_says_that_another_model_begins_anew() {
        let mut pieces = Pieces::new(Naming::new("toolwright".into()), false);
        let sent = fallen_back(|event| pieces.write(event)).concat();
        let lines = sent.lines().filter_map(|line| line.strip_prefix("data: {"));
        let read = lines.map(|line| serde_json::from_str::<Value>(&format!("{{{line}")).unwrap());
        let text: String = read
            .filter_map(|it| it["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
            .collect();
        let told = "It is gr\n\n[broken off; openai:scripted begins anew]\n\nThe sky is blue.";
        assert_eq!(text, told);
    }
}
