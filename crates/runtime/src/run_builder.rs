//! [`RunBuilder`]: a run about to start.

use std::{sync::Arc, time::Duration};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use toolwright_core::{
    BranchPoint, Conversation, ConversationId, Journal, Limits, Message, MessageId, ModelOptions,
    OutputSchema, ResultMode, ReviewMode, Run, RunConfig, RunContext, RunId, ToolChoice,
};

use crate::{
    AgentConfig, CancelHandle, RunStream, SteerHandle, TypedRun,
    agent::drive,
    driver::{self, now},
    id::{new_conversation_id, new_run_id},
    layers::{self, Screen},
    log::CallLog,
    nested::Nesting,
    run_stream::Handles,
};

/// A run about to start: what differs from the agent's other runs is said here.
///
/// ```
/// # use toolwright_core::{Conversation, Message, ModelResponse, RunContext};
/// # use toolwright_models::Scripted;
/// # use toolwright_runtime::Agent;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let agent = Agent::builder(Scripted::new([ModelResponse::text("Ann.")])).build()?;
/// let said = [Message::user("I am Ann."), Message::assistant("Hello, Ann.")];
/// let run = agent
///     .prepare("Who am I?")
///     .conversation(Conversation::from_iter(said))
///     .context(RunContext::new().label("user", "ann"))
///     .rounds(2)
///     .start();
/// assert_eq!(run.await?.response, "Ann.");
/// # Ok(())
/// # }
/// ```
pub struct RunBuilder {
    settings: Arc<AgentConfig>,
    messages: Vec<Message>,
    history: Conversation,
    conversation_id: Option<ConversationId>,
    id: Option<RunId>,
    after: Option<BranchPoint>,
    context: RunContext,
    first_choice: ToolChoice,
    mode: ResultMode,
    limits: Limits,
    review: ReviewMode,
    journal: Option<Arc<dyn Journal>>,
    handles: Handles,
    queued: Option<MessageId>,
    tools_off: Vec<String>,
}

impl RunBuilder {
    pub(crate) fn new(settings: Arc<AgentConfig>, messages: Vec<Message>) -> Self {
        Self {
            messages,
            history: Conversation::new(),
            conversation_id: None,
            id: None,
            after: None,
            context: RunContext::new(),
            first_choice: settings.first_choice.clone(),
            mode: settings.mode,
            limits: settings.limits,
            review: settings.review,
            journal: None,
            handles: Handles::default(),
            queued: None,
            tools_off: settings.tools_off.clone(),
            settings,
        }
    }

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

    /// Names the run, where somebody has to know its name before it begins. No other may ever have had it.
    #[must_use]
    pub fn run_id(mut self, id: RunId) -> Self {
        self.id = Some(id);
        self
    }

    /// Says where in the conversation this goes on, where that is not the end of the run before: the history
    /// it is given is what was said until there.
    #[must_use]
    pub fn after(mut self, point: Option<BranchPoint>) -> Self {
        self.after = point;
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

    /// Asks the model once: the results of its calls are the answer.
    #[must_use]
    pub fn single_shot(self) -> Self {
        self.mode(ResultMode::SingleShot)
    }

    /// Says what becomes of the results.
    #[must_use]
    pub fn mode(mut self, mode: ResultMode) -> Self {
        self.mode = mode;
        self
    }

    /// Bounds this run.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Bounds the rounds of this run.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.limits.rounds = rounds;
        self
    }

    /// Says whether the answer is held against the results.
    #[must_use]
    pub fn review(mut self, review: ReviewMode) -> Self {
        self.review = review;
        self
    }

    /// Says how the model is to write in this run; what is not said is as the agent says.
    #[must_use]
    pub fn options(mut self, options: &ModelOptions) -> Self {
        let settings = Arc::make_mut(&mut self.settings);
        settings.options = Arc::new(settings.options.with(options));
        self
    }

    /// Says what form the answer has to have, by a JSON Schema.
    #[must_use]
    pub fn output_schema(mut self, output: OutputSchema) -> Self {
        Arc::make_mut(&mut self.settings).output = Some(Arc::new(output));
        self
    }

    /// Starts, and the answer is a `T`.
    pub fn ask<T: JsonSchema + DeserializeOwned>(self) -> TypedRun<T> {
        let output = OutputSchema::of::<T>();
        TypedRun::new(self.output_schema(output.clone()).start(), output)
    }

    /// Keeps what happens in a journal, before it has any effect.
    #[must_use]
    pub fn journal(mut self, journal: impl Journal + 'static) -> Self {
        self.journal = Some(Arc::new(journal));
        self
    }

