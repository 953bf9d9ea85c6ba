//! [`Session`]: conversations that are kept, one run after another.

use toolwright_core::{
    Author, Conversation, ConversationId, Journal, Message, RunContext, UserMessage,
};
use toolwright_runtime::{Agent, RunStream, new_conversation_id};
use toolwright_store::{ConversationLease, ConversationState, Position, Store, StoreLocation};

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
}

/// A run that was begun.
pub struct StartedRun {
    /// The run.
    pub running: RunStream,
    /// The conversation it adds to.
    pub conversation: ConversationId,
    /// Where its first event will stand in the conversation; the others follow one by one.
    pub first: Position,
}

impl Session {
    /// Keeps the agent's conversations in this store.
    pub fn new(agent: Agent, store: Store) -> Self {
        Self { agent, store }
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
        Self { agent, store: self.store.clone() }
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
        self.begin(lease, history, prompt.into(), context).await
    }

    /// Asks the last question of this conversation again; nothing where there is none.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or another run goes on in it.
    pub async fn regenerate(
        &self,
        id: &ConversationId,
        context: RunContext,
    ) -> Result<Option<StartedRun>, SessionError> {
        let lease = self.store.acquire(id).await?;
        let history = self.settled(&lease).await?;
        let last = history.messages().iter().rev().find_map(|message| match &**message {
            Message::User(said) if said.origin == Author::Person && said.is_question() => {
                Some(said.clone())
            }
            _ => None,
        });
        match last {
            Some(question) => self.begin(lease, history, question, context).await.map(Some),
            None => Ok(None),
        }
    }

    async fn begin(
        &self,
        lease: ConversationLease,
        history: Conversation,
        prompt: UserMessage,
        context: RunContext,
    ) -> Result<StartedRun, SessionError> {
        let (conversation, first) = (lease.id().clone(), lease.next().await?);
        let prepared = self.agent.prepare(prompt).conversation(history);
        let prepared = prepared.conversation_id(conversation.clone()).context(context);
        let running = prepared.journal(lease).start();
        Ok(StartedRun { running, conversation, first })
    }

    /// Resumes the run that was interrupted in this conversation, if there is one.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or another run goes on in it.
    pub async fn resume(
        &self,
        id: &ConversationId,
        context: RunContext,
    ) -> Result<Option<StartedRun>, SessionError> {
        let lease = self.store.acquire(id).await?;
        let Some(run) = lease.load().await?.unfinished else { return Ok(None) };
        let (conversation, first) = (id.clone(), lease.next().await?);
        let running = self.agent.resume_in(lease, run, context);
        Ok(Some(StartedRun { running, conversation, first }))
    }

    /// What was said so far. A run that was interrupted is ended first.
    pub(crate) async fn settled(
        &self,
        lease: &ConversationLease,
    ) -> Result<Conversation, SessionError> {
        let ConversationState { history, unfinished, .. } = lease.load().await?;
        let Some(mut run) = unfinished else { return Ok(history) };
        lease.append(&self.agent.abandon(&mut run)).await?;
        Ok(run.into_conversation())
    }
}
