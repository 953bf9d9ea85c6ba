//! A request of an [`Endpoint`](super::Endpoint) as it goes out, for people: without the key, and without what
//! headers hold that only the provider may know.

use http::HeaderMap;
use toolwright_core::{ModelOptions, SentHeader, SentRequest};
use toolwright_redact::Secrets;

use super::{Client, EndpointConfig};

impl Client {
    /// The request with this body.
    pub(super) fn shown(&self, body: String, options: &ModelOptions, stream: bool) -> SentRequest {
        let headers = self.config_with(options).headers().unwrap_or_default();
        let url = format!("{}{}", self.origin_shown(), self.path(stream));
        // Some have their key in the address.
        let key = self.config.api_key.as_deref().map(str::trim).filter(|it| !it.is_empty());
        let url = Secrets::new(key).clean(&url).map_or(url, |(clean, _)| clean);
        SentRequest { url, headers: self.config.shown(&headers), body }
    }

    fn origin_shown(&self) -> String {
        let origin = self.config.origin().map(|it| it.to_string()).unwrap_or_default();
        origin.trim_end_matches('/').to_owned()
    }
}

impl EndpointConfig {
    /// Headers, with variables in the place of what is secret.
    fn shown(&self, headers: &HeaderMap) -> Vec<SentHeader> {
        let (key, mark) = self.api.protocol().key("\n");
        let before = mark.trim_end_matches('\n');
        let shown = headers.iter().map(|(name, value)| {
            let is_key = self.api_key.is_some() && *name == key;
            let (value, variable) = match value.is_sensitive() {
                true if is_key => (before.to_owned(), Some(variable(&self.set_by.key))),
                true => (String::new(), Some(variable(name.as_str()))),
                false => (String::from_utf8_lossy(value.as_bytes()).into_owned(), None),
            };
            SentHeader { name: name.to_string(), value, variable }
        });
        shown.collect()
    }
}

/// A name that a shell takes for a variable.
fn variable(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let name = name.trim_matches('_').to_ascii_uppercase();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("KEY_{name}"),
    }
}
