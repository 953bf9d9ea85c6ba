//! [`Resumed`]: a decision, or an answer, that a client's run brings; and [`resume`], which takes all of them or none.

use serde::Deserialize;
use serde_json::Value;
use toolwright_core::{
    CallId, ConversationId, Decision, Event, EventKind, Fingerprint, QuestionAnswer, QuestionId,
    RunId,
};
use toolwright_runtime::new_run_id;
use toolwright_store::Position;
use utoipa::ToSchema;

use super::{interrupts::QUESTION, stream::Stream};
use crate::{
    ApiError,
    auth::{Asker, Done, Scope},
    routes::{Key, Once},
    runs::{Going, Started, Verdict},
};

/// How many events are read at once.
const PAGE: usize = 256;

/// A decision, or an answer.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resumed {
    /// What the run was interrupted for.
    interrupt_id: String,
    /// `resolved` or `cancelled`.
    status: String,
    /// `{"approved": true}`, or `{"approved": false, "reason": "…"}`; to a tool's question what its form asks
    /// for.
    #[schema(value_type = Value)]
    payload: Option<Value>,
}

impl Resumed {
    /// What exactly it is about: the call, as it was shown.
    fn about(&self) -> Option<(CallId, Fingerprint)> {
        let (call, shown) = self.interrupt_id.split_once('#')?;
        Some((call.into(), Fingerprint::from(shown.to_owned())))
    }

    /// Which question it answers, of which call, and behind which event the client's run ended.
    fn question(&self) -> Option<(CallId, QuestionId, u64)> {
        let rest = self.interrupt_id.strip_prefix(QUESTION)?;
        let (question, rest) = rest.split_once('#')?;
        let (seq, call) = rest.split_once('#')?;
        Some((call.into(), question.into(), seq.parse().ok()?))
    }

    fn answer(&self) -> QuestionAnswer {
        match (&self.payload, self.status.as_str()) {
            (Some(Value::Object(content)), "resolved") => {
                QuestionAnswer::Accept { content: content.clone() }
            }
            (_, "resolved") => QuestionAnswer::accept(),
            _ => QuestionAnswer::Decline,
        }
    }

    /// What is told of it.
    fn done(&self, id: &ConversationId) -> Done {
        let within = Done::within(id);
        if let Some((call, ..)) = self.question() {
            let verdict = match self.answer() {
                QuestionAnswer::Accept { .. } => "accept",
                QuestionAnswer::Decline => "decline",
                QuestionAnswer::Cancel => "cancel",
            };
            let call = Some(call.to_string());
            return Done { action: Some("answer"), call, verdict: Some(verdict), ..within };
        }
        let verdict = match self.decision() {
            Decision::Deny { .. } => "deny",
            _ => "allow",
        };
        let (call, fingerprint) = match self.about() {
            Some((call, about)) => (Some(call.to_string()), Some(about.to_string())),
            None => (None, None),
        };
        Done { action: Some("decide"), call, fingerprint, verdict: Some(verdict), ..within }
    }

    fn decision(&self) -> Decision {
        let said = |name: &str| self.payload.as_ref().and_then(|it| it.get(name));
        let is_approved = said("approved").and_then(Value::as_bool).unwrap_or(false);
        if self.status == "resolved" && is_approved {
            return Decision::AllowReviewed;
        }
        Decision::Deny { reason: said("reason").and_then(Value::as_str).map(str::to_owned) }
    }

    /// Whether an event shows what it is about, be it in a run within the run.
    fn is_shown_by(&self, event: &Event) -> bool {
        match (&event.kind, self.question()) {
            (EventKind::Nested { event, .. }, _) => self.is_shown_by(event),
            (EventKind::QuestionAsked { id, question_id, .. }, Some((call, question, _))) => {
                *id == call && *question_id == question
            }
            (EventKind::CallPreview { id, fingerprint, .. }, None) => {
                self.about().is_some_and(|(call, about)| *id == call && *fingerprint == about)
            }
            _ => false,
        }
    }

    /// Whether it was taken with an event, be it in a run within the run.
    fn is_taken_by(&self, event: &Event) -> bool {
        match (&event.kind, self.question()) {
            (EventKind::Nested { event, .. }, _) => self.is_taken_by(event),
            (EventKind::QuestionAnswered { id, question_id, .. }, Some((call, question, _))) => {
                *id == call && *question_id == question
            }
            (EventKind::DecisionMade { id, fingerprint, .. }, None) => {
                let about = fingerprint.as_ref();
                self.about().is_some_and(|(call, shown)| *id == call && about == Some(&shown))
            }
            _ => false,
        }
    }
}

fn gone() -> ApiError {
    ApiError::not_found("nothing such waits for a decision")
}

