//! [`Folder`]: the handle of a folder, on systems without Linux' ways.
//!
//! `cap-std` keeps every path below the handle. It follows links that stay there, so each part is
//! looked at first: that no link is followed is not certain while something swaps files, but
//! nothing outside is reached.
#![cfg_attr(target_os = "linux", allow(dead_code, reason = "only tried out here"))]

use std::{
    ffi::OsStr,
    fs::File,
    io,
    path::{Component, Path, PathBuf},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, OpenOptions},
};

use super::{Entry, entry::Access};

/// The handle of a folder. Every path is one below it.
pub(crate) struct Folder(Dir);

impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(Dir::open_ambient_dir(path, ambient_authority())?))
    }

    /// The path, if no part of it but the last is a link.
    fn real<'a>(&self, relative: &'a Path) -> io::Result<&'a Path> {
        if relative.as_os_str().is_empty() {
            return Ok(Path::new("."));
        }
        let mut parents: Vec<&Path> = relative.ancestors().skip(1).collect();
        parents.retain(|it| !it.as_os_str().is_empty());
        for parent in parents.into_iter().rev() {
            if self.0.symlink_metadata(parent)?.is_symlink() {
                return Err(io::Error::other("a folder on the way is a link"));
            }
        }
        Ok(relative)
    }

    pub(crate) fn metadata(&self, relative: &Path) -> io::Result<Entry> {
        let found = self.0.symlink_metadata(self.real(relative)?)?;
        Ok(Entry::from(&found))
    }

    pub(crate) fn read_link(&self, relative: &Path) -> io::Result<PathBuf> {
        self.0.read_link_contents(self.real(relative)?)
    }

    pub(crate) fn open_file(&self, relative: &Path) -> io::Result<File> {
        self.metadata(relative)?.must_be_file()?;
        let file = self.0.open(relative)?.into_std();
        Entry::from(&file.metadata()?).must_be_file()?;
        Ok(file)
    }

    pub(crate) fn folder(&self, relative: &Path) -> io::Result<Self> {
        let relative = self.real(relative)?;
        if self.0.symlink_metadata(relative)?.is_symlink() {
            return Err(io::Error::other("it is a link"));
        }
        Ok(Self(self.0.open_dir(relative)?))
    }

    pub(crate) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        self.0.create_dir(single(name)?)
    }

    pub(crate) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create_new(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::mode(&mut options, mode);
        #[cfg(not(unix))]
        let _ = mode;
        Ok(self.0.open_with(single(name)?, &options)?.into_std())
    }

    #[cfg_attr(not(unix), allow(unused_variables, reason = "rights are no numbers there"))]
    pub(crate) fn take_over(_old: &File, file: &File, access: Access) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt as _, fchown};
            let is_owned = fchown(file, Some(access.user), Some(access.group)).is_ok();
            let mode = if is_owned { access.mode } else { access.mode & 0o777 };
            file.set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// No system but Linux does it for us.
    pub(crate) fn exchange(&self, _one: &OsStr, _other: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.0.rename(single(from)?, &self.0, single(to)?)
    }

    pub(crate) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.0.hard_link(single(from)?, &self.0, single(to)?)?;
        self.0.remove_file(from)
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove_file(single(name)?)
    }

    pub(crate) fn sync(&self) -> io::Result<()> {
        // Where a folder cannot be synced the system does it by itself, or never.
        self.0.try_clone()?.into_std_file().sync_all().or(Ok(()))
    }
}

fn single(name: &OsStr) -> io::Result<&OsStr> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(only)), None) if only == name => Ok(name),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_is_reached_and_no_link_followed() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join("real")).unwrap();
        std::fs::write(root.join("real/file"), "in").unwrap();
        std::fs::write(dir.path().join("outside"), "out").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("real", root.join("folder")).unwrap();
        let folder = Folder::open(&root).unwrap();
        assert_eq!(folder.metadata(Path::new("real/file")).unwrap().len, 2);
        assert!(folder.open_file(Path::new("real/file")).is_ok());
        for path in ["folder/file", "../outside", "real/../../outside", "/etc/passwd"] {
            assert!(folder.open_file(Path::new(path)).is_err(), "{path}");
        }
        assert!(folder.folder(Path::new("folder")).is_err());
        assert!(folder.create(OsStr::new("../x"), 0o600).is_err());
    }
}
