//! Models for Toolwright.
//!
//! [`Endpoint`] asks a model behind an address, in any of the protocols of [`Api`]: [`Vendor`] lists who is
//! known by name, and [`discover`] finds what runs on this machine. [`TextToolModel`] makes a model that only writes text, or whose server lost its calls in the
//! text, one that calls tools. [`Scripted`] and [`FunctionModel`] need no network: they are for tests and
//! demonstrations. [`Cassette`] records what a model says to a file, and gives it again without the model.
//! [`forbid_real_requests`] makes sure that a test which should not reach a provider does not;
//! models of other crates ask [`check_real_request`].

mod anthropic;
mod cassette;
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
    cassette::{Cassette, CassetteFile, CassetteHeader, CassetteMode, Exchange},
    catalogue::Facts,
    discovery::{Candidate, Found, FoundModel, discover, discover_at, ollama_address},
    endpoint::{Api, EmptyContent, Endpoint, EndpointConfig, Quirks, SetBy, Vendor},
    function::FunctionModel,
    real::{check_real_request, forbid_real_requests},
    scripted::{RecordedRequest, Scripted},
    text::{TextToolModel, ToolMode, UnknownToolMode},
};
