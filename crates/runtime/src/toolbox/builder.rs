//! [`ToolboxBuilder`]: puts a [`Toolbox`] together, or says why it cannot be.

use std::{collections::HashMap, sync::Arc};

use toolwright_core::{Definitions, Registration, Tool, Toolset};

use super::{Entry, Route, Schema, Toolbox};

/// Puts a [`Toolbox`] together.
#[derive(Default)]
pub struct ToolboxBuilder {
    tools: Vec<Arc<dyn Tool>>,
    aliases: Vec<(String, String)>,
    fallback: Option<Arc<dyn Route>>,
}

/// Why a toolbox cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolboxError {
    /// A name no provider would take.
    #[error("`{0}` cannot be a tool's name: use 1 to 64 letters, digits, `_` or `-`")]
    BadName(String),
    /// Two tools of one name.
    #[error("two tools are named `{0}`: rename one with #[tool(name = \"…\")]")]
    Twice(String),
    /// An alias for a tool that is not there.
    #[error("the alias `{alias}` stands for `{tool}`, and there is no such tool")]
    BadAlias {
        /// The alias.
        alias: String,
        /// What it stands for.
        tool: String,
    },
    /// A schema that cannot be compiled.
    #[error("the parameters of `{tool}` are not a usable JSON Schema: {reason}")]
    BadSchema {
        /// The tool.
        tool: String,
        /// What is wrong.
        reason: String,
    },
}

impl ToolboxBuilder {
    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds several tools.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds the tools of a `#[toolset]`.
    #[must_use]
    pub fn toolset<T: Toolset>(self, state: impl Into<Arc<T>>) -> Self {
        self.tools(state.into().tools())
    }

    /// Adds every function marked `#[tool]` in any crate linked into this program, by name.
    #[must_use]
    pub fn discover(self) -> Self {
        let mut found: Vec<_> = Registration::all().map(|it| (it.make)()).collect();
        // The linker's order means nothing; prompts must not change with it.
        found.sort_by(|a, b| a.spec().name.cmp(&b.spec().name));
        self.tools(found)
    }

    /// Lets `alias` stand for `tool`.
    #[must_use]
    pub fn alias(mut self, alias: impl Into<String>, tool: impl Into<String>) -> Self {
        self.aliases.push((alias.into(), tool.into()));
        self
    }

    /// Serves names the registry lacks.
    #[must_use]
    pub fn fallback(mut self, route: Arc<dyn Route>) -> Self {
        self.fallback = Some(route);
        self
    }

    /// Puts it together. Schemas are compiled when they are first needed; [`Toolbox::verify`] does
    /// it now.
    ///
    /// # Errors
    /// When a name is unusable or used twice.
    pub fn build(self) -> Result<Toolbox, ToolboxError> {
        let mut entries = Vec::with_capacity(self.tools.len());
        let mut by_name = HashMap::new();
        for tool in self.tools {
            let spec = tool.spec();
            if !is_name(&spec.name) {
                return Err(ToolboxError::BadName(spec.name.clone()));
            }
            if by_name.insert(spec.name.clone(), entries.len()).is_some() {
                return Err(ToolboxError::Twice(spec.name.clone()));
            }
            if !spec.parameters.is_object() {
                let reason = "it is not an object".to_owned();
                return Err(ToolboxError::BadSchema { tool: spec.name.clone(), reason });
            }
            entries.push(Entry { tool, schema: Schema::default() });
        }
        let mut aliases = HashMap::new();
        for (alias, tool) in self.aliases {
            let Some(at) = by_name.get(&tool) else {
                return Err(ToolboxError::BadAlias { alias, tool });
            };
            aliases.insert(alias, *at);
        }
        let specs = entries.iter().map(|entry: &Entry| Arc::new(entry.tool.spec().clone()));
        let definitions = Definitions::new(specs);
        Ok(Toolbox { entries, by_name, aliases, fallback: self.fallback, definitions })
    }
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}
