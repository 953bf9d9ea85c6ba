//! [`Answer`]: a result in words for the model, and as data for pages and programs.

use serde::Serialize;
use serde_json::{Value, json};
use toolwright_core::{Output, ToolError, ToolErrorKind, ToolResult};

use crate::{
    MarketError, MarketErrorKind, NoToken,
    desk::{Mark, Market},
};

/// A result in words for the model, and as data for pages and programs.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) data: Value,
}

impl Answer {
    /// The result of this market: both say whether its prices are real.
    pub(super) fn of(self, market: &Market) -> Output {
        let Self { text, data } = self.marked(market);
        Output::readable(text, data)
    }

    /// The same with JSON for the model, which says so itself; the words are for people.
    pub(super) fn with_json(self, json: &impl Serialize, market: &Market) -> ToolResult {
        let Self { text: words, data } = self.marked(market);
        let json = serde_json::to_string(json)
            .map_err(|_| ToolError::new("the result could not be written as JSON"))?;
        Ok(Output::Structured { json, words, data })
    }

    fn marked(self, market: &Market) -> Self {
        let Self { mut text, mut data } = self;
        if market.mark == Mark::Simulated {
            text.push_str(SIMULATED);
        }
        text.push_str(market.without.map_or("", because));
        if let Some(fields) = data.as_object_mut() {
            fields.insert("simulated".to_owned(), json!(market.mark == Mark::Simulated));
        }
        Self { text, data }
    }
}

const SIMULATED: &str =
    "\n\n⚠ Simulated data: made up by Toolwright's market simulator. Nothing of it is real.";

/// Why a simulated market is seen and no other.
fn because(why: NoToken) -> &'static str {
    match why {
        NoToken::Missing => " No access token for the broker was given.",
        NoToken::Blank => " The access token that was given is empty.",
        NoToken::Placeholder => " The access token that was given only stands for one.",
    }
}

impl From<MarketError> for ToolError {
    fn from(error: MarketError) -> Self {
        let kind = match error.kind {
            MarketErrorKind::Timeout => ToolErrorKind::TimedOut,
            // Too many requests would only become more.
            MarketErrorKind::RateLimited => ToolErrorKind::Lasting,
            _ if error.is_temporary() => ToolErrorKind::Temporary,
            _ => ToolErrorKind::Lasting,
        };
        let told = Self::new(error.message).of_kind(kind);
        match error.code {
            Some(code) => told.with_detail(format!("the broker's code is {code}")),
            None => told,
        }
    }
}
