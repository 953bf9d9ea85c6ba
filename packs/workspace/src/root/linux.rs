//! [`Folder`]: the handle of a folder, through which the kernel reaches what is below it.

use std::{
    ffi::OsStr,
    fs::File,
    io,
    os::{
        fd::OwnedFd,
        unix::ffi::{OsStrExt as _, OsStringExt as _},
    },
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, ResolveFlags},
    io::{Errno, retry_on_intr},
};

use super::{Entry, attributes, entry::Access};

/// The handle of a folder. Every path is one below it, and no link is followed in any part of it.
pub(crate) struct Folder {
    handle: OwnedFd,
    way: Way,
}

/// How a path is gone.
#[derive(Clone, Copy)]
enum Way {
    /// By the kernel, all at once.
    Whole,
    /// Part by part, where the kernel is too old or must not be asked.
    Steps,
}

const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
const LOOK: OFlags = OFlags::PATH;
/// Nothing that is opened may keep us waiting or become our terminal.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);
/// What is written later comes behind what others wrote.
const NEW: OFlags = OFlags::RDWR.union(OFlags::APPEND).union(OFlags::CREATE).union(OFlags::EXCL);

impl Folder {
    /// Opens a folder by its real path in the system.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = FOLDER | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(CWD, path, flags, Mode::empty())?;
        let mut folder = Self { handle, way: Way::Whole };
        if let Err(Errno::NOSYS | Errno::PERM) = folder.reach(Path::new(""), FOLDER, Mode::empty())
        {
            folder.way = Way::Steps;
        }
        Ok(folder)
    }

    /// The handle itself.
    pub(crate) fn handle(&self) -> &OwnedFd {
        &self.handle
    }

    fn reach(&self, relative: &Path, flags: OFlags, mode: Mode) -> rustix::io::Result<OwnedFd> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        let walls = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match self.way {
            Way::Whole => {
                retry_on_intr(|| rustix::fs::openat2(&self.handle, relative, flags, mode, walls))
            }
            Way::Steps => self.step(relative, flags, mode),
        }
    }

    fn step(&self, relative: &Path, flags: OFlags, mode: Mode) -> rustix::io::Result<OwnedFd> {
        let through = FOLDER | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut at: Option<OwnedFd> = None;
        let mut parts = relative.components().peekable();
        while let Some(part) = parts.next() {
            let name = match part {
                Component::Normal(name) => name,
                Component::CurDir => OsStr::new("."),
                _ => return Err(Errno::XDEV),
            };
            let is_last = parts.peek().is_none();
            let (flags, mode) = if is_last { (flags, mode) } else { (through, Mode::empty()) };
            let from = at.as_ref().unwrap_or(&self.handle);
            at = Some(retry_on_intr(|| rustix::fs::openat(from, name, flags, mode))?);
        }
        at.ok_or(Errno::NOENT)
    }

    /// What is there, following no link.
    pub(crate) fn metadata(&self, relative: &Path) -> io::Result<Entry> {
        let found = File::from(self.reach(relative, LOOK, Mode::empty())?);
        Ok(Entry::from(&found.metadata()?))
    }

    /// Where a link points.
    pub(crate) fn read_link(&self, relative: &Path) -> io::Result<PathBuf> {
        let link = self.reach(relative, LOOK, Mode::empty())?;
        let target = rustix::fs::readlinkat(link, "", Vec::new())?;
        Ok(std::ffi::OsString::from_vec(target.into_bytes()).into())
    }

    /// Opens a plain file for reading.
    pub(crate) fn open_file(&self, relative: &Path) -> io::Result<File> {
        // A device may do something by being opened: it is looked at first.
        self.metadata(relative)?.must_be_file()?;
        let file = File::from(self.reach(relative, READ, Mode::empty())?);
        Entry::from(&file.metadata()?).must_be_file()?;
        Ok(file)
    }

    /// A folder in it.
    pub(crate) fn folder(&self, relative: &Path) -> io::Result<Self> {
        Ok(Self { handle: self.reach(relative, FOLDER, Mode::empty())?, way: self.way })
    }

    /// Makes a folder in it.
    pub(crate) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.handle, single(name)?, Mode::from_raw_mode(0o777))?)
    }

    /// Makes a file in it, for reading and writing at its end; where there is something of that name it is an error.
    pub(crate) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        Ok(self.reach(Path::new(single(name)?), NEW, Mode::from_raw_mode(mode))?.into())
    }

    /// Gives a file what the one has whose place it takes: owner, rights, access lists, attributes.
    pub(crate) fn take_over(old: &File, new: &File, access: Access) -> io::Result<()> {
        attributes::keep(old, new, access)
    }

    /// Exchanges two files, at once. `Unsupported` where the file system cannot.
    pub(crate) fn exchange(&self, one: &OsStr, other: &OsStr) -> io::Result<()> {
        let (one, other, at) = (single(one)?, single(other)?, &self.handle);
        match rustix::fs::renameat_with(at, one, at, other, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS) => Err(io::ErrorKind::Unsupported.into()),
            done => Ok(done?),
        }
    }

    /// Puts a file in the place of another.
    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.handle, single(from)?, &self.handle, single(to)?)?)
    }

    /// Gives a file its name, where nothing has it.
    pub(crate) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let (from, to) = (single(from)?, single(to)?);
        let (at, flags) = (&self.handle, RenameFlags::NOREPLACE);
        match rustix::fs::renameat_with(at, from, at, to, flags) {
            // Not every file system can.
            Err(Errno::INVAL | Errno::NOSYS) => {
                rustix::fs::linkat(at, from, at, to, AtFlags::empty())?;
                Ok(rustix::fs::unlinkat(at, from, AtFlags::empty())?)
            }
            done => Ok(done?),
        }
    }

    /// Removes a file in it.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, single(name)?, AtFlags::empty())?)
    }

    /// Makes the names in it last.
    pub(crate) fn sync(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        let opened = self.reach(Path::new(""), flags, Mode::empty())?;
        match rustix::fs::fsync(opened) {
            // Not every file system has something to do here.
            Err(Errno::INVAL) => Ok(()),
            done => Ok(done?),
        }
    }
}

