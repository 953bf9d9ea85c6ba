//! [`Index`]: which tools have which words, and how much that says about them.

use std::{
    collections::BTreeMap,
    ops::Bound::{Included, Unbounded},
    sync::Arc,
};

use toolwright_core::ToolSpec;

use super::{draft::Draft, wanted::Wanted};

/// Which tools have which words, and how much each word says about each tool: what its places
/// weigh, and how few tools have it (BM25 over fields). All of that is known beforehand, so that a
/// question costs one look-up for each of its words and one addition for each tool that has it.
pub(super) struct Index {
    /// The number of each term: a word some tool has, or one whose synonym some tool has. In order, so
    /// that words that begin alike stand together.
    pub(super) terms: BTreeMap<Box<str>, usize>,
    /// The words each term stands for: itself where a tool has it, and its synonyms.
    pub(super) meanings: Vec<Vec<Meaning>>,
    /// The tools that have each word.
    pub(super) having: Vec<Vec<Having>>,
    /// The most telling words of each tool.
    pub(super) telling: Vec<Vec<Meaning>>,
}

/// A word, and how much it counts.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    pub(super) word: usize,
    pub(super) weight: f32,
}

/// A tool that has a word, and how much that counts.
#[derive(Clone, Copy)]
pub(super) struct Having {
    pub(super) tool: usize,
    pub(super) weight: f32,
}

/// A term that nobody knows stands for those that share this many letters with it.
const ALIKE: usize = 5;
/// What such a likeness weighs.
const ALIKE_WEIGHT: f32 = 0.4;
/// How many of the best tools lend their words to the others.
const LENDERS: usize = 4;
/// What a lent word weighs.
const LENT: f32 = 0.03;
/// What words weigh beside meaning: the tool whose words fit best is worth this much similarity.
const WORDS: f32 = 0.3;
/// Less similarity than this says nothing.
const SIMILAR: f32 = 0.1;

impl Index {
    pub(super) fn new(specs: &[Arc<ToolSpec>]) -> Self {
        let mut draft = Draft::default();
        specs.iter().enumerate().for_each(|(tool, spec)| draft.add(tool, spec));
        draft.finish()
    }

    /// The tools that have something of what is wanted, best first; of equals, the first first.
    pub(super) fn ranked(&self, wanted: &Wanted<'_>) -> Vec<(usize, f32)> {
        ranked(self.scores(wanted).iter().map(|it| it.score))
    }

    /// As [`ranked`](Self::ranked), and what is like the best of them is worth more: who asks for
    /// one tool of a kind soon needs another. How similar the tools are to what is asked counts, too,
    /// where that is known.
    pub(super) fn ranked_with_kind(
        &self,
        wanted: &Wanted<'_>,
        similarities: &[f32],
    ) -> Vec<(usize, f32)> {
        let mut scores = self.scores_with_kind(wanted);
        let most = scores.iter().copied().fold(0.0, f32::max);
        for (score, similarity) in scores.iter_mut().zip(similarities) {
            let words = if most > 0.0 { WORDS * *score / most } else { 0.0 };
            let is_meant = *score > 0.0 || *similarity >= SIMILAR;
            // Not below what has no place in the order at all.
            *score = if is_meant { (words + similarity).max(f32::MIN_POSITIVE) } else { 0.0 };
        }
        ranked(scores.into_iter())
    }

    fn scores_with_kind(&self, wanted: &Wanted<'_>) -> Vec<f32> {
        let mut scores = self.scores(wanted);
        let best = ranked(scores.iter().map(|it| it.score));
        let most = best.first().map_or(1.0, |(_, most)| *most);
        for (tool, score) in best.into_iter().take(LENDERS) {
            for Meaning { word, weight } in self.telling.get(tool).into_iter().flatten() {
                let lent = LENT * weight * score / most;
                for it in self.having.get(*word).into_iter().flatten() {
                    if let Some(standing) = scores.get_mut(it.tool) {
                        standing.score += lent * it.weight;
                    }
                }
            }
        }
        scores.into_iter().map(|it| it.score).collect()
    }

    fn scores(&self, wanted: &Wanted<'_>) -> Vec<Standing> {
        let mut scores = vec![Standing::default(); self.telling.len()];
        for (term, weight) in wanted.terms() {
            for meaning in self.meanings.get(term).into_iter().flatten() {
                let weight = weight * meaning.weight;
                for it in self.having.get(meaning.word).into_iter().flatten() {
                    if let Some(standing) = scores.get_mut(it.tool) {
                        standing.hear(term, weight * it.weight);
                    }
                }
            }
        }
        scores
    }

    /// Calls `each` with the number of a word as a term, and how much it counts. One that nobody
    /// knows is taken for those that begin alike: it may be another form, or a slip of the finger.
    pub(super) fn each_term(&self, word: &str, mut each: impl FnMut(usize, f32)) {
        if let Some(term) = self.terms.get(word) {
            return each(*term, 1.0);
        }
        let Some(start) = word.get(..ALIKE) else { return };
        let from_start = self.terms.range::<str, _>((Included(start), Unbounded));
        for (_, term) in from_start.take_while(|(other, _)| other.starts_with(start)) {
            each(*term, ALIKE_WEIGHT);
        }
    }
}

/// How well a tool fits.
#[derive(Clone, Copy, Default)]
struct Standing {
    score: f32,
    /// The term heard last, one above its number, and the best of what it stands for.
    term: usize,
    best: f32,
}

impl Standing {
    /// Of all that a term stands for only the best counts: a tool that has `mail`, `email` and
    /// `inbox` is not three times what somebody asks for who says `mail`.
    fn hear(&mut self, term: usize, score: f32) {
        if self.term != term + 1 {
            (self.term, self.best) = (term + 1, 0.0);
        }
        if score > self.best {
            self.score += score - self.best;
            self.best = score;
        }
    }
}

fn ranked(scores: impl Iterator<Item = f32>) -> Vec<(usize, f32)> {
    let mut ranked: Vec<_> = scores.enumerate().filter(|(_, score)| *score > 0.0).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}
