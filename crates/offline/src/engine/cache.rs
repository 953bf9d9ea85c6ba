//! [`Cache`]: what layers keep of the tokens that were read.

use std::sync::Arc;

use super::Shape;
use crate::weights::to_half;

/// How many tokens a block is about.
pub(super) const BLOCK: usize = 64;

/// What one layer keeps of the tokens that were read: for each, what it answers to and what it
/// answers, in 16 bits.
///
/// It is the largest thing beside the weights, and most conversations begin alike. So it is kept in blocks, which copies
/// share until one of them goes on in another way.
#[derive(Clone)]
pub(super) struct Cache {
    blocks: Vec<Arc<Block>>,
    /// How many tokens it is about. Whatever else is in the last block does not count.
    tokens: usize,
    /// Numbers for each token, in each of the two.
    width: usize,
    head: usize,
}

/// What is kept of some tokens, as it is multiplied by.
#[derive(Clone)]
struct Block {
    /// A line for each number, of all tokens.
    keys: Vec<u16>,
    /// For each head a line for each token.
    values: Vec<u16>,
}

impl Cache {
    pub(super) fn new(shape: &Shape) -> Self {
        Self { blocks: Vec::new(), tokens: 0, width: shape.shared_width(), head: shape.head }
    }

    /// How many tokens it is about.
    pub(super) fn tokens(&self) -> usize {
        self.tokens
    }

    /// Adds what is kept of further tokens.
    pub(super) fn extend(&mut self, keys: &[f32], values: &[f32]) {
        let width = self.width.max(1);
        for (keys, values) in keys.chunks_exact(width).zip(values.chunks_exact(width)) {
            self.push(keys.iter().map(|it| kept(*it)), values.iter().map(|it| kept(*it)));
        }
    }

    /// Adds what is kept of one token more.
    fn push(&mut self, keys: impl Iterator<Item = u16>, values: impl Iterator<Item = u16>) {
        let at = self.tokens % BLOCK;
        if at == 0 {
            self.blocks.push(Arc::new(Block::new(BLOCK * self.width)));
        }
        let Some(last) = self.blocks.last_mut() else { return };
        // Where others have it, too, they keep it as it is.
        let block = Arc::make_mut(last);
        let places = block.keys.iter_mut().skip(at).step_by(BLOCK);
        places.zip(keys).for_each(|(place, it)| *place = it);
        let places = block.values.chunks_exact_mut(self.head).skip(at).step_by(BLOCK);
        places.flatten().zip(values).for_each(|(place, it)| *place = it);
        self.tokens += 1;
    }

    /// Forgets all but the first tokens.
    pub(super) fn truncate(&mut self, tokens: usize) {
        if tokens >= self.tokens() {
            return;
        }
        self.blocks.truncate(tokens.div_ceil(BLOCK));
        self.tokens = tokens;
    }

    /// What is kept of the first tokens. It costs nothing.
    pub(super) fn first(&self, tokens: usize) -> Self {
        let mut first = self.clone();
        first.truncate(tokens);
        first
    }

    /// How many tokens this and another one keep together, without a copy.
    pub(super) fn together(&self, other: &Self) -> usize {
        let same = self.blocks.iter().zip(&other.blocks);
        let same = same.take_while(|(one, other)| Arc::ptr_eq(one, other)).count();
        (same * BLOCK).min(self.tokens)
    }

    /// What is kept, as bytes: what all tokens answer to, then what they answer.
    pub(super) fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::saved(self.tokens(), self.width).unwrap_or(0));
        let places =
            || (0..self.tokens).filter_map(|it| Some((it % BLOCK, self.blocks.get(it / BLOCK)?)));
        for (at, block) in places() {
            bytes.extend(block.keys.iter().skip(at).step_by(BLOCK).flat_map(|it| it.to_le_bytes()));
        }
        for (at, block) in places() {
            let heads = block.values.chunks_exact(self.head).skip(at).step_by(BLOCK);
            bytes.extend(heads.flatten().flat_map(|it| it.to_le_bytes()));
        }
        bytes
    }

    /// How many bytes are saved of so many tokens; nothing where nobody could count them.
    fn saved(tokens: usize, width: usize) -> Option<usize> {
        tokens.checked_mul(width)?.checked_mul(4)
    }

    /// How many bytes are saved of so many tokens by a model of this shape; nothing where nobody could count them.
    pub(super) fn saved_by(shape: &Shape, tokens: usize) -> Option<usize> {
        Self::saved(tokens, shape.shared_width())
    }

    /// What was saved of so many tokens; nothing where that were other bytes.
    pub(super) fn restore(shape: &Shape, tokens: usize, bytes: &[u8]) -> Option<Self> {
        let mut cache = Self::new(shape);
        if Self::saved(tokens, cache.width)? != bytes.len() {
            return None;
        }
        let (keys, values) = bytes.split_at(bytes.len() / 2);
        let numbers = |bytes| <[u8]>::as_chunks(bytes).0.iter().map(|it| u16::from_le_bytes(*it));
        let size = 2 * cache.width.max(1);
        for (keys, values) in keys.chunks_exact(size).zip(values.chunks_exact(size)) {
            cache.push(numbers(keys), numbers(values));
        }
        Some(cache)
    }

    /// What tokens answer to, and what they answer, in the part of one head: for each block of them.
    #[inline(always)]
    pub(super) fn blocks(&self, head: usize) -> impl Iterator<Item = (&[u16], &[u16])> {
        let range = head * self.head * BLOCK..(head + 1) * self.head * BLOCK;
        self.blocks.iter().map(move |block| {
            let [keys, values] = [&block.keys, &block.values].map(|it| it.get(range.clone()));
            (keys.unwrap_or_default(), values.unwrap_or_default())
        })
    }
}

impl Block {
    /// An empty one, with room for so many numbers in each of the two.
    fn new(full: usize) -> Self {
        Self { keys: vec![0; full], values: vec![0; full] }
    }
}

/// A number as it is kept: nothing where it is too small for a whole exponent, which processors are slow at.
fn kept(number: f32) -> u16 {
    let half = to_half(number);
    if half & 0x7c00 == 0 { 0 } else { half }
}
