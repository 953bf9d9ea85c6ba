//! [`Guarded`]: what commands may not change in the workspace, or not even see.
//!
//! What is there before a command is mounted over itself, so that it stays what it is. What a command
//! makes is found afterwards, by comparing, and put aside.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
    io,
    os::fd::{AsRawFd, OwnedFd},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use rustix::fs::{Mode, OFlags, RenameFlags};
use toolwright_sandbox::{Mount, SameFile};

use super::{
    Fate, Held,
    turn::{Turn, Turns},
    unlooked::words,
};
use crate::{
    Settings,
    survey::{Found, Mark, Seen, Survey, mark, reach},
};

/// How many arguments bubblewrap may get for what is guarded: it takes 9000 in all.
const ARGUMENTS: usize = 8000;
/// How long they may be together: the kernel takes 2 MiB in all.
const LENGTH: usize = 1 << 20;

/// What the owner of a workspace may do in it that is worked in: look into it.
const OPEN: u32 = 0o500;

/// How often something is tried that other commands may get in the way of.
const TRIES: usize = 8;

/// What commands may not change in the workspace, or not even see.
pub(super) struct Guarded {
    root: PathBuf,
    handle: OwnedFd,
    /// From the root.
    protected: Vec<PathBuf>,
    /// In the workspace, or in what else can be read.
    hidden: Vec<PathBuf>,
    survey: Survey,
    turns: Turns,
    /// What was put aside when the workspace was opened, until somebody is told.
    untold: Mutex<Vec<Held>>,
}

/// What was there before a command, and what is mounted because of it.
pub(super) struct Before {
    pub(super) mounts: Vec<Mount>,
    /// What is mounted, and which thing it has to be.
    pub(super) same: Vec<SameFile>,
    turn: Option<Turn>,
    /// What earlier commands left, of which nobody was told.
    earlier: Vec<Held>,
}

/// How a path is mounted over, so that it stays what it is.
#[derive(Default)]
struct Mounts {
    /// Folders with something guarded in them: what is mounted cannot be renamed.
    pinned: BTreeSet<PathBuf>,
    /// What may be read.
    fixed: BTreeSet<PathBuf>,
    /// What may not even be seen.
    hidden: BTreeSet<PathBuf>,
}

impl Guarded {
    pub(super) fn new(root: &Path, handle: OwnedFd, settings: &Settings) -> io::Result<Self> {
        let visible = |path: &PathBuf| {
            path.starts_with(root) || settings.readable.iter().any(|open| path.starts_with(open))
        };
        let hidden = settings.hidden.iter().chain([&settings.scratch]);
        let hidden = hidden.flat_map(|path| [path.canonicalize().ok(), Some(path.clone())]);
        let own = Mark::from(&rustix::fs::fstat(&handle)?);
        Ok(Self {
            root: root.to_owned(),
            handle,
            protected: settings.protected_below(root),
            hidden: hidden.flatten().filter(visible).collect(),
            survey: Survey::default(),
            turns: Turns::new(&settings.scratch, (own.device, own.number)),
            untold: Mutex::default(),
        })
    }

