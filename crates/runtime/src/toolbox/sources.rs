//! [`Live`]: where a toolbox has tools from that may change, and what was last made of them.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::join_all};
use tokio::runtime::Handle;
use toolwright_core::{SourceTools, Tool, ToolChanges, ToolSource, ToolSpec, UnavailableTool};
use toolwright_timeout::timeout;

use super::{
    Entry, Origin, Toolbox,
    builder::{blank, keep_aliases, offer, put},
};
use crate::layers::breaker::Circuits;

/// Where a toolbox has tools from that may change.
pub(super) struct Live {
    sources: Vec<Arc<dyn ToolSource>>,
    /// What was last made of them, for all runs that follow.
    latest: Mutex<Option<Arc<Toolbox>>>,
    /// When somebody first waited for them.
    first_wait: OnceLock<Instant>,
    /// Whether some are still being waited for, whoever began that.
    is_waiting: Arc<AtomicBool>,
}

impl Live {
    pub(super) fn new(sources: Vec<Arc<dyn ToolSource>>) -> Option<Arc<Self>> {
        (!sources.is_empty()).then(|| {
            let (first_wait, is_waiting) = (OnceLock::new(), Arc::default());
            Arc::new(Self { sources, latest: Mutex::default(), first_wait, is_waiting })
        })
    }

    pub(super) fn sources(&self) -> &[Arc<dyn ToolSource>] {
        &self.sources
    }

    fn now(&self) -> Vec<Arc<SourceTools>> {
        self.sources.iter().map(|source| source.tools()).collect()
    }
}

impl Toolbox {
    /// The toolbox with what its sources have now. What did not change keeps what is known of it (a breaker
    /// that is open, answers that are kept).
    #[must_use]
    pub fn current(self: &Arc<Self>) -> Arc<Self> {
        let Some(live) = &self.live else { return self.clone() };
        let now = live.now();
        if is_same(&self.seen, &now) {
            return self.clone();
        }
        let mut latest = live.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = latest.as_ref().filter(|made| is_same(&made.seen, &now)) {
            return made.clone();
        }
        let made = refreshed(latest.as_ref().unwrap_or(self), &live.sources, now);
        latest.insert(Arc::new(made)).clone()
    }

    /// Waits until every source has what it has at first, or knows why it has not.
    pub async fn ready(&self) {
        if let Some(live) = &self.live {
            join_all(live.sources.iter().map(|source| source.ready())).await;
        }
    }

    /// Why no run may go on, where a source that is required is not there. Such a one is waited for, however
    /// long it takes to know.
    pub(crate) async fn missing(&self) -> Option<String> {
        for source in self.sources() {
            if source.missing().is_some() {
                source.ready().await;
                if let Some(reason) = source.missing() {
                    return Some(reason);
                }
            }
        }
        None
    }

    /// As [`Toolbox::ready`], but nobody waits for a source that has tools already, and all who wait together
    /// no longer than `limit` after the first of them began to. What is not ready by then goes on by itself.
    pub async fn ready_within(&self, limit: Duration) {
        let Some(live) = &self.live else { return };
        let left = limit.saturating_sub(live.first_wait.get_or_init(Instant::now).elapsed());
        if left.is_zero() && live.is_waiting.load(SeqCst) {
            return;
        }
        let (mut needed, mut others) = (Vec::new(), Vec::new());
        for source in &live.sources {
            let owned = source.clone();
            let mut work = async move { owned.ready().await }.boxed();
            if (&mut work).now_or_never().is_none() {
                let list = if source.tools().tools.is_empty() { &mut needed } else { &mut others };
                list.push(work);
            }
        }
        if needed.is_empty() && others.is_empty() {
            return;
        }
        let Ok(runtime) = Handle::try_current() else {
            // Nobody else would go on with it.
            join_all(needed).await;
            return;
        };
        // Not a part of whoever waits: a source that is being read when that is over is read to its end.
        let (needs_any, is_waiting) = (!needed.is_empty(), live.is_waiting.clone());
        is_waiting.store(true, SeqCst);
        let (done, is_done) = futures_channel::oneshot::channel();
        runtime.spawn(async move {
            join_all(needed).await;
            let _ = done.send(());
            join_all(others).await;
            is_waiting.store(false, SeqCst);
        });
        if needs_any && timeout(left, is_done).await.is_err() {
            tracing::info!("a run begins without the tools of sources that are not ready yet");
        }
    }

    /// Where it has tools from that may change.
    pub fn sources(&self) -> &[Arc<dyn ToolSource>] {
        self.live.as_ref().map_or(&[], |live| live.sources())
    }

    /// Tools of its sources that are not offered, and why.
    pub fn withheld(&self) -> &[UnavailableTool] {
        &self.withheld
    }

