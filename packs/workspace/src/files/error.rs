//! [`FileError`]: why a file is not shown or changed.

use std::{io, path::PathBuf};

use toolwright_core::plural;
use toolwright_sandbox::size;

use super::count;
use crate::root::PathError;

/// Why a file is not shown or changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{} is a folder: use list to see what is in it", path.display())]
    Folder { path: PathBuf },
    #[error("{} is {kind}, not a file", path.display())]
    NoFile { path: PathBuf, kind: &'static str },
    #[error(
        "{} has {}, more than the {} that can be changed at once: use bash (sed, say)",
        path.display(), size(*len), size(*most)
    )]
    TooLarge { path: PathBuf, len: u64, most: u64 },
    #[error("the file would have {}, more than the {} that can be written", size(*len), size(*most))]
    WouldBeTooLarge { len: u64, most: u64 },
    #[error("old_string is empty: give the text that is replaced, or use write for a new file")]
    EmptyOld,
    #[error("old_string and new_string are the same: there is nothing to change")]
    Same,
    #[error(
        "the file has the line endings that new_string would give it: there is nothing to change"
    )]
    SameInFile,
    #[error("old_string is not in {}.{hint}", path.display())]
    Absent {
        path: PathBuf,
        /// Nothing, or a sentence with a blank before it.
        hint: String,
    },
    #[error(
        "old_string occurs {} times in {}, {}: include the lines around the one you mean, or set \
         replace_all to change them all",
        count(*times), path.display(), lines_told(lines, *times)
    )]
    Many { path: PathBuf, times: u64, lines: Vec<u64> },
    #[error(
        "old_string occurs more than {} times in {}: make it longer, or use bash (sed, say)",
        count(*most), path.display()
    )]
    TooMany { path: PathBuf, most: u64 },
    #[error(
        "{} already exists: use edit, or write with overwrite: true",
        path.display()
    )]
    Exists { path: PathBuf },
    #[error(
        "that would leave half of the line `{line}`: give all of it as old_string, and all of the new \
         line as new_string"
    )]
    HalfASetting { line: String },
    #[error(
        "{} would be no {form} any more ({reason}): make the whole change at once, so that it stays one",
        path.display()
    )]
    Spoiled { path: PathBuf, form: &'static str, reason: String },
    #[error(
        "a row of {} has {fields} fields, as `{head}`, and `{row}` is none: put commas between its fields",
        path.display()
    )]
    NoRow { path: PathBuf, fields: String, head: String, row: String },
    #[error("append adds to the file and overwrite replaces it: give only one of them")]
    AddsAndReplaces,
    #[error("content is empty: there is nothing to add")]
    NothingToAdd,
    #[error("{} was changed by something else meanwhile: show it again", path.display())]
    Changed { path: PathBuf },
    #[error("start_line and end_line count from 1")]
    LineZero,
    #[error("end_line {last} is before start_line {first}")]
    Backwards { first: u64, last: u64 },
    #[error(
        "start_line {first} is past the end: the file has {} {}",
        count(*lines), plural(*lines, "line", "lines")
    )]
    PastEnd { first: u64, lines: u64 },
    #[error(
        "line {first} is not among the first {}, and no more of the file ({}) is looked through: use \
         bash, such as sed -n '{first},{last}p'",
        size(*seen), size(*len)
    )]
    TooFar { first: u64, last: u64, seen: u64, len: u64 },
    #[error("{} cannot be read: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: io::Error },
    #[error("{} was not changed: {reason}", path.display())]
    Unwritten { path: PathBuf, reason: io::Error },
}

impl FileError {
    /// Whether it is the arguments that are wrong, and not the system.
    pub(crate) fn is_of_input(&self) -> bool {
        !matches!(self, Self::Changed { .. } | Self::Unreadable { .. } | Self::Unwritten { .. })
    }
}

fn lines_told(lines: &[u64], times: u64) -> String {
    let told = lines.iter().map(|line| count(*line)).collect::<Vec<_>>().join(", ");
    let more = times.saturating_sub(lines.len() as u64);
    match more {
        0 => format!("in lines {told}"),
        more => format!("in lines {told} and {} more", count(more)),
    }
}
