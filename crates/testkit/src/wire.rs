//! [`Wire`]: a reply turned into bytes, and the order in which they leave.

use std::time::Duration;

use crate::chunking::Chunking;
use crate::reply::{Content, Fault, Reply};

/// What [`Fault::GarbageAt`] puts into a body.
const GARBAGE: &[u8] = b"\xff\xfe{{{not json";

/// What [`Fault::CommentsAt`] repeats, bare and as an HTTP chunk.
const COMMENT: &[u8] = b": keep-alive\n\n";
const COMMENT_CHUNK: &[u8] = b"e\r\n: keep-alive\n\n\r\n";

/// A reply ready to be sent.
#[derive(Debug)]
pub(crate) struct Wire {
    /// Writes in order, HTTP framing included.
    pub(crate) writes: Vec<Vec<u8>>,
    pub(crate) delay: Duration,
    pub(crate) pace: Duration,
    pub(crate) end: End,
}

/// What happens after the last write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    KeepAlive,
    Close,
    Reset,
    Stall,
    /// Sends these bytes again and again.
    Comments(&'static [u8]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Framing {
    Chunked,
    Length,
    Raw,
}

impl Wire {
    /// A reply that is [said](Reply::said), cut as `chunking` says unless it says itself.
    pub(crate) fn new(reply: &Reply, chunking: Chunking) -> Self {
        let chunking = reply.chunking.unwrap_or(chunking);
        let (content_type, body) = match &reply.content {
            Content::Body(content_type, body) => (*content_type, body.clone()),
            Content::Http(response) => ("", response.clone()),
            // What is not said yet has no bytes.
            Content::Spoken(_) | Content::Failure(..) => ("", Vec::new()),
        };
        let framing = match (&reply.content, content_type) {
            (Content::Http(_), _) => Framing::Raw,
            // Ordinary servers give the length of a JSON body, so that is tested too; but a body
            // that is cut short or into pieces needs the chunks.
            (_, "application/json") if chunking == Chunking::Whole && reply.fault.is_none() => {
                Framing::Length
            }
            _ => Framing::Chunked,
        };
        let (body, end) = broken(body, reply.fault);
        let end = match end {
            None if framing == Framing::Raw || reply.closes() => End::Close,
            None => End::KeepAlive,
            Some(End::Comments(_)) if framing == Framing::Raw => End::Comments(COMMENT),
            Some(end) => end,
        };
        let head = match framing {
            Framing::Raw => Vec::new(),
            Framing::Chunked => head(reply, content_type, "transfer-encoding: chunked"),
            Framing::Length => {
                head(reply, content_type, &format!("content-length: {}", body.len()))
            }
        };
        let complete =
            framing == Framing::Chunked && matches!(reply.fault, None | Some(Fault::GarbageAt(_)));
        let pieces = match content_type {
            "application/x-ndjson" => chunking.cut_lines(&body),
            _ => chunking.cut(&body),
        };
        let mut writes = framed(head, &pieces, framing, chunking);
        if complete && let Some(last) = writes.last_mut() {
            last.extend_from_slice(b"0\r\n\r\n");
        }
        Self { writes, delay: reply.delay, pace: reply.pace, end }
    }
}

/// What of the body is sent, and how the reply ends if not in the usual way.
fn broken(mut body: Vec<u8>, fault: Option<Fault>) -> (Vec<u8>, Option<End>) {
    let (at, end) = match fault {
        None => return (body, None),
        Some(Fault::GarbageAt(at)) => {
            let rest = body.split_off(at.min(body.len()));
            body.extend_from_slice(GARBAGE);
            body.extend_from_slice(&rest);
            return (body, None);
        }
        Some(Fault::CutAt(at)) => (at, End::Close),
        Some(Fault::ResetAt(at)) => (at, End::Reset),
        Some(Fault::StallAt(at)) => (at, End::Stall),
        Some(Fault::CommentsAt(at)) => (at, End::Comments(COMMENT_CHUNK)),
    };
    body.truncate(at);
    (body, Some(end))
}

fn head(reply: &Reply, content_type: &str, framing: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} {}\r\n{framing}\r\n", reply.status, reason(reply.status));
    if !reply.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        head.push_str(&format!("content-type: {content_type}\r\n"));
    }
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// The first write holds the head, as with servers that buffer their output.
fn framed(head: Vec<u8>, pieces: &[&[u8]], framing: Framing, chunking: Chunking) -> Vec<Vec<u8>> {
    let per_write = match framing {
        Framing::Chunked => chunking.chunks_per_write(),
        // Without chunks the write is the only thing that keeps two pieces apart.
        Framing::Length | Framing::Raw => 1,
    };
    let mut writes = Vec::new();
    let mut write = head;
    for group in pieces.chunks(per_write) {
        for piece in group {
            if framing == Framing::Chunked {
                write.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
            }
            write.extend_from_slice(piece);
            if framing == Framing::Chunked {
                write.extend_from_slice(b"\r\n");
            }
        }
        writes.push(std::mem::take(&mut write));
    }
    if writes.is_empty() {
        writes.push(write);
    }
    writes
}

impl Reply {
    /// Whether the reply's own headers end the connection.
    fn closes(&self) -> bool {
        self.headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("connection") && value.eq_ignore_ascii_case("close")
        })
    }
}

/// The usual words for a status; clients must not depend on them.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Overloaded",
        _ => "Scripted",
    }
}
