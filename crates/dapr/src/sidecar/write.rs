//! [`response`]: what a model said, as Dapr has it.

use toolwright_core::{Call, FinishReason, ModelResponse, OutputSchema, Usage};

use crate::proto::{self, conversation_tool_calls::ToolTypes};

/// What a model said. Its reasoning stays here: Dapr has no place for it.
pub(super) fn response(
    said: ModelResponse,
    model: &str,
    context_id: Option<String>,
    output: Option<&OutputSchema>,
) -> proto::ConversationResponseAlpha2 {
    // What is no JSON goes on as it is: the application says what is wrong with it.
    let content = match output.map(|it| it.read(&said.text)) {
        Some(Ok((_, json))) if said.calls.is_empty() => json,
        _ => said.text,
    };
    let finish_reason = match said.finish {
        _ if !said.calls.is_empty() => "tool_calls",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Refusal => "stop",
    };
    let message = proto::ConversationResultMessage { content, tool_calls: calls(said.calls) };
    let choice = proto::ConversationResultChoices {
        finish_reason: finish_reason.to_owned(),
        index: 0,
        message: Some(message),
    };
    let output = proto::ConversationResultAlpha2 {
        choices: vec![choice],
        model: Some(model.to_owned()),
        usage: (!said.usage.is_nothing()).then(|| usage(said.usage)),
    };
    proto::ConversationResponseAlpha2 { context_id, outputs: vec![output] }
}

/// The calls, each with an id of its own: results come back by it.
fn calls(calls: Vec<Call>) -> Vec<proto::ConversationToolCalls> {
    let mut ids = std::collections::HashSet::new();
    let written = calls.into_iter().map(|call| {
        let mut id = call.id.as_str().to_owned();
        while id.is_empty() || !ids.insert(id.clone()) {
            id = format!("call_{:016x}", fastrand::u64(..));
        }
        let is_empty = call.arguments.trim().is_empty();
        let arguments = if is_empty { "{}".to_owned() } else { call.arguments };
        let function = proto::ConversationToolCallsOfFunction { name: call.name, arguments };
        proto::ConversationToolCalls {
            id: Some(id),
            tool_types: Some(ToolTypes::Function(function)),
        }
    });
    written.collect()
}

fn usage(usage: Usage) -> proto::ConversationResultAlpha2CompletionUsage {
    use proto::{
        ConversationResultAlpha2CompletionUsageCompletionTokensDetails as OfCompletion,
        ConversationResultAlpha2CompletionUsagePromptTokensDetails as OfPrompt,
    };
    let reasoning = OfCompletion { reasoning_tokens: usage.reasoning_tokens, ..Default::default() };
    let cached = OfPrompt { cached_tokens: usage.cached_tokens, ..Default::default() };
    proto::ConversationResultAlpha2CompletionUsage {
        completion_tokens: usage.completion_tokens,
        prompt_tokens: usage.prompt_tokens,
        total_tokens: usage.total(),
        completion_tokens_details: (usage.reasoning_tokens > 0).then_some(reasoning),
        prompt_tokens_details: (usage.cached_tokens > 0).then_some(cached),
    }
}
