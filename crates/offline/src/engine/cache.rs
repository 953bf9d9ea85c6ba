//! [`Cache`]: what layers keep of the tokens that were read.

use std::sync::Arc;

use super::Shape;
use crate::weights::{from_half, to_half};

/// How many tokens a block is about.
const BLOCK: usize = 64;

/// What one layer keeps of the tokens that were read: for each, what it answers to and what it
/// answers, in 16 bits.
///
/// It is the largest thing beside the weights, and most conversations begin alike. So it is kept in blocks, which copies
/// share until one of them goes on in another way.
#[derive(Clone, Default)]
pub(super) struct Cache {
    /// All but the last are full.
    blocks: Vec<Arc<Block>>,
    /// Numbers for each token, in each of the two.
    width: usize,
    head: usize,
}

/// What is kept of some tokens.
struct Block {
    keys: Vec<u16>,
    values: Vec<u16>,
}

impl Cache {
    pub(super) fn new(shape: &Shape) -> Self {
        Self { blocks: Vec::new(), width: shape.shared_width(), head: shape.head }
    }

    /// How many tokens it is about.
    pub(super) fn tokens(&self) -> usize {
        let last = self.blocks.last().map_or(0, |it| it.keys.len() / self.width.max(1));
        self.blocks.len().saturating_sub(1) * BLOCK + last
    }

    /// How many numbers a full block has, in each of the two.
    fn full(&self) -> usize {
        BLOCK * self.width.max(1)
    }

    /// Adds what is kept of further tokens.
    pub(super) fn extend(&mut self, keys: &[f32], values: &[f32]) {
        let full = self.full();
        let (mut keys, mut values) = (keys, values);
        while !keys.is_empty() {
            if self.blocks.last().is_none_or(|it| it.keys.len() >= full) {
                self.blocks.push(Arc::new(Block::new(full)));
            }
            let Some(last) = self.blocks.last_mut() else { return };
            // Where others have it, too, they keep it as it is.
            let block = Arc::make_mut(last);
            let room = (full - block.keys.len()).min(keys.len());
            let (some_keys, more_keys) = keys.split_at(room);
            let (some_values, more_values) = values.split_at(room.min(values.len()));
            block.keys.extend(some_keys.iter().map(|it| to_half(*it)));
            block.values.extend(some_values.iter().map(|it| to_half(*it)));
            (keys, values) = (more_keys, more_values);
        }
    }

    /// Forgets all but the first tokens.
    pub(super) fn truncate(&mut self, tokens: usize) {
        if tokens >= self.tokens() {
            return;
        }
        self.blocks.truncate(tokens.div_ceil(BLOCK));
        let rest = tokens % BLOCK * self.width;
        if let Some(last) = self.blocks.last_mut().filter(|it| rest > 0 && it.keys.len() > rest) {
            let block = Arc::make_mut(last);
            block.keys.truncate(rest);
            block.values.truncate(rest);
        }
    }

    /// What is kept of the first tokens. It costs no more than the last block.
    pub(super) fn first(&self, tokens: usize) -> Self {
        let mut first = self.clone();
        first.truncate(tokens);
        first
    }

    /// How many tokens this and another one keep together, without a copy.
    pub(super) fn together(&self, other: &Self) -> usize {
        let same = self.blocks.iter().zip(&other.blocks);
        let same = same.take_while(|(one, other)| Arc::ptr_eq(one, other)).count();
        (same * BLOCK).min(self.tokens())
    }

    /// What is kept, as bytes: what all tokens answer to, then what they answer.
    pub(super) fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Self::saved(self.tokens(), self.width).unwrap_or(0));
        let keys = self.blocks.iter().map(|it| &it.keys);
        for all in keys.chain(self.blocks.iter().map(|it| &it.values)) {
            bytes.extend(all.iter().flat_map(|it| it.to_le_bytes()));
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
        let full = cache.full();
        let (keys, values) = bytes.split_at(bytes.len() / 2);
        for (keys, values) in keys.chunks(2 * full).zip(values.chunks(2 * full)) {
            let mut block = Block::new(full);
            for (all, bytes) in [(&mut block.keys, keys), (&mut block.values, values)] {
                all.extend(bytes.as_chunks().0.iter().map(|it| u16::from_le_bytes(*it)));
            }
            cache.blocks.push(Arc::new(block));
        }
        Some(cache)
    }

    /// What each token answers to, in the part of one head.
    #[inline(always)]
    pub(super) fn keys(&self, head: usize) -> impl Iterator<Item = &[u16]> {
        self.part(|it| &it.keys, head)
    }

    /// What each token answers, in the part of one head.
    #[inline(always)]
    pub(super) fn values(&self, head: usize) -> impl Iterator<Item = &[u16]> {
        self.part(|it| &it.values, head)
    }

    #[inline(always)]
    fn part(&self, of: fn(&Block) -> &Vec<u16>, head: usize) -> impl Iterator<Item = &[u16]> {
        let range = head * self.head..(head + 1) * self.head;
        let tokens = self.blocks.iter().flat_map(move |it| of(it).chunks_exact(self.width.max(1)));
        tokens.map(move |it| it.get(range.clone()).unwrap_or_default())
    }
}

impl Block {
    /// An empty one, with room for so many numbers in each of the two.
    fn new(full: usize) -> Self {
        Self { keys: Vec::with_capacity(full), values: Vec::with_capacity(full) }
    }
}

impl Clone for Block {
    /// A copy is made where somebody goes on: with as much room.
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.keys.capacity());
        copy.keys.extend_from_slice(&self.keys);
        copy.values.extend_from_slice(&self.values);
        copy
    }
}

/// Rows of 16-bit numbers, written out.
pub(super) fn written_out<'a>(rows: impl Iterator<Item = &'a [u16]>) -> Vec<f32> {
    rows.flatten().map(|it| from_half(*it)).collect()
}
