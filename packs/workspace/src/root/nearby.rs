//! [`Root::nearby`]: files of a name, for whoever typed a path at which there is none.

use std::{ffi::OsStr, path::Path};

use super::{Kind, Root};

/// How many files are told of.
const TOLD: usize = 10;
/// How many entries are looked at.
const SEEN: usize = 200_000;

impl Root {
    /// The files in the workspace with this name, whatever its case, as paths from the root.
    pub(super) fn nearby(&self, name: Option<&OsStr>) -> Vec<String> {
        let Some(name) = name else { return Vec::new() };
        let mut found: Vec<String> = self
            .walk(Path::new(""))
            .build()
            .take(SEEN)
            .filter_map(Result::ok)
            .filter(|entry| entry.file_name().eq_ignore_ascii_case(name))
            .filter_map(|entry| {
                let relative = entry.path().strip_prefix(&self.path).ok()?;
                let is_file = self.metadata(relative).is_ok_and(|it| it.kind == Kind::File);
                (is_file && !self.is_hidden(relative)).then(|| relative.display().to_string())
            })
            .take(TOLD)
            .collect();
        found.sort();
        found
    }
}
