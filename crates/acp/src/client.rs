//! [`Client`]: the other end, as it is told and asked.

use std::{
    collections::HashMap,
    io::Write,
    pin::Pin,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    task::{Context, Poll},
};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use toolwright_core::ConversationId;

use crate::{params::ClientCapabilities, rpc::RpcError};

/// How many lines wait to be written. Whoever writes more waits: a run goes as fast as it is listened to.
const WAITING: usize = 64;

/// What the other end answered: a result, or an error.
type Outcome = Result<Value, Value>;

/// The other end. Clones talk to the same.
#[derive(Clone)]
pub(crate) struct Client {
    lines: mpsc::Sender<String>,
    asked: Arc<Asked>,
    /// What it can do, once it said so.
    can: Arc<OnceLock<ClientCapabilities>>,
}

#[derive(Default)]
struct Asked {
    next: AtomicI64,
    open: Mutex<HashMap<i64, oneshot::Sender<Outcome>>>,
}

/// Nobody reads what is written any more.
#[derive(Debug)]
pub(crate) struct Gone;

impl Client {
    /// Writes lines on a thread of its own, as a write cannot be given up. The receiver ends when everything was
    /// written, or nothing can be.
    pub(crate) fn new(mut output: impl Write + Send + 'static) -> (Self, oneshot::Receiver<()>) {
        let (lines, mut waiting) = mpsc::channel::<String>(WAITING);
        let (written, is_written) = oneshot::channel();
        let write = move || {
            while let Some(line) = waiting.blocking_recv() {
                let done = output.write_all(line.as_bytes()).and_then(|()| output.flush());
                if let Err(error) = done {
                    tracing::debug!(%error, "the client does not listen any more");
                    break;
                }
            }
            // Nobody may wait for it any more.
            let _ = written.send(());
        };
        if let Err(error) = std::thread::Builder::new().name("acp-output".to_owned()).spawn(write) {
            tracing::error!(%error, "no thread could be started to write standard output");
        }
        (Self { lines, asked: Arc::default(), can: Arc::default() }, is_written)
    }

    /// Ends when nobody reads what is written.
    pub(crate) async fn gone(&self) {
        self.lines.closed().await;
    }

    /// What it can do; nothing where it was not asked yet.
    pub(crate) fn capabilities(&self) -> ClientCapabilities {
        self.can.get().copied().unwrap_or_default()
    }

    /// Whether it has introduced itself.
    pub(crate) fn is_known(&self) -> bool {
        self.can.get().is_some()
    }

    /// It introduced itself. What it says a second time does not count.
    pub(crate) fn introduce(&self, can: ClientCapabilities) {
        let _ = self.can.set(can);
    }

    async fn send(&self, message: &Value) -> Result<(), Gone> {
        self.lines.send(format!("{message}\n")).await.map_err(|_| Gone)
    }

    /// Answers a request. Whoever has left is not answered.
    pub(crate) async fn respond(&self, id: Value, outcome: Result<Value, RpcError>) {
        let message = match outcome {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error.json()}),
        };
        let _ = self.send(&message).await;
    }

    /// Tells of a change in a session.
    pub(crate) async fn update(&self, session: &ConversationId, update: Value) -> Result<(), Gone> {
        let params = json!({"sessionId": session, "update": update});
        let message = json!({"jsonrpc": "2.0", "method": "session/update", "params": params});
        self.send(&message).await
    }

    /// Asks. What is dropped is not waited for any more.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Result<Reply, Gone> {
        let id = self.asked.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        self.asked.lock().insert(id, sender);
        // Made first: where nothing can be sent, nothing is left behind.
        let reply = Reply { id, asked: self.asked.clone(), receiver };
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&message).await?;
        Ok(reply)
    }

    /// An answer came. One to a question that nobody waits for is nothing.
    pub(crate) fn answered(&self, id: &Value, outcome: Outcome) {
        let waiting = id.as_i64().and_then(|id| self.asked.lock().remove(&id));
        if let Some(waiting) = waiting {
            // Whoever waited may have left just now.
            let _ = waiting.send(outcome);
        }
    }
}

impl Asked {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<i64, oneshot::Sender<Outcome>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer that is waited for.
pub(crate) struct Reply {
    id: i64,
    asked: Arc<Asked>,
    receiver: oneshot::Receiver<Outcome>,
}

impl Future for Reply {
    /// None where it will never come.
    type Output = Option<Outcome>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.receiver).poll(cx).map(Result::ok)
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        self.asked.lock().remove(&self.id);
    }
}
