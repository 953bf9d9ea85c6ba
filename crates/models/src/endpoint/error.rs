//! Provider errors, in every form they come in, as one line a person can act on.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use serde_json::Value;
use toolwright_core::{ModelError, ModelErrorKind};
use toolwright_http::{HttpError, HttpErrorKind, Origin, retry_after};

use super::{EndpointConfig, Vendor};

/// How much of a provider's words is looked at. How much is told is decided once no secret is in them.
const MOST_READ: usize = 64 << 10;

/// The error that a request without a response means.
pub(super) fn unanswered(
    origin: &Origin,
    config: &EndpointConfig,
    error: &HttpError,
) -> ModelError {
    let reason = &error.reason;
    let address = &config.set_by.address;
    let (kind, message, advice) = match error.kind {
        HttpErrorKind::Endless => (
            ModelErrorKind::BrokenReply,
            format!("the response of {origin} did not begin: {reason}"),
            "check that the address is that of a model's API".to_owned(),
        ),
        HttpErrorKind::Broken => (
            ModelErrorKind::Connection,
            format!("the connection to {origin} failed: {reason}"),
            "try again; if it stays, check that the address is that of an HTTP API".to_owned(),
        ),
        // Nothing changes before somebody changes a setting.
        _ if error.is_lasting() => (
            ModelErrorKind::NotConfigured,
            format!("cannot connect to {origin}: {reason}"),
            format!("check {address}"),
        ),
        // A vendor's server runs, and its address is known.
        _ if Vendor::of_host(origin.host()).is_some() => (
            ModelErrorKind::Connection,
            format!("cannot connect to {origin}: {reason}"),
            "check this machine's connection to the internet, and its proxy".to_owned(),
        ),
        _ => (
            ModelErrorKind::Connection,
            format!("cannot connect to {origin}: {reason}"),
            format!("check that the server is running and that {address} is its address"),
        ),
    };
    ModelError::new(kind, message).with_advice(error.advice.map_or(advice, str::to_owned))
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
    error.retry_after = retry_after(headers).or(error.retry_after);
    error
}

/// The error an error body means; without a status, one that came in the middle of a stream.
pub(crate) fn from_body(status: Option<StatusCode>, body: &Value) -> ModelError {
    // Gemini wraps it in a list; most put it under `error`.
    let body = body.as_array().and_then(|list| list.first()).unwrap_or(body);
    let inner = body.get("error").filter(|it| !it.is_null()).unwrap_or(body);
    let words = words_of(inner);
    let code = code_of(inner);
    let coded = inner["code"].as_u64().and_then(|it| u16::try_from(it).ok());
    let status = status.or_else(|| coded.and_then(|it| StatusCode::from_u16(it).ok()));
    let kind = if is_too_long(status, code, words.as_deref()) {
        ModelErrorKind::TooLong
    } else if is_daily(inner) {
        ModelErrorKind::Quota
    } else {
        kind_of(status, code)
    };
    let message = match (status, &words) {
        (Some(status), Some(words)) => {
            format!("the provider answered {}: {words}", status.as_u16())
        }
        (Some(status), None) => format!("the provider answered {status}"),
        (None, Some(words)) => format!("the provider reported an error: {words}"),
        (None, None) => "the provider reported an error without a reason".to_owned(),
    };
    let mut error = ModelError::new(kind, message);
    error.status = status.map(|status| status.as_u16());
    error.retry_after = asked_in(inner, words.as_deref().unwrap_or_default());
    error
}

/// The code of an error; or its type or status, where that says more.
fn code_of(error: &Value) -> &str {
    let text = |key| error.get(key).and_then(Value::as_str).filter(|it| !it.is_empty());
    let (code, kind) = (text("code"), text("type"));
    // Gemini has a number for its code, and says in the details that a key is none.
    let reasons = error["details"].as_array().into_iter().flatten();
    let mut reasons = reasons.filter_map(|it| it.get("reason")?.as_str());
    let reason = reasons.find(|it| *it == "API_KEY_INVALID");
    kind.filter(|it| is_quota(it))
        .or(reason)
        .or(code)
        .or(kind)
        .or(text("status"))
        .unwrap_or_default()
}

fn is_quota(code: &str) -> bool {
    matches!(
        code,
        "insufficient_quota"
            | "billing_hard_limit_reached"
            | "credit_balance_exhausted"
            | "usage_not_included"
            | "billing_error"
    )
}

/// Whether what is used up comes back tomorrow only.
fn is_daily(error: &Value) -> bool {
    let details = error["details"].as_array().into_iter().flatten();
    let mut quotas = details.filter_map(|it| it["violations"].as_array()).flatten();
    quotas.any(|it| it["quotaId"].as_str().is_some_and(|it| it.contains("PerDay")))
}

