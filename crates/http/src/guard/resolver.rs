//! [`Resolver`]: looks names up; [`Checked`]: what was found and looked at, for whoever connects.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
    vec,
};

use hyper_util::client::legacy::connect::dns::Name;
use tower_service::Service;

/// Looks names up.
pub trait Resolver: Send + Sync {
    /// All addresses of a host.
    ///
    /// # Errors
    /// When it cannot be looked up.
    fn resolve<'a>(
        &'a self,
        host: &'a str,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;
}

/// The system's.
pub(crate) struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
    ) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|it| it.ip()).collect())
        })
    }
}

/// Addresses that were looked at. To whoever connects it is a resolver that knows them and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Checked(Vec<SocketAddr>);

impl Checked {
    pub(crate) fn new(addresses: Vec<IpAddr>) -> Self {
        // The port is put in by whoever connects.
        Self(addresses.into_iter().map(|it| SocketAddr::new(it, 0)).collect())
    }
}

impl Service<Name> for Checked {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _name: Name) -> Self::Future {
        ready(Ok(self.0.clone().into_iter()))
    }
}
