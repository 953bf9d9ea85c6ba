//! Calls whose JSON had to be repaired, through the real loop: a destructive tool does not run on
//! them unless somebody looked.

use std::sync::{Arc, Mutex};

use futures_core::future::BoxFuture;
use toolwright_core::{Call, Decision, Effect, EventKind, Obtained, Reply, Status};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, AllowAll, Approver, Question};

use crate::support::{Count, Played, counting, play, spec};

const TOLD: &str = "The call of erase was denied: it cannot be taken back, and its JSON was not \
                    valid and had to be repaired. Send the same call again, as valid JSON.";

fn call(obtained: Obtained) -> Reply {
    Reply::calls([Call { obtained, ..Call::new("", "erase", r#"{"file":"one"}"#) }])
}

/// The model writes a call that has to be repaired, and then, as it was told to, a proper one.
async fn played(effect: Effect, approver: impl Approver + 'static) -> (Played, usize, Scripted) {
    let model = Scripted::new([
        call(Obtained::Repaired),
        call(Obtained::Extracted),
        Reply::text("Erased."),
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
    let (played, ran, model) = played(Effect::Destructive, AllowAll).await;
    assert_eq!((ran, statuses(&played)), (1, vec![Status::Denied, Status::Ok]));
    let told = model.asked()[1].conversation.clone();
    assert_eq!(told.messages().last().unwrap().content(), TOLD);
    let obtained: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::ToolCalls { tool_calls } => Some(tool_calls[0].obtained),
            _ => None,
        })
        .collect();
    assert_eq!(obtained, [Obtained::Repaired, Obtained::Extracted]);
}

/// A rule of somebody's own that never looks at a call.
struct Always;

impl Approver for Always {
    fn decide<'a>(&'a self, _: &'a Question<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::Allow))
    }
}

#[tokio::test]
async fn nor_does_an_approver_that_always_says_yes() {
    let (played, ran, _) = played(Effect::Destructive, Always).await;
    assert_eq!((ran, statuses(&played)), (1, vec![Status::Denied, Status::Ok]));
}

/// A person who looks, and remembers at what.
#[derive(Clone, Default)]
struct Looking(Arc<Mutex<Vec<Obtained>>>);

impl Approver for Looking {
    fn decide<'a>(&'a self, question: &'a Question<'a>) -> BoxFuture<'a, Decision> {
        self.0.lock().unwrap().push(question.call.obtained);
        Box::pin(std::future::ready(Decision::AllowSeen))
    }
}

#[tokio::test]
async fn a_person_who_looked_at_it_may_let_it_run() {
    let person = Looking::default();
    let (played, ran, _) = played(Effect::Destructive, person.clone()).await;
    assert_eq!((ran, statuses(&played)), (2, vec![Status::Ok, Status::Ok]));
    assert_eq!(*person.0.lock().unwrap(), [Obtained::Repaired, Obtained::Extracted]);
}

#[tokio::test]
async fn what_can_be_taken_back_runs() {
    for effect in [Effect::ReadOnly, Effect::Idempotent, Effect::Write] {
        let (played, ran, _) = played(effect, AllowAll).await;
        assert_eq!((ran, statuses(&played)), (2, vec![Status::Ok, Status::Ok]));
    }
}
