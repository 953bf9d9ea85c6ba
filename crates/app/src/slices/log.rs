//! [`Shown`] and [`time_used`]: what the events of a run tell whoever goes on with it.

use std::{collections::HashMap, time::Duration};

use toolwright_core::{CallId, ConversationId, Event, EventKind, Fingerprint, Status, Timestamp};
use toolwright_store::{Position, Store, StoreError};

/// Since when calls are shown that people decide about, as they are shown.
#[derive(Default)]
pub(super) struct Shown(HashMap<(CallId, Fingerprint), Timestamp>);

impl Shown {
    pub(super) fn of(events: &[Event]) -> Self {
        let mut shown = Self::default();
        events.iter().for_each(|event| shown.add(event));
        shown
    }

    /// Whoever resumes a run shows them again: the first time counts.
    fn add(&mut self, event: &Event) {
        match &event.kind {
            EventKind::CallPreview { id, fingerprint, .. } => {
                self.0.entry((id.clone(), fingerprint.clone())).or_insert(event.at);
            }
            EventKind::Nested { event, .. } => self.add(event),
            _ => {}
        }
    }

    pub(super) fn since(&self, call: &CallId, about: &Fingerprint) -> Option<Timestamp> {
        self.0.get(&(call.clone(), about.clone())).copied()
    }
}

/// How much of its time a run has used, by its events: the time in which a model was asked or tools ran. That of
/// whoever decides or answers is not its own, nor is that in which nobody drove it.
pub(super) fn time_used(events: &[Event]) -> Duration {
    let (mut used, mut last, mut work) = (0, None, Work::default());
    for event in events {
        if let Some(last) = last.filter(|_| work.goes_on() && !begins_again(&event.kind)) {
            used += event.at.since(last);
        }
        last = Some(event.at);
        work.fold(&event.kind);
    }
    Duration::from_millis(used)
}

/// What goes on in a run.
#[derive(Default)]
struct Work {
    is_asking: bool,
    calls: Vec<CallId>,
    /// How many answers of people are waited for.
    people: usize,
}

impl Work {
    fn goes_on(&self) -> bool {
        (self.is_asking || !self.calls.is_empty()) && self.people == 0
    }

    fn fold(&mut self, kind: &EventKind) {
        match kind {
            EventKind::RoundStarted { .. } => self.is_asking = true,
            EventKind::Reply { .. } => self.is_asking = false,
            EventKind::CallStarted { id, .. } => self.calls.push(id.clone()),
            EventKind::CallFinished { id, .. } => self.calls.retain(|it| it != id),
            EventKind::QuestionAsked { .. } => self.people += 1,
            EventKind::QuestionAnswered { .. } => self.people = self.people.saturating_sub(1),
            EventKind::Nested { event, .. } => match &event.kind {
                EventKind::CallPreview { .. } | EventKind::QuestionAsked { .. } => self.people += 1,
                EventKind::DecisionMade { .. } | EventKind::QuestionAnswered { .. } => {
                    self.people = self.people.saturating_sub(1);
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// Whether somebody begins again with what was left: what was until then is not known.
fn begins_again(kind: &EventKind) -> bool {
    match kind {
        EventKind::RoundStarted { .. }
        | EventKind::CallChecked { .. }
        | EventKind::CallFinished { status: Status::Interrupted, .. } => true,
        EventKind::Nested { event, .. } => begins_again(&event.kind),
        _ => false,
    }
}

/// How many events are read at once.
const PAGE: usize = 256;

/// The events of a conversation from here on.
pub(super) async fn events_from(
    store: &Store,
    id: &ConversationId,
    first: Position,
) -> Result<Vec<Event>, StoreError> {
    let mut after = first.0.checked_sub(1).map(Position);
    let mut all = Vec::new();
    loop {
        let page = store.events(id, after, PAGE).await?;
        let is_last = page.len() < PAGE;
        after = page.last().map(|(position, _)| *position).or(after);
        all.extend(page.into_iter().map(|(_, event)| event));
        if is_last {
            return Ok(all);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolwright_core::{
        FinishReason, Message, Outcome, Question, QuestionAnswer, ToolChoice, Usage,
    };

    use super::*;

    fn log(events: impl IntoIterator<Item = (u64, EventKind)>) -> Vec<Event> {
        let event =
            |(seq, (at, kind))| Event { seq, run: "run".into(), round: 1, at: Timestamp(at), kind };
        (0..).zip(events).map(event).collect()
    }

    fn finished(outcome: Outcome) -> EventKind {
        EventKind::CallFinished {
            id: "c".into(),
            tool: "t".to_owned(),
            status: outcome.status,
            message: Arc::new(Message::tool("c", "t", outcome)),
            elapsed_ms: 0.0,
            guard: None,
        }
    }

    #[test]
    fn time_counts_in_which_something_was_done() {
        let asked = || EventKind::RoundStarted { of: 5, tool_choice: ToolChoice::Auto };
        let replied = EventKind::Reply {
            message: Arc::new(Message::assistant("Hm.")),
            finish: FinishReason::Stop,
            usage: Usage::default(),
        };
        let needed = || EventKind::DecisionNeeded { calls: vec!["c".into()] };
        let started = EventKind::CallStarted { id: "c".into(), tool: "t".to_owned() };
        let question = EventKind::QuestionAsked {
            id: "c".into(),
            question_id: "q".into(),
            tool: "t".to_owned(),
            question: Arc::new(Question::new("Well?")),
        };
        let (id, question_id) = ("c".into(), "q".into());
        let answer = QuestionAnswer::Decline;
        let answered = EventKind::QuestionAnswered { id, question_id, answer };
        let mut events = log([
            (0, asked()),
            // Whoever asked died: somebody asked again much later.
            (5_000, asked()),
            (5_100, replied),
            (5_100, needed()),
            // A person decided the next day.
            (90_000, needed()),
            (90_000, started),
            (90_020, question),
            (95_000, answered),
            (95_030, finished(Outcome::new(Status::Ok, "done"))),
        ]);
        assert_eq!(time_used(&events), Duration::from_millis(100 + 20 + 30));
        events.truncate(6);
        events.extend(log([(900_000, finished(Outcome::interrupted()))]));
        assert_eq!(time_used(&events), Duration::from_millis(100), "nobody knows how long it ran");
    }
}
