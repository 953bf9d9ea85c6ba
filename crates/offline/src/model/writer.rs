//! [`Writer`]: the model as one that only writes text.

use std::sync::Arc;

use tokio::{
    sync::{Mutex, OwnedMutexGuard, mpsc},
    task,
};
use toolwright_core::{
    FinishReason, Model, ModelDelta, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
    ModelStream, StreamSender, Usage, stream_from,
};

use super::{Today, sessions::Sessions};
use crate::{
    OfflineError, OfflineErrorKind,
    constrain::{CallForm, Constraint, Context, Lexicon, Prose, Style, Values},
    engine::{DecodeSession, Llama},
    prompt::{Prompt, Template},
    tokens::{Tokenizer, Vocabulary as _, Writing},
};

/// Pieces of text that wait for whoever listens.
const WAITING: usize = 64;
/// Fewer bytes that are certain to follow are not worth looking ahead for.
const WORTH: usize = 4;
/// No reply is longer; the constraint ends text long before.
const LONGEST: u64 = 1500;

/// The model as one that only writes text. Cloning it costs nothing.
#[derive(Clone)]
pub(super) struct Writer {
    name: Arc<str>,
    tokenizer: Arc<Tokenizer>,
    lexicon: Arc<Lexicon>,
    /// Whoever holds this writes; others wait.
    sessions: Arc<Mutex<Sessions>>,
    /// How conversations are written for it, where it was not taught here.
    template: Option<Arc<Template>>,
    today: Today,
}

/// What is to be written.
struct Task {
    tokenizer: Arc<Tokenizer>,
    prompt: Vec<u32>,
    constraint: Constraint,
    /// Closed when nobody listens any more.
    pieces: mpsc::Sender<String>,
}

impl Writer {
    pub(super) fn new(
        name: &str,
        model: Llama,
        tokenizer: Tokenizer,
        template: Option<Template>,
        today: Today,
    ) -> Self {
        let tokenizer = Arc::new(tokenizer);
        Self {
            name: name.into(),
            lexicon: Arc::new(Lexicon::new(tokenizer.clone())),
            sessions: Arc::new(Mutex::new(Sessions::new(model))),
            template: template.map(Arc::new),
            tokenizer,
            today,
        }
    }

    pub(super) fn with_today(self, today: Today) -> Self {
        Self { today, ..self }
    }

    /// How it writes calls.
    pub(super) fn calls(&self) -> CallForm {
        self.template.as_ref().map_or_else(CallForm::default, |it| it.calls())
    }

    /// Whether it points at results: our own was taught to.
    pub(super) fn points(&self) -> bool {
        self.template.is_none()
    }

    /// What is to be written next in a conversation.
    fn task(
        &self,
        request: &ModelRequest<'_>,
        pieces: mpsc::Sender<String>,
    ) -> Result<Task, OfflineError> {
        let (offered, today) = (request.tools, (self.today)());
        let tools = offered.specs();
        let (conversation, tokenizer) = (request.conversation, self.tokenizer.clone());
        let (prompt, tokens, style) = match &self.template {
            None => {
                let prompt = Prompt::render(conversation, offered, today);
                let tokens = tokenizer.conversation(&prompt.text);
                (prompt, tokens, Style::default())
            }
            Some(template) => {
                let prompt = template.render(conversation, tools, today, &tokenizer)?;
                let tokens = tokenizer.templated(&prompt.text);
                let (prose, values) = (Prose::Free, Values::Written);
                (prompt, tokens, Style { prose, values, calls: template.calls() })
            }
        };
        let Prompt { said, found, called, pointers, .. } = &prompt;
        let context = Context::answering(said, found, called, pointers);
        let context = context.asking(&conversation.request());
        let lexicon = self.lexicon.clone();
        let constraint = Constraint::new(lexicon, tools, context, &request.choice, style);
        Ok(Task { tokenizer, prompt: tokens, constraint, pieces })
    }
}

impl Model for Writer {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let (pieces, listening) = mpsc::channel(WAITING);
        let task = self.task(&request, pieces).map_err(failed);
        let sessions = self.sessions.clone();
        let outbox = StreamSender::new();
        let heard = outbox.clone();
        Box::pin(stream_from(outbox, async move {
            let reply = match task {
                Ok(task) => listen(task, sessions.lock_owned().await, listening, &heard).await,
                Err(error) => Err(error),
            };
            heard.put(reply.map(ModelDelta::Response));
        }))
    }
}

