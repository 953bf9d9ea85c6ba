//! [`Server`]: says what a test tells it to, and remembers what it was asked.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A server whose answers the test gives; what it is asked has no body.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

pub(crate) const FINE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine";

impl Server {
    /// Answers with what `answer` makes of the first line of a request.
    pub(crate) async fn start(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (kept, answer) = (heads.clone(), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, kept.clone(), answer.clone()));
            }
        });
        Self { address, heads }
    }

    pub(crate) async fn fine() -> Self {
        Self::start(|_| FINE.to_owned()).await
    }

    /// The heads of all requests so far, in small letters.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    heads: Arc<Mutex<Vec<String>>>,
    answer: Arc<impl Fn(&str) -> String>,
) {
    let mut unread = Vec::new();
    while let Ok(1..) = stream.read_buf(&mut unread).await {
        while let Some(end) = unread.windows(4).position(|it| it == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&unread[..end]).into_owned();
            unread.drain(..end + 4);
            let said = answer(head.lines().next().unwrap());
            heads.lock().unwrap().push(head.to_lowercase());
            if stream.write_all(said.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}
