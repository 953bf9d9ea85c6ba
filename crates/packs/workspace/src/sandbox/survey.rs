//! [`Survey`]: where in a workspace the things are that steer other programs.

use std::{
    collections::HashMap,
    ffi::{OsStr, OsString},
    io,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustix::{
    fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, Stat},
    io::Errno,
};

use super::look::Look;
use crate::steering::{is_git, is_gits_work, is_held, plain, steers};

/// How old the last change of a folder must be for what was read of it to be remembered: clocks of
/// file systems are coarse.
const SETTLED: Duration = Duration::from_millis(100);

/// A thing that steers other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// From the root.
    pub(super) path: PathBuf,
    pub(super) mark: Mark,
    /// The steering folders and links, in their order, by which other programs come to it. None where
    /// it steers by its own name.
    pub(super) through: Vec<PathBuf>,
}

/// Which thing it is, and how it was when it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) device: u64,
    pub(super) number: u64,
    /// When it was last changed in any way, in nanoseconds.
    pub(super) changed: i128,
    pub(super) is_folder: bool,
    pub(super) is_link: bool,
    /// Whether the same file has another name, too.
    pub(super) has_other_names: bool,
}

impl From<&Stat> for Mark {
    fn from(stat: &Stat) -> Self {
        let kind = FileType::from_raw_mode(stat.st_mode);
        Self {
            device: stat.st_dev,
            number: stat.st_ino,
            changed: changed(stat),
            is_folder: kind == FileType::Directory,
            is_link: kind == FileType::Symlink,
            has_other_names: kind == FileType::RegularFile && stat.st_nlink > 1,
        }
    }
}

fn changed(stat: &Stat) -> i128 {
    i128::from(stat.st_ctime) * 1_000_000_000 + i128::from(stat.st_ctime_nsec)
}

/// Looks through a workspace, and remembers folders that do not change.
#[derive(Default)]
pub(crate) struct Survey {
    known: Mutex<HashMap<(u64, u64, Place), Read>>,
}

/// What the name of a folder and those around it say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A folder like any other.
    Anywhere,
    /// One of those in which other names count.
    GitHub,
    Mercurial,
    /// A repository, by its name.
    Repository,
    /// What git keeps of the work itself. Plain files and folders are data; what is a link, or
    /// anything else, has git write or delete elsewhere.
    Data,
    /// In a folder that steers as a whole: only what leads out of it is looked for.
    Steering,
}

/// What a folder has in it.
#[derive(Clone, Default)]
struct Read {
    changed: i128,
    /// Folders to look into.
    folders: Vec<(OsString, Place)>,
    steering: Vec<OsString>,
    /// Files of a folder that steers as a whole: each may have a second name elsewhere.
    files: Vec<OsString>,
    /// Whether git takes it for a repository.
    is_repository: bool,
}

impl Read {
    /// Adds what is, by its name, git's data.
    fn data(&mut self, name: OsString, kind: FileType) {
        match kind {
            FileType::RegularFile => {}
            FileType::Directory => self.folders.push((name, Place::Data)),
            _ => self.steering.push(name),
        }
    }

    /// Adds what is in a folder that steers as a whole.
    fn inside(&mut self, name: OsString, kind: FileType) {
        match kind {
            FileType::RegularFile => self.files.push(name),
            FileType::Directory => self.folders.push((name, Place::Steering)),
            FileType::Symlink => self.steering.push(name),
            _ => {}
        }
    }
}

impl Survey {
    /// Everything in the workspace that steers other programs, and `protected`, with what links in the
    /// place of such things lead to.
    ///
    /// What cannot be looked into is taken for such a thing.
    pub(super) fn look(
        &self,
        root: &Path,
        handle: &OwnedFd,
        protected: &[PathBuf],
    ) -> io::Result<Vec<Found>> {
        let mut found = self.see(root, handle, protected)?.found;
        found.sort_by(|a, b| (&a.path, &a.through).cmp(&(&b.path, &b.through)));
        found.dedup_by(|a, b| (&a.path, &a.through) == (&b.path, &b.through));
        Ok(found)
    }

    /// Why a change at a path, from the root, would steer other programs, if it would: something that
    /// steers is there or leads there, or a repository has it. Nothing need be at the path yet.
    pub(crate) fn steered(
        &self,
        root: &Path,
        handle: &OwnedFd,
        path: &Path,
    ) -> io::Result<Option<String>> {
        let seen = self.see(root, handle, &[])?;
        let (found, absent) = (seen.found.iter(), seen.absent.iter());
        let ends = found.map(|it| (&it.path, &it.through)).chain(absent.map(|(at, by)| (at, by)));
        let mut ends = ends.filter(|(end, _)| path.starts_with(end));
        if let Some((_, through)) = ends.next() {
            return Ok(Some(match through.last() {
                Some(by) => format!("is what {} leads other programs to", by.display()),
                None => "steers other programs".to_owned(),
            }));
        }
        let is_in = |at: &&PathBuf| {
            let below = path.strip_prefix(at).ok().and_then(|it| it.iter().next());
            below.is_some_and(|name| !is_data(&plain(&name.to_string_lossy())))
        };
        let repository = seen.repositories.iter().find(is_in);
        Ok(repository.map(|at| format!("is in the repository {}: git runs by it", at.display())))
    }

