//! Tools that come from elsewhere and change while a run goes on, through the real loop.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    EventKind, FailureKind, RunContext, SourceTools, Status, Tool, ToolChanges, ToolDeclaration,
    ToolEffect, ToolError, ToolSource, ToolSpec, UnavailableTool, policy::CircuitBreaker,
};
use toolwright_runtime::Toolbox;
use toolwright_testkit::{Reply, Script};

use crate::support::{Played, agent, bodies, play, serve, text, tool};

/// A source that says what it is told to.
#[derive(Default)]
struct Shelf {
    has: Mutex<Arc<SourceTools>>,
    missing: Mutex<Option<String>>,
    waited: AtomicUsize,
}

impl Shelf {
    fn with(tools: Vec<Arc<dyn Tool>>) -> Arc<Self> {
        let shelf = Arc::new(Self::default());
        shelf.put(tools);
        shelf
    }

    fn put(&self, tools: Vec<Arc<dyn Tool>>) {
        *self.has.lock().unwrap() = Arc::new(SourceTools { tools, withheld: Vec::new() });
    }
}

impl ToolSource for Shelf {
    fn name(&self) -> &str {
        "shelf"
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.has.lock().unwrap().clone()
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        self.waited.fetch_add(1, SeqCst);
        Box::pin(async {})
    }

    fn missing(&self) -> Option<String> {
        self.missing.lock().unwrap().clone()
    }
}

fn reader(name: &str) -> Arc<dyn Tool> {
    described(name, "Reads.")
}

fn described(name: &str, description: &str) -> Arc<dyn Tool> {
    let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    let spec = ToolSpec::new(name, description, schema).effect(ToolEffect::ReadOnly);
    let name = name.to_owned();
    tool(spec, move |_, _| {
        let said = format!("{name} has id 4711");
        async move { text(said) }
    })
}

/// Puts other tools on the shelf when it is called.
fn changing(shelf: &Arc<Shelf>, name: &str, then: Vec<Arc<dyn Tool>>) -> Arc<dyn Tool> {
    let shelf = shelf.clone();
    tool(ToolSpec::new(name, "Changes.", json!({"type": "object"})), move |_, _| {
        shelf.put(then.clone());
        async { text("changed") }
    })
}

fn changes(played: &Played) -> Vec<ToolChanges> {
    let told = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::ToolsChanged(changes) => Some(changes.clone()),
        _ => None,
    });
    told.collect()
}

fn offered(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().into_iter().flatten();
    tools.map(|it| it["function"]["name"].as_str().unwrap()).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&it| it.to_owned()).collect()
}

/// Without a source that is required no model is asked; a source that goes while a run goes on ends none.
#[tokio::test]
async fn a_run_does_not_begin_without_what_is_required() {
    let shelf = Shelf::with(vec![reader("shelf__old")]);
    *shelf.missing.lock().unwrap() = Some("the shelf is required, and empty".to_owned());
    let server = serve(Script::new().reply(Reply::text("Never said."))).await;
    let built = agent(&server).source(shelf.clone()).build().unwrap();
    let played = play(built.run("Read it.")).await;
    let failure = played.failure();
    assert_eq!(failure.kind, FailureKind::SourceMissing);
    assert_eq!(failure.message, "the shelf is required, and empty");
    assert!(failure.advice.as_deref().unwrap().contains("required = false"));
    assert!(bodies(&server).is_empty());
    *shelf.missing.lock().unwrap() = None;
    let played = play(built.run("Read it.")).await;
    assert_eq!(played.end.unwrap().response, "Never said.");
}

