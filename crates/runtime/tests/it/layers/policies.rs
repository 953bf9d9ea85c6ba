//! Whose word counts, and what cannot be asked for.

use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{Policy, RunContext, Tool, ToolCatalog, ToolEffect, ToolResult, ToolSpec};
use toolwright_runtime::{Layer, Toolbox, ToolboxError};

use super::{giving, policy, reader, run, temporary};
use crate::support::{echo, spec, text};

fn effective(toolbox: &Toolbox, tool: &str) -> Value {
    json!(toolbox.find(tool).expect("a tool").policy)
}

#[test]
fn the_nearer_word_counts_part_by_part() {
    let declared = json!({
        "timeout": "2s",
        "retry": {"attempts": 2},
        "rate": {"per_run": 2, "max_concurrent": 2},
        "redact": ["declared"],
    });
    let (tool, _) = giving(reader("look", declared), [text("fine")]);
    let toolbox = Toolbox::builder()
        .tool(tool)
        .tool(echo("other"))
        // In any order: what counts is what they are.
        .policy("look", policy(json!({"rate": {"max_concurrent": 4}})))
        .policy(
            "*",
            policy(json!({"retry": {"attempts": 3}, "rate": {"max_concurrent": 3, "calls": 3}})),
        )
        .policy("look", policy(json!({"redact": ["named"]})))
        .default_policy(policy(
            json!({"timeout": "1s", "idle_timeout": "1s", "redact": ["default"]}),
        ))
        .build()
        .unwrap();
    let mut wanted = policy(json!({
        "timeout": "2s",
        "idle_timeout": "1s",
        "retry": {"attempts": 3},
        "rate": {"per_run": 2, "max_concurrent": 4, "calls": 3},
        "redact": ["default", "declared", "named"],
    }));
    assert_eq!(effective(&toolbox, "look"), json!(wanted));
    wanted = policy(json!({
        "timeout": "1s",
        "idle_timeout": "1s",
        "retry": {"attempts": 3},
        "rate": {"max_concurrent": 3, "calls": 3},
        "redact": ["default"],
    }));
    assert_eq!(effective(&toolbox, "other"), json!(wanted));
}

#[tokio::test(start_paused = true)]
async fn what_the_operator_says_is_what_happens() {
    let (tool, ran) = giving(reader("look", json!({"retry": {"attempts": 2}})), [temporary()]);
    let toolbox = Toolbox::builder()
        .tool(tool)
        .policy("look", policy(json!({"retry": {"attempts": 5}})))
        .build()
        .unwrap();
    run(&Arc::new(toolbox), "look", 1).await;
    assert_eq!(*ran.lock().unwrap(), 5);
}

/// Whoever changes how long an answer serves does not say what of it may be seen.
#[test]
fn what_protects_somebody_is_never_taken_away() {
    let declared = json!({"cache": {"ttl": "60s"}, "redact": ["email"]});
    let (tool, _) = giving(reader("look", declared), [text("fine")]);
    let toolbox = Toolbox::builder()
        .tool(tool)
        .policy("*", policy(json!({"cache": {"ttl": "5m"}, "redact": ["phone", "email"]})))
        .policy("look", policy(json!({"cache": {"ttl": "2m"}})))
        .build()
        .unwrap();
    let wanted = policy(json!({
        "cache": {"ttl": "2m"},
        "redact": ["email", "phone"],
    }));
    assert_eq!(effective(&toolbox, "look"), json!(wanted));
}

#[test]
fn what_is_said_of_many_is_done_where_the_effect_allows_it() {
    let all = || policy(json!({"timeout": "1s", "retry": {}, "cache": {}}));
    let (read, _) = giving(spec("read", ToolEffect::ReadOnly), [text("fine")]);
    let (put, _) = giving(spec("put", ToolEffect::Idempotent), [text("fine")]);
    let (write, _) = giving(spec("write", ToolEffect::Write), [text("fine")]);
    for builder in [Toolbox::builder().default_policy(all()), Toolbox::builder().policy("*", all())]
    {
        let toolbox = builder.tools([read.clone(), put.clone(), write.clone()]).build().unwrap();
        let parts = |tool: &str| {
            let policy = &toolbox.find(tool).unwrap().policy;
            [policy.timeout.is_some(), policy.retry.is_some(), policy.cache.is_some()]
        };
        assert_eq!(parts("read"), [true, true, true]);
        assert_eq!(parts("put"), [true, true, false]);
        assert_eq!(parts("write"), [true, false, false]);
    }
}

fn refused(effect: ToolEffect, said: Value) -> String {
    let (declared, _) = giving(spec("it", effect).policy(policy(said.clone())), [text("fine")]);
    let declared = Toolbox::builder().tool(declared).build().unwrap_err();
    let (configured, _) = giving(spec("it", effect), [text("fine")]);
    let configured = Toolbox::builder().tool(configured).policy("it", policy(said));
    assert_eq!(configured.build().unwrap_err(), declared, "whoever says it");
    assert!(matches!(declared, ToolboxError::BadPolicy { .. }));
    declared.to_string()
}

