//! [`Login`]: logging in to a server at an address (OAuth 2.1), and staying so.
//!
//! A server that wants to know who asks says where one logs in, and is not trusted with it: each address that it
//! names passes an address guard, what a login server says of itself has to be about itself, and a token goes
//! to the server it was issued for and nowhere else. No browser is opened here: whoever has a user in front of
//! them shows the address ([`Login::url`]). What came of it is in a [`TokenStore`]; a connection takes it from there
//! and renews it.

mod challenge;
mod client;
mod config;
mod discovery;
mod error;
mod guarded;
mod login;
mod metadata;
mod probe;
mod redirect;
mod registration;
mod renewal;
mod scopes;
mod token_store;

pub(super) use self::{
    challenge::Challenge,
    renewal::{Authorization, NoLogin, Token},
};
pub use self::{config::OAuthConfig, error::AuthError, login::Login, token_store::TokenStore};
