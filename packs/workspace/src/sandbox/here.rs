//! [`Sandbox`], on Linux.

use std::{
    env, fs,
    os::{fd::OwnedFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use rustix::{
    fs::{Mode, OFlags},
    io::Errno,
};

use super::{
    NoSandbox,
    cgroup::Groups,
    door::Door,
    guarded::Guarded,
    launch::Parts,
    person::Person,
    running::Leaving,
    trial::{Tried, trial},
    unlooked::{replaced, unlooked},
    walls::Walls,
};
use crate::{Helper, Settings, size::size};

/// Walls around a command.
pub struct Sandbox {
    pub(super) parts: Arc<Parts>,
    tried: Tried,
}

impl Sandbox {
    /// Builds a sandbox for the workspace at `root` and tries it out.
    ///
    /// # Errors
    /// When none can be built here that holds.
    pub(crate) fn build(
        root: &Path,
        identity: (u64, u64),
        settings: &Settings,
    ) -> Result<Self, NoSandbox> {
        let handle = open(root, identity)?;
        let guarded = Guarded::new(root, handle, settings).map_err(|error| unlooked(&error))?;
        // Also where no command will run. What goes wrong goes wrong again before the next command.
        let _ = guarded.settle();
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(["/usr/bin".into()]);
        let bwrap = find("bwrap", folders).ok_or_else(|| {
            NoSandbox::new(
                "bubblewrap is not installed",
                "Debian, Ubuntu: sudo apt-get install bubblewrap; Fedora: sudo dnf install bubblewrap",
            )
        })?;
        let door = door(&settings.helper)?;
        let person = Person::of(root, settings)?;
        let mut parts = Parts {
            bwrap,
            helper: settings.helper.clone(),
            root: root.to_owned(),
            identity,
            limits: settings.limits,
            walls: Walls::new(root, settings, &door.path, person, guarded),
            door,
            groups: Groups::find(),
            person,
            leaving: Leaving::default(),
        };
        let tried = trial(&mut parts, &settings.scratch)?;
        Ok(Self { parts: Arc::new(parts), tried })
    }

    /// What the walls are made of, for whoever checks them: a name and what there is to say.
    pub fn describe(&self) -> Vec<(String, String)> {
        let Parts { bwrap, person, .. } = &*self.parts;
        let version = Command::new(bwrap).arg("--version").env_clear().output().ok();
        let version = version.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
        let version = version.unwrap_or_default().replace("bubblewrap ", "");
        let rows = [
            ("bubblewrap", format!("{version}, {}", bwrap.display())),
            ("Landlock", format!("version {}", self.tried.landlock)),
            ("seccomp", "on".to_owned()),
            ("network", "none, and no sockets of other programs".to_owned()),
            ("limits", self.limits()),
            ("runs as", person.words()),
            ("tried in vain", self.tried.held.join(", ")),
        ];
        rows.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn limits(&self) -> String {
        let Parts { limits, groups, person, .. } = &*self.parts;
        let (memory, processes) = (size(limits.memory), limits.processes);
        let by = match groups {
            Some(Groups::Unified(_)) => "control groups (version 2)",
            Some(Groups::Split { .. }) => "control groups (version 1)",
            None => "rlimits only",
        };
        let memory = match groups {
            Some(groups) if groups.limits_memory() => format!("{memory} of memory"),
            _ => format!("{memory} of memory for each process"),
        };
        let processes = match groups {
            Some(groups) if groups.limits_processes() => format!("{processes} processes"),
            // The kernel does not hold root to it.
            _ if person.is_root() => "processes not limited".to_owned(),
            _ => format!("{processes} processes"),
        };
        format!("{by}: {memory}, {processes}")
    }
}

/// Opens the workspace, should it be this folder still.
pub(super) fn open(root: &Path, identity: (u64, u64)) -> Result<OwnedFd, NoSandbox> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let replaced = || replaced(&root.display().to_string());
    let opened = rustix::fs::open(root, flags, Mode::empty()).map_err(|error| match error {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP => replaced(),
        error => unlooked(&error.into()),
    })?;
    let found = rustix::fs::fstat(&opened).map_err(|error| unlooked(&error.into()))?;
    if (found.st_dev, found.st_ino) != identity {
        return Err(replaced());
    }
    Ok(opened)
}

/// The program that puts up the inner walls.
fn door(helper: &Helper) -> Result<Door, NoSandbox> {
    let found = helper.path().and_then(Door::open);
    found.map_err(|error| {
        let named = match helper {
            Helper::This => "this program's own file".to_owned(),
            Helper::At(path) => path.display().to_string(),
        };
        NoSandbox::new(
            format!("the program that starts commands is not there: {named}: {error}"),
            "install Toolwright again",
        )
    })
}

impl Drop for Sandbox {
    /// What commands left that were cut short is looked at before the program ends.
    fn drop(&mut self) {
        self.parts.leaving.wait();
    }
}

fn find(name: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let mut found = folders.filter(|it| it.is_absolute()).map(|folder| folder.join(name));
    found.find(|path| fs::metadata(path).is_ok_and(|it| it.is_file() && it.mode() & 0o111 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_in_every_folder() {
        let none = tempfile::tempdir().unwrap();
        let folders = || [PathBuf::from("relative"), none.path().to_owned()].into_iter();
        assert_eq!(find("bwrap", folders()), None);
        let found = find("sh", folders().chain(["/usr/bin".into()]));
        assert_eq!(found, Some("/usr/bin/sh".into()));
    }
}
