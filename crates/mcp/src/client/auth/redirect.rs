//! [`RedirectListener`]: where the browser comes back to, on this machine.

use std::{net::Ipv4Addr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinSet,
};
use toolwright_http::Url;

use super::AuthError;

/// The longest request, and how long it may take: browsers also connect and say nothing.
const LONGEST: usize = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);
/// How many connections there may be at once.
const MOST: usize = 32;
const PATH: &str = "/callback";

/// Where the browser comes back to: a port of this machine, which nobody else reaches.
pub(super) struct RedirectListener {
    listener: TcpListener,
    port: u16,
}

/// What a browser came back with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RedirectAnswer {
    pub(super) code: Option<String>,
    pub(super) issuer: Option<String>,
    pub(super) error: Option<String>,
    pub(super) error_description: Option<String>,
}

impl RedirectListener {
    pub(super) async fn open(port: Option<u16>) -> Result<Self, AuthError> {
        let wanted = port.unwrap_or(0);
        let failed = |error: std::io::Error| {
            AuthError::Local(format!(
                "there is no port of this machine that a browser could come back to (127.0.0.1:{wanted}): {error}"
            ))
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Self { listener, port })
    }

    /// Its address, as login servers are told it.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// What the browser comes back with. Whoever does not know `state` is sent away, however often they come.
    pub(super) async fn answer(self, state: &str) -> RedirectAnswer {
        let (send, mut answers) = mpsc::channel(1);
        let mut visitors = JoinSet::new();
        loop {
            tokio::select! {
                Some(answer) = answers.recv() => {
                    // Whoever brought it is still being told that it arrived.
                    let rest = async { while visitors.join_next().await.is_some() {} };
                    let _ = tokio::time::timeout(Duration::from_millis(200), rest).await;
                    return answer;
                }
                accepted = self.listener.accept(), if visitors.len() < MOST => {
                    if let Ok((stream, _)) = accepted {
                        let (state, send, port) = (state.to_owned(), send.clone(), self.port);
                        visitors.spawn(async move {
                            let _ = tokio::time::timeout(PATIENCE, visit(stream, port, &state, &send)).await;
                        });
                    }
                }
                Some(_) = visitors.join_next() => {}
            }
        }
    }
}

async fn visit(
    mut stream: TcpStream,
    port: u16,
    state: &str,
    send: &mpsc::Sender<RedirectAnswer>,
) -> Option<()> {
    let mut read = Vec::new();
    while !read.windows(4).any(|it| it == b"\r\n\r\n") {
        let count = stream.read_buf(&mut read).await.ok()?;
        if count == 0 || read.len() > LONGEST {
            return None;
        }
    }
    let head = String::from_utf8_lossy(&read).into_owned();
    let answer = target(&head, port).and_then(|it| RedirectAnswer::read(&it, state));
    let (status, told) = match &answer {
        Some(_) => ("200 OK", "You can close this window. The terminal tells how it went."),
        None => ("400 Bad Request", "This is no answer to a login that was begun here."),
    };
    let page = format!("<!doctype html><meta charset=utf-8><title>Toolwright</title><p>{told}");
    let response = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{page}",
        page.len()
    );
    let sent = stream.write_all(response.as_bytes()).await;
    // Whether or not the browser heard it: it was here.
    if let Some(answer) = answer {
        let _ = send.try_send(answer);
    }
    sent.ok()?;
    stream.shutdown().await.ok()
}

/// What a request asks for, where it is one for this listener by its own name.
fn target(head: &str, port: u16) -> Option<Url> {
    let mut lines = head.lines();
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let host = lines.find_map(|it| {
        let (name, value) = it.split_once(':')?;
        name.eq_ignore_ascii_case("host").then(|| value.trim().to_owned())
    })?;
    let is_ours = host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}");
    if method != "GET" || !is_ours || !target.starts_with('/') {
        return None;
    }
    Url::parse(&format!("http://127.0.0.1:{port}{target}")).ok()
}

impl RedirectAnswer {
    /// What is in the address that a browser was sent to, where it is the answer to this question.
    pub(super) fn read(url: &Url, state: &str) -> Option<Self> {
        if url.path() != PATH {
            return None;
        }
        let (mut answer, mut known) = (Self::default(), None);
        for (name, value) in url.query_pairs() {
            let place = match &*name {
                "code" => &mut answer.code,
                "state" => &mut known,
                "iss" => &mut answer.issuer,
                "error" => &mut answer.error,
                "error_description" => &mut answer.error_description,
                _ => continue,
            };
            // Said twice, it is not known which of them counts.
            if place.replace(value.into_owned()).is_some() {
                return None;
            }
        }
        (known.as_deref() == Some(state)).then_some(answer)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answer_to_the_question_is_one() {
        let read = |text: &str| RedirectAnswer::read(&Url::parse(text).unwrap(), "s1");
        let answer =
            read("http://127.0.0.1:1/callback?code=a%20b&state=s1&iss=https%3A%2F%2Fx").unwrap();
        assert_eq!(
            (answer.code.as_deref(), answer.issuer.as_deref()),
            (Some("a b"), Some("https://x"))
        );
        for wrong in [
            "http://127.0.0.1:1/callback?code=a",
            "http://127.0.0.1:1/callback?code=a&state=s2",
            "http://127.0.0.1:1/callback?code=a&state=s1&state=s1",
            "http://127.0.0.1:1/callback?code=a&code=b&state=s1",
            "http://127.0.0.1:1/other?code=a&state=s1",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_page_of_another_name_is_not_heard() {
        let head = |host: &str| format!("GET /callback?x HTTP/1.1\r\nHost: {host}\r\n\r\n");
        assert!(
            target(&head("127.0.0.1:7"), 7).is_some() && target(&head("localhost:7"), 7).is_some()
        );
        assert!(
            target(&head("evil.example:7"), 7).is_none() && target(&head("127.0.0.1"), 7).is_none()
        );
        assert!(target("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:7\r\n\r\n", 7).is_none());
        assert!(target("GET http://x/ HTTP/1.1\r\nHost: 127.0.0.1:7\r\n\r\n", 7).is_none());
        assert!(target("", 7).is_none());
    }
}
