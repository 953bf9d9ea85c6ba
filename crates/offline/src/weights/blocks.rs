//! [`Kind`]: the ways in which a GGUF stores numbers.

use super::half::from_half;

/// A way in which a GGUF stores numbers: blocks of so many, in so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4K,
    Q5K,
    Q6K,
}

impl Kind {
    /// The kind of this number in a GGUF.
    pub(super) fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::F32,
            1 => Self::F16,
            2 => Self::Q4_0,
            3 => Self::Q4_1,
            6 => Self::Q5_0,
            7 => Self::Q5_1,
            8 => Self::Q8_0,
            12 => Self::Q4K,
            13 => Self::Q5K,
            14 => Self::Q6K,
            30 => Self::Bf16,
            _ => return None,
        })
    }

    /// How many bytes so many numbers take.
    pub(super) fn bytes(self, numbers: usize) -> usize {
        let (block, bytes) = self.measures();
        numbers / block * bytes
    }

    fn measures(self) -> (usize, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::F16 | Self::Bf16 => (1, 2),
            Self::Q4_0 => (32, 18),
            Self::Q4_1 => (32, 20),
            Self::Q5_0 => (32, 22),
            Self::Q5_1 => (32, 24),
            Self::Q8_0 => (32, 34),
            Self::Q4K => (256, 144),
            Self::Q5K => (256, 176),
            Self::Q6K => (256, 210),
        }
    }

    /// How many bytes rows of so many numbers take together; nothing where there are none, where a row
    /// ends within a block, or where no file is as large.
    pub(super) fn size(self, shape: &[usize]) -> Option<usize> {
        let (block, bytes) = self.measures();
        let cols = shape.first().copied().unwrap_or(1);
        let rows = shape.iter().skip(1).try_fold(1_usize, |rows, it| rows.checked_mul(*it))?;
        let size = (cols / block).checked_mul(bytes)?.checked_mul(rows)?;
        (cols.is_multiple_of(block) && size > 0).then_some(size)
    }

    /// The numbers that these bytes stand for.
    pub(super) fn numbers(self, bytes: &[u8], out: &mut [f32]) {
        let (numbers, size) = self.measures();
        for (block, out) in bytes.chunks_exact(size).zip(out.chunks_exact_mut(numbers)) {
            match self {
                Self::F32 => out.fill(f32::from_bits(
                    u32::from(word(block, 0)) | u32::from(word(block, 2)) << 16,
                )),
                Self::F16 => out.fill(from_half(word(block, 0))),
                Self::Bf16 => out.fill(f32::from_bits(u32::from(word(block, 0)) << 16)),
                Self::Q4_0 => nibbles(block, 2, out, |it| scale(block, 0) * (f32::from(it) - 8.0)),
                Self::Q4_1 => {
                    nibbles(block, 4, out, |it| scale(block, 0) * f32::from(it) + scale(block, 2));
                }
                Self::Q5_0 => fives(block, 2, out, |it| scale(block, 0) * (f32::from(it) - 16.0)),
                Self::Q5_1 => {
                    fives(block, 4, out, |it| scale(block, 0) * f32::from(it) + scale(block, 2));
                }
                Self::Q8_0 => {
                    for (out, byte) in out.iter_mut().zip(block.iter().skip(2)) {
                        *out = scale(block, 0) * f32::from(*byte as i8);
                    }
                }
                Self::Q4K => q4_k(block, out),
                Self::Q5K => q5_k(block, out),
                Self::Q6K => q6_k(block, out),
            }
        }
    }
}

/// A byte, or 0 where there is none.
fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or_default()
}

/// Two bytes.
pub(super) fn word(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([byte(bytes, at), byte(bytes, at + 1)])
}

fn scale(bytes: &[u8], at: usize) -> f32 {
    from_half(word(bytes, at))
}

