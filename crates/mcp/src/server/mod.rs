//! [`McpServer`]: a toolbox for the clients of the Model Context Protocol, over standard input and output
//! ([`serve_stdio`]) and over HTTP ([`McpHttp`]), in both eras of the protocol: with a handshake and sessions (up
//! to 2025-11-25) and without (2026-07-28).
//!
//! A `tools/call` is a run like any other, whose model is the client: it says exactly this one call. So
//! checks, guards, policies, approvals, redaction and the log are those of every run. What the client sends
//! is never what the user said.

mod approval;
mod call;
mod client_model;
mod conversations;
mod following;
mod handler;
mod host;
mod http;
mod logging;
mod message;
mod parked;
mod prompts;
mod request_state;
mod resources;
mod result;
mod sessions;
mod stdio;
mod tools;

pub use self::{
    approval::NobodyAsked,
    handler::McpServer,
    host::{
        Begin, DetachedRuns, PromptExpander, PromptParameter, RunEvents, RunStarter, ServedPrompt,
        ServedTools, StartError,
    },
    http::{HttpLimits, McpHttp},
    stdio::{serve_stdio, serve_streams},
};
