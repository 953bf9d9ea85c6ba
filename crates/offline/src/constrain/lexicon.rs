//! [`Lexicon`]: a vocabulary, arranged so that a grammar of bytes is walked once for all its tokens.

use std::sync::Arc;

use super::{answer::begins_answer, mask::Mask};
use crate::tokens::Vocabulary;

/// A vocabulary as tries of bytes. Made once for a model; shared by every [`Constraint`](super::Constraint).
pub struct Lexicon {
    vocabulary: Arc<dyn Vocabulary>,
    /// Every token.
    pub(super) all: Trie,
    /// The tokens that are not plain.
    pub(super) special: Trie,
    /// The tokens that may stand anywhere in prose and in a string: whole characters, none of them
    /// a figure, a control character, a quote, a backslash, a backtick, `[` or `<`. They are most of a
    /// vocabulary, and are never walked.
    pub(super) plain: Mask,
    /// Those of them that may begin an answer.
    pub(super) opening: Mask,
}

impl Lexicon {
    /// Arranges a vocabulary.
    pub fn new(vocabulary: Arc<dyn Vocabulary>) -> Self {
        let mut tokens: Vec<_> = (0..vocabulary.size())
            .filter(|token| *token != vocabulary.end())
            .map(|token| (vocabulary.bytes(token), token))
            .filter(|(bytes, _)| !bytes.is_empty())
            .collect();
        tokens.sort_unstable();
        let mut plain = Mask::empty(vocabulary.size());
        let (simple, special): (Vec<_>, Vec<_>) =
            tokens.iter().copied().partition(|(bytes, _)| is_plain(bytes));
        let mut opening = plain.clone();
        for (bytes, token) in simple {
            plain.add(token);
            if bytes.first().is_some_and(|byte| begins_answer(*byte)) {
                opening.add(token);
            }
        }
        let (all, special) = (Trie::new(&tokens), Trie::new(&special));
        Self { vocabulary, all, special, plain, opening }
    }

    /// The vocabulary it was made of.
    pub fn vocabulary(&self) -> &dyn Vocabulary {
        &*self.vocabulary
    }
}

fn is_plain(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| {
        !byte.is_ascii_control()
            && !byte.is_ascii_digit()
            && !matches!(byte, b'"' | b'\\' | b'`' | b'[' | b'<')
    };
    // What follows a figure may not be more of it.
    let is_separator = matches!(bytes.first(), Some(b'.' | b','));
    !is_separator && bytes.iter().all(is_plain) && std::str::from_utf8(bytes).is_ok()
}

/// Tokens by their bytes.
#[derive(Default)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    /// The edges of all nodes, those of one node together and in the order of their bytes.
    edges: Vec<(u8, u32)>,
    tokens: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Node {
    edges: (u32, u32),
    tokens: (u32, u32),
}

impl Trie {
    /// Of tokens in the order of their bytes.
    fn new(tokens: &[(&[u8], u32)]) -> Self {
        let mut trie = Self { nodes: vec![Node::default()], ..Self::default() };
        // What is still to be split: a node, its depth, and the tokens below it.
        let mut open = vec![(0_usize, 0_usize, tokens)];
        while let Some((node, depth, below)) = open.pop() {
            let ending = below.partition_point(|(bytes, _)| bytes.len() == depth);
            let (here, mut deeper) = below.split_at(ending);
            let first_token = trie.tokens.len() as u32;
            trie.tokens.extend(here.iter().map(|(_, token)| *token));
            let first_edge = trie.edges.len() as u32;
            while let Some(byte) = deeper.first().and_then(|(bytes, _)| bytes.get(depth)) {
                let count = deeper.partition_point(|(bytes, _)| bytes.get(depth) == Some(byte));
                let (group, rest) = deeper.split_at(count);
                trie.edges.push((*byte, trie.nodes.len() as u32));
                open.push((trie.nodes.len(), depth + 1, group));
                trie.nodes.push(Node::default());
                deeper = rest;
            }
            let edges = (first_edge, trie.edges.len() as u32);
            if let Some(node) = trie.nodes.get_mut(node) {
                *node = Node { edges, tokens: (first_token, trie.tokens.len() as u32) };
            }
        }
        trie
    }

    /// The edges of a node, in the order of their bytes; 0 is the root.
    pub(super) fn edges(&self, node: u32) -> &[(u8, u32)] {
        let Some(Node { edges: (from, to), .. }) = self.nodes.get(node as usize) else {
            return &[];
        };
        self.edges.get(*from as usize..*to as usize).unwrap_or_default()
    }

    /// The tokens that end at a node.
    pub(super) fn tokens(&self, node: u32) -> &[u32] {
        let Some(Node { tokens: (from, to), .. }) = self.nodes.get(node as usize) else {
            return &[];
        };
        self.tokens.get(*from as usize..*to as usize).unwrap_or_default()
    }
}
