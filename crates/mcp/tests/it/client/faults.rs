//! Servers that end, hang, or do not end (M9).

use std::{fs, time::Duration};

use serde_json::json;
use toolwright_core::{RunContext, Status, ToolSource};
use toolwright_mcp::client::{McpError, ServerState};

use super::support::{Fake, config, is_alive, until};

#[tokio::test(flavor = "multi_thread")]
async fn one_that_ends_says_why_and_is_started_again() {
    let fake = Fake::approved().await;
    let failed = fake.call("die", json!({})).await;
    assert_eq!(failed.status, Status::Failed);
    assert!(failed.text.contains("server exited (code 3: the disk is full)"), "{}", failed.text);
    // Its tools stay what they are; a call meanwhile is told what is the matter.
    assert_eq!(fake.server.tools().tools.len(), 16);
    for _ in 0..100 {
        let said = fake.call("echo", json!({"text": "again"})).await.text;
        if said == "again" {
            return;
        }
        assert!(said.contains("not running at the moment") || said.contains("exited"), "{said}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("it was not started again");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_cannot_be_started_says_why_and_nobody_waits() {
    let fake = Fake::new(&["dies_at_once"]).await;
    let ServerState::Restarting(error) = fake.server.state() else {
        panic!("{:?}", fake.server.state())
    };
    assert_eq!(error.to_string(), "server exited (code 7: no key is set)");
    assert_eq!(fake.server.stderr(), ["no key is set"]);

    // What it was given it may say: nobody reads it, whatever the variable is called.
    let folder = tempfile::tempdir().unwrap();
    let mut given = config(&["dies_at_once"], folder.path());
    if let toolwright_mcp::client::McpTransport::Stdio(command) = &mut given.transport {
        command.env.push(("TOK".to_owned(), "key is set".to_owned()));
    }
    let fake = Fake::of(given, folder).await;
    let said = format!("{:?} {:?}", fake.server.state(), fake.server.stderr());
    assert!(said.contains("no ") && !said.contains("key is set"), "{said}");

    let folder = tempfile::tempdir().unwrap();
    let mut missing = config(&[], folder.path());
    if let toolwright_mcp::client::McpTransport::Stdio(command) = &mut missing.transport {
        command.program = "/no/such/program".to_owned();
    }
    let fake = Fake::of(missing, folder).await;
    let ServerState::Off(error) = fake.server.state() else { panic!("{:?}", fake.server.state()) };
    assert!(error.to_string().contains("there is no such program"), "{error}");
    let [(tool, reason)] = &fake.withheld()[..] else { panic!() };
    assert_eq!((tool.as_str(), reason), ("fake__*", &error.to_string()));
}

/// M9: listing has an end, and so has starting.
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_end_is_given_up() {
    for (fault, why) in [("pages", "more than 100 pages"), ("many", "more than 2048 tools")] {
        let fake = Fake::new(&[fault]).await;
        let ServerState::Off(error @ McpError::Bounds(_)) = fake.server.state() else {
            panic!("{:?}", fake.server.state())
        };
        assert!(error.to_string().contains(why), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut slow = config(&["hangs_at_once", "stays"], folder.path());
    slow.startup_timeout = Duration::from_millis(500);
    let fake = Fake::of(slow, folder).await;
    until(|| matches!(fake.server.state(), ServerState::Restarting(McpError::Slow { .. }))).await;
}

/// Whatever it started ends with it, when nobody holds it any more: a daemon in a session of its own, too.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let fake = Fake::of(config(&["stays"], folder.path()), folder).await;
    fake.server.approve().unwrap();
    let (toolbox, context) = (fake.toolbox(), RunContext::new());
    let state = fake.folder.path().join("state");
    tokio::select! {
        outcome = toolbox.call("fake__hang", json!({}), &context) => panic!("{outcome:?}"),
        () = until(|| fs::read_to_string(&state).is_ok_and(|it| it.contains(' '))) => {}
    }
    let ids = fs::read_to_string(&state).unwrap();
    let ids: Vec<_> = ids.split(' ').map(str::to_owned).collect();
    assert!(ids.len() == 3 && ids.iter().all(|it| is_alive(it)), "{ids:?}");
    drop(toolbox);
    drop(fake);
    until(|| !ids.iter().any(|it| is_alive(it))).await;
}

/// A toolbox that was taken from it may outlive it.
#[tokio::test(flavor = "multi_thread")]
async fn its_tools_keep_it_running() {
    let Fake { folder: _folder, server } = Fake::approved().await;
    let tools = server.tools();
    let echo = tools.tools.iter().find(|it| it.spec().name == "fake__echo").unwrap().clone();
    drop((server, tools));
    let said = echo.call(std::sync::Arc::new(json!({"text": "hi"})), &RunContext::new()).await;
    assert_eq!(said.unwrap(), toolwright_core::Output::Text("hi".to_owned()));
}
