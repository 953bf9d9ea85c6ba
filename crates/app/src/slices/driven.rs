//! [`Driven`]: the conversations in which a run is driven here, and what is told to whoever drives it.
//!
//! One task listens to the store for all of them: what happens in others wakes nobody.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak},
};

use tokio::sync::mpsc;
use toolwright_core::ConversationId;
use toolwright_store::{News, Store, StoreNews};

/// How much waits for whoever drives a run. What is too much they find out when they next look.
const WAITING: usize = 64;

/// The conversations in which a run is driven here.
pub(super) struct Driven {
    all: Mutex<HashMap<ConversationId, mpsc::Sender<News>>>,
    listening: Once,
}

/// A conversation in which one slice is driven here, for as long as this is there.
pub(super) struct Alone {
    driven: Arc<Driven>,
    id: ConversationId,
    news: mpsc::Receiver<News>,
}

impl Driven {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { all: Mutex::default(), listening: Once::new() })
    }

    /// Begins to drive a run of a conversation. Nothing where one is driven: two in one process would take it from
    /// each other.
    pub(super) fn begin(self: &Arc<Self>, store: &Store, id: &ConversationId) -> Option<Alone> {
        self.listening.call_once(|| {
            tokio::spawn(listen(store.news(), Arc::downgrade(self)));
        });
        let mut all = self.lock();
        if all.contains_key(id) {
            return None;
        }
        let (tell, news) = mpsc::channel(WAITING);
        all.insert(id.clone(), tell);
        Some(Alone { driven: self.clone(), id: id.clone(), news })
    }

    fn tell(&self, news: &News) {
        let all = self.lock();
        match news {
            News::Kept { id, .. } | News::Queue { id } | News::Instructed { id } => {
                if let Some(told) = all.get(id) {
                    // Whoever has as much to look at looks at everything.
                    let _ = told.try_send(news.clone());
                }
            }
            News::Missed => all.values().for_each(|told| {
                let _ = told.try_send(News::Missed);
            }),
            News::Shown { .. } => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, mpsc::Sender<News>>> {
        // Nothing under it panics half way.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn listen(mut news: StoreNews, driven: Weak<Driven>) {
    while let Some(news) = news.next().await {
        let Some(driven) = driven.upgrade() else { return };
        driven.tell(&news);
    }
}

impl Alone {
    /// What happens in the conversation; where nobody listens any more, nothing.
    pub(super) async fn news(&mut self) -> News {
        match self.news.recv().await {
            Some(news) => news,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.driven.lock().remove(&self.id);
    }
}
