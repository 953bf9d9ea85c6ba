//! [`Spoken`]: what a model says in one reply, whichever API it is said in.

use crate::api::Failure;

/// Letters per delta: short enough that words, names and arguments come in several fragments.
const FRAGMENT: usize = 5;

/// What a model says in one reply. An API renders it streamed or whole:
/// [`SpokenApi::stream`](crate::SpokenApi::stream), [`SpokenApi::whole`](crate::SpokenApi::whole).
///
/// ```
/// use toolwright_testkit::Spoken;
///
/// let spoken = Spoken::text("One moment.")
///     .call("call_1", "get_weather", r#"{"city":"Pune"}"#)
///     .usage(80, 30);
/// assert_eq!(spoken.parts.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spoken {
    /// In the order in which they are said.
    pub parts: Vec<SpokenPart>,
    /// Why the model stopped.
    pub stop: SpokenStop,
    /// The tokens; none is told without it.
    pub usage: Option<SpokenUsage>,
    /// Whether a stream is ended by what its API ends streams with (`[DONE]`, `message_stop`, …).
    pub ended: bool,
    /// What goes wrong after the parts, in the place of the end.
    pub breaks: Option<(Failure, BreakForm)>,
}

/// One part of a reply.
///
/// Texts are the pieces in which they are streamed; arguments are cut into pieces of a few letters
/// where the API streams them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpokenPart {
    /// Thoughts. A chat has them as `reasoning_content`.
    Reasoning {
        /// The summary that is shown; may be empty.
        pieces: Vec<String>,
        /// What the client must send back unread: the `signature` of a thinking block, the
        /// `encrypted_content` of a reasoning item, the `thoughtSignature` of what follows. Base64,
        /// because Google's packages decode it.
        seal: Option<String>,
        /// `redacted_thinking` with Anthropic, an empty summary with the others.
        redacted: bool,
    },
    /// Text for the user.
    Text(Vec<String>),
    /// A refusal in the model's words, where an API keeps these apart from text.
    Refusal(Vec<String>),
    /// A call of a tool.
    Call {
        /// Its id; an empty one is left out where the API can (Gemini, Ollama).
        id: String,
        /// The name of the tool.
        name: String,
        /// JSON text; sent as it is where the API has arguments as text, valid or not.
        arguments: String,
    },
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpokenStop {
    /// What the parts say: `Refusal` with a refusal, `Calls` with calls, else `Done`.
    Fitting,
    /// It said everything.
    Done,
    /// It waits for results.
    Calls,
    /// It ran into the limit of tokens.
    Length,
    /// A filter cut it off.
    Filter,
    /// It, or who stands before it, does not want to. With Gemini the prompt is blocked.
    Refusal,
    /// A word of the test's own, sent as it is.
    Other(String),
    /// None at all: a stream ends without saying why, a whole reply says null.
    Missing,
}

/// The tokens of a reply. Those from a cache are among those of the prompt, and those thought among
/// those of the completion; APIs that count otherwise are told so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpokenUsage {
    /// Of the prompt, cached ones included.
    pub prompt: u64,
    /// Of the completion, reasoning included.
    pub completion: u64,
    /// Those of the prompt that came from a cache.
    pub cached: u64,
    /// Those of the completion that were reasoning.
    pub reasoning: u64,
}

/// How a failure is told in the middle of a stream, where an API has several ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BreakForm {
    /// As the vendor does. With the Responses API: an `error` event around an `error` object, then
    /// `response.failed`.
    Usual,
    /// The flat `error` event of the Responses API's description. With others as usual.
    Flat,
    /// Only `response.failed` of the Responses API. With others as usual.
    FailedOnly,
}

impl Default for Spoken {
    /// Nothing, in 10 tokens and 5.
    fn default() -> Self {
        let usage = SpokenUsage { prompt: 10, completion: 5, ..SpokenUsage::default() };
        Self {
            parts: Vec::new(),
            stop: SpokenStop::Fitting,
            usage: Some(usage),
            ended: true,
            breaks: None,
        }
    }
}

impl Spoken {
    /// Text, in pieces of a few letters.
    pub fn text(text: &str) -> Self {
        Self::default().then(SpokenPart::Text(fragments(text)))
    }

    /// Text in these pieces.
    pub fn pieces<S: Into<String>>(pieces: impl IntoIterator<Item = S>) -> Self {
        Self::default().then(SpokenPart::Text(pieces.into_iter().map(Into::into).collect()))
    }

    /// Calls: `(id, name, arguments)` each.
    pub fn calls<S: Into<String>>(calls: impl IntoIterator<Item = (S, S, S)>) -> Self {
        let call = |spoken: Self, (id, name, arguments): (S, S, S)| {
            spoken.call(id, name, arguments.into())
        };
        calls.into_iter().fold(Self::default(), call)
    }

