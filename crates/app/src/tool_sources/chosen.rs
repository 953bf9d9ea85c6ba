//! [`ChosenSource`]: those tools of a source that a task has.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use toolwright_core::{ContentSource, SourceTools, ToolSource};

use crate::{ConfiguredSource, ToolPattern};

/// Those tools of a source that a task has.
pub(super) struct ChosenSource {
    source: Arc<dyn ToolSource>,
    patterns: Vec<ToolPattern>,
    /// Whether any of its tools can be among them.
    is_wanted: bool,
    /// What the source had, and what of it was chosen.
    last: Mutex<Option<(Arc<SourceTools>, Arc<SourceTools>)>>,
}

impl ChosenSource {
    pub(super) fn new(
        source: Arc<dyn ToolSource>,
        entry: &ConfiguredSource,
        patterns: Vec<ToolPattern>,
    ) -> Self {
        let is_wanted = ToolPattern::may_admit(&patterns, entry);
        Self { source, patterns, is_wanted, last: Mutex::default() }
    }

    fn chosen(&self, of: &SourceTools) -> SourceTools {
        let admits = |name: &str| ToolPattern::admit(&self.patterns, name);
        let tools = of.tools.iter().filter(|it| admits(&it.spec().name)).cloned().collect();
        let withheld = of.withheld.iter().filter(|it| admits(&it.tool)).cloned().collect();
        SourceTools { tools, withheld }
    }
}

impl ToolSource for ChosenSource {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn tools(&self) -> Arc<SourceTools> {
        let now = self.source.tools();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((had, chosen)) if Arc::ptr_eq(had, &now) => chosen.clone(),
            _ => {
                let chosen = Arc::new(self.chosen(&now));
                *last = Some((now, chosen.clone()));
                chosen
            }
        }
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        self.source.ready()
    }

    fn content(&self) -> Option<&dyn ContentSource> {
        self.source.content()
    }

    fn missing(&self) -> Option<String> {
        // Nobody misses what they would not be offered.
        self.is_wanted.then(|| self.source.missing()).flatten()
    }
}
