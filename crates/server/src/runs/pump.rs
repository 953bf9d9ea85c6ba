//! [`to_the_end`]: drives a run, and hands its events to whoever listens.

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use toolwright_core::{Event, EventKind, Failure, FailureKind, RunId, Timestamp, Usage};
use toolwright_runtime::RunStream;

use super::channel::Channel;

/// How far a run has come.
pub(super) struct Mark {
    run: RunId,
    seq: u64,
    round: u32,
    at: Timestamp,
    is_ended: bool,
    is_answered: bool,
}

impl Mark {
    pub(super) fn of(event: &Event) -> Self {
        let is_ended = event.kind.is_terminal();
        let is_answered = matches!(event.kind, EventKind::Done(_));
        let (run, seq, round, at) = (event.run.clone(), event.seq, event.round, event.at);
        Self { run, seq, round, at, is_ended, is_answered }
    }
}

/// Drives a run to its end, from where it is; whether that is an answer.
///
/// Should it break, whoever listens is told so: a stream has an end, always.
pub(super) async fn to_the_end(running: RunStream, channel: Arc<Channel>, mut mark: Mark) -> bool {
    let driven = AssertUnwindSafe(drive(running, &channel, &mut mark)).catch_unwind().await;
    let is_answered = mark.is_answered;
    if driven.is_err() && !mark.is_ended {
        tracing::error!(conversation = %channel.id, run = %mark.run, "a run broke");
        channel.push(broken(&channel, mark));
    }
    is_answered
}

async fn drive(mut running: RunStream, channel: &Channel, mark: &mut Mark) {
    while let Some(event) = running.next().await {
        if !event.kind.is_provisional() {
            *mark = Mark::of(&event);
        }
        channel.push(event);
    }
}

/// The end of a run that broke. It is not kept: the log says that the run was cut short.
fn broken(channel: &Channel, mark: Mark) -> Event {
    let failure = Failure {
        kind: FailureKind::Interrupted,
        message: "the run broke off because of a fault in the server".to_owned(),
        advice: Some("ask again; the server's log says more".to_owned()),
        response: String::new(),
        tool_calls: Vec::new(),
        usage: Usage::default(),
        cost: None,
        conversation_id: channel.id.clone(),
    };
    let Mark { run, seq, round, at, .. } = mark;
    Event { seq: seq + 1, run, round, at, kind: EventKind::Error(Box::new(failure)) }
}
