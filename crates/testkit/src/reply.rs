//! [`Reply`]: one scripted answer, and the [`Fault`] that may befall it on the wire.

use std::time::Duration;

use serde_json::Value;

use crate::api::fragments;
use crate::api::{
    Envelope, Failure, RetryForm, Spoken, SpokenApi, SpokenPart, SpokenStop, SpokenUsage,
};
use crate::chunking::Chunking;
use crate::server::Recorded;

/// What goes wrong while a reply is sent.
///
/// The number counts bytes of the body as the client would see it without HTTP framing; for
/// [`Reply::raw_http`] it counts all bytes of the response. A number past the end means after the
/// last byte, and before the mark that ends the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Closes the connection in the middle of the body.
    CutAt(usize),
    /// Resets the connection (RST). What was sent before stays readable only as far as the
    /// client's receive buffer had room for it.
    ResetAt(usize),
    /// Falls silent, and keeps the connection open until the client leaves.
    StallAt(usize),
    /// Sends nothing but the comment `: keep-alive` every 20 ms, until the client leaves.
    CommentsAt(usize),
    /// Puts `\xff\xfe{{{not json` into the body, then sends the rest and ends it properly.
    GarbageAt(usize),
}

/// One answer of the server.
///
/// [`Reply::text`], [`Reply::calls`] and [`Reply::spoken`] are said in the API of the request, streamed
/// or whole as it asks, and so is [`Reply::failure`]; the others are sent as they are.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) content: Content,
    pub(crate) delay: Duration,
    pub(crate) pace: Duration,
    pub(crate) chunking: Option<Chunking>,
    pub(crate) fault: Option<Fault>,
}

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Spoken(Spoken),
    Failure(Failure, Option<(Duration, RetryForm)>),
    /// A body as it is, with its content type.
    Body(&'static str, Vec<u8>),
    /// The whole response as it is, head and all.
    Http(Vec<u8>),
}

