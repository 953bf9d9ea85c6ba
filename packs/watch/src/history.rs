//! [`History`]: the tools of a watch history, and what stands behind them.
//!
//! Where nothing was imported yet, a sample is shown in its place, in a folder of its own that goes
//! when the history does: what somebody imports later is never mixed with it.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{Zoned, civil::Date};
use tempfile::TempDir;
use tokio::{sync::OnceCell, task::spawn_blocking};
use toolwright_core::{RunContext, Tool};
use toolwright_embed::{Embedder, Source};

use crate::{Clock, Library, WatchError, WatchErrorKind, sample::Sample, tools};

/// What a history is made with.
#[derive(Clone)]
pub struct HistorySettings {
    /// Where the library is.
    pub folder: PathBuf,
    /// What time it is, and where.
    pub clock: Clock,
    /// What makes vectors, if anything does.
    pub embedder: Option<Arc<Source>>,
}

/// The tools of a watch history. Nothing is opened before one is called.
pub struct History {
    pub(crate) settings: HistorySettings,
    library: OnceCell<Library>,
    /// Made anew each day: what was watched last week in it was watched last week.
    sample: Mutex<Option<Arc<Daily>>>,
}

/// The sample of a day, once somebody asked for it.
struct Daily {
    day: Date,
    made: OnceCell<Arc<Made>>,
}

struct Made {
    library: Library,
    /// Done once, and again only if it failed.
    embedded: OnceCell<()>,
    /// Goes with the history.
    _folder: TempDir,
}

/// Whose history it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The person's.
    Imported,
    /// Nobody's: see [`Sample`].
    Sample,
}

/// The history as one call sees it.
pub(crate) struct View {
    pub(crate) library: Library,
    pub(crate) origin: Origin,
    pub(crate) now: Zoned,
    /// Its folder stays as long as somebody looks at it.
    _sample: Option<Arc<Made>>,
}

impl History {
    /// A history that opens its library when it is first asked.
    pub fn new(settings: HistorySettings) -> Self {
        Self { settings, library: OnceCell::new(), sample: Mutex::new(None) }
    }

    /// The six tools.
    pub fn tools(self: &Arc<Self>) -> Vec<Arc<dyn Tool>> {
        tools::all(self)
    }

    /// This moment, in the person's time zone.
    pub(crate) fn now(&self) -> Zoned {
        self.settings.clock.now()
    }

    /// The history as it is now.
    pub(crate) async fn view(&self) -> Result<View, WatchError> {
        let now = self.now();
        let opened = self.library.get_or_try_init(|| {
            let folder = self.settings.folder.clone();
            aside(move || Library::open(&folder))
        });
        let library = opened.await?.clone();
        // Asked each time: an import may have come since, of another process even.
        if library.blocking(Library::has_watches).await? {
            return Ok(View { library, origin: Origin::Imported, now, _sample: None });
        }
        let made = self.made(&now).await?;
        Ok(View { library: made.library.clone(), origin: Origin::Sample, now, _sample: Some(made) })
    }

    /// Makes the sample's vectors, if that was not done yet. Those of an imported history are made when
    /// somebody asks for it: it may take long.
    pub(crate) async fn embed_sample(
        &self,
        embedder: &dyn Embedder,
        context: &RunContext,
    ) -> Result<(), WatchError> {
        let made = self.made(&self.now()).await?;
        let embedded = made.embedded.get_or_try_init(async || {
            let mut said = |done: u64, all: Option<u64>| {
                let all = all.map(|all| format!(" of {all}")).unwrap_or_default();
                context.progress(format!("Reading the sample history: {done}{all} videos"));
            };
            made.library.embed(embedder, &mut said).await.map(|_| ())
        });
        embedded.await.copied()
    }

    async fn made(&self, now: &Zoned) -> Result<Arc<Made>, WatchError> {
        let daily = self.daily(now.date());
        let now = now.clone();
        let made = daily.made.get_or_try_init(|| aside(move || Made::at(&now).map(Arc::new)));
        made.await.cloned()
    }

    /// The sample of this day, made or not.
    fn daily(&self, day: Date) -> Arc<Daily> {
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        match sample.as_ref().filter(|it| it.day == day) {
            Some(daily) => daily.clone(),
            None => sample.insert(Arc::new(Daily { day, made: OnceCell::new() })).clone(),
        }
    }
}

impl Made {
    fn at(now: &Zoned) -> Result<Self, WatchError> {
        let folder = TempDir::new().map_err(|error| {
            let message = format!("there is no place for the sample history: {error}");
            WatchError::new(WatchErrorKind::Library, message)
        })?;
        let library = Library::open(folder.path())?;
        let Sample { watched, seconds } = Sample::ending(now);
        library.add(&watched)?;
        library.set_seconds(&seconds)?;
        Ok(Self { library, embedded: OnceCell::new(), _folder: folder })
    }
}

impl Library {
    /// Whether anything was ever watched.
    pub(crate) fn has_watches(&self) -> Result<bool, WatchError> {
        let asked = "SELECT EXISTS (SELECT 1 FROM watches) OR EXISTS (SELECT 1 FROM gone)";
        Ok(self.database().query_row(asked, [], |row| row.get(0))?)
    }

    /// Whether the video of this id has a vector.
    pub(crate) fn has_vector(&self, id: &str) -> Result<bool, WatchError> {
        let asked =
            "SELECT EXISTS (SELECT 1 FROM vectors JOIN videos ON videos.row = video WHERE id = ?1)";
        Ok(self.database().query_row(asked, [id], |row| row.get(0))?)
    }

    /// Says how long videos are, by id.
    fn set_seconds(&self, lengths: &[(String, u32)]) -> Result<(), WatchError> {
        self.write(|writing| {
            let sql = "UPDATE videos SET seconds = ?2 WHERE id = ?1";
            let mut set = writing.database().prepare_cached(sql)?;
            for length in lengths {
                set.execute((&length.0, length.1))?;
            }
            Ok(())
        })
    }
}

/// Does what may wait for the disk on a thread made for that.
async fn aside<T, F>(work: F) -> Result<T, WatchError>
where
    F: FnOnce() -> Result<T, WatchError> + Send + 'static,
    T: Send + 'static,
{
    spawn_blocking(work).await.unwrap_or_else(|error| {
        Err(WatchError::new(WatchErrorKind::Library, format!("the work was stopped: {error}")))
    })
}
