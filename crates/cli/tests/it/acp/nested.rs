//! Agents that are tools, as an editor shows them.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::editor::{Editor, Shown, chosen};
use crate::{harness::Cli, workspace::Desk};

const HELPER: &str =
    "[agents.helper]\ntask = \"demo\"\ndescription = \"Somebody who keeps notes.\"\n";

fn call<'a>(shown: &'a Shown, id: &str) -> &'a Value {
    let found = shown.calls.iter().find(|it| it["toolCallId"] == id);
    found.unwrap_or_else(|| panic!("{id}: {:?}", shown.calls))
}

/// Its calls stand behind its own, named by it, and are decided about by their own names; loaded again, it is the
/// same.
#[tokio::test]
async fn the_calls_of_an_agent_are_told_under_its_own() {
    let script = Script::new()
        .reply(Reply::calls([("1", "helper", r#"{"input":"Delete my notes."}"#)]))
        .reply(Reply::calls([
            ("1", "get_weather", r#"{"location":"Rome"}"#),
            ("2", "delete_notes", "{}"),
        ]))
        .reply(Reply::text("Gone.").with_reasoning("I hope."))
        .reply(Reply::text("They are gone."));
    let desk = Desk::new(script).await;
    let cli = Cli::asking(&desk.server).configured(HELPER);
    let mut editor = Editor::start_with(&cli, &["--task", "general"], json!({})).await;
    let session = editor.open(&desk.folder).await;
    editor.answers = vec![chosen("allow_once")];
    let end = editor.prompt(&session, "Have my notes deleted.").await;
    assert_eq!(end["result"]["stopReason"], "end_turn", "{end}");
    let live = Shown::of(&editor.updates);
    // Nobody but the agent that was asked speaks.
    assert_eq!((&live.said[..], live.thought.len()), (&["They are gone.".to_owned()][..], 0));
    let ids: Vec<_> = live.calls.iter().map(|it| it["toolCallId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["1", "1/1", "1/2"]);
    assert_eq!(call(&live, "1")["status"], "completed");
    let weather = call(&live, "1/1");
    assert_eq!(weather["status"], "completed");
    assert_eq!(weather["title"], r#"helper › get_weather {"location":"Rome"}"#);
    assert_eq!(weather["_meta"], json!({"toolwright": {"parentToolCallId": "1"}}));
    let [asked] = &editor.questions[..] else { panic!("{:?}", editor.questions) };
    assert_eq!(asked["toolCall"]["toolCallId"], "1/2");
    assert_eq!(asked["toolCall"]["title"], "helper › delete_notes");
    assert_eq!(call(&live, "1/2")["status"], "completed");
    editor.updates.clear();
    let params = json!({"sessionId": session, "cwd": desk.folder, "mcpServers": []});
    editor.request("session/load", params).await;
    assert_eq!(Shown::of(&editor.updates).calls, live.calls);
    editor.end().await;
}

#[tokio::test]
async fn what_is_rejected_in_an_agent_fails_there() {
    let script = Script::new()
        .reply(Reply::calls([("1", "helper", r#"{"input":"Delete my notes."}"#)]))
        .reply(Reply::calls([("1", "delete_notes", "{}")]))
        .reply(Reply::text("I may not."))
        .reply(Reply::text("They are there."));
    let desk = Desk::new(script).await;
    let cli = Cli::asking(&desk.server).configured(HELPER);
    let mut editor = Editor::start_with(&cli, &["--task", "general"], json!({})).await;
    let session = editor.open(&desk.folder).await;
    editor.answers = vec![chosen("reject_once")];
    editor.prompt(&session, "Have my notes deleted.").await;
    let shown = Shown::of(&editor.updates);
    assert_eq!(call(&shown, "1/1")["status"], "failed");
    assert_eq!(call(&shown, "1")["status"], "completed");
    editor.end().await;
}
