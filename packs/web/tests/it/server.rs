//! [`Server`]: answers as a test says, and remembers what it was asked.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright_core::{RunContext, Tool, ToolResult};
use toolwright_http::{AddressGuard, HttpSettings};
use toolwright_web::{FetchSettings, ReaderProgram, fetch_url};

/// What was asked: the first line, and the whole of it in small letters.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: String,
}

pub(crate) struct Server {
    pub(crate) host: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

type Answer = dyn Fn(&Asked) -> Vec<u8> + Send + Sync;

impl Server {
    pub(crate) async fn start(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer): (_, Arc<Answer>) = (asked.clone(), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, kept.clone(), answer.clone()));
            }
        });
        Self { host, asked }
    }

    /// Answers everything with this page.
    pub(crate) async fn page(media: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self::start(move |_| answer("200 OK", media, &body)).await
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, kept: Arc<Mutex<Vec<Asked>>>, answer: Arc<Answer>) {
    let mut read = Vec::new();
    let end = loop {
        if let Some(at) = read.windows(4).position(|it| it == b"\r\n\r\n") {
            break at + 4;
        }
        if !matches!(stream.read_buf(&mut read).await, Ok(1..)) {
            return;
        }
    };
    let head = String::from_utf8_lossy(&read[..end]).into_owned();
    let lower = head.to_lowercase();
    let length = lower
        .split_once("content-length: ")
        .map_or(0, |(_, it)| it.split("\r\n").next().unwrap().parse::<usize>().unwrap());
    while read.len() < end + length {
        if !matches!(stream.read_buf(&mut read).await, Ok(1..)) {
            return;
        }
    }
    let line = head.lines().next().unwrap().to_owned();
    let body = String::from_utf8_lossy(&read[end..]).into_owned();
    let asked = Asked { line, head: lower, body };
    let said = answer(&asked);
    kept.lock().unwrap().push(asked);
    let _ = stream.write_all(&said).await;
}

/// An answer with a body, after which the connection is closed.
pub(crate) fn answer(status: &str, media: &str, body: &[u8]) -> Vec<u8> {
    with_headers(status, &format!("content-type: {media}\r\n"), body)
}

pub(crate) fn with_headers(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

pub(crate) fn redirect(to: &str) -> Vec<u8> {
    with_headers("302 Found", &format!("location: {to}\r\n"), b"")
}

/// The tool, for these servers and nothing else of this machine.
pub(crate) fn fetcher(servers: &[&Server]) -> Arc<dyn Tool> {
    let guard = servers
        .iter()
        .fold(AddressGuard::new(), |guard, server| guard.allow_host(&server.host).unwrap());
    let reader = ReaderProgram::At(env!("CARGO_BIN_EXE_toolwright-web-read").into());
    fetch_url(FetchSettings { http: HttpSettings::from_vars(&|_| None), guard, reader })
}

pub(crate) async fn call(tool: &Arc<dyn Tool>, arguments: serde_json::Value) -> ToolResult {
    tool.call(Arc::new(arguments), &RunContext::default()).await
}

/// What a call tells a model, be it a failure.
pub(crate) async fn told(tool: &Arc<dyn Tool>, arguments: serde_json::Value) -> String {
    match call(tool, arguments).await {
        Ok(output) => match output.into_parts().0 {
            toolwright_core::Output::Text(text) | toolwright_core::Output::Json(text) => text,
            other => panic!("{other:?}"),
        },
        Err(error) => format!("error: {}", error.message()),
    }
}
