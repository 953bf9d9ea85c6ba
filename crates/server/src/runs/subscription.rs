//! [`Subscription`]: one listener to a conversation.

use std::{pin::Pin, sync::Arc, time::Duration};

use tokio::{
    sync::watch,
    time::{self, Instant, Sleep},
};
use toolwright_core::RunId;
use toolwright_store::Store;

use super::{
    channel::{Behind, Channel},
    frame::{Frame, Place},
};

/// How much is handed over at once.
const AT_ONCE: usize = 64 << 10;
/// How many events are read from the store at once.
const PAGE: usize = 256;
/// How long something may take to be seen that was told of.
const SOON: Duration = Duration::from_millis(20);
/// After how long of nothing somebody is told that the connection still stands.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// One listener to a conversation.
pub(crate) struct Subscription {
    channel: Arc<Channel>,
    store: Store,
    changes: watch::Receiver<()>,
    /// Ends when nothing happened for a while. Made once and put off from then on: whoever begins and
    /// ends a wait has to take turns with everybody else who does.
    quiet: Pin<Box<Sleep>>,
    /// What the listener has; nothing where it takes whatever comes first.
    after: Option<Place>,
    /// How often something had been missed when everything that was in the store was handed over: what comes now is
    /// in the channel.
    up_to_date: Option<u64>,
    scope: Scope,
    /// How often the listener was told that something else waits.
    queue_changes: u64,
    /// How often there was another reason why nobody drives, as far as the listener was told.
    undriven: u64,
}

/// How long somebody listens.
pub(crate) enum Scope {
    /// To the end of this run, and to nothing else.
    Run(RunId),
    /// For as long as there is a server.
    Conversation,
    /// The end of the run was handed over, or that the server goes.
    Over,
}

/// What a listener is handed.
pub(crate) enum Heard {
    /// Events, in order.
    Frames(Vec<Frame>),
    /// Something else waits in the conversation to be taken up, which is no event yet.
    Queue,
    /// Nobody drives the run that goes on, for this reason. It waits until somebody does.
    Undriven(String),
    /// Nothing happened for a while.
    Nothing,
    /// The server goes, and what is listened to may go on: whoever wants to hear it asks again, here or elsewhere.
    Leaving,
}

impl Subscription {
    pub(crate) fn new(
        channel: Arc<Channel>,
        store: Store,
        after: Option<Place>,
        scope: Scope,
    ) -> Self {
        let (changes, quiet) = (channel.changes(), Box::pin(time::sleep(HEARTBEAT)));
        let queue_changes = match scope {
            // Whoever listens from now on may have asked what waits a moment ago.
            Scope::Conversation => 0,
            Scope::Run(_) | Scope::Over => channel.queue_changes(),
        };
        let (up_to_date, undriven) = (None, 0);
        Self { channel, store, changes, quiet, after, up_to_date, scope, queue_changes, undriven }
    }

    /// What happens next; none when there is nothing more to hear.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
        loop {
            if matches!(self.scope, Scope::Over) {
                return None;
            }
            // Seen before looking: what happens in between is not slept through.
            self.changes.borrow_and_update();
            let queue_changes = self.channel.queue_changes();
            if queue_changes != self.queue_changes {
                self.queue_changes = queue_changes;
                self.put_off();
                return Some(Heard::Queue);
            }
            self.after = self.after.or_else(|| self.channel.new_place());
            let behind = match self.after {
                Some(place) => self.channel.behind(place, AT_ONCE),
                None if self.channel.is_closed() => Behind::Over,
                None => Behind::Nothing,
            };
            let frames = match behind {
                Behind::Frames(frames) => frames,
                Behind::Stored => {
                    let stored = self.stored().await?;
                    if stored.is_empty() && self.channel.is_closed() {
                        self.scope = Scope::Over;
                        return Some(Heard::Leaving);
                    }
                    if stored.is_empty() {
                        // It is about to be there. Nothing is gained by asking all the time.
                        time::sleep(SOON).await;
                    }
                    stored
                }
                // A channel that nobody listened to has forgotten what happened.
                Behind::Unknown if self.up_to_date != Some(self.channel.misses()) => {
                    let misses = self.channel.misses();
                    let stored = self.stored().await?;
                    self.up_to_date = stored.is_empty().then_some(misses);
                    stored
                }
                Behind::Unknown | Behind::Nothing => {
                    // Behind everything that happened: it is about what does not.
                    let (undriven, why) = self.channel.undriven();
                    let is_news = std::mem::replace(&mut self.undriven, undriven) != undriven;
                    if let Some(why) = why.filter(|_| is_news) {
                        self.put_off();
                        return Some(Heard::Undriven(why));
                    }
                    tokio::select! {
                        biased;
                        changed = self.changes.changed() => match changed {
                            Ok(()) => continue,
                            Err(_) => return None,
                        },
                        () = self.quiet.as_mut() => {
                            self.channel.rest();
                            self.put_off();
                            return Some(Heard::Nothing);
                        }
                    }
                }
                Behind::Over => {
                    self.scope = Scope::Over;
                    return Some(Heard::Leaving);
                }
            };
            let frames = self.hand_over(frames);
            if !frames.is_empty() {
                self.put_off();
                return Some(Heard::Frames(frames));
            }
        }
    }

    /// From now on it is quiet.
    fn put_off(&mut self) {
        self.quiet.as_mut().reset(Instant::now() + HEARTBEAT);
    }

    /// Events that are in the store and no longer in memory.
    async fn stored(&self) -> Option<Vec<Frame>> {
        let last = self.after.and_then(Place::last_committed);
        let events = self.store.events(&self.channel.id, last, PAGE).await;
        let events = events.inspect_err(|error| {
            tracing::warn!(conversation = %self.channel.id, %error, "a listener is cut off");
        });
        let frames = events.ok()?.into_iter();
        Some(frames.map(|(at, event)| Frame::new(Place::committed(at.0), event)).collect())
    }

    /// Notes what the listener has now, and leaves out what is none of its business.
    fn hand_over(&mut self, mut frames: Vec<Frame>) -> Vec<Frame> {
        self.after = frames.last().map(|frame| frame.place).or(self.after);
        if let Scope::Run(run) = &self.scope {
            frames.retain(|frame| frame.event.run == *run);
            if frames.last().is_some_and(|frame| frame.event.kind.is_terminal()) {
                self.scope = Scope::Over;
            }
        }
        frames
    }
}
