//! [`Interrupts`]: what a client's run may be interrupted for; and [`respond`], which interrupts it once that waits.
//!
//! What is shown of a call says that somebody may have to decide about it: a rule may do so a moment later. What
//! waits is seen where it does, so that a client is asked about nothing that was decided, and about all that was not.

use std::{collections::BTreeSet, convert::Infallible, sync::Arc, time::Duration};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use serde_json::{Value, json};
use toolwright_core::{
    CallId, ConversationId, Event, EventKind, Fingerprint, Question, QuestionId, QuestionKind,
    RunId,
};

use super::stream::Stream;
use crate::{
    adapters::Telling,
    runs::{Heard, Runs, Started, Subscription, Waits},
    sse,
};

/// What the name of an interrupt begins with that a tool's question makes.
pub(super) const QUESTION: &str = "question#";

/// How soon it is looked whether what was shown waits, at first and at most.
const SOON: Duration = Duration::from_millis(20);
const RARELY: Duration = Duration::from_secs(2);

/// What a client's run may be interrupted for.
#[derive(Default)]
pub(super) struct Interrupts {
    /// Calls that somebody has to decide about, unless a rule does.
    undecided: BTreeSet<CallId>,
    /// How they were shown.
    shown: Vec<(CallId, Fingerprint, String)>,
    /// What tools asked.
    asked: Vec<(CallId, QuestionId, Asked)>,
    /// The event of the run that was told last.
    seq: u64,
}

struct Asked {
    tool: String,
    question: Arc<Question>,
}

impl Interrupts {
    /// What an event of the client's run tells of this. `within` is the agent whose run it is in, where that is not the
    /// client's.
    pub(super) fn note(&mut self, event: &Event, within: Option<&str>) {
        match &event.kind {
            EventKind::DecisionNeeded { calls } => self.undecided.extend(calls.iter().cloned()),
            EventKind::CallPreview { id, fingerprint, preview } => {
                let shown = preview.content.as_ref().map_or("Run it?", |it| it.text());
                let shown = match within {
                    Some(agent) => format!("in {agent}: {shown}"),
                    None => shown.to_owned(),
                };
                self.undecided.insert(id.clone());
                self.shown.retain(|(call, about, _)| call != id || about != fingerprint);
                self.shown.push((id.clone(), fingerprint.clone(), shown));
            }
            EventKind::DecisionMade { id, .. } => self.forget(id),
            EventKind::CallFinished { id, .. } => {
                self.forget(id);
                self.asked.retain(|(call, ..)| call != id);
            }
            EventKind::QuestionAsked { id, question_id, tool, question } => {
                let asked = Asked { tool: tool.clone(), question: question.clone() };
                self.asked.retain(|(_, question, _)| question != question_id);
                self.asked.push((id.clone(), question_id.clone(), asked));
            }
            EventKind::QuestionAnswered { question_id, .. } => {
                self.asked.retain(|(_, question, _)| question != question_id);
            }
            _ => {}
        }
    }

    /// The client was told this event of its run.
    pub(super) fn told(&mut self, event: &Event) {
        // A piece has the number of the event that it becomes.
        if !event.kind.is_provisional() {
            self.seq = event.seq;
        }
    }

    fn forget(&mut self, id: &CallId) {
        self.undecided.remove(id);
        self.shown.retain(|(call, ..)| call != id);
    }

    /// Whether something may wait.
    fn are_likely(&self) -> bool {
        !self.shown.is_empty() || !self.asked.is_empty()
    }

    /// What waits, once all does that is to be decided about.
    fn due(&self, waits: &Waits) -> Vec<Value> {
        let waits_for = |call: &CallId| waits.decisions.iter().any(|it| it.is_of(call));
        if !self.undecided.iter().all(waits_for) {
            return Vec::new();
        }
        let shown = self
            .shown
            .iter()
            .filter(|(call, about, _)| waits.decisions.iter().any(|it| it.is_about(call, about)));
        let asked = self.asked.iter().filter(|(_, it, _)| waits.questions.contains(it));
        let shown = shown.map(|(call, about, shown)| approval(call, about, shown));
        shown.chain(asked.map(|(call, id, asked)| self.question(call, id, asked))).collect()
    }

