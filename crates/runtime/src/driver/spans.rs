//! What a run looks like in a trace: `tracing` spans that carry OpenTelemetry's names for
//! generative AI, so that an exporter has nothing to translate. No message, argument or result is
//! recorded in them.

use std::{cell::Cell, ops::Deref};

use toolwright_core::{
    CallId, FinishReason, ModelError, ModelResponse, Run, Status, Step, ToolSpec, Usage, kind_name,
};
use tracing::{Span, field::Empty, info_span};

/// A span that is told how its work ended. One that is dropped before that was broken off, and
/// says so.
pub(super) struct Open {
    span: Span,
    is_told: Cell<bool>,
}

impl Open {
    fn new(span: Span) -> Self {
        Self { span, is_told: Cell::new(false) }
    }

    /// The work ended; whether that is worth describing, because somebody listens.
    fn tell(&self) -> bool {
        self.is_told.set(true);
        !self.span.is_disabled()
    }

    fn failed(&self, kind: &str) {
        self.span.record("error.type", kind);
        self.span.record("otel.status_code", "ERROR");
    }

    fn finished(&self, finish: FinishReason) {
        self.span.record("gen_ai.response.finish_reasons", kind_name(&finish));
    }

    fn cost(&self, usage: Usage) {
        // A provider that counts nothing sends nothing, or zeros.
        if usage.is_nothing() {
            return;
        }
        self.span.record("gen_ai.usage.input_tokens", int(usage.prompt_tokens));
        self.span.record("gen_ai.usage.output_tokens", int(usage.completion_tokens));
        if usage.cached_tokens > 0 {
            self.span.record("gen_ai.usage.cache_read.input_tokens", int(usage.cached_tokens));
        }
        if usage.reasoning_tokens > 0 {
            let reasoning = int(usage.reasoning_tokens);
            self.span.record("gen_ai.usage.reasoning.output_tokens", reasoning);
        }
    }
}

impl Deref for Open {
    type Target = Span;

    fn deref(&self) -> &Span {
        &self.span
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.is_told.get() {
            self.failed(Status::Cancelled.as_str());
        }
    }
}

/// The whole run.
pub(super) fn run(run: &Run, model: &str) -> Open {
    let (provider, model) = split(model);
    Open::new(info_span!(
        "invoke_agent",
        otel.kind = "internal",
        otel.status_code = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.conversation.id = %run.conversation_id(),
        gen_ai.response.finish_reasons = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.reasoning.output_tokens = Empty,
        error.type = Empty,
        toolwright.run.id = %run.id(),
    ))
}

/// How the run ended.
pub(super) fn ended(span: &Open, run: &Run) {
    if !span.tell() {
        return;
    }
    match run.step() {
        Step::Done(Ok(answer)) => {
            span.finished(answer.finish_reason);
            span.cost(answer.usage);
        }
        Step::Done(Err(failure)) => {
            span.failed(&kind_name(&failure.kind));
            span.cost(failure.usage);
        }
        // It was left, and somebody goes on with it.
        _ => {}
    }
}

/// One question to the model. Whoever observes the first piece of the reply may record in it how
/// long that took.
pub(super) fn chat(run: &Run, model: &str, stream: bool) -> Open {
    let (provider, model) = split(model);
    let span = info_span!(
        "chat",
        otel.name = format_args!("chat {model}"),
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.request.stream = Empty,
        gen_ai.conversation.id = %run.conversation_id(),
        gen_ai.response.finish_reasons = Empty,
        gen_ai.response.time_to_first_chunk = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.reasoning.output_tokens = Empty,
        error.type = Empty,
    );
    if stream {
        span.record("gen_ai.request.stream", true);
    }
    Open::new(span)
}

/// What the model replied, or why it did not.
pub(super) fn replied(span: &Open, reply: &Result<ModelResponse, ModelError>) {
    if !span.tell() {
        return;
    }
    match reply {
        Ok(reply) => {
            span.finished(reply.finish);
            span.cost(reply.usage);
        }
        Err(error) => span.failed(&kind_name(&error.kind)),
    }
}

/// One run of a tool.
pub(super) fn tool(call: &CallId, spec: &ToolSpec) -> Open {
    Open::new(info_span!(
        "execute_tool",
        otel.name = format_args!("execute_tool {}", spec.name),
        otel.kind = "internal",
        otel.status_code = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = spec.name,
        gen_ai.tool.description = spec.description,
        gen_ai.tool.call.id = %call,
        gen_ai.tool.type = "function",
        error.type = Empty,
    ))
}

/// How the tool ended.
pub(super) fn ran(span: &Open, status: Status) {
    if span.tell() && !status.is_ok() {
        let kind = if status == Status::Failed { "tool_error" } else { status.as_str() };
        span.failed(kind);
    }
}

/// `openai:gpt-4o` as provider and model.
fn split(model: &str) -> (&str, &str) {
    model.split_once(':').unwrap_or(("_OTHER", model))
}

/// Exporters know signed integers and write others as text.
fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
