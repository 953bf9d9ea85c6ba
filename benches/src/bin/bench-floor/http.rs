//! A hyper client with one connection for each worker.

use std::cell::RefCell;

use anyhow::Context;
use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Request,
    body::Incoming,
    client::conn::http1::{SendRequest, handshake},
    header::{AUTHORIZATION, CONTENT_TYPE, HOST},
};
use hyper_util::rt::TokioIo;
use tokio::{net::TcpStream, task::spawn_local};

use crate::endpoint;

/// One connection.
pub(crate) type Sender = SendRequest<Full<Bytes>>;

/// The connections that no conversation is using.
pub(crate) struct Pool {
    authority: String,
    path: String,
    idle: RefCell<Vec<Sender>>,
}

impl Pool {
    pub(crate) fn new(base_url: &str) -> anyhow::Result<Self> {
        let (authority, path) = endpoint(base_url)?;
        Ok(Self { authority: authority.to_owned(), path, idle: RefCell::default() })
    }

    /// An idle connection, or a new one. It is lost when the conversation fails.
    pub(crate) async fn take(&self) -> anyhow::Result<Sender> {
        let idle = self.idle.borrow_mut().pop();
        if let Some(sender) = idle {
            return Ok(sender);
        }
        let socket = TcpStream::connect(&self.authority).await.context("cannot connect")?;
        socket.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(socket)).await?;
        spawn_local(async move {
            // Its failure also fails the request that was in flight, which is reported.
            let _ = connection.await;
        });
        Ok(sender)
    }

    pub(crate) fn give_back(&self, sender: Sender) {
        self.idle.borrow_mut().push(sender);
    }

    /// Sends one request; the reply's body, if it was accepted.
    pub(crate) async fn post(&self, sender: &mut Sender, body: Bytes) -> anyhow::Result<Incoming> {
        sender.ready().await?;
        let request = Request::post(self.path.as_str())
            .header(HOST, self.authority.as_str())
            .header(CONTENT_TYPE, "application/json")
            .header(AUTHORIZATION, "Bearer bench")
            .body(Full::new(body))?;
        let reply = sender.send_request(request).await?;
        anyhow::ensure!(reply.status() == 200, "the server answered {}", reply.status());
        Ok(reply.into_body())
    }
}
