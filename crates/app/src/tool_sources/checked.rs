//! [`CheckedSource`]: a source, held against what the config file says of its tools. What is misspelled there would
//! otherwise hold for nothing, in silence: which tools there are is known only once the source has listed them.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use futures_util::future::BoxFuture;
use toolwright_core::{ContentSource, SourceTools, ToolSource, UnavailableTool};
use toolwright_runtime::matches_pattern;

use super::{ConfiguredSource, SourceKind};
use crate::{Config, words::meant};

/// A source, and what the config file says of its tools.
pub(super) struct CheckedSource {
    source: Arc<dyn ToolSource>,
    entry: ConfiguredSource,
    /// The tools of which something is said: where, and by which name.
    named: Vec<(&'static str, String)>,
    /// Which of its tools there are, by the names that it gives them itself: where that stands, and what.
    chosen: (&'static str, Vec<String>),
    /// Whether the source has listed its tools, or said why not.
    is_ready: AtomicBool,
    /// What the source had, and what was made of it.
    last: Mutex<Option<(Arc<SourceTools>, Arc<SourceTools>)>>,
}

impl CheckedSource {
    /// The source; held against what is said of its tools, where anything is.
    pub(super) fn around(
        source: Arc<dyn ToolSource>,
        config: &Config,
        entry: &ConfiguredSource,
    ) -> Arc<dyn ToolSource> {
        let chosen = match entry.kind {
            SourceKind::Mcp => {
                let said = config.mcp.get(&entry.name).and_then(|it| it.tools.clone());
                ("tools", said.unwrap_or_default())
            }
            SourceKind::OpenApi => {
                let said = config.openapi.get(&entry.name).map(|it| it.include.clone());
                ("include", said.unwrap_or_default())
            }
            // It is one tool, and its name is the source's.
            SourceKind::Command | SourceKind::Agent => return source,
        };
        let policies = config.policies.iter().map(|(name, _)| ("tools", name));
        let declared = config.declarations.iter().map(|(name, _)| ("tools", name));
        let rules = config.rules.iter().map(|rule| ("rules", &rule.tool));
        let named = policies.chain(declared).chain(rules).filter(|(_, name)| entry.may_have(name));
        let mut named: Vec<_> = named.map(|(section, name)| (section, name.clone())).collect();
        named.sort();
        named.dedup();
        if named.is_empty() && chosen.1.is_empty() {
            return source;
        }
        let (entry, is_ready, last) = (entry.clone(), AtomicBool::new(false), Mutex::default());
        Arc::new(Self { source, entry, named, chosen, is_ready, last })
    }

    /// What is said of tools that the source does not have.
    fn misfits(&self, has: &SourceTools) -> Vec<UnavailableTool> {
        let withheld = has.withheld.iter().map(|it| it.tool.as_str());
        let names = has.tools.iter().map(|it| it.spec().name.as_str()).chain(withheld);
        let names: Vec<&str> = names.collect();
        // All of them are withheld: which those are is not said.
        if names.iter().any(|it| it.ends_with('*')) {
            return Vec::new();
        }
        let (prefix, kind, name) = (self.entry.prefix(), self.entry.kind.name(), &self.entry.name);
        let (key, patterns) = &self.chosen;
        let own: Vec<&str> = names.iter().filter_map(|it| it.strip_prefix(&prefix)).collect();
        let strays = patterns.iter().map(|it| it.trim()).filter(|it| {
            let is_met = own.iter().any(|own| matches_pattern(it, own));
            !is_met && (own.is_empty() || is_of_names(it)) && !it.starts_with('!')
        });
        let strays = strays.map(|it| UnavailableTool {
            tool: format!("{prefix}{it}"),
            reason: format!(
                "`{key}` of `[{kind}.{name}]` names it, and no tool of `{name}` is called so{}",
                meant(it, own.iter().copied())
            ),
        });
        // Where nothing was let in, nothing can be said of it either.
        let named = self.named.iter().filter(|_| !names.is_empty());
        let unknown = named.filter(|(_, it)| !names.contains(&it.as_str())).map(|(section, it)| {
            let place = match *section {
                "rules" => "a rule".to_owned(),
                section => format!("`[{section}.{it}]`"),
            };
            let meant = meant(it, names.iter().copied());
            let reason = format!("{place} is about it, and `{name}` has no such tool{meant}");
            UnavailableTool { tool: it.clone(), reason }
        });
        strays.chain(unknown).collect()
    }
}

/// Whether a pattern is about names, and not about paths, methods or tags.
fn is_of_names(pattern: &str) -> bool {
    let is_method = pattern.chars().all(|it| it.is_ascii_uppercase());
    !is_method && !pattern.contains([' ', '/', ':'])
}

impl ToolSource for CheckedSource {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn tools(&self) -> Arc<SourceTools> {
        let now = self.source.tools();
        if !self.is_ready.load(Ordering::SeqCst) {
            return now;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((had, made)) if Arc::ptr_eq(had, &now) => made.clone(),
            _ => {
                let misfits = self.misfits(&now);
                let made = match misfits.is_empty() {
                    true => now.clone(),
                    false => {
                        let withheld = now.withheld.iter().cloned().chain(misfits).collect();
                        Arc::new(SourceTools { tools: now.tools.clone(), withheld })
                    }
                };
                *last = Some((now, made.clone()));
                made
            }
        }
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.source.ready().await;
            self.is_ready.store(true, Ordering::SeqCst);
        })
    }

    fn missing(&self) -> Option<String> {
        self.source.missing()
    }

    fn content(&self) -> Option<&dyn ContentSource> {
        self.source.content()
    }
}