/// Decides what the client's run before was interrupted for, and listens to what follows. Who sent the same before, with
/// the same key, is told again what followed.
pub(super) async fn resume(
    service: &Asker,
    id: &ConversationId,
    all: &[Resumed],
    key: Key,
    stream: &mut Stream,
) -> Result<Started, ApiError> {
    // What is refused is told, too, with what it was about.
    let (first, rest) = all.split_first().ok_or_else(gone)?;
    service.record().note(first.done(id));
    service.who().require(Scope::Decide)?;
    service.check(id).await?;
    let going = service.runs().going(id).await?;
    let run = going.as_ref().map_or_else(new_run_id, |it| it.run.clone());
    let once = Once::of_run(service, id.clone(), run, key).await?;
    let going = going.filter(|it| it.run == *once.run());
    let checked = match &going {
        Some(going) => check(service, going, all).await,
        None => Err(gone()),
    };
    match (going, checked) {
        (Some(going), Ok(())) => decide(service, &going, all, stream).await,
        (_, Err(_)) if once.was_sent() => told_again(service, id, once.run(), all, stream).await,
        (_, checked) => {
            rest.iter().for_each(|it| service.record().note(it.done(id)));
            Err(checked.err().unwrap_or_else(gone))
        }
    }
}

/// Whether all of it can be taken: who is refused has decided nothing.
async fn check(service: &Asker, going: &Going, all: &[Resumed]) -> Result<(), ApiError> {
    let waiting = service.runs().decisions(going).await?;
    for resumed in all {
        if let Some((call, question, _)) = resumed.question() {
            let answer = resumed.answer();
            service.runs().check_answer(going, &call, &question, answer).await?;
        } else {
            let (call, about) = resumed.about().ok_or_else(gone)?;
            if !waiting.iter().any(|it| it.is_about(&call, &about)) {
                return Err(gone());
            }
        }
    }
    Ok(())
}

/// Takes all of it.
async fn decide(
    service: &Asker,
    going: &Going,
    all: &[Resumed],
    stream: &mut Stream,
) -> Result<Started, ApiError> {
    let (id, runs) = (&going.conversation, service.runs());
    // Others went on running while a tool asked: the client hears what it missed.
    let missed = all.iter().filter_map(|it| it.question().map(|(.., seq)| seq)).min();
    let subscription = match missed {
        Some(seq) => runs.listen_behind(going, seq).await,
        None => runs.listen_to_rest(going).await,
    };
    // What of it waits still interrupts the client again.
    for (_, event) in log(service, id, &going.run, going.first).await? {
        stream.remember(&event);
    }
    let mut left = all.iter().peekable();
    while let Some(resumed) = left.next() {
        service.record().begun(&going.run);
        if let Some((call, question, _)) = resumed.question() {
            runs.answer(going, &call, &question, resumed.answer()).await?;
        } else {
            let (call, about) = resumed.about().ok_or_else(gone)?;
            let verdict = Verdict::Once(resumed.decision());
            runs.decide(going, &call, &about, verdict).await.map_err(|_| gone())?;
        }
        service.record().settle();
        if let Some(next) = left.peek() {
            service.record().note(next.done(id));
        }
    }
    Ok(Started { conversation: id.clone(), run: going.run.clone(), subscription })
}

/// What followed when the same was sent before: everything from where it was taken.
async fn told_again(
    service: &Asker,
    id: &ConversationId,
    run: &RunId,
    all: &[Resumed],
    stream: &mut Stream,
) -> Result<Started, ApiError> {
    service.record().begun(run);
    let first = service.store().beginning(id, run).await?.ok_or_else(gone)?;
    let log = log(service, id, run, first).await?;
    let is_shown = |it: &Resumed| log.iter().any(|(_, event)| it.is_shown_by(event));
    if !all.iter().all(is_shown) {
        return Err(gone());
    }
    let is_taken = |event: &Event| all.iter().any(|it| it.is_taken_by(event));
    // Where nobody has driven the run on since then, nothing followed yet.
    let taken = log.iter().position(|(_, event)| is_taken(event)).unwrap_or(log.len());
    log.iter().take(taken).for_each(|(_, event)| stream.remember(event));
    let last = taken.checked_sub(1).and_then(|it| log.get(it)).ok_or_else(gone)?.0;
    Ok(service.runs().listen_after(id, run, last).await)
}

/// What was kept of a run.
async fn log(
    service: &Asker,
    id: &ConversationId,
    run: &RunId,
    first: Position,
) -> Result<Vec<(Position, Event)>, ApiError> {
    let (mut all, mut after) = (Vec::new(), first.0.checked_sub(1).map(Position));
    loop {
        let events = service.store().events(id, after, PAGE).await?;
        let is_last = events.len() < PAGE;
        after = events.last().map(|(position, _)| *position).or(after);
        let before = all.len();
        all.extend(events.into_iter().filter(|(_, event)| event.run == *run));
        if is_last || all.len() == before {
            return Ok(all);
        }
    }
}
