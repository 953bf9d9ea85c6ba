//! [`Flights`]: calls that are under way, for others to join.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use futures_core::future::BoxFuture;
use futures_util::{
    FutureExt,
    future::{Shared, WeakShared},
};
use toolwright_core::ToolResult;

use super::key::Key;

/// A call that is under way. Whoever waits for it does its work while being polled, so it does not
/// stand still because the run that began it does; it is dropped with the last who waits.
pub(super) type Flight = Shared<BoxFuture<'static, ToolResult>>;

/// Calls that are under way, for others to join.
#[derive(Default)]
pub(super) struct Flights(Mutex<Board>);

#[derive(Default)]
struct Board {
    flights: HashMap<Key, (u64, WeakShared<BoxFuture<'static, ToolResult>>)>,
    next: u64,
}

/// How somebody came to a flight.
pub(super) enum Boarded {
    Started(Flight),
    Joined(Flight),
}

impl Flights {
    /// Joins the flight of this key, or starts it.
    pub(super) fn board(
        self: &Arc<Self>,
        key: &Key,
        work: impl FnOnce() -> BoxFuture<'static, ToolResult>,
    ) -> Boarded {
        let mut board = self.lock();
        let known = board.flights.get(key).and_then(|(_, flight)| flight.upgrade());
        if let Some(flight) = known {
            return Boarded::Joined(flight);
        }
        board.next += 1;
        let entry = Entry { flights: Arc::downgrade(self), key: key.clone(), number: board.next };
        let work = work();
        let flight = async move {
            let _entry = entry;
            work.await
        };
        let flight = flight.boxed().shared();
        if let Some(weak) = flight.downgrade() {
            let number = board.next;
            board.flights.insert(key.clone(), (number, weak));
        }
        Boarded::Started(flight)
    }

    fn lock(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A flight's entry on the board, taken off when the flight has ended, one way or the other.
struct Entry {
    flights: Weak<Flights>,
    key: Key,
    number: u64,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Some(flights) = self.flights.upgrade() else { return };
        let mut board = flights.lock();
        // By now there may be another of the same key.
        if board.flights.get(&self.key).is_some_and(|(number, _)| *number == self.number) {
            board.flights.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolwright_core::{Output, RunContext};

    use super::*;

    fn board(flights: &Arc<Flights>, key: &str) -> Boarded {
        let found = || std::future::ready(Ok(Output::Text("found".to_owned()))).boxed();
        flights.board(&Key::of(&json!(key), &RunContext::new()), found)
    }

    #[test]
    fn what_has_ended_or_was_dropped_is_forgotten() {
        let flights = Arc::new(Flights::default());
        let (Boarded::Started(one), Boarded::Started(other)) =
            (board(&flights, "a"), board(&flights, "b"))
        else {
            panic!("there was nothing to join");
        };
        let Boarded::Joined(same) = board(&flights, "a") else { panic!("there was") };
        assert_eq!(flights.lock().flights.len(), 2);
        assert!(one.now_or_never().is_some());
        assert_eq!(flights.lock().flights.len(), 1, "one has ended");
        assert!(same.now_or_never().is_some());
        drop(other);
        assert!(flights.lock().flights.is_empty(), "nobody waits for the other");
    }
}
