//! [`Set`]: some of many numbers.

/// Some of many numbers, a bit each: the texts with a common word are thousands.
#[derive(Debug)]
pub(super) struct Set(Vec<u64>);

impl Set {
    /// None of the numbers below this one.
    pub(super) fn of(many: usize) -> Self {
        Self(vec![0; many.div_ceil(64)])
    }

    /// Takes these in.
    pub(super) fn extend(&mut self, numbers: &[u32]) {
        for number in numbers {
            self.insert(*number);
        }
    }

    /// Takes one in, and says whether it was not there.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        let Some(bits) = self.0.get_mut(number as usize / 64) else { return false };
        let bit = 1 << (number % 64);
        let new = *bits & bit == 0;
        *bits |= bit;
        new
    }

    /// Those in both.
    pub(super) fn both(mut self, other: Self) -> Self {
        for (bits, others) in self.0.iter_mut().zip(other.0) {
            *bits &= others;
        }
        self
    }

    /// Each of them, the lowest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip((0..).step_by(64)).flat_map(|(bits, first)| {
            let mut left = *bits;
            std::iter::from_fn(move || {
                let lowest = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(first + lowest)
            })
        })
    }
}
