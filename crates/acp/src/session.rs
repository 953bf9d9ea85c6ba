//! [`EditorSession`]: a session that an editor has open, and the prompts that wait in it.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use tokio::{sync::mpsc, task::JoinHandle};
use toolwright_core::{ConversationId, UserMessage};
use toolwright_runtime::{CancelHandle, Rule};

use crate::{
    Choice, Host, HostError, KnownSession, McpServer, OpenedSession, RuleGrants, SessionSetup,
    client::Client,
    offers::DeclinedOffers,
    permission::PermissionApprover,
    rpc::{RpcError, with},
    turn,
};

/// How many prompts may wait in a session, the one that runs among them.
const WAITING: usize = 16;

/// What is known of a session by its id in the protocol's lists.
pub(crate) const MODE: &str = "mode";
pub(crate) const MODEL: &str = "model";

/// A session that an editor has open.
pub(crate) struct EditorSession {
    pub(crate) id: ConversationId,
    pub(crate) cwd: PathBuf,
    mcp_servers: Vec<McpServer>,
    pub(crate) approver: Arc<PermissionApprover>,
    opened: Mutex<Arc<OpenedSession>>,
    chosen: Mutex<Chosen>,
    /// What the user does not want to be asked about again.
    denied: Mutex<Vec<Rule>>,
    /// Tools of strangers that the user did not approve here.
    pub(crate) declined: DeclinedOffers,
    /// Whether the editor was told that a run can be resumed.
    pub(crate) offers_resume: AtomicBool,
    queue: Mutex<Queue>,
}

/// What the user chose.
#[derive(Clone, Default)]
pub(crate) struct Chosen {
    pub(crate) task: Option<String>,
    pub(crate) model: Option<String>,
}

#[derive(Default)]
struct Queue {
    /// None when the session is closed.
    turns: Option<mpsc::UnboundedSender<Turn>>,
    /// Those that are not over, each by the id of its request.
    open: Vec<(Value, CancelHandle)>,
    worker: Option<JoinHandle<()>>,
}

/// A prompt that waits for its turn.
pub(crate) struct Turn {
    pub(crate) request: Value,
    pub(crate) prompt: TurnPrompt,
    pub(crate) cancel: CancelHandle,
}

/// What a turn is about.
pub(crate) enum TurnPrompt {
    /// The user says something.
    Ask(UserMessage),
    /// The run that was interrupted goes on.
    Resume,
}

impl EditorSession {
    /// Puts a session together, and begins to work on its prompts.
    pub(crate) async fn open(
        host: &Arc<dyn Host>,
        client: &Client,
        known: KnownSession,
        mcp_servers: Vec<McpServer>,
    ) -> Result<Arc<Self>, RpcError> {
        let KnownSession { id, cwd, task, model } = known;
        let approver = Arc::new(PermissionApprover::new(client.capabilities()));
        let chosen = Chosen { task, model };
        let setup = setup(&cwd, &chosen, &mcp_servers);
        let opened = host.open(setup, approver.clone()).await;
        let opened = Arc::new(opened.map_err(|error| RpcError::of(&error))?);
        let (opened, chosen) = (Mutex::new(opened), Mutex::new(chosen));
        let (turns, waiting) = mpsc::unbounded_channel();
        let queue = Mutex::new(Queue { turns: Some(turns), ..Queue::default() });
        let (denied, declined) = Default::default();
        let offers_resume = AtomicBool::new(false);
        let session = Arc::new(Self {
            id,
            cwd,
            mcp_servers,
            approver,
            opened,
            chosen,
            denied,
            declined,
            offers_resume,
            queue,
        });
        let worker = tokio::spawn(turn::work(session.clone(), waiting, client.clone()));
        session.lock().worker = Some(worker);
        Ok(session)
    }

    /// What it is put together from now.
    pub(crate) fn opened(&self) -> Arc<OpenedSession> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The folder that its tools work in.
    pub(crate) fn folder(&self) -> PathBuf {
        self.opened().folder.clone().unwrap_or_else(|| self.cwd.clone())
    }

