//! What can be typed behind a `/` in an editor.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::editor::{Editor, Shown};
use crate::{mcp_content::Served, project_context::Project};

fn answers(number: usize) -> Script {
    (0..number).fold(Script::new(), |script, _| script.reply(Reply::text("Done.")))
}

/// The commands that were told of, once this one is among them.
async fn until_told(editor: &mut Editor, name: &str) -> Vec<Value> {
    let has = |update: &Value| {
        let all = update["availableCommands"].as_array();
        all.is_some_and(|all| all.iter().any(|it| it["name"] == name))
    };
    let update = match editor.updates.iter().find(|it| has(it)) {
        Some(update) => update.clone(),
        None => editor.update(has).await,
    };
    update["availableCommands"].as_array().unwrap().clone()
}

#[tokio::test]
async fn commands_of_the_project_are_told_and_can_be_given() {
    let review =
        "---\ndescription: Reviews a file.\nargument-hint: FILE\n---\nReview $1: @notes.txt";
    let files = [(".toolwright/commands/review.md", review), ("notes.txt", "remember this")];
    let project = Project::new(answers(2), &files).await;
    // Nobody has looked at it yet.
    let mut editor = Editor::start(&project.stranger.cli).await;
    let session = editor.open(&project.stranger.folder).await;
    editor.prompt(&session, "/review a.rs").await;
    let sent = project.sent(0).last().unwrap()["content"].to_string();
    assert!(!sent.contains("Review a.rs") && !sent.contains("remember"), "{sent}");
    let told = editor.updates.iter().filter(|it| it["availableCommands"].is_array());
    assert!(told.into_iter().all(|it| it["availableCommands"] == json!([])));
    editor.end().await;

    let project = project.trusted().await;
    let mut editor = Editor::start(&project.stranger.cli).await;
    let session = editor.open(&project.stranger.folder).await;
    let told = until_told(&mut editor, "review").await;
    let described = json!({
        "name": "review", "description": "Reviews a file.", "input": {"hint": "FILE"},
    });
    assert_eq!(told, [described]);
    let answer = editor.prompt(&session, "/review a.rs").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let sent = project.sent(1).last().unwrap()["content"].to_string();
    assert!(sent.contains("Review a.rs") && sent.contains("remember this"), "{sent}");
    assert!(sent.contains("These are the project's words"), "{sent}");
    // What it says is shown before it is asked.
    let thought = Shown::of(&editor.updates).thought.concat();
    assert!(thought.contains("/review is .toolwright/commands/review.md"), "{thought}");
    assert!(thought.contains("Review a.rs"), "{thought}");
    editor.end().await;
}

#[tokio::test]
async fn prompts_of_servers_are_told_once_they_are_known_and_can_be_given() {
    let served = Served::new(answers(2)).await;
    let folder = served.cli.folder.path().canonicalize().unwrap().join("project");
    std::fs::create_dir(&folder).unwrap();
    let mut editor = Editor::start(&served.cli).await;
    let session = editor.open(&folder).await;
    let told = until_told(&mut editor, "fake:greet").await;
    let greet = told.iter().find(|it| it["name"] == "fake:greet").unwrap();
    let described = json!({
        "name": "fake:greet", "description": "Greets somebody.", "input": {"hint": "NAME [TONE]"},
    });
    assert_eq!(*greet, described);
    // What is missing is an error of this prompt alone.
    let missing = editor.prompt(&session, "/fake:greet").await;
    let message = missing["error"]["message"].as_str().unwrap();
    assert!(message.contains("needs `name`"), "{missing}");
    let answer = editor.prompt(&session, "/fake:greet Ada").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let asked = served.asked(0);
    assert!(asked.contains("a prompt of the server's: mcp:fake:greet"), "{asked}");
    // What calls nothing that there is is what the user says.
    editor.prompt(&session, "/usr/bin is what?").await;
    assert!(served.asked(1).starts_with("/usr/bin is what?"), "{}", served.asked(1));
    editor.end().await;
}
