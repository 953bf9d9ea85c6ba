//! [`each_synonym`]: words that mean much the same.
//!
//! People say `picture` where a tool says `image`. The list is of everyday English and knows no
//! particular tool. It is what is left of three: lists of what words hint at (`umbrella`: weather) only
//! helped the tools they were written beside, and a model of meaning knows both (`benches/README.md`).

use super::words::stem;

/// A group on each line. Any of them finds all of them.
const SYNONYMS: &str = include_str!("synonyms.txt");

/// How much of a word's weight goes to those that mean much the same.
pub(super) const WEIGHT: f32 = 0.5;

/// Calls `each` with the stems of every two words of which the first leads to the second.
pub(super) fn each_synonym(mut each: impl FnMut(&str, &str)) {
    for group in SYNONYMS.lines() {
        let stems: Vec<_> = group.split_whitespace().map(stem).collect();
        for word in &stems {
            stems.iter().filter(|other| *other != word).for_each(|other| each(word, other));
        }
    }
}
