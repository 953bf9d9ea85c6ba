//! [`Linear`]: weights, with what an adapter adds to them.

use crate::{
    OfflineError,
    weights::{Adapter, Gguf, Matrix, Pair, Vectors},
};

/// Weights, with what an adapter adds to them.
pub(super) struct Linear {
    weights: Matrix,
    /// What is added to whatever they make; some models have none.
    bias: Option<Vec<f32>>,
    added: Option<Pair>,
}

impl Linear {
    /// Reads what has this name in the GGUF, and in the adapter the name `adapted`.
    pub(super) fn read(
        gguf: &Gguf,
        name: &str,
        adapter: Option<&Adapter>,
        adapted: &str,
    ) -> Result<Self, OfflineError> {
        let weights = Matrix::read(gguf, &format!("{name}.weight"))?;
        let bias = format!("{name}.bias");
        let bias = gguf.has(&bias).then(|| gguf.numbers(&bias)).transpose()?;
        if bias.as_ref().is_some_and(|it| it.len() != weights.rows()) {
            let message = format!("The model's {name}.bias is not of the size it should be.");
            return Err(OfflineError::damaged(message));
        }
        let added =
            adapter.map(|it| it.pair(adapted, weights.cols(), weights.rows())).transpose()?;
        Ok(Self { weights, bias, added: added.flatten() })
    }

    /// The weights with their rows in another order. The adapter's are in that order already.
    pub(super) fn reordered(self, order: &[usize]) -> Self {
        let bias =
            self.bias.map(|bias| order.iter().filter_map(|it| bias.get(*it).copied()).collect());
        Self { weights: self.weights.reordered(order), bias, added: self.added }
    }

    /// How many numbers it makes.
    pub(super) fn makes(&self) -> usize {
        self.weights.rows()
    }

    /// Whether it takes and makes so many numbers.
    pub(super) fn fits(&self, takes: usize, makes: usize) -> bool {
        self.weights.cols() == takes && self.weights.rows() == makes
    }

    /// What becomes of each of some vectors; there is room for it in `out`.
    pub(super) fn apply(
        &self,
        x: &Vectors,
        out: &mut [f32],
        spare: &mut Spare,
    ) -> Result<(), OfflineError> {
        let many = x.many();
        self.weights.multiply(x, out, &mut spare.plain)?;
        if let Some(bias) = &self.bias {
            add_to_each(out, bias);
        }
        if let Some(Pair { down, up }) = &self.added {
            spare.thin.resize(many * down.rows(), 0.0);
            down.multiply(x, &mut spare.thin, &mut spare.plain)?;
            spare.added.resize(out.len(), 0.0);
            spare.inner.put(&spare.thin, up.cols());
            up.multiply(&spare.inner, &mut spare.added, &mut spare.plain)?;
            out.iter_mut().zip(&spare.added).for_each(|(out, added)| *out += added);
        }
        Ok(())
    }
}

fn add_to_each(vectors: &mut [f32], bias: &[f32]) {
    for vector in vectors.chunks_exact_mut(bias.len()) {
        vector.iter_mut().zip(bias).for_each(|(it, bias)| *it += bias);
    }
}

/// Memory that is used again from product to product.
#[derive(Default)]
pub(super) struct Spare {
    plain: Vec<f32>,
    thin: Vec<f32>,
    inner: Vectors,
    added: Vec<f32>,
}
