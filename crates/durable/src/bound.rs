//! [`Bound`]: what Restate keeps for workers at an address where none is any more, and how others get it.
//!
//! Restate has a slice that was begun driven at the address where it was begun, for ever: where nobody is there any
//! more it stands still, and with it whatever is asked in that conversation afterwards. What such a slice did is in our log,
//! so others may go on with it as after any crash.

use std::{collections::BTreeMap, time::Duration};

use http::StatusCode;
use serde_json::{Value, json};
use toolwright_session::EngineError;

use crate::{Admin, object::NAME, trouble::USUAL};

/// How many are looked at.
const MOST: usize = 1_000;
/// How often, and how soon, it is looked whether Restate has let go of one: it answers before it does.
const LOOKS: usize = 20;
const SOON: Duration = Duration::from_millis(200);

/// Slices that Restate keeps for workers at an address where none is any more, while new work goes elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The deployment, as Restate names it.
    pub deployment: String,
    /// Its address; none where it was taken out of Restate.
    pub address: Option<String>,
    /// The slices, as Restate names them: one for each conversation.
    pub(crate) slices: Vec<String>,
}

/// A slice that Restate has under way.
struct Under {
    deployment: String,
    is_paused: bool,
}

/// A slice that is to be driven elsewhere, and how far that is.
struct Moving {
    slice: String,
    from: String,
    has_paused: bool,
    was_seen_there: bool,
}

impl Moving {
    fn all(bound: Bound) -> impl Iterator<Item = Self> {
        let Bound { deployment: from, slices, .. } = bound;
        let moving = move |slice| Self {
            slice,
            from: from.clone(),
            has_paused: false,
            was_seen_there: false,
        };
        slices.into_iter().map(moving)
    }
}

impl Bound {
    /// How many conversations stand still for it.
    pub fn conversations(&self) -> usize {
        self.slices.len()
    }

    /// Where workers were, as a person knows it.
    pub fn place(&self) -> String {
        match &self.address {
            Some(address) => address.clone(),
            None => format!("an address that was taken out of Restate ({})", self.deployment),
        }
    }
}

impl Admin {
    /// What Restate keeps for workers at addresses where none is any more. What fails where new work goes is not among it:
    /// that goes on when workers are there.
    ///
    /// # Errors
    /// When Restate does not answer, or does not tell.
    pub async fn bound(&self) -> Result<Vec<Bound>, EngineError> {
        let Some(current) = self.current().await? else { return Ok(Vec::new()) };
        let query = format!(
            "select id, pinned_deployment_id from sys_invocation where target_service_name = '{NAME}' \
             and status <> 'completed' and pinned_deployment_id is not null \
             and pinned_deployment_id <> '{current}' and (status = 'paused' or retry_count > {USUAL}) \
             limit {MOST}"
        );
        let mut kept = BTreeMap::<String, Vec<String>>::new();
        for row in self.rows(&query).await? {
            if let (Some(id), Some(at)) = (text(&row, "id"), text(&row, "pinned_deployment_id")) {
                kept.entry(at).or_default().push(id);
            }
        }
        let mut bound = Vec::new();
        for (deployment, slices) in kept {
            let address = self.known_uri(&deployment).await?;
            let is_gone = match &address {
                Some(uri) => self.is_gone(uri).await?,
                None => true,
            };
            if is_gone {
                bound.push(Bound { deployment, address, slices });
            }
        }
        Ok(bound)
    }

    /// Has what Restate keeps for workers that are gone driven where new work goes: how many conversations go on. Nothing
    /// changes where no worker is there, either.
    ///
    /// # Errors
    /// When Restate does not answer, or does not tell.
    pub async fn hand_on(&self) -> Result<usize, EngineError> {
        let mut moving: Vec<_> = self.bound().await?.into_iter().flat_map(Moving::all).collect();
        if moving.is_empty() {
            return Ok(0);
        }
        let Some(current) = self.registered().await? else { return Ok(0) };
        if let Err(error) = self.reaches(&current).await {
            tracing::debug!(%error, "what is kept for workers that are gone waits for others");
            return Ok(0);
        }
        let all = moving.len();
        // All of them in turn: Restate answers at once, and does it a moment later.
        for _ in 0..LOOKS {
            let mut left = Vec::new();
            for mut slice in moving {
                if !self.unbind(&mut slice).await? {
                    left.push(slice);
                }
            }
            moving = left;
            if moving.is_empty() {
                break;
            }
            tokio::time::sleep(SOON).await;
        }
        Ok(all - moving.len())
    }

    /// Does what is next for a slice to be driven where new work goes; whether it is. It is paused for that first, and Restate
    /// keeps what it has of it. Others may do the same at the same time: whoever has paused it sees to it that it goes on.
    async fn unbind(&self, moving: &mut Moving) -> Result<bool, EngineError> {
        let slice = &moving.slice;
        let Some(under) = self.under(slice).await? else { return Ok(true) };
        match (under.deployment != moving.from, under.is_paused) {
            (false, _) => {}
            (true, true) if moving.has_paused => {}
            // Somebody else was quicker, and what was asked for here may still have it paused there.
            (true, false) if moving.has_paused && !moving.was_seen_there => {
                moving.was_seen_there = true;
                return Ok(false);
            }
            (true, _) => return Ok(true),
        }
        if !under.is_paused {
            let url = self.api.url(&format!("invocations/{slice}/pause"));
            moving.has_paused |= self.api.patch(&url).await?.status.is_success();
            return Ok(false);
        }
        let mut url = self.api.url(&format!("invocations/{slice}/resume"));
        url.set_query(Some("deployment=latest"));
        // Refused where somebody else was quicker: the next look tells.
        self.api.patch(&url).await.map(|answer| answer.status.is_success())
    }

    /// A slice, where it is under way.
    async fn under(&self, slice: &str) -> Result<Option<Under>, EngineError> {
        let query = format!(
            "select status, pinned_deployment_id from sys_invocation \
             where id = '{slice}' and status <> 'completed'"
        );
        let rows = self.rows(&query).await?;
        Ok(rows.first().map(|row| Under {
            deployment: text(row, "pinned_deployment_id").unwrap_or_default(),
            is_paused: row.get("status").is_some_and(|it| it == "paused"),
        }))
    }

    /// What Restate answers a question about itself with.
    pub(crate) async fn rows(&self, query: &str) -> Result<Vec<Value>, EngineError> {
        let answer = self.api.post("query", &json!({ "query": query })).await?;
        let rows = answer.body.get("rows").and_then(Value::as_array);
        match rows.filter(|_| answer.status.is_success()) {
            Some(rows) => Ok(rows.clone()),
            None => Err(self.api.strange(&answer)),
        }
    }

    /// The address of a deployment; none where Restate knows of none.
    pub(crate) async fn known_uri(&self, deployment: &str) -> Result<Option<String>, EngineError> {
        let answer = self.api.get(&format!("deployments/{deployment}")).await?;
        match answer.status {
            StatusCode::NOT_FOUND if !answer.said().is_empty() => Ok(None),
            _ => self.uri_of(&answer).map(Some),
        }
    }
}

fn text(row: &Value, name: &str) -> Option<String> {
    row.get(name)?.as_str().map(str::to_owned)
}
