//! [`Decoder`]: writes a turn token by token, and reads several at once where they can be foreseen.

use super::{
    draft::{Draft, follows},
    turns::Turns,
};
use crate::{
    OfflineError,
    constrain::Constraint,
    engine::{DecodeSession, portions},
    tokens::Tokenizer,
};

/// Fewer bytes that are certain to follow are not worth looking ahead for.
const WORTH: usize = 4;

/// Whether anybody still waits for what is written.
pub(super) type Wanted<'a> = &'a (dyn Fn() -> bool + Sync);

/// Writes a turn. What it writes is what comes of taking, one by one, the likeliest token of those that may follow;
/// how many of them are read at a time changes nothing about it, as each is read as if it were alone.
pub(super) struct Decoder<'a> {
    session: &'a mut DecodeSession,
    constraint: &'a mut Constraint,
    tokenizer: &'a Tokenizer,
    turns: &'a Turns,
    draft: Draft,
    /// What was said lately, in other conversations too.
    lately: Vec<u32>,
    /// How many of the tokens that the session has read are decided. What it has read beyond them was only foreseen.
    at: usize,
    /// What is decided and was not read yet.
    unread: Vec<u32>,
    /// How much less likely than words a call may be that is written in their place, or, below nothing, how much likelier it
    /// must be; where nothing was written yet and either may come.
    lean: Option<f32>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(
        session: &'a mut DecodeSession,
        constraint: &'a mut Constraint,
        tokenizer: &'a Tokenizer,
        turns: &'a Turns,
        draft: Draft,
    ) -> Self {
        let lately = draft.lately();
        let (at, unread, lean) = (0, Vec::new(), None);
        Self { session, constraint, tokenizer, turns, draft, lately, at, unread, lean }
    }

    /// Leans towards calls by so much, or away from them.
    pub(super) fn leaning(self, lean: Option<f32>) -> Self {
        Self { lean, ..self }
    }

    /// Reads a prompt, and says how many of its tokens were new; nothing when it is not wanted any more.
    pub(super) fn read(
        &mut self,
        prompt: &[u32],
        wanted: Wanted<'_>,
    ) -> Result<Option<usize>, OfflineError> {
        let new = self.session.keep(prompt);
        for portion in portions(new) {
            let _turn = self.turns.wait();
            if !self.session.push(portion, wanted)? {
                return Ok(None);
            }
        }
        self.at = self.session.tokens().len();
        Ok(Some(new.len()))
    }

    /// The next tokens: those that are certain, all at once, or the likeliest one. None where the turn is over;
    /// nothing when it is not wanted any more.
    pub(super) fn next(&mut self, wanted: Wanted<'_>) -> Result<Option<Vec<u32>>, OfflineError> {
        let mut tokens = certain(self.constraint, self.tokenizer);
        if tokens.is_empty() {
            tokens.extend(self.constraint.forced());
        }
        if tokens.is_empty() && !self.constraint.allowed().is_empty() {
            let _turn = self.turns.wait();
            if !self.catch_up(wanted)? {
                return Ok(None);
            }
            tokens.extend(self.likeliest());
        }
        self.lean = None;
        tokens.iter().for_each(|token| self.decide(*token));
        Ok(Some(tokens))
    }

    /// The likeliest token. The first one begins a call where the likeliest of those is likely enough beside words.
    fn likeliest(&mut self) -> Option<u32> {
        let Some(lean) = self.lean else {
            let allowed = self.constraint.allowed();
            let best = self.session.best_after(self.at, &|it| allowed.allows(it));
            return best.map(|(token, _)| token);
        };
        let (call, words) = (self.likeliest_of(true), self.likeliest_of(false));
        let is_call = match (call, words) {
            (Some((_, call)), Some((_, words))) => call + lean >= words,
            (call, _) => call.is_some(),
        };
        if is_call { call } else { words }.map(|(token, _)| token)
    }

    /// The likeliest token that begins a call, or words.
    fn likeliest_of(&mut self, is_call: bool) -> Option<(u32, f32)> {
        let allowed = self.constraint.allowed().clone();
        let constraint = &*self.constraint;
        let is_one = |it| allowed.allows(it) && constraint.is_call(it) == is_call;
        self.session.best_after(self.at, &is_one)
    }

    /// How many tokens were foreseen, whether rightly or not.
    #[cfg(test)]
    pub(super) fn foreseen(&self) -> usize {
        self.draft.made()
    }

    /// Whether the turn is over.
    pub(super) fn is_finished(&self) -> bool {
        self.constraint.is_finished()
    }

    /// Takes a token as the next one.
    fn decide(&mut self, token: u32) {
        self.constraint.push(token);
        if self.unread.is_empty() && self.session.tokens().get(self.at) == Some(&token) {
            self.at += 1;
            self.draft.was_right();
        } else {
            self.unread.push(token);
        }
    }

    /// Reads what is decided, and with it what probably follows; false when it is not wanted any more.
    fn catch_up(&mut self, wanted: Wanted<'_>) -> Result<bool, OfflineError> {
        if self.unread.is_empty() {
            return Ok(true);
        }
        self.session.truncate(self.at);
        let decided = self.at + self.unread.len();
        let mut known = [&self.lately, self.session.tokens(), &self.unread].concat();
        self.foresee(&mut known);
        let new = known.get(self.lately.len() + self.at..).unwrap_or_default();
        let is_read = self.session.push_each(new, wanted)?;
        if is_read {
            self.at = decided;
            self.unread.clear();
        }
        Ok(is_read)
    }

    /// Adds to the tokens what probably follows them.
    fn foresee(&mut self, known: &mut Vec<u32>) {
        let (mark, decided) = (self.constraint.mark(), known.len());
        let most = self.draft.most(known);
        while known.len() - decided < most {
            let mut next = certain(self.constraint, self.tokenizer);
            if next.is_empty() {
                next.extend(follows(known));
            }
            next.truncate(most + decided - known.len());
            next.iter().for_each(|token| self.constraint.push(*token));
            if next.is_empty() || self.constraint.is_finished() {
                break;
            }
            known.extend(next);
        }
        self.draft.was_made(known.len() - decided);
        self.constraint.rewind(mark);
    }
}

/// The tokens that are certain to follow, whatever the model thinks. The last one is not: it may
/// go on beyond what is.
fn certain(constraint: &Constraint, tokenizer: &Tokenizer) -> Vec<u32> {
    let ahead = constraint.ahead();
    if ahead.len() < WORTH {
        return Vec::new();
    }
    let mut tokens = tokenizer.encode(&String::from_utf8_lossy(&ahead));
    tokens.pop();
    tokens
}
