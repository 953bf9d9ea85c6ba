//! Models for Toolwright.
//!
//! [`OpenAi`] asks any OpenAI-compatible endpoint. [`TextToolModel`] makes a model that only writes text,
//! or whose server lost its calls in the text, one that calls tools. [`Scripted`] and
//! [`FunctionModel`] need no network: they are for tests and demonstrations.
//! [`forbid_real_requests`] makes sure that a test which should not reach a provider does not.

mod function;
mod http;
pub mod openai;
mod real;
mod retry;
mod scripted;
mod sse;
mod text;

pub use toolwright_dialects::Dialect;

pub use self::{
    function::FunctionModel,
    openai::OpenAi,
    real::forbid_real_requests,
    retry::RetryPolicy,
    scripted::{RecordedRequest, Scripted},
    text::{TextToolModel, ToolMode, UnknownToolMode},
};
