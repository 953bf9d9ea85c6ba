//! [`Writer`]: the model as one that only writes text.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::{sync::mpsc, task};
use toolwright_core::{
    Conversation, FinishReason, Message, Model, ModelDelta, ModelError, ModelErrorKind,
    ModelRequest, ModelResponse, ModelStream, StreamSender, ToolChoice, ToolDefinitions, ToolSpec,
    Usage, stream_from,
};

use super::{
    Today, decoder::Decoder, draft::Draft, prefixes::Prefixes, repeats::repeats,
    sessions::Sessions, turns::Turns, vain::in_vain,
};
use crate::{
    OfflineError, OfflineErrorKind,
    constrain::{CallForm, Constraint, Context, Lexicon, Prose, Style, Values},
    engine::{DecodeSession, Llama, portions},
    prompt::{Prompt, Template, spaced},
    tokens::{Tokenizer, Vocabulary as _, Writing},
};

/// Pieces of text that wait for whoever listens.
const WAITING: usize = 64;
/// No reply is longer; the constraint ends text long before.
const LONGEST: usize = 1500;
/// How much less likely than words a call may be that our own model writes in their place, in reply to a question. It is too
/// sure of what it was taught: it refused many a fair question in words that it had not read before, and called nothing that
/// nobody wanted. So chosen on the questions of the evaluation that may be looked at.
const LEAN: f32 = 2.0;
/// The same of tools that it was not taught, which it calls too readily: a call must be likelier than words. Chosen on 120
/// questions of BFCL: of those that no tool fits 93 % are refused; of 60 others, 92 %.
const LEAN_FOREIGN: f32 = -1.0;

/// The model as one that only writes text. Cloning it costs nothing.
#[derive(Clone)]
pub(super) struct Writer {
    name: Arc<str>,
    tokenizer: Arc<Tokenizer>,
    lexicon: Arc<Lexicon>,
    sessions: Arc<Mutex<Sessions>>,
    turns: Turns,
    /// What conversations begin with, where that is kept.
    prefixes: Option<Prefixes>,
    draft: Draft,
    /// How conversations are written for it, where it was not taught here.
    template: Option<Arc<Template>>,
    today: Today,
}

/// What is to be written.
struct Task {
    tokenizer: Arc<Tokenizer>,
    sessions: Arc<Mutex<Sessions>>,
    turns: Turns,
    prefixes: Option<Prefixes>,
    prompt: Vec<u32>,
    /// How many of them every conversation with these tools begins with; then the same of fewer tools.
    beginnings: Vec<usize>,
    constraint: Constraint,
    draft: Draft,
    lean: Option<f32>,
    /// Closed when nobody listens any more.
    pieces: mpsc::Sender<String>,
}

impl Writer {
    pub(super) fn new(
        name: &str,
        model: Llama,
        tokenizer: Arc<Tokenizer>,
        template: Option<Template>,
        today: Today,
    ) -> Self {
        Self {
            name: name.into(),
            lexicon: Arc::new(Lexicon::new(tokenizer.clone())),
            sessions: Arc::new(Mutex::new(Sessions::new(model))),
            turns: Turns::new(),
            prefixes: None,
            draft: Draft::default(),
            template: template.map(Arc::new),
            tokenizer,
            today,
        }
    }

    pub(super) fn with_today(self, today: Today) -> Self {
        Self { today, ..self }
    }

    pub(super) fn one_by_one(self) -> Self {
        Self { draft: Draft::off(), ..self }
    }

    /// The same model, which keeps what conversations begin with.
    pub(super) fn with_prefixes(self, prefixes: Prefixes) -> Self {
        Self { prefixes: Some(prefixes), ..self }
    }

    /// How it writes calls.
    pub(super) fn calls(&self) -> CallForm {
        self.template.as_ref().map_or_else(CallForm::default, |it| it.calls())
    }

    /// Whether it points at results: our own was taught to.
    pub(super) fn points(&self) -> bool {
        self.template.is_none()
    }

