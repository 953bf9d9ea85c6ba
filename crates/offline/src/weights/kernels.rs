//! Products of vectors.
//!
//! There are no instructions of any one processor here: what is written once in terms of an [`Isa`]
//! is compiled for each set of them, and the best one of the machine is picked when it runs.
//! All functions are inlined, as only then they are compiled for the caller's; nor is there any closure, for which that
//! cannot be said.

use std::{ops::Range, slice::ChunksMut};

use rten_simd::{
    Isa, Simd as _,
    ops::{IntOps as _, NumOps as _, ToFloat as _},
};

/// 2^112: what the exponent of 16 bits is short of that of 32.
const LIFT: f32 = f32::from_bits(0x7780_0000);
/// How many vectors are multiplied at once where there are registers for few.
const NARROW: usize = 4;
/// How many rows are added to at a time, and how many vectors of each: as many as there are registers for.
const ROWS: usize = 6;
const VECTORS: usize = 2;

/// 16 numbers: no set of instructions has longer vectors.
pub(super) type Lanes = [f32; 16];
/// The same in 16 bits.
pub(super) type Halves = [u16; 16];
/// 32 numbers of four bits of each of 16 rows: in each byte the next two of a row, the first in its lower half.
pub(super) type Q4Block = [[u8; 16]; 16];
/// 32 numbers of eight bits of each of 16 rows.
pub(super) type Q8Block = [[i8; 16]; 32];

/// Some vectors, side by side: for each column their numbers, and for each 32 columns the sums of these.
#[derive(Clone, Copy)]
pub(super) struct VectorPanel<'a, const V: usize> {
    pub(super) numbers: &'a [[f32; V]],
    pub(super) sums: &'a [[f32; V]],
}

/// 16 rows, side by side.
pub(super) trait RowPanel: Copy {
    /// The products of those rows that are in one vector, from a lane on, with `N` of the vectors, from the first on.
    fn products<I: Isa, const V: usize, const N: usize>(
        self,
        isa: I,
        x: VectorPanel<'_, V>,
        lane: usize,
        first: usize,
    ) -> [I::F32; N];
}

/// 16 rows of four bits, with their scales and least values.
#[derive(Clone, Copy)]
pub(super) struct Q4Panel<'a> {
    pub(super) quants: &'a [Q4Block],
    pub(super) scales: &'a [[Halves; 2]],
}

/// 16 rows of eight bits, with their scales.
#[derive(Clone, Copy)]
pub(super) struct Q8Panel<'a> {
    pub(super) quants: &'a [Q8Block],
    pub(super) scales: &'a [Lanes],
}

/// The products of 16 rows with some vectors. Each is the same, to the last bit, whatever others are made along with it.
#[inline(always)]
pub(super) fn products<I: Isa, const V: usize>(
    isa: I,
    rows: impl RowPanel,
    x: VectorPanel<'_, V>,
    out: &mut [Lanes; V],
) {
    for lane in (0..16).step_by(isa.f32().len()) {
        if V > NARROW && isa.f32().len() < 16 {
            for first in (0..V).step_by(NARROW) {
                put(isa, rows.products::<I, V, NARROW>(isa, x, lane, first), lane, first, out);
            }
        } else {
            put(isa, rows.products::<I, V, V>(isa, x, lane, 0), lane, 0, out);
        }
    }
}

/// Puts what is known of some rows and vectors in its place.
#[inline(always)]
fn put<I: Isa, const V: usize, const N: usize>(
    isa: I,
    products: [I::F32; N],
    lane: usize,
    first: usize,
    out: &mut [Lanes; V],
) {
    for (product, out) in products.into_iter().zip(out.iter_mut().skip(first)) {
        isa.f32().store(product, out.get_mut(lane..).unwrap_or_default());
    }
}

