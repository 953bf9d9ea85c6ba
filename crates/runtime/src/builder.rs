//! [`AgentBuilder`]: puts an [`Agent`] together.

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use toolwright_core::{
    Guard, Limits, Model, ModelOptions, Observer, OutputSchema, Policy, Price, ResultMode,
    ReviewMode, Tool, ToolChoice, ToolDeclaration, ToolGroup, ToolRouter, ToolSimilarity,
    ToolSource, Toolset, guard,
    review::{Reviewer, ReviewerRegistration},
};

use crate::{
    Agent, AgentConfig, AgentLimits, Approver, CallLogging, ContextWindow, FallbackModel, Layer,
    ResultAppendix, SelectionConfig, ToolFallback, Toolbox, ToolboxBuilder, ToolboxError,
    output::check_output,
};

/// Puts an [`Agent`] together. All that a [`ToolboxBuilder`] takes it takes, too.
///
/// A method in the singular adds one, its plural several; whatever is a trait is given as it is, or as an
/// `Arc` of it where it is shared.
///
/// ```
/// use toolwright_core::{FnTool, Output, ToolEffect, ToolSpec};
/// # use std::sync::Arc;
/// use toolwright_models::Scripted;
/// use toolwright_runtime::Agent;
///
/// let spec = ToolSpec::new("now", "Get the time.", serde_json::json!({"type": "object"}));
/// let now = FnTool::new(spec.effect(ToolEffect::ReadOnly), |_, _| {
///     Box::pin(async { Ok(Output::Text("12:00".into())) })
/// });
/// let agent = Agent::builder(Scripted::default())
///     .system("You know the time.")
///     .tool(Arc::new(now))
///     .rounds(3)
///     .build()?;
/// assert_eq!(agent.settings().toolbox.names().collect::<Vec<_>>(), ["now"]);
/// # Ok::<_, toolwright_runtime::ToolboxError>(())
/// ```
pub struct AgentBuilder {
    settings: AgentConfig,
    /// Those that are on unless told otherwise; the settings' own come behind them.
    default_guards: Vec<Arc<dyn Guard>>,
    tools: ToolboxBuilder,
    ready: Option<Arc<Toolbox>>,
}

impl AgentBuilder {
    pub(crate) fn new(model: Arc<dyn Model>) -> Self {
        Self {
            settings: AgentConfig::new(model),
            default_guards: guard::defaults(),
            tools: Toolbox::builder(),
            ready: None,
        }
    }

    /// Instructions that stand above every conversation.
    #[must_use]
    pub fn system(mut self, system: impl Into<String>) -> Self {
        self.settings.system = Some(system.into());
        self
    }

    /// What files of the project say. Every conversation is told it, as the project's words: none of it
    /// counts as something the user said.
    #[must_use]
    pub fn project(mut self, text: impl Into<String>) -> Self {
        self.settings.project = Some(text.into());
        self
    }

    /// Says something beside results.
    #[must_use]
    pub fn appendix(mut self, appendix: Arc<dyn ResultAppendix>) -> Self {
        self.settings.appendix = Some(appendix);
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        self.tools = self.tools.tool(tool);
        self
    }

