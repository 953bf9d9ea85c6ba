//! A tool that keeps failing is left alone for a while.

use std::sync::Arc;

use serde_json::json;
use tokio::time::advance;
use toolwright_core::{EventKind, RunContext, Status, ToolEffect, ToolError, ToolResult};
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, Toolbox};
use toolwright_testkit::{Reply, Script};

use super::{SECOND, giving, lasting, reader, refusing, run, run_in, temporary, toolbox};
use crate::support::{bodies, calls, echo, play, serve, spec, text, tool};

fn breaker() -> serde_json::Value {
    json!({"breaker": {"failures": 0.5, "window": 8, "min_calls": 4, "cooldown": "30s"}})
}

#[tokio::test(start_paused = true)]
async fn it_opens_when_too_many_of_the_last_calls_failed() {
    let results = [text("a"), text("b"), temporary(), temporary(), text("never reached")];
    let (tool, ran) = giving(reader("flaky", breaker()), results);
    let toolbox = toolbox(tool);
    // The model goes on calling it, though it is not offered any more.
    let played = run(&toolbox, "flaky", 6).await;
    assert_eq!(*ran.lock().unwrap(), 4);
    let off = "keeps failing (2 of its last 4 calls) and is switched off for 30 s";
    let refused =
        format!("`flaky` {off} more, so the call was not made. Do without it, and say so.");
    assert!(played.texts()[4..].iter().all(|text| text.ends_with(&refused)), "{refused}");
    assert_eq!(played.calls()[4], ("flaky", Status::Refused));
    let note = |what: &str, text: String| (format!("breaker {what}"), text);
    let wanted = [
        note("opened", format!("it {off}")),
        note("refused", format!("it {off} more")),
        note("refused", format!("it {off} more")),
    ];
    assert_eq!(played.notes_in_full(), wanted);
}

#[tokio::test(start_paused = true)]
async fn a_few_failures_among_many_calls_are_nothing() {
    let results = (0..40).map(|n| if n % 3 == 1 { lasting() } else { text("fine") });
    let (tool, ran) = giving(reader("fair", breaker()), results);
    let played = run(&toolbox(tool), "fair", 40).await;
    assert_eq!(*ran.lock().unwrap(), 40);
    assert!(played.notes().is_empty());
}

#[tokio::test(start_paused = true)]
async fn only_the_last_calls_count() {
    let results = std::iter::repeat_n(lasting(), 3)
        .chain(std::iter::repeat_n(text("fine"), 8))
        .chain(std::iter::repeat_n(lasting(), 3))
        .chain([text("fine")]);
    let policy = json!({"breaker": {"failures": 0.75, "window": 8, "min_calls": 4}});
    let (tool, ran) = giving(reader("moody", policy), results);
    run(&toolbox(tool), "moody", 20).await;
    assert_eq!(*ran.lock().unwrap(), 20);
}

