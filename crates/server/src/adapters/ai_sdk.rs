//! The AI SDK's UI message stream (version 1), for `useChat` and its like.
//!
//! What is sent is understood by the SDK's versions 5 to 7. Conversations are kept here: of what the
//! client sends, only the newest question is read.

use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_app::{RunOverrides, RunSpec};
use toolwright_core::{
    Attachment, CallId, ConversationId, DisplayText, Event, EventKind, FailureKind, RunId,
    UserMessage, truncate_line,
};
use utoipa::ToSchema;

use super::{
    Telling, is_name, named,
    parts::{Reading, no_question, unknown},
    telling::{Reviewed, Text, result},
    written,
};
use crate::{
    ApiError,
    address::Name,
    auth::{Asker, Done},
    error::Failed,
    json::{IdempotencyKey, Keyed},
    routes::{Once, attachments::path_of, exact},
    runs::{Begun, Entrusted, Started},
    shape::Shape,
    sse,
};

/// How much of a result is told where the call is none of the run that was asked for, in characters.
const NESTED: usize = 2_000;

/// What `useChat` sends.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Chat {
    /// The conversation.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    id: String,
    /// Everything that was said; the last is the question.
    messages: Vec<UiMessage>,
    /// `submit-message` or `regenerate-message`.
    trigger: Option<String>,
    /// The job, where it is not the usual one.
    task: Option<String>,
    /// How the model is to write.
    #[schema(value_type = Option<Object>)]
    options: Option<Value>,
    /// The form of the answer: a JSON Schema.
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
}

/// A message of the client's.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UiMessage {
    role: String,
    #[serde(default)]
    parts: Vec<UiMessagePart>,
}

/// A part of a message. Text and files are read.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UiMessagePart {
    r#type: String,
    text: Option<String>,
    /// A file, as a `data:` URL.
    url: Option<String>,
    /// What the file is called.
    filename: Option<String>,
}

/// The newest message of the user's.
fn question(messages: &[UiMessage]) -> Result<UserMessage, ApiError> {
    let last = messages.iter().rposition(|message| message.role == "user");
    let last = last.and_then(|at| Some((at, messages.get(at)?)));
    let (at, last) = last.ok_or_else(no_question)?;
    let mut reading = Reading::default();
    for (index, part) in last.parts.iter().enumerate() {
        let field = format!("messages[{at}].parts[{index}]");
        match part.r#type.as_str() {
            "text" => reading.text(part.text.as_deref().unwrap_or_default()),
            "file" => {
                let url = part.url.as_deref().unwrap_or_default();
                reading.attach(&field, Attachment::from_data_url(url, part.filename.as_deref()))?;
            }
            // What a page keeps for itself.
            kind if kind.starts_with("data-") || kind == "step-start" => {}
            kind => return Err(unknown(&field, kind)),
        }
    }
    reading.question()
}

/// Ask, as the AI SDK does
#[utoipa::path(
    post, path = "/api/chat/ai-sdk", operation_id = "ai_sdk_chat", tag = "adapters",
    request_body = Chat, params(IdempotencyKey),
    responses(
        (status = 200, description = "A UI message stream", content_type = "text/event-stream"),
        (status = 400, description = "No JSON, or something that cannot be attached", body = Failed),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
    )
)]
pub(crate) async fn chat(
    service: Asker,
    Keyed { value: chat, key }: Keyed<Chat>,
) -> Result<Response, ApiError> {
    let id = named(&service, &chat.id).await?;
    service.record().note(Done::within(&id));
    let question = question(&chat.messages)?;
    let wish = RunOverrides { task: chat.task.clone(), ..RunOverrides::default() };
    let shape = Shape::read(chat.options.as_ref(), chat.schema.as_ref())?;
    let again = chat.trigger.as_deref() == Some("regenerate-message");
    let session = service.session(&wish)?;
    let spec = RunSpec {
        task: chat.task.clone(),
        options: shape.options.clone(),
        output: shape.output.clone(),
        tools_off: match again && exact(&service, id.as_str()).await.is_ok() {
            true => session.tools_off(&id, None).await?,
            false => Vec::new(),
        },
        ..RunSpec::default()
    };
    let session = spec.shaped(&session)?;
    let context = service.host().context(&wish, None)?;
    let begin = |id: ConversationId, run: RunId| {
        let (session, question) = (&session, question.clone());
        let (context, spec) = (context.clone(), spec.clone());
        async move {
            let named = session.as_run(run.clone());
            let again = match again {
                true => named.regenerate(&id, None, None, context.clone()).await?,
                false => None,
            };
            let begun = match again {
                Some(begun) => begun,
                None => named.ask(Some(&id), question, context.clone()).await?,
            };
            Ok(Begun::followed(begun, session, context).entrusted(Entrusted { run, spec }))
        }
    };
    let once = Once::new(&service, id, key).await?;
    let started = once.start(&service, begin).await?;
    service.record().begun(&started.run);
    Ok(respond(started))
}

