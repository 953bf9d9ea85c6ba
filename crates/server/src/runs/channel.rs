//! [`Channel`]: what happens in one conversation, for everybody who listens.
//!
//! Nobody has a queue of their own: events lie here once, and each listener remembers where it was.
//! One that falls too far behind is given what was committed from the store; only provisional
//! pieces are lost to it, and what they became is not.
//!
//! Where a run is driven makes no difference: one that is driven here puts its events in as they come, and of one
//! that another process drives they are read from the store, once for all who listen. Each event has its position, so
//! none is here twice, and whoever is behind a gap reads on from the store.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;
use toolwright_core::{ConversationId, Event, EventKind};
use toolwright_store::Position;

use super::frame::{Frame, Place};

/// How much of a run is kept in memory for listeners.
const KEPT: usize = 4 << 20;
/// How many pieces wait for what comes before them to be read.
const HELD_BACK: usize = 64;

/// What happens in one conversation.
pub(crate) struct Channel {
    pub(crate) id: ConversationId,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    /// One behind the other, without a gap.
    frames: VecDeque<Frame>,
    size: usize,
    /// The position behind the last committed event that was put in here; none before the first.
    next: Option<u64>,
    /// How many events the log is known to have.
    end: u64,
    pieces: u32,
    /// How many bytes of the text that is being written are here, and of the thought.
    written: [u64; 2],
    /// What listeners that only want what is new begin behind: everything before the run that goes
    /// on, or everything there was when the last one ended.
    new: Option<Place>,
    /// How often what waits in the conversation changed without an event.
    queue: u64,
    /// How often it may have been missed that something happened.
    missed: u64,
    /// Why nobody drives the run that goes on, until something happens; and how often that was another reason.
    undriven: Option<String>,
    undriven_changes: u64,
    /// Why nobody may be able to drive it, as somebody said since then; and whether that is about to be looked at.
    suspicion: Option<String>,
    is_suspected: bool,
    /// Whether somebody reads what other processes wrote.
    is_reading: bool,
    /// Pieces of what comes behind that.
    held_back: Vec<(Position, u64, Event)>,
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

    /// A run begins or goes on here: its first event, and where that stands.
    pub(crate) fn begin(&self, first: Position, event: Event) -> Place {
        let before = Place::piece(first.0, 0);
        let mut state = self.lock();
        state.clear();
        // Whatever was read of it meanwhile: from here on it comes from the run itself.
        (state.next, state.new) = (None, Some(before));
        state.commit(first.0, event);
        drop(state);
        self.changed.send_replace(());
        before
    }

    /// What is in the log, for those who only want what is new: how many events, and where the run begins that goes
    /// on. What is known already stays.
    pub(crate) fn learn(&self, events: u64, open: Option<Position>) {
        let mut state = self.lock();
        state.end = state.end.max(events);
        state.next.get_or_insert(events);
        state.new.get_or_insert(Place::piece(open.map_or(events, |first| first.0), 0));
    }

    /// Whether it is known where somebody begins who only wants what is new.
    pub(crate) fn is_known(&self) -> bool {
        self.lock().new.is_some()
    }

    /// A committed event, in its place. One that is here already is left out.
    pub(crate) fn put(&self, position: u64, event: Event) {
        self.lock().commit(position, event);
        self.changed.send_replace(());
    }

    /// An event that is not kept, before the committed one of this position: where it does not fit it is
    /// nobody's.
    pub(crate) fn show(&self, position: u64, event: Event) {
        self.lock().show(position, event);
        self.changed.send_replace(());
    }

    /// As [`Channel::show`], about a run that another process drives: what comes before it may still be read. Of a text
    /// `before` bytes came before it: where those are not all here nothing more of it is shown, as nobody could tell that
    /// something is missing. What it becomes is in the log.
    pub(crate) fn shown(&self, at: Position, before: u64, event: Event) {
        let mut state = self.lock();
        if state.is_reading {
            if state.held_back.len() < HELD_BACK {
                state.held_back.push((at, before, event));
            }
            return;
        }
        state.show_rest(at.0, before, event);
        drop(state);
        self.changed.send_replace(());
    }

    /// The log has so many events. Whether the caller is to read those that are not here.
    pub(crate) fn kept(&self, events: u64) -> bool {
        let mut state = self.lock();
        state.end = state.end.max(events);
        match state.next {
            // Whoever listens reads for themselves where they are.
            None => {
                state.next = Some(events);
                drop(state);
                self.changed.send_replace(());
                false
            }
            Some(next) => next < state.end && !std::mem::replace(&mut state.is_reading, true),
        }
    }

    /// Something may have happened that nobody told of. Whether the caller is to read on.
    pub(crate) fn missed(&self) -> bool {
        let mut state = self.lock();
        state.missed += 1;
        let reads = state.next.is_some() && !std::mem::replace(&mut state.is_reading, true);
        drop(state);
        self.changed.send_replace(());
        reads
    }

