//! What a model may do to files that nobody asked for, and that nobody would get back: through the real loop, with
//! everything approved beforehand.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use crate::workspace::{Desk, call, script, statuses};

const NOTES: &str = "milk\nbread\n";

fn overwrite(text: &str) -> (&'static str, Value) {
    ("write", json!({"file_path": "notes.txt", "content": text, "overwrite": true}))
}

fn show() -> (&'static str, Value) {
    ("show", json!({"file_path": "notes.txt"}))
}

fn append(text: &str) -> (&'static str, Value) {
    ("write", json!({"file_path": "notes.txt", "content": text, "append": true}))
}

async fn desk(calls: Vec<(&'static str, Value)>) -> Desk {
    let desk = Desk::new(script(calls)).await;
    desk.put("notes.txt", NOTES);
    desk
}

#[tokio::test]
async fn a_file_that_was_not_shown_is_not_overwritten() {
    let desk = desk(vec![overwrite("eggs\n"), show(), overwrite("milk\nbread\neggs\n")]).await;
    let events = desk.ask(&["--approve", "Add eggs to notes.txt"]).await;
    assert_eq!(statuses(&events), ["refused", "success", "success"]);
    let told = desk.told(1);
    assert!(told.contains("notes.txt would be replaced") && told.contains("append"), "{told}");
    assert_eq!(desk.read("notes.txt"), "milk\nbread\neggs\n");
}

#[tokio::test]
async fn it_is_where_the_user_said_so() {
    let desk = desk(vec![overwrite("eggs\n")]).await;
    let events = desk.ask(&["--approve", "Overwrite notes.txt with eggs"]).await;
    assert_eq!(statuses(&events), ["success"]);
    assert_eq!(desk.read("notes.txt"), "eggs\n");
}

/// It takes words that mean nothing else, and that are meant.
#[tokio::test]
async fn a_word_that_may_mean_something_else_replaces_nothing_unseen() {
    for (said, status) in [
        ("Wipe notes.txt and write eggs", "success"),
        ("Put eggs in notes.txt without overwriting it", "refused"),
        ("Write 'overwrite' and eggs into notes.txt", "refused"),
        ("Replace the old bread in notes.txt by eggs", "refused"),
        ("Write how to make eggs from scratch into notes.txt", "refused"),
    ] {
        let desk = desk(vec![overwrite("eggs\n")]).await;
        let events = desk.ask(&["--approve", said]).await;
        assert_eq!(statuses(&events), [status], "{said}");
    }
}

/// What was shown stands in the log: the process that goes on with the conversation knows it, and sees what
/// changed since.
#[tokio::test]
async fn what_was_shown_is_known_after_a_restart_as_long_as_it_is_true() {
    let said = |(tool, arguments): (&str, Value)| call(tool, arguments);
    let replies = Script::new()
        .reply(said(show()))
        .reply(Reply::text("Milk and bread."))
        .reply(said(overwrite("eggs\n")))
        .reply(Reply::text("Eggs."))
        .reply(said(overwrite("ham\n")))
        .reply(Reply::text("It changed."));
    let desk = Desk::new(replies).await;
    desk.put("notes.txt", NOTES);
    desk.ask(&["What is in notes.txt?"]).await;
    let events = desk.ask(&["-c", "--approve", "Only eggs, please."]).await;
    assert_eq!(statuses(&events), ["success"]);
    assert_eq!(desk.read("notes.txt"), "eggs\n");
    desk.put("notes.txt", "eggs\nsomebody else's\n");
    let events = desk.ask(&["-c", "--approve", "Only ham, please."]).await;
    assert_eq!(statuses(&events), ["refused"]);
    assert!(desk.told(5).contains("somebody else's"), "{}", desk.told(5));
    assert_eq!(desk.read("notes.txt"), "eggs\nsomebody else's\n");
}

#[tokio::test]
async fn a_text_that_was_not_shown_is_not_edited() {
    let edit = |old: &str| {
        ("edit", json!({"file_path": "notes.txt", "old_string": old, "new_string": "eggs"}))
    };
    let desk = desk(vec![edit("bread"), show(), edit("bread")]).await;
    let events =
        desk.ask(&["--approve", "Eggs in the place of the second thing in notes.txt"]).await;
    assert_eq!(statuses(&events), ["refused", "success", "success"]);
    assert!(desk.told(1).contains("`bread` in `old_string` was not shown"), "{}", desk.told(1));
    assert_eq!(desk.read("notes.txt"), "milk\neggs\n");
}

#[tokio::test]
async fn a_line_is_added_once_however_often_a_reply_says_so() {
    let (tool, arguments) = append("eggs");
    let arguments = arguments.to_string();
    let twice = Reply::calls([("a", tool, arguments.as_str()), ("b", tool, arguments.as_str())]);
    let desk = Desk::new(Script::new().reply(twice).reply(Reply::text("Added."))).await;
    desk.put("notes.txt", NOTES);
    let events = desk.ask(&["--approve", "Add a line with eggs to notes.txt"]).await;
    let mut ended = statuses(&events);
    ended.sort();
    assert_eq!(ended, ["refused", "success"]);
    assert_eq!(desk.read("notes.txt"), "milk\nbread\neggs\n");
}
