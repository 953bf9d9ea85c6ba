//! [`Store`]: numbers as they lie in memory.

use rayon::prelude::*;
use rten_simd::Isa;

use super::{
    blocks::{Kind, k_nibbles, k_scales, word},
    gguf::Rows,
    half::{from_half, to_half},
    kernels::{Halves, Lanes, Q4Block, Q4Panel, Q8Block, Q8Panel, VectorPanel, products},
};

/// Numbers in a block of four or eight bits.
pub(super) const BLOCK: usize = 32;
/// How many rows lie side by side, and are multiplied at once: so no sum has to be put together of parts.
pub(super) const LANES: usize = 16;

/// Numbers as they lie in memory: of 16 rows at a time, filled up with rows of nothing, a block of each, then the next.
pub(super) enum Store {
    /// Four bits for a number, and for each 32 a scale and a least value, in 16 bits as in most files.
    Four { quants: Vec<Q4Block>, scales: Vec<[Halves; 2]> },
    /// Eight bits for a number, and for each 32 a scale.
    Eight { quants: Vec<Q8Block>, scales: Vec<Lanes> },
}

/// A block of one row of four bits, with its scale and its least value.
type Q4Row = ([u8; BLOCK], [f32; 2]);
/// A block of one row of eight bits, with its scale.
type Q8Row = ([i8; BLOCK], f32);

impl Store {
    /// The bytes of a file, kept as they are where there is a kernel for them, and else stored
    /// anew in eight bits.
    pub(super) fn new(rows: &Rows) -> Self {
        let Rows { kind, cols, .. } = *rows;
        let blocks = cols.div_ceil(BLOCK);
        match kind {
            Kind::Q4_0 | Kind::Q4_1 => {
                let size = kind.bytes(BLOCK);
                Self::fours(rows.rows, blocks, &|row, block| {
                    let at = (row * blocks + block) * size;
                    four(kind, rows.bytes.get(at..at + size).unwrap_or_default())
                })
            }
            Kind::Q4K => {
                let (size, eight) = (kind.bytes(8 * BLOCK), 8);
                Self::fours(rows.rows, blocks, &|row, block| {
                    let at = (row * blocks + block) / eight * size;
                    let bytes = rows.bytes.get(at..at + size).unwrap_or_default();
                    four_of_k(bytes, (row * blocks + block) % eight)
                })
            }
            Kind::Q8_0 => {
                let size = kind.bytes(BLOCK);
                Self::eights(rows.rows, blocks, &|row, block| {
                    let at = (row * blocks + block) * size;
                    eight(rows.bytes.get(at..at + size).unwrap_or_default())
                })
            }
            kind => {
                let mut numbers = vec![0.0; rows.rows * cols];
                kind.numbers(&rows.bytes, &mut numbers);
                Self::of_numbers(cols, &numbers)
            }
        }
    }

    /// Numbers in eight bits, in rows of so many, which are filled up to whole blocks.
    pub(super) fn of_numbers(cols: usize, numbers: &[f32]) -> Self {
        let rows: Vec<_> = numbers.chunks(cols.max(1)).collect();
        Self::eights(rows.len(), cols.div_ceil(BLOCK), &|row, block| {
            let row = rows.get(row).copied().unwrap_or_default();
            rounded(row.chunks(BLOCK).nth(block).unwrap_or_default())
        })
    }

    /// Its rows, of so many numbers, in another order.
    pub(super) fn reordered(self, cols: usize, order: &[usize]) -> Self {
        let blocks = cols.div_ceil(BLOCK);
        let old = |row: usize| order.get(row).copied().unwrap_or_default();
        match &self {
            Self::Four { .. } => Self::fours(order.len(), blocks, &|row, block| {
                self.one_four(old(row), block, blocks)
            }),
            Self::Eight { .. } => Self::eights(order.len(), blocks, &|row, block| {
                self.one_eight(old(row), block, blocks)
            }),
        }
    }

    fn fours(rows: usize, blocks: usize, one: &(dyn Fn(usize, usize) -> Q4Row + Sync)) -> Self {
        let all = (0..rows.div_ceil(LANES) * blocks).into_par_iter().map(|at| {
            let (mut quants, mut scales) = (Q4Block::default(), [Halves::default(); 2]);
            let first = at / blocks * LANES;
            for (lane, row) in (first..rows.min(first + LANES)).enumerate() {
                let (nibbles, [scale, least]) = one(row, at % blocks);
                for (quants, [low, high]) in quants.iter_mut().zip(nibbles.as_chunks().0) {
                    set(quants, lane, low | high << 4);
                }
                set(&mut scales[0], lane, to_half(scale));
                set(&mut scales[1], lane, to_half(least));
            }
            (quants, scales)
        });
        let (mut quants, mut scales) = (Vec::new(), Vec::new());
        all.unzip_into_vecs(&mut quants, &mut scales);
        Self::Four { quants, scales }
    }

    fn eights(rows: usize, blocks: usize, one: &(dyn Fn(usize, usize) -> Q8Row + Sync)) -> Self {
        let all = (0..rows.div_ceil(LANES) * blocks).into_par_iter().map(|at| {
            let (mut quants, mut scales) = ([[0; LANES]; BLOCK], Lanes::default());
            let first = at / blocks * LANES;
            for (lane, row) in (first..rows.min(first + LANES)).enumerate() {
                let (numbers, scale) = one(row, at % blocks);
                quants.iter_mut().zip(numbers).for_each(|(quants, it)| set(quants, lane, it));
                set(&mut scales, lane, scale);
            }
            (quants, scales)
        });
        let (mut quants, mut scales) = (Vec::new(), Vec::new());
        all.unzip_into_vecs(&mut quants, &mut scales);
        Self::Eight { quants, scales }
    }

