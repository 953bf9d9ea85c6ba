//! [`Vocabulary`]: the words of a field that are written with a capital and name nobody.

use std::collections::HashSet;

use super::words;

/// The words of a field, beside those of everyday English: written with a capital they name nobody, so
/// no source has to have them.
///
/// Given as plain lists with white space between the words, of three kinds:
///
/// - `dividend`: a word that also an answer without content is made of;
/// - `bullish*`: one that tells something by itself;
/// - `nifty50`: a name that carries a number. The number in it states nothing.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    general: HashSet<String>,
    telling: HashSet<String>,
    numbered: HashSet<String>,
}

impl Vocabulary {
    /// Adds the words of a list.
    pub fn add(&mut self, list: &str) {
        for word in list.split_whitespace().map(str::to_lowercase) {
            match word.strip_suffix('*') {
                Some(word) => self.telling.insert(word.to_owned()),
                None if word.ends_with(|c: char| c.is_ascii_digit()) => self.numbered.insert(word),
                None => self.general.insert(word),
            };
        }
    }

    /// Whether a word says something, but is no name.
    pub(super) fn is_common(&self, word: &str) -> bool {
        words::is_common(word) || self.is_own(word) || self.telling.contains(&word.to_lowercase())
    }

    /// Whether a word is of the kind that an answer without content is made of, too.
    pub(super) fn is_general(&self, word: &str) -> bool {
        words::is_general(word) || self.is_own(word)
    }

    fn is_own(&self, word: &str) -> bool {
        !self.general.is_empty() && self.general.contains(&word.to_lowercase())
    }

    /// Whether a name of the field carries this number.
    pub(super) fn is_numbered(&self, word: &str, number: f64) -> bool {
        !self.numbered.is_empty()
            && self.numbered.contains(&format!("{}{number}", word.to_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::Vocabulary;

    #[test]
    fn the_kinds_of_words_are_told_apart() {
        let mut words = Vocabulary::default();
        words.add("Dividend bullish*\n  s&p500 nifty50");
        assert!(words.is_common("Dividend") && words.is_general("dividend"));
        assert!(words.is_common("Bullish") && !words.is_general("bullish"));
        assert!(words.is_numbered("S&P", 500.0) && words.is_numbered("nifty", 50.0));
        assert!(!words.is_numbered("nifty", 51.0) && !words.is_numbered("nifty", 50.5));
        assert!(!words.is_numbered("", 50.0) && !words.is_common("nifty"));
        assert!(words.is_general("Monday") && !Vocabulary::default().is_common("dividend"));
    }
}
