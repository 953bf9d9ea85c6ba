//! [`ProxyServer`]: a proxy on a real socket, which passes on, refuses, or misbehaves.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional},
    net::{TcpListener, TcpStream, tcp::OwnedReadHalf},
    task::{AbortHandle, JoinSet},
};

/// What a proxy does with who comes.
#[derive(Clone, Debug)]
pub enum ProxyMode {
    /// Passes everything on to this server, whatever host is named: `CONNECT`, whole addresses, SOCKS 5.
    Pass(SocketAddr),
    /// The same for those who show this login (`NAME:PASSWORD`, as base64 in `Proxy-Authorization`);
    /// others get 407.
    Login(SocketAddr, &'static str),
    /// Says this, whatever is asked.
    Say(&'static [u8]),
    /// Says nothing.
    Hang,
}

/// A proxy on a port of its own, until it is dropped.
#[derive(Debug)]
pub struct ProxyServer {
    address: SocketAddr,
    seen: Arc<Seen>,
    accepting: AbortHandle,
}

/// What a proxy got to read.
#[derive(Debug, Default)]
struct Seen {
    asked: Mutex<Vec<String>>,
    read: Mutex<Vec<u8>>,
}

impl Seen {
    fn read(&self, bytes: &[u8]) {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
    }

    fn asked(&self, line: &str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }
}

impl ProxyServer {
    /// Starts a proxy.
    ///
    /// # Panics
    /// If no local port can be bound.
    #[allow(clippy::expect_used, reason = "without a port there is no test to run")]
    pub async fn start(mode: ProxyMode) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free local port");
        let address = listener.local_addr().expect("the address of a bound socket");
        let seen = Arc::new(Seen::default());
        let shared = seen.clone();
        let accepting = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (mode, seen) = (mode.clone(), shared.clone());
                // An error here is somebody who left.
                connections.spawn(async move { _ = serve(stream, mode, &seen).await });
            }
        });
        Self { address, seen, accepting: accepting.abort_handle() }
    }

    /// `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What was asked for, one line each: `CONNECT host:443 HTTP/1.1`, `GET http://host/ HTTP/1.1`,
    /// `SOCKS host:443`.
    pub fn asked(&self) -> Vec<String> {
        self.seen.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All that it got to read; what went through a tunnel, too, as it came.
    pub fn read(&self) -> Vec<u8> {
        self.seen.read.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for ProxyServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream, mode: ProxyMode, seen: &Seen) -> io::Result<()> {
    let (to, login) = match mode {
        ProxyMode::Pass(to) => (to, None),
        ProxyMode::Login(to, login) => (to, Some(login)),
        ProxyMode::Say(words) => {
            let mut unread = Vec::new();
            head(&mut stream, &mut unread).await?;
            seen.read(&unread);
            seen.asked(String::from_utf8_lossy(&unread).lines().next().unwrap_or_default());
            stream.write_all(words).await?;
            return stream.shutdown().await;
        }
        ProxyMode::Hang => {
            let mut rest = Vec::new();
            return stream.read_to_end(&mut rest).await.map(|_| ());
        }
    };
    let mut first = [0];
    stream.peek(&mut first).await?;
    if first == [5] {
        socks(stream, to, login, seen).await
    } else {
        http(stream, to, login, seen).await
    }
}

async fn http(
    mut stream: TcpStream,
    to: SocketAddr,
    login: Option<&str>,
    seen: &Seen,
) -> io::Result<()> {
    let mut unread = Vec::new();
    let mut length = head(&mut stream, &mut unread).await?;
    let text = String::from_utf8_lossy(unread.get(..length).unwrap_or_default()).into_owned();
    let line = text.lines().next().unwrap_or_default();
    seen.read(&unread);
    seen.asked(line);
    let shown = login.is_none_or(|it| {
        text.to_ascii_lowercase().contains("proxy-authorization:") && text.contains(it)
    });
    if !shown {
        let refusal = b"HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n";
        return stream.write_all(refusal).await;
    }
    let mut inner = TcpStream::connect(to).await?;
    if line.starts_with("CONNECT ") {
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
        // What is encrypted is kept, so that a test can look for what must not be readable in it.
        let (mut from, mut back) = stream.into_split();
        let (mut read, mut write) = inner.into_split();
        let there = async {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut piece).await {
                let piece = piece.get(..count).unwrap_or_default();
                seen.read(piece);
                write.write_all(piece).await?;
            }
            write.shutdown().await
        };
        let _ = tokio::join!(there, copy(&mut read, &mut back));
        return Ok(());
    }
    let (mut from, mut back) = stream.into_split();
    let (mut read, mut write) = inner.split();
    let there = async {
        loop {
            let (rewritten, body) = rewritten(&unread, length);
            write.write_all(rewritten.as_bytes()).await?;
            let whole = length + body;
            while unread.len() < whole {
                more(&mut from, &mut unread, seen).await?;
            }
            write.write_all(unread.get(length..whole).unwrap_or_default()).await?;
            unread.drain(..whole);
            length = loop {
                if let Some(at) = end_of_head(&unread) {
                    break at;
                }
                more(&mut from, &mut unread, seen).await?;
            };
            let text = String::from_utf8_lossy(&unread);
            seen.asked(text.lines().next().unwrap_or_default());
        }
        #[allow(unreachable_code, reason = "it names the type")]
        Ok::<(), io::Error>(())
    };
    tokio::select! {
        _ = there => {}
        _ = copy(&mut read, &mut back) => {}
    }
    Ok(())
}

