//! [`Fence`]: the lines that code stands between.

/// The line that code begins with, at the top: it says which ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    letter: char,
    length: usize,
}

impl Fence {
    /// The fence that a line is, and the language it names.
    pub(super) fn begun_by(line: &str) -> Option<(Self, &str)> {
        let (fence, rest) = Self::read(line)?;
        // With this it would be code within a line.
        let is_inline = fence.letter == '`' && rest.contains('`');
        let language = rest.split_whitespace().next().unwrap_or_default();
        (!is_inline).then_some((fence, language))
    }

    /// Whether the code ends with this line.
    pub(super) fn is_ended_by(&self, line: &str) -> bool {
        Self::read(line).is_some_and(|(it, rest)| {
            it.letter == self.letter && it.length >= self.length && rest.trim().is_empty()
        })
    }

    fn read(line: &str) -> Option<(Self, &str)> {
        let inner = line.trim_start_matches(' ');
        let letter = inner.chars().next().filter(|it| matches!(it, '`' | '~'))?;
        let rest = inner.trim_start_matches(letter);
        let length = inner.len() - rest.len();
        (line.len() - inner.len() < 4 && length >= 3).then_some((Self { letter, length }, rest))
    }
}
