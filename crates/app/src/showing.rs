//! [`Showing`]: pieces of a run that is driven here, shown to those who listen elsewhere.
//!
//! They are for the eye, and what they become is in the log: so they are shown a few times a second, what belongs
//! together as one, and too many are left out.

use std::{mem, time::Duration};

use tokio::time::Instant;
use toolwright_core::{ConversationId, Event, EventKind};
use toolwright_store::{Position, Store};

/// How often something is shown.
const OFTEN: Duration = Duration::from_millis(100);
/// How much of a text is shown as one: what carries it has room for about twice that.
const AS_ONE: usize = 3_000;
/// How many at a time.
const MOST: usize = 8;

/// Pieces that wait to be shown.
pub struct Showing<'a> {
    store: &'a Store,
    id: &'a ConversationId,
    waiting: Vec<(u64, Event)>,
    due: Option<Instant>,
}

impl<'a> Showing<'a> {
    /// To others, where there may be some.
    pub fn to_others(store: &'a Store, id: &'a ConversationId) -> Option<Self> {
        store.is_shared().then(|| Self { store, id, waiting: Vec::new(), due: None })
    }

    /// When something is to be shown.
    pub fn due(&mut self) -> Option<Instant> {
        self.due
    }

    /// One more, before the committed event of this position.
    pub fn add(&mut self, position: u64, event: &Event) {
        self.due.get_or_insert_with(|| Instant::now() + OFTEN);
        if let Some((at, last)) = self.waiting.last_mut()
            && *at == position
            && joined(&mut last.kind, &event.kind)
        {
            return;
        }
        if self.waiting.len() < MOST {
            self.waiting.push((position, event.clone()));
        }
    }

    /// Shows what waits.
    pub fn show(&mut self) {
        self.due = None;
        for (position, event) in mem::take(&mut self.waiting) {
            self.store.show(self.id, Position(position), &event);
        }
    }

    /// What they become is there.
    pub fn forget(&mut self) {
        self.waiting.clear();
        self.due = None;
    }
}

/// Whether the second was added to the first, as more of the same text.
fn joined(first: &mut EventKind, second: &EventKind) -> bool {
    match (first, second) {
        (EventKind::Content { data }, EventKind::Content { data: more })
        | (EventKind::Reasoning { data }, EventKind::Reasoning { data: more })
            if data.len() + more.len() <= AS_ONE =>
        {
            data.push_str(more);
            true
        }
        _ => false,
    }
}
