//! What is pointed at stands in the answer, and is turned back in what the model reads.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, ResultFormat, Status, ToolEffect,
    ToolGroup, ToolMessage, ToolSpec, Verbatim,
};

use super::{Expander, LookedUp, Pointers, block::block, listing::listing};

fn tool(name: &str, about: &str, group: Option<(&str, &str)>) -> Arc<ToolSpec> {
    let group = group.map(|(name, about)| Arc::new(ToolGroup::new(name, about)));
    Arc::new(ToolSpec::new(name, about, json!({"type": "object"})).group(group))
}

fn tools() -> Vec<Arc<ToolSpec>> {
    let show = ToolSpec::new("show", "Show a file, line by line: at most 2,000.", json!({}));
    let bash = ToolSpec::new("bash", "Run a command. It may take long.", json!({}));
    vec![
        Arc::new(show.verbatim(Verbatim::Numbered)),
        Arc::new(bash.verbatim(Verbatim::Text)),
        tool("tip", "Tip on a bill.", None),
    ]
}

fn asked(results: &[(&str, Outcome)]) -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push(Message::user("before"));
    conversation.push(Message::tool("c", "tip", Outcome::ok("of another question")));
    conversation.push(Message::user("now"));
    for (name, outcome) in results {
        conversation.push(Message::tool("c", *name, outcome.clone()));
    }
    conversation
}

/// What the model wrote, as people read it.
fn read(results: &[(&str, Outcome)], wrote: &str) -> String {
    Pointers::of(&asked(results), &tools()).expand(wrote)
}

#[test]
fn a_file_is_shown_without_its_numbers_and_what_is_said_of_it_behind_it() {
    let file = Outcome::ok("     9\t# A\n    10\t\n    11\t\tb\n\n[lines 9-11 of 20]");
    let said = read(&[("show", file)], "a.md:\n[[1]]");
    assert_eq!(said, "a.md:\n```\n# A\n\n\tb\n```\n[lines 9-11 of 20]");
    let binary = Outcome::ok("This is a binary file.");
    assert_eq!(read(&[("show", binary)], "[[1]]"), "```\nThis is a binary file.\n```");
}

#[test]
fn what_was_printed_is_fenced_by_more_than_is_in_it() {
    let printed = Outcome::ok("a\n````\nb\n[exit 0, 0.1 s]");
    let said = read(&[("bash", printed)], "[[1]]");
    assert_eq!(said, "`````\na\n````\nb\n`````\n[exit 0, 0.1 s]");
    let numbered = Outcome::ok("     1\ta\n     2\tb\n[exit 0, 0.1 s]");
    let said = read(&[("bash", numbered)], "[[1]]");
    assert!(said.contains("     1\ta\n"), "what `cat -n` printed stays: {said}");
}

#[test]
fn a_failure_is_told_in_its_words_or_with_what_was_printed() {
    let failed = |text| ResultFormat::Plain.failure("bash", text);
    let missing = ResultFormat::Plain.failure("show", "There is no such file.");
    let ran = failed("Command failed with exit code 2\nls: no\n[exit 2, 0.1 s]");
    let said = read(&[("show", missing), ("bash", ran)], "[[1]]\n[[2]]");
    let expected = "There is no such file.\n```\nCommand failed with exit code 2\nls: no\n```\n[exit 2, 0.1 s]";
    assert_eq!(said, expected);
}

#[test]
fn words_are_as_they_are_and_a_list_is_a_list() {
    let marked = Outcome::marked(Status::Ok, ResultFormat::SUCCESS, "6 holdings:\n- TCS");
    let beside = Outcome::ok("{\"a\": 1}").with_words("In words.");
    let list = Outcome::ok("[\"buy milk\", 5]");
    let said = read(&[("tip", marked), ("tip", beside), ("tip", list)], "[[1]]\n[[2]]\n[[3]]");
    assert_eq!(said, "6 holdings:\n- TCS\nIn words.\n- buy milk\n- 5");
}

#[test]
fn what_is_not_there_is_not_pointed_at() {
    let results = [("tip", Outcome::ok("5")), ("tip", Outcome::ok("")), ("tip", Outcome::ok("5"))];
    let pointers = Pointers::of(&asked(&results), &tools());
    assert_eq!(
        pointers.names(),
        ["[[1]]", "[[tools]]"],
        "the second is empty, the third the first"
    );
    let text = "[[2]]\n[[4]]\n [[1]]\n[[1]] x\n[[1]";
    assert_eq!(pointers.expand(text), text);
    assert!(Pointers::of(&asked(&[]), &[]).names().is_empty());
    let many: Vec<_> = (0..12).map(|it| ("tip", Outcome::ok(it.to_string()))).collect();
    assert_eq!(Pointers::of(&asked(&many), &[]).names().len(), 9);
}

