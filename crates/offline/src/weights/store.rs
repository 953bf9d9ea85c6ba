//! [`Store`]: numbers as they lie in memory, in blocks.

use rten_simd::Isa;

use super::{
    blocks::{Kind, k_nibbles, k_scales, word},
    gguf::Rows,
    half::from_half,
    kernels::{Block, dot_q4, dot_q8, write_q4, write_q8},
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

/// Vectors to multiply by, seen in the ways the kernels want.
pub(super) struct Tile<const N: usize> {
    lanes: Vec<Block<N>>,
    /// The sum of each 32 of each.
    sums: Vec<[f32; N]>,
}

impl<const N: usize> Tile<N> {
    /// Of vectors of so many numbers, which stand one after the other.
    pub(super) fn new(x: &[f32], cols: usize) -> Self {
        let blocks = cols.div_ceil(BLOCK);
        let (mut lanes, mut sums) = (vec![[[[0.0; 16]; 2]; N]; blocks], vec![[0.0; N]; blocks]);
        for (index, x) in x.chunks(cols.max(1)).take(N).enumerate() {
            for ((lanes, sums), x) in lanes.iter_mut().zip(&mut sums).zip(x.chunks(BLOCK)) {
                let own = lanes.get_mut(index).into_iter().flatten().flatten();
                own.zip(x).for_each(|(lane, x)| *lane = *x);
                sums.get_mut(index).into_iter().for_each(|sum| *sum = x.iter().sum());
            }
        }
        Self { lanes, sums }
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

    /// A row's product with each of some vectors.
    #[inline(always)]
    pub(super) fn dot<I: Isa, const N: usize>(
        &self,
        isa: I,
        row: usize,
        tile: &Tile<N>,
    ) -> [f32; N] {
        let Tile { lanes, sums } = tile;
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
