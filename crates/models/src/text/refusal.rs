//! Whether an error says that tools cannot be used, and not that something else is wrong.

use toolwright_core::{ModelError, ModelErrorKind};

/// What is refused.
const TOOLS: [&str; 4] = ["tool", "function call", "function-call", "functions"];

/// How servers say that they have none of it. Ollama: `… does not support tools`; vLLM: `"auto" tool
/// choice requires --enable-auto-tool-choice`; llama.cpp: `tools param requires --jinja flag`;
/// OpenRouter: `No endpoints found that support tool use`; others in their own words.
const REFUSED: [&str; 12] = [
    "not support",
    "n't support",
    "unsupported",
    "not enabled",
    "not available",
    "not allowed",
    "not permitted",
    "not implemented",
    "requires --",
    "no endpoints found",
    "unrecognized",
    "unknown",
];

/// What is said about *one* tool is no word about tools: its schema may be refused, or its name.
const OF_ONE: [&str; 4] = ["schema", "tool_call_id", "tool call id", "parameters"];

/// Whether the provider does not take tools.
pub(super) fn of_tools(error: &ModelError) -> bool {
    use ModelErrorKind::{NotFound, Request, Server};
    // OpenRouter answers 404, llama.cpp 500.
    if !matches!(error.kind, Request | NotFound | Server) {
        return false;
    }
    let words = error.message.to_lowercase();
    let has = |list: &[&str]| list.iter().any(|it| words.contains(it));
    has(&TOOLS) && has(&REFUSED) && !has(&OF_ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(kind: ModelErrorKind, words: &str) -> bool {
        of_tools(&ModelError::new(kind, format!("the provider answered 400: {words}")))
    }

    #[test]
    fn a_server_without_tools_is_understood() {
        for words in [
            "registry.ollama.ai/library/gemma:2b does not support tools",
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
            "tools param requires --jinja flag",
            "No endpoints found that support tool use. To learn more about provider routing, visit: …",
            "`tools` is not supported in this model. For a list of supported models, refer to …",
            "Function calling is not enabled for models/gemma-3-27b-it",
            "This model doesn't support function calling",
            "Unrecognized request argument supplied: tools",
            "tool calling is currently unsupported",
        ] {
            assert!(said(ModelErrorKind::Request, words), "{words}");
        }
        assert!(said(ModelErrorKind::Server, "tools param requires --jinja flag"));
    }

    #[test]
    fn what_is_wrong_with_something_else_is_not() {
        for words in [
            "no",
            "Invalid schema for function 'look': 'oneOf' is not permitted",
            "model `gemma` does not support images",
            "tool_call_id call_1 not found",
            "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
            "unknown model",
        ] {
            assert!(!said(ModelErrorKind::Request, words), "{words}");
        }
        assert!(!said(ModelErrorKind::Auth, "your key does not support tools"));
        assert!(!said(ModelErrorKind::RateLimited, "tool calls are not allowed for now"));
    }
}