/// A name, and not a path: what the calls without walls of their own are given.
fn single(name: &OsStr) -> io::Result<&OsStr> {
    let is_single =
        !name.as_bytes().contains(&b'/') && !matches!(name.as_bytes(), b"" | b"." | b"..");
    if is_single { Ok(name) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(test)]
mod tests {
    use super::{super::Kind, *};

    /// Both ways, on the same folder.
    fn both(path: &Path) -> [Folder; 2] {
        [Way::Whole, Way::Steps].map(|way| Folder { way, ..Folder::open(path).unwrap() })
    }

    #[test]
    fn the_kernel_goes_the_whole_way_here() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Folder::open(dir.path()).unwrap().way, Way::Whole));
    }

    #[test]
    fn neither_way_follows_a_link_or_climbs() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("real")).unwrap();
        std::fs::write(root.join("real/file"), "in").unwrap();
        std::fs::write(dir.path().join("outside"), "out").unwrap();
        std::os::unix::fs::symlink("real", root.join("folder")).unwrap();
        std::os::unix::fs::symlink("real/file", root.join("link")).unwrap();
        for folder in both(&root) {
            assert_eq!(folder.metadata(Path::new("real/file")).unwrap().len, 2);
            assert_eq!(folder.metadata(Path::new("")).unwrap().kind, Kind::Folder);
            assert_eq!(folder.metadata(Path::new("link")).unwrap().kind, Kind::Link);
            assert_eq!(folder.read_link(Path::new("link")).unwrap(), Path::new("real/file"));
            for path in ["link", "folder/file", "../outside", "real/../../outside", "/etc/passwd"] {
                assert!(folder.open_file(Path::new(path)).is_err(), "{path}");
            }
            for name in ["../x", "a/b", "..", ""] {
                assert!(folder.create(OsStr::new(name), 0o600).is_err(), "{name}");
                assert!(folder.remove(OsStr::new(name)).is_err(), "{name}");
            }
        }
    }
}
