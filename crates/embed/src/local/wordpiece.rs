//! [`WordPiece`]: text as the numbers a BERT model reads.
//!
//! Written here as it is little, and as it reads no further than what the model can take: a text
//! of any length costs the same.

use std::{collections::HashMap, path::Path};

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Words longer than this are unknown ones.
const LONGEST_WORD: usize = 100;

/// Text as the numbers a BERT model reads.
#[derive(Debug)]
pub(super) struct WordPiece {
    /// Pieces that begin a word.
    first: HashMap<Box<str>, i32>,
    /// Pieces that go on with one.
    further: HashMap<Box<str>, i32>,
    /// In characters.
    longest_piece: usize,
    unknown: i32,
    begin: i32,
    end: i32,
    most: usize,
}

/// Vocabularies are a few hundred kilobytes.
const MOST_BYTES: u64 = 64 << 20;

#[derive(Deserialize)]
struct File {
    model: Vocabulary,
}

#[derive(Deserialize)]
struct Vocabulary {
    vocab: HashMap<Box<str>, i32>,
}

impl WordPiece {
    /// Reads a `tokenizer.json`. Texts will be cut at this many numbers.
    pub(super) fn open(path: &Path, most: usize) -> Result<Self, String> {
        let text =
            toolwright_files::read_bounded(path, MOST_BYTES).map_err(|error| error.to_string())?;
        let file: File = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        Self::new(file.model.vocab, most)
    }

    fn new(vocabulary: HashMap<Box<str>, i32>, most: usize) -> Result<Self, String> {
        let special =
            |name: &str| vocabulary.get(name).copied().ok_or_else(|| format!("it has no {name}"));
        let (unknown, begin, end) = (special("[UNK]")?, special("[CLS]")?, special("[SEP]")?);
        let (mut first, mut further, mut longest_piece) = (HashMap::new(), HashMap::new(), 1);
        for (piece, id) in vocabulary {
            longest_piece = longest_piece.max(piece.chars().count());
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => further.insert(rest.into(), id),
                _ => first.insert(piece, id),
            };
        }
        Ok(Self { first, further, longest_piece, unknown, begin, end, most })
    }

    /// The numbers of a text, of which there are two at least.
    pub(super) fn encode(&self, text: &str) -> Vec<i32> {
        let room = self.most.saturating_sub(1);
        let mut ids = vec![self.begin];
        let mut word = Vec::new();
        for letter in plain(text) {
            if ids.len() >= room {
                break;
            }
            if letter.is_whitespace() {
                self.close(&mut word, &mut ids);
            } else if is_punctuation(letter) {
                self.close(&mut word, &mut ids);
                self.close(&mut vec![letter], &mut ids);
            } else if word.len() <= LONGEST_WORD {
                word.push(letter);
            }
        }
        self.close(&mut word, &mut ids);
        ids.truncate(room);
        ids.push(self.end);
        ids
    }

    /// Adds the pieces of a word, and empties it.
    fn close(&self, word: &mut Vec<char>, ids: &mut Vec<i32>) {
        if word.is_empty() {
            return;
        }
        let before = ids.len();
        let mut rest = word.as_slice();
        if word.len() > LONGEST_WORD {
            rest = &[];
            ids.push(self.unknown);
        }
        while !rest.is_empty() {
            let pieces = if ids.len() == before { &self.first } else { &self.further };
            let Some((id, taken)) = longest(pieces, rest, self.longest_piece) else {
                // A word that is not known in part is not known at all.
                ids.truncate(before);
                ids.push(self.unknown);
                break;
            };
            ids.push(id);
            rest = rest.get(taken..).unwrap_or_default();
        }
        word.clear();
    }
}

/// The longest piece that the letters begin with, and how many of them it takes.
fn longest(pieces: &HashMap<Box<str>, i32>, letters: &[char], most: usize) -> Option<(i32, usize)> {
    let mut text: String = letters.iter().take(most).collect();
    let mut taken = letters.len().min(most);
    while taken > 0 {
        if let Some(id) = pieces.get(text.as_str()) {
            return Some((*id, taken));
        }
        text.pop();
        taken -= 1;
    }
    None
}

/// A text as the model was taught: without control characters and accents, in lower case, with
/// space around each ideograph.
fn plain(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|it| !is_control(*it))
        .flat_map(|it| {
            let space = is_ideograph(it).then_some(' ');
            let it = if it.is_whitespace() { ' ' } else { it };
            space.into_iter().chain([it]).chain(space)
        })
        .nfd()
        .filter(|it| it.general_category() != GeneralCategory::NonspacingMark)
        .flat_map(char::to_lowercase)
}

fn is_control(letter: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse};
    match letter {
        '\t' | '\n' | '\r' => false,
        '\u{fffd}' => true,
        ' '..='~' => false,
        _ => matches!(letter.general_category(), Control | Format | PrivateUse),
    }
}

fn is_punctuation(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || !letter.is_ascii()
            && letter.general_category_group() == GeneralCategoryGroup::Punctuation
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ceaf}' | '\u{2f800}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> WordPiece {
        let pieces = ["[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", "cafe", "!", "日", "本"];
        let ids = pieces.iter().zip(0..).map(|(piece, id)| (Box::from(*piece), id));
        WordPiece::new(ids.collect(), 8).unwrap()
    }

    #[test]
    fn a_word_is_taken_apart_or_unknown() {
        assert_eq!(words().encode("unaffable"), [1, 3, 4, 5, 2]);
        assert_eq!(words().encode("unaffected un"), [1, 0, 3, 2]);
        assert_eq!(words().encode(&"un".repeat(51)), [1, 0, 2]);
    }

    #[test]
    fn case_accents_and_invisible_characters_do_not_matter() {
        for text in
            ["cafe!", "CAFÉ!", "cafe\u{301} !", "\u{feff}ca\u{200d}fe\n!\0", "caf\u{fffd}e!"]
        {
            assert_eq!(words().encode(text), [1, 6, 7, 2], "{text:?}");
        }
    }

    #[test]
    fn ideographs_are_words_without_space() {
        assert_eq!(words().encode("日本un日"), [1, 8, 9, 3, 8, 2]);
    }

    #[test]
    fn long_texts_are_cut_and_empty_ones_are_not() {
        assert_eq!(words().encode(""), [1, 2]);
        assert_eq!(words().encode(" \t\u{3000}"), [1, 2]);
        assert_eq!(words().encode("!!!!!!"), [1, 7, 7, 7, 7, 7, 7, 2]);
        assert_eq!(words().encode("!!!!!!!"), [1, 7, 7, 7, 7, 7, 7, 2]);
        assert_eq!(words().encode("! ! ! ! unaffable"), [1, 7, 7, 7, 7, 3, 4, 2]);
    }
}
