//! [`LoggedRun`]: a run as the log has it.

use toolwright_core::{
    BranchPoint, Conversation, ConversationId, Event, EventKind, FailureKind, FinishReason,
    Message, ModelError, ModelResponse, Run, RunError, RunId, RunTree, ToolChoice, Usage,
    UserMessage,
};
use toolwright_models::Exchange;
use toolwright_store::{Store, StoreError};

use crate::AppError;

/// How many events are read at a time.
const PAGE: usize = 500;

/// A run as the log has it.
pub(super) struct LoggedRun {
    pub(super) events: Vec<Event>,
}

/// The runs of a conversation, and how they hang together.
pub(super) struct Log {
    pub(super) runs: Vec<LoggedRun>,
    tree: RunTree,
}

impl Log {
    pub(super) async fn read(store: &Store, id: &ConversationId) -> Result<Self, AppError> {
        let (runs, mut tree) = (runs(store, id).await?, RunTree::new());
        runs.iter().flat_map(|run| &run.events).for_each(|event| tree.take(event));
        Ok(Self { runs, tree })
    }

    /// Those that lead to the end of the newest, the oldest first.
    pub(super) fn newest(&self) -> Vec<&LoggedRun> {
        let path = self.tree.newest();
        self.runs.iter().filter(|run| path.runs().any(|id| run.is(id))).collect()
    }

    /// Whether a run follows all of the run before it in the log.
    pub(super) fn follows(&self, run: &LoggedRun) -> bool {
        let at = self.runs.iter().position(|it| std::ptr::eq(it, run)).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|at| self.runs.get(at)?.id());
        self.origin(run).run() == before
            && before.and_then(|id| self.tree.end_of(id)).is_none_or(|end| end == self.origin(run))
    }

    /// What had been said when a run began.
    ///
    /// # Errors
    /// When the log is none.
    pub(super) fn history(&self, run: &LoggedRun) -> Result<Conversation, AppError> {
        let path = self.tree.branch_to(&self.origin(run));
        let mut history = Conversation::new();
        for (id, count) in path.stretches() {
            let Some(run) = self.runs.iter().find(|run| run.is(id)) else { continue };
            let events = run.events.iter().take(usize::try_from(count).unwrap_or(usize::MAX));
            history = Run::replay(history, events).map_err(damaged)?.into_conversation();
        }
        Ok(history)
    }

    fn origin(&self, run: &LoggedRun) -> BranchPoint {
        let origin = run.id().and_then(|id| self.tree.origin(id));
        origin.cloned().unwrap_or(BranchPoint::Start)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "errors are handed over")]
fn damaged(error: RunError) -> AppError {
    AppError::from(StoreError::Damaged { place: None, what: error.to_string() })
}

/// The runs of a conversation, in order.
async fn runs(store: &Store, id: &ConversationId) -> Result<Vec<LoggedRun>, AppError> {
    let (mut runs, mut after) = (Vec::<LoggedRun>::new(), None);
    loop {
        let page = store.events(id, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        for (position, event) in page {
            after = Some(position);
            match runs.last_mut() {
                Some(run) if run.events.first().is_some_and(|it| it.run == event.run) => {
                    run.events.push(event);
                }
                _ => runs.push(LoggedRun { events: vec![event] }),
            }
        }
        if is_last {
            return Ok(runs);
        }
    }
}

impl LoggedRun {
    fn id(&self) -> Option<&RunId> {
        self.events.first().map(|it| &it.run)
    }

    fn is(&self, id: &RunId) -> bool {
        self.id() == Some(id)
    }

    /// What began it.
    pub(super) fn started(&self) -> Option<&EventKind> {
        let kinds = self.events.iter().map(|it| &it.kind);
        kinds.into_iter().find(|it| matches!(it, EventKind::RunStarted { .. }))
    }

    /// The model that was asked.
    pub(super) fn model(&self) -> &str {
        match self.started() {
            Some(EventKind::RunStarted { model, .. }) => model,
            _ => "",
        }
    }

    /// When it began, in milliseconds since 1970.
    pub(super) fn at(&self) -> Option<u64> {
        self.events.first().map(|it| it.at.0)
    }

    /// What was asked.
    pub(super) fn question(&self) -> Option<&UserMessage> {
        let first = self.events.iter().map(|it| &it.kind);
        let first = first.take_while(|it| !matches!(it, EventKind::RoundStarted { .. }));
        let said = first.filter_map(|kind| match kind {
            EventKind::Message { message, .. } => match &**message {
                Message::User(user) if user.is_question() => Some(user),
                _ => None,
            },
            _ => None,
        });
        said.last()
    }

    /// What the model said, or how it failed, in order.
    pub(super) fn replies(&self) -> Vec<Result<ModelResponse, ModelError>> {
        self.events.iter().filter_map(|it| said(&it.kind)).collect()
    }

    /// What the model was sent and what it said, and the conversation that all this leads to.
    ///
    /// # Errors
    /// When the log is none.
    pub(super) fn exchanges(
        &self,
        history: &Conversation,
    ) -> Result<(Vec<Exchange>, Conversation), AppError> {
        let (mut exchanges, mut choice) = (Vec::new(), ToolChoice::Auto);
        for (at, event) in self.events.iter().enumerate() {
            if let EventKind::RoundStarted { tool_choice, .. } = &event.kind {
                choice = tool_choice.clone();
            }
            let Some(said) = said(&event.kind) else { continue };
            // Folded as when a run is resumed: what the model was sent is what the events before it say.
            let before = self.events.iter().take(at);
            let run = Run::replay(history.clone(), before).map_err(damaged)?;
            let exchange = Exchange::new(self.model(), run.conversation()).choice(&choice);
            exchanges.push(match said {
                Ok(reply) => exchange.replied(reply),
                Err(error) => exchange.failed(error),
            });
        }
        let run = Run::replay(history.clone(), &self.events).map_err(damaged)?;
        Ok((exchanges, run.into_conversation()))
    }
}

/// What a model said, or how it failed, where this tells of it.
fn said(kind: &EventKind) -> Option<Result<ModelResponse, ModelError>> {
    match kind {
        EventKind::Reply { message, finish, usage } => reply(message, *finish, *usage).map(Ok),
        EventKind::Error(failure) => match failure.kind {
            FailureKind::Model(kind) => {
                let mut error = ModelError::new(kind, failure.message.clone());
                error.advice.clone_from(&failure.advice);
                Some(Err(error))
            }
            _ => None,
        },
        _ => None,
    }
}

fn reply(message: &Message, finish: FinishReason, usage: Usage) -> Option<ModelResponse> {
    let Message::Assistant(said) = message else { return None };
    let said = said.clone();
    let (text, reasoning, calls) = (said.content, said.reasoning, said.calls);
    Some(ModelResponse {
        text,
        reasoning,
        calls,
        finish,
        usage,
        model: said.model,
        extra: said.extra,
    })
}
