//! Logs that are taken in by somebody who sees only what is theirs.
//!
//! Names of conversations and runs are everybody's: that one is taken would tell that somebody has it. So what is not the
//! importer's already is called by a name that is made of its own and of whose it is, whether anybody else has one of
//! that name or not. It is the same each time, so importing twice changes nothing.

use std::collections::HashMap;

use toolwright_core::{BranchPoint, ConversationId, Digest, Event, EventKind, RunId, RunTree};

use crate::{Store, StoreError, branches, ledger::check_id};

impl Store {
    /// The events, under names that say nothing about what others have.
    pub(crate) async fn adopted(&self, mut events: Vec<Event>) -> Result<Vec<Event>, StoreError> {
        let Some(owner) = self.view.only() else { return Ok(events) };
        let mut conversations: HashMap<ConversationId, (ConversationId, RunTree)> = HashMap::new();
        let mut runs: HashMap<RunId, (RunId, ConversationId)> = HashMap::new();
        for event in &events {
            let EventKind::RunStarted { conversation_id: id, .. } = &event.kind else { continue };
            // What no conversation is called is refused later.
            if check_id(id.as_str()).is_err() {
                continue;
            }
            if !conversations.contains_key(id) {
                let known = match self.ledger(id).await? {
                    Some(ledger) => {
                        (id.clone(), branches::of(&self.backend, &ledger).await?.tree())
                    }
                    None => (adopted(owner, "conversation", id.as_str()).into(), RunTree::new()),
                };
                conversations.insert(id.clone(), known);
            }
            let Some((id, tree)) = conversations.get(id) else { continue };
            let run = match tree.origin(&event.run) {
                Some(_) => event.run.clone(),
                None => adopted(owner, "run", event.run.as_str()).into(),
            };
            runs.insert(event.run.clone(), (run, id.clone()));
        }
        for event in &mut events {
            rename(event, &runs);
        }
        Ok(events)
    }
}

/// Calls an event's run and conversation by their new names. What begins with no beginning is refused later.
fn rename(event: &mut Event, runs: &HashMap<RunId, (RunId, ConversationId)>) {
    let Some((run, conversation)) = runs.get(&event.run) else { return };
    event.run.clone_from(run);
    let from = match &event.kind {
        EventKind::RunStarted { after: Some(BranchPoint::Event { run, seq }), .. } => {
            let run = runs.get(run).map_or(run, |(run, _)| run).clone();
            Some(BranchPoint::Event { run, seq: *seq })
        }
        EventKind::RunStarted { after, .. } => after.clone(),
        _ => None,
    };
    event.kind.move_to(conversation);
    if let EventKind::RunStarted { after, .. } = &mut event.kind {
        *after = from;
    }
}

fn adopted(owner: &str, kind: &str, name: &str) -> String {
    let digest = Digest::of(format!("{kind}\0{owner}\0{name}").as_bytes()).to_string();
    format!("imported_{}", digest.get(..32).unwrap_or_default())
}