impl Reply {
    fn new(content: Content) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            content,
            delay: Duration::ZERO,
            pace: Duration::ZERO,
            chunking: None,
            fault: None,
        }
    }

    /// The model answers with text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::spoken(Spoken::text(&text.into()))
    }

    /// The model calls tools: `(id, name, arguments)` each. The arguments are sent as they are,
    /// valid JSON or not.
    pub fn calls<I, S>(calls: I) -> Self
    where
        I: IntoIterator<Item = (S, S, S)>,
        S: Into<String>,
    {
        Self::spoken(Spoken::calls(calls))
    }

    /// The model says this.
    pub fn spoken(spoken: Spoken) -> Self {
        Self::new(Content::Spoken(spoken))
    }

    /// The request fails, in the way of its API.
    pub fn failure(failure: Failure) -> Self {
        Self::new(Content::Failure(failure, None))
    }

    /// How long a [`Reply::failure`] asks to wait, and how it says so.
    ///
    /// # Panics
    /// On any other reply.
    #[must_use]
    #[track_caller]
    #[allow(clippy::panic, reason = "a script that makes no sense is a bug in the test")]
    pub fn retry_after(mut self, wait: Duration, form: RetryForm) -> Self {
        let Content::Failure(_, retry) = &mut self.content else {
            panic!("retry_after() is for failure replies");
        };
        *retry = Some((wait, form));
        self
    }

    /// An HTTP status with an empty JSON object as its body; see [`Reply::body`].
    pub fn status(status: u16) -> Self {
        Self { status, ..Self::new(Content::Body("application/json", b"{}".to_vec())) }
    }

    /// Exactly this JSON with status 200, even if a stream was asked for.
    #[allow(clippy::needless_pass_by_value, reason = "reads as json!({…}) at the call")]
    pub fn json(body: Value) -> Self {
        Self::new(Content::Body("application/json", body.to_string().into_bytes()))
    }

    /// Exactly these bytes as a `text/event-stream`, even if no stream was asked for.
    pub fn raw_sse(events: impl Into<Vec<u8>>) -> Self {
        Self::new(Content::Body("text/event-stream", events.into()))
    }

    /// Exactly these bytes as the whole HTTP response; the connection is closed after them.
    ///
    /// No bytes at all make a server that hangs up instead of answering.
    pub fn raw_http(response: impl Into<Vec<u8>>) -> Self {
        Self::new(Content::Http(response.into()))
    }

    /// Adds a response header; `content-type` replaces the default one.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Replaces the body of a [`Reply::status`], [`Reply::json`] or [`Reply::raw_sse`].
    ///
    /// # Panics
    /// On a completion or a raw response, which have no such body.
    #[must_use]
    #[track_caller]
    #[allow(clippy::panic, reason = "a script that makes no sense is a bug in the test")]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        let Content::Body(_, old) = &mut self.content else {
            panic!("body() is for status, json and raw_sse replies");
        };
        *old = body.into();
        self
    }

    /// Text beside the calls.
    #[must_use]
    #[track_caller]
    pub fn with_text(self, text: impl Into<String>) -> Self {
        let text = SpokenPart::Text(fragments(&text.into()));
        self.change(|spoken| spoken.insert(text))
    }

    /// Reasoning before the answer, as `reasoning_content`.
    #[must_use]
    #[track_caller]
    pub fn with_reasoning(self, reasoning: impl Into<String>) -> Self {
        let pieces = fragments(&reasoning.into());
        let part = SpokenPart::Reasoning { pieces, seal: None, redacted: false };
        self.change(|spoken| spoken.insert(part))
    }

    /// Another `finish_reason` than `stop` or `tool_calls`, by the word of a chat; the other APIs have
    /// theirs for what a chat has one for.
    #[must_use]
    #[track_caller]
    pub fn finish_reason(self, reason: impl Into<String>) -> Self {
        let stop = match reason.into().as_str() {
            "stop" => SpokenStop::Done,
            "tool_calls" => SpokenStop::Calls,
            "length" => SpokenStop::Length,
            "content_filter" => SpokenStop::Filter,
            other => SpokenStop::Other(other.to_owned()),
        };
        self.change(|spoken| spoken.stop = stop)
    }

    /// No `finish_reason`: a stream has no closing chunk, a whole completion says null.
    #[must_use]
    #[track_caller]
    pub fn without_finish(self) -> Self {
        self.change(|spoken| spoken.stop = SpokenStop::Missing)
    }

    /// No `[DONE]` at the end of a stream.
    #[must_use]
    #[track_caller]
    pub fn without_done(self) -> Self {
        self.change(|spoken| spoken.ended = false)
    }

    /// The tokens of the prompt and of the completion.
    #[must_use]
    #[track_caller]
    pub fn usage(self, prompt: u64, completion: u64) -> Self {
        let usage = SpokenUsage { prompt, completion, ..SpokenUsage::default() };
        self.change(|spoken| spoken.usage = Some(usage))
    }

    /// No usage, even if it was asked for.
    #[must_use]
    #[track_caller]
    pub fn without_usage(self) -> Self {
        self.change(|spoken| spoken.usage = None)
    }

    /// Waits before the first byte of the response.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Waits before every piece of the body but the first.
    #[must_use]
    pub fn pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// Cuts this reply otherwise than the script says.
    #[must_use]
    pub fn chunking(mut self, chunking: Chunking) -> Self {
        self.chunking = Some(chunking);
        self
    }

    /// Breaks the reply on the wire.
    #[must_use]
    pub fn fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    #[track_caller]
    #[allow(clippy::panic, reason = "a script that makes no sense is a bug in the test")]
    fn change(mut self, change: impl FnOnce(&mut Spoken)) -> Self {
        let Content::Spoken(spoken) = &mut self.content else {
            panic!("this option is for text and calls replies");
        };
        change(spoken);
        self
    }

    /// What is to be said, as the bytes that say it in the API of `request`.
    pub(crate) fn said(self, request: &Recorded) -> Self {
        let api = request.api().unwrap_or(SpokenApi::Chat);
        let failure = match self.content {
            Content::Failure(failure, retry) => Some((failure, retry)),
            // Without a stream there is no middle of one.
            Content::Spoken(Spoken { breaks: Some((failure, _)), .. }) if !request.streamed() => {
                Some((failure, None))
            }
            _ => None,
        };
        if let Some((failure, retry)) = failure {
            let error = api.error_after(failure, retry);
            let headers = [self.headers, error.headers].concat();
            let content = Content::Body("application/json", error.body.into_bytes());
            return Self { status: error.status, headers, content, ..self };
        }
        let Content::Spoken(spoken) = &self.content else { return self };
        let include_usage = request.body.pointer("/stream_options/include_usage");
        let envelope = Envelope {
            number: request.number,
            model: request.model().unwrap_or("scripted"),
            usage: include_usage == Some(&Value::Bool(true)),
        };
        let content = if request.streamed() {
            Content::Body(api.stream_type(), api.streamed(spoken, &envelope).into_bytes())
        } else {
            Content::Body(
                "application/json",
                api.at_once(spoken, &envelope).to_string().into_bytes(),
            )
        };
        Self { content, ..self }
    }
}
