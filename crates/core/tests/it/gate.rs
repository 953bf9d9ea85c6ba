//! What a call passes before any guard: name, arguments, schema, in this order.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    Call, EventKind, FinishReason, ModelResponse, Outcome, Status, ToolEffect, ToolSpec,
};

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
            ToolSpec::new("show", "Shows a file.", parameters).effect(ToolEffect::ReadOnly),
            ToolSpec::new("wipe", "Wipes the disk.", any),
        ],
    )
}

/// What the call of a reply that ended like this is told.
fn told(name: &str, arguments: &str, finish: FinishReason) -> Verdict {
    let mut desk = desk();
    let before = desk.log.len();
    desk.reply(ModelResponse { finish, ..ModelResponse::calls([Call::new("a", name, arguments)]) });
    desk.run_all(&Outcome::ok("shown"));
    desk.verdicts(before).remove(0)
}

fn failed(text: &str) -> Verdict {
    Verdict { status: Status::Failed, guard: None, text: text.into() }
}

#[test]
fn an_unknown_name_is_told_what_the_catalog_says() {
    assert_eq!(
        told("shwo", "{", FinishReason::ToolCalls),
        failed("Error: there is no tool `shwo`")
    );
}

#[test]
fn arguments_that_are_no_json_are_told_so() {
    assert_eq!(
        told("show", "path: x", FinishReason::ToolCalls),
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
    assert_eq!(told("show", r#"{"path": "a"#, FinishReason::ToolCalls), cut_off);
    assert_eq!(told("show", r#"{"path": "a"#, FinishReason::Length), cut_off);
    assert_eq!(told("show", r#"{"path": 'a'"#, FinishReason::Length), cut_off);
    assert_eq!(told("show", r#"{"path":"a"}"#, FinishReason::Length), Verdict::ran("shown"));
}

#[test]
fn a_reply_cut_off_before_its_arguments_began_is_cut_off_too() {
    let cut_off = failed(
        "Error executing wipe: your reply was cut off before the arguments were complete, so the \
         tool was not run. Call it again with shorter arguments.",
    );
    assert_eq!(told("wipe", "", FinishReason::Length), cut_off);
    assert_eq!(told("wipe", "", FinishReason::ToolCalls), Verdict::ran("shown"));
}

#[test]
fn every_violation_is_told() {
    assert_eq!(
        told("show", r#"{"deep":true}"#, FinishReason::ToolCalls),
        failed(
            "Error executing show: invalid arguments, the tool was not run.\n- `path` is missing"
        )
    );
    assert_eq!(
        told("show", "[1]", FinishReason::ToolCalls),
        failed("Error executing show: invalid arguments, the tool was not run.\n- not an object")
    );
}

#[test]
fn a_null_for_an_optional_parameter_is_left_out() {
    let mut desk = desk();
    let arguments = r#"{"deep":null,"other":null,"path":null}"#;
    let events = desk.reply(ModelResponse::calls([Call::new("a", "show", arguments)]));
    let checked = events.into_iter().find_map(|kind| match kind {
        EventKind::CallChecked { arguments: args, .. } => Some(args),
        _ => None,
    });
    let left: Arc<Value> = Arc::new(json!({"other": null, "path": null}));
    assert_eq!(checked, Some(left));
}

#[test]
fn arguments_encoded_twice_are_opened() {
    assert_eq!(
        told("show", r#""{\"path\":\"a\"}""#, FinishReason::ToolCalls),
        Verdict::ran("shown")
    );
}

fn ambiguous(reason: &str) -> Verdict {
    failed(&format!(
        "Error executing show: the arguments are ambiguous, the tool was not run: {reason}"
    ))
}

#[test]
fn a_key_that_stands_twice_is_refused_and_named() {
    let of = |arguments: &str| told("show", arguments, FinishReason::ToolCalls);
    let twice = "the key `path` stands twice; give it once";
    for arguments in [
        r#"{"path": "a", "path": "b"}"#,
        // Also where both say the same, and where one is spelled with escapes.
        r#"{"path": "a", "path": "a"}"#,
        r#"{"path": "a", "\u0070ath": "b"}"#,
        // And where the arguments are JSON in a string.
        r#""{\"path\": \"a\", \"path\": \"b\"}""#,
    ] {
        assert_eq!(of(arguments), ambiguous(twice), "{arguments}");
    }
    assert_eq!(
        of(r#"{"path": "a", "x/y": [{}, {"z": 1, "z": 2}]}"#),
        ambiguous("the key `z` stands twice in the object at `/x~1y/1`; give it once"),
    );
    assert_eq!(
        of(r#"{"path": "a"} {"path": "b"}"#),
        ambiguous("they are given twice; give them once"),
    );
}

proptest::proptest! {
    /// Whatever the arguments are, one key more that is there already makes them unusable; without it
    /// they are read as ever.
    #[test]
    fn arguments_with_one_key_twice_are_never_taken(depth in 0_usize..8, wide in 1_usize..5, at in 0_usize..5) {
        let fields: Vec<_> = (0..wide).map(|nth| format!("\"k{nth}\":{nth}")).collect();
        let (at, plain) = (at % wide, fields.join(","));
        let nested = |inner: &str| {
            (0..depth).fold(format!("{{{inner}}}"), |json, nth| match nth % 2 {
                0 => format!("{{\"o\":{json}}}"),
                _ => format!("[0,{json}]"),
            })
        };
        let once = format!("{{\"path\":{}}}", nested(&plain));
        let twice = format!("{{\"path\":{}}}", nested(&format!("{plain},\"k{at}\":null")));
        let parse = |json: &str| Call::new("a", "show", json).parse();
        let wanted: Value = serde_json::from_str(&once).unwrap();
        proptest::prop_assert_eq!(parse(&once).unwrap(), wanted);
        let error = parse(&twice).unwrap_err().to_string();
        let named = format!("the key `k{at}` stands twice in the object at `/path");
        proptest::prop_assert!(error.contains(&named), "{}", error);
    }
}

#[test]
fn what_is_stored_as_an_object_keeps_both_values_of_a_key() {
    let stored =
        r#"{"id":"a","function":{"name":"show","arguments":{"path":"a","path":["b",1.5,null]}}}"#;
    let call: Call = serde_json::from_str(stored).unwrap();
    assert_eq!(call.arguments, r#"{"path":"a","path":["b",1.5,null]}"#);
    assert!(call.parse().is_err());
}
