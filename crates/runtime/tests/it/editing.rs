//! Whoever decides about a call changes it, through the real loop.

use std::sync::{Arc, Mutex};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    Call, CallPreview, Decision, EventKind, ModelResponse, PreviewContent, RunContext, Status,
    Tool, ToolEffect, ToolResult, ToolSpec,
};
use toolwright_models::Scripted;
use toolwright_runtime::{
    Agent, ApprovalRequest, Approver, Rule, RuleApprover, RuleVerdict, Rules,
};

use crate::support::{Count, Played, counting, play, spec, text};

/// A person who says one thing after the other, and remembers what they were asked.
#[derive(Clone, Default)]
struct Person {
    says: Arc<Mutex<Vec<Decision>>>,
    saw: Arc<Mutex<Vec<Value>>>,
}

impl Person {
    fn saying(says: impl IntoIterator<Item = Decision>) -> Self {
        let mut says: Vec<_> = says.into_iter().collect();
        says.reverse();
        Self { says: Arc::new(Mutex::new(says)), ..Self::default() }
    }

    fn saw(&self) -> Vec<Value> {
        self.saw.lock().unwrap().clone()
    }
}

impl Approver for Person {
    fn decide<'a>(&'a self, question: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        self.saw.lock().unwrap().push((*question.call.arguments).clone());
        assert_eq!(question.needs_review(), question.call.original_arguments.is_some());
        let says = self.says.lock().unwrap().pop().expect("they are asked no more");
        Box::pin(std::future::ready(says))
    }
}

fn edit(file: &str) -> Decision {
    Decision::Edit { arguments: json!({"file": file}) }
}

/// The model erases `one` and then `two`, at once.
async fn played(approver: impl Approver + 'static) -> (Played, usize, Scripted) {
    let calls = [("a", "one"), ("b", "two")];
    let calls = calls.map(|(id, file)| Call::new(id, "erase", json!({"file": file}).to_string()));
    let model = Scripted::new([ModelResponse::calls(calls), ModelResponse::text("Erased.")]);
    let count = Count::default();
    let agent = Agent::builder(model.clone())
        .tool(counting(spec("erase", ToolEffect::Destructive), &count))
        .approver(approver)
        .build()
        .unwrap();
    let played = play(agent.run("Erase them.")).await;
    assert_eq!(played.answer().response, "Erased.");
    (played, count.get(), model)
}

fn told(model: &Scripted) -> Vec<String> {
    let conversation = model.asked()[1].conversation.clone();
    conversation.results().map(|result| result.outcome.text.clone()).collect()
}

#[tokio::test]
async fn what_was_changed_is_asked_again_before_anything_else() {
    let person = Person::saying([edit("three"), Decision::AllowReviewed, Decision::AllowReviewed]);
    let (played, ran, model) = played(person.clone()).await;
    let file = |name: &str| json!({"file": name});
    assert_eq!((ran, person.saw()), (2, vec![file("one"), file("three"), file("two")]));
    let kinds = played.kinds();
    let from = kinds.iter().position(|kind| kind == "call_preview").unwrap();
    let upto = kinds.iter().position(|kind| kind == "call_started").unwrap();
    let expected = [
        ["call_preview", "decision_made", "call_checked", "decision_needed"].as_slice(),
        &["call_preview", "decision_made", "call_preview", "decision_made"],
    ];
    assert_eq!(kinds[from..upto], expected.concat());
    assert!(told(&model)[0].contains(r#"It ran with: {"file":"three"}"#), "{:?}", told(&model));
    assert!(!told(&model)[1].contains("It ran with"));
    let ran: Vec<_> = played.answer().tool_calls.iter().map(|call| (*call.args).clone()).collect();
    assert_eq!(ran, [file("three"), file("two")]);
}

#[tokio::test]
async fn the_tool_is_given_what_was_shown() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let tool = Erase { spec: spec("erase", ToolEffect::Destructive), seen: seen.clone() };
    let call = Call::new("a", "erase", r#"{"file":"one"}"#);
    let model = Scripted::new([ModelResponse::calls([call]), ModelResponse::text("Erased.")]);
    let person = Person::saying([edit("two"), edit("three"), Decision::AllowReviewed]);
    let agent = Agent::builder(model).tool(Arc::new(tool)).approver(person).build().unwrap();
    let played = play(agent.run("Erase it.")).await;
    let shown: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::CallPreview { preview, .. } => preview.content.clone(),
            _ => None,
        })
        .collect();
    let command = |file: &str| PreviewContent::Command(format!("rm {file}"));
    assert_eq!(shown, [command("one"), command("two"), command("three")]);
    assert_eq!(*seen.lock().unwrap(), [json!({"file": "three"})]);
}

