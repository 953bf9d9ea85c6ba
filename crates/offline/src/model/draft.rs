//! [`Draft`]: how much is foreseen of what a model copies.
//!
//! A model that answers from a conversation often copies it: where the last few tokens stand earlier on, what
//! followed them there probably follows here too. It also says the same again and again: what it said lately counts as
//! standing before the conversation.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many tokens must stand together earlier on.
const LEAST: usize = 2;
/// More than this tell no more.
const MOST: usize = 6;
/// How many tokens are foreseen after few that stand together, and after more. With the one before them they
/// are as many as are multiplied together.
const FEW: usize = 3;
const MORE: usize = 7;

/// How many tokens of what was said lately count.
const LATELY: usize = 2048;

/// How much is foreseen: more where it was right.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    is_off: bool,
    /// What was said lately, in whichever conversation. What is foreseen is never said for that: it says only how much is
    /// read at a time.
    lately: Arc<Mutex<Vec<u32>>>,
    made: usize,
    right: usize,
}

impl Draft {
    /// One that foresees nothing.
    pub(super) fn off() -> Self {
        Self { is_off: true, ..Self::default() }
    }

    /// How many tokens are worth foreseeing after these.
    pub(super) fn most(&self, known: &[u32]) -> usize {
        let is_bad = self.made > 8 && self.right * 4 < self.made;
        match earlier(known) {
            Some((_, alike)) if alike >= LEAST && !self.is_off => {
                if alike == LEAST || is_bad {
                    FEW
                } else {
                    MORE
                }
            }
            _ => 0,
        }
    }

    /// What was said lately.
    pub(super) fn lately(&self) -> Vec<u32> {
        if self.is_off { Vec::new() } else { self.said().clone() }
    }

    /// Notes what was said behind a prompt.
    pub(super) fn note(&self, prompt: &[u32], reply: &[u32]) {
        let mut said = self.said();
        said.extend(prompt.iter().skip(prompt.len().saturating_sub(LEAST)));
        said.extend(reply);
        let most = said.len().saturating_sub(LATELY);
        said.drain(..most);
    }

    fn said(&self) -> MutexGuard<'_, Vec<u32>> {
        self.lately.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn made(&self) -> usize {
        self.made
    }

    pub(super) fn was_made(&mut self, tokens: usize) {
        self.made += tokens;
    }

    pub(super) fn was_right(&mut self) {
        self.right += 1;
    }
}

/// The token that probably follows these.
pub(super) fn follows(known: &[u32]) -> Option<u32> {
    let (at, alike) = earlier(known)?;
    known.get(at).copied().filter(|_| alike >= LEAST)
}

/// Behind which place what stands there is most like the end, and for how many tokens; the last of several.
fn earlier(known: &[u32]) -> Option<(usize, usize)> {
    let alike = |at: usize| {
        let before = known.get(..at).unwrap_or_default().iter().rev();
        before.zip(known.iter().rev()).take(MOST).take_while(|(one, other)| one == other).count()
    };
    (1..known.len()).map(|at| (at, alike(at))).max_by_key(|(at, alike)| (*alike, *at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_followed_earlier_follows_again() {
        assert_eq!(follows(&[1, 2, 3, 4, 9, 2, 3, 5, 1, 2, 3]), Some(4));
        assert_eq!(follows(&[1, 2, 3, 4, 9, 2, 3, 5, 2, 3]), Some(5));
        // Only one is alike; nothing is; there is nothing.
        for known in [&[1, 2, 3, 2][..], &[1, 2, 3], &[1], &[]] {
            assert_eq!(follows(known), None, "{known:?}");
        }
    }

    #[test]
    fn what_was_said_lately_is_bounded() {
        let draft = Draft::default();
        let other = draft.clone();
        draft.note(&[1, 2, 3], &[4, 5]);
        assert_eq!((other.lately(), Draft::off().lately()), (vec![2, 3, 4, 5], vec![]));
        draft.note(&[7], &[8; LATELY - 1]);
        assert_eq!(other.lately(), [&[7][..], &[8; LATELY - 1]].concat());
    }

    #[test]
    fn more_is_foreseen_after_more_that_is_alike() {
        let (on, off) = (Draft::default(), Draft::off());
        for (known, most) in
            [(&[1, 2, 3, 4, 1, 2, 3][..], MORE), (&[1, 2, 3, 4, 2, 3], FEW), (&[1, 2, 3, 4, 3], 0)]
        {
            assert_eq!((on.most(known), off.most(known)), (most, 0), "{known:?}");
        }
    }
}
