//! Attention: each token looks at those before it.
//!
//! What was read is looked at in [stretches](STRETCH), each of them on whatever core is free, and what is seen in them is then put
//! together. Where they begin does not depend on who looks, and what a token sees not on who looks along with it: so it
//! sees the same, to the last bit, however many are read at a time.

use std::mem;

use rayon::prelude::*;
use rten_simd::{Isa, Simd as _, SimdOp, SimdUnaryOp as _, ops::NumOps as _};
use rten_vecmath::Exp;

use super::{
    Shape,
    cache::{BLOCK, Cache},
};
use crate::weights::{weighed, write_halves};

/// How many blocks of tokens are looked at in one go: enough to be worth a core's while, few enough that all cores
/// have something to do.
const STRETCH: usize = 4;
/// How many tokens these are.
const TOKENS: usize = STRETCH * BLOCK;
/// No head has more numbers.
pub(super) const LONGEST: usize = 256;
/// The score of what is not seen.
const UNSEEN: f32 = f32::MIN;

/// What new tokens, whose questions are given and which are in the cache already, see in all
/// before them and in themselves.
pub(super) fn attend(shape: &Shape, questions: &[f32], cache: &Cache, out: &mut Vec<f32>) {
    let stretches = cache.tokens().div_ceil(TOKENS);
    let looks = (0..shape.shared * stretches).into_par_iter();
    let seen = looks.map_init(Paper::default, |paper, it| {
        let (head, stretch) = (it / stretches, it % stretches);
        Look { shape, questions, cache, head, stretch, paper }.dispatch()
    });
    let seen: Vec<_> = seen.collect();
    out.resize(questions.len(), 0.0);
    let group = shape.heads / shape.shared;
    out.par_chunks_mut(shape.heads * shape.head).enumerate().for_each(|(token, out)| {
        let heads = out.chunks_exact_mut(group * shape.head).zip(seen.chunks(stretches));
        for (out, seen) in heads {
            let rows = token * group..;
            rows.zip(out.chunks_exact_mut(shape.head))
                .for_each(|(row, out)| together(seen, row, out));
        }
    });
}

/// What is seen in one stretch by the heads that share one head's answers.
struct Look<'a> {
    shape: &'a Shape,
    questions: &'a [f32],
    cache: &'a Cache,
    head: usize,
    stretch: usize,
    paper: &'a mut Paper,
}

/// Memory that is used again from look to look.
#[derive(Default)]
struct Paper {
    /// The questions.
    asked: Vec<[f32; LONGEST]>,
    /// For each of them, what comes of it with each token.
    scores: Vec<[f32; TOKENS]>,
    /// A block, written out.
    plain: Vec<f32>,
}

/// What was seen in one stretch, for each question: those of the first token, then those of the next.
#[derive(Default)]
struct Seen {
    /// The highest score of each.
    peaks: Vec<f32>,
    /// The shares of all answers, which are one where the score is the highest.
    sums: Vec<f32>,
    /// The answers in these shares.
    answers: Vec<f32>,
}

impl SimdOp for Look<'_> {
    type Output = Seen;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> Seen {
        let Paper { mut asked, mut scores, mut plain } = mem::take(self.paper);
        let head = self.shape.head;
        self.ask(&mut asked);
        scores.clear();
        scores.resize(asked.len(), [0.0; TOKENS]);
        plain.resize(head * BLOCK, 0.0);
        for (block, (keys, _)) in self.blocks() {
            write_halves(isa, keys, &mut plain);
            let (_, asked) = asked.split_at(self.blind(block));
            let (_, scores) = scores.split_at_mut(self.blind(block));
            let (_, scores) = scores.as_flattened_mut().split_at_mut(block * BLOCK);
            weighed(isa, asked, 0..head, &plain, BLOCK, scores, TOKENS);
        }
        let mut seen = Seen { answers: vec![0.0; scores.len() * head], ..Seen::default() };
        for (row, scores) in scores.iter_mut().enumerate() {
            let (peak, sum) = shares(isa, scores, self.sight(row));
            seen.peaks.push(peak);
            seen.sums.push(sum);
        }
        for (block, (_, values)) in self.blocks() {
            write_halves(isa, values, &mut plain);
            let (_, scores) = scores.split_at(self.blind(block));
            let (_, answers) = seen.answers.split_at_mut(self.blind(block) * head);
            let tokens = block * BLOCK..(block + 1) * BLOCK;
            weighed(isa, scores, tokens, &plain, head, answers, head);
        }
        *self.paper = Paper { asked, scores, plain };
        seen
    }
}

