//! Models for Toolwright.
//!
//! [`OpenAi`] asks any OpenAI-compatible endpoint. [`TextToolModel`] makes a model that only writes text,
//! or whose server lost its calls in the text, one that calls tools. [`Scripted`] and
//! [`FunctionModel`] need no network: they are for tests and demonstrations.
//! [`Cassette`] records what a model says to a file, and gives it again without the model.
//! [`forbid_real_requests`] makes sure that a test which should not reach a provider does not.

mod cassette;
mod function;
pub mod openai;
mod real;
mod scripted;
mod text;

pub use toolwright_dialects::Dialect;
pub use toolwright_http::{HttpError, HttpSettings, RetryPolicy};

pub use self::{
    cassette::{Cassette, CassetteFile, CassetteHeader, CassetteMode, Exchange},
    function::FunctionModel,
    openai::OpenAi,
    real::forbid_real_requests,
    scripted::{RecordedRequest, Scripted},
    text::{TextToolModel, ToolMode, UnknownToolMode},
};
