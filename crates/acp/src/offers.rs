//! [`settle`]: tools of strangers, put to the user before a model is offered them.
//!
//! The protocol has no question of its own for that. It is asked as a permission, for a call that is none of a
//! model's: every editor shows those.

use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::{Value, json};

use crate::{
    ForeignState, ToolOffer,
    client::Client,
    rpc::with,
    session::{EditorSession, Turn},
    tool_call::{fenced, text},
    turn::tell,
};

const APPROVE: &str = "allow_always";
const DECLINE: &str = "reject_once";
/// How many offers that were declined are remembered: one who changes its tools all the time is asked about
/// no more.
const MOST: usize = 64;

/// Offers that the user declined in this session: nobody is asked twice about the same.
#[derive(Default)]
pub(crate) struct DeclinedOffers {
    seen: Mutex<HashSet<String>>,
    asked: AtomicU64,
}

impl DeclinedOffers {
    fn has(&self, text: &str) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.len() >= MOST || seen.contains(text)
    }

    fn add(&self, text: String) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
    }
}

/// Asks about all that nobody approved yet; false where the prompt was cancelled meanwhile.
pub(crate) async fn settle(session: &EditorSession, turn: &Turn, client: &Client) -> bool {
    for foreign in &session.opened().foreign {
        let state = tokio::select! {
            biased;
            () = turn.cancel.cancelled() => return false,
            state = foreign.state() => state,
        };
        match state {
            ForeignState::Offered(offer) if !session.declined.has(&offer.text) => {
                ask(session, turn, client, offer).await;
            }
            ForeignState::Unavailable(reason) if !session.declined.has(&reason) => {
                tell(session, client, &reason).await;
                session.declined.add(reason);
            }
            _ => {}
        }
    }
    !turn.cancel.is_cancelled()
}

/// Tells of the call, asks, and tells what became of it.
async fn ask(session: &EditorSession, turn: &Turn, client: &Client, offer: ToolOffer) {
    let nth = session.declined.asked.fetch_add(1, Ordering::Relaxed);
    let id = format!("approve-tools-{nth}");
    let ToolOffer { title, text: shown, approve } = offer;
    let call = json!({
        "toolCallId": id, "title": title, "kind": "other", "status": "pending",
        "content": [fenced("", &shown)],
    });
    let begun = with(call.clone(), "sessionUpdate", "tool_call");
    if client.update(&session.id, begun).await.is_err() {
        return;
    }
    let option = |id: &str, name: &str| json!({"optionId": id, "name": name, "kind": id});
    let options = [option(APPROVE, "Approve them as they are"), option(DECLINE, "Not now")];
    let params = json!({"sessionId": session.id, "toolCall": call, "options": options});
    let answered = async { client.ask("session/request_permission", params).await.ok()?.await };
    let outcome = tokio::select! {
        biased;
        () = turn.cancel.cancelled() => None,
        outcome = answered => outcome,
    };
    let failed = match is_approval(outcome) {
        true => approve().err().map(|error| format!("They could not be approved: {error}")),
        false => {
            if !turn.cancel.is_cancelled() {
                session.declined.add(shown);
            }
            Some("Not approved: no model is offered them.".to_owned())
        }
    };
    let ended = json!({"sessionUpdate": "tool_call_update", "toolCallId": id});
    let ended = match failed {
        None => with(ended, "status", "completed"),
        Some(reason) => with(with(ended, "status", "failed"), "content", vec![text(&reason)]),
    };
    let _ = client.update(&session.id, ended).await;
}

fn is_approval(outcome: Option<Result<Value, Value>>) -> bool {
    let outcome = outcome.and_then(Result::ok).unwrap_or_default();
    let said = |what: &str| outcome.get("outcome")?.get(what)?.as_str();
    said("outcome") == Some("selected") && said("optionId") == Some(APPROVE)
}
