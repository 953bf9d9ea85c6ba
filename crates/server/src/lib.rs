//! Toolwright over HTTP: a chat whose every event is streamed, conversations, approvals, metrics, the
//! page, and adapters for clients that speak another protocol.
//!
//! [`Server`] is bound to an address and serves a [`AgentPool`](toolwright_app::AgentPool) until it is told to
//! stop. Who may come in is decided in one place, before anything else is looked at (`gate`); runs
//! belong to the server and not to the request that began them (`runs`).

mod accept;
mod adapters;
mod address;
mod attached;
mod auth;
mod document;
mod entrance;
mod error;
mod health;
mod json;
mod local;
mod manage;
mod mcp;
mod page;
mod places;
mod plain;
mod routes;
mod runs;
mod sending;
mod server;
mod settings;
mod shape;
mod sse;
mod text;

pub use self::{
    auth::{
        AddedToken, BrowserSession, BrowserSessions, LinkedBrowser, LinkedBrowsers, NamedToken,
        NamedTokens, NewToken, Scope, Scopes, SignedInBrowser, SignedInBrowsers, Token,
        check_identity,
    },
    document::document,
    entrance::{Caller, Entrance, Room},
    error::{ApiError, ServerError},
    runs::PendingApprovals,
    server::Server,
    settings::{Limits, Settings},
};
pub use toolwright_app::config::{AuthMode, IdentityConfig, ManageMode, OidcConfig};
