//! [`McpServer`]: a server that speaks the Model Context Protocol, as a source of tools.
//!
//! A server is somebody else's program: whatever it says is bounded, none of its tools is offered before the
//! user approved it as it is ([`PinStore`]), and none of its faults is anybody else's. It is started in the
//! background, started again where it ends, and ends with us.

mod config;
mod connection;
mod definition;
mod elicitation;
mod endpoint;
mod error;
mod expand;
mod handler;
mod lines;
mod listing;
mod pins;
mod process;
mod report;
mod result;
mod screened;
mod server;
mod sse;
mod supervisor;
mod tool;
#[cfg_attr(not(target_os = "linux"), path = "unwalled.rs")]
mod walled;

pub use self::{
    config::{HttpEndpoint, McpServerConfig, McpTransport, SandboxConfig, StdioCommand},
    definition::ToolDefinition,
    error::McpError,
    expand::{UnsetVariable, expand},
    pins::{Approval, PinStore},
    report::{PromptReport, ResourceReport, ServerReport, ToolReport},
    screened::Screened,
    server::{McpServer, ServerState},
};
