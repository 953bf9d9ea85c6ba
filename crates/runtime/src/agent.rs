//! [`Agent`]: a model, tools and guards, put together to answer questions.

use std::{sync::Arc, time::Duration};

use toolwright_core::{
    Conversation, ConversationId, Event, Guard, Limits, Message, Model, Outbox, Run, RunContext,
    Setup, Tool, ToolChoice, Toolset, guard, produce,
};

use crate::{
    Approver, Cancel, DenyAll, Running, Toolbox, ToolboxBuilder, ToolboxError,
    driver::{Driver, now},
    id::{new_conversation_id, new_run_id},
};

/// A model, tools and guards, put together to answer questions. Cloning is cheap.
#[derive(Clone)]
pub struct Agent(Arc<Settings>);

/// What an agent is made of.
pub struct Settings {
    /// What decides.
    pub model: Arc<dyn Model>,
    /// What may be called.
    pub toolbox: Arc<Toolbox>,
    /// What stands between the two.
    pub guards: Vec<Arc<dyn Guard>>,
    /// Who is asked before a destructive tool runs.
    pub approver: Arc<dyn Approver>,
    /// Instructions that stand above every conversation.
    pub system: Option<String>,
    /// What bounds a run.
    pub limits: Limits,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
    /// How long one call may take where its tool says nothing.
    pub tool_timeout: Duration,
    /// How many calls may run side by side.
    pub parallel: usize,
    /// Whether the model is asked for its reply piece by piece.
    pub stream: bool,
}

impl Agent {
    /// Begins an agent that asks `model`.
    pub fn builder(model: impl Model + 'static) -> AgentBuilder {
        AgentBuilder::new(Arc::new(model))
    }

    /// Asks, in a conversation of its own.
    pub fn run(&self, prompt: impl Into<String>) -> Running {
        self.prepare(prompt).start()
    }

    /// Begins a run that needs more than a question.
    pub fn prepare(&self, prompt: impl Into<String>) -> Prepared {
        Prepared {
            settings: self.0.clone(),
            messages: vec![Message::user(prompt)],
            history: Conversation::new(),
            conversation_id: None,
            context: RunContext::new(),
            first_choice: self.0.first_choice.clone(),
            limits: self.0.limits,
            cancel: Cancel::new(),
        }
    }

    /// Goes on with messages that were written elsewhere, the last of them the question.
    pub fn generate(&self, messages: impl IntoIterator<Item = Message>) -> Running {
        let (history, repair) = Conversation::load(messages);
        if !repair.is_clean() {
            tracing::warn!(?repair, "the history was repaired");
        }
        let mut prepared = self.prepare("").conversation(history);
        prepared.messages.clear();
        prepared.start()
    }

    /// Goes on with a run that was loaded from its events, where a process left it. What may have
    /// had an effect is not done again.
    pub fn resume(&self, mut run: Run, context: RunContext) -> Running {
        // A run that has ended has nothing to recover, and nothing more to say.
        let events = run.recover(now()).unwrap_or_default();
        drive(self.0.clone(), run, events, context, Cancel::new())
    }

    /// What the agent is made of.
    pub fn settings(&self) -> &Settings {
        &self.0
    }
}

/// A run about to start.
pub struct Prepared {
    settings: Arc<Settings>,
    messages: Vec<Message>,
    history: Conversation,
    conversation_id: Option<ConversationId>,
    context: RunContext,
    first_choice: ToolChoice,
    limits: Limits,
    cancel: Cancel,
}

impl Prepared {
    /// Goes on with a conversation.
    #[must_use]
    pub fn conversation(mut self, history: Conversation) -> Self {
        self.history = history;
        self
    }

    /// Names the conversation.
    #[must_use]
    pub fn conversation_id(mut self, id: ConversationId) -> Self {
        self.conversation_id = Some(id);
        self
    }

    /// Gives the tools what the model must not see.
    #[must_use]
    pub fn context(mut self, context: RunContext) -> Self {
        self.context = context;
        self
    }

    /// Says whether the first round must call a tool.
    #[must_use]
    pub fn first_choice(mut self, choice: ToolChoice) -> Self {
        self.first_choice = choice;
        self
    }

