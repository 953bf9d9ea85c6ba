//! What a run looks like in a trace: `tracing` spans that carry OpenTelemetry's names for
//! generative AI, so that an exporter has nothing to translate. No message, argument or result is
//! recorded in them.

use toolwright_core::{CallId, ModelError, Reply, Run, Status, ToolSpec};
use tracing::{Span, field::Empty, info_span};

/// The whole run.
pub(super) fn run(run: &Run, model: &str) -> Span {
    let (provider, model) = split(model);
    info_span!(
        "invoke_agent",
        otel.kind = "internal",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.conversation.id = %run.conversation_id(),
        toolwright.run.id = %run.id(),
    )
}

/// One question to the model.
pub(super) fn chat(run: &Run, model: &str, stream: bool) -> Span {
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
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.reasoning.output_tokens = Empty,
        error.type = Empty,
    );
    if stream {
        span.record("gen_ai.request.stream", true);
    }
    span
}

/// What the model replied, or why it did not.
pub(super) fn replied(span: &Span, reply: &Result<Reply, ModelError>) {
    if span.is_disabled() {
        return;
    }
    match reply {
        Ok(reply) => {
            let usage = reply.usage;
            span.record("gen_ai.response.finish_reasons", name(&reply.finish));
            span.record("gen_ai.usage.input_tokens", usage.prompt_tokens);
            span.record("gen_ai.usage.output_tokens", usage.completion_tokens);
            if usage.cached_tokens > 0 {
                span.record("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens);
            }
            if usage.reasoning_tokens > 0 {
                span.record("gen_ai.usage.reasoning.output_tokens", usage.reasoning_tokens);
            }
        }
        Err(error) => {
            span.record("error.type", name(&error.kind));
            span.record("otel.status_code", "ERROR");
        }
    }
}

/// One run of a tool.
pub(super) fn tool(call: &CallId, spec: &ToolSpec) -> Span {
    info_span!(
        "execute_tool",
        otel.name = format_args!("execute_tool {}", spec.name),
        otel.kind = "internal",
        otel.status_code = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = spec.name,
        gen_ai.tool.call.id = %call,
        gen_ai.tool.type = "function",
        error.type = Empty,
    )
}

/// How the tool ended.
pub(super) fn ran(span: &Span, status: Status) {
    if !status.is_ok() {
        let kind = if status == Status::Failed { "tool_error" } else { status.as_str() };
        span.record("error.type", kind);
        span.record("otel.status_code", "ERROR");
    }
}

/// `openai:gpt-4o` as provider and model.
fn split(model: &str) -> (&str, &str) {
    model.split_once(':').unwrap_or(("_OTHER", model))
}

/// A kind by the name it is serialised with.
fn name(kind: &impl serde::Serialize) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(name)) => name,
        _ => "_OTHER".to_owned(),
    }
}
