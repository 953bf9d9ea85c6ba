//! Products of vectors.
//!
//! There are no instructions of any one processor here: what is written once in terms of an [`Isa`]
//! is compiled for each set of them, and the best one of the machine is picked when it runs.
//! All functions are inlined, as only then they are compiled for the caller's.

use std::{ops::Range, slice::ChunksMut};

use rten_simd::{
    Isa, Simd as _,
    ops::{IntOps as _, NumOps as _, ToFloat as _},
};

/// 2^112: what the exponent of 16 bits is short of that of 32.
const LIFT: f32 = f32::from_bits(0x7780_0000);
/// How many rows are added to at a time, and how many vectors of each: as many as there are registers for.
const ROWS: usize = 6;
const VECTORS: usize = 2;

/// 16 numbers: no set of instructions has longer vectors.
pub(super) type Lanes = [f32; 16];

/// Numbers of four bits times numbers. `sums` has the sum of each 32 of `x`.
#[inline(always)]
pub(super) fn dot_q4<I: Isa>(
    isa: I,
    quants: &[[u8; 16]],
    scales: &[[f32; 2]],
    x: &[[Lanes; 2]],
    sums: &[f32],
) -> f32 {
    let (floats, ints) = (isa.f32(), isa.i32());
    let (mut total, mut offset) = (floats.zero(), 0.0);
    let blocks = quants.iter().zip(scales).zip(x).zip(sums);
    for (((quants, [scale, least]), [low, high]), sum) in blocks {
        let scale = floats.splat(*scale);
        let (step, quants) = (floats.len(), quants.map(i32::from));
        let parts = low.chunks_exact(step).zip(high.chunks_exact(step));
        for (quants, (low, high)) in quants.chunks_exact(step).zip(parts) {
            let quants = ints.load(quants);
            let first = ints.to_float(ints.and(quants, ints.splat(15)));
            let second = ints.to_float(ints.shift_right::<4>(quants));
            let product = floats.mul(first, floats.load(low));
            let product = floats.mul_add(second, floats.load(high), product);
            total = floats.mul_add(product, scale, total);
        }
        offset += least * sum;
    }
    floats.sum(total) + offset
}

/// Numbers of eight bits times numbers.
#[inline(always)]
pub(super) fn dot_q8<I: Isa>(
    isa: I,
    quants: &[[[i8; 16]; 2]],
    scales: &[f32],
    x: &[[Lanes; 2]],
) -> f32 {
    let (floats, ints) = (isa.f32(), isa.i32());
    let mut total = floats.zero();
    for ((quants, scale), x) in quants.iter().zip(scales).zip(x) {
        let mut block = floats.zero();
        for (quants, x) in quants.iter().zip(x) {
            let (step, quants) = (floats.len(), quants.map(i32::from));
            for (quants, x) in quants.chunks_exact(step).zip(x.chunks_exact(step)) {
                block = floats.mul_add(ints.to_float(ints.load(quants)), floats.load(x), block);
            }
        }
        total = floats.mul_add(block, floats.splat(*scale), total);
    }
    floats.sum(total)
}

/// Takes numbers of four bits out of their blocks, without their scales.
#[inline(always)]
pub(super) fn unpack_q4<I: Isa>(isa: I, quants: &[[u8; 16]], out: &mut [[Lanes; 2]]) {
    let (floats, ints) = (isa.f32(), isa.i32());
    for (quants, [low, high]) in quants.iter().zip(out) {
        let (step, quants) = (floats.len(), quants.map(i32::from));
        let parts = low.chunks_exact_mut(step).zip(high.chunks_exact_mut(step));
        for (quants, (low, high)) in quants.chunks_exact(step).zip(parts) {
            let quants = ints.load(quants);
            floats.store(ints.to_float(ints.and(quants, ints.splat(15))), low);
            floats.store(ints.to_float(ints.shift_right::<4>(quants)), high);
        }
    }
}

