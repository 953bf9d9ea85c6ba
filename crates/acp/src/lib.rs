//! The Agent Client Protocol: editors that drive runs.
//!
//! [`serve`] speaks version 1 of it, JSON-RPC 2.0 in lines, with whoever is at the other end. A session of the
//! protocol is a conversation of the store, of the same id; a prompt is a run in it. What a session is made of
//! (settings, tools, rules) is the [`Host`]'s business: nothing here knows a configuration.
//!
//! Everything that is told of a run is a fold of its events (`updates`), live and when a session is loaded
//! again, so that both tell the same.

mod agent;
mod answer;
mod calls;
mod client;
mod commands;
mod diff;
mod form;
mod host;
mod input;
mod listing;
mod offers;
mod params;
mod permission;
mod prompt;
mod replay;
mod rpc;
mod serve;
mod session;
mod tool_call;
mod turn;
mod updates;

pub use self::{
    host::{
        CalledCommand, Choice, ForeignState, ForeignTools, Host, HostError, KnownSession,
        McpServer, OpenedSession, RuleGrants, SessionCommand, SessionCommands, SessionSetup,
        ToolOffer,
    },
    serve::serve,
};
