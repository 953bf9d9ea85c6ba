//! Asking, and what can be done about a run that goes on.

use std::collections::BTreeMap;

use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use toolwright_app::{AgentPool, GivenCredential, RunOverrides, RunSpec};
use toolwright_core::{ConversationId, RunId, UserMessage, truncate_line};
use toolwright_runtime::new_run_id;
use toolwright_store::Progress;
use utoipa::ToSchema;

use super::{
    branching::{Place, Point, no_such_run},
    conversations::exact,
    once::Once,
};
use crate::{
    ApiError,
    address::Name,
    attached::{Attached, attach, bounded},
    auth::{Asker, Done},
    error::Failed,
    json::{IdempotencyKey, Keyed, KeyedJson},
    runs::{Begun, Entrusted, Started},
    server::Service,
    shape::Shape,
    sse,
    text::is_blank,
};

/// A question.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Asking {
    /// The question. It may be empty where something is attached. `/NAME` at its beginning calls a command
    /// of the project's or of the user's: `GET /api/context` lists them.
    #[serde(default)]
    message: String,
    /// What comes with it: pictures, files, sound. At most 10.
    #[serde(default)]
    #[schema(max_items = 10)]
    attachments: Vec<Attached>,
    /// What MCP servers of the task have and is to come with it, too: `mcp:SERVER:URI`.
    #[serde(default)]
    #[schema(max_items = 10)]
    resources: Vec<String>,
    /// The conversation it belongs to; a new one where none is named.
    conversation_id: Option<String>,
    /// A run of the conversation in whose place this is asked, as if that had not been: an edited question.
    instead_of: Option<String>,
    /// The point of the conversation behind which this is asked, as if nothing had come after it.
    after: Option<Point>,
    /// The job: which tools and instructions there are. With a credential it is the one that the
    /// credential is for, and any other that is named has the tools of that one beside its own.
    task: Option<String>,
    /// The model.
    model: Option<String>,
    /// How the model is offered its tools.
    tool_mode: Option<Offer>,
    /// How the model is to write: `temperature`, `top_p`, `max_output_tokens`, `stop`, `seed`,
    /// `reasoning_effort`, `parallel_tool_calls`, `extra`.
    #[schema(value_type = Option<Object>)]
    options: Option<Value>,
    /// The form of the answer: a JSON Schema.
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
    /// Whether the older part of the conversation is replaced by a digest before the model is asked.
    #[serde(default)]
    compact: bool,
    /// The tools that are off for this question, by name: the model is not offered them, and a call of one is refused.
    #[serde(default)]
    #[schema(max_items = 1000)]
    tools_off: Vec<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    rest: Rest,
}

/// How a question is asked again.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Again {
    /// The run whose question it is; the last in which something was asked where none is named.
    #[serde(default)]
    run: Option<String>,
    /// The job.
    task: Option<String>,
    /// The model.
    model: Option<String>,
    /// How the model is offered its tools.
    tool_mode: Option<Offer>,
    /// How the model is to write.
    #[schema(value_type = Option<Object>)]
    options: Option<Value>,
    /// The form of the answer: a JSON Schema.
    #[schema(value_type = Option<Object>)]
    schema: Option<Value>,
    /// Whether the older part of the conversation is replaced by a digest before the model is asked.
    #[serde(default)]
    compact: bool,
    /// The tools that are off, by name; those that were where none are named.
    #[serde(default)]
    #[schema(max_items = 1000)]
    tools_off: Option<Vec<String>>,
    #[serde(flatten)]
    #[schema(ignore)]
    rest: Rest,
}

/// What else stands in a request: credentials for packs, and nothing else. Not shown anywhere.
pub(super) type Rest = BTreeMap<String, Value>;

/// How a model is offered its tools.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Offer {
    /// Beside the messages, in the provider's own way.
    Native,
    /// In the prompt, and its calls are found in its text.
    Text,
    /// Whichever the model can do.
    Auto,
}

impl Offer {
    fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Text => "text",
            Self::Auto => "auto",
        }
    }
}

