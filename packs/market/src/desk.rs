//! [`Desk`]: where the tools get their market from.
//!
//! A run that was given [`Access`] sees the broker's market; one that was not sees a simulated one,
//! through the same client and over a real socket. [`Desk::seen`] is where that is decided. Nothing is connected, loaded or started before a
//! tool asks for it: a desk that nobody uses costs nothing.

use std::{path::PathBuf, sync::Arc, time::Duration};

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use toolwright_core::{RunContext, Tool};

use crate::{
    Access, Client, Clock, Columns, Instruments, Limits, MarketError, MarketErrorKind, Master,
    NoToken, Pace, Profile, Settings, SimSettings, Simulator, in_india, tools,
};

/// Whether prices are real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// They are.
    Live,
    /// They are made up.
    Simulated,
}

/// Which market a run sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The broker's, or the one that was set in its place.
    Broker(Mark),
    /// That of the simulator in this process.
    Simulator,
}

/// Where a desk gets its market from.
#[derive(Clone, Debug)]
pub struct DeskSettings {
    /// Where the broker's API is, and whether it is a real one. Without it the broker itself is asked.
    /// A real one is asked only where there is access; else there is a simulator in this process.
    pub endpoint: Option<(String, Mark)>,
    /// Instruments are kept in this folder.
    pub folder: PathBuf,
    /// What the simulated market begins with.
    pub seed: u64,
    /// What time it is.
    pub clock: Clock,
}

/// Where the tools get their market from.
pub struct Desk {
    settings: DeskSettings,
    /// The broker, or what was set in its place.
    broker: OnceCell<Source>,
    /// The simulator in this process, which stops with the desk.
    simulated: OnceCell<(Source, Simulator)>,
}

/// A market that can be asked.
#[derive(Clone)]
struct Source {
    client: Client,
    master: Arc<Master>,
    /// Where the instruments of a simulated market are kept: what is made up is not kept for long,
    /// or the next simulator at the same address would be taken for this one.
    _folder: Option<Arc<TempDir>>,
}

/// The market as one call sees it.
pub(crate) struct Market {
    pub(crate) client: Client,
    pub(crate) access: Access,
    pub(crate) mark: Mark,
    /// Why it is a simulated one, where that may surprise.
    pub(crate) without: Option<NoToken>,
    pub(crate) now: Timestamp,
    master: Arc<Master>,
}

impl Desk {
    /// A desk with these settings. Nothing is done yet.
    pub fn new(settings: DeskSettings) -> Self {
        Self { settings, broker: OnceCell::new(), simulated: OnceCell::new() }
    }

    /// The tools, all of which only look.
    pub fn tools(self: &Arc<Self>) -> Vec<Arc<dyn Tool>> {
        tools::all(self)
    }

    /// Whether a market was set in the place of the broker's.
    pub(crate) fn is_set(&self) -> bool {
        self.settings.endpoint.is_some()
    }

    /// Which market a run with this context sees. A token opens the market that was set, or the
    /// broker's. Whoever has none, or only what stands for one, sees a simulated market: the one that
    /// was set, where it is one, else the one in this process. So nothing but a token is ever sent to a
    /// real broker.
    pub fn seen(&self, context: &RunContext) -> Seen {
        match (&self.settings.endpoint, Access::of(context)) {
            (Some((_, mark)), Ok(_)) => Seen::Broker(*mark),
            (None, Ok(_)) => Seen::Broker(Mark::Live),
            (Some((_, Mark::Simulated)), Err(_)) => Seen::Broker(Mark::Simulated),
            (Some((_, Mark::Live)) | None, Err(_)) => Seen::Simulator,
        }
    }

    /// Whether the prices a run with this context sees are real.
    pub fn mark(&self, context: &RunContext) -> Mark {
        match self.seen(context) {
            Seen::Broker(mark) => mark,
            Seen::Simulator => Mark::Simulated,
        }
    }

    /// What the broker says about the access of this context.
    ///
    /// # Errors
    /// When it does not answer, or the access is not good.
    pub async fn profile(&self, context: &RunContext) -> Result<Profile, MarketError> {
        let Market { client, access, .. } = self.market(context).await?;
        client.profile(&access).await
    }