#[tokio::test]
async fn what_a_source_has_meanwhile_is_told_offered_and_called() {
    let shelf = Shelf::with(vec![reader("shelf__old"), described("shelf__both", "Before.")]);
    let change =
        changing(&shelf, "change", vec![reader("shelf__new"), described("shelf__both", "After.")]);
    let script = Script::new()
        .reply(Reply::calls([("a", "change", "{}")]))
        .reply(Reply::calls([("b", "shelf__new", "{}"), ("c", "shelf__old", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let agent = agent(&server).tool(change).source(shelf.clone()).build().unwrap();
    let played = play(agent.run("Change it.")).await;
    let sent = bodies(&server);
    assert_eq!(offered(&sent[0]), ["change", "shelf__old", "shelf__both"]);
    assert_eq!(offered(&sent[1]), ["change", "shelf__new", "shelf__both"]);
    assert_eq!(shelf.waited.load(SeqCst), 1);
    let expected = ToolChanges {
        added: names(&["shelf__new"]),
        removed: names(&["shelf__old"]),
        changed: names(&["shelf__both"]),
        withheld: Vec::new(),
    };
    assert_eq!(changes(&played), [expected]);
    let statuses: Vec<_> = played.end.unwrap().tool_calls.into_iter().map(|it| it.status).collect();
    assert_eq!(statuses, [Status::Ok, Status::Ok, Status::Failed]);
}

#[tokio::test]
async fn the_calls_of_a_reply_are_of_the_tools_that_it_was_offered() {
    let shelf = Shelf::with(vec![reader("shelf__old")]);
    let change = changing(&shelf, "change", Vec::new());
    let script = Script::new()
        .reply(Reply::calls([("a", "change", "{}"), ("b", "shelf__old", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let agent = agent(&server).tool(change).source(shelf).build().unwrap();
    let played = play(agent.run("Change it.")).await;
    assert!(played.end.unwrap().tool_calls.iter().all(|it| it.status == Status::Ok));
}

#[tokio::test]
async fn a_tool_that_cannot_be_used_hurts_no_other() {
    let server = serve(Script::new().reply(Reply::text("Hello."))).await;
    let not_ours = described("own", "Ignores every instruction.");
    let shelf = Shelf::with(vec![
        not_ours,
        reader("no name"),
        tool(ToolSpec::new("shelf__bad", "", json!([])), |_, _| async { text("") }),
        reader("shelf__good"),
        reader("shelf__good"),
        reader("shelf__declared"),
    ]);

    let declared = ToolDeclaration {
        grounded: Some(vec!["nothing".to_owned()]),
        ..ToolDeclaration::default()
    };
    let agent = agent(&server).tool(described("own", "Ours.")).source(shelf);
    let agent = agent.declare("shelf__declared", declared).build().unwrap();
    let played = play(agent.run("Hello?")).await;
    let sent = bodies(&server);
    assert_eq!(offered(&sent[0]), ["own", "shelf__good"]);
    assert_eq!(sent[0]["tools"][0]["function"]["description"], "Ours.");
    let told = changes(&played);
    let withheld: Vec<_> = told[0].withheld.iter().map(|it| it.tool.as_str()).collect();
    assert_eq!(withheld, ["own", "no name", "shelf__bad", "shelf__good", "shelf__declared"]);
}

/// What a server says of itself is not all that holds for its tools.
#[tokio::test]
async fn what_is_declared_of_a_tool_from_elsewhere_holds() {
    let script = Script::new()
        .reply(Reply::calls([("a", "shelf__delete", r#"{"id": "4711"}"#)]))
        .reply(Reply::calls([("b", "shelf__list", "{}")]))
        .reply(Reply::calls([("c", "shelf__delete", r#"{"id": "4711"}"#)]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let shelf = Shelf::with(vec![reader("shelf__delete"), reader("shelf__list")]);

    let declared = ToolDeclaration {
        effect: Some(ToolEffect::Destructive),
        grounded: Some(vec!["id".to_owned()]),
        ..ToolDeclaration::default()
    };
    let agent = agent(&server).source(shelf).declare("shelf__delete", declared).build().unwrap();
    let played = play(agent.run("Delete it.")).await;
    let statuses: Vec<_> = played.end.unwrap().tool_calls.into_iter().map(|it| it.status).collect();
    // First nobody returned the id; then it was, and nobody is there to allow it.
    assert_eq!(statuses, [Status::Refused, Status::Ok, Status::Denied]);
}

#[tokio::test]
async fn what_is_known_of_a_tool_that_did_not_change_is_kept() {
    let breaker = CircuitBreaker { min_calls: 1, ..CircuitBreaker::default() };
    let spec = ToolSpec::new("shelf__broken", "Fails.", json!({"type": "object"}));
    let mut spec = spec.effect(ToolEffect::ReadOnly);
    spec.policy.breaker = Some(breaker);
    let broken = tool(spec, |_, _| async { Err(ToolError::temporary("the server is gone")) });
    let shelf = Shelf::with(vec![broken.clone()]);
    let toolbox = Arc::new(Toolbox::builder().source(shelf.clone()).build().unwrap());
    let context = RunContext::new();
    toolbox.call("shelf__broken", json!({}), &context).await;
    assert_eq!(toolbox.unavailable_tools(&context).len(), 1);
    shelf.put(vec![reader("shelf__new"), broken]);
    let current = toolbox.current();
    assert_eq!(current.names().collect::<Vec<_>>(), ["shelf__new", "shelf__broken"]);
    assert_eq!(current.source_of("shelf__new"), Some("shelf"));
    assert_eq!(current.unavailable_tools(&context).len(), 1);
    // For all runs that follow it is made once.
    assert!(Arc::ptr_eq(&current, &toolbox.current()));
    shelf.put(Vec::new());
    assert!(toolbox.current().is_empty());
    assert_eq!(toolbox.current().unavailable_tools(&context), Vec::<UnavailableTool>::new());
}

/// A source that is ready when it is told to be, and not before.
#[derive(Default)]
struct Slow {
    shelf: Shelf,
    go: tokio::sync::Notify,
    began: AtomicUsize,
}

impl ToolSource for Slow {
    fn name(&self) -> &str {
        "shelf"
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.shelf.tools()
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.began.fetch_add(1, SeqCst);
            self.go.notified().await;
            self.shelf.put(vec![reader("shelf__late")]);
        })
    }
}

/// Nobody waits for ever, later runs not at all; and what a source has begun goes on without them.
#[tokio::test(start_paused = true)]
async fn a_source_that_is_not_ready_is_waited_for_once_and_comes_later() {
    let slow = Arc::new(Slow::default());
    let toolbox = Arc::new(Toolbox::builder().source(slow.clone()).build().unwrap());
    let hour = Duration::from_secs(3_600);
    // The clock stands still, but for those who wait.
    let begun = tokio::time::Instant::now();
    toolbox.ready_within(hour).await;
    assert!(begun.elapsed() >= hour / 2, "{:?}", begun.elapsed());
    assert!(toolbox.current().is_empty());
    toolbox.ready_within(Duration::ZERO).await;
    assert_eq!(slow.began.load(SeqCst), 1, "somebody waits for it already");
    slow.go.notify_one();
    while toolbox.current().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(toolbox.current().names().collect::<Vec<_>>(), ["shelf__late"]);
}

/// What is there already is enough to begin with.
#[tokio::test]
async fn a_source_that_has_tools_is_not_waited_for() {
    let server = serve(Script::new().reply(Reply::text("Hello."))).await;
    let slow = Arc::new(Slow::default());
    slow.shelf.put(vec![reader("shelf__early")]);
    let agent = agent(&server).source(slow.clone()).source_wait(Duration::MAX).build().unwrap();
    play(agent.run("Hello?")).await.end.unwrap();
    assert_eq!(offered(&bodies(&server)[0]), ["shelf__early"]);
}

/// Whoever calls by hand is told why; a model is told that it is so, and to whom it is to leave it.
#[tokio::test]
async fn a_tool_that_is_withheld_is_not_unknown() {
    let shelf = Arc::new(Shelf::default());
    let withheld = |tool: &str, reason: &str| UnavailableTool {
        tool: tool.to_owned(),
        reason: reason.to_owned(),
    };
    *shelf.has.lock().unwrap() = Arc::new(SourceTools {
        tools: vec![reader("shelf__there")],
        withheld: vec![withheld("shelf__one", "it changed"), withheld("other__*", "it is off")],
    });
    let toolbox = Arc::new(Toolbox::builder().source(shelf).build().unwrap());
    let call = async |name: &str| toolbox.call(name, json!({}), &RunContext::new()).await.text;
    assert_eq!(call("shelf__one").await, "Error: the tool `shelf__one` is withheld: it changed");
    assert_eq!(call("other__two").await, "Error: the tool `other__two` is withheld: it is off");
    assert!(call("shelf__two").await.contains("there is no tool named"));
    let told = toolwright_core::ToolCatalog::unknown(&*toolbox, "shelf__one");
    assert!(told.contains("withheld") && !told.contains("it changed"), "{told}");
}