    /// A block of one row.
    fn one_four(&self, row: usize, block: usize, blocks: usize) -> Q4Row {
        let Self::Four { quants, scales } = self else { return ([0; BLOCK], [0.0; 2]) };
        let (at, lane) = (row / LANES * blocks + block, row % LANES);
        let mut nibbles = [0; BLOCK];
        for (nibbles, quants) in
            nibbles.as_chunks_mut().0.iter_mut().zip(quants.get(at).into_iter().flatten())
        {
            let byte = quants.get(lane).copied().unwrap_or_default();
            *nibbles = [byte & 15, byte >> 4];
        }
        let scale = |of: usize| Some(from_half(*scales.get(at)?.get(of)?.get(lane)?));
        (nibbles, [scale(0).unwrap_or_default(), scale(1).unwrap_or_default()])
    }

    /// The same of eight bits.
    fn one_eight(&self, row: usize, block: usize, blocks: usize) -> Q8Row {
        let Self::Eight { quants, scales } = self else { return ([0; BLOCK], 0.0) };
        let (at, lane) = (row / LANES * blocks + block, row % LANES);
        let mut numbers = [0; BLOCK];
        for (number, quants) in numbers.iter_mut().zip(quants.get(at).into_iter().flatten()) {
            *number = quants.get(lane).copied().unwrap_or_default();
        }
        let scale = scales.get(at).and_then(|it| it.get(lane).copied());
        (numbers, scale.unwrap_or_default())
    }

    /// One row, written out.
    pub(super) fn row(&self, row: usize, out: &mut [f32]) {
        let blocks = out.len().div_ceil(BLOCK);
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            match self {
                Self::Four { .. } => {
                    let (nibbles, [scale, least]) = self.one_four(row, block, blocks);
                    out.iter_mut()
                        .zip(nibbles)
                        .for_each(|(out, it)| *out = f32::from(it) * scale + least);
                }
                Self::Eight { .. } => {
                    let (numbers, scale) = self.one_eight(row, block, blocks);
                    out.iter_mut().zip(numbers).for_each(|(out, it)| *out = f32::from(it) * scale);
                }
            }
        }
    }

    /// The products of 16 rows that lie side by side with some vectors.
    #[inline(always)]
    pub(super) fn products<I: Isa, const V: usize>(
        &self,
        isa: I,
        panel: usize,
        x: VectorPanel<'_, V>,
        out: &mut [Lanes; V],
    ) {
        let blocks = x.sums.len();
        match self {
            Self::Four { quants, scales } => {
                let (quants, scales) = (part(quants, panel, blocks), part(scales, panel, blocks));
                products(isa, Q4Panel { quants, scales }, x, out);
            }
            Self::Eight { quants, scales } => {
                let (quants, scales) = (part(quants, panel, blocks), part(scales, panel, blocks));
                products(isa, Q8Panel { quants, scales }, x, out);
            }
        }
    }
}

/// The blocks of rows that lie side by side.
#[inline(always)]
fn part<T>(all: &[T], panel: usize, blocks: usize) -> &[T] {
    all.get(panel * blocks..(panel + 1) * blocks).unwrap_or_default()
}

fn set<T>(lanes: &mut [T; LANES], lane: usize, it: T) {
    if let Some(place) = lanes.get_mut(lane) {
        *place = it;
    }
}

fn four(kind: Kind, block: &[u8]) -> Q4Row {
    let scale = from_half(word(block, 0));
    let least = if kind == Kind::Q4_1 { from_half(word(block, 2)) } else { -8.0 * scale };
    let bytes: [u8; LANES] = block.last_chunk().copied().unwrap_or_default();
    let mut nibbles = [0; BLOCK];
    let (low, high) = nibbles.split_at_mut(LANES);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(bytes) {
        (*low, *high) = (byte & 15, byte >> 4);
    }
    (nibbles, [scale, least])
}

/// One of the eight blocks that are stored together: it is the same as others, only the bits lie elsewhere.
fn four_of_k(bytes: &[u8], block: usize) -> Q4Row {
    let mut nibbles = [0; BLOCK];
    let own = k_nibbles(bytes.get(16..).unwrap_or_default()).skip(block * BLOCK);
    nibbles.iter_mut().zip(own).for_each(|(nibble, it)| *nibble = it);
    let scales = k_scales(bytes).into_iter().nth(block);
    (nibbles, scales.unwrap_or_default())
}

fn eight(block: &[u8]) -> Q8Row {
    let mut numbers = [0; BLOCK];
    numbers.iter_mut().zip(block.iter().skip(2)).for_each(|(number, it)| *number = *it as i8);
    (numbers, from_half(word(block, 0)))
}

/// Numbers in eight bits.
fn rounded(block: &[f32]) -> Q8Row {
    let scale = block.iter().fold(0f32, |most, it| most.max(it.abs())) / 127.0;
    let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    let mut numbers = [0; BLOCK];
    let both = numbers.iter_mut().zip(block);
    both.for_each(|(number, it)| *number = (it * inverse).round() as i8);
    (numbers, scale)
}
