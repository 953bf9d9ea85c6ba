//! [`Connection`]: one connection, and the work of reading and writing it.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use hyper::{
    body::Incoming,
    client::conn::http1::{self, SendRequest},
    upgrade::Upgraded,
};
use toolwright_timeout::Countdown;

use crate::{
    connect::Stream,
    meter::{Meter, Metered},
};

/// How long the head of a response may take from its first byte on.
pub(crate) const LONGEST_HEAD: Duration = Duration::from_secs(10);
/// Older ones are closed: firewalls forget connections without telling either side.
const LONGEST_IDLE: Duration = Duration::from_secs(60);

type Work = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

/// A connection, and the work of reading and writing it.
///
/// hyper would have that work spawned. Here whoever waits for a response does it himself: no task
/// to wake for every piece that arrives, and dropping an exchange closes its connection at once.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    meter: Arc<Meter>,
    /// None once it is closed. What was not sent by then is told so only when this is dropped: whoever
    /// waits for a response would wait for ever.
    work: Option<Work>,
    idle_since: Instant,
}

/// Why there is no response.
pub(crate) enum Unheard {
    Failed(hyper::Error),
    /// Its head does not end.
    Endless,
}

/// What a connection is for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Requests,
    /// One `CONNECT`, after which the stream is somebody else's.
    Tunnel,
}

impl Connection {
    pub(crate) async fn open(stream: Stream, purpose: Purpose) -> hyper::Result<Self> {
        let meter = Arc::new(Meter::default());
        let stream = Metered { stream, meter: meter.clone() };
        let (sender, work) = http1::handshake(stream).await?;
        let work: Work = match purpose {
            Purpose::Requests => Box::pin(work),
            Purpose::Tunnel => Box::pin(work.with_upgrades()),
        };
        Ok(Self { sender, meter, work: Some(work), idle_since: Instant::now() })
    }

    /// Polls `wanted`, doing the connection's work whenever it is not ready.
    pub(crate) fn poll_with<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut wanted: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        if let Poll::Ready(value) = wanted(cx) {
            return Poll::Ready(value);
        }
        work_on(&mut self.work, cx);
        wanted(cx)
    }

    pub(crate) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, Unheard> {
        poll_fn(|cx| {
            let Self { sender, work, .. } = self;
            if let Poll::Ready(ready) = sender.poll_ready(cx) {
                return Poll::Ready(ready);
            }
            work_on(work, cx);
            sender.poll_ready(cx)
        })
        .await
        .map_err(Unheard::Failed)?;
        let mut response = pin!(self.sender.send_request(request));
        let meter = self.meter.clone();
        meter.begin();
        let mut timeout = None;
        let head = poll_fn(|cx| {
            if let Poll::Ready(head) = self.poll_with(cx, |cx| response.as_mut().poll(cx)) {
                return Poll::Ready(head.map_err(Unheard::Failed));
            }
            if !meter.has_begun() {
                return Poll::Pending;
            }
            let timeout = timeout.get_or_insert_with(|| Countdown::new(LONGEST_HEAD));
            timeout.poll(cx).map(|()| Err(Unheard::Endless))
        })
        .await;
        meter.end();
        match head {
            Err(Unheard::Failed(_)) if meter.is_exceeded() => Err(Unheard::Endless),
            head => head,
        }
    }

    /// The stream, once the other side has agreed to a tunnel.
    pub(crate) async fn into_stream(
        mut self,
        response: Response<Incoming>,
    ) -> hyper::Result<Upgraded> {
        let mut upgrade = pin!(hyper::upgrade::on(response));
        poll_fn(|cx| self.poll_with(cx, |cx| upgrade.as_mut().poll(cx))).await
    }

    /// Marks it as idle from now on; false where it is closed.
    pub(crate) fn rest(&mut self) -> bool {
        self.idle_since = Instant::now();
        self.work.is_some() && !self.sender.is_closed()
    }

    /// Whether it was idle for so short a time that it can be used again.
    pub(crate) fn is_fresh(&self) -> bool {
        self.idle_since.elapsed() < LONGEST_IDLE
    }
}

/// Does a connection's work. Why it closed is told to whoever waits for a response.
fn work_on(work: &mut Option<Work>, cx: &mut Context<'_>) {
    if work.as_mut().is_some_and(|work| work.as_mut().poll(cx).is_ready()) {
        *work = None;
    }
}

/// Whether a kept connection was closed before the response began.
pub(crate) fn is_stale(error: &hyper::Error) -> bool {
    error.is_incomplete_message() || error.is_closed() || error.is_canceled()
}
