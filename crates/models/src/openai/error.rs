//! Provider errors, in every form they come in, as one line a person can act on.

use http::{HeaderMap, StatusCode};
use serde_json::Value;
use toolwright_core::{ModelError, ModelErrorKind};
use toolwright_http::{HttpError, HttpErrorKind, Origin, retry_after};

/// How much of a provider's words is looked at. How much is told is decided once no secret is in them.
const MOST_READ: usize = 64 << 10;

/// The error that a request without a response means.
pub(super) fn unanswered(origin: &Origin, error: &HttpError) -> ModelError {
    let reason = &error.reason;
    let (kind, message, advice) = match error.kind {
        HttpErrorKind::Endless => (
            ModelErrorKind::BrokenReply,
            format!("the response of {origin} did not begin: {reason}"),
            "check that the address is that of an OpenAI-compatible API",
        ),
        HttpErrorKind::Broken => (
            ModelErrorKind::Connection,
            format!("the connection to {origin} failed: {reason}"),
            "try again; if it stays, check that the address is that of an HTTP API",
        ),
        // Nothing changes before somebody changes a setting.
        _ if error.is_lasting() => (
            ModelErrorKind::NotConfigured,
            format!("cannot connect to {origin}: {reason}"),
            "check OPENAI_API_BASE",
        ),
        _ => (
            ModelErrorKind::Connection,
            format!("cannot connect to {origin}: {reason}"),
            "check that the server is running and that OPENAI_API_BASE is its address",
        ),
    };
    ModelError::new(kind, message).with_advice(error.advice.unwrap_or(advice))
}

/// The error that settings mean which cannot be used.
pub(super) fn unusable(error: &HttpError) -> ModelError {
    let usual = "check the section [http] of toolwright.toml, and the variables of proxies";
    ModelError::new(ModelErrorKind::NotConfigured, error.reason.clone())
        .with_advice(error.advice.unwrap_or(usual))
}

/// The error a response with this status and body means.
pub(super) fn from_response(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> ModelError {
    let value = serde_json::from_slice(body).unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(body);
        // A page of HTML tells a person nothing.
        let useful = !text.trim_start().starts_with('<');
        if useful { Value::String(text.into_owned()) } else { Value::Null }
    });
    let mut error = from_body(Some(status), &value);
    error.retry_after = retry_after(headers);
    error
}

/// The error an error body means; without a status, one that came in the middle of a stream.
pub(super) fn from_body(status: Option<StatusCode>, body: &Value) -> ModelError {
    // Gemini wraps it in a list; most put it under `error`.
    let body = body.as_array().and_then(|list| list.first()).unwrap_or(body);
    let inner = body.get("error").filter(|it| !it.is_null()).unwrap_or(body);
    let words = words_of(inner);
    let code = code_of(inner);
    let coded = inner["code"].as_u64().and_then(|it| u16::try_from(it).ok());
    let status = status.or_else(|| coded.and_then(|it| StatusCode::from_u16(it).ok()));
    let kind = if is_too_long(status, code, words.as_deref()) {
        ModelErrorKind::TooLong
    } else {
        kind_of(status, code)
    };
    let message = match (status, words) {
        (Some(status), Some(words)) => {
            format!("the provider answered {}: {words}", status.as_u16())
        }
        (Some(status), None) => format!("the provider answered {status}"),
        (None, Some(words)) => format!("the provider reported an error: {words}"),
        (None, None) => "the provider reported an error without a reason".to_owned(),
    };
    let mut error = ModelError::new(kind, message);
    error.status = status.map(|status| status.as_u16());
    error.advice = advice(kind);
    error
}

/// The code of an error; or its type, where that says more.
fn code_of(error: &Value) -> &str {
    let text = |key| error.get(key).and_then(Value::as_str).filter(|it| !it.is_empty());
    let (code, kind) = (text("code"), text("type"));
    kind.filter(|it| is_quota(it)).or(code).or(kind).unwrap_or_default()
}

fn is_quota(code: &str) -> bool {
    matches!(code, "insufficient_quota" | "billing_hard_limit_reached")
}

/// Whether the conversation is longer than the model can read. Few servers have a code for it.
fn is_too_long(status: Option<StatusCode>, code: &str, words: Option<&str>) -> bool {
    const SAID: [&str; 5] = [
        "maximum context length",
        "context length exceeded",
        "exceeds the available context size",
        "prompt is too long",
        "context window",
    ];
    let refused = status.is_none_or(|status| matches!(status.as_u16(), 400 | 413 | 422));
    let words = words.unwrap_or_default().to_lowercase();
    matches!(code, "context_length_exceeded" | "exceed_context_size_error")
        || (refused && SAID.iter().any(|said| words.contains(said)))
        || status.is_some_and(|status| status.as_u16() == 413)
}

/// The words in an error body: `message`, FastAPI's `detail`, or the text itself.
fn words_of(body: &Value) -> Option<String> {
    let detail = &body["detail"];
    let details = || {
        let list: Vec<_> = detail.as_array()?.iter().filter_map(|it| it["msg"].as_str()).collect();
        (!list.is_empty()).then(|| list.join("; "))
    };
    let words = body["message"]
        .as_str()
        .or(detail.as_str())
        .or(body.as_str())
        .map(str::to_owned)
        .or_else(details)?;
    let words = words.trim();
    // With a mark, by which half of a secret is known for one.
    let words = match words.char_indices().nth(MOST_READ) {
        Some((at, _)) => format!("{}…", words.get(..at).unwrap_or_default()),
        None => words.to_owned(),
    };
    (!words.is_empty()).then_some(words)
}

fn kind_of(status: Option<StatusCode>, code: &str) -> ModelErrorKind {
    if is_quota(code) {
        return ModelErrorKind::Quota;
    }
    if code == "rate_limit_exceeded" {
        return ModelErrorKind::RateLimited;
    }
    match status.map(|status| status.as_u16()) {
        // The API is elsewhere.
        Some(300..=399) => ModelErrorKind::NotFound,
        Some(401 | 403) => ModelErrorKind::Auth,
        Some(402) => ModelErrorKind::Quota,
        Some(404) => ModelErrorKind::NotFound,
        Some(408 | 409) => ModelErrorKind::Server,
        Some(429) => ModelErrorKind::RateLimited,
        Some(400..=498) => ModelErrorKind::Request,
        Some(_) => ModelErrorKind::Server,
        None if code == "invalid_request_error" => ModelErrorKind::Request,
        None => ModelErrorKind::BrokenReply,
    }
}

fn advice(kind: ModelErrorKind) -> Option<String> {
    let advice = match kind {
        ModelErrorKind::Auth => "check OPENAI_API_KEY, and that it may use this model",
        ModelErrorKind::Quota => "the account has no credit left: check its billing",
        ModelErrorKind::NotFound => {
            "check the model's name (TOOLWRIGHT_MODEL) and the address (OPENAI_API_BASE, usually ending in /v1)"
        }
        ModelErrorKind::RateLimited => "wait a little and ask again",
        ModelErrorKind::Server => "the provider is in trouble: ask again later, or ask another",
        ModelErrorKind::TooLong => "the conversation is too long for this model: start a new one",
        ModelErrorKind::BrokenReply => "ask again",
        _ => return None,
    };
    Some(advice.to_owned())
}
