//! The real binary against real sockets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]

mod acp;
mod agents;
mod approving;
mod ask;
mod attaching;
mod authority;
mod calls_in_text;
mod canary;
mod cassette;
mod chat;
mod chat_commands;
mod chat_terminal;
mod commands;
mod conversations;
mod damage;
mod dapr;
mod data_folder;
mod doctor;
mod durable;
mod extract;
mod fault;
mod giving_rules;
mod harm;
mod harness;
mod history;
mod hostile_provider;
mod injection;
mod mcp;
mod mcp_content;
mod mcp_login;
mod mcp_serve;
mod offline;
mod openapi;
mod operating;
mod policies;
mod project_context;
mod project_tasks;
mod promises;
mod providers;
mod proxies;
mod questions;
mod secrets;
mod seeds;
mod serve;
mod serve_several;
mod shell_tricks;
mod single_shot;
mod stopped;
mod tasks;
mod terminal;
mod text;
mod tools;
mod trading;
mod trust;
mod typed;
mod versions;
mod walls;
mod web;
mod weights;
mod workspace;