    /// How many of a prompt's tokens every conversation with its tools begins with, and every one with the tools of its
    /// first groups alone; the most first.
    fn beginnings(&self, prompt: &[u32], tools: &[Arc<ToolSpec>]) -> Vec<usize> {
        let group = |spec: &Arc<ToolSpec>| spec.group.as_ref().map(|it| it.name.clone());
        let ends = tools.windows(2).enumerate().filter_map(|(at, pair)| match pair {
            [one, next] => (group(one) != group(next)).then_some(at + 1),
            _ => None,
        });
        let ends: Vec<_> = ends.chain([tools.len()]).collect();
        let shared = ends.into_iter().rev().filter_map(|end| tools.get(..end)).map(|tools| {
            let other = self.tokenizer.conversation(&Prompt::beginning(tools));
            prompt.iter().zip(&other).take_while(|(one, other)| one == other).count()
        });
        shared.collect()
    }

    /// Reads what every conversation with these tools begins with, and keeps it, unless that was done. False where somebody
    /// asked something meanwhile, who goes first: then it is done in part.
    pub(super) async fn prepare(&self, tools: &ToolDefinitions) -> bool {
        let Some(prefixes) = self.prefixes.clone().filter(|_| self.points()) else { return true };
        let today = (self.today)();
        let prompt = Prompt::render(&Conversation::new(), tools, today);
        let mut prompt = self.tokenizer.conversation(&prompt.text);
        let length = self.beginnings(&prompt, tools.specs()).first().copied();
        prompt.truncate(length.unwrap_or_default());
        if !prefixes.is_new(&prompt) {
            return true;
        }
        let Some(place) = self.turns.place().await else { return true };
        let (sessions, turns) = (self.sessions.clone(), self.turns.clone());
        let reading = task::spawn_blocking(move || {
            let mut session = locked(&sessions).take(&prompt);
            let read = portions(session.keep(&prompt)).try_for_each(|portion| {
                let _turn = turns.wait();
                // What is wrong with the model is told to whoever asks it.
                let is_read = turns.is_alone() && session.push(portion, &|| true).unwrap_or(false);
                is_read.then_some(())
            });
            if read.is_some() {
                prefixes.keep(&session);
            }
            locked(&sessions).put(session);
            drop(place);
            read.is_some()
        });
        reading.await.unwrap_or(true)
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
        let mut beginnings = Vec::new();
        let (prompt, tokens, style) = match &self.template {
            None => {
                let prompt = Prompt::render(conversation, offered, today);
                let tokens = tokenizer.conversation(&prompt.text);
                beginnings = self.beginnings(&tokens, tools);
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
        let context = context.asking(&conversation.request()).on(today);
        let lexicon = self.lexicon.clone();
        let constraint = Constraint::new(lexicon, tools, context, &request.choice, style);
        let constraint = match request.choice {
            ToolChoice::Auto => constraint.without(made(conversation, tools, style.calls)),
            _ => constraint,
        };
        if let ToolChoice::Tool(name) = &request.choice
            && let Some(reason) = constraint.unwritable(name)
        {
            return Err(unwritable(name, reason));
        }
        Ok(Task {
            tokenizer,
            sessions: self.sessions.clone(),
            turns: self.turns.clone(),
            prefixes: self.prefixes.clone(),
            prompt: tokens,
            beginnings,
            constraint,
            draft: self.draft.clone(),
            lean: (self.points() && is_asked(conversation)).then(|| lean(tools)),
            pieces,
        })
    }
}

impl Model for Writer {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let (pieces, listening) = mpsc::channel(WAITING);
        let task = self.task(&request, pieces).map_err(failed);
        let outbox = StreamSender::new();
        let heard = outbox.clone();
        Box::pin(stream_from(outbox, async move {
            let reply = match task {
                Ok(task) => listen(task, listening, &heard).await,
                Err(error) => Err(error),
            };
            heard.put(reply.map(ModelDelta::Response));
        }))
    }
}

/// Has the task done on a thread of its own, and hands on what is written.
async fn listen(
    task: Task,
    mut listening: mpsc::Receiver<String>,
    heard: &StreamSender<Result<ModelDelta, ModelError>>,
) -> Result<ModelResponse, ModelError> {
    let place = task.turns.place().await;
    let work = task::spawn_blocking(move || {
        let mut session = task.session();
        let (sessions, prefixes) = (task.sessions.clone(), task.prefixes.clone());
        // What stands behind the first group is read with it seldom.
        let first = match *task.beginnings.as_slice() {
            [only] => task.prompt.get(..only).unwrap_or_default().to_vec(),
            _ => Vec::new(),
        };
        let reply = task.write(&mut session);
        let is_read = session.shared(&first) == first.len();
        if let Some(prefixes) = prefixes.filter(|it| is_read && it.is_new(&first)) {
            let session = session.fork(&first);
            // Nobody waits for this: the reply is there.
            task::spawn_blocking(move || prefixes.keep(&session));
        }
        locked(&sessions).put(session);
        drop(place);
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

/// Nobody changes them half way: one who panicked left them as they were.
fn locked(sessions: &Mutex<Sessions>) -> MutexGuard<'_, Sessions> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Task {
    /// A session that has read as much of the prompt as can be had.
    fn session(&self) -> DecodeSession {
        let mut sessions = locked(&self.sessions);
        let read = sessions.shared(&self.prompt);
        let more = self.beginnings.iter().take_while(|length| read < **length);
        let kept = self.prefixes.as_ref().and_then(|prefixes| {
            let mut first = more.filter_map(|length| self.prompt.get(..*length));
            first.find_map(|first| prefixes.find(sessions.model(), first))
        });
        match kept {
            Some(kept) => {
                sessions.make_room(self.prompt.len());
                kept
            }
            None => sessions.take(&self.prompt),
        }
    }

    /// Writes the reply; nothing when nobody listens any more.
    fn write(self, session: &mut DecodeSession) -> Result<Option<ModelResponse>, OfflineError> {
        let Self { tokenizer, turns, prompt, mut constraint, draft, lean, pieces, .. } = self;
        let wanted = || !pieces.is_closed();
        let decoder = Decoder::new(session, &mut constraint, &tokenizer, &turns, draft.clone());
        let mut decoder = decoder.leaning(lean);
        let Some(read) = decoder.read(&prompt, &wanted)? else { return Ok(None) };
        let (mut writing, mut text, mut written) = (Writing::default(), String::new(), Vec::new());
        let finish = loop {
            let Some(tokens) = decoder.next(&wanted)? else { return Ok(None) };
            // Where nothing may follow, there is no more to say.
            if tokens.is_empty() || decoder.is_finished() {
                break FinishReason::Stop;
            }
            let bytes = tokens.iter().flat_map(|it| tokenizer.bytes(*it)).copied();
            let piece = writing.push(&bytes.collect::<Vec<_>>());
            text.push_str(&piece);
            if !piece.is_empty() && pieces.blocking_send(piece).is_err() {
                return Ok(None);
            }
            written.extend(tokens);
            if written.len() >= LONGEST || repeats(&written) {
                break FinishReason::Length;
            }
        };
        text.push_str(&writing.finish());
        draft.note(&prompt, &written);
        let prompt_tokens = prompt.len() as u64;
        let usage = Usage {
            prompt_tokens,
            completion_tokens: written.len() as u64 + 1,
            cached_tokens: prompt_tokens.saturating_sub(read as u64),
            ..Usage::default()
        };
        Ok(Some(ModelResponse { text, finish, usage, ..ModelResponse::default() }))
    }
}

/// Whether nothing was called yet in reply to the question.
fn is_asked(conversation: &Conversation) -> bool {
    let messages = conversation.messages().iter().rev();
    !messages.take_while(|it| !it.is_question()).any(|it| matches!(&**it, Message::Tool(_)))
}

/// The calls that would bring nothing new, as they are written.
fn made<'a>(
    conversation: &'a Conversation,
    tools: &[Arc<ToolSpec>],
    form: CallForm,
) -> impl Iterator<Item = String> + use<'a> {
    let calls = in_vain(conversation, tools).into_iter();
    calls.filter_map(move |call| Some(form.call(&call.name, &spaced(&call.parse().ok()?))))
}

/// How much less likely than words a call of these tools may be.
fn lean(tools: &[Arc<ToolSpec>]) -> f32 {
    // Tools that it was not taught say seldom how people ask for them.
    let is_foreign = tools.iter().all(|it| it.examples.is_empty());
    if is_foreign { LEAN_FOREIGN } else { LEAN }
}

/// Why the call that is wanted cannot be written.
fn unwritable(tool: &str, reason: &str) -> OfflineError {
    OfflineError::unsupported(format!(
        "The offline model cannot be held to the form of `{tool}`: its schema has {reason}."
    ))
    .with_advice("Say it in simpler words of JSON Schema, or ask another model.")
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
