//! [`read`]: a message of a client's, or what the client is told where it is none: in the same words over standard
//! input and over HTTP.

use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcError, RequestId};
use serde_json::{Map, Value};
use toolwright_core::{JsonError, unambiguous};

/// What some programs put before a text; it says nothing.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// A message without what surrounds it.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.trim_ascii();
    bytes.strip_prefix(MARK).unwrap_or(bytes).trim_ascii()
}

/// The message.
///
/// # Errors
/// With what its sender is told, where it is none by the protocol.
pub(super) fn read(bytes: &[u8]) -> Result<ClientJsonRpcMessage, JsonRpcError> {
    let bytes = trimmed(bytes);
    let wrong = |error| JsonRpcError::new(None, error);
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        wrong(ErrorData::parse_error(format!("the message is no JSON: {error}"), None))
    })?;
    let message = match value {
        Value::Object(message) => message,
        Value::Array(_) => return Err(wrong(invalid("send one message at a time: no batches"))),
        _ => return Err(wrong(invalid("a message is an object"))),
    };
    let id = checked_id(&message).map_err(wrong)?;
    let wrong = |error| JsonRpcError::new(id.clone(), error);
    // Which of two values of one key is meant, this server and whoever looked at it before might see differently.
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Err(repeated @ JsonError::Repeated(_)) = unambiguous(text)
    {
        return Err(wrong(invalid(format!("the message is ambiguous: {repeated}"))));
    }
    check(&message).map_err(wrong)?;
    serde_json::from_slice(bytes).map_err(|error| {
        let told = format!("the message is none by the protocol: {error}");
        wrong(match message.contains_key("method") {
            true => ErrorData::invalid_params(told, None),
            false => invalid(told),
        })
    })
}

/// What the sender of a message that is too long is told.
pub(super) fn too_long(most: usize, id: Option<RequestId>) -> JsonRpcError {
    JsonRpcError::new(id, invalid(format!("a message has at most {most} bytes")))
}

fn invalid(told: impl Into<std::borrow::Cow<'static, str>>) -> ErrorData {
    ErrorData::invalid_request(told, None)
}

/// The id of a request, which is a text or a whole number. An answer without one is about nothing.
fn checked_id(message: &Map<String, Value>) -> Result<Option<RequestId>, ErrorData> {
    match message.get("id") {
        Some(id) if message.contains_key("method") => serde_json::from_value(id.clone())
            .map(Some)
            .map_err(|_| invalid("`id` must be a text or a whole number")),
        Some(id) => Ok(serde_json::from_value(id.clone()).ok()),
        None => Ok(None),
    }
}

/// What every message has.
fn check(message: &Map<String, Value>) -> Result<(), ErrorData> {
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("`jsonrpc` must be \"2.0\""));
    }
    let is_answer = message.contains_key("result") || message.contains_key("error");
    match message.get("method") {
        Some(_) if is_answer => Err(invalid("a message is a request or an answer, not both")),
        Some(Value::String(_)) => match message.get("params") {
            None | Some(Value::Object(_) | Value::Null) => Ok(()),
            Some(_) => Err(ErrorData::invalid_params("`params` must be an object", None)),
        },
        Some(_) => Err(invalid("`method` must be a text")),
        None if is_answer => Ok(()),
        None => Err(invalid("`method` is missing")),
    }
}
