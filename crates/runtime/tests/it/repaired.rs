//! Calls whose JSON had to be repaired, through the real loop: a destructive tool does not run on
//! them unless somebody looked.

use std::sync::{Arc, Mutex};

use futures_core::future::BoxFuture;
use toolwright_core::{Call, CallSource, Decision, EventKind, ModelResponse, Status, ToolEffect};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, AllowAll, ApprovalRequest, Approver};

use crate::support::{Count, Played, counting, play, spec};

const TOLD: &str = "The call of erase was denied: it cannot be taken back, and its JSON or the name \
                    of its tool was not valid and had to be repaired. Send the same call again, as \
                    valid JSON and with the tool's exact name.";

fn call(obtained: CallSource) -> ModelResponse {
    ModelResponse::calls([Call { source: obtained, ..Call::new("", "erase", r#"{"file":"one"}"#) }])
}

/// The model writes a call that has to be repaired, and then, as it was told to, a proper one.
async fn played(
    effect: ToolEffect,
    approver: impl Approver + 'static,
) -> (Played, usize, Scripted) {
    let model = Scripted::new([
        call(CallSource::Repaired),
        call(CallSource::Extracted),
        ModelResponse::text("Erased."),
    ]);
    let count = Count::default();
    let agent = Agent::builder(model.clone())
        .tool(counting(spec("erase", effect), &count))
        .approver(approver)
        .build()
        .unwrap();
    let played = play(agent.run("Erase one.")).await;
    model.assert_complete();
    assert_eq!(played.answer().response, "Erased.");
    (played, count.get(), model)
}

fn statuses(played: &Played) -> Vec<Status> {
    played.calls().into_iter().map(|(_, status)| status).collect()
}

#[tokio::test]
async fn approval_beforehand_does_not_cover_it_and_the_model_is_told_to_send_it_again() {
    let (played, ran, model) = played(ToolEffect::Destructive, AllowAll).await;
    assert_eq!((ran, statuses(&played)), (1, vec![Status::Denied, Status::Ok]));
    let told = model.asked()[1].conversation.clone();
    assert_eq!(told.messages().last().unwrap().content(), TOLD);
    let obtained: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::ToolCalls { tool_calls } => Some(tool_calls[0].source),
            _ => None,
        })
        .collect();
    assert_eq!(obtained, [CallSource::Repaired, CallSource::Extracted]);
}

/// A rule of somebody's own that never looks at a call.
struct Always;

impl Approver for Always {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::Allow))
    }
}

#[tokio::test]
async fn nor_does_an_approver_that_always_says_yes() {
    let (played, ran, _) = played(ToolEffect::Destructive, Always).await;
    assert_eq!((ran, statuses(&played)), (1, vec![Status::Denied, Status::Ok]));
}

/// A person who looks, and remembers at what.
#[derive(Clone, Default)]
struct Looking(Arc<Mutex<Vec<CallSource>>>);

impl Approver for Looking {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        self.0.lock().unwrap().push(question.call.source);
        Box::pin(std::future::ready(Decision::AllowReviewed))
    }
}

#[tokio::test]
async fn a_person_who_looked_at_it_may_let_it_run() {
    let person = Looking::default();
    let (played, ran, _) = played(ToolEffect::Destructive, person.clone()).await;
    assert_eq!((ran, statuses(&played)), (2, vec![Status::Ok, Status::Ok]));
    assert_eq!(*person.0.lock().unwrap(), [CallSource::Repaired, CallSource::Extracted]);
}

#[tokio::test]
async fn what_can_be_taken_back_runs() {
    for effect in [ToolEffect::ReadOnly, ToolEffect::Idempotent, ToolEffect::Write] {
        let (played, ran, _) = played(effect, AllowAll).await;
        assert_eq!((ran, statuses(&played)), (2, vec![Status::Ok, Status::Ok]));
    }
}
