//! [`Noise`]: chance that is the same each time it is asked.
//!
//! A number is a hash of where it belongs, never the next one of a sequence: so any day of any
//! instrument can be computed without the days before it.

/// Chance for one purpose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise(u64);

impl Noise {
    /// Chance that depends on a seed and on what it is for.
    pub(super) fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a: the bytes of a name, in order.
        let hash = purpose.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(mix(hash ^ mix(seed)))
    }

    /// Chance for a part of the purpose.
    pub(super) fn of(self, part: u64) -> Self {
        Self(mix(self.0 ^ mix(part.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// All its bits.
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// Evenly spread over 0 to 1.
    pub(super) fn unit(self) -> f64 {
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normally distributed, and never beyond 3.5: no price leaps out of its day.
    pub(super) fn bell(self) -> f64 {
        // Written out: this is what years of prices are made of.
        let lane = |shift: u32| ((self.0 >> shift) & 0xffff) as f64;
        let sum = (lane(0) + lane(16) + lane(32) + lane(48)) / 65_535.0;
        // Four even numbers have the variance 1/3.
        (sum - 2.0) * 3.0_f64.sqrt()
    }
}

/// The last step of SplitMix64.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A point of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Where.
    pub(super) at: u32,
    /// How high.
    pub(super) value: f64,
}

/// A Brownian bridge between two points: a value for each place from the first to the last.
pub(super) fn bridge(from: Point, to: Point, step: f64, noise: Noise) -> Vec<f64> {
    let mut path = Vec::with_capacity(to.at.saturating_sub(from.at) as usize + 1);
    path.push(from.value);
    between(from, to, step, noise, &mut path);
    path.push(to.value);
    path
}

fn between(from: Point, to: Point, step: f64, noise: Noise, path: &mut Vec<f64>) {
    if to.at.saturating_sub(from.at) < 2 {
        return;
    }
    let at = from.at.midpoint(to.at);
    let (before, after) = (f64::from(at - from.at), f64::from(to.at - at));
    let share = before / (before + after);
    let spread = step * (before * (1.0 - share)).sqrt();
    let line = from.value + share * (to.value - from.value);
    let value = line + spread * noise.of(u64::from(at)).bell();
    let middle = Point { at, value };
    between(from, middle, step, noise, path);
    path.push(value);
    between(middle, to, step, noise, path);
}

/// The widest interval, in days, at whose middle chance still grows: beyond it a level keeps near its
/// trend, so that years of chance leave the well-known levels recognisable.
const WIDEST: f64 = 128.0;

/// Days between the fixed points of [`wander`]. One of them is 27 January 2026.
const SPAN: i64 = 4096;

/// Where a random walk is on a day, counted from 1970: found by halving, not by walking there.
pub(super) fn wander(day: i64, step: f64, noise: Noise) -> f64 {
    let fixed = |index: i64| match index {
        // Here levels are those of the tables.
        5 => 0.0,
        index => noise.of(index.unsigned_abs() ^ (1 << 40)).bell() * step * 4.0,
    };
    let index = day.div_euclid(SPAN);
    let (mut low, mut high) = (index * SPAN, (index + 1) * SPAN);
    let (mut from, mut to) = (fixed(index), fixed(index + 1));
    while day != low {
        let middle = low.midpoint(high);
        let spread = step * ((high - low) as f64).min(WIDEST).sqrt() / 2.0;
        let value = f64::midpoint(from, to) + spread * noise.of(middle.unsigned_abs()).bell();
        if day < middle {
            (high, to) = (middle, value);
        } else {
            (low, from) = (middle, value);
        }
    }
    from
}