    /// Adds several tools.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        self.tools = self.tools.tools(tools);
        self
    }

    /// Adds the tools of a `#[toolset]`.
    #[must_use]
    pub fn toolset<T: Toolset>(mut self, state: impl Into<Arc<T>>) -> Self {
        self.tools = self.tools.toolset(state);
        self
    }

    /// Adds every function marked `#[tool]` in any crate linked into this program.
    #[must_use]
    pub fn discover_tools(mut self) -> Self {
        self.tools = self.tools.discover_tools();
        self
    }

    /// Adds whatever a source has, now and later.
    #[must_use]
    pub fn source(mut self, source: Arc<dyn ToolSource>) -> Self {
        self.tools = self.tools.source(source);
        self
    }

    /// Says of a tool what whoever made it could not.
    #[must_use]
    pub fn declare(mut self, tool: impl Into<String>, declaration: ToolDeclaration) -> Self {
        self.tools = self.tools.declare(tool, declaration);
        self
    }

    /// Says what tools belong together, by their names. What comes from a source belongs to that.
    #[must_use]
    pub fn group<S: Into<String>>(
        mut self,
        group: ToolGroup,
        tools: impl IntoIterator<Item = S>,
    ) -> Self {
        self.tools = self.tools.group(group, tools);
        self
    }

    /// Lets `alias` stand for `tool`.
    #[must_use]
    pub fn alias(mut self, alias: impl Into<String>, tool: impl Into<String>) -> Self {
        self.tools = self.tools.alias(alias, tool);
        self
    }

    /// Serves names that no tool has.
    #[must_use]
    pub fn fallback(mut self, route: impl ToolFallback + 'static) -> Self {
        self.tools = self.tools.fallback(route);
        self
    }

    /// How calls are treated where nothing else is said.
    #[must_use]
    pub fn default_policy(mut self, policy: Policy) -> Self {
        self.tools = self.tools.default_policy(policy);
        self
    }

    /// Says how calls of a tool are treated; `*` stands for all of them.
    #[must_use]
    pub fn policy(mut self, tool: impl Into<String>, policy: Policy) -> Self {
        self.tools = self.tools.policy(tool, policy);
        self
    }

    /// Puts a layer around every tool, within those added before.
    #[must_use]
    pub fn layer(mut self, layer: impl Layer + 'static) -> Self {
        self.tools = self.tools.layer(layer);
        self
    }

    /// Puts a layer around one tool, within those added before.
    #[must_use]
    pub fn layer_for(mut self, tool: impl Into<String>, layer: impl Layer + 'static) -> Self {
        self.tools = self.tools.layer_for(tool, layer);
        self
    }

    /// Uses a toolbox that is already made, instead of what was added here.
    #[must_use]
    pub fn toolbox(mut self, toolbox: Arc<Toolbox>) -> Self {
        self.ready = Some(toolbox);
        self
    }

    /// Adds a guard behind those that are on.
    #[must_use]
    pub fn guard(mut self, guard: impl Guard + 'static) -> Self {
        self.settings.guards.push(Arc::new(guard));
        self
    }

    /// Adds several guards behind those that are on.
    #[must_use]
    pub fn guards(mut self, guards: impl IntoIterator<Item = Arc<dyn Guard>>) -> Self {
        self.settings.guards.extend(guards);
        self
    }

    /// Leaves out the guards that are on unless told otherwise ([`guard::defaults`]). Those that are added
    /// here stay.
    #[must_use]
    pub fn without_default_guards(mut self) -> Self {
        self.default_guards.clear();
        self
    }

    /// Says who is asked before a destructive tool runs.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.settings.approver = Arc::new(approver);
        self
    }

    /// Bounds every run.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Bounds the rounds of every run.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.settings.limits.rounds = rounds;
        self
    }

    /// Says whether the first round must call a tool.
    #[must_use]
    pub fn first_choice(mut self, choice: ToolChoice) -> Self {
        self.settings.first_choice = choice;
        self
    }

    /// Asks the model once: the results of its calls are the answer.
    #[must_use]
    pub fn single_shot(self) -> Self {
        self.mode(ResultMode::SingleShot)
    }

    /// Says what becomes of the results.
    #[must_use]
    pub fn mode(mut self, mode: ResultMode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// How long one call may take where its tool says nothing.
    #[must_use]
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.settings.tool_timeout = timeout;
        self
    }

    /// How long the first run waits for sources of tools that have none yet. What is ready later is offered from
    /// the next request to the model on.
    #[must_use]
    pub fn source_wait(mut self, wait: Duration) -> Self {
        self.settings.source_wait = wait;
        self
    }

    /// How long any call may take with all its attempts, whatever is declared or said of its tool. What
    /// is shorter stays.
    #[must_use]
    pub fn call_timeout(mut self, most: Duration) -> Self {
        self.tools = self.tools.call_timeout(most);
        self
    }

    /// Says what log lines tell about a call: names, sizes and times, or also what it was called with
    /// and what it returned.
    #[must_use]
    pub fn log(mut self, log: CallLogging) -> Self {
        self.settings.log = log;
        self.tools = self.tools.log(log);
        self
    }

    /// How many calls may run side by side.
    #[must_use]
    pub fn parallel(mut self, calls: usize) -> Self {
        self.settings.parallel = calls;
        self
    }

    /// Says how deep agents that are its tools may use each other, and how many of them run at once.
    #[must_use]
    pub fn agent_limits(mut self, limits: AgentLimits) -> Self {
        self.settings.agents = limits;
        self
    }

    /// Says how much of a conversation the model is sent.
    #[must_use]
    pub fn window(mut self, window: ContextWindow) -> Self {
        self.settings.window = window;
        self
    }

    /// Says when, and how many, of very many tools are offered. A toolbox that is already made has
    /// its own word on that.
    #[must_use]
    pub fn selection(mut self, selection: SelectionConfig) -> Self {
        self.tools = self.tools.selection(selection);
        self
    }

    /// Lets another choose, with more tools than the [`selection`](Self::selection) says. A toolbox
    /// that is already made has its own.
    #[must_use]
    pub fn router(mut self, router: impl ToolRouter + 'static) -> Self {
        self.tools = self.tools.router(router);
        self
    }

    /// Lets tools be chosen by what they mean as well as by their words, with more of them than the
    /// [`selection`](Self::selection) says. A toolbox that is already made has its own.
    #[must_use]
    pub fn similarity(mut self, similarity: Arc<dyn ToolSimilarity>) -> Self {
        self.tools = self.tools.similarity(similarity);
        self
    }

    /// Holds every answer against the results before it is given. That takes a reviewer: the one that is
    /// linked into the program, or [another](Self::reviewer).
    #[must_use]
    pub fn review(mut self, review: ReviewMode) -> Self {
        self.settings.review = review;
        self
    }

    /// Says who holds answers against the results, where they are [reviewed](Self::review).
    #[must_use]
    pub fn reviewer(mut self, reviewer: Arc<dyn Reviewer>) -> Self {
        self.settings.reviewer = Some(reviewer);
        self
    }

    /// Lets a model look at answers in which the reviewer found nothing.
    #[must_use]
    pub fn judge(mut self, judge: impl Model + 'static) -> Self {
        self.settings.judge = Some(Arc::new(judge));
        self
    }

    /// Adds a model that is asked where those before it give no reply.
    #[must_use]
    pub fn fallback_model(mut self, model: FallbackModel) -> Self {
        self.settings.fallback_models.push(model);
        self
    }

    /// Says what tokens cost, for [`Limits::cost`].
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.settings.price = Some(price);
        self
    }

    /// Says how the model is to write: how freely, how long, with how much thought.
    #[must_use]
    pub fn options(mut self, options: ModelOptions) -> Self {
        self.settings.options = Arc::new(options);
        self
    }

    /// Says what form every answer has to have: JSON that reads as a `T`. For a single question there is
    /// [`Agent::ask`].
    #[must_use]
    pub fn output<T: JsonSchema>(self) -> Self {
        self.output_schema(OutputSchema::of::<T>())
    }

    /// Says what form every answer has to have, by a JSON Schema.
    #[must_use]
    pub fn output_schema(mut self, output: OutputSchema) -> Self {
        self.settings.output = Some(Arc::new(output));
        self
    }

    /// Lets somebody watch every run.
    #[must_use]
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.settings.observers.push(Arc::new(observer));
        self
    }

    /// Lets several watch every run.
    #[must_use]
    pub fn observers(mut self, observers: impl IntoIterator<Item = Arc<dyn Observer>>) -> Self {
        self.settings.observers.extend(observers);
        self
    }

    /// Asks the model for whole replies instead of pieces. The run is the same.
    #[must_use]
    pub fn whole_replies(mut self) -> Self {
        self.settings.stream = false;
        self
    }

    /// Puts it together.
    ///
    /// # Errors
    /// When a tool's name or schema is unusable, a name is used twice, the options or the form of answers
    /// cannot be used, or answers are to be reviewed and there is no reviewer.
    pub fn build(mut self) -> Result<Agent, ToolboxError> {
        self.settings.guards = [self.default_guards, self.settings.guards].concat();
        let reviewer = self.settings.reviewer.take().or_else(ReviewerRegistration::find);
        if reviewer.is_none() && !self.settings.review.is_off() {
            return Err(ToolboxError::NoReviewer);
        }
        self.settings.reviewer = reviewer;
        self.settings.options.check()?;
        for model in &self.settings.fallback_models {
            model.options.check()?;
        }
        if let Some(output) = &self.settings.output {
            check_output(output)?;
        }
        self.settings.toolbox = match self.ready {
            Some(toolbox) => toolbox,
            None => Arc::new(self.tools.build()?),
        };
        Ok(Agent(Arc::new(self.settings)))
    }
}

#[cfg(test)]
mod tests {
    use toolwright_core::ReviewMode;
    use toolwright_models::Scripted;

    use crate::{Agent, ToolboxError};

    /// No reviewer is linked into this program.
    #[test]
    fn an_agent_that_reviews_needs_a_reviewer() {
        let agent = |mode| Agent::builder(Scripted::new([])).review(mode).build();
        assert!(agent(ReviewMode::Off).unwrap().settings().reviewer.is_none());
        for mode in [ReviewMode::Warn, ReviewMode::Enforce, ReviewMode::Replace] {
            let error = agent(mode).err().unwrap();
            assert_eq!(error, ToolboxError::NoReviewer);
            assert!(error.to_string().contains("AgentBuilder::reviewer"), "{error}");
        }
    }
}
