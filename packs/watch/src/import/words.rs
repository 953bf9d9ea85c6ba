//! [`Words`]: what words in dates mean, in every language YouTube has.
//!
//! They come from Unicode's locale data: `cldr/make.py` writes the table.

use std::{collections::HashMap, sync::LazyLock};

const TABLE: &str = include_str!("../../cldr/words.tsv");

/// A set of locales, a bit for each.
pub(super) type Locales = u128;

/// What a word means in a date.
#[derive(Clone, Debug, Default)]
pub(super) struct Meanings {
    /// The month it names as it stands in a date, and where.
    pub(super) months: Vec<(u32, Locales)>,
    /// The month it names by itself, and where.
    pub(super) names: Vec<(u32, Locales)>,
    pub(super) half: Option<Half>,
    pub(super) is_filling: bool,
    /// Whether it stands for Greenwich.
    pub(super) is_zone: bool,
    /// Where it is half of the day, or fills.
    locales: Locales,
}

/// Which half of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Morning,
    Afternoon,
}

/// What words in dates mean.
pub(super) struct Words {
    meanings: HashMap<&'static str, Meanings>,
    locales: Vec<&'static str>,
    /// Where a day is written with a dot.
    pub(super) ordinal: Locales,
}

/// Seen in exports, and in no date of the locale data's: other versions of it, and words between a date
/// and a time.
const FILLINGS: [&str; 14] =
    ["a", "alle", "as", "at", "g", "kl", "klo", "las", "le", "om", "ore", "r", "um", "ч"];
const HALVES: [(&str, Half); 2] = [("午前", Half::Morning), ("午後", Half::Afternoon)];
/// A shorter piece of a word may be of any.
const SHORTEST: usize = 3;

