//! [`Decoder`]: finds calls in a text as it arrives.
//!
//! The reading itself ([`crate::frame`]) is written as straight asynchronous code that waits where
//! the text so far ends. There is no runtime and nothing to wake: whoever pushes a piece polls the
//! reading until it waits for the next one. So every frame reads like a parser of whole texts, the
//! compiler keeps its state, and where a text was cut cannot matter.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Waker},
};

use crate::{
    DecodedPart, Dialect, KnownTools, frame,
    grammar::Grammar,
    reader::{End, Feed, Reader},
};

/// Finds calls in a text as it arrives: one decoder for one reply.
pub struct Decoder {
    feed: Arc<Feed>,
    /// Nothing once the text is over.
    reading: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Decoder {
    /// A decoder for one reply in this dialect, of a model that was offered these tools.
    pub fn new(dialect: Dialect, tools: &KnownTools) -> Self {
        Self::begin(dialect, tools, frame::Mode::Content)
    }

    /// The same for a reply whose reasoning block was already opened by the prompt.
    pub fn in_reasoning(dialect: Dialect, tools: &KnownTools) -> Self {
        Self::begin(dialect, tools, frame::Mode::Reasoning(frame::ANY_THOUGHT))
    }

    fn begin(dialect: Dialect, tools: &KnownTools, mode: frame::Mode) -> Self {
        let feed = Arc::new(Feed::new(dialect));
        let reader = Reader::new(feed.clone(), Grammar::of(dialect), tools.clone());
        Self { feed, reading: Some(Box::pin(frame::reply(reader, mode))) }
    }

    /// Takes the next piece of the text. Behind its end there is none.
    pub fn push(&mut self, text: &str) -> Vec<DecodedPart> {
        if text.is_empty() {
            return Vec::new();
        }
        self.feed.push(text);
        self.read()
    }

    /// The text is over: the model had said everything.
    pub fn finish(&mut self) -> Vec<DecodedPart> {
        self.end(End::Whole)
    }

    /// The text is over because the model stopped by itself. As [`Decoder::finish`], but what it began
    /// without a marker and did not finish is text: nothing but the end tells that from JSON that only
    /// looks like a call.
    pub fn stopped(&mut self) -> Vec<DecodedPart> {
        self.end(End::Stopped)
    }

    /// The text is over because the model was cut off: what may have been longer is no call.
    pub fn cut_off(&mut self) -> Vec<DecodedPart> {
        self.end(End::CutOff)
    }

    fn end(&mut self, end: End) -> Vec<DecodedPart> {
        self.feed.end(end);
        let parts = self.read();
        self.reading = None;
        parts
    }

    /// The dialect; with [`Dialect::Auto`], that of the first call, as soon as there is one.
    pub fn dialect(&self) -> Dialect {
        self.feed.dialect()
    }

    /// Reads as far as the text goes.
    fn read(&mut self) -> Vec<DecodedPart> {
        if let Some(reading) = &mut self.reading {
            // It is ready once the text is over, and is not asked again.
            let _ = reading.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
        self.feed.parts()
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("dialect", &self.dialect()).finish_non_exhaustive()
    }
}
