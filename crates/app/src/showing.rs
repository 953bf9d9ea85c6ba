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
    waiting: Vec<Piece>,
    due: Option<Instant>,
    /// How much was written of the text that is being written, and of the thought, and where.
    written: ([u64; 2], u64),
}

/// A piece that waits.
struct Piece {
    position: u64,
    /// How much of the same text comes before it.
    before: u64,
    event: Event,
}

impl<'a> Showing<'a> {
    /// To others, where there may be some.
    pub fn to_others(store: &'a Store, id: &'a ConversationId) -> Option<Self> {
        store.is_shared().then(|| {
            let (waiting, written) = (Vec::new(), ([0; 2], 0));
            Self { store, id, waiting, due: None, written }
        })
    }

    /// When something is to be shown.
    pub fn due(&mut self) -> Option<Instant> {
        self.due
    }

    /// One more, before the committed event of this position.
    pub fn add(&mut self, position: u64, event: &Event) {
        self.due.get_or_insert_with(|| Instant::now() + OFTEN);
        let before = self.count(position, event);
        if let Some(last) = self.waiting.last_mut()
            && last.position == position
            && joined(&mut last.event.kind, &event.kind)
        {
            return;
        }
        if self.waiting.len() < MOST {
            self.waiting.push(Piece { position, before, event: event.clone() });
        }
    }

    /// How much of the same text came before a piece, also where it is left out: then others see that they lack it.
    fn count(&mut self, position: u64, event: &Event) -> u64 {
        let (written, at) = &mut self.written;
        if *at != position {
            (*written, *at) = ([0; 2], position);
        }
        let [text, thought] = written;
        let (of, more) = match &event.kind {
            EventKind::Content { data } => (text, data),
            EventKind::Reasoning { data } => (thought, data),
            _ => return 0,
        };
        let before = *of;
        *of += more.len() as u64;
        before
    }

    /// Shows what waits.
    pub fn show(&mut self) {
        self.due = None;
        for Piece { position, before, event } in mem::take(&mut self.waiting) {
            self.store.show(self.id, Position(position), before, &event);
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