#[test]
fn the_toolbox_is_told_a_line_for_each_group() {
    let web = Some(("web", "pages of the web"));
    let mut all = vec![
        tool("fetch", "Fetch a page (HTML or PDF), and read it.", web),
        tool("dice", "", None),
        tool("search", "Search the web: four engines.", web),
        tool("IDs", "IDs of things.", None),
    ];
    all.extend((0..10).map(|at| tool(&format!("t{at}"), "Do.", Some(("server", "")))));
    let lines = listing(&all);
    let expected = "- help with pages of the web\n- dice; IDs of things\n\
                    - server: do; do; do; do; do; do; do; do; and 2 more";
    assert_eq!(lines, expected);
}

/// A line that a file may have.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z\\[\\]`#]{0,12}",
        Just("[[1]]".to_owned()),
        Just("[[tools]]".to_owned()),
        Just("```".to_owned()),
        Just("[exit 0, 0.1 s]".to_owned()),
        "     [1-3]\t[a-z]{0,3}",
    ]
}

fn result() -> impl Strategy<Value = (&'static str, Outcome)> {
    let text = |line: BoxedStrategy<String>| {
        proptest::collection::vec(line, 1..6).prop_map(|lines| lines.join("\n"))
    };
    // What is not fenced could say anything; what looks like a pointer there is nobody's.
    let words = text("[a-c#]{0,3}".boxed()).prop_map(|text| ("tip", text));
    let name = prop_oneof![Just("show"), Just("bash")];
    let file = (name, text(line().boxed()));
    (prop_oneof![words, file], prop::bool::ANY).prop_map(|((name, text), is_ok)| {
        let failed = ResultFormat::Plain.failure(name, &format!("It failed: {text}"));
        (name, if is_ok { Outcome::ok(text) } else { failed })
    })
}

/// What a model writes: its own lines, which no result has, and pointers.
fn written() -> impl Strategy<Value = String> {
    let own = "I say [A-Z]{1,6}:";
    let pointer = prop_oneof!["\\[\\[[1-5]\\]\\]", Just("[[tools]]".to_owned())];
    let line = prop_oneof![own, pointer, Just(String::new())];
    proptest::collection::vec(line, 0..7).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn expanding_and_turning_back_are_inverse(results in proptest::collection::vec(result(), 0..5), wrote in written()) {
        let conversation = asked(&results);
        let pointers = Pointers::of(&conversation, &tools());
        let expanded = pointers.expand(&wrote);
        let messages: Vec<_> = conversation.messages().iter().skip(3).cloned().collect();
        let found: Vec<&ToolMessage> = messages.iter().map(|it| match &**it {
            Message::Tool(result) => result,
            other => panic!("{other:?}"),
        }).collect();
        let back = pointers.collapse(&expanded, &found);
        // Whatever a line is taken for, people read the same.
        prop_assert_eq!(&pointers.expand(&back), &expanded);
        // And where no result is a part of another, or of something the model said, it is what the model wrote.
        let verbatim = |name: &str| tools().iter().find(|it| it.name == name).and_then(|it| it.verbatim);
        let blocks: Vec<_> = results.iter().map(|(name, it)| block(it, verbatim(name))).chain([listing(&tools())]).collect();
        let mixes = |a: &String, b: &String| a.lines().any(|line| b.lines().any(|it| it == line));
        let apart = |at: usize| blocks[at + 1..].iter().all(|it| !mixes(it, &blocks[at])) && !blocks[at].lines().any(str::is_empty);
        let named = pointers.names();
        let is_known = |line: &str| !line.starts_with("[[") || named.iter().any(|it| it == line);
        if (0..blocks.len()).all(apart) && wrote.lines().all(is_known) && !blocks.iter().any(|it| it.contains("[[")) {
            prop_assert_eq!(back, wrote);
        }
    }

    #[test]
    fn how_an_answer_was_cut_into_pieces_makes_no_difference(results in proptest::collection::vec(result(), 0..5), wrote in written(), cuts in proptest::collection::vec(0_usize..40, 0..9)) {
        let pointers = Pointers::of(&asked(&results), &tools());
        let mut expander = Expander::new(&pointers);
        let mut cuts: Vec<_> = cuts.into_iter().filter(|at| *at <= wrote.len()).collect();
        cuts.sort_unstable();
        let mut shown = String::new();
        let mut from = 0;
        for to in cuts.into_iter().chain([wrote.len()]) {
            shown.push_str(&expander.push(&wrote[from..to]));
            from = to;
        }
        shown.push_str(&expander.finish());
        prop_assert_eq!(shown, pointers.expand(&wrote));
    }
}

fn calling(calls: Vec<Call>) -> Message {
    Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() })
}

/// Asked, with calls that were made one after the other, and what they returned.
fn looked_up(question: &str, steps: &[(&str, &str, &str)]) -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push(Message::user(question));
    for (at, (name, arguments, text)) in steps.iter().enumerate() {
        let call = Call::new(format!("c{at}"), *name, *arguments);
        conversation.push(calling(vec![call]));
        conversation.push(Message::tool(format!("c{at}"), *name, Outcome::ok(*text)));
    }
    conversation
}

