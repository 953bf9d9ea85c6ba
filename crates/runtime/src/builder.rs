//! [`AgentBuilder`]: puts an [`Agent`] together.

use std::{sync::Arc, time::Duration};

use toolwright_core::{
    Guard, Limits, Model, Observer, Policy, Price, ResultMode, ReviewMode, Tool, ToolChoice,
    ToolRouter, ToolSimilarity, Toolset,
};

use crate::{
    Agent, AgentConfig, Approver, CallLogging, ContextWindow, Layer, SelectionConfig, Toolbox,
    ToolboxBuilder, ToolboxError,
};

/// Puts an [`Agent`] together.
pub struct AgentBuilder {
    settings: AgentConfig,
    tools: ToolboxBuilder,
    ready: Option<Arc<Toolbox>>,
}

impl AgentBuilder {
    pub(crate) fn new(model: Arc<dyn Model>) -> Self {
        Self { settings: AgentConfig::new(model), tools: Toolbox::builder(), ready: None }
    }

    /// Instructions that stand above every conversation.
    #[must_use]
    pub fn system(mut self, system: impl Into<String>) -> Self {
        self.settings.system = Some(system.into());
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        self.tools = self.tools.tool(tool);
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
        self.tools = self.tools.discover();
        self
    }

    /// Says how calls of a tool are treated; `*` stands for all of them.
    #[must_use]
    pub fn policy(mut self, tool: impl Into<String>, policy: Policy) -> Self {
        self.tools = self.tools.policy(tool, policy);
        self
    }

    /// Puts a layer around every tool.
    #[must_use]
    pub fn layer(mut self, layer: Arc<dyn Layer>) -> Self {
        self.tools = self.tools.layer(layer);
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

    /// Replaces the guards.
    #[must_use]
    pub fn guards(mut self, guards: Vec<Arc<dyn Guard>>) -> Self {
        self.settings.guards = guards;
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

    /// Says what log lines tell about a call: names, sizes and times, or also what it was called with
    /// and what it returned.
    #[must_use]
    pub fn log(mut self, log: CallLogging) -> Self {
        self.settings.log = log;
        self
    }

    /// How many calls may run side by side.
    #[must_use]
    pub fn parallel(mut self, calls: usize) -> Self {
        self.settings.parallel = calls;
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
    pub fn router(mut self, router: Arc<dyn ToolRouter>) -> Self {
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

    /// Holds every answer against the results before it is given.
    #[must_use]
    pub fn review(mut self, review: ReviewMode) -> Self {
        self.settings.review = review;
        self
    }

    /// Lets a model look at answers in which the checks found nothing.
    #[must_use]
    pub fn judge(mut self, judge: impl Model + 'static) -> Self {
        self.settings.judge = Some(Arc::new(judge));
        self
    }

    /// Says what tokens cost, for [`Limits::cost`].
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.settings.price = Some(price);
        self
    }

    /// Lets somebody watch every run.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.settings.observers.push(observer);
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
    /// When a tool's name or schema is unusable, or a name is used twice.
    pub fn build(mut self) -> Result<Agent, ToolboxError> {
        self.settings.toolbox = match self.ready {
            Some(toolbox) => toolbox,
            None => Arc::new(self.tools.build()?),
        };
        Ok(Agent(Arc::new(self.settings)))
    }
}
