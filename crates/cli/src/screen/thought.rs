//! [`Thought`]: what a model thinks before it says something: counted, or shown as it comes.

use std::time::Duration;

use toolwright_core::{Timestamp, plural};

/// How much of what was thought is kept to be shown, in bytes.
const KEPT: usize = 200_000;

/// How what a model thinks is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Thinking {
    /// One line says how long it thought, and how much.
    #[default]
    Counted,
    /// One line says that, and how the rest is shown.
    CountedWithHint,
    /// Line by line, as it comes.
    Shown,
}

/// What a model thinks before it says something.
#[derive(Default)]
pub(super) struct Thought {
    pub(super) how: Thinking,
    /// All of the run.
    all: String,
    /// Since when, and how many words, since it last said something.
    open: Option<(Timestamp, usize)>,
    /// What is no whole line yet.
    rest: String,
    /// Whether the last letter belonged to a word.
    is_in_word: bool,
}

impl Thought {
    /// Takes a piece up: the lines that it completes, where those are shown.
    pub(super) fn add(&mut self, piece: &str, at: Timestamp) -> Vec<String> {
        let (_, words) = self.open.get_or_insert((at, 0));
        for letter in piece.chars() {
            let is_in_word = !letter.is_whitespace();
            *words += usize::from(is_in_word && !self.is_in_word);
            self.is_in_word = is_in_word;
        }
        let room = KEPT.saturating_sub(self.all.len());
        self.all.push_str(piece.get(..piece.floor_char_boundary(room)).unwrap_or_default());
        self.rest.push_str(piece);
        if self.how != Thinking::Shown {
            // Its end is what is shown while it goes on.
            let from = self.rest.floor_char_boundary(self.rest.len().saturating_sub(400));
            self.rest.drain(..from);
            return Vec::new();
        }
        let Some(end) = self.rest.rfind('\n') else { return Vec::new() };
        let whole: String = self.rest.drain(..=end).collect();
        whole.lines().map(str::to_owned).collect()
    }

    /// The end of what is thought, for the line at the bottom.
    pub(super) fn growing(&self) -> &str {
        &self.rest
    }

    /// The model says something else now: what is to be shown of what it thought.
    pub(super) fn close(&mut self, at: Timestamp) -> Vec<String> {
        let Some((since, words)) = self.open.take() else { return Vec::new() };
        let rest = std::mem::take(&mut self.rest);
        self.is_in_word = false;
        if !self.all.ends_with('\n') {
            self.all.push('\n');
        }
        let time = Duration::from_millis(at.0.saturating_sub(since.0));
        let time = format!("{} s", time.as_secs().max(1));
        let counted = plural(words as u64, "word", "words");
        match self.how {
            Thinking::Shown => rest.lines().map(str::to_owned).collect(),
            Thinking::Counted => vec![format!("thought for {time}, {words} {counted}")],
            Thinking::CountedWithHint => {
                vec![format!("thought for {time}, {words} {counted} · /thinking shows it")]
            }
        }
    }

    /// All that was thought in the run.
    pub(super) fn into_text(self) -> String {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use toolwright_core::Timestamp;

    use super::{KEPT, Thinking, Thought};

    #[test]
    fn words_are_counted_however_they_are_cut() {
        let mut thought = Thought::default();
        for piece in ["The us", "er asks", " about\n", "\nRome", "."] {
            assert!(thought.add(piece, Timestamp(1_000)).is_empty());
        }
        assert_eq!(thought.close(Timestamp(4_200)), ["thought for 3 s, 5 words"]);
        assert!(thought.close(Timestamp(9_000)).is_empty(), "it is told once");
        assert_eq!(thought.into_text(), "The user asks about\n\nRome.\n");
    }

    #[test]
    fn lines_are_shown_as_they_come() {
        let mut thought = Thought { how: Thinking::Shown, ..Thought::default() };
        assert!(thought.add("One", Timestamp(0)).is_empty());
        assert_eq!(thought.add(" line.\nAnd", Timestamp(0)), ["One line."]);
        assert_eq!(thought.close(Timestamp(0)), ["And"]);
    }

    #[test]
    fn an_endless_thought_is_not_kept_whole() {
        let mut thought = Thought::default();
        for _ in 0..50 {
            thought.add(&"ä".repeat(5_000), Timestamp(0));
        }
        assert!(thought.into_text().len() <= KEPT + 1);
    }
}
