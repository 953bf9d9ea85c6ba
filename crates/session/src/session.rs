//! [`Session`]: conversations that are kept, one run after another.

use toolwright_core::{
    BranchPoint, Conversation, ConversationId, EventKind, Failure, FailureKind, Journal,
    JournalError, JournalErrorKind, Run, RunContext, RunId, RunTree, UserMessage,
};
use toolwright_runtime::{Agent, RunBuilder, RunStream, new_conversation_id, new_run_id};
use toolwright_store::{
    ConversationLease, ConversationState, LeaseWatch, Position, Store, StoreLocation,
};

use crate::SessionError;

/// An agent whose conversations are kept.
///
/// ```no_run
/// # use toolwright_core::RunContext;
/// # use toolwright_runtime::Agent;
/// # use toolwright_session::Session;
/// # use toolwright_store::StoreLocation;
/// # async fn example(agent: Agent) -> Result<(), Box<dyn std::error::Error>> {
/// let location = StoreLocation::Sqlite("conversations.db".into());
/// let session = Session::open(agent, &location).await?;
/// let mut started = session.ask(None, "Order bread.", RunContext::new()).await?;
/// println!("{}", started.running.finish().await?.response);
///
/// // In the same conversation, be it after a restart. What a crash interrupted is gone on with first.
/// let id = started.conversation;
/// if let Some(mut resumed) = session.resume(&id, RunContext::new()).await? {
///     resumed.running.finish().await?;
/// }
/// let mut next = session.ask(Some(&id), "And butter.", RunContext::new()).await?;
/// println!("{}", next.running.finish().await?.response);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session {
    agent: Agent,
    store: Store,
    /// What its next run is called, where that was said.
    run: Option<RunId>,
}

/// A run that was begun.
pub struct StartedRun {
    /// The run.
    pub running: RunStream,
    /// The conversation it adds to.
    pub conversation: ConversationId,
    /// Where its first event will stand in the conversation; the others follow one by one.
    pub first: Position,
    /// Tells whether the conversation is still held for it.
    pub lease: LeaseWatch,
}

/// A run that was begun and left: its question is kept, and somebody else drives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftRun {
    /// The run.
    pub run: RunId,
    /// The conversation it adds to.
    pub conversation: ConversationId,
    /// Where its first event stands in the conversation.
    pub first: Position,
}

impl StartedRun {
    /// Only keeps the question, and leaves the run to whoever drives it: a [`RunEngine`](crate::RunEngine) is to be
    /// told. Nothing else has happened then, and the conversation is free.
    ///
    /// # Errors
    /// When it cannot be kept: then it was not asked.
    pub async fn leave(mut self) -> Result<LeftRun, SessionError> {
        self.running.pause_handle().pause();
        let mut run = None;
        while let Some(event) = self.running.next().await {
            run.get_or_insert(event.run);
        }
        let failure = match self.running.is_paused() {
            true => None,
            false => self.running.finish().await.err(),
        };
        match (run, failure) {
            (Some(run), None) => {
                let Self { conversation, first, .. } = self;
                Ok(LeftRun { run, conversation, first })
            }
            (_, failure) => Err(not_kept(failure)),
        }
    }
}

/// Why a question was not kept.
fn not_kept(failure: Option<Failure>) -> SessionError {
    let kind = failure.as_ref().map(|it| it.kind);
    let kind = match kind {
        Some(FailureKind::Storage(kind)) => kind,
        _ => JournalErrorKind::Unavailable,
    };
    let message = failure.as_ref().map_or("the run was not begun", |it| &it.message);
    let error = JournalError::new(kind, message);
    match failure.and_then(|it| it.advice) {
        Some(advice) => error.with_advice(advice).into(),
        None => error.into(),
    }
}

impl Session {
    /// Keeps the agent's conversations in this store.
    pub fn new(agent: Agent, store: Store) -> Self {
        Self { agent, store, run: None }
    }

    /// Keeps the agent's conversations in the store at this location, which is made where there is none.
    ///
    /// # Errors
    /// When the store cannot be opened.
    pub async fn open(agent: Agent, location: &StoreLocation) -> Result<Self, SessionError> {
        Ok(Self::new(agent, Store::open(location).await?))
    }

