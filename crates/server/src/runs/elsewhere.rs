//! What other processes do in the log that this server shares with them, told to whoever listens here.
//!
//! News only say where to look: events come from the log, by their position, and once.

use std::{sync::Arc, time::Duration};

use toolwright_core::{ConversationId, Event, EventKind};
use toolwright_store::{News, StoreError};

use super::{Channel, Runs};

/// How many events are read at once.
const PAGE: usize = 256;
/// How long after a failure the log is read again.
const AGAIN: Duration = Duration::from_secs(1);
/// How long something may take to be seen that was told of.
const SOON: Duration = Duration::from_millis(20);
const TRIES: u32 = 250;
impl Runs {
    /// Hears what others do, where there are others, until everybody leaves.
    pub(crate) fn hear(self: &Arc<Self>, looking: Duration) {
        if !self.is_shared() {
            return;
        }
        self.sweep();
        self.look_after(looking);
        let mut news = self.store().news();
        let (this, leaving) = (Arc::downgrade(self), self.leaving.clone());
        tokio::spawn(async move {
            while let Some(Some(news)) = leaving.run_until_cancelled(news.next()).await {
                let Some(runs) = this.upgrade() else { return };
                runs.heard(news);
            }
        });
        let mut begun = self.waiting.tell_of_new();
        let (this, leaving) = (Arc::downgrade(self), self.leaving.clone());
        tokio::spawn(async move {
            while let Some(Some(root)) = leaving.run_until_cancelled(begun.recv()).await {
                let Some(runs) = this.upgrade() else { return };
                let id =
                    runs.lock_active().iter().find(|it| it.1.run == root).map(|it| it.0.clone());
                id.iter().for_each(|id| runs.look_for_instructions(id));
            }
        });
    }

    fn heard(self: &Arc<Self>, news: News) {
        match news {
            News::Kept { id, events } => self.kept(&id, events),
            News::Shown { id, at, before, event } => {
                match event.kind {
                    // What is kept is not shown: it is not of the run, and says why somebody does not drive that.
                    EventKind::Notice { message, .. } => self.suspect(&id, Some(message)),
                    kind => {
                        if let Some(channel) = self.elsewhere(&id) {
                            channel.shown(at, before, Event { kind, ..event });
                        }
                    }
                }
            }
            News::Queue { id } => {
                if let Some(channel) = self.open_channel(&id) {
                    channel.change_queue();
                }
            }
            News::Instructed { id } => {
                self.is_left_to_somebody(&id);
                self.look_for_instructions(&id);
            }
            News::Missed => self.look_at_everything(),
        }
    }

    fn kept(self: &Arc<Self>, id: &ConversationId, events: u64) {
        let Some(channel) = self.elsewhere(id) else {
            self.leave_if_taken(id);
            return;
        };
        if channel.kept(events) {
            self.read_on(channel);
        }
    }

    /// The channel of a conversation that somebody listens to, and in which no run is driven here: of such a one it
    /// is known first hand what happens.
    pub(super) fn elsewhere(&self, id: &ConversationId) -> Option<Arc<Channel>> {
        self.open_channel(id).filter(|_| self.active(id).is_none())
    }

    /// The channels of all conversations that somebody listens to.
    pub(super) fn open_channels(&self) -> Vec<Arc<Channel>> {
        self.lock_channels().open.values().filter_map(std::sync::Weak::upgrade).collect()
    }

    /// Nobody listened to the log for a while.
    fn look_at_everything(self: &Arc<Self>) {
        self.standings.forget_all();
        for channel in self.open_channels() {
            channel.change_queue();
            if self.active(&channel.id).is_none() {
                self.look_on(&channel);
            }
        }
        let active: Vec<_> = self.lock_active().keys().cloned().collect();
        for id in &active {
            self.look_for_instructions(id);
            self.leave_if_taken(id);
        }
    }

    /// A run that only waits for a person writes nothing, and so does not find out that somebody else has its
    /// conversation by now: then it is left to them.
    fn leave_if_taken(&self, id: &ConversationId) {
        let active = self.lock_active().get(id).cloned();
        let Some(active) = active.filter(|it| self.waiting.only_waits(&it.run)) else { return };
        tokio::spawn(async move {
            // Where that cannot be read now, whatever it writes next tells.
            if !active.lease.is_held().await.unwrap_or(true) {
                active.pause.pause();
            }
        });
    }

    /// Something may have happened in a conversation that nobody told of.
    pub(super) fn look_on(self: &Arc<Self>, channel: &Arc<Channel>) {
        if self.is_shared() && channel.missed() {
            self.read_on(channel.clone());
        }
    }

    /// Reads what others wrote, for everybody who listens to it here.
    fn read_on(self: &Arc<Self>, channel: Arc<Channel>) {
        let (store, leaving) = (self.store().clone(), self.leaving.clone());
        tokio::spawn(async move {
            let mut tries = 0;
            while !leaving.is_cancelled() && tries < TRIES {
                let events = store.events(&channel.id, channel.read_from(), PAGE).await;
                let found = match events {
                    Ok(events) => events,
                    Err(StoreError::NotFound(_)) => break,
                    // Nobody else listens.
                    Err(_) if Arc::strong_count(&channel) == 1 => break,
                    Err(error) => {
                        tracing::warn!(conversation = %channel.id, %error, "the log is not read");
                        tokio::time::sleep(AGAIN).await;
                        continue;
                    }
                };
                let count = found.len();
                found.into_iter().for_each(|(at, event)| channel.put(at.0, event));
                if count < PAGE && channel.is_read() {
                    return;
                }
                if count == 0 {
                    tries += 1;
                    tokio::time::sleep(SOON).await;
                }
            }
            channel.leave_unread();
        });
    }
}
