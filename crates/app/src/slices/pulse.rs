//! [`Pulse`]: since when the store does not answer.
//!
//! Whoever waits for one answer cannot tell a slow store from one that is gone, and waits for the next one after
//! that. So one task asks all the time, and everybody else goes by how long it heard nothing.
//!
//! A store that a newer program has changed meanwhile is there: what is driven comes to its boundary, and nothing new is begun.

use std::{
    sync::{
        Arc, Once, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until},
};
use toolwright_core::ActionableError;
use toolwright_session::Fitness;
use toolwright_store::{Store, StoreError, Timeouts};

use crate::LogOnce;

/// How often the store is asked.
const ASK: Duration = Duration::from_secs(1);
/// After how long a silence nothing new is begun.
const HESITATE: Duration = Duration::from_secs(3);

/// Since when the store does not answer.
pub(super) struct Pulse {
    heard: watch::Sender<Instant>,
    /// It is of a format that this program does not know.
    is_newer: AtomicBool,
    asking: Once,
    /// After how long a silence nothing is driven any more.
    lost: Duration,
}

impl Pulse {
    pub(super) fn new() -> Arc<Self> {
        let heard = watch::Sender::new(Instant::now());
        let (is_newer, lost) = (AtomicBool::new(false), Timeouts::default().lost);
        Arc::new(Self { heard, is_newer, asking: Once::new(), lost })
    }

    /// Asks from now on, for as long as this is there.
    pub(super) fn begin(self: &Arc<Self>, store: &Store) {
        self.asking.call_once(|| {
            self.heard.send_replace(Instant::now());
            tokio::spawn(ask(store.clone(), Arc::downgrade(self)));
        });
    }

    pub(super) fn fitness(&self) -> Fitness {
        match self.heard.borrow().elapsed() {
            silence if silence >= self.lost => Fitness::CutOff,
            silence if silence >= HESITATE => Fitness::Hesitant,
            _ if self.is_outdated() => Fitness::Hesitant,
            _ => Fitness::Well,
        }
    }

    /// Whether a newer program has changed the store.
    pub(super) fn is_outdated(&self) -> bool {
        self.is_newer.load(Ordering::Acquire)
    }

    /// Ends when the store was silent for too long.
    pub(super) async fn lost(&self) {
        let mut heard = self.heard.subscribe();
        loop {
            let last = *heard.borrow_and_update();
            tokio::select! {
                biased;
                // The sender is in `self`.
                _ = heard.changed() => {}
                () = sleep_until(last + self.lost) => return,
            }
        }
    }
}

async fn ask(store: Store, pulse: Weak<Pulse>) {
    let mut log_once = LogOnce::default();
    loop {
        // What takes longer than anybody waits is not broken off: it finds out what to do about its connection.
        let answer = store.check().await;
        let Some(pulse) = pulse.upgrade() else { return };
        let is_newer = matches!(answer, Err(StoreError::Newer { .. }));
        pulse.is_newer.store(is_newer, Ordering::Release);
        if answer.is_ok() || is_newer {
            pulse.heard.send_replace(Instant::now());
        }
        match answer {
            Ok(()) => {
                if log_once.is_over() {
                    tracing::warn!("the log can be used again");
                }
            }
            Err(error) if log_once.is_news(&error.to_string()) => {
                let advice = error.advice().unwrap_or_default();
                tracing::warn!(%error, %advice, "the log cannot be used: nothing new is driven here until it can");
            }
            Err(_) => {}
        }
        drop(pulse);
        sleep(ASK).await;
    }
}
