//! [`unified`]: what changes in a file, as a unified diff of bounded length.
//!
//! Where the changes are is known, so that only the lines around them are ever looked at: a word in
//! a large file costs no more than in a small one.

mod hunk;
mod lines;

use std::ops::Range;

use self::{hunk::Hunks, lines::refine};
use super::words::plain;

/// A part of a file that was replaced, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Where it was.
    pub(crate) old: Range<usize>,
    /// Where what replaced it is.
    pub(crate) new: Range<usize>,
}

impl Spot {
    /// All of both.
    pub(crate) fn all(old: &[u8], new: &[u8]) -> Self {
        Self { old: 0..old.len(), new: 0..new.len() }
    }
}

/// How long a diff may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    lines: usize,
    bytes: usize,
    /// Of one line.
    characters: usize,
}

impl Bounds {
    /// For a model, that knows what it asked for.
    pub(crate) const MODEL: Self = Self { lines: 200, bytes: 20_000, characters: 500 };
    /// For a person, who decides by it: beyond this nobody reads, and nothing is cut.
    const PERSON: Self = Self { lines: 20_000, bytes: 2 << 20, characters: usize::MAX };
}

/// Both versions of a file.
#[derive(Clone, Copy)]
struct Versions<'a> {
    old: &'a [u8],
    new: &'a [u8],
}

/// The diff between the old content of a file, if there was one, and the new; cut with a mark where it
/// is longer than it may be.
pub(crate) fn unified(
    name: &str,
    versions: (Option<&[u8]>, &[u8]),
    spots: &[Spot],
    bounds: Bounds,
) -> String {
    let (hunks, more) = drawn(name, versions, spots, bounds);
    if hunks.is_full() { hunks.cut(more) } else { hunks.into_text() }
}

/// The same for a person who decides by it: all of it, or none where it is too long to be read. Whoever
/// decides about a part of a change decides about what they have not seen.
pub(crate) fn whole(
    name: &str,
    versions: (Option<&[u8]>, &[u8]),
    spots: &[Spot],
) -> Option<String> {
    let (hunks, _) = drawn(name, versions, spots, Bounds::PERSON);
    (!hunks.is_full()).then(|| hunks.into_text())
}

/// The diff as far as it may go, and how many places are behind that.
fn drawn<'a>(
    name: &str,
    (old, new): (Option<&'a [u8]>, &'a [u8]),
    spots: &[Spot],
    bounds: Bounds,
) -> (Hunks<'a>, usize) {
    let name = plain(name.as_bytes(), usize::MAX);
    let from = if old.is_some() { format!("a/{name}") } else { "/dev/null".to_owned() };
    let head = format!("--- {from}\n+++ b/{name}\n");
    let versions = Versions { old: old.unwrap_or_default(), new };
    let mut hunks = Hunks::new(versions, head, bounds);
    let blocks = blocks(versions, spots);
    let all = blocks.len();
    for (at, block) in blocks.into_iter().enumerate() {
        for edit in refine(versions, block) {
            hunks.add(edit);
        }
        if hunks.is_full() {
            return (hunks, all - at - 1);
        }
    }
    hunks.finish();
    (hunks, 0)
}

/// The spots, each made as large as the lines it is in; those that share a line are one.
fn blocks(versions: Versions<'_>, spots: &[Spot]) -> Vec<Spot> {
    let mut blocks: Vec<Spot> = Vec::new();
    for spot in spots {
        let before = versions.old.get(..spot.old.start).unwrap_or_default();
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let left = spot.old.start - start;
        let right = to_the_end(versions, spot);
        let old = start..spot.old.end + right;
        let new = spot.new.start.saturating_sub(left)..spot.new.end + right;
        match blocks.last_mut() {
            Some(last) if last.old.end > old.start => {
                last.old.end = old.end;
                last.new.end = new.end;
            }
            _ => blocks.push(Spot { old, new }),
        }
    }
    blocks
}

/// How many bytes it is from the end of a spot to the end of the line, the same in both versions.
fn to_the_end(versions: Versions<'_>, spot: &Spot) -> usize {
    let is_start = |content: &[u8], at: usize| match at.checked_sub(1) {
        Some(before) => content.get(before) == Some(&b'\n'),
        None => true,
    };
    if is_start(versions.old, spot.old.end) && is_start(versions.new, spot.new.end) {
        return 0;
    }
    let behind = versions.old.get(spot.old.end..).unwrap_or_default();
    memchr::memchr(b'\n', behind).map_or(behind.len(), |at| at + 1)
}

#[cfg(test)]
mod tests;
