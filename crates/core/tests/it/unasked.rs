//! What nobody meant: the same change twice in a reply, and a text replaced that nobody has seen.

use serde_json::{Value, json};
use toolwright_core::{
    Attachment, Call, Conversation, Limits, Message, ModelResponse, Outcome, ResultMode, Run,
    RunConfig, Status, ToolEffect, ToolSpec, UserMessage,
};

use crate::desk::{Desk, Verdict, setup, spec};

fn both(desk: &mut Desk, first: (&str, Value), second: (&str, Value)) -> Vec<Verdict> {
    let before = desk.log.len();
    let call = |(tool, arguments): (&str, Value)| Call::new("", tool, arguments.to_string());
    desk.reply(ModelResponse::calls([call(first), call(second)]));
    desk.run_all(&Outcome::ok("ok"));
    let mut verdicts = desk.verdicts(before);
    // What is refused is settled first.
    verdicts.sort_by_key(|it| it.status != Status::Ok);
    verdicts
}

fn statuses(verdicts: &[Verdict]) -> Vec<Status> {
    verdicts.iter().map(|it| it.status).collect()
}

#[test]
fn the_same_change_twice_in_a_reply_happens_once() {
    for effect in [ToolEffect::Write, ToolEffect::Idempotent] {
        let mut desk = Desk::new("Note it.", vec![spec("note", effect)]);
        let note = || ("note", json!({"text": "milk", "at": null}));
        let verdicts = both(&mut desk, note(), ("note", json!({"at": null, "text": "milk"})));
        assert_eq!(statuses(&verdicts), [Status::Ok, Status::Refused]);
        let told = "`note` stands twice in this reply with the same arguments, so it runs once. If it is \
                    meant to happen twice, call it again once the first has its result.";
        assert_eq!(verdicts[1], Verdict::refused("duplicate", told));
        // Once the first has its result, it is meant.
        assert_eq!(desk.call("note", note().1, Outcome::ok("ok")), Verdict::ran("ok"));
    }
}

#[test]
fn other_arguments_other_tools_and_looking_are_no_duplicates() {
    let tools = || {
        let names = [("note", ToolEffect::Write), ("write", ToolEffect::Write)];
        let looks = [("look", ToolEffect::ReadOnly)];
        names.into_iter().chain(looks).map(|(name, effect)| spec(name, effect)).collect()
    };
    for (first, second) in [
        (("note", json!({"text": "a"})), ("note", json!({"text": "b"}))),
        (("note", json!({"text": "a"})), ("write", json!({"text": "a"}))),
        (("look", json!({"text": "a"})), ("look", json!({"text": "a"}))),
    ] {
        let verdicts = both(&mut Desk::new("Do it.", tools()), first, second);
        assert_eq!(statuses(&verdicts), [Status::Ok, Status::Ok]);
    }
}

fn edit() -> ToolSpec {
    spec("edit", ToolEffect::Write).seen("old")
}

fn tools() -> Vec<ToolSpec> {
    vec![edit(), spec("show", ToolEffect::ReadOnly), spec("write", ToolEffect::Write)]
}

fn changed(desk: &mut Desk, old: &str) -> Verdict {
    desk.call("edit", json!({"old": old, "new": "x"}), Outcome::ok("ok"))
}

fn unseen(line: &str) -> Verdict {
    let told = format!(
        "`{line}` in `old` was not shown in this conversation, and the user did not say it. First look at \
         what is there, then copy the text from what was shown."
    );
    Verdict::refused("seen", &told)
}

#[test]
fn a_text_that_nobody_has_seen_is_not_replaced() {
    let limits = Limits { rounds: 20, ..Limits::default() };
    let mut desk = Desk::with(RunConfig { limits, ..setup("Change the port.") }, tools());
    assert_eq!(changed(&mut desk, "port = 8080"), unseen("port = 8080"));
    // That it was refused makes nothing known, and neither does a call that failed.
    assert_eq!(changed(&mut desk, "port = 8080"), unseen("port = 8080"));
    desk.call("write", json!({"text": "port = 8080"}), Outcome::failed("no"));
    assert_eq!(changed(&mut desk, "port = 8080"), unseen("port = 8080"));
    desk.call("show", json!({}), Outcome::ok("     1\t[server]\n     2\tport = 8080\n"));
    assert_eq!(changed(&mut desk, "[server]\nport = 8080"), Verdict::ran("ok"));
    assert_eq!(changed(&mut desk, "[server]\nhost = \"a\""), unseen("host = \"a\""));
}

#[test]
fn what_the_user_said_or_gave_and_what_was_written_is_known() {
    let mut desk = Desk::new("Replace Foo by bar", tools());
    assert_eq!(changed(&mut desk, "foo"), Verdict::ran("ok"));
    assert_eq!(changed(&mut desk, "qux"), unseen("qux"));
    desk.call("write", json!({"content": "qux\nquux\n"}), Outcome::ok("2 lines"));
    assert_eq!(changed(&mut desk, "qux"), Verdict::ran("ok"));
    let file = Attachment::new(b"port = 1".to_vec(), None, Some("a.txt")).unwrap();
    let said = UserMessage { attachments: vec![file], ..UserMessage::new("Change the port.") };
    let config = RunConfig { messages: vec![Message::User(said)], ..setup("") };
    assert_eq!(changed(&mut Desk::with(config, tools()), "port = 1"), Verdict::ran("ok"));
    // In one reply: what is written first is there.
    let mut desk = Desk::new("Go.", tools());
    let verdicts =
        both(&mut desk, ("write", json!({"content": "abc"})), ("edit", json!({"old": "abc"})));
    assert_eq!(statuses(&verdicts), [Status::Ok, Status::Ok]);
    let verdicts =
        both(&mut desk, ("edit", json!({"old": "abd"})), ("write", json!({"content": "abd"})));
    assert_eq!(statuses(&verdicts), [Status::Ok, Status::Refused], "not what is written later");
}

/// What was seen stands in the log, so whoever goes on with a run knows it.
#[test]
fn a_run_that_is_loaded_knows_what_was_seen() {
    let mut desk = Desk::new("Change the port.", tools());
    desk.call("show", json!({}), Outcome::ok("port = 8080"));
    let log = serde_json::to_string(&desk.log).unwrap();
    let log: Vec<toolwright_core::Event> = serde_json::from_str(&log).unwrap();
    desk.run = Run::replay(Conversation::new(), &log).unwrap();
    assert_eq!(changed(&mut desk, "port = 8080"), Verdict::ran("ok"));
    assert_eq!(changed(&mut desk, "port = 9090"), unseen("port = 9090"));
    // And so does the next run of the conversation.
    let history = desk.run.conversation().clone();
    let config = RunConfig { history, ..setup("And again.") };
    assert_eq!(changed(&mut Desk::with(config, tools()), "port = 8080"), Verdict::ran("ok"));
}

#[test]
fn a_model_that_replies_once_cannot_look_first() {
    let config = RunConfig { mode: ResultMode::SingleShot, ..setup("Change it.") };
    assert_eq!(changed(&mut Desk::with(config, tools()), "port = 8080"), Verdict::ran("ok"));
}
