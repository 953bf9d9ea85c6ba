//! [`pieces`]: a text, cut where no token goes across.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// What a character is, as far as cutting goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Letter,
    Digit,
    Space,
    Other,
}

fn sort(letter: char) -> Sort {
    match letter {
        'a'..='z' | 'A'..='Z' => Sort::Letter,
        '0'..='9' => Sort::Digit,
        _ if letter.is_whitespace() => Sort::Space,
        _ if letter.is_ascii() => Sort::Other,
        _ => match letter.general_category_group() {
            GeneralCategoryGroup::Letter => Sort::Letter,
            GeneralCategoryGroup::Number => Sort::Digit,
            _ => Sort::Other,
        },
    }
}

/// Cuts a text into its pieces: each digit for itself; words, and runs of other signs, each with the
/// space before it; endings like `'s`; and what is left of space.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) =
            rest.split_at_checked(length(rest)).filter(|(it, _)| !it.is_empty())?;
        rest = after;
        Some(piece)
    })
}

/// How many bytes the first piece has.
fn length(text: &str) -> usize {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return 0 };
    if let Some(ending) = ending(text) {
        return ending;
    }
    match (sort(first), letters.next().map(sort)) {
        (Sort::Digit, _) => first.len_utf8(),
        (Sort::Space, next) => match next {
            Some(next @ (Sort::Letter | Sort::Other)) if first == ' ' => {
                1 + run(letters_after(text), next)
            }
            _ => space(text),
        },
        (sort, _) => run(text, sort),
    }
}

fn letters_after(text: &str) -> &str {
    text.get(1..).unwrap_or_default()
}

/// How many bytes of one sort a text begins with.
fn run(text: &str, of: Sort) -> usize {
    text.find(|it| sort(it) != of).unwrap_or(text.len())
}

/// How many bytes of space are one piece: all of it, but for the last character where something
/// follows that takes it along. A digit takes none along, and so leaves none behind either.
fn space(text: &str) -> usize {
    let all = run(text, Sort::Space);
    let after = text.get(all..).and_then(|it| it.chars().next());
    let last = text.get(..all).and_then(|it| it.chars().next_back()).map_or(0, char::len_utf8);
    match after.map(sort) {
        None | Some(Sort::Digit) => all,
        Some(_) if all == last => all,
        Some(_) => all - last,
    }
}

/// The length of an ending that is a piece of its own.
fn ending(text: &str) -> Option<usize> {
    let endings = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"];
    endings.into_iter().find(|it| text.starts_with(it)).map(str::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).collect()
    }

    #[test]
    fn words_take_the_space_before_them() {
        assert_eq!(
            cut("It's  a tip,  ok?\n"),
            ["It", "'s", " ", " a", " tip", ",", " ", " ok", "?", "\n"]
        );
        assert_eq!(cut("a\n\n b"), ["a", "\n\n", " b"]);
        assert_eq!(cut("a\tb"), ["a", "\t", "b"]);
    }

    #[test]
    fn each_digit_stands_alone() {
        assert_eq!(
            cut("pay $45.60  20%"),
            ["pay", " $", "4", "5", ".", "6", "0", "  ", "2", "0", "%"]
        );
    }
}