#[tokio::test(start_paused = true)]
async fn refusals_from_further_inside_are_no_failures() {
    let (tool, ran) = giving(reader("shy", breaker()), [refusing()]);
    run(&toolbox(tool), "shy", 10).await;
    assert_eq!(*ran.lock().unwrap(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_call_with_all_its_attempts_counts_once() {
    let mut policy = breaker();
    policy["retry"] = json!({"attempts": 3, "initial_backoff": "0s"});
    let (tool, ran) = giving(reader("flaky", policy), [temporary()]);
    let toolbox = toolbox(tool);
    run(&toolbox, "flaky", 3).await;
    assert_eq!((*ran.lock().unwrap(), toolbox.unavailable_tools(&RunContext::new()).len()), (9, 0));
    run(&toolbox, "flaky", 1).await;
    assert_eq!(toolbox.unavailable_tools(&RunContext::new()).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_a_failure_and_nothing_more() {
    let tool = tool(reader("broken", breaker()), |_, _| {
        if true {
            panic!("index out of bounds");
        }
        async { text("never reached") }
    });
    let toolbox = toolbox(tool);
    let played = run(&toolbox, "broken", 5).await;
    assert_eq!(played.texts()[0], "Error executing broken: the tool broke down");
    let detail = played.conversation.results().next().unwrap().outcome.detail.clone();
    assert_eq!(detail.as_deref(), Some("the tool panicked: index out of bounds"));
    assert_eq!(played.calls()[3], ("broken", Status::Failed));
    assert_eq!(played.calls()[4], ("broken", Status::Refused));
    assert_eq!(played.notes(), ["breaker opened", "breaker refused"]);
}

#[tokio::test(start_paused = true)]
async fn after_its_rest_one_call_tries_and_success_closes_it() {
    let results = std::iter::repeat_n(temporary(), 4).chain([text("fine")]);
    let (tool, ran) = giving(reader("flaky", breaker()), results);
    let toolbox = toolbox(tool);
    run(&toolbox, "flaky", 4).await;
    assert_eq!(toolbox.unavailable_tools(&RunContext::new())[0].tool, "flaky");
    advance(29 * SECOND).await;
    let off = "keeps failing (4 of its last 4 calls) and is switched off for 1 s more";
    assert_eq!(toolbox.unavailable_tools(&RunContext::new())[0].reason, off);
    advance(SECOND).await;
    assert!(
        toolbox.unavailable_tools(&RunContext::new()).is_empty(),
        "offered again, before anybody has tried it"
    );
    let played = run(&toolbox, "flaky", 2).await;
    assert_eq!(played.texts(), ["fine", "fine"]);
    assert_eq!(played.notes(), ["breaker probing", "breaker closed"]);
    // It begins with a clean sheet.
    assert_eq!(*ran.lock().unwrap(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_try_that_fails_is_followed_by_another_rest() {
    let (tool, ran) = giving(reader("flaky", breaker()), [temporary()]);
    let toolbox = toolbox(tool);
    run(&toolbox, "flaky", 4).await;
    for round in 1..=3 {
        advance(30 * SECOND).await;
        let played = run(&toolbox, "flaky", 2).await;
        assert_eq!(played.notes(), ["breaker probing", "breaker opened", "breaker refused"]);
        assert_eq!(*ran.lock().unwrap(), 4 + round);
    }
    assert!(
        toolbox.unavailable_tools(&RunContext::new())[0].reason.contains("(7 of its last 7 calls)")
    );
}

#[tokio::test(start_paused = true)]
async fn exactly_one_call_tries_however_many_come_at_once() {
    let gate = Arc::new(tokio::sync::Notify::new());
    let (wait, works) = (gate.clone(), Arc::new(std::sync::atomic::AtomicBool::new(false)));
    let worked = works.clone();
    let tool = tool(reader("flaky", breaker()), move |_, _| {
        let (wait, worked) = (wait.clone(), worked.clone());
        async move {
            if !worked.load(std::sync::atomic::Ordering::SeqCst) {
                return temporary();
            }
            wait.notified().await;
            text("works")
        }
    });
    let toolbox = toolbox(tool);
    run(&toolbox, "flaky", 4).await;
    works.store(true, std::sync::atomic::Ordering::SeqCst);
    advance(30 * SECOND).await;
    let context = RunContext::new();
    let all = (0..50).map(|_| toolbox.call("flaky", json!({}), &context));
    let all = futures_util::future::join_all(all);
    let (outcomes, ()) = tokio::join!(all, async {
        tokio::task::yield_now().await;
        gate.notify_waiters();
    });
    let worked = outcomes.iter().filter(|outcome| outcome.status == Status::Ok).count();
    let refused = outcomes.iter().filter(|outcome| outcome.status == Status::Refused).count();
    assert_eq!((worked, refused), (1, 49));
    let told = "`flaky` keeps failing (4 of its last 4 calls) and another call is just trying \
                whether it works again, so the call was not made.";
    assert!(outcomes[1].text.contains(told), "{}", outcomes[1].text);
}

#[tokio::test(start_paused = true)]
async fn what_a_call_from_before_says_does_not_count() {
    // Eight calls at once, four of which fail at once and four much later.
    let tool = tool(reader("flaky", breaker()), |arguments, _| async move {
        tokio::time::sleep(SECOND * arguments["wait"].as_u64().unwrap() as u32).await;
        match arguments["works"].as_bool() {
            Some(true) => text("works"),
            _ => temporary(),
        }
    });
    let toolbox = toolbox(tool);
    let context = RunContext::new();
    let late = async {
        let late = toolbox.call("flaky", json!({"wait": 31, "works": true}), &context).await;
        assert_eq!(late.status, Status::Ok);
        // It was begun before the tool was switched off: now that it is tried, it proves nothing.
        assert!(toolbox.unavailable_tools(&RunContext::new()).is_empty());
        let outcome = toolbox.call("flaky", json!({"wait": 0}), &context).await;
        assert_eq!(outcome.status, Status::Failed, "this one tries");
        assert_eq!(toolbox.unavailable_tools(&RunContext::new()).len(), 1);
    };
    let soon = futures_util::future::join_all(
        (0..4).map(|_| toolbox.call("flaky", json!({"wait": 0}), &context)),
    );
    tokio::join!(late, soon);
}

/// The way a run sees it: the tool is gone from the request, the model knows why, and then it is
/// there again.
#[tokio::test]
async fn a_tool_that_is_off_is_not_offered_and_then_is_again() {
    let look = |n: &str| Reply::calls([(n.to_owned(), "flaky".to_owned(), "{}".to_owned())]);
    let script = Script::new()
        .reply(look("a"))
        .reply(look("b"))
        .reply(Reply::calls([("c", "rest", "{}")]))
        .reply(look("d"))
        .reply(Reply::text("It works again."));
    let server = serve(script).await;
    let policy =
        json!({"breaker": {"failures": 1.0, "window": 2, "min_calls": 2, "cooldown": "30s"}});
    let results = [temporary(), temporary(), text("works")];
    let (flaky, ran) = giving(reader("flaky", policy), results);
    let rest = tool(spec("rest", ToolEffect::Write), |_, _| async {
        tokio::time::pause();
        advance(30 * SECOND).await;
        tokio::time::resume();
        text("rested")
    });
    let toolbox = Toolbox::builder().tool(flaky).tool(rest).tool(echo("look")).build().unwrap();
    let agent = crate::support::agent(&server).toolbox(Arc::new(toolbox));
    let played = play(agent.build().unwrap().run("Go.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "It works again.");
    assert_eq!(*ran.lock().unwrap(), 3);
    let bodies = bodies(&server);
    let offered: Vec<Vec<String>> = bodies
        .iter()
        .map(|body| {
            let tools = body["tools"].as_array().unwrap().iter();
            tools.map(|it| it["function"]["name"].as_str().unwrap().to_owned()).collect()
        })
        .collect();
    let all = ["flaky", "rest", "look"];
    assert_eq!(offered, [&all[..], &all, &all[1..], &all, &all]);
    let told =
        bodies[2]["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
    let off = "`flaky` keeps failing (2 of its last 2 calls) and is switched off for 30 s more";
    assert!(told.contains(off), "{told}");
    let unavailable = played.events.iter().find_map(|event| match &event.kind {
        EventKind::ToolsOffered { unavailable, .. } => unavailable.first(),
        _ => None,
    });
    assert_eq!(unavailable.unwrap().tool, "flaky");
    let wanted = ["breaker opened", "breaker probing", "breaker closed"];
    assert_eq!(played.notes(), wanted);
}

#[tokio::test(start_paused = true)]
async fn all_runs_of_a_toolbox_share_what_is_known() {
    let error = ToolError::temporary("busy");
    let (tool, ran) = giving(reader("flaky", breaker()), [Err(error)]);
    let toolbox = toolbox(tool);
    for _ in 0..6 {
        run(&toolbox, "flaky", 1).await;
    }
    assert_eq!(*ran.lock().unwrap(), 4);
}

/// How long it is still off changes by the second: that is no news.
#[tokio::test(start_paused = true)]
async fn that_a_tool_is_off_is_told_once() {
    let (flaky, _) = giving(reader("flaky", breaker()), [temporary()]);
    let nap = tool(reader("nap", json!({})), async |_, _| {
        tokio::time::sleep(2 * SECOND).await;
        text("rested")
    });
    let toolbox = Arc::new(Toolbox::builder().tool(flaky).tool(nap).build().unwrap());
    let names = ["flaky"; 4].into_iter().chain(["nap"; 4]).enumerate();
    let said = names.map(|(n, name)| {
        calls([(format!("c{n}").as_str(), name, format!(r#"{{"n":{n}}}"#).as_str())])
    });
    let said: Vec<_> = said.chain([toolwright_core::ModelResponse::text("Done.")]).collect();
    let agent = Agent::builder(Scripted::new(said)).toolbox(toolbox).rounds(20).build().unwrap();
    let played = play(agent.run("Go.")).await;
    let offers = played.kinds().iter().filter(|kind| *kind == "tools_offered").count();
    assert_eq!((played.answer().response.as_str(), offers), ("Done.", 1));
}

/// Whoever asks: a name in the context, as an access token would be.
fn account(name: &str) -> RunContext {
    RunContext::new().with_hashed(name.to_owned())
}

/// A tool that fails as it is told to for accounts whose name begins so.
fn failing_for(bad: &'static str, result: fn() -> ToolResult) -> Arc<Toolbox> {
    let policy =
        json!({"breaker": {"failures": 0.5, "window": 8, "min_calls": 4, "cooldown": "30s"}});
    toolbox(tool(reader("desk", policy), move |_, context| {
        let is_bad = context.get::<String>().is_some_and(|name| name.starts_with(bad));
        async move { if is_bad { result() } else { text("fine") } }
    }))
}

/// Whatever an account's calls fail with, the others go on, and are offered the tool.
#[tokio::test(start_paused = true)]
async fn what_fails_for_one_account_is_not_held_against_another() {
    for result in [lasting, temporary] {
        let toolbox = failing_for("bad", result);
        run_in(&toolbox, "desk", 5, account("bad")).await;
        let off = |name: &str| toolbox.unavailable_tools(&account(name)).len();
        assert_eq!((off("bad"), off("good"), off("new")), (1, 0, 0));
        let refused = run_in(&toolbox, "desk", 1, account("bad")).await;
        assert_eq!(refused.calls(), [("desk", Status::Refused)]);
        let played = run_in(&toolbox, "desk", 3, account("good")).await;
        assert_eq!(played.texts(), ["fine"; 3]);
        // What works for another says nothing about this one.
        assert_eq!(off("bad"), 1);
    }
}

/// However many tokens somebody tries: those that are refused are each its own.
#[tokio::test(start_paused = true)]
async fn many_bad_accounts_are_still_not_everybody() {
    let toolbox = failing_for("bad", lasting);
    for n in 0..3000 {
        let outcome = toolbox.call("desk", json!({}), &account(&format!("bad {n}"))).await;
        assert_eq!(outcome.status, Status::Failed);
    }
    assert!(toolbox.unavailable_tools(&account("good")).is_empty());
    let outcome = toolbox.call("desk", json!({}), &account("good")).await;
    assert_eq!(outcome.status, Status::Ok);
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_and_more_than_one_account_meets_is_everybodys() {
    let toolbox = failing_for("", temporary);
    for name in ["a", "b", "a", "b"] {
        toolbox.call("desk", json!({}), &account(name)).await;
    }
    assert_eq!(toolbox.unavailable_tools(&account("c")).len(), 1);
    let refused = toolbox.call("desk", json!({}), &account("c")).await;
    assert_eq!(refused.status, Status::Refused);
    // One that fails for reasons of its own does not say that it works again, nor that it does not.
    advance(30 * SECOND).await;
    assert!(toolbox.unavailable_tools(&account("c")).is_empty());
    assert_eq!(toolbox.call("desk", json!({}), &account("c")).await.status, Status::Failed);
    assert_eq!(toolbox.unavailable_tools(&account("d")).len(), 1);
}
