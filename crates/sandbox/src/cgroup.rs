//! [`Groups`]: where control groups for commands can be made, and [`Group`], that of one command.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::Limits;

/// How long processes that were killed may take to go.
const PATIENCE: Duration = Duration::from_secs(5);

/// How the folders of groups begin: the number of this process and a count follow.
const NAME: &str = "toolwright-";

/// Where control groups for commands can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// One tree for each kind of limit.
    Split { pids: Option<PathBuf>, memory: Option<PathBuf> },
    /// One tree for all.
    Unified(PathBuf),
}

impl Groups {
    /// Finds a place below, or beside, the group of this process.
    pub(super) fn find() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let usable = |groups: Self| {
            groups.clear();
            let group = groups.make(&Limits::default()).ok()?;
            group.remove();
            Some(groups)
        };
        let unified = place(&own, &mounts, None).into_iter();
        // Where this process is in the group, limits can only be set for its siblings.
        let unified =
            unified.flat_map(|own| [own.parent().map(Path::to_owned), Some(own)]).flatten();
        let both = |folder: &PathBuf| {
            let kinds = fs::read_to_string(folder.join("cgroup.subtree_control"));
            let kinds = kinds.unwrap_or_default();
            ["pids", "memory"].iter().all(|kind| kinds.split_whitespace().any(|it| it == *kind))
        };
        if let Some(found) = unified.filter(both).find_map(|it| usable(Self::Unified(it))) {
            return Some(found);
        }
        let pids = place(&own, &mounts, Some("pids"))
            .filter(|it| usable(Self::Split { pids: Some(it.clone()), memory: None }).is_some());
        let memory = place(&own, &mounts, Some("memory"))
            .filter(|it| usable(Self::Split { pids: None, memory: Some(it.clone()) }).is_some());
        (pids.is_some() || memory.is_some()).then_some(Self::Split { pids, memory })
    }

    pub(super) fn limits_memory(&self) -> bool {
        !matches!(self, Self::Split { memory: None, .. })
    }

    pub(super) fn limits_processes(&self) -> bool {
        !matches!(self, Self::Split { pids: None, .. })
    }

    /// Makes the group of one command.
    pub(super) fn make(&self, limits: &Limits) -> io::Result<Group> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{NAME}{}-{count}", process::id());
        let mut group = Group { folders: Vec::new(), events: None };
        let made = group.fill(self, &name, limits);
        match made {
            Ok(()) => Ok(group),
            Err(error) => {
                group.remove();
                Err(error)
            }
        }
    }

    /// Removes the groups of processes that are no more.
    fn clear(&self) {
        let places = match self {
            Self::Split { pids, memory } => [pids.as_ref(), memory.as_ref()],
            Self::Unified(place) => [Some(place), None],
        };
        let entries = places.into_iter().flatten().filter_map(|place| fs::read_dir(place).ok());
        for entry in entries.flatten().flatten() {
            let name = entry.file_name();
            let owner = name.to_str().and_then(|name| name.strip_prefix(NAME)?.split('-').next());
            if owner.is_some_and(|owner| !Path::new("/proc").join(owner).exists()) {
                // Only an empty one goes: nothing is lost.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
}

/// The control group of one command.
#[derive(Debug)]
pub(super) struct Group {
    folders: Vec<PathBuf>,
    /// The file in which kills for lack of memory are counted.
    events: Option<PathBuf>,
}

impl Group {
    fn fill(&mut self, groups: &Groups, name: &str, limits: &Limits) -> io::Result<()> {
        let (memory, processes) = (limits.memory.to_string(), limits.processes.to_string());
        match groups {
            Groups::Unified(place) => {
                let folder = self.folder(place, name)?;
                fs::write(folder.join("memory.max"), memory)?;
                // Swap may not be there to be limited.
                let _ = fs::write(folder.join("memory.swap.max"), "0");
                fs::write(folder.join("pids.max"), processes)?;
                self.events = Some(folder.join("memory.events"));
            }
            Groups::Split { pids, memory: place } => {
                if let Some(place) = pids {
                    let folder = self.folder(place, name)?;
                    fs::write(folder.join("pids.max"), processes)?;
                }
                if let Some(place) = place {
                    let folder = self.folder(place, name)?;
                    fs::write(folder.join("memory.limit_in_bytes"), &memory)?;
                    let _ = fs::write(folder.join("memory.memsw.limit_in_bytes"), &memory);
                    self.events = Some(folder.join("memory.oom_control"));
                }
            }
        }
        Ok(())
    }

    fn folder(&mut self, place: &Path, name: &str) -> io::Result<PathBuf> {
        let folder = place.join(name);
        fs::create_dir(&folder)?;
        self.folders.push(folder.clone());
        Ok(folder)
    }

    /// Puts a process into the group, and with it whatever it starts from now on.
    pub(super) fn add(&self, pid: Pid) -> io::Result<()> {
        let pid = pid.as_raw_nonzero().to_string();
        self.folders.iter().try_for_each(|folder| fs::write(folder.join("cgroup.procs"), &pid))
    }

    /// Puts those of the processes into the group that are not in it yet.
    pub(super) fn take_in(&self, all: &[Pid]) -> io::Result<()> {
        for folder in &self.folders {
            let file = folder.join("cgroup.procs");
            let members = members(&file);
            for pid in all.iter().filter(|pid| !members.contains(pid)) {
                fs::write(&file, pid.as_raw_nonzero().to_string())?;
            }
        }
        Ok(())
    }

    /// Whether a process was killed because there was no memory left for it.
    pub(super) fn ran_out(&self) -> bool {
        let events = self.events.as_ref().and_then(|file| fs::read_to_string(file).ok());
        let kills = events.as_deref().unwrap_or_default().lines();
        let mut kills = kills.filter_map(|line| line.strip_prefix("oom_kill "));
        kills.any(|count| count.trim() != "0")
    }

    /// Kills every process in the group.
    pub(super) fn kill(&self) {
        self.folders.iter().for_each(|folder| kill(folder));
    }

    /// Kills every process in the group, waits until they are gone, and removes it.
    pub(super) fn remove(&self) {
        let since = Instant::now();
        for folder in &self.folders {
            while fs::remove_dir(folder).is_err_and(|it| it.kind() != io::ErrorKind::NotFound) {
                if since.elapsed() > PATIENCE {
                    tracing::warn!(folder = %folder.display(), "a control group could not be removed");
                    break;
                }
                kill(folder);
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // One that nobody used: a call that was cancelled before anything was started.
        for folder in &self.folders {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn kill(folder: &Path) {
    if fs::write(folder.join("cgroup.kill"), "1").is_ok() {
        return;
    }
    for pid in members(&folder.join("cgroup.procs")) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

fn members(file: &Path) -> Vec<Pid> {
    let list = fs::read_to_string(file).unwrap_or_default();
    list.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect()
}

/// The folder of this process's own group in the tree for `kind`, or in the one for all.
fn place(own: &str, mounts: &str, kind: Option<&str>) -> Option<PathBuf> {
    let own = own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, kinds, path) = (parts.next()?, parts.next()?, parts.next()?);
        let fits = kind.map_or(kinds.is_empty(), |kind| kinds.split(',').any(|it| it == kind));
        fits.then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (root, at) = (before.next()?, before.next()?);
        let mut after = after.split(' ');
        let (system, options) = (after.next()?, after.nth(1)?);
        let fits = match kind {
            None => system == "cgroup2",
            Some(kind) => system == "cgroup" && options.split(',').any(|it| it == kind),
        };
        let below = Path::new(own).strip_prefix(root).ok()?;
        // `join` of nothing would end in a slash, and its parent would be itself.
        fits.then(|| Path::new(at).join(below).components().collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPLIT: &str = "31 30 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
        32 30 0:28 /box /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
        33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    #[test]
    fn the_own_group_is_found_in_each_tree() {
        let own = "8:pids:/\n4:memory:/box/a\n0::/user.slice/x.scope\n";
        let found = |kind| place(own, SPLIT, kind).map(|it| it.display().to_string());
        assert_eq!(found(Some("pids")).as_deref(), Some("/sys/fs/cgroup/pids"));
        assert_eq!(found(Some("memory")).as_deref(), Some("/sys/fs/cgroup/memory/a"));
        assert_eq!(found(None).as_deref(), Some("/sys/fs/cgroup/unified/user.slice/x.scope"));
        assert_eq!(found(Some("cpu")), None);
    }
}
