//! [`Lexicon`]: the names instruments are known by, and how well a text fits them.

use std::ops::Range;

use memchr::memmem;

use super::{
    aliases,
    arena::{Arena, Span},
    set::Set,
    vocabulary::{Vocabulary, fuzziness},
    words::Words,
};
use crate::Key;

/// The names instruments are known by.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    texts: Vec<Text>,
    arena: Arena,
    /// Texts by their squeezed form, and by their ticker.
    sorted: Vec<u32>,
    tickers: Vec<u32>,
    vocabulary: Vocabulary,
}

/// One name of one ticker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    words: Span,
    squeezed: Span,
    /// Whose name it is.
    pub(super) ticker: u32,
    /// The only row it names, if it does not stand for the ticker.
    pub(super) row: Option<Key>,
    /// Where the name is from.
    pub(super) source: Source,
}

/// Where a name is from; the more it can be relied on, the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// It is the symbol.
    Ticker,
    /// Traders call it so.
    Alias,
    /// The list calls it so.
    Name,
}

/// How a text fits a name, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It is the name.
    Exact(Source),
    /// The name begins with it.
    Prefix,
    /// Each of its words begins a word of the name.
    Words,
    /// Each of its words is somewhere in the name.
    Contains,
    /// Its words are nearly those of the name.
    Fuzzy,
}

/// A name that a text fits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'l> {
    pub(super) text: &'l Text,
    pub(super) fit: Fit,
    /// What the fit lacks: letters that differ, words that are only begun.
    pub(super) lack: u16,
    /// How much of the name the text leaves out, in letters.
    pub(super) rest: u16,
}

/// The most words of a text that are looked for one by one: no name has more, but whole sentences
/// are asked for.
const MOST: usize = 8;

/// How far to look for names; each step finds only worse fits than the one before.
pub(super) const STEPS: [Fit; 3] = [Fit::Prefix, Fit::Words, Fit::Contains];

impl Lexicon {
    /// An empty one, to be written and finished.
    pub(super) fn writing() -> Self {
        Self::default()
    }

    /// Adds a name.
    pub(super) fn add(&mut self, words: &Words, source: Source, ticker: u32, row: Option<Key>) {
        if words.is_empty() {
            return;
        }
        let span = self.arena.add(words.as_str());
        let squeezed =
            if words.as_str().contains(' ') { self.arena.add(&words.squeezed()) } else { span };
        self.texts.push(Text { words: span, squeezed, ticker, row, source });
    }

    /// Adds what traders call things, and makes it all searchable.
    pub(super) fn finish(mut self) -> Self {
        self.sort();
        let mut named = Vec::new();
        for (alias, targets) in aliases::ALL {
            let found = targets.iter().find_map(|it| self.ticker(it));
            named.extend(found.map(|ticker| (Words::of(alias), ticker)));
        }
        for (words, ticker) in named {
            self.add(&words, Source::Alias, ticker, None);
        }
        self.sort();
        self.tickers.clone_from(&self.sorted);
        self.tickers.sort_by_key(|at| self.texts.get(*at as usize).map(|it| it.ticker));
        let texts = self.texts.iter().zip(0..).flat_map(|(text, number)| {
            let words = self.arena.get(text.words);
            // A ticker of two words is also searched as one.
            let whole = (text.source == Source::Ticker && text.words != text.squeezed)
                .then(|| self.arena.get(text.squeezed));
            words.split(' ').chain(whole).map(move |word| (word, number))
        });
        self.vocabulary = Vocabulary::of(texts);
        self.arena.shrink();
        self.texts.shrink_to_fit();
        self
    }

    fn sort(&mut self) {
        let mut sorted: Vec<u32> =
            (0..u32::try_from(self.texts.len()).unwrap_or(u32::MAX)).collect();
        sorted.sort_unstable_by_key(|at| self.squeezed(*at));
        self.sorted = sorted;
    }

    /// The number of a ticker, spelt as it is squeezed or not.
    fn ticker(&self, ticker: &str) -> Option<u32> {
        let squeezed = Words::of(ticker).squeezed();
        let found = self.exact(&squeezed).find(|it| it.text.source == Source::Ticker);
        found.map(|it| it.text.ticker)
    }

    fn squeezed(&self, at: u32) -> &str {
        self.texts.get(at as usize).map(|it| self.arena.get(it.squeezed)).unwrap_or_default()
    }

