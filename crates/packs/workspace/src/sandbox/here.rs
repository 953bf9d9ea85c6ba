//! [`Sandbox`], on Linux.

use std::{
    env, fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use super::{
    NoSandbox, cgroup::Groups, launch::Parts, running::Leaving, trial::trial, walls::Walls,
};
use crate::{Helper, Settings, size::size};

/// Walls around a command.
pub struct Sandbox {
    pub(super) parts: Arc<Parts>,
    /// The version of Landlock that the kernel has.
    landlock: String,
}

impl Sandbox {
    /// Builds a sandbox for the workspace at `root` and tries it out.
    ///
    /// # Errors
    /// When none can be built here that holds.
    pub fn build(root: &Path, settings: &Settings) -> Result<Self, NoSandbox> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(["/usr/bin".into()]);
        let bwrap = find("bwrap", folders).ok_or_else(|| {
            NoSandbox::new(
                "bubblewrap is not installed",
                "Debian, Ubuntu: sudo apt-get install bubblewrap; Fedora: sudo dnf install bubblewrap",
            )
        })?;
        let helper = helper(&settings.helper)?;
        let mut parts = Parts {
            bwrap,
            helper: settings.helper.clone(),
            root: root.to_owned(),
            limits: settings.limits,
            walls: Walls::new(root, settings, &helper),
            groups: Groups::find(),
            user: owner(root),
            leaving: Leaving::default(),
        };
        let landlock = trial(&mut parts, &settings.scratch)?;
        Ok(Self { parts: Arc::new(parts), landlock })
    }

    /// What the walls are made of, for whoever checks them: a name and what there is to say.
    pub fn describe(&self) -> Vec<(String, String)> {
        let Parts { bwrap, user, .. } = &*self.parts;
        let version = Command::new(bwrap).arg("--version").env_clear().output().ok();
        let version = version.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
        let version = version.unwrap_or_default().replace("bubblewrap ", "");
        let user = match user {
            Some((user, _)) => format!("user {user}, who owns the workspace"),
            None if rustix::process::geteuid().is_root() => "root, with no capability".to_owned(),
            None => "you, with no capability".to_owned(),
        };
        let rows = [
            ("bubblewrap", format!("{version}, {}", bwrap.display())),
            ("Landlock", format!("version {}", self.landlock)),
            ("seccomp", "on".to_owned()),
            ("network", "none".to_owned()),
            ("limits", self.limits()),
            ("runs as", user),
        ];
        rows.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn limits(&self) -> String {
        let Parts { limits, groups, user, .. } = &*self.parts;
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
        let is_root = user.is_none() && rustix::process::geteuid().is_root();
        let processes = match groups {
            Some(groups) if groups.limits_processes() => format!("{processes} processes"),
            // The kernel does not hold root to it.
            _ if is_root => "processes not limited".to_owned(),
            _ => format!("{processes} processes"),
        };
        format!("{by}: {memory}, {processes}")
    }
}

/// The program that puts up the inner walls.
fn helper(helper: &Helper) -> Result<PathBuf, NoSandbox> {
    let path = match helper {
        Helper::This => env::current_exe(),
        Helper::At(path) => path.canonicalize(),
    };
    let found = path.and_then(|path| fs::metadata(&path).map(|_| path));
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

fn find(name: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let mut found = folders.filter(|it| it.is_absolute()).map(|folder| folder.join(name));
    found.find(|path| fs::metadata(path).is_ok_and(|it| it.is_file() && it.mode() & 0o111 != 0))
}

/// Who owns the folder, where this process could become them.
fn owner(root: &Path) -> Option<(u32, u32)> {
    let found = fs::metadata(root).ok()?;
    let could = rustix::process::geteuid().is_root() && found.uid() != 0;
    could.then(|| (found.uid(), found.gid()))
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
