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
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::Mutex,
};

use super::{Screened, error::words};

/// The longest line, in bytes.
pub(super) const LONGEST: usize = 8 << 20;
/// How much of both ends of a line that is too long is kept, to find out what it was a reply to.
const ENDS: usize = 512;

/// Messages as lines.
pub(super) struct LineTransport<R, W> {
    server: Arc<str>,
    screened: Screened,
    read: BufReader<R>,
    line: Line,
    write: Arc<Mutex<Option<W>>>,
    /// What was asked, and is waited for.
    open: HashSet<RequestId>,
}

/// A line as far as it was read. It is kept between reads: a read may be given up at any point.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    /// The last bytes of a line of which no more than its beginning is kept.
    tail: Option<Vec<u8>>,
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        match &mut self.tail {
            None if self.bytes.len() + bytes.len() <= LONGEST => {
                self.bytes.extend_from_slice(bytes);
            }
            None => {
                self.bytes.truncate(ENDS);
                self.bytes.shrink_to_fit();
                self.tail = Some(ending(bytes).to_vec());
            }
            Some(tail) => {
                tail.extend_from_slice(ending(bytes));
                let more = tail.len().saturating_sub(ENDS);
                tail.drain(..more);
            }
        }
    }
}

fn ending(bytes: &[u8]) -> &[u8] {
    bytes.get(bytes.len().saturating_sub(ENDS)..).unwrap_or_default()
}

impl<R: AsyncRead + Unpin, W> LineTransport<R, W> {
    pub(super) fn new(server: &str, read: R, write: W, screened: &Screened) -> Self {
        Self {
            server: server.into(),
            screened: screened.clone(),
            read: BufReader::with_capacity(64 << 10, read),
            line: Line::default(),
            write: Arc::new(Mutex::new(Some(write))),
            open: HashSet::new(),
        }
    }

    /// The next line; none at the end.
    async fn next(&mut self) -> Option<Line> {
        loop {
            let available = match self.read.fill_buf().await {
                Ok([]) => return None,
                Ok(available) => available,
                Err(error) => {
                    tracing::debug!(server = %self.server, %error, "its output cannot be read");
                    return None;
                }
            };
            let end = available.iter().position(|it| *it == b'\n');
            let piece = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            self.line.push(piece);
            let used = piece.len() + usize::from(end.is_some());
            self.read.consume(used);
            if end.is_some() {
                return Some(std::mem::take(&mut self.line));
            }
        }
    }

    /// The message in a line, where it is one that somebody waits for.
    fn message(&mut self, line: &Line) -> Option<ServerJsonRpcMessage> {
        if let Some(tail) = &line.tail {
            tracing::warn!(server = %self.server, "a line of more than {} MiB is ignored", LONGEST >> 20);
            let id = id_in(&line.bytes).or_else(|| id_in_tail(tail));
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

/// The id at the beginning of a message, before anything that could hold another.
fn id_in(head: &[u8]) -> Option<RequestId> {
    let head = String::from_utf8_lossy(head);
    let before = head.split("\"result\"").next().unwrap_or_default();
    before.split_once("\"id\":").and_then(|(_, rest)| id_of(rest))
}

/// The id at the end of a message.
fn id_in_tail(tail: &[u8]) -> Option<RequestId> {
    let tail = String::from_utf8_lossy(tail);
    tail.rsplit_once("\"id\":").and_then(|(_, rest)| id_of(rest))
}

fn id_of(text: &str) -> Option<RequestId> {
    let end = text.find([',', '}'])?;
    serde_json::from_str(text.get(..end)?.trim()).ok()
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
        let line = serde_json::to_vec(&message);
        let write = self.write.clone();
        async move {
            let mut line = line?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let Some(write) = write.as_mut() else {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "it is closed"));
            };
            write.write_all(&line).await?;
            write.flush().await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let line = self.next().await?;
            if let Some(message) = self.message(&line) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.lock().await.take();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_reply_that_is_too_long_is_found_at_either_end() {
        let id = |text: &str| id_in(text.as_bytes());
        assert_eq!(
            id(r#"{"jsonrpc":"2.0","id":7,"result":{"content":["#),
            Some(RequestId::Number(7))
        );
        assert_eq!(id(r#"{"result":{"id":8,"#), None);
        assert_eq!(
            id_in_tail(br#"xx"}],"id":9},"jsonrpc":"2.0","id":7}"#),
            Some(RequestId::Number(7))
        );
        assert_eq!(id_in_tail(br#"xxxxxxx"#), None);
    }
}
