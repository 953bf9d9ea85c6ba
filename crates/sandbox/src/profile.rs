//! [`SandboxProfile`]: what a program sees of the machine, and what it may do there.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

use crate::Limits;

/// What a program sees of the machine beside the system's programs, and what it may do there.
#[derive(Clone, Debug)]
pub struct SandboxProfile {
    /// What it sees, where that is outside of `/usr`: what comes later lies over what came before.
    pub mounts: Vec<Mount>,
    /// Where its programs are looked for, beside `/usr/local/bin` and `/usr/bin`.
    pub path: Vec<PathBuf>,
    /// Whether it has a network.
    pub network: Network,
    /// Its environment, beside `PATH`, `HOME`, `LANG`, `TERM` and `TMPDIR`. Nothing of this process's
    /// own environment is in it. No value stands in an argument, which every user of the machine
    /// could read.
    pub env: Vec<(String, String)>,
    /// Where it begins.
    pub folder: PathBuf,
    /// A folder that is its home and stays; without one its home is gone with it.
    pub home: Option<PathBuf>,
    /// The folder whose owner it runs as, where this process is root. Without one, or where it is
    /// root's, it is nobody.
    pub owner: Option<PathBuf>,
    /// What it may use.
    pub limits: Limits,
    /// Files that have to be the ones that were looked at when it begins.
    pub same: Vec<SameFile>,
    /// Full paths, and where each led when somebody looked, without a link. Where one leads elsewhere
    /// when the program is to begin, it does not.
    pub resolved: Vec<(PathBuf, PathBuf)>,
    /// What is done inside before it begins, and for which folder.
    pub preparation: Option<(&'static str, PathBuf)>,
}

impl SandboxProfile {
    /// A program that begins in `folder` and sees nothing but the system. `/tmp` is a folder that
    /// every program has for itself.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            mounts: Vec::new(),
            path: Vec::new(),
            network: Network::None,
            env: Vec::new(),
            folder: folder.into(),
            home: None,
            owner: None,
            limits: Limits::default(),
            same: Vec::new(),
            resolved: Vec::new(),
            preparation: None,
        }
    }

    /// Folders and files that it may read, those that it may change, too, and those that it may not
    /// even see. What is in the `bin` of a readable one is found by its name. What is named further
    /// inside counts, so that a folder may be hidden in one that is readable, and one opened in it
    /// again. Where this process is root, the program runs as the owner
    /// of the first that it may change.
    #[must_use]
    pub fn showing(
        mut self,
        readable: impl IntoIterator<Item = PathBuf>,
        writable: impl IntoIterator<Item = PathBuf>,
        hidden: impl IntoIterator<Item = PathBuf>,
    ) -> Self {
        let readable: Vec<PathBuf> = readable.into_iter().collect();
        self.path.extend(programs(&readable));
        let mut mounts: Vec<Mount> = readable.into_iter().map(Mount::Read).collect();
        // The later of two for one path counts.
        mounts.extend(writable.into_iter().chain(self.home.clone()).map(Mount::Write));
        let first = mounts.iter().find(|it| matches!(it, Mount::Write(_)));
        self.owner = self.owner.or_else(|| first.map(|it| it.path().to_owned()));
        // What is not shown anyway needs no mount, whose path would be seen.
        let is_shown = |path: &PathBuf| mounts.iter().any(|it| path.starts_with(it.path()));
        let hidden: Vec<_> = hidden.into_iter().filter(is_shown).map(Mount::Hide).collect();
        mounts.extend(hidden);
        mounts.sort_by_key(|mount| mount.path().components().count());
        self.mounts.extend(mounts);
        self
    }

    /// The folders that it may change, without those inside of others.
    pub(crate) fn writable(&self) -> Vec<&Path> {
        let mut found: Vec<&Path> = Vec::new();
        for mount in &self.mounts {
            if let Mount::Write(path) = mount
                && !found.iter().any(|above| path.starts_with(above))
            {
                found.push(path);
            }
        }
        found
    }
}

/// Where programs are in these folders: in their `bin`, or in one that is called so.
pub fn programs(folders: &[PathBuf]) -> Vec<PathBuf> {
    let bins = folders.iter().filter_map(|path| match path.file_name() {
        Some(name) if name == "bin" => Some(path.clone()),
        _ => Some(path.join("bin")).filter(|bin| bin.is_dir()),
    });
    bins.collect()
}

/// A file or a folder of the machine, by its full path, which is the same inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mount {
    /// It can be read.
    Read(PathBuf),
    /// It can be changed, too.
    Write(PathBuf),
    /// It is empty inside.
    Hide(PathBuf),
}

impl Mount {
    /// Where it is.
    pub fn path(&self) -> &Path {
        let (Self::Read(path) | Self::Write(path) | Self::Hide(path)) = self;
        path
    }
}

/// Whether a program has a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// None, not even to programs of this machine.
    #[default]
    None,
    /// That of this machine: what listens here can be reached, too.
    Host,
}

/// A file, by its full path, and which it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameFile {
    /// Where it is.
    pub path: PathBuf,
    /// The device it is on.
    pub device: u64,
    /// Its number there.
    pub number: u64,
}

impl SameFile {
    /// What is there now; a link counts as itself.
    ///
    /// # Errors
    /// When nothing is there.
    pub fn at(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let found = path.symlink_metadata()?;
        #[cfg(unix)]
        let (device, number) = {
            use std::os::unix::fs::MetadataExt;
            (found.dev(), found.ino())
        };
        #[cfg(not(unix))]
        let (device, number) = (found.len(), 0);
        Ok(Self { path, device, number })
    }
}

/// Variables of an environment: names and values.
pub type Variables = Vec<(String, OsString)>;

/// Something that is done inside before a program begins, by whoever calls [`enter`](crate::enter).
#[derive(Clone, Copy)]
pub struct Preparation {
    /// What it is called.
    pub name: &'static str,
    /// Does it for a folder, and gives what is added to the environment.
    pub prepare: fn(&Path) -> io::Result<Variables>,
}