impl Asking {
    fn split(self) -> Result<(UserMessage, Place, Again), ApiError> {
        let Self { message, attachments, resources, conversation_id, instead_of, after, .. } = self;
        let Self { task, model, tool_mode, options, schema, compact, tools_off, rest, .. } = self;
        if is_blank(&message) && attachments.is_empty() && resources.is_empty() {
            return Err(ApiError::invalid("the message is empty"));
        }
        let message = attach(UserMessage::new(message), attachments)?;
        let place = Place::new(conversation_id, instead_of, after)?;
        let (run, tools_off) = (None, Some(tools_off));
        let how = Again { run, task, model, tool_mode, options, schema, compact, tools_off, rest };
        Ok((message, place, how))
    }
}

impl Again {
    /// As usual, for this task and with what else came along.
    pub(super) fn of_task(task: Option<String>, rest: Rest) -> Self {
        Self {
            run: None,
            task,
            model: None,
            tool_mode: None,
            options: None,
            schema: None,
            compact: false,
            tools_off: None,
            rest,
        }
    }

    /// The same, for whoever drives the run.
    pub(super) fn spec(&self, host: &AgentPool) -> Result<RunSpec, ApiError> {
        let given = self.credential(host)?;
        let Shape { options, output } = Shape::read(self.options.as_ref(), self.schema.as_ref())?;
        let tools_off = self.tools_off.clone().unwrap_or_default();
        check_tools_off(&tools_off)?;
        Ok(RunSpec {
            task: self.task.clone(),
            model: self.model.clone().filter(|name| !name.is_empty()),
            tool_mode: self.tool_mode.and_then(|offer| offer.name().parse().ok()),
            options,
            output,
            compact: self.compact,
            tools_off,
            credential: given.map(|(pack, text)| GivenCredential {
                pack: pack.to_owned(),
                text: text.to_owned(),
            }),
            ..RunSpec::default()
        })
    }

    /// The credential that came along: the pack's name, and its text.
    fn credential(&self, host: &AgentPool) -> Result<Option<(&'static str, &str)>, ApiError> {
        let mut found = None;
        for (field, value) in &self.rest {
            let Some((pack, _)) = host.credential(field) else {
                let known = host.credentials().into_iter().map(|(_, it)| format!("`{}`", it.field));
                let known: Vec<_> =
                    KNOWN.map(|it| format!("`{it}`")).into_iter().chain(known).collect();
                let field = truncate_line(field, 100);
                let known = known.join(", ");
                return Err(ApiError::invalid(format!(
                    "unknown field `{field}`, expected one of {known}"
                )));
            };
            match value {
                Value::Null => {}
                Value::String(text) if text.is_empty() => {}
                Value::String(text) => found = Some((pack, text.as_str())),
                // What it is is not told: it may be the credential.
                _ => return Err(ApiError::invalid(format!("`{field}` must be a text"))),
            }
        }
        Ok(found)
    }
}

/// They are kept with the run: what is no name of a tool is not kept there. That a tool is not there (any more) is
/// no mistake, as it is off then.
pub(super) fn check_tools_off(names: &[String]) -> Result<(), ApiError> {
    let is_name = |name: &String| {
        (1..=TOOL_NAME).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'))
    };
    if names.len() > TOOLS_OFF {
        return Err(ApiError::invalid(format!("`tools_off` names more than {TOOLS_OFF} tools")));
    }
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => {
            let name = truncate_line(name, TOOL_NAME);
            Err(ApiError::invalid(format!("`tools_off`: `{name}` is no name of a tool")))
        }
        None => Ok(()),
    }
}

/// How many tools may be off.
const TOOLS_OFF: usize = 1_000;
/// The longest name of a tool.
const TOOL_NAME: usize = 64;

/// The fields of a question.
const KNOWN: [&str; 13] = [
    "message",
    "attachments",
    "resources",
    "conversation_id",
    "instead_of",
    "after",
    "task",
    "model",
    "tool_mode",
    "options",
    "schema",
    "compact",
    "tools_off",
];

