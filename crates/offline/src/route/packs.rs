//! [`PackWords`]: by which words people mean which pack.
//!
//! Vectors tell what is alike, and know neither the slang of a trade nor names that nobody had heard of when they were made. So the packs
//! that the model was trained on have, beside their examples, the words of those who asked for them in the training data. `train/packs.py` learns
//! them, and has to make the same places of the same words as this.

use std::{collections::BTreeSet, sync::LazyLock};

use serde::Deserialize;

static FILE: &[u8] = include_bytes!("../../adapter/packs.words");
/// To how many places words are hashed.
const PLACES: u32 = 1 << 15;
/// From how many letters on words are also known by how they begin and end, and by how many letters.
const LONG: usize = 5;
const AFFIX: usize = 4;
/// How many words of a question are looked at.
const MOST: usize = 200;

/// What is known of the words by which packs are meant.
#[derive(Deserialize)]
pub(super) struct PackWords {
    packs: Vec<String>,
    scale: Vec<f32>,
    bias: Vec<f32>,
    /// For each place a weight for each pack.
    #[serde(skip)]
    weights: &'static [u8],
}

static KNOWN: LazyLock<Option<PackWords>> = LazyLock::new(|| PackWords::read(FILE));

/// How likely each pack is meant by a text, as far as packs are known by their words.
pub(super) fn meant(text: &str) -> Vec<(&'static str, f32)> {
    KNOWN.as_ref().map(|it| it.meant(text)).unwrap_or_default()
}

impl PackWords {
    /// None where a file is not whole.
    fn read(file: &'static [u8]) -> Option<Self> {
        let end = file.iter().position(|byte| *byte == b'\n')?;
        let (head, rest) = file.split_at_checked(end)?;
        let head: Self = serde_json::from_slice(head).ok()?;
        let weights = rest.get(1..)?;
        let is_whole = weights.len() == PLACES as usize * head.packs.len();
        is_whole.then_some(Self { weights, ..head })
    }

    fn meant(&self, text: &str) -> Vec<(&str, f32)> {
        let places = places(text);
        if places.is_empty() {
            return Vec::new();
        }
        let each = 1.0 / (places.len() as f32).sqrt();
        let known = self.packs.iter().zip(&self.scale).zip(&self.bias).enumerate();
        known
            .map(|(at, ((pack, scale), bias))| {
                let weight = |place: &u32| {
                    let at = *place as usize * self.packs.len() + at;
                    self.weights.get(at).map_or(0, |it| i32::from(it.cast_signed()))
                };
                let sum: i32 = places.iter().map(weight).sum();
                let likely = 1.0 / (1.0 + (-(sum as f32 * scale * each + bias)).exp());
                (pack.as_str(), likely)
            })
            .collect()
    }
}

/// Where the words of a text are, those that stand side by side, and what long ones begin and end with.
fn places(text: &str) -> BTreeSet<u32> {
    let words = words(text);
    let mut places: BTreeSet<u32> = words.iter().map(|it| place(&[it])).collect();
    let around = |it: Option<&String>, edge| it.map_or(edge, String::as_str).to_owned();
    for at in 0..=words.len() {
        let before = at.checked_sub(1).and_then(|it| words.get(it));
        places.insert(place(&[&around(before, "<"), " ", &around(words.get(at), ">")]));
    }
    for word in &words {
        let letters: Vec<_> = word.char_indices().collect();
        if letters.len() >= LONG && word.chars().all(char::is_alphabetic) {
            let begin = letters.get(AFFIX).map_or(word.len(), |(at, _)| *at);
            let end = letters.get(letters.len() - AFFIX).map_or(0, |(at, _)| *at);
            places.insert(place(&["^", word.get(..begin).unwrap_or_default()]));
            places.insert(place(&[word.get(end..).unwrap_or_default(), "$"]));
        }
    }
    places
}

/// What is between spaces, in small letters and without signs around it. What has a figure is one, and what ends as files do
/// is a file.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace().take(MOST) {
        let word = word.to_lowercase();
        let word = word.trim_matches(|it: char| !it.is_alphanumeric());
        if word.is_empty() {
            continue;
        }
        if is_file(word) {
            words.push("<file>".to_owned());
        }
        let is_figure = word.bytes().any(|it| it.is_ascii_digit());
        words.push(if is_figure { "<figure>".to_owned() } else { word.to_owned() });
    }
    words
}

fn is_file(word: &str) -> bool {
    let ending = word.rsplit_once(['.', '/']).map(|(_, ending)| ending);
    ending.is_some_and(|it| {
        (1..=5).contains(&it.len()) && it.bytes().all(|it| it.is_ascii_lowercase())
    })
}

/// FNV-1a of 32 bits.
fn place(parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|it| it.bytes());
    bytes.fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
        % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_that_were_learned() {
        assert_eq!(
            words("Show me *docs/FAQ.md*, the 2nd – what's in it?"),
            ["show", "me", "<file>", "docs/faq.md", "the", "<figure>", "what's", "in", "it"]
        );
        // As `train/packs.py` has them.
        let made: Vec<_> = places("note the price of gold.csv").into_iter().collect();
        let learned = [
            2785, 3095, 3133, 3372, 3586, 11057, 12828, 15464, 17241, 17706, 20220, 21703, 24087,
            26593, 26623,
        ];
        assert_eq!(made, learned);
        // Of no words, that it begins and ends.
        assert_eq!(places(" ?! "), BTreeSet::from([30_573]));
    }

    #[test]
    fn packs_are_meant_by_the_words_of_a_trade() {
        let best = |text: &str| {
            let meant = meant(text);
            let best = meant.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            (best.0, best.1 > 0.5)
        };
        for (text, pack) in [
            ("cmp of hal?", "market"),
            ("how much volume in suzlon today", "market"),
            ("take a note of it as well", "demo"),
            ("which channel did I watch most", "watch"),
            ("grep for TODO in src", "workspace"),
        ] {
            assert_eq!(best(text), (pack, true), "{text}");
        }
        assert!(!best("thanks, that was kind of you").1);
    }
}
