//! [`OpenApiSource`]: an API that an OpenAPI document describes, as tools.
//!
//! A document is read tolerantly: an operation that cannot be offered is withheld with the reason, and the
//! others are offered. `document` finds the operations and makes a JSON Schema of what each takes, `request` makes
//! of a call's arguments a request that goes to the API and nowhere else, `response` makes of the answer something
//! that fits a conversation. Whoever wrote the document decides what the tools say of themselves, and nothing else:
//! not where a key is sent, nor which network is reached.

mod document;
mod filter;
mod operation_tool;
mod report;
mod request;
mod response;
mod settings;
mod source;

pub use self::{
    report::{SpecOperation, SpecPin, SpecReport, Withheld},
    settings::{ApiAuth, ApiSettings, SpecLocation},
    source::OpenApiSource,
};
