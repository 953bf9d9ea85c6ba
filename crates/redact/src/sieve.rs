//! [`Sieve`]: a look at a text that tells in one pass, and mostly without reading all of it, that none of
//! many needles is there.

/// What can tell that none of some needles is in a text, but not that one is.
///
/// Of every needle the first [`Sieve::step`] groups of [`GROUP`] bytes are known, and of a text every
/// `step`-th group is looked at. Wherever a needle stands, one of `step` places in a row is looked at: one of
/// its groups is seen. Making one takes a fraction of what a searcher for each needle does, and a run that
/// is one call long pays for that.
pub(crate) struct Sieve {
    /// How far apart the groups are that are looked at; none where there are no needles.
    step: Option<usize>,
    /// A group stands for some bits of one of these. Their number is a power of two.
    words: Vec<u64>,
}

/// How many bytes are looked at together. No needle is shorter.
pub(crate) const GROUP: usize = 4;
/// No more of a needle is looked at: with longer steps there is more to know and no less to do.
const MOST: usize = 32;

impl Sieve {
    /// For these. One that is shorter than a group is none that can be told: then everything passes.
    pub(crate) fn new<'a>(needles: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let Some(shortest) = needles.clone().map(<[u8]>::len).min() else {
            return Self { step: None, words: Vec::new() };
        };
        let Some(step) = (shortest.min(MOST) + 1).checked_sub(GROUP).filter(|step| *step > 0)
        else {
            return Self { step: Some(1), words: vec![u64::MAX] };
        };
        // Two words for each keep those few that pass for another's sake.
        let size = (needles.clone().count() * step * 2).next_power_of_two();
        let mut words = vec![0; size];
        for group in needles.flat_map(|needle| needle.windows(GROUP).take(step)) {
            let (at, bits) = spot(group, size);
            if let Some(word) = words.get_mut(at) {
                *word |= bits;
            }
        }
        Self { step: Some(step), words }
    }

    /// Whether one of them may be in the text. Where this says no, none is.
    pub(crate) fn passes(&self, text: &[u8]) -> bool {
        let Some(step) = self.step else { return false };
        text.windows(GROUP).step_by(step).any(|group| {
            let (at, bits) = spot(group, self.words.len());
            self.words.get(at).is_none_or(|word| word & bits == bits)
        })
    }
}

/// The word of a group, and three bits in it.
fn spot(group: &[u8], size: usize) -> (usize, u64) {
    let number = group.first_chunk::<GROUP>().map_or(0, |it| u32::from_le_bytes(*it));
    let mixed = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // The upper bits are mixed best.
    let bit = |from: u32| 1_u64 << (mixed >> from & 63);
    let at = (mixed >> 24) as usize & (size - 1);
    (at, bit(58) | bit(52) | bit(46))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is there is never missed, wherever it stands and whatever else is looked for.
        #[test]
        fn what_is_there_passes(
            needles in prop::collection::vec("[ab]{1,12}|[a-z]{4,80}", 1..9),
            which in 0_usize..9,
            before in "[a-z]{0,70}",
            behind in "[a-z]{0,70}",
        ) {
            let sieve = Sieve::new(needles.iter().map(String::as_bytes));
            let text = format!("{before}{}{behind}", needles[which % needles.len()]);
            if text.len() >= GROUP {
                prop_assert!(sieve.passes(text.as_bytes()));
            }
        }
    }

    #[test]
    fn most_of_what_is_not_there_does_not_pass() {
        let needles: Vec<String> =
            (0..60_u64).map(|it| format!("{:x}", it.pow(9) + (1 << 60))).collect();
        let sieve = Sieve::new(needles.iter().map(String::as_bytes));
        let text = |it: u32| {
            format!("{it} bottles of beer on the wall, {it} bottles of beer; take one down")
        };
        let passed = (0..1000).filter(|it| sieve.passes(text(*it).as_bytes())).count();
        assert!(passed < 50, "{passed}");
        assert!(!Sieve::new(std::iter::empty()).passes(b"anything at all"));
    }
}
