//! [`Connection`]: HTTP/1.1 from the side of whoever asks, no more of it than is needed here; and
//! [`Door`]: what is asked for, and with which token.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use bytes::{Buf, BytesMut};
use httparse::{EMPTY_HEADER, Response, Status};
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::model::Pace;

/// Enough for most of what is read at once. There are 15,000 such buffers.
const BUFFER: usize = 1 << 10;

/// Where the server is, and what lets one in.
#[derive(Clone)]
pub(crate) struct Door {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
}

impl Door {
    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        let Self { address, token } = self;
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\r\n")
            .into_bytes()
    }

    /// A question that the model answers at this pace.
    pub(crate) fn ask(&self, pace: Pace) -> Vec<u8> {
        self.post("/api/chat/stream", &format!(r#"{{"message":"{pace}"}}"#))
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Vec<u8> {
        let (Self { address, token }, length) = (self, body.len());
        format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .into_bytes()
    }
}

/// What matters of a response's head.
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) conversation: Option<String>,
    pub(crate) retry_after: Option<String>,
    /// The length of the body; none where it comes in chunks.
    length: Option<usize>,
}

/// One connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: BytesMut,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: BytesMut::new() })
    }

    pub(crate) async fn send(&mut self, request: &[u8]) -> Result<()> {
        Ok(self.stream.write_all(request).await?)
    }

    pub(crate) async fn head(&mut self) -> Result<Head> {
        loop {
            if let Some((length, head)) = parse(&self.buffer)? {
                self.buffer.advance(length);
                return Ok(head);
            }
            self.more().await?;
        }
    }

    /// The whole body.
    pub(crate) async fn body(&mut self, head: &Head) -> Result<Vec<u8>> {
        let Some(length) = head.length else {
            let mut body = Vec::new();
            while let Some(chunk) = self.chunk().await? {
                body.extend_from_slice(&chunk);
            }
            return Ok(body);
        };
        while self.buffer.len() < length {
            self.more().await?;
        }
        Ok(self.buffer.split_to(length).to_vec())
    }

    /// The next chunk of the body; none at its proper end. A connection that just ends is an error.
    pub(crate) async fn chunk(&mut self) -> Result<Option<BytesMut>> {
        loop {
            if let Some(line) = memmem::find(&self.buffer, b"\r\n") {
                let size = self.buffer.get(..line).and_then(|it| str::from_utf8(it).ok());
                let size = size.and_then(|it| usize::from_str_radix(it, 16).ok());
                let size = size.context("no size of a chunk")?;
                let whole = line.saturating_add(size).saturating_add(4);
                if self.buffer.len() >= whole {
                    let mut chunk = self.buffer.split_to(whole);
                    chunk.advance(line + 2);
                    chunk.truncate(size);
                    return Ok((size > 0).then_some(chunk));
                }
            }
            self.more().await?;
        }
    }

    /// Waits until the other side has gone, sending these one by one meanwhile.
    pub(crate) async fn outlast(mut self, drip: Option<&[u8]>) {
        let mut tick = tokio::time::interval(std::time::Duration::from_secs(1));
        loop {
            tokio::select! {
                read = self.more() => if read.is_err() { return },
                _ = tick.tick(), if drip.is_some() => {
                    let sent = self.stream.write_all(drip.unwrap_or_default()).await;
                    if sent.is_err() { return }
                }
            }
        }
    }

    async fn more(&mut self) -> Result<()> {
        self.buffer.reserve(BUFFER);
        ensure!(self.stream.read_buf(&mut self.buffer).await? > 0, "the connection broke off");
        Ok(())
    }
}

/// A head and its length, when all of it is there.
fn parse(buffer: &[u8]) -> Result<Option<(usize, Head)>> {
    let mut headers = [EMPTY_HEADER; 32];
    let mut response = Response::new(&mut headers);
    let Status::Complete(size) = response.parse(buffer)? else { return Ok(None) };
    let Some(status) = response.code else { bail!("a response without a status") };
    let find = |name: &str| {
        let mut all = response.headers.iter();
        let header = all.find(|it| it.name.eq_ignore_ascii_case(name))?;
        str::from_utf8(header.value).ok()
    };
    let head = Head {
        status,
        conversation: find("x-conversation-id").map(str::to_owned),
        retry_after: find("retry-after").map(str::to_owned),
        length: find("content-length").and_then(|it| it.parse().ok()),
    };
    Ok(Some((size, head)))
}

/// Cuts a body into server-sent events.
#[derive(Default)]
pub(crate) struct Events(BytesMut);

impl Events {
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.0.extend_from_slice(chunk);
    }

    pub(crate) fn next(&mut self) -> Option<BytesMut> {
        let end = memmem::find(&self.0, b"\n\n")?;
        Some(self.0.split_to(end + 2))
    }
}
