//! [`Matches`]: what a search found, as it is told.

use std::io;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkFinish, SinkMatch};
use toolwright_core::plural;

use super::looked::plain;
use crate::files::count;

/// How many matches are told.
const MOST: u64 = 200;
/// How many bytes are told.
const BYTES: usize = 50_000;
/// How many matches are counted before the search ends: nobody needs to know of more.
const ENOUGH: u64 = 10_000;
/// How many characters of a line are told, and how many of them before the match.
const LINE: usize = 300;
const BEFORE: usize = 100;

/// What a search found.
#[derive(Default)]
pub(super) struct Matches {
    text: String,
    /// How many are told at most, where that is said.
    most: Option<u64>,
    told: u64,
    found: u64,
    /// Files that were searched.
    pub(super) files: u64,
    binary: u64,
    /// Files that could not be read, or have lines too long to be held.
    pub(super) unreadable: u64,
}

impl Matches {
    /// How many more matches and bytes can be told.
    pub(super) fn room(&self) -> (u64, usize) {
        let bytes = BYTES.saturating_sub(self.text.len());
        let most = self.most.unwrap_or(MOST);
        (if bytes == 0 { 0 } else { most.saturating_sub(self.told) }, bytes)
    }

    /// Of which so many are told at most.
    pub(super) fn at_most(most: Option<u64>) -> Self {
        Self { most, ..Self::default() }
    }

    /// Whether nobody needs to know of more.
    pub(super) fn is_enough(&self) -> bool {
        self.found >= ENOUGH
    }

    /// Whether anything was found.
    pub(super) fn has_some(&self) -> bool {
        self.found > 0
    }

    /// Takes in what was found in a file.
    pub(super) fn take(&mut self, file: &InFile<'_>) {
        if file.is_binary {
            self.binary += 1;
            return;
        }
        self.files += 1;
        self.found += file.found;
        self.told += file.told;
        if !file.text.is_empty() {
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text.push_str(&file.text);
        }
    }

    /// All of it in words.
    pub(super) fn words(self, pattern: &str) -> String {
        let mut notes = Vec::new();
        let left = self.found - self.told;
        if left > 0 {
            let at_least = if self.is_enough() { "at least " } else { "" };
            notes.push(format!(
                "{at_least}{} more {} left out: search a folder, with a glob, or for more",
                count(left),
                plural(left, "match is", "matches are"),
            ));
        }
        if self.binary > 0 {
            let files = plural(self.binary, "file was", "files were");
            notes.push(format!("{} binary {files} skipped", count(self.binary)));
        }
        if self.unreadable > 0 {
            let files = plural(self.unreadable, "file", "files");
            notes.push(format!("{} {files} could not be read", count(self.unreadable)));
        }
        let mut text = self.text;
        if self.found == 0 {
            let (files, word) = (count(self.files), plural(self.files, "file", "files"));
            text = format!("No match for {} in the {files} {word} searched.", plain(pattern));
        }
        if !notes.is_empty() {
            text.push_str(&format!("\n[{}]", notes.join("; ")));
        }
        text
    }
}

/// What was found in one file, so far.
pub(super) struct InFile<'m> {
    matcher: &'m RegexMatcher,
    name: String,
    room: (u64, usize),
    text: String,
    found: u64,
    told: u64,
    is_binary: bool,
}

impl<'m> InFile<'m> {
    pub(super) fn new(matcher: &'m RegexMatcher, name: String, room: (u64, usize)) -> Self {
        Self { matcher, name, room, text: String::new(), found: 0, told: 0, is_binary: false }
    }

    fn line(&mut self, mark: char, number: Option<u64>, bytes: &[u8]) {
        let number = number.unwrap_or_default();
        let blank = if mark == ':' { " " } else { "" };
        let line = self.cut(bytes);
        self.text.push_str(&format!("{}{mark}{number}{mark}{blank}{line}\n", self.name));
    }

    /// The line, cut around its match where it is long.
    fn cut(&self, bytes: &[u8]) -> String {
        let bytes = bytes.trim_ascii_end();
        let at = match self.matcher.find(bytes) {
            Ok(Some(found)) if bytes.len() > LINE => found.start().saturating_sub(BEFORE),
            _ => 0,
        };
        let (before, rest) = bytes.split_at_checked(boundary(bytes, at)).unwrap_or((&[], bytes));
        // No character has more than four bytes.
        let near = rest.get(..LINE * 4).unwrap_or(rest);
        let mut text = String::from(if before.is_empty() { "" } else { "…" });
        let (mut left, mut all) = (LINE, 0);
        for chunk in near.utf8_chunks() {
            let length = chunk.valid().chars().count();
            text.extend(chunk.valid().chars().take(left));
            left = left.saturating_sub(length);
            for byte in chunk.invalid().iter().take(left) {
                text.push_str(&format!("\\x{byte:02X}"));
            }
            left = left.saturating_sub(chunk.invalid().len());
            all += length + chunk.invalid().len();
        }
        if all > LINE || near.len() < rest.len() {
            text.push('…');
        }
        plain(&text)
    }
}

/// The first place from `at` on where a character begins.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default().iter();
    at + rest.take(3).take_while(|it| **it & 0b1100_0000 == 0b1000_0000).count()
}

impl Sink for &mut InFile<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.found += 1;
        if self.told < self.room.0 && self.text.len() < self.room.1 {
            self.told += 1;
            self.line(':', found.line_number(), found.bytes());
        }
        Ok(self.found < ENOUGH)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        if self.told < self.room.0 && self.text.len() < self.room.1 {
            self.line('-', context.line_number(), context.bytes());
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        if self.told < self.room.0 && self.text.len() < self.room.1 {
            self.text.push_str("--\n");
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> Result<(), io::Error> {
        self.is_binary |= finish.binary_byte_offset().is_some();
        Ok(())
    }
}
