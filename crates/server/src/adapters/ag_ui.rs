//! AG-UI 1.0.
//!
//! Conversations are kept here: of what the client sends, only the newest question is read. A call
//! that waits for a decision interrupts the client's run, as the protocol has it, while the run here
//! waits; the decision comes as `resume` in the client's next one. So does a tool's question, and its answer.

use std::collections::HashMap;

use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_app::{RunOverrides, RunSpec};
use toolwright_core::{
    Attachment, AttachmentError, AttachmentKind, CallId, ConversationId, Decision, DisplayText,
    Event, EventKind, FailureKind, Fingerprint, Message, Question, QuestionAnswer, QuestionId,
    QuestionKind, RunId, UserMessage,
};
use utoipa::ToSchema;

use super::{
    Telling, named,
    parts::{Reading, no_question, unknown},
    telling::{Reviewed, Text, result},
    written,
};
use crate::{
    ApiError,
    auth::{Asker, Done, Scope},
    error::Failed,
    json::{IdempotencyKey, Keyed},
    routes::{Once, attachments::path_of},
    runs::{Begun, Entrusted, PendingApprovals, Subscription, Verdict},
    shape::Shape,
    sse,
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

/// What the name of an interrupt begins with that a tool's question makes.
const QUESTION: &str = "question#";

/// A decision, or an answer.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resumed {
    /// What the run was interrupted for.
    interrupt_id: String,
    /// `resolved` or `cancelled`.
    status: String,
    /// `{"approved": true}`, or `{"approved": false, "reason": "…"}`; to a tool's question what its form asks
    /// for.
    #[schema(value_type = Value)]
    payload: Option<Value>,
}

impl Resumed {
    /// What exactly it is about: the call, as it was shown.
    fn about(&self) -> Option<(CallId, Fingerprint)> {
        let (call, shown) = self.interrupt_id.split_once('#')?;
        Some((call.into(), Fingerprint::from(shown.to_owned())))
    }

    /// Which question it answers, of which call, and behind which event the client's run ended.
    fn question(&self) -> Option<(CallId, QuestionId, u64)> {
        let rest = self.interrupt_id.strip_prefix(QUESTION)?;
        let (question, rest) = rest.split_once('#')?;
        let (seq, call) = rest.split_once('#')?;
        Some((call.into(), question.into(), seq.parse().ok()?))
    }

    fn answer(&self) -> QuestionAnswer {
        match (&self.payload, self.status.as_str()) {
            (Some(Value::Object(content)), "resolved") => {
                QuestionAnswer::Accept { content: content.clone() }
            }
            (_, "resolved") => QuestionAnswer::accept(),
            _ => QuestionAnswer::Decline,
        }
    }

    /// What is told of it.
    fn done(&self, id: &ConversationId) -> Done {
        let within = Done::within(id);
        if let Some((call, ..)) = self.question() {
            let verdict = match self.answer() {
                QuestionAnswer::Accept { .. } => "accept",
                QuestionAnswer::Decline => "decline",
                QuestionAnswer::Cancel => "cancel",
            };
            let call = Some(call.to_string());
            return Done { action: Some("answer"), call, verdict: Some(verdict), ..within };
        }
        let verdict = match self.decision() {
            Decision::Deny { .. } => "deny",
            _ => "allow",
        };
        let (call, fingerprint) = match self.about() {
            Some((call, about)) => (Some(call.to_string()), Some(about.to_string())),
            None => (None, None),
        };
        Done { action: Some("decide"), call, fingerprint, verdict: Some(verdict), ..within }
    }

