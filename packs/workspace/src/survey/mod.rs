//! [`Survey`]: where in a workspace the things are that steer other programs.

mod look;
mod ways;

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

use self::look::Look;
use crate::steering::{is_git, is_gits_work, is_held, is_repository, known_folder, plain, steers};

/// How old the last change of a folder must be for what was read of it to be remembered: clocks of
/// file systems are coarse.
const SETTLED: Duration = Duration::from_millis(100);

/// A thing that steers other programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// From the root.
    pub(crate) path: PathBuf,
    pub(crate) mark: Mark,
    /// The steering folders and links, in their order, by which other programs come to it. None where
    /// it steers by its own name.
    pub(crate) through: Vec<PathBuf>,
}

/// Which thing it is, and how it was when it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) device: u64,
    pub(crate) number: u64,
    /// When it was last changed in any way, in nanoseconds.
    pub(crate) changed: i128,
    pub(crate) is_folder: bool,
    pub(crate) is_link: bool,
    /// Whether the same file has another name, too.
    pub(crate) has_other_names: bool,
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

/// A thing that would steer other programs if it were there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Absent {
    /// From the root.
    pub(crate) path: PathBuf,
    /// The link or the settings that lead to it.
    pub(crate) through: PathBuf,
}

/// What a look through a workspace found.
pub(crate) struct Seen {
    pub(crate) found: Vec<Found>,
    pub(crate) absent: Vec<Absent>,
    /// Why not all of it could be looked at. The rest was.
    pub(crate) failed: Option<io::Error>,
}

/// How long the whole path of a folder may be for it to be looked into. Longer ones can be made and
/// not be named, neither by us nor by whoever mounts them.
const LONGEST: usize = 3 << 10;

/// Looks through a workspace, and remembers folders that do not change.
#[derive(Default)]
pub(crate) struct Survey {
    known: Mutex<HashMap<Key, Read>>,
}

/// What the name of a folder and those around it say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A folder like any other.
    Anywhere,
    /// One in which other names count.
    Known(&'static str),
    /// A repository, by its name.
    Repository,
    /// What git keeps of the work itself. Plain files and folders are data, unless they steer by their
    /// name or are a repository; what is a link, or anything else, has git write or delete elsewhere.
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
    /// What cannot be looked into is taken for such a thing, and keeps nothing else from being seen.
    pub(crate) fn look(&self, root: &Path, handle: &OwnedFd, protected: &[PathBuf]) -> Seen {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = HashMap::with_capacity(known.len());
        let mut look = Look::new(root, handle);
        look.next.push((PathBuf::new(), Place::Anywhere, Vec::new()));
        let mut failed = None;
        for path in protected {
            failed = look.add(path, &[]).err().or(failed);
        }
        while let Some((path, place, through)) = look.next.pop() {
            let (folder, key, read) = match enter(handle, root, &path, place, &mut known) {
                Ok(Some(entered)) => entered,
                // It is gone, or something else is in its place: whoever did that is looked after.
                Ok(None) => continue,
                Err(_) if !path.as_os_str().is_empty() => {
                    failed = look.add_closed(&path, &through).err().or(failed);
                    continue;
                }
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            };
            for name in &read.steering {
                failed = look.add(&path.join(name), &through).err().or(failed);
            }
            look.add_shared(&folder, &path, &read.files, &through);
            if read.is_repository {
                failed = look.add_named(&path).err().or(failed);
            }
            let folders = read.folders.iter();
            look.next
                .extend(folders.map(|(name, place)| (path.join(name), *place, through.clone())));
            if let Some(key) = key {
                seen.insert(key, read);
            }
        }
        *known = seen;
        drop(known);
        let Look { mut found, absent, .. } = look;
        found.sort_by(|a, b| (&a.path, &a.through).cmp(&(&b.path, &b.through)));
        found.dedup_by(|a, b| (&a.path, &a.through) == (&b.path, &b.through));
        Seen { found, absent, failed }
    }
}

/// Which folder something was read of, and as what.
type Key = (u64, u64, Place);

/// Opens a folder and reads what is in it, or remembers it. The key is there where it may be remembered
/// again. Nothing where there is no folder.
fn enter(
    handle: &OwnedFd,
    root: &Path,
    path: &Path,
    place: Place,
    known: &mut HashMap<Key, Read>,
) -> io::Result<Option<(OwnedFd, Option<Key>, Read)>> {
    if root.as_os_str().len() + path.as_os_str().len() > LONGEST {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let folder = match open(handle, path) {
        Ok(folder) => folder,
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let stat = rustix::fs::fstat(&folder)?;
    let key = (stat.st_dev, stat.st_ino, place);
    let read = match known.remove(&key) {
        Some(read) if read.changed == changed(&stat) => read,
        _ => read(&folder, place, &stat)?,
    };
    Ok(Some((folder, is_settled(&stat).then_some(key), read)))
}

fn is_settled(stat: &Stat) -> bool {
    let since = u64::try_from(stat.st_ctime).ok().map(|it| UNIX_EPOCH + Duration::from_secs(it));
    let age = since.and_then(|it| SystemTime::now().duration_since(it).ok());
    // The second has begun to count before the change.
    age.is_some_and(|age| age > SETTLED + Duration::from_secs(1))
}

/// Opens a folder below the root, following no link.
pub(crate) fn open(root: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    reach(root, path, OFlags::RDONLY | OFlags::DIRECTORY)
}

pub(crate) fn reach(root: &OwnedFd, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
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
pub(crate) fn mark(root: &OwnedFd, path: &Path) -> io::Result<Option<Mark>> {
    match reach(root, path, OFlags::PATH) {
        Ok(opened) => Ok(Some(Mark::from(&rustix::fs::fstat(opened)?))),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The lowest thing on the way to what may not or cannot be looked at.
pub(crate) fn closed(root: &OwnedFd, path: &Path) -> io::Result<Option<(PathBuf, Mark)>> {
    let mut failed = io::ErrorKind::PermissionDenied.into();
    for above in path.ancestors().take_while(|it| !it.as_os_str().is_empty()) {
        match mark(root, above) {
            Err(error) => failed = error,
            Ok(mark) => return Ok(mark.map(|mark| (above.to_owned(), mark))),
        }
    }
    Err(failed)
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
    let is_repository =
        place == Place::Repository || (place != Place::Steering && is_repository(has));
    let mut read = Read { changed: changed(stat), is_repository, ..Read::default() };
    for (name, plain, kind) in names {
        let is_folder = kind == FileType::Directory;
        if place == Place::Steering {
            read.inside(name, kind);
            continue;
        }
        let around = match place {
            Place::Known(folder) => folder,
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
            // Whoever links to it from elsewhere finds there what anybody may put there.
            (false, _) if place == Place::Data => read.data(name, kind),
            (false, plain) if is_folder => {
                let place = known_folder(plain).map_or(Place::Anywhere, Place::Known);
                read.folders.push((name, place));
            }
            (false, _) => {}
        }
    }
    Ok(read)
}
