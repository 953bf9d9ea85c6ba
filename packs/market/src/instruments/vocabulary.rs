//! [`Vocabulary`]: the words of all names, and those that a word is nearly.

use std::{collections::HashMap, ops::Range};

use memchr::memmem;

use super::lexicon::Fit;

/// The words of all names, in order, each with the texts it is in.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Each word and a line end: one text, so that it can be searched through at once.
    blob: String,
    starts: Vec<u32>,
    /// Which letters each word has, a bit each.
    masks: Vec<u64>,
    /// Where the texts of each word begin in `texts`.
    ranges: Vec<u32>,
    texts: Vec<u32>,
}

impl Vocabulary {
    /// The words of these texts.
    pub(super) fn of<'t>(all: impl Iterator<Item = (&'t str, u32)>) -> Self {
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (word, text) in all {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            pairs.push((*numbers.entry(word).or_insert(next), text));
        }
        let mut words: Vec<(&str, u32)> = numbers.into_iter().collect();
        words.sort_unstable();

        let mut places = vec![0; words.len()];
        let mut vocabulary = Self::default();
        for ((word, number), place) in words.iter().zip(0_u32..) {
            vocabulary.starts.push(u32::try_from(vocabulary.blob.len()).unwrap_or(u32::MAX));
            vocabulary.masks.push(mask(word));
            vocabulary.blob.push_str(word);
            vocabulary.blob.push('\n');
            if let Some(slot) = places.get_mut(*number as usize) {
                *slot = place;
            }
        }
        for (word, _) in &mut pairs {
            *word = places.get(*word as usize).copied().unwrap_or_default();
        }
        pairs.sort_unstable();
        pairs.dedup();
        for place in 0..=u32::try_from(words.len()).unwrap_or(u32::MAX) {
            let start = pairs.partition_point(|(word, _)| *word < place);
            vocabulary.ranges.push(u32::try_from(start).unwrap_or(u32::MAX));
        }
        vocabulary.texts = pairs.into_iter().map(|(_, text)| text).collect();
        vocabulary
    }

    /// The words that this one fits in this way.
    pub(super) fn matching(&self, word: &str, fit: Fit) -> Vec<u32> {
        match fit {
            Fit::Contains => self.containing(word),
            Fit::Fuzzy => self.alike(word),
            _ => numbers(self.beginning(word)),
        }
    }

    /// The texts a word is in.
    pub(super) fn texts(&self, word: u32) -> &[u32] {
        let word = word as usize;
        let (Some(start), Some(end)) = (self.ranges.get(word), self.ranges.get(word + 1)) else {
            return &[];
        };
        self.texts.get(*start as usize..*end as usize).unwrap_or_default()
    }

    fn word(&self, start: u32) -> &str {
        let rest = self.blob.get(start as usize..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    fn letters(&self, start: u32, length: usize) -> &[u8] {
        let start = start as usize;
        self.blob.as_bytes().get(start..start + length).unwrap_or_default()
    }

    fn beginning(&self, part: &str) -> Range<usize> {
        let start = self.starts.partition_point(|at| self.word(*at) < part);
        let end = self.starts.partition_point(|at| {
            let word = self.word(*at);
            word < part || word.starts_with(part)
        });
        start..end.max(start)
    }

    fn containing(&self, part: &str) -> Vec<u32> {
        // One letter is in everything.
        if part.len() < 2 {
            return numbers(self.beginning(part));
        }
        let mut found = Vec::new();
        for at in memmem::find_iter(self.blob.as_bytes(), part.as_bytes()) {
            let word = self.starts.partition_point(|start| *start as usize <= at);
            found.extend(u32::try_from(word.saturating_sub(1)).ok());
        }
        found.dedup();
        found
    }

    fn alike(&self, word: &str) -> Vec<u32> {
        let mut found = numbers(self.beginning(word));
        let wanted = mask(word);
        let typed = word.as_bytes();
        let most = tolerance(typed);
        if most == 0 {
            return found;
        }
        let lengths = word.len().saturating_sub(most.into())..=word.len() + usize::from(most);
        let ends = self.starts.iter().skip(1).copied();
        let last = u32::try_from(self.blob.len()).unwrap_or(u32::MAX);
        let all = self.starts.iter().zip(ends.chain([last])).zip(&self.masks).zip(0_u32..);
        for (((start, end), mask), number) in all {
            let length = (end - start) as usize - 1;
            // A letter that differs changes two bits at most.
            let near = (mask ^ wanted).count_ones() <= 2 * u32::from(most);
            if near
                && lengths.contains(&length)
                && fuzziness(typed, self.letters(*start, length)).is_some()
            {
                found.push(number);
            }
        }
        found
    }
}

fn numbers(range: Range<usize>) -> Vec<u32> {
    range.filter_map(|it| u32::try_from(it).ok()).collect()
}

/// Which letters and digits a word has.
fn mask(word: &str) -> u64 {
    word.bytes().fold(0, |all, byte| all | 1 << (byte & 63))
}

/// How many letters may differ. Numbers are meant as they are written.
fn tolerance(word: &[u8]) -> u8 {
    match word.len() {
        _ if word.iter().all(u8::is_ascii_digit) => 0,
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// How many letters differ between a word as it was typed and a word of a name; nothing if it is
/// too many. What only begins the name's word differs by none, but is not as good as the word.
pub(super) fn fuzziness(typed: &[u8], word: &[u8]) -> Option<u8> {
    if word.starts_with(typed) {
        return Some(u8::from(word.len() != typed.len()));
    }
    let most = tolerance(typed);
    if most == 0 || word.len().abs_diff(typed.len()) > usize::from(most) {
        return None;
    }
    let same_start = typed.first() == word.first();
    // The first letter is rarely wrong, and short words are alike by chance.
    let most = if same_start { most } else { u8::from(typed.len() > 4) };
    distance(typed, word, most)
}

/// The longest word that is compared letter by letter.
const LONGEST: usize = 32;

/// Letters to change, to add, to leave out or to swap with the next, if `most` are enough.
fn distance(a: &[u8], b: &[u8], most: u8) -> Option<u8> {
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    let mut above = [0_u8; LONGEST + 1];
    let mut row = [0_u8; LONGEST + 1];
    for (cell, at) in row.iter_mut().zip(0..) {
        *cell = at;
    }
    let mut before: Option<u8> = None;
    for (&x, line) in a.iter().zip(1_u8..) {
        let two_above = above;
        above = row;
        let mut left = line;
        let mut least = line;
        let mut last: Option<u8> = None;
        if let Some(first) = row.first_mut() {
            *first = line;
        }
        let corners = above.iter().zip(above.iter().skip(1));
        let swaps = [0].iter().chain(two_above.iter());
        let cells = b.iter().zip(corners).zip(swaps).zip(row.iter_mut().skip(1));
        for (((&y, (&corner, &up)), &swap), cell) in cells {
            let mut best = (corner + u8::from(x != y)).min(up + 1).min(left + 1);
            if last == Some(x) && before == Some(y) {
                best = best.min(swap + 1);
            }
            *cell = best;
            left = best;
            least = least.min(best);
            last = Some(y);
        }
        if least > most {
            return None;
        }
        before = Some(x);
    }
    row.get(b.len()).copied().filter(|it| *it <= most)
}
