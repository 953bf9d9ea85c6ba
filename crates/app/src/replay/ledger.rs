//! [`Ledger`]: what calls returned, and what was decided about them, by tool and arguments.

use std::{
    collections::HashMap,
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{
    CallId, CallPreview, Decision, Event, EventKind, Message, OpaqueCommand, Outcome, Output,
    RunContext, Status, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec,
};
use toolwright_runtime::{ApprovalRequest, Approver};

/// What a model is told of a call that the log does not have.
pub(super) const STAND_IN: &str = "This is a replay, and the log has no result of this call: the tool was \
    not run. Go on without it.";
const NO_DECISION: &str = "this is a replay, and in the log nobody decided about this call.";

/// What calls returned, and what was decided about them, by tool and arguments: in the order of the log among
/// those that are the same.
#[derive(Clone, Default)]
pub(super) struct Ledger(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    results: Vec<Entry<(Outcome, Option<String>)>>,
    /// What was decided, or what a call failed with that nobody was asked about.
    decisions: Vec<Entry<Result<Decision, Outcome>>>,
    stand_ins: usize,
}

struct Entry<T> {
    tool: String,
    arguments: Arc<Value>,
    what: T,
    is_used: bool,
}

impl Ledger {
    /// Adds what these events tell.
    pub(super) fn add(&self, events: &[Event]) {
        let mut entries = self.lock();
        let mut checked = HashMap::<&CallId, (&String, &Arc<Value>)>::new();
        let (mut started, mut whole) = (Vec::new(), HashMap::<&CallId, &String>::new());
        let mut decided = Vec::new();
        for event in events {
            match &event.kind {
                EventKind::CallChecked { id, tool, arguments, .. } => {
                    checked.insert(id, (tool, arguments));
                }
                EventKind::CallStarted { id, .. } => started.push(id),
                EventKind::FullResult { id, text } => {
                    whole.insert(id, text);
                }
                EventKind::DecisionMade { id, decision, .. } => {
                    decided.push(id);
                    if let Some((tool, arguments)) = checked.get(id) {
                        entries.decisions.push(Entry::new(tool, arguments, Ok(decision.clone())));
                    }
                }
                EventKind::CallFinished { id, message, .. } if started.contains(&id) => {
                    let Message::Tool(result) = &**message else { continue };
                    if let Some((tool, arguments)) = checked.get(id) {
                        let whole = whole.get(id).map(|it| (*it).clone());
                        let what = (result.outcome.clone(), whole);
                        entries.results.push(Entry::new(tool, arguments, what));
                    }
                }
                // It could not work, and so nobody was asked.
                EventKind::CallFinished {
                    id,
                    message,
                    status: Status::Failed | Status::Refused,
                    ..
                } if !decided.contains(&id) => {
                    let Message::Tool(result) = &**message else { continue };
                    if let Some((tool, arguments)) = checked.get(id) {
                        let failed = Err(result.outcome.clone());
                        entries.decisions.push(Entry::new(tool, arguments, failed));
                    }
                }
                _ => {}
            }
        }
    }

    /// How many calls the log does not have.
    pub(super) fn stand_ins(&self) -> usize {
        self.lock().stand_ins
    }

    fn result(&self, tool: &str, arguments: &Value) -> ToolResult {
        let mut entries = self.lock();
        match taken(&mut entries.results, tool, arguments) {
            Some((outcome, whole)) => returned(&outcome, whole),
            None => {
                entries.stand_ins += 1;
                Err(ToolError::new(STAND_IN))
            }
        }
    }

    /// What the next call like this failed with, where nobody was asked about it.
    fn failure(&self, tool: &str, arguments: &Value) -> Option<ToolError> {
        let mut entries = self.lock();
        let next =
            entries.decisions.iter_mut().find(|it| !it.is_used && it.fits(tool, arguments))?;
        let outcome = next.what.as_ref().err()?;
        let failure = returned(outcome, None).err();
        next.is_used = true;
        failure
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Entry<T> {
    fn new(tool: &str, arguments: &Arc<Value>, what: T) -> Self {
        Self { tool: tool.to_owned(), arguments: arguments.clone(), what, is_used: false }
    }

    fn fits(&self, tool: &str, arguments: &Value) -> bool {
        self.tool == tool && *self.arguments == *arguments
    }
}

/// The next entry for this, or the last one once more.
fn taken<T: Clone>(entries: &mut [Entry<T>], tool: &str, arguments: &Value) -> Option<T> {
    let fits = |it: &Entry<T>| it.fits(tool, arguments);
    let next = entries.iter().position(|it| !it.is_used && fits(it));
    let at = next.or_else(|| entries.iter().rposition(fits))?;
    let entry = entries.get_mut(at)?;
    entry.is_used = true;
    Some(entry.what.clone())
}

/// What a tool gave back, found out from what became of it.
fn returned(outcome: &Outcome, whole: Option<String>) -> ToolResult {
    let kind = match outcome.status {
        Status::Ok => {
            let text = whole.unwrap_or_else(|| outcome.said().to_owned());
            let output = match (&outcome.words, &outcome.data) {
                (Some(words), data) => Output::Structured {
                    json: text,
                    words: words.clone(),
                    data: data.clone().unwrap_or_default(),
                },
                (None, Some(data)) => Output::readable(outcome.unmarked(), data.clone()),
                (None, None) => Output::Text(text),
            };
            return Ok(outcome.attachments.iter().cloned().fold(output, Output::attach));
        }
        Status::TimedOut => ToolErrorKind::TimedOut,
        Status::Refused => ToolErrorKind::Refused,
        _ if outcome.data.is_some() => ToolErrorKind::Unsuccessful,
        _ => ToolErrorKind::Lasting,
    };
    Err(ToolError::new(outcome.reason()).of_kind(kind))
}

/// A tool that is not run: the log says what it returns.
pub(super) struct LoggedTool {
    tool: Arc<dyn Tool>,
    ledger: Ledger,
}

impl LoggedTool {
    /// These tools, none of which is run.
    pub(super) fn all(tools: Vec<Arc<dyn Tool>>, ledger: &Ledger) -> Vec<Arc<dyn Tool>> {
        let logged = |tool| Arc::new(Self { tool, ledger: ledger.clone() }) as Arc<dyn Tool>;
        tools.into_iter().map(logged).collect()
    }
}

impl Tool for LoggedTool {
    fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        _context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(ready(self.ledger.result(&self.spec().name, &arguments)))
    }

    fn opaque_commands(&self, arguments: &Value) -> Vec<OpaqueCommand> {
        self.tool.opaque_commands(arguments)
    }

    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        _context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        let failure = self.ledger.failure(&self.spec().name, arguments);
        Box::pin(ready(CallPreview { failure, ..CallPreview::default() }))
    }
}

/// Nobody is asked: what was decided is decided again.
impl Approver for Ledger {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let (tool, arguments) = (&question.call.tool, &question.call.arguments);
        let decided = taken(&mut self.lock().decisions, tool, arguments).and_then(Result::ok);
        Box::pin(ready(decided.unwrap_or_else(|| Decision::deny(NO_DECISION))))
    }

    fn wants(&self, tool: &ToolSpec) -> bool {
        self.lock().decisions.iter().any(|it| it.tool == tool.name && it.what.is_ok())
    }
}
