//! [`page`]: the sessions that editors began, the newest first.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use serde_json::{Value, json};
use toolwright_core::{ConversationId, Timestamp};
use toolwright_store::{ConversationPage, Cursor};

use crate::{
    Host,
    params::List,
    rpc::{RpcError, with},
};

/// How many sessions are told at once, how many conversations are looked at at once, and how often.
const PAGE: usize = 50;
const LOOKED_AT: usize = 200;
const LOOKS: usize = 10;

/// A part of the list.
pub(crate) async fn page(host: &Arc<dyn Host>, list: List) -> Result<Value, RpcError> {
    let known = host.known().map_err(|error| RpcError::of(&error))?;
    let folders: HashMap<ConversationId, PathBuf> =
        known.into_iter().map(|it| (it.id, it.cwd)).collect();
    let mut before = list.cursor.as_deref().map(cursor).transpose()?;
    let mut sessions = Vec::new();
    for _ in 0..LOOKS {
        let page = ConversationPage { before: before.clone(), limit: LOOKED_AT };
        let found = host.store().list(&page).await.map_err(|error| RpcError::of(&error))?;
        let is_last = found.len() < LOOKED_AT;
        for summary in found {
            if sessions.len() >= PAGE {
                return Ok(told(&sessions, before));
            }
            before = Some(summary.cursor());
            let Some(cwd) = folders.get(&summary.id) else { continue };
            if list.cwd.as_ref().is_none_or(|wanted| wanted == cwd) {
                sessions.push(json!({
                    "sessionId": summary.id, "cwd": cwd, "title": summary.title,
                    "updatedAt": moment(summary.updated_at),
                }));
            }
        }
        if is_last {
            return Ok(told(&sessions, None));
        }
    }
    Ok(told(&sessions, before))
}

fn told(sessions: &[Value], next: Option<Cursor>) -> Value {
    let told = json!({"sessions": sessions});
    match next {
        Some(next) => with(told, "nextCursor", format!("{}:{}", next.updated_at.0, next.id)),
        None => told,
    }
}

fn cursor(text: &str) -> Result<Cursor, RpcError> {
    let wrong = || RpcError::invalid_params("`cursor` is none that was given by session/list");
    let (at, id) = text.split_once(':').ok_or_else(wrong)?;
    let updated_at = Timestamp(at.parse().map_err(|_| wrong())?);
    Ok(Cursor { updated_at, id: id.into() })
}

/// A moment as the protocol writes it; nothing where it is none.
pub(crate) fn moment(at: Timestamp) -> Option<String> {
    let at = i64::try_from(at.0).ok()?;
    Some(jiff::Timestamp::from_millisecond(at).ok()?.to_string())
}
