//! [`Client`] and [`Origin`]: every request that leaves this program, over the only code that connects.
//!
//! An [`Origin`] is one server: its connections are kept, its proxy and its headers are chosen once. A
//! [`Client`] is what asks an API at an [`Address`], with a key that goes there and nowhere else, or what
//! goes where a server points to. [`HttpSettings`] says which proxies, certificates and headers are used;
//! where nothing is said, those of the environment. An [`Http2Connector`] connects for those who speak HTTP/2
//! over what it gives them. An [`AddressGuard`] keeps a client out of private networks where somebody else says
//! where it goes. [`sse`] cuts a body into events, [`RetryPolicy`] says
//! when to ask again. No error repeats a password or anything that was sent.

mod address;
mod basic;
mod body;
mod client;
mod connect;
mod connection;
mod error;
mod guard;
mod headers;
mod http2;
mod meter;
mod no_proxy;
mod origin;
mod proxy;
mod request;
mod retry;
mod settings;
pub mod sse;
mod tls;

pub use url::Url;

pub use self::{
    address::{Address, without_password},
    body::Body,
    client::Client,
    error::{HttpError, HttpErrorKind, innermost},
    guard::{AddressGuard, Resolver, is_public},
    headers::RequestHeaders,
    http2::Http2Connector,
    origin::Origin,
    request::{RequestBuilder, Response},
    retry::{Budget, RetryPolicy, retry_after},
    settings::HttpSettings,
};
