//! [`Sessions`]: what was read lately, so that it is not read again.

use crate::engine::{DecodeSession, Llama};

/// How many are kept: a few conversations, and the beginnings they share.
const MOST: usize = 4;
/// How many tokens are kept of all of them, with the one that reads: 23 kB of each. What they begin with alike is kept
/// once; it is on disk, too.
const MOST_TOKENS: usize = 2000;

/// What was read lately: sessions, the one used last at the end.
pub(super) struct Sessions {
    model: Llama,
    kept: Vec<DecodeSession>,
}

impl Sessions {
    pub(super) fn new(model: Llama) -> Self {
        Self { model, kept: Vec::new() }
    }

    /// What they are sessions of.
    pub(super) fn model(&self) -> &Llama {
        &self.model
    }

    /// How many of these tokens one of them has read, at most.
    pub(super) fn shared(&self, tokens: &[u32]) -> usize {
        self.kept.iter().map(|it| it.shared(tokens)).max().unwrap_or_default()
    }

    /// A session that has read as many of these tokens as any has, and will read the others. It is taken out; what it has
    /// read beside them is kept for whoever goes on there, while there is room.
    pub(super) fn take(&mut self, tokens: &[u32]) -> DecodeSession {
        let session = self.nearest(tokens);
        self.make_room(tokens.len().saturating_sub(session.tokens().len()));
        session
    }

    /// Forgets what was used least lately, so that so many tokens more can be read.
    pub(super) fn make_room(&mut self, more: usize) {
        while !self.kept.is_empty() && self.tokens() + more > MOST_TOKENS {
            self.kept.remove(0);
        }
    }

    fn nearest(&mut self, tokens: &[u32]) -> DecodeSession {
        let shared = self.kept.iter().enumerate().map(|(at, it)| (it.shared(tokens), at));
        let Some((shared, at)) = shared.max().filter(|(shared, _)| *shared > 0) else {
            return self.model.session();
        };
        let goes_on = self.kept.get(at).is_some_and(|it| it.tokens().len() == shared);
        if !goes_on && (self.kept.len() < MOST || at > 0) {
            let fork = self.kept.get(at).map(|it| it.fork(tokens));
            return fork.unwrap_or_else(|| self.model.session());
        }
        self.kept.remove(at)
    }

    /// Keeps a session for later.
    pub(super) fn put(&mut self, session: DecodeSession) {
        self.kept.push(session);
        while self.kept.len() > 1 && (self.kept.len() > MOST || self.tokens() > MOST_TOKENS) {
            self.kept.remove(0);
        }
    }

    /// How many tokens something is kept of; what several share counts once.
    fn tokens(&self) -> usize {
        let own = self.kept.iter().enumerate().map(|(at, session)| {
            let before = self.kept.iter().take(at).map(|it| session.together(it));
            session.tokens().len() - before.max().unwrap_or_default()
        });
        own.sum()
    }
}