/// Tells what it would do, and remembers what it was given.
struct Erase {
    spec: ToolSpec,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Tool for Erase {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, arguments: Arc<Value>, _: &'a RunContext) -> BoxFuture<'a, ToolResult> {
        self.seen.lock().unwrap().push((*arguments).clone());
        Box::pin(std::future::ready(text("erased")))
    }

    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        _: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        let command = format!("rm {}", arguments["file"].as_str().unwrap());
        let preview = Some(PreviewContent::Command(command));
        Box::pin(std::future::ready(CallPreview { content: preview, ..CallPreview::default() }))
    }
}

#[tokio::test]
async fn what_is_not_valid_is_told_and_asked_again() {
    let wrong = Decision::Edit { arguments: json!("three") };
    let person = Person::saying([wrong, Decision::AllowReviewed, Decision::deny("no.")]);
    let (played, ran, model) = played(person.clone()).await;
    let file = |name: &str| json!({"file": name});
    assert_eq!((ran, person.saw()), (1, vec![file("one"), file("one"), file("two")]));
    let notices: Vec<_> = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Notice { message, id } => Some((message.as_str(), id.clone())),
            _ => None,
        })
        .collect();
    let [(message, Some(id))] = notices.as_slice() else { panic!("{notices:?}") };
    assert!(message.starts_with("The arguments of erase were not changed: "), "{message}");
    assert_eq!(id.as_str(), "a");
    assert!(told(&model).iter().all(|text| !text.contains("changed")), "{:?}", told(&model));
}

/// A rule lets it run as the model wrote it, or as it was changed; but who changed it is shown it.
#[tokio::test]
async fn a_rule_does_not_stand_in_for_a_look() {
    for pattern in ["file=two", "file=*"] {
        let allow = Rule::new(RuleVerdict::Allow, "erase").pattern(pattern);
        let ask = Rule::new(RuleVerdict::Ask, "erase").pattern("file=one");
        let person = Person::saying([edit("two"), Decision::AllowReviewed]);
        let ruled =
            RuleApprover::new(Arc::new(Rules::new(vec![allow, ask])), person.clone()).at_most(1);
        let (played, ran, _) = played(ruled).await;
        let file = |name: &str| json!({"file": name});
        assert_eq!((ran, person.saw()), (2, vec![file("one"), file("two")]), "{pattern}");
        let statuses: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
        assert_eq!(statuses, [Status::Ok; 2]);
    }
}

/// What a rule denies nobody can change a call into.
#[tokio::test]
async fn a_rule_still_denies() {
    let deny = Rule::new(RuleVerdict::Deny, "erase").pattern("file=three");
    let person = Person::saying([edit("three"), Decision::AllowReviewed]);
    let ruled = RuleApprover::new(Arc::new(Rules::new(vec![deny])), person.clone());
    let (played, ran, _) = played(ruled).await;
    let statuses: Vec<_> = played.calls().into_iter().map(|(_, status)| status).collect();
    assert_eq!((ran, statuses), (1, vec![Status::Denied, Status::Ok]));
}
