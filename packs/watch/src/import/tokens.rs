//! [`Token`]s: numbers, words and signs of a date, whatever the script.

use unicode_normalization::char::is_combining_mark;

use crate::library::fold;

/// The first of ten digits, in the scripts that dates are written in.
const ZEROS: [u32; 6] = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0x1040];

/// A piece of a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Where it begins.
    pub(super) start: usize,
    /// Whether it follows the one before it without a blank.
    pub(super) is_glued: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number, and how many figures it has.
    Number(u32, usize),
    /// A word, folded.
    Word(String),
    Sign(char),
}

/// A text with usual digits and blanks, without what is not seen.
pub(super) fn clean(text: &str) -> String {
    let usual = |letter: char| -> Option<char> {
        if letter.is_whitespace() {
            return Some(' ');
        }
        let is_unseen = matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(letter, '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{61c}');
        (!is_unseen).then(|| figure(letter).unwrap_or(letter))
    };
    text.chars().filter_map(usual).collect()
}

/// The usual figure for one of another script.
fn figure(letter: char) -> Option<char> {
    let zero = ZEROS.iter().find(|it| (**it..**it + 10).contains(&u32::from(letter)))?;
    char::from_digit(u32::from(letter) - zero, 10)
}

/// The tokens of a clean text. Numbers of more figures than any date has are none.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut is_glued = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = |of: fn(char) -> bool| rest.find(|it| !of(it)).unwrap_or(rest.len());
        let end = if first.is_ascii_digit() {
            length(|it| it.is_ascii_digit())
        } else if is_letter(first) {
            length(is_letter)
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at_checked(end)?;
        rest = after;
        let kind = if first.is_ascii_digit() {
            if piece.len() > 4 {
                return None;
            }
            Kind::Number(piece.parse().ok()?, piece.len())
        } else if is_letter(first) {
            Kind::Word(fold(piece))
        } else if first == ' ' {
            is_glued = false;
            continue;
        } else {
            Kind::Sign(first)
        };
        tokens.push(Token { kind, start, is_glued });
        is_glued = true;
    }
    Some(tokens)
}

/// Marks belong to their letter: without them, words of Hindi fall to pieces.
fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || is_combining_mark(letter)
}
