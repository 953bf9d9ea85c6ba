//! [`RunContext`]: what a tool needs and the model must never see.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

use serde::{Deserialize, Serialize};

use super::{
    blocking::{Awaited, BlockingExecutor},
    context_key::{ContextKey, ValueKey},
};
use crate::{
    CallId, MAX_QUESTIONS, Question, QuestionAnswer, QuestionAsker, QuestionCount, QuestionError,
    RunId,
};

/// Values for one run, found by their type: an access token, a user id, a database handle.
///
/// It has no `Serialize` and its `Debug` shows no value, so what is in it cannot end up in a
/// message, a log line or a trace. Cloning is cheap.
#[derive(Clone, Default)]
pub struct RunContext {
    shared: Arc<Shared>,
    run: Option<RunId>,
    call: Option<CallId>,
    watch: Option<CallObserver>,
    /// Who does work that holds up its thread.
    executor: Option<BlockingExecutor>,
    awaited: Option<Awaited>,
    questions: Option<Arc<Questions>>,
    /// What whoever drives the run gives to calls that are runs themselves.
    host: Option<Arc<dyn Any + Send + Sync>>,
}

/// The questions of one call.
struct Questions {
    asker: QuestionAsker,
    asked: AtomicU32,
    open: AtomicU32,
}

#[derive(Clone, Default)]
struct Shared {
    values: HashMap<TypeId, (ValueKey, Arc<dyn Any + Send + Sync>)>,
    labels: Vec<(String, String)>,
    secrets: Vec<Arc<str>>,
    /// Made when it is first asked for.
    key: OnceLock<ContextKey>,
}

/// Who is told what a call says while it runs.
pub type CallObserver = Arc<dyn Fn(ToolUpdate) + Send + Sync>;

/// What is said about a call while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolUpdate {
    /// The tool says how far it is.
    Progress(String),
    /// A layer did something.
    Note(PolicyNote),
    /// What there was of its result when it was broken off.
    Partial(String),
}

/// Something a policy layer did about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct PolicyNote {
    /// The layer: `cache`, `retry`, `breaker`, …
    pub layer: String,
    /// What it did, in a word: `hit`, `again`, `opened`, …
    pub action: String,
    /// The same in a sentence, for people.
    pub message: String,
}

impl RunContext {
    /// A context that holds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing one of the same type. Nothing is known of it, so it is never taken for
    /// another: results that were cached with it serve only runs that were given this very context, or
    /// a clone of it. [`with_hashed`](Self::with_hashed) is for values that can be compared.
    #[must_use]
    pub fn with<T: Any + Send + Sync>(self, value: T) -> Self {
        self.insert(ValueKey::unique(), value)
    }

    /// As [`with`](Self::with), for a value that is known by its hash: results that were cached with it
    /// serve every run that was given an equal one. What hashes alike must be alike: of an access
    /// token all that decides what it gives access to.
    #[must_use]
    pub fn with_hashed<T: Any + Send + Sync + Hash>(self, value: T) -> Self {
        self.insert(ValueKey::of(&value), value)
    }

    fn insert<T: Any + Send + Sync>(mut self, key: ValueKey, value: T) -> Self {
        self.shared_mut().values.insert(TypeId::of::<T>(), (key, Arc::new(value)));
        self
    }

