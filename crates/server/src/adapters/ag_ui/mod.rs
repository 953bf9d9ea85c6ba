//! AG-UI 1.0.
//!
//! Conversations are kept here: of what the client sends, only the newest question is read. What waits for a
//! decision interrupts the client's run, as the protocol has it, while the run here waits: all calls that do, and
//! what tools ask, in one interruption. What is decided comes as `resume` in the client's next run, and so do answers.

mod interrupts;
mod resumed;
mod stream;

use axum::response::Response;
use serde::Deserialize;
use serde_json::Value;
use toolwright_app::{RunOverrides, RunSpec};
use toolwright_core::{Attachment, AttachmentError, ConversationId, RunId, UserMessage};
use utoipa::ToSchema;

use self::{
    interrupts::respond,
    resumed::{Resumed, resume},
    stream::Stream,
};
use super::{
    named,
    parts::{Reading, no_question, unknown},
};
use crate::{
    ApiError,
    auth::{Asker, Done},
    error::Failed,
    json::{IdempotencyKey, Keyed},
    routes::Once,
    runs::{Begun, Entrusted},
    shape::Shape,
};

/// What a client of AG-UI sends.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Input {
    /// The conversation.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    thread_id: String,
    /// The client's name for the run.
    run_id: String,
    /// Everything that was said; the last is the question.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    messages: Vec<Value>,
    /// Decisions about what the run before was interrupted for.
    #[serde(default)]
    resume: Vec<Resumed>,
    /// `options`: how the model is to write; `schema`: the form of the answer, a JSON Schema.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    forwarded_props: Value,
}

/// Ask, as clients of AG-UI do
#[utoipa::path(
    post, path = "/api/chat/ag-ui", operation_id = "ag_ui_chat", tag = "adapters",
    request_body = Input, params(IdempotencyKey),
    responses(
        (status = 200, description = "AG-UI events", content_type = "text/event-stream"),
        (status = 400, description = "No JSON, or something that cannot be attached", body = Failed),
        (status = 404, description = "Nothing such waits for a decision", body = Failed),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
    )
)]
pub(crate) async fn chat(
    service: Asker,
    Keyed { value: input, key }: Keyed<Input>,
) -> Result<Response, ApiError> {
    let id = named(&service, &input.thread_id).await?;
    let mut stream = Stream::new(&input.thread_id, &input.run_id);
    if !input.resume.is_empty() {
        let started = resume(&service, &id, &input.resume, key, &mut stream).await?;
        return Ok(respond(service.runs(), started, stream));
    }
    service.record().note(Done::within(&id));
    let question = question(&input.messages)?;
    let wish = RunOverrides::default();
    let said = |name: &str| input.forwarded_props.get(name);
    let shape = Shape::read(said("options"), said("schema"))?;
    let (options, output) = (shape.options.clone(), shape.output.clone());
    let spec = RunSpec { options, output, ..RunSpec::default() };
    let session = shape.of(&service.session(&wish)?)?;
    let context = service.host().context(&wish, None)?;
    let begin = |id: ConversationId, run: RunId| {
        let (session, question) = (&session, question.clone());
        let (context, spec) = (context.clone(), spec.clone());
        async move {
            let named = session.as_run(run.clone());
            let begun = named.ask(Some(&id), question, context.clone()).await?;
            Ok(Begun::followed(begun, session, context).entrusted(Entrusted { run, spec }))
        }
    };
    let once = Once::new(&service, id, key).await?;
    let started = once.start(&service, begin).await?;
    service.record().begun(&started.run);
    Ok(respond(service.runs(), started, stream))
}

/// The newest message of the user's.
fn question(messages: &[Value]) -> Result<UserMessage, ApiError> {
    let last = messages.iter().rposition(|message| message["role"] == "user");
    let last = last.and_then(|at| Some((at, messages.get(at)?)));
    let (at, last) = last.ok_or_else(no_question)?;
    let mut reading = Reading::default();
    match &last["content"] {
        Value::String(text) => reading.text(text),
        Value::Array(parts) => {
            for (index, part) in parts.iter().enumerate() {
                let field = format!("messages[{at}].content[{index}]");
                match part["type"].as_str() {
                    Some("text") => reading.text(part["text"].as_str().unwrap_or_default()),
                    Some("image" | "audio" | "video" | "document" | "binary") => {
                        reading.attach(&field, attachment(part))?;
                    }
                    kind => return Err(unknown(&field, kind.unwrap_or_default())),
                }
            }
        }
        _ => {}
    }
    reading.question()
}

/// What a part carries. The protocol had `binary` before it had `source`.
fn attachment(part: &Value) -> Result<Attachment, AttachmentError> {
    let source = if part["source"].is_object() { &part["source"] } else { part };
    let name = part["filename"].as_str().or_else(|| part.pointer("/metadata/filename")?.as_str());
    let said = source["mimeType"].as_str();
    let value = source["value"].as_str();
    match (source["type"].as_str(), value.or_else(|| source["data"].as_str())) {
        (Some("data" | "binary"), Some(data)) => {
            Attachment::new(Attachment::decode(data)?, said, name)
        }
        (_, value) => {
            let url = value.or_else(|| source["url"].as_str());
            Attachment::from_data_url(url.unwrap_or_default(), name)
        }
    }
}
