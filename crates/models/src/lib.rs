//! Models for Toolwright.
//!
//! [`Endpoint`] asks a model behind an address, in any of the protocols of [`Api`]: [`Vendor`] lists who is
//! known by name, and [`discover`] finds what runs on this machine. [`TextToolModel`] makes a model that only
//! writes text, or whose server lost its calls in the text, one that calls tools. [`Scripted`] and
//! [`FunctionModel`] need no network: they are for tests and demonstrations. [`forbid_real_requests`] makes
//! sure that a test which should not reach a provider does not.

mod anthropic;
mod catalogue;
mod discovery;
mod endpoint;
mod function;
mod gemini;
mod ollama;
mod openai;
mod real;
mod responses;
mod scripted;
mod text;

pub use toolwright_dialects::Dialect;
pub use toolwright_http::{HttpError, HttpSettings, RetryPolicy};

pub use self::{
    catalogue::Facts,
    discovery::{Candidate, Found, FoundModel, discover, discover_at},
    endpoint::{Api, EmptyContent, Endpoint, EndpointConfig, Quirks, SetBy, Vendor},
    function::FunctionModel,
    real::forbid_real_requests,
    scripted::{RecordedRequest, Scripted},
    text::{TextToolModel, ToolMode, UnknownToolMode},
};
