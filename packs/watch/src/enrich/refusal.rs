//! [`Refused`]: why the API gave no answer.

use std::time::Duration;

use http::StatusCode;
use serde_json::Value;
use toolwright_http::HttpError;

use crate::{WatchError, WatchErrorKind};

const KEYS: &str = "Make a key at console.cloud.google.com (APIs and services, credentials), and switch \
    the YouTube Data API v3 on for its project.";
const LATER: &str = "What was learned so far is kept: try again in a while.";

/// Why the API gave no answer.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) error: WatchError,
    /// Whether the same may be answered a little later.
    pub(super) is_temporary: bool,
    /// How long the API asked to be left alone.
    pub(super) wait: Option<Duration>,
}

impl Refused {
    fn new(message: impl Into<String>, advice: &str) -> Self {
        let error = WatchError::new(WatchErrorKind::Api, message).with_advice(advice);
        Self { error, is_temporary: false, wait: None }
    }

    fn temporary(message: impl Into<String>, wait: Option<Duration>) -> Self {
        Self { is_temporary: true, wait, ..Self::new(message, LATER) }
    }
}

/// What a status and a body mean. The API's own sentences are left out: they may repeat the key.
pub(super) fn read(status: StatusCode, body: &[u8], wait: Option<Duration>) -> Refused {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    match reason(&body) {
        "quotaExceeded" | "dailyLimitExceeded" => Refused::new(
            "YouTube's API has answered all that this key may ask today",
            "The limit is lifted at midnight Pacific time: try again then. What was learned so far is \
             kept, and only the rest is asked for.",
        ),
        "keyInvalid" | "API_KEY_INVALID" => {
            Refused::new("YouTube's API does not accept the key", KEYS)
        }
        "accessNotConfigured" | "SERVICE_DISABLED" => {
            Refused::new("the YouTube Data API is not switched on for this key", KEYS)
        }
        "rateLimitExceeded" | "userRateLimitExceeded" | "RATE_LIMIT_EXCEEDED" => {
            Refused::temporary("YouTube's API was asked too often", wait)
        }
        other => of_status(status, other, wait),
    }
}

fn of_status(status: StatusCode, reason: &str, wait: Option<Duration>) -> Refused {
    let code = status.as_u16();
    let said = if reason.is_empty() { format!("{code}") } else { format!("{code}, {reason}") };
    match code {
        429 => Refused::temporary("YouTube's API was asked too often", wait),
        500.. => Refused::temporary(format!("YouTube's API failed ({said})"), wait),
        401 | 403 => Refused::new(format!("YouTube's API does not allow this ({said})"), KEYS),
        300..=399 => Refused::new(
            format!("YouTube's API points elsewhere ({said}), which is not followed"),
            "Set the address of the API itself.",
        ),
        _ => Refused::new(
            format!("YouTube's API refused what was asked ({said})"),
            "Check the key and the address of the API.",
        ),
    }
}

/// The API's word for what is wrong: a name, never a sentence.
fn reason(body: &Value) -> &str {
    let paths = ["/error/errors/0/reason", "/error/details/0/reason"];
    let is_name =
        |it: &&str| it.len() <= 40 && it.bytes().all(|it| it.is_ascii_alphabetic() || it == b'_');
    let mut found = paths.iter().filter_map(|path| body.pointer(path)?.as_str()).filter(is_name);
    // These two say no more than the status does, and the details may.
    let first = found.next().unwrap_or_default();
    if matches!(first, "" | "badRequest" | "forbidden") {
        found.next().unwrap_or(first)
    } else {
        first
    }
}

/// The API cannot be reached, or its answer broke off.
pub(super) fn failed(error: &HttpError) -> Refused {
    let mut refused = Refused::temporary(format!("YouTube's API cannot be reached: {error}"), None);
    let advice = error.advice_sentence();
    let advice = advice.as_deref().unwrap_or("Check the network.");
    refused.error.advice = Some(format!("{advice} {LATER}"));
    refused.is_temporary = !error.is_lasting();
    refused
}

/// A request took too long.
pub(super) fn slow(limit: Duration) -> Refused {
    let message = format!("YouTube's API did not answer within {} seconds", limit.as_secs_f64());
    Refused::temporary(message, None)
}

/// An answer is none of the API's.
pub(super) fn strange() -> Refused {
    Refused::new(
        "what answered is not YouTube's API",
        "Check the address of the API, and whether the network shows a page of its own first.",
    )
}

/// The key cannot be one.
pub(super) fn bad_key() -> WatchError {
    let message = "the key for YouTube's API is missing, or has characters in it that no key has";
    WatchError::new(WatchErrorKind::Api, message).with_advice(KEYS)
}
