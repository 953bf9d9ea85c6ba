//! [`refine`]: which lines of a block really differ.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{Spot, Versions};

/// The most lines that are compared with each other; of more, all count as replaced.
const COMPARED: usize = 2_000;

/// The lines of a block that really differ, as spots that begin and end with lines.
pub(super) fn refine(versions: Versions<'_>, block: Spot) -> Vec<Spot> {
    let block = trim(versions, block);
    let old = versions.old.get(block.old.clone()).unwrap_or_default();
    let new = versions.new.get(block.new.clone()).unwrap_or_default();
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    let lines = |part| memchr::memchr_iter(b'\n', part).count();
    if old.is_empty() || new.is_empty() || lines(old) + lines(new) > COMPARED {
        return vec![block];
    }
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (split(old).collect(), split(new).collect());
    let (from, to) = (ends(&old, block.old.start), ends(&new, block.new.start));
    let at = |ends: &[usize], line: usize| ends.get(line).copied().unwrap_or_default();
    let edits = capture_diff_slices(Algorithm::Myers, &old, &new).into_iter();
    edits
        .filter(|edit| edit.tag() != DiffTag::Equal)
        .map(|edit| Spot {
            old: at(&from, edit.old_range().start)..at(&from, edit.old_range().end),
            new: at(&to, edit.new_range().start)..at(&to, edit.new_range().end),
        })
        .collect()
}

/// Lines with their ends.
pub(super) fn split(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    content.split_inclusive(|byte| *byte == b'\n')
}

/// Where lines begin, and where the last one ends.
fn ends(lines: &[&[u8]], start: usize) -> Vec<usize> {
    let ends = lines.iter().scan(start, |at, line| {
        *at += line.len();
        Some(*at)
    });
    std::iter::once(start).chain(ends).collect()
}

/// The block without the lines at its begin and at its end that are the same.
fn trim(versions: Versions<'_>, block: Spot) -> Spot {
    let Spot { mut old, mut new } = block;
    let (one, other) = (
        versions.old.get(old.clone()).unwrap_or_default(),
        versions.new.get(new.clone()).unwrap_or_default(),
    );
    let same: usize = split(one)
        .zip(split(other))
        .take_while(|(one, other)| one == other)
        .map(|(line, _)| line.len())
        .sum();
    old.start += same;
    new.start += same;
    let (one, other) = (
        versions.old.get(old.clone()).unwrap_or_default(),
        versions.new.get(new.clone()).unwrap_or_default(),
    );
    let backwards = |content| split_back(content);
    let same: usize = backwards(one)
        .zip(backwards(other))
        .take_while(|(one, other)| one == other)
        .map(|(line, _)| line.len())
        .sum();
    old.end -= same;
    new.end -= same;
    Spot { old, new }
}

/// Lines with their ends, the last first.
pub(super) fn split_back(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = content;
    std::iter::from_fn(move || {
        let (_, before) = rest.split_last()?;
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let (left, line) = rest.split_at_checked(start)?;
        rest = left;
        Some(line)
    })
}
