//! [`AgentTool`]: an agent that another uses as a tool.
//!
//! A call of it is a run within the run: its events stand under the call, in the same log ([`Link`]), and are kept
//! there before it acts. So it is resumed where a process left it, cancelled with the run that it is a part of,
//! bounded by what is left of that run's limits, and its calls are decided about by whoever decides there.

mod host;
mod link;

use std::{sync::Arc, time::Duration};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    Answer, Conversation, Failure, Message, Output, Run, RunContext, Step, Tool, ToolEffect,
    ToolError, ToolErrorKind, ToolResult, ToolSpec, truncate_line,
};

pub(crate) use self::{
    host::{Nesting, NestingHost},
    link::{Ack, Link, Said},
};
use crate::{Agent, AgentConfig, RunBuilder, RunStream};

/// The one parameter of an agent that takes a question.
const INPUT: &str = "input";

/// How much of what an agent said last is told where it has no answer.
const LAST_WORDS: usize = 2_000;

/// How deep agents may use each other, and how many of them run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLimits {
    /// How deep: 1 is an agent that is a tool of the one that was asked, 2 one that is a tool of that. The agent
    /// that was asked decides.
    pub depth: u32,
    /// How many calls of one run may be runs of agents at the same time. Others wait for their turn.
    pub parallel: usize,
}

impl Default for AgentLimits {
    fn default() -> Self {
        Self { depth: 2, parallel: 4 }
    }
}

/// An agent that another uses as a tool: made by [`Agent::as_tool`], or here where more is to be said.
///
/// ```
/// # use toolwright_core::{Call, ModelResponse};
/// # use toolwright_models::Scripted;
/// use std::sync::Arc;
///
/// use serde_json::json;
/// use toolwright_runtime::{Agent, AgentTool};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let model = Scripted::new([ModelResponse::text("Bonjour.")]);
/// let translator = Agent::builder(model).system("Translate.").build()?;
/// # let model = Scripted::new([
/// #     ModelResponse::calls([Call::new("1", "translate", r#"{"text":"Hello.","to":"French"}"#)]),
/// #     ModelResponse::text("It is Bonjour."),
/// # ]);
/// let translate = AgentTool::new(&translator, "translate", "Translate a text.")
///     .parameters(json!({
///         "type": "object",
///         "properties": {"text": {"type": "string"}, "to": {"type": "string"}},
///         "required": ["text", "to"],
///     }))
///     .rounds(1);
/// let agent = Agent::builder(model).tool(Arc::new(translate)).build()?;
/// assert_eq!(agent.run("What is Hello in French?").await?.response, "It is Bonjour.");
/// # Ok(())
/// # }
/// ```
pub struct AgentTool {
    settings: Arc<AgentConfig>,
    spec: ToolSpec,
    rounds: Option<u32>,
    context: RunContext,
    /// Whether its one argument is the question.
    takes_input: bool,
}

impl Agent {
    /// This agent as a tool of another. It is called with `{"input": …}`, a question, and what it returns is the
    /// answer. [`AgentTool`] is for other parameters, and for bounds of its own.
    ///
    /// ```
    /// # use toolwright_core::{Call, ModelResponse};
    /// # use toolwright_models::Scripted;
    /// # use toolwright_runtime::Agent;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let model = Scripted::new([ModelResponse::text("There are 2,500.")]);
    /// let researcher = Agent::builder(model).system("You look things up.").build()?;
    /// # let call = Call::new("1", "research", r#"{"input":"How many bridges has Hamburg?"}"#);
    /// # let model = Scripted::new([ModelResponse::calls([call]), ModelResponse::text("Many.")]);
    /// let agent = Agent::builder(model)
    ///     .tool(researcher.as_tool("research", "Ask somebody who looks things up."))
    ///     .build()?;
    /// assert_eq!(agent.run("Has Hamburg many bridges?").await?.response, "Many.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn as_tool(
        &self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Arc<dyn Tool> {
        Arc::new(AgentTool::new(self, name, description))
    }
}

impl AgentTool {
    /// `agent` as a tool that is called with a question.
    pub fn new(agent: &Agent, name: impl Into<String>, description: impl Into<String>) -> Self {
        let parameters = json!({
            "type": "object",
            "properties": {
                INPUT: {
                    "type": "string",
                    "minLength": 1,
                    "description": "What it is to do, with all that it has to know: it sees \
                                    nothing else of this conversation.",
                },
            },
            "required": [INPUT],
            "additionalProperties": false,
        });
        let spec = ToolSpec::new(name, description, parameters)
            .effect(effect(&agent.0))
            .free_text(INPUT)
            .generated(INPUT)
            .agent();
        let (settings, context) = (agent.0.clone(), RunContext::new());
        Self { settings, spec, rounds: None, context, takes_input: true }
    }

    /// Says what it is called with, as a JSON Schema of an object. The agent is asked with the arguments as
    /// they are, in JSON.
    #[must_use]
    pub fn parameters(mut self, schema: Value) -> Self {
        self.spec.parameters = schema;
        self.spec.free_text.clear();
        self.spec.generated.clear();
        self.takes_input = false;
        self
    }