/// Ask, and watch everything that happens
///
/// Every event of the run as a server-sent event, the last of type `done` or `error`. Whoever leaves
/// does not stop it: `GET /api/conversations/{id}/stream` goes on where they were.
#[utoipa::path(
    post, path = "/api/chat/stream", operation_id = "ask", tag = "chat", request_body = Asking,
    params(IdempotencyKey),
    responses(
        (status = 200, description = "The run's events", content_type = "text/event-stream"),
        (status = 400, description = "No JSON, or something that cannot be attached", body = Failed),
        (status = 404, description = "No such conversation", body = Failed),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
        (status = 422, description = "JSON that cannot be used, or a key that another request had", body = Failed),
    )
)]
pub(crate) async fn stream(
    service: Asker,
    Keyed { value: asking, key }: Keyed<Asking>,
) -> Result<Response, ApiError> {
    if let Some(id) = &asking.conversation_id {
        service.record().note(Done::within(id));
    }
    let resources = asking.resources.clone();
    bounded("resources", resources.len())?;
    let (message, place, how) = asking.split()?;
    let host = service.host();
    let spec = how.spec(host)?;
    let (wish, context) = (spec.wish(host)?, spec.context(host)?);
    let session = spec.shaped(&service.session(&wish)?)?;
    let once = Once::new(&service, place.conversation(&service).await?, key).await?;
    if let Some(started) = once.known(&service).await? {
        return Ok(sse::begun(started));
    }
    let message = expanded(&service, &wish, message).await?;
    let message = with_resources(&service, &wish, message, &resources).await?;
    let begin = |id: ConversationId, run: RunId| {
        let (place, session, message) = (&place, &session, message.clone());
        let (context, spec) = (context.clone(), spec.clone());
        async move {
            let named = session.as_run(run.clone());
            let begun = place.ask(&named, &id, message, context.clone()).await?;
            Ok(Begun::followed(begun, session, context).entrusted(Entrusted { run, spec }))
        }
    };
    once.start(&service, begin).await.map(sse::begun)
}

/// The question, or what becomes of the command or of the server's prompt that it calls: `/review src`.
async fn expanded(
    service: &Service,
    wish: &RunOverrides,
    message: UserMessage,
) -> Result<UserMessage, ApiError> {
    if !message.content.starts_with('/') {
        return Ok(message);
    }
    let project = service.host().project(wish)?;
    let Some(expansion) = project.call(&message.content).await else {
        return Ok(message);
    };
    let expansion = expansion.map_err(|error| ApiError::invalid(error.to_string()))?;
    let asked = expansion.into_message();
    let asked = asked.map_err(|error| ApiError::invalid(error.to_string()))?;
    Ok(message.attachments.into_iter().fold(asked, UserMessage::with_attachment))
}

/// The question with what servers have.
async fn with_resources(
    service: &Service,
    wish: &RunOverrides,
    mut message: UserMessage,
    resources: &[String],
) -> Result<UserMessage, ApiError> {
    if resources.is_empty() {
        return Ok(message);
    }
    let project = service.host().project(wish)?;
    for reference in resources {
        let parts = project.attach(reference).await;
        let parts = parts.map_err(|error| ApiError::invalid(error.to_string()))?;
        message = parts.into_iter().fold(message, UserMessage::with_attachment);
    }
    Ok(message)
}

