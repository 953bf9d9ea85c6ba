//! What a run takes along to whoever drives it, and what becomes of one that somebody cannot drive.

use serde_json::{Value, json};
use toolwright_core::{ActionableError, FailureKind, Fault, QueueMode, Status};
use toolwright_runtime::new_conversation_id;
use toolwright_session::Next;
use toolwright_store::{Instructed, Instruction};
use toolwright_testkit::{Reply, Script};

use crate::world::{Own, World, on_both};

const ASKED: &str = "[model]\nname = \"asked\"\ntool_mode = \"native\"\n\
    [model.options]\ntemperature = 0.25\nseed = 7\n[limits]\nrounds = 4\n";
const DRIVES: &str = "[model]\nname = \"another\"\ntool_mode = \"text\"\n\
    [model.options]\ntemperature = 1.5\n[limits]\nrounds = 1\n";

fn paying() -> Script {
    Script::new()
        .reply(Reply::calls([("a", "look", "{}")]))
        .reply(Reply::calls([("b", "pay", r#"{"to":"Ann"}"#)]))
        .reply(Reply::text("Paid."))
        .reply(Reply::text("And thanked."))
}

/// Process 1 was asked, and process 2 drives, which has other settings.
#[tokio::test]
async fn whoever_drives_asks_the_model_as_whoever_was_asked_would() {
    on_both(async |place| {
        let world = World::start(place, paying()).await;
        let world = world.with_other(Own { settings: ASKED, ..Own::default() }).await;
        let world = world.with_other(Own { settings: DRIVES, ..Own::default() }).await;
        let (id, run) = world.ask_on(1, "Pay.").await;
        world.say(&id, QueueMode::Next, "And thank them.").await;
        let Next::Follow { run: next } = world.drive_on(2, &id, &run).await else {
            panic!("what waits follows")
        };
        // What follows is asked in the same way.
        assert_eq!(world.drive_on(2, &id, &next).await, Next::Ended);
        let sent = world.sent();
        assert_eq!(sent.len(), 4, "no model was asked twice, and none too seldom");
        for request in sent {
            assert_eq!(request["model"], "asked");
            assert_eq!((&request["temperature"], &request["seed"]), (&json!(0.25), &json!(7)));
            assert!(request["tools"].is_array(), "{request}");
        }
        assert_eq!(world.statuses(&id).await, [Status::Ok, Status::Ok]);
    })
    .await;
}

#[tokio::test]
async fn what_was_approved_is_what_whoever_was_asked_approved() {
    on_both(async |place| {
        let script = Script::new()
            .reply(Reply::calls([("w", "wipe", r#"{"disk":"a"}"#)]))
            .reply(Reply::text("Wiped."));
        let world = World::start(place, script).await;
        let world = world.with_other(Own { approves: true, ..Own::default() }).await;
        let (id, run) = world.ask_on(0, "Wipe it.").await;
        assert_eq!(world.drive_on(1, &id, &run).await, Next::Waiting { until: None });
        assert!(world.ledger.all().is_empty(), "nobody who was asked approved it");

        let script = Script::new()
            .reply(Reply::calls([("w", "wipe", r#"{"disk":"a"}"#)]))
            .reply(Reply::text("Wiped."));
        let world = World::start(place, script).await;
        let world = world.with_other(Own { approves: true, ..Own::default() }).await;
        let (id, run) = world.ask_on(1, "Wipe it.").await;
        assert_eq!(world.drive_on(0, &id, &run).await, Next::Ended);
        assert_eq!(world.ledger.all()["wipe a"], 1);
    })
    .await;
}

#[tokio::test]
async fn whoever_lacks_a_tool_leaves_the_run_to_others() {
    on_both(async |place| {
        let world = World::start(place, paying()).await;
        let world = world.with_other(Own { has_ledger: false, ..Own::default() }).await;
        let (id, run) = world.ask_on(0, "Pay.").await;
        let events = world.events(&id).await.len();
        for _ in 0..2 {
            let error = world.slice_on(1, &id, &run).await.unwrap_err();
            let told = error.to_string();
            assert!(told.contains("`look`") && told.contains(run.as_str()), "{told}");
            assert!(error.advice().unwrap().contains("packs"));
        }
        assert_eq!(world.events(&id).await.len(), events, "nothing happened");
        assert_eq!(world.requests(), 0, "no model was asked");
        assert_eq!(world.drive_on(0, &id, &run).await, Next::Ended);
        assert_eq!(world.ledger.all()["pay Ann"], 1);
    })
    .await;
}

/// The model is in the process of whoever drives: one that has no weights leaves the run to one that has. That they were
/// not there is not remembered.
#[tokio::test]
async fn whoever_lacks_the_weights_of_a_model_leaves_the_run_to_others() {
    on_both(async |place| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("m.gguf");
        let settings = format!("[model]\nname = \"offline:{}\"\n", file.display()).leak();
        let world = World::start(place, paying()).await;
        let world = world.with_other(Own { settings, ..Own::default() }).await;
        let (id, run) = world.ask_on(1, "Pay.").await;
        let events = world.events(&id).await.len();
        let mut told = Vec::new();
        for weights in [None, Some("not what they should be")] {
            if let Some(text) = weights {
                std::fs::write(&file, text).unwrap();
            }
            let error = world.slice_on(1, &id, &run).await.unwrap_err();
            assert_eq!(error.fault(), Fault::NotConfigured, "{error}");
            told.push(error.to_string());
        }
        assert_ne!(told[0], told[1], "they are looked for again");
        assert_eq!(world.events(&id).await.len(), events, "nothing happened");
    })
    .await;
}

fn is_stopped(last: &Value) -> bool {
    last["type"] == "error" && last["kind"] == "cancelled"
}

/// For that nothing is needed that a run needs: whoever is asked, by an engine or by somebody who stops it.
#[tokio::test]
async fn what_nobody_can_drive_is_stopped_all_the_same() {
    on_both(async |place| {
        let specs =
            [json!({"task": "gardening"}), json!({"patience": 1}), json!({"tools": ["dig"]})];
        for (at, spec) in specs.into_iter().enumerate() {
            let world = World::start(place, paying()).await;
            let (id, run) = world.ask_with("Pay.", Some(spec)).await;
            assert!(world.try_slice(&id, &run).await.is_err());
            assert!(!world.stop_on(0, &id, &run).await.unwrap(), "nobody said that it is to stop");
            assert_eq!(world.terminals(&id).await, 0);
            world.instruct(&id, &run, &Instruction::Stop).await;
            match at {
                0 => assert_eq!(world.try_slice(&id, &run).await, Ok(Next::Ended)),
                _ => assert_eq!(world.stop_on(0, &id, &run).await, Ok(false)),
            }
            let last = serde_json::to_value(world.events(&id).await.last().unwrap()).unwrap();
            assert!(is_stopped(&last), "{last}");
            assert_eq!(world.try_slice(&id, &run).await, Ok(Next::Ended));
            assert_eq!((world.requests(), world.ledger.all().len()), (0, 0));
        }
    })
    .await;
}

/// Whoever has it stops it, and comes to an end in good order.
#[tokio::test]
async fn what_somebody_has_is_left_to_them() {
    on_both(async |place| {
        let script =
            Script::new().reply(Reply::calls([("h", "hold", "{}")])).reply(Reply::text("Held."));
        let world = World::start(place, script).await.with_another().await;
        let (id, run) = world.ask("Hold.").await;
        let stopping = async {
            world.ledger.held().await;
            world.instruct(&id, &run, &Instruction::Stop).await;
            // It may have ended by now.
            let _ = world.stop_on(1, &id, &run).await;
        };
        let (next, ()) = tokio::join!(world.slice_on(0, &id, &run), stopping);
        assert_eq!(next, Ok(Next::Ended));
        assert_eq!(world.terminals(&id).await, 1);
        assert!(world.ledger.is_dropped());
    })
    .await;
}

/// It is nobody's but the engine's, also while nobody is at it.
#[tokio::test]
async fn a_command_leaves_alone_what_an_engine_has_driven() {
    on_both(async |place| {
        let world = World::start(place, paying()).await;
        let (id, run) = world.ask("Pay.").await;
        let events = world.events(&id).await.len();
        let refused = world.resume_here(&id).await.unwrap();
        assert!(refused.to_string().contains("driven by an engine"), "{refused}");
        assert!(refused.advice().unwrap().contains(&format!("/api/conversations/{id}/")));
        assert_eq!(world.events(&id).await.len(), events);
        assert_eq!(world.drive(&id, &run).await, Next::Ended);
        assert!(world.resume_here(&id).await.is_none(), "nothing was cut short");
    })
    .await;
}

#[tokio::test]
async fn what_a_command_drives_is_stopped_from_elsewhere() {
    let script = Script::new().reply(Reply::calls([("h", "hold", "{}")]));
    let world = World::start("postgres", script).await.with_another().await;
    let id = new_conversation_id();
    let stopping = async {
        world.ledger.held().await;
        let run = world.open_run(&id).await;
        assert_eq!(world.instruct(&id, &run, &Instruction::Stop).await, Instructed::Taken);
    };
    let (ended, ()) = tokio::join!(world.command(&id, "Hold."), stopping);
    assert_eq!(ended.unwrap().kind, FailureKind::Cancelled);
    assert_eq!(world.terminals(&id).await, 1);
}
