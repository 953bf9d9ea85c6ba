//! [`Layer`]: one of the layers a token goes through.

use rayon::prelude::*;
use rten_simd::SimdUnaryOp as _;
use rten_vecmath::Silu;

use super::{
    Shape,
    attention::attend,
    cache::Cache,
    linear::{Linear, Spare},
    rope::{Rope, halves_apart},
};
use crate::{
    OfflineError,
    weights::{Adapter, Gguf, Vectors},
};

/// Of fewer tokens than this all cores take a share of the weights instead of a share of the tokens.
const FEW: usize = 24;

/// One of the layers a token goes through.
pub(super) struct Layer {
    attention_norm: Vec<f32>,
    query: Linear,
    key: Linear,
    value: Linear,
    /// Some models bring each head to the same length before they turn it.
    head_norms: Option<HeadNorms>,
    is_told_places: bool,
    output: Linear,
    feed_norm: Vec<f32>,
    gate: Linear,
    up: Linear,
    down: Linear,
}

/// The weights of what brings heads to the same length.
struct HeadNorms {
    query: Vec<f32>,
    key: Vec<f32>,
}

/// What all layers are told about the tokens that go through them.
#[derive(Clone, Copy)]
pub(super) struct Passing<'a> {
    pub(super) shape: &'a Shape,
    pub(super) rope: &'a Rope,
    /// How many tokens were read before them.
    pub(super) begin: usize,
}

/// Memory that is used again from layer to layer.
#[derive(Default)]
pub(super) struct Desk {
    queries: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    seen: Vec<f32>,
    /// What each who takes a part of the tokens has.
    seats: Vec<Seat>,
}

/// The same for a part of the tokens.
#[derive(Default)]
struct Seat {
    normed: Vec<f32>,
    /// What is multiplied next.
    vectors: Vectors,
    out: Vec<f32>,
    gates: Vec<f32>,
    ups: Vec<f32>,
    spare: Spare,
}

impl Desk {
    /// How many tokens each part has of so many: a core's own share of many, and all where there are few.
    fn share(&mut self, many: usize) -> usize {
        let share = match many < FEW {
            true => many,
            false => {
                many.div_ceil(rayon::current_num_threads()).next_multiple_of(Vectors::TOGETHER)
            }
        };
        self.seats.resize_with(many.div_ceil(share.max(1)).max(self.seats.len()), Seat::default);
        share.max(1)
    }
}

impl Layer {
    pub(super) fn read(
        gguf: &Gguf,
        adapter: Option<&Adapter>,
        shape: &Shape,
        index: usize,
    ) -> Result<Self, OfflineError> {
        let linear = |name: &str, adapted: &str| {
            let name = format!("blk.{index}.{name}");
            Linear::read(gguf, &name, adapter, &format!("model.layers.{index}.{adapted}"))
        };
        // How many heads there are is only a word until the weights are as many.
        let turned = |linear: Linear, heads: usize| match linear.makes() == heads * shape.head {
            true if shape.family.has_neighbours() => {
                Ok(linear.reordered(&halves_apart(heads, shape.head)))
            }
            true => Ok(linear),
            false => Err(misfit(index)),
        };
        let norm = |name: &str| gguf.numbers(&format!("blk.{index}.{name}.weight"));
        let layer = Self {
            attention_norm: norm("attn_norm")?,
            query: turned(linear("attn_q", "self_attn.q_proj")?, shape.heads)?,
            key: turned(linear("attn_k", "self_attn.k_proj")?, shape.shared)?,
            value: linear("attn_v", "self_attn.v_proj")?,
            head_norms: HeadNorms::read(gguf, shape, index)?,
            is_told_places: shape.family.is_told_places(index),
            output: linear("attn_output", "self_attn.o_proj")?,
            feed_norm: norm("ffn_norm")?,
            gate: linear("ffn_gate", "mlp.gate_proj")?,
            up: linear("ffn_up", "mlp.up_proj")?,
            down: linear("ffn_down", "mlp.down_proj")?,
        };
        if layer.fits(shape) {
            return Ok(layer);
        }
        Err(misfit(index))
    }

    fn fits(&self, shape: &Shape) -> bool {
        let (width, heads, shared) = (shape.width, shape.heads * shape.head, shape.shared_width());
        self.attention_norm.len() == width
            && self.feed_norm.len() == width
            && self.query.fits(width, heads)
            && self.key.fits(width, shared)
            && self.value.fits(width, shared)
            && self.output.fits(heads, width)
            && self.gate.fits(width, shape.hidden)
            && self.up.fits(width, shape.hidden)
            && self.down.fits(shape.hidden, width)
    }

