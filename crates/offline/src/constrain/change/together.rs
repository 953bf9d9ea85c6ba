//! [`together`]: several changes of one file as one.

use super::{Changed, shown::Edit};

/// So many ways to make several changes are looked at.
const WAYS: usize = 400;
/// Longer pieces of a file are not written anew: so many lines, and so many bytes.
const LINES: usize = 60;
const BYTES: usize = 4_000;

/// One change of each list as one, in every way in which they are all lines of one file: from the first of these lines to the last,
/// with what stands between them. `None` where no file has one of each.
///
/// What is one call is made or not made, and never made in part.
pub(super) fn together(lists: &[Vec<Edit<'_>>], files: &[Vec<&str>]) -> Option<Vec<Changed>> {
    let all: Vec<_> =
        files.iter().enumerate().flat_map(|(number, file)| within(lists, number, file)).collect();
    (!all.is_empty()).then_some(all)
}

fn within(lists: &[Vec<Edit<'_>>], number: usize, file: &[&str]) -> Vec<Changed> {
    let mut ways: Vec<Vec<(usize, &Edit<'_>)>> = vec![Vec::new()];
    for list in lists {
        let places: Vec<_> = list.iter().filter_map(|it| place(it, number)).collect();
        let longer = ways.iter().flat_map(|way| {
            let free = places.iter().filter(|(at, _)| way.iter().all(|(taken, _)| taken != at));
            free.map(|place| way.iter().copied().chain([*place]).collect::<Vec<_>>())
        });
        ways = longer.take(WAYS + 1).collect();
        if ways.len() > WAYS {
            return Vec::new();
        }
    }
    ways.iter().filter_map(|way| block(way, file)).collect()
}

/// Where in the file of this number the line stands that changes.
fn place<'e, 'a>(it: &'e Edit<'a>, number: usize) -> Option<(usize, &'e Edit<'a>)> {
    let (file, at) = it.line.place.filter(|_| it.is_whole())?;
    (file == number).then_some((at, it))
}

/// The lines from the first change to the last, before and after; with the one before them where nothing of them is left.
fn block(way: &[(usize, &Edit<'_>)], file: &[&str]) -> Option<Changed> {
    let places = || way.iter().map(|(at, _)| *at);
    let (first, last) = (places().min()?, places().max()?);
    let is_gone = way.len() == last + 1 - first && way.iter().all(|(_, it)| it.new.is_empty());
    let (first, last) = match (is_gone, first.checked_sub(1)) {
        (false, _) => (first, last),
        (true, Some(before)) => (before, last),
        (true, None) => (first, last + 1),
    };
    let old = file.get(first..=last)?;
    let new = old.iter().zip(first..).flat_map(|(line, at)| {
        let Some((_, changed)) = way.iter().find(|(it, _)| *it == at) else {
            return vec![(*line).to_owned()];
        };
        changed.lines(line)
    });
    let (old_text, new) = (old.join("\n"), new.collect::<Vec<_>>().join("\n"));
    let is_short = old.len() <= LINES && old_text.len() <= BYTES;
    is_short.then_some(Changed { new, old: old_text })
}