    /// How many events there are, as far as that is known here.
    pub(crate) fn known_events(&self) -> Option<u64> {
        self.lock().next
    }

    /// Whether what happened here last is no end: something is still to come.
    pub(crate) fn is_in_a_run(&self) -> bool {
        self.lock().frames.back().is_some_and(|last| !last.event.kind.is_terminal())
    }

    /// Where whoever reads goes on: behind this event.
    pub(crate) fn read_from(&self) -> Option<Position> {
        self.lock().next.and_then(|next| next.checked_sub(1)).map(Position)
    }

    /// Nothing more was found. Whether that is all there is; if not, the caller reads on.
    pub(crate) fn is_read(&self) -> bool {
        let mut state = self.lock();
        if state.next.is_some_and(|next| next < state.end) {
            return false;
        }
        state.is_reading = false;
        for (at, before, event) in std::mem::take(&mut state.held_back) {
            state.show_rest(at.0, before, event);
        }
        drop(state);
        self.changed.send_replace(());
        true
    }

    /// There is nothing to read: the conversation is gone, or nobody listens any more.
    pub(crate) fn leave_unread(&self) {
        let mut state = self.lock();
        state.is_reading = false;
        state.held_back.clear();
        state.end = state.next.unwrap_or(state.end);
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

    /// The place of the last event there was; before the next where none is here.
    pub(crate) fn last_place(&self) -> Option<Place> {
        let state = self.lock();
        let last = state.frames.back().map(|frame| frame.place);
        last.or_else(|| state.next.map(|next| Place::piece(next, 0)))
    }

    /// What lies behind a place, at most about `most` bytes of it.
    pub(crate) fn behind(&self, place: Place, most: usize) -> Behind {
        let state = self.lock();
        let from = state.frames.partition_point(|frame| frame.place <= place);
        let Some(first) = state.frames.get(from) else {
            return match state.next {
                Some(_) if place.next_committed() < state.end => Behind::Stored,
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

    /// The run that goes on may not be driven, for this reason where one is known. Whether nobody was about to look.
    pub(crate) fn suspect(&self, why: Option<String>) -> bool {
        let mut state = self.lock();
        if why.is_some() {
            state.suspicion = why;
        }
        !std::mem::replace(&mut state.is_suspected, true)
    }

    /// Somebody looks now.
    pub(crate) fn suspected(&self) {
        self.lock().is_suspected = false;
    }

    /// Nobody drives the run that goes on: what is told of that, from what is known of it.
    pub(crate) fn tell_undriven(&self, why: impl FnOnce(Option<&str>) -> String) {
        let mut state = self.lock();
        let why = why(state.suspicion.as_deref());
        if state.undriven.as_ref() == Some(&why) {
            return;
        }
        state.undriven = Some(why);
        state.undriven_changes += 1;
        drop(state);
        self.changed.send_replace(());
    }

    /// Somebody may drive it from now on: what was known of that holds no longer.
    pub(crate) fn may_be_driven(&self) {
        let mut state = self.lock();
        (state.undriven, state.suspicion) = (None, None);
    }

    /// Why nobody drives the run that goes on, where that is so; and how often that was another reason.
    pub(crate) fn undriven(&self) -> (u64, Option<String>) {
        let state = self.lock();
        (state.undriven_changes, state.undriven.clone())
    }

    /// How often something may have been missed.
    pub(crate) fn misses(&self) -> u64 {
        self.lock().missed
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

impl State {
    fn clear(&mut self) {
        self.frames.clear();
        (self.size, self.pieces, self.written) = (0, 0, [0; 2]);
    }

    fn commit(&mut self, position: u64, event: Event) {
        match self.next {
            Some(next) if position < next => return,
            // What lies between is in the store.
            Some(next) if position > next => self.clear(),
            _ => {}
        }
        self.next = Some(position.saturating_add(1));
        self.end = self.end.max(position.saturating_add(1));
        (self.pieces, self.written) = (0, [0; 2]);
        (self.undriven, self.suspicion) = (None, None);
        let place = Place::committed(position);
        if matches!(event.kind, EventKind::RunStarted { .. }) {
            self.new = Some(Place::piece(position, 0));
        }
        if event.kind.is_terminal() {
            self.new = Some(place);
        }
        self.push(Frame::new(place, event));
    }

    fn show(&mut self, position: u64, event: Event) {
        if self.next.is_some_and(|next| next != position) {
            return;
        }
        self.pieces += 1;
        if let Some((of, more)) = text(&mut self.written, &event) {
            *of += more;
        }
        self.push(Frame::new(Place::piece(position, self.pieces), event));
    }

    fn show_rest(&mut self, position: u64, before: u64, event: Event) {
        if text(&mut self.written, &event).is_none_or(|(here, _)| *here == before) {
            self.show(position, event);
        }
    }

    fn push(&mut self, frame: Frame) {
        self.size += frame.sse.len();
        self.frames.push_back(frame);
        while self.size > KEPT {
            let Some(oldest) = self.frames.pop_front() else { break };
            self.size -= oldest.sse.len();
        }
    }
}

/// How much is here of the text that an event is a piece of, and how much the piece is.
fn text<'a>(written: &'a mut [u64; 2], event: &Event) -> Option<(&'a mut u64, u64)> {
    let [text, thought] = written;
    match &event.kind {
        EventKind::Content { data } => Some((text, data.len() as u64)),
        EventKind::Reasoning { data } => Some((thought, data.len() as u64)),
        _ => None,
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

    fn piece() -> EventKind {
        EventKind::Content { data: "and ".to_owned() }
    }

    fn notice() -> EventKind {
        EventKind::Notice { message: "and".to_owned(), id: None }
    }

    fn places(channel: &Channel, after: Place) -> Vec<String> {
        match channel.behind(after, usize::MAX) {
            Behind::Frames(frames) => frames.iter().map(|it| it.place.to_string()).collect(),
            Behind::Stored => vec!["stored".to_owned()],
            Behind::Unknown => vec!["unknown".to_owned()],
            Behind::Nothing | Behind::Over => Vec::new(),
        }
    }

    /// Another process drives the run: what it keeps is told, read once, and here once.
    #[test]
    fn what_others_write_is_read_and_never_here_twice() {
        let id = ConversationId::from("conv_1");
        let channel = Channel::new(id.clone());
        channel.learn(4, Some(Position(2)));
        assert_eq!(channel.new_place(), Some(Place::piece(2, 0)));
        assert_eq!(places(&channel, Place::piece(2, 0)), ["stored"]);
        assert!(channel.kept(6), "it is to be read");
        assert!(!channel.kept(6), "and by one alone");
        assert_eq!(channel.read_from(), Some(Position(3)));
        // Shown behind what is still read, and so held back.
        channel.shown(Position(6), 0, event(6, piece()));
        channel.put(4, event(4, notice()));
        channel.put(4, event(4, notice()));
        assert!(!channel.is_read(), "there is one more");
        channel.put(5, event(5, notice()));
        assert!(channel.is_read());
        assert_eq!(places(&channel, Place::committed(3)), ["4", "5", "6.1"]);
        // What comes too late, or too early, fits nowhere.
        channel.shown(Position(5), 0, event(5, piece()));
        channel.shown(Position(7), 0, event(7, piece()));
        assert_eq!(places(&channel, Place::committed(5)), ["6.1"]);
        // Told of an old number once more: nothing is to be done.
        assert!(!channel.kept(3));
        // A gap: who is before it reads it from the store, who is behind it goes on here.
        channel.put(8, event(8, end(&id)));
        assert_eq!(places(&channel, Place::committed(5)), ["stored"]);
        assert_eq!(places(&channel, Place::committed(7)), ["8"]);
        assert_eq!(channel.new_place(), Some(Place::committed(8)));
    }

    /// Whoever comes in the middle of a text, or was not shown some of it, sees it whole when it is kept, and no part of
    /// it before.
    #[test]
    fn a_text_is_shown_from_its_beginning_or_not() {
        let channel = Channel::new(ConversationId::from("conv_1"));
        channel.learn(1, None);
        let shown = |before| channel.shown(Position(1), before, event(1, piece()));
        // "and " is 4 bytes.
        shown(8);
        assert!(places(&channel, Place::committed(0)).is_empty(), "its beginning is missing");
        let thought = EventKind::Reasoning { data: "Hm.".to_owned() };
        channel.shown(Position(1), 0, event(1, thought));
        channel.shown(Position(1), 7, event(1, notice()));
        [0, 4, 12, 8].into_iter().for_each(shown);
        assert_eq!(places(&channel, Place::committed(0)), ["1.1", "1.2", "1.3", "1.4", "1.5"]);
        channel.put(1, event(1, notice()));
        channel.shown(Position(2), 0, event(2, piece()));
        assert_eq!(places(&channel, Place::committed(1)), ["2.1"], "another begins");
    }

    #[test]
    fn where_something_may_have_been_missed_it_is_looked_for() {
        let channel = Channel::new(ConversationId::from("conv_1"));
        assert!(!channel.missed(), "whoever listens looks");
        assert_eq!(places(&channel, Place::committed(0)), ["unknown"]);
        channel.learn(3, None);
        assert!(channel.missed());
        assert!(!channel.missed(), "somebody looks already");
        assert!(channel.is_read());
        assert_eq!(channel.misses(), 3);
    }

    #[test]
    fn of_a_run_that_has_ended_only_the_end_stays() {
        let id = ConversationId::from("conv_1");
        let channel = Channel::new(id.clone());
        let before = channel.begin(Position(4), event(0, notice()));
        channel.put(5, event(1, notice()));
        (0..2).for_each(|_| channel.show(6, event(2, piece())));
        channel.rest();
        let Behind::Frames(all) = channel.behind(before, usize::MAX) else {
            panic!("a run that goes on is kept")
        };
        assert_eq!(all.len(), 4);

        channel.put(6, event(2, end(&id)));
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
