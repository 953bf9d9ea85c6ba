//! [`Recorded`]: a request as it came, and the parser that reads it off the wire.

use serde_json::Value;

/// More than any client sends.
const MOST_HEADERS: usize = 64;

/// A request the server has received.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// Position among all requests of the server, from 0.
    pub number: usize,
    /// Which connection it came on, from 0; equal numbers mean the connection was kept alive.
    pub connection: usize,
    /// The method, such as `POST`; empty if what came was not HTTP.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers in order, names as they were sent.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; null if it is none.
    pub body: Value,
    /// The body as it came.
    pub raw: Vec<u8>,
    /// What is wrong with the request; see [`check`](crate::check).
    pub violations: Vec<String>,
    pub(super) malformed: bool,
}

impl Recorded {
    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Whether the client wants the connection closed after the reply.
    pub(super) fn closes(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// Bytes that are no HTTP, kept so that a test learns what was sent.
    pub(super) fn malformed(raw: Vec<u8>, reason: &str) -> Self {
        Self {
            number: 0,
            connection: 0,
            method: String::new(),
            path: String::new(),
            headers: Vec::new(),
            body: Value::Null,
            raw,
            violations: vec![format!("not an HTTP/1.1 request: {reason}")],
            malformed: true,
        }
    }
}

/// The request at the start of `bytes` and its length, or `None` while more is to come.
pub(super) fn parse(bytes: &[u8]) -> Result<Option<(Recorded, usize)>, String> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let status = head.parse(bytes).map_err(|error| error.to_string())?;
    let httparse::Status::Complete(head_length) = status else { return Ok(None) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let mut request = Recorded {
        number: 0,
        connection: 0,
        method: head.method.unwrap_or_default().to_owned(),
        path: head.path.unwrap_or_default().to_owned(),
        headers: head.headers.iter().map(|it| (it.name.to_owned(), text(it.value))).collect(),
        body: Value::Null,
        raw: Vec::new(),
        violations: Vec::new(),
        malformed: false,
    };
    let rest = bytes.get(head_length..).unwrap_or_default();
    let Some((raw, length)) = body(&request, rest)? else { return Ok(None) };
    request.body = serde_json::from_slice(&raw).unwrap_or_default();
    request.raw = raw;
    Ok(Some((request, head_length + length)))
}

/// The body and how many bytes it takes on the wire.
fn body(request: &Recorded, rest: &[u8]) -> Result<Option<(Vec<u8>, usize)>, String> {
    let chunked = request.header("transfer-encoding");
    if chunked.is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        return dechunk(rest);
    }
    let length = match request.header("content-length") {
        None => 0,
        Some(text) => text.parse().map_err(|_| format!("content-length {text:?}"))?,
    };
    Ok(rest.get(..length).map(|body| (body.to_vec(), length)))
}

fn dechunk(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>, String> {
    let mut body = Vec::new();
    let mut rest = bytes;
    loop {
        let size = httparse::parse_chunk_size(rest).map_err(|_| "chunk size".to_owned())?;
        let httparse::Status::Complete((start, size)) = size else { return Ok(None) };
        let size = usize::try_from(size).map_err(|_| "chunk size".to_owned())?;
        let data = rest.get(start..).unwrap_or_default();
        let (Some(data), Some(end)) = (data.get(..size), data.get(size..size.saturating_add(2)))
        else {
            return Ok(None);
        };
        if end != b"\r\n" {
            return Err(String::from("a chunk longer than it says, or trailers"));
        }
        body.extend_from_slice(data);
        rest = rest.get(start + size + 2..).unwrap_or_default();
        if size == 0 {
            return Ok(Some((body, bytes.len() - rest.len())));
        }
    }
}
