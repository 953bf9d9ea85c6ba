//! [`Live`]: where a toolbox has tools from that may change, and what was last made of them.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;
use toolwright_core::{SourceTools, ToolChanges, ToolSource, ToolSpec, UnavailableTool};

use super::{
    Entry, Origin, Toolbox,
    builder::{blank, keep_aliases, offer, put},
};

/// Where a toolbox has tools from that may change.
pub(super) struct Live {
    sources: Vec<Arc<dyn ToolSource>>,
    /// What was last made of them, for all runs that follow.
    latest: Mutex<Option<Arc<Toolbox>>>,
}

impl Live {
    pub(super) fn new(sources: Vec<Arc<dyn ToolSource>>) -> Option<Arc<Self>> {
        (!sources.is_empty()).then(|| Arc::new(Self { sources, latest: Mutex::default() }))
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

    /// Why no run may go on, where a source that is required is not there.
    pub(crate) fn missing(&self) -> Option<String> {
        self.sources().iter().find_map(|source| source.missing())
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
        let specs = |toolbox: &Self| -> Vec<ToolSpec> {
            let foreign = toolbox.entries.iter().filter(|it| it.origin.is_some());
            foreign.map(|it| it.tool.spec().clone()).collect()
        };
        let (now, then) = (specs(self), specs(earlier));
        let of = |specs: &[ToolSpec], name: &str| specs.iter().find(|it| it.name == name).cloned();
        let names = |specs: &[ToolSpec], is_meant: &dyn Fn(&ToolSpec) -> bool| {
            specs.iter().filter(|it| is_meant(it)).map(|it| it.name.clone()).collect()
        };
        let is_new = |it: &&UnavailableTool| !earlier.withheld.contains(it);
        ToolChanges {
            added: names(&now, &|it| of(&then, &it.name).is_none()),
            removed: names(&then, &|it| of(&now, &it.name).is_none()),
            changed: names(&now, &|it| of(&then, &it.name).is_some_and(|then| then != *it)),
            withheld: self.withheld.iter().filter(is_new).cloned().collect(),
        }
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
    let known = from.entries.get(..own).unwrap_or_default();
    for entry in known.iter().filter(|it| it.origin.is_none()) {
        keep(&mut toolbox, entry, from);
    }
    for (source, has) in sources.iter().zip(&now) {
        let source: Arc<str> = source.name().into();
        for tool in &has.tools {
            let same = |it: &Origin| Arc::ptr_eq(&it.tool, tool);
            let entry = known.iter().find(|it| it.origin.as_ref().is_some_and(same));
            match entry.filter(|it| !toolbox.by_name.contains_key(&it.tool.spec().name)) {
                Some(entry) => keep(&mut toolbox, entry, from),
                None => add(&mut toolbox, Origin { source: source.clone(), tool: tool.clone() }),
            }
        }
        toolbox.withheld.extend(has.withheld.iter().cloned());
    }
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

fn keep(toolbox: &mut Toolbox, entry: &Entry, from: &Toolbox) {
    let name = &entry.tool.spec().name;
    toolbox.by_name.insert(name.clone(), toolbox.entries.len());
    toolbox.entries.push(entry.clone());
    toolbox.circuits.extend(from.circuits.iter().filter(|it| it.tool() == name).cloned());
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
