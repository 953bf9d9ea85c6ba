//! [`ModelServer`]: a server that says what a test tells it to, in the API of whichever vendor it is
//! asked in ([`SpokenApi`]). Beside it is what the tests of several crates need: [`PostgresServer`], [`RestateServer`], [`http::Server`], a tool that asks the user
//! ([`BookingPack`]), servers that want a login ([`oauth`]), and somebody else to be ([`as_nobody`]).
//!
//! A test writes a [`Script`] of [`Reply`]s and points a client at [`ModelServer::base_url`]. The
//! server answers each question with the next reply, over a real socket, streamed
//! or whole as the request asks, cut into pieces as [`Chunking`] says and broken where a [`Fault`]
//! says. Meanwhile it holds every request against the rules of the API ([`check`]). [`matrix`] plays
//! one script in every way it can be delivered. [`ProxyServer`] stands between a client and a server,
//! and [`tls::TlsServer`] puts TLS before one.
//!
//! ```no_run
//! use toolwright_testkit::{Chunking, ModelServer, Reply, Script};
//!
//! # async fn chat(base_url: &str, prompt: &str) -> String { unimplemented!() }
//! # async fn test() {
//! let script = Script::new()
//!     .reply(Reply::calls([("call_1", "get_weather", r#"{"location":"SF"}"#)]))
//!     .reply(Reply::text("Sunny."))
//!     .chunking(Chunking::OneByte);
//! let server = ModelServer::start(script).await;
//! assert_eq!(chat(server.base_url(), "How is the weather in SF?").await, "Sunny.");
//! server.assert_clean();
//! # }
//! ```

#[cfg(unix)]
mod account;
mod api;
mod booking;
pub mod check;
mod chunking;
pub mod http;
mod keeper;
pub mod matrix;
pub mod oauth;
mod postgres;
mod proxy;
mod reply;
mod restate;
mod script;
mod server;
pub mod tls;
mod wire;

#[cfg(unix)]
pub use account::{NOBODY, as_nobody, is_root};
pub use api::{
    ApiError, Asked, AskedChoice, AskedFile, AskedPart, AskedRole, AskedTurn, BreakForm, Failure,
    RetryForm, Spoken, SpokenApi, SpokenPart, SpokenStop, SpokenUsage,
};
pub use booking::BookingPack;
pub use chunking::Chunking;
pub use postgres::PostgresServer;
pub use proxy::{ProxyMode, ProxyServer};
pub use reply::{Fault, Reply};
pub use restate::RestateServer;
pub use script::Script;
pub use server::{ModelServer, Recorded};
