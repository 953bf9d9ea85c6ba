//! [`Layer`]: one of the layers a token goes through.

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
    weights::{Adapter, Gguf},
};

/// One of the layers a token goes through.
pub(super) struct Layer {
    attention_norm: Vec<f32>,
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    feed_norm: Vec<f32>,
    gate: Linear,
    up: Linear,
    down: Linear,
}

/// Memory that is used again from layer to layer.
#[derive(Default)]
pub(super) struct Desk {
    normed: Vec<f32>,
    queries: Vec<f32>,
    keys: Vec<f32>,
    values: Vec<f32>,
    seen: Vec<f32>,
    out: Vec<f32>,
    gates: Vec<f32>,
    ups: Vec<f32>,
    pub(super) spare: Spare,
}

impl Layer {
    pub(super) fn read(
        gguf: &Gguf,
        adapter: Option<&Adapter>,
        shape: &Shape,
        index: usize,
    ) -> Result<Self, OfflineError> {
        let linear = |name: &str, adapted: &str| {
            let tensor = format!("blk.{index}.{name}.weight");
            Linear::read(gguf, &tensor, adapter, &format!("model.layers.{index}.{adapted}"))
        };
        // How many heads there are is only a word until the weights are as many.
        let turned = |linear: Linear, heads: usize| match linear.makes() == heads * shape.head {
            true => Ok(linear.reordered(&halves_apart(heads, shape.head))),
            false => Err(misfit(index)),
        };
        let norm = |name: &str| gguf.numbers(&format!("blk.{index}.{name}.weight"));
        let layer = Self {
            attention_norm: norm("attn_norm")?,
            query: turned(linear("attn_q", "self_attn.q_proj")?, shape.heads)?,
            key: turned(linear("attn_k", "self_attn.k_proj")?, shape.shared)?,
            value: linear("attn_v", "self_attn.v_proj")?,
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

    /// Takes the vectors of new tokens through the layer; `begin` tokens were read before them.
    pub(super) fn pass(
        &self,
        shape: &Shape,
        rope: &Rope,
        begin: usize,
        x: &mut [f32],
        cache: &mut Cache,
        desk: &mut Desk,
    ) -> Result<(), OfflineError> {
        let Desk { normed, queries, keys, values, seen, out, gates, ups, spare } = desk;
        norm(x, &self.attention_norm, shape.epsilon, normed);
        self.query.apply(normed, queries, spare)?;
        self.key.apply(normed, keys, spare)?;
        self.value.apply(normed, values, spare)?;
        rope.turn(queries, shape.heads * shape.head, begin);
        rope.turn(keys, shape.shared_width(), begin);
        cache.extend(keys, values);
        attend(shape, queries, cache, seen)?;
        self.output.apply(seen, out, spare)?;
        x.iter_mut().zip(&*out).for_each(|(x, out)| *x += out);

        norm(x, &self.feed_norm, shape.epsilon, normed);
        self.gate.apply(normed, gates, spare)?;
        self.up.apply(normed, ups, spare)?;
        Silu {}.map_mut(gates);
        gates.iter_mut().zip(&*ups).for_each(|(gate, up)| *gate *= up);
        self.down.apply(gates, out, spare)?;
        x.iter_mut().zip(&*out).for_each(|(x, out)| *x += out);
        Ok(())
    }
}

fn misfit(index: usize) -> OfflineError {
    OfflineError::damaged(format!("The model's layer {index} is not of the size it says."))
}

/// Vectors brought to the same length, and weighted.
pub(super) fn norm(x: &[f32], weights: &[f32], epsilon: f32, out: &mut Vec<f32>) {
    out.resize(x.len(), 0.0);
    let vectors = x.chunks_exact(weights.len()).zip(out.chunks_exact_mut(weights.len()));
    for (x, out) in vectors {
        let squares: f32 = x.iter().map(|x| x * x).sum();
        let scale = 1.0 / (squares / weights.len() as f32 + epsilon).sqrt();
        for ((out, x), weight) in out.iter_mut().zip(x).zip(weights) {
            *out = x * scale * weight;
        }
    }
}
