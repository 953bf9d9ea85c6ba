//! Which tool a name means.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use serde_json::{Value, json};
use toolwright_core::{RunContext, Status, Tool, ToolEffect};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, AllowAll, ToolFallback, Toolbox, ToolboxError};
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, bodies, calls, echo, play, result_sent, results_sent, serve, spec};

/// What comes of one call of `name` with this toolbox.
async fn called(toolbox: Arc<Toolbox>, name: &str) -> (String, Status, String) {
    let script = Script::new()
        .reply(Reply::calls([("call_1", name, r#"{"a":1}"#)]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let played = play(agent(&server).toolbox(toolbox).build().unwrap().run("Go.")).await;
    server.assert_clean();
    let (tool, status) = played.calls()[0];
    (tool.to_owned(), status, result_sent(&server))
}

fn toolbox() -> Arc<Toolbox> {
    let toolbox = Toolbox::builder()
        .tool(echo("search_instruments"))
        .tool(echo("get_market_quote"))
        .alias("quote", "get_market_quote");
    Arc::new(toolbox.build().unwrap())
}

#[tokio::test]
async fn s0_6_a_registry_routes_by_name_and_by_what_can_only_mean_it() {
    for (name, tool) in [
        ("get_market_quote", "get_market_quote"),
        ("quote", "get_market_quote"),
        ("functions.get_market_quote", "get_market_quote"),
        ("functions.quote", "get_market_quote"),
        ("default_api:search_instruments", "search_instruments"),
        ("Search_Instruments", "search_instruments"),
        ("`search_instruments`", "search_instruments"),
    ] {
        let wanted = (tool.to_owned(), Status::Ok, r#"{"a":1}"#.to_owned());
        assert_eq!(called(toolbox(), name).await, wanted, "{name}");
    }
}

#[tokio::test]
async fn s0_6_an_unknown_name_is_told_the_names_and_the_close_one() {
    let close = called(toolbox(), "get_market_quotes").await;
    let text = "Error: there is no tool named `get_market_quotes`. Did you mean \
                `get_market_quote`? Tools that exist: search_instruments, get_market_quote.";
    assert_eq!(close, ("get_market_quotes".to_owned(), Status::Failed, text.to_owned()));
    let far = called(toolbox(), "rm").await;
    let text = "Error: there is no tool named `rm`. Tools that exist: search_instruments, get_market_quote.";
    assert_eq!(far, ("rm".to_owned(), Status::Failed, text.to_owned()));
    let none = Arc::new(Toolbox::builder().build().unwrap());
    let text = "Error: there is no tool named `rm`. There are no tools: answer without one.";
    assert_eq!(called(none, "rm").await, ("rm".to_owned(), Status::Failed, text.to_owned()));
}

#[tokio::test]
async fn s0_6_two_tools_that_differ_in_case_are_not_mistaken_for_each_other() {
    let both = Toolbox::builder().tool(echo("look")).tool(echo("Look")).build().unwrap();
    let both = Arc::new(both);
    assert_eq!(called(both.clone(), "Look").await.0, "Look");
    assert_eq!(called(both, "LOOK").await.1, Status::Failed);
}

#[tokio::test]
async fn s0_6_a_fallback_serves_what_the_registry_lacks() {
    let second = Toolbox::builder().tool(echo("old_quote")).tool(echo("search_instruments"));
    let second = Arc::new(second.build().unwrap());
    let first = Toolbox::builder().tool(echo("search_instruments")).fallback(second);
    let first = Arc::new(first.build().unwrap());
    let ok = |tool: &str| (tool.to_owned(), Status::Ok, r#"{"a":1}"#.to_owned());
    assert_eq!(called(first.clone(), "old_quote").await, ok("old_quote"));
    assert_eq!(called(first.clone(), "functions.Old_Quote").await, ok("old_quote"));
    assert_eq!(called(first.clone(), "search_instruments").await, ok("search_instruments"));
    assert_eq!(called(first.clone(), "nothing").await.1, Status::Failed);
    assert_eq!(first.names().collect::<Vec<_>>(), ["search_instruments"], "served, not offered");
}

#[tokio::test]
async fn s0_6_what_the_fallback_serves_is_checked_like_any_tool() {
    let mut strict = spec("old_quote", ToolEffect::ReadOnly);
    strict.parameters = json!({"type": "object", "required": ["id"]});
    let second = crate::support::tool(strict, |_, _| async { crate::support::text("ran") });
    let second = Arc::new(Toolbox::builder().tool(second).build().unwrap());
    let first = Arc::new(Toolbox::builder().fallback(second).build().unwrap());
    let (_, status, text) = called(first, "old_quote").await;
    assert_eq!(status, Status::Failed);
    assert_eq!(
        text,
        "Error executing old_quote: invalid arguments, the tool was not run.\n\
         - arguments: \"id\" is required"
    );
}

#[tokio::test]
async fn s0_6_a_fallbacks_alias_for_a_name_of_the_registry_means_the_registrys_tool() {
    // The same name twice, with schemas that exclude each other.
    let search = |required: &str, says: &'static str| {
        let mut spec = spec("search", ToolEffect::ReadOnly);
        spec.parameters = json!({"type": "object", "required": [required]});
        crate::support::tool(spec, move |_, _| async move { crate::support::text(says) })
    };
    let second = Toolbox::builder().tool(search("old", "the old one")).alias("find", "search");
    let second = Arc::new(second.build().unwrap());
    let first = Toolbox::builder().tool(search("a", "the new one")).fallback(second);
    let first = Arc::new(first.build().unwrap());
    let new = ("search".to_owned(), Status::Ok, "the new one".to_owned());
    assert_eq!(called(first.clone(), "find").await, new);
    assert_eq!(called(first, "search").await, new, "checked by its own schema");
}

/// Serves its tool a few times, then no more.
struct Fleeting {
    tool: Arc<dyn Tool>,
    left: AtomicUsize,
}

impl ToolFallback for Fleeting {
    fn route(&self, _: &str) -> Option<&dyn Tool> {
        let left = self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1));
        left.is_ok().then_some(&*self.tool)
    }
}

#[tokio::test]
async fn a_tool_that_is_gone_when_it_should_run_is_a_failure_of_the_call() {
    for effect in [ToolEffect::ReadOnly, ToolEffect::Write, ToolEffect::Destructive] {
        for served in 1..4 {
            let tool = crate::support::tool(spec("brief", effect), |_, _| async {
                crate::support::text("still there")
            });
            let route = Arc::new(Fleeting { tool, left: AtomicUsize::new(served) });
            let toolbox = Arc::new(Toolbox::builder().fallback(route).build().unwrap());
            let model = Scripted::new([
                calls([("call_1", "brief", "{}")]),
                toolwright_core::ModelResponse::text("Well."),
            ]);
            let agent = Agent::builder(model).toolbox(toolbox).approver(AllowAll).build().unwrap();
            let played = play(agent.run("Go.")).await;
            assert_eq!(played.answer().response, "Well.", "{effect:?} served {served} times");
        }
    }
}

#[tokio::test]
async fn definitions_are_sent_in_openais_form_and_in_order() {
    let server = serve(Script::new().reply(Reply::text("Well."))).await;
    play(agent(&server).toolbox(toolbox()).build().unwrap().run("Well?")).await.answer();
    let definition = |name: &str| {
        json!({"type": "function", "function": {
            "name": name,
            "description": "Does something.",
            "parameters": {"type": "object"},
        }})
    };
    let wanted = [definition("search_instruments"), definition("get_market_quote")];
    assert_eq!(bodies(&server)[0]["tools"], Value::from(wanted.to_vec()));
    server.assert_clean();
}

#[test]
fn a_toolbox_says_why_it_cannot_be_made() {
    let error = |builder: toolwright_runtime::ToolboxBuilder| builder.build().unwrap_err();
    let twice = Toolbox::builder().tool(echo("a")).tool(echo("a"));
    assert_eq!(error(twice), ToolboxError::Twice("a".into()));
    for name in ["", "a b", "a.b", "größe", &"a".repeat(65)] {
        let bad = Toolbox::builder().tool(echo(name));
        assert_eq!(error(bad), ToolboxError::BadName(name.into()));
    }
    let alias = Toolbox::builder().tool(echo("a")).alias("b", "c");
    let bad = ToolboxError::BadAlias { alias: "b".into(), tool: "c".into() };
    assert_eq!(error(alias), bad);
    let mut no_object = spec("a", ToolEffect::ReadOnly);
    no_object.parameters = json!([]);
    let no_object = crate::support::counting(no_object, &Default::default());
    let message = "the parameters of `a` are not a usable JSON Schema: it is not an object";
    assert_eq!(error(Toolbox::builder().tool(no_object)).to_string(), message);
}

#[tokio::test]
async fn s2_2_a_registry_runs_a_tool_by_name_for_programs_too() {
    let toolbox = toolbox();
    let context = RunContext::new();
    let ok = toolbox.call("quote", json!({"a": 1}), &context).await;
    assert_eq!(ok.envelope(), json!({"success": true, "data": {"a": 1}, "text": "{\"a\":1}"}));
    let unknown = toolbox.call("nothing", json!({}), &context).await;
    assert_eq!(unknown.status, Status::Failed);
    assert!(unknown.text.contains("search_instruments, get_market_quote"), "{}", unknown.text);
}

#[tokio::test]
async fn a_result_stands_under_the_tools_own_name_whatever_the_model_called_it() {
    let script =
        Script::new().reply(Reply::calls([("call_1", "quote", "{}")])).reply(Reply::text("Done."));
    let server = serve(script).await;
    let played = play(agent(&server).toolbox(toolbox()).build().unwrap().run("Go.")).await;
    assert_eq!(results_sent(&server)[0].1, "get_market_quote");
    assert!(played.conversation.was_called("get_market_quote"));
}
