//! [`Hunks`]: lines that differ, put into words with the lines around them.

use std::fmt::Write as _;

use super::{
    super::{count, words::plain},
    Bounds, Spot, Versions,
    lines::{split, split_back},
};

/// How many lines are shown around those that differ.
const AROUND: usize = 3;

/// Lines that differ, as they are put into words.
pub(super) struct Hunks<'a> {
    versions: Versions<'a>,
    text: String,
    bounds: Bounds,
    lines: usize,
    /// Edits so near to each other that they are shown together.
    group: Vec<Spot>,
    /// How far newlines were counted: up to this byte of each version there are so many.
    counted: [(usize, usize); 2],
}

impl<'a> Hunks<'a> {
    pub(super) fn new(versions: Versions<'a>, head: String, bounds: Bounds) -> Self {
        let lines = 0;
        Self { versions, text: head, bounds, lines, group: Vec::new(), counted: [(0, 0); 2] }
    }

    pub(super) fn is_full(&self) -> bool {
        self.lines > self.bounds.lines || self.text.len() > self.bounds.bytes
    }

    /// Adds an edit that comes behind all others.
    pub(super) fn add(&mut self, edit: Spot) {
        if self.is_full() {
            return;
        }
        if let Some(last) = self.group.last() {
            let between = self.versions.old.get(last.old.end..edit.old.start).unwrap_or_default();
            if split(between).take(2 * AROUND + 1).count() > 2 * AROUND {
                self.write_group();
            }
        }
        self.group.push(edit);
    }

    /// Puts what was added last into words.
    pub(super) fn finish(&mut self) {
        self.write_group();
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// The text as far as it may go, with a mark.
    pub(super) fn cut(mut self, more: usize) -> String {
        let end = self.text.floor_char_boundary(self.bounds.bytes);
        self.text.truncate(end);
        let kept: usize =
            self.text.split_inclusive('\n').take(self.bounds.lines + 2).map(str::len).sum();
        self.text.truncate(kept);
        let mark = match more {
            0 => "[… the rest of the diff is left out]".to_owned(),
            more => format!(
                "[… the rest of the diff is left out, and {} more places]",
                count(more as u64)
            ),
        };
        format!("{}\n{mark}\n", self.text.trim_end_matches('\n'))
    }

    fn write_group(&mut self) {
        let group = std::mem::take(&mut self.group);
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let Versions { old, new } = self.versions;
        let before: Vec<&[u8]> =
            split_back(old.get(..first.old.start).unwrap_or_default()).take(AROUND).collect();
        let behind: Vec<&[u8]> =
            split(old.get(last.old.end..).unwrap_or_default()).take(AROUND).collect();
        let extra = |lines: &[&[u8]]| lines.iter().map(|line| line.len()).sum::<usize>();
        let (left, right) = (extra(&before), extra(&behind));
        let from = self.range(0, old, first.old.start - left..last.old.end + right);
        let to = self.range(1, new, first.new.start - left..last.new.end + right);
        self.push(&format!("@@ -{from} +{to} @@"));
        before.iter().rev().for_each(|line| self.line(' ', line, Returns::Left));
        let mut at = first.old.start;
        for edit in &group {
            let same = old.get(at..edit.old.start).unwrap_or_default();
            split(same).for_each(|line| self.line(' ', line, Returns::Left));
            self.edit(edit);
            at = edit.old.end;
        }
        behind.iter().for_each(|line| self.line(' ', line, Returns::Left));
    }

    fn edit(&mut self, edit: &Spot) {
        let old = self.versions.old.get(edit.old.clone()).unwrap_or_default();
        let new = self.versions.new.get(edit.new.clone()).unwrap_or_default();
        let has = |part: &[u8]| memchr::memmem::find(part, b"\r\n").is_some();
        // Where that is what differs it must be seen.
        let differ = !old.is_empty() && !new.is_empty() && has(old) != has(new);
        let returns = if differ { Returns::Shown } else { Returns::Left };
        split(old).for_each(|line| self.line('-', line, returns));
        split(new).for_each(|line| self.line('+', line, returns));
    }

    fn line(&mut self, sign: char, line: &[u8], returns: Returns) {
        if self.is_full() {
            return;
        }
        let ended = line.strip_suffix(b"\n");
        let bare = ended.unwrap_or(line);
        let bare = match (returns, bare.strip_suffix(b"\r")) {
            (Returns::Left, Some(bare)) if ended.is_some() => bare,
            _ => bare,
        };
        self.push(&format!("{sign}{}", plain(bare, self.bounds.characters)));
        if ended.is_none() {
            self.push("\\ No newline at end of file");
        }
    }

    fn push(&mut self, line: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{line}");
        self.lines += 1;
    }

    /// `12,3`: the number of the first line, and how many there are.
    fn range(&mut self, which: usize, content: &[u8], part: std::ops::Range<usize>) -> String {
        let Some((at, lines)) = self.counted.get_mut(which) else { return String::new() };
        let between = content.get(*at..part.start).unwrap_or_default();
        *lines += memchr::memchr_iter(b'\n', between).count();
        *at = part.start;
        match split(content.get(part).unwrap_or_default()).count() {
            0 => format!("{},0", *lines),
            1 => format!("{}", *lines + 1),
            some => format!("{},{some}", *lines + 1),
        }
    }
}

/// What is done with carriage returns at the ends of lines.
#[derive(Clone, Copy)]
enum Returns {
    Left,
    Shown,
}