    /// Puts it together anew, with something else chosen. A prompt that runs goes on as it is.
    pub(crate) async fn choose(
        &self,
        host: &Arc<dyn Host>,
        choose: impl FnOnce(&mut Chosen),
    ) -> Result<(), RpcError> {
        let mut chosen = self.chosen();
        choose(&mut chosen);
        let setup = setup(&self.cwd, &chosen, &self.mcp_servers);
        let opened = host.open(setup, self.approver.clone()).await;
        let opened = opened.map_err(|error| RpcError::of(&error))?;
        for rule in self.denied.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            opened.rules.deny_in_session(rule.clone());
        }
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner) = chosen;
        self.remember(host);
        Ok(())
    }

    fn chosen(&self) -> Chosen {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps where it is and what was chosen. Where that cannot be, it can still be used.
    pub(crate) fn remember(&self, host: &Arc<dyn Host>) {
        let Chosen { task, model } = self.chosen();
        let known = KnownSession { id: self.id.clone(), cwd: self.cwd.clone(), task, model };
        if let Err(error) = host.remember(&known) {
            tracing::warn!(%error, "the session will not be in lists of sessions");
        }
    }

    /// Adds a prompt behind those that wait.
    pub(crate) fn enqueue(&self, request: Value, prompt: TurnPrompt) -> Result<(), RpcError> {
        let mut queue = self.lock();
        if queue.open.len() >= WAITING {
            let message = format!("{WAITING} prompts wait in this session, and no more may");
            return Err(RpcError::invalid_request(&message)
                .advice(Some("wait for an answer, or cancel (session/cancel)")));
        }
        let cancel = CancelHandle::new();
        let turn = Turn { request: request.clone(), prompt, cancel: cancel.clone() };
        let closed = || RpcError::invalid_request("the session is closed");
        let turns = queue.turns.as_ref().ok_or_else(closed)?;
        turns.send(turn).map_err(|_| closed())?;
        queue.open.push((request, cancel));
        Ok(())
    }

    /// A prompt is about to be answered. Told before it is, so that whoever reads the answer finds room for
    /// the next.
    pub(crate) fn is_over(&self, request: &Value) {
        let mut queue = self.lock();
        if let Some(at) = queue.open.iter().position(|(id, _)| id == request) {
            queue.open.remove(at);
        }
    }

    /// Whether a prompt runs or waits.
    pub(crate) fn is_busy(&self) -> bool {
        !self.lock().open.is_empty()
    }

    /// Stops what runs and what waits.
    pub(crate) fn cancel(&self) {
        self.lock().open.iter().for_each(|(_, cancel)| cancel.cancel());
    }

    /// Stops the prompt of this request.
    pub(crate) fn cancel_request(&self, request: &Value) {
        let queue = self.lock();
        let of_request = queue.open.iter().filter(|(id, _)| id == request);
        of_request.for_each(|(_, cancel)| cancel.cancel());
    }

    /// Stops everything, and ends when all of it has been answered.
    pub(crate) async fn close(&self) {
        self.cancel();
        let worker = {
            let mut queue = self.lock();
            queue.turns = None;
            queue.worker.take()
        };
        if let Some(worker) = worker {
            // A worker that panicked has nothing more to say.
            let _ = worker.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a client is told of what can be chosen. Some only know modes, others only options.
    pub(crate) fn choices(&self) -> Value {
        let opened = self.opened();
        let mut told = json!({});
        if !opened.tasks.is_empty() {
            let tasks: Vec<_> = opened.tasks.iter().map(|it| listed("id", it)).collect();
            let modes = json!({"currentModeId": opened.task, "availableModes": tasks});
            told = with(told, "modes", modes);
        }
        let options = config_options(&opened);
        if !options.is_empty() {
            told = with(told, "configOptions", options);
        }
        told
    }
}

impl RuleGrants for EditorSession {
    fn allow_always<'a>(&'a self, rules: &'a [Rule]) -> BoxFuture<'a, Result<(), HostError>> {
        let opened = self.opened();
        Box::pin(async move { opened.rules.allow_always(rules).await })
    }

    /// Holds on when the session is put together anew.
    fn deny_in_session(&self, rule: Rule) {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).push(rule.clone());
        self.opened().rules.deny_in_session(rule);
    }
}

fn setup(cwd: &Path, chosen: &Chosen, mcp_servers: &[McpServer]) -> SessionSetup {
    let Chosen { task, model } = chosen.clone();
    SessionSetup { cwd: cwd.to_owned(), task, model, mcp_servers: mcp_servers.to_vec() }
}

/// What can be chosen, as options: the task, and the model where there are several.
pub(crate) fn config_options(opened: &OpenedSession) -> Vec<Value> {
    let select = |id: &str, name: &str, current: &str, choices: &[Choice]| {
        let options: Vec<_> = choices.iter().map(|it| listed("value", it)).collect();
        json!({
            "id": id, "name": name, "category": id, "type": "select",
            "currentValue": current, "options": options,
        })
    };
    let task =
        (!opened.tasks.is_empty()).then(|| select(MODE, "Task", &opened.task, &opened.tasks));
    let model =
        (opened.models.len() > 1).then(|| select(MODEL, "Model", &opened.model, &opened.models));
    task.into_iter().chain(model).collect()
}

fn listed(key: &str, choice: &Choice) -> Value {
    let told = with(json!({"name": choice.name}), key, choice.id.as_str());
    match &choice.description {
        Some(description) => with(told, "description", description.as_str()),
        None => told,
    }
}
