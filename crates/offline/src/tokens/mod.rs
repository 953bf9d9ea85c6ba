//! [`Vocabulary`]: the tokens a model reads and writes, as bytes; and [`Tokenizer`], which makes
//! them of text.

mod letters;
mod marks;
mod pieces;
mod tokenizer;
mod writing;

pub use self::{tokenizer::Tokenizer, writing::Writing};

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

/// Made up for tests.
#[cfg(test)]
pub(crate) mod made_up {
    use super::{Tokenizer, letters, pieces::Cut};

    /// The letters that stand for bytes.
    pub(crate) fn letters() -> Vec<String> {
        let all = (0..=400).filter_map(char::from_u32);
        all.filter(|it| letters::byte(*it).is_some()).map(String::from).collect()
    }

    /// A tokenizer with a token for each byte, and these marks.
    pub(crate) fn tokenizer(marks: &[&str]) -> Tokenizer {
        let mut tokens = letters();
        let mut kinds = vec![1; tokens.len()];
        tokens.extend(marks.iter().map(|it| (*it).to_owned()));
        kinds.resize(tokens.len(), 3);
        Tokenizer::of_lists(&tokens, &[], &kinds, Cut::SmolLm, None).unwrap()
    }
}