impl Look<'_> {
    /// The blocks of the stretch, with how many are before them.
    #[inline(always)]
    fn blocks(&self) -> impl Iterator<Item = (usize, (&[u16], &[u16]))> {
        (0..STRETCH).zip(self.cache.blocks(self.head).skip(self.stretch * STRETCH))
    }

    /// Notes the questions of these heads, those of the first token first.
    fn ask(&self, asked: &mut Vec<[f32; LONGEST]>) {
        let Shape { shared, head, .. } = *self.shape;
        let factor = 1.0 / (head as f32).sqrt();
        asked.resize(self.questions.len() / (shared * head), [0.0; LONGEST]);
        let tokens =
            self.questions.chunks_exact(self.group() * head).skip(self.head).step_by(shared);
        let questions = tokens.flat_map(|it| it.chunks_exact(head));
        for (asked, question) in asked.iter_mut().zip(questions) {
            asked.iter_mut().zip(question).for_each(|(asked, it)| *asked = it * factor);
        }
    }

    /// How many tokens of the stretch a question may see: all up to its own.
    fn sight(&self, row: usize) -> usize {
        let before = self.before() + row / self.group() + 1;
        before.saturating_sub(self.stretch * TOKENS).min(TOKENS)
    }

    /// How many questions may see nothing of a block: those of the tokens that come before it.
    fn blind(&self, block: usize) -> usize {
        let begin = self.stretch * TOKENS + block * BLOCK;
        begin.saturating_sub(self.before()) * self.group()
    }

    /// How many tokens were read before those who look.
    fn before(&self) -> usize {
        self.cache.tokens() - self.questions.len() / (self.shape.heads * self.shape.head)
    }

    /// How many heads share one head's answers.
    fn group(&self) -> usize {
        self.shape.heads / self.shape.shared
    }
}

/// Makes shares of the first so many scores, and nothing of the others; gives the highest score and the sum of all shares.
#[inline(always)]
fn shares<I: Isa>(isa: I, scores: &mut [f32; TOKENS], seen: usize) -> (f32, f32) {
    if seen == 0 {
        return (UNSEEN, 0.0);
    }
    let floats = isa.f32();
    let step = floats.len();
    // What nobody has looked at is nothing already.
    let (scores, _) = scores.split_at_mut(seen.next_multiple_of(BLOCK));
    scores.iter_mut().skip(seen).for_each(|it| *it = UNSEEN);
    let mut peak = floats.splat(UNSEEN);
    for part in scores.chunks_exact(step) {
        peak = floats.max(peak, floats.load(part));
    }
    let peak = peak.to_array().as_ref().iter().fold(UNSEEN, |a, b| a.max(*b));
    let (highest, mut sum) = (floats.splat(peak), floats.zero());
    for part in scores.chunks_exact_mut(step) {
        let share = Exp {}.eval(isa, floats.sub(floats.load(part), highest));
        sum = floats.add(sum, share);
        floats.store(share, part);
    }
    (peak, floats.sum(sum))
}

/// Puts together what one question has seen in all stretches.
fn together(seen: &[Seen], row: usize, out: &mut [f32]) {
    let peak = |it: &Seen| it.peaks.get(row).copied().unwrap_or(UNSEEN);
    let highest = seen.iter().map(peak).fold(UNSEEN, f32::max);
    out.fill(0.0);
    let mut sum = 0.0;
    for seen in seen {
        let share = (peak(seen) - highest).exp();
        sum += share * seen.sums.get(row).copied().unwrap_or_default();
        let answers = seen.answers.chunks_exact(out.len()).nth(row).unwrap_or_default();
        out.iter_mut().zip(answers).for_each(|(out, it)| *out += share * it);
    }
    out.iter_mut().for_each(|it| *it /= sum);
}
