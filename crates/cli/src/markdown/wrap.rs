//! [`Span`]: text in one style; and lines of them that are no wider than they may be.

use toolwright_core::printable;
use unicode_width::UnicodeWidthStr;

use crate::style::{END, Shown};

/// Text in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    text: String,
    style: Option<Shown>,
}

/// What stands on a line.
pub(super) type Line = Vec<Span>;

impl Span {
    /// Text as it is shown: what is measured is what will be there.
    pub(super) fn new(text: &str, style: Option<Shown>) -> Self {
        Self { text: printable(text).replace('\t', "    "), style }
    }

    pub(super) fn plain(text: &str) -> Self {
        Self::new(text, None)
    }

    /// The same in this style.
    pub(super) fn styled(self, style: Shown) -> Self {
        Self { style: Some(style), ..self }
    }

    pub(super) fn said(&self) -> &str {
        &self.text
    }

    fn width(&self) -> usize {
        self.text.width()
    }
}

/// How wide a line is.
pub(super) fn width(line: &[Span]) -> usize {
    line.iter().map(Span::width).sum()
}

/// A line as it is written.
pub(super) fn text(line: &[Span]) -> String {
    let written = line.iter().map(|Span { text, style }| match style {
        Some(style) => format!("{style}{text}{END}"),
        None => text.clone(),
    });
    written.collect()
}

/// Text in lines of at most this width.
pub(super) fn wrapped(spans: &[Span], width: usize) -> Vec<Line> {
    let mut lines = Lines { width: width.max(1), ..Lines::default() };
    for Span { text, style } in spans {
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                lines.end();
            }
            for piece in part.split_inclusive(' ') {
                let word = piece.trim_end_matches(' ');
                lines.grow(word, *style);
                if word.len() < piece.len() {
                    lines.settle();
                    lines.gap += piece.len() - word.len();
                }
            }
        }
    }
    lines.end();
    lines.done
}

/// Lines that are being filled.
#[derive(Default)]
struct Lines {
    width: usize,
    done: Vec<Line>,
    line: Line,
    used: usize,
    /// Blanks before the next word.
    gap: usize,
    /// The word that is being read, which may change its style in the middle.
    word: Line,
}

impl Lines {
    fn grow(&mut self, text: &str, style: Option<Shown>) {
        if text.is_empty() {
            return;
        }
        match self.word.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.word.push(Span { text: text.to_owned(), style }),
        }
    }

    /// The word is complete: it stands on this line or on the next.
    fn settle(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        let wide = width(&word);
        if self.used > 0 && self.used + self.gap + wide > self.width {
            self.break_line();
        }
        if self.used > 0 && self.gap > 0 {
            self.push(Span { text: " ".repeat(self.gap), style: None });
        }
        self.gap = 0;
        for span in word {
            self.put(span);
        }
    }

    /// Puts it on the line, and on further ones where it is wider than a line.
    fn put(&mut self, span: Span) {
        if self.used + span.width() <= self.width {
            return self.push(span);
        }
        for letter in span.text.chars() {
            let letter = Span { text: letter.to_string(), style: span.style };
            if self.used > 0 && self.used + letter.width() > self.width {
                self.break_line();
            }
            self.push(letter);
        }
    }

    fn push(&mut self, span: Span) {
        self.used += span.width();
        match self.line.last_mut() {
            Some(last) if last.style == span.style => last.text.push_str(&span.text),
            _ => self.line.push(span),
        }
    }

    fn break_line(&mut self) {
        self.done.push(std::mem::take(&mut self.line));
        (self.used, self.gap) = (0, 0);
    }

    /// The line ends here, however much fits.
    fn end(&mut self) {
        self.settle();
        self.break_line();
    }
}
