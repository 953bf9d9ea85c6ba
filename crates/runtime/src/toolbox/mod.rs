//! [`Toolbox`]: the registry of tools a run may call.

mod builder;
mod policies;
pub(crate) mod schema;
mod schema_cost;
mod sources;

use std::{
    collections::HashMap,
    fmt::Display,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use serde_json::Value;
use toolwright_core::{
    Conversation, OpaqueCommand, Outcome, RunContext, SourceTools, Tool, ToolCatalog,
    ToolDefinitions, ToolResult, ToolRouter, ToolSimilarity, ToolSpec, UnavailableTool,
};

use self::builder::Recipe;
pub use self::{
    builder::{ToolboxBuilder, ToolboxError},
    schema::ValueSchema,
};
use self::{schema::Schema, sources::Live};
use crate::{
    CallLogging, ToolSelector,
    format::outcome_of,
    layers::{self, CallTime, Screen, Served, breaker::Circuits},
    log::Finished,
};

/// The registry of tools a run may call: routes by name, knows what arguments are valid, and has
/// the definitions models are sent, made once.
///
/// ```
/// use toolwright_core::RunContext;
/// use toolwright_macros::tool;
/// use toolwright_runtime::Toolbox;
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let toolbox = Toolbox::builder().tool(add::tool()).alias("plus", "add").build()?;
/// let arguments = serde_json::json!({"a": 2, "b": 3});
/// assert_eq!(toolbox.call("plus", arguments, &RunContext::new()).await.text, "5.0");
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Toolbox {
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    /// Other names, each with the tool it stands for.
    aliases: HashMap<String, usize>,
    fallback: Option<Arc<dyn ToolFallback>>,
    definitions: ToolDefinitions,
    /// Those of the tools that have a breaker.
    circuits: Vec<Arc<Circuits>>,
    /// How many of them are open.
    open: Arc<AtomicUsize>,
    /// Chooses from very many tools; the last tool is then the one that finds the others.
    selector: Option<Arc<ToolSelector>>,
    /// Chooses in the selector's place, for a model that gets only a few.
    router: Option<Arc<dyn ToolRouter>>,
    /// Tells the selector what words do not.
    similarity: Option<Arc<dyn ToolSimilarity>>,
    /// What tools that are added later are treated by.
    recipe: Arc<Recipe>,
    /// Where tools come from that may change. What is made of a change has none: the next is asked of the
    /// first.
    live: Option<Arc<Live>>,
    /// What those had when this was made.
    seen: Vec<Arc<SourceTools>>,
    /// Tools of theirs that are not offered, and why.
    withheld: Vec<UnavailableTool>,
    /// Tools that the user switched off, by name.
    off: Vec<String>,
}

/// A tool with its layers around it.
#[derive(Clone)]
struct Entry {
    tool: Arc<dyn Tool>,
    schema: Arc<Schema>,
    /// Where it comes from, if it is not the toolbox's own.
    origin: Option<Origin>,
}

/// Where a tool comes from.
#[derive(Clone)]
struct Origin {
    source: Arc<str>,
    /// The tool as the source has it.
    tool: Arc<dyn Tool>,
}

/// A second way to tools, for names the registry lacks. Its tools are served, not offered, with the
/// layers they come with.
pub trait ToolFallback: Send + Sync {
    /// The tool of this name. Its own name, if that is another, must lead to it too.
    fn route(&self, name: &str) -> Option<&dyn Tool>;
}

impl<F: ToolFallback + ?Sized> ToolFallback for Arc<F> {
    fn route(&self, name: &str) -> Option<&dyn Tool> {
        (**self).route(name)
    }
}

/// A toolbox can be the fallback of another.
impl ToolFallback for Toolbox {
    fn route(&self, name: &str) -> Option<&dyn Tool> {
        self.get(name)
    }
}

impl Toolbox {
    /// An empty toolbox to add to.
    pub fn builder() -> ToolboxBuilder {
        ToolboxBuilder::default()
    }

    /// The same with more tools, which take the place of those of the same name. What is known of the
    /// others (a breaker that is open, answers that are kept) is shared.
    ///
    /// # Errors
    /// When a name is unusable or used twice among them, or a policy cannot be kept.
    pub fn with_tools(
        &self,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Result<Self, ToolboxError> {
        builder::extended(self, &tools.into_iter().collect::<Vec<_>>())
    }

    /// The same without these tools, whichever way leads to them, and without a way to what sources have later. What
    /// is known of the others is shared.
    pub(crate) fn without(&self, names: &[String]) -> Self {
        builder::lessened(self, names)
    }

    /// The tool of this name; of one that can only mean it (an alias, `functions.name`, another
    /// case); or the fallback's.
    pub fn get(&self, name: &str) -> Option<&dyn Tool> {
        if let Some(entry) = self.entry(name) {
            return Some(&*entry.tool);
        }
        let tool = self.fallback.as_deref()?.route(name).filter(|it| !self.is_off(it.spec()))?;
        // A call runs under its tool's own name, and there the registry comes first.
        match self.named(&tool.spec().name) {
            Some(entry) => Some(&*entry.tool),
            None => Some(tool),
        }
    }

    /// The definitions models are sent.
    pub fn definitions(&self) -> &ToolDefinitions {
        &self.definitions
    }

    /// The tools that were put in: all but the one that finds the others.
    pub(crate) fn own_specs(&self) -> impl Iterator<Item = &Arc<ToolSpec>> {
        let own = self.entries.len() - usize::from(self.selector.is_some());
        self.definitions.specs().iter().take(own)
    }

    /// Tools that are out of order for now and not offered to a run with this context: those whose
    /// breaker is open for it. Asking costs nothing while none is.
    pub fn unavailable_tools(&self, context: &RunContext) -> Vec<UnavailableTool> {
        if self.open.load(Relaxed) == 0 {
            return Vec::new();
        }
        self.circuits.iter().filter_map(|it| it.unavailable(context)).collect()
    }

    /// The places of the tools worth offering, where there are too many to offer all of them: those
    /// the conversation calls for, those in `kept`, and the one that finds the others. A router's
    /// choice is offered as it is.
    pub(crate) async fn choose(
        &self,
        conversation: &Conversation,
        kept: &[usize],
    ) -> Option<Vec<usize>> {
        let selector = self.selector.as_ref()?;
        let finder = self.entries.len().saturating_sub(1);
        let others = self.definitions.specs().get(..finder).unwrap_or_default();
        if let Some(router) = &self.router
            && let Some(chosen) = router.route(conversation, others).await
        {
            return Some(chosen);
        }
        let kept: Vec<_> = kept.iter().copied().filter(|at| *at != finder).collect();
        let similarities = match &self.similarity {
            Some(similarity) => similarity.similarities(conversation, others).await,
            None => None,
        };
        let similarities = similarities.unwrap_or_default();
        let mut chosen = selector.choose_similar(conversation, &kept, &similarities);
        chosen.push(finder);
        Some(chosen)
    }

    /// What a model is told where these are offered.
    pub(crate) fn offer(&self, specs: impl IntoIterator<Item = Arc<ToolSpec>>) -> ToolDefinitions {
        ToolDefinitions::new(specs).among(self.own_specs().cloned())
    }

    /// What a model is offered most often, so that it can get ready to read it: all tools, or, where a
    /// [router](ToolboxBuilder::router) chooses, what it does [often](ToolRouter::usual).
    pub fn usual_offers(&self) -> Vec<ToolDefinitions> {
        let (Some(router), Some(_)) = (&self.router, &self.selector) else {
            return vec![self.definitions.clone()];
        };
        let specs = self.definitions.specs();
        let others = specs.get(..specs.len().saturating_sub(1)).unwrap_or_default();
        let chosen = |places: Vec<usize>| {
            self.offer(places.into_iter().filter_map(|at| others.get(at)).cloned())
        };
        router.usual(others).into_iter().map(chosen).collect()
    }

    /// Gets ready what chooses among the tools, so that the first question need not wait for it.
    pub async fn warm(&self) {
        self.choose(&Conversation::new(), &[]).await;
    }

    /// The tools' names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.tool.spec().name.as_str())
    }

    /// The source that the tool of this name comes from; none for one of the toolbox's own.
    pub fn source_of(&self, name: &str) -> Option<&str> {
        self.named(name)?.origin.as_ref().map(|it| &*it.source)
    }

    /// Whether there is no tool.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Runs one tool by name, checked and treated as a model's call would be, without guards or the
    /// limits of a run. For programs and the command line.
    pub async fn call(&self, name: &str, arguments: Value, context: &RunContext) -> Outcome {
        self.call_within(None, name, arguments, context).await
    }

    /// As [`Toolbox::call`], where a tool that says nothing of its time has no more than `limit`, as in a run.
    pub async fn call_within(
        &self,
        limit: Option<Duration>,
        name: &str,
        arguments: Value,
        context: &RunContext,
    ) -> Outcome {
        let started = Instant::now();
        let told = (self.recipe.log == CallLogging::Contents && CallLogging::is_heard())
            .then(|| Screen::of(context).text(arguments.to_string()));
        let outcome = self.checked(limit, name, arguments, context).await;
        self.recipe.log.finished(&Finished {
            conversation: None,
            call: None,
            tool: name,
            arguments: told.as_ref().map(|it| it as &dyn Display),
            status: outcome.status,
            text: &outcome.text,
            elapsed_ms: started.elapsed().as_secs_f64() * 1e3,
            guard: None,
        });
        outcome
    }

    async fn checked(
        &self,
        limit: Option<Duration>,
        name: &str,
        arguments: Value,
        context: &RunContext,
    ) -> Outcome {
        let Some(tool) = self.get(name) else {
            return Outcome::unknown_tool(&match self.withheld_reason(name) {
                Some(reason) => format!("the tool `{name}` is withheld: {reason}"),
                None => self.unknown(name),
            });
        };
        let spec = tool.spec();
        let mut arguments = Arc::new(arguments);
        spec.drop_empty_options(&mut arguments);
        let violations = self.violations(spec, &arguments);
        let result: ToolResult = if violations.is_empty() {
            self.run(tool, arguments, context, limit).await
        } else {
            let all = violations.join("\n- ");
            Err(format!("invalid arguments, the tool was not run.\n- {all}").into())
        };
        outcome_of(spec, result)
    }

    /// Runs a tool of this toolbox through its layers. `limit` is for tools that declare no time of
    /// their own.
    pub(crate) async fn run(
        &self,
        tool: &dyn Tool,
        arguments: Arc<Value>,
        context: &RunContext,
        limit: Option<Duration>,
    ) -> ToolResult {
        let served = match self.by_name.contains_key(&tool.spec().name) {
            true => Served::Layered,
            false => Served::Routed,
        };
        let most = self.recipe.policies.most();
        layers::run(tool, served, CallTime { limit, most }, arguments, context).await
    }

    /// Whether names that no tool has may be served.
    pub(crate) fn has_fallback(&self) -> bool {
        self.fallback.is_some()
    }

    /// Compiles every tool's schema now rather than when it is first called.
    ///
    /// # Errors
    /// When one is unusable.
    pub fn verify(&self) -> Result<(), ToolboxError> {
        self.entries.iter().try_for_each(|entry| {
            let spec = entry.tool.spec();
            match entry.schema.compiled(&spec.parameters) {
                Ok(_) => Ok(()),
                Err(reason) => {
                    let (tool, reason) = (spec.name.clone(), reason.clone());
                    Err(ToolboxError::BadSchema { tool, reason })
                }
            }
        })
    }

    fn is_off(&self, spec: &ToolSpec) -> bool {
        self.off.contains(&spec.name)
    }

    fn named(&self, name: &str) -> Option<&Entry> {
        self.entries.get(*self.by_name.get(name)?)
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        let at = self.by_name.get(name).or_else(|| self.aliases.get(name));
        let at = at.copied().or_else(|| self.at_meant(name))?;
        self.entries.get(at)
    }

    /// The tool that is off and that a name can only mean.
    fn off_by(&self, name: &str) -> Option<&str> {
        let last = name.trim().trim_matches(['"', '\'', '`']);
        let last = last.rsplit(['.', '/', ':']).next().unwrap_or(last);
        self.off.iter().map(String::as_str).find(|it| it.eq_ignore_ascii_case(last))
    }

    /// The tool that a name in the spelling of some model can only mean.
    fn at_meant(&self, name: &str) -> Option<usize> {
        let bare = name.trim().trim_matches(['"', '\'', '`']);
        let last = bare.rsplit(['.', '/', ':']).next().unwrap_or(bare);
        let exact = |name: &str| self.by_name.get(name).or_else(|| self.aliases.get(name)).copied();
        let folded = || {
            let mut same = self.by_name.iter().filter(|(it, _)| it.eq_ignore_ascii_case(last));
            let (_, at) = same.next()?;
            same.next().is_none().then_some(*at)
        };
        exact(bare).or_else(|| exact(last)).or_else(folded)
    }
}

impl ToolCatalog for Toolbox {
    fn find(&self, name: &str) -> Option<&ToolSpec> {
        self.get(name).map(Tool::spec)
    }

    fn is_exact(&self, name: &str) -> bool {
        let is_named = self.by_name.contains_key(name) || self.aliases.contains_key(name);
        // What a fallback makes of a name is the program's own word.
        is_named || self.at_meant(name).is_none() && self.get(name).is_some()
    }

    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_> {
        Box::new(self.entries.iter().map(|entry| entry.tool.spec()))
    }

    fn violations(&self, spec: &ToolSpec, arguments: &Value) -> Vec<String> {
        match self.named(&spec.name) {
            Some(entry) => entry.schema.violations(&spec.parameters, arguments, "arguments"),
            None => Schema::default().violations(&spec.parameters, arguments, "arguments"),
        }
    }

    fn opaque_commands(&self, spec: &ToolSpec, arguments: &Value) -> Vec<OpaqueCommand> {
        self.get(&spec.name).map(|tool| tool.opaque_commands(arguments)).unwrap_or_default()
    }

    fn unknown(&self, name: &str) -> String {
        const MOST: usize = 40;
        if let Some(off) = self.off_by(name) {
            return format!(
                "the user switched the tool `{off}` off in this conversation. Go on without it, and say so where \
                 it would have been needed."
            );
        }
        if self.withheld_reason(name).is_some() {
            // The reason may have words of a server's in it, which are for people.
            return format!(
                "the tool `{name}` is withheld at the moment: the user has to look at where it comes from \
                 (`toolwright tools list` says why). Go on without it."
            );
        }
        let mut near: Vec<_> = self
            .names()
            .map(|it| (strsim::jaro_winkler(&it.to_lowercase(), &name.to_lowercase()), it))
            .filter(|(score, _)| *score > 0.8)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut text = format!("there is no tool named `{name}`.");
        if let Some((_, best)) = near.first() {
            text.push_str(&format!(" Did you mean `{best}`?"));
        }
        let names: Vec<_> = self.names().take(MOST).collect();
        let more = self.entries.len().saturating_sub(MOST);
        text.push_str(&match (names.is_empty(), more) {
            (true, _) => " There are no tools: answer without one.".to_owned(),
            (false, 0) => format!(" Tools that exist: {}.", names.join(", ")),
            (false, _) => format!(" Tools that exist: {} and {more} more.", names.join(", ")),
        });
        text
    }
}

impl std::fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