/// Go on listening to a run, as the AI SDK does
#[utoipa::path(
    get, path = "/api/chat/ai-sdk/{id}/stream", operation_id = "ai_sdk_resume", tag = "adapters",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "A UI message stream", content_type = "text/event-stream"),
        (status = 204, description = "Nothing runs"),
        (status = 404, description = "Nothing can be called so", body = Failed),
    )
)]
pub(crate) async fn resume(service: Asker, Name(id): Name) -> Result<Response, ApiError> {
    if !is_name(&id) {
        return Err(ApiError::not_found("nothing can be called so"));
    }
    let id = named(&service, &id).await?;
    // Where somebody else's runs is nothing that runs for others.
    let is_theirs = service.check(&id).await.is_ok();
    Ok(match service.runs().going(&id).await?.filter(|_| is_theirs) {
        Some(going) => {
            let subscription = service.runs().listen_to_run(&going).await;
            respond(Started { conversation: going.conversation, run: going.run, subscription })
        }
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

fn respond(Started { conversation, run, subscription }: Started) -> Response {
    let response = sse::respond(subscription, written(Stream::default(), "data: [DONE]\n\n"));
    let mut response = sse::with_names(response, &conversation, &run);
    let name = HeaderName::from_static("x-vercel-ai-ui-message-stream");
    response.headers_mut().insert(name, HeaderValue::from_static("v1"));
    response
}

/// What a tool gave back beside its words: where it can be fetched, as everything else is.
fn files(id: &ConversationId, attachments: &[Attachment]) -> impl Iterator<Item = Value> {
    attachments.iter().map(move |it| {
        let url = path_of(id, &it.digest, it.name.as_deref());
        json!({"type": "file", "url": url, "mediaType": it.media_type})
    })
}

/// A run as a UI message stream.
#[derive(Default)]
struct Stream {
    shown: DisplayText,
    text: Text,
    reasoning: Text,
    review: Reviewed,
    in_step: bool,
    conversation: Option<ConversationId>,
}

impl Stream {
    fn close(&mut self, event: &Event, out: &mut Vec<Value>) {
        if self.reasoning.closes() {
            out.push(json!({"type": "reasoning-end", "id": self.reasoning.id(format!("{}-r", event.run))}));
        }
        if self.text.closes() {
            out.push(json!({"type": "text-end", "id": self.text.id(&event.run)}));
        }
    }

    fn end_step(&mut self, event: &Event, out: &mut Vec<Value>) {
        self.close(event, out);
        if std::mem::take(&mut self.in_step) {
            out.push(json!({"type": "finish-step"}));
        }
    }

    fn say(&mut self, event: &Event, piece: &str, out: &mut Vec<Value>) {
        let opens = self.text.opens();
        let id = self.text.id(&event.run);
        if opens {
            out.push(json!({"type": "text-start", "id": id}));
        }
        out.push(json!({"type": "text-delta", "id": id, "delta": piece}));
    }

    fn think(&mut self, event: &Event, piece: &str, out: &mut Vec<Value>) {
        let opens = self.reasoning.opens();
        let id = self.reasoning.id(format!("{}-r", event.run));
        if opens {
            out.push(json!({"type": "reasoning-start", "id": id}));
        }
        out.push(json!({"type": "reasoning-delta", "id": id, "delta": piece}));
    }
}

impl Telling for Stream {
    fn tell(&mut self, event: &Event) -> Vec<Value> {
        let mut out = Vec::new();
        if let Some(text) = self.shown.add(event) {
            self.say(event, &text, &mut out);
        }
        if let Some(review) = self.review.add(event).cloned() {
            self.close(event, &mut out);
            let id = format!("{}-review", event.run);
            out.push(json!({"type": "data-review", "id": id, "data": review}));
        }
        match &event.kind {
            EventKind::RunStarted { conversation_id, model, .. } => {
                self.conversation = Some(conversation_id.clone());
                out.push(json!({
                    "type": "start", "messageId": event.run,
                    "messageMetadata": {"conversationId": conversation_id, "model": model},
                }));
            }
            EventKind::RoundStarted { .. } => {
                self.end_step(event, &mut out);
                self.in_step = true;
                out.push(json!({"type": "start-step"}));
            }
            EventKind::Reasoning { data } => self.think(event, data, &mut out),
            // What comes next is a text of its own.
            EventKind::ModelFallback { from, to, reason, .. } => {
                self.close(event, &mut out);
                out.push(json!({
                    "type": "data-model-fallback", "id": format!("{}-{}", event.run, event.seq),
                    "data": {"from": from, "to": to, "reason": reason},
                }));
            }
            EventKind::Reply { .. } => self.close(event, &mut out),
            EventKind::ToolCalls { tool_calls } => {
                for call in tool_calls {
                    out.push(json!({
                        "type": "tool-input-start", "toolCallId": call.id,
                        "toolName": call.tool, "dynamic": true,
                    }));
                    out.push(json!({
                        "type": "tool-input-available", "toolCallId": call.id,
                        "toolName": call.tool, "input": call.args, "dynamic": true,
                    }));
                }
            }
            EventKind::CallPreview { .. }
            | EventKind::QuestionAsked { .. }
            | EventKind::QuestionAnswered { .. } => out.extend(waiting(&event.kind)),
            EventKind::Nested { id, event } => nested(id.as_str(), &event.kind, &mut out),
            EventKind::CallProgress { id, data } => out.push(json!({
                "type": "data-progress", "id": id, "transient": true,
                "data": {"toolCallId": id, "text": data},
            })),
            EventKind::CallFinished { id, status, message, .. } => {
                let (data, text) = result(message);
                out.push(if status.is_ok() {
                    json!({"type": "tool-output-available", "toolCallId": id, "output": data, "dynamic": true})
                } else {
                    json!({"type": "tool-output-error", "toolCallId": id, "errorText": text, "dynamic": true})
                });
                let conversation = self.conversation.iter();
                out.extend(conversation.flat_map(|id| files(id, message.attachments())));
            }
            EventKind::Done(answer) => {
                self.end_step(event, &mut out);
                out.push(json!({"type": "finish", "messageMetadata": {
                    "conversationId": answer.conversation_id, "usage": answer.usage,
                    "finishReason": answer.finish_reason,
                }}));
            }
            EventKind::Error(failure) => {
                self.end_step(event, &mut out);
                out.push(match failure.kind {
                    FailureKind::Cancelled => json!({"type": "abort"}),
                    _ => json!({"type": "error", "errorText": failure.message}),
                });
            }
            _ => {}
        }
        out
    }
}

/// What waits for the user: a call for a decision, a tool for an answer.
fn waiting(kind: &EventKind) -> Option<Value> {
    match kind {
        EventKind::CallPreview { id, fingerprint, preview } => Some(json!({
            "type": "data-approval", "id": id,
            "data": {"toolCallId": id, "fingerprint": fingerprint, "preview": preview},
        })),
        EventKind::QuestionAsked { id, question_id, tool, question } => Some(json!({
            "type": "data-question", "id": question_id,
            "data": {
                "toolCallId": id, "questionId": question_id, "toolName": tool,
                "question": question, "schema": question.schema(),
            },
        })),
        // The same part once more, so that a page takes its form away.
        EventKind::QuestionAnswered { id, question_id, answer } => Some(json!({
            "type": "data-question", "id": question_id,
            "data": {"toolCallId": id, "questionId": question_id, "action": answer.action()},
        })),
        _ => None,
    }
}

/// What happened in a call that is a run of another agent: its calls, in parts that a client replaces by their ids,
/// and what waits for the user.
fn nested(call: &str, kind: &EventKind, out: &mut Vec<Value>) {
    let part = |id: &CallId, data: Value| json!({"type": "data-nested-call", "id": format!("{call}/{id}"), "data": data});
    match kind {
        EventKind::ToolCalls { tool_calls } => out.extend(tool_calls.iter().map(|it| {
            let data = json!({
                "parentToolCallId": call, "toolCallId": it.id, "toolName": it.tool,
                "input": it.args, "state": "called",
            });
            part(&it.id, data)
        })),
        EventKind::CallFinished { id, tool, status, message, .. } => {
            let (_, text) = result(message);
            let data = json!({
                "parentToolCallId": call, "toolCallId": id, "toolName": tool, "state": status,
                "text": truncate_line(text, NESTED),
            });
            out.push(part(id, data));
        }
        EventKind::Nested { id, event } => nested(&format!("{call}/{id}"), &event.kind, out),
        kind => out.extend(waiting(kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::telling::fallen_back, *};

    #[test]
    fn what_another_model_says_is_a_text_of_its_own() {
        let mut stream = Stream::default();
        let told = fallen_back(|event| stream.tell(event)).concat();
        let turned = told.iter().position(|it| it["type"] == "data-model-fallback").unwrap();
        assert_eq!(told[turned - 1]["type"], "text-end");
        let data = json!({
            "from": "anthropic:scripted", "to": "openai:scripted", "reason": "the reply broke off",
        });
        assert_eq!(told[turned]["data"], data);
        let starts: Vec<_> = told.iter().filter(|it| it["type"] == "text-start").collect();
        assert_eq!(starts.len(), 2);
        assert_ne!(starts[0]["id"], starts[1]["id"]);
    }
}
