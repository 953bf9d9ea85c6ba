//! [`Guarded`]: what commands may not change in the workspace, or not even see.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    fs, io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};

use super::Held;
use crate::{Settings, steering::AGENTS};

/// What decides what other programs run, in every workspace.
const PROTECTED: &[&str] = &[
    ".git/hooks",
    ".git/config",
    ".git/config.worktree",
    ".git/modules",
    ".git/info",
    ".toolwright",
    ".mcp.json",
    ".vscode/tasks.json",
    "toolwright.toml",
];

/// What commands may not change in the workspace, or not even see.
pub(super) struct Guarded {
    root: PathBuf,
    /// From the root.
    protected: Vec<PathBuf>,
    /// In the workspace, or in what else can be read.
    hidden: Vec<PathBuf>,
}

/// What was there before a command, and what bubblewrap is told about it.
#[derive(Default)]
pub(super) struct Before {
    pub(super) arguments: Vec<OsString>,
    names: Vec<PathBuf>,
    known: BTreeMap<PathBuf, Known>,
}

enum Known {
    Absent,
    Link(PathBuf),
}

/// How a path is mounted over, so that it stays what it is.
#[derive(Default)]
struct Mounts {
    /// Folders with something guarded in them: what is mounted cannot be renamed.
    pinned: BTreeSet<PathBuf>,
    /// What may be read.
    fixed: BTreeSet<PathBuf>,
    /// What may not even be seen.
    hidden: BTreeSet<PathBuf>,
}

impl Guarded {
    pub(super) fn new(root: &Path, settings: &Settings) -> Self {
        let below = |path: &PathBuf| {
            let path = if path.is_absolute() { path.clone() } else { root.join(path) };
            path.strip_prefix(root).map(Path::to_owned).ok()
        };
        let protected = settings.protected.iter().filter_map(below);
        let visible = |path: &PathBuf| {
            path.starts_with(root) || settings.readable.iter().any(|open| path.starts_with(open))
        };
        let hidden = settings.hidden.iter().chain([&settings.scratch]);
        let hidden = hidden.flat_map(|path| [path.canonicalize().ok(), Some(path.clone())]);
        Self {
            root: root.to_owned(),
            protected: PROTECTED
                .iter()
                .chain(&AGENTS)
                .map(PathBuf::from)
                .chain(protected)
                .collect(),
            hidden: hidden.flatten().filter(visible).collect(),
        }
    }

    /// Looks at what is there now.
    pub(super) fn look(&self) -> Before {
        let mut before = Before::default();
        let mut mounts = Mounts::default();
        let mut names = self.protected.clone();
        let mut next = 0;
        while let Some(name) = names.get(next).cloned() {
            next += 1;
            if let Some(meant) = self.note(&name, &mut before, &mut mounts)
                && !names.contains(&meant)
            {
                names.push(meant);
            }
        }
        for path in &self.hidden {
            if path.symlink_metadata().is_ok() {
                let above = path.ancestors().skip(1).take_while(|it| **it != self.root);
                mounts
                    .pinned
                    .extend(above.filter(|it| it.starts_with(&self.root)).map(Path::to_owned));
                mounts.hidden.insert(path.clone());
            }
        }
        before.names = names;
        before.arguments = mounts.arguments();
        before
    }

    /// Takes note of one name, down from the root. Returns what it really means where links are in
    /// it, and that is in the workspace too.
    fn note(&self, name: &Path, before: &mut Before, mounts: &mut Mounts) -> Option<PathBuf> {
        let mut path = PathBuf::new();
        for part in name {
            path.push(part);
            let full = self.root.join(&path);
            let Ok(found) = full.symlink_metadata() else {
                before.known.insert(path, Known::Absent);
                return None;
            };
            if found.is_symlink() {
                let target = fs::read_link(&full).unwrap_or_default();
                before.known.insert(path, Known::Link(target));
                let meant = self.root.join(name).canonicalize().ok()?;
                return meant.strip_prefix(&self.root).map(Path::to_owned).ok();
            }
            if path == name || !found.is_dir() {
                mounts.fixed.insert(full);
                return None;
            }
            mounts.pinned.insert(full);
        }
        None
    }

