//! [`Talk`]: conversations that are kept, one run after another.

use std::sync::Arc;

use toolwright_core::{ConversationId, Journal, Run, RunContext, Timestamp};
use toolwright_runtime::{Agent, Running, new_conversation_id};
use toolwright_store::{Held, Loaded, Store};

use crate::AppError;

/// An agent whose conversations are kept.
#[derive(Clone)]
pub struct Talk {
    agent: Agent,
    store: Store,
}

impl Talk {
    /// Keeps the agent's conversations in this store.
    pub fn new(agent: Agent, store: Store) -> Self {
        Self { agent, store }
    }

    /// Where conversations are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Asks, in this conversation or in a new one. A run that was cut short in it is ended first:
    /// what may have had an effect is told to the model as interrupted.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or somebody else is in it.
    pub async fn ask(
        &self,
        id: Option<&ConversationId>,
        prompt: impl Into<String>,
        context: RunContext,
    ) -> Result<Running, AppError> {
        let id = id.cloned().unwrap_or_else(new_conversation_id);
        let held = self.store.hold(&id).await?;
        let Loaded { mut history, unfinished } = held.load().await?;
        if let Some(mut run) = unfinished {
            end(&held, &mut run).await?;
            history = run.into_conversation();
        }
        let prepared = self.agent.prepare(prompt).conversation(history).conversation_id(id);
        Ok(prepared.context(context).journal(Arc::new(held)).start())
    }

    /// Goes on with the run that was cut short in this conversation, if there is one.
    ///
    /// # Errors
    /// When the conversation cannot be read or kept, or somebody else is in it.
    pub async fn resume(
        &self,
        id: &ConversationId,
        context: RunContext,
    ) -> Result<Option<Running>, AppError> {
        let held = self.store.hold(id).await?;
        let Some(run) = held.load().await?.unfinished else { return Ok(None) };
        let journal: Arc<dyn Journal> = Arc::new(held);
        Ok(Some(self.agent.resume_in(journal, run, context)))
    }
}

/// Ends a run that nobody will go on with.
async fn end(held: &Held, run: &mut Run) -> Result<(), AppError> {
    let at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let at = Timestamp(at.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)));
    let events = run.abandoned(at).unwrap_or_default();
    Ok(held.append(&events).await?)
}
