//! [`Revocable`]: what somebody is told, for as long as what they showed is good.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use super::{grants::FRESH, visitor::Revoked};
use crate::server::Service;

/// A body that ends when the browser it is for was signed out, or the token was removed: a stream may go on for days.
pub(super) struct Revocable {
    body: Body,
    service: Service,
    /// The browser that followed a link.
    browser: Option<String>,
    /// Ends when the database has no such token, or browser that is signed in, any more.
    removed: Pin<Box<dyn Future<Output = ()> + Send>>,
    has_begun: bool,
}

impl Revocable {
    pub(super) fn new(body: Body, service: Service, shown: Revoked) -> Self {
        let (browser, grant) = match shown {
            Revoked::Browser(id) => (Some(id), None),
            Revoked::Grant(shown) => (None, Some(shown)),
        };
        let gate = service.clone();
        let removed = Box::pin(async move {
            let Some(shown) = grant else { return std::future::pending().await };
            loop {
                tokio::time::sleep(FRESH).await;
                if !gate.gate().grants.is_good(&shown).await {
                    return;
                }
            }
        });
        Self { body, service, browser, removed, has_begun: false }
    }
}

impl hyper::body::Body for Revocable {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.removed.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        // The first is part of the answer to a request that was let in.
        let is_known = |id: &String| self.service.gate().is_known(id);
        let goes_on = !self.has_begun || self.browser.as_ref().is_none_or(is_known);
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
