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

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(
        reason: &str,
        content: &str,
        calls: &[(&str, &str)],
    ) -> proto::ConversationResultChoices {
        let calls = calls.iter().map(|(name, arguments)| proto::ConversationToolCalls {
            id: None,
            tool_types: Some(ToolTypes::Function(proto::ConversationToolCallsOfFunction {
                name: (*name).to_owned(),
                arguments: (*arguments).to_owned(),
            })),
        });
        let tool_calls = calls.collect();
        let message = proto::ConversationResultMessage { content: content.to_owned(), tool_calls };
        let finish_reason = reason.to_owned();
        proto::ConversationResultChoices { finish_reason, index: 0, message: Some(message) }
    }

    fn read(
        choices: Vec<Vec<proto::ConversationResultChoices>>,
    ) -> Result<ModelResponse, ModelError> {
        let outputs = choices
            .into_iter()
            .map(|choices| proto::ConversationResultAlpha2 { choices, ..Default::default() });
        let outputs = outputs.collect();
        let reply = proto::ConversationResponseAlpha2 { context_id: None, outputs };
        response(reply, &Arc::from("dapr:llm"))
    }

    /// Some components put the words in one choice, or output, and the calls in the next.
    #[test]
    fn choices_are_one_reply() {
        let words = choice("tool_use", "One moment.", &[]);
        let calls = choice("tool_use", "", &[("a", "{}"), ("b", "location,days")]);
        for parted in [vec![vec![words.clone(), calls.clone()]], vec![vec![words], vec![calls]]] {
            let reply = read(parted).unwrap();
            assert_eq!(
                (reply.text.as_str(), reply.finish),
                ("One moment.", FinishReason::ToolCalls)
            );
            // As Dapr's echo component writes arguments: whoever checks calls says what is wrong with it.
            assert_eq!(reply.calls[1], Call::new("", "b", "location,days"));
        }
    }

    #[test]
    fn ends_are_told_in_the_providers_words() {
        for (word, finish) in [
            ("stop", FinishReason::Stop),
            ("end_turn", FinishReason::Stop),
            ("MAX_TOKENS", FinishReason::Length),
            ("SAFETY", FinishReason::ContentFilter),
            ("tool_calls", FinishReason::Stop),
            ("", FinishReason::Stop),
        ] {
            assert_eq!(read(vec![vec![choice(word, "So", &[])]]).unwrap().finish, finish, "{word}");
        }
        let stopped = read(vec![vec![choice("stop", "", &[("a", "{}")])]]).unwrap();
        assert_eq!(stopped.finish, FinishReason::ToolCalls);
    }

    #[test]
    fn nothing_is_no_reply() {
        let silent = proto::ConversationResultChoices { message: None, ..choice("stop", "", &[]) };
        for nothing in [vec![], vec![vec![]], vec![vec![silent]]] {
            assert_eq!(read(nothing).unwrap_err().kind, ModelErrorKind::BrokenReply);
        }
    }
}
