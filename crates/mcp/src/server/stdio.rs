//! [`serve_stdio`]: the server over standard input and output, for the program that started it.

use std::{
    io::{self, Read as _, Write as _},
    time::Duration,
};

use futures_core::future::BoxFuture;
use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, JsonRpcError},
    service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage, serve_server_with_ct},
    transport::Transport,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream, duplex},
    runtime::Handle,
    sync::oneshot,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::{McpServer, message};
use crate::line::{Line, LineReader, LineWriter, id_at_the_ends};

/// The longest message, in bytes.
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
    let transport = Lines {
        read: LineReader::new(input, MESSAGE),
        write: LineWriter::new(output),
        is_begun: false,
        telling: None,
    };
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

/// Messages as lines. What is none is answered as it would be over HTTP, and what is no request is passed over
/// until there was one: it means nothing yet, and is no reason to end.
struct Lines<R, W> {
    read: LineReader<R>,
    write: LineWriter<W>,
    is_begun: bool,
    /// What is being told of the last line. A read may be given up at any point, and half a line would be none.
    telling: Option<JoinHandle<io::Result<()>>>,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// The next line, once it was told what was wrong with the last; none at the end.
    async fn next(&mut self) -> io::Result<Option<Line>> {
        if let Some(telling) = &mut self.telling {
            let told = telling.await;
            self.telling = None;
            told.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        }
        self.read.next().await
    }
}

/// The message in a line, or what is told where it is none; nothing where the line is empty.
fn message_in(line: &Line) -> Option<Result<ClientJsonRpcMessage, JsonRpcError>> {
    if let Some(tail) = &line.tail {
        let id = id_at_the_ends(&line.bytes, tail, "params");
        return Some(Err(message::too_long(MESSAGE, id)));
    }
    let is_empty = message::trimmed(&line.bytes).is_empty();
    (!is_empty).then(|| message::read(&line.bytes))
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.write.send(&item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = match self.next().await {
                Ok(line) => line?,
                Err(error) => {
                    tracing::debug!(%error, "the client cannot be read or told anything");
                    return None;
                }
            };
            match message_in(&line) {
                None => {}
                Some(Err(told)) => self.telling = Some(tokio::spawn(self.write.send(&told))),
                Some(Ok(message)) => {
                    self.is_begun |= matches!(message, ClientJsonRpcMessage::Request(_));
                    if self.is_begun {
                        return Some(message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.close().await;
        Ok(())
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
