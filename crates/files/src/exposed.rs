//! [`exposed`]: who else could change what lies in a folder, as `ssh` asks of its own.
//!
//! Whoever may write to a folder can put another file in the place of each that is in it, whatever the
//! files' own modes say; and whoever may write to one above it, another folder. In a folder like `/tmp`
//! everybody may make things, and only the owner of each may move it.

use std::path::{Path, PathBuf};

/// Why what lies in a folder may be somebody else's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exposed {
    /// It, or a folder above it, belongs to somebody else.
    #[error("{} belongs to another account (number {owner})", path.display())]
    Owned {
        /// The folder.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
    },
    /// Others may write to it, or to a folder above it.
    #[error("other accounts may write to {}", path.display())]
    Writable {
        /// The folder.
        path: PathBuf,
    },
}

/// Who but root and this process's own user could change what lies in this folder, or put another in its
/// place. One that is not there yet is judged by those above it; what cannot be looked at, by whoever
/// opens it.
#[cfg(unix)]
pub fn exposed(folder: &Path) -> Option<Exposed> {
    let typed = std::path::absolute(folder).ok()?;
    // A link counts where it lies, and where it leads.
    let real = typed.ancestors().find_map(|it| it.canonicalize().ok());
    let all = [Some(typed.as_path()), real.as_deref()];
    all.into_iter().flatten().find_map(|path| unix::exposed(path, &typed))
}

/// Elsewhere nobody knows.
#[cfg(not(unix))]
pub fn exposed(_: &Path) -> Option<Exposed> {
    None
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::{self, Metadata},
        os::unix::fs::MetadataExt,
        path::Path,
    };

    use super::Exposed;

    const GROUP: u32 = 0o020;
    const OTHERS: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    const ROOT: u32 = 0;

    pub(super) fn exposed(path: &Path, typed: &Path) -> Option<Exposed> {
        let itself = fs::canonicalize(typed).ok();
        path.ancestors().find_map(|it| {
            let about = fs::symlink_metadata(it).ok()?;
            let is_itself = itself.as_deref() == Some(it);
            judged(it, &about, if is_itself { 0 } else { STICKY })
        })
    }

    /// What is wrong with a folder, where one that has the bit `shared` may be written by everybody.
    fn judged(path: &Path, about: &Metadata, shared: u32) -> Option<Exposed> {
        let us = rustix::process::geteuid().as_raw();
        let owner = about.uid();
        if owner != us && owner != ROOT && !is_outside(owner) {
            return Some(Exposed::Owned { path: path.to_owned(), owner });
        }
        let is_writable =
            about.mode() & OTHERS != 0 || (about.mode() & GROUP != 0 && !is_alone(about));
        // The modes of a link mean nothing.
        let counts = about.is_dir() && about.mode() & shared == 0;
        (counts && is_writable).then(|| Exposed::Writable { path: path.to_owned() })
    }

    /// Whether nobody but the owner is in the folder's group: a group of the user's own, which has the
    /// user's number, or one that root chose for its folder.
    fn is_alone(about: &Metadata) -> bool {
        about.gid() == about.uid() || about.uid() == ROOT
    }

    /// Whether an account is none of those that there are here: in a container whose users are not the
    /// machine's, what belongs to the machine's is listed with one number for all.
    fn is_outside(owner: u32) -> bool {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let stands_for_all = read("/proc/sys/kernel/overflowuid").trim() == owner.to_string();
        let users = read("/proc/self/uid_map");
        let is_machine = users.split_ascii_whitespace().eq(["0", "0", "4294967295"]);
        stands_for_all && !users.is_empty() && !is_machine
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::{
        fs::{self, Permissions},
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;

    #[test]
    fn who_may_write_to_a_folder_or_above_it_is_told() {
        let top = tempfile::tempdir().unwrap();
        let real = top.path().canonicalize().unwrap();
        let at = |name: &str| real.join(name);
        let mode = |name: &str, mode| fs::set_permissions(at(name), Permissions::from_mode(mode));
        fs::create_dir_all(at("open/inner")).unwrap();
        symlink("open/inner", at("link")).unwrap();
        mode("open/inner", 0o700).unwrap();
        mode("open", 0o755).unwrap();
        for name in ["open", "open/inner", "link", "open/new/newer"] {
            assert_eq!(exposed(&at(name)), None, "{name}");
        }
        mode("open", 0o777).unwrap();
        for name in ["open", "open/inner", "link", "open/new/newer"] {
            let path = at("open");
            assert_eq!(exposed(&at(name)), Some(Exposed::Writable { path }), "{name}");
        }
        // As /tmp: what lies in it stays, and it is nobody's own.
        mode("open", 0o1777).unwrap();
        for name in ["open/inner", "link", "open/new/newer"] {
            assert_eq!(exposed(&at(name)), None, "{name}");
        }
        assert!(exposed(&at("open")).is_some());
    }
}
