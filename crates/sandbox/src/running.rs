//! [`Running`]: a program that was started, and that nothing is left of when this is dropped.

use std::{
    fs, io,
    os::fd::OwnedFd,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal},
};
use tokio::process::Child;

use crate::{AtEnd, cgroup::Group, launch::Parts};

/// How long processes that were killed may take to go.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// A program that was started.
pub(super) struct Running<E: AtEnd> {
    pub(super) child: Child,
    after: Option<After<E>>,
}

/// What is to be done when a command is over, however it ended.
pub(super) struct After<E> {
    parts: Arc<Parts>,
    end: E,
    group: Option<Arc<Group>>,
    /// Bubblewrap itself.
    outer: Option<(Pid, OwnedFd)>,
    stage: Stage,
}

/// How far the walls are.
enum Stage {
    /// They are being put up. Bubblewrap's child waits for bubblewrap and would wait for ever if that
    /// were killed: it is left to end by itself, as the program inside does when nobody lets the
    /// command begin.
    Rising,
    /// They are up, and this is the first process inside, where it is known. With it go all the
    /// others.
    Up(Option<OwnedFd>),
}

/// Commands that were dropped and are not cleared away yet. What they leave is not taken for what was
/// there before the next one.
#[derive(Default)]
pub(super) struct Leaving {
    count: Mutex<usize>,
    left: Condvar,
}

impl Leaving {
    fn add(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }

    fn remove(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.left.notify_all();
    }

    /// Waits until there are none, but not for ever.
    pub(super) fn wait(&self) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.left.wait_timeout_while(count, 2 * PATIENCE, |count| *count > 0));
    }
}

/// What was found when a program was over.
pub(super) struct Settled<F> {
    pub(super) found: F,
    pub(super) ran_out: bool,
}

impl<E: AtEnd> Running<E> {
    pub(super) fn new(child: Child, parts: Arc<Parts>, end: E, group: Option<Group>) -> Self {
        let pid = child.id().and_then(|pid| Pid::from_raw(pid.try_into().ok()?));
        let outer = pid.and_then(|pid| Some((pid, pidfd_open(pid, PidfdFlags::empty()).ok()?)));
        let group = group.map(Arc::new);
        Self { child, after: Some(After { parts, end, group, outer, stage: Stage::Rising }) }
    }

    pub(super) fn pid(&self) -> Option<Pid> {
        self.after.as_ref()?.outer.as_ref().map(|(pid, _)| *pid)
    }

    pub(super) fn group(&self) -> Option<Arc<Group>> {
        self.after.as_ref()?.group.clone()
    }

    /// How long its processes have worked that are there now, in the system's ticks.
    pub(super) fn worked(&self) -> u64 {
        self.pid().map_or(0, |outer| tree(outer).into_iter().map(worked).sum())
    }

    /// Notes that the walls are up, and the first process inside.
    pub(super) fn is_up(&mut self, first: Option<OwnedFd>) {
        if let Some(after) = &mut self.after {
            after.stage = Stage::Up(first);
        }
    }

    /// Kills whatever is left of the command.
    pub(super) fn kill(&self) {
        if let Some(after) = &self.after {
            after.kill();
        }
    }

    /// What is left to do. The processes were killed.
    pub(super) fn finish(mut self) -> Option<After<E>> {
        self.after.take()
    }
}

impl<E: AtEnd> Drop for Running<E> {
    fn drop(&mut self) {
        self.kill();
        let Some(after) = self.after.take() else { return };
        let parts = after.parts.clone();
        parts.leaving.add();
        let settle = move || {
            let parts = after.parts.clone();
            after.settle();
            parts.leaving.remove();
        };
        let thread = thread::Builder::new().name("toolwright-sandbox".into());
        if let Err(error) = thread.spawn(settle) {
            parts.leaving.remove();
            tracing::warn!(%error, "a cancelled command was not cleared away");
        }
    }
}

impl<E: AtEnd> After<E> {
    fn kill(&self) {
        let Stage::Up(first) = &self.stage else { return };
        let outer = self.outer.as_ref().map(|(_, outer)| outer);
        for process in first.iter().chain(outer) {
            // It may be gone already.
            let _ = pidfd_send_signal(process, Signal::KILL);
        }
        if let Some(group) = &self.group {
            group.kill();
        }
    }

    /// Waits until every process is gone, and then looks at what they did.
    pub(super) fn settle(self) -> Settled<E::Found> {
        match (&self.stage, &self.outer) {
            (Stage::Rising, Some((pid, outer))) if !is_gone(outer) => {
                let first = children(*pid);
                for pid in first.into_iter().chain([*pid]) {
                    let _ = kill_process(pid, Signal::KILL);
                }
            }
            (Stage::Rising, _) => {}
            (Stage::Up(first), _) => {
                self.kill();
                if first.as_ref().is_some_and(|first| !is_gone(first)) {
                    tracing::warn!("a command that was killed is still there");
                }
            }
        }
        let ran_out = self.group.as_ref().is_some_and(|group| group.ran_out());
        if let Some(group) = &self.group {
            group.remove();
        }
        Settled { found: self.end.at_end(), ran_out }
    }
}

/// Waits until a process is gone, but not for ever. In a namespace, the first to come is the last to
/// go.
fn is_gone(process: &OwnedFd) -> bool {
    let until = Instant::now() + PATIENCE;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let Ok(left) = Timespec::try_from(left) else { return false };
        match poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&left)) {
            Err(rustix::io::Errno::INTR) => {}
            found => return !matches!(found, Ok(0)),
        }
    }
}

/// Puts bubblewrap and what it started into the group, and finds the first process inside. Nothing
/// is started meanwhile: the program inside waits.
pub(super) fn gather(outer: Pid, group: Option<&Group>) -> io::Result<Option<OwnedFd>> {
    let first = children(outer).into_iter().next();
    if let Some(group) = group {
        group.take_in(&tree(outer))?;
    }
    Ok(match first {
        Some(first) => Some(pidfd_open(first, PidfdFlags::empty())?),
        None => None,
    })
}

/// A process and all below it.
fn tree(outer: Pid) -> Vec<Pid> {
    let mut all = vec![outer];
    let mut next = 0;
    while let Some(pid) = all.get(next).copied() {
        all.extend(children(pid));
        next += 1;
    }
    all
}

/// How long a process has worked: by itself, and in the system.
fn worked(pid: Pid) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    let stat = stat.unwrap_or_default();
    // The name, in brackets, may have anything in it. Eleven fields follow before these two.
    let behind = stat.rsplit(')').next().unwrap_or_default();
    behind.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum()
}

fn children(pid: Pid) -> Vec<Pid> {
    let pid = pid.as_raw_nonzero();
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|it| Pid::from_raw(it.parse().ok()?)).collect()
}
