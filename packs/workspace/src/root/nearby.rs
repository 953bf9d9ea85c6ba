//! [`Meant`]: what may be meant by a path at which there is nothing.

use std::{
    ffi::OsStr,
    path::{Component, Path, PathBuf},
};

use super::{Kind, Root};

/// How many files are told of.
pub(super) const TOLD: usize = 10;
/// How many entries are looked at.
const SEEN: usize = 200_000;

/// What may be meant by a path at which there is nothing.
pub(super) enum Meant {
    /// The only thing whose path is the same in other letters, or the only file whose path ends in it.
    One(PathBuf),
    /// One of some files whose paths end in it; all of that name.
    Several(Vec<PathBuf>),
    /// Nothing that is there; files of that name elsewhere.
    Nothing(Vec<PathBuf>),
}

impl Root {
    /// What may be meant by a path at which there is nothing.
    pub(super) fn meant_by(&self, relative: &Path) -> Meant {
        if let Some(meant) = self.in_any_case(relative) {
            return Meant::One(meant);
        }
        let nearby = self.nearby(relative.file_name());
        let mut fitting = nearby.iter().filter(|it| ends_like(it, relative));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Meant::One(only.clone()),
            (Some(_), Some(_)) => Meant::Several(nearby),
            (None, _) => Meant::Nothing(nearby),
        }
    }

    /// The files in the workspace with this name, whatever its case, as paths from the root; those with an ending
    /// behind it, too, where it has none.
    fn nearby(&self, name: Option<&OsStr>) -> Vec<PathBuf> {
        let Some(name) = name else { return Vec::new() };
        let mut found: Vec<PathBuf> = self
            .walk(Path::new(""))
            .build()
            .take(SEEN)
            .filter_map(Result::ok)
            .filter(|entry| is_called(entry.file_name(), name))
            .filter_map(|entry| {
                let relative = entry.path().strip_prefix(&self.path).ok()?;
                let is_file = self.metadata(relative).is_ok_and(|it| it.kind == Kind::File);
                (is_file && !self.is_hidden(relative)).then(|| relative.to_owned())
            })
            .collect();
        found.sort();
        found
    }

    /// The only thing whose path differs from this one in the case of letters alone. What is hidden or ignored is
    /// not looked at, and no link is followed.
    pub(super) fn in_any_case(&self, relative: &Path) -> Option<PathBuf> {
        // What climbs is nobody's other spelling.
        if !relative.components().all(|it| matches!(it, Component::Normal(_))) {
            return None;
        }
        let mut found = PathBuf::new();
        for part in relative {
            let exact = found.join(part);
            found = match self.metadata(&exact) {
                Ok(_) => exact,
                Err(_) => self.only_like(&found, part)?,
            };
            if self.metadata(&found).is_ok_and(|it| it.kind == Kind::Link) {
                return None;
            }
        }
        Some(found)
    }

    fn only_like(&self, folder: &Path, name: &OsStr) -> Option<PathBuf> {
        let mut walk = self.walk(folder);
        let entries = walk.max_depth(Some(1)).build().skip(1).take(SEEN).filter_map(Result::ok);
        let like = entries.filter(|it| it.file_name().eq_ignore_ascii_case(name));
        let mut like = like.map(|it| folder.join(it.file_name())).filter(|it| !self.is_hidden(it));
        let one = like.next()?;
        like.next().is_none().then_some(one)
    }
}

/// Whether a path ends in the parts of another, whatever their case: `src/main.rs` in `main.rs`, and in `main`.
fn ends_like(path: &Path, end: &Path) -> bool {
    let (path, end): (Vec<_>, Vec<_>) = (path.iter().rev().collect(), end.iter().rev().collect());
    path.len() >= end.len() && path.iter().zip(&end).all(|(one, two)| is_called(one, two))
}

/// Whether people may call a file so: by its name, or by its name without the ending.
fn is_called(file: &OsStr, name: &OsStr) -> bool {
    let stem = Path::new(file).file_stem().filter(|_| Path::new(name).extension().is_none());
    file.eq_ignore_ascii_case(name) || stem.is_some_and(|it| it.eq_ignore_ascii_case(name))
}
