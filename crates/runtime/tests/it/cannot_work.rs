//! A call that cannot work is answered with what it would fail with: nobody is asked about it.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use futures_core::future::BoxFuture;
use serde_json::json;
use toolwright_core::{
    Call, CallPreview, Conversation, Decision, EventKind, ModelResponse, PreviewContent, Run,
    Status, ToolEffect, ToolError, WithPreview,
};
use toolwright_models::Scripted;
use toolwright_runtime::{
    Agent, ApprovalRequest, Approver, DenyAll, Rule, RuleApprover, RuleVerdict, Rules,
};

use crate::support::{Count, Played, counting, play, spec};

/// Somebody who allows everything, and what they were asked about.
#[derive(Clone, Default)]
struct Person {
    saw: Arc<Mutex<Vec<String>>>,
    changes: Arc<Mutex<Vec<Decision>>>,
    in_any_order: bool,
}

impl Approver for Person {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let file = request.call.arguments["file"].as_str().unwrap().to_owned();
        self.saw.lock().unwrap().push(file);
        let change = self.changes.lock().unwrap().pop();
        Box::pin(std::future::ready(change.unwrap_or(Decision::AllowReviewed)))
    }

    fn decides_in_any_order(&self) -> bool {
        self.in_any_order
    }
}

/// The model erases these at once. What is called `gone` is not there, and of what is called `last` there is
/// one.
async fn erased(files: &[&str], approver: impl Approver + 'static) -> (Played, usize, Vec<String>) {
    let calls = files.iter().enumerate().map(|(at, file)| {
        Call::new(format!("c{at}").as_str(), "erase", json!({"file": file, "at": at}).to_string())
    });
    let model = Scripted::new([ModelResponse::calls(calls), ModelResponse::text("Erased.")]);
    let (count, told) = (Count::default(), Arc::new(AtomicUsize::new(0)));
    let (tool, ran) = (counting(spec("erase", ToolEffect::Destructive), &count), count.clone());
    let tool = WithPreview::new(tool, move |arguments, _| {
        told.fetch_add(1, SeqCst);
        let file = arguments["file"].as_str().unwrap_or_default();
        let is_gone = file == "gone" || (file == "last" && ran.get() > 0);
        let failure = is_gone.then(|| ToolError::new(format!("{file} is not there")));
        let content = failure.is_none().then(|| PreviewContent::Command(format!("rm {file}")));
        Box::pin(std::future::ready(CallPreview { content, failure, ..CallPreview::default() }))
    });
    let agent = Agent::builder(model.clone()).tool(Arc::new(tool)).approver(approver);
    let played = play(agent.build().unwrap().run("Erase them.")).await;
    assert_eq!(played.answer().response, "Erased.");
    let conversation = model.asked()[1].conversation.clone();
    let told = conversation.results().map(|result| result.outcome.text.clone()).collect();
    (played, count.get(), told)
}

fn statuses(played: &Played) -> Vec<Status> {
    played.calls().into_iter().map(|(_, status)| status).collect()
}

fn asked(played: &Played) -> u32 {
    Run::replay(Conversation::new(), &played.events).unwrap().asked()
}

#[tokio::test]
async fn nobody_is_asked_about_what_cannot_work() {
    for in_any_order in [false, true] {
        let person = Person { in_any_order, ..Person::default() };
        let (played, ran, told) = erased(&["gone", "here", "gone"], person.clone()).await;
        assert_eq!(*person.saw.lock().unwrap(), ["here"]);
        assert_eq!((ran, asked(&played)), (1, 1));
        assert_eq!(statuses(&played), [Status::Failed, Status::Ok, Status::Failed]);
        assert!(told[0].contains("gone is not there"), "{told:?}");
        let shown =
            played.events.iter().filter(|it| matches!(it.kind, EventKind::CallPreview { .. }));
        assert_eq!(shown.count(), 1, "it is no card either");
    }
}

/// Both could work when they were decided about, and only one did.
#[tokio::test]
async fn what_became_impossible_meanwhile_is_not_asked_about_again() {
    let person = Person::default();
    let (played, ran, told) = erased(&["last", "last"], person.clone()).await;
    assert_eq!((ran, person.saw.lock().unwrap().len()), (1, 2));
    assert_eq!(statuses(&played), [Status::Ok, Status::Failed]);
    assert!(told[1].contains("last is not there"), "{told:?}");
}

/// Whether it is there is not told to a model that may not know.
#[tokio::test]
async fn what_a_rule_denies_is_denied_and_counts_for_nobody() {
    let rules = || {
        let rule = Rule::new(RuleVerdict::Deny, "erase").pattern("*gone*");
        Arc::new(Rules::new(vec![rule]))
    };
    let person = Person::default();
    let approver = RuleApprover::new(rules(), person.clone()).at_most(1);
    let (played, ran, told) = erased(&["gone", "gone", "here", "there"], approver).await;
    assert!(told[0].contains("a rule says so") && !told[0].contains("not there"), "{told:?}");
    assert!(told[3].contains("was asked 1 times in this run"), "{told:?}");
    assert_eq!(*person.saw.lock().unwrap(), ["here"], "the rule's own decisions do not count");
    assert_eq!((ran, asked(&played)), (1, 1));
    let automatic = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::DecisionMade { automatic, .. } => Some(*automatic),
        _ => None,
    });
    assert_eq!(automatic.collect::<Vec<_>>(), [true, true, false, true]);
    let (played, ..) = erased(&["gone"], DenyAll).await;
    assert_eq!((statuses(&played), asked(&played)), (vec![Status::Denied], 0));
}

#[tokio::test]
async fn whoever_changes_a_call_into_one_that_cannot_work_is_told_and_decides() {
    let person = Person::default();
    let edit = |file: &str| Decision::Edit { arguments: json!({"file": file}) };
    person.changes.lock().unwrap().extend([edit("there"), edit("gone")]);
    let (played, ran, _) = erased(&["here"], person.clone()).await;
    assert_eq!(*person.saw.lock().unwrap(), ["here", "gone", "there"]);
    assert_eq!((ran, statuses(&played)), (1, vec![Status::Ok]));
    let told = played.events.iter().find_map(|event| match &event.kind {
        EventKind::Notice { message, id: Some(_) } => Some(message.clone()),
        _ => None,
    });
    assert_eq!(told.as_deref(), Some("erase cannot work like this: gone is not there"));
}
