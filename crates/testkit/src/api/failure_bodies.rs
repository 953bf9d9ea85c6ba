//! [`openai`] and the others: the bodies with which vendors tell what went wrong.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Failure, RetryForm, SpokenApi, insert};

/// The code in OpenAI's errors.
pub(super) fn openai_code(failure: Failure) -> Option<&'static str> {
    match failure {
        Failure::TooLong => Some("context_length_exceeded"),
        Failure::Key => Some("invalid_api_key"),
        Failure::NoModel => Some("model_not_found"),
        Failure::RateLimited => Some("rate_limit_exceeded"),
        Failure::Quota => Some("insufficient_quota"),
        Failure::Server => Some("server_error"),
        Failure::Overloaded => Some("server_is_overloaded"),
        Failure::Invalid | Failure::Forbidden => None,
    }
}

/// OpenAI's error, for both its APIs; `wait` goes into the words of a limit.
pub(super) fn openai(failure: Failure, model: &str, wait: Option<Duration>) -> Value {
    let again = wait
        .map_or_else(String::new, |wait| format!(" Please try again in {}ms.", wait.as_millis()));
    let (kind, param, message) = match failure {
        Failure::TooLong => (
            "invalid_request_error",
            Some("messages"),
            "This model's maximum context length is 8192 tokens. However, your messages resulted \
             in 9000 tokens. Please reduce the length of the messages."
                .to_owned(),
        ),
        Failure::Invalid => (
            "invalid_request_error",
            Some("tools[0].function.parameters"),
            "Invalid schema for function: 'x' is not of type 'object'.".to_owned(),
        ),
        Failure::Key => ("invalid_request_error", None, "Incorrect API key provided.".to_owned()),
        Failure::Forbidden => (
            "invalid_request_error",
            None,
            format!("Project does not have access to model `{model}`."),
        ),
        Failure::NoModel => (
            "invalid_request_error",
            None,
            format!("The model `{model}` does not exist or you do not have access to it."),
        ),
        Failure::RateLimited => (
            "requests",
            None,
            format!("Rate limit reached for {model} on requests per min (RPM).{again}"),
        ),
        Failure::Quota => (
            "insufficient_quota",
            None,
            "You exceeded your current quota, please check your plan and billing details."
                .to_owned(),
        ),
        Failure::Server => (
            "server_error",
            None,
            "The server had an error while processing your request. Sorry about that!".to_owned(),
        ),
        Failure::Overloaded => (
            "service_unavailable_error",
            None,
            "Our servers are currently overloaded. Please try again later.".to_owned(),
        ),
    };
    let code = openai_code(failure);
    json!({"error": {"message": message, "type": kind, "param": param, "code": code}})
}

/// Anthropic's error.
pub(super) fn anthropic(failure: Failure, model: &str) -> Value {
    let (kind, message) = match failure {
        Failure::TooLong => (
            "invalid_request_error",
            "prompt is too long: 208310 tokens > 200000 maximum".to_owned(),
        ),
        Failure::Invalid => (
            "invalid_request_error",
            "tools.0.input_schema.type: Input should be 'object'".to_owned(),
        ),
        Failure::Key => ("authentication_error", "invalid x-api-key".to_owned()),
        Failure::Forbidden => (
            "permission_error",
            "Your API key does not have permission to use the specified resource.".to_owned(),
        ),
        Failure::NoModel => ("not_found_error", format!("model: {model}")),
        Failure::RateLimited => (
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 50 requests per minute."
                .to_owned(),
        ),
        Failure::Quota => {
            ("rate_limit_error", "You have reached your specified API usage limits.".to_owned())
        }
        Failure::Server => ("api_error", "Internal server error".to_owned()),
        Failure::Overloaded => ("overloaded_error", "Overloaded".to_owned()),
    };
    let error = json!({"type": kind, "message": message});
    json!({"type": "error", "error": error, "request_id": "req_scripted"})
}