    /// Lets `cancel` stop this run.
    #[must_use]
    pub fn cancel(mut self, cancel: CancelHandle) -> Self {
        self.handles.cancel = cancel;
        self
    }

    /// Lets `steer` say something to this run while it goes on.
    #[must_use]
    pub fn steer(mut self, steer: SteerHandle) -> Self {
        self.handles.steer = steer;
        self
    }

    /// Says that the question waited in the conversation's queue under this name.
    #[must_use]
    pub fn queued(mut self, id: Option<MessageId>) -> Self {
        self.queued = id;
        self
    }

    /// Says which tools are off in this run, by name.
    #[must_use]
    pub fn tools_off(mut self, names: Vec<String>) -> Self {
        self.tools_off = names;
        self
    }

    /// Starts. Nothing happens before the first poll.
    pub fn start(self) -> RunStream {
        let nesting = Nesting::none(&self.settings);
        self.start_within(nesting)
    }

    /// Starts, as a part of another run where `nesting` says so.
    pub(crate) fn start_within(self, nesting: Nesting) -> RunStream {
        let context = layers::prepare(self.context);
        let screen = Screen::of(&context);
        let mut messages: Vec<_> =
            self.messages.into_iter().map(|message| screen.message(message)).collect();
        let has_system = self.history.messages().iter().any(|it| it.role() == "system");
        let mut history = self.history;
        if let (false, Some(system)) = (has_system, &self.settings.system) {
            if history.is_empty() {
                messages.insert(0, Message::system(system.clone()));
            } else {
                history.instruct(system);
            }
        }
        // As it is told, without secrets: so it stands in the history.
        let project = self.settings.project.clone().map(|it| screen.text(it));
        if let Some(said) = project_message(&history, project.as_deref()) {
            match messages.is_empty() {
                // The question is the last of what was written elsewhere: it stays the last.
                true => history = with_project(&history, said),
                false => {
                    let at = messages.iter().take_while(|it| it.role() == "system").count();
                    messages.insert(at, said);
                }
            }
        }
        let mut tools_off = self.tools_off;
        tools_off.sort_unstable();
        tools_off.dedup();
        let first_choice = match self.first_choice {
            // What is not offered cannot be asked for.
            ToolChoice::Tool(name) if tools_off.contains(&name) => ToolChoice::Auto,
            choice => choice,
        };
        let setup = RunConfig {
            id: self.id.unwrap_or_else(new_run_id),
            conversation_id: self.conversation_id.unwrap_or_else(new_conversation_id),
            model: self.settings.model.name().to_owned(),
            history,
            after: self.after,
            messages,
            queued: self.queued,
            limits: self.limits,
            first_choice,
            mode: self.mode,
            review: self.review,
            judge: self.settings.judge.is_some(),
            price: self.settings.price,
            output: self.settings.output.clone(),
            tools_off,
        };
        let (run, events) = Run::start(setup, now());
        // Whoever logs the calls of the run that it is a part of logs these, too.
        let log = nesting.outer.is_none().then(|| CallLog::new(self.settings.log, &run));
        let commit = driver::commit(&self.settings, log, events).journal(self.journal);
        let handles = Handles { pause: nesting.pause.clone(), ..self.handles };
        drive(self.settings, commit, run, context, (handles, Duration::ZERO), nesting)
    }
}

/// What the conversation has to be told of the project, where it was told nothing of it or something else.
fn project_message(history: &Conversation, now: Option<&str>) -> Option<Message> {
    let before = history.messages().iter().rev().find(|it| it.is_project()).map(|it| it.content());
    match (before, now) {
        (None, None) => None,
        (None, Some(now)) => Some(Message::project(now)),
        (Some(before), Some(now)) if before.ends_with(now) => None,
        (Some(_), Some(now)) => Some(Message::project(format!("{CHANGED}\n{now}"))),
        (Some(before), None) if before == WITHDRAWN => None,
        (Some(_), None) => Some(Message::project(WITHDRAWN)),
    }
}

/// The same with what the project says behind the instructions.
fn with_project(history: &Conversation, said: Message) -> Conversation {
    let mut messages = history.messages().to_vec();
    let at = messages.iter().take_while(|it| it.role() == "system").count();
    messages.insert(at, Arc::new(said));
    let mut told = Conversation::new();
    messages.into_iter().for_each(|message| told.push(message));
    told
}

const CHANGED: &str =
    "The project's instructions have changed: these take the place of those before.";
const WITHDRAWN: &str = "The project's instructions no longer hold.";
