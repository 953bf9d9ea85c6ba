//! Who decides whether a destructive tool may run.

use std::{
    future,
    pin::Pin,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::sync::oneshot;
use toolwright_core::{Decision, EventKind, Status, ToolEffect};
use toolwright_runtime::{
    Agent, AllowAll, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover, RuleVerdict, Rules,
};
use toolwright_testkit::{ModelServer, Reply, Script};

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

/// Somebody who looks at everything that waits before they decide.
#[derive(Default)]
struct LooksFirst {
    /// What waits, in the order in which it was asked about.
    open: Mutex<Vec<(String, oneshot::Sender<Decision>)>>,
    /// How many decisions were asked for before each.
    asked: Mutex<Vec<u32>>,
}

impl LooksFirst {
    /// Waits until so many are open.
    async fn waits_for(&self, count: usize) {
        while self.open.lock().unwrap().len() < count {
            tokio::task::yield_now().await;
        }
    }

    /// Decides about one of them.
    fn say(&self, call: &str, decision: Decision) {
        let mut open = self.open.lock().unwrap();
        let at = open.iter().position(|(id, _)| id == call).unwrap();
        open.remove(at).1.send(decision).unwrap();
    }
}

impl Approver for LooksFirst {
    fn decide<'a>(
        &'a self,
        request: &'a ApprovalRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        let (reply, decided) = oneshot::channel();
        self.open.lock().unwrap().push((request.call.id.to_string(), reply));
        self.asked.lock().unwrap().push(request.asked);
        Box::pin(async move { decided.await.unwrap() })
    }

    fn decides_in_any_order(&self) -> bool {
        true
    }
}

/// An agent that erases three files, and whoever decides about that.
async fn three(approver: impl Approver + 'static) -> (Agent, ModelServer, Count) {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "erase", r#"{"file":"one"}"#),
            ("b", "erase", r#"{"file":"two"}"#),
            ("c", "erase", r#"{"file":"three"}"#),
        ]))
        .reply(Reply::text("Well."));
    let server = serve(script).await;
    let count = Count::default();
    let agent = agent(&server)
        .tool(counting(spec("erase", ToolEffect::Destructive), &count))
        .approver(approver)
        .build()
        .unwrap();
    (agent, server, count)
}

#[tokio::test]
async fn calls_that_wait_are_shown_together_and_decided_in_any_order() {
    let person = Arc::new(LooksFirst::default());
    let (agent, server, count) = three(person.clone()).await;
    let looking = tokio::spawn({
        let person = person.clone();
        async move {
            person.waits_for(3).await;
            person.say("c", Decision::AllowReviewed);
            person.say("a", Decision::deny("not that one."));
            // What is edited waits again, and so does what nobody has decided about meanwhile.
            person.say("b", Decision::Edit { arguments: json!({"file": "2"}) });
            person.waits_for(1).await;
            person.say("b", Decision::AllowReviewed);
        }
    });
    let played = play(agent.run("Erase.")).await;
    // Whoever still waits for a call to decide about waits for ever.
    assert!(looking.is_finished(), "{:?}", statuses(&played));
    looking.await.unwrap();
    server.assert_clean();
    assert_eq!(statuses(&played), [Status::Denied, Status::Ok, Status::Ok]);
    assert_eq!(count.get(), 2);
    assert_eq!(person.asked.lock().unwrap()[..3], [0, 1, 2]);
    let told = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::CallPreview { id, .. } => Some(format!("{id}?")),
        EventKind::DecisionMade { id, .. } => Some(format!("{id}!")),
        _ => None,
    });
    let told: Vec<_> = told.collect();
    assert_eq!(told[..3], ["a?", "b?", "c?"]);
    assert_eq!(told.last().map(String::as_str), Some("b!"));
}

#[tokio::test]
async fn what_a_rule_decides_waits_for_nobody_and_a_limit_counts_those_who_are_asked_together() {
    let person = Arc::new(LooksFirst::default());
    let rule = Rule::new(RuleVerdict::Deny, "erase").pattern("*one*");
    let rules = Arc::new(Rules::new(vec![rule]));
    // What a rule denies does not count: nobody was asked.
    let approver = RuleApprover::new(rules, person.clone()).at_most(1);
    let (agent, server, count) = three(approver).await;
    let looking = tokio::spawn({
        let person = person.clone();
        async move {
            person.waits_for(1).await;
            person.say("b", Decision::AllowReviewed);
        }
    });
    let played = play(agent.run("Erase.")).await;
    // Whoever still waits for a call to decide about waits for ever.
    assert!(looking.is_finished(), "{:?}", statuses(&played));
    looking.await.unwrap();
    server.assert_clean();
    // The first is denied by the rule, the last as the user was asked often enough.
    assert_eq!(statuses(&played), [Status::Denied, Status::Ok, Status::Denied]);
    assert_eq!((count.get(), person.asked.lock().unwrap().len()), (1, 1));
}
