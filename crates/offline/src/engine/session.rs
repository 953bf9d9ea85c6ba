//! [`DecodeSession`]: what a model has read.

use std::fmt;

use super::{Llama, cache::Cache};
use crate::{OfflineError, OfflineErrorKind};

/// What a model has read, and what it makes of it.
pub struct DecodeSession {
    model: Llama,
    tokens: Vec<u32>,
    caches: Vec<Cache>,
    /// What stands for the last token that was read.
    state: Vec<f32>,
}

impl DecodeSession {
    pub(super) fn new(model: Llama) -> Self {
        let shape = model.shape();
        let caches = (0..shape.layers).map(|_| Cache::new(&shape)).collect();
        Self { model, tokens: Vec::new(), caches, state: Vec::new() }
    }

    /// The tokens that were read.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// How many tokens at the beginning of these were read already.
    pub fn shared(&self, tokens: &[u32]) -> usize {
        self.tokens.iter().zip(tokens).take_while(|(one, other)| one == other).count()
    }

    /// A session that has read as much as this one has of these tokens.
    pub fn fork(&self, tokens: &[u32]) -> Self {
        let shared = self.shared(tokens);
        let first = self.tokens.iter().take(shared).copied().collect();
        let caches = self.caches.iter().map(|it| it.first(shared)).collect();
        Self { model: self.model.clone(), tokens: first, caches, state: Vec::new() }
    }

    /// Makes this the session that has read exactly these tokens: what it has read of them
    /// already is kept, and what it has read beside them is forgotten. Says how many were new.
    /// Gives up, with nothing, when `wanted` says no.
    ///
    /// # Errors
    /// `TooLong` where the model cannot read as many.
    pub fn advance(
        &mut self,
        tokens: &[u32],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<usize>, OfflineError> {
        // The last one is read again where all are known: what stands for it is needed.
        let kept = self.shared(tokens).min(tokens.len().saturating_sub(1));
        self.truncate(kept);
        let new = tokens.get(kept..).unwrap_or_default();
        Ok(self.push(new, wanted)?.then_some(new.len()))
    }

    /// Reads further tokens; false when `wanted` said no.
    ///
    /// # Errors
    /// `TooLong` where the model cannot read as many.
    pub fn push(
        &mut self,
        tokens: &[u32],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, OfflineError> {
        let begin = self.tokens.len();
        let most = self.model.shape().context;
        if begin + tokens.len() > most {
            let message = format!("The offline model reads {most} tokens at most.");
            return Err(OfflineError::new(OfflineErrorKind::TooLong, message)
                .with_advice("Begin a new conversation, or ask for less at a time."));
        }
        let (model, caches) = (&self.model, &mut self.caches);
        let read = model.work(|| model.read(tokens, begin, caches, wanted));
        match read {
            Ok(Some(state)) => {
                self.tokens.extend_from_slice(tokens);
                self.state = state;
                Ok(true)
            }
            // Some layers have read what others have not.
            Ok(None) => {
                self.truncate(begin);
                Ok(false)
            }
            Err(error) => {
                self.truncate(begin);
                Err(error)
            }
        }
    }

    /// The likeliest next token among those that are allowed; none where none is.
    pub fn likeliest(&self, allowed: &(dyn Fn(u32) -> bool + Sync)) -> Option<u32> {
        let allowed = |row: usize| u32::try_from(row).is_ok_and(allowed);
        let best = self.model.work(|| self.model.output().greatest(&self.state, &allowed));
        best.and_then(|(row, _)| u32::try_from(row).ok())
    }

    /// What the model thinks of every token as the next one.
    ///
    /// # Errors
    /// `Internal` where nothing was read.
    pub fn logits(&self) -> Result<Vec<f32>, OfflineError> {
        let output = self.model.output();
        let mut logits = vec![0.0; output.rows()];
        self.model.work(|| output.multiply(&self.state, &mut logits, &mut Vec::new()))?;
        Ok(logits)
    }

    fn truncate(&mut self, tokens: usize) {
        self.tokens.truncate(tokens);
        self.caches.iter_mut().for_each(|it| it.truncate(tokens));
    }
}

impl fmt::Debug for DecodeSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("tokens", &self.tokens.len()).finish_non_exhaustive()
    }
}