/// How long the provider asks to wait, where it does so in the body: in a field, or in its words.
fn asked_in(error: &Value, words: &str) -> Option<Duration> {
    let details = error["details"].as_array().into_iter().flatten();
    let mut delays = details.filter_map(|it| it.get("retryDelay")?.as_str());
    let seconds = |text: &str| text.strip_suffix('s')?.parse::<f64>().ok();
    let in_words = || {
        let words = words.to_lowercase();
        let (_, rest) =
            words.split_once("try again in ").or_else(|| words.split_once("retry in "))?;
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at_checked(end)?;
        let number: f64 = number.trim_end_matches('.').parse().ok()?;
        let unit = unit.trim_start();
        match unit.starts_with("ms") {
            true => Some(number / 1e3),
            false => unit.starts_with('s').then_some(number),
        }
    };
    let wait = delays.find_map(seconds).or_else(in_words)?;
    Duration::try_from_secs_f64(wait).ok().filter(|it| !it.is_zero())
}

/// Whether the conversation is longer than the model can read. Few servers have a code for it.
fn is_too_long(status: Option<StatusCode>, code: &str, words: Option<&str>) -> bool {
    const SAID: [&str; 16] = [
        "maximum context length",
        "context length exceeded",
        "exceeds the available context size",
        "prompt is too long",
        "context window",
        "exceeds the maximum number of tokens",
        "exceeds the maximum allowed",
        "maximum prompt length is",
        "reduce the length of the messages",
        "greater than the context length",
        "context length is only",
        "exceeded model token limit",
        "input is too long for requested model",
        "input length exceeds",
        "token limit exceeded",
        "too many tokens",
    ];
    const NOT: [&str; 3] = ["rate limit", "too many requests", "throttling"];
    let refused = status.is_none_or(|status| matches!(status.as_u16(), 400 | 413 | 422));
    let words = words.unwrap_or_default().to_lowercase();
    let says = |said: &[&str]| said.iter().any(|said| words.contains(said));
    matches!(code, "context_length_exceeded" | "exceed_context_size_error" | "request_too_large")
        || (refused && says(&SAID) && !says(&NOT))
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
    // Some refuse a key, or what is too much, with any status.
    match code {
        _ if is_quota(code) => return ModelErrorKind::Quota,
        "rate_limit_exceeded" | "rate_limit_error" | "RESOURCE_EXHAUSTED" => {
            return ModelErrorKind::RateLimited;
        }
        "API_KEY_INVALID" => return ModelErrorKind::Auth,
        _ => {}
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
        None => kind_by_code(code),
    }
}

/// The kind of an error that came in the middle of a stream, where there is no status.
fn kind_by_code(code: &str) -> ModelErrorKind {
    match code {
        "authentication_error" | "permission_error" | "UNAUTHENTICATED" | "PERMISSION_DENIED" => {
            ModelErrorKind::Auth
        }
        "not_found_error" | "NOT_FOUND" => ModelErrorKind::NotFound,
        "overloaded_error"
        | "server_is_overloaded"
        | "slow_down"
        | "server_error"
        | "api_error"
        | "timeout_error"
        | "UNAVAILABLE"
        | "INTERNAL"
        | "DEADLINE_EXCEEDED" => ModelErrorKind::Server,
        "invalid_request_error"
        | "INVALID_ARGUMENT"
        | "invalid_prompt"
        | "bio_policy"
        | "cyber_policy"
        | "misalignment_policy_violation" => ModelErrorKind::Request,
        _ => ModelErrorKind::BrokenReply,
    }
}

impl EndpointConfig {
    /// The error, with what a person can do about it where it does not say so.
    pub(super) fn advised(&self, mut error: ModelError) -> ModelError {
        if error.advice.is_some() {
            return error;
        }
        let (key, address) = (&self.set_by.key, &self.set_by.address);
        error.advice = match error.kind {
            ModelErrorKind::Auth if self.api_key.is_none() => {
                Some(format!("set {key} to a key of this provider"))
            }
            ModelErrorKind::Auth => Some(format!(
                "check {key}, that it is one of this provider's and may use this model"
            )),
            ModelErrorKind::NotFound => Some(format!(
                "check the model's name (TOOLWRIGHT_MODEL) and the address ({address}{})",
                match self.api.protocol().version() {
                    Some(version) => format!(", usually ending in /{version}"),
                    None => String::new(),
                }
            )),
            kind => self.api.protocol().advice(kind).or_else(|| advice(kind)).map(str::to_owned),
        };
        error
    }
}

fn advice(kind: ModelErrorKind) -> Option<&'static str> {
    Some(match kind {
        ModelErrorKind::Quota => "the account has no credit left: check its billing",
        ModelErrorKind::RateLimited => "wait a little and ask again",
        ModelErrorKind::Server => "the provider is in trouble: ask again later, or ask another",
        ModelErrorKind::TooLong => "the conversation is too long for this model: start a new one",
        ModelErrorKind::BrokenReply => "ask again",
        _ => return None,
    })
}