/// Ask a question again
///
/// As if it had not been asked: what followed it stays in the log, beside the new run, and the model is not
/// sent it.
#[utoipa::path(
    post, path = "/api/conversations/{id}/retry", tag = "chat", request_body = Again,
    params(IdempotencyKey, ("id" = String, Path)),
    responses(
        (status = 200, description = "The run's events", content_type = "text/event-stream"),
        (status = 404, description = "No such conversation, or nothing to go on with", body = Failed),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
    )
)]
pub(crate) async fn retry(
    service: Asker,
    Name(id): Name,
    KeyedJson { value: how, key }: KeyedJson<Again>,
) -> Result<Response, ApiError> {
    let (asked, id) = (how.run.clone().map(RunId::from), exact(&service, &id).await?.id);
    if let Some(run) = &asked {
        let runs = service.store().runs(&id).await?;
        runs.origin(run).ok_or_else(no_such_run)?;
    }
    let mut spec = how.spec(service.host())?;
    if how.tools_off.is_none() {
        let session = service.session(&RunOverrides::default())?;
        spec.tools_off = session.tools_off(&id, asked.as_ref()).await?;
    }
    let (session, context) = spec.session(service.host())?;
    let session = service.own(&session);
    let begin = |id: ConversationId, run: RunId| {
        let (session, asked) = (&session, asked.as_ref());
        let (context, spec) = (context.clone(), spec.clone());
        async move {
            let named = session.as_run(run.clone());
            let begun = named.regenerate(&id, asked, None, context.clone()).await?;
            let begun = begun.ok_or_else(|| ApiError::not_found(NOT_ASKED))?;
            Ok(Begun::followed(begun, session, context).entrusted(Entrusted { run, spec }))
        }
    };
    let once = Once::new(&service, id, key).await?;
    once.start(&service, begin).await.map(sse::begun)
}

const NOT_ASKED: &str =
    "nothing was asked here that could be asked again; what was imported is asked by editing it";

/// Go on with a run that was cut short
#[utoipa::path(
    post, path = "/api/conversations/{id}/resume", tag = "chat", request_body = Again,
    params(IdempotencyKey, ("id" = String, Path)),
    responses(
        (status = 200, description = "The run's events", content_type = "text/event-stream"),
        (status = 404, description = "No such conversation, or nothing to go on with", body = Failed),
        (status = 409, description = "A run goes on in the conversation", body = Failed),
    )
)]
pub(crate) async fn resume(
    service: Asker,
    Name(id): Name,
    KeyedJson { value: how, key }: KeyedJson<Again>,
) -> Result<Response, ApiError> {
    let id = exact(&service, &id).await?.id;
    let run = match service.store().progress(&id).await? {
        Some(Progress { open: Some((run, _)), .. }) => run,
        // There is nothing to go on with, unless it was sent before.
        _ => new_run_id(),
    };
    let once = Once::of_run(&service, id.clone(), run, key).await?;
    once.go_on(&service, || resumed(&service, &id, &how)).await.map(sse::begun)
}

const NOT_CUT: &str = "nothing was cut short in this conversation";

/// Goes on with the run that was cut short.
async fn resumed(service: &Asker, id: &ConversationId, how: &Again) -> Result<Started, ApiError> {
    service.runs().forget_stop(id).await?;
    let nothing = || ApiError::not_found(NOT_CUT);
    let spec = how.spec(service.host())?;
    // It can be made here, or nowhere.
    let (session, context) = spec.session(service.host())?;
    if service.runs().has_engine() {
        return service.runs().entrust_rest(id, &spec).await?.ok_or_else(nothing);
    }
    let (session, run) = (service.own(&session), new_run_id());
    let begin = async {
        let begun = session.as_run(run.clone()).resume(id, context.clone()).await?;
        let begun = begun.ok_or_else(nothing)?;
        Ok(Begun::followed(begun, &session, context).entrusted(Entrusted { run, spec }))
    };
    service.runs().start(begin).await
}

/// Stop the run that goes on
#[utoipa::path(
    post, path = "/api/conversations/{id}/stop", tag = "chat",
    params(("id" = String, Path)),
    responses(
        (status = 202, description = "It is being stopped"),
        (status = 404, description = "Nothing runs", body = Failed),
    )
)]
pub(crate) async fn stop(service: Asker, Name(id): Name) -> Result<StatusCode, ApiError> {
    service.check(&id.as_str().into()).await?;
    let going = service.runs().going(&id.as_str().into()).await?;
    let is_stopped = match going {
        Some(going) => service.runs().stop(&going).await?,
        None => false,
    };
    match is_stopped {
        true => Ok(StatusCode::ACCEPTED),
        false => Err(ApiError::not_found("nothing runs in this conversation")),
    }
}
