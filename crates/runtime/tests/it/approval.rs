//! Who decides whether a destructive tool may run.

use std::{
    future,
    pin::Pin,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use toolwright_core::{Decision, EventKind, Status, ToolEffect};
use toolwright_runtime::{AllowAll, ApprovalRequest, Approver, DenyAll};
use toolwright_testkit::{Reply, Script};

use crate::support::{Count, Played, agent, counting, echo, play, results_sent, serve, spec};

async fn decided(approver: Option<impl Approver + 'static>) -> (Played, usize, Vec<String>) {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "erase", r#"{"file":"one"}"#),
            ("b", "look", "{}"),
            ("c", "erase", r#"{"file":"two"}"#),
        ]))
        .reply(Reply::text("Well."));
    let server = serve(script).await;
    let count = Count::default();
    let mut agent = agent(&server)
        .tool(counting(spec("erase", ToolEffect::Destructive), &count))
        .tool(echo("look"));
    if let Some(approver) = approver {
        agent = agent.approver(approver);
    }
    let played = play(agent.build().unwrap().run("Erase.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Well.");
    let sent = results_sent(&server).into_iter().map(|(.., text)| text).collect();
    (played, count.get(), sent)
}

fn statuses(played: &Played) -> Vec<Status> {
    played.calls().into_iter().map(|(_, status)| status).collect()
}

#[tokio::test]
async fn where_nobody_is_there_to_ask_a_destructive_call_is_denied() {
    let denied = "The call of erase was denied: nobody is there to approve it.";
    for (played, ran, sent) in [decided(None::<DenyAll>).await, decided(Some(DenyAll)).await] {
        assert_eq!(ran, 0);
        assert_eq!(statuses(&played), [Status::Denied, Status::Ok, Status::Denied]);
        assert_eq!(sent, [denied, "{}", denied]);
        assert_eq!(played.answer().tools_executed, 1);
    }
}

#[tokio::test]
async fn what_was_approved_beforehand_runs() {
    let (played, ran, _) = decided(Some(AllowAll)).await;
    assert_eq!(ran, 2);
    assert_eq!(statuses(&played), [Status::Ok; 3]);
}

/// Lets only one file go, and remembers what it was asked.
#[derive(Clone, Default)]
struct Careful(Arc<Mutex<Vec<(String, Value)>>>);

impl Approver for Careful {
    fn decide<'a>(
        &'a self,
        question: &'a ApprovalRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        self.0
            .lock()
            .unwrap()
            .push((question.tool.name.clone(), (*question.call.arguments).clone()));
        Box::pin(async move {
            tokio::task::yield_now().await;
            match question.call.arguments["file"].as_str() {
                Some("one") => Decision::Allow,
                _ => Decision::Deny { reason: Some("`two` is still needed.".into()) },
            }
        })
    }
}

#[tokio::test]
async fn a_decision_is_made_for_each_call_and_its_reason_reaches_the_model() {
    let careful = Careful::default();
    let (played, ran, sent) = decided(Some(careful.clone())).await;
    assert_eq!(ran, 1);
    assert_eq!(statuses(&played), [Status::Ok, Status::Ok, Status::Denied]);
    assert_eq!(sent[2], "The call of erase was denied: `two` is still needed.");
    let asked = careful.0.lock().unwrap().clone();
    let erase = |file: &str| ("erase".to_owned(), json!({"file": file}));
    assert_eq!(asked, [erase("one"), erase("two")], "readers are not asked about");

    // A person sees all that is planned before the first call runs.
    let kinds = played.kinds();
    let at = |kind: &str| kinds.iter().position(|it| it == kind).unwrap();
    assert!(
        at("decision_needed") < at("decision_made") && at("decision_made") < at("call_started")
    );
    let asked = played.events.iter().find_map(|event| match &event.kind {
        EventKind::DecisionNeeded { calls } => Some(calls.clone()),
        _ => None,
    });
    assert_eq!(asked, Some(vec!["a".into(), "c".into()]));
}

struct Silent;

impl Approver for Silent {
    fn decide<'a>(
        &'a self,
        _: &'a ApprovalRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(future::ready(Decision::Deny { reason: None }))
    }
}

#[tokio::test]
async fn a_no_without_a_reason_is_told_as_the_users() {
    let (_, ran, sent) = decided(Some(Silent)).await;
    assert_eq!(ran, 0);
    assert_eq!(sent[0], "The call of erase was denied by the user. Do not try it again.");
}
