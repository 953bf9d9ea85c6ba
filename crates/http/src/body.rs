//! [`Body`]: what a response brings, piece by piece.

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use hyper::body::{Body as _, Incoming};

use crate::{HttpError, HttpErrorKind, Origin, connection::Connection};

/// What a response brings. Read to its end, its connection is used again; dropped before, it is closed.
pub struct Body {
    incoming: Incoming,
    connection: Option<Connection>,
    origin: Origin,
}

impl Body {
    pub(crate) fn new(incoming: Incoming, connection: Connection, origin: &Origin) -> Self {
        Self { incoming, connection: Some(connection), origin: origin.clone() }
    }

    /// The next bytes; none at the end.
    pub fn poll_bytes(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, HttpError>>> {
        let Some(connection) = &mut self.connection else { return Poll::Ready(None) };
        let incoming = &mut self.incoming;
        let next = ready!(connection.poll_with(cx, |cx| poll_data(incoming, cx)));
        if !matches!(next, Some(Ok(_)))
            && let Some(connection) = self.connection.take()
            && next.is_none()
        {
            self.origin.give_back(connection);
        }
        Poll::Ready(next)
    }

    /// The next bytes; none at the end.
    ///
    /// # Errors
    /// When the connection broke.
    pub async fn bytes(&mut self) -> Result<Option<Bytes>, HttpError> {
        poll_fn(|cx| self.poll_bytes(cx)).await.transpose()
    }

    /// All of it.
    ///
    /// # Errors
    /// When the connection broke, or there is more than `most`.
    pub async fn whole(&mut self, most: usize) -> Result<Vec<u8>, HttpError> {
        let mut whole = Vec::new();
        while let Some(piece) = self.bytes().await? {
            if whole.len() + piece.len() > most {
                let most = if most < 1 << 20 { (most >> 10, "KiB") } else { (most >> 20, "MiB") };
                let reason = format!("it is longer than {} {}", most.0, most.1);
                return Err(HttpError::new(HttpErrorKind::TooLong, reason));
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole)
    }
}

fn poll_data(
    incoming: &mut Incoming,
    cx: &mut Context<'_>,
) -> Poll<Option<Result<Bytes, HttpError>>> {
    loop {
        match ready!(Pin::new(&mut *incoming).poll_frame(cx)) {
            None => return Poll::Ready(None),
            Some(Err(error)) => {
                let error = HttpError::new(HttpErrorKind::Broken, error.to_string());
                return Poll::Ready(Some(Err(error)));
            }
            Some(Ok(frame)) => {
                if let Ok(bytes) = frame.into_data() {
                    return Poll::Ready(Some(Ok(bytes)));
                }
            }
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body").field("origin", &self.origin).finish_non_exhaustive()
    }
}
