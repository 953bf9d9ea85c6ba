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
    Absent, Found, Mark, Place, closed, mark,
    ways::{Named, named, of_every_repository, text, way},
};

/// How many files of settings are read for one repository.
const SETTINGS: usize = 64;

/// One look through a workspace.
pub(super) struct Look<'a> {
    pub(super) root: &'a Path,
    pub(super) handle: &'a OwnedFd,
    pub(super) found: Vec<Found>,
    pub(super) absent: Vec<Absent>,
    /// Folders to look into, and by which things other programs come to them.
    pub(super) next: Vec<(PathBuf, Place, Vec<PathBuf>)>,
    /// Steering folders that are looked into, or will be.
    pub(super) inside: HashSet<PathBuf>,
}

impl<'a> Look<'a> {
    pub(super) fn new(root: &'a Path, handle: &'a OwnedFd) -> Self {
        let (found, absent, next) = (Vec::new(), Vec::new(), Vec::new());
        Self { root, handle, found, absent, next, inside: HashSet::new() }
    }

    /// Adds what is at a path, if something is, and what it leads to.
    pub(super) fn add(&mut self, path: &Path, through: &[PathBuf]) -> io::Result<()> {
        let Ok(mark) = mark(self.handle, path) else { return self.add_closed(path, through) };
        let Some(mark) = mark else {
            let absent = |by: &PathBuf| Absent { path: path.to_owned(), through: by.clone() };
            self.absent.extend(through.last().map(absent));
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

    /// Adds what the settings of a repository name in the workspace: hooks, further settings, and the
    /// files of programs.
    pub(super) fn add_named(&mut self, repository: &Path) -> io::Result<()> {
        let home = std::env::home_dir();
        let mut files = vec![repository.join("config"), repository.join("config.worktree")];
        files.extend(home.iter().flat_map(|home| of_every_repository(home)));
        let mut read = HashSet::new();
        while let Some(file) = files.pop().filter(|_| read.len() < SETTINGS) {
            if !read.insert(file.clone()) {
                continue;
            }
            let text = match text(self.root, &file) {
                Ok(text) => text,
                // What is behind its end would steer unseen.
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => return Err(error),
                Err(_) => continue,
            };
            for named in named(&text, home.as_deref()) {
                let from = match &named {
                    Named::Hooks(_) | Named::Program(_) => repository.parent(),
                    Named::Settings(_) => file.parent(),
                };
                let (Named::Hooks(path) | Named::Program(path) | Named::Settings(path)) = &named;
                let (_, meant) = way(&self.root.join(from.unwrap_or(repository)).join(path));
                let Some(Ok(meant)) = meant.as_deref().map(|it| it.strip_prefix(self.root)) else {
                    continue;
                };
                match named {
                    Named::Hooks(_) => self.add(meant, std::slice::from_ref(&file))?,
                    Named::Settings(_) => {
                        self.add(meant, std::slice::from_ref(&file))?;
                        files.push(meant.to_owned());
                    }
                    // A branch or the folder of a submodule may be called the same.
                    Named::Program(_) if is_folder(self.handle, meant) => {}
                    Named::Program(_) => self.add(meant, std::slice::from_ref(&file))?,
                }
            }
        }
        Ok(())
    }
}

fn is_folder(root: &OwnedFd, path: &Path) -> bool {
    path.as_os_str().is_empty()
        || mark(root, path).is_ok_and(|it| it.is_some_and(|it| it.is_folder))
}
