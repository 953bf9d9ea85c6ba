//! [`Root`]: the handle of the workspace's folder, through which every file is reached.
//!
//! A path that a model typed is first [located](Root::locate): links are followed by hand, below the
//! handle, until the real path is known. What is opened then is that real path, following no link at
//! all. Whatever is swapped for a link in between ends in an error, and what a path is checked for
//! (hidden, protected) is checked of the file that is really meant.

#[cfg(target_os = "linux")]
mod attributes;
#[cfg(any(not(target_os = "linux"), test))]
mod elsewhere;
mod entry;
mod error;
mod guarded;
#[cfg(target_os = "linux")]
mod linux;
mod nearby;
mod protection;
mod resolve;
mod walk;

use std::{
    fs::File,
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

#[cfg(not(target_os = "linux"))]
pub(crate) use self::elsewhere::Folder;
#[cfg(target_os = "linux")]
pub(crate) use self::linux::Folder;
pub(crate) use self::{
    entry::{Entry, Kind},
    error::PathError,
};
use self::{
    guarded::Guarded,
    nearby::{Meant, TOLD},
    resolve::Resolved,
};
use crate::{
    Settings, WorkspaceError,
    files::{Notes, printable},
};

/// The handle of the workspace's folder.
pub(crate) struct Root {
    path: PathBuf,
    folder: Arc<Folder>,
    guarded: Guarded,
    #[cfg(target_os = "linux")]
    protected: Vec<PathBuf>,
    #[cfg(target_os = "linux")]
    survey: crate::survey::Survey,
    notes: Notes,
}

/// Something in the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its real path below the root, with links followed; empty for the root itself.
    pub(crate) relative: PathBuf,
    /// The same from the top of the system.
    pub(crate) absolute: PathBuf,
    /// Whether another path was typed, at which there is nothing, and only this can be meant.
    pub(crate) is_guess: bool,
}

impl Place {
    /// The path below the root as people write it, with `/`.
    pub(crate) fn name(&self) -> String {
        let parts = self.relative.iter().map(|part| part.to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    }

    /// What a result says where something else was typed: with a line before it, as notes have.
    pub(crate) fn note(&self, typed: &str) -> String {
        match self.is_guess {
            true => format!("\n[this is {}: there is no {}]", self.name(), printable(typed)),
            false => String::new(),
        }
    }
}

impl Root {
    /// Opens the folder, with links followed once, and clears away what a crash left in it.
    pub(crate) fn open(settings: &Settings) -> Result<Self, WorkspaceError> {
        let unusable = |path: &Path| {
            let path = path.to_owned();
            move |reason| WorkspaceError::Unusable { path, reason }
        };
        let path = settings.root.canonicalize().map_err(unusable(&settings.root))?;
        if is_too_wide(&path) {
            return Err(WorkspaceError::TooWide { path });
        }
        let folder = Folder::open(&path).map_err(unusable(&path))?;
        let notes = Notes::open(&settings.scratch).map_err(unusable(&settings.scratch))?;
        let guarded = Guarded::new(&path, settings);
        if guarded.is_hidden(Path::new("")) {
            return Err(WorkspaceError::TooWide { path });
        }
        let root = Self {
            #[cfg(target_os = "linux")]
            protected: settings.protected_below(&path),
            path,
            folder: Arc::new(folder),
            guarded,
            #[cfg(target_os = "linux")]
            survey: crate::survey::Survey::default(),
            notes,
        };
        root.notes.sweep(&root);
        Ok(root)
    }

    /// Where it is, with every link followed.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The handle itself.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Where writes that have not finished are noted.
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Which folder it is, on systems that tell: device and number.
    pub(crate) fn identity(&self) -> (u64, u64) {
        self.folder.metadata(Path::new("")).ok().and_then(|it| it.identity()).unwrap_or_default()
    }

    /// An error where another folder is at its path now, or none: what is done through the handle
    /// would be done elsewhere than everybody thinks.
    pub(crate) fn check(&self) -> Result<(), PathError> {
        let now = std::fs::symlink_metadata(&self.path).map(|it| Entry::from(&it).identity());
        match now {
            Ok(found) if found.is_none_or(|it| it == self.identity()) => Ok(()),
            _ => Err(PathError::Replaced { root: self.path.clone() }),
        }
    }

    /// What a typed path means, for something that exists. Where there is nothing at it, the only thing is meant
    /// whose path is the same in other letters, or the only file whose path ends in it, with or without its ending; the
    /// place says so. Where several could be meant, they are told.
    pub(crate) fn locate(&self, typed: &str) -> Result<Place, PathError> {
        let Resolved { real, missing, .. } = self.resolve(typed)?;
        if missing.is_empty() {
            return self.place(real);
        }
        let relative: PathBuf = real.iter().chain(missing.iter().map(AsRef::as_ref)).collect();
        // Of what is hidden it is not even told whether it is there.
        let place = self.place(relative)?;
        match self.meant_by(&place.relative) {
            Meant::One(meant) => self.guess(meant),
            Meant::Several(nearby) | Meant::Nothing(nearby) => Err(nothing_at(place, &nearby)),
        }
    }

