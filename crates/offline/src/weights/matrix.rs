//! [`Matrix`]: weights, ready to be multiplied by.
//!
//! What a token costs is what has to be read from memory for it, so weights stay as small as
//! the file has them. A few vectors are multiplied by them directly. For many at once, a matrix is
//! first written out as plain numbers, which is then cheap, and the rest is left to a library.

use std::ops::Range;

use rayon::prelude::*;
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions};
use rten_simd::{Isa, SimdOp};
use rten_tensor::NdTensorView;

use super::{
    gguf::{Gguf, Rows},
    store::{Store, Vector},
};
use crate::OfflineError;

/// From so many vectors on, writing the matrix out is cheaper.
const MANY: usize = 12;
/// Less work than this is not worth a second thread.
const WORTH: usize = 1 << 16;
/// Rows that one thread takes at a time.
const ROWS: usize = 48;
/// The same where many vectors are multiplied: written out, they fit what is nearest to a core.
const SHARE: usize = 96;

/// How vectors are multiplied that come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As fast as can be.
    Together,
    /// As if each were alone, to the last bit.
    Each,
}

impl Way {
    /// The faster one for so many.
    pub(crate) fn of(many: usize) -> Self {
        if many < MANY { Self::Each } else { Self::Together }
    }
}

/// Weights, as rows; each row makes one number of the result.
pub(crate) struct Matrix {
    rows: usize,
    cols: usize,
    store: Store,
}

impl Matrix {
    /// Reads a tensor.
    pub(crate) fn read(gguf: &Gguf, tensor: &str) -> Result<Self, OfflineError> {
        Ok(Self::of_rows(&gguf.rows(tensor)?))
    }

    pub(super) fn of_rows(it: &Rows) -> Self {
        Self { rows: it.rows, cols: it.cols, store: Store::new(it) }
    }

    /// A matrix of these numbers, in eight bits.
    pub(crate) fn of_numbers(rows: usize, cols: usize, numbers: &[f32]) -> Self {
        Self { rows, cols, store: Store::of_numbers(cols, numbers) }
    }

    /// Its rows in another order: `order` says, for each row, which one of today's it is.
    pub(crate) fn reordered(self, order: &[usize]) -> Self {
        let store = self.store.reordered(self.cols, order);
        Self { rows: order.len(), cols: self.cols, store }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    /// One row as numbers.
    pub(crate) fn row(&self, row: usize, out: &mut [f32]) {
        WriteOut { store: &self.store, first: row, cols: self.cols, out }.dispatch();
    }

    /// The product with each of some vectors: `out` has one row of results for each. `spare` is
    /// memory that is used again from call to call.
    pub(crate) fn multiply(
        &self,
        x: &[f32],
        out: &mut [f32],
        way: Way,
        spare: &mut Vec<f32>,
    ) -> Result<(), OfflineError> {
        let many = x.len() / self.cols.max(1);
        if x.len() != many * self.cols || out.len() != many * self.rows {
            return Err(OfflineError::internal("a matrix was given vectors of another length"));
        }
        if way == Way::Together {
            return self.multiply_many(x, many, out, spare);
        }
        if many == 1 {
            self.multiply_few(x, 1, out);
            return Ok(());
        }
        spare.resize(out.len(), 0.0);
        self.multiply_few(x, many, spare);
        for (index, out) in out.chunks_exact_mut(self.rows).enumerate() {
            let column = spare.iter().skip(index).step_by(many);
            out.iter_mut().zip(column).for_each(|(out, it)| *out = *it);
        }
        Ok(())
    }

    /// Here `out` has one row for each row of the matrix.
    fn multiply_few(&self, x: &[f32], many: usize, out: &mut [f32]) {
        let vectors: Vec<_> = x.chunks_exact(self.cols).map(Vector::new).collect();
        let share = |(index, out): (usize, &mut [f32])| {
            Dots { store: &self.store, first: index * ROWS, vectors: &vectors, out }.dispatch();
        };
        if self.rows * self.cols * many < WORTH {
            out.chunks_mut(ROWS * many).enumerate().for_each(share);
        } else {
            out.par_chunks_mut(ROWS * many).enumerate().for_each(share);
        }
    }

    /// A share of rows at a time, from writing them out to their products, while what was written out is still near.
    fn multiply_many(
        &self,
        x: &[f32],
        many: usize,
        out: &mut [f32],
        products: &mut Vec<f32>,
    ) -> Result<(), OfflineError> {
        products.resize(out.len(), 0.0);
        let x = NdTensorView::from_data([many, self.cols], x);
        let shares = products.par_chunks_mut(SHARE * many.max(1)).enumerate();
        shares.try_for_each_init(Vec::new, |plain, (share, products)| {
            let rows = products.len() / many.max(1);
            plain.resize(rows * self.cols, 0.0);
            let first = share * SHARE;
            WriteOut { store: &self.store, first, cols: self.cols, out: plain }.dispatch();
            let weights = NdTensorView::from_data([rows, self.cols], plain.as_slice());
            product(x, weights.transposed(), products)
        })?;
        out.par_chunks_mut(self.rows.max(1)).enumerate().for_each(|(index, out)| {
            let shares = products.chunks(SHARE * many.max(1)).zip(out.chunks_mut(SHARE));
            for (products, out) in shares {
                let row = products.chunks_exact(out.len()).nth(index).unwrap_or_default();
                out.copy_from_slice(row);
            }
        });
        Ok(())
    }

    /// The row whose product with a vector is greatest among those that are allowed, and the
    /// first of them where there are several.
    pub(crate) fn greatest(
        &self,
        x: &[f32],
        allowed: &(dyn Fn(usize) -> bool + Sync),
    ) -> Option<(usize, f32)> {
        let vector = Vector::new(x);
        let best = |share: usize| {
            let rows = share * ROWS..self.rows.min((share + 1) * ROWS);
            Greatest { store: &self.store, vector: &vector, rows, allowed }.dispatch()
        };
        (0..self.rows.div_ceil(ROWS)).into_par_iter().filter_map(best).reduce_with(greater)
    }
}

/// The products of rows, from the first one on, with each of some vectors.
struct Dots<'a> {
    store: &'a Store,
    first: usize,
    vectors: &'a [Vector],
    out: &'a mut [f32],
}

