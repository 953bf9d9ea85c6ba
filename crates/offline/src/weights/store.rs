//! [`Store`]: numbers as they lie in memory, in blocks.

use rten_simd::Isa;

use super::{
    blocks::{Kind, k_nibbles, k_scales, word},
    gguf::Rows,
    half::from_half,
    kernels::{
        Lanes, dot_q4, dot_q8, dot_unpacked_q4, dot_unpacked_q8, unpack_q4, unpack_q8, write_q4,
        write_q8,
    },
};

/// Numbers in a block of four or eight bits.
const BLOCK: usize = 32;

/// Numbers as they lie in memory.
pub(super) enum Store {
    /// Four bits for a number, and for each 32 a scale and a least value. These are longer here than in
    /// the file: to lengthen them for every token costs more than to read them.
    Four { quants: Vec<[u8; 16]>, scales: Vec<[f32; 2]> },
    /// Eight bits for a number, and for each 32 a scale.
    Eight { quants: Vec<[[i8; 16]; 2]>, scales: Vec<f32> },
}

/// A vector to multiply by, seen in the ways the kernels want.
pub(super) struct Vector {
    lanes: Vec<[Lanes; 2]>,
    /// The sum of each 32.
    sums: Vec<f32>,
}

impl Vector {
    pub(super) fn new(x: &[f32]) -> Self {
        let lanes = x.chunks(BLOCK).map(|x| {
            let mut lanes = [[0.0; 16]; 2];
            lanes.as_flattened_mut().iter_mut().zip(x).for_each(|(lane, x)| *lane = *x);
            lanes
        });
        let sums = x.chunks(BLOCK).map(|x| x.iter().sum());
        Self { lanes: lanes.collect(), sums: sums.collect() }
    }

    /// Room for as many numbers.
    pub(super) fn room(&self) -> Vec<[Lanes; 2]> {
        vec![[[0.0; 16]; 2]; self.lanes.len()]
    }
}

impl Store {
    /// The bytes of a file, kept as they are where there is a kernel for them, and else stored
    /// anew in eight bits.
    pub(super) fn new(rows: &Rows) -> Self {
        match rows.kind {
            Kind::Q4_0 | Kind::Q4_1 => four(rows),
            Kind::Q4K => four_of_k(rows),
            Kind::Q8_0 => eight(rows),
            kind => {
                let mut numbers = vec![0.0; rows.rows * rows.cols];
                kind.numbers(&rows.bytes, &mut numbers);
                Self::of_numbers(rows.cols, &numbers)
            }
        }
    }

    /// Numbers in eight bits, in rows of so many, which are filled up to whole blocks.
    pub(super) fn of_numbers(cols: usize, numbers: &[f32]) -> Self {
        let blocks = || numbers.chunks(cols.max(1)).flat_map(|row| row.chunks(BLOCK));
        let scale = |block: &[f32]| block.iter().fold(0f32, |most, it| most.max(it.abs())) / 127.0;
        let quants = blocks().map(|block| {
            let scale = scale(block);
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            let mut quants = [[0; 16]; 2];
            let both = quants.as_flattened_mut().iter_mut().zip(block);
            both.for_each(|(quant, it)| *quant = (it * inverse).round() as i8);
            quants
        });
        Self::Eight { quants: quants.collect(), scales: blocks().map(scale).collect() }
    }

    /// Its rows, of so many numbers, in another order.
    pub(super) fn reordered(self, cols: usize, order: &[usize]) -> Self {
        let blocks = cols.div_ceil(BLOCK);
        match self {
            Self::Four { quants, scales } => Self::Four {
                quants: pick(&quants, blocks, order),
                scales: pick(&scales, blocks, order),
            },
            Self::Eight { quants, scales } => Self::Eight {
                quants: pick(&quants, blocks, order),
                scales: pick(&scales, blocks, order),
            },
        }
    }

    /// A row's product with a vector.
    #[inline(always)]
    pub(super) fn dot<I: Isa>(&self, isa: I, row: usize, vector: &Vector) -> f32 {
        let Vector { lanes, sums } = vector;
        let blocks = lanes.len();
        match self {
            Self::Four { quants, scales } => {
                let (quants, scales) = (part(quants, row, blocks), part(scales, row, blocks));
                dot_q4(isa, quants, scales, lanes, sums)
            }
            Self::Eight { quants, scales } => {
                dot_q8(isa, part(quants, row, blocks), part(scales, row, blocks), lanes)
            }
        }
    }