    /// The same conversations, asked of another agent.
    #[must_use]
    pub fn with_agent(&self, agent: Agent) -> Self {
        Self { agent, ..self.clone() }
    }

    /// The same for one run that is called so: for whoever has to know its name before it begins. No run may ever
    /// have had it.
    #[must_use]
    pub fn as_run(&self, run: RunId) -> Self {
        Self { run: Some(run), ..self.clone() }
    }

    /// Where conversations are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Asks, in this conversation or in a new one. A run that was interrupted in it is ended first:
    /// what may have had an effect is told to the model as interrupted.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or another run goes on in it.
    pub async fn ask(
        &self,
        id: Option<&ConversationId>,
        prompt: impl Into<UserMessage>,
        context: RunContext,
    ) -> Result<StartedRun, SessionError> {
        let id = id.cloned().unwrap_or_else(new_conversation_id);
        let lease = self.store.acquire(&id).await?;
        let history = self.settled(&lease).await?;
        self.begin(lease, history, None, prompt.into(), context).await
    }

    /// Asks from an earlier point of this conversation on: what was said behind it stays in the log, and was
    /// not said as far as this question is concerned. A run that was interrupted is ended first.
    ///
    /// # Errors
    /// When there is no such point, or calls had no results there yet; when the conversation cannot be read
    /// or kept, or another run goes on in it.
    pub async fn ask_from(
        &self,
        id: &ConversationId,
        point: BranchPoint,
        prompt: impl Into<UserMessage>,
        context: RunContext,
    ) -> Result<StartedRun, SessionError> {
        let lease = self.store.acquire(id).await?;
        self.settled(&lease).await?;
        let history = lease.history_at(&point).await?;
        self.begin(lease, history, Some(point), prompt.into(), context).await
    }

    /// Asks the question of a run of this conversation again, or another in its place: from where that run
    /// went on. Without a run it is the last on the newest path in which the user asked something. Nothing where there
    /// is no such run, or no question of the user's in it and no other is given.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or another run goes on in it.
    pub async fn regenerate(
        &self,
        id: &ConversationId,
        run: Option<&RunId>,
        prompt: Option<UserMessage>,
        context: RunContext,
    ) -> Result<Option<StartedRun>, SessionError> {
        let lease = self.store.acquire(id).await?;
        self.settled(&lease).await?;
        let runs = self.store.runs(id).await?;
        let (run, prompt) = match (run.cloned(), prompt) {
            (Some(run), Some(prompt)) => (run, prompt),
            (run, prompt) => {
                let Some((run, asked)) = self.asked(id, &runs, run).await? else { return Ok(None) };
                (run, prompt.unwrap_or(asked))
            }
        };
        let Some(point) = runs.origin(&run).cloned() else { return Ok(None) };
        let history = lease.history_at(&point).await?;
        self.begin(lease, history, Some(point), prompt, context).await.map(Some)
    }

    /// What the user asked last on the newest path of this conversation, as it would be asked again.
    ///
    /// # Errors
    /// When the conversation cannot be read.
    pub async fn last_question(
        &self,
        id: &ConversationId,
    ) -> Result<Option<UserMessage>, SessionError> {
        let runs = self.store.runs(id).await?;
        Ok(self.asked(id, &runs, None).await?.map(|(_, question)| question))
    }

    /// Copies what leads to a point of this conversation, or to its end, into a new one, and gives that one's id. The new
    /// conversation stays when this one is deleted.
    ///
    /// # Errors
    /// When there is no such point, nothing was said before it, or calls had no results there yet; when the conversation
    /// cannot be read, or the new one cannot be kept.
    pub async fn fork(
        &self,
        id: &ConversationId,
        point: Option<&BranchPoint>,
    ) -> Result<ConversationId, SessionError> {
        let into = new_conversation_id();
        self.store.fork(id, point, &into, new_run_id).await?;
        Ok(into)
    }

