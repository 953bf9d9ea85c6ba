//! [`Meter`]: how much a server sends before its response begins.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    task::{Context, Poll, ready},
};

use hyper::rt::{Read, ReadBuf, ReadBufCursor, Write};

/// How long a head may be, together with whatever responses are announced before it (`103 Early
/// Hints` and its like may come without end). What comes in the same read behind it does not count.
pub(crate) const MOST: usize = 64 << 10;

/// How much a server sends before its response begins.
#[derive(Default)]
pub(crate) struct Meter {
    /// Whether a head is being read.
    is_on: AtomicBool,
    read: AtomicUsize,
}

impl Meter {
    /// A head is expected.
    pub(crate) fn begin(&self) {
        self.read.store(0, Relaxed);
        self.is_on.store(true, Relaxed);
    }

    /// The head is there, or nobody waits for it.
    pub(crate) fn end(&self) {
        self.is_on.store(false, Relaxed);
    }

    /// Whether anything of it has come.
    pub(crate) fn has_begun(&self) -> bool {
        self.read.load(Relaxed) > 0
    }

    /// Whether it was longer than it may be.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.read.load(Relaxed) > MOST
    }
}

/// A stream that a meter watches.
pub(crate) struct Metered<S> {
    pub(crate) stream: S,
    pub(crate) meter: Arc<Meter>,
}

impl<S: Read + Unpin> Read for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut to: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.meter.is_on.load(Relaxed) {
            return Pin::new(&mut self.stream).poll_read(cx, to);
        }
        if self.meter.is_exceeded() {
            return Poll::Ready(Err(io::Error::other("the head of the response does not end")));
        }
        // How much was read cannot be asked of the buffer once it was lent: a head is small enough to
        // be copied.
        let mut piece = [0; 4096];
        let room = piece.get_mut(..to.remaining().min(4096)).unwrap_or_default();
        let mut read = ReadBuf::new(room);
        ready!(Pin::new(&mut self.stream).poll_read(cx, read.unfilled()))?;
        to.put_slice(read.filled());
        self.meter.read.fetch_add(read.filled().len(), Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl<S: Write + Unpin> Write for Metered<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }
}