    fn decision(&self) -> Decision {
        let said = |name: &str| self.payload.as_ref().and_then(|it| it.get(name));
        let is_approved = said("approved").and_then(Value::as_bool).unwrap_or(false);
        if self.status == "resolved" && is_approved {
            return Decision::AllowReviewed;
        }
        Decision::Deny { reason: said("reason").and_then(Value::as_str).map(str::to_owned) }
    }
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
    let stream = Stream::new(&input, service.waiting().clone());
    if !input.resume.is_empty() {
        let subscription = resume(&service, &id, &input.resume).await?;
        return Ok(sse::respond(subscription, written(stream, "")));
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
    Ok(sse::respond(started.subscription, written(stream, "")))
}

/// Decides what the client's run before was interrupted for, and listens to what follows.
async fn resume(
    service: &Asker,
    id: &ConversationId,
    all: &[Resumed],
) -> Result<Subscription, ApiError> {
    let gone = || ApiError::not_found("nothing such waits for a decision");
    let (every, mut all) = (all, all.iter().peekable());
    // What is refused is told, too, with what it was about.
    if let Some(first) = all.peek() {
        service.record().note(first.done(id));
    }
    service.who().require(Scope::Decide)?;
    service.check(id).await?;
    let going = service.runs().going(id).await?.ok_or_else(gone)?;
    // All of it or none: who is refused has decided nothing.
    let waiting = service.runs().decisions(&going);
    let waits = |it: &Resumed| match it.about() {
        _ if it.question().is_some() => true,
        Some((call, about)) => waiting.iter().any(|it| it.is_about(&call, &about)),
        None => false,
    };
    if !every.iter().all(waits) {
        every.iter().skip(1).for_each(|it| service.record().note(it.done(id)));
        return Err(gone());
    }
    let mut subscription = service.runs().listen_to_rest(&going).await;
    while let Some(resumed) = all.next() {
        service.record().begun(&going.run);
        if let Some((call, question, seq)) = resumed.question() {
            // Others went on running meanwhile: the client hears what it missed.
            subscription = service.runs().listen_behind(&going, seq).await;
            service.runs().answer(&going, &call, &question, resumed.answer()).await?;
        } else {
            let (call, about) = resumed.about().ok_or_else(gone)?;
            let verdict = Verdict::Once(resumed.decision());
            let decided = service.runs().decide(&going, &call, &about, verdict).await;
            decided.map_err(|_| gone())?;
        }
        service.record().settle();
        if let Some(next) = all.peek() {
            service.record().note(next.done(id));
        }
    }
    Ok(subscription)
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

/// What a tool returned: its words, and what it gave back beside them, by where that can be fetched.
fn content(conversation: &ConversationId, message: &Message) -> Value {
    let (_, text) = result(message);
    if message.attachments().is_empty() {
        return text.into();
    }
    let files = message.attachments().iter().map(|it| {
        let kind = match it.kind() {
            AttachmentKind::Image => "image",
            AttachmentKind::Audio => "audio",
            _ => "document",
        };
        let url = path_of(conversation, &it.digest, it.name.as_deref());
        json!({"type": kind, "source": {"type": "url", "value": url, "mimeType": it.media_type}})
    });
    std::iter::once(json!({"type": "text", "text": text})).chain(files).collect()
}

/// A run as AG-UI events.
struct Stream {
    thread: String,
    run: String,
    is_started: bool,
    is_interrupted: bool,
    shown: DisplayText,
    text: Text,
    reasoning: Text,
    review: Reviewed,
    /// The round that goes on.
    step: Option<String>,
    /// What waits for an answer.
    waiting: PendingApprovals,
    /// The tools of calls, by which agents are named.
    calls: HashMap<CallId, String>,
    /// The way to what is told right now, in runs within the run.
    subagents: Vec<RunId>,
}

impl Stream {
    fn new(input: &Input, waiting: PendingApprovals) -> Self {
        Self {
            thread: input.thread_id.clone(),
            run: input.run_id.clone(),
            is_started: false,
            is_interrupted: false,
            shown: DisplayText::new(),
            text: Text::default(),
            reasoning: Text::default(),
            review: Reviewed::default(),
            step: None,
            waiting,
            calls: HashMap::new(),
            subagents: Vec::new(),
        }
    }

    /// A client's run begins with its own words, also where it goes on with one that waited.
    fn start(&mut self, out: &mut Vec<Value>) {
        if !std::mem::replace(&mut self.is_started, true) {
            out.push(json!({
                "type": "RUN_STARTED", "threadId": self.thread, "runId": self.run,
                "protocolVersion": "1.0",
            }));
        }
    }

    fn close(&mut self, event: &Event, out: &mut Vec<Value>) {
        if self.reasoning.closes() {
            let id = self.reasoning.id(format!("{}-r", event.run));
            out.push(json!({"type": "REASONING_MESSAGE_END", "messageId": id}));
            out.push(json!({"type": "REASONING_END", "messageId": id}));
        }
        if self.text.closes() {
            out.push(json!({"type": "TEXT_MESSAGE_END", "messageId": self.text.id(&event.run)}));
        }
    }

    fn end_step(&mut self, event: &Event, out: &mut Vec<Value>) {
        self.close(event, out);
        if let Some(step) = self.step.take() {
            out.push(json!({"type": "STEP_FINISHED", "stepName": step}));
        }
    }

    fn say(&mut self, event: &Event, piece: &str, out: &mut Vec<Value>) {
        let opens = self.text.opens();
        let id = self.text.id(&event.run);
        if opens {
            out.push(json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant"}));
        }
        out.push(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": piece}));
    }

    fn think(&mut self, event: &Event, piece: &str, out: &mut Vec<Value>) {
        let opens = self.reasoning.opens();
        let id = self.reasoning.id(format!("{}-r", event.run));
        if opens {
            out.push(json!({"type": "REASONING_START", "messageId": id}));
            out.push(json!({
                "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning",
            }));
        }
        // The protocol knows no empty pieces.
        if !piece.is_empty() {
            out.push(json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": piece}));
        }
    }

    /// What happened in a call that is a run of another agent: that it began and how it ended, and what waits for
    /// a decision or an answer in it. `outer` is the event of the client's run that tells it.
    fn within(&mut self, outer: &Event, call: &CallId, event: &Event, out: &mut Vec<Value>) {
        let run = &event.run;
        match &event.kind {
            EventKind::RunStarted { .. } => {
                let name = self.calls.get(call).map_or("agent", String::as_str);
                let above = self.subagents.last().cloned();
                let mut started = json!({
                    "type": "SUBAGENT_STARTED", "subagentRunId": run, "name": name,
                    "parentToolCallId": call,
                });
                if let (Some(above), Some(fields)) = (above, started.as_object_mut()) {
                    fields.insert("parentSubagentRunId".to_owned(), json!(above));
                }
                out.push(started);
            }
            EventKind::ToolCalls { tool_calls } => {
                let named = tool_calls.iter().map(|it| (it.id.clone(), it.tool.clone()));
                self.calls.extend(named);
            }
            EventKind::CallPreview { id, fingerprint, preview } => {
                self.end_step(event, out);
                let shown = preview.content.as_ref().map_or("Run it?", |it| it.text());
                let name = self.calls.get(call).map_or("agent", String::as_str);
                let shown = format!("in {name}: {shown}");
                out.push(self.interrupt(event, id, fingerprint, &shown));
            }
            EventKind::QuestionAsked { id, question_id, tool, question }
                if self.waiting.has_question(&outer.run, question_id) =>
            {
                self.end_step(outer, out);
                out.push(self.ask(outer, id, question_id, tool, question));
            }
            EventKind::Nested { id, event: inner } => {
                self.subagents.push(run.clone());
                self.within(outer, id, inner, out);
                self.subagents.pop();
            }
            EventKind::Done(answer) => out.push(json!({
                "type": "SUBAGENT_FINISHED", "subagentRunId": run, "result": answer.response,
            })),
            EventKind::Error(failure) => out.push(json!({
                "type": "SUBAGENT_ERROR", "subagentRunId": run, "message": failure.message,
            })),
            _ => {}
        }
    }

    fn interrupt(&mut self, event: &Event, id: &CallId, about: &Fingerprint, shown: &str) -> Value {
        self.is_interrupted = true;
        json!({
            "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
            "outcome": {"type": "interrupt", "interrupts": [{
                "id": format!("{id}#{about}"), "reason": "approval", "toolCallId": id,
                "message": shown,
                "responseSchema": {
                    "type": "object", "required": ["approved"],
                    "properties": {
                        "approved": {"type": "boolean"}, "reason": {"type": "string"},
                    },
                },
            }]},
            "metadata": {"round": event.round},
        })
    }

    /// A tool's question, with the form that answers it. A client that cancels it declines.
    fn ask(
        &mut self,
        event: &Event,
        id: &CallId,
        question_id: &QuestionId,
        tool: &str,
        question: &Question,
    ) -> Value {
        self.is_interrupted = true;
        let asker = question.asker.as_deref().unwrap_or(tool);
        let mut interrupt = json!({
            "id": format!("{QUESTION}{question_id}#{}#{id}", event.seq),
            "reason": "question", "toolCallId": id,
            "message": format!("{asker} asks: {}", question.message),
            "responseSchema": question.schema(),
        });
        if let (QuestionKind::Url { url, host }, Some(it)) =
            (&question.kind, interrupt.as_object_mut())
        {
            it.insert("metadata".to_owned(), json!({"url": url, "host": host}));
        }
        json!({
            "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
            "outcome": {"type": "interrupt", "interrupts": [interrupt]},
            "metadata": {"round": event.round},
        })
    }
}

impl Telling for Stream {
    fn tell(&mut self, event: &Event) -> Vec<Value> {
        let mut out = Vec::new();
        self.start(&mut out);
        if let Some(text) = self.shown.add(event) {
            self.say(event, &text, &mut out);
        }
        if let Some(review) = self.review.add(event).cloned() {
            self.close(event, &mut out);
            out.push(json!({"type": "CUSTOM", "name": "review", "value": review}));
        }
        match &event.kind {
            EventKind::RoundStarted { of, .. } => {
                self.end_step(event, &mut out);
                let step = match event.round {
                    // Behind the last round with tools there is one to answer in.
                    round if round > *of => "answer".to_owned(),
                    round => format!("round {round} of {of}"),
                };
                out.push(json!({"type": "STEP_STARTED", "stepName": step}));
                self.step = Some(step);
            }
            EventKind::Reasoning { data } => self.think(event, data, &mut out),
            // What comes next is a text of its own.
            EventKind::ModelFallback { from, to, reason, .. } => {
                self.close(event, &mut out);
                out.push(json!({
                    "type": "CUSTOM", "name": "model_fallback",
                    "value": {"from": from, "to": to, "reason": reason},
                }));
            }
            EventKind::Reply { .. } => self.close(event, &mut out),
            EventKind::ToolCalls { tool_calls } => {
                for call in tool_calls {
                    self.calls.insert(call.id.clone(), call.tool.clone());
                    let (id, args) = (&call.id, call.args.to_string());
                    out.push(json!({
                        "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": call.tool,
                    }));
                    out.push(json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": args}));
                    out.push(json!({"type": "TOOL_CALL_END", "toolCallId": id}));
                }
            }
            EventKind::CallPreview { id, fingerprint, preview } => {
                self.end_step(event, &mut out);
                let shown = preview.content.as_ref().map_or("Run it?", |it| it.text());
                out.push(self.interrupt(event, id, fingerprint, shown));
            }
            EventKind::QuestionAsked { id, question_id, tool, question }
                if self.waiting.has_question(&event.run, question_id) =>
            {
                self.end_step(event, &mut out);
                out.push(self.ask(event, id, question_id, tool, question));
            }
            EventKind::CallProgress { id, data } => out.push(json!({
                "type": "CUSTOM", "name": "progress", "value": {"toolCallId": id, "text": data},
            })),
            EventKind::CallFinished { id, message, .. } => {
                let content = content(&ConversationId::from(self.thread.as_str()), message);
                out.push(json!({
                    "type": "TOOL_CALL_RESULT", "messageId": format!("{id}-result"),
                    "toolCallId": id, "content": content, "role": "tool",
                }));
            }
            EventKind::Nested { id, event: inner } => self.within(event, id, inner, &mut out),
            EventKind::Done(answer) => {
                self.end_step(event, &mut out);
                let usage = &answer.usage;
                out.push(json!({
                    "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
                    "outcome": {"type": "success"},
                    "result": {"finishReason": answer.finish_reason},
                    "usage": [{
                        "inputTokens": usage.prompt_tokens, "outputTokens": usage.completion_tokens,
                        "totalTokens": usage.total(),
                    }],
                }));
            }
            EventKind::Error(failure) if failure.kind == FailureKind::Cancelled => {
                self.end_step(event, &mut out);
                out.push(json!({
                    "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
                    "outcome": {"type": "cancelled"},
                }));
            }
            EventKind::Error(failure) => {
                self.close(event, &mut out);
                out.push(json!({"type": "RUN_ERROR", "message": failure.message}));
            }
            _ => {}
        }
        out
    }

    fn is_over(&self) -> bool {
        self.is_interrupted
    }
}

#[cfg(test)]
mod tests {
    use super::{super::telling::fallen_back, *};

    #[test]
    fn what_another_model_says_is_a_message_of_its_own() {
        let input = json!({"threadId": "thread", "runId": "run"});
        let waiting = PendingApprovals::default();
        let mut stream = Stream::new(&serde_json::from_value(input).unwrap(), waiting);
        let told = fallen_back(|event| stream.tell(event)).concat();
        let turned = told.iter().position(|it| it["name"] == "model_fallback").unwrap();
        assert_eq!(told[turned - 1]["type"], "TEXT_MESSAGE_END");
        assert_eq!(told[turned]["value"]["to"], "openai:scripted");
        let starts = told.iter().filter(|it| it["type"] == "TEXT_MESSAGE_START").count();
        assert_eq!(starts, 2);
    }
}
