//! What stands for the older part of a conversation.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, CompactedHistory, Conversation, Guard, Message, Outcome,
    ResultLocation, Run, RunConfig, Timestamp, ToolSpec, ValueOrigin,
    guard::{CallCheck, Grounded},
};

use crate::{audit::wire_problems, desk::setup};

fn calls(ids: &[String]) -> Message {
    let calls = ids.iter().map(|id| Call::new(id.as_str(), "find", "{}")).collect();
    Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() })
}

/// Turns with two calls each, whose results hold an id of their own.
fn talk(turns: usize) -> Conversation {
    let mut talk = Conversation::new();
    talk.push(Message::system("Help."));
    for turn in 0..turns {
        let ids = [format!("a{turn}"), format!("b{turn}")];
        talk.push(Message::user(format!("Question {turn} about X-{turn}?")));
        talk.push(calls(&ids));
        let found = json!({"security_id": 7000 + turn, "about": "x".repeat(90)}).to_string();
        talk.push(Message::tool(ids[0].as_str(), "find", Outcome::ok(found)));
        let told = format!("Order ORD-{turn} is open.");
        talk.push(Message::tool(ids[1].as_str(), "ask", Outcome::ok(told)));
        talk.push(Message::assistant(format!("Answer {turn}.")));
    }
    talk
}

fn restored(talk: &Conversation, keep: usize) -> (Conversation, CompactedHistory) {
    let digest = talk.digest(keep).expect("something to gain");
    let stored = serde_json::to_string(&digest).unwrap();
    assert_eq!(serde_json::from_str::<CompactedHistory>(&stored).unwrap(), digest);
    let mut after = talk.clone();
    after.restore(&Arc::new(digest.clone()));
    (after, digest)
}

#[test]
fn wherever_it_is_cut_no_call_is_parted_from_its_result() {
    let talk = talk(8);
    for keep in 0..talk.size() {
        let Some(digest) = talk.digest(keep) else { continue };
        assert_eq!(wire_problems(&digest.messages), Vec::<String>::new(), "keep {keep}");
        assert_eq!(digest.messages[0].role(), "system");
        assert_eq!(digest.messages.iter().filter(|it| it.role() == "system").count(), 1);
        // One message stands for those it replaced.
        assert_eq!(digest.messages.len() + digest.replaced, talk.len() + 1, "keep {keep}");
    }
}

/// What a tool returned that is to be kept stays with its call, and its call alone.
#[test]
fn what_lasts_stays_as_it_was_wherever_it_is_cut() {
    let load = |id: &str, name: &str| Call::new(id, "load", json!({"name": name}).to_string());
    let mut talk = talk(2);
    talk.push(Message::user("Release it."));
    let other = Call::new("other", "find", "{}");
    let mixed = vec![load("l1", "release"), other, load("l2", "broken")];
    talk.push(Message::Assistant(AssistantMessage {
        calls: mixed,
        extra: json!({"signed": "all of it"}).as_object().cloned(),
        ..AssistantMessage::default()
    }));
    let skill = "Tag v1 first.\n".repeat(20);
    talk.push(Message::tool("l1", "load", Outcome::ok(skill.clone())));
    talk.push(Message::tool("other", "find", Outcome::ok("{}")));
    talk.push(Message::tool("l2", "load", Outcome::failed("there is no such skill")));
    talk.push(Message::assistant("I begin."));
    for turn in 0..6 {
        talk.push(Message::user(format!("And then {turn}? {}", "y".repeat(200))));
        talk.push(Message::assistant(format!("So: {turn}.")));
    }
    let is_lasting = |tool: &str| tool == "load";
    for keep in 0..talk.size() {
        let Some(digest) = talk.digest_keeping(keep, &is_lasting) else { continue };
        assert_eq!(wire_problems(&digest.messages), Vec::<String>::new(), "keep {keep}");
        let stays = digest.messages.iter().filter(|it| it.content() == skill).count();
        assert_eq!(stays, usize::from(keep / 2 >= skill.len()), "keep {keep}");
    }
    // Loaded once more, and shortened twice: it is there once, and nothing else of its round.
    talk.push(Message::user("Again."));
    let calls = vec![load("l3", "release")];
    talk.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
    talk.push(Message::tool("l3", "load", Outcome::ok(skill.clone())));
    for round in 0..4 {
        for turn in 0..6 {
            talk.push(Message::user(format!("{round} {turn}? {}", "z".repeat(200))));
            talk.push(Message::assistant("Yes."));
        }
        let digest = talk.digest_keeping(1_000, &is_lasting).expect("something to gain");
        assert_eq!(wire_problems(&digest.messages), Vec::<String>::new());
        talk.restore(&Arc::new(digest));
        let messages: Vec<_> = talk.messages().iter().collect();
        let at = messages.iter().position(|it| it.content() == skill).expect("the skill");
        assert_eq!(messages.iter().filter(|it| it.content() == skill).count(), 1);
        let Message::Assistant(said) = &**messages[at - 1] else { panic!() };
        assert_eq!((said.calls.len(), said.calls[0].id.as_str()), (1, "l3"));
        assert_eq!(said.extra, None);
        // The lines that stand for what was said are bounded, too.
        assert!(talk.size() < 20_000, "{}", talk.size());
    }
}

