//! [`Trouble`]: what went wrong on the way to an endpoint, and whether to ask again.
//!
//! Nothing of it repeats what was sent.

use std::time::Duration;

use http::StatusCode;
use serde_json::Value;

use toolwright_http::{Address, HttpError};
use toolwright_redact::Secrets;

use super::Key;
use crate::{EmbedError, EmbedErrorKind};

/// Longer words of an endpoint's are cut.
const MOST_WORDS: usize = 300;

/// What went wrong on the way to an endpoint.
#[derive(Debug)]
pub(super) struct Trouble {
    pub(super) error: EmbedError,
    /// Whether it may pass by itself.
    pub(super) passes: bool,
    /// How long the endpoint asks to wait.
    pub(super) asked: Option<Duration>,
}

impl From<EmbedError> for Trouble {
    fn from(error: EmbedError) -> Self {
        Self { error, passes: false, asked: None }
    }
}

fn passing(message: String, advice: &str) -> Trouble {
    let error = EmbedError::new(EmbedErrorKind::Unavailable, message).with_advice(advice);
    Trouble { error, passes: true, asked: None }
}

/// A request failed before its answer began, or in the middle of it.
pub(super) fn broken(address: &Address, error: &HttpError) -> Trouble {
    let host = address.host();
    if error.is_connect() {
        let message = format!("The embeddings endpoint {host} cannot be reached: {error}.");
        let advice = error.advice_sentence();
        let usual = "Check that it runs, its address, and the network.";
        let trouble = passing(message, advice.as_deref().unwrap_or(usual));
        return Trouble { passes: !error.is_lasting(), ..trouble };
    }
    let message = format!("The connection to the embeddings endpoint {host} broke off: {error}.");
    passing(message, "Ask again in a while.")
}

/// A request took too long.
pub(super) fn slow(address: &Address, limit: Duration) -> Trouble {
    let (host, seconds) = (address.host(), limit.as_secs_f64());
    let message =
        format!("The embeddings endpoint {host} did not answer within {seconds:.1} seconds.");
    passing(message, "Ask again in a while, or use a faster model.")
}

/// An answer is cut off, or something else than vectors.
pub(super) fn unreadable(address: &Address, error: &serde_json::Error) -> Trouble {
    let host = address.host();
    if error.is_eof() {
        let message = format!("The answer of the embeddings endpoint {host} is cut off.");
        return passing(message, "Ask again in a while.");
    }
    strange(address, "is no list of vectors in JSON").into()
}

/// An answer is not what was asked for.
pub(super) fn strange(address: &Address, what: &str) -> EmbedError {
    let message = format!("The answer of the embeddings endpoint {} {what}.", address.host());
    EmbedError::new(EmbedErrorKind::Unavailable, message).with_advice(
        "Check that the address is the root of an OpenAI-compatible API, and that the model is one \
         for embeddings.",
    )
}

/// An endpoint answered with a status that is no success.
pub(super) fn refused(
    address: &Address,
    key: Option<&Key>,
    status: StatusCode,
    body: &[u8],
    asked: Option<Duration>,
) -> Trouble {
    let host = address.host();
    let said = words(body, key).map(|it| format!(": {it}")).unwrap_or_default();
    let said = format!("(status {}{said})", status.as_u16());
    if status == StatusCode::TOO_MANY_REQUESTS {
        let message = format!("The embeddings endpoint {host} was asked too often {said}.");
        return Trouble { asked, ..passing(message, "Ask again in a while.") };
    }
    if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        let message = format!("The embeddings endpoint {host} failed {said}.");
        return Trouble { asked, ..passing(message, "Ask again in a while.") };
    }
    if status.is_redirection() {
        let message = format!(
            "The embeddings endpoint {host} points to another address {said}, which is not \
             followed: the key goes to no other place."
        );
        let error = EmbedError::new(EmbedErrorKind::Unavailable, message);
        return error.with_advice("Set the address of the API itself.").into();
    }
    let (what, advice) = match (status.as_u16(), key) {
        (401 | 403, Some(_)) => ("does not accept the key", "Check the key, and what it is for."),
        (401 | 403, None) => ("asks for a key, and none was given", "Give it a key."),
        (404 | 405, _) => (
            "has no such model, or no embeddings at this address",
            "Check the model's name and the address, which often ends with /v1.",
        ),
        _ => ("refused", "Check that the model is one for embeddings."),
    };
    let message = format!("The embeddings endpoint {host} {what} {said}.");
    EmbedError::new(EmbedErrorKind::Refused, message).with_advice(advice).into()
}

/// The endpoint's words on one line, not too many of them, and without the key should they repeat
/// it.
fn words(body: &[u8], key: Option<&Key>) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error").unwrap_or(&body);
    let said = [error.get("message"), body.get("message"), body.get("detail"), Some(error)];
    let said = said.into_iter().flatten().find_map(Value::as_str)?;
    let line = Secrets::new(key.map(Key::reveal)).line(said, MOST_WORDS);
    let line = line.trim_end_matches('.');
    (!line.is_empty()).then(|| line.to_owned())
}
