//! [`ModelServer`]: the listening socket, what it has recorded, and what a test asks about it.

mod connection;
mod request;
mod shared;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};

pub use request::Recorded;

use crate::api::SpokenApi;
use crate::reply::Reply;
use crate::script::Script;
use shared::{Shared, Source};

/// A server of a model on a port of its own, until it is dropped.
///
/// It answers `POST /v1/chat/completions`, and the same of the other APIs ([`SpokenApi::path`]), from its
/// script or handler, and `GET /v1/models` and the like with the one model `scripted`. Each API is
/// also there alone, under its [name](SpokenApi::name). Dropping it ends the listener and every
/// connection.
#[derive(Debug)]
pub struct ModelServer {
    base_url: String,
    root: String,
    shared: Arc<Shared>,
    accepting: AbortHandle,
}

impl ModelServer {
    /// Answers from a script: the first request gets the first reply, and so on.
    ///
    /// A request beyond the last reply gets status 500 and counts as a violation.
    ///
    /// # Panics
    /// If no local port can be bound.
    pub async fn start(script: Script) -> Self {
        let Script { replies, chunking, key } = script;
        Self::listen(Shared::new(Source::Script(replies.into()), chunking, key)).await
    }

    /// Answers each request with what `handler` makes of it, for tests with many clients at once.
    ///
    /// # Panics
    /// If no local port can be bound.
    pub async fn start_with(handler: impl Fn(&Recorded) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen(Shared::new(Source::Handler(Arc::new(handler)), Default::default(), None))
            .await
    }

    #[allow(clippy::expect_used, reason = "without a port there is no test to run")]
    async fn listen(shared: Shared) -> Self {
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = TcpListener::bind(any_port).await.expect("a free local port");
        let address = listener.local_addr().expect("the address of a bound socket");
        let shared = Arc::new(shared);
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared))).abort_handle();
        let root = format!("http://{address}");
        Self { base_url: format!("{root}/v1"), root, shared, accepting }
    }

    /// Where clients find the API: `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Where clients find one API: the address, its [name](SpokenApi::name) and its
    /// [base path](SpokenApi::base_path), such as `http://127.0.0.1:PORT/gemini/v1beta`.
    pub fn url(&self, api: SpokenApi) -> String {
        format!("{}{}", self.root(api), api.base_path())
    }

    /// The same without the base path, for clients that bring it: `http://127.0.0.1:PORT/gemini`.
    pub fn root(&self, api: SpokenApi) -> String {
        format!("{}/{}", self.root, api.name())
    }

    /// All requests so far, in the order they came.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.requests()
    }

    /// Waits until `count` requests have come, so that a test can act while a reply is held up.
    pub async fn received(&self, count: usize) {
        self.shared.wait(|progress| progress.received >= count).await;
    }

    /// Waits until no reply is being sent. After a stalled reply this means that the client left.
    pub async fn quiet(&self) {
        self.shared.wait(|progress| progress.serving == 0).await;
    }

    /// Everything that speaks against the client: violations, and replies nobody asked for.
    pub fn problems(&self) -> Vec<String> {
        self.shared.problems()
    }

    /// Asserts that there are no [`problems`](Self::problems).
    ///
    /// # Panics
    /// With the list of them.
    #[track_caller]
    #[allow(clippy::panic, reason = "this is an assertion")]
    pub fn assert_clean(&self) {
        let problems = self.problems();
        if !problems.is_empty() {
            panic!("the model server has complaints:\n  {}", problems.join("\n  "));
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        // The task owns the listener and the set of connections, so both end with it.
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    let mut number = 0;
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection::serve(stream, number, Arc::clone(&shared)));
                    number += 1;
                }
                // Out of file descriptors, most likely: leave the others time to close some.
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            },
            Some(ended) = connections.join_next() => {
                if ended.is_err_and(|error| error.is_panic()) {
                    shared.panicked();
                }
            }
        }
    }
}