    /// Bounds this run.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Lets `cancel` stop this run.
    #[must_use]
    pub fn cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Starts. Nothing happens before the first poll.
    pub fn start(self) -> Running {
        let mut messages = self.messages;
        let has_system = self.history.messages().iter().any(|it| it.role() == "system");
        let mut history = self.history;
        if let (false, Some(system)) = (has_system, &self.settings.system) {
            if history.is_empty() {
                messages.insert(0, Message::system(system.clone()));
            } else {
                // Providers want it first; a history from elsewhere may have none.
                let mut first = Conversation::new();
                first.push(Message::system(system.clone()));
                history.messages().iter().for_each(|message| first.push(message.clone()));
                history = first;
            }
        }
        let setup = Setup {
            id: new_run_id(),
            conversation_id: self.conversation_id.unwrap_or_else(new_conversation_id),
            model: self.settings.model.name().to_owned(),
            history,
            messages,
            limits: self.limits,
            first_choice: self.first_choice,
        };
        let (run, events) = Run::start(setup, now());
        drive(self.settings, run, events, self.context, self.cancel)
    }
}

fn drive(
    settings: Arc<Settings>,
    run: Run,
    events: Vec<Event>,
    context: RunContext,
    cancel: Cancel,
) -> Running {
    let outbox = Outbox::default();
    outbox.extend(events);
    let driver = Driver::new(settings, run, context, cancel.clone(), outbox.clone());
    Running::new(produce(outbox, Box::pin(driver.drive())), cancel)
}

/// Puts an [`Agent`] together.
pub struct AgentBuilder {
    model: Arc<dyn Model>,
    toolbox: ToolboxBuilder,
    ready: Option<Arc<Toolbox>>,
    guards: Vec<Arc<dyn Guard>>,
    approver: Arc<dyn Approver>,
    system: Option<String>,
    limits: Limits,
    first_choice: ToolChoice,
    tool_timeout: Duration,
    parallel: usize,
    stream: bool,
}

impl AgentBuilder {
    fn new(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            toolbox: Toolbox::builder(),
            ready: None,
            guards: guard::defaults(),
            approver: Arc::new(DenyAll),
            system: None,
            limits: Limits::default(),
            first_choice: ToolChoice::Auto,
            tool_timeout: Duration::from_secs(60),
            parallel: 8,
            stream: true,
        }
    }

    /// Instructions that stand above every conversation.
    #[must_use]
    pub fn system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: Arc<dyn Tool>) -> Self {
        self.toolbox = self.toolbox.tool(tool);
        self
    }

    /// Adds the tools of a `#[toolset]`.
    #[must_use]
    pub fn toolset<T: Toolset>(mut self, state: impl Into<Arc<T>>) -> Self {
        self.toolbox = self.toolbox.toolset(state);
        self
    }

    /// Adds every function marked `#[tool]` in any crate linked into this program.
    #[must_use]
    pub fn discover_tools(mut self) -> Self {
        self.toolbox = self.toolbox.discover();
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
        self.guards.push(Arc::new(guard));
        self
    }

    /// Replaces the guards.
    #[must_use]
    pub fn guards(mut self, guards: Vec<Arc<dyn Guard>>) -> Self {
        self.guards = guards;
        self
    }

    /// Says who is asked before a destructive tool runs.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Arc::new(approver);
        self
    }

    /// Bounds every run.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Bounds the rounds of every run.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.limits.rounds = rounds;
        self
    }

    /// Says whether the first round must call a tool.
    #[must_use]
    pub fn first_choice(mut self, choice: ToolChoice) -> Self {
        self.first_choice = choice;
        self
    }

    /// How long one call may take where its tool says nothing.
    #[must_use]
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.tool_timeout = timeout;
        self
    }

    /// How many calls may run side by side.
    #[must_use]
    pub fn parallel(mut self, calls: usize) -> Self {
        self.parallel = calls;
        self
    }

    /// Asks the model for whole replies instead of pieces. The run is the same.
    #[must_use]
    pub fn whole_replies(mut self) -> Self {
        self.stream = false;
        self
    }

    /// Puts it together.
    ///
    /// # Errors
    /// When a tool's name or schema is unusable, or a name is used twice.
    pub fn build(self) -> Result<Agent, ToolboxError> {
        let toolbox = match self.ready {
            Some(toolbox) => toolbox,
            None => Arc::new(self.toolbox.build()?),
        };
        Ok(Agent(Arc::new(Settings {
            model: self.model,
            toolbox,
            guards: self.guards,
            approver: self.approver,
            system: self.system,
            limits: self.limits,
            first_choice: self.first_choice,
            tool_timeout: self.tool_timeout,
            parallel: self.parallel,
            stream: self.stream,
        })))
    }
}
