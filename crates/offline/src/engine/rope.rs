//! [`Rope`]: tells a head where a token stands, by turning its numbers.

use crate::{OfflineError, weights::Gguf};

use super::Shape;

/// Turns the numbers of a head by angles that grow with the position.
pub(super) struct Rope {
    /// How far each pair of numbers turns from one token to the next.
    steps: Vec<f32>,
}

impl Rope {
    pub(super) fn read(gguf: &Gguf, shape: &Shape) -> Result<Self, OfflineError> {
        let half = shape.head / 2;
        let mut steps: Vec<f32> =
            (0..half).map(|it| shape.base.powf(-(it as f32) / half as f32)).collect();
        // Models that were later taught longer contexts have a factor for each.
        if gguf.has("rope_freqs.weight") {
            let factors = gguf.numbers("rope_freqs.weight")?;
            steps.iter_mut().zip(factors).for_each(|(step, factor)| *step /= factor);
        }
        Ok(Self { steps })
    }

    /// Turns all heads of tokens whose vectors have so many numbers; the first stands at `begin`.
    pub(super) fn turn(&self, vectors: &mut [f32], width: usize, begin: usize) {
        let half = self.steps.len();
        for (position, vector) in (begin..).zip(vectors.chunks_exact_mut(width)) {
            let angles = self.steps.iter().map(|step| (position as f32 * step).sin_cos());
            let angles: Vec<_> = angles.collect();
            for head in vector.chunks_exact_mut(2 * half) {
                let (low, high) = head.split_at_mut(half);
                for ((low, high), (sin, cos)) in low.iter_mut().zip(high).zip(&angles) {
                    (*low, *high) = (*low * cos - *high * sin, *high * cos + *low * sin);
                }
            }
        }
    }
}

/// The order that rows have when the halves of a pair stand half a head apart. A GGUF has them
/// next to each other.
pub(super) fn halves_apart(heads: usize, head: usize) -> Vec<usize> {
    let within = |row: usize| 2 * (row % (head / 2)) + row / (head / 2);
    (0..heads).flat_map(|it| (0..head).map(move |row| it * head + within(row))).collect()
}
