//! [`serve_stdio`]: the server over standard input and output, for the program that started it.

use std::{
    io::{self, Read as _, Write as _},
    time::Duration,
};

use futures_core::future::BoxFuture;
use rmcp::{
    RoleServer,
    model::ClientJsonRpcMessage,
    service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage, serve_server_with_ct},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream, duplex},
    runtime::Handle,
    sync::oneshot,
};
use tokio_util::sync::CancellationToken;

use super::McpServer;

/// The longest message, in bytes. A longer one is passed over.
const MESSAGE: usize = 4 << 20;
/// How much is under way between the threads and the server.
const BUFFER: usize = 64 << 10;
/// How long what was said last may take to be written.
const LEAVING: Duration = Duration::from_secs(2);

/// Serves the program at the other end of standard input and output, until it closes its end or `stop` ends.
///
/// # Errors
/// When nothing can be read or written.
pub async fn serve_stdio(server: McpServer, stop: impl Future<Output = ()>) -> io::Result<()> {
    let (input, (output, written)) = (input()?, output()?);
    serve_streams(server, input, output, stop).await;
    let _ = tokio::time::timeout(LEAVING, written).await;
    Ok(())
}

/// Serves one client over any two streams, until the first ends or `stop` does.
pub async fn serve_streams(
    server: McpServer,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()>,
) {
    let ended = CancellationToken::new();
    let transport = AsyncRwTransport::new(input, output).with_max_line_length(MESSAGE);
    // What it is made of is deep enough to be put aside.
    let mut serving: BoxFuture<'static, ()> = Box::pin(serve(server, transport, ended.clone()));
    tokio::select! {
        () = &mut serving => {}
        () = stop => {
            ended.cancel();
            serving.await;
        }
    }
}

async fn serve<T: Transport<RoleServer> + 'static>(
    server: McpServer,
    transport: T,
    ended: CancellationToken,
) {
    let transport = Patient { transport, is_begun: false };
    match serve_server_with_ct(server, transport, ended).await {
        Ok(running) => {
            if let Err(error) = running.waiting().await {
                tracing::error!(%error, "the MCP server broke off");
            }
        }
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {}
        Err(error) => tracing::warn!(%error, "the client did not begin as it should"),
    }
}

/// Passes over what is no request, until there was one: it means nothing yet, and is no reason to end.
struct Patient<T> {
    transport: T,
    is_begun: bool,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.transport.receive().await?;
            self.is_begun |= matches!(message, ClientJsonRpcMessage::Request(_));
            if self.is_begun {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}

/// Standard input, read by a thread that nobody waits for: whoever is told to end while nothing comes would
/// never do so.
fn input() -> io::Result<DuplexStream> {
    let (mut inner, outer) = duplex(BUFFER);
    let runtime = Handle::current();
    std::thread::Builder::new().name("mcp-input".to_owned()).spawn(move || {
        let (mut stdin, mut buffer) = (io::stdin().lock(), vec![0; BUFFER]);
        loop {
            let read = match stdin.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            let piece = buffer.get(..read).unwrap_or_default();
            if runtime.block_on(inner.write_all(piece)).is_err() {
                return;
            }
        }
    })?;
    Ok(outer)
}

/// Standard output, written by a thread; what comes back ends when all was written.
fn output() -> io::Result<(DuplexStream, oneshot::Receiver<()>)> {
    let (mut inner, outer) = duplex(BUFFER);
    let (done, written) = oneshot::channel();
    let runtime = Handle::current();
    std::thread::Builder::new().name("mcp-output".to_owned()).spawn(move || {
        let (mut stdout, mut buffer) = (io::stdout().lock(), vec![0; BUFFER]);
        while let Ok(read @ 1..) = runtime.block_on(inner.read(&mut buffer)) {
            let piece = buffer.get(..read).unwrap_or_default();
            if stdout.write_all(piece).and_then(|()| stdout.flush()).is_err() {
                break;
            }
        }
        let _ = done.send(());
    })?;
    Ok((outer, written))
}
