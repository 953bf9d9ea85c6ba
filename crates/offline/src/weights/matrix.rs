//! [`Matrix`]: weights, ready to be multiplied by.
//!
//! What a token costs is what has to be read from memory for it, so weights stay as small as
//! the file has them, and are made plain numbers where they are multiplied, once for as many vectors as come together.
//! Each product is the same, to the last bit, however many these are.

use rayon::prelude::*;
use rten_simd::{Isa, SimdOp};

use super::{
    gguf::{Gguf, Rows},
    kernels::{Lanes, VectorPanel},
    store::{LANES, Store},
    vectors::{MOST, SOME, Vectors},
};
use crate::OfflineError;

/// Less work than this is not worth a second thread.
const WORTH: usize = 1 << 16;
/// No row of any model is as long.
const LONG: usize = 1 << 16;
/// Rows that one thread takes at a time: three times as many as lie side by side.
const SHARE: usize = 3 * LANES;

/// Weights, as rows; each row makes one number of the result.
pub(crate) struct Matrix {
    rows: usize,
    cols: usize,
    store: Store,
}

impl Matrix {
    /// Reads a tensor.
    pub(crate) fn read(gguf: &Gguf, tensor: &str) -> Result<Self, OfflineError> {
        let rows = gguf.rows(tensor)?;
        // Few rows take as much memory as these: where they are long, many times as much as the file is large.
        if rows.rows < LANES && rows.cols > LONG {
            let message = format!("The model's {tensor} is not of the size it should be.");
            return Err(OfflineError::damaged(message));
        }
        Ok(Self::of_rows(&rows))
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
        self.store.row(row, out);
    }

    /// The product with each of some vectors: `out` has one row of results for each. `spare` is
    /// memory that is used again from call to call.
    pub(crate) fn multiply(
        &self,
        x: &Vectors,
        out: &mut [f32],
        spare: &mut Vec<f32>,
    ) -> Result<(), OfflineError> {
        let many = x.many();
        if x.cols() != self.cols || out.len() != many * self.rows {
            return Err(OfflineError::internal("a matrix was given vectors of another length"));
        }
        if many == 1 {
            self.share_out(x, out);
            return Ok(());
        }
        // Each share of the rows has something to say of each vector.
        spare.resize(out.len(), 0.0);
        self.share_out(x, spare);
        for (index, out) in out.chunks_exact_mut(self.rows.max(1)).enumerate() {
            for (products, out) in spare.chunks(SHARE * many.max(1)).zip(out.chunks_mut(SHARE)) {
                let own = products.chunks_exact(out.len()).nth(index).unwrap_or_default();
                out.copy_from_slice(own);
            }
        }
        Ok(())
    }

    /// Here `out` has, for each share of the rows, one row for each vector.
    fn share_out(&self, x: &Vectors, out: &mut [f32]) {
        let share = |(index, out): (usize, &mut [f32])| {
            Products { store: &self.store, first: index * SHARE / LANES, x, out }.dispatch();
        };
        let size = SHARE * x.many().max(1);
        if self.rows * self.cols * x.many() < WORTH {
            out.chunks_mut(size).enumerate().for_each(share);
        } else {
            out.par_chunks_mut(size).enumerate().for_each(share);
        }
    }

    /// The row whose product with a vector is greatest among those that are allowed, and the
    /// first of them where there are several.
    pub(crate) fn greatest(
        &self,
        x: &[f32],
        allowed: &(dyn Fn(usize) -> bool + Sync),
    ) -> Option<(usize, f32)> {
        let x = Vectors::new(x, self.cols);
        let best = |first: usize| {
            let rows = first..self.rows.min(first + SHARE);
            let is_any = |panel: usize| (panel..self.rows.min(panel + LANES)).any(allowed);
            if !rows.clone().step_by(LANES).any(is_any) {
                return None;
            }
            let mut products = [0.0; SHARE];
            let (out, _) = products.split_at_mut(rows.len());
            Products { store: &self.store, first: first / LANES, x: &x, out }.dispatch();
            rows.zip(products).filter(|(row, _)| allowed(*row)).reduce(greater)
        };
        let shares = (0..self.rows.div_ceil(SHARE)).into_par_iter();
        shares.filter_map(|share| best(share * SHARE)).reduce_with(greater)
    }
}

fn greater(one: (usize, f32), other: (usize, f32)) -> (usize, f32) {
    if other.1 > one.1 || other.1 == one.1 && other.0 < one.0 { other } else { one }
}

/// The products of a share of the rows, from those on that lie side by side in this place, with each of some vectors: all of
/// a vector behind each other.
struct Products<'a> {
    store: &'a Store,
    first: usize,
    x: &'a Vectors,
    out: &'a mut [f32],
}

impl SimdOp for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Self { store, first, x, out } = self;
        let rows = out.len() / x.many().max(1);
        let mut rest = out;
        for x in x.panels() {
            let (out, after) = rest.split_at_mut(x.size * rows);
            match x.size {
                MOST => panel::<I, MOST>(isa, store, first, x.as_chunks(), rows, out),
                SOME => panel::<I, SOME>(isa, store, first, x.as_chunks(), rows, out),
                _ => panel::<I, 1>(isa, store, first, x.as_chunks(), rows, out),
            }
            rest = after;
        }
    }
}

/// The same for vectors that are multiplied at once.
#[inline(always)]
fn panel<I: Isa, const V: usize>(
    isa: I,
    store: &Store,
    first: usize,
    x: VectorPanel<'_, V>,
    rows: usize,
    out: &mut [f32],
) {
    for at in (0..rows).step_by(LANES) {
        let mut products: [Lanes; V] = [[0.0; LANES]; V];
        store.products(isa, first + at / LANES, x, &mut products);
        for (products, out) in products.iter().zip(out.chunks_exact_mut(rows)) {
            let own = out.iter_mut().skip(at);
            own.zip(products).for_each(|(out, it)| *out = *it);
        }
    }
}
