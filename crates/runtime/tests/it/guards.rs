//! Each guard through the loop: the tool does not run, the model is told why, the run goes on.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{EventKind, Status, Tool, ToolEffect, ToolSpec, guard};
use toolwright_testkit::{Reply, Script};

use crate::support::{Count, Played, agent, counting, echo, play, serve, spec, text, tool};

/// Finds one thing where it is asked for something, and says what it was given otherwise.
fn search() -> Arc<dyn Tool> {
    tool(spec("search", ToolEffect::ReadOnly), async |arguments, _| {
        let found = arguments.get("query").map(|_| r#"{"security_id":13}"#.to_owned());
        text(found.unwrap_or_else(|| arguments.to_string()))
    })
}

/// A run whose model says these replies, with a tool that counts and one that searches.
async fn guarded(
    script: Script,
    spec: ToolSpec,
    guards: Vec<Arc<dyn guard::Guard>>,
) -> (Played, usize) {
    let server = serve(script).await;
    let count = Count::default();
    let agent = agent(&server).tool(counting(spec, &count)).tool(search()).without_default_guards();
    let agent = agent.guards(guards).build().unwrap();
    let played = play(agent.run("What is the price of NIFTY?")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Well.", "the run went on");
    // What the model was told is what the event says.
    let last = server.requests().pop().unwrap();
    for message in played.conversation.messages().iter().filter(|it| it.role() == "tool") {
        let sent = last.body["messages"].as_array().unwrap();
        assert!(sent.iter().any(|it| it["content"] == message.content()), "{message:?}");
    }
    (played, count.get())
}

fn quote() -> ToolSpec {
    spec("quote", ToolEffect::ReadOnly)
}

fn refusals(played: &Played) -> Vec<(&str, &str)> {
    let refused = played.events.iter().filter_map(|event| match &event.kind {
        EventKind::CallFinished { id, guard: Some(guard), status: Status::Refused, .. } => {
            Some((id.as_str(), guard.as_str()))
        }
        _ => None,
    });
    refused.collect()
}

#[tokio::test]
async fn s1_4_placeholders_are_refused() {
    for placeholder in ["<security_id>", "YOUR_ID", "{{x}}", "${ID}", "[insert id]"] {
        let arguments = json!({"securities": {"IDX_I": [placeholder]}}).to_string();
        let script = Script::new()
            .reply(Reply::calls([("call_1", "quote", arguments.as_str())]))
            .reply(Reply::text("Well."));
        let (played, ran) = guarded(script, quote(), guard::defaults()).await;
        assert_eq!(ran, 0);
        assert_eq!(refusals(&played), [("call_1", "placeholders")]);
        assert_eq!(
            played.text_of("call_1"),
            format!(
                "The argument at /securities/IDX_I/0 is the placeholder `{placeholder}`, not a \
                 real value. Use a value from the user's question or from an earlier result; call \
                 the tool that returns it first if there is none yet."
            )
        );
    }
}

#[tokio::test]
async fn s1_4_free_text_may_hold_what_looks_like_a_placeholder() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "quote", r#"{"page":"<name>"}"#)]))
        .reply(Reply::text("Well."));
    let (_, ran) = guarded(script, quote().free_text("page"), guard::defaults()).await;
    assert_eq!(ran, 1);
}

#[tokio::test]
async fn s1_4_one_call_at_a_time_where_a_policy_asks_for_it() {
    let script = || {
        Script::new()
            .reply(Reply::calls([("a", "quote", r#"{"n":1}"#), ("b", "quote", r#"{"n":2}"#)]))
            .reply(Reply::text("Well."))
    };
    let (played, ran) = guarded(script(), quote(), vec![Arc::new(guard::OneAtATime)]).await;
    assert_eq!(ran, 1);
    assert_eq!(played.calls(), [("quote", Status::Ok), ("quote", Status::Refused)]);
    assert_eq!(refusals(&played), [("b", "one_at_a_time")]);
    assert_eq!(
        played.text_of("b"),
        "Only one tool may be called at a time, so this call was not run. Look at the result of \
         the first call, then call this tool if it is still needed."
    );
    let (_, ran) = guarded(script(), quote(), guard::defaults()).await;
    assert_eq!(ran, 2, "not by default");
}

#[tokio::test]
async fn s1_4_a_grounded_value_must_have_been_given() {
    let script = Script::new()
        .reply(Reply::calls([("a", "quote", r#"{"id":99}"#)]))
        .reply(Reply::calls([("b", "search", r#"{"query":"index"}"#)]))
        .reply(Reply::calls([("c", "quote", r#"{"id":99}"#)]))
        .reply(Reply::calls([
            ("d", "quote", r#"{"id":"13"}"#),
            ("e", "quote", r#"{"id":"nifty"}"#),
        ]))
        .reply(Reply::text("Well."));
    let (played, ran) = guarded(script, quote().grounded("id"), guard::defaults()).await;
    assert_eq!(ran, 2);
    assert_eq!(refusals(&played), [("a", "grounded"), ("c", "grounded")]);
    let start = "The value `99` for `id` was not returned by any earlier result and was not given \
                 by the user.";
    let none = format!("{start} No values are known yet: first call the tool that returns them.");
    assert_eq!(played.text_of("a"), none);
    let known = format!("{start} Values that exist: security_id 13 (from search).");
    assert_eq!(played.text_of("c"), known);
}

#[tokio::test]
async fn s1_4_a_configured_value_is_given() {
    let script = Script::new()
        .reply(Reply::calls([("a", "quote", r#"{"id":99}"#)]))
        .reply(Reply::text("Well."));
    let guards: Vec<Arc<dyn guard::Guard>> = vec![Arc::new(guard::Grounded::default().allow(99))];
    let (_, ran) = guarded(script, quote().grounded("id"), guards).await;
    assert_eq!(ran, 1);
}

#[tokio::test]
async fn s1_4_a_tool_waits_for_the_one_it_comes_after() {
    let script = Script::new()
        .reply(Reply::calls([("a", "search", "{}"), ("b", "quote", "{}")]))
        .reply(Reply::calls([("c", "quote", "{}")]))
        .reply(Reply::text("Well."));
    let (played, ran) = guarded(script, quote().after("search"), guard::defaults()).await;
    assert_eq!(ran, 1);
    assert_eq!(refusals(&played), [("b", "after")], "in the same reply is not after");
    assert_eq!(
        played.text_of("b"),
        "`quote` can only be called once `search` has answered, and it has not. Call `search` \
         first and use what it returns."
    );
}

#[tokio::test]
async fn s1_4_the_same_call_with_the_same_result_is_refused_the_fourth_time() {
    let again = |id: &str| Reply::calls([(id, "quote", r#"{"n":1}"#)]);
    let script = Script::new()
        .reply(again("a"))
        .reply(again("b"))
        .reply(again("c"))
        .reply(again("d"))
        .reply(Reply::text("Well."));
    let (played, ran) = guarded(script, quote(), guard::defaults()).await;
    assert_eq!(ran, 3);
    assert_eq!(refusals(&played), [("d", "repetition")]);
    assert_eq!(
        played.text_of("d"),
        "`quote` was already called 3 times with these arguments and gave the same result each \
         time: counted Use that result, call with other arguments, or answer."
    );
}

/// Anybody can write one.
struct NoFridays;

impl guard::Guard for NoFridays {
    fn name(&self) -> &str {
        "no_fridays"
    }

    fn check_call(&self, check: &guard::CallCheck<'_>) -> Result<(), guard::Refusal> {
        match check.arguments["day"].as_str() {
            Some("Friday") => Err(guard::Refusal::new("Not on Fridays.").instead("Take Monday.")),
            _ => Ok(()),
        }
    }
}

#[tokio::test]
async fn s1_4_a_guard_of_ones_own_stands_behind_those_that_are_on() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", r#"{"day":"Friday"}"#), ("b", "look", "{}")]))
        .reply(Reply::text("Well."));
    let server = serve(script).await;
    let agent = agent(&server).tool(echo("look")).guard(NoFridays).build().unwrap();
    let played = play(agent.run("Look on Friday.")).await;
    server.assert_clean();
    assert_eq!(played.text_of("a"), "Not on Fridays. Take Monday.");
    assert_eq!(played.calls(), [("look", Status::Refused), ("look", Status::Ok)]);
}

#[tokio::test]
async fn guards_are_added_like_tools_and_only_those_that_are_on_can_be_left_out() {
    let names = |agent: toolwright_runtime::AgentBuilder| {
        let agent = agent.build().unwrap();
        let guards = agent.settings().guards.iter();
        guards.map(|guard| guard.name().to_owned()).collect::<Vec<_>>()
    };
    let server = serve(Script::new()).await;
    let own = || -> [Arc<dyn guard::Guard>; 1] { [Arc::new(NoFridays)] };
    let on: Vec<_> = guard::defaults().iter().map(|it| it.name().to_owned()).collect();
    let behind = [&on[..], &["no_fridays".to_owned()]].concat();
    assert_eq!(names(agent(&server)), on);
    assert_eq!(names(agent(&server).guards(own())), behind);
    // In whatever order it is said.
    let alone = [agent(&server).without_default_guards().guards(own())];
    let alone = alone.into_iter().chain([agent(&server).guards(own()).without_default_guards()]);
    alone.for_each(|agent| assert_eq!(names(agent), ["no_fridays"]));
}
