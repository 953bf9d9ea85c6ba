//! [`Reading`]: the body of a response, read into a reply.

use std::{
    borrow::Cow,
    future::poll_fn,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use toolwright_core::{ModelError, ModelErrorKind, ModelResponse, StreamSender};
use toolwright_http::{
    Body, HttpError, HttpErrorKind,
    sse::{Item, Lines, TooLong},
};
use toolwright_timeout::{Countdown, timeout};

use super::{Draft, Handed, Protocol, Reader, sink::Sink};

/// The longest body that is read whole.
const LONGEST_BODY: usize = 32 << 20;
/// How much may come without anything in it: comments, blank lines.
const LONGEST_NOTHING: usize = 32 << 20;
/// How long a body may take to end after its last event.
const LONGEST_END: Duration = Duration::from_millis(250);

/// Reads a reply and hands its parts on.
pub(super) struct Reading<'a> {
    reader: Box<dyn Reader>,
    draft: Draft<'a>,
}

/// Why a piece of a reply was not taken.
pub(crate) enum Unread {
    /// It is not JSON as documented.
    Malformed(serde_json::Error),
    /// It says that something went wrong, or holds more than it may.
    Failed(ModelError),
}

impl From<serde_json::Error> for Unread {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error)
    }
}

impl From<ModelError> for Unread {
    fn from(error: ModelError) -> Self {
        Self::Failed(error)
    }
}

/// Reads a piece of JSON, and where it is none once more with half surrogates mended: `read` must not have
/// taken anything of what it could not read to its end.
pub(crate) fn understand(
    json: &[u8],
    mut read: impl FnMut(&str) -> Result<(), Unread>,
) -> Result<(), ModelError> {
    let text = match std::str::from_utf8(json) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(json),
    };
    match read(&text) {
        Ok(()) => Ok(()),
        Err(Unread::Failed(error)) => Err(error),
        Err(Unread::Malformed(error)) => match mended(&text).map(|text| read(&text)) {
            Some(Ok(())) => Ok(()),
            Some(Err(Unread::Failed(error))) => Err(error),
            _ => {
                // What it says is the provider's, and may hold anything, be it the key.
                tracing::debug!(%error, bytes = text.len(), "not understood");
                Err(broken("a piece of it is not JSON as documented"))
            }
        },
    }
}

/// Why reading a stream ended early.
enum Trouble {
    Model(ModelError),
    TooLong,
}

impl From<TooLong> for Trouble {
    fn from(_: TooLong) -> Self {
        Self::TooLong
    }
}

/// How long to wait for data: for the first, and for more.
#[derive(Clone, Copy)]
pub(super) struct IdleLimits {
    pub(super) first: Duration,
    pub(super) more: Duration,
}

impl<'a> Reading<'a> {
    pub(super) fn new(protocol: &dyn Protocol, outbox: &'a StreamSender<Handed>) -> Self {
        Self { reader: protocol.reader(), draft: Draft::new(Sink::new(outbox)) }
    }

    /// Whether a part of the reply was handed on.
    pub(super) fn begun(&self) -> bool {
        self.draft.sink().begun()
    }

    /// The whole reply.
    pub(super) fn reply(mut self) -> ModelResponse {
        self.reader.settle(&mut self.draft);
        self.draft.reply()
    }

    /// Reads a body that is one completion.
    pub(super) async fn whole(
        &mut self,
        mut body: Body,
        limit: Duration,
    ) -> Result<(), ModelError> {
        let bytes = read_whole(&mut body, limit).await?;
        self.data(&mut without_comments(&bytes).to_vec())?;
        // A whole completion is complete, also where a server forgets to say why it stopped.
        self.complete()
    }

    fn complete(&self) -> Result<(), ModelError> {
        if self.draft.has_begun() { Ok(()) } else { Err(broken("there is no message in it")) }
    }