    fn see<'a>(
        &self,
        root: &'a Path,
        handle: &'a OwnedFd,
        protected: &[PathBuf],
    ) -> io::Result<Look<'a>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = HashMap::with_capacity(known.len());
        let mut look = Look::new(root, handle);
        look.next.push((PathBuf::new(), Place::Anywhere, Vec::new()));
        for path in protected {
            look.add(path, &[])?;
        }
        while let Some((path, place, through)) = look.next.pop() {
            let folder = match open(handle, &path) {
                Ok(folder) => folder,
                // It is gone, or something else is in its place: whoever did that is looked after.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => continue,
                Err(Errno::ACCESS) if !path.as_os_str().is_empty() => {
                    look.add_closed(&path, &through)?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let stat = rustix::fs::fstat(&folder)?;
            let key = (stat.st_dev, stat.st_ino, place);
            let read = match known.remove(&key) {
                Some(read) if read.changed == changed(&stat) => read,
                _ => match read(&folder, place, &stat) {
                    // Its names may be read, and nothing else.
                    Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                        look.add_closed(&path, &through)?;
                        continue;
                    }
                    read => read?,
                },
            };
            for name in &read.steering {
                look.add(&path.join(name), &through)?;
            }
            look.add_shared(&folder, &path, &read.files, &through);
            if read.is_repository {
                look.add_named(&path)?;
                look.repositories.push(path.clone());
            }
            let folders = read.folders.iter();
            look.next
                .extend(folders.map(|(name, place)| (path.join(name), *place, through.clone())));
            if is_settled(&stat) {
                seen.insert(key, read);
            }
        }
        *known = seen;
        drop(known);
        Ok(look)
    }
}

/// Whether a thing of this plain name, in a repository's folder itself, steers nothing by itself.
fn is_data(name: &str) -> bool {
    is_held(name) || is_gits_work(name) || matches!(name, "modules" | "worktrees")
}

fn is_settled(stat: &Stat) -> bool {
    let since = u64::try_from(stat.st_ctime).ok().map(|it| UNIX_EPOCH + Duration::from_secs(it));
    let age = since.and_then(|it| SystemTime::now().duration_since(it).ok());
    // The second has begun to count before the change.
    age.is_some_and(|age| age > SETTLED + Duration::from_secs(1))
}

/// Opens a folder below the root, following no link.
pub(super) fn open(root: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    reach(root, path, OFlags::RDONLY | OFlags::DIRECTORY)
}

pub(super) fn reach(root: &OwnedFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let walls = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    loop {
        match rustix::fs::openat2(root, path, flags, Mode::empty(), walls) {
            Err(Errno::INTR | Errno::AGAIN) => {}
            opened => return opened,
        }
    }
}

/// What is at a path now, if something is.
pub(super) fn mark(root: &OwnedFd, path: &Path) -> io::Result<Option<Mark>> {
    match reach(root, path, OFlags::PATH) {
        Ok(opened) => Ok(Some(Mark::from(&rustix::fs::fstat(opened)?))),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The lowest folder on the way to what may not be looked at.
pub(super) fn closed(root: &OwnedFd, path: &Path) -> io::Result<Option<(PathBuf, Mark)>> {
    for above in path.ancestors().take_while(|it| !it.as_os_str().is_empty()) {
        match mark(root, above) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            mark => return Ok(mark?.map(|mark| (above.to_owned(), mark))),
        }
    }
    Err(io::ErrorKind::PermissionDenied.into())
}

fn read(folder: &OwnedFd, place: Place, stat: &Stat) -> io::Result<Read> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
        if name == "." || name == ".." {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => {
                let stat = rustix::fs::statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW);
                stat.map_or(FileType::Unknown, |it| FileType::from_raw_mode(it.st_mode))
            }
            kind => kind,
        };
        let plain = plain(&name.to_string_lossy());
        names.push((name, plain, kind));
    }
    let has = |name: &str| names.iter().any(|(_, plain, _)| plain == name);
    // Git takes any folder with these for a repository.
    let is_inside = matches!(place, Place::Data | Place::Steering);
    let is_repository = place == Place::Repository
        || (!is_inside && has("head") && (has("commondir") || (has("objects") && has("refs"))));
    let mut read = Read { changed: changed(stat), is_repository, ..Read::default() };
    for (name, plain, kind) in names {
        let is_folder = kind == FileType::Directory;
        match place {
            Place::Data => {
                read.data(name, kind);
                continue;
            }
            Place::Steering => {
                read.inside(name, kind);
                continue;
            }
            _ => {}
        }
        let around = match place {
            Place::GitHub => ".github",
            Place::Mercurial => ".hg",
            _ => "",
        };
        match (is_repository, plain.as_str()) {
            // Other repositories are in these.
            (true, "modules" | "worktrees") if is_folder => {
                read.folders.push((name, Place::Anywhere));
            }
            (true, plain) if is_held(plain) => {}
            (true, plain) if is_gits_work(plain) => read.data(name, kind),
            (true, _) => read.steering.push(name),
            (false, plain) if is_git(plain) && is_folder => {
                read.folders.push((name, Place::Repository));
            }
            (false, plain) if steers(around, plain).is_some() => read.steering.push(name),
            (false, ".github") if is_folder => read.folders.push((name, Place::GitHub)),
            (false, ".hg") if is_folder => read.folders.push((name, Place::Mercurial)),
            (false, _) if is_folder => read.folders.push((name, Place::Anywhere)),
            (false, _) => {}
        }
    }
    Ok(read)
}
