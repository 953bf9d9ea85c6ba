//! [`Vocabulary`]: the tokens a model reads and writes, as bytes; and [`Tokenizer`], which makes
//! them of text.

mod letters;
mod marks;
mod pieces;
mod tokenizer;
mod writing;

pub use self::{tokenizer::Tokenizer, writing::Writing};
#[cfg(test)]
pub(crate) fn stands_for(letter: char) -> bool {
    letters::byte(letter).is_some()
}

/// The tokens a model reads and writes, as bytes.
pub trait Vocabulary: Send + Sync {
    /// How many tokens there are; they are numbered from 0.
    fn size(&self) -> u32;

    /// The bytes a token stands for: none for a special token, and none for a number that is no
    /// token.
    fn bytes(&self, token: u32) -> &[u8];

    /// The token that ends a turn.
    fn end(&self) -> u32;
}
