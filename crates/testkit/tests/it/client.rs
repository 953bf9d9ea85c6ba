//! [`Client`]: a plain HTTP client that shows the seams: chunks as they came, and how it ended.

use std::io::ErrorKind;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use toolwright_testkit::ModelServer;

pub(crate) struct Client {
    stream: TcpStream,
    unread: Vec<u8>,
}

/// How a response ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Complete,
    Closed,
    Reset,
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    /// The body, one entry per HTTP chunk.
    pub(crate) chunks: Vec<Vec<u8>>,
    pub(crate) ending: Ending,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub(crate) fn body(&self) -> Vec<u8> {
        self.chunks.concat()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body()).unwrap()
    }
}

/// A request nothing is wrong with.
pub(crate) fn hello() -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": "hello"}]})
}

/// The same request, streamed with usage.
pub(crate) fn hello_streamed() -> Value {
    let mut request = hello();
    request["stream"] = json!(true);
    request["stream_options"] = json!({"include_usage": true});
    request
}

/// One request on a connection of its own.
pub(crate) async fn post(server: &ModelServer, body: &Value) -> Response {
    let mut client = Client::connect(server).await;
    client.post(body).await;
    client.response().await
}

impl Client {
    pub(crate) async fn connect(server: &ModelServer) -> Self {
        Self::connect_to(server.base_url()).await
    }

    pub(crate) async fn connect_to(base_url: &str) -> Self {
        let address = base_url.strip_prefix("http://").unwrap().strip_suffix("/v1");
        let stream = TcpStream::connect(address.unwrap()).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, unread: Vec::new() }
    }

    pub(crate) async fn post(&mut self, body: &Value) {
        self.post_with("content-type: application/json\r\n", body.to_string().as_bytes()).await;
    }

    pub(crate) async fn post_with(&mut self, headers: &str, body: &[u8]) {
        self.send("POST /v1/chat/completions", headers, body).await;
    }

    /// One request with this method and path.
    pub(crate) async fn send(&mut self, route: &str, headers: &str, body: &[u8]) {
        let length = body.len();
        let head =
            format!("{route} HTTP/1.1\r\nhost: x\r\n{headers}content-length: {length}\r\n\r\n");
        self.write(&[head.as_bytes(), body].concat()).await;
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Reads whatever comes next; an error says how the connection ended.
    pub(crate) async fn read(&mut self) -> Result<usize, Ending> {
        match self.stream.read_buf(&mut self.unread).await {
            Ok(0) => Err(Ending::Closed),
            Ok(count) => Ok(count),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Err(Ending::Reset),
            Err(error) => panic!("{error}"),
        }
    }

    /// Reads until `text` has come.
    pub(crate) async fn read_until(&mut self, text: &str) {
        while !self.unread.windows(text.len()).any(|window| window == text.as_bytes()) {
            self.read().await.unwrap();
        }
    }

    /// Everything that comes until the end, framing and all.
    pub(crate) async fn read_all(&mut self) -> Vec<u8> {
        while self.read().await.is_ok() {}
        std::mem::take(&mut self.unread)
    }

    pub(crate) async fn response(&mut self) -> Response {
        let mut response = loop {
            if let Some(response) = self.head() {
                break response;
            }
            self.read().await.unwrap();
        };
        let length = response.header("content-length").map(|length| length.parse().unwrap());
        response.ending = match length {
            Some(length) => self.counted(length, &mut response.chunks).await,
            None => self.chunked(&mut response.chunks).await,
        };
        response
    }

    fn head(&mut self) -> Option<Response> {
        let mut headers = [httparse::EMPTY_HEADER; 16];
        let mut head = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(length) = head.parse(&self.unread).unwrap() else {
            return None;
        };
        let text = |value: &[u8]| String::from_utf8(value.to_vec()).unwrap();
        let response = Response {
            status: head.code.unwrap(),
            headers: head.headers.iter().map(|it| (it.name.to_owned(), text(it.value))).collect(),
            chunks: Vec::new(),
            ending: Ending::Complete,
        };
        self.unread.drain(..length);
        Some(response)
    }

    async fn counted(&mut self, length: usize, chunks: &mut Vec<Vec<u8>>) -> Ending {
        while self.unread.len() < length {
            if let Err(ending) = self.read().await {
                return ending;
            }
        }
        chunks.push(self.unread.drain(..length).collect());
        Ending::Complete
    }

    async fn chunked(&mut self, chunks: &mut Vec<Vec<u8>>) -> Ending {
        loop {
            if let httparse::Status::Complete((start, size)) =
                httparse::parse_chunk_size(&self.unread).unwrap()
                && let size = usize::try_from(size).unwrap()
                && self.unread.len() >= start + size + 2
            {
                let chunk: Vec<u8> = self.unread.drain(..start + size + 2).collect();
                assert!(chunk.ends_with(b"\r\n"));
                if size == 0 {
                    return Ending::Complete;
                }
                chunks.push(chunk[start..start + size].to_vec());
            } else if let Err(ending) = self.read().await {
                return ending;
            }
        }
    }
}

/// The JSON of every event of a stream; `[DONE]` becomes a string.
pub(crate) fn events(stream: &str) -> Vec<Value> {
    let events = stream.strip_suffix("\n\n").unwrap().split("\n\n");
    let parse = |event: &str| match event.strip_prefix("data: ").unwrap() {
        "[DONE]" => json!("[DONE]"),
        data => serde_json::from_str(data).unwrap(),
    };
    events.map(parse).collect()
}