    /// For how long the broker's list of instruments has been on the disk, if one is.
    pub fn kept(&self) -> Option<Duration> {
        let files = std::fs::read_dir(self.folder(&self.broker_settings())).ok()?;
        let changed = files.flatten().filter_map(|it| it.metadata().ok()?.modified().ok());
        changed.max()?.elapsed().ok()
    }

    /// The market a call with this context sees.
    pub(crate) async fn market(&self, context: &RunContext) -> Result<Market, MarketError> {
        let (source, mark) = match self.seen(context) {
            Seen::Broker(mark) => (self.broker(mark).await?, mark),
            Seen::Simulator => (self.simulated().await?, Mark::Simulated),
        };
        let (access, without) = match Access::of(context) {
            Ok(access) => (access.clone(), None),
            Err(why) => (Access::new(NOBODY, NOBODY_ID), Some(why)),
        };
        // Where nobody speaks of a broker, nobody expects one.
        let is_set = matches!(self.settings.endpoint, Some((_, Mark::Live)));
        let without = without.filter(|why| *why != NoToken::Missing || is_set);
        let Source { client, master, .. } = source.clone();
        Ok(Market { client, master, access, mark, without, now: self.now() })
    }

    async fn broker(&self, mark: Mark) -> Result<&Source, MarketError> {
        self.broker.get_or_try_init(|| async { self.source(self.broker_settings(), mark) }).await
    }

    fn broker_settings(&self) -> Settings {
        match &self.settings.endpoint {
            Some((url, _)) => Settings::at(url.clone()),
            None => Settings::live(),
        }
    }

    /// Where the instruments of a broker are kept, each in a place of its own.
    fn folder(&self, settings: &Settings) -> PathBuf {
        self.settings.folder.join(folder_of(&settings.base_url))
    }

    async fn simulated(&self) -> Result<&Source, MarketError> {
        let started = self.simulated.get_or_try_init(|| async {
            let simulator = Simulator::start(SimSettings {
                addr: ([127, 0, 0, 1], 0).into(),
                seed: self.settings.seed,
                clock: self.settings.clock,
                // Nobody else asks it, and nobody likes to wait.
                limits: Limits::none(),
            });
            let simulator = simulator.await?;
            let settings = Settings::at(simulator.base_url());
            let settings = Settings { pace: Pace::unlimited(), ..settings };
            Ok::<_, MarketError>((self.source(settings, Mark::Simulated)?, simulator))
        });
        started.await.map(|(source, _)| source)
    }

    fn source(&self, settings: Settings, mark: Mark) -> Result<Source, MarketError> {
        let kept = match mark {
            Mark::Live => None,
            Mark::Simulated => Some(Arc::new(TempDir::new().map_err(|error| no_folder(&error))?)),
        };
        let folder = match &kept {
            Some(folder) => folder.path().to_owned(),
            None => self.folder(&settings),
        };
        let client = Client::new(settings)?;
        let master = Arc::new(Master::new(client.clone(), folder, Columns::Compact));
        Ok(Source { client, master, _folder: kept })
    }

    fn now(&self) -> Timestamp {
        match self.settings.clock {
            Clock::Real => Timestamp::now(),
            Clock::Fixed(at) => at,
        }
    }
}

impl Market {
    /// All instruments there are today.
    pub(crate) async fn instruments(&self) -> Result<Arc<Instruments>, MarketError> {
        self.master.instruments(self.clock().date()).await
    }

    /// The day of the list of instruments, if it could not be had anew today.
    pub(crate) fn stale_list(&self) -> Option<Date> {
        self.master.stale()
    }

    /// The date and time in India.
    pub(crate) fn clock(&self) -> DateTime {
        in_india(self.now)
    }
}

/// Who trades in a simulated market where nobody has said who he is. No secret.
const NOBODY: &str = "simulated";
const NOBODY_ID: &str = "1000000001";

fn no_folder(error: &std::io::Error) -> MarketError {
    let message = format!("there is no place to keep the simulated instruments: {error}");
    MarketError::new(MarketErrorKind::Unreadable, message)
}

/// A folder's name for an address, so that two markets never share their instruments.
fn folder_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    // A password before the host is nobody's business.
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    rest.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect()
}
