//! [`LineTransport`]: messages as lines of a program's standard input and output.
//!
//! What a server prints that is no message is logged and ignored, and so are replies to what was never asked or
//! is not waited for any more. A reply that is too long, or no reply at all by the protocol, fails the request
//! that it is for and no other.

use std::{collections::HashSet, io, sync::Arc};

use rmcp::{
    RoleClient,
    model::{
        ClientJsonRpcMessage, ClientNotification, ErrorData, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    transport::Transport,
};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Screened, error::words};
use crate::line::{Line, LineReader, LineWriter, id_at_the_ends};

/// The longest line, in bytes.
pub(super) const LONGEST: usize = 8 << 20;

/// Messages as lines.
pub(super) struct LineTransport<R, W> {
    server: Arc<str>,
    screened: Screened,
    read: LineReader<R>,
    write: LineWriter<W>,
    /// What was asked, and is waited for.
    open: HashSet<RequestId>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Send + Unpin + 'static> LineTransport<R, W> {
    pub(super) fn new(server: &str, read: R, write: W, screened: &Screened) -> Self {
        Self {
            server: server.into(),
            screened: screened.clone(),
            read: LineReader::new(read, LONGEST),
            write: LineWriter::new(write),
            open: HashSet::new(),
        }
    }

    /// The message in a line, where it is one that somebody waits for.
    fn message(&mut self, line: &Line) -> Option<ServerJsonRpcMessage> {
        if let Some(tail) = &line.tail {
            tracing::warn!(server = %self.server, "a line of more than {} MiB is ignored", LONGEST >> 20);
            let id = id_at_the_ends(&line.bytes, tail, "result");
            let failed = format!("its reply is longer than {} MiB", LONGEST >> 20);
            return self.failed(id.or_else(|| self.only()), failed);
        }
        let screened = self.screened.bytes(line.bytes.trim_ascii());
        let bytes: &[u8] = &screened;
        if bytes.is_empty() {
            return None;
        }
        match serde_json::from_slice::<ServerJsonRpcMessage>(bytes) {
            Ok(JsonRpcMessage::Response(reply)) if !self.open.remove(&reply.id) => {
                self.ignored("a reply that nobody waits for");
                None
            }
            Ok(JsonRpcMessage::Error(reply)) => match &reply.id {
                Some(id) if self.open.remove(id) => Some(JsonRpcMessage::Error(reply)),
                _ => {
                    self.ignored("an error that is about nothing that was asked");
                    None
                }
            },
            Ok(message) => Some(message),
            Err(error) => {
                let said = words(&String::from_utf8_lossy(bytes.get(..400).unwrap_or(bytes)));
                tracing::debug!(server = %self.server, %error, said, "what it printed is no message");
                let value: Value = serde_json::from_slice(bytes).ok()?;
                let is_reply = value.get("result").is_some() || value.get("error").is_some();
                let id = value.get("id").filter(|_| is_reply)?;
                let id = serde_json::from_value(id.clone()).ok()?;
                self.failed(Some(id), "its reply is none by the protocol".to_owned())
            }
        }
    }

    fn failed(&mut self, id: Option<RequestId>, why: String) -> Option<ServerJsonRpcMessage> {
        let id = id.filter(|id| self.open.remove(id))?;
        Some(ServerJsonRpcMessage::error(ErrorData::internal_error(why, None), Some(id)))
    }

    /// What is waited for, where that is one thing.
    fn only(&self) -> Option<RequestId> {
        self.open.iter().next().filter(|_| self.open.len() == 1).cloned()
    }

    fn ignored(&self, what: &str) {
        tracing::debug!(server = %self.server, "{what} is ignored");
    }
}

impl<R, W> Transport<RoleClient> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        match &message {
            JsonRpcMessage::Request(request) => {
                self.open.insert(request.id.clone());
            }
            JsonRpcMessage::Notification(it) => {
                if let ClientNotification::CancelledNotification(it) = &it.notification
                    && let Some(id) = &it.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
        self.write.send(&message)
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let line = match self.read.next().await {
                Ok(line) => line?,
                Err(error) => {
                    tracing::debug!(server = %self.server, %error, "its output cannot be read");
                    return None;
                }
            };
            if let Some(message) = self.message(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.close().await;
        Ok(())
    }
}
