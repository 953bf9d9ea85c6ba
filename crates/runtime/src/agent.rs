//! [`Agent`]: a model, tools and guards, put together to answer questions.

use std::sync::Arc;

use toolwright_core::{
    Conversation, Event, Journal, Message, Model, Observer, Run, RunContext, Tool, UserMessage,
    stream_from,
};

use crate::{
    AgentBuilder, AgentConfig, CancelHandle, Generation, RunBuilder, RunStream, ToolboxError,
    driver::{self, Commit, Driver, now},
    log::CallLog,
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
        self.resume_with(None, run, context)
    }

    /// As [`Agent::resume`], with what happens from now on kept in a journal.
    pub fn resume_in(
        &self,
        journal: impl Journal + 'static,
        run: Run,
        context: RunContext,
    ) -> RunStream {
        self.resume_with(Some(Arc::new(journal)), run, context)
    }

    fn resume_with(
        &self,
        journal: Option<Arc<dyn Journal>>,
        mut run: Run,
        context: RunContext,
    ) -> RunStream {
        let settings = &self.0;
        run.adopt(settings.limits, settings.review, settings.price);
        if let Some(system) = &settings.system {
            run.instruct(system);
        }
        let log = CallLog::new(settings.log, &run);
        // A run that has ended has nothing to recover, and nothing more to say.
        let events = run.recover(now()).unwrap_or_default();
        let commit = driver::commit(settings, log, events).journal(journal);
        drive(self.0.clone(), commit, run, context, CancelHandle::new())
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

/// Drives a run from where it stands.
pub(crate) fn drive(
    settings: Arc<AgentConfig>,
    commit: Commit,
    run: Run,
    context: RunContext,
    cancel: CancelHandle,
) -> RunStream {
    let outbox = commit.outbox();
    let driver = Driver::new(settings, run, context, cancel.clone(), commit);
    RunStream::new(stream_from(outbox, Box::pin(driver.drive())), cancel)
}