    /// A tool's question, with the form that answers it. A client that cancels it declines.
    fn question(&self, call: &CallId, id: &QuestionId, Asked { tool, question }: &Asked) -> Value {
        let asker = question.asker.as_deref().unwrap_or(tool);
        let mut interrupt = json!({
            "id": format!("{QUESTION}{id}#{}#{call}", self.seq),
            "reason": "question", "toolCallId": call,
            "message": format!("{asker} asks: {}", question.message),
            "responseSchema": question.schema(),
        });
        if let (QuestionKind::Url { url, host }, Some(it)) =
            (&question.kind, interrupt.as_object_mut())
        {
            it.insert("metadata".to_owned(), json!({"url": url, "host": host}));
        }
        interrupt
    }
}

/// A call that waits for a decision, as it was shown.
fn approval(call: &CallId, about: &Fingerprint, shown: &str) -> Value {
    json!({
        "id": format!("{call}#{about}"), "reason": "approval", "toolCallId": call,
        "message": shown,
        "responseSchema": {
            "type": "object", "required": ["approved"],
            "properties": {"approved": {"type": "boolean"}, "reason": {"type": "string"}},
        },
    })
}

/// A client's run that is told to it.
struct Told {
    runs: Arc<Runs>,
    conversation: ConversationId,
    run: RunId,
    subscription: Subscription,
    stream: Stream,
    /// How soon it is looked whether what was shown waits.
    soon: Duration,
}

/// A run as AG-UI events, to its end or to where it waits for people.
pub(super) fn respond(runs: &Arc<Runs>, started: Started, stream: Stream) -> Response {
    let Started { conversation, run, subscription } = started;
    let names = (conversation.clone(), run.clone());
    let told = Told { runs: runs.clone(), conversation, run, subscription, stream, soon: SOON };
    let said = futures_util::stream::unfold(Some(told), |told| async {
        let (text, told) = told?.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(text)), told))
    });
    let response = (sse::headers(), Body::from_stream(said)).into_response();
    sse::with_names(response, &names.0, &names.1)
}

impl Told {
    /// What is written next, and who goes on: nobody behind the last.
    async fn next(mut self) -> Option<(String, Option<Self>)> {
        loop {
            let heard = match self.stream.interrupts.are_likely() {
                true => tokio::select! {
                    biased;
                    heard = self.subscription.next() => Some(heard?),
                    () = tokio::time::sleep(self.soon) => None,
                },
                false => Some(self.subscription.next().await?),
            };
            match heard {
                Some(Heard::Frames(frames)) => {
                    self.soon = SOON;
                    let told: Vec<_> =
                        frames.iter().flat_map(|it| self.stream.tell(&it.event)).collect();
                    return Some((written(&told), Some(self)));
                }
                // Only that the connection still stands.
                Some(_) => return Some((": \n\n".to_owned(), Some(self))),
                None => {
                    self.soon = self.soon.saturating_mul(2).min(RARELY);
                    let waits = waits(&self.runs, &self.conversation, &self.run).await;
                    let due = waits.map(|it| self.stream.interrupts.due(&it)).unwrap_or_default();
                    if !due.is_empty() {
                        return Some((written(&self.stream.interrupted(&due)), None));
                    }
                }
            }
        }
    }
}

/// What a run waits for. Where that cannot be read now it is looked again.
async fn waits(runs: &Runs, id: &ConversationId, run: &RunId) -> Option<Waits> {
    let going = runs.going(id).await.ok()??;
    match going.run == *run {
        true => runs.waits(&going).await.ok(),
        false => None,
    }
}

fn written(told: &[Value]) -> String {
    told.iter().map(|value| format!("data: {value}\n\n")).collect()
}
