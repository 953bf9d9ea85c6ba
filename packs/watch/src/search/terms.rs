//! [`Terms`]: what a person typed, as words to look for.

use super::stop::is_stop_word;
use crate::library::fold;

/// More words than these say no more about what is meant.
const MOST: usize = 16;
/// A shorter word begins too many others: `car` is no `carbonara`.
const SHORTEST_BEGINNING: usize = 4;

/// The words to look for, each as an expression of FTS5. Nothing a person types is part of the
/// expression's syntax: words are letters and digits, in quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Terms {
    expressions: Vec<String>,
}

impl Terms {
    /// The words of a text, each once. The last may be the beginning of one, as it may be half typed.
    pub(super) fn of(text: &str) -> Self {
        let folded = fold(text);
        let words = || folded.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        let mut kept: Vec<&str> = words().filter(|it| !is_stop_word(it)).collect();
        if kept.is_empty() {
            kept = words().collect();
        }
        let last = kept.last().copied();
        let mut expressions = Vec::new();
        for word in kept {
            let is_beginning = Some(word) == last && word.chars().count() >= SHORTEST_BEGINNING;
            let expression = format!("\"{word}\"{}", if is_beginning { "*" } else { "" });
            if expressions.len() < MOST && !expressions.contains(&expression) {
                expressions.push(expression);
            }
        }
        Self { expressions }
    }

    /// One expression for each word.
    pub(super) fn each(&self) -> &[String] {
        &self.expressions
    }
}

#[cfg(test)]
#[path = "terms_test.rs"]
mod tests;
