//! [`Spans`]: the pieces of a conversation that a string may be, word by word.
//!
//! The beginnings of words are sorted by what follows them, so that everything that begins with what
//! was written so far is one range, and a byte more narrows it by two binary searches.

use super::list::{self, Bytes, Range};

/// The pieces of a text that a string may be: within a line, from the beginning of a word to the end of one.
pub(super) struct Spans {
    /// The lines, escaped as in a JSON string where they are to stand in one; each ends with a line feed, which is in no piece.
    text: Vec<u8>,
    /// How many characters stand before each byte.
    chars: Vec<u32>,
    /// The next place at or after each byte where a piece may end.
    ends: Vec<Option<u32>>,
    /// Where pieces begin, in the order of what follows.
    starts: Vec<u32>,
}

/// How many words a day has: what stands between its figures are words, too.
const DAY_WORDS: usize = 5;

/// How long a piece may be, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Length {
    pub(super) least: u32,
    pub(super) most: u32,
}

impl Spans {
    pub(super) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut draft = Draft::default();
        for line in texts.into_iter().flat_map(str::lines) {
            draft.line(line, super::json_char);
        }
        draft.finish()
    }

    /// The same as they stand between backticks: as they are, and without any in them.
    pub(super) fn quotable<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut draft = Draft::default();
        for piece in texts.into_iter().flat_map(str::lines).flat_map(|line| line.split('`')) {
            draft.line(piece, |char| char.to_string().into_bytes());
        }
        draft.finish()
    }

    /// Whether there are no pieces.
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Whether there is any piece of this length.
    pub(super) fn has_any(&self, length: Length) -> bool {
        self.can_go_on(self.whole(), length)
    }

    /// The range before anything is written.
    pub(super) fn whole(&self) -> Range {
        Range { from: 0, to: self.starts.len() as u32, depth: 0 }
    }

    /// The pieces that go on with this byte, if one of them can still have the length.
    pub(super) fn narrow(&self, range: Range, byte: u8, length: Length) -> Option<Range> {
        let range = list::narrow(&self.starts, range, byte, |start| self.after(*start, range))?;
        self.can_go_on(range, length).then_some(range)
    }

    /// Adds the bytes that stand after what was written.
    pub(super) fn next(&self, range: Range, bytes: &mut Bytes) {
        list::next(&self.starts, range, bytes, |start| self.after(*start, range));
    }

    /// Whether what was written is a piece.
    pub(super) fn can_end(&self, range: Range, length: Length) -> bool {
        self.within(range).any(|start| {
            let end = start + range.depth;
            self.end(end) == Some(end) && self.fits(start, end, length)
        })
    }

    /// Whether what was written is a piece or begins one.
    pub(super) fn can_go_on(&self, range: Range, length: Length) -> bool {
        self.within(range).any(|start| {
            let mut end = self.end(start + range.depth);
            while let Some(at) = end.filter(|at| self.length(start, *at) < length.least) {
                end = self.end_after(at);
            }
            end.is_some_and(|end| self.fits(start, end, length))
        })
    }

    /// All pieces of at most this many words that have the length, escaped, with duplicates.
    pub(super) fn pieces(&self, words: usize, length: Length) -> impl Iterator<Item = &[u8]> {
        self.starts.iter().flat_map(move |start| {
            let ends = std::iter::successors(self.end(start + 1), |end| self.end_after(*end));
            ends.take(words)
                .filter(move |end| self.fits(*start, *end, length))
                .filter_map(|end| self.text.get(*start as usize..end as usize))
        })
    }

    /// The days among them, as JSON strings.
    pub(super) fn days(&self) -> impl Iterator<Item = String> {
        let day = Length { least: 10, most: 10 };
        let texts = self.pieces(DAY_WORDS, day).filter_map(|piece| std::str::from_utf8(piece).ok());
        let days = texts.filter(|text| text.parse::<jiff::civil::Date>().is_ok());
        days.map(|day| format!("\"{day}\""))
    }

    fn within(&self, range: Range) -> impl Iterator<Item = u32> {
        let starts = self.starts.get(range.from as usize..range.to as usize);
        starts.unwrap_or_default().iter().copied()
    }

    fn after(&self, start: u32, range: Range) -> Option<u8> {
        let byte = self.text.get((start + range.depth) as usize).copied();
        byte.filter(|byte| *byte != b'\n')
    }

    fn end(&self, at: u32) -> Option<u32> {
        self.ends.get(at as usize).copied().flatten()
    }

    /// The next end after this one, in its line.
    fn end_after(&self, end: u32) -> Option<u32> {
        if self.text.get(end as usize) == Some(&b'\n') { None } else { self.end(end + 1) }
    }

    fn length(&self, start: u32, end: u32) -> u32 {
        let before = |at: u32| self.chars.get(at as usize).copied().unwrap_or_default();
        before(end).saturating_sub(before(start))
    }

    fn fits(&self, start: u32, end: u32, length: Length) -> bool {
        (length.least..=length.most).contains(&self.length(start, end))
    }
}

