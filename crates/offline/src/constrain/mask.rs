//! [`Mask`]: a set of tokens.

/// A set of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    words: Vec<u64>,
}

impl Mask {
    /// The empty set, with room for this many tokens.
    pub(super) fn empty(size: u32) -> Self {
        Self { words: vec![0; (size as usize).div_ceil(64)] }
    }

    /// Whether the token is in it.
    pub fn allows(&self, token: u32) -> bool {
        let word = self.words.get(token as usize / 64);
        word.is_some_and(|word| word >> (token % 64) & 1 == 1)
    }

    /// The tokens in it, in order.
    pub fn tokens(&self) -> impl Iterator<Item = u32> {
        self.words.iter().zip(0_u32..).flat_map(|(word, at)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// Whether no token is in it.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The only token in it, if there is just one.
    pub fn only(&self) -> Option<u32> {
        let mut tokens = self.tokens();
        tokens.next().filter(|_| tokens.next().is_none())
    }

    pub(super) fn add(&mut self, token: u32) {
        if let Some(word) = self.words.get_mut(token as usize / 64) {
            *word |= 1 << (token % 64);
        }
    }

    pub(super) fn remove(&mut self, token: u32) {
        if let Some(word) = self.words.get_mut(token as usize / 64) {
            *word &= !(1 << (token % 64));
        }
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }
}