#[test]
fn where_values_came_from_is_still_known() {
    let (after, _) = restored(&talk(8), 300);
    assert!(after.len() < 12, "{}", after.len());
    let of = |value: serde_json::Value| after.origins().of(&value);
    let source = |call: &str, tool: &str, pointer: &str| {
        let (call, tool, pointer) = (call.into(), tool.into(), pointer.into());
        Some(ValueOrigin::Result(ResultLocation { call, tool, pointer }))
    };
    assert_eq!(of(json!(7000)), source("a0", "find", "/security_id"));
    assert_eq!(of(json!("7003")), source("a3", "find", "/security_id"));
    assert_eq!(of(json!("ord-2")), source("b2", "ask", ""));
    assert_eq!(of(json!("X-1")), Some(ValueOrigin::User));
    assert_eq!(of(json!(7008)), None);
    assert_eq!(of(json!("ORD-8")), None);
    // The digest's own words are nobody's.
    assert_eq!(of(json!("shortened")), None);
    assert!(after.was_called("find") && after.has_answered("ask"));
    assert!(!after.was_called("nothing"));
    assert!(after.has_call(&"a0".into()), "its id is not used again");
}

#[test]
fn a_digest_of_a_digest_forgets_nothing_that_matters() {
    let (mut first, _) = restored(&talk(8), 300);
    for turn in 8..16 {
        first.push(Message::user(format!("Question {turn}?")));
        first.push(Message::assistant("y".repeat(200)));
    }
    let (second, digest) = restored(&first, 300);
    let text = digest.messages[1].content();
    assert!(text.contains("Question 0 about X-0?") && text.contains("Question 12?"), "{text}");
    assert_eq!(text.matches("What happened so far").count(), 1, "{text}");
    assert!(second.origins().of(&json!(7000)).is_some());
    assert_eq!(second.origins().of(&json!("X-1")), Some(ValueOrigin::User));
}

#[test]
fn a_question_that_is_not_kept_is_asked_in_the_digest() {
    let mut talk = Conversation::new();
    talk.push(Message::user("Read the whole book, please."));
    for page in 0..10 {
        let id = format!("p{page}");
        talk.push(calls(std::slice::from_ref(&id)));
        talk.push(Message::tool(id.as_str(), "find", Outcome::ok("words ".repeat(40))));
    }
    let (after, digest) = restored(&talk, 500);
    assert!(after.len() < talk.len());
    let text = digest.messages[0].content();
    assert!(text.ends_with("The question to answer now:\nRead the whole book, please."), "{text}");
}

#[test]
fn the_words_are_bounded_and_the_users_go_last() {
    let (_, digest) = restored(&talk(200), 300);
    let text = digest.messages[1].content();
    assert!(text.lines().count() < 70 && text.len() < 30_000, "{}", text.len());
    assert!(text.contains("Question 198"), "{text}");
    let short = talk(1);
    assert_eq!(short.digest(short.size()), None, "nothing to gain");
    assert_eq!(Conversation::new().digest(0), None);
}

