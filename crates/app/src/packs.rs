//! [`PackRegistry`]: the packs there are; and [`OpenPacks`], what became of those that were opened.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use toolwright_core::{ModelError, ToolSimilarity};
use toolwright_embed::Source;
use toolwright_models::CassetteFile;
use toolwright_pack::{OpenPack, Pack, Services};

use crate::{AppError, Config, OfflineModel, Weights, offline, tool_sources::SourceRegistry};

/// The packs there are. Whoever makes the program lists them; nothing else knows one by name.
#[derive(Clone, Default)]
pub struct PackRegistry(Vec<Arc<dyn Pack>>);

impl PackRegistry {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more. Of two with one name the later one counts.
    #[must_use]
    pub fn with(mut self, pack: impl Pack + 'static) -> Self {
        self.0.retain(|it| it.info().name != pack.info().name);
        self.0.push(Arc::new(pack));
        self
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Pack> {
        self.0.iter().map(|pack| &**pack)
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&dyn Pack> {
        self.iter().find(|pack| pack.info().name == name)
    }

    /// Their names, for people.
    pub(crate) fn names(&self) -> String {
        self.iter().map(|pack| pack.info().name).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Debug for PackRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names())
    }
}

/// What became of packs that were opened: each when the first task needs it, and shared by all that
/// follow.
#[derive(Default)]
pub struct OpenPacks {
    open: Mutex<BTreeMap<OpenedAs, Arc<dyn OpenPack>>>,
    offline: Arc<OnceLock<Arc<OfflineModel>>>,
    embedder: OnceLock<Option<Arc<Source>>>,
    similarity: OnceLock<Option<Arc<dyn ToolSimilarity>>>,
    /// Where tools come from that are in no pack.
    pub(crate) sources: SourceRegistry,
    /// The file that is recorded to, or replayed: one for all agents.
    pub(crate) cassette: Arc<Mutex<Option<CassetteFile>>>,
}

/// A pack by its name, and by whether it was filled in for tasks that name it: what only those have is not
/// there in others.
type OpenedAs = (&'static str, bool);

impl OpenPacks {
    /// Others, for settings of another folder: the offline model is shared, and nothing that packs make of their
    /// settings.
    #[must_use]
    pub fn for_folder(&self) -> Self {
        Self { offline: self.offline.clone(), ..Self::default() }
    }

    /// Others, for settings that changed: what nothing changed for stays open.
    #[must_use]
    pub(crate) fn for_settings(&self, old: &Config, new: &Config) -> Self {
        let mut kept = Self {
            offline: self.offline.clone(),
            cassette: self.cassette.clone(),
            ..Self::default()
        };
        if !old.guards_as(new) {
            return kept;
        }
        kept.sources = self.sources.for_settings(old, new);
        // What makes vectors is given to packs when they are opened.
        if old.embeddings != new.embeddings || old.time_zone.value != new.time_zone.value {
            return kept;
        }
        kept.embedder = self.embedder.clone();
        kept.similarity = self.similarity.clone();
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |name: &str| match (old.section(name), new.section(name)) {
            (Some(old), Some(new)) => old.is_same(new),
            _ => false,
        };
        let same = open.iter().filter(|((name, _), _)| is_same(name));
        kept.open = Mutex::new(same.map(|(at, pack)| (*at, pack.clone())).collect());
        kept
    }

    /// The offline model of these weights.
    pub(crate) fn offline(&self, weights: Weights) -> Result<Arc<OfflineModel>, ModelError> {
        if let Some(shared) = self.offline.get().filter(|it| *it.weights() == weights) {
            return Ok(shared.clone());
        }
        let made = Arc::new(OfflineModel::new(weights)?);
        // The first one is shared by all that follow.
        let shared = self.offline.get_or_init(|| made.clone());
        Ok(if shared.weights() == made.weights() { shared.clone() } else { made })
    }

    /// What makes vectors, for packs and for the choice among tools: a model in the process is loaded
    /// once for all.
    pub(crate) fn embedder(&self, config: &Config) -> Option<Arc<Source>> {
        self.embedder.get_or_init(|| config.embedder()).clone()
    }

    /// What compares tools with a question by meaning, in this process: one for all toolboxes.
    pub(crate) fn similarity(&self, config: &Config) -> Option<Arc<dyn ToolSimilarity>> {
        let local = || self.embedder(config).filter(|source| source.is_local());
        let made = self.similarity.get_or_init(|| local().and_then(offline::similarity));
        made.clone()
    }

    /// A pack, opened; none where it was not set up.
    ///
    /// # Errors
    /// When it cannot be used as it was set up.
    pub fn open(
        &self,
        config: &Config,
        pack: &dyn Pack,
        is_named: bool,
    ) -> Result<Option<Arc<dyn OpenPack>>, AppError> {
        let at = (pack.info().name, is_named && config.is_filled_in(pack.info()));
        // Opened under the lock: two that come at once must not open it twice.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pack) = open.get(&at) {
            return Ok(Some(pack.clone()));
        }
        let services = match self.embedder(config) {
            Some(embedder) => Services::new().with(embedder),
            None => Services::new(),
        };
        let opened = config.open_pack(pack, is_named, &services)?;
        open.extend(opened.clone().map(|it| (at, it)));
        Ok(opened)
    }
}
