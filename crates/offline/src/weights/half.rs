//! Numbers of 16 bits, in plain arithmetic that the compiler makes vectors of.

/// 2^112: what the exponent of 16 bits is short of that of 32.
const LIFT: f32 = f32::from_bits(0x7780_0000);

/// The number that 16 bits stand for. Infinities become large numbers: no weight is one.
///
/// Nothing on the way is too small for a whole exponent of 32 bits: processors are slow at those.
#[inline(always)]
pub(crate) fn from_half(half: u16) -> f32 {
    const SMALLEST: u32 = 113 << 23;
    let bits = u32::from(half & 0x7fff) << 13;
    let whole = f32::from_bits(bits + (112 << 23));
    let small = f32::from_bits(bits | SMALLEST) - f32::from_bits(SMALLEST);
    let size = if bits < 1 << 23 { small } else { whole };
    f32::from_bits(size.to_bits() | u32::from(half & 0x8000) << 16)
}

/// The 16 bits that come nearest to a number; what is too large becomes the largest.
#[inline(always)]
pub(crate) fn to_half(number: f32) -> u16 {
    let sign = (number.to_bits() >> 16 & 0x8000) as u16;
    // Scaled, so that numbers too small for a whole exponent lose their last digits by themselves.
    let scaled = (number.abs().min(65504.0) / LIFT).to_bits();
    let rounded = scaled + 0x0fff + (scaled >> 13 & 1);
    sign | (rounded >> 13) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_16_bits_comes_back() {
        for half in (0..=0x7bff).chain(0x8000..=0xfbff) {
            assert_eq!(to_half(from_half(half)), half, "{half:#06x}");
        }
    }

    #[test]
    fn known_numbers_are_right() {
        let known = [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x0001, 2f32.powi(-24))];
        for (half, number) in known {
            assert_eq!(from_half(half), number);
        }
        assert_eq!(to_half(1e9), 0x7bff);
        assert_eq!(to_half(0.1), 0x2e66);
        assert_eq!(to_half(1e-9), 0);
    }
}
