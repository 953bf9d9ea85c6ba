//! [`CallLogging`]: what log lines say about a call; and [`CallLog`], which writes them.

use std::{
    collections::HashMap,
    fmt::Display,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use toolwright_core::{
    CallId, ConversationId, Event, EventKind, Message, Observer, Run, RunId, Status, ToolMessage,
    truncate_line,
};
use tracing::level_filters::LevelFilter;

/// What log lines say about a call. A library does not know who reads its log: names, sizes and times
/// are told to everybody, what was said only where that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallLogging {
    /// Which tool, how long, how much.
    #[default]
    Names,
    /// And what it was called with, and the beginning of what it returned.
    Contents,
}

/// How much of a result stands in a log line.
const PREVIEW: usize = 120;
/// How much of the arguments stands in the line about a result.
const ARGUMENTS: usize = 1000;
/// How much of a name: a model may make one up.
const NAME: usize = 64;

/// A call that has its result, however it came by it.
pub(crate) struct Finished<'a> {
    pub(crate) conversation: Option<&'a ConversationId>,
    pub(crate) call: Option<&'a CallId>,
    pub(crate) tool: &'a str,
    pub(crate) arguments: Option<&'a dyn Display>,
    pub(crate) status: Status,
    pub(crate) text: &'a str,
    pub(crate) elapsed_ms: f64,
    pub(crate) guard: Option<&'a str>,
}

impl CallLogging {
    /// Whether anybody may hear of calls. Not `tracing::enabled!`: with filters for each layer that spoils
    /// the next span of the thread.
    pub(crate) fn is_heard() -> bool {
        LevelFilter::current() >= LevelFilter::INFO
    }

    fn executing(self, call: &CallId, tool: &str, arguments: Option<&Value>) {
        let arguments = arguments.map(Value::to_string).unwrap_or_default();
        match self {
            Self::Contents => {
                tracing::info!(call = %call, "[execute_tool] Executing: {tool} {arguments}");
            }
            Self::Names => {
                let bytes = arguments.len();
                tracing::info!(call = %call, bytes, "[execute_tool] Executing: {tool}");
            }
        }
    }

    /// The one line that every call has.
    pub(crate) fn finished(self, call: &Finished<'_>) {
        let contents = self == Self::Contents;
        let arguments = call.arguments.filter(|_| contents);
        tracing::info!(
            conversation = call.conversation.map(tracing::field::display),
            call = call.call.map(tracing::field::display),
            tool = truncate_line(call.tool, NAME),
            arguments = arguments.map(|it| truncate_line(&it.to_string(), ARGUMENTS)),
            status = %call.status,
            guard = call.guard,
            latency_ms = call.elapsed_ms,
            bytes = call.text.len(),
            result = contents.then(|| truncate_line(call.text, PREVIEW)),
            "[execute_tool] finished"
        );
    }
}

/// Writes the log lines about the calls of a run. A fold of its events: whatever becomes of a call,
/// it has its line, also where it was never run.
pub(crate) struct CallLog {
    log: CallLogging,
    conversation: ConversationId,
    /// What the open calls were called with.
    open: Mutex<HashMap<(RunId, CallId), Arc<Value>>>,
}

impl CallLog {
    /// For the run as it stands.
    pub(crate) fn new(log: CallLogging, run: &Run) -> Self {
        let of = |id: &CallId| (run.id().clone(), id.clone());
        let open = run.open_calls().map(|(id, arguments)| (of(id), arguments.clone()));
        let (conversation, open) = (run.conversation_id().clone(), Mutex::new(open.collect()));
        Self { log, conversation, open }
    }

    fn finished(&self, event: &Event, id: &CallId, tool: &str, guard: Option<&str>, ms: f64) {
        let EventKind::CallFinished { message, .. } = &event.kind else { return };
        let Message::Tool(ToolMessage { outcome, .. }) = &**message else { return };
        let arguments = self.open().remove(&(event.run.clone(), id.clone()));
        self.log.finished(&Finished {
            conversation: Some(&self.conversation),
            call: Some(id),
            tool,
            arguments: arguments.as_deref().map(|it| it as &dyn Display),
            status: outcome.status,
            text: &outcome.text,
            elapsed_ms: ms,
            guard,
        });
    }

    fn open(&self) -> MutexGuard<'_, HashMap<(RunId, CallId), Arc<Value>>> {
        // Nothing under it panics half way.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for CallLog {
    fn observe(&self, event: &Event) {
        if !CallLogging::is_heard() {
            return;
        }
        let key = |id: &CallId| (event.run.clone(), id.clone());
        match &event.kind {
            EventKind::ToolCalls { tool_calls } => {
                self.open().extend(tool_calls.iter().map(|it| (key(&it.id), it.args.clone())));
            }
            EventKind::CallChecked { id, arguments: args, .. } => {
                self.open().insert(key(id), args.clone());
            }
            EventKind::CallStarted { id, tool } => {
                let arguments = self.open().get(&key(id)).cloned();
                self.log.executing(id, tool, arguments.as_deref());
            }
            EventKind::CallFinished { id, tool, elapsed_ms, guard, .. } => {
                self.finished(event, id, tool, guard.as_deref(), *elapsed_ms);
            }
            EventKind::Nested { event, .. } => self.observe(event),
            _ => {}
        }
    }
}
