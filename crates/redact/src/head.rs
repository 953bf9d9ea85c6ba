//! [`Heads`]: what needles begin with, to see where one may have begun at the end of a text.

/// What needles begin with.
pub(crate) struct Heads {
    /// How long the longest is.
    longest: usize,
    /// Whether one begins with two bytes, or with others that share their place here.
    pairs: [u64; PAIRS / 64],
}

const PAIRS: usize = 4096;

impl Heads {
    pub(crate) fn new<'a>(needles: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut heads = Self { longest: 0, pairs: [0; PAIRS / 64] };
        for needle in needles {
            heads.longest = heads.longest.max(needle.len());
            if let [first, second, ..] = needle {
                let (at, bit) = spot(*first, *second);
                if let Some(word) = heads.pairs.get_mut(at) {
                    *word |= bit;
                }
            }
        }
        heads
    }

    /// Where the longest end of a text is that one of these, which are among those known here, begins
    /// with and goes on behind; where the text ends if none is.
    pub(crate) fn begun<'a>(
        &self,
        needles: &(impl Iterator<Item = &'a [u8]> + Clone),
        bytes: &[u8],
    ) -> usize {
        let from = (bytes.len() + 1).saturating_sub(self.longest).min(bytes.len());
        let begins = |at: &usize| {
            let end = bytes.get(*at..).unwrap_or_default();
            self.may_begin(end)
                && needles.clone().any(|it| it.len() > end.len() && it.starts_with(end))
        };
        (from..bytes.len()).find(begins).unwrap_or(bytes.len())
    }

    fn may_begin(&self, text: &[u8]) -> bool {
        let [first, second, ..] = text else { return true };
        let (at, bit) = spot(*first, *second);
        self.pairs.get(at).is_none_or(|word| word & bit != 0)
    }
}

/// The word of two bytes, and the bit in it.
fn spot(first: u8, second: u8) -> (usize, u64) {
    let place = (usize::from(first) << 4 ^ usize::from(second)) % PAIRS;
    (place / 64, 1 << (place % 64))
}
