//! [`DecodeSession`]: what a model has read.

use std::fmt;

use super::{Kept, Llama, cache::Cache};
use crate::{OfflineError, OfflineErrorKind, weights::Vectors};

/// What a model has read, and what it makes of it.
pub struct DecodeSession {
    model: Llama,
    tokens: Vec<u32>,
    caches: Vec<Cache>,
    /// What stands for each of the last tokens that were read: for one at least, unless some were forgotten.
    states: Vec<f32>,
}

impl DecodeSession {
    pub(super) fn new(model: Llama) -> Self {
        let shape = model.shape();
        let caches = (0..shape.layers).map(|_| Cache::new(&shape)).collect();
        Self { model, tokens: Vec::new(), caches, states: Vec::new() }
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
        Self { model: self.model.clone(), tokens: first, caches, states: Vec::new() }
    }

    /// How many tokens this and another one keep together, without a copy.
    pub fn together(&self, other: &Self) -> usize {
        let caches = self.caches.iter().zip(&other.caches);
        caches.map(|(one, other)| one.together(other)).min().unwrap_or_default()
    }

    /// What it keeps of the tokens it has read, as bytes, in parts: for [`DecodeSession::restore`].
    pub fn save(&self) -> impl Iterator<Item = Vec<u8>> {
        self.caches.iter().map(Cache::save)
    }

    /// How many parts a session of this model is saved in, and how many bytes each has of one that has read so many
    /// tokens; nothing where nobody could count them.
    pub fn parts(model: &Llama, tokens: usize) -> Option<(usize, usize)> {
        let shape = model.shape();
        Some((shape.layers, Cache::saved_by(&shape, tokens)?))
    }

    /// The session that had read these tokens when it was saved; nothing where these are not such parts of this model's.
    pub fn restore<P: AsRef<[u8]>>(
        model: &Llama,
        tokens: &[u32],
        parts: impl IntoIterator<Item = P>,
    ) -> Option<Self> {
        let (shape, mut parts) = (model.shape(), parts.into_iter());
        let caches = (0..shape.layers)
            .map(|_| Cache::restore(&shape, tokens.len(), parts.next()?.as_ref()))
            .collect::<Option<_>>()?;
        let session = Self { caches, tokens: tokens.to_vec(), ..Self::new(model.clone()) };
        parts.next().is_none().then_some(session)
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
        let new = self.keep(tokens);
        Ok(self.push(new, wanted)?.then_some(new.len()))
    }

    /// Forgets what was read beside these tokens, and says which of them are left to read. The last one always is:
    /// what stands for it is needed.
    pub fn keep<'a>(&mut self, tokens: &'a [u32]) -> &'a [u32] {
        let kept = self.shared(tokens).min(tokens.len().saturating_sub(1));
        self.truncate(kept);
        tokens.get(kept..).unwrap_or_default()
    }

    /// Reads further tokens, as fast as can be; false when `wanted` said no.
    ///
    /// # Errors
    /// `TooLong` where the model cannot read as many.
    pub fn push(
        &mut self,
        tokens: &[u32],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, OfflineError> {
        self.read(tokens, Kept::Last, wanted)
    }

    /// Reads further tokens in one pass, each as if it were read alone, to the last bit; false when `wanted` said no.
    /// Afterwards [`likeliest_after`](Self::likeliest_after) may be asked for each of them.
    ///
    /// # Errors
    /// `TooLong` where the model cannot read as many.
    pub fn push_each(
        &mut self,
        tokens: &[u32],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, OfflineError> {
        self.read(tokens, Kept::Each, wanted)
    }

    fn read(
        &mut self,
        tokens: &[u32],
        kept: Kept,
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, OfflineError> {
        let begin = self.tokens.len();
        let most = self.model.shape().context;
        if begin + tokens.len() > most {
            let message = format!("The offline model reads {most} tokens at most.");
            return Err(OfflineError::new(OfflineErrorKind::TooLong, message)
                .with_advice("Begin a new conversation, or ask for less at a time."));
        }
        match self.model.read(tokens, begin, &mut self.caches, kept, wanted) {
            Ok(Some(states)) => {
                self.tokens.extend_from_slice(tokens);
                self.states = states;
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
        self.likeliest_after(self.tokens.len(), allowed)
    }

    /// The token that was likeliest to follow the first so many of those that were read; none where none is allowed, and
    /// where what stands for the last of them is not known any more.
    pub fn likeliest_after(
        &self,
        tokens: usize,
        allowed: &(dyn Fn(u32) -> bool + Sync),
    ) -> Option<u32> {
        self.best_after(tokens, allowed).map(|(token, _)| token)
    }

    /// The same token, and its logit: one that has one more is `e` times as likely.
    pub fn best_after(
        &self,
        tokens: usize,
        allowed: &(dyn Fn(u32) -> bool + Sync),
    ) -> Option<(u32, f32)> {
        let allowed = |row: usize| u32::try_from(row).is_ok_and(allowed);
        let state = self.state(tokens)?;
        let best = self.model.work(|| self.model.output().greatest(state, &allowed));
        best.and_then(|(row, logit)| Some((u32::try_from(row).ok()?, logit)))
    }

    /// What stands for the last of the first so many tokens.
    fn state(&self, tokens: usize) -> Option<&[f32]> {
        let behind = self.tokens.len().checked_sub(tokens)?;
        self.states.rchunks_exact(self.model.shape().width).nth(behind)
    }

    /// What the model thinks of every token as the next one.
    ///
    /// # Errors
    /// `Internal` where nothing was read.
    pub fn logits(&self) -> Result<Vec<f32>, OfflineError> {
        let output = self.model.output();
        let mut logits = vec![0.0; output.rows()];
        let state = self.state(self.tokens.len()).unwrap_or_default();
        let state = Vectors::new(state, output.cols());
        self.model.work(|| output.multiply(&state, &mut logits, &mut Vec::new()))?;
        Ok(logits)
    }

    /// Forgets all but the first tokens.
    pub fn truncate(&mut self, tokens: usize) {
        let forgotten = self.tokens.len().saturating_sub(tokens) * self.model.shape().width;
        self.states.truncate(self.states.len().saturating_sub(forgotten));
        self.tokens.truncate(tokens);
        self.caches.iter_mut().for_each(|it| it.truncate(tokens));
    }
}

impl fmt::Debug for DecodeSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("tokens", &self.tokens.len()).finish_non_exhaustive()
    }
}
