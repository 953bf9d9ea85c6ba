//! [`Channel`]: calls of a sidecar over one connection that is kept.

use std::{
    error::Error as _,
    sync::{Mutex, PoisonError},
    task::{Context, Poll},
};

use http::{HeaderMap, Uri, uri::PathAndQuery};
use hyper::{body::Incoming, client::conn::http2};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use prost::Message;
use tonic::{Request, Status, body::Body, client::Grpc, metadata::MetadataMap};
use tonic_prost::ProstCodec;
use toolwright_http::{Http2Connector, HttpError};

use crate::LARGEST;

/// Calls of a sidecar over one connection that is kept, and made anew where it broke.
pub(super) struct Channel {
    address: Uri,
    connector: Http2Connector,
    open: Mutex<Option<Connection>>,
}

type Connection = http2::SendRequest<Body>;

/// Why a call has no reply.
pub(super) enum Unanswered {
    /// There was no way to the sidecar.
    Unreached(HttpError),
    /// The connection broke, or what is there does not speak HTTP/2.
    Broken(String),
    /// It answered so.
    Status(Status),
}

impl Channel {
    pub(super) fn new(address: Uri, connector: Http2Connector) -> Self {
        Self { address, connector, open: Mutex::default() }
    }

    /// Where the sidecar is, for people.
    pub(super) fn shown(&self) -> String {
        self.connector.to_string()
    }

    pub(super) fn host(&self) -> &str {
        self.address.host().unwrap_or_default()
    }

    /// Calls a method.
    pub(super) async fn call<Q, R>(
        &self,
        path: &'static str,
        headers: HeaderMap,
        message: Q,
    ) -> Result<R, Unanswered>
    where
        Q: Message + 'static,
        R: Message + Default + 'static,
    {
        let connection = self.connection().await?;
        let mut client = Grpc::with_origin(Caller(connection), self.address.clone())
            .max_decoding_message_size(LARGEST);
        let mut request = Request::new(message);
        *request.metadata_mut() = MetadataMap::from_headers(headers);
        let path = PathAndQuery::from_static(path);
        let codec = ProstCodec::<Q, R>::default();
        client.ready().await.map_err(|error| broken(&error))?;
        let reply = client.unary(request, path, codec).await;
        Ok(reply.map_err(Unanswered::of)?.into_inner())
    }

    async fn connection(&self) -> Result<Connection, Unanswered> {
        let kept = self.lock().clone().filter(|it| !it.is_closed());
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let stream = self.connector.connect().await.map_err(Unanswered::Unreached)?;
        let made = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .handshake(stream)
            .await;
        let (connection, work) = made.map_err(|error| broken(&error))?;
        // Ends when the last who asks over it has gone; what went wrong, the call tells.
        tokio::spawn(async move {
            let _ = work.await;
        });
        *self.lock() = Some(connection.clone());
        Ok(connection)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Connection>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unanswered {
    /// What tonic calls a status may be one that nobody sent.
    fn of(status: Status) -> Self {
        let mut cause = status.source();
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<hyper::Error>() {
                return broken(error);
            }
            cause = error.source();
        }
        Self::Status(status)
    }
}

fn broken(error: &hyper::Error) -> Unanswered {
    Unanswered::Broken(toolwright_http::innermost(error))
}

/// A connection as tonic asks over one.
struct Caller(Connection);

impl tower_service::Service<http::Request<Body>> for Caller {
    type Response = http::Response<Incoming>;
    type Error = hyper::Error;
    type Future = futures_util::future::BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(self.0.send_request(request))
    }
}
