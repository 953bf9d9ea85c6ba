//! [`Cache`]: what layers keep of the tokens that were read.

use super::Shape;
use crate::weights::{from_half, to_half};

/// How many tokens there is room for at a time. To double the room, as vectors do, would leave half of
/// the largest thing in memory empty.
const ROOM: usize = 256;

/// What one layer keeps of the tokens that were read: for each, what it answers to and what it
/// answers, in 16 bits.
#[derive(Clone, Default)]
pub(super) struct Cache {
    keys: Vec<u16>,
    values: Vec<u16>,
    /// Numbers for each token, in each of the two.
    width: usize,
    head: usize,
}

impl Cache {
    pub(super) fn new(shape: &Shape) -> Self {
        let (width, head) = (shape.shared_width(), shape.head);
        Self { keys: Vec::new(), values: Vec::new(), width, head }
    }

    /// How many tokens it is about.
    pub(super) fn tokens(&self) -> usize {
        self.keys.len() / self.width.max(1)
    }

    /// Adds what is kept of further tokens.
    pub(super) fn extend(&mut self, keys: &[f32], values: &[f32]) {
        add(&mut self.keys, keys, ROOM * self.width);
        add(&mut self.values, values, ROOM * self.width);
    }

    /// Forgets all but the first tokens.
    pub(super) fn truncate(&mut self, tokens: usize) {
        self.keys.truncate(tokens * self.width);
        self.values.truncate(tokens * self.width);
    }

    /// What is kept of the first tokens.
    pub(super) fn first(&self, tokens: usize) -> Self {
        let first = |all: &[u16]| all.get(..tokens * self.width).unwrap_or(all).to_vec();
        Self { keys: first(&self.keys), values: first(&self.values), ..*self }
    }

    /// What is kept, as bytes at the end of others.
    pub(super) fn save(&self, bytes: &mut Vec<u8>) {
        for all in [&self.keys, &self.values] {
            bytes.extend(all.iter().flat_map(|it| it.to_le_bytes()));
        }
    }

    /// What was saved of so many tokens, and the bytes after it; nothing where there are fewer.
    pub(super) fn restore<'a>(
        shape: &Shape,
        tokens: usize,
        bytes: &'a [u8],
    ) -> Option<(Self, &'a [u8])> {
        let mut cache = Self::new(shape);
        let half = tokens.checked_mul(cache.width)?.checked_mul(2)?;
        let (keys, rest) = bytes.split_at_checked(half)?;
        let (values, rest) = rest.split_at_checked(half)?;
        for (all, bytes) in [(&mut cache.keys, keys), (&mut cache.values, values)] {
            // Somebody goes on from here.
            all.reserve_exact((tokens + ROOM) * cache.width);
            all.extend(bytes.as_chunks().0.iter().map(|it| u16::from_le_bytes(*it)));
        }
        Some((cache, rest))
    }

    /// What each token answers to, in the part of one head.
    #[inline(always)]
    pub(super) fn keys(&self, head: usize) -> impl Iterator<Item = &[u16]> {
        self.part(&self.keys, head)
    }

    /// What each token answers, in the part of one head.
    #[inline(always)]
    pub(super) fn values(&self, head: usize) -> impl Iterator<Item = &[u16]> {
        self.part(&self.values, head)
    }

    #[inline(always)]
    fn part<'a>(&self, all: &'a [u16], head: usize) -> impl Iterator<Item = &'a [u16]> {
        let range = head * self.head..(head + 1) * self.head;
        all.chunks_exact(self.width.max(1)).map(move |it| it.get(range.clone()).unwrap_or_default())
    }
}

/// Adds numbers in 16 bits, with room for `room` more where there is none for them.
fn add(all: &mut Vec<u16>, more: &[f32], room: usize) {
    if all.capacity() - all.len() < more.len() {
        all.reserve_exact(more.len().max(room));
    }
    all.extend(more.iter().map(|it| to_half(*it)));
}

/// Rows of 16-bit numbers, written out.
pub(super) fn written_out<'a>(rows: impl Iterator<Item = &'a [u16]>) -> Vec<f32> {
    rows.flatten().map(|it| from_half(*it)).collect()
}
