//! [`McpServer`]: a server that speaks the Model Context Protocol, as a source of tools.
//!
//! A server is somebody else's program: whatever it says is bounded, none of its tools is offered before the
//! user approved it as it is ([`PinStore`]), and none of its faults is anybody else's. It is started in the
//! background, started again where it ends, and ends with us.

mod asked;
mod auth;
mod config;
mod connection;
mod content;
mod definition;
mod elicitation;
mod endpoint;
mod era;
mod error;
mod expand;
mod handler;
mod in_order;
mod lines;
mod listing;
mod pins;
mod process;
mod prompt;
mod report;
mod resource;
mod result;
mod screened;
mod server;
mod sse;
#[cfg_attr(not(target_os = "linux"), path = "no_strays.rs")]
mod strays;
mod supervisor;
mod tool;
#[cfg_attr(not(target_os = "linux"), path = "unwalled.rs")]
mod walled;

pub use self::{
    auth::{AuthError, Login, OAuthConfig, TokenStore},
    config::{HttpEndpoint, McpServerConfig, McpTransport, Pinning, SandboxConfig, StdioCommand},
    content::ServerContent,
    definition::ToolDefinition,
    error::McpError,
    expand::{UnsetVariable, expand, variables},
    pins::{Approval, ApprovedTools, PinStore},
    prompt::{ArgumentDefinition, PromptDefinition},
    report::{PromptReport, ServerReport, ToolReport},
    resource::{ResourceDefinition, TemplateDefinition},
    screened::Screened,
    server::{McpServer, ServerState},
};
