//! [`Conversations`]: which conversation the calls of a client belong to, and one call after the other in it, but for
//! those that wait for the user.
//!
//! A session (or a process, over standard input) has one. In the protocol of 2026-07-28 there are no sessions:
//! there a client is known by the name and the version it gives, and what it is let in with is the server's to
//! check. Whatever name it chooses, it sees no more by it: a conversation only says which values were returned.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::{OwnedMutexGuard, watch};
use toolwright_core::ConversationId;
use toolwright_runtime::new_conversation_id;

/// How many calls one conversation has: each call reads what was returned so far.
const CALLS: u32 = 500;
/// After how long of nothing a client without a session begins a new one.
const REST: Duration = Duration::from_secs(60 * 60);
/// How many clients without a session are remembered.
const CLIENTS: usize = 256;

/// The conversation of one client. While a call in it waits for the client's user, others go to another: the client
/// need not wait for its user, and the run that waits has its conversation to itself.
#[derive(Clone, Default)]
pub(super) struct Slot(Arc<Mutex<Vec<Arc<Lane>>>>);

/// A conversation, and whether the call whose turn it is waits for the user.
#[derive(Default)]
struct Lane {
    current: Arc<tokio::sync::Mutex<Current>>,
    waits: watch::Sender<bool>,
    /// The conversation of its last call: known without waiting for a turn.
    id: Mutex<Option<ConversationId>>,
}

impl Slot {
    /// The client's turn, once the calls before it are done. One that waits for the user is not waited for.
    pub(super) async fn turn(&self) -> Turn {
        loop {
            let lane = self.lane();
            let mut waits = lane.waits.subscribe();
            tokio::select! {
                biased;
                current = lane.current.clone().lock_owned() => return Turn { lane, current },
                _ = waits.wait_for(|it| *it) => {}
            }
        }
    }

    /// The first in which nothing waits. There are as many as calls wait, and one more.
    fn lane(&self) -> Arc<Lane> {
        let mut lanes = self.lanes();
        if let Some(lane) = lanes.iter().find(|it| !*it.waits.borrow()) {
            return lane.clone();
        }
        let lane = Arc::<Lane>::default();
        lanes.push(lane.clone());
        lane
    }

    /// Where calls of the client's returned something.
    pub(super) fn conversations(&self) -> Vec<ConversationId> {
        let id = |it: &Arc<Lane>| it.id.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.lanes().iter().filter_map(id).collect()
    }

    /// When it was used last; nothing where it is in use.
    fn last_used(&self) -> Option<Instant> {
        let last = |it: &Arc<Lane>| it.current.try_lock().ok().map(|it| it.last);
        let all: Option<Vec<_>> = self.lanes().iter().map(last).collect();
        Some(all?.into_iter().max().unwrap_or_else(Instant::now))
    }

    fn lanes(&self) -> MutexGuard<'_, Vec<Arc<Lane>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client's turn in a conversation, for as long as it is kept.
pub(super) struct Turn {
    lane: Arc<Lane>,
    current: OwnedMutexGuard<Current>,
}

impl Turn {
    /// The conversation for one more call.
    pub(super) fn next(&mut self) -> ConversationId {
        let id = self.current.next();
        *self.lane.id.lock().unwrap_or_else(PoisonError::into_inner) = Some(id.clone());
        id
    }

    /// Whether the call waits for the client's user.
    pub(super) fn set_waits(&self, waits: bool) {
        self.lane.waits.send_replace(waits);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.set_waits(false);
    }
}

/// The conversation that calls go to now.
struct Current {
    id: ConversationId,
    calls: u32,
    last: Instant,
}

impl Default for Current {
    fn default() -> Self {
        Self { id: new_conversation_id(), calls: 0, last: Instant::now() }
    }
}

impl Current {
    fn next(&mut self) -> ConversationId {
        if self.calls >= CALLS {
            *self = Self::default();
        }
        self.calls += 1;
        self.last = Instant::now();
        self.id.clone()
    }
}

/// The conversations of clients that have no session.
#[derive(Default)]
pub(super) struct Conversations(Mutex<HashMap<String, Slot>>);

impl Conversations {
    /// The one of this client.
    pub(super) fn of(&self, client: &str) -> Slot {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = all.get(client) {
            let is_stale = slot.last_used().is_some_and(|last| last.elapsed() > REST);
            if !is_stale {
                return slot.clone();
            }
        }
        if all.len() >= CLIENTS {
            make_room(&mut all);
        }
        let slot = Slot::default();
        all.insert(client.to_owned(), slot.clone());
        slot
    }
}

/// Forgets who has rested longest.
fn make_room(all: &mut HashMap<String, Slot>) {
    let resting = all.iter().filter_map(|(name, slot)| Some((slot.last_used()?, name)));
    let oldest = resting.min().map(|(_, name)| name.clone());
    // All of them call just now: those who come back begin anew.
    match oldest.or_else(|| all.keys().next().cloned()) {
        Some(name) => drop(all.remove(&name)),
        None => all.clear(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_client_keeps_its_conversation_and_others_have_their_own() {
        let all = Conversations::default();
        let one = all.of("a 1").turn().await.next();
        assert_eq!(all.of("a 1").turn().await.next(), one);
        assert_ne!(all.of("a 2").turn().await.next(), one);
    }

    #[tokio::test]
    async fn many_clients_fill_no_memory_and_a_long_conversation_ends() {
        let all = Conversations::default();
        for client in 0..CLIENTS * 2 {
            all.of(&client.to_string());
        }
        assert_eq!(all.0.lock().unwrap().len(), CLIENTS);
        let mut turn = Slot::default().turn().await;
        let first = turn.next();
        for _ in 1..CALLS {
            assert_eq!(turn.next(), first);
        }
        assert_ne!(turn.next(), first);
    }

    #[tokio::test]
    async fn who_calls_just_now_is_not_forgotten_for_somebody_else() {
        let all = Conversations::default();
        let slot = all.of("busy");
        let turn = slot.turn().await;
        for client in 0..CLIENTS * 2 {
            all.of(&client.to_string());
        }
        assert!(Arc::ptr_eq(&all.of("busy").0, &slot.0));
        drop(turn);
    }
    #[tokio::test]
    async fn a_call_that_waits_for_the_user_is_passed_by_and_come_back_to() {
        let slot = Slot::default();
        let mut first = slot.turn().await;
        let asked_in = first.next();
        // One that is in line already, and one that comes later.
        let (in_line, early) = (slot.clone(), slot.clone());
        let in_line = tokio::spawn(async move { in_line.turn().await.next() });
        tokio::task::yield_now().await;
        first.set_waits(true);
        let beside = in_line.await.unwrap();
        assert_ne!(beside, asked_in);
        assert_eq!(early.turn().await.next(), beside, "there are no more than are needed");
        // Answered: who comes now waits for its end, and is in the first conversation again.
        first.set_waits(false);
        tokio::select! {
            biased;
            _ = slot.turn() => panic!("it was not its turn"),
            () = tokio::task::yield_now() => {}
        }
        drop(first);
        assert_eq!(slot.turn().await.next(), asked_in);
    }
}
