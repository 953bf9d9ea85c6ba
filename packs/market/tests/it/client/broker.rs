//! [`Broker`]: an HTTP server that answers what a test tells it to answer.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::AbortHandle,
    time::Instant,
};

/// A request that came.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Value,
    pub(super) at: Instant,
}

impl Seen {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// How an answer ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Whole,
    /// After so many bytes, with a length that promised more.
    Cut(usize),
    /// Never, after so many bytes.
    Stalled(usize),
    /// Never: the body is sent again and again, without a length.
    Endless,
}

/// What the broker answers.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    end: End,
}

impl Answer {
    pub(super) fn json(body: &Value) -> Self {
        Self::raw(200, body.to_string()).header("content-type", "application/json")
    }

    pub(super) fn error(status: u16, body: &Value) -> Self {
        Self { status, ..Self::json(body) }
    }

    pub(super) fn raw(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), end: End::Whole }
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn cut(self, after: usize) -> Self {
        Self { end: End::Cut(after), ..self }
    }

    pub(super) fn stalled(self, after: usize) -> Self {
        Self { end: End::Stalled(after), ..self }
    }

    pub(super) fn endless(self) -> Self {
        Self { end: End::Endless, ..self }
    }

    async fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {} X\r\nconnection: close\r\n", self.status);
        if !matches!(self.end, End::Endless) {
            head += &format!("content-length: {}\r\n", self.body.len());
        }
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all((head + "\r\n").as_bytes()).await?;
        match self.end {
            End::Whole => stream.write_all(&self.body).await?,
            End::Cut(after) => stream.write_all(&self.body[..after]).await?,
            End::Stalled(after) => {
                stream.write_all(&self.body[..after]).await?;
                tokio::time::sleep(Duration::from_secs(3600)).await;
            }
            End::Endless => loop {
                stream.write_all(&self.body).await?;
            },
        }
        stream.shutdown().await
    }
}

type Handler = dyn Fn(usize, &Seen) -> Answer + Send + Sync;

/// An HTTP server that answers what a test tells it to answer, until it is dropped.
pub(super) struct Broker {
    base_url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    accepting: AbortHandle,
}

impl Broker {
    /// Answers each request with what `handler` makes of it and its number, from 0.
    pub(super) async fn start(
        handler: impl Fn(usize, &Seen) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}/v2", listener.local_addr().unwrap());
        let seen = Arc::default();
        let accepting = tokio::spawn(accept(listener, Arc::new(handler), Arc::clone(&seen)));
        Self { base_url, seen, accepting: accepting.abort_handle() }
    }

    /// Answers with these, one after the other, and then with the last of them.
    pub(super) async fn saying(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: Vec<_> = answers.into_iter().collect();
        Self::start(move |number, _| answers[number.min(answers.len() - 1)].clone()).await
    }

    pub(super) fn base_url(&self) -> &str {
        &self.base_url
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(super) fn asked(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, handler: Arc<Handler>, seen: Arc<Mutex<Vec<Seen>>>) {
    loop {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (handler, seen) = (Arc::clone(&handler), Arc::clone(&seen));
        tokio::spawn(async move {
            let Some(request) = read(&mut stream).await else { return };
            let number = {
                let mut seen = seen.lock().unwrap();
                seen.push(request.clone());
                seen.len() - 1
            };
            // A client that leaves early is part of some tests.
            let _ = handler(number, &request).send(&mut stream).await;
        });
    }
}

async fn read(stream: &mut TcpStream) -> Option<Seen> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
            let mut lines = head.lines();
            let mut first = lines.next()?.split(' ');
            let headers = lines.filter_map(|line| line.split_once(": "));
            let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let mut seen = Seen {
                method: first.next()?.to_owned(),
                path: first.next()?.to_owned(),
                headers: headers.collect(),
                body: Value::Null,
                at: Instant::now(),
            };
            let length = seen.header("content-length").map_or(0, |it| it.parse().unwrap());
            if let Some(body) = bytes.get(end + 4..end + 4 + length) {
                seen.body = serde_json::from_slice(body).unwrap_or_default();
                return Some(seen);
            }
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
