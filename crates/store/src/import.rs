//! [`ImportReport`]: taking in logs that were written elsewhere.
//!
//! A log is taken in as it is or not at all. What is there already is left alone if it is the same,
//! so importing twice, or going on after a crash, changes nothing.

use std::collections::HashMap;

use toolwright_core::{
    CallId, Conversation, ConversationId, Event, EventKind, Message, Run, RunId, VERSION,
};

use crate::{
    StoreError,
    ledger::{Claim, check_id},
    record::Record,
};

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportReport {
    /// Conversations that are new or have grown.
    pub conversations: usize,
    /// Runs that are new or have grown.
    pub runs: usize,
    /// Events that were added.
    pub events: usize,
    /// Events that were there already.
    pub known: usize,
}

/// The runs of one conversation, in the order in which they were given.
pub(crate) struct Bundle {
    pub(crate) id: ConversationId,
    pub(crate) runs: Vec<(RunId, Vec<Record>)>,
}

/// What is to be added to one conversation.
pub(crate) struct Addition {
    pub(crate) id: ConversationId,
    /// Nothing where the conversation is not there yet.
    pub(crate) claim: Option<Claim>,
    pub(crate) records: Vec<Record>,
}

impl Addition {
    /// Somebody made the conversation while the import was being prepared.
    pub(crate) fn appeared(&self) -> StoreError {
        StoreError::Conflict(format!(
            "the conversation {} has just been begun; import again",
            self.id
        ))
    }
}

/// Sorts events into conversations and checks every run.
pub(crate) fn bundles(events: &[Event]) -> Result<Vec<Bundle>, StoreError> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut places: HashMap<ConversationId, usize> = HashMap::new();
    let mut histories: HashMap<ConversationId, Run> = HashMap::new();
    for events in runs(events) {
        let id = conversation(&events)?;
        let before = histories.remove(&id);
        let run = replay(&events, before)?;
        let place = *places.entry(id.clone()).or_insert(bundles.len());
        if place == bundles.len() {
            check_id(id.as_str())?;
            bundles.push(Bundle { id: id.clone(), runs: Vec::new() });
        }
        if let Some(bundle) = bundles.get_mut(place) {
            let records = Record::all(events)?.into_iter().map(Record::imported);
            bundle.runs.push((run.id().clone(), records.collect()));
        }
        histories.insert(id, run);
    }
    Ok(bundles)
}

/// The events of each run, in the order in which runs appear. What is shown and not kept is left
/// out.
fn runs(events: &[Event]) -> Vec<Vec<&Event>> {
    let mut runs: Vec<Vec<&Event>> = Vec::new();
    let mut places: HashMap<&RunId, usize> = HashMap::new();
    for event in events.iter().filter(|event| !event.kind.is_provisional()) {
        let place = *places.entry(&event.run).or_insert(runs.len());
        match runs.get_mut(place) {
            Some(run) => run.push(event),
            None => runs.push(vec![event]),
        }
    }
    runs
}

fn conversation(events: &[&Event]) -> Result<ConversationId, StoreError> {
    match events.first().map(|event| (&event.kind, &event.run)) {
        Some((EventKind::RunStarted { version, conversation_id, .. }, run)) => {
            if *version != VERSION {
                return Err(StoreError::Invalid(format!(
                    "run {run} is written in version {version} of the event format, and only version \
                     {VERSION} is known here"
                )));
            }
            Ok(conversation_id.clone())
        }
        Some((_, run)) => {
            Err(StoreError::Invalid(format!("run {run} does not begin with `run_started`")))
        }
        None => Err(StoreError::Invalid("a run has no events".to_owned())),
    }
}

/// The run, if the events are one, and one that may follow the run before it.
fn replay(events: &[&Event], before: Option<Run>) -> Result<Run, StoreError> {
    if let Some(before) = before.as_ref().filter(|before| !before.is_ended()) {
        return Err(StoreError::Invalid(format!(
            "run {} has not ended, and another one of its conversation follows",
            before.id()
        )));
    }
    let last = events.iter().rposition(|event| event.kind.is_terminal());
    let begins = events.iter().filter(|event| matches!(event.kind, EventKind::RunStarted { .. }));
    if last.is_some_and(|last| last + 1 < events.len()) || begins.count() != 1 {
        let run = events.first().map(|event| event.run.to_string()).unwrap_or_default();
        return Err(StoreError::Invalid(format!("run {run} has events behind its end")));
    }
    // What a run says that goes on from elsewhere is looked at by itself.
    let branches = events
        .first()
        .is_some_and(|event| matches!(event.kind, EventKind::RunStarted { after: Some(_), .. }));
    let before = before.filter(|_| !branches);
    let history = before.map(Run::into_conversation).unwrap_or_default();
    let run = Run::replay(history, events.iter().copied());
    let run = run.map_err(|error| StoreError::Invalid(error.to_string()))?;
    match unanswered(run.conversation()).filter(|_| run.is_ended()) {
        Some(call) => Err(StoreError::Invalid(format!(
            "run {} ended, and its call {call} has no result",
            run.id()
        ))),
        None => Ok(run),
    }
}

/// A call without a result.
fn unanswered(conversation: &Conversation) -> Option<CallId> {
    let mut open: Vec<&CallId> = Vec::new();
    for message in conversation.messages() {
        match &**message {
            Message::Tool(result) => open.retain(|call| **call != result.call),
            other => open.extend(other.calls().iter().map(|call| &call.id)),
        }
    }
    open.first().map(|call| (*call).clone())
}
