//! [`Model`]: a model that writes at a set pace, and when it wrote each token into the token.
//!
//! How many tokens, and how far apart, stands in the question: a [`Pace`].

use std::{
    fmt,
    net::SocketAddr,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use bytes::{Buf, BytesMut};
use httparse::{EMPTY_HEADER, Request, Status};
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{self, MissedTickBehavior},
};

/// A model that listens.
pub(crate) struct Model {
    pub(crate) address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Model {
    /// How often it was asked.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

/// How many tokens, and how many milliseconds apart.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) tokens: u32,
    pub(crate) apart: u32,
}

impl Pace {
    pub(crate) const AT_ONCE: Self = Self { tokens: 1, apart: 0 };

    fn in_body(body: &[u8]) -> Option<Self> {
        let from = memmem::rfind(body, WORD)? + WORD.len();
        let text = body.get(from..)?.split(|byte| *byte == b'.').next()?;
        let (tokens, apart) = str::from_utf8(text).ok()?.split_once('/')?;
        Some(Self { tokens: tokens.parse().ok()?, apart: apart.parse().ok()? })
    }
}

const WORD: &[u8] = b"pace ";

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pace {}/{}.", self.tokens, self.apart)
    }
}

/// Microseconds since this process began to count.
pub(crate) fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(START.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// How long the tokens in an event were on their way, in milliseconds.
pub(crate) fn ages(event: &[u8]) -> impl Iterator<Item = f64> {
    let arrived = now();
    memchr::memchr_iter(b'@', event).filter_map(move |at| {
        let digits = event.get(at + 1..)?.split(|byte| !byte.is_ascii_digit()).next()?;
        let written: u64 = str::from_utf8(digits).ok()?.parse().ok()?;
        Some(arrived.saturating_sub(written) as f64 / 1e3)
    })
}

pub(crate) async fn start() -> Result<Model> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let asked = Arc::<AtomicUsize>::default();
    let model = Model { address: listener.local_addr()?, asked: asked.clone() };
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let asked = asked.clone();
            tokio::spawn(async move {
                // Whoever leaves in the middle concerns no other.
                let _ = answer(stream, &asked).await;
            });
        }
    });
    Ok(model)
}

/// Answers one request after the other.
async fn answer(mut stream: TcpStream, asked: &AtomicUsize) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = BytesMut::new();
    loop {
        let Some(pace) = question(&mut stream, &mut buffer).await? else { return Ok(()) };
        asked.fetch_add(1, Ordering::Relaxed);
        stream.write_all(HEAD.as_bytes()).await?;
        let mut tick = time::interval(Duration::from_millis(pace.apart.max(1).into()));
        // Keeps to its beat: after a moment of nothing they must not all write at the same time.
        tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
        for _ in 0..pace.tokens {
            if pace.apart > 0 {
                tick.tick().await;
            }
            let piece = chunk(&format!(
                r#"{{{START},"choices":[{{"index":0,"delta":{{"content":"@{} "}},"finish_reason":null}}]}}"#,
                now()
            ));
            stream.write_all(piece.as_bytes()).await?;
        }
        let stop =
            format!(r#"{{{START},"choices":[{{"index":0,"delta":{{}},"finish_reason":"stop"}}]}}"#);
        let end = format!("{}{}0\r\n\r\n", chunk(&stop), chunk("[DONE]"));
        stream.write_all(end.as_bytes()).await?;
    }
}

const HEAD: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const START: &str =
    r#""id":"c","object":"chat.completion.chunk","created":1700000000,"model":"bench""#;

fn chunk(data: &str) -> String {
    let event = format!("data: {data}\n\n");
    format!("{:x}\r\n{event}\r\n", event.len())
}

/// The pace that the next request asks for; none when nobody asks any more.
async fn question(stream: &mut TcpStream, buffer: &mut BytesMut) -> Result<Option<Pace>> {
    loop {
        if let Some(size) = whole(buffer)?
            && buffer.len() >= size
        {
            let pace = buffer.get(..size).and_then(Pace::in_body);
            buffer.advance(size);
            return Ok(Some(pace.context("a question without a pace")?));
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

/// The length of the next request, with its body, when its head is there.
fn whole(buffer: &[u8]) -> Result<Option<usize>> {
    let mut headers = [EMPTY_HEADER; 32];
    let mut request = Request::new(&mut headers);
    let Status::Complete(head) = request.parse(buffer)? else { return Ok(None) };
    let length = request.headers.iter().find(|it| it.name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|it| str::from_utf8(it.value).ok()).context("no length")?;
    Ok(Some(head + length.parse::<usize>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_found_again() {
        let body = format!(r#"{{"content":"{}"}}"#, Pace { tokens: 300, apart: 50 });
        let pace = Pace::in_body(body.as_bytes()).unwrap();
        assert_eq!((pace.tokens, pace.apart), (300, 50));
        assert!(Pace::in_body(b"hello").is_none());
    }

    #[test]
    fn every_token_tells_its_age() {
        let sent = now();
        let event = format!(r#"{{"text":"@{sent} @{sent} "}}"#);
        assert_eq!(ages(event.as_bytes()).count(), 2);
        assert!(ages(event.as_bytes()).all(|age| age < 60_000.0));
    }
}
