//! [`Revocable`]: what a browser is told, for as long as it is known.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use crate::server::Service;

/// A body that ends when the browser it is for was signed out: a stream may go on for days.
pub(super) struct Revocable {
    body: Body,
    service: Service,
    session: String,
    has_begun: bool,
}

impl Revocable {
    pub(super) fn new(body: Body, service: Service, session: String) -> Self {
        Self { body, service, session, has_begun: false }
    }
}

impl hyper::body::Body for Revocable {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        // The first is part of the answer to a request that was let in.
        let goes_on = !self.has_begun || self.service.gate().is_known(&self.session);
        self.has_begun = true;
        Poll::Ready(frame.filter(|_| goes_on))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
