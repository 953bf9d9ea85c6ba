//! [`Reply`]: one scripted answer, and the [`Fault`] that may befall it on the wire.

use std::time::Duration;

use serde_json::Value;

use crate::chunking::Chunking;
use crate::completion::{Call, Completion, Finish};

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
/// [`Reply::text`] and [`Reply::calls`] are completions, streamed or whole as the request asks; the
/// others are sent as they are.
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
    Completion(Completion),
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
        let text = Some(text.into());
        Self::new(Content::Completion(Completion { text, ..Completion::default() }))
    }

    /// The model calls tools: `(id, name, arguments)` each. The arguments are sent as they are,
    /// valid JSON or not.
    pub fn calls<I, S>(calls: I) -> Self
    where
        I: IntoIterator<Item = (S, S, S)>,
        S: Into<String>,
    {
        let call = |(id, name, arguments): (S, S, S)| Call {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        };
        let calls = calls.into_iter().map(call).collect();
        Self::new(Content::Completion(Completion { calls, ..Completion::default() }))
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
        self.completion(|completion| completion.text = Some(text.into()))
    }

    /// Reasoning before the answer, as `reasoning_content`.
    #[must_use]
    #[track_caller]
    pub fn with_reasoning(self, reasoning: impl Into<String>) -> Self {
        self.completion(|completion| completion.reasoning = Some(reasoning.into()))
    }

    /// Another `finish_reason` than `stop` or `tool_calls`.
    #[must_use]
    #[track_caller]
    pub fn finish_reason(self, reason: impl Into<String>) -> Self {
        self.completion(|completion| completion.finish = Finish::Is(reason.into()))
    }

    /// No `finish_reason`: a stream has no closing chunk, a whole completion says null.
    #[must_use]
    #[track_caller]
    pub fn without_finish(self) -> Self {
        self.completion(|completion| completion.finish = Finish::Missing)
    }

    /// No `[DONE]` at the end of a stream.
    #[must_use]
    #[track_caller]
    pub fn without_done(self) -> Self {
        self.completion(|completion| completion.done = false)
    }

    /// The tokens of the prompt and of the completion.
    #[must_use]
    #[track_caller]
    pub fn usage(self, prompt: u64, completion: u64) -> Self {
        self.completion(|reply| reply.usage = Some((prompt, completion)))
    }

    /// No usage, even if it was asked for.
    #[must_use]
    #[track_caller]
    pub fn without_usage(self) -> Self {
        self.completion(|completion| completion.usage = None)
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
    fn completion(mut self, change: impl FnOnce(&mut Completion)) -> Self {
        let Content::Completion(completion) = &mut self.content else {
            panic!("this option is for text and calls replies");
        };
        change(completion);
        self
    }
}
