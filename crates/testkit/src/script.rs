//! [`Script`]: what a server answers, in order.

use crate::chunking::Chunking;
use crate::reply::Reply;

/// The replies of a server, one per question in whichever API, first come first served.
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub(crate) replies: Vec<Reply>,
    pub(crate) chunking: Chunking,
    pub(crate) key: Option<String>,
}

impl Script {
    /// No reply yet, bodies whole, no key.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next reply.
    #[must_use]
    pub fn reply(mut self, reply: Reply) -> Self {
        self.replies.push(reply);
        self
    }

    /// How bodies are cut, unless a reply says otherwise.
    #[must_use]
    pub fn chunking(mut self, chunking: Chunking) -> Self {
        self.chunking = chunking;
        self
    }

    /// Demands this key, where the request's API has it. A request without it gets 401 (from Gemini
    /// 400) and uses no reply.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}
