//! [`Look`]: one look through a workspace, from what steers to what that leads to.

use std::{
    collections::HashSet,
    ffi::OsString,
    io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use rustix::fs::AtFlags;

use super::{
    survey::{Found, Mark, Place, closed, mark},
    ways::{Named, named, text, way},
};

/// How many files of settings are read for one repository.
const SETTINGS: usize = 64;

/// One look through a workspace.
pub(super) struct Look<'a> {
    pub(super) root: &'a Path,
    pub(super) handle: &'a OwnedFd,
    pub(super) found: Vec<Found>,
    /// What something that steers leads to where nothing is yet, and by which things.
    pub(super) absent: Vec<(PathBuf, Vec<PathBuf>)>,
    /// What git takes for a repository.
    pub(super) repositories: Vec<PathBuf>,
    /// Folders to look into, and by which things other programs come to them.
    pub(super) next: Vec<(PathBuf, Place, Vec<PathBuf>)>,
    /// Steering folders that are looked into, or will be.
    pub(super) inside: HashSet<PathBuf>,
}

impl<'a> Look<'a> {
    pub(super) fn new(root: &'a Path, handle: &'a OwnedFd) -> Self {
        Self {
            root,
            handle,
            found: Vec::new(),
            absent: Vec::new(),
            repositories: Vec::new(),
            next: Vec::new(),
            inside: HashSet::new(),
        }
    }

    /// Adds what is at a path, if something is, and what it leads to.
    pub(super) fn add(&mut self, path: &Path, through: &[PathBuf]) -> io::Result<()> {
        let mark = match mark(self.handle, path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return self.add_closed(path, through);
            }
            mark => mark?,
        };
        let Some(mark) = mark else {
            self.absent.push((path.to_owned(), through.to_vec()));
            return Ok(());
        };
        if mark.is_folder && !path.as_os_str().is_empty() && self.inside.insert(path.to_owned()) {
            let through = through.iter().cloned().chain([path.to_owned()]).collect();
            self.next.push((path.to_owned(), Place::Steering, through));
        }
        self.found.push(Found { path: path.to_owned(), mark, through: through.to_vec() });
        if mark.is_link { self.follow(path, through) } else { Ok(()) }
    }

    pub(super) fn add_closed(&mut self, path: &Path, through: &[PathBuf]) -> io::Result<()> {
        let found = closed(self.handle, path)?;
        self.found.extend(found.map(|(path, mark)| Found {
            path,
            mark,
            through: through.to_vec(),
        }));
        Ok(())
    }

    /// Adds every link on the way from one, and what the last of them means.
    fn follow(&mut self, link: &Path, through: &[PathBuf]) -> io::Result<()> {
        let (links, meant) = way(&self.root.join(link));
        let mut through = through.to_vec();
        through.push(link.to_owned());
        let links = links.iter().filter_map(|it| it.strip_prefix(self.root).ok());
        for next in links.filter(|it| *it != link) {
            if let Some(mark) = mark(self.handle, next)? {
                self.found.push(Found { path: next.to_owned(), mark, through: through.clone() });
                through.push(next.to_owned());
            }
        }
        match meant.as_deref().map(|it| it.strip_prefix(self.root)) {
            Some(Ok(meant)) => self.add(meant, &through),
            // Nobody gets there, or no command does.
            None | Some(Err(_)) => Ok(()),
        }
    }

    /// Adds the files of a steering folder that have a second name.
    pub(super) fn add_shared(
        &mut self,
        folder: &OwnedFd,
        at: &Path,
        files: &[OsString],
        through: &[PathBuf],
    ) {
        for name in files {
            let Ok(stat) = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
                continue;
            };
            let mark = Mark::from(&stat);
            if mark.has_other_names {
                self.found.push(Found { path: at.join(name), mark, through: through.to_vec() });
            }
        }
    }

    /// Adds what the settings of a repository name in the workspace: hooks, and further settings.
    pub(super) fn add_named(&mut self, repository: &Path) -> io::Result<()> {
        let mut files = vec![repository.join("config"), repository.join("config.worktree")];
        let mut read = HashSet::new();
        while let Some(file) = files.pop().filter(|_| read.len() < SETTINGS) {
            if !read.insert(file.clone()) {
                continue;
            }
            let Ok(text) = text(self.root, &file) else { continue };
            for named in named(&text) {
                let from = match &named {
                    Named::Hooks(_) => repository.parent(),
                    Named::Settings(_) => file.parent(),
                };
                let (Named::Hooks(path) | Named::Settings(path)) = &named;
                let (_, meant) = way(&self.root.join(from.unwrap_or(repository)).join(path));
                if let Some(Ok(meant)) = meant.as_deref().map(|it| it.strip_prefix(self.root)) {
                    self.add(meant, std::slice::from_ref(&file))?;
                    files.push(meant.to_owned());
                }
            }
        }
        Ok(())
    }
}