/// 32 numbers of four bits: the low halves of the 16 bytes first, then the high ones.
fn nibbles(block: &[u8], at: usize, out: &mut [f32], value: impl Fn(u8) -> f32) {
    let (low, high) = out.split_at_mut(16);
    for ((low, high), byte) in low.iter_mut().zip(high).zip(block.iter().skip(at)) {
        (*low, *high) = (value(byte & 15), value(byte >> 4));
    }
}

/// The same with a fifth bit each, which stand together before them.
fn fives(block: &[u8], at: usize, out: &mut [f32], value: impl Fn(u8) -> f32) {
    let fifths = u32::from(word(block, at)) | u32::from(word(block, at + 2)) << 16;
    let fifth = |index: usize| ((fifths >> index & 1) << 4) as u8;
    let (low, high) = out.split_at_mut(16);
    let bytes = block.iter().skip(at + 4).enumerate();
    for ((low, high), (index, byte)) in low.iter_mut().zip(high).zip(bytes) {
        *low = value(byte & 15 | fifth(index));
        *high = value(byte >> 4 | fifth(index + 16));
    }
}

/// The scale and the least value of each 32 of the 256 numbers in a block that begins with those: two for all of
/// them, and six bits for each.
pub(super) fn k_scales(block: &[u8]) -> [[f32; 2]; 8] {
    let packed = |at: usize| byte(block, 4 + at);
    let (whole, least) = (scale(block, 0), scale(block, 2));
    std::array::from_fn(|index| {
        let (scale, offset) = if index < 4 {
            (packed(index) & 63, packed(index + 4) & 63)
        } else {
            let both = packed(index + 4);
            (both & 15 | packed(index - 4) >> 6 << 4, both >> 4 | packed(index) >> 6 << 4)
        };
        [whole * f32::from(scale), -least * f32::from(offset)]
    })
}

/// The four low bits of each of the 256 numbers in such a block: 32 bytes have those of 64, the low halves first.
pub(super) fn k_nibbles(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.chunks(32).flat_map(|bytes| {
        let low = bytes.iter().map(|byte| byte & 15);
        low.chain(bytes.iter().map(|byte| byte >> 4))
    })
}

/// 256 numbers of four bits, with a scale and an offset of six bits for each 32 of them.
fn q4_k(block: &[u8], out: &mut [f32]) {
    let quants = k_nibbles(block.get(16..).unwrap_or_default());
    k_numbers(&k_scales(block), quants, out);
}

/// The same with a fifth bit each. Those of every 32 numbers are another bit of the same 32 bytes.
fn q5_k(block: &[u8], out: &mut [f32]) {
    let low = k_nibbles(block.get(48..).unwrap_or_default());
    let fifth = |at: usize| byte(block, 16 + at % 32) >> (at / 32) & 1;
    let quants = low.enumerate().map(|(at, low)| low | fifth(at) << 4);
    k_numbers(&k_scales(block), quants, out);
}

fn k_numbers(scales: &[[f32; 2]; 8], mut quants: impl Iterator<Item = u8>, out: &mut [f32]) {
    for ([scale, least], out) in scales.iter().zip(out.chunks_mut(32)) {
        for (out, quant) in out.iter_mut().zip(&mut quants) {
            *out = scale * f32::from(quant) + least;
        }
    }
}

/// 256 numbers of six bits, four low and two high ones, with a scale for each 16 of them.
fn q6_k(block: &[u8], out: &mut [f32]) {
    let whole = scale(block, 208);
    for (index, value) in out.iter_mut().enumerate() {
        // Halves of 128 numbers; in each, quarters of 32 share the bytes with the high bits.
        let (half, quarter, place) = (index / 128, index / 32 % 4, index % 32);
        let low = byte(block, half * 64 + quarter % 2 * 32 + place) >> (quarter / 2 * 4) & 15;
        let high = byte(block, 128 + half * 32 + place) >> (quarter * 2) & 3;
        let scale = byte(block, 192 + index / 16) as i8;
        *value = whole * f32::from(scale) * (f32::from(low | high << 4) - 32.0);
    }
}
