//! [`Served`]: a server on a real socket that answers any route, as a test says, and notes what it was asked.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::Value;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) raw: Vec<u8>,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn body(&self) -> Value {
        serde_json::from_slice(&self.raw).unwrap_or_default()
    }
}

/// How a response ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    Whole,
    /// The connection closes before the body is complete.
    Cut,
    /// Nothing more comes, and the connection stays open.
    Hang,
}

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) headers: Vec<(&'static str, String)>,
    /// Each is a chunk and a write of its own.
    pub(crate) pieces: Vec<Vec<u8>>,
    pub(crate) end: End,
}

impl Answer {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        let pieces = vec![body.to_string().into_bytes()];
        Self { status, kind: "application/json", headers: Vec::new(), pieces, end: End::Whole }
    }

    /// Lines of JSON, in pieces.
    pub(crate) fn lines(pieces: Vec<Vec<u8>>) -> Self {
        let kind = "application/x-ndjson";
        Self { status: 200, kind, headers: Vec::new(), pieces, end: End::Whole }
    }

    pub(crate) fn page() -> Self {
        let pieces = vec![b"<html>Hello.</html>".to_vec()];
        Self { status: 200, kind: "text/html", headers: Vec::new(), pieces, end: End::Whole }
    }

    pub(crate) fn missing() -> Self {
        Self { status: 404, ..Self::page() }
    }

    pub(crate) fn end(self, end: End) -> Self {
        Self { end, ..self }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// The server. It ends with the process of the tests.
pub(crate) struct Served {
    pub(crate) origin: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Served {
    pub(crate) fn new(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (asked, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let noted = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, answer) = (noted.clone(), answer.clone());
                // Whoever asks may leave at any time.
                thread::spawn(move || while exchange(&stream, &noted, &*answer).is_some() {});
            }
        });
        Self { origin, asked }
    }

    /// What was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// One request and its response; none where the connection is not used again.
fn exchange(
    stream: &TcpStream,
    noted: &Mutex<Vec<Asked>>,
    answer: &dyn Fn(&Asked) -> Answer,
) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let asked = read(stream)?;
    noted.lock().unwrap().push(asked.clone());
    let answer = answer(&asked);
    let mut stream = stream;
    let mut head = format!(
        "HTTP/1.1 {} X\r\ncontent-type: {}\r\ntransfer-encoding: chunked\r\n",
        answer.status, answer.kind
    );
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).ok()?;
    for piece in answer.pieces.iter().filter(|it| !it.is_empty()) {
        let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
        stream.write_all(&chunk).ok()?;
    }
    match answer.end {
        End::Whole => stream.write_all(b"0\r\n\r\n").ok(),
        End::Cut => None,
        End::Hang => {
            // Until the other side leaves.
            let _ = stream.read(&mut [0; 1]);
            None
        }
    }
}

/// The next request of a connection. One is read at a time, so nothing of another is lost in the buffer.
fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        Some(line.trim_end().to_owned())
    };
    let first = line()?;
    let mut headers = Vec::new();
    while let Some((name, value)) = line()?.split_once(':') {
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut asked = Asked { method, path, headers, raw: Vec::new() };
    let length = asked.header("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
    asked.raw = vec![0; length];
    reader.read_exact(&mut asked.raw).ok()?;
    Some(asked)
}
