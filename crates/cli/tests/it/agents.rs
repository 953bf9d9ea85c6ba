//! Agents that are tools of others: a task in the config file, a run within the run.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

const HELPER: &str =
    "[agents.helper]\ntask = \"demo\"\ndescription = \"Somebody who keeps notes.\"\n";

fn asks(input: &str) -> Reply {
    Reply::calls([("1", "helper", json!({"input": input}).to_string().as_str())])
}

fn events(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_task_is_a_tool_of_another_and_its_steps_stand_under_the_call() {
    let script = Script::new()
        .reply(asks("What is the weather in Rome?"))
        .reply(Reply::calls([("1", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::text("Sunny, they say."))
        .reply(Reply::text("It is sunny in Rome."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).configured(HELPER);
    let ended = cli.run(&["ask", "--review", "off", "Ask the helper about Rome."]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(ended.out, "It is sunny in Rome.\n");
    let lines: Vec<&str> = ended.err.lines().collect();
    assert!(
        lines.contains(&r#"● helper {"input":"What is the weather in Rome?"}"#),
        "{}",
        ended.err
    );
    let inner = r#"    ✓ get_weather {"location":"Rome"} "#;
    assert!(lines.iter().any(|it| it.starts_with(inner)), "{}", ended.err);
    assert!(lines.iter().any(|it| it.starts_with("  ✓ helper")), "{}", ended.err);
    let requests = server.requests();
    let named = |at: usize| -> Vec<String> {
        let tools = requests[at].body["tools"].as_array().unwrap();
        tools.iter().map(|it| it["function"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(named(0).contains(&"helper".to_owned()));
    // Its own task, with its own tools: it is none of them.
    assert!(!named(1).contains(&"helper".to_owned()));
    assert_eq!(requests[1].body["messages"][1]["content"], "What is the weather in Rome?");
    let shown = cli.run(&["conversations", "list", "--json"]).await;
    let list: Value = serde_json::from_str(shown.out.lines().next().unwrap()).unwrap();
    let shown = cli.run(&["conversations", "show", list["id"].as_str().unwrap()]).await;
    let all = format!("{}{}", shown.out, shown.err);
    assert!(all.contains(inner), "{all}");
    server.assert_clean();
}

#[tokio::test]
async fn what_is_not_approved_is_denied_in_it_and_what_was_approved_runs() {
    for (approve, status) in [(false, "denied"), (true, "success")] {
        let script = Script::new()
            .reply(asks("Delete my notes."))
            .reply(Reply::calls([("1", "delete_notes", "{}")]))
            .reply(Reply::text("Well."))
            .reply(Reply::text("Well."));
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server).configured(HELPER);
        let mut args = vec!["ask", "--json", "--review", "off", "Delete my notes."];
        args.extend(approve.then_some("--approve"));
        let ended = cli.run(&args).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let events = events(&ended.out);
        let inner = events.iter().filter(|it| it["type"] == "nested").map(|it| &it["event"]);
        let inner: Vec<_> = inner.collect();
        let end = inner.iter().find(|it| it["type"] == "call_finished").unwrap();
        assert_eq!((&end["tool"], &end["status"]), (&json!("delete_notes"), &json!(status)));
        assert_eq!(inner.last().unwrap()["type"], "done");
        // What it used is in what the run used.
        assert_eq!(events.last().unwrap()["usage"]["prompt_tokens"], total(&events));
    }
}

/// What providers said of all replies.
fn total(events: &[Value]) -> u64 {
    let inner = events.iter().map(|it| if it["type"] == "nested" { &it["event"] } else { it });
    let replies = inner.filter(|it| it["type"] == "reply");
    replies.map(|it| it["usage"]["prompt_tokens"].as_u64().unwrap()).sum()
}

#[tokio::test]
async fn an_agent_that_would_have_itself_as_a_tool_is_refused() {
    let cli = Cli::new().configured(
        "[agents.a]\ntask = \"circle\"\ndescription = \"All.\"\n\n\
         [tasks.circle]\npacks = [\"demo\"]\nsources = [\"a\"]\nprompt = \"Help.\"\n",
    );
    let ended = cli.run(&["ask", "Hello"]).await;
    assert_ne!(ended.code, Some(0));
    assert!(ended.err.contains("`[agents.a]`"), "{}", ended.err);
    assert!(ended.err.contains("itself as a tool (a → a)"), "{}", ended.err);
}

#[tokio::test]
async fn what_an_agent_has_to_say_is_told() {
    for (config, told) in [
        ("[agents.a]\ndescription = \"All.\"\n", "`task` names the task"),
        ("[agents.a]\ntask = \"demo\"\n", "`description` tells models"),
        ("[agents.a]\ntask = \"demo\"\ndescription = \"x\"\nmax_rounds = 0\n", "at least 1"),
        ("[agents.a]\ntask = \"nope\"\ndescription = \"x\"\n", "there is no task `nope`"),
        ("[agents.a]\nsystem = \"x\"\n", "system"),
    ] {
        let ended = Cli::new().configured(config).run(&["ask", "Hello"]).await;
        assert_ne!(ended.code, Some(0), "{config}");
        assert!(ended.err.contains(told), "{config}: {}", ended.err);
    }
}

/// A task that has every source has itself among them as an agent, and every other that does: it has all but agents.
#[tokio::test]
async fn an_agent_may_be_whatever_has_everything_and_asks_no_other_then() {
    let script = Script::new()
        .reply(asks("What is the weather in Rome?"))
        .reply(Reply::text("Sunny."))
        .reply(Reply::text("It is sunny."));
    let server = ModelServer::start(script).await;
    let settings = "[agents.helper]\ntask = \"general\"\ndescription = \"All.\"\n\n\
                    [agents.other]\ntask = \"general\"\ndescription = \"All, too.\"\n\n\
                    [commands.today]\ncommand = [\"date\"]\ndescription = \"The date.\"\n";
    let cli = Cli::asking(&server).configured(settings);
    let ended = cli.run(&["ask", "--review", "off", "Ask the helper about Rome."]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "It is sunny.\n"), "{}", ended.err);
    let requests = server.requests();
    let has = |at: usize, name: &str| requests[at].body["tools"].to_string().contains(name);
    for (name, inside) in
        [("helper", false), ("other", false), ("today", true), ("get_weather", true)]
    {
        let name = format!("\"name\":\"{name}\"");
        assert!(has(0, &name), "{name}");
        assert_eq!(has(1, &name), inside, "{name}");
    }
}

#[tokio::test]
async fn how_deep_agents_ask_each_other_is_configured() {
    let deep = "[agents.helper]\ntask = \"middle\"\ndescription = \"Asks on.\"\n\n\
                [agents.last]\ntask = \"demo\"\ndescription = \"Knows.\"\n\n\
                [tasks.middle]\npacks = [\"demo\"]\nsources = [\"last\"]\nprompt = \"Help.\"\n";
    for (depth, status) in [("", "success"), ("\n[limits]\nagent_depth = 1\n", "refused")] {
        let inner = Reply::calls([("1", "last", r#"{"input":"Well?"}"#)]);
        let mut script = Script::new().reply(asks("Ask on.")).reply(inner);
        if depth.is_empty() {
            script = script.reply(Reply::text("Deep."));
        }
        let script = script.reply(Reply::text("So.")).reply(Reply::text("So it is."));
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server).configured(&format!("{deep}{depth}"));
        let ended = cli.run(&["ask", "--json", "--review", "off", "Ask on."]).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        let events = events(&ended.out);
        let inner = events.iter().filter(|it| it["type"] == "nested").map(|it| &it["event"]);
        let end = inner.clone().find(|it| it["type"] == "call_finished" && it["tool"] == "last");
        assert_eq!(end.unwrap()["status"], status, "{depth:?}");
    }
    let cli = Cli::new().configured("[limits]\nagent_depth = \"deep\"\n");
    assert_eq!(cli.run(&["ask", "Hello"]).await.code, Some(2));
}
