//! [`Tokenizer`]: text as the tokens of a model, and back.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    fmt,
};

use super::{
    Vocabulary, letters,
    marks::{Marks, Part},
    pieces::{Cut, pieces},
};
use crate::{
    OfflineError,
    weights::{Field, Gguf},
};

/// What opens and closes a turn in ChatML.
const OPEN: &str = "<|im_start|>";
const CLOSE: &str = "<|im_end|>";

/// What kinds of tokens a GGUF tells apart, as far as it matters here.
const ORDINARY: i64 = 1;
const CONTROL: i64 = 3;
const WHOLE: i64 = 4;

/// Text as the tokens of a model, and back: byte-level BPE, from what a GGUF says about its own.
pub struct Tokenizer {
    cut: Cut,
    /// The bytes of all tokens, one after the other.
    bytes: Vec<u8>,
    /// Where those of each end.
    ends: Vec<u32>,
    /// The token of each byte.
    single: Vec<u32>,
    /// Which two tokens become which, the earlier the more important.
    merges: HashMap<(u32, u32), (u32, u32)>,
    /// Whole pieces that are tokens whatever the merges say, where the model has it so.
    pieces: HashMap<Box<[u8]>, u32>,
    /// Texts that are one token wherever they stand.
    wholes: Marks,
    /// Texts that are one token where a model's own template is followed, and nothing special elsewhere.
    controls: Marks,
    /// Those of them that open and close turns in ChatML, where it has them.
    turns: Marks,
    begin: Option<u32>,
    end: u32,
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
        let kinds: &[i64] = match gguf.field("tokenizer.ggml.token_type") {
            Some(Field::Wholes(kinds)) => kinds,
            _ => &[],
        };
        // Files of a time before this was written down are of models that cut as GPT-2 does.
        let pre = gguf.text("tokenizer.ggml.pre").unwrap_or("gpt-2");
        let cut = Cut::of(pre).ok_or_else(|| {
            OfflineError::unsupported(format!("The model's tokenizer cuts text as {pre} does."))
                .with_advice(
                    "Take a model whose tokenizer cuts as GPT-2, SmolLM, Qwen 2 or Llama 3 do.",
                )
        })?;
        let named = |name: &str| gguf.whole(name).and_then(|it| u32::try_from(it).ok());
        let ends = ["eot", "eos"].map(|it| named(&format!("tokenizer.ggml.{it}_token_id")));
        let end = ends.into_iter().flatten().next();
        let mut tokenizer = Self::of_lists(tokens, merges, kinds, cut, end)?;
        tokenizer.begin = named("tokenizer.ggml.bos_token_id");
        // One family of models has tokens that none of its merges make.
        if pre.starts_with("llama") {
            tokenizer.pieces = tokenizer.all().map(|(id, bytes)| (bytes.into(), id)).collect();
        }
        Ok(tokenizer)
    }

    pub(super) fn of_lists(
        tokens: &[String],
        merges: &[String],
        kinds: &[i64],
        cut: Cut,
        end: Option<u32>,
    ) -> Result<Self, OfflineError> {
        let ids: HashMap<&str, u32> = tokens.iter().map(String::as_str).zip(0..).collect();
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let (mut wholes, mut controls) = (Marks::default(), Marks::default());
        let mut turns = Marks::default();
        let mut single = vec![u32::MAX; 256];
        let kinds = kinds.iter().copied().chain(std::iter::repeat(ORDINARY));
        for ((token, kind), id) in tokens.iter().zip(kinds).zip(0..) {
            let own = match kind {
                ORDINARY => letters::bytes(token).unwrap_or_default(),
                WHOLE => token.as_bytes().to_vec(),
                _ => Vec::new(),
            };
            match kind {
                WHOLE => wholes.insert(token, id),
                CONTROL => controls.insert(token, id),
                _ => {}
            }
            if let [byte] = own.as_slice()
                && let Some(place) = single.get_mut(usize::from(*byte))
            {
                *place = id;
            }
            bytes.extend(own);
            ends.push(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        }
        // Whatever kind a file says these are of.
        for (mark, id) in [OPEN, CLOSE].into_iter().filter_map(|it| Some((it, *ids.get(it)?))) {
            controls.insert(mark, id);
            turns.insert(mark, id);
        }
        let merges = merges.iter().zip(0..).filter_map(|(merge, rank)| {
            let (left, right) = merge.split_once(' ')?;
            let whole = *ids.get([left, right].concat().as_str())?;
            Some(((*ids.get(left)?, *ids.get(right)?), (rank, whole)))
        });
        let end = ids.get(CLOSE).copied().or(end).ok_or_else(|| {
            OfflineError::unsupported("The model has no token that ends a turn.")
                .with_advice("Take a model that was taught conversations.")
        })?;
        let (merges, pieces, begin) = (merges.collect(), HashMap::new(), None);
        Ok(Self { cut, bytes, ends, single, merges, pieces, wholes, controls, turns, begin, end })
    }

    /// The tokens of a text, in which nothing is special.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        self.wholes.split(text, |part| match part {
            Part::Mark(id) => tokens.push(id),
            Part::Text(text) => pieces(text, self.cut).for_each(|it| self.piece(it, &mut tokens)),
        });
        tokens
    }

    /// The tokens of a conversation, in which `<|im_start|>` and `<|im_end|>` open and close turns.
    pub fn conversation(&self, text: &str) -> Vec<u32> {
        self.marked(text, &self.turns)
    }

    /// The tokens of a conversation that was written as the model's template has it, with whatever marks it has.
    pub fn templated(&self, text: &str) -> Vec<u32> {
        self.marked(text, &self.controls)
    }

    fn marked(&self, text: &str, marks: &Marks) -> Vec<u32> {
        let mut tokens = Vec::new();
        marks.split(text, |part| match part {
            Part::Mark(id) => tokens.push(id),
            Part::Text(text) => tokens.extend(self.encode(text)),
        });
        tokens
    }

    /// A text that somebody said, so written that it has no marks of turns: nobody can write one in another's name.
    pub fn unmarked(&self, text: &str) -> String {
        let mut written = String::with_capacity(text.len());
        self.controls.split(text, |part| match part {
            Part::Mark(id) => {
                let mark = self.controls.text(id);
                let (first, rest) = mark.split_at(mark.chars().next().map_or(0, char::len_utf8));
                written.extend([first, " ", rest]);
            }
            Part::Text(text) => written.push_str(text),
        });
        written
    }

    /// Whether it knows the marks of ChatML.
    pub fn has_chat_ml(&self) -> bool {
        self.turns.has(OPEN) && self.turns.has(CLOSE)
    }

    /// How the token is written that texts begin with, and the one that ends turns.
    pub(crate) fn begin_and_end(&self) -> (&str, &str) {
        (self.begin.map_or("", |it| self.controls.text(it)), self.controls.text(self.end))
    }

    fn all(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..self.size()).map(|id| (id, self.bytes(id))).filter(|(_, bytes)| !bytes.is_empty())
    }

    /// The text of tokens; special ones have none.
    pub fn decode(&self, tokens: &[u32]) -> String {
        let bytes: Vec<u8> = tokens.iter().flat_map(|it| self.bytes(*it)).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Adds the tokens of one piece.
    fn piece(&self, piece: &str, tokens: &mut Vec<u32>) {
        if let Some(whole) = self.pieces.get(piece.as_bytes()) {
            tokens.push(*whole);
            return;
        }
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
        self.end
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("tokens", &self.ends.len()).finish_non_exhaustive()
    }
}
