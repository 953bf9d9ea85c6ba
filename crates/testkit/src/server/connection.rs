//! [`serve`]: one client connection, from its first request to its end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::request::{self, Recorded};
use super::shared::Shared;
use crate::wire::{End, Wire};

/// How often [`Fault::CommentsAt`](crate::Fault::CommentsAt) gives a sign of life.
const COMMENT_EVERY: Duration = Duration::from_millis(20);

/// Whether the connection can take another request.
#[derive(PartialEq, Eq)]
enum Next {
    Request,
    Nothing,
}

/// Answers requests on `stream` until either side ends it.
pub(super) async fn serve(stream: TcpStream, number: usize, shared: Arc<Shared>) {
    // Without this the kernel would glue small writes together again.
    let _ = stream.set_nodelay(true);
    let mut connection = Connection { stream, unread: Vec::new() };
    // An error here is a client that left, and that is the client's affair.
    while let Ok(Next::Request) = connection.exchange(number, &shared).await {}
}

struct Connection {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Connection {
    /// One request and its reply.
    async fn exchange(&mut self, number: usize, shared: &Shared) -> io::Result<Next> {
        let Some(mut request) = self.request().await? else { return Ok(Next::Nothing) };
        request.connection = number;
        let last = request.closes();
        let (wire, _serving) = shared.answer(request);
        let next = self.send(&wire).await?;
        Ok(if last { Next::Nothing } else { next })
    }

    /// The next request; `None` when the client closed the connection instead.
    async fn request(&mut self) -> io::Result<Option<Recorded>> {
        loop {
            match request::parse(&self.unread) {
                Ok(Some((request, length))) => {
                    self.unread.drain(..length);
                    return Ok(Some(request));
                }
                Ok(None) => {}
                Err(reason) => {
                    let raw = std::mem::take(&mut self.unread);
                    return Ok(Some(Recorded::malformed(raw, &reason)));
                }
            }
            self.unread.reserve(64 * 1024);
            if self.stream.read_buf(&mut self.unread).await? == 0 {
                return Ok(None);
            }
        }
    }

    async fn send(&mut self, wire: &Wire) -> io::Result<Next> {
        if !wire.delay.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(wire.delay) => {}
                () = self.left() => return Ok(Next::Nothing),
            }
        }
        for (at, write) in wire.writes.iter().enumerate() {
            if at > 0 && !wire.pace.is_zero() {
                tokio::time::sleep(wire.pace).await;
            }
            self.stream.write_all(write).await?;
            self.stream.flush().await?;
            tokio::task::yield_now().await;
        }
        match wire.end {
            End::KeepAlive => return Ok(Next::Request),
            End::Close => {
                self.stream.shutdown().await?;
                // Closing with bytes unread would turn the clean end into a reset.
                self.left().await;
            }
            End::Reset => self.stream.set_zero_linger()?,
            End::Stall => self.left().await,
            End::Comments(comment) => self.repeat(comment).await?,
        }
        Ok(Next::Nothing)
    }

    async fn repeat(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut tick = tokio::time::interval(COMMENT_EVERY);
        loop {
            tokio::select! {
                _ = tick.tick() => self.stream.write_all(bytes).await?,
                () = self.left() => return Ok(()),
            }
        }
    }

    /// Waits until the client has closed the connection. What it sends meanwhile is kept.
    async fn left(&mut self) {
        while let Ok(1..) = self.stream.read_buf(&mut self.unread).await {}
    }
}
