//! Tool calls in the text of models that only write text.
//!
//! A [`Decoder`] is fed a model's text as it arrives and hands back [`DecodedPart`]s: text that is safe to
//! show, reasoning, and the calls it found, in any of the [`Dialect`]s that models were trained on.
//! Only what may still become a call is held back; each byte is looked at once, however the text
//! was cut into pieces. [`extract`] does the same for a text that is already whole.
//!
//! ```
//! use toolwright_dialects::{Dialect, KnownTools, extract};
//!
//! let tools = KnownTools::new([("add", serde_json::json!({"type": "object"}))]);
//! let found = extract("Sure. {\"tool\": \"add\", \"params\": {\"a\": 1,}}", Dialect::Auto, &tools);
//! assert_eq!(found.content, "Sure.");
//! assert_eq!(found.calls[0].name, "add");
//! assert_eq!(found.calls[0].arguments, r#"{"a":1}"#);
//! assert!(found.calls[0].repaired);
//! ```

mod decoder;
mod dialect;
mod extraction;
mod frame;
mod grammar;
mod marker;
mod of_model;
mod part;
mod prompt;
mod quotation;
mod reader;
mod tools;
mod value;

pub use self::{
    decoder::Decoder,
    dialect::{Dialect, UnknownDialect},
    extraction::{Extraction, extract},
    part::{DecodedPart, ExtractedCall, WithdrawReason},
    prompt::Prompt,
    quotation::quotable,
    tools::KnownTools,
    value::json::mend,
};
