//! [`LineReader`] and [`LineWriter`]: messages as lines of a program's standard input and output, for whichever end
//! of it this is.

use std::{io, sync::Arc};

use futures_util::future::BoxFuture;
use rmcp::model::RequestId;
use serde::Serialize;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::Mutex,
};

/// How much of both ends of a line that is too long is kept, to find out what it was about.
const ENDS: usize = 512;

/// Lines, each within bounds. A read may be given up at any point and goes on where it was.
pub(crate) struct LineReader<R> {
    read: BufReader<R>,
    longest: usize,
    line: Line,
}

/// A line.
#[derive(Default)]
pub(crate) struct Line {
    /// What stands in it, or no more than the beginning of that.
    pub(crate) bytes: Vec<u8>,
    /// The last bytes of a line of which no more than its beginning is kept.
    pub(crate) tail: Option<Vec<u8>>,
}

impl Line {
    fn push(&mut self, bytes: &[u8], longest: usize) {
        match &mut self.tail {
            None if self.bytes.len() + bytes.len() <= longest => {
                self.bytes.extend_from_slice(bytes);
            }
            None => {
                // The end of what is dropped is the beginning of the tail.
                let mut tail = ending(&self.bytes).to_vec();
                append(&mut tail, bytes);
                let missing = ENDS.saturating_sub(self.bytes.len()).min(bytes.len());
                self.bytes.extend_from_slice(bytes.get(..missing).unwrap_or_default());
                self.bytes.truncate(ENDS);
                self.bytes.shrink_to_fit();
                self.tail = Some(tail);
            }
            Some(tail) => append(tail, bytes),
        }
    }
}

fn append(tail: &mut Vec<u8>, bytes: &[u8]) {
    tail.extend_from_slice(ending(bytes));
    let more = tail.len().saturating_sub(ENDS);
    tail.drain(..more);
}

fn ending(bytes: &[u8]) -> &[u8] {
    bytes.get(bytes.len().saturating_sub(ENDS)..).unwrap_or_default()
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(read: R, longest: usize) -> Self {
        Self { read: BufReader::with_capacity(64 << 10, read), longest, line: Line::default() }
    }

    /// The next line; none at the end.
    ///
    /// # Errors
    /// When nothing can be read.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.read.fill_buf().await?;
            if available.is_empty() {
                return Ok(None);
            }
            let end = available.iter().position(|it| *it == b'\n');
            let piece = available.get(..end.unwrap_or(available.len())).unwrap_or_default();
            self.line.push(piece, self.longest);
            let used = piece.len() + usize::from(end.is_some());
            self.read.consume(used);
            if end.is_some() {
                return Ok(Some(std::mem::take(&mut self.line)));
            }
        }
    }
}

/// Writes messages as lines, one after the other, until it is closed.
pub(crate) struct LineWriter<W>(Arc<Mutex<Option<W>>>);

impl<W: AsyncWrite + Send + Unpin + 'static> LineWriter<W> {
    pub(crate) fn new(write: W) -> Self {
        Self(Arc::new(Mutex::new(Some(write))))
    }

    /// Writes a message.
    pub(crate) fn send(&self, message: &impl Serialize) -> BoxFuture<'static, io::Result<()>> {
        let (line, write) = (serde_json::to_vec(message), self.0.clone());
        Box::pin(async move {
            let mut line = line?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let Some(write) = write.as_mut() else {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "it is closed"));
            };
            write.write_all(&line).await?;
            write.flush().await
        })
    }

    pub(crate) async fn close(&self) {
        self.0.lock().await.take();
    }
}

/// The id of a message of which only the ends are known. What it says stands under `content`, and an id in there
/// is another's.
pub(crate) fn id_at_the_ends(head: &[u8], tail: &[u8], content: &str) -> Option<RequestId> {
    let head = String::from_utf8_lossy(head);
    let before = head.split(&format!("\"{content}\"")).next().unwrap_or_default();
    let first = before.split_once("\"id\":").and_then(|(_, rest)| id_of(rest));
    first.or_else(|| {
        let tail = String::from_utf8_lossy(tail);
        let (_, rest) = tail.trim_end().rsplit_once("\"id\":")?;
        // Behind the message's own id only the message itself ends.
        let is_own = rest.strip_suffix('}').is_some_and(|it| !it.contains(['{', '}', '[', ']']));
        is_own.then(|| id_of(rest)).flatten()
    })
}

fn id_of(text: &str) -> Option<RequestId> {
    let end = text.find([',', '}'])?;
    serde_json::from_str(text.get(..end)?.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_message_that_is_too_long_is_found_at_either_end() {
        let id =
            |head: &str, tail: &str| id_at_the_ends(head.as_bytes(), tail.as_bytes(), "result");
        let seven = Some(RequestId::Number(7));
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"result":{"content":["#, "x"), seven);
        assert_eq!(id(r#"{"result":{"id":8,"#, r#"xx"}],"id":9},"jsonrpc":"2.0","id":7}"#), seven);
        assert_eq!(id(r#"{"result":{"id":8,"#, "xxxxxxx"), None);
        assert_eq!(id(r#"{"result":{"#, r#"xx","id":9}}"#), None, "it is a part's");
        assert_eq!(id(r#"{"result":{"#, r#"xx","id":9},"jsonrpc":"2.0"}"#), None);
    }

    #[tokio::test]
    async fn of_a_line_that_is_too_long_both_ends_are_kept_however_it_is_cut() {
        for cut in [1, 7, 100, 4_000] {
            let text = format!("begins{}ends\nnext\n", "x".repeat(3_000));
            let (mut write, read) = tokio::io::duplex(cut);
            let written = tokio::spawn(async move {
                write.write_all(text.as_bytes()).await.unwrap();
            });
            let mut lines = LineReader::new(read, 2_000);
            let long = lines.next().await.unwrap().unwrap();
            let tail = long.tail.unwrap();
            assert!(long.bytes.starts_with(b"begins") && tail.ends_with(b"xends"), "{cut}");
            assert!(long.bytes.len() <= ENDS && tail.len() == ENDS, "{cut}");
            let next = lines.next().await.unwrap().unwrap();
            assert_eq!((next.bytes.as_slice(), next.tail), (b"next".as_slice(), None));
            assert!(lines.next().await.unwrap().is_none());
            written.await.unwrap();
        }
    }
}
