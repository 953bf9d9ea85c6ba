//! The errors of the way to the broker: what happened, and what to do about it.
//!
//! None of them repeats what was sent.

use std::{io, time::Duration};

use http::StatusCode;
use serde_json::Value;
use toolwright_core::truncate_line;
use toolwright_http::{Address, HttpError, HttpErrorKind};

use crate::{MarketError, MarketErrorKind};

/// A request failed before its answer began.
pub(super) fn failed(address: &Address, error: &HttpError) -> MarketError {
    let host = address.host();
    if error.kind == HttpErrorKind::Redirect {
        let message = format!("{host} points to where nothing is to be had: {error}.");
        return MarketError::new(MarketErrorKind::Unreadable, message);
    }
    let usual = "Check the network and the address of the API (DHANHQ_BASE_URL), then ask again.";
    let message = if error.is_connect() {
        advised(&format!("{host} cannot be reached: {error}."), error, usual)
    } else {
        format!("The connection to {host} failed: {error}. Ask again in a while.")
    };
    // What lasts until a setting is changed is not asked for again.
    let kind = if error.is_lasting() { MarketErrorKind::Input } else { MarketErrorKind::Network };
    MarketError::new(kind, message)
}

/// An answer broke off.
pub(super) fn broken(address: &Address, error: &HttpError) -> MarketError {
    let host = address.host();
    let message = format!("The answer of {host} broke off: {error}. Ask again in a while.");
    MarketError::new(MarketErrorKind::Network, message)
}

/// An answer is no JSON.
pub(super) fn unreadable(address: &Address, error: &serde_json::Error) -> MarketError {
    let host = address.host();
    if error.is_eof() {
        let message = format!("The answer of {host} is cut off. Ask again in a while.");
        return MarketError::new(MarketErrorKind::Network, message);
    }
    let message = format!(
        "{host} answered with something that is no JSON, so it may not be the broker. Check the \
         address of the API (DHANHQ_BASE_URL)."
    );
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// An answer is not what was asked for.
pub(super) fn strange(what: &str) -> MarketError {
    let message = format!(
        "The broker's answer has no {what} in it. Its API may have changed: look for a newer \
         version of this program."
    );
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// A number in an answer is larger than what it counts could be.
pub(super) fn too_large(name: &str, number: &Value) -> MarketError {
    let number = truncate_line(&number.to_string(), 40);
    let message = format!(
        "The broker's answer says {number} for `{name}`, which is too large to be true. Nothing of \
         the answer was used: ask again in a while, and do not rely on this instrument until then."
    );
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// A request took too long.
pub(super) fn slow(address: &Address, limit: Duration) -> MarketError {
    let (host, seconds) = (address.host(), limit.as_secs_f64());
    let message =
        format!("{host} did not answer within {seconds:.1} seconds. Ask again in a while.");
    MarketError::new(MarketErrorKind::Timeout, message)
}

/// An answer does not end.
pub(super) fn endless(address: &Address, most: u64) -> MarketError {
    let (host, most) = (address.host(), most >> 20);
    let message = format!(
        "The answer of {host} is longer than {most} MB and was not read to its end. Ask for less."
    );
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// An answer points elsewhere.
pub(super) fn redirected(address: &Address, status: StatusCode) -> MarketError {
    let (host, status) = (address.host(), status.as_u16());
    let message = format!(
        "{host} points to another address (status {status}), which is not followed: the access \
         token goes to no other place. Set the address of the API itself (DHANHQ_BASE_URL)."
    );
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// What is where the list of instruments should be is none.
pub(super) fn no_list(address: &Address) -> MarketError {
    let host = address.host();
    let message = format!(
        "{host} has no list of instruments where one should be. A login page of the network may be \
         in between; otherwise check the address (DHANHQ_BASE_URL)."
    );
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// What came could not be written.
pub(super) fn not_kept(error: &io::Error) -> MarketError {
    let message = format!(
        "The list of instruments could not be written: {error}. Make room, or choose another \
         folder (TOOLWRIGHT_DATA)."
    );
    MarketError::new(MarketErrorKind::Storage, message)
}

/// Something is missing that goes with every request.
pub(super) fn no_access(what: &str, variable: &str) -> MarketError {
    let message =
        format!("No {what} was given, and the broker asks for one. Give it as {variable}.");
    MarketError::new(MarketErrorKind::NoAccess, message)
}

/// Something that goes with every request has characters that cannot be sent.
pub(super) fn bad_access(what: &str, variable: &str) -> MarketError {
    let message = format!(
        "The {what} has characters in it that no {what} has. Copy it again, whole and on one line, \
         and give it as {variable}."
    );
    MarketError::new(MarketErrorKind::Authentication, message)
}

/// What happened, and what to do about it: what the way there knows, or else the usual.
pub(super) fn advised(message: &str, error: &HttpError, usual: &str) -> String {
    let advice = error.advice_sentence();
    format!("{message} {}", advice.as_deref().unwrap_or(usual)).trim_end().to_owned()
}