#[test]
fn what_cannot_be_kept_is_refused_with_advice() {
    for (effect, said, wanted) in [
        (ToolEffect::Write, json!({"retry": {}}), "`read_only` or `idempotent`"),
        (ToolEffect::Destructive, json!({"retry": {}}), "would do twice what should be done once"),
        (
            ToolEffect::Idempotent,
            json!({"cache": {}}),
            "`read_only` if it is, or leave the cache out",
        ),
        (ToolEffect::ReadOnly, json!({"retry": {"attempts": 0}}), "at least 1"),
        (ToolEffect::ReadOnly, json!({"cache": {"ttl": "0s"}}), "`cache.ttl` is no time at all"),
        (ToolEffect::ReadOnly, json!({"timeout": "0s"}), "`timeout` is no time at all"),
        (ToolEffect::ReadOnly, json!({"idle_timeout": "0s"}), "`idle_timeout` is no time"),
        (
            ToolEffect::ReadOnly,
            json!({"breaker": {"failures": 1.1}}),
            "from 0 to 1, and 1.1 is not",
        ),
        (ToolEffect::ReadOnly, json!({"breaker": {"failures": -0.1}}), "from 0 to 1"),
        (ToolEffect::ReadOnly, json!({"breaker": {"window": 3}}), "waits for 5 of them"),
        (ToolEffect::ReadOnly, json!({"breaker": {"window": 0, "min_calls": 0}}), "at least 1"),
        (
            ToolEffect::ReadOnly,
            json!({"breaker": {"cooldown": "0s"}}),
            "`breaker.cooldown` is no time",
        ),
        (ToolEffect::ReadOnly, json!({"rate": {"calls": 0}}), "`rate.calls = 0`"),
        (ToolEffect::ReadOnly, json!({"rate": {"max_concurrent": 0}}), "`rate.max_concurrent = 0`"),
        (ToolEffect::ReadOnly, json!({"rate": {"period": "1s"}}), "add `rate.calls`"),
        (
            ToolEffect::ReadOnly,
            json!({"rate": {"calls": 1, "period": "0s"}}),
            "`rate.period` is no",
        ),
    ] {
        let told = refused(effect, said.clone());
        assert!(told.starts_with("the policy of `it` cannot be kept: "), "{told}");
        assert!(told.contains(wanted), "{said}: {told}");
    }
    let mut nan = policy(json!({"breaker": {}}));
    nan.breaker.as_mut().unwrap().failures = f64::NAN;
    let (tool, _) = giving(spec("it", ToolEffect::ReadOnly).policy(nan), [text("fine")]);
    assert!(Toolbox::builder().tool(tool).build().is_err());
    // One attempt is no retry.
    let one = policy(json!({"retry": {"attempts": 1}}));
    let (tool, _) = giving(spec("it", ToolEffect::Write).policy(one), [text("fine")]);
    assert!(Toolbox::builder().tool(tool).build().is_ok());
}

#[test]
fn what_is_said_of_a_tool_that_is_not_there_is_told() {
    let none = |tool: Arc<dyn Tool>| tool;
    for builder in [
        Toolbox::builder().policy("loook", Policy::default()),
        Toolbox::builder().layer_for("loook", none),
    ] {
        let error = builder.tool(echo("look")).build().unwrap_err().to_string();
        assert!(error.contains("`loook`") && error.contains("there is no such tool"), "{error}");
    }
}

#[test]
fn a_tool_without_a_policy_has_nothing_around_it() {
    let (tool, _) = giving(spec("bare", ToolEffect::ReadOnly), [text("fine")]);
    let (counted, _) = giving(reader("counted", json!({"rate": {"per_run": 3}})), [text("fine")]);
    let toolbox = Toolbox::builder().tools([tool.clone(), counted.clone()]).build().unwrap();
    for (name, tool) in [("bare", tool), ("counted", counted)] {
        let same = std::ptr::addr_eq(toolbox.get(name).unwrap(), Arc::as_ptr(&tool));
        assert!(same, "the gate sees to what `{name}` declares");
    }
}

/// Writes down when a call passes.
struct Mark(&'static str, Arc<Mutex<Vec<String>>>);

struct Marked(Arc<dyn Tool>, &'static str, Arc<Mutex<Vec<String>>>);

impl Layer for Mark {
    fn layer(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        Arc::new(Marked(tool, self.0, self.1.clone()))
    }
}

impl Tool for Marked {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        let policy = &self.spec().policy;
        let seen = format!("{} {:?}", self.1, policy.retry.map(|retry| retry.attempts));
        self.2.lock().unwrap().push(seen);
        self.0.call(arguments, context)
    }
}

#[tokio::test(start_paused = true)]
async fn layers_of_the_programs_own_stand_in_order_and_see_what_is_in_effect() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mark = |name: &'static str| Mark(name, log.clone());
    let said = json!({"cache": {}, "retry": {"attempts": 3}});
    let (look, ran) = giving(reader("look", said), [temporary(), text("fine")]);
    let toolbox = Toolbox::builder()
        .tool(look)
        .tool(echo("other"))
        .layer(mark("outer"))
        .layer_for("look", mark("only look"))
        .layer(mark("inner"))
        .build()
        .unwrap();
    let toolbox = Arc::new(toolbox);
    run(&toolbox, "look", 2).await;
    let pass = ["outer Some(3)", "only look Some(3)", "inner Some(3)"];
    // The second call is answered from memory, and they see it all the same; a retry they do not.
    assert_eq!(*log.lock().unwrap(), [pass, pass].concat());
    assert_eq!(*ran.lock().unwrap(), 2);
    log.lock().unwrap().clear();
    run(&toolbox, "other", 1).await;
    assert_eq!(*log.lock().unwrap(), ["outer None", "inner None"]);
}
