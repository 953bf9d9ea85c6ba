//! [`response`]: what a component answered, as a model's response.

use std::sync::Arc;

use toolwright_core::{Call, FinishReason, ModelError, ModelErrorKind, ModelResponse, Usage};

use crate::proto::{self, conversation_tool_calls::ToolTypes};

/// What a component answered. Some put the text in one choice and the calls in the next: all are one reply.
pub(super) fn response(
    reply: proto::ConversationResponseAlpha2,
    name: &Arc<str>,
) -> Result<ModelResponse, ModelError> {
    let mut response = ModelResponse { model: Some(name.clone()), ..ModelResponse::default() };
    let mut reason = None;
    for output in reply.outputs {
        response.usage += output.usage.map(usage).unwrap_or_default();
        for choice in output.choices {
            let Some(message) = choice.message else { continue };
            if !choice.finish_reason.is_empty() || reason.is_none() {
                reason = Some(choice.finish_reason);
            }
            response.text.push_str(&message.content);
            response.calls.extend(message.tool_calls.into_iter().filter_map(call));
        }
    }
    let Some(reason) = reason else {
        let message = "the Dapr sidecar answered without a message";
        return Err(ModelError::new(ModelErrorKind::BrokenReply, message).with_advice("ask again"));
    };
    response.finish = match finish(&reason) {
        FinishReason::Stop if !response.calls.is_empty() => FinishReason::ToolCalls,
        FinishReason::ToolCalls if response.calls.is_empty() => FinishReason::Stop,
        finish => finish,
    };
    Ok(response)
}

fn call(call: proto::ConversationToolCalls) -> Option<Call> {
    let ToolTypes::Function(function) = call.tool_types?;
    Some(Call::new(call.id.unwrap_or_default(), function.name, function.arguments))
}

/// Components pass on the words of their providers.
fn finish(reason: &str) -> FinishReason {
    match reason.to_ascii_lowercase().as_str() {
        "tool_calls" | "tool_use" | "function_call" => FinishReason::ToolCalls,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" | "safety" | "recitation" | "guardrail_intervened" => {
            FinishReason::ContentFilter
        }
        "refusal" => FinishReason::Refusal,
        _ => FinishReason::Stop,
    }
}

fn usage(usage: proto::ConversationResultAlpha2CompletionUsage) -> Usage {
    Usage {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
        cached_tokens: usage.prompt_tokens_details.map_or(0, |it| it.cached_tokens),
        reasoning_tokens: usage.completion_tokens_details.map_or(0, |it| it.reasoning_tokens),
    }
}
