//! [`Lexicon`]: the words and ids that the sources mention.

use std::collections::HashSet;

use super::links::address;

/// The words and ids that the sources mention, in lower case.
#[derive(Default)]
pub(super) struct Lexicon {
    words: HashSet<String>,
    /// Words of two to five capitals: what is often short for a name.
    tickers: HashSet<String>,
    lower: String,
}

/// Short words in capitals beyond this many are not kept apart.
const TICKERS: usize = 512;

impl Lexicon {
    /// Adds the words of a text: runs of letters, and the pieces of `lastPrice`.
    pub(super) fn read(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            self.add(word);
            let ticker = (2..=5).contains(&word.len()) && word.chars().all(char::is_uppercase);
            if ticker && self.tickers.len() < TICKERS {
                self.tickers.insert(word.to_lowercase());
            }
            let mut start = 0;
            for (at, _) in word.char_indices().filter(|(_, c)| c.is_uppercase()) {
                if word.get(..at).is_some_and(|it| it.ends_with(char::is_lowercase)) {
                    self.add(word.get(start..at).unwrap_or_default());
                    start = at;
                }
            }
            if start > 0 {
                self.add(word.get(start..).unwrap_or_default());
            }
        }
    }

    fn add(&mut self, word: &str) {
        self.lower.clear();
        self.lower.extend(word.chars().flat_map(char::to_lowercase));
        // Most words are known already, and need no copy.
        if !self.words.contains(&self.lower) {
            self.words.insert(self.lower.clone());
        }
    }

    /// Adds an id, however it is spelled.
    pub(super) fn add_id(&mut self, id: &str) {
        self.words.insert(spelling(id));
    }

    /// Whether a word or an id, in its one spelling, is mentioned.
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Words of two to five capitals, in lower case.
    pub(super) fn tickers(&self) -> impl Iterator<Item = &str> {
        self.tickers.iter().map(String::as_str)
    }
}

/// One spelling for every spelling of an id.
pub(super) fn spelling(id: &str) -> String {
    address(id).unwrap_or_else(|| id.to_lowercase().replace('\u{2011}', "-"))
}