    /// Puts aside what commands left that nobody could look after: their program was killed. Whoever
    /// runs the next command that may write is told, and refused where something could not be put
    /// aside.
    pub(super) fn settle(&self) -> io::Result<()> {
        if !self.turns.is_pending() {
            return Ok(());
        }
        let gate = self.turns.gate()?;
        if self.turns.alone(&gate)?.is_none() {
            return Ok(());
        }
        let Some(before) = self.turns.read()? else { return Ok(()) };
        let held = self.put_aside(&before)?;
        if held.iter().any(|it| left(it).is_some()) {
            return Ok(());
        }
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).extend(held);
        self.turns.forget()
    }

    /// What is guarded now, for a command that nothing is compared after.
    pub(super) fn look(&self) -> io::Result<Before> {
        let found = self.find()?;
        Ok(self.mounts(&found))
    }

    /// What is not even seen, for a command that cannot write anyway.
    pub(super) fn hide(&self) -> Before {
        self.mounts(&[])
    }

    /// Begins the turn of a command that may write. An error where what earlier ones left cannot be
    /// put aside.
    pub(super) fn begin(&self) -> Result<Before, String> {
        let told = |error: io::Error| {
            format!("what is in the workspace cannot be guarded: {}", words(&error))
        };
        let gate = self.turns.gate().map_err(told)?;
        let alone = self.turns.alone(&gate).map_err(told)?;
        let untold = &mut *self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        let mut earlier = std::mem::take(untold);
        if alone.is_some()
            && let Some(before) = self.turns.read().map_err(told)?
        {
            earlier.extend(self.put_aside(&before).map_err(told)?);
            if let Some((was, error)) = earlier.iter().find_map(left) {
                return Err(format!(
                    "an earlier command left {was}, which steers other programs, and it cannot be \
                     put aside ({error}). Remove it or rename it: until then no command runs here"
                ));
            }
        }
        let found = self.find().map_err(told)?;
        let before = self.mounts(&found);
        before.check(&found)?;
        if alone.is_some() {
            self.turns.write(&found).map_err(told)?;
        }
        let turn = self.turns.share(&gate, alone).map_err(told)?;
        Ok(Before { turn: Some(turn), earlier, ..before })
    }

    /// Ends the turn: puts aside what was made that was not there before. No process of the command
    /// may be left.
    pub(super) fn end(&self, before: Before) -> Vec<Held> {
        let Some(turn) = before.turn else { return Vec::new() };
        let end = || -> io::Result<Vec<Held>> {
            let gate = self.turns.gate()?;
            let known = self.turns.read()?.ok_or(io::ErrorKind::NotFound)?;
            // A command may have closed the whole workspace: it is its owner's to open.
            if rustix::fs::fstat(&self.handle)?.st_mode & OPEN != OPEN {
                unlock(&self.handle)?;
            }
            let held = self.put_aside(&known)?;
            let is_last = self.turns.end(&gate, &turn)?;
            // What could not be put aside is tried again before the next command.
            if is_last && !held.iter().any(|it| left(it).is_some()) {
                self.turns.forget()?;
            }
            Ok(held)
        };
        let held = end().unwrap_or_else(|error| {
            vec![Held { was: self.root.display().to_string(), now: Fate::Left(error.to_string()) }]
        });
        before.earlier.into_iter().chain(held).collect()
    }

    /// Which folder this is: device and number. It is in the workspace, by its full path.
    pub(super) fn which(&self, folder: &Path) -> io::Result<(u64, u64)> {
        let below = folder.strip_prefix(&self.root).map_err(|_| io::ErrorKind::NotFound)?;
        let found = mark(&self.handle, below)?.ok_or(io::ErrorKind::NotFound)?;
        Ok((found.device, found.number))
    }

    fn find(&self) -> io::Result<Vec<Found>> {
        let Seen { found, failed, .. } = self.see();
        failed.map_or(Ok(found), Err)
    }

    fn see(&self) -> Seen {
        self.survey.look(&self.root, &self.handle, &self.protected)
    }

    fn mounts(&self, found: &[Found]) -> Before {
        let mut mounts = Mounts::default();
        let mut same = Vec::new();
        let folders: BTreeSet<&Path> =
            found.iter().filter(|it| it.mark.is_folder).map(|it| it.path.as_path()).collect();
        let is_covered = |path: &Path| path.ancestors().skip(1).any(|it| folders.contains(it));
        // A link cannot be mounted over. It is compared afterwards, and what it means is here, too.
        for Found { path, mark, .. } in found.iter().filter(|it| !it.mark.is_link) {
            let full = self.root.join(path);
            if path.as_os_str().is_empty() || is_covered(path) || mounts.fixed.contains(&full) {
                continue;
            }
            let (device, number) = (mark.device, mark.number);
            same.push(SameFile { path: full.clone(), device, number });
            self.pin(&full, &mut mounts);
            mounts.fixed.insert(full);
        }
        for path in self.hidden.iter().filter(|path| path.symlink_metadata().is_ok()) {
            self.pin(path, &mut mounts);
            mounts.hidden.insert(path.clone());
            same.retain(|same| !same.path.starts_with(path));
        }
        Before { mounts: mounts.in_order(), same, turn: None, earlier: Vec::new() }
    }

    fn pin(&self, path: &Path, mounts: &mut Mounts) {
        let above = path.ancestors().skip(1).take_while(|it| **it != self.root);
        mounts.pinned.extend(above.filter(|it| it.starts_with(&self.root)).map(Path::to_owned));
    }

    /// Puts aside what is there now and was not before, or is not what it was.
    fn put_aside(&self, before: &[Found]) -> io::Result<Vec<Held>> {
        let known: BTreeMap<&Path, &Found> =
            before.iter().map(|it| (it.path.as_path(), it)).collect();
        let is_new = |found: &&Found| match known.get(found.path.as_path()) {
            None => true,
            Some(was) => {
                let (old, new) = (was.mark, found.mark);
                let other = (old.device, old.number) != (new.device, new.number);
                // Neither is kept by a mount. The number of a link may be used again.
                let open = old.has_other_names || old.is_link;
                other || (open && old.changed != new.changed)
            }
        };
        let Seen { found, failed, .. } = self.see();
        let new: BTreeMap<&Path, Mark> =
            found.iter().filter(is_new).map(|it| (it.path.as_path(), it.mark)).collect();
        // Where the way to a thing is put aside, the thing may be any file.
        let is_reached = |it: &&Found| !it.through.iter().any(|on| new.contains_key(on.as_path()));
        let reached: BTreeSet<&Path> =
            found.iter().filter(is_reached).map(|it| it.path.as_path()).collect();
        let new =
            new.iter().filter(|(path, _)| reached.contains(*path) && !path.as_os_str().is_empty());
        let mut held: Vec<Held> = new.map(|(path, mark)| self.hold(path, *mark)).collect();
        // What was found is put aside, whatever could not be looked at.
        held.extend(failed.map(|error| Held {
            was: self.root.display().to_string(),
            now: Fate::Left(error.to_string()),
        }));
        for was in before {
            let is_told = |it: &Held| it.was == was.path.display().to_string();
            if mark(&self.handle, &was.path)?.is_none() && !held.iter().any(is_told) {
                held.push(Held { was: was.path.display().to_string(), now: Fate::Gone });
            }
        }
        Ok(held)
    }

    /// Renames what is at a path, without replacing anything.
    fn hold(&self, path: &Path, found: Mark) -> Held {
        let now = match self.rename(path, found) {
            Ok(now) => Fate::Renamed(now),
            Err(error) => Fate::Left(error.to_string()),
        };
        Held { was: path.display().to_string(), now }
    }

    fn rename(&self, path: &Path, found: Mark) -> io::Result<String> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let folder = reach(&self.handle, above, OFlags::PATH | OFlags::DIRECTORY)?;
        for tries in 0..TRIES {
            let new = held_name(path, name, tries);
            let renamed =
                rustix::fs::renameat_with(&folder, name, &folder, &new, RenameFlags::NOREPLACE);
            match renamed {
                Ok(()) => return Ok(path.with_file_name(new).display().to_string()),
                Err(rustix::io::Errno::EXIST) => {}
                // A command may have closed the folder: it is its owner's to open.
                Err(rustix::io::Errno::ACCESS | rustix::io::Errno::PERM) if tries == 0 => {
                    unlock(&folder)?;
                    if found.is_folder {
                        unlock(&reach(
                            &folder,
                            Path::new(name),
                            OFlags::PATH | OFlags::DIRECTORY,
                        )?)?;
                    }
                }
                // It is gone, and that is as well.
                Err(rustix::io::Errno::NOENT) if mark(&self.handle, path)?.is_none() => {
                    return Ok("nothing".to_owned());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Before {
    /// An error where it is more than can be guarded: nothing is left out.
    fn check(&self, found: &[Found]) -> Result<(), String> {
        if let Some(Found { through, .. }) = found.iter().find(|it| it.path.as_os_str().is_empty())
        {
            let link = through.last().map(|it| it.display().to_string()).unwrap_or_default();
            return Err(format!(
                "{link} steers other programs, and it leads to the whole workspace: none of it could \
                 be written. Change {link} to have commands run here"
            ));
        }
        // Each is mounted by three arguments, two of them its path, and looked at from inside by four.
        let mounted = self.mounts.iter().map(|it| 16 + 2 * it.path().as_os_str().len());
        let looked_at = self.same.iter().map(|it| it.path.as_os_str().len());
        let length: usize = mounted.chain(looked_at).sum();
        if 3 * self.mounts.len() + 4 * self.same.len() <= ARGUMENTS && length <= LENGTH {
            return Ok(());
        }
        Err(format!(
            "the workspace has {} files and folders that steer other programs (as AGENTS.md or .vscode), \
             more than can be guarded while a command runs. Remove some of them, or work in a folder \
             further down",
            found.len()
        ))
    }
}

/// What could not be put aside, and why.
fn left(held: &Held) -> Option<(&str, &str)> {
    match &held.now {
        Fate::Left(error) => Some((&held.was, error)),
        Fate::Renamed(_) | Fate::Gone => None,
    }
}

/// Lets the owner of a folder rename what is in it.
fn unlock(folder: &OwnedFd) -> io::Result<()> {
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    let mode = rustix::fs::fstat(folder)?.st_mode & 0o7777 | 0o700;
    Ok(rustix::fs::chmod(path, Mode::from_raw_mode(mode))?)
}

fn held_name(path: &Path, name: &OsStr, tries: usize) -> OsString {
    // A branch may be called `x.held`. None has two points in a row.
    let is_branch = path.iter().any(|part| part == "refs" || part == "logs");
    let mut end = if is_branch { "..held" } else { ".held" }.to_owned();
    if tries > 0 {
        end.push_str(&format!("-{:08x}", fastrand::u32(..)));
    }
    let bytes = name.as_encoded_bytes();
    // No name is longer than this.
    let most = 255 - end.len();
    let mut new = match bytes.get(..most) {
        Some(cut) => OsString::from(String::from_utf8_lossy(cut).trim_end_matches('\u{fffd}')),
        None => name.to_owned(),
    };
    new.push(end);
    new
}

impl Mounts {
    /// A folder comes before what is in it.
    fn in_order(self) -> Vec<Mount> {
        let Self { mut pinned, mut fixed, hidden } = self;
        let covered = |path: &Path, all: &BTreeSet<PathBuf>| {
            path.ancestors().skip(1).any(|above| all.contains(above))
        };
        let all = fixed.clone();
        fixed.retain(|path| !covered(path, &all));
        pinned.retain(|path| !fixed.contains(path) && !covered(path, &fixed));
        let hidden: Vec<PathBuf> =
            hidden.iter().filter(|path| !covered(path, &hidden)).cloned().collect();
        let pinned = pinned.into_iter().map(Mount::Write);
        let fixed = fixed.into_iter().map(Mount::Read);
        pinned.chain(fixed).chain(hidden.into_iter().map(Mount::Hide)).collect()
    }
}
