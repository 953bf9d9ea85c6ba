//! [`Updates`]: what calls say while they run, bounded however much that is.
//!
//! A tool may say how far it is a million times, from any thread, faster than anybody reads or keeps
//! it. What waits to be heard is bounded where it is said ([`Mailbox`]); how much of it becomes an
//! event is bounded by the clock ([`Pace`]). The last word is never lost.

use std::{
    collections::VecDeque,
    mem::{discriminant, take},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use futures_util::task::AtomicWaker;
use tokio::time::{Instant, Sleep, sleep_until};
use toolwright_core::{CallId, CallObserver, ToolUpdate};

/// As much of one call waits to be heard. From there on the newest takes the place of the one before.
const WAITING: usize = 16;
/// As many words of a call are passed on as they come,
const WORDS: u32 = 16;
/// and as many notes of its layers, each of which says something else.
const NOTES: u32 = 64;
/// Later ones are at least this far apart,
const GAP: Duration = Duration::from_millis(100);
/// and at least this part of the time that the call has run: what takes long is told of less often.
const PART: u32 = 32;
/// Of a longer word the rest is shown to nobody.
const LENGTH: usize = 4096;

/// What the calls of a run say while they run.
#[derive(Default)]
pub(super) struct Updates {
    bell: Arc<AtomicWaker>,
    callers: Vec<Caller>,
    /// Rings when something that was held back is due.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Updates {
    /// Begins to listen to a call.
    pub(super) fn of_call(&mut self, call: &CallId) -> CallObserver {
        let mailbox = Arc::new(Mailbox::default());
        self.callers.push(Caller::new(call.clone(), mailbox.clone()));
        let bell = self.bell.clone();
        Arc::new(move |said| {
            mailbox.put(said);
            bell.wake();
        })
    }

    /// What is to be told now. Wakes whoever polls when there is more.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Vec<(CallId, ToolUpdate)> {
        self.bell.register(cx.waker());
        let mut told = Vec::new();
        loop {
            let now = Instant::now();
            for caller in &mut self.callers {
                let call = &caller.call;
                told.extend(caller.said.hear(now).into_iter().map(|said| (call.clone(), said)));
            }
            match self.poll_alarm(cx) {
                Poll::Ready(()) => {}
                Poll::Pending => return told,
            }
        }
    }

    /// The call is over: what it said last, and was not told yet.
    pub(super) fn end_of(&mut self, call: &CallId) -> Vec<ToolUpdate> {
        let Some(at) = self.callers.iter().position(|it| it.call == *call) else {
            return Vec::new();
        };
        self.callers.remove(at).said.end(Instant::now())
    }

    /// The calls that are listened to.
    pub(super) fn calls(&self) -> Vec<CallId> {
        self.callers.iter().map(|it| it.call.clone()).collect()
    }

    /// Ready when something that was held back is due.
    fn poll_alarm(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let due = self.callers.iter().filter_map(|it| it.said.due()).min();
        let Some(due) = due else {
            self.alarm = None;
            return Poll::Pending;
        };
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if alarm.deadline() != due {
            alarm.as_mut().reset(due);
        }
        alarm.as_mut().poll(cx)
    }
}

/// A call that is listened to.
struct Caller {
    call: CallId,
    said: Heard,
}

impl Caller {
    fn new(call: CallId, mailbox: Arc<Mailbox>) -> Self {
        let now = Instant::now();
        let (words, notes) = (Pace::new(WORDS, now), Pace::new(NOTES, now));
        Self { call, said: Heard { mailbox, words, notes } }
    }
}

/// What is heard of a call.
struct Heard {
    mailbox: Arc<Mailbox>,
    words: Pace,
    notes: Pace,
}

impl Heard {
    fn hear(&mut self, now: Instant) -> Vec<ToolUpdate> {
        let mut told = Vec::new();
        for said in self.mailbox.take() {
            let pace = match said {
                ToolUpdate::Progress(_) => &mut self.words,
                ToolUpdate::Note(_) => &mut self.notes,
                // It is said once, at the end.
                ToolUpdate::Partial(_) => {
                    told.push(said);
                    continue;
                }
            };
            told.extend(pace.pass(said, now));
        }
        told.extend(self.notes.release(now));
        told.extend(self.words.release(now));
        told
    }

    fn end(mut self, now: Instant) -> Vec<ToolUpdate> {
        let mut told = self.hear(now);
        told.extend(self.notes.held);
        told.extend(self.words.held);
        told
    }

    /// When something that was held back is due.
    fn due(&self) -> Option<Instant> {
        let due = |pace: &Pace| pace.held.as_ref().map(|_| pace.due());
        due(&self.words).into_iter().chain(due(&self.notes)).min()
    }
}

/// How often something is told: some at once, later ones further and further apart.
struct Pace {
    at_once: u32,
    began: Instant,
    last: Instant,
    /// Came too soon. The next takes its place.
    held: Option<ToolUpdate>,
}

impl Pace {
    fn new(at_once: u32, now: Instant) -> Self {
        Self { at_once, began: now, last: now, held: None }
    }

    /// From when on the next may be told.
    fn due(&self) -> Instant {
        if self.at_once > 0 {
            return self.began;
        }
        self.last + GAP.max(self.last.saturating_duration_since(self.began) / PART)
    }

    fn pass(&mut self, said: ToolUpdate, now: Instant) -> Option<ToolUpdate> {
        self.held = Some(said);
        self.release(now)
    }

    fn release(&mut self, now: Instant) -> Option<ToolUpdate> {
        if self.held.is_none() || self.due() > now {
            return None;
        }
        (self.at_once, self.last) = (self.at_once.saturating_sub(1), now);
        self.held.take()
    }
}

/// Where a call puts what it says, until it is heard.
#[derive(Default)]
struct Mailbox(Mutex<VecDeque<ToolUpdate>>);

impl Mailbox {
    fn put(&self, said: ToolUpdate) {
        let said = shortened(said);
        let mut waiting = self.lock();
        if waiting.len() >= WAITING {
            let same = waiting.iter().rposition(|it| discriminant(it) == discriminant(&said));
            same.map(|at| waiting.remove(at));
        }
        waiting.push_back(said);
    }

    fn take(&self) -> VecDeque<ToolUpdate> {
        take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<ToolUpdate>> {
        // Nothing under it panics half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn shortened(said: ToolUpdate) -> ToolUpdate {
    let short = |mut text: String| {
        if text.len() > LENGTH {
            text.truncate(text.floor_char_boundary(LENGTH));
            text.push('…');
            text.shrink_to_fit();
        }
        text
    };
    match said {
        ToolUpdate::Progress(text) => ToolUpdate::Progress(short(text)),
        ToolUpdate::Note(mut note) => {
            note.message = short(note.message);
            ToolUpdate::Note(note)
        }
        // It becomes a result, and is bounded as one.
        ToolUpdate::Partial(_) => said,
    }
}