    /// Bounds the rounds of each run. Everything else is bounded by what is left to the run that it is a part of,
    /// and by the limits of the agent where those are narrower.
    #[must_use]
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.rounds = Some(rounds);
        self
    }

    /// Gives its tools what they need and the run that it is a part of was not given.
    #[must_use]
    pub fn context(mut self, context: RunContext) -> Self {
        self.context = context;
        self
    }

    /// The question as the agent is asked it. A model wrote it: nothing in it counts as said by the user.
    fn question(&self, arguments: &Value) -> Message {
        let text = arguments.get(INPUT).and_then(Value::as_str).filter(|_| self.takes_input);
        Message::from_agent(text.map_or_else(|| arguments.to_string(), str::to_owned))
    }

    /// What its runs are made of, where `host` decides about calls. Whoever watches the run that it is a part of
    /// watches them, too.
    fn settings(&self, host: Option<&NestingHost>) -> Arc<AgentConfig> {
        let mut settings = AgentConfig::clone(&self.settings);
        if let Some(rounds) = self.rounds {
            settings.limits.rounds = rounds;
        }
        if let Some(host) = host {
            settings.approver = host.approver.clone();
            settings.observers.clear();
            settings.tools_off.extend(host.tools_off.iter().cloned());
            settings.limits = settings.limits.within(&host.link().remaining());
        }
        Arc::new(settings)
    }

    /// A run within the run.
    async fn run_within(
        &self,
        host: &NestingHost,
        arguments: &Value,
        context: &RunContext,
    ) -> ToolResult {
        host.admit(&self.spec.name, &self.settings)?;
        let _turn = host.turn().await;
        let mut run = match host.resumed() {
            Some(run) if run.is_ended() => return self.result(&run),
            Some(run) => self.resume(host, run, context),
            None => self.start(host, arguments, context)?,
        };
        while let Some(event) = run.next().await {
            // Everything else was handed over before it was handed out.
            if event.kind.is_provisional() {
                host.show(event).await;
            }
        }
        match run.into_run() {
            Some(run) => self.result(&run),
            None => Err(ToolError::new("the run of the agent stopped before its end")),
        }
    }

    fn start(
        &self,
        host: &NestingHost,
        arguments: &Value,
        context: &RunContext,
    ) -> Result<RunStream, ToolError> {
        if let Some(what) = host.link().used_up() {
            let text = format!("it was not asked: nothing is left of the run's limit of {what}.");
            return Err(ToolError::new(text).of_kind(ToolErrorKind::Refused));
        }
        let run = RunBuilder::new(self.settings(Some(host)), vec![self.question(arguments)])
            .conversation(Conversation::within(host.outer.clone()))
            .conversation_id(host.conversation_id.clone())
            .context(context.within(&self.context))
            .journal(host.journal());
        Ok(run.start_within(host.nesting(&self.spec.name, &self.settings)))
    }

    fn resume(&self, host: &NestingHost, run: Run, context: &RunContext) -> RunStream {
        let nesting = host.nesting(&self.spec.name, &self.settings);
        let context = context.within(&self.context);
        let journal = Some(Arc::new(host.journal()) as Arc<dyn toolwright_core::Journal>);
        Agent(self.settings(Some(host))).resume_with(journal, run, context, Duration::ZERO, nesting)
    }

    fn result(&self, run: &Run) -> ToolResult {
        match run.step() {
            Step::Done(Ok(answer)) => Ok(self.output(*answer)),
            Step::Done(Err(failure)) => Err(self.error(&failure, run.conversation())),
            _ => Err(ToolError::new("the run of the agent has no end")),
        }
    }

    fn output(&self, answer: Answer) -> Output {
        match self.settings.output {
            Some(_) => Output::Json(answer.response),
            None => Output::Text(answer.response),
        }
    }

    /// Why there is no answer, and what it said last.
    fn error(&self, failure: &Failure, conversation: &Conversation) -> ToolError {
        let mut text = format!("the agent has no answer: {}", failure.message);
        let said = conversation.messages().iter().rev().find_map(|message| match &**message {
            Message::Assistant(said) if !said.content.trim().is_empty() => Some(&said.content),
            _ => None,
        });
        let last = Some(&failure.response).filter(|it| !it.trim().is_empty()).or(said);
        if let Some(last) = last {
            let shown = truncate_line(last.trim(), LAST_WORDS);
            text.push_str(&format!(". What it said last: {shown}"));
        }
        let error = ToolError::new(text);
        match &failure.advice {
            Some(advice) => error.with_detail(advice.clone()),
            None => error,
        }
    }

    /// A run of its own, where no run is there that it could be a part of.
    async fn run_alone(&self, arguments: &Value, context: &RunContext) -> ToolResult {
        let run = RunBuilder::new(self.settings(None), vec![self.question(arguments)]);
        let mut run = run.context(context.within(&self.context)).start();
        let _ = run.finish().await;
        match run.into_run() {
            Some(run) => self.result(&run),
            None => Err(ToolError::new("the run of the agent stopped before its end")),
        }
    }
}

impl Tool for AgentTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            match context.host::<NestingHost>() {
                Some(host) => self.run_within(host, &arguments, context).await,
                None => self.run_alone(&arguments, context).await,
            }
        })
    }
}

/// What a run of an agent does to the world. Where all of its tools only look, so does it, and several run side
/// by side. Otherwise it may be started again when nobody knows how far it got, whatever its tools do: it is not
/// begun anew but goes on from its own events, and by those each of its calls is treated as it would be in
/// any run. Tools that are not known yet may do anything.
fn effect(settings: &AgentConfig) -> ToolEffect {
    let toolbox = &settings.toolbox;
    let is_known = toolbox.sources().is_empty() && !toolbox.has_fallback();
    match is_known && toolbox.definitions().specs().iter().all(|it| it.effect.is_read_only()) {
        true => ToolEffect::ReadOnly,
        false => ToolEffect::Idempotent,
    }
}
