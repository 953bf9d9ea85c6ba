//! HTTP/1.1 on one connection, no more of it than the clients need.

use std::{cell::Cell, io};

use httparse::{EMPTY_HEADER, Request, Status};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::yield_now,
};
use toolwright_benches::measure::{CpuTime, peak_rss_mb};

use crate::{
    reply::plain,
    script::{Choice, Script},
};

/// Room for the largest request, so that the buffer never grows while a client is timed.
const BUFFER_LEN: usize = 512 * 1024;
const MAX_HEADERS: usize = 64;

/// What all connections share.
pub(crate) struct Server {
    script: Script,
    flush: bool,
    connections: Cell<u64>,
    requests: Cell<u64>,
    rejected: Cell<u64>,
}

impl Server {
    pub(crate) fn new(script: Script, flush: bool) -> Self {
        let zero = || Cell::new(0);
        Self { script, flush, connections: zero(), requests: zero(), rejected: zero() }
    }

    fn stats(&self) -> anyhow::Result<String> {
        let cpu = CpuTime::now()?;
        let stats = json!({
            "connections": self.connections.get(),
            "requests": self.requests.get(),
            "rejected": self.rejected.get(),
            "cpu_s": cpu.total(),
            "user_s": cpu.user,
            "sys_s": cpu.system,
            "peak_rss_mb": peak_rss_mb()?,
        });
        Ok(stats.to_string())
    }
}

#[derive(Clone, Copy)]
enum Target {
    Chat,
    Stats,
    Other,
}

/// Where the parts of a request are in the buffer.
struct Head {
    length: usize,
    body_length: usize,
    target: Target,
}

/// Answers one request after another until the client leaves.
pub(crate) async fn serve(mut socket: TcpStream, server: &Server) -> io::Result<()> {
    count(&server.connections);
    let mut buffer = Vec::with_capacity(BUFFER_LEN);
    loop {
        let head = loop {
            match parse(&buffer) {
                Ok(Some(head)) => break head,
                Ok(None) if socket.read_buf(&mut buffer).await? == 0 => return Ok(()),
                Ok(None) => {}
                Err(status) => return socket.write_all(&plain(status, "{}")).await,
            }
        };
        let end = head.length.saturating_add(head.body_length);
        while buffer.len() < end {
            if socket.read_buf(&mut buffer).await? == 0 {
                return Ok(());
            }
        }
        let body = buffer.get(head.length..end).unwrap_or_default();
        answer(&mut socket, server, head.target, body).await?;
        buffer.drain(..end);
    }
}

/// The head of the next request, when all of it is there; the status to refuse it with, when it
/// cannot be served.
fn parse(buffer: &[u8]) -> Result<Option<Head>, &'static str> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut request = Request::new(&mut headers);
    let Ok(status) = request.parse(buffer) else { return Err("400 Bad Request") };
    let Status::Complete(length) = status else { return Ok(None) };
    let mut body_length = 0;
    for header in request.headers.iter() {
        if header.name.eq_ignore_ascii_case("content-length") {
            let value = str::from_utf8(header.value).ok().and_then(|value| value.parse().ok());
            body_length = value.ok_or("400 Bad Request")?;
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            return Err("411 Length Required");
        }
    }
    let target = match request.path {
        Some(path) if path.ends_with("/chat/completions") => Target::Chat,
        Some("/stats") => Target::Stats,
        _ => Target::Other,
    };
    Ok(Some(Head { length, body_length, target }))
}

async fn answer(
    socket: &mut TcpStream,
    server: &Server,
    target: Target,
    body: &[u8],
) -> io::Result<()> {
    match target {
        Target::Other => socket.write_all(&plain("404 Not Found", "{}")).await,
        Target::Stats => {
            let stats = server.stats().map_err(io::Error::other)?;
            socket.write_all(&plain("200 OK", &stats)).await
        }
        Target::Chat => {
            count(&server.requests);
            match server.script.choose(body) {
                Ok(Choice { reply, streaming: false }) => socket.write_all(&reply.whole).await,
                Ok(Choice { reply, .. }) if server.flush => {
                    for event in &reply.events {
                        socket.write_all(event).await?;
                        yield_now().await;
                    }
                    Ok(())
                }
                Ok(Choice { reply, .. }) => socket.write_all(&reply.stream).await,
                Err(why) => {
                    count(&server.rejected);
                    let body = json!({"error": {"message": why, "type": "bench"}}).to_string();
                    socket.write_all(&plain("400 Bad Request", &body)).await
                }
            }
        }
    }
}

fn count(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}