fn lookups() -> Vec<Arc<ToolSpec>> {
    let read = |name: &str| ToolSpec::new(name, "", json!({})).effect(ToolEffect::ReadOnly);
    let specs = ["weather", "holdings", "find", "quote"].map(read).map(Arc::new);
    let search = ToolSpec::new("search", "", json!({})).verbatim(Verbatim::Text);
    let note = ToolSpec::new("note", "", json!({}));
    specs.into_iter().chain([Arc::new(search), Arc::new(note)]).collect()
}

/// What stands behind an answer.
fn behind(question: &str, steps: &[(&str, &str, &str)], answer: &str) -> String {
    missing(&looked_up(question, steps), answer)
}

fn missing(conversation: &Conversation, answer: &str) -> String {
    let looked_up = LookedUp::of(conversation, &lookups());
    Pointers::of(conversation, &lookups()).missing(&looked_up, answer)
}

const FIND: (&str, &str, &str) =
    ("find", r#"{"query": "infosys"}"#, "Infosys (INFY): security ID 1594");
const QUOTE: (&str, &str, &str) = (
    "quote",
    r#"{"securities": {"NSE_EQ": [1594]}}"#,
    "Infosys (INFY): ₹1,579.90\n- Open ₹1,592.40",
);
const HOLDINGS: (&str, &str, &str) =
    ("holdings", "{}", "2 holdings:\n- INFY: 30 at ₹1,381.00\n- TCS: 10");

#[test]
fn what_was_looked_up_and_is_not_told_is_pointed_at() {
    let steps = [HOLDINGS, FIND, QUOTE];
    let question = "do i hold infosys? and whats it trading at";
    assert_eq!(behind(question, &steps, "Infosys is at 1,579.90."), "\n\n[[1]]");
    assert_eq!(behind(question, &steps, "[[2]]"), "\n\n[[1]]\n[[3]]");
    assert_eq!(behind(question, &steps, "You hold 30, now at 1,579.90."), "");
    assert_eq!(behind(question, &steps, "[[1]]\n[[3]]"), "");
}

#[test]
fn what_a_later_call_was_made_of_is_not_pointed_at() {
    assert_eq!(behind("price of infosys", &[FIND, QUOTE], "It opened at 1,592.40."), "");
    let note = ("note", r#"{"text": "INFY 1,579.90"}"#, "Noted.");
    assert_eq!(behind("note its price", &[FIND, QUOTE, note], "Noted."), "");
    // A line that is replaced, also where the question says all of its words.
    let file = ("search", "{}", "Meeting of 2 March\nNext one on 6 April.");
    let edit = ("note", r#"{"old": "Next one on 6 April"}"#, "Done.");
    let question = "the next meeting is on 13 April and not 6";
    assert_eq!(behind(question, &[file, edit], "Done: it is on 13 April."), "");
}

#[test]
fn what_was_looked_for_in_vain_is_not_pointed_at() {
    let first = ("search", r#"{"pattern": "club currency"}"#, "No match in 21 files.");
    let second = ("search", r#"{"pattern": "currency"}"#, "a.py:2: EUR\nb.toml:1: EUR");
    let question = "what is the club currency";
    assert_eq!(behind(question, &[first, second], "It is EUR, in b.toml."), "");
    // Where more than a line was found, people see for themselves.
    assert_eq!(
        behind(question, &[first, second], "b.toml says nothing about currency."),
        "\n\n[[2]]"
    );
    assert_eq!(behind(question, &[first], "The files say nothing about club currency."), "");
}

#[test]
fn what_is_done_and_what_fails_is_told_by_the_answer_alone() {
    let mut conversation =
        looked_up("note 17 and the weather", &[("note", "{}", "Note 17 of 18.")]);
    conversation.push(calling(vec![Call::new("w", "weather", "{}")]));
    conversation.push(Message::tool("w", "weather", Outcome::failed("No weather: 503")));
    assert_eq!(missing(&conversation, "It did not work."), "");
}

#[test]
fn several_calls_of_one_reply_are_no_second_try() {
    let mut conversation = Conversation::new();
    conversation.push(Message::user("weather in Oslo and Rome"));
    let calls = ["a", "b"].map(|id| Call::new(id, "weather", format!(r#"{{"location": "{id}"}}"#)));
    conversation.push(calling(calls.to_vec()));
    conversation.push(Message::tool("a", "weather", Outcome::ok("61°F")));
    conversation.push(Message::tool("b", "weather", Outcome::ok("75°F")));
    assert_eq!(missing(&conversation, "Rome has 75°F."), "\n\n[[1]]");
    // Turned back in what the model reads later, as if it had pointed itself.
    let pointers = Pointers::of(&conversation, &lookups());
    let answer = pointers.expand("Rome has 75°F.\n\n[[1]]");
    assert_eq!(answer, "Rome has 75°F.\n\n61°F");
}
