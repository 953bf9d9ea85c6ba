//! [`Channel`]: what happens in one conversation, for everybody who listens.
//!
//! Nobody has a queue of their own: events lie here once, and each listener remembers where it was.
//! One that falls too far behind is given what was committed from the store; only provisional
//! pieces are lost to it, and what they became is not.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;
use toolwright_core::{ConversationId, Event};
use toolwright_store::Position;

use super::frame::{Frame, Place};

/// How much of a run is kept in memory for listeners.
const KEPT: usize = 4 << 20;

/// What happens in one conversation.
pub(crate) struct Channel {
    pub(crate) id: ConversationId,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    frames: VecDeque<Frame>,
    size: usize,
    /// The position of the run's event 0, were it there: a run that goes on begins later.
    origin: u64,
    pieces: u32,
    /// What listeners that only want what is new begin behind: everything before the run that goes
    /// on, or everything there was when the last one ended.
    new: Option<Place>,
    /// How often what waits in the conversation changed without an event.
    queue: u64,
    /// Nothing will happen here any more.
    is_closed: bool,
}

/// What lies behind a place.
pub(crate) enum Behind {
    /// These events.
    Frames(Vec<Frame>),
    /// Something that is only in the store.
    Stored,
    /// Maybe something in the store: no run was here yet.
    Unknown,
    /// Nothing yet.
    Nothing,
    /// Nothing, now or later.
    Over,
}

impl Channel {
    pub(crate) fn new(id: ConversationId) -> Self {
        Self { id, state: Mutex::default(), changed: watch::Sender::new(()) }
    }

    /// A run begins: its first event, and where that stands.
    pub(crate) fn begin(&self, first: Position, event: Event) -> Place {
        let mut state = self.lock();
        let before = Place::piece(first.0, 0);
        *state = State {
            origin: first.0.saturating_sub(event.seq),
            new: Some(before),
            is_closed: state.is_closed,
            queue: state.queue,
            ..State::default()
        };
        drop(state);
        self.push(event);
        before
    }

    /// The next event of the run.
    pub(crate) fn push(&self, event: Event) {
        let mut state = self.lock();
        let position = state.origin.saturating_add(event.seq);
        let place = if event.kind.is_provisional() {
            state.pieces += 1;
            Place::piece(position, state.pieces)
        } else {
            state.pieces = 0;
            Place::committed(position)
        };
        if event.kind.is_terminal() {
            state.new = Some(place);
        }
        let frame = Frame::new(place, event);
        state.size += frame.sse.len();
        state.frames.push_back(frame);
        while state.size > KEPT {
            let Some(oldest) = state.frames.pop_front() else { break };
            state.size -= oldest.sse.len();
        }
        drop(state);
        self.changed.send_replace(());
    }

    /// Nothing happened for a while: of a run that has ended only its end is kept here. The rest is
    /// in the store, and whoever still listens for the next run would keep it in memory.
    pub(crate) fn rest(&self) {
        let mut state = self.lock();
        if state.frames.back().is_some_and(|last| last.event.kind.is_terminal()) {
            state.frames = state.frames.pop_back().into_iter().collect();
            state.size = state.frames.iter().map(|frame| frame.sse.len()).sum();
        }
    }

    /// Where somebody begins who only wants what is new.
    pub(crate) fn new_place(&self) -> Option<Place> {
        self.lock().new
    }

    /// The place of the last event there was.
    pub(crate) fn last_place(&self) -> Option<Place> {
        self.lock().frames.back().map(|frame| frame.place)
    }

    /// The place of this event of the run; that of the last one where it is none yet.
    pub(crate) fn place_of(&self, seq: u64) -> Option<Place> {
        let state = self.lock();
        let last = state.frames.back()?.place;
        Some(last.min(Place::committed(state.origin.saturating_add(seq))))
    }

    /// What lies behind a place, at most about `most` bytes of it.
    pub(crate) fn behind(&self, place: Place, most: usize) -> Behind {
        let state = self.lock();
        let from = state.frames.partition_point(|frame| frame.place <= place);
        let Some(first) = state.frames.get(from) else {
            return match state.new {
                _ if state.is_closed => Behind::Over,
                Some(_) => Behind::Nothing,
                None => Behind::Unknown,
            };
        };
        if from == 0 && first.place.position() > place.next_committed() {
            return Behind::Stored;
        }
        let mut size = 0;
        let frames = state.frames.range(from..).take_while(|frame| {
            let fits = size < most;
            size += frame.sse.len();
            fits
        });
        Behind::Frames(frames.cloned().collect())
    }

    /// A message waits in the conversation that did not, or the other way round, and no event says so.
    pub(crate) fn change_queue(&self) {
        self.lock().queue += 1;
        self.changed.send_replace(());
    }

    /// How often that happened.
    pub(crate) fn queue_changes(&self) -> u64 {
        self.lock().queue
    }

    /// Nothing will happen any more. Whoever listens hears what they have not heard, and that it is
    /// over.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.send_replace(());
    }

    /// Whether nothing will happen any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Tells when something happened.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // What is done under the lock does not panic half way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use toolwright_core::{EventKind, Failure, FailureKind, Timestamp, Usage};

    use super::*;

    fn event(seq: u64, kind: EventKind) -> Event {
        Event { seq, run: "run_1".into(), round: 1, at: Timestamp(0), kind }
    }

    fn end(id: &ConversationId) -> EventKind {
        EventKind::Error(Box::new(Failure {
            kind: FailureKind::Cancelled,
            message: String::new(),
            advice: None,
            response: String::new(),
            tool_calls: Vec::new(),
            usage: Usage::default(),
            cost: None,
            conversation_id: id.clone(),
        }))
    }

    #[test]
    fn of_a_run_that_has_ended_only_the_end_stays() {
        let piece = || EventKind::Content { data: "and ".to_owned() };
        let id = ConversationId::from("conv_1");
        let channel = Channel::new(id.clone());
        let before = channel.begin(Position(4), event(0, piece()));
        (0..3).for_each(|_| channel.push(event(2, piece())));
        channel.rest();
        let Behind::Frames(all) = channel.behind(before, usize::MAX) else {
            panic!("a run that goes on is kept")
        };
        assert_eq!(all.len(), 4);

        channel.push(event(2, end(&id)));
        channel.rest();
        assert!(matches!(channel.behind(before, usize::MAX), Behind::Stored));
        let Behind::Frames(last) = channel.behind(Place::committed(5), usize::MAX) else {
            panic!("the end is still here")
        };
        assert_eq!(last.len(), 1);
        assert!(matches!(channel.behind(Place::committed(6), usize::MAX), Behind::Nothing));
    }

    #[test]
    fn what_was_not_heard_comes_before_the_end_of_everything() {
        let id = ConversationId::from("conv_1");
        let channel = Channel::new(id.clone());
        let before = channel.begin(Position(0), event(0, end(&id)));
        let changes = channel.changes();
        channel.close();
        assert!(changes.has_changed().is_ok_and(|it| it));
        let Behind::Frames(last) = channel.behind(before, usize::MAX) else {
            panic!("the end of the run was not heard")
        };
        assert!(matches!(channel.behind(last[0].place, usize::MAX), Behind::Over));
    }
}