/// Those of even and of odd columns are added up apart, so that no sum waits for another.
impl RowPanel for Q4Panel<'_> {
    #[inline(always)]
    fn products<I: Isa, const V: usize, const N: usize>(
        self,
        isa: I,
        x: VectorPanel<'_, V>,
        lane: usize,
        first: usize,
    ) -> [I::F32; N] {
        let (floats, ints) = (isa.f32(), isa.i32());
        let (low, high, sixteenth) = (ints.splat(0x0f), ints.splat(0xf0), floats.splat(1.0 / 16.0));
        let mut products = [floats.zero(); N];
        let rows = self.quants.iter().zip(self.scales);
        for (((quants, [scale, least]), x), sums) in
            rows.zip(x.numbers.as_chunks::<32>().0).zip(x.sums)
        {
            let mut parts = [[floats.zero(); 2]; N];
            for (quants, [one, other]) in quants.iter().zip(x.as_chunks::<2>().0) {
                let quants = ints.load(from(&quants.map(i32::from), lane));
                let even = ints.to_float(ints.and(quants, low));
                // RowPanel times as much as it stands for.
                let odd = ints.to_float(ints.and(quants, high));
                add(isa, &mut parts, [even, odd], from(one, first), from(other, first));
            }
            let (scale, least) = (plain(isa, from(scale, lane)), plain(isa, from(least, lane)));
            let parts = parts.into_iter().zip(from(sums, first));
            for (product, ([evens, odds], sum)) in products.iter_mut().zip(parts) {
                *product = floats.mul_add(floats.mul_add(odds, sixteenth, evens), scale, *product);
                *product = floats.mul_add(least, floats.splat(*sum), *product);
            }
        }
        products
    }
}

impl RowPanel for Q8Panel<'_> {
    #[inline(always)]
    fn products<I: Isa, const V: usize, const N: usize>(
        self,
        isa: I,
        x: VectorPanel<'_, V>,
        lane: usize,
        first: usize,
    ) -> [I::F32; N] {
        let (floats, ints) = (isa.f32(), isa.i32());
        let mut products = [floats.zero(); N];
        let rows = self.quants.iter().zip(self.scales);
        for ((quants, scale), x) in rows.zip(x.numbers.as_chunks::<32>().0) {
            let mut parts = [[floats.zero(); 2]; N];
            let pairs = quants.as_chunks().0.iter().zip(x.as_chunks::<2>().0);
            for ([even, odd], [one, other]) in pairs {
                let even = ints.to_float(ints.load(from(&even.map(i32::from), lane)));
                let odd = ints.to_float(ints.load(from(&odd.map(i32::from), lane)));
                add(isa, &mut parts, [even, odd], from(one, first), from(other, first));
            }
            let scale = floats.load(from(scale, lane));
            for (product, [evens, odds]) in products.iter_mut().zip(parts) {
                *product = floats.mul_add(floats.add(evens, odds), scale, *product);
            }
        }
        products
    }
}

/// Adds the products of two columns with some vectors.
#[inline(always)]
fn add<I: Isa, const N: usize>(
    isa: I,
    parts: &mut [[I::F32; 2]; N],
    [even, odd]: [I::F32; 2],
    one: &[f32],
    other: &[f32],
) {
    let floats = isa.f32();
    for ([evens, odds], (one, other)) in parts.iter_mut().zip(one.iter().zip(other)) {
        *evens = floats.mul_add(even, floats.splat(*one), *evens);
        *odds = floats.mul_add(odd, floats.splat(*other), *odds);
    }
}

#[inline(always)]
fn from<T>(all: &[T], at: usize) -> &[T] {
    all.get(at..).unwrap_or_default()
}

/// Writes out numbers of 16 bits, in whole blocks of 16. None but zero may be too small for a whole exponent.
#[inline(always)]
pub(crate) fn write_halves<I: Isa>(isa: I, halves: &[u16], out: &mut [f32]) {
    let step = isa.f32().len();
    for (halves, out) in halves.as_chunks::<16>().0.iter().zip(out.chunks_exact_mut(16)) {
        for (at, out) in out.chunks_exact_mut(step).enumerate() {
            isa.f32().store(plain(isa, from(halves, at * step)), out);
        }
    }
}

/// The first of some numbers of 16 bits.
#[inline(always)]
fn plain<I: Isa>(isa: I, halves: &[u16]) -> I::F32 {
    let (floats, ints) = (isa.f32(), isa.i32());
    // The sign stays where it is; the exponent comes out too small by as much for all.
    let (bits, lift) = (ints.splat(0x8fff_e000_u32.cast_signed()), floats.splat(LIFT));
    let mut wide = [0; 16];
    for (wide, half) in wide.iter_mut().zip(halves) {
        *wide = i32::from(half.cast_signed());
    }
    let low = ints.and(ints.shift_left::<13>(ints.load(&wide)), bits);
    floats.mul(floats.from_bits(low.to_bits()), lift)
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
