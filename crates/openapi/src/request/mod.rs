//! [`ApiRequest`]: what a call's arguments become on the wire.

mod encoding;

use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::{Map, Value};
use toolwright_core::ToolError;
use toolwright_http::Url;

use self::encoding::{encoded, in_header, in_path, in_query};
use crate::document::{Body, BodyForm, Location, Operation};

/// Addresses are not longer than this.
const LONGEST: usize = 8_000;

/// A request that is ready to be sent, but for what lets one in.
#[derive(Debug)]
pub(crate) struct ApiRequest {
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
}

impl ApiRequest {
    /// The request for an operation of the API at this address.
    pub(crate) fn new(
        base: &Url,
        operation: &Operation,
        arguments: &Value,
    ) -> Result<Self, ToolError> {
        let mut path = operation.path.clone();
        let mut query: Vec<String> = Vec::new();
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, */*;q=0.5"));
        for parameter in &operation.parameters {
            let value = arguments.get(&parameter.argument).filter(|it| !it.is_null());
            let Some(value) = value else { continue };
            match parameter.location {
                Location::Path => {
                    let text = in_path(parameter, value);
                    if text.is_empty() {
                        return Err(bad(&parameter.argument, "is empty, and stands in the path"));
                    }
                    path = path.replace(&format!("{{{}}}", parameter.name), &text);
                }
                Location::Query => query.extend(in_query(parameter, value)),
                Location::Header => {
                    let name = HeaderName::from_bytes(parameter.name.as_bytes());
                    let text = in_header(parameter, value);
                    let value = HeaderValue::from_str(&text);
                    let (Ok(name), Ok(value)) = (name, value) else {
                        let reason = "has characters in it that no header has";
                        return Err(bad(&parameter.argument, reason));
                    };
                    headers.insert(name, value);
                }
            }
        }
        let url = address(base, &path, &query)?;
        let body = operation.body.as_ref().and_then(|it| written(it, arguments));
        if let (Some(_), Some(described)) = (&body, &operation.body)
            && let Ok(media) = HeaderValue::from_str(&described.media)
        {
            headers.insert(header::CONTENT_TYPE, media);
        }
        Ok(Self { url, headers, body })
    }
}

fn bad(argument: &str, reason: &str) -> ToolError {
    ToolError::new(format!("`{argument}` {reason}"))
}

/// Puts the address together: nothing is resolved, so nothing leads elsewhere.
fn address(base: &Url, path: &str, query: &[String]) -> Result<Url, ToolError> {
    let leads_out =
        || ToolError::new("the arguments would lead out of the API: they have `..` in them");
    if has_dot_segment(path) {
        return Err(leads_out());
    }
    let root = base.path().trim_end_matches('/');
    let origin = base.origin().ascii_serialization();
    let mut text = format!("{origin}{root}{path}");
    // What the user put into the address of the API stays in it.
    let own = base.query().filter(|it| !it.is_empty()).map(str::to_owned);
    let all: Vec<String> = own.into_iter().chain(query.iter().cloned()).collect();
    if !all.is_empty() {
        text.push('?');
        text.push_str(&all.join("&"));
    }
    if text.len() > LONGEST {
        return Err(ToolError::new("the arguments make an address that is too long"));
    }
    let url = Url::parse(&text).map_err(|_| ToolError::new("the arguments make no address"))?;
    let is_below = url.origin() == base.origin() && url.path().starts_with(root);
    if is_below { Ok(url) } else { Err(leads_out()) }
}

/// Whether a path has a segment in it that means the one above, however often it was encoded.
pub(crate) fn has_dot_segment(path: &str) -> bool {
    let mut path = path.to_owned();
    for _ in 0..6 {
        if path.split(['/', '\\']).any(|it| matches!(it, "." | "..")) {
            return true;
        }
        let plain = percent_encoding::percent_decode_str(&path).decode_utf8_lossy().into_owned();
        if plain == path {
            return false;
        }
        path = plain;
    }
    // Who encodes this often hides something.
    true
}

fn written(body: &Body, arguments: &Value) -> Option<Vec<u8>> {
    let given = arguments.as_object()?;
    let value = match body.is_flat {
        true => {
            let own = given.iter().filter(|(name, _)| body.properties.contains_key(*name));
            let own: Map<_, _> = own.map(|(name, it)| (name.clone(), it.clone())).collect();
            if own.is_empty() && body.required.is_empty() {
                return None;
            }
            Value::Object(own)
        }
        false => given.get("body")?.clone(),
    };
    Some(match (body.form, &value) {
        (BodyForm::Text, Value::String(text)) => text.clone().into_bytes(),
        (BodyForm::Form, Value::Object(fields)) => {
            let pairs = fields.iter().flat_map(|(name, value)| {
                let several = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                let pair =
                    move |it: Value| format!("{}={}", encoded(name), encoded(&encoding::text(&it)));
                several.into_iter().map(pair).collect::<Vec<_>>()
            });
            pairs.collect::<Vec<_>>().join("&").into_bytes()
        }
        _ => value.to_string().into_bytes(),
    })
}

#[cfg(test)]
mod tests;
