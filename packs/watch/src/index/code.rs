//! [`Code`]: vectors as whole numbers.
//!
//! On the disk a number has 16 bits, as a fraction of the largest of its vector: half of what `f32` takes, and
//! no further off than 0.00002 times that largest. In memory the upper 8 of them are enough to find which
//! vectors may be near; those few are then compared by what is on the disk.

/// Numbers a vector may have: sums of products of codes stay within 32 bits.
pub(super) const MOST_DIMENSIONS: usize = 8192;

const STEPS: f32 = 32_767.0;
/// Steps of a code in memory, 256 times as wide.
const WIDE: f32 = STEPS / 256.0;
/// A code in memory has no sign: this much is added. Without one it is widened in one step less.
const MIDDLE: i32 = 128;
/// Steps of the vector that is looked for: `255 * 1023 * 8192` is the largest sum.
const QUERY_STEPS: f32 = 1023.0;
/// As many products at once as compilers make vector instructions of: three times as fast as one by one.
const AT_ONCE: usize = 32;

/// A vector on the disk: the largest number, then the fractions.
pub(super) fn encode(vector: &[f32]) -> Vec<u8> {
    let largest = largest(vector);
    let mut bytes = Vec::with_capacity(4 + vector.len() * 2);
    bytes.extend_from_slice(&largest.to_le_bytes());
    for number in vector {
        bytes.extend_from_slice(&step(*number, largest, STEPS).to_le_bytes());
    }
    bytes
}

/// The fractions of a vector on the disk, and what they are fractions of.
fn parts(bytes: &[u8]) -> Option<(f32, impl Iterator<Item = i16> + '_)> {
    let (largest, rest) = bytes.split_first_chunk::<4>()?;
    let (numbers, _) = rest.as_chunks::<2>();
    Some((f32::from_le_bytes(*largest), numbers.iter().map(|it| i16::from_le_bytes(*it))))
}

/// How alike a vector and one on the disk are: the cosine, as both are of length 1.
pub(crate) fn exact(vector: &[f32], bytes: &[u8]) -> f32 {
    let Some((largest, numbers)) = parts(bytes) else { return 0.0 };
    let sum: f32 = vector.iter().zip(numbers).map(|(a, b)| a * f32::from(b)).sum();
    sum * largest / STEPS
}

/// A vector on the disk as it was made, nearly.
pub(crate) fn decode(bytes: &[u8]) -> Vec<f32> {
    let Some((largest, numbers)) = parts(bytes) else { return Vec::new() };
    numbers.map(|it| f32::from(it) * largest / STEPS).collect()
}

/// Adds the code of a vector on the disk, and returns what one step of it is. Nothing is added where
/// it has not this many numbers.
pub(super) fn shorten(bytes: &[u8], dimensions: usize, codes: &mut Vec<u8>) -> Option<f32> {
    let (largest, numbers) = parts(bytes)?;
    if bytes.len() != 4 + dimensions * 2 {
        return None;
    }
    codes.extend(numbers.map(narrow));
    Some(largest / WIDE)
}

/// The upper half of a number, rounded. The largest saturate, half a step short.
fn narrow(number: i16) -> u8 {
    u8::try_from(((i32::from(number) + 128) >> 8) + MIDDLE).unwrap_or(u8::MAX)
}

/// How many numbers a vector on the disk has.
pub(super) fn dimensions(bytes: &[u8]) -> usize {
    bytes.len().saturating_sub(4) / 2
}

/// A vector that is looked for, as whole numbers.
pub(super) struct Code {
    numbers: Vec<i16>,
    step: f32,
    /// What the middle of codes in memory adds to every sum.
    surplus: i32,
}

impl Code {
    pub(super) fn of(vector: &[f32]) -> Self {
        let largest = largest(vector);
        let numbers: Vec<i16> = vector.iter().map(|it| step(*it, largest, QUERY_STEPS)).collect();
        let surplus = numbers.iter().map(|it| i32::from(*it) * MIDDLE).sum();
        Self { numbers, step: largest / QUERY_STEPS, surplus }
    }

    /// How alike it and a code in memory are, nearly.
    #[inline]
    pub(super) fn times(&self, code: &[u8], step: f32) -> f32 {
        let (codes, last_codes) = code.as_chunks::<AT_ONCE>();
        let (numbers, last_numbers) = self.numbers.as_chunks::<AT_ONCE>();
        let sums = codes.iter().zip(numbers).map(|(a, b)| products(a, b));
        let sum: i32 = sums.sum::<i32>() + products(last_codes, last_numbers);
        // Sums of real vectors are far below 2^24, where this is exact.
        (sum - self.surplus) as f32 * step * self.step
    }
}

#[inline]
fn products(code: &[u8], numbers: &[i16]) -> i32 {
    code.iter().zip(numbers).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

fn largest(vector: &[f32]) -> f32 {
    vector.iter().fold(0.0, |largest, it| it.abs().max(largest))
}

fn step(number: f32, largest: f32, steps: f32) -> i16 {
    // Of a vector of noughts every fraction is none: the cast makes 0 of it.
    (number / largest * steps).round() as i16
}
