//! [`kin`]: words that mean much the same, and words that hint at others.
//!
//! People say `picture` where a tool says `image`, and `umbrella` where it says `weather`. The lists
//! are of everyday English and know no particular tool; a toolbox of another trade simply finds
//! little in them.

/// Words that mean much the same, a group on each line. Any of them finds all of them.
const SAME: &str = include_str!("kin/same.txt");
/// Words that hint at others, which they do not mean: behind the colon stand words that tools use.
const HINTS: &str = include_str!("kin/hints.txt");
/// Two words that only together hint at others, as the verbs of English do: `call off`.
const PHRASES: &str = include_str!("kin/phrases.txt");

/// How much of a word's weight goes to those that mean much the same.
const SAME_WEIGHT: f32 = 0.5;
/// How much of it goes to those that it hints at.
const HINT_WEIGHT: f32 = 0.5;

/// Calls `each` with every two words, or phrase and word, of which the first leads to the second,
/// and with how much of its weight.
pub(super) fn kin(mut each: impl FnMut(&'static str, &'static str, f32)) {
    for group in SAME.lines() {
        for word in group.split_whitespace() {
            for other in group.split_whitespace().filter(|other| *other != word) {
                each(word, other, SAME_WEIGHT);
            }
        }
    }
    for (words, hinted) in HINTS.lines().filter_map(|line| line.split_once(':')) {
        for word in words.split_whitespace() {
            hinted.split_whitespace().for_each(|other| each(word, other, HINT_WEIGHT));
        }
    }
    for (phrase, hinted) in PHRASES.lines().filter_map(|line| line.split_once(':')) {
        hinted.split_whitespace().for_each(|other| each(phrase, other, HINT_WEIGHT));
    }
}