    /// Reads a body that is a stream of events.
    pub(super) async fn stream(
        &mut self,
        mut body: Body,
        limits: IdleLimits,
    ) -> Result<(), ModelError> {
        let mut lines = Lines::default();
        let mut done = false;
        // A long prompt takes its time, also where the head of the response comes at once.
        let mut timer = Timer { heard: true, idle: Countdown::new(limits.first) };
        let mut nothing = 0_usize;
        loop {
            let bytes = match timer.next_data(&mut body, self.draft.sink()).await {
                Some(Ok(bytes)) => bytes,
                Some(Err(error)) if done || self.draft.is_finished() => {
                    tracing::debug!(%error, "the connection broke after the reply was complete");
                    break;
                }
                Some(Err(error)) => return Err(error),
                None => break,
            };
            let mut heard = false;
            let mut event = |item: Item<'_>| {
                heard |= !done;
                match item {
                    Item::Data(_) if done => Ok(()),
                    Item::Data(data) => {
                        let taken = self.data(data).map_err(Trouble::Model);
                        done = self.reader.is_over();
                        taken
                    }
                    Item::Done => {
                        done = true;
                        Ok(())
                    }
                }
            };
            lines.push(&bytes, &mut event).map_err(Trouble::into_error)?;
            timer.heard |= heard;
            nothing = if heard { 0 } else { nothing.saturating_add(bytes.len()) };
            if nothing > LONGEST_NOTHING {
                return Err(broken("32 MiB of it held nothing"));
            }
            if done {
                timer.shorten(LONGEST_END);
            } else if heard {
                timer.shorten(limits.more);
            }
        }
        let finished = done || self.draft.is_finished();
        let rest = lines.finish(|item| match item {
            Item::Data(data) if !done => self.data(data).map_err(Trouble::Model),
            Item::Data(_) => Ok(()),
            Item::Done => {
                done = true;
                Ok(())
            }
        });
        // Behind the end half a line does no harm.
        rest.map_err(Trouble::into_error).or_else(|it| if finished { Ok(()) } else { Err(it) })?;
        if done || self.draft.is_finished() {
            self.complete()
        } else {
            Err(broken("it stopped in the middle"))
        }
    }

    /// Takes the JSON of one event, or of a whole reply.
    fn data(&mut self, data: &mut [u8]) -> Result<(), ModelError> {
        self.reader.take(data, &mut self.draft)
    }
}

/// A body without the comments that some servers write in front of it while it is not ready.
fn without_comments(body: &[u8]) -> &[u8] {
    let mut body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    while body.first() == Some(&b':') {
        let end = memchr::memchr2(b'\n', b'\r', body).unwrap_or(body.len());
        body = body.get(end..).unwrap_or_default().trim_ascii_start();
    }
    body
}

/// The text with half surrogates (`\ud83d` without its other half, as a server writes that cuts
/// between the two) replaced; none where there are none.
fn mended(text: &str) -> Option<String> {
    let code = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let (mut from, mut at, mut changed) = (0, 0, false);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let here = at + found;
        let is_low = |code: &u16| (0xdc00..0xe000).contains(code);
        at = match code(here) {
            Some(0xd800..0xdc00) if code(here + 6).is_some_and(|code| is_low(&code)) => here + 12,
            Some(0xd800..0xe000) => {
                out.push_str(text.get(from..here)?);
                out.push_str("\\ufffd");
                changed = true;
                from = here + 6;
                from
            }
            _ => here + 2,
        };
    }
    out.push_str(text.get(from..)?);
    changed.then_some(out)
}

impl Trouble {
    fn into_error(self) -> ModelError {
        match self {
            Self::Model(error) => error,
            Self::TooLong => broken("a line of it is longer than 8 MiB"),
        }
    }
}

/// Notices when no data has been heard for too long. The clock is read only when there is nothing
/// to do but wait.
struct Timer {
    /// Whether data was heard since the clock was last read.
    heard: bool,
    idle: Countdown,
}

impl Timer {
    /// The next bytes of a body.
    async fn next_data(
        &mut self,
        body: &mut Body,
        sink: &Sink<'_>,
    ) -> Option<Result<Bytes, ModelError>> {
        poll_fn(|cx| {
            if let Poll::Ready(bytes) = body.poll_bytes(cx) {
                return Poll::Ready(bytes.map(|it| it.map_err(|error| interrupted(&error))));
            }
            // Whoever takes the parts that wait comes back at once.
            if sink.is_waiting() { Poll::Pending } else { self.poll_silence(cx).map(Some) }
        })
        .await
    }

    /// From now on the wait is this long and no longer.
    fn shorten(&mut self, idle: Duration) {
        if self.idle.limit() > idle {
            self.idle.restart_with(idle);
        }
    }

    fn poll_silence(&mut self, cx: &mut Context<'_>) -> Poll<Result<Bytes, ModelError>> {
        if std::mem::take(&mut self.heard) {
            self.idle.restart();
        }
        let limit = self.idle.limit();
        let error = |()| Err(silence("nothing more of the reply came", limit));
        self.idle.poll(cx).map(error)
    }
}

/// A body, whole and bounded.
pub(super) async fn read_whole(body: &mut Body, limit: Duration) -> Result<Vec<u8>, ModelError> {
    let read = timeout(limit, body.whole(LONGEST_BODY)).await;
    let read = read.map_err(|_| silence("the reply did not end", limit))?;
    read.map_err(|error| interrupted(&error))
}

fn interrupted(error: &HttpError) -> ModelError {
    match error.kind {
        HttpErrorKind::TooLong => broken(&error.reason),
        _ => broken(&format!("the connection broke ({error})")),
    }
}

pub(crate) fn broken(reason: &str) -> ModelError {
    let message = format!("the model's reply broke off: {reason}");
    ModelError::new(ModelErrorKind::BrokenReply, message).with_advice("ask again")
}

pub(super) fn silence(what: &str, limit: Duration) -> ModelError {
    ModelError::new(
        ModelErrorKind::Timeout,
        format!("{what} within {}", toolwright_duration::format(limit)),
    )
    .with_advice("the server may be overloaded: ask again, or raise the time limit")
}
