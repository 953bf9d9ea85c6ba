//! [`Server`]: answers as a test says, and remembers what it was asked.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright_core::{Output, RunContext, SourceTools, Tool, ToolSource};
use toolwright_http::{HttpSettings, Url};
use toolwright_openapi::{ApiAuth, ApiSettings, OpenApiSource, SpecLocation};

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

/// What a document in a file becomes.
pub(crate) struct Api {
    pub(crate) settings: ApiSettings,
    _folder: tempfile::TempDir,
}

impl Api {
    pub(crate) fn new(document: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("api");
        std::fs::write(&file, document).unwrap();
        let settings = ApiSettings {
            name: "pets".to_owned(),
            spec: SpecLocation::File(file),
            include: Vec::new(),
            base_url: None,
            auth: None,
        };
        Self { settings, _folder: folder }
    }

    pub(crate) fn at(mut self, url: &str) -> Self {
        self.settings.base_url = Some(Url::parse(url).unwrap());
        self
    }

    pub(crate) fn auth(mut self, auth: ApiAuth) -> Self {
        self.settings.auth = Some(auth);
        self
    }

    pub(crate) fn include(mut self, patterns: &[&str]) -> Self {
        self.settings.include = patterns.iter().map(|it| (*it).to_owned()).collect();
        self
    }

    pub(crate) async fn tools(&self) -> Arc<SourceTools> {
        let http = HttpSettings::from_vars(&|_| None);
        let source = OpenApiSource::new(self.settings.clone(), http, None);
        source.ready().await;
        source.tools()
    }

    /// Why there is no tool at all.
    pub(crate) async fn reason(&self) -> String {
        let tools = self.tools().await;
        assert!(tools.tools.is_empty(), "{:?}", names(&tools));
        tools.withheld.first().map(|it| it.reason.clone()).unwrap_or_default()
    }
}

pub(crate) fn names(tools: &SourceTools) -> Vec<String> {
    tools.tools.iter().map(|it| it.spec().name.clone()).collect()
}

pub(crate) fn tool(tools: &SourceTools, name: &str) -> Arc<dyn Tool> {
    let found = tools.tools.iter().find(|it| it.spec().name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", names(tools))).clone()
}

/// What a call tells a model, be it a failure.
pub(crate) async fn told(tool: &Arc<dyn Tool>, arguments: Value) -> String {
    match tool.call(Arc::new(arguments), &RunContext::default()).await {
        Ok(output) => match output.into_parts().0 {
            Output::Text(text) | Output::Json(text) => text,
            other => panic!("{other:?}"),
        },
        Err(error) => format!("error: {}", error.message()),
    }
}
