//! [`places`]: what is left of a secret where a text was cut through it.

use std::ops::Range;

use memchr::{memmem, memrchr_iter};

/// What stands where a text was cut, whoever cut it.
const CUT: &str = "…";

/// Whether a text was cut somewhere.
pub(crate) fn is_in(bytes: &[u8]) -> bool {
    // Most texts do not even have the first byte of the mark.
    let first = CUT.as_bytes().first().and_then(|first| memchr::memchr(*first, bytes));
    first.is_some_and(|at| {
        memmem::find(bytes.get(at..).unwrap_or_default(), CUT.as_bytes()).is_some()
    })
}

/// Where the beginning of one of these stands before a cut, or the end of one behind it. A part is at
/// least `least` bytes long: shorter ones are found in anything.
pub(crate) fn places<'a>(
    needles: &(impl Iterator<Item = &'a [u8]> + Clone),
    bytes: &[u8],
    least: usize,
    mut found: impl FnMut(Range<usize>),
) {
    for at in memmem::find_iter(bytes, CUT) {
        let before = bytes.get(..at).unwrap_or_default().trim_ascii_end();
        let behind = bytes.get(at + CUT.len()..).unwrap_or_default().trim_ascii_start();
        let from = bytes.len() - behind.len();
        for needle in needles.clone() {
            if let Some(part) = beginning(needle, before).filter(|it| *it >= least) {
                found(before.len() - part..before.len());
            }
            if let Some(part) = end(needle, behind).filter(|it| *it >= least) {
                found(from..from + part);
            }
        }
    }
}

/// How long the longest beginning of the needle is that a text ends with.
fn beginning(needle: &[u8], text: &[u8]) -> Option<usize> {
    let last = *text.last()?;
    memrchr_iter(last, needle)
        .map(|at| at + 1)
        .find(|length| text.ends_with(needle.get(..*length).unwrap_or_default()))
}

/// How long the longest end of the needle is that a text begins with.
fn end(needle: &[u8], text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    memchr::memchr_iter(first, needle)
        .find(|from| text.starts_with(needle.get(*from..).unwrap_or_default()))
        .map(|from| needle.len() - from)
}
