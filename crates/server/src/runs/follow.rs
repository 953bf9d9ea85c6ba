//! [`Follow`]: what waits in a conversation, asked when the run before it has its answer.

use std::{sync::Arc, time::Duration};

use futures_core::future::BoxFuture;
use toolwright_app::{RunSpec, Session, StartedRun};
use toolwright_core::{ConversationId, RunContext};
use toolwright_store::Progress;

use super::{Admitted, Entrusted, Runs};
use crate::ApiError;

/// Who is asked what waits: whoever was asked before, with what that run was given.
#[derive(Clone)]
pub(crate) struct Follow {
    session: Session,
    context: RunContext,
}

/// A run that begins, and who is asked what waits behind it. Where nobody is named it goes on waiting.
pub(crate) struct Begun {
    pub(super) run: StartedRun,
    pub(super) follow: Option<Follow>,
    /// How it was asked, where that can be told to whoever drives it.
    pub(super) entrusted: Option<Entrusted>,
}

impl Follow {
    /// Without these tools, and with all others.
    pub(crate) fn without(mut self, tools: &[String]) -> Self {
        let agent = self.session.agent().without_tools(tools.iter().cloned());
        self.session = self.session.with_agent(agent);
        self
    }
}

impl Begun {
    /// What waits is asked in the same way.
    pub(crate) fn followed(run: StartedRun, session: &Session, context: RunContext) -> Self {
        let follow = Some(Follow { session: session.clone(), context });
        Self { run, follow, entrusted: None }
    }

    /// It can be driven elsewhere.
    pub(crate) fn entrusted(self, entrusted: Entrusted) -> Self {
        Self { entrusted: Some(entrusted), ..self }
    }
}

impl From<StartedRun> for Begun {
    fn from(run: StartedRun) -> Self {
        Self { run, follow: None, entrusted: None }
    }
}

/// How often a conversation is tried that somebody has for a moment, and how long apart.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(100);

impl Runs {
    /// Asks what waits in a conversation in which nothing goes on any more. Whatever fails, it goes on
    /// waiting.
    pub(super) fn follow_up(
        self: Arc<Self>,
        id: ConversationId,
        follow: Follow,
        place: Admitted,
    ) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            for _ in 0..ATTEMPTS {
                // Whatever goes on there takes up what it can, and this is done again at its end.
                if self.stopping.is_cancelled() || self.active(&id).is_some() {
                    return;
                }
                match follow.session.ask_next(&id, follow.context.clone()).await {
                    Ok(None) => return,
                    Ok(Some(run)) => {
                        let begun = Begun { run, follow: Some(follow), entrusted: None };
                        if let Err(error) = self.begin(begun, place).await {
                            let error = error.message();
                            tracing::warn!(conversation = %id, error, "what waits was not asked");
                        }
                        return;
                    }
                    Err(error) if error.is_busy() => tokio::time::sleep(BETWEEN).await,
                    Err(error) => {
                        tracing::warn!(conversation = %id, %error, "what waits was not asked");
                        return;
                    }
                }
            }
        })
    }

    /// Who is asked what waits behind the run that goes on in a conversation.
    pub(crate) fn followed_by(&self, id: &ConversationId) -> Option<Follow> {
        self.lock_active().get(id).and_then(|active| active.follow.clone())
    }

    /// What waits behind the run that goes on in a conversation is asked without these tools, and with all others,
    /// also where an engine has that run driven.
    pub(crate) async fn follow_without(
        &self,
        id: &ConversationId,
        tools: &[String],
    ) -> Result<(), ApiError> {
        if let Some(active) = self.lock_active().get_mut(id) {
            active.follow = active.follow.take().map(|it| it.without(tools));
            return Ok(());
        }
        let store = self.store();
        let Some(Progress { open: Some((run, _)), .. }) = store.progress(id).await? else {
            return Ok(());
        };
        let Some(spec) = store.spec(id, &run).await? else { return Ok(()) };
        // The run itself keeps what its first event says; what follows is asked as it is said here.
        let mut spec = RunSpec::from_bytes(&spec)?;
        spec.tools_off = tools.to_vec();
        Ok(store.put_spec(id, &run, &spec.to_bytes()).await?)
    }

    /// Everybody who listens to the conversation learns that something else waits in it.
    pub(crate) fn queue_changed(&self, id: &ConversationId) {
        self.channel(id).change_queue();
    }

    /// Something waits in a conversation now. Where the run ended meanwhile that it was said to, nobody
    /// else sees to it.
    pub(crate) fn queued(self: &Arc<Self>, id: &ConversationId, follow: Option<Follow>) {
        self.queue_changed(id);
        let Some(follow) = follow.filter(|_| self.active(id).is_none()) else { return };
        let Ok(place) = self.admit() else { return };
        self.tasks.spawn(self.clone().follow_up(id.clone(), follow, place));
    }
}