    /// What a typed path means, for a file that may not be there yet, nor the folders it is in. One that differs
    /// only in the case of letters is the same: nobody wants two of them side by side.
    pub(crate) fn locate_new(&self, typed: &str) -> Result<Place, PathError> {
        let place = self.locate_exactly(typed)?;
        if self.metadata(&place.relative).is_ok() {
            return Ok(place);
        }
        self.in_any_case(&place.relative).map_or(Ok(place), |meant| self.guess(meant))
    }

    /// What a typed path means, for a file that something is added to: one that [exists](Root::locate), as whoever adds
    /// to a file has one in mind; a new one where none could be meant.
    pub(crate) fn locate_to_add(&self, typed: &str) -> Result<Place, PathError> {
        let place = self.locate_exactly(typed)?;
        if self.metadata(&place.relative).is_ok() {
            return Ok(place);
        }
        match self.meant_by(&place.relative) {
            Meant::One(meant) => self.guess(meant),
            Meant::Several(nearby) => Err(nothing_at(place, &nearby)),
            Meant::Nothing(_) => Ok(place),
        }
    }

    /// Refuses a name without a folder for a new file, where one file in the workspace is called so: every other tool
    /// means that one by it. Whoever means another one says where (`./notes.txt`).
    pub(crate) fn check_alone(&self, typed: &str, place: &Place) -> Result<(), PathError> {
        let is_bare = Path::new(typed).file_name().is_some_and(|it| it == typed);
        match self.meant_by(&place.relative) {
            Meant::One(found) if is_bare && found.file_name() == place.relative.file_name() => {
                let found = found.display().to_string();
                Err(PathError::Elsewhere { typed: typed.to_owned(), found })
            }
            _ => Ok(()),
        }
    }

    fn guess(&self, relative: PathBuf) -> Result<Place, PathError> {
        self.place(relative).map(|place| Place { is_guess: true, ..place })
    }

    fn locate_exactly(&self, typed: &str) -> Result<Place, PathError> {
        let Resolved { mut real, missing, .. } = self.resolve(typed)?;
        for part in missing {
            match Path::new(&part).components().next() {
                Some(Component::Normal(_)) => real.push(part),
                _ => return Err(PathError::Climbs { typed: typed.to_owned() }),
            }
        }
        self.place(real)
    }

    fn place(&self, relative: PathBuf) -> Result<Place, PathError> {
        let absolute = self.path.join(&relative);
        if self.is_hidden(&relative) {
            return Err(PathError::Hidden { path: absolute });
        }
        Ok(Place { relative, absolute, is_guess: false })
    }

    /// The typed path from the top of the system, for a person to read: nothing is looked up.
    pub(crate) fn absolute(&self, typed: &str) -> PathBuf {
        self.path.join(typed).components().collect()
    }

    /// Opens a file for reading, following no link. Whatever is no plain file is refused at once.
    pub(crate) fn open_file(&self, relative: &Path) -> io::Result<File> {
        self.folder.open_file(relative)
    }

    /// What is there, following no link.
    pub(crate) fn metadata(&self, relative: &Path) -> io::Result<Entry> {
        self.folder.metadata(relative)
    }

    /// Opens a folder, making those on the way that are not there.
    pub(crate) fn make_folders(&self, relative: &Path) -> io::Result<Folder> {
        let mut folder = self.folder.folder(Path::new(""))?;
        for name in relative {
            folder = match folder.folder(Path::new(name)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    match folder.make_folder(name) {
                        // Somebody else was faster.
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                        made => made?,
                    }
                    folder.folder(Path::new(name))?
                }
                opened => opened?,
            };
        }
        Ok(folder)
    }

    /// Whether no tool may see or change it.
    pub(crate) fn is_hidden(&self, relative: &Path) -> bool {
        self.guarded.is_hidden(relative)
    }
}

/// That there is nothing, and which files are called so elsewhere.
fn nothing_at(place: Place, nearby: &[PathBuf]) -> PathError {
    let nearby = nearby.iter().take(TOLD).map(|it| it.display().to_string()).collect();
    PathError::Missing { path: place.absolute, nearby }
}

/// Whether the folder holds more than work: all of the machine, or all of somebody's home.
fn is_too_wide(path: &Path) -> bool {
    let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
    path.parent().is_none() || home.is_some_and(|home| home.starts_with(path))
}