#[test]
fn what_was_returned_together_still_belongs_together() {
    let mut talk = talk(1);
    talk.push(Message::user("Which are there?"));
    talk.push(calls(&["list".to_owned()]));
    let listed = json!([{"segment": "IDX_I", "id": 13}, {"segment": "NSE_EQ", "id": 2885}]);
    talk.push(Message::tool("list", "find", Outcome::ok(listed.to_string())));
    talk.push(Message::assistant("Two of them. ".repeat(40)));
    let (mut after, _) = restored(&talk, 10);
    // Each half of the pair is in a newer result, too, but with something else.
    after.push(Message::user("And now?"));
    after.push(calls(&["again".to_owned()]));
    let newer = json!([{"segment": "IDX_I", "id": 2885}, {"segment": "NSE_EQ", "id": 13}]);
    after.push(Message::tool("again", "find", Outcome::ok(newer.to_string())));

    let spec = ToolSpec::new("quote", "Quotes.", json!({})).grounded_with("id", "segment");
    let call = Call::new("c", "quote", "{}");
    let check = |talk: &Conversation, segment: &str, id: u32| {
        let arguments = json!({"segment": segment, "id": id});
        let (spec, call, arguments) = (&spec, &call, &arguments);
        let check = CallCheck::new(call, spec, arguments, talk);
        Grounded::default().check_call(&check).map_err(|it| it.to_string())
    };
    for (segment, id) in [("IDX_I", 13), ("NSE_EQ", 2885), ("NSE_EQ", 13)] {
        assert!(check(&after, segment, id).is_ok(), "{segment} {id}");
    }
    let apart = check(&talk, "NSE_EQ", 13).unwrap_err();
    assert!(apart.contains("not together"), "{apart}");
}

/// A digest keeps what stood where, so the texts around an identifier still hold for it, and what it
/// was not returned with still does not.
#[test]
fn what_stood_around_still_holds() {
    let mut talk = talk(1);
    talk.push(Message::user("The options?"));
    talk.push(calls(&["chain".to_owned()]));
    let chain = json!({"segment": "NSE_FNO", "underlying": {"segment": "IDX_I", "id": 13},
        "strikes": [{"strike": 100, "call": {"id": 42528}}]});
    talk.push(Message::tool("chain", "find", Outcome::ok(chain.to_string())));
    talk.push(calls(&["prices".to_owned()]));
    let prices = json!({"BSE_FNO": {"77001": {"last_price": 1}}});
    talk.push(Message::tool("prices", "find", Outcome::ok(prices.to_string())));
    talk.push(Message::assistant("There they are. ".repeat(40)));
    let (after, _) = restored(&talk, 10);
    let spec = ToolSpec::new("quote", "Quotes.", json!({})).grounded_with("id", "segment");
    let call = Call::new("c", "quote", "{}");
    for segment in ["NSE_FNO", "IDX_I", "BSE_FNO", "NSE_EQ"] {
        for (id, own) in [(42528, "NSE_FNO"), (13, "IDX_I"), (77001, "BSE_FNO"), (100, "")] {
            let arguments = json!({"segment": segment, "id": id});
            for talk in [&talk, &after] {
                let check = CallCheck::new(&call, &spec, &arguments, talk);
                let is_ok = Grounded::default().check_call(&check).is_ok();
                assert_eq!(is_ok, segment == own, "{segment} {id}");
            }
        }
    }
}

/// A run that is stored and loaded goes on with all that its conversation knew, not with its messages alone.
#[test]
fn a_run_that_is_stored_knows_what_was_shortened_and_by_whom_it_was_written() {
    let mut outer = Conversation::new();
    outer.push(Message::user("Use OUT-7."));
    let mut history = Conversation::within(Arc::new(outer));
    talk(8).messages().iter().for_each(|message| history.push(message.clone()));
    history.mark_foreign();
    let (history, digest) = restored(&history, 300);
    let (run, _) = Run::start(RunConfig { history, ..setup("And now?") }, Timestamp(0));
    let stored = serde_json::to_string(&run).unwrap();
    let loaded: Run = serde_json::from_str(&stored).unwrap();
    assert_eq!(loaded, run);
    assert_eq!(serde_json::to_string(&loaded).unwrap(), stored);
    let known = loaded.conversation();
    // The first turn is gone, and its calls are still taken.
    assert!(known.has_call(&"a0".into()) && known.has_call(&"b7".into()));
    assert_eq!(known.compacted(), Some(&digest));
    assert!(known.is_foreign());
    assert_eq!(known.outer().map(Conversation::len), Some(1));
}