/// What [`dot_q4`] gives, to the last bit, of numbers that were taken out of their blocks.
#[inline(always)]
pub(super) fn dot_unpacked_q4<I: Isa>(
    isa: I,
    numbers: &[[Lanes; 2]],
    scales: &[[f32; 2]],
    x: &[[Lanes; 2]],
    sums: &[f32],
) -> f32 {
    let floats = isa.f32();
    let (mut total, mut offset) = (floats.zero(), 0.0);
    let blocks = numbers.iter().zip(scales).zip(x).zip(sums);
    for ((([first, second], [scale, least]), [low, high]), sum) in blocks {
        let (step, scale) = (floats.len(), floats.splat(*scale));
        let parts = low.chunks_exact(step).zip(high.chunks_exact(step));
        let numbers = first.chunks_exact(step).zip(second.chunks_exact(step));
        for ((first, second), (low, high)) in numbers.zip(parts) {
            let product = floats.mul(floats.load(first), floats.load(low));
            let product = floats.mul_add(floats.load(second), floats.load(high), product);
            total = floats.mul_add(product, scale, total);
        }
        offset += least * sum;
    }
    floats.sum(total) + offset
}

/// Takes numbers of eight bits out of their blocks, without their scales.
#[inline(always)]
pub(super) fn unpack_q8<I: Isa>(isa: I, quants: &[[[i8; 16]; 2]], out: &mut [[Lanes; 2]]) {
    let (floats, ints) = (isa.f32(), isa.i32());
    for (quants, out) in quants.iter().zip(out) {
        for (quants, out) in quants.iter().zip(out) {
            let (step, quants) = (floats.len(), quants.map(i32::from));
            for (quants, out) in quants.chunks_exact(step).zip(out.chunks_exact_mut(step)) {
                floats.store(ints.to_float(ints.load(quants)), out);
            }
        }
    }
}

/// What [`dot_q8`] gives, to the last bit, of numbers that were taken out of their blocks.
#[inline(always)]
pub(super) fn dot_unpacked_q8<I: Isa>(
    isa: I,
    numbers: &[[Lanes; 2]],
    scales: &[f32],
    x: &[[Lanes; 2]],
) -> f32 {
    let floats = isa.f32();
    let mut total = floats.zero();
    for ((numbers, scale), x) in numbers.iter().zip(scales).zip(x) {
        let mut block = floats.zero();
        for (numbers, x) in numbers.iter().zip(x) {
            let step = floats.len();
            for (numbers, x) in numbers.chunks_exact(step).zip(x.chunks_exact(step)) {
                block = floats.mul_add(floats.load(numbers), floats.load(x), block);
            }
        }
        total = floats.mul_add(block, floats.splat(*scale), total);
    }
    floats.sum(total)
}

/// Writes out numbers of four bits.
#[inline(always)]
pub(super) fn write_q4<I: Isa>(isa: I, quants: &[[u8; 16]], scales: &[[f32; 2]], out: &mut [f32]) {
    let (floats, ints) = (isa.f32(), isa.i32());
    for ((quants, [scale, least]), out) in quants.iter().zip(scales).zip(out.chunks_exact_mut(32)) {
        let (scale, least) = (floats.splat(*scale), floats.splat(*least));
        let (step, quants) = (floats.len(), quants.map(i32::from));
        let (low, high) = out.split_at_mut(16);
        let parts = low.chunks_exact_mut(step).zip(high.chunks_exact_mut(step));
        for (quants, (low, high)) in quants.chunks_exact(step).zip(parts) {
            let quants = ints.load(quants);
            let first = ints.to_float(ints.and(quants, ints.splat(15)));
            let second = ints.to_float(ints.shift_right::<4>(quants));
            floats.store(floats.mul_add(first, scale, least), low);
            floats.store(floats.mul_add(second, scale, least), high);
        }
    }
}

/// Writes out numbers of eight bits.
#[inline(always)]
pub(super) fn write_q8<I: Isa>(isa: I, quants: &[[[i8; 16]; 2]], scales: &[f32], out: &mut [f32]) {
    let (floats, ints) = (isa.f32(), isa.i32());
    for ((quants, scale), out) in quants.iter().zip(scales).zip(out.chunks_mut(32)) {
        for (quants, out) in quants.iter().zip(out.chunks_mut(16)) {
            let (step, quants) = (floats.len(), quants.map(i32::from));
            for (quants, out) in quants.chunks_exact(step).zip(out.chunks_exact_mut(step)) {
                let numbers = ints.to_float(ints.load(quants));
                floats.store(floats.mul(numbers, floats.splat(*scale)), out);
            }
        }
    }
}

