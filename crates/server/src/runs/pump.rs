//! [`to_the_end`]: drives a run, and hands its events to whoever listens.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tokio::time;
use toolwright_app::Showing;
use toolwright_core::{Event, EventKind, Failure, FailureKind, RunId, Timestamp, Usage};
use toolwright_runtime::RunStream;
use toolwright_store::Store;

use super::channel::Channel;

/// How far a run has come.
pub(super) struct Mark {
    run: RunId,
    /// The position of its event 0.
    origin: u64,
    seq: u64,
    round: u32,
    at: Timestamp,
    end: Option<End>,
}

/// How a run ended here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It has its answer.
    Answered,
    /// It has none.
    Failed,
    /// It was left for whoever resumes it.
    Left,
    /// It could not be kept any more: somebody else may go on with it.
    NotKept,
}

impl Mark {
    pub(super) fn of(event: &Event, origin: u64) -> Self {
        let (run, seq, round, at) = (event.run.clone(), event.seq, event.round, event.at);
        Self { run, origin, seq, round, at, end: end(event) }
    }

    fn move_to(&mut self, event: &Event) {
        (self.seq, self.round, self.at) = (event.seq, event.round, event.at);
        self.end = end(event);
    }

    fn position(&self, event: &Event) -> u64 {
        self.origin.saturating_add(event.seq)
    }
}

fn end(event: &Event) -> Option<End> {
    match &event.kind {
        EventKind::Done(_) => Some(End::Answered),
        EventKind::Error(failure) if is_not_kept(failure) => Some(End::NotKept),
        EventKind::Error(_) => Some(End::Failed),
        _ => None,
    }
}

/// Whether a run ended because it could not be kept. Then its end is not, either.
fn is_not_kept(failure: &Failure) -> bool {
    matches!(failure.kind, FailureKind::Storage(_))
}

/// Drives a run to its end, from where it is; how it ended.
///
/// Should it break, whoever listens is told so: a stream has an end, always.
pub(super) async fn to_the_end(
    running: RunStream,
    channel: &Channel,
    store: &Store,
    mut mark: Mark,
) -> End {
    let driven = AssertUnwindSafe(drive(running, channel, store, &mut mark)).catch_unwind().await;
    match (driven, mark.end) {
        (_, Some(end)) => end,
        (Ok(()), None) => End::Left,
        (Err(_), None) => {
            tracing::error!(conversation = %channel.id, run = %mark.run, "a run broke");
            let position = mark.origin.saturating_add(mark.seq).saturating_add(1);
            channel.show(position, broken(channel, mark));
            // What was kept of it last may not have been heard.
            End::NotKept
        }
    }
}

async fn drive(mut running: RunStream, channel: &Channel, store: &Store, mark: &mut Mark) {
    let mut showing = Showing::to_others(store, &channel.id);
    loop {
        let next = match showing.as_mut().and_then(Showing::due) {
            Some(due) => match time::timeout_at(due, running.next()).await {
                Ok(next) => next,
                Err(_) => {
                    showing.iter_mut().for_each(Showing::show);
                    continue;
                }
            },
            None => running.next().await,
        };
        let Some(event) = next else { return };
        let position = mark.position(&event);
        if event.kind.is_provisional() {
            showing.iter_mut().for_each(|it| it.add(position, &event));
            channel.show(position, event);
            continue;
        }
        // Whoever heard it is shown it with what it is a part of.
        showing.iter_mut().for_each(Showing::forget);
        mark.move_to(&event);
        match mark.end {
            // Nothing in the log has this place, so nobody goes on behind it.
            Some(End::NotKept) if is_taken_over(store, channel, mark).await => {}
            Some(End::NotKept) => channel.show(position, event),
            _ => channel.put(position, event),
        }
    }
}

/// Whether somebody else goes on with a run that could not be kept here: then it has not ended.
async fn is_taken_over(store: &Store, channel: &Channel, mark: &Mark) -> bool {
    if !store.is_shared() {
        return false;
    }
    match store.open_run(&channel.id).await {
        // By now it may have ended elsewhere.
        Ok(None) => true,
        Ok(Some(open)) => *open.run.id() != mark.run || open.is_held || open.has_spec,
        Err(_) => false,
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