    /// Puts aside what a command made that was not there before. No process of it may be left.
    pub(super) fn hold(&self, before: &Before) -> Vec<Held> {
        let mut held: Vec<Held> = Vec::new();
        for name in &before.names {
            match self.find(name, before) {
                Ok(Some((folder, path))) if !held.iter().any(|it| path == *it.was) => {
                    let now = put_aside(&folder, &path).map_err(|error| error.to_string());
                    held.push(Held { was: path.display().to_string(), now });
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, name = %name.display(), "could not be looked at");
                }
            }
        }
        held
    }

    /// What is new of a name, and the folder it is in: the name itself, or a link or file in the
    /// place of a folder above it.
    fn find(&self, name: &Path, before: &Before) -> io::Result<Option<(OwnedFd, PathBuf)>> {
        let mut folder = open(rustix::fs::CWD, self.root.as_os_str())?;
        let mut path = PathBuf::new();
        let mut is_new = false;
        for part in name {
            path.push(part);
            let found = match rustix::fs::statat(&folder, part, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(found) => FileType::from_raw_mode(found.st_mode),
                Err(rustix::io::Errno::NOENT) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            is_new |= match before.known.get(&path) {
                Some(Known::Absent) => true,
                Some(Known::Link(to)) => {
                    // The same link was there before, and what it means has its own name.
                    let same = rustix::fs::readlinkat(&folder, part, Vec::new())
                        .is_ok_and(|it| it.as_bytes() == to.as_os_str().as_encoded_bytes());
                    if same {
                        return Ok(None);
                    }
                    return Ok(Some((folder, path)));
                }
                None => false,
            };
            if path == name || found != FileType::Directory {
                return Ok(is_new.then_some((folder, path)));
            }
            folder = open(&folder, part)?;
        }
        Ok(None)
    }
}

impl Mounts {
    fn arguments(self) -> Vec<OsString> {
        let Self { mut pinned, mut fixed, hidden } = self;
        let covered = |path: &Path, all: &BTreeSet<PathBuf>| {
            path.ancestors().skip(1).any(|above| all.contains(above))
        };
        let all = fixed.clone();
        fixed.retain(|path| !covered(path, &all));
        pinned.retain(|path| !fixed.contains(path) && !covered(path, &fixed));
        let mut arguments = Vec::new();
        let mut mount = |parts: [&OsStr; 3]| arguments.extend(parts.map(OsStr::to_owned));
        // A folder comes before what is in it.
        for path in &pinned {
            mount(["--bind".as_ref(), path.as_ref(), path.as_ref()]);
        }
        for path in &fixed {
            mount(["--ro-bind".as_ref(), path.as_ref(), path.as_ref()]);
        }
        for path in hidden.iter().filter(|path| !covered(path, &hidden)) {
            if path.is_dir() {
                mount(["--size".as_ref(), "4096".as_ref(), "--tmpfs".as_ref()]);
                mount([path.as_ref(), "--remount-ro".as_ref(), path.as_ref()]);
            } else {
                mount(["--ro-bind".as_ref(), "/dev/null".as_ref(), path.as_ref()]);
            }
        }
        arguments
    }
}

fn open(at: impl std::os::fd::AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(at, name, flags, Mode::empty())?)
}

/// Renames the last part of `path`, which is in `folder`, without replacing anything.
fn put_aside(folder: &OwnedFd, path: &Path) -> io::Result<String> {
    let name = path.file_name().unwrap_or_default();
    let mut tries = 0;
    loop {
        let mut new = name.to_owned();
        new.push(".held");
        if tries > 0 {
            new.push(format!("-{:08x}", fastrand::u32(..)));
        }
        match rustix::fs::renameat_with(folder, name, folder, &new, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(path.with_file_name(new).display().to_string()),
            Err(rustix::io::Errno::EXIST) if tries < 8 => tries += 1,
            Err(error) => return Err(error.into()),
        }
    }
}
