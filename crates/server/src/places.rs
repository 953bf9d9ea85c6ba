//! [`Places`]: how many connections are open at once, and who goes first when there are too many.
//!
//! Every connection is an open file, and of those a process may have only so many. Half of them are for
//! connections over TCP, an eighth for the socket of this user's own programs; the rest is left for the
//! database, models and tools. Over TCP anybody on the machine can connect, so what has not shown
//! that it is the owner's, or has the token, gets at most half of those places: where they are taken,
//! the one that has waited longest is let go. So a flood only ever takes places from itself.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// How many connections are open at once through one door.
pub(crate) struct Places {
    all: Arc<Semaphore>,
    newcomers: Arc<Newcomers>,
}

impl Places {
    /// For those who come over TCP.
    pub(crate) fn over_tcp(most: usize) -> Self {
        Self::new(most.min(open_files() / 2))
    }

    /// For programs of this user's own.
    pub(crate) fn on_socket(most: usize) -> Self {
        Self::new(most.min(open_files() / 8))
    }

    fn new(most: usize) -> Self {
        let most = most.max(1);
        let newcomers = Newcomers { most: most.div_ceil(2), waiting: Mutex::default() };
        Self { all: Arc::new(Semaphore::new(most)), newcomers: Arc::new(newcomers) }
    }

    /// A place for a connection, once there is one.
    pub(crate) async fn free(&self) -> Option<OwnedSemaphorePermit> {
        self.all.clone().acquire_owned().await.ok()
    }

    /// Takes in one who has not shown who they are; where too many have not, the one that has waited
    /// longest is let go.
    pub(crate) fn newcomer(&self) -> Newcomer {
        let goes = CancellationToken::new();
        let mut waiting = self.newcomers.lock();
        if waiting.all.len() >= self.newcomers.most
            && let Some((_, longest)) = waiting.all.pop_first()
        {
            longest.cancel();
        }
        let number = waiting.next;
        waiting.next += 1;
        waiting.all.insert(number, goes.clone());
        Newcomer { number, goes, among: self.newcomers.clone() }
    }
}

/// How many files this process may have open.
fn open_files() -> usize {
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    most.and_then(|it| usize::try_from(it).ok()).unwrap_or(usize::MAX)
}

/// Those who have not shown who they are.
struct Newcomers {
    most: usize,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    all: BTreeMap<u64, CancellationToken>,
}

impl Newcomers {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection of somebody who has not shown who they are.
pub(crate) struct Newcomer {
    number: u64,
    goes: CancellationToken,
    among: Arc<Newcomers>,
}

impl Newcomer {
    /// They have shown it: from now on they are not let go for others.
    pub(crate) fn is_known(&self) {
        self.among.lock().all.remove(&self.number);
    }

    /// Ends when they are let go.
    pub(crate) async fn let_go(&self) {
        self.goes.cancelled().await;
    }
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        self.is_known();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waited_longest_goes_and_nobody_who_is_known() {
        let places = Places::new(6);
        let known = places.newcomer();
        known.is_known();
        let all: Vec<_> = (0..5).map(|_| places.newcomer()).collect();
        let gone: Vec<_> = all.iter().map(|it| it.goes.is_cancelled()).collect();
        assert_eq!(gone, [true, true, false, false, false]);
        assert!(!known.goes.is_cancelled());
        // Whoever leaves makes room.
        let mut all = all.into_iter().skip(3);
        drop(all.next());
        let next = places.newcomer();
        assert!(!next.goes.is_cancelled() && all.all(|it| !it.goes.is_cancelled()));
    }
}
