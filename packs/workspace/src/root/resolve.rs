//! [`Resolved`]: a typed path with its links followed by hand, below the handle.

use std::{
    ffi::OsString,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

use super::{Kind, PathError, Root};

/// The most bytes of a path.
const LENGTH: usize = 4096;
/// The most bytes of one name.
const NAME: usize = 255;
/// The most parts of a path.
const DEPTH: usize = 256;
/// The most links that one path may go through, as many as the kernel follows.
const LINKS: usize = 40;

/// A typed path with its links followed.
pub(super) struct Resolved {
    /// The real path below the root, as far as it exists.
    pub(super) real: PathBuf,
    /// The parts behind it that do not.
    pub(super) missing: Vec<OsString>,
    /// The links that were followed on the way, below the root.
    pub(super) links: Vec<PathBuf>,
}

impl Root {
    pub(super) fn resolve(&self, typed: &str) -> Result<Resolved, PathError> {
        let below = self.below(typed)?;
        let is_plain = below.components().all(|part| matches!(part, Component::Normal(_)));
        // Nearly every path: nothing is followed on the way to it, so it is real already.
        if is_plain && self.metadata(&below).is_ok_and(|it| it.kind != Kind::Link) {
            return Ok(Resolved { real: below, missing: Vec::new(), links: Vec::new() });
        }
        let mut walk =
            Walk { root: self, typed, real: PathBuf::new(), rest: Vec::new(), links: Vec::new() };
        walk.put(&below);
        walk.finish()
    }

    /// The path below the root, as it was typed.
    pub(super) fn below(&self, typed: &str) -> Result<PathBuf, PathError> {
        if typed.is_empty() {
            return Err(PathError::Empty);
        }
        if typed.contains('\0') {
            return Err(PathError::Nul);
        }
        let too_long = |what, len, most| Err(PathError::TooLong { what, len, most });
        if typed.len() > LENGTH {
            return too_long("it", typed.len(), LENGTH);
        }
        let path = Path::new(typed);
        if let Some(name) = path.iter().find(|name| name.len() > NAME) {
            return too_long("a name in it", name.len(), NAME);
        }
        let below = if path.has_root() || path.is_absolute() {
            path.strip_prefix(&self.path).map_err(|_| self.outside(typed))?
        } else {
            path
        };
        let depth = below.components().count();
        if depth > DEPTH {
            return Err(PathError::TooDeep { depth, most: DEPTH });
        }
        // Without the parts that mean nothing.
        Ok(below.components().filter(|part| *part != Component::CurDir).collect())
    }

    fn outside(&self, typed: &str) -> PathError {
        PathError::Outside { typed: typed.to_owned(), root: self.path.clone() }
    }
}

/// A path that is being followed.
struct Walk<'a> {
    root: &'a Root,
    typed: &'a str,
    real: PathBuf,
    /// What comes next, the next last.
    rest: Vec<OsString>,
    links: Vec<PathBuf>,
}

impl Walk<'_> {
    fn put(&mut self, path: &Path) {
        let parts = path.components().rev().filter(|part| *part != Component::CurDir);
        self.rest.extend(parts.map(|part| part.as_os_str().to_owned()));
    }

    fn finish(mut self) -> Result<Resolved, PathError> {
        while let Some(part) = self.rest.pop() {
            match Path::new(&part).components().next() {
                Some(Component::Normal(_)) => {}
                Some(Component::ParentDir) if self.real.pop() => continue,
                _ => return Err(self.root.outside(self.typed)),
            }
            let next = self.real.join(&part);
            match self.root.metadata(&next) {
                Ok(entry) if entry.kind == Kind::Link => self.follow(&next)?,
                Ok(entry) if entry.kind != Kind::Folder && !self.rest.is_empty() => {
                    let path = self.root.path.join(next);
                    return Err(PathError::NoFolder { path, kind: entry.kind.words() });
                }
                Ok(_) => self.real = next,
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    self.rest.push(part);
                    self.rest.reverse();
                    return Ok(Resolved { real: self.real, missing: self.rest, links: self.links });
                }
                Err(reason) => {
                    return Err(PathError::System { path: self.root.path.join(next), reason });
                }
            }
        }
        Ok(Resolved { real: self.real, missing: Vec::new(), links: self.links })
    }

    /// Goes where a link points, from the folder that it is in.
    fn follow(&mut self, link: &Path) -> Result<(), PathError> {
        let path = self.root.path.join(link);
        self.links.push(link.to_owned());
        if self.links.len() > LINKS {
            return Err(PathError::Loops { link: path });
        }
        let target = match self.root.folder.read_link(link) {
            Ok(target) => target,
            Err(reason) => return Err(PathError::System { path, reason }),
        };
        if !target.has_root() && !target.is_absolute() {
            // Climbing above the root is found out on the way; it is the link that does it.
            let depth = link.components().count().saturating_sub(1);
            if climbs(&target) > depth {
                return Err(PathError::LeadsOutside { link: path, root: self.root.path.clone() });
            }
            self.put(&target);
            return Ok(());
        }
        let Ok(below) = target.strip_prefix(&self.root.path) else {
            return Err(PathError::LeadsOutside { link: path, root: self.root.path.clone() });
        };
        self.real = PathBuf::new();
        self.put(below);
        Ok(())
    }
}

/// How many folders up a path begins.
fn climbs(path: &Path) -> usize {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    parts.take_while(|part| *part == Component::ParentDir).count()
}
