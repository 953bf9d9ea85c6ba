//! [`CallableTools`]: the tools of a task for programs that call them themselves, without a model.

use std::sync::Arc;

use toolwright_core::{
    Attachment, Call, Guard, Limits, ModelError, ModelErrorKind, ModelResponse, Observer,
    RunContext,
    guard::{Grounded, Placeholders, Prerequisites},
};
use toolwright_models::FunctionModel;
use toolwright_project::{CommandParameter, Expansion, SlashCommand};
use toolwright_runtime::{Agent, ContextWindow, SelectionConfig, Toolbox};
use toolwright_store::Store;

use crate::{
    AppError, Config, OpenPacks, Session, TaskContext, assemble::context, policies::with_policies,
    task_setup::TaskSetup,
};

/// The tools of a task for programs that call them themselves: no model is needed, and none is asked.
pub struct CallableTools {
    /// The agent that has them ([`Agent::calling`] gives it who calls), and where calls are kept.
    pub session: Session,
    /// What calls are given and nobody sees.
    pub context: RunContext,
    /// What they are for, in a line.
    pub description: String,
    /// Questions to begin with.
    pub starters: Vec<String>,
    /// Prompts that take something, by name: the user's commands, and the project's where they are approved.
    pub prompts: Vec<CallablePrompt>,
}

/// A prompt that a program can offer its user.
#[derive(Clone)]
pub struct CallablePrompt {
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it takes, in order.
    pub parameters: Vec<CommandParameter>,
    project: TaskContext,
}

impl CallablePrompt {
    fn all(project: &TaskContext) -> Vec<Self> {
        let prompt = |it: &SlashCommand| Self {
            name: it.name.clone(),
            description: it.description.clone(),
            parameters: it.parameters(),
            project: project.clone(),
        };
        project.commands().iter().map(prompt).collect()
    }

    /// What becomes of it with these, in the order of its parameters: the text, and the files that go with it.
    ///
    /// # Errors
    /// Why nothing does.
    pub fn expand(&self, words: &[String]) -> Result<(String, Vec<Attachment>), String> {
        let expansion = self.project.expand_words(&self.name, words);
        let expansion = expansion.ok_or("it is not there any more")?;
        expansion.map(Expansion::into_prompt).map_err(|error| error.to_string())
    }
}

impl CallableTools {
    /// Those of the configured task.
    ///
    /// # Errors
    /// When something cannot be used as configured.
    pub async fn open(
        config: &Config,
        observers: Vec<Arc<dyn Observer>>,
    ) -> Result<Self, AppError> {
        let store = config.open_store().await?;
        Self::make(config, &OpenPacks::default(), store, observers)
    }

    pub(crate) fn make(
        config: &Config,
        packs: &OpenPacks,
        store: Store,
        observers: Vec<Arc<dyn Observer>>,
    ) -> Result<Self, AppError> {
        let TaskSetup { tools, sources, packs: open, context: project, .. } =
            TaskSetup::of(config, packs)?;
        // All of them, however many: who calls by name need not be offered a choice.
        let all = SelectionConfig { above: usize::MAX, offer: usize::MAX };
        let toolbox = with_policies(config, tools, sources, Toolbox::builder().selection(all))?;
        let agent = Agent::builder(no_model())
            .toolbox(toolbox)
            .without_default_guards()
            .guards(guards())
            .limits(limits(config))
            .tool_timeout(config.limits.tool_timeout.value)
            .source_wait(config.context.source_wait.value)
            .window(ContextWindow::default())
            .log(config.telemetry.content.value)
            .observers(observers)
            .build()?;
        let context = open.grant(context(config), None);
        let task = &config.task.value;
        let (description, starters) = (task.description.clone(), task.starters.clone());
        let (session, prompts) = (Session::new(agent, store), CallablePrompt::all(&project));
        Ok(Self { session, context, description, starters, prompts })
    }
}

/// The limits of the run that a call is: one round, in which no model is asked and nothing is spent. What an agent
/// among the tools does in its own run is a part of it, and bounded there by what was configured.
fn limits(config: &Config) -> Limits {
    let configured = config.limits.of_run();
    let calls = configured.calls.saturating_add(1);
    Limits { rounds: 1, calls, tokens: None, cost: None, ..configured }
}

/// The guards of calls, but for the one against loops: a program that looks at something again and again knows
/// what it does, and one process may serve many conversations of its own.
fn guards() -> Vec<Arc<dyn Guard>> {
    vec![Arc::new(Placeholders), Arc::new(Prerequisites), Arc::new(Grounded::default())]
}

/// A person in the place of a model, who makes one call. All of them have one name: measurements are kept by it.
pub(crate) fn by_hand(tool: &str, arguments: String) -> FunctionModel {
    let call = Call::new("", tool, arguments);
    FunctionModel::new("user:call", move |_| Ok(ModelResponse::calls([call.clone()])))
}

fn no_model() -> FunctionModel {
    FunctionModel::new("none", |_| {
        Err(ModelError::new(ModelErrorKind::NotConfigured, "these tools are called by a program"))
    })
}
