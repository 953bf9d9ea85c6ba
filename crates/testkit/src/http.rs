//! [`Server`]: an HTTP server on a real socket that answers as a test says, byte for byte.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "without a socket there is no test to run"
)]

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// A request, as far as tests look at it.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is asked for, with what follows a `?`.
    pub path: String,
    /// Its headers, their names in small letters.
    pub headers: HashMap<String, String>,
}

impl Request {
    /// Where the part begins that is asked for.
    pub fn start(&self) -> Option<usize> {
        let range = self.headers.get("range")?.strip_prefix("bytes=")?;
        range.strip_suffix('-')?.parse().ok()
    }
}

/// An answer: its head, its body, and what becomes of the connection then.
pub struct Answer {
    /// The status line and the headers, as they are sent.
    pub head: String,
    /// What follows them.
    pub body: Vec<u8>,
    /// Whether the connection stays open for a while when all is sent.
    pub hangs: bool,
}

impl Answer {
    /// An answer of this status, with these headers.
    pub fn new(status: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Self {
        let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        Self { head: head + "\r\n", body: body.into(), hangs: false }
    }

    /// A page or a file, whole.
    pub fn whole(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let length = body.len().to_string();
        Self::new("200 OK", &[("Content-Type", kind), ("Content-Length", &length)], body)
    }

    /// What a request asks for of a file, at most so many bytes of it before the connection breaks.
    pub fn part(file: &[u8], request: &Request, most: usize) -> Self {
        let all = file.len();
        let start = request.start().unwrap_or(0);
        let rest = &file[start..];
        let length = rest.len().to_string();
        let range = format!("bytes {start}-{}/{all}", all - 1);
        let sent = &rest[..most.min(rest.len())];
        if start == 0 {
            return Self::new("200 OK", &[("Content-Length", &length)], sent);
        }
        let headers = [("Content-Length", length.as_str()), ("Content-Range", &range)];
        Self::new("206 Partial Content", &headers, sent)
    }
}

/// A server on a real socket.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// A server that gives each request this answer.
    pub fn new(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let noted = seen.clone();
        // It ends with the process of the tests.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, answer) = (noted.clone(), answer.clone());
                thread::spawn(move || serve(stream, &noted, &*answer));
            }
        });
        Self { address, seen }
    }

    /// Where it is, as an address.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests for paths that end like this.
    pub fn asked(&self, end: &str) -> Vec<Request> {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|it| it.path.ends_with(end)).cloned().collect()
    }
}

fn serve(stream: TcpStream, seen: &Mutex<Vec<Request>>, answer: &dyn Fn(&Request) -> Answer) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let headers = lines.take_while(|it| !it.is_empty()).filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
    });
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let request = Request { path, headers: headers.collect() };
    seen.lock().unwrap().push(request.clone());
    let answer = answer(&request);
    let mut stream = stream;
    // Whoever asked may have gone.
    let _ = stream.write_all(answer.head.as_bytes());
    let _ = stream.write_all(&answer.body);
    if answer.hangs {
        thread::sleep(Duration::from_secs(20));
    }
}
