//! What is taken out of a file stood in it, and what nobody needs twice is not called twice.

use serde_json::json;
use toolwright_core::{ToolChoice, ToolSpec};

use super::{CallForm, Constraint, Context, Style, accepted, lexicon};

const FILE: &str = "     1\tdate,what\n     2\t02-03,coffee,-14.60\n     3\t02-17,fees,25.00";

fn edit() -> ToolSpec {
    let text = json!({"type": "string"});
    let parameters = json!({
        "type": "object",
        "properties": {"from": text, "to": text},
        "required": ["from", "to"],
    });
    ToolSpec::new("t", "Edits.", parameters).generated("to").seen("from")
}

/// Whether this may be called in reply, where the file was shown; `made` is what was called in vain.
fn may_call(said: &str, made: &[&str], arguments: &str) -> bool {
    let context = Context::new(&[said.to_owned()], &[FILE.to_owned()]).asking(&[said]);
    let lexicon = lexicon(&mut fastrand::Rng::with_seed(7));
    let (tools, call) = ([edit().into()], |arguments: &str| CallForm::Line.call("t", arguments));
    let constraint = Constraint::new(lexicon, &tools, context, &ToolChoice::Auto, Style::default());
    let mut constraint = constraint.without(made.iter().map(|it| call(it)));
    accepted(&mut constraint, &call(arguments)) == (&*call(arguments), true)
}

#[test]
fn where_something_is_taken_out_its_line_goes_or_a_piece_of_it_stays() {
    for (said, arguments, is_allowed) in [
        ("take out the coffee entry", r#"{"from": "02-03,coffee,-14.60", "to": ""}"#, true),
        ("take out the coffee entry", r#"{"from": "02-17,fees,25.00", "to": ""}"#, false),
        ("take out the coffee entry", r#"{"from": "02-03,coffee,-14.60", "to": "tea"}"#, false),
        (
            "take out the coffee entry",
            r#"{"from": "02-03,coffee,-14.60", "to": "02-17,fees,25.00"}"#,
            false,
        ),
        ("drop the coffee", r#"{"from": "02-03,coffee,-14.60", "to": "02-03,-14.60"}"#, true),
        ("drop the coffee", r#"{"from": "02-03,coffee,-14.60", "to": "02-03,"}"#, false),
        // No line is named, or something is put there.
        ("remove the last line", r#"{"from": "02-17,fees,25.00", "to": ""}"#, true),
        ("improve it", r#"{"from": "02-17,fees,25.00", "to": "tea"}"#, true),
    ] {
        assert_eq!(may_call(said, &[], arguments), is_allowed, "{said}: {arguments}");
    }
}

#[test]
fn where_it_is_said_what_is_to_stand_there_all_else_stays() {
    for (said, arguments, is_allowed) in [
        ("replace coffee by tea", r#"{"from": "coffee", "to": "tea"}"#, true),
        (
            "replace coffee by tea",
            r#"{"from": "02-03,coffee,-14.60", "to": "02-03,tea,-14.60"}"#,
            true,
        ),
        (
            "replace coffee by tea",
            r#"{"from": "02-03,coffee,-14.60", "to": "02-03,tea,-14.6"}"#,
            false,
        ),
        (
            "replace coffee by tea",
            r#"{"from": "02-03,coffee,-14.60", "to": "02-03 tea,-14.60"}"#,
            false,
        ),
        (
            "replace coffee by tea",
            r#"{"from": "02-17,fees,25.00", "to": "02-17,tea,25.00"}"#,
            false,
        ),
        ("the fees are 26.50", r#"{"from": "02-17,fees,25.00", "to": "02-17,fees,26.50"}"#, true),
        (
            "the fees are 26.50",
            r#"{"from": "02-17,fees,25.00", "to": "02-26.50,fees,25.00"}"#,
            false,
        ),
        (
            "the fees are 26.50",
            r#"{"from": "02-03,coffee,-14.60", "to": "02-03,coffee,26.50"}"#,
            false,
        ),
    ] {
        assert_eq!(may_call(said, &[], arguments), is_allowed, "{said}: {arguments}");
    }
}

#[test]
fn what_was_called_in_vain_is_not_called_again() {
    let (made, other) = (r#"{"from": "fees", "to": "f"}"#, r#"{"from": "fees", "to": "fe"}"#);
    assert!(may_call("change fees", &[], made));
    assert!(!may_call("change fees", &[made], made));
    assert!(may_call("change fees", &[made], other));
    let both =
        format!("{other}}}</tool_call>\n<tool_call>{{\"name\": \"t\", \"arguments\": {made}");
    assert!(may_call("change fees", &[], &both), "one behind the other");
    assert!(!may_call("change fees", &[made], &both), "not behind another, either");
}
