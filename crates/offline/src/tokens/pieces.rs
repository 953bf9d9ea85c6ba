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

/// Where a tokenizer cuts. A GGUF names it after the first model that did so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Words, numbers and runs of other signs, each with the space before it; endings like `'s`; and what is left of
    /// space.
    Gpt2,
    /// The same, but each digit stands for itself.
    SmolLm,
    /// Words with whatever sign stands before them, numbers of so many digits at most, and lines end with what
    /// ends them.
    Lines { digits: usize },
}

impl Cut {
    /// The one of this name in a GGUF.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "gpt-2" => Self::Gpt2,
            "smollm" => Self::SmolLm,
            "qwen2" | "deepseek-r1-qwen" => Self::Lines { digits: 1 },
            "llama3" | "llama-v3" | "llama-bpe" | "smaug-bpe" | "falcon3" | "lfm2" => {
                Self::Lines { digits: 3 }
            }
            _ => return None,
        })
    }
}

/// Cuts a text into its pieces.
pub(super) fn pieces(text: &str, cut: Cut) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = match cut {
            Cut::Gpt2 | Cut::SmolLm => length(rest, cut),
            Cut::Lines { digits } => line_length(rest, digits),
        };
        let (piece, after) = rest.split_at_checked(length).filter(|(it, _)| !it.is_empty())?;
        rest = after;
        Some(piece)
    })
}

/// How many bytes the first piece has.
fn length(text: &str, cut: Cut) -> usize {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return 0 };
    if let Some(ending) = ending(text) {
        return ending;
    }
    let takes_space = |it: Sort| match it {
        Sort::Letter | Sort::Other => true,
        Sort::Digit => cut == Cut::Gpt2,
        Sort::Space => false,
    };
    match (sort(first), letters.next().map(sort)) {
        (Sort::Digit, _) if cut == Cut::SmolLm => first.len_utf8(),
        (Sort::Space, Some(next)) if first == ' ' && takes_space(next) => {
            1 + run(after_first(text), next)
        }
        // A digit that takes no space along leaves none behind either.
        (Sort::Space, _) => space(text, |next| cut != Cut::SmolLm || next != Sort::Digit),
        (sort, _) => run(text, sort),
    }
}

/// How many bytes the first piece has where lines end with what ends them.
fn line_length(text: &str, digits: usize) -> usize {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return 0 };
    let lower: String = text.chars().take(3).map(|it| it.to_ascii_lowercase()).collect();
    if let Some(ending) = ending(&lower) {
        return ending;
    }
    let (after, next) = (after_first(text), letters.next().map(sort));
    match sort(first) {
        Sort::Letter => run(text, Sort::Letter),
        Sort::Digit => {
            let numbers = text.chars().take(digits).take_while(|it| sort(*it) == Sort::Digit);
            numbers.map(char::len_utf8).sum()
        }
        Sort::Other | Sort::Space
            if next == Some(Sort::Letter) && !matches!(first, '\r' | '\n') =>
        {
            first.len_utf8() + run(after, Sort::Letter)
        }
        Sort::Other => with_line_end(text, run(text, Sort::Other)),
        Sort::Space if first == ' ' && next == Some(Sort::Other) => {
            with_line_end(text, 1 + run(after, Sort::Other))
        }
        Sort::Space => {
            let all = text.get(..run(text, Sort::Space)).unwrap_or_default();
            all.rfind(['\r', '\n']).map_or_else(|| space(text, |_| true), |at| at + 1)
        }
    }
}

/// So many bytes, and what ends lines behind them.
fn with_line_end(text: &str, length: usize) -> usize {
    let rest = text.get(length..).unwrap_or_default();
    length + rest.find(|it| !matches!(it, '\r' | '\n')).unwrap_or(rest.len())
}

fn after_first(text: &str) -> &str {
    let mut letters = text.chars();
    letters.next();
    letters.as_str()
}

/// How many bytes of one sort a text begins with.
fn run(text: &str, of: Sort) -> usize {
    text.find(|it| sort(it) != of).unwrap_or(text.len())
}

/// How many bytes of space are one piece: all of it, but for the last character where something
/// follows that takes it along.
fn space(text: &str, is_taken_by: impl Fn(Sort) -> bool) -> usize {
    let all = run(text, Sort::Space);
    let after = text.get(all..).and_then(|it| it.chars().next());
    let last = text.get(..all).and_then(|it| it.chars().next_back()).map_or(0, char::len_utf8);
    match after.map(sort) {
        Some(next) if all > last && is_taken_by(next) => all - last,
        _ => all,
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
        pieces(text, Cut::SmolLm).collect()
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
