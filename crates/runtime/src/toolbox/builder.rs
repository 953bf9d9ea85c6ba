//! [`ToolboxBuilder`]: puts a [`Toolbox`] together, or says why it cannot be.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use toolwright_core::{
    OptionError, Policy, Registration, Tool, ToolDeclaration, ToolDefinitions, ToolGroup,
    ToolRouter, ToolSimilarity, ToolSource, ToolSpec, Toolset,
};

use super::{
    Entry, Origin, ToolFallback, Toolbox,
    policies::Policies,
    sources::{self, Live},
};
use crate::{CallLogging, Layer, SelectionConfig, ToolSelector, find_tools, layers::Stack};

/// Puts a [`Toolbox`] together. A method in the singular adds one, its plural several.
#[derive(Default)]
pub struct ToolboxBuilder {
    tools: Vec<Arc<dyn Tool>>,
    aliases: Vec<(String, String)>,
    fallback: Option<Arc<dyn ToolFallback>>,
    sources: Vec<Arc<dyn ToolSource>>,
    recipe: Recipe,
}

/// How tools are treated and offered, also those that are added later.
#[derive(Default)]
pub(super) struct Recipe {
    pub(super) policies: Policies,
    /// What is said of tools that could not say it themselves.
    declarations: Vec<(String, ToolDeclaration)>,
    /// What tools belong to that do not come from a source.
    groups: HashMap<String, Arc<ToolGroup>>,
    selection: SelectionConfig,
    router: Option<Arc<dyn ToolRouter>>,
    similarity: Option<Arc<dyn ToolSimilarity>>,
    /// What log lines say about calls outside of a run.
    pub(super) log: CallLogging,
}

/// Why a toolbox cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// A policy that cannot be kept.
    #[error("the policy of `{tool}` cannot be kept: {reason}")]
    BadPolicy {
        /// The tool.
        tool: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// Something is declared of a tool that does not fit it.
    #[error("what is declared of `{tool}` does not fit: {reason}")]
    BadDeclaration {
        /// The tool.
        tool: String,
        /// What is wrong.
        reason: String,
    },
    /// Answers are to be reviewed, and nobody can.
    #[error(
        "answers are to be reviewed, and the agent has no reviewer: link the crate `toolwright-review` \
         (the feature `review` of `toolwright`), give the agent one with `AgentBuilder::reviewer`, or do \
         not review"
    )]
    NoReviewer,
    /// Options that cannot be used.
    #[error("the model's options cannot be used: {0}")]
    Options(#[from] OptionError),
    /// A form of answers that is no usable schema.
    #[error("the form of the answer is not a usable JSON Schema: {0}")]
    BadOutput(String),
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
    pub fn discover_tools(self) -> Self {
        let mut found: Vec<_> = Registration::all().map(|it| (it.make)()).collect();
        // The linker's order means nothing; prompts must not change with it.
        found.sort_by(|a, b| a.spec().name.cmp(&b.spec().name));
        self.tools(found)
    }

    /// Adds whatever a source has, now and later. A tool that cannot be used is [withheld](Toolbox::withheld).
    #[must_use]
    pub fn source(mut self, source: Arc<dyn ToolSource>) -> Self {
        self.sources.push(source);
        self
    }

    /// Says of a tool what whoever made it could not.
    #[must_use]
    pub fn declare(mut self, tool: impl Into<String>, declaration: ToolDeclaration) -> Self {
        self.recipe.declarations.push((tool.into(), declaration));
        self
    }

    /// Says what tools belong together, by their names. What comes from a source belongs to that.
    #[must_use]
    pub fn group<S: Into<String>>(
        mut self,
        group: ToolGroup,
        tools: impl IntoIterator<Item = S>,
    ) -> Self {
        let group = Arc::new(group);
        let tools = tools.into_iter().map(|tool| (tool.into(), group.clone()));
        self.recipe.groups.extend(tools);
        self
    }

    /// Lets `alias` stand for `tool`.
    #[must_use]
    pub fn alias(mut self, alias: impl Into<String>, tool: impl Into<String>) -> Self {
        self.aliases.push((alias.into(), tool.into()));
        self
    }

    /// Serves names the registry lacks.
    #[must_use]
    pub fn fallback(mut self, route: impl ToolFallback + 'static) -> Self {
        self.fallback = Some(Arc::new(route));
        self
    }

    /// How calls are treated where nothing else is said. What a tool's effect does not allow is not
    /// done to it: there is no retry around a tool that writes.
    #[must_use]
    pub fn default_policy(mut self, policy: Policy) -> Self {
        self.recipe.policies.default_policy(policy);
        self
    }

    /// How calls of a tool are treated, whatever it declares itself; `*` stands for all of them.
    /// What is said of one tool goes over what is said of all.
    #[must_use]
    pub fn policy(mut self, tool: impl Into<String>, policy: Policy) -> Self {
        self.recipe.policies.set(tool.into(), policy);
        self
    }

    /// How long any call may take with all its attempts, whatever is declared or said of its tool. What
    /// is shorter stays.
    #[must_use]
    pub fn call_timeout(mut self, most: Duration) -> Self {
        self.recipe.policies.call_timeout(most);
        self
    }

    /// Puts a layer around every tool, within those added before.
    #[must_use]
    pub fn layer(mut self, layer: impl Layer + 'static) -> Self {
        self.recipe.policies.layer(None, layer);
        self
    }

    /// Puts a layer around one tool, within those added before.
    #[must_use]
    pub fn layer_for(mut self, tool: impl Into<String>, layer: impl Layer + 'static) -> Self {
        self.recipe.policies.layer(Some(tool.into()), layer);
        self
    }

    /// Says when, and how many, of very many tools are offered.
    #[must_use]
    pub fn selection(mut self, selection: SelectionConfig) -> Self {
        self.recipe.selection = selection;
        self
    }

    /// Lets another choose, with more tools than the [`selection`](Self::selection) says.
    #[must_use]
    pub fn router(mut self, router: impl ToolRouter + 'static) -> Self {
        self.recipe.router = Some(Arc::new(router));
        self
    }

    /// Lets tools be chosen by what they mean as well as by their words, with more of them than the
    /// [`selection`](Self::selection) says.
    #[must_use]
    pub fn similarity(mut self, similarity: Arc<dyn ToolSimilarity>) -> Self {
        self.recipe.similarity = Some(similarity);
        self
    }

    /// Says what log lines tell about calls outside of a run ([`Toolbox::call`]).
    #[must_use]
    pub fn log(mut self, log: CallLogging) -> Self {
        self.recipe.log = log;
        self
    }

    /// Puts it together. Schemas are compiled when they are first needed; [`Toolbox::verify`] does
    /// it now.
    ///
    /// # Errors
    /// When a name is unusable or used twice, or a policy cannot be kept.
    pub fn build(self) -> Result<Toolbox, ToolboxError> {
        self.recipe.policies.check_names(&self.tools, &self.sources)?;
        let recipe = Arc::new(self.recipe);
        let live = Live::new(self.sources);
        let mut toolbox = Toolbox { fallback: self.fallback, recipe, live, ..Toolbox::default() };
        for tool in self.tools {
            put(&mut toolbox, tool)?;
        }
        for (alias, tool) in self.aliases {
            let Some(at) = toolbox.by_name.get(&tool) else {
                return Err(ToolboxError::BadAlias { alias, tool });
            };
            toolbox.aliases.insert(alias, *at);
        }
        Ok(sources::filled(offer(toolbox)?))
    }
}

