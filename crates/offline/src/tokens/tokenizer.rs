//! [`Tokenizer`]: text as the tokens of a model, and back.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    fmt,
};

use super::{Vocabulary, letters, pieces::pieces};
use crate::{
    OfflineError,
    weights::{Field, Gguf},
};

/// What opens and closes a turn.
const OPEN: &str = "<|im_start|>";
const CLOSE: &str = "<|im_end|>";

/// Text as the tokens of a model, and back: byte-level BPE, from what a GGUF says about its own.
pub struct Tokenizer {
    /// The bytes of all tokens, one after the other.
    bytes: Vec<u8>,
    /// Where those of each end.
    ends: Vec<u32>,
    /// The token of each byte.
    single: Vec<u32>,
    /// Which two tokens become which, the earlier the more important.
    merges: HashMap<(u32, u32), (u32, u32)>,
    open: u32,
    close: u32,
}

impl Tokenizer {
    /// The tokenizer that a GGUF describes.
    ///
    /// # Errors
    /// `Unsupported` where it is of another kind, or knows no turns.
    pub fn new(gguf: &Gguf) -> Result<Self, OfflineError> {
        let kind = gguf.text("tokenizer.ggml.model").unwrap_or("none");
        let (Some(Field::Texts(tokens)), Some(Field::Texts(merges)), "gpt2") =
            (gguf.field("tokenizer.ggml.tokens"), gguf.field("tokenizer.ggml.merges"), kind)
        else {
            let message = format!(
                "The model's tokenizer is of the kind {kind}, which is not understood here."
            );
            return Err(OfflineError::unsupported(message)
                .with_advice("Take a model with a byte-level BPE tokenizer (gpt2 in a GGUF)."));
        };
        let special: &[i64] = match gguf.field("tokenizer.ggml.token_type") {
            Some(Field::Wholes(kinds)) => kinds,
            _ => &[],
        };
        Self::of_lists(tokens, merges, special)
    }

    fn of_lists(tokens: &[String], merges: &[String], kinds: &[i64]) -> Result<Self, OfflineError> {
        let ids: HashMap<&str, u32> = tokens.iter().map(String::as_str).zip(0..).collect();
        let special = |name: &str| {
            ids.get(name).copied().ok_or_else(|| {
                OfflineError::unsupported(format!("The model has no token {name}."))
                    .with_advice("Take a model that was taught conversations in ChatML.")
            })
        };
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let mut single = vec![u32::MAX; 256];
        let kinds = kinds.iter().copied().chain(std::iter::repeat(1));
        for ((token, kind), id) in tokens.iter().zip(kinds).zip(0..) {
            // 1 is an ordinary one; others are for control, or do not exist.
            let own = (kind == 1).then(|| letters::bytes(token)).flatten().unwrap_or_default();
            if let [byte] = own.as_slice()
                && let Some(place) = single.get_mut(usize::from(*byte))
            {
                *place = id;
            }
            bytes.extend(own);
            ends.push(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        }
        let merges = merges.iter().zip(0..).filter_map(|(merge, rank)| {
            let (left, right) = merge.split_once(' ')?;
            let whole = *ids.get([left, right].concat().as_str())?;
            Some(((*ids.get(left)?, *ids.get(right)?), (rank, whole)))
        });
        let merges = merges.collect();
        Ok(Self { bytes, ends, single, merges, open: special(OPEN)?, close: special(CLOSE)? })
    }

    /// The tokens of a text, in which nothing is special.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        for piece in pieces(text) {
            self.piece(piece, &mut tokens);
        }
        tokens
    }

    /// The tokens of a conversation, in which `<|im_start|>` and `<|im_end|>` open and close turns.
    pub fn conversation(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let marks = [(OPEN, self.open), (CLOSE, self.close)];
            let found =
                marks.into_iter().filter_map(|(mark, id)| Some((rest.find(mark)?, mark, id)));
            let Some((at, mark, id)) = found.min_by_key(|(at, ..)| *at) else {
                tokens.extend(self.encode(rest));
                break;
            };
            let (before, after) = rest.split_at(at);
            tokens.extend(self.encode(before));
            tokens.push(id);
            rest = after.get(mark.len()..).unwrap_or_default();
        }
        tokens
    }

    /// The text of tokens; special ones have none.
    pub fn decode(&self, tokens: &[u32]) -> String {
        let bytes: Vec<u8> = tokens.iter().flat_map(|it| self.bytes(*it)).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Adds the tokens of one piece.
    fn piece(&self, piece: &str, tokens: &mut Vec<u32>) {
        let letters = piece.bytes().filter_map(|it| self.single.get(usize::from(it)).copied());
        let mut chain = Chain::new(letters.filter(|it| *it != u32::MAX));
        let mut waiting = BinaryHeap::new();
        for left in 0..chain.links.len() {
            waiting.extend(self.merge(&chain, left));
        }
        while let Some(Reverse(merge)) = waiting.pop() {
            if chain.join(&merge) {
                let before = chain.before(merge.left);
                waiting.extend(before.and_then(|it| self.merge(&chain, it)));
                waiting.extend(self.merge(&chain, merge.left));
            }
        }
        tokens.extend(chain.tokens());
    }

    /// What becomes of a link and the one behind it.
    fn merge(&self, chain: &Chain, left: usize) -> Option<Reverse<Merge>> {
        let right = chain.after(left)?;
        let pair = (chain.token(left)?, chain.token(right)?);
        let (rank, whole) = *self.merges.get(&pair)?;
        Some(Reverse(Merge { rank, left, right, pair, whole }))
    }
}

