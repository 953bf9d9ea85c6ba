use std::time::Duration;

use serde_json::{Value, json};
use toolwright_core::{Status, ToolEffect};

use super::{Fault, Mark, mark};
use crate::{
    days::Days,
    play::{Made, Played},
    question::Case,
};

const CHAIN: &str = r#"{"id": "1", "task": "trading", "split": "dev", "group": "trading", "turns": [
    {"ask": "price of TCS", "calls": [
        [{"tool": "look", "args": {"query": {"free": true}}}],
        [{"tool": "quote", "args": {"id": {"from_result": "id (\\d+)"}}}]],
     "answer": {"must": [{"from_result": "price ([\\d,.]+\\d)"}]}}]}"#;

fn made(tool: &str, args: Value, text: &str) -> Made {
    let (effect, status) = (Some(ToolEffect::ReadOnly), Some(Status::Ok));
    Made { tool: tool.to_owned(), args, effect, status, text: text.to_owned() }
}

fn look() -> Made {
    made("look", json!({"query": "tcs"}), "TCS has id 11536")
}

fn quote() -> Made {
    made("quote", json!({"id": 11536, "depth": 5}), "price 2,847.70")
}

fn played(calls: Vec<Made>, answer: &str) -> Played {
    let to_answer = Duration::from_secs(1);
    Played { calls, answer: Ok(answer.to_owned()), to_answer, ..Played::default() }
}

fn marked(case: &str, played: Played) -> Mark {
    let case: Case = serde_json::from_str(case).unwrap();
    let defaults = |_: &str, name: &str| if name == "depth" { json!(5) } else { Value::Null };
    mark(&case, &[played], &Days::now(), &defaults).remove(0)
}

fn faults(case: &str, played: Played) -> Vec<&'static str> {
    marked(case, played).faults.iter().map(Fault::name).collect()
}

#[test]
fn a_chain_in_its_order_with_its_answer_is_right() {
    let right = "TCS is at ₹2847.7.";
    let nothing: [&str; 0] = [];
    assert_eq!(faults(CHAIN, played(vec![look(), quote()], right)), nothing);
    assert_eq!(faults(CHAIN, played(vec![quote(), look()], right)), ["arguments"]);
    assert_eq!(faults(CHAIN, played(vec![look()], "It is 2847.7")), ["missing call", "unsaid"]);
    assert_eq!(faults(CHAIN, played(vec![look(), quote()], "TCS is up.")), ["unsaid"]);
}

#[test]
fn an_argument_that_nobody_asked_for_is_wrong_unless_it_is_the_default() {
    let deep = made("quote", json!({"id": 11536, "depth": 9}), "price 2,847.70");
    assert_eq!(faults(CHAIN, played(vec![look(), deep], "2,847.70")), ["arguments"]);
    let other = made("quote", json!({"id": 13}), "price 2,847.70");
    assert_eq!(faults(CHAIN, played(vec![look(), other], "2,847.70")), ["arguments"]);
}

#[test]
fn what_was_not_wanted_is_counted_and_what_changes_something_is_a_fault() {
    let weather = made("weather", json!({}), "sunny");
    let mark = marked(CHAIN, played(vec![look(), weather, quote()], "2,847.70"));
    assert_eq!((mark.is_right(), mark.extra, mark.failed), (true, 1, 0));
    let mut buy = made("buy", json!({}), "bought");
    buy.effect = Some(ToolEffect::Destructive);
    assert_eq!(faults(CHAIN, played(vec![look(), quote(), buy], "2,847.70")), ["harm"]);
    let mut refused = quote();
    refused.status = Some(Status::Refused);
    let mark = marked(CHAIN, played(vec![refused, look(), quote()], "2,847.70"));
    assert_eq!((mark.is_right(), mark.extra, mark.failed), (true, 0, 1));
}

#[test]
fn where_no_call_is_wanted_none_may_be_made_and_no_figure_made_up() {
    let none = r#"{"id": "2", "task": "demo", "split": "dev", "group": "none",
        "turns": [{"ask": "I am 30", "calls": []}]}"#;
    assert_eq!(faults(none, played(Vec::new(), "Happy 30!")), [""; 0]);
    assert_eq!(faults(none, played(Vec::new(), "Ask me: \"20% tip on $45\".")), [""; 0]);
    assert_eq!(faults(none, played(Vec::new(), "It is 72 degrees.")), ["invented"]);
    assert_eq!(faults(none, played(Vec::new(), " ")), ["unsaid"]);
    assert_eq!(faults(none, played(vec![look()], "Hello.")), ["false call"]);
}

#[test]
fn of_tools_that_are_only_described_the_first_reply_is_one_call() {
    let described = r#"{"id": "3", "split": "held", "group": "bfcl_multiple", "tools": [{}],
        "turns": [{"ask": "area?", "calls": [[{"tool": "area", "args":
            {"base": {"any": [{"like": 10}]}, "unit": {"any": [{"like": "cm"}, null]}}}]]}]}"#;
    let area =
        |base: u32| Made { status: None, effect: None, ..made("area", json!({"base": base}), "") };
    assert_eq!(faults(described, played(vec![area(10)], "")), [""; 0]);
    assert_eq!(faults(described, played(vec![area(11)], "")), ["arguments", "arguments"]);
    assert_eq!(faults(described, played(vec![area(10), area(10)], "")), ["arguments"]);
    assert_eq!(faults(described, played(Vec::new(), "none")), ["missing call"]);
}

#[test]
fn what_may_be_left_out_does_not_take_a_later_call_of_its_kind() {
    let edit = r#"{"id": "1", "task": "workspace", "split": "dev", "group": "workspace", "turns": [
        {"ask": "edit it and show it", "calls": [
            [{"tool": "show", "args": {}, "optional": true}],
            [{"tool": "edit", "args": {}}],
            [{"tool": "show", "args": {}}]]}]}"#;
    let call = |tool: &str| made(tool, json!({}), "");
    let nothing: [&str; 0] = [];
    assert_eq!(faults(edit, played(vec![call("edit"), call("show")], "Done.")), nothing);
    let both = vec![call("show"), call("edit"), call("show")];
    assert_eq!(faults(edit, played(both, "Done.")), nothing);
    assert_eq!(faults(edit, played(vec![call("show"), call("edit")], "Done.")), ["arguments"]);
}

#[test]
fn a_call_that_must_fail_is_right_when_it_does() {
    let missing = r#"{"id": "1", "task": "workspace", "split": "dev", "group": "workspace", "turns": [
        {"ask": "show x", "calls": [[{"tool": "show", "args": {}, "fails": true}]]}]}"#;
    let mut show = made("show", json!({}), "no such file");
    show.status = Some(Status::Failed);
    assert!(marked(missing, played(vec![show], "There is no such file.")).is_right());
    let shown = made("show", json!({}), "text");
    assert!(!marked(missing, played(vec![shown], "There it is.")).is_right());
}

#[test]
fn a_file_that_the_tool_found_is_what_was_meant() {
    let case = r#"{"id": "1", "task": "workspace", "split": "dev", "group": "workspace", "turns": [
        {"ask": "show the members", "calls": [[{"tool": "show", "args": {"path": "data/members.json"}}]]}]}"#;
    let show =
        |path: &str, text: &str| played(vec![made("show", json!({"path": path}), text)], "1");
    let found = "1\n[this is data/members.json: there is no members]";
    let nothing: [&str; 0] = [];
    assert_eq!(faults(case, show("members", found)), nothing);
    assert_eq!(faults(case, show("other", found)), ["arguments"]);
    assert_eq!(faults(case, show("members", "1")), ["arguments"]);
}
