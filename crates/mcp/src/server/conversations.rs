//! [`Conversations`]: which conversation the calls of a client belong to, and one call after the other in it.
//!
//! A session (or a process, over standard input) has one. In the protocol of 2026-07-28 there are no sessions:
//! there a client is known by the name and the version it gives, and what it is let in with is the server's to
//! check. Whatever name it chooses, it sees no more by it: a conversation only says which values were returned.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use toolwright_core::ConversationId;
use toolwright_runtime::new_conversation_id;

/// How many calls one conversation has: each call reads what was returned so far.
const CALLS: u32 = 500;
/// After how long of nothing a client without a session begins a new one.
const REST: Duration = Duration::from_secs(60 * 60);
/// How many clients without a session are remembered.
const CLIENTS: usize = 256;

/// The conversation of one client.
pub(super) type Slot = Arc<tokio::sync::Mutex<Current>>;

/// The conversation that calls go to now.
pub(super) struct Current {
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
    /// The conversation for one more call.
    pub(super) fn next(&mut self) -> ConversationId {
        if self.calls >= CALLS {
            *self = Self::default();
        }
        self.calls += 1;
        self.last = Instant::now();
        self.id.clone()
    }

    /// The conversation itself.
    pub(super) fn id(&self) -> ConversationId {
        self.id.clone()
    }

    fn is_stale(&self) -> bool {
        self.last.elapsed() > REST
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
            // Somebody calls in it just now where it cannot be looked at.
            if !slot.try_lock().is_ok_and(|it| it.is_stale()) {
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
    let resting = all.iter().filter_map(|(name, slot)| Some((slot.try_lock().ok()?.last, name)));
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
        let one = all.of("a 1").lock_owned().await.next();
        assert_eq!(all.of("a 1").lock_owned().await.next(), one);
        assert_ne!(all.of("a 2").lock_owned().await.next(), one);
    }

    #[tokio::test]
    async fn many_clients_fill_no_memory_and_a_long_conversation_ends() {
        let all = Conversations::default();
        for client in 0..CLIENTS * 2 {
            all.of(&client.to_string());
        }
        assert_eq!(all.0.lock().unwrap().len(), CLIENTS);
        let mut turn = Slot::default().lock_owned().await;
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
        let turn = slot.clone().lock_owned().await;
        for client in 0..CLIENTS * 2 {
            all.of(&client.to_string());
        }
        assert!(Arc::ptr_eq(&all.of("busy"), &slot));
        drop(turn);
    }
}
