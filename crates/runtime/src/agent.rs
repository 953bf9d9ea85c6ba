//! [`Agent`]: a model, tools and guards, put together to answer questions.

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use toolwright_core::{
    Conversation, Event, Journal, Message, Model, ModelOptions, Observer, OutputSchema, ResultMode,
    Run, RunContext, RunError, Timestamp, Tool, UserMessage, stream_from,
};

use crate::{
    AgentBuilder, AgentConfig, Approver, Generation, RunBuilder, RunStream, ToolboxError, TypedRun,
    driver::{self, Commit, Driver, now},
    log::CallLog,
    nested::Nesting,
    output::check_output,
    run_stream::Handles,
};

/// A model, tools and guards, put together to answer questions. Cloning is cheap.
///
/// ```
/// use toolwright_core::{Call, ModelResponse};
/// use toolwright_macros::tool;
/// use toolwright_models::Scripted;
/// use toolwright_runtime::Agent;
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = Scripted::new([
///     ModelResponse::calls([Call::new("1", "add", r#"{"a":2,"b":3}"#)]),
///     ModelResponse::text("It is 5."),
/// ]);
/// let agent = Agent::builder(model).tool(add::tool()).build()?;
/// let answer = agent.run("What is 2 and 3?").await?;
/// assert_eq!(answer.response, "It is 5.");
/// assert_eq!(answer.tools_executed, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Agent(pub(crate) Arc<AgentConfig>);

impl Agent {
    /// Begins an agent that asks `model`.
    pub fn builder(model: impl Model + 'static) -> AgentBuilder {
        AgentBuilder::new(Arc::new(model))
    }

    /// Asks, in a conversation of its own.
    pub fn run(&self, prompt: impl Into<UserMessage>) -> RunStream {
        self.prepare(prompt).start()
    }

    /// Asks for an answer that is a `T`, in a conversation of its own.
    ///
    /// The model may call tools as ever. Then it is asked for its answer in the form of `T`, in the way that
    /// it can best be held to it. What does not fit goes back to it once, with everything that is wrong.
    ///
    /// ```
    /// # use toolwright_core::ModelResponse;
    /// # use toolwright_models::Scripted;
    /// # use toolwright_runtime::Agent;
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City {
    ///     name: String,
    ///     bridges: u32,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let said = ModelResponse::text(r#"{"name": "Hamburg", "bridges": 2500}"#);
    /// # let agent = Agent::builder(Scripted::new([said])).build()?;
    /// let city = agent.ask::<City>("Which city has the most bridges?").await?.value;
    /// assert_eq!((city.name.as_str(), city.bridges), ("Hamburg", 2500));
    /// # Ok(())
    /// # }
    /// ```
    pub fn ask<T: JsonSchema + DeserializeOwned>(
        &self,
        prompt: impl Into<UserMessage>,
    ) -> TypedRun<T> {
        self.prepare(prompt).ask()
    }

    /// The same agent whose model writes so; what is not said is as before.
    ///
    /// # Errors
    /// When an option cannot be used.
    pub fn with_options(&self, options: &ModelOptions) -> Result<Self, ToolboxError> {
        if options.is_empty() {
            return Ok(self.clone());
        }
        options.check()?;
        let options = Arc::new(self.0.options.with(options));
        Ok(Self(Arc::new(AgentConfig { options, ..AgentConfig::clone(&self.0) })))
    }

    /// The same agent whose answers have this form.
    ///
    /// # Errors
    /// When it is no usable schema.
    pub fn with_output(&self, output: OutputSchema) -> Result<Self, ToolboxError> {
        check_output(&output)?;
        let output = Some(Arc::new(output));
        Ok(Self(Arc::new(AgentConfig { output, ..AgentConfig::clone(&self.0) })))
    }

    /// The same agent for a run that begins by replacing the older part of its conversation with a digest, however
    /// long the conversation is.
    #[must_use]
    pub fn compacting(&self) -> Self {
        Self(Arc::new(AgentConfig { compact_first: true, ..AgentConfig::clone(&self.0) }))
    }

    /// The same agent for runs in which these tools are off, by name: the model is not offered them, and told so where
    /// it calls one all the same. That holds for the runs of agents that are its tools, too.
    ///
    /// ```
    /// # use toolwright_core::{Call, ModelResponse};
    /// # use toolwright_macros::tool;
    /// # use toolwright_models::Scripted;
    /// # use toolwright_runtime::Agent;
    /// # /// Add two numbers.
    /// # #[tool(read_only)]
    /// # fn add(a: f64, b: f64) -> f64 {
    /// #     a + b
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let model = Scripted::new([
    /// #     ModelResponse::calls([Call::new("1", "add", r#"{"a":2,"b":3}"#)]),
    /// #     ModelResponse::text("I cannot add today."),
    /// # ]);
    /// let agent = Agent::builder(model).tool(add::tool()).build()?;
    /// let answer = agent.without_tools(["add"]).run("What is 2 and 3?").await?;
    /// assert_eq!(answer.tools_executed, 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn without_tools(&self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let tools_off = names.into_iter().map(Into::into).collect();
        Self(Arc::new(AgentConfig { tools_off, ..AgentConfig::clone(&self.0) }))
    }

    /// The same tools, guards and policies for somebody who calls tools themselves: `model` says the calls,
    /// `approver` decides about them, and their results are the answer. What only matters where a model
    /// answers is left out: instructions, review, models that stand in, the form of the answer.
    #[must_use]
    pub fn calling(&self, model: impl Model + 'static, approver: impl Approver + 'static) -> Self {
        let settings = AgentConfig::clone(&self.0);
        Self(Arc::new(AgentConfig {
            approver: Arc::new(approver),
            toolbox: settings.toolbox,
            tools_off: settings.tools_off,
            guards: settings.guards,
            limits: settings.limits,
            tool_timeout: settings.tool_timeout,
            parallel: settings.parallel,
            window: settings.window,
            observers: settings.observers,
            log: settings.log,
            mode: ResultMode::SingleShot,
            ..AgentConfig::new(Arc::new(model))
        }))
    }

    /// Begins a run that needs more than a question.
    pub fn prepare(&self, prompt: impl Into<UserMessage>) -> RunBuilder {
        RunBuilder::new(self.0.clone(), vec![Message::User(prompt.into())])
    }

    /// Goes on with messages that were written elsewhere, the last of them the question; `tools` are
    /// for this call, beside the agent's own and in the place of those of the same name.
    ///
    /// What comes back is a stream: the answer in pieces, and between them that tools ran. Whoever only
    /// wants the answer takes [`Generation::finish`].
    ///
    /// # Errors
    /// When a tool's name or schema is unusable, or a name is used twice among `tools`.
    pub fn generate(
        &self,
        messages: impl IntoIterator<Item = Message>,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Result<Generation, ToolboxError> {
        let (history, repair) = Conversation::load(messages);
        if !repair.is_clean() {
            tracing::warn!(?repair, "the history was repaired");
        }
        let agent = self.with_tools(tools)?;
        let running = RunBuilder::new(agent.0, Vec::new()).conversation(history).start();
        Ok(Generation::new(running))
    }

    /// The same agent with more tools, which take the place of those of the same name.
    ///
    /// # Errors
    /// When a tool's name or schema is unusable, or a name is used twice among them.
    pub fn with_tools(
        &self,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Result<Self, ToolboxError> {
        let mut tools = tools.into_iter().peekable();
        if tools.peek().is_none() {
            return Ok(self.clone());
        }
        let toolbox = Arc::new(self.0.toolbox.with_tools(tools)?);
        Ok(Self(Arc::new(AgentConfig { toolbox, ..AgentConfig::clone(&self.0) })))
    }

    /// Goes on with a run that was loaded from its events, where a process left it. What may have
    /// had an effect is not done again.
    pub fn resume(&self, run: Run, context: RunContext) -> RunStream {
        self.resume_with(None, run, context, Duration::ZERO, Nesting::none(&self.0))
    }

    /// As [`Agent::resume`], with what happens from now on kept in a journal.
    pub fn resume_in(
        &self,
        journal: impl Journal + 'static,
        run: Run,
        context: RunContext,
    ) -> RunStream {
        self.resume_after(journal, run, context, Duration::ZERO)
    }

    /// As [`Agent::resume_in`], for a run that has used so much of its time ([`RunStream::spent`]): it has the rest.
    pub fn resume_after(
        &self,
        journal: impl Journal + 'static,
        run: Run,
        context: RunContext,
        spent: Duration,
    ) -> RunStream {
        self.resume_with(Some(Arc::new(journal)), run, context, spent, Nesting::none(&self.0))
    }

    /// As [`Agent::resume_after`], for a run that somebody cancelled: it is recovered and ended, and nobody is asked
    /// anything any more.
    pub fn end_in(
        &self,
        journal: impl Journal + 'static,
        run: Run,
        context: RunContext,
        spent: Duration,
    ) -> RunStream {
        let (handles, nesting) = (Handles::default(), Nesting::none(&self.0));
        handles.cancel.cancel();
        let (journal, handles) = (Some(Arc::new(journal) as Arc<dyn Journal>), (handles, spent));
        self.recovered(journal, run, context, handles, nesting, Run::recover_to_end)
    }

    pub(crate) fn resume_with(
        &self,
        journal: Option<Arc<dyn Journal>>,
        run: Run,
        context: RunContext,
        spent: Duration,
        nesting: Nesting,
    ) -> RunStream {
        let handles = Handles { pause: nesting.pause.clone(), ..Handles::default() };
        self.recovered(journal, run, context, (handles, spent), nesting, Run::recover)
    }

    fn recovered(
        &self,
        journal: Option<Arc<dyn Journal>>,
        mut run: Run,
        context: RunContext,
        handles: (Handles, Duration),
        nesting: Nesting,
        recover: impl FnOnce(&mut Run, Timestamp) -> Result<Vec<Event>, RunError>,
    ) -> RunStream {
        let settings = &self.0;
        run.adopt(settings.limits, settings.review, settings.price);
        if let Some(system) = &settings.system {
            run.instruct(system);
        }
        let log = nesting.outer.is_none().then(|| CallLog::new(settings.log, &run));
        // A run that has ended has nothing to recover, and nothing more to say.
        let events = recover(&mut run, now()).unwrap_or_default();
        let commit = driver::commit(settings, log, events).journal(journal).resumed(&run);
        drive(self.0.clone(), commit, run, context, handles, nesting)
    }

    /// Ends a run that nobody will go on with, and tells of its calls in the log. The events are the
    /// caller's to keep.
    pub fn abandon(&self, run: &mut Run) -> Vec<Event> {
        let log = CallLog::new(self.0.log, run);
        let events = run.abandoned(now()).unwrap_or_default();
        events.iter().for_each(|event| log.observe(event));
        events
    }

    /// What the agent is made of.
    pub fn settings(&self) -> &AgentConfig {
        &self.0
    }
}

/// Drives a run from where it stands, after so much of its time.
pub(crate) fn drive(
    settings: Arc<AgentConfig>,
    commit: Commit,
    run: Run,
    context: RunContext,
    (handles, spent): (Handles, Duration),
    nesting: Nesting,
) -> RunStream {
    let outbox = commit.outbox();
    let driver = Driver::new(settings, run, context, handles.clone(), commit, nesting);
    RunStream::new(stream_from(outbox, Box::pin(driver.drive(spent))), handles)
}
