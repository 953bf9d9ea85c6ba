//! What a call passes before any guard: name, arguments, schema, in this order.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Call, Effect, EventKind, Finish, Outcome, Reply, Status, ToolSpec};

use crate::desk::{Desk, Verdict};

fn desk() -> Desk {
    let parameters = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "deep": {"type": "boolean"}},
        "required": ["path"],
    });
    let any = json!({"type": "object", "properties": {}});
    Desk::new(
        "Show it.",
        vec![
            ToolSpec::new("show", "Shows a file.", parameters).effect(Effect::ReadOnly),
            ToolSpec::new("wipe", "Wipes the disk.", any),
        ],
    )
}

/// What the call of a reply that ended like this is told.
fn told(name: &str, arguments: &str, finish: Finish) -> Verdict {
    let mut desk = desk();
    let before = desk.log.len();
    desk.reply(Reply { finish, ..Reply::calls([Call::new("a", name, arguments)]) });
    desk.run_all(&Outcome::ok("shown"));
    desk.verdicts(before).remove(0)
}

fn failed(text: &str) -> Verdict {
    Verdict { status: Status::Failed, guard: None, text: text.into() }
}

#[test]
fn an_unknown_name_is_told_what_the_catalog_says() {
    assert_eq!(told("shwo", "{", Finish::ToolCalls), failed("there is no tool `shwo`"));
}

#[test]
fn arguments_that_are_no_json_are_told_so() {
    assert_eq!(
        told("show", "path: x", Finish::ToolCalls),
        failed(
            "Error executing show: the arguments are not valid JSON: expected value at line 1 column 1"
        )
    );
}

#[test]
fn arguments_that_were_cut_off_are_told_so() {
    let cut_off = failed(
        "Error executing show: your reply was cut off before the arguments were complete, so the \
         tool was not run. Call it again with shorter arguments.",
    );
    assert_eq!(told("show", r#"{"path": "a"#, Finish::ToolCalls), cut_off);
    assert_eq!(told("show", r#"{"path": "a"#, Finish::Length), cut_off);
    assert_eq!(told("show", r#"{"path": 'a'"#, Finish::Length), cut_off);
    assert_eq!(told("show", r#"{"path":"a"}"#, Finish::Length), Verdict::ran("shown"));
}

#[test]
fn a_reply_cut_off_before_its_arguments_began_is_cut_off_too() {
    let cut_off = failed(
        "Error executing wipe: your reply was cut off before the arguments were complete, so the \
         tool was not run. Call it again with shorter arguments.",
    );
    assert_eq!(told("wipe", "", Finish::Length), cut_off);
    assert_eq!(told("wipe", "", Finish::ToolCalls), Verdict::ran("shown"));
}

#[test]
fn every_violation_is_told() {
    assert_eq!(
        told("show", r#"{"deep":true}"#, Finish::ToolCalls),
        failed(
            "Error executing show: invalid arguments, the tool was not run.\n- `path` is missing"
        )
    );
    assert_eq!(
        told("show", "[1]", Finish::ToolCalls),
        failed("Error executing show: invalid arguments, the tool was not run.\n- not an object")
    );
}

#[test]
fn a_null_for_an_optional_parameter_is_left_out() {
    let mut desk = desk();
    let arguments = r#"{"deep":null,"other":null,"path":null}"#;
    let events = desk.reply(Reply::calls([Call::new("a", "show", arguments)]));
    let checked = events.into_iter().find_map(|kind| match kind {
        EventKind::CallChecked { args, .. } => Some(args),
        _ => None,
    });
    let left: Arc<Value> = Arc::new(json!({"other": null, "path": null}));
    assert_eq!(checked, Some(left));
}

#[test]
fn arguments_encoded_twice_are_opened() {
    assert_eq!(told("show", r#""{\"path\":\"a\"}""#, Finish::ToolCalls), Verdict::ran("shown"));
}
