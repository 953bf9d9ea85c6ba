//! [`Spinner`]: the line at the bottom: what is awaited, or what is being typed meanwhile.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};
use unicode_width::UnicodeWidthChar;

use crate::{reading::Dialogue, style::tame};

/// What is awaited, or what is being typed meanwhile, on one line at the bottom; only on a terminal.
pub(super) struct Spinner {
    bar: Option<ProgressBar>,
    /// What is awaited.
    what: String,
    /// What is being typed: it stands in the place of what is awaited.
    draft: String,
    is_shown: bool,
    /// A person is about to be asked: the line is theirs.
    is_paused: bool,
}

impl Spinner {
    pub(super) fn new() -> Self {
        if !io::stderr().is_terminal() {
            return Self::none();
        }
        let bar = ProgressBar::new_spinner();
        // It fits the line: what fills it up counts letters, of which some take two columns.
        let style = ProgressStyle::with_template("{spinner} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        bar.set_style(style.tick_chars("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ "));
        Self { bar: Some(bar), ..Self::none() }
    }

    /// Nothing is awaited.
    pub(super) fn none() -> Self {
        Self {
            bar: None,
            what: String::new(),
            draft: String::new(),
            is_shown: false,
            is_paused: false,
        }
    }

    /// Whether somebody waits at a terminal.
    pub(super) fn is_there(&self) -> bool {
        self.bar.is_some()
    }

    pub(super) fn say(&mut self, what: &str) {
        what.clone_into(&mut self.what);
        self.draw();
    }

    /// Leaves the line to a person who is about to be asked, or takes it again.
    pub(super) fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// Shows what is being typed; nothing typed is nothing to show.
    pub(super) fn draft(&mut self, draft: &str) {
        draft.clone_into(&mut self.draft);
        self.draw();
    }

    /// Shows again what is being typed, where something else took its place.
    pub(super) fn restore(&mut self) {
        if !self.is_shown && !self.draft.is_empty() {
            self.draw();
        }
    }

    /// Shows again what was awaited.
    pub(super) fn redraw(&mut self) {
        if !self.what.is_empty() {
            self.draw();
        }
    }

    pub(super) fn hide(&mut self) {
        self.is_shown = false;
        if let Some(bar) = &self.bar {
            bar.disable_steady_tick();
            bar.finish_and_clear();
        }
    }

    fn draw(&mut self) {
        let Some(bar) = self.bar.as_ref().filter(|_| !self.is_paused && !Dialogue::is_open())
        else {
            return;
        };
        self.is_shown = true;
        bar.reset();
        // What is longer than the line is cut: a second one could not be taken back everywhere.
        let message = match self.draft.is_empty() {
            true => format!("{}…", tame(&self.what)),
            false => format!("› {}", tame(tail(&self.draft))),
        };
        bar.set_message(head_within(&message, width().saturating_sub(3)).to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
    }
}

/// How wide the terminal is.
pub(crate) fn width() -> usize {
    const USUAL: usize = 80;
    terminal_size::terminal_size().map_or(USUAL, |(width, _)| usize::from(width.0))
}

/// The end of a text that grows, as much as fits a line.
pub(super) fn tail(text: &str) -> &str {
    const MOST: usize = 60;
    tail_within(text, width().saturating_sub(12).clamp(1, MOST))
}

/// The beginning of a text that takes so many columns at most.
fn head_within(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let beyond = text.char_indices().find(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken > columns
    });
    text.get(..beyond.map_or(text.len(), |(at, _)| at)).unwrap_or_default()
}

/// The end of a text that takes so many columns at most.
fn tail_within(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let fits = text.char_indices().rev().take_while(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken <= columns
    });
    let from = fits.last().map_or(text.len(), |(at, _)| at);
    text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{head_within, tail_within};

    #[test]
    fn the_end_of_a_text_fits_by_columns_and_not_by_letters() {
        assert_eq!(tail_within("abcdef", 3), "def");
        assert_eq!(tail_within("ab", 3), "ab");
        // Each of these takes two columns.
        assert_eq!(tail_within("東京の天気", 5), "天気");
        assert_eq!(tail_within("", 5), "");
        assert_eq!(tail_within("気", 1), "");
        assert_eq!(head_within("東京の天気", 5), "東京");
        assert_eq!(head_within("abc", 3), "abc");
    }
}