/// The toolbox with more tools in it.
pub(super) fn extended(from: &Toolbox, tools: &[Arc<dyn Tool>]) -> Result<Toolbox, ToolboxError> {
    let mut toolbox = Toolbox {
        live: from.live.as_ref().and_then(|it| Live::new(it.sources().to_vec())),
        seen: from.seen.clone(),
        withheld: from.withheld.clone(),
        ..blank(from)
    };
    let replaced: HashSet<_> = tools.iter().map(|it| it.spec().name.as_str()).collect();
    let is_replaced = |name: &str| replaced.contains(name);
    // The one that finds the others is made anew.
    let own = from.entries.len() - usize::from(from.selector.is_some());
    for entry in from.entries.iter().take(own) {
        let name = &entry.tool.spec().name;
        if !is_replaced(name) {
            toolbox.by_name.insert(name.clone(), toolbox.entries.len());
            toolbox.entries.push(entry.clone());
        }
    }
    let circuits = from.circuits.iter().filter(|it| !is_replaced(it.tool()));
    toolbox.circuits = circuits.cloned().collect();
    for tool in tools {
        put(&mut toolbox, tool.clone())?;
    }
    keep_aliases(&mut toolbox, from);
    offer(toolbox)
}

/// The toolbox without these tools.
pub(super) fn lessened(from: &Toolbox, names: &[String]) -> Toolbox {
    let mut toolbox = Toolbox {
        seen: from.seen.clone(),
        withheld: from.withheld.clone(),
        off: names.to_vec(),
        ..blank(from)
    };
    let is_off = |name: &str| names.iter().any(|it| it == name);
    // The one that finds the others is made anew.
    let own = from.entries.len() - usize::from(from.selector.is_some());
    for entry in from.entries.iter().take(own).filter(|it| !is_off(&it.tool.spec().name)) {
        toolbox.by_name.insert(entry.tool.spec().name.clone(), toolbox.entries.len());
        toolbox.entries.push(entry.clone());
    }
    toolbox.circuits = from.circuits.iter().filter(|it| !is_off(it.tool())).cloned().collect();
    keep_aliases(&mut toolbox, from);
    match offer(toolbox) {
        Ok(toolbox) => toolbox,
        // Only where a tool has the finder's name, and then `from` would not have been made.
        Err(error) => {
            tracing::error!(%error, "tools that are left cannot be offered");
            Toolbox { off: names.to_vec(), ..blank(from) }
        }
    }
}

