//! [`Strays`]: what a program started and what left its group, a daemon say.
//!
//! Without walls there is no namespace that ends with the program. What it starts inherits its environment, so a
//! variable that no other program has finds it, whoever its parent is now. One that clears its environment hides from
//! that: only walls hold what wants to stay.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The variable.
const NAME: &str = "TOOLWRIGHT_SERVER_ID";
/// The most of an environment that is read.
const LONGEST: u64 = 4 << 20;

/// What a program started and what left its group.
pub(super) struct Strays(String);

impl Default for Strays {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let mut id = format!("{}-{now}-", std::process::id());
        let _ = write!(id, "{}", NEXT.fetch_add(1, Relaxed));
        Self(id)
    }
}

impl Strays {
    /// The variable that the program is to have.
    pub(super) fn variable(&self) -> (&'static str, &str) {
        (NAME, &self.0)
    }

    /// Whether there is anything.
    pub(super) fn are_there(&self) -> bool {
        self.found().next().is_some()
    }

    /// Sends a signal to all of it.
    pub(super) fn signal(&self, signal: Signal) {
        for pid in self.found() {
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
            // Looked at again: the number may have been given to another before it was held.
            if self.is_of(pid) {
                let _ = pidfd_send_signal(&process, signal);
            }
        }
    }

    fn found(&self) -> impl Iterator<Item = Pid> {
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = all.filter_map(|it| Pid::from_raw(it.file_name().to_str()?.parse().ok()?));
        numbers.filter(|pid| self.is_of(*pid))
    }

    /// Whether a process has the variable. Nobody reads that of another account's; and of one that has ended, and
    /// that nobody has waited for, there is nothing.
    fn is_of(&self, pid: Pid) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
        let environment = toolwright_files::read_bounded(path, LONGEST).unwrap_or_default();
        let mark = format!("{NAME}={}", self.0);
        environment.split(|it| *it == 0).any(|it| it == mark.as_bytes())
    }
}