    /// What became of the tools of `earlier`.
    pub(crate) fn changes_since(&self, earlier: &Self) -> ToolChanges {
        let (now, then) = (self.foreign(), earlier.foreign());
        let is_in =
            |specs: &BTreeMap<&str, &ToolSpec>, it: &ToolSpec| specs.contains_key(it.name.as_str());
        // In the order in which they are offered.
        let names = |toolbox: &Self, is_meant: &dyn Fn(&ToolSpec) -> bool| {
            let specs = toolbox.foreign_specs();
            specs.filter(|it| is_meant(it)).map(|it| it.name.clone()).collect()
        };
        let differs = |it: &ToolSpec| then.get(it.name.as_str()).is_some_and(|then| *then != it);
        let is_new = |it: &&UnavailableTool| !earlier.withheld.contains(it);
        ToolChanges {
            added: names(self, &|it| !is_in(&then, it)),
            removed: names(earlier, &|it| !is_in(&now, it)),
            changed: names(self, &differs),
            withheld: self.withheld.iter().filter(is_new).cloned().collect(),
        }
    }

    fn foreign(&self) -> BTreeMap<&str, &ToolSpec> {
        self.foreign_specs().map(|it| (it.name.as_str(), it)).collect()
    }

    /// The tools that are not its own.
    fn foreign_specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.entries.iter().filter(|it| it.origin.is_some()).map(|it| it.tool.spec())
    }

    /// Why a tool of this name is withheld, where one is: by its own name, or with all of its source.
    pub fn withheld_reason(&self, name: &str) -> Option<&str> {
        let is_it = |it: &&UnavailableTool| match it.tool.strip_suffix('*') {
            Some(source) => name.starts_with(source),
            None => it.tool == name,
        };
        self.withheld.iter().find(is_it).map(|it| it.reason.as_str())
    }
}

/// A toolbox that was just made, with what its sources have.
pub(super) fn filled(toolbox: Toolbox) -> Toolbox {
    let Some(live) = toolbox.live.clone() else { return toolbox };
    let now = live.now();
    if now.iter().all(|it| it.tools.is_empty() && it.withheld.is_empty()) {
        return Toolbox { seen: now, ..toolbox };
    }
    let filled = refreshed(&toolbox, &live.sources, now);
    Toolbox { live: Some(live), ..filled }
}

/// The toolbox with these tools in the place of those that its sources had. One that cannot be used hurts no
/// other.
fn refreshed(
    from: &Toolbox,
    sources: &[Arc<dyn ToolSource>],
    now: Vec<Arc<SourceTools>>,
) -> Toolbox {
    let mut toolbox = blank(from);
    // The one that finds the others is made anew.
    let own = from.entries.len() - usize::from(from.selector.is_some());
    let entries = from.entries.get(..own).unwrap_or_default();
    for entry in entries.iter().filter(|it| it.origin.is_none()) {
        keep(&mut toolbox, entry);
    }
    let foreign = entries.iter().filter_map(|it| Some((place(&it.origin.as_ref()?.tool), it)));
    let known: HashMap<*const (), &Entry> = foreign.collect();
    for (source, has) in sources.iter().zip(&now) {
        let source: Arc<str> = source.name().into();
        for tool in &has.tools {
            let entry = known.get(&place(tool)).copied();
            match entry.filter(|it| !toolbox.by_name.contains_key(&it.tool.spec().name)) {
                Some(entry) => keep(&mut toolbox, entry),
                None => add(&mut toolbox, Origin { source: source.clone(), tool: tool.clone() }),
            }
        }
        toolbox.withheld.extend(has.withheld.iter().cloned());
    }
    keep_circuits(&mut toolbox, from);
    toolbox.seen = now;
    keep_aliases(&mut toolbox, from);
    match offer(toolbox) {
        Ok(toolbox) => toolbox,
        // Only where a tool of a source has the finder's name, which no qualified name is.
        Err(error) => {
            tracing::error!(%error, "tools from elsewhere cannot be offered");
            blank(from)
        }
    }
}

/// Where a tool lies: two that lie in one place are one.
fn place(tool: &Arc<dyn Tool>) -> *const () {
    Arc::as_ptr(tool).cast()
}

fn keep(toolbox: &mut Toolbox, entry: &Entry) {
    toolbox.by_name.insert(entry.tool.spec().name.clone(), toolbox.entries.len());
    toolbox.entries.push(entry.clone());
}

/// Keeps the breakers of the tools that were kept; what was added has brought its own.
fn keep_circuits(toolbox: &mut Toolbox, from: &Toolbox) {
    let new: HashSet<&str> = toolbox.circuits.iter().map(|it| it.tool()).collect();
    let is_kept =
        |it: &Circuits| toolbox.by_name.contains_key(it.tool()) && !new.contains(it.tool());
    let kept: Vec<_> = from.circuits.iter().filter(|it| is_kept(it)).cloned().collect();
    toolbox.circuits.extend(kept);
}

fn add(toolbox: &mut Toolbox, origin: Origin) {
    match put(toolbox, origin.tool.clone()) {
        Ok(()) => {
            if let Some(entry) = toolbox.entries.last_mut() {
                entry.origin = Some(origin);
            }
        }
        Err(error) => {
            let tool = origin.tool.spec().name.clone();
            toolbox.withheld.push(UnavailableTool { tool, reason: error.to_string() });
        }
    }
}

fn is_same(a: &[Arc<SourceTools>], b: &[Arc<SourceTools>]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b))
}
