//! [`Commit`]: keeps events before anybody sees them.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::future::BoxFuture;
use toolwright_core::{Event, Journal, JournalError, Observer, Run, RunId, StreamSender};

use crate::nested::Ack;

/// Keeps events before anybody sees them: collects what was reported, appends it to the journal in
/// one piece, and only then hands it on. One append is under way at a time, so the order of events
/// is the same everywhere; what is reported meanwhile goes with the next.
pub(crate) struct Commit {
    journal: Option<Arc<dyn Journal>>,
    observers: Vec<Arc<dyn Observer>>,
    outbox: StreamSender<Event>,
    /// Reported, and not given to the journal yet.
    waiting: Vec<Event>,
    /// Those in runs within this one who wait until that is kept.
    acks: Vec<Ack>,
    /// Given to the journal. It lives here and not in a future that may be dropped: a run that is
    /// cancelled meanwhile still learns how its append ended.
    under_way: Option<(Append, Vec<Event>, Vec<Ack>)>,
    /// The run that observers saw something of, and not its end.
    observed: Option<RunId>,
}

type Append = BoxFuture<'static, Result<(), JournalError>>;

impl Commit {
    pub(crate) fn new(outbox: StreamSender<Event>, observers: Vec<Arc<dyn Observer>>) -> Self {
        let (waiting, acks) = Default::default();
        Self { journal: None, observers, outbox, waiting, acks, under_way: None, observed: None }
    }

    pub(crate) fn journal(mut self, journal: Option<Arc<dyn Journal>>) -> Self {
        self.journal = journal;
        self
    }

    /// Tells observers of a run that goes on here.
    pub(crate) fn resumed(mut self, run: &Run) -> Self {
        if !run.is_ended() {
            self.observers.iter().for_each(|it| it.resumed(run.id(), run.model()));
            self.observed = Some(run.id().clone());
        }
        self
    }

    pub(crate) fn outbox(&self) -> StreamSender<Event> {
        self.outbox.clone()
    }

    /// Where events are kept, and the bytes of what is attached to them.
    pub(crate) fn kept_in(&self) -> Option<Arc<dyn Journal>> {
        self.journal.clone()
    }

    /// Adds what was reported.
    pub(crate) fn add(&mut self, events: Vec<Event>) {
        if self.waiting.is_empty() {
            self.waiting = events;
        } else {
            self.waiting.extend(events);
        }
    }

    /// As [`Commit::add`], and tells `ack` once they are kept.
    pub(crate) fn add_acked(&mut self, events: Vec<Event>, ack: Ack) {
        self.add(events);
        self.acks.push(ack);
    }

    /// Hands on an event that is shown and not kept. What was reported before it, and is not kept yet, comes
    /// first.
    pub(crate) fn show(&mut self, event: Event) {
        if self.waiting.is_empty() && self.under_way.is_none() {
            self.observe(&event);
            self.outbox.put(event);
        } else {
            self.waiting.push(event);
        }
    }

    /// Ready once everything that was reported is kept and handed on.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), JournalError>> {
        loop {
            if let Some((append, events, acks)) = &mut self.under_way {
                let result = std::task::ready!(append.as_mut().poll(cx));
                let (mut events, acks) = (std::mem::take(events), std::mem::take(acks));
                self.under_way = None;
                tell(acks, &result);
                if let Err(error) = result {
                    events.append(&mut self.waiting);
                    self.waiting = events;
                    return Poll::Ready(Err(error));
                }
                self.hand_on(events);
            }
            if self.waiting.is_empty() {
                return Poll::Ready(Ok(()));
            }
            let (events, acks) =
                (std::mem::take(&mut self.waiting), std::mem::take(&mut self.acks));
            let is_shown_only = events.iter().all(|event| event.kind.is_provisional());
            let Some(journal) = self.journal.as_ref().filter(|_| !is_shown_only) else {
                tell(acks, &Ok(()));
                self.hand_on(events);
                continue;
            };
            let append = if events.iter().any(|event| event.kind.is_provisional()) {
                // A text that was held back is shown with what decided about it, and not kept.
                let kept = events.iter().filter(|event| !event.kind.is_provisional());
                journal.append(&kept.cloned().collect::<Vec<_>>())
            } else {
                journal.append(&events)
            };
            self.under_way = Some((append, events, acks));
        }
    }

    /// The journal failed: hands on how the run ends without it. What was not kept is shown to
    /// nobody, as whoever goes on with the run would be shown something else under the same
    /// numbers; the end stands in its place. Those who only count are told what happened.
    pub(crate) fn abort(&mut self, end: Vec<Event>) {
        self.journal = None;
        let mut events = std::mem::take(&mut self.waiting);
        // An answer that was not kept was not given.
        events.retain(|event| !event.kind.is_terminal());
        events.extend(end);
        let place = events.first().map(|event| event.seq);
        if let (Some(mut last), Some(place)) = (events.pop(), place) {
            events.iter().for_each(|event| self.observe(event));
            last.seq = place;
            self.hand_on(vec![last]);
        }
    }

    fn hand_on(&mut self, events: Vec<Event>) {
        events.iter().for_each(|event| self.observe(event));
        self.outbox.extend(events);
    }

    fn observe(&mut self, event: &Event) {
        if event.kind.is_terminal() {
            self.observed = None;
        } else if self.observed.is_none() {
            self.observed = Some(event.run.clone());
        }
        for observer in &self.observers {
            observer.observe(event);
        }
    }
}

impl Drop for Commit {
    /// Whoever counts what goes on is told of a run that is left, or dropped in the middle, too.
    fn drop(&mut self) {
        if let Some(run) = &self.observed {
            self.observers.iter().for_each(|it| it.left(run));
        }
    }
}

/// Tells those who wait how it ended. One that is gone meanwhile need not know.
fn tell(acks: Vec<Ack>, result: &Result<(), JournalError>) {
    for ack in acks {
        let _ = ack.send(result.clone());
    }
}