/// Google's error, with its details.
pub(super) fn google(failure: Failure, model: &str, retry: Option<(Duration, RetryForm)>) -> Value {
    let in_words = matches!(retry, Some((_, RetryForm::Usual | RetryForm::Words)));
    let seconds = retry.map(|(wait, _)| format!("{}s", wait.as_secs_f64()));
    let again = seconds.as_ref().filter(|_| in_words);
    let again = again.map_or_else(String::new, |it| format!(" Please retry in {it}."));
    let (status, message) = match failure {
        Failure::TooLong => (
            "INVALID_ARGUMENT",
            "The input token count (1048590) exceeds the maximum number of tokens allowed (1048576)."
                .to_owned(),
        ),
        Failure::Invalid => (
            "INVALID_ARGUMENT",
            "Invalid JSON payload received. Unknown name \"x\": Cannot find field.".to_owned(),
        ),
        Failure::Key => {
            ("INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.".to_owned())
        }
        Failure::Forbidden => {
            ("PERMISSION_DENIED", "The caller does not have permission".to_owned())
        }
        Failure::NoModel => (
            "NOT_FOUND",
            format!("models/{model} is not found for API version v1beta, or is not supported for generateContent."),
        ),
        Failure::RateLimited | Failure::Quota => (
            "RESOURCE_EXHAUSTED",
            format!("You exceeded your current quota, please check your plan and billing details.{again}"),
        ),
        Failure::Server => ("INTERNAL", "An internal error has occurred.".to_owned()),
        Failure::Overloaded => (
            "UNAVAILABLE",
            "The model is overloaded. Please try again later.".to_owned(),
        ),
    };
    let mut error =
        json!({"code": failure.status(SpokenApi::Gemini), "message": message, "status": status});
    let delay = matches!(retry, Some((_, RetryForm::Usual | RetryForm::Details)));
    let details = google_details(failure, seconds.filter(|_| delay).as_deref());
    if !details.is_empty() {
        insert(&mut error, "details", details);
    }
    json!({"error": error})
}

fn google_details(failure: Failure, delay: Option<&str>) -> Vec<Value> {
    let kind = |name: &str| format!("type.googleapis.com/google.rpc.{name}");
    let quota = |id: &str| {
        let violation = json!({"quotaMetric": "generate_content_requests", "quotaId": id});
        json!({"@type": kind("QuotaFailure"), "violations": [violation]})
    };
    match failure {
        Failure::Key => vec![json!({
            "@type": kind("ErrorInfo"), "reason": "API_KEY_INVALID", "domain": "googleapis.com",
        })],
        // Which quota it was tells whether waiting helps.
        Failure::Quota => vec![quota("GenerateRequestsPerDayPerProjectPerModel")],
        Failure::RateLimited => {
            let mut details = vec![quota("GenerateRequestsPerMinutePerProjectPerModel")];
            details.extend(delay.map(|it| json!({"@type": kind("RetryInfo"), "retryDelay": it})));
            details
        }
        _ => Vec::new(),
    }
}

/// Ollama's error, which is a sentence.
pub(super) fn ollama(failure: Failure, model: &str) -> Value {
    let message = match failure {
        Failure::TooLong => "the input length exceeds the context length".to_owned(),
        Failure::Invalid => format!("registry.ollama.ai/library/{model} does not support tools"),
        Failure::Key => "unauthorized".to_owned(),
        Failure::Forbidden => "access denied".to_owned(),
        Failure::NoModel => format!("model '{model}' not found"),
        Failure::RateLimited => "too many requests".to_owned(),
        Failure::Quota => "you've reached your weekly usage limit".to_owned(),
        Failure::Server => "an error was encountered while running the model".to_owned(),
        Failure::Overloaded => {
            "server busy, please try again. maximum pending requests exceeded".to_owned()
        }
    };
    json!({"error": message})
}