    /// A refusal in the model's words.
    pub fn refusal(text: &str) -> Self {
        Self::default().then(SpokenPart::Refusal(fragments(text)))
    }

    /// Thoughts first, sealed or not.
    pub fn reasoning(text: &str, seal: Option<&str>) -> Self {
        let seal = seal.map(str::to_owned);
        let pieces = fragments(text);
        Self::default().then(SpokenPart::Reasoning { pieces, seal, redacted: false })
    }

    /// Another part after those there are.
    #[must_use]
    pub fn then(mut self, part: SpokenPart) -> Self {
        self.parts.push(part);
        self
    }

    /// Text after what there is.
    #[must_use]
    pub fn and_text(self, text: &str) -> Self {
        self.then(SpokenPart::Text(fragments(text)))
    }

    /// A call after what there is.
    #[must_use]
    pub fn call(
        self,
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        let (id, name, arguments) = (id.into(), name.into(), arguments.into());
        self.then(SpokenPart::Call { id, name, arguments })
    }

    /// Stops for this reason.
    #[must_use]
    pub fn stop(mut self, stop: SpokenStop) -> Self {
        self.stop = stop;
        self
    }

    /// The tokens of the prompt and of the completion.
    #[must_use]
    pub fn usage(mut self, prompt: u64, completion: u64) -> Self {
        self.usage = Some(SpokenUsage { prompt, completion, ..SpokenUsage::default() });
        self
    }

    /// How many of the tokens came from a cache, and how many were reasoning.
    #[must_use]
    pub fn of_which(mut self, cached: u64, reasoning: u64) -> Self {
        let usage = self.usage.unwrap_or_default();
        self.usage = Some(SpokenUsage { cached, reasoning, ..usage });
        self
    }

    /// No word about tokens.
    #[must_use]
    pub fn without_usage(mut self) -> Self {
        self.usage = None;
        self
    }

    /// The stream just ends after what was said last.
    #[must_use]
    pub fn unended(mut self) -> Self {
        self.ended = false;
        self
    }

    /// Fails after its parts. A whole reply is the failure alone.
    #[must_use]
    pub fn breaks(mut self, failure: Failure, form: BreakForm) -> Self {
        self.breaks = Some((failure, form));
        self
    }

    /// Why it stops; never [`SpokenStop::Fitting`].
    pub(crate) fn stopped(&self) -> SpokenStop {
        let has = |wanted: fn(&SpokenPart) -> bool| self.parts.iter().any(wanted);
        match &self.stop {
            SpokenStop::Fitting if has(|it| matches!(it, SpokenPart::Refusal(_))) => {
                SpokenStop::Refusal
            }
            SpokenStop::Fitting if has(|it| matches!(it, SpokenPart::Call { .. })) => {
                SpokenStop::Calls
            }
            SpokenStop::Fitting => SpokenStop::Done,
            stop => stop.clone(),
        }
    }

    /// Text before the first call, and reasoning before everything: where models have them.
    pub(crate) fn insert(&mut self, part: SpokenPart) {
        let at = match part {
            SpokenPart::Reasoning { .. } => Some(0),
            _ => self.parts.iter().position(|it| matches!(it, SpokenPart::Call { .. })),
        };
        self.parts.insert(at.unwrap_or(self.parts.len()), part);
    }

    /// All text of one kind; `None` where there is no part of that kind.
    pub(crate) fn joined(&self, of: fn(&SpokenPart) -> Option<&[String]>) -> Option<String> {
        let mut texts = self.parts.iter().filter_map(of).peekable();
        texts.peek()?;
        Some(texts.map(<[String]>::concat).collect())
    }
}

impl SpokenPart {
    pub(crate) fn as_text(&self) -> Option<&[String]> {
        if let Self::Text(pieces) = self { Some(pieces) } else { None }
    }

    pub(crate) fn as_refusal(&self) -> Option<&[String]> {
        if let Self::Refusal(pieces) = self { Some(pieces) } else { None }
    }

    pub(crate) fn as_reasoning(&self) -> Option<&[String]> {
        match self {
            Self::Reasoning { pieces, redacted: false, .. } => Some(pieces),
            _ => None,
        }
    }
}

/// `text` in fragments of [`FRAGMENT`] letters. Real servers never split a letter between two
/// events; splitting its bytes on the wire is what `Chunking` is for.
pub(crate) fn fragments(mut text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let end = text.char_indices().nth(FRAGMENT).map_or(text.len(), |(end, _)| end);
        let (part, rest) = text.split_at(end);
        parts.push(part.to_owned());
        text = rest;
    }
    parts
}
