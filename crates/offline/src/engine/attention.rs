//! Attention: each token looks at those before it.

use rayon::prelude::*;
use rten_simd::{Isa, SimdOp};
use rten_tensor::NdTensorView;
use rten_vecmath::Softmax;

use super::{
    Shape,
    cache::{Cache, written_out},
};
use crate::{
    OfflineError,
    weights::{Way, add, dot, product, write_halves},
};

/// What new tokens, whose questions are given and which are in the cache already, see in all
/// before them and in themselves.
pub(super) fn attend(
    shape: &Shape,
    questions: &[f32],
    cache: &Cache,
    way: Way,
    out: &mut Vec<f32>,
) -> Result<(), OfflineError> {
    let parts: Result<Vec<_>, _> = (0..shape.shared)
        .into_par_iter()
        .map(|head| {
            let asked = gathered(shape, questions, head);
            match way {
                Way::Each => Ok(Few { shape, asked: &asked, cache, head }.dispatch()),
                Way::Together => many_at_once(shape, &asked, cache, head),
            }
        })
        .collect();
    out.resize(questions.len(), 0.0);
    for (head, part) in parts?.iter().enumerate() {
        scattered(shape, part, head, out);
    }
    Ok(())
}

/// The questions of the heads that share one head's answers: all tokens of the first, then all of
/// the second.
fn gathered(shape: &Shape, questions: &[f32], shared: usize) -> Vec<f32> {
    let group = shape.heads / shape.shared;
    let heads = (shared * group)..(shared * group + group);
    let of = |head: usize| questions.chunks_exact(shape.head).skip(head).step_by(shape.heads);
    heads.flat_map(of).flatten().copied().collect()
}

/// Puts them back into their places.
fn scattered(shape: &Shape, part: &[f32], shared: usize, out: &mut [f32]) {
    let group = shape.heads / shape.shared;
    let many = out.len() / (shape.heads * shape.head);
    for (index, part) in part.chunks_exact(many * shape.head).enumerate() {
        let head = shared * group + index;
        let places = out.chunks_exact_mut(shape.head).skip(head).step_by(shape.heads);
        for (place, part) in places.zip(part.chunks_exact(shape.head)) {
            place.copy_from_slice(part);
        }
    }
}

fn factor(shape: &Shape) -> f32 {
    1.0 / (shape.head as f32).sqrt()
}

/// What a few tokens see, in the heads that share one head's answers.
struct Few<'a> {
    shape: &'a Shape,
    asked: &'a [f32],
    cache: &'a Cache,
    head: usize,
}

impl SimdOp for Few<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> Vec<f32> {
        let Self { shape, asked, cache, head } = self;
        let (rows, tokens) = (asked.len() / shape.head, cache.tokens());
        let mut scores = vec![0.0; rows * tokens];
        let mut plain = vec![0.0; shape.head];
        for (at, key) in cache.keys(head).enumerate() {
            write_halves(isa, key, &mut plain);
            let scores = scores.iter_mut().skip(at).step_by(tokens);
            for (score, asked) in scores.zip(asked.chunks_exact(shape.head)) {
                *score = dot(isa, asked, &plain) * factor(shape);
            }
        }
        causal(&mut scores, rows * shape.shared / shape.heads, tokens);
        let mut out = vec![0.0; asked.len()];
        for (at, value) in cache.values(head).enumerate() {
            write_halves(isa, value, &mut plain);
            let scores = scores.iter().skip(at).step_by(tokens);
            for (score, out) in scores.zip(out.chunks_exact_mut(shape.head)) {
                add(isa, *score, &plain, out);
            }
        }
        out
    }
}

fn many_at_once(
    shape: &Shape,
    asked: &[f32],
    cache: &Cache,
    head: usize,
) -> Result<Vec<f32>, OfflineError> {
    let (rows, group) = (asked.len() / shape.head, shape.heads / shape.shared);
    let keys = written_out(cache.keys(head));
    let tokens = keys.len() / shape.head;
    let mut scores = vec![0.0; rows * tokens];
    let asked = NdTensorView::from_data([rows, shape.head], asked);
    let keys = NdTensorView::from_data([tokens, shape.head], keys.as_slice());
    product(asked, keys.transposed(), factor(shape), &mut scores)?;
    causal(&mut scores, rows / group, tokens);
    let values = written_out(cache.values(head));
    let values = NdTensorView::from_data([tokens, shape.head], values.as_slice());
    let mut out = vec![0.0; rows * shape.head];
    product(NdTensorView::from_data([rows, tokens], scores.as_slice()), values, 1.0, &mut out)?;
    Ok(out)
}

/// Makes shares of scores; a token has none in those after it. Rows are those of the `many` last of
/// all tokens, several times over.
fn causal(scores: &mut [f32], many: usize, tokens: usize) {
    for (row, scores) in scores.chunks_exact_mut(tokens).enumerate() {
        let seen = tokens - many + row % many + 1;
        let (before, after) = scores.split_at_mut(seen);
        Softmax::new_mut(before).dispatch();
        after.fill(0.0);
    }
}