    /// Takes the vectors of new tokens through the layer.
    pub(super) fn pass(
        &self,
        passing: Passing<'_>,
        x: &mut [f32],
        cache: &mut Cache,
        desk: &mut Desk,
    ) -> Result<(), OfflineError> {
        let Shape { width, .. } = *passing.shape;
        let (heads, shared) =
            (passing.shape.heads * passing.shape.head, passing.shape.shared_width());
        let many = x.len() / width;
        let share = desk.share(many);
        let Desk { queries, keys, values, seen, seats } = desk;
        queries.resize(many * heads, 0.0);
        keys.resize(many * shared, 0.0);
        values.resize(many * shared, 0.0);
        let kept = keys.par_chunks_mut(share * shared).zip(values.par_chunks_mut(share * shared));
        let asked = queries.par_chunks_mut(share * heads).zip(kept);
        let parts = x.par_chunks(share * width).zip(asked).zip(seats.par_iter_mut());
        parts.enumerate().try_for_each(|(part, ((x, (queries, (keys, values))), seat))| {
            let begin = passing.begin + part * share;
            self.look(Passing { begin, ..passing }, x, [queries, keys, values], seat)
        })?;
        cache.extend(keys, values);
        attend(passing.shape, queries, cache, seen);
        let parts = x.par_chunks_mut(share * width).zip(seen.par_chunks(share * heads));
        let parts = parts.zip(seats.par_iter_mut());
        parts.try_for_each(|((x, seen), seat)| self.think(passing.shape, x, seen, seat))
    }

    /// What tokens ask, and what they answer those who ask.
    fn look(
        &self,
        passing: Passing<'_>,
        x: &[f32],
        [queries, keys, values]: [&mut [f32]; 3],
        seat: &mut Seat,
    ) -> Result<(), OfflineError> {
        let Passing { shape, rope, begin } = passing;
        let Seat { normed, vectors, spare, .. } = seat;
        norm(x, &self.attention_norm, shape.epsilon, normed);
        vectors.put(normed, shape.width);
        self.query.apply(vectors, queries, spare)?;
        self.key.apply(vectors, keys, spare)?;
        self.value.apply(vectors, values, spare)?;
        if let Some(norms) = &self.head_norms {
            norm_in_place(queries, &norms.query, shape.epsilon);
            norm_in_place(keys, &norms.key, shape.epsilon);
        }
        if self.is_told_places {
            rope.turn(queries, shape.heads * shape.head, begin);
            rope.turn(keys, shape.shared_width(), begin);
        }
        Ok(())
    }

    /// What tokens make of what they have seen.
    fn think(
        &self,
        shape: &Shape,
        x: &mut [f32],
        seen: &[f32],
        seat: &mut Seat,
    ) -> Result<(), OfflineError> {
        let Seat { normed, vectors, out, gates, ups, spare } = seat;
        out.resize(x.len(), 0.0);
        vectors.put(seen, shape.heads * shape.head);
        self.output.apply(vectors, out, spare)?;
        x.iter_mut().zip(&*out).for_each(|(x, out)| *x += out);

        norm(x, &self.feed_norm, shape.epsilon, normed);
        vectors.put(normed, shape.width);
        gates.resize(vectors.many() * shape.hidden, 0.0);
        ups.resize(gates.len(), 0.0);
        self.gate.apply(vectors, gates, spare)?;
        self.up.apply(vectors, ups, spare)?;
        Silu {}.map_mut(gates);
        gates.iter_mut().zip(&*ups).for_each(|(gate, up)| *gate *= up);
        vectors.put(gates, shape.hidden);
        self.down.apply(vectors, out, spare)?;
        x.iter_mut().zip(&*out).for_each(|(x, out)| *x += out);
        Ok(())
    }
}

fn misfit(index: usize) -> OfflineError {
    OfflineError::damaged(format!("The model's layer {index} is not of the size it says."))
}

impl HeadNorms {
    fn read(gguf: &Gguf, shape: &Shape, index: usize) -> Result<Option<Self>, OfflineError> {
        let name = |of: &str| format!("blk.{index}.attn_{of}_norm.weight");
        if !gguf.has(&name("q")) && !gguf.has(&name("k")) {
            return Ok(None);
        }
        let norms = Self { query: gguf.numbers(&name("q"))?, key: gguf.numbers(&name("k"))? };
        match norms.query.len() == shape.head && norms.key.len() == shape.head {
            true => Ok(Some(norms)),
            false => Err(misfit(index)),
        }
    }
}

/// Vectors brought to the same length, and weighted.
pub(super) fn norm(x: &[f32], weights: &[f32], epsilon: f32, out: &mut Vec<f32>) {
    out.clear();
    out.extend_from_slice(x);
    norm_in_place(out, weights, epsilon);
}

fn norm_in_place(vectors: &mut [f32], weights: &[f32], epsilon: f32) {
    for vector in vectors.chunks_exact_mut(weights.len()) {
        let squares: f32 = vector.iter().map(|x| x * x).sum();
        let scale = 1.0 / (squares / weights.len() as f32 + epsilon).sqrt();
        vector.iter_mut().zip(weights).for_each(|(x, weight)| *x *= scale * weight);
    }
}