    /// The names of a ticker, and of single rows of it.
    pub(super) fn names(&self, ticker: u32) -> impl Iterator<Item = (&Text, &str)> {
        let of = |at: &u32| self.texts.get(*at as usize).map(|it| it.ticker);
        let start = self.tickers.partition_point(|at| of(at) < Some(ticker));
        let from = self.tickers.get(start..).unwrap_or_default();
        let own = from.iter().take_while(move |at| of(at) == Some(ticker));
        let texts = own.filter_map(|at| self.texts.get(*at as usize));
        texts.map(|text| (text, self.arena.get(text.words)))
    }

    /// The names that are this text.
    pub(super) fn exact(&self, squeezed: &str) -> impl Iterator<Item = Found<'_>> {
        let range = self.range(squeezed, |it, wanted| it <= wanted);
        self.texts_of(range).map(|text| Found {
            text,
            fit: Fit::Exact(text.source),
            lack: 0,
            rest: 0,
        })
    }

    /// The names that fit in this way. Exact ones are not found again.
    pub(super) fn fitting(&self, words: &Words, fit: Fit) -> Vec<Found<'_>> {
        // Every name begins with nothing.
        if words.is_empty() {
            return Vec::new();
        }
        match fit {
            Fit::Exact(_) => self.exact(&words.squeezed()).collect(),
            Fit::Prefix => self.prefixed(&words.squeezed()),
            Fit::Fuzzy => {
                let mut found = self.containing(words, fit);
                let squeezed = words.squeezed();
                if squeezed.len() > 3 && words.as_str().contains(' ') {
                    found.extend(self.containing(&Words::join([squeezed.as_str()]), fit));
                }
                found
            }
            Fit::Words | Fit::Contains => self.containing(words, fit),
        }
    }

    fn prefixed(&self, squeezed: &str) -> Vec<Found<'_>> {
        let range = self.range(squeezed, |it, wanted| it <= wanted || it.starts_with(wanted));
        let found = self.texts_of(range).filter_map(|text| {
            let rest = self.arena.get(text.squeezed).len() - squeezed.len();
            let rest = u16::try_from(rest).unwrap_or(u16::MAX);
            (rest > 0).then_some(Found { text, fit: Fit::Prefix, lack: 0, rest })
        });
        found.collect()
    }

    /// The texts from the first that is not below this one to the last for which `within` holds.
    fn range(&self, squeezed: &str, within: fn(&str, &str) -> bool) -> Range<usize> {
        let start = self.sorted.partition_point(|at| self.squeezed(*at) < squeezed);
        let end = self.sorted.partition_point(|at| within(self.squeezed(*at), squeezed));
        start..end.max(start)
    }

    fn texts_of(&self, range: Range<usize>) -> impl Iterator<Item = &Text> {
        let all = self.sorted.get(range).unwrap_or_default();
        all.iter().filter_map(|at| self.texts.get(*at as usize))
    }

    /// The names in which each word is found. Those that have not all the words are ruled out by
    /// their numbers, before any letter is compared.
    fn containing(&self, words: &Words, fit: Fit) -> Vec<Found<'_>> {
        let mut common: Option<Set> = None;
        for word in words.iter().take(MOST) {
            let mut having = Set::of(self.texts.len());
            for known in self.vocabulary.matching(word, fit) {
                having.extend(self.vocabulary.texts(known));
            }
            common = Some(match common {
                Some(before) => before.both(having),
                None => having,
            });
        }
        let numbers = common.iter().flat_map(Set::iter);
        numbers.filter_map(|at| self.judge(at, words, fit)).collect()
    }

    fn judge(&self, at: u32, words: &Words, fit: Fit) -> Option<Found<'_>> {
        let text = self.texts.get(at as usize)?;
        let (name, whole) = (self.arena.get(text.words), self.arena.get(text.squeezed));
        let mut lack = 0;
        let mut length = 0;
        for word in words.iter().take(MOST) {
            // Over bytes: for words this short, looking for the next character costs more.
            let parts = name.as_bytes().split(|byte| *byte == b' ').chain([whole.as_bytes()]);
            let lacks = parts.filter_map(|it| lacking(word.as_bytes(), it, fit));
            lack += lacks.min()?;
            length += word.len();
        }
        let rest = u16::try_from(whole.len().abs_diff(length)).unwrap_or(u16::MAX);
        Some(Found { text, fit, lack, rest })
    }
}

/// What a word lacks to be this word of a name; nothing if it does not fit at all.
fn lacking(word: &[u8], it: &[u8], fit: Fit) -> Option<u16> {
    match fit {
        Fit::Contains => memmem::find(it, word).map(|_| 0),
        Fit::Fuzzy => fuzziness(word, it).map(u16::from),
        _ => it.starts_with(word).then(|| u16::from(it.len() != word.len())),
    }
}
