//! [`Host`]: what sessions are made of, which is not the protocol's business.

use std::{fmt, path::PathBuf, sync::Arc};

use futures_core::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_core::{ActionableError, ConversationId, RunContext, UserMessage};
use toolwright_runtime::{Approver, Rule};
use toolwright_session::Session;
use toolwright_store::Store;

/// What sessions are made of.
pub trait Host: Send + Sync {
    /// The version of the program.
    fn version(&self) -> &str;

    /// Whether the model takes pictures.
    fn takes_pictures(&self) -> bool;

    /// Whether MCP servers that an editor names are connected.
    fn connects_servers(&self) -> bool;

    /// Where conversations are kept.
    fn store(&self) -> &Store;

    /// Puts a session together. `asked` is asked about calls that no rule decides about.
    fn open(
        &self,
        setup: SessionSetup,
        asked: Arc<dyn Approver>,
    ) -> BoxFuture<'_, Result<OpenedSession, HostError>>;

    /// The sessions that editors began, and where.
    ///
    /// # Errors
    /// When they cannot be read.
    fn known(&self) -> Result<Vec<KnownSession>, HostError>;

    /// Keeps what is known of a session.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn remember(&self, session: &KnownSession) -> Result<(), HostError>;

    /// Forgets a session.
    ///
    /// # Errors
    /// When that cannot be kept.
    fn forget(&self, id: &ConversationId) -> Result<(), HostError>;
}

/// What a session is to be put together from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionSetup {
    /// The editor's folder: absolute, and there.
    pub cwd: PathBuf,
    /// The task, where one was chosen.
    pub task: Option<String>,
    /// The model, where one was chosen.
    pub model: Option<String>,
    /// The MCP servers that the editor wants to be used.
    pub mcp_servers: Vec<McpServer>,
}

/// An MCP server, as an editor names it: how it is reached is for whoever connects it to read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct McpServer {
    /// Its name, for people.
    pub name: String,
    /// The rest: `command`, `args` and `env`; or `type`, `url` and `headers`. There may be secrets in it.
    #[serde(flatten)]
    pub transport: serde_json::Map<String, Value>,
}

/// A session that was put together.
#[non_exhaustive]
pub struct OpenedSession {
    /// The agent, and where its conversations are kept.
    pub session: Session,
    /// What its runs are given and no model sees.
    pub context: RunContext,
    /// What becomes of rules that the user gives.
    pub rules: Arc<dyn RuleGrants>,
    /// The tasks there are, and which is chosen.
    pub tasks: Vec<Choice>,
    /// The id of the task that is chosen.
    pub task: String,
    /// The models there are; none where there is nothing to choose.
    pub models: Vec<Choice>,
    /// The id of the model that is chosen.
    pub model: String,
    /// The folder that its tools work in, where it is not the editor's.
    pub folder: Option<PathBuf>,
    /// What the user should know, a line each.
    pub notices: Vec<String>,
    /// Tools of strangers, which the user has to approve before a model is offered them.
    pub foreign: Vec<Arc<dyn ForeignTools>>,
    /// The commands that the user can give in it.
    pub commands: Option<Arc<dyn SessionCommands>>,
}

impl OpenedSession {
    /// A session of this agent, in which nothing can be chosen.
    pub fn new(session: Session, context: RunContext, rules: Arc<dyn RuleGrants>) -> Self {
        let (tasks, task, models, model, folder, notices, foreign) = Default::default();
        let commands = None;
        Self {
            session,
            context,
            rules,
            tasks,
            task,
            models,
            model,
            folder,
            notices,
            foreign,
            commands,
        }
    }
}

/// The commands that a user can give in a session, with a `/` before them.
pub trait SessionCommands: Send + Sync {
    /// Those that are known without asking anybody.
    fn known(&self) -> Vec<SessionCommand>;

    /// All of them, once servers have said what they have.
    fn all(&self) -> BoxFuture<'_, Vec<SessionCommand>>;

    /// What becomes of a line that calls one; none where it calls none there is.
    fn call<'a>(&'a self, line: &'a str)
    -> BoxFuture<'a, Option<Result<CalledCommand, HostError>>>;
}

/// A command that a user can give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionCommand {
    /// What is typed behind the `/`.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What is typed behind its name, where something is.
    pub hint: Option<String>,
}

/// What becomes of a command.
#[derive(Clone, Debug)]
pub struct CalledCommand {
    /// What the model is asked.
    pub message: UserMessage,
    /// What the user is shown of it before.
    pub shown: Vec<String>,
}

/// Tools of a stranger, which the user has to approve before a model is offered them.
pub trait ForeignTools: Send + Sync {
    /// Where they stand, once that is known.
    fn state(&self) -> BoxFuture<'_, ForeignState>;
}

/// Where tools of a stranger stand.
#[derive(Debug)]
pub enum ForeignState {
    /// There is nothing to approve.
    Settled,
    /// Nobody has approved these as they are.
    Offered(ToolOffer),
    /// There are none, for this reason.
    Unavailable(String),
}

/// Tools that the user is asked to approve.
pub struct ToolOffer {
    /// What is asked, in a line.
    pub title: String,
    /// All that the user decides by.
    pub text: String,
    /// Approves exactly these.
    pub approve: Box<dyn FnOnce() -> Result<(), HostError> + Send>,
}

impl fmt::Debug for ToolOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolOffer").field("title", &self.title).finish_non_exhaustive()
    }
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What it is known by.
    pub id: String,
    /// What people are shown.
    pub name: String,
    /// More of that.
    pub description: Option<String>,
}

/// What becomes of rules that the user gives.
pub trait RuleGrants: Send + Sync {
    /// Calls that these are about run without a question from now on.
    ///
    /// # Errors
    /// When they could not be kept: then they do not hold.
    fn allow_always<'a>(&'a self, rules: &'a [Rule]) -> BoxFuture<'a, Result<(), HostError>>;

    /// Calls that this is about do not run any more in this session.
    fn deny_in_session(&self, rule: Rule);
}

/// A session that an editor began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownSession {
    /// The conversation.
    pub id: ConversationId,
    /// The editor's folder.
    pub cwd: PathBuf,
    /// The task, where one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The model, where one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Why the host could not do something.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    /// What happened.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

impl HostError {
    /// What an error of somebody else's says.
    pub fn of(error: &dyn ActionableError) -> Self {
        Self { message: error.to_string(), advice: error.advice().map(Into::into) }
    }
}

impl ActionableError for HostError {
    fn advice(&self) -> Option<std::borrow::Cow<'_, str>> {
        self.advice.as_deref().map(Into::into)
    }
}
