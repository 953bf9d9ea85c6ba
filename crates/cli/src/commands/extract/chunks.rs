//! [`Chunks`]: how a text is cut before it is fed to a decoder.

use std::{num::NonZeroUsize, str::FromStr};

/// The longest piece of a random cut.
const LONGEST: usize = 16;

/// How a text is cut before it is fed to a decoder: as a stream might bring it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chunks {
    /// Pieces of this many characters.
    Of(NonZeroUsize),
    /// Pieces of random sizes, the same for the same seed.
    Random(u64),
}

impl FromStr for Chunks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let wrong = "give a number of characters, such as 1, or random:SEED, such as random:7";
        match text.strip_prefix("random:") {
            Some(seed) => seed.parse().map(Self::Random).map_err(|_| wrong),
            None => text.parse().map(Self::Of).map_err(|_| wrong),
        }
    }
}

impl Chunks {
    /// The pieces of a text.
    pub(super) fn cut(self, text: &str) -> impl Iterator<Item = &str> {
        let mut random = match self {
            Self::Of(_) => None,
            Self::Random(seed) => Some(fastrand::Rng::with_seed(seed)),
        };
        let mut size = move || match (&mut random, self) {
            (Some(random), _) => random.usize(1..=LONGEST),
            (None, Self::Of(size)) => size.get(),
            (None, Self::Random(_)) => LONGEST,
        };
        let mut rest = text;
        std::iter::from_fn(move || {
            let at = rest.char_indices().nth(size()).map_or(rest.len(), |(at, _)| at);
            let (piece, behind) = rest.split_at_checked(at)?;
            rest = behind;
            Some(piece).filter(|piece| !piece.is_empty())
        })
    }
}