/// Two tokens that may become one: the first in the order of merges, then of places.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Merge {
    rank: u32,
    left: usize,
    right: usize,
    pair: (u32, u32),
    whole: u32,
}

/// Tokens in a row, of which neighbours become one.
struct Chain {
    links: Vec<Link>,
}

struct Link {
    /// Nothing once it is part of the one before it.
    token: Option<u32>,
    before: Option<usize>,
    after: Option<usize>,
}

impl Chain {
    fn new(tokens: impl Iterator<Item = u32>) -> Self {
        let mut links: Vec<_> = tokens
            .enumerate()
            .map(|(at, token)| Link {
                token: Some(token),
                before: at.checked_sub(1),
                after: Some(at + 1),
            })
            .collect();
        if let Some(last) = links.last_mut() {
            last.after = None;
        }
        Self { links }
    }

    fn token(&self, at: usize) -> Option<u32> {
        self.links.get(at)?.token
    }

    fn before(&self, at: usize) -> Option<usize> {
        self.links.get(at)?.before
    }

    fn after(&self, at: usize) -> Option<usize> {
        self.links.get(at)?.after
    }

    /// Joins two neighbours, unless one of them has changed since.
    fn join(&mut self, merge: &Merge) -> bool {
        let now = (self.token(merge.left), self.token(merge.right));
        if now != (Some(merge.pair.0), Some(merge.pair.1))
            || self.after(merge.left) != Some(merge.right)
        {
            return false;
        }
        let after = self.after(merge.right);
        if let Some(right) = self.links.get_mut(merge.right) {
            right.token = None;
        }
        if let Some(left) = self.links.get_mut(merge.left) {
            (left.token, left.after) = (Some(merge.whole), after);
        }
        if let Some(next) = after.and_then(|it| self.links.get_mut(it)) {
            next.before = Some(merge.left);
        }
        true
    }

    fn tokens(&self) -> impl Iterator<Item = u32> {
        self.links.iter().filter_map(|it| it.token)
    }
}

impl Vocabulary for Tokenizer {
    fn size(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
    }

    fn bytes(&self, token: u32) -> &[u8] {
        let end =
            |token: u32| usize::try_from(token).ok().and_then(|it| self.ends.get(it)).copied();
        let begin = token.checked_sub(1).and_then(end).unwrap_or_default();
        end(token).and_then(|end| self.bytes.get(begin as usize..end as usize)).unwrap_or_default()
    }

    fn end(&self) -> u32 {
        self.close
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("tokens", &self.ends.len()).finish_non_exhaustive()
    }
}
