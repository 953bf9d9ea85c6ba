//! [`Master`]: where the list of instruments comes from, and where it is kept.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::civil::Date;
use tokio::{fs::File, sync::Mutex as Turn, task::spawn_blocking, time::Instant};

use super::{Instruments, shelf::Shelf};
use crate::{Client, Columns, MarketError, MarketErrorKind};

/// How long an old list serves before the new one is asked for again.
const PAUSE: Duration = Duration::from_secs(5 * 60);

/// Where the list of instruments comes from, and where it is kept: it is downloaded once a day and
/// read once. If it cannot be had, an older one serves, and [`stale`](Self::stale) says so.
///
/// A folder is for the lists of one source: they are told apart by their day only.
#[derive(Debug)]
pub struct Master {
    client: Client,
    columns: Columns,
    shelf: Shelf,
    /// Whoever has it looks for a list; the others wait for what it finds.
    turn: Turn<()>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    loaded: Option<Loaded>,
    /// The day for which a list was last asked for.
    today: Option<Date>,
    /// When the download failed last.
    failed: Option<Instant>,
}

#[derive(Clone, Debug)]
struct Loaded {
    date: Date,
    list: Arc<Instruments>,
}

impl Master {
    /// The list of this client, kept in this folder.
    pub fn new(client: Client, folder: PathBuf, columns: Columns) -> Self {
        let shelf = Shelf::new(folder, columns);
        Self { client, columns, shelf, turn: Turn::new(()), state: Mutex::default() }
    }

    /// The list of this day, in India; an older one if it cannot be had.
    pub async fn instruments(&self, today: Date) -> Result<Arc<Instruments>, MarketError> {
        if let Some(loaded) = self.loaded(today) {
            return Ok(loaded);
        }
        let _turn = self.turn.lock().await;
        if let Some(loaded) = self.loaded(today) {
            return Ok(loaded);
        }
        if let Some(kept) = self.kept(Some(today)).await? {
            return Ok(self.load(kept));
        }
        let error = match self.download(today).await {
            Ok(new) => return Ok(self.load(new)),
            Err(error) => error,
        };
        // Not in the `match`: the lock would be held while the shelf is searched.
        let loaded = self.state().loaded.clone();
        let old = match loaded {
            Some(loaded) => Some(loaded),
            None => self.kept(None).await?,
        };
        let old = old.ok_or(error)?;
        self.state().failed = Some(Instant::now());
        Ok(self.load(old))
    }

    /// The day of the list that serves, if it is not the day that was asked for.
    pub fn stale(&self) -> Option<Date> {
        let state = self.state();
        let date = state.loaded.as_ref()?.date;
        (state.today != Some(date)).then_some(date)
    }

    /// What is loaded, if it is of this day, or if it is too early to try again.
    fn loaded(&self, today: Date) -> Option<Arc<Instruments>> {
        let mut state = self.state();
        state.today = Some(today);
        let waiting = state.failed.is_some_and(|at| at.elapsed() < PAUSE);
        let loaded = state.loaded.as_ref()?;
        (loaded.date == today || waiting).then(|| Arc::clone(&loaded.list))
    }

    fn load(&self, loaded: Loaded) -> Arc<Instruments> {
        let list = Arc::clone(&loaded.list);
        self.state().loaded = Some(loaded);
        list
    }

    /// A list from the shelf: that of a day, or the newest.
    async fn kept(&self, day: Option<Date>) -> Result<Option<Loaded>, MarketError> {
        let shelf = self.shelf.clone();
        let search = move || {
            let lists = shelf.lists().into_iter();
            let mut wanted = lists.filter(|it| day.is_none_or(|day| it.date == day));
            wanted.find_map(|it| {
                let list = Arc::new(shelf.load(&it)?);
                Some(Loaded { date: it.date, list })
            })
        };
        blocking(search).await
    }

    async fn download(&self, today: Date) -> Result<Loaded, MarketError> {
        let shelf = self.shelf.clone();
        let blank = blocking(move || shelf.blank()).await??;
        let trouble = |error| self.shelf.trouble(&error);
        let mut file = File::from_std(blank.reopen().map_err(trouble)?);
        let bytes = self.client.master(self.columns, &mut file).await?;
        // A name must not outlive a crash that its content did not.
        file.sync_all().await.map_err(trouble)?;
        drop(file);
        let shelf = self.shelf.clone();
        let list = blocking(move || shelf.keep(blank, bytes, today)).await??;
        self.state().failed = None;
        Ok(Loaded { date: today, list: Arc::new(list) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reading 200,000 rows takes too long for a thread that others wait for.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, MarketError> {
    spawn_blocking(work).await.map_err(|_| {
        MarketError::new(
            MarketErrorKind::Unreadable,
            "Reading the list of instruments was broken off.",
        )
    })
}
