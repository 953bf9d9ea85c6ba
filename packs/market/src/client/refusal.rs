//! [`Refusal`]: what the broker says instead of an answer.

use std::time::Duration;

use http::StatusCode;
use serde_json::Value;
use toolwright_redact::Secrets;

use super::{fields::Fields, meaning::Meaning};
use crate::{Access, MarketError, MarketErrorKind};

/// Longer words of the broker's are cut.
const MOST_WORDS: usize = 300;
/// Shorter ones are no tokens of the broker's, and could be words of a sentence.
const SHORTEST_TOKEN: usize = 16;

/// What the broker says instead of an answer.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Such as `DH-905` or `805`.
    pub(super) code: Option<String>,
    /// In the broker's words.
    pub(super) words: Option<String>,
}

impl Refusal {
    /// The refusal in a body, if it is one. It has one of several shapes, and may come with
    /// status 200.
    pub(super) fn read(body: &Value) -> Option<Self> {
        let fields = Fields::of(body);
        let data = fields.inner("data");
        let failed =
            fields.text("status").is_some_and(|it| it.to_ascii_lowercase().starts_with("fail"));
        let found = Self::named(fields)
            .or_else(|| Self::keyed(fields))
            .or_else(|| Self::named(data))
            .or_else(|| Self::keyed(data));
        found.or_else(|| failed.then(|| Self { code: None, words: plain_words(fields) }))
    }

    /// `{"errorCode": "DH-905", "errorMessage": "…"}`
    fn named(fields: Fields<'_>) -> Option<Self> {
        let code = fields.text("errorCode").map(|it| it.to_ascii_uppercase());
        let code = code.filter(|it| is_code(it));
        let kind = fields.text("errorType");
        let words = fields.text("errorMessage").or_else(|| kind.clone());
        (code.is_some() || words.is_some()).then_some(Self { code, words })
    }

    /// `{"805": "…"}`
    fn keyed(fields: Fields<'_>) -> Option<Self> {
        let is_one = |name: &str| matches!(name.parse(), Ok(800..=899_u16));
        let (code, words) = fields.entries().find(|(name, it)| is_one(name) && it.is_string())?;
        Some(Self { code: Some(code.to_owned()), words: words.as_str().map(str::to_owned) })
    }

    /// The error that this refusal, with this status, is.
    pub(super) fn error(
        self,
        status: StatusCode,
        asked: Option<Duration>,
        access: &Access,
    ) -> MarketError {
        let meaning = self.code.as_deref().and_then(Meaning::of_code);
        let meaning = meaning.unwrap_or_else(|| Meaning::of_status(status));
        let words = self.words.map(|words| cleaned(&words, access)).filter(|it| !it.is_empty());
        let said = match (&self.code, words) {
            (Some(code), Some(words)) => format!("{code}: {words}"),
            (Some(code), None) => code.clone(),
            (None, Some(words)) => format!("status {}: {words}", status.as_u16()),
            (None, None) => format!("status {}", status.as_u16()),
        };
        let Meaning { kind, what, advice } = meaning;
        let mut error = MarketError::new(kind, format!("{what} ({said}). {advice}"));
        if kind == MarketErrorKind::RateLimited {
            error.retry_after = Some(asked.unwrap_or(Duration::from_secs(2)));
        }
        error.code = self.code;
        error
    }
}

/// Whether this may be a code: something longer could be anything, even what was sent.
fn is_code(text: &str) -> bool {
    text.len() < SHORTEST_TOKEN && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

fn plain_words(fields: Fields<'_>) -> Option<String> {
    ["message", "remarks", "data"].iter().find_map(|name| fields.text(name))
}

/// The broker's words on one line, not too many of them, and without the token should they
/// repeat it.
fn cleaned(words: &str, access: &Access) -> String {
    let token = access.reveal().trim();
    let token = Some(token).filter(|it| it.len() >= SHORTEST_TOKEN);
    Secrets::new(token).line(words, MOST_WORDS).trim_end_matches('.').to_owned()
}