    /// The tools that were off where this run, or the last one in which something was asked, began: they are when it is
    /// asked again.
    ///
    /// # Errors
    /// When the conversation cannot be read.
    pub async fn tools_off(
        &self,
        id: &ConversationId,
        run: Option<&RunId>,
    ) -> Result<Vec<String>, SessionError> {
        let runs = self.store.runs(id).await?;
        let Some((run, _)) = self.asked(id, &runs, run.cloned()).await? else {
            return Ok(Vec::new());
        };
        let Some(first) = self.store.beginning(id, &run).await? else { return Ok(Vec::new()) };
        let before = first.0.checked_sub(1).map(Position);
        let events = self.store.events(id, before, 1).await?;
        Ok(match events.into_iter().next().map(|(_, event)| event.kind) {
            Some(EventKind::RunStarted { tools_off, .. }) => tools_off,
            _ => Vec::new(),
        })
    }

    /// The run whose question is to be asked again, and the question: this run, or the last on the newest path in
    /// which the user asked something.
    async fn asked(
        &self,
        id: &ConversationId,
        runs: &RunTree,
        run: Option<RunId>,
    ) -> Result<Option<(RunId, UserMessage)>, SessionError> {
        let newest = || runs.newest().runs().rev().cloned().collect();
        let candidates: Vec<RunId> = run.map_or_else(newest, |run| vec![run]);
        for run in candidates.into_iter().filter(|run| runs.origin(run).is_some()) {
            if let Some(question) = self.store.question(id, &run).await? {
                return Ok(Some((run, question)));
            }
        }
        Ok(None)
    }

    async fn begin(
        &self,
        lease: ConversationLease,
        history: Conversation,
        after: Option<BranchPoint>,
        prompt: UserMessage,
        context: RunContext,
    ) -> Result<StartedRun, SessionError> {
        let prepared = self.agent.prepare(prompt).conversation(history).after(after);
        self.start(lease, prepared, context).await
    }

    /// Starts a run that is kept in this conversation.
    pub(crate) async fn start(
        &self,
        lease: ConversationLease,
        prepared: RunBuilder,
        context: RunContext,
    ) -> Result<StartedRun, SessionError> {
        let (conversation, first) = (lease.id().clone(), lease.next().await?);
        let prepared = prepared.conversation_id(conversation.clone()).context(context);
        let prepared = match &self.run {
            Some(run) => prepared.run_id(run.clone()),
            None => prepared,
        };
        let watch = lease.watch();
        let running = prepared.journal(lease).start();
        Ok(StartedRun { running, conversation, first, lease: watch })
    }

    /// Resumes the run that was interrupted in this conversation, if there is one.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, another run goes on in it, or an engine has the run driven.
    pub async fn resume(
        &self,
        id: &ConversationId,
        context: RunContext,
    ) -> Result<Option<StartedRun>, SessionError> {
        let lease = self.store.acquire(id).await?;
        let Some(run) = lease.load().await?.unfinished else { return Ok(None) };
        self.check_ours(id, &run).await?;
        let (conversation, first) = (id.clone(), lease.next().await?);
        let watch = lease.watch();
        let running = self.agent.resume_in(lease, run, context);
        Ok(Some(StartedRun { running, conversation, first, lease: watch }))
    }

    /// What was said so far. A run that was interrupted is ended first; one that an engine has driven goes on, also
    /// while nobody holds the conversation: between two slices, or while it waits for a person.
    pub(crate) async fn settled(
        &self,
        lease: &ConversationLease,
    ) -> Result<Conversation, SessionError> {
        let ConversationState { history, unfinished, .. } = lease.load().await?;
        let Some(mut run) = unfinished else { return Ok(history) };
        self.check_ours(lease.id(), &run).await?;
        lease.append(&self.agent.abandon(&mut run)).await?;
        Ok(run.into_conversation())
    }

    /// A run that an engine has driven is nobody else's, also while nobody holds the conversation.
    async fn check_ours(&self, id: &ConversationId, run: &Run) -> Result<(), SessionError> {
        match self.store.is_entrusted(id, run.id()).await? {
            true => Err(SessionError::Entrusted(id.clone())),
            false => Ok(()),
        }
    }
}