impl SimdOp for Dots<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Self { store, first, vectors, out } = self;
        if let [vector] = vectors {
            for (row, out) in (first..).zip(out) {
                *out = store.dot(isa, row, vector);
            }
            return;
        }
        let mut numbers = vectors.first().map(Vector::room).unwrap_or_default();
        for (row, out) in (first..).zip(out.chunks_exact_mut(vectors.len())) {
            store.dots(isa, row, vectors, &mut numbers, out);
        }
    }
}

/// Rows, from the first one on, as plain numbers.
struct WriteOut<'a> {
    store: &'a Store,
    first: usize,
    cols: usize,
    out: &'a mut [f32],
}

impl SimdOp for WriteOut<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        for (row, out) in (self.first..).zip(self.out.chunks_exact_mut(self.cols)) {
            self.store.row(isa, row, out);
        }
    }
}

/// The row of some that are allowed whose product with a vector is greatest.
struct Greatest<'a> {
    store: &'a Store,
    vector: &'a Vector,
    rows: Range<usize>,
    allowed: &'a (dyn Fn(usize) -> bool + Sync),
}

impl SimdOp for Greatest<'_> {
    type Output = Option<(usize, f32)>;

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) -> Self::Output {
        let mut best = None;
        for row in self.rows.filter(|row| (self.allowed)(*row)) {
            let product = (row, self.store.dot(isa, row, self.vector));
            best = Some(best.map_or(product, |best| greater(best, product)));
        }
        best
    }
}

fn greater(one: (usize, f32), other: (usize, f32)) -> (usize, f32) {
    if other.1 > one.1 || other.1 == one.1 && other.0 < one.0 { other } else { one }
}

/// The product of two matrices of plain numbers.
fn product(
    one: NdTensorView<'_, f32, 2>,
    other: NdTensorView<'_, f32, 2>,
    out: &mut [f32],
) -> Result<(), OfflineError> {
    let gemm = GemmExecutor::<f32, f32, f32>::default();
    let (one, other) = (GemmInputA::Unpacked(one), GemmInputB::Unpacked(other));
    gemm.gemm(out, one, other, GemmOptions::default())
        .map_err(|error| OfflineError::internal(format!("matrices do not fit: {error}")))
}
