//! [`entries`]: the sources of tools that the config file names.

use super::file::File;
use crate::{AppError, SourceEntry, SourceKind};

/// The longest name of a source: what is behind it in a tool's name needs room, too.
const LONGEST: usize = 32;

/// The sources of tools that the file names.
///
/// # Errors
/// When a name cannot be the beginning of a tool's, or two have the same.
pub(super) fn entries(file: &File) -> Result<Vec<SourceEntry>, AppError> {
    let all: Vec<_> = named(file).collect();
    for (at, entry) in all.iter().enumerate() {
        let wrong = |reason: String| AppError::BadSource {
            section: format!("{}.{}", entry.kind.name(), entry.name),
            reason,
        };
        if !is_name(&entry.name) {
            return Err(wrong(format!(
                "a name has 1 to {LONGEST} letters, digits, `-` and `_`, and begins with a letter"
            )));
        }
        let same = |other: &&SourceEntry| other.name.eq_ignore_ascii_case(&entry.name);
        if let Some(other) = all.iter().take(at).find(same) {
            let kind = other.kind.name();
            return Err(wrong(format!("`[{kind}.{}]` has that name, too", other.name)));
        }
    }
    Ok(all)
}

fn named(file: &File) -> impl Iterator<Item = SourceEntry> {
    let all = [(SourceKind::OpenApi, file.openapi.keys().collect::<Vec<_>>())];
    all.into_iter().flat_map(|(kind, names)| {
        names.into_iter().map(move |name| SourceEntry { name: name.clone(), kind })
    })
}

fn is_name(name: &str) -> bool {
    let is_letter = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    (1..=LONGEST).contains(&name.len())
        && name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.bytes().all(is_letter)
        // What parts it from the names of its tools is not in it.
        && !name.contains("__")
        && !name.ends_with('_')
}