    /// Names something about the run that is no secret, the user say. What is cached for one is not
    /// given to another, so a label that is new with every run leaves nothing to be cached.
    #[must_use]
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.shared_mut().labels.push((name.into(), value.into()));
        self
    }

    /// Names a text that must not be seen by a model, in a log or on a screen, whatever returns
    /// it: results in which it occurs are changed.
    #[must_use]
    pub fn secret(mut self, text: impl Into<Arc<str>>) -> Self {
        self.shared_mut().secrets.push(text.into());
        self
    }

    /// The value of this type, if the run was given one.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        let (_, value) = self.shared.values.get(&TypeId::of::<T>())?;
        value.downcast_ref()
    }

    /// The label of this name, if the run was given one.
    pub fn labelled(&self, name: &str) -> Option<&str> {
        let found = self.shared.labels.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The texts nobody may see. For the layer that removes them.
    pub fn secrets(&self) -> &[Arc<str>] {
        &self.shared.secrets
    }

    /// What of it a result may depend on. Part of what a cached result is kept under.
    pub fn key(&self) -> ContextKey {
        let Shared { values, labels, secrets, key } = &*self.shared;
        let values = values.iter().map(|(kind, (key, _))| (*kind, *key));
        *key.get_or_init(|| ContextKey::new(values, labels, secrets))
    }

    /// The run whose call this context was handed to.
    pub fn run(&self) -> Option<&RunId> {
        self.run.as_ref()
    }

    /// The call this context was handed to.
    pub fn call(&self) -> Option<&CallId> {
        self.call.as_ref()
    }

    /// Tells whoever watches how far the call has got. Costs nothing when nobody does.
    pub fn progress(&self, text: impl Into<String>) {
        if let Some(watch) = &self.watch {
            watch(ToolUpdate::Progress(text.into()));
        }
    }

    /// Leaves what there is of the result of a call that is being broken off: for what is dropped with the
    /// call's future. Where that came of a stop, or because its time was up, it is told with that.
    pub fn partial(&self, text: impl Into<String>) {
        if let Some(watch) = &self.watch {
            watch(ToolUpdate::Partial(text.into()));
        }
    }

    /// Tells whoever watches what a layer did.
    pub fn note(&self, layer: &str, action: &str, message: impl Into<String>) {
        if let Some(watch) = &self.watch {
            let (layer, action, message) = (layer.into(), action.into(), message.into());
            watch(ToolUpdate::Note(PolicyNote { layer, action, message }));
        }
    }

    /// Asks the user something and waits for the answer, which is valid for the question. Where nobody can
    /// be asked it is [`QuestionAnswer::Decline`]. While it waits neither the call's time nor the run's
    /// passes. Dropping it withdraws the question.
    ///
    /// ```
    /// use toolwright_core::{
    ///     Output, Question, QuestionAnswer, QuestionField, RunContext, ToolError, ToolResult,
    /// };
    ///
    /// async fn book(context: &RunContext) -> ToolResult {
    ///     let question = Question::new("For how many?").field(QuestionField::integer("guests").required());
    ///     match context.ask(question).await? {
    ///         QuestionAnswer::Accept { content } => Ok(Output::Text(format!("{} places", content["guests"]))),
    ///         _ => Err(ToolError::new("The user did not say for how many.")),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    /// When the question may not be put to a user, or the call has asked too often.
    pub async fn ask(&self, question: Question) -> Result<QuestionAnswer, QuestionError> {
        let question = question.checked()?;
        let Some(questions) = self.questions.clone() else { return Ok(QuestionAnswer::Decline) };
        let more = |asked| (asked < MAX_QUESTIONS).then_some(asked + 1);
        if questions.asked.fetch_update(Relaxed, Relaxed, more).is_err() {
            return Err(QuestionError::TooMany);
        }
        let _open = OpenQuestion::new(&questions.open);
        Ok((questions.asker)(question).await)
    }

    /// How many questions the call has asked.
    pub fn questions(&self) -> QuestionCount {
        let Some(questions) = &self.questions else { return QuestionCount::default() };
        let (asked, open) = (questions.asked.load(Relaxed), questions.open.load(Relaxed));
        QuestionCount { asked, open }
    }

    /// The same context, with questions put to the user by `asker`. For whoever drives runs; one call has
    /// one, so that its questions are counted.
    #[must_use]
    pub fn with_asker(&self, asker: QuestionAsker) -> Self {
        let (asked, open) = (AtomicU32::new(0), AtomicU32::new(0));
        Self { questions: Some(Arc::new(Questions { asker, asked, open })), ..self.clone() }
    }

    /// The same context, for a call of this run. For whoever drives runs.
    #[must_use]
    pub fn of_run(&self, run: RunId) -> Self {
        Self { run: Some(run), ..self.clone() }
    }

    /// The context as one call sees it.
    #[must_use]
    pub fn for_call(&self, call: CallId, watch: CallObserver) -> Self {
        Self { call: Some(call), watch: Some(watch), ..self.clone() }
    }

    /// The same context, with `watch` told in the place of whoever was told before; that one, if
    /// there is any, is handed to it to pass things on.
    #[must_use]
    pub fn watched(&self, watch: impl FnOnce(Option<CallObserver>) -> CallObserver) -> Self {
        Self { watch: Some(watch(self.watch.clone())), ..self.clone() }
    }

    /// The same context, with work that holds up its thread done by `executor`. For whoever drives runs.
    #[must_use]
    pub fn with_executor(&self, executor: BlockingExecutor) -> Self {
        Self { executor: Some(executor), ..self.clone() }
    }

    /// The same context, with what a call needs that is a run itself. For whoever drives runs; no result depends
    /// on it.
    #[must_use]
    pub fn with_host<T: Any + Send + Sync>(&self, host: T) -> Self {
        Self { host: Some(Arc::new(host)), ..self.clone() }
    }

    /// What a call needs that is a run itself.
    pub fn host<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.host.as_deref()?.downcast_ref()
    }

    /// The same context as a run within the run sees it: with what is missing in it taken from `defaults`, and
    /// without what is one call's.
    #[must_use]
    pub fn within(&self, defaults: &Self) -> Self {
        let mut shared = Shared::clone(&self.shared);
        for (kind, value) in &defaults.shared.values {
            shared.values.entry(*kind).or_insert_with(|| value.clone());
        }
        let has = |labels: &[(String, String)], name: &str| labels.iter().any(|(it, _)| it == name);
        let labels = defaults.shared.labels.iter().filter(|(name, _)| !has(&shared.labels, name));
        let labels: Vec<_> = labels.cloned().collect();
        shared.labels.extend(labels);
        shared.secrets.extend(defaults.shared.secrets.iter().cloned());
        shared.key = OnceLock::new();
        Self { shared: Arc::new(shared), executor: self.executor, ..Self::default() }
    }

    /// Whether nobody waits for the call any more, because it took too long or the run was stopped.
    /// Only told to a tool that [runs on a thread](Self::run_blocking), which can then stop, too; any
    /// other is simply dropped.
    pub fn is_cancelled(&self) -> bool {
        self.awaited.as_ref().is_some_and(Awaited::is_over)
    }

    pub(super) fn executor(&self) -> Option<BlockingExecutor> {
        self.executor
    }

    pub(super) fn awaited(&self, awaited: Awaited) -> Self {
        Self { awaited: Some(awaited), ..self.clone() }
    }

    fn shared_mut(&mut self) -> &mut Shared {
        let shared = Arc::make_mut(&mut self.shared);
        shared.key = OnceLock::new();
        shared
    }
}

/// Counts a question that waits, also where the wait is broken off.
struct OpenQuestion<'a>(&'a AtomicU32);

impl<'a> OpenQuestion<'a> {
    fn new(open: &'a AtomicU32) -> Self {
        open.fetch_add(1, Relaxed);
        Self(open)
    }
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl fmt::Debug for RunContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunContext")
            .field("values", &format_args!("[{} hidden]", self.shared.values.len()))
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}
