//! [`Sending`]: a connection whose other end takes what it is sent.
//!
//! Whoever asks for much and reads nothing would keep all of it in memory, and a place among the
//! connections, for as long as they like. Who has nothing to be sent is not hurried.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use toolwright_timeout::Countdown;

/// A connection that fails once its other end has taken nothing for too long.
pub(crate) struct Sending<S> {
    stream: S,
    timeout: Duration,
    /// Runs while something waits to be taken.
    waiting: Option<Countdown>,
}

impl<S> Sending<S> {
    pub(crate) fn new(stream: S, timeout: Duration) -> Self {
        Self { stream, timeout, waiting: None }
    }
}

impl<S: AsyncWrite + Unpin> Sending<S> {
    /// What an attempt to send came to. Where it waits, it does not wait for ever.
    fn within<T>(
        &mut self,
        cx: &mut Context<'_>,
        attempt: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(done) = attempt(Pin::new(&mut self.stream), cx) {
            self.waiting = None;
            return Poll::Ready(done);
        }
        let timeout = self.timeout;
        ready!(self.waiting.get_or_insert_with(|| Countdown::new(timeout)).poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Sending<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.within(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.within(cx, |stream, cx| stream.poll_write_vectored(cx, bytes))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.within(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.within(cx, AsyncWrite::poll_shutdown)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Sending<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
        time::sleep,
    };

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(300);

    async fn connected() -> (Sending<TcpStream>, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (far, near) =
            tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        (Sending::new(near.unwrap().0, PATIENCE), far.unwrap())
    }

    #[tokio::test]
    async fn who_takes_nothing_is_let_go() {
        let (mut near, _far) = connected().await;
        let piece = vec![0; 64 << 10];
        // What the kernel takes in advance has an end.
        let error = loop {
            if let Err(error) = near.write_all(&piece).await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_takes_a_little_now_and_then_is_not() {
        let (mut near, mut far) = connected().await;
        let sending = tokio::spawn(async move {
            let all = vec![0; 24 << 20];
            near.write_all(&all).await?;
            near.shutdown().await
        });
        let (mut taken, mut piece) = (0, vec![0; 4 << 20]);
        loop {
            sleep(PATIENCE / 6).await;
            match far.read(&mut piece).await.unwrap() {
                0 => break,
                read => taken += read,
            }
        }
        sending.await.unwrap().unwrap();
        assert_eq!(taken, 24 << 20);
    }
}