/// Writes out numbers of 16 bits, in whole blocks of 16. None but zero may be too small for a whole exponent.
#[inline(always)]
pub(crate) fn write_halves<I: Isa>(isa: I, halves: &[u16], out: &mut [f32]) {
    let (floats, ints) = (isa.f32(), isa.i32());
    // The sign stays where it is; the exponent comes out too small by as much for all.
    let (bits, lift) = (ints.splat(0x8fff_e000_u32.cast_signed()), floats.splat(LIFT));
    for (halves, out) in halves.as_chunks::<16>().0.iter().zip(out.chunks_exact_mut(16)) {
        let (step, halves) = (floats.len(), halves.map(|it| i32::from(it.cast_signed())));
        for (halves, out) in halves.chunks_exact(step).zip(out.chunks_exact_mut(step)) {
            let low = ints.and(ints.shift_left::<13>(ints.load(halves)), bits);
            floats.store(floats.mul(floats.from_bits(low.to_bits()), lift), out);
        }
    }
}

/// Adds lines of so many numbers to each row of `out`, which begin a `stride` apart: each line as many times as the row
/// of `times` says of it, within a range. Lengths of lines are whole blocks of 16.
///
/// Each row becomes what it would become alone, to the last bit.
#[inline(always)]
pub(crate) fn weighed<const N: usize>(
    isa: impl Isa,
    times: &[[f32; N]],
    range: Range<usize>,
    lines: &[f32],
    width: usize,
    out: &mut [f32],
    stride: usize,
) {
    let mut rest = out.chunks_mut(stride);
    let (most, few) = times.as_chunks::<ROWS>();
    for it in most {
        add_lines(isa, it, range.clone(), lines, width, &mut rest);
    }
    let (some, few) = few.as_chunks::<3>();
    for it in some {
        add_lines(isa, it, range.clone(), lines, width, &mut rest);
    }
    let (few, _) = few.as_chunks::<1>();
    for it in few {
        add_lines(isa, it, range.clone(), lines, width, &mut rest);
    }
}

/// The same for the next `R` rows.
#[inline(always)]
fn add_lines<const R: usize, const N: usize>(
    isa: impl Isa,
    times: &[[f32; N]; R],
    range: Range<usize>,
    lines: &[f32],
    width: usize,
    rest: &mut ChunksMut<'_, f32>,
) {
    let step = isa.f32().len();
    let mut out = [(); R].map(|()| rest.next().unwrap_or_default());
    let mut at = 0;
    while at < width {
        let lines = lines.get(at..).unwrap_or_default();
        let places = out.each_mut().map(|it| it.get_mut(at..).unwrap_or_default());
        at += if width - at >= VECTORS * step {
            add_columns::<R, N, VECTORS>(isa, times, range.clone(), lines, width, places);
            VECTORS * step
        } else {
            add_columns::<R, N, 1>(isa, times, range.clone(), lines, width, places);
            step
        };
    }
}

/// The same for the first `C` vectors of each line.
#[inline(always)]
fn add_columns<const R: usize, const N: usize, const C: usize>(
    isa: impl Isa,
    times: &[[f32; N]; R],
    range: Range<usize>,
    lines: &[f32],
    width: usize,
    out: [&mut [f32]; R],
) {
    let floats = isa.f32();
    let mut sums = [[floats.zero(); C]; R];
    for (sums, out) in sums.iter_mut().zip(&out) {
        *sums = floats.load_many(out);
    }
    for (at, line) in (range.start..range.end.min(N)).zip(lines.chunks(width)) {
        let line = floats.load_many::<C>(line);
        for (sums, times) in sums.iter_mut().zip(times) {
            let times = floats.splat(times.get(at).copied().unwrap_or_default());
            for (sum, part) in sums.iter_mut().zip(line) {
                *sum = floats.mul_add(part, times, *sum);
            }
        }
    }
    for (sums, out) in sums.into_iter().zip(out) {
        for (sum, out) in sums.into_iter().zip(out.chunks_exact_mut(floats.len())) {
            floats.store(sum, out);
        }
    }
}