impl Words {
    /// The table, read when first needed.
    pub(super) fn get() -> &'static Self {
        static WORDS: LazyLock<Words> = LazyLock::new(Words::read);
        &WORDS
    }

    fn read() -> Self {
        let mut words = Self { meanings: HashMap::new(), locales: Vec::new(), ordinal: 0 };
        for line in TABLE.lines().filter(|it| !it.starts_with('#')) {
            let mut columns = line.split('\t');
            let (Some(kind), Some(locale)) = (columns.next(), columns.next()) else { continue };
            let bit = words.bit(locale);
            if kind == "ordinal" {
                words.ordinal |= bit;
            }
            for (word, month) in columns.zip(1..) {
                words.add(kind, word, month, bit);
            }
        }
        for word in FILLINGS {
            words.meanings.entry(word).or_default().is_filling = true;
        }
        for (word, half) in HALVES {
            words.meanings.entry(word).or_default().half = Some(half);
        }
        words
    }

    fn add(&mut self, kind: &str, word: &'static str, month: u32, bit: Locales) {
        let meanings = self.meanings.entry(word).or_default();
        if matches!(kind, "am" | "pm" | "filling") {
            meanings.locales |= bit;
        }
        match kind {
            "months" => note(&mut meanings.months, month, bit),
            "names" => note(&mut meanings.names, month, bit),
            "am" => meanings.half = Some(Half::Morning),
            "pm" => meanings.half = Some(Half::Afternoon),
            "filling" => meanings.is_filling = true,
            "zone" => meanings.is_zone = true,
            _ => {}
        }
    }

    fn bit(&mut self, locale: &'static str) -> Locales {
        let at = self.locales.iter().position(|it| *it == locale).unwrap_or_else(|| {
            self.locales.push(locale);
            self.locales.len() - 1
        });
        // A test holds their number against the bits there are.
        1_u128.checked_shl(u32::try_from(at).unwrap_or(u32::MAX)).unwrap_or(0)
    }

    /// What a word means, or several with a blank between them, folded.
    pub(super) fn meanings(&self, words: &str) -> Option<&Meanings> {
        self.meanings.get(words)
    }

    /// The locales of a language.
    pub(super) fn of_language(&self, language: &str) -> Locales {
        let is_of = |it: &str| it == language || it.split('_').next() == Some(language);
        let bits = (0..).zip(&self.locales).filter(|(_, it)| is_of(it)).map(|(at, _)| 1_u128 << at);
        bits.fold(0, |all, bit| all | bit)
    }

    /// The months that a piece of a word may mean, or a longer form of one: versions of the locale data differ
    /// in how they shorten.
    pub(super) fn like(&self, word: &str) -> Vec<(u32, Locales)> {
        let mut found = Vec::new();
        let is_long = |it: &str| it.chars().nth(SHORTEST - 1).is_some();
        for (known, meanings) in &self.meanings {
            let is_piece = is_long(word) && known.starts_with(word);
            if is_piece || (is_long(known) && word.starts_with(known)) {
                for (month, locales) in meanings.months.iter().chain(&meanings.names) {
                    note(&mut found, *month, *locales);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

fn note(months: &mut Vec<(u32, Locales)>, month: u32, bit: Locales) {
    match months.iter_mut().find(|(it, _)| *it == month) {
        Some((_, locales)) => *locales |= bit,
        None => months.push((month, bit)),
    }
}

/// Which languages a file may be in, by what was read of it so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Languages {
    seen: HashMap<u32, u32>,
    /// By words that name no month. They say little of which month another word names, but much of the language.
    filled: HashMap<u32, u32>,
}

/// What a verb says of the language, in dates.
const OF_VERB: u32 = 3;

impl Languages {
    /// Something that only these locales would write.
    pub(super) fn note(&mut self, locales: Locales) {
        add(&mut self.seen, locales, 1);
    }

    /// A word of a date, which may be half of the day or fill.
    pub(super) fn note_word(&mut self, word: &str) {
        let meanings = Words::get().meanings(word);
        add(&mut self.filled, meanings.map_or(0, |it| it.locales), 1);
    }

    /// The languages it is likely to be in: several, where nothing sets them apart.
    pub(super) fn likeliest(&self) -> Vec<&'static str> {
        let mut all = self.seen.clone();
        for (at, seen) in &self.filled {
            *all.entry(*at).or_default() += seen;
        }
        let best = all.values().copied().max().unwrap_or_default();
        let locale = |at: u32| Words::get().locales.get(at as usize);
        let best = all.into_iter().filter(|it| it.1 == best).filter_map(|it| locale(it.0));
        let mut languages: Vec<_> = best.filter_map(|it| it.split('_').next()).collect();
        languages.sort_unstable();
        languages.dedup();
        languages
    }

    /// What was done, in words: its verb may be known.
    pub(super) fn hear(&mut self, said: &str) {
        for language in super::verbs::languages(said) {
            add(&mut self.seen, Words::get().of_language(language), OF_VERB);
        }
    }

    /// How much speaks for the likeliest of these.
    pub(super) fn likelihood(&self, locales: Locales) -> u32 {
        let seen = self.seen.iter().filter(|(at, _)| locales >> **at & 1 == 1);
        seen.map(|(_, seen)| *seen).max().unwrap_or(0)
    }
}

fn add(seen: &mut HashMap<u32, u32>, mut locales: Locales, weight: u32) {
    while locales != 0 {
        let seen = seen.entry(locales.trailing_zeros()).or_default();
        *seen = seen.saturating_add(weight);
        locales &= locales - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_locale_and_each_has_twelve_months() {
        let words = Words::get();
        assert_eq!(words.locales.len(), 83);
        assert!(words.locales.len() <= Locales::BITS as usize);
        for (at, locale) in (0..).zip(&words.locales) {
            let mut months: Vec<u32> = words
                .meanings
                .values()
                .flat_map(|it| it.months.iter().chain(&it.names))
                .filter(|(_, locales)| locales >> at & 1 == 1)
                .map(|(month, _)| *month)
                .collect();
            months.sort_unstable();
            months.dedup();
            // Those that write months as numbers alone have none.
            assert!(matches!(months.len(), 0 | 12), "{locale}: {months:?}");
        }
        assert_eq!(words.of_language("es").count_ones(), 3);
    }
}