async fn more(from: &mut OwnedReadHalf, unread: &mut Vec<u8>, seen: &Seen) -> io::Result<()> {
    let before = unread.len();
    if from.read_buf(unread).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    seen.read(unread.get(before..).unwrap_or_default());
    Ok(())
}

/// A head as a server is told it, and how long the body behind it is.
fn rewritten(unread: &[u8], length: usize) -> (String, usize) {
    let text = String::from_utf8_lossy(unread.get(..length).unwrap_or_default());
    let (mut out, mut body) = (String::new(), 0);
    for (at, line) in text.trim_end().lines().enumerate() {
        if at == 0 {
            let mut words = line.split(' ');
            let (method, address) =
                (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let path = address
                .split_once("://")
                .and_then(|(_, it)| it.find('/').and_then(|at| it.get(at..)));
            out.push_str(&format!("{method} {} HTTP/1.1\r\n", path.unwrap_or(address)));
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            body = value.trim().parse().unwrap_or_default();
        }
        if !name.eq_ignore_ascii_case("proxy-authorization") {
            out.push_str(line);
            out.push_str("\r\n");
        }
    }
    out.push_str("\r\n");
    (out, body)
}

/// Reads until a head is whole, and says where it ends.
async fn head(stream: &mut TcpStream, unread: &mut Vec<u8>) -> io::Result<usize> {
    loop {
        if let Some(at) = end_of_head(unread) {
            return Ok(at);
        }
        if stream.read_buf(unread).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn end_of_head(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|it| it == b"\r\n\r\n").map(|at| at + 4)
}

/// SOCKS, version 5, with names that are looked up here: all of them are the one server.
async fn socks(
    mut stream: TcpStream,
    to: SocketAddr,
    login: Option<&str>,
    seen: &Seen,
) -> io::Result<()> {
    let count = stream.read_u16().await? & 0xff;
    let mut methods = vec![0; count.into()];
    stream.read_exact(&mut methods).await?;
    let wanted = if login.is_some() { 2 } else { 0 };
    if !methods.contains(&wanted) {
        return stream.write_all(&[5, 0xff]).await;
    }
    stream.write_all(&[5, wanted]).await?;
    if let Some(login) = login {
        let _version = stream.read_u8().await?;
        let (name, password) = (text(&mut stream).await?, text(&mut stream).await?);
        let is_right = format!("{name}:{password}") == login;
        stream.write_all(&[1, u8::from(!is_right)]).await?;
        if !is_right {
            return Ok(());
        }
    }
    let mut request = [0; 4];
    stream.read_exact(&mut request).await?;
    let host = match request {
        [_, _, _, 1] => {
            let mut address = [0; 4];
            stream.read_exact(&mut address).await?;
            std::net::Ipv4Addr::from(address).to_string()
        }
        _ => text(&mut stream).await?,
    };
    let port = stream.read_u16().await?;
    seen.asked(&format!("SOCKS {host}:{port}"));
    stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    let mut inner = TcpStream::connect(to).await?;
    copy_bidirectional(&mut stream, &mut inner).await.map(|_| ())
}

/// A text with its length before it.
async fn text(stream: &mut TcpStream) -> io::Result<String> {
    let mut text = vec![0; stream.read_u8().await?.into()];
    stream.read_exact(&mut text).await?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