/// A toolbox without tools, that treats and offers them as another does.
pub(super) fn blank(like: &Toolbox) -> Toolbox {
    Toolbox {
        fallback: like.fallback.clone(),
        open: like.open.clone(),
        recipe: like.recipe.clone(),
        ..Toolbox::default()
    }
}

/// Keeps the other names of tools that are still there.
pub(super) fn keep_aliases(toolbox: &mut Toolbox, from: &Toolbox) {
    for (alias, at) in &from.aliases {
        let name = from.entries.get(*at).map(|it| it.tool.spec().name.as_str());
        if let Some(at) = name.and_then(|name| toolbox.by_name.get(name)) {
            toolbox.aliases.insert(alias.clone(), *at);
        }
    }
}

/// Makes the definitions models are sent, and what chooses among very many.
pub(super) fn offer(mut toolbox: Toolbox) -> Result<Toolbox, ToolboxError> {
    toolbox.definitions = ToolDefinitions::new(specs(&toolbox));
    let selection = toolbox.recipe.selection;
    if toolbox.entries.len() > selection.above {
        let specs: Arc<[_]> = specs(&toolbox).collect();
        let selector = Arc::new(ToolSelector::new(&specs, selection));
        // Behind all others, so that the selector's places are the toolbox's.
        put(&mut toolbox, find_tools(selector.clone(), specs))?;
        toolbox.definitions = ToolDefinitions::new(self::specs(&toolbox));
        toolbox.selector = Some(selector);
        toolbox.router = toolbox.recipe.router.clone();
        toolbox.similarity = toolbox.recipe.similarity.clone();
    }
    Ok(toolbox)
}

fn specs(toolbox: &Toolbox) -> impl Iterator<Item = Arc<ToolSpec>> {
    let mut sources: HashMap<Arc<str>, Arc<ToolGroup>> = HashMap::new();
    toolbox.entries.iter().map(move |entry| {
        let spec = entry.tool.spec().clone();
        let group = match &entry.origin {
            None => toolbox.recipe.groups.get(&spec.name).cloned().or_else(|| spec.group.clone()),
            Some(Origin { source, .. }) => {
                let made = || Arc::new(ToolGroup::new(&**source, ""));
                Some(sources.entry(source.clone()).or_insert_with(made).clone())
            }
        };
        Arc::new(spec.group(group))
    })
}

/// Puts a tool in, with its layers around it.
pub(super) fn put(toolbox: &mut Toolbox, tool: Arc<dyn Tool>) -> Result<(), ToolboxError> {
    let tool = declared(&toolbox.recipe, tool)?;
    let spec = tool.spec();
    if !is_name(&spec.name) {
        return Err(ToolboxError::BadName(spec.name.clone()));
    }
    if toolbox.by_name.contains_key(&spec.name) {
        return Err(ToolboxError::Twice(spec.name.clone()));
    }
    if !spec.parameters.is_object() {
        let reason = "it is not an object".to_owned();
        return Err(ToolboxError::BadSchema { tool: spec.name.clone(), reason });
    }
    if let Some(reason) = unchecked(spec) {
        return Err(ToolboxError::BadSchema { tool: spec.name.clone(), reason });
    }
    let policies = &toolbox.recipe.policies;
    let policy = policies.of(spec)?;
    let layers = policies.layers_of(&spec.name);
    let Stack { tool, circuits } =
        Stack::new(tool, policy, policies.most(), &layers, &toolbox.open);
    toolbox.by_name.insert(tool.spec().name.clone(), toolbox.entries.len());
    toolbox.circuits.extend(circuits);
    toolbox.entries.push(Entry { tool, schema: Arc::default(), origin: None });
    Ok(())
}

/// The tool with what is said of it.
fn declared(recipe: &Recipe, tool: Arc<dyn Tool>) -> Result<Arc<dyn Tool>, ToolboxError> {
    let name = tool.spec().name.clone();
    let said = recipe.declarations.iter().filter(|(of, _)| *of == name);
    said.map(|(_, it)| it)
        .try_fold(tool, |tool, it| it.apply(tool))
        .map_err(|reason| ToolboxError::BadDeclaration { tool: name, reason })
}

/// Why a parameter that is carried out would never be looked at, where that is so.
fn unchecked(spec: &ToolSpec) -> Option<String> {
    let declared = spec.parameters.get("properties")?.as_object()?;
    spec.executable.iter().find_map(|name| match declared.get(name) {
        None => Some(format!("`{name}` is declared `executable`, and there is no such parameter")),
        Some(schema) => {
            let kind = schema.get("type")?.as_str()?;
            let is_mute = matches!(kind, "integer" | "number" | "boolean" | "null");
            is_mute.then(|| format!("`{name}` is declared `executable`, and {kind} is no text"))
        }
    })
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}
