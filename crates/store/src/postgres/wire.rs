//! [`Wire`]: what happens in the log, told from process to process with `NOTIFY`.
//!
//! What was kept is told in the transaction that keeps it, so nobody hears of anything that is not there, and
//! whatever is there was told. One connection listens for a whole store.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    runtime::Handle,
    sync::mpsc::{self, Receiver, Sender},
    task::AbortHandle,
};
use toolwright_core::{ConversationId, Event};

use super::{Settings, notice::Notice, session::Session};
use crate::{LogKey, News, Position, StoreError, StoreNews, news::Newsroom};

/// Tells what happens, and hears it.
pub(super) struct Wire {
    settings: Settings,
    key: LogKey,
    /// By which a store knows what it showed itself.
    own: u64,
    /// Two notices of one transaction that are alike would be one.
    shown: AtomicU64,
    newsroom: Newsroom,
    runtime: Handle,
    listening: OnceLock<AbortHandle>,
    showing: OnceLock<Sender<String>>,
}

/// Puts notices on their way, when the transaction is committed.
const TELL: &str =
    "SELECT pg_notify('toolwright', notice) FROM unnest($1::text[]) AS told (notice)";

/// The server takes no notice that is longer.
const LONGEST: usize = 7_999;
/// How many events that are shown wait to be sent; more are left out.
const WAITING: usize = 256;

/// How long to wait before listening is tried again: short at first, then longer.
const FIRST: Duration = Duration::from_millis(50);
const LAST: Duration = Duration::from_secs(5);
/// How often it is looked whether the server is still there: nobody tells a listener that it is gone.
const LOOK: Duration = Duration::from_secs(15);

/// Tells these, when the transaction is committed.
pub(super) async fn tell(session: &Session, notices: &[String]) -> Result<(), StoreError> {
    session.query(TELL, &[&notices]).await.map(drop)
}

impl Wire {
    pub(super) fn new(settings: Settings, key: LogKey) -> Result<Self, StoreError> {
        let none =
            |error| StoreError::Unavailable(format!("the system has no randomness: {error}"));
        Ok(Self {
            settings,
            key,
            own: getrandom::u64().map_err(none)?,
            shown: AtomicU64::new(0),
            newsroom: Newsroom::new(),
            runtime: Handle::current(),
            listening: OnceLock::new(),
            showing: OnceLock::new(),
        })
    }

    pub(super) fn news(&self) -> StoreNews {
        let news = self.newsroom.listen();
        self.listening.get_or_init(|| {
            let listener = Listener {
                settings: self.settings.clone(),
                key: self.key.clone(),
                own: self.own,
                newsroom: self.newsroom.clone(),
            };
            self.runtime.spawn(listener.serve()).abort_handle()
        });
        news
    }

    pub(super) fn show(&self, id: &ConversationId, at: (Position, u64), event: &Event) {
        let number = self.shown.fetch_add(1, Ordering::Relaxed);
        let notice = Notice::shown(&self.key, (self.own, number), id, at, event);
        let Some(notice) = notice.filter(|notice| notice.len() <= LONGEST) else { return };
        let showing = self.showing.get_or_init(|| {
            let (notices, waiting) = mpsc::channel(WAITING);
            self.runtime.spawn(show(self.settings.clone(), waiting));
            notices
        });
        // Where too many wait, it is not shown.
        let _ = showing.try_send(notice);
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if let Some(listening) = self.listening.get() {
            listening.abort();
        }
    }
}

/// Sends what is shown, whatever waits at once. What cannot be sent is left out.
async fn show(settings: Settings, mut waiting: Receiver<String>) {
    let mut kept = None;
    let mut notices = Vec::new();
    while waiting.recv_many(&mut notices, WAITING).await > 0 {
        let sent = tokio::time::timeout(settings.timeouts.lost, async {
            let session = match kept.take() {
                Some(session) => session,
                None => {
                    let session = Session::open(&settings).await?;
                    // Nothing of it has to reach a disk.
                    session.batch("SET synchronous_commit = off").await?;
                    session
                }
            };
            tell(&session, &notices).await?;
            Ok::<_, StoreError>(session)
        });
        match sent.await {
            Ok(Ok(session)) => kept = Some(session),
            Ok(Err(error)) => tracing::debug!(%error, "what happens is not shown to others"),
            Err(_) => tracing::debug!("what happens is not shown to others: no answer"),
        }
        notices.clear();
    }
}

struct Listener {
    settings: Settings,
    key: LogKey,
    own: u64,
    newsroom: Newsroom,
}

impl Listener {
    async fn serve(self) {
        let mut wait = FIRST;
        loop {
            let (heard, notices) = mpsc::unbounded_channel();
            match Session::listening(&self.settings, heard).await {
                Ok(session) => {
                    wait = FIRST;
                    // Whatever happened until now, nobody heard.
                    self.newsroom.tell(News::Missed);
                    self.listen(&session, notices).await;
                    tracing::debug!("the connection that listens to PostgreSQL was lost");
                }
                Err(error) => tracing::debug!(%error, "nobody listens to PostgreSQL for now"),
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LAST);
        }
    }

    /// Until the connection is gone.
    async fn listen(&self, session: &Session, mut notices: mpsc::UnboundedReceiver<String>) {
        let mut look = tokio::time::interval(LOOK);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                notice = notices.recv() => match notice {
                    Some(notice) => {
                        let news = Notice::read(&notice, &self.key, self.own);
                        news.into_iter().for_each(|news| self.newsroom.tell(news));
                    }
                    None => return,
                },
                _ = look.tick() => {
                    let looked = session.batch("SELECT 1");
                    let looked = tokio::time::timeout(self.settings.timeouts.lost, looked).await;
                    if !matches!(looked, Ok(Ok(()))) {
                        return;
                    }
                }
            }
        }
    }
}
