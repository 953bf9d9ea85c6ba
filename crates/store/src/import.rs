//! [`ImportReport`]: taking in logs that were written elsewhere.
//!
//! A log is taken in as it is or not at all. What is there already is left alone if it is the same,
//! so importing twice, or going on after a crash, changes nothing.
//!
//! A run that does not say where it goes on from follows the run before it *in its own log*. Here, something
//! else may stand before it: then it is written down where it goes on from. So two copies of a conversation in which
//! both sides went on hang together alike wherever they are brought together.

use std::collections::HashMap;

use toolwright_core::{
    BranchPoint, CallId, Conversation, ConversationId, Event, EventKind, Message, Run, RunId,
    RunTree, VERSION,
};

use crate::{
    StoreError,
    ledger::{Claim, check_id},
    record::{Record, Stored},
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
    pub(crate) runs: Vec<GivenRun>,
}

/// A run as somebody else has it.
pub(crate) struct GivenRun {
    pub(crate) id: RunId,
    /// Where it goes on from, in their log.
    from: BranchPoint,
    pub(crate) records: Vec<Record>,
}

/// What a conversation here lacks of a bundle.
#[derive(Default)]
pub(crate) struct Lacking {
    pub(crate) records: Vec<Record>,
    /// Runs that are new or grow.
    pub(crate) runs: usize,
    /// Events that are there already.
    pub(crate) known: usize,
}

impl Lacking {
    /// Adds what is lacking of a run, of which this much is stored, to a conversation whose runs hang together so.
    pub(crate) fn take(
        &mut self,
        given: &GivenRun,
        stored: &[Stored],
        tree: &mut RunTree,
    ) -> Result<(), StoreError> {
        let GivenRun { id, from, records } = given;
        let shared = stored.len().min(records.len());
        let differs = records.iter().zip(stored).position(|(record, stored)| !record.is(stored));
        // Where it goes on from is said by its first event, or by what stands before that.
        let moved = tree.origin(id).is_some_and(|here| here != from).then_some(0);
        if let Some(at) = differs.or(moved.filter(|_| shared > 0)) {
            return Err(StoreError::Conflict(format!(
                "event {at} of run {id} is there already and says something else"
            )));
        }
        let new = records.get(shared..).unwrap_or_default();
        self.known += shared;
        self.runs += usize::from(!new.is_empty());
        let events = u64::try_from(records.len()).unwrap_or(u64::MAX);
        match new.split_first().filter(|_| shared == 0) {
            Some((first, rest)) => {
                let first = first.clone();
                let follows = *from == tree.end();
                self.records.push(if follows { first } else { first.going_on_from(from)? });
                self.records.extend_from_slice(rest);
                tree.begin(id.clone(), Some(from.clone()), events);
            }
            None => {
                self.records.extend_from_slice(new);
                tree.grow(id, events);
            }
        }
        Ok(())
    }
}

/// What is to be added to one conversation.
pub(crate) struct Addition {
    pub(crate) id: ConversationId,
    /// Nothing where the conversation is not there yet.
    pub(crate) claim: Option<Claim>,
    /// Whose it is then.
    pub(crate) owner: Option<String>,
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
    let mut histories: HashMap<ConversationId, (Run, RunTree)> = HashMap::new();
    for events in runs(events) {
        let id = conversation(&events)?;
        let (before, mut tree) = histories.remove(&id).unzip();
        let run = replay(&events, before)?;
        let tree = tree.get_or_insert_default();
        let from = origin(&events).unwrap_or_else(|| tree.end());
        events.iter().for_each(|event| tree.take(event));
        let place = *places.entry(id.clone()).or_insert(bundles.len());
        if place == bundles.len() {
            check_id(id.as_str())?;
            bundles.push(Bundle { id: id.clone(), runs: Vec::new() });
        }
        if let Some(bundle) = bundles.get_mut(place) {
            let records = Record::all(events)?.into_iter().map(Record::imported).collect();
            bundle.runs.push(GivenRun { id: run.id().clone(), from, records });
        }
        histories.insert(id, (run, std::mem::take(tree)));
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

/// Where a run says that it goes on from.
fn origin(events: &[&Event]) -> Option<BranchPoint> {
    match events.first().map(|event| &event.kind) {
        Some(EventKind::RunStarted { after, .. }) => after.clone(),
        _ => None,
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
    let before = before.filter(|_| origin(events).is_none());
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
