//! [`Sandbox`], on Linux.

use std::{
    env, fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use crate::{
    Helper, Limits, Network, NoSandbox, SandboxProfile, SandboxSettings,
    arguments::fixed,
    cgroup::Groups,
    door::Door,
    launch::Parts,
    person::Person,
    private::closed,
    running::Leaving,
    size::size,
    trial::{Tried, trial},
};

/// Builds walls around programs. It was tried out, and holds.
pub struct Sandbox {
    pub(super) parts: Arc<Parts>,
    tried: Tried,
    limits: Limits,
    network: Network,
    person: Person,
}

impl Sandbox {
    /// Builds these walls and tries them out: the folder in which a program begins has to be one that
    /// it can write to. `SandboxProfile::new("/tmp")` are those of a program that has nothing but its own.
    ///
    /// # Errors
    /// When none can be built here that hold.
    pub fn build(settings: &SandboxSettings, profile: &SandboxProfile) -> Result<Self, NoSandbox> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(["/usr/bin".into()]);
        let bwrap = find("bwrap", folders).ok_or_else(|| {
            NoSandbox::new(
                "bubblewrap is not installed",
                "Debian, Ubuntu: sudo apt-get install bubblewrap; Fedora: sudo dnf install bubblewrap",
            )
        })?;
        let door = door(&settings.helper)?;
        let profile = &closed(profile, &settings.hidden)?;
        let person = Person::of(profile, settings.root_commands)?;
        let mut parts = Parts {
            bwrap,
            helper: settings.helper.clone(),
            fixed: fixed(&door.path),
            door,
            groups: Groups::find(),
            root_commands: settings.root_commands,
            hidden: settings.hidden.clone(),
            leaving: Leaving::default(),
        };
        let tried = trial(&mut parts, profile, person, &settings.scratch)?;
        let (limits, network) = (profile.limits, profile.network);
        Ok(Self { parts: Arc::new(parts), tried, limits, network, person })
    }

    /// What the walls are made of that were tried, for whoever checks them: a name and what there is to
    /// say.
    pub fn describe(&self) -> Vec<(String, String)> {
        let Parts { bwrap, .. } = &*self.parts;
        let version = Command::new(bwrap).arg("--version").env_clear().output().ok();
        let version = version.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
        let version = version.unwrap_or_default().replace("bubblewrap ", "");
        let network = match self.network {
            Network::None => "none, and no sockets of other programs",
            Network::Host => "that of this machine, and no sockets of other programs",
        };
        let rows = [
            ("bubblewrap", format!("{version}, {}", bwrap.display())),
            ("Landlock", format!("version {}", self.tried.landlock)),
            ("seccomp", "on".to_owned()),
            ("network", network.to_owned()),
            ("limits", self.limits()),
            ("runs as", self.person.words()),
            ("tried in vain", self.tried.held.join(", ")),
        ];
        rows.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// For who has to know that nothing is left of programs that were dropped: waits until it is so,
    /// but not for ever. May block.
    pub fn settled(&self) -> impl FnOnce() + Send + 'static {
        let parts = self.parts.clone();
        move || parts.leaving.wait()
    }

    fn limits(&self) -> String {
        let Parts { groups, .. } = &*self.parts;
        let (memory, processes) = (size(self.limits.memory), self.limits.processes);
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
            _ if self.person.is_root() => "processes not limited".to_owned(),
            _ => format!("{processes} processes"),
        };
        format!("{by}: {memory}, {processes}")
    }
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
    /// What programs left that were cut short is looked at before this one ends.
    fn drop(&mut self) {
        self.parts.leaving.wait();
    }
}

/// The first of these folders in which there is a program of this name.
pub(super) fn find(name: &str, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let mut found = folders.filter(|it| it.is_absolute()).map(|folder| folder.join(name));
    found.find(|path| is_program(path))
}

/// Whether there is a file that can be started.
pub(super) fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.mode() & 0o111 != 0)
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
