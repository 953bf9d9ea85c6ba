//! A call that cannot be taken back does not run with arguments that had to be repaired, unless
//! somebody looked at them.

use serde_json::json;
use toolwright_core::{
    Call, CallPreview, CallSource, Decision, Event, EventKind, Fingerprint, ModelResponse, Run,
    Status, Step, Timestamp, ToolEffect,
};

use crate::desk::{Desk, spec};

const TOLD: &str = "The call of wipe was denied: it cannot be taken back, and its JSON or the name \
                    of its tool was not valid and had to be repaired. Send the same call again, as \
                    valid JSON and with the tool's exact name.";

fn asked(obtained: CallSource) -> Desk {
    let tools = vec![spec("wipe", ToolEffect::Destructive), spec("put", ToolEffect::Write)];
    let mut desk = Desk::new("Wipe it.", tools);
    desk.reply(ModelResponse::calls([Call { source: obtained, ..Call::new("a", "wipe", "{}") }]));
    desk
}

fn decide(desk: &mut Desk, decision: Decision) -> Vec<EventKind> {
    let about = Fingerprint::of("wipe", &json!({}), &CallPreview::default());
    desk.decide("a", &about, decision).unwrap()
}

fn may_run(desk: &Desk) -> bool {
    matches!(desk.run.step(), Step::RunTools(calls) if calls.len() == 1)
}

#[test]
fn what_was_approved_without_a_look_is_denied_and_the_model_told_what_to_do() {
    let mut desk = asked(CallSource::Repaired);
    let before = desk.log.len();
    let events = decide(&mut desk, Decision::Allow);
    assert!(matches!(&events[0], EventKind::DecisionMade { decision: Decision::Deny { .. }, .. }));
    let verdict = desk.verdicts(before).remove(0);
    assert_eq!((verdict.status, verdict.text.as_str()), (Status::Denied, TOLD));
    assert!(matches!(desk.run.step(), Step::CallModel { .. }));
}

#[test]
fn who_looked_at_it_may_let_it_run() {
    let mut desk = asked(CallSource::Repaired);
    assert!(
        matches!(desk.run.step(), Step::AwaitDecision(calls) if calls[0].source == CallSource::Repaired)
    );
    decide(&mut desk, Decision::AllowReviewed);
    assert!(may_run(&desk));
}

#[test]
fn a_call_that_was_only_found_in_text_needs_no_more_than_any_other() {
    for obtained in [CallSource::Native, CallSource::Extracted] {
        for decision in [Decision::Allow, Decision::AllowReviewed] {
            let mut desk = asked(obtained);
            decide(&mut desk, decision);
            assert!(may_run(&desk));
        }
    }
}

#[test]
fn a_tool_that_only_writes_is_not_asked_about() {
    let mut desk = asked(CallSource::Native);
    decide(&mut desk, Decision::Deny { reason: None });
    let put = Call { source: CallSource::Repaired, ..Call::new("b", "put", "{}") };
    desk.reply(ModelResponse::calls([put]));
    assert!(may_run(&desk));
}

/// A log that says otherwise (written by hand, or by something else) does not let it run either.
#[test]
fn a_log_cannot_say_otherwise() {
    let mut desk = asked(CallSource::Repaired);
    let last = desk.log.last().unwrap().clone();
    let kind = EventKind::DecisionMade {
        id: "a".into(),
        fingerprint: None,
        decision: Decision::Allow,
        automatic: false,
    };
    desk.log.push(Event { seq: last.seq + 1, kind, ..last });
    let mut run = Run::replay(Default::default(), &desk.log).unwrap();
    run.recover(Timestamp(9)).unwrap();
    assert!(matches!(run.step(), Step::AwaitDecision(_)));
}
