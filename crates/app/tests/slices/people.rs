//! Whoever decides, answers or stops is somewhere else: a slice waits for nobody.

use std::time::Duration;

use serde_json::json;
use toolwright_core::{ConversationId, Decision, QuestionAnswer, RunId, Status};
use toolwright_session::Next;
use toolwright_store::{Instructed, InstructedVerdict, Instruction};
use toolwright_testkit::{Reply, Script};

use crate::world::{World, on_both};

fn wiping() -> Script {
    Script::new()
        .reply(Reply::calls([("w", "wipe", r#"{"disk":"a"}"#)]))
        .reply(Reply::calls([("v", "wipe", r#"{"disk":"a"}"#)]))
        .reply(Reply::text("Wiped."))
}

/// A run that waits until somebody decides about its first call.
async fn waiting(place: &str, script: Script) -> (World, ConversationId, RunId) {
    let world = World::start(place, script).await;
    let (id, run) = world.ask("Wipe it.").await;
    assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
    (world, id, run)
}

#[tokio::test]
async fn a_run_is_left_until_somebody_decides() {
    on_both(async |place| {
        let world = World::start(place, wiping()).await.with_another().await;
        let (id, run) = world.ask("Wipe it.").await;
        assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
        assert!(!world.is_held(&id).await, "nobody waits for them");
        // A wake too many finds nothing to do, and writes nothing.
        let events = world.events(&id).await.len();
        for _ in 0..3 {
            assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
        }
        assert_eq!(world.events(&id).await.len(), events);

        let yes = InstructedVerdict::Once(Decision::AllowReviewed);
        assert_eq!(world.decide(&id, &run, "w", yes.clone()).await, Instructed::Taken);
        assert_eq!(world.decide(&id, &run, "w", yes).await, Instructed::Twice);
        assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
        assert_eq!(world.ledger.all()["wipe a"], 1);
        // The second call is another one: what was decided is used up.
        let no = InstructedVerdict::Once(Decision::deny("once is enough"));
        assert_eq!(world.decide(&id, &run, "v", no).await, Instructed::Taken);
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
        assert_eq!(world.ledger.all()["wipe a"], 1);
        assert_eq!(world.statuses(&id).await, [Status::Ok, Status::Denied]);
    })
    .await;
}

#[tokio::test]
async fn always_is_a_rule_from_then_on() {
    on_both(async |place| {
        // Rules are everybody's who shares the database: this one is about a disk that no other test has.
        let script = Script::new()
            .reply(Reply::calls([("w", "wipe", r#"{"disk":"ruled"}"#)]))
            .reply(Reply::calls([("v", "wipe", r#"{"disk":"ruled"}"#)]))
            .reply(Reply::text("Wiped."));
        let (world, id, run) = waiting(place, script).await;
        // As whoever is told so does, before anybody drives on.
        let rule = br#"{"verdict":"allow","tool":"wipe","pattern":"disk=ruled","exact":true}"#;
        world.store().put_rule(rule).await.unwrap();
        let always = InstructedVerdict::Always;
        assert_eq!(world.decide(&id, &run, "w", always).await, Instructed::Taken);
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
        assert_eq!(world.ledger.all()["wipe ruled"], 2);
    })
    .await;
}

/// The rule was taken back before anybody drove on: the call runs, and the next one like it waits.
#[tokio::test]
async fn whoever_drives_brings_no_rule_back() {
    on_both(async |place| {
        let (world, id, run) = waiting(place, wiping()).await;
        let always = InstructedVerdict::Always;
        assert_eq!(world.decide(&id, &run, "w", always).await, Instructed::Taken);
        assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
        assert_eq!(world.ledger.all()["wipe a"], 1);
    })
    .await;
}

#[tokio::test]
async fn an_edit_that_cannot_be_used_is_not_tried_for_ever() {
    on_both(async |place| {
        let (world, id, run) = waiting(place, wiping()).await;
        let edit = Decision::Edit { arguments: json!({"disk": 7}) };
        let edit = InstructedVerdict::Once(edit);
        assert_eq!(world.decide(&id, &run, "w", edit).await, Instructed::Taken);
        assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
        // It waits as it was, and somebody can decide about it again.
        let no = InstructedVerdict::Once(Decision::deny("no"));
        assert_eq!(world.decide(&id, &run, "w", no).await, Instructed::Taken);
        assert_eq!(world.drive(&id, &run).await, Next::Waiting { until: None });
        assert!(!world.ledger.all().contains_key("wipe a"));
    })
    .await;
}

#[tokio::test]
async fn whoever_takes_too_long_said_no() {
    on_both(async |place| {
        let patience = Duration::from_millis(400);
        let world = World::patient(place, wiping(), patience).await.with_another().await;
        let (id, run) = world.ask("Wipe it.").await;
        let mut last = None;
        loop {
            let until = match world.drive(&id, &run).await {
                Next::Waiting { until: Some(until) } => until,
                Next::Ended => break,
                next => panic!("it waits, and says until when: {next:?}"),
            };
            let denied = world.statuses(&id).await.len();
            // Whoever wakes it before, or shows it again, grants no more time.
            if let Some((before, at)) = last.replace((denied, until))
                && before == denied
            {
                assert_eq!(at, until);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(world.statuses(&id).await, [Status::Denied, Status::Denied]);
        let said = world.said(&id).await;
        assert!(said.iter().any(|it| it.1.contains("nobody decided about it within")), "{said:?}");
        assert!(world.ledger.all().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_run_is_stopped_while_it_waits_and_while_a_tool_runs() {
    on_both(async |place| {
        let (world, id, run) = waiting(place, wiping()).await;
        assert_eq!(world.instruct(&id, &run, &Instruction::Stop).await, Instructed::Taken);
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
        assert_eq!(world.last(&id).await, "error");
        // Nobody is asked again on the way out.
        let events = world.events(&id).await;
        let asked = events.iter().filter(|it| it.kind.name() == "decision_needed").count();
        assert_eq!(asked, 1, "{events:?}");
        assert_eq!(world.instruct(&id, &run, &Instruction::Stop).await, Instructed::NotOpen);

        let script = Script::new().reply(Reply::calls([("h", "hold", "{}")]));
        let world = World::start(place, script).await;
        let (id, run) = world.ask("Hold.").await;
        let stopping = async {
            world.ledger.held().await;
            world.instruct(&id, &run, &Instruction::Stop).await;
        };
        let (next, _) = tokio::join!(world.drive_one(&id, &run), stopping);
        assert_eq!(next, Next::Ended);
        assert_eq!(world.statuses(&id).await, [Status::Cancelled]);
        assert!(world.ledger.is_dropped());
    })
    .await;
}

#[tokio::test]
async fn a_tool_that_asks_is_answered_while_it_runs() {
    on_both(async |place| {
        let script = Script::new()
            .reply(Reply::calls([("b", "book", r#"{"ask":"yes"}"#)]))
            .reply(Reply::text("Booked."));
        let world = World::start(place, script).await;
        let (id, run) = world.ask("Book.").await;
        let answering = async {
            let question = world.question(&id).await;
            let answer = QuestionAnswer::accept();
            let answer = Instruction::Answer { call: "b".into(), question, answer };
            assert_eq!(world.instruct(&id, &run, &answer).await, Instructed::Taken);
        };
        let (next, ()) = tokio::join!(world.drive_one(&id, &run), answering);
        assert_eq!(next, Next::Ended);
        assert_eq!(world.statuses(&id).await, [Status::Ok]);
        assert!(world.said(&id).await.iter().any(|it| it.1.contains("accept")));
    })
    .await;
}
