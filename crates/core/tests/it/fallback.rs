//! A run that goes on with another model: what it costs, who is named, and whose word counts.

use toolwright_core::{
    Authenticity, Call, Conversation, Event, Failure, Limits, ModelDelta, ModelError,
    ModelErrorKind, ModelResponse, Outcome, Price, ReviewMode, Run, RunConfig, RunError, Step,
    Timestamp, ToolEffect, Usage,
};

use crate::desk::{Desk, setup, spec};

const AT: Timestamp = Timestamp(1);
const CHEAP: Price = Price::new(1.0, 2.0);
const DEAR: Price = Price::new(100.0, 200.0);

fn usage(read: u64, written: u64) -> Usage {
    Usage { prompt_tokens: read, completion_tokens: written, ..Usage::default() }
}

fn desk(price: Option<Price>) -> Desk {
    let setup = RunConfig { price, ..setup("How is it?") };
    Desk::with(setup, vec![spec("look", ToolEffect::ReadOnly)])
}

fn turn(desk: &mut Desk, to: &str, price: Option<Price>, used: Usage) {
    let (from, to) = (desk.run.model().to_owned(), to.to_owned());
    let events = desk.run.model_fell_back(from, to, "busy".into(), price, used, AT);
    desk.log.extend(events.expect("the run waits for the model"));
}

fn looks(used: Usage) -> ModelResponse {
    ModelResponse { usage: used, ..ModelResponse::calls([Call::new("a", "look", "{}")]) }
}

fn failed(desk: &mut Desk) -> Box<Failure> {
    let error = ModelError::new(ModelErrorKind::Server, "in trouble");
    desk.run.model_failed(error, AT).expect("it waits");
    match desk.run.step() {
        Step::Done(Err(failure)) => failure,
        other => panic!("{other:?}"),
    }
}

/// 10 read and 1 written by the first, 5 read for nothing, 10 and 1 by the second.
fn played(first: Option<Price>, second: Option<Price>) -> Desk {
    let mut desk = desk(first);
    desk.reply(looks(usage(10, 1)));
    desk.run_all(&Outcome::ok("fine"));
    turn(&mut desk, "b:two", second, usage(5, 0));
    desk.reply(ModelResponse { usage: usage(10, 1), ..ModelResponse::text("Fine.") });
    desk
}

#[test]
fn each_model_costs_what_it_costs_at_every_prefix_of_the_log() {
    for (first, second, cost) in [
        (Some(CHEAP), Some(DEAR), Some(17 + 1_200)),
        (Some(DEAR), Some(CHEAP), Some(1_700 + 12)),
        (Some(CHEAP), None, Some(17)),
        (None, Some(DEAR), Some(1_200)),
        (None, None, None),
    ] {
        let desk = played(first, second);
        assert_eq!(desk.run.cost(), cost);
        assert_eq!((desk.run.model(), desk.run.is_on_fallback()), ("b:two", true));
        let mut least = 0;
        for cut in 1..=desk.log.len() {
            let run = Run::replay(Conversation::new(), &desk.log[..cut]).expect("a log");
            let stored = serde_json::to_string(&run).expect("a run is JSON");
            let run: Run = serde_json::from_str(&stored).expect("and back");
            assert!(run.cost().unwrap_or_default() >= least, "it never becomes less");
            least = run.cost().unwrap_or_default();
        }
        assert_eq!(Some(least), cost.or(Some(0)));
    }
}

#[test]
fn whoever_gave_no_reply_is_named_once_with_the_last_reason() {
    let mut one = desk(None);
    one.run.model_called(AT).expect("it waits");
    one.run.model_part(ModelDelta::Text("It is ".into()), AT).expect("it is asked");
    for to in ["b:two", "c:three", "test:model"] {
        turn(&mut one, to, None, Usage::default());
    }
    let failure = failed(&mut one);
    let told = "no model gave a reply: b:two (busy); c:three (busy); test:model (in trouble)";
    assert_eq!((failure.message.as_str(), failure.response.as_str()), (told, ""));
    // With a reply that is over.
    let mut other = desk(None);
    turn(&mut other, "b:two", None, Usage::default());
    other.reply(looks(Usage::default()));
    other.run_all(&Outcome::ok("fine"));
    assert_eq!(failed(&mut other).message, "in trouble");
}

#[test]
fn only_while_the_model_is_asked() {
    let mut desk = desk(None);
    desk.reply(looks(Usage::default()));
    let before = desk.run.clone();
    let refused =
        desk.run.model_fell_back("a".into(), "b".into(), "busy".into(), None, Usage::default(), AT);
    assert_eq!(refused, Err(RunError::NotAsking));
    assert_eq!(desk.run, before);
}

/// Whoever wrote a log elsewhere says neither what tokens cost here nor who is asked.
#[test]
fn a_price_from_elsewhere_does_not_count() {
    let free = Some(Price::new(0.0, 0.0));
    let desk = played(Some(CHEAP), free);
    let replay = |is_ours: fn(&Event) -> bool| {
        let mixed = desk.log.iter().map(|event| match is_ours(event) {
            true => (event, Authenticity::Authentic),
            false => (event, Authenticity::Foreign),
        });
        Run::replay_mixed(Conversation::new(), mixed).expect("a log")
    };
    let run = replay(|event| event.kind.name() != "model_fallback");
    assert_eq!(run.cost(), Some(17 + 12), "as the run began here, it costs as said here");
    assert!(!run.is_on_fallback());
    let mut run = replay(|_| false);
    run.adopt(Limits::default(), ReviewMode::Off, Some(DEAR));
    assert_eq!(run.cost(), Some(1_700 + 1_200));
    // A model that was turned to here brought its own price.
    let mut run = replay(|event| event.kind.name() == "model_fallback");
    run.adopt(Limits::default(), ReviewMode::Off, Some(DEAR));
    assert_eq!((run.model(), run.cost()), ("b:two", Some(0)));
}