/// Has the task done on a thread of its own, and hands on what is written.
async fn listen(
    task: Task,
    mut sessions: OwnedMutexGuard<Sessions>,
    mut listening: mpsc::Receiver<String>,
    heard: &StreamSender<Result<ModelDelta, ModelError>>,
) -> Result<ModelResponse, ModelError> {
    let work = task::spawn_blocking(move || {
        let mut session = sessions.take(&task.prompt);
        let reply = task.write(&mut session);
        sessions.put(session);
        reply
    });
    while let Some(piece) = listening.recv().await {
        heard.put(Ok(ModelDelta::Text(piece)));
        heard.taken().await;
    }
    let reply = work.await.map_err(|error| OfflineError::internal(error.to_string()));
    let stopped = || ModelError::new(ModelErrorKind::BrokenReply, "the offline model was stopped");
    reply.and_then(|it| it).map_err(failed)?.ok_or_else(stopped)
}

impl Task {
    /// Writes the reply; nothing when nobody listens any more.
    fn write(mut self, session: &mut DecodeSession) -> Result<Option<ModelResponse>, OfflineError> {
        let pieces = self.pieces.clone();
        let wanted = || !pieces.is_closed();
        let Some(read) = session.advance(&self.prompt, &wanted)? else { return Ok(None) };
        let (mut writing, mut text, mut written) = (Writing::default(), String::new(), 0);
        let finish = loop {
            let tokens = self.next(session);
            // Where nothing may follow, there is no more to say.
            if tokens.is_empty() || self.constraint.is_finished() {
                break FinishReason::Stop;
            }
            let bytes = tokens.iter().flat_map(|it| self.tokenizer.bytes(*it)).copied();
            let piece = writing.push(&bytes.collect::<Vec<_>>());
            text.push_str(&piece);
            let unheard = !piece.is_empty() && self.pieces.blocking_send(piece).is_err();
            if unheard || !session.push(&tokens, &wanted)? {
                return Ok(None);
            }
            written += tokens.len() as u64;
            if written >= LONGEST {
                break FinishReason::Length;
            }
        };
        text.push_str(&writing.finish());
        let prompt_tokens = self.prompt.len() as u64;
        let usage = Usage {
            prompt_tokens,
            completion_tokens: written + 1,
            cached_tokens: prompt_tokens.saturating_sub(read as u64),
            ..Usage::default()
        };
        Ok(Some(ModelResponse { text, finish, usage, ..ModelResponse::default() }))
    }

    /// The next tokens: those that are certain, all at once, or the likeliest one.
    fn next(&mut self, session: &DecodeSession) -> Vec<u32> {
        let mut tokens = self.certain();
        if tokens.is_empty() {
            let allowed = self.constraint.allowed();
            let only = allowed.only();
            tokens.extend(only.or_else(|| session.likeliest(&|token| allowed.allows(token))));
        }
        tokens.iter().for_each(|token| self.constraint.push(*token));
        tokens
    }

    /// The tokens that are certain to follow, whatever the model thinks. The last one is not: it may
    /// go on beyond what is.
    fn certain(&self) -> Vec<u32> {
        let ahead = self.constraint.ahead();
        if ahead.len() < WORTH {
            return Vec::new();
        }
        let mut tokens = self.tokenizer.encode(&String::from_utf8_lossy(&ahead));
        tokens.pop();
        tokens
    }
}

fn failed(error: OfflineError) -> ModelError {
    let kind = match error.kind {
        OfflineErrorKind::TooLong => ModelErrorKind::TooLong,
        OfflineErrorKind::Missing | OfflineErrorKind::Damaged | OfflineErrorKind::Unsupported => {
            ModelErrorKind::NotConfigured
        }
        OfflineErrorKind::Internal => ModelErrorKind::Server,
    };
    let failed = ModelError::new(kind, error.message);
    match error.advice {
        Some(advice) => failed.with_advice(advice),
        None => failed,
    }
}