/// [`Spans`] in the making.
#[derive(Default)]
struct Draft {
    text: Vec<u8>,
    chars: Vec<u32>,
    is_end: Vec<bool>,
    starts: Vec<u32>,
}

impl Draft {
    fn line(&mut self, line: &str, written: impl Fn(char) -> Vec<u8>) {
        let mut before = None;
        for char in line.chars() {
            let joins = before.is_some_and(|before| is_joined(before, char));
            if !joins && !char.is_whitespace() {
                self.starts.push(self.text.len() as u32);
            }
            let ends = !joins && before.is_some_and(|before: char| !before.is_whitespace());
            let count = self.chars.last().map_or(0, |count| count + u32::from(before.is_some()));
            self.push(written(char), count, ends);
            before = Some(char);
        }
        let count = self.chars.last().map_or(0, |count| count + u32::from(before.is_some()));
        self.text.push(b'\n');
        self.chars.push(count);
        self.is_end.push(before.is_some_and(|before| !before.is_whitespace()));
    }

    /// Adds a character as it is written. `ends` is said of the place before it.
    fn push(&mut self, mut written: Vec<u8>, count: u32, ends: bool) {
        // All bytes of a character stand behind the same number of characters.
        self.is_end.push(ends);
        self.is_end.resize(self.is_end.len() + written.len() - 1, false);
        self.chars.resize(self.chars.len() + written.len(), count);
        self.text.append(&mut written);
    }

    fn finish(self) -> Spans {
        let mut ends = vec![None; self.text.len()];
        let mut next = None;
        for (at, end) in ends.iter_mut().enumerate().rev() {
            // Nothing goes beyond its line.
            if self.text.get(at) == Some(&b'\n') {
                next = None;
            }
            if self.is_end.get(at) == Some(&true) {
                next = Some(at as u32);
            }
            *end = next;
        }
        let (text, mut starts) = (self.text, self.starts);
        let rest = |start: &u32| {
            let rest = text.get(*start as usize..).unwrap_or_default();
            rest.split(|byte| *byte == b'\n').next().unwrap_or_default()
        };
        starts.sort_by(|a, b| rest(a).cmp(rest(b)));
        Spans { text, chars: self.chars, ends, starts }
    }
}

/// Whether two characters belong to one word.
fn is_joined(before: char, after: char) -> bool {
    // Scripts that put no spaces between words: any character may be the first of one.
    let is_dense = |char: char| matches!(char, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..);
    let is_word = |char: char| (char.is_alphanumeric() || char == '_') && !is_dense(char);
    // A mark belongs to the letter before it.
    let is_mark = matches!(after, '\u{300}'..='\u{36F}' | '\u{200D}' | '\u{FE0F}');
    is_mark || (is_word(before) && is_word(after))
}
