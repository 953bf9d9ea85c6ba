//! [`stream`]: what a listener hears as server-sent events.

use std::convert::Infallible;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::{Bytes, BytesMut};
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::json;
use toolwright_core::{ConversationId, RunId};

use crate::runs::{Heard, Started, Subscription};

/// What is written next.
pub(crate) struct Said {
    bytes: Bytes,
    is_last: bool,
}

impl Said {
    /// This, and more may follow.
    pub(crate) fn more(bytes: impl Into<Bytes>) -> Self {
        Self { bytes: bytes.into(), is_last: false }
    }

    /// This, and nothing more.
    pub(crate) fn last(bytes: impl Into<Bytes>) -> Self {
        Self { bytes: bytes.into(), is_last: true }
    }

    /// Only that the connection still stands.
    pub(crate) fn nothing() -> Self {
        Self::more(Bytes::from_static(b": \n\n"))
    }
}

/// What is said where something else waits in the conversation. It is no event of a run: it has a name, as they
/// have none, and no place.
const QUEUE: &[u8] = b"event: queue\ndata: {\"type\":\"queue_changed\"}\n\n";

/// What is said where nobody drives the run. As little an event of it as the above.
fn undriven(why: &str) -> String {
    let data = json!({"type": "undriven", "message": why});
    format!("event: undriven\ndata: {data}\n\n")
}

/// What is said where the server goes before what is listened to has ended: come back soon, here or elsewhere.
const LEAVING: &[u8] = b": the server stops; ask again with Last-Event-ID\nretry: 500\n\n";

/// What a listener hears, as it is.
pub(crate) fn events(subscription: Subscription) -> Response {
    respond(subscription, |heard| match heard {
        Heard::Frames(frames) => match frames.as_slice() {
            [only] => Said::more(only.sse.clone()),
            all => {
                let mut joined = BytesMut::with_capacity(all.iter().map(|it| it.sse.len()).sum());
                all.iter().for_each(|frame| joined.extend_from_slice(&frame.sse));
                Said::more(joined.freeze())
            }
        },
        Heard::Queue => Said::more(Bytes::from_static(QUEUE)),
        Heard::Undriven(why) => Said::more(undriven(&why)),
        Heard::Nothing => Said::nothing(),
        Heard::Leaving => Said::last(Bytes::from_static(LEAVING)),
    })
}

/// What a listener hears, put into a form of somebody else's.
pub(crate) fn respond(
    subscription: Subscription,
    write: impl FnMut(Heard) -> Said + Send + 'static,
) -> Response {
    let heard = stream::unfold(Some((subscription, write)), |going| async {
        let (mut subscription, mut write) = going?;
        let Said { bytes, is_last } = write(subscription.next().await?);
        Some((Ok::<_, Infallible>(bytes), (!is_last).then_some((subscription, write))))
    });
    (headers(), Body::from_stream(heard)).into_response()
}

/// The stream of a run that was begun, with what it is called.
pub(crate) fn begun(started: Started) -> Response {
    let Started { conversation, run, subscription } = started;
    with_names(events(subscription), &conversation, &run)
}

/// What answers for a run, with what that and its conversation are called.
pub(crate) fn with_names(
    mut response: Response,
    conversation: &ConversationId,
    run: &RunId,
) -> Response {
    let names = [("x-conversation-id", conversation.as_str()), ("x-run-id", run.as_str())];
    for (name, value) in names {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

pub(crate) fn headers() -> HeaderMap {
    let pairs = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // Proxies are asked to pass pieces on as they come.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    pairs.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}
