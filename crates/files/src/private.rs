//! [`private_file`]: what is for its owner alone, whatever the umask says and whatever stands in its place.
//!
//! A file is made for its owner alone, never written through a link, and never waited for: a pipe in its
//! place is told, not opened.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    path::Path,
};

/// How a file is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// It must not be there yet.
    New,
    /// At its end; it is made where there is none.
    Append,
    /// From its beginning, over what is there, which may be read too; it is made where there is none.
    Update,
}

/// Makes a folder, and those above it, for its owner alone. One that is there stays as it is: whoever made
/// it may have had reasons.
///
/// # Errors
/// Where it cannot be made.
pub fn private_folder(path: impl AsRef<Path>) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens a file that only its owner may read and write. One of ours that others may read is closed to them.
///
/// # Errors
/// Where it cannot be opened, is a link, or is no regular file.
pub fn private_file(path: impl AsRef<Path>, writing: Writing) -> io::Result<File> {
    let path = path.as_ref();
    let mut options = OpenOptions::new();
    match writing {
        Writing::New => options.write(true).create_new(true),
        Writing::Append => options.append(true).create(true),
        Writing::Update => options.read(true).write(true).create(true).truncate(false),
    };
    let file = crate::open_with(&mut options, path, crate::Links::Refused)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(crate::no_file());
    }
    close_to_others(&file, &about)?;
    Ok(file)
}

#[cfg(unix)]
fn close_to_others(file: &File, about: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let is_open = about.mode() & 0o077 != 0;
    if is_open && about.uid() == rustix::process::geteuid().as_raw() {
        file.set_permissions(fs::Permissions::from_mode(0o600))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn close_to_others(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{
        io::Write,
        os::unix::fs::{MetadataExt, symlink},
    };

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().mode() & 0o777
    }

    #[test]
    fn what_is_made_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        private_folder(&inner).unwrap();
        private_folder(&inner).unwrap();
        assert_eq!((mode(&inner), mode(&folder.path().join("a"))), (0o700, 0o700));
        let path = inner.join("file");
        private_file(&path, Writing::New).unwrap().write_all(b"1").unwrap();
        assert_eq!(mode(&path), 0o600);
        let error = private_file(&path, Writing::New).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        // One that an older version made.
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        private_file(&path, Writing::Append).unwrap().write_all(b"2").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o600, b"12".to_vec()));
        private_file(&path, Writing::Update).unwrap().write_all(b"3").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"32");
    }

    #[test]
    fn nothing_is_written_through_a_link_or_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("victim"), "precious").unwrap();
        symlink("victim", at("link")).unwrap();
        symlink("not there", at("dangling")).unwrap();
        crate::tests::make_pipe(&at("pipe"));
        for writing in [Writing::New, Writing::Append, Writing::Update] {
            for name in ["link", "dangling", "pipe"] {
                assert!(private_file(at(name), writing).is_err(), "{name} {writing:?}");
            }
        }
        assert_eq!(fs::read(at("victim")).unwrap(), b"precious");
        assert!(!at("not there").exists());
    }
}
