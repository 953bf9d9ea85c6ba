//! [`Arena`]: many short texts in one allocation.

use std::collections::HashMap;

/// Many short texts in one allocation: a text of its own would cost more than what it says.
#[derive(Debug, Default)]
pub(super) struct Arena(String);

/// Where a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    start: u32,
    len: u16,
}

impl Arena {
    /// Keeps a text. One that finds no room (after 4 GiB, or longer than 64 KiB) is kept as empty.
    pub(super) fn add(&mut self, text: &str) -> Span {
        let (Ok(start), Ok(len)) = (u32::try_from(self.0.len()), u16::try_from(text.len())) else {
            return Span::default();
        };
        self.0.push_str(text);
        Span { start, len }
    }

    /// A kept text.
    pub(super) fn get(&self, span: Span) -> &str {
        let start = span.start as usize;
        self.0.get(start..start + usize::from(span.len)).unwrap_or_default()
    }

    /// Gives back what was reserved and not used.
    pub(super) fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

/// Texts that come again and again, each kept once and known by a number.
#[derive(Debug, Default)]
pub(super) struct Interned {
    numbers: HashMap<Box<str>, u32>,
}

impl Interned {
    /// The number of a text.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(text.into(), number);
        number
    }

    /// The texts, by number.
    pub(super) fn texts(self) -> Vec<Box<str>> {
        let mut all: Vec<_> = self.numbers.into_iter().collect();
        all.sort_unstable_by_key(|(_, number)| *number);
        all.into_iter().map(|(text, _)| text).collect()
    }
}
