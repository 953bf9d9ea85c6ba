//! [`changes`]: what lines that were shown may become, where a request says what is to stand there.

mod added;
mod edits;
mod line;
mod named;
mod op;
mod parts;
mod reckon;
mod removal;
mod rename;
mod runs;
mod said;
mod section;
mod shown;
#[cfg(test)]
mod tests;
mod together;

use self::{
    named::of_fields,
    op::Op,
    parts::{apart, without_kept},
    said::Said,
    shown::Seen,
    together::together,
};
pub(super) use self::{op::has_place, removal::lines_meant};
pub(crate) use self::{op::only_adds, parts::left, removal::may_take_out};

/// A text that was shown, and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Changed {
    pub(super) new: String,
    pub(super) old: String,
}

/// More changes than so many are nobody's choice.
const MOST: usize = 20_000;

/// What lines that were shown may become, where a request says what is to stand there: nothing else, and nothing at all where no
/// line was shown that is meant. `None` where it does not say so, and the words are for the model to find.
///
/// A small model that retypes a line gets parts of it wrong that nobody spoke of. So what is said takes the place of what is of
/// its kind, in a line that was named, and everything else stays. And one that is asked for several changes makes one and says
/// that all are made: so where lines of one file are to change, they change together.
pub(super) fn changes(request: &str, found: &[String]) -> Option<Vec<Changed>> {
    let mut seen = Seen::of(found);
    let op = Op::of(request);
    if op == Some(Op::Derive) || op == Some(Op::Append) {
        return None;
    }
    if seen.lines.is_empty() {
        return unseen(request, op, found);
    }
    // What is to stay is no line that changes.
    seen.lines = of_fields(request, &without_kept(request, &seen.lines));
    if let Some(renamed) = rename::renamed(request, &seen) {
        return Some(renamed);
    }
    let mut all = match several(request, &seen) {
        Some(several) => several,
        None => edits::of(op, request, &seen)?.iter().map(|it| seen.change(it)).collect(),
    };
    all.retain(|it| it.new != it.old);
    all.sort();
    all.dedup();
    (all.len() <= MOST).then_some(all)
}

/// The same where nobody looked yet: that is to be done first, but for what was said whole.
fn unseen(request: &str, op: Option<Op>, found: &[String]) -> Option<Vec<Changed>> {
    let said = Said::of(request, &[]);
    let unseen = match op {
        Some(Op::Insert | Op::Mark) => Vec::new(),
        // A name may be a part of others: that is to be seen first.
        _ if rename::Rename::of(request).is_some() => return Some(Vec::new()),
        _ => said.unseen(),
    };
    // What was seen may be no file's lines.
    let is_free = unseen.is_empty() && (!found.is_empty() || said.puts.is_empty());
    let is_of_lines = matches!(op, Some(Op::Insert | Op::Mark | Op::Remove));
    (!is_free || found.is_empty() && is_of_lines).then_some(unseen)
}

/// The changes of a request that asks for several: all that one file has as one. `None` where it asks for one only.
fn several(request: &str, seen: &Seen<'_>) -> Option<Vec<Changed>> {
    let parts = apart(request);
    let lists: Option<Vec<_>> = parts.iter().map(|it| it.edits(seen)).collect();
    let lists = lists?.concat();
    let alone = || lists.iter().flatten().map(|it| seen.change(it)).collect();
    match lists.len() {
        0 => None,
        // The others are made, or nothing that was shown has to do with them.
        1 => (parts.len() > 1).then(alone),
        _ => Some(together(&lists, &seen.files).unwrap_or_else(alone)),
    }
}
