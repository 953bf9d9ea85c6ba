//! [`Answer`]: a result in words for the model, and as data for pages and programs.

use serde_json::{Value, json};
use toolwright_core::{Output, ToolError, ToolErrorKind};

use crate::{
    MarketError, MarketErrorKind,
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
        let Self { mut text, mut data } = self;
        if market.mark == Mark::Simulated {
            text.push_str(SIMULATED);
        }
        if let Some(fields) = data.as_object_mut() {
            fields.insert("simulated".to_owned(), json!(market.mark == Mark::Simulated));
        }
        Output::readable(text, data)
    }
}

const SIMULATED: &str =
    "\n\n⚠ Simulated data: made up by Toolwright's market simulator. Nothing of it is real.";

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