    /// A row's product with each of some vectors, each as if it were alone. The row is taken out of its blocks once
    /// for all, into `numbers`, where there is room for it.
    #[inline(always)]
    pub(super) fn dots<I: Isa>(
        &self,
        isa: I,
        row: usize,
        vectors: &[Vector],
        numbers: &mut [[Lanes; 2]],
        out: &mut [f32],
    ) {
        let blocks = numbers.len();
        match self {
            Self::Four { quants, scales } => {
                let scales = part(scales, row, blocks);
                unpack_q4(isa, part(quants, row, blocks), numbers);
                for (out, Vector { lanes, sums }) in out.iter_mut().zip(vectors) {
                    *out = dot_unpacked_q4(isa, numbers, scales, lanes, sums);
                }
            }
            Self::Eight { quants, scales } => {
                let scales = part(scales, row, blocks);
                unpack_q8(isa, part(quants, row, blocks), numbers);
                for (out, Vector { lanes, .. }) in out.iter_mut().zip(vectors) {
                    *out = dot_unpacked_q8(isa, numbers, scales, lanes);
                }
            }
        }
    }

    /// One row, written out; `out` is as long as whole blocks are.
    #[inline(always)]
    pub(super) fn row<I: Isa>(&self, isa: I, row: usize, out: &mut [f32]) {
        let blocks = out.len().div_ceil(BLOCK);
        match self {
            Self::Four { quants, scales } => {
                write_q4(isa, part(quants, row, blocks), part(scales, row, blocks), out);
            }
            Self::Eight { quants, scales } => {
                write_q8(isa, part(quants, row, blocks), part(scales, row, blocks), out);
            }
        }
    }
}

/// The blocks of one row.
#[inline(always)]
fn part<T>(all: &[T], row: usize, blocks: usize) -> &[T] {
    all.get(row * blocks..(row + 1) * blocks).unwrap_or_default()
}

fn pick<T: Copy>(all: &[T], blocks: usize, order: &[usize]) -> Vec<T> {
    order.iter().flat_map(|row| part(all, *row, blocks)).copied().collect()
}

fn four(rows: &Rows) -> Store {
    let blocks = rows.bytes.chunks_exact(rows.kind.bytes(BLOCK));
    let scales = blocks.clone().map(|block| match rows.kind {
        Kind::Q4_1 => [from_half(word(block, 0)), from_half(word(block, 2))],
        _ => [from_half(word(block, 0)), -8.0 * from_half(word(block, 0))],
    });
    let quants = blocks.clone().map(|block| block.last_chunk().copied().unwrap_or_default());
    Store::Four { quants: quants.collect(), scales: scales.collect() }
}

/// What is stored in blocks of 256 is the same in blocks of 32: only the bits lie elsewhere.
fn four_of_k(rows: &Rows) -> Store {
    let many = rows.rows * rows.cols / BLOCK;
    let (mut quants, mut scales) = (Vec::with_capacity(many), Vec::with_capacity(many));
    for block in rows.bytes.chunks_exact(rows.kind.bytes(8 * BLOCK)) {
        scales.extend(k_scales(block));
        let nibbles: Vec<u8> = k_nibbles(block.get(16..).unwrap_or_default()).collect();
        quants.extend(nibbles.as_chunks::<BLOCK>().0.iter().map(packed));
    }
    Store::Four { quants, scales }
}

/// The low halves of 16 bytes are the first 16 numbers.
fn packed(nibbles: &[u8; BLOCK]) -> [u8; 16] {
    let (low, high) = nibbles.split_at(16);
    let mut packed = [0; 16];
    let both = packed.iter_mut().zip(low.iter().zip(high));
    both.for_each(|(packed, (low, high))| *packed = low | high << 4);
    packed
}

fn eight(rows: &Rows) -> Store {
    let blocks = rows.bytes.chunks_exact(rows.kind.bytes(BLOCK));
    let scales = blocks.clone().map(|block| from_half(word(block, 0)));
    let quants = blocks.clone().map(|block| {
        let mut quants = [[0; 16]; 2];
        let bytes = block.iter().skip(2);
        quants.as_flattened_mut().iter_mut().zip(bytes).for_each(|(quant, it)| *quant = *it as i8);
        quants
    });
    Store::Eight { quants: quants.collect(), scales: scales.collect() }
}
