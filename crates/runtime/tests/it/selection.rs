//! Which of many tools a model is offered.
//!
//! `data/tools.json` is a catalogue as integrations have them; `data/questions.json` has what people
//! type, mostly not in the tools' own words, with the tools that are then needed. Weights were
//! adjusted on the half `tuning` alone. `searches` is how a model words what it needs.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, LazyLock},
};

use serde_json::{Value, json};
use toolwright_core::{Conversation, Message, Outcome, RunContext, Status, ToolEffect, ToolSpec};
use toolwright_runtime::{FIND_TOOLS, SelectionConfig, ToolSelector, Toolbox, find_tools};

use crate::support::said;

static SPECS: LazyLock<Arc<[Arc<ToolSpec>]>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/tools.json")).unwrap());
static QUESTIONS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/questions.json")).unwrap());
static SELECTOR: LazyLock<Arc<ToolSelector>> =
    LazyLock::new(|| Arc::new(ToolSelector::new(&SPECS, SelectionConfig::default())));

/// A conversation, and the tools that are needed to go on with it.
fn questions(half: &str) -> Vec<(Conversation, Vec<usize>)> {
    let questions = QUESTIONS[half].as_array().unwrap();
    let question = |it: &Value| {
        let tools = it["tools"].as_array().unwrap().iter().map(|name| at(name.as_str().unwrap()));
        (said(it["messages"].clone()).into_iter().collect(), tools.collect())
    };
    questions.iter().map(question).collect()
}

#[track_caller]
fn at(name: &str) -> usize {
    SPECS.iter().position(|spec| spec.name == name).unwrap_or_else(|| panic!("no tool {name}"))
}

fn names(chosen: &[usize]) -> Vec<&'static str> {
    chosen.iter().map(|at| SPECS[*at].name.as_str()).collect()
}

fn asked(text: &str) -> Conversation {
    Conversation::from_iter([Message::user(text)])
}

/// Lets a tool be called in a conversation.
fn call(conversation: &mut Conversation, name: &str, result: &Value) {
    let call = json!({"id": name, "function": {"name": name, "arguments": "{}"}});
    let messages = said(json!([{"role": "assistant", "tool_calls": [call]}]));
    messages.into_iter().for_each(|message| conversation.push(message));
    conversation.push(Message::tool(name, name, Outcome::ok(result.to_string())));
}

/// The share of needed tools that were offered, the mean over all questions.
fn recall(half: &str) -> f64 {
    let questions = questions(half);
    let share = |(conversation, needed): &(Conversation, Vec<usize>)| {
        let chosen = SELECTOR.choose(conversation, &[]);
        let offered = needed.iter().filter(|tool| chosen.contains(tool)).count();
        offered as f64 / needed.len() as f64
    };
    questions.iter().map(share).sum::<f64>() / questions.len() as f64
}

#[test]
fn s3_8_the_catalogue_is_large_and_of_many_trades() {
    assert!(SPECS.len() >= 320, "{}", SPECS.len());
    let distinct: BTreeSet<_> = SPECS.iter().map(|spec| &spec.description).collect();
    assert!(distinct.len() >= 320);
    let all: Vec<_> = ["tuning", "held_out"].into_iter().flat_map(questions).collect();
    assert!(all.len() >= 200);
    let longer = all.iter().filter(|(conversation, _)| conversation.len() > 1).count();
    assert!(3 * longer >= all.len(), "a third has a history: {longer} of {}", all.len());
}

#[test]
fn s3_8_the_tools_a_question_needs_are_among_those_chosen() {
    let held_out = recall("held_out");
    assert!(held_out >= 0.65, "{held_out:.3}");
}

#[test]
fn s3_8_what_was_not_chosen_is_found_in_a_models_words() {
    let (mut missed, mut found) = (0, 0);
    for (conversation, needed) in questions("held_out") {
        let chosen = SELECTOR.choose(&conversation, &[]);
        for tool in needed.into_iter().filter(|tool| !chosen.contains(tool)) {
            let words = QUESTIONS["searches"][&SPECS[tool].name].as_str().unwrap();
            missed += 1;
            found += usize::from(SELECTOR.search(words, 8).contains(&tool));
        }
    }
    assert!(10 * found >= 9 * missed, "{found} of {missed}");
}

#[test]
fn s3_8_as_many_are_offered_as_was_said_in_the_toolboxs_order() {
    for (conversation, _) in questions("tuning") {
        let chosen = SELECTOR.choose(&conversation, &[]);
        assert!(chosen.is_sorted());
        // What has to be called first may come on top.
        assert!(chosen.len() <= 24 + 3, "{}", chosen.len());
        assert_eq!(chosen, SELECTOR.choose(&conversation, &[]), "the same again");
    }
    let few = ToolSelector::new(&SPECS, SelectionConfig { above: 40, offer: 3 });
    assert_eq!(few.choose(&asked("weather forecast for the coming days"), &[]).len(), 3);
}

#[test]
fn s3_8_few_tools_are_all_offered() {
    let few = ToolSelector::new(&SPECS[..40], SelectionConfig::default());
    assert!(!few.is_needed());
    assert_eq!(few.choose(&asked("anything"), &[]), (0..40).collect::<Vec<_>>());
    let one_more = ToolSelector::new(&SPECS[..41], SelectionConfig::default());
    assert!(one_more.is_needed());
    assert!(one_more.choose(&asked("open a pull request"), &[]).len() <= 24);
    let none = ToolSelector::new(&[], SelectionConfig { above: 0, offer: 24 });
    assert!(!none.is_needed());
    assert_eq!(none.search("anything", 8), [0; 0]);
}

#[test]
fn s3_8_what_was_offered_in_this_run_stays() {
    let mut conversation = asked("what is the weather forecast for Lisbon this weekend?");
    let first = SELECTOR.choose(&conversation, &[]);
    assert!(first.contains(&at("weather_forecast")));
    let result = json!({"invoice_id": 1, "playlist": [], "refund": true});
    call(&mut conversation, "weather_forecast", &result);
    let second = SELECTOR.choose(&conversation, &first);
    assert!(first.iter().all(|tool| second.contains(tool)), "all of them stay");
    // A run that turns to something else gets what that needs, whatever is kept.
    conversation.push(Message::user("now refund the last payment of this customer"));
    let third = SELECTOR.choose(&conversation, &second);
    assert!(second.iter().all(|tool| third.contains(tool)));
    assert!(third.contains(&at("stripeCreateRefund")));
    assert!(third.len() <= 24 + 12, "{}", third.len());
}

#[test]
fn s3_8_an_index_that_means_no_tool_is_not_kept() {
    let kept = [SPECS.len(), usize::MAX, 3];
    let chosen = SELECTOR.choose(&asked(""), &kept);
    assert_eq!(chosen, [3]);
}

#[test]
fn s3_8_tools_that_were_called_stay() {
    let mut conversation = asked("draw a random number");
    call(&mut conversation, "random_number", &json!(4));
    conversation.push(Message::assistant("It is 4."));
    conversation.push(Message::user("and what is the weather in Rome?"));
    let chosen = SELECTOR.choose(&conversation, &[]);
    assert!(chosen.contains(&at("random_number")));
    assert!(chosen.contains(&at("weather_current")));
    // Also when so many were called that they alone would fill the offer.
    let mut conversation = asked("all of it");
    for spec in &SPECS[..60] {
        call(&mut conversation, &spec.name, &json!({}));
    }
    conversation.push(Message::user("and what is the weather in Rome?"));
    let chosen = SELECTOR.choose(&conversation, &[]);
    assert!((0..60).all(|tool| chosen.contains(&tool)));
    assert!(chosen.contains(&at("weather_current")));
}

#[test]
fn s3_8_what_must_be_called_first_comes_along() {
    let chosen = SELECTOR.choose(&asked("last traded price"), &[]);
    assert!(chosen.contains(&at("get_market_quote")));
    assert!(chosen.contains(&at("search_instruments")));
    // Also over several steps, in a circle, and where there is no such tool.
    let spec = |name: &str, about: &str, after: &[&str]| {
        let spec = ToolSpec::new(name, about, json!({"type": "object"}));
        Arc::new(after.iter().fold(spec, |spec, tool| spec.after(*tool)))
    };
    let mut specs = vec![
        spec("alpha", "Sharpens pencils.", &["beta"]),
        spec("beta", "Grows trees.", &["gamma", "nothing"]),
        spec("gamma", "Plants seeds.", &["alpha"]),
    ];
    specs.extend((0..9).map(|at| spec(&format!("other_{at}"), "Paints walls.", &[])));
    let selector = ToolSelector::new(&specs, SelectionConfig { above: 2, offer: 1 });
    assert_eq!(selector.choose(&asked("sharpen my pencil"), &[]), [0, 1, 2]);
    assert_eq!(selector.choose(&asked("paint it"), &[]), [3], "of equals the first");
}

#[test]
fn s3_8_the_last_message_counts_most_and_the_context_helps() {
    let mut conversation = asked("which invoices has this customer not paid?");
    let invoices = SELECTOR.choose(&conversation, &[]);
    assert!(invoices.contains(&at("stripeListInvoices")));
    conversation.push(Message::assistant("Two invoices are open."));
    conversation.push(Message::user("ok, thanks"));
    let follow_up = SELECTOR.choose(&conversation, &[]);
    assert!(follow_up.contains(&at("stripeListInvoices")), "a word of thanks changes no subject");
    conversation.push(Message::user("search flights to Rome"));
    let narrow = ToolSelector::new(&SPECS, SelectionConfig { above: 40, offer: 1 });
    assert_eq!(names(&narrow.choose(&conversation, &[])), ["flights_search"]);
    // What the runtime itself says is nobody's wish.
    conversation.push(Message::correction("Resize the image, translate the text."));
    assert_eq!(names(&narrow.choose(&conversation, &[])), ["flights_search"]);
}

#[test]
fn s3_8_any_text_can_be_asked() {
    let long = "pull request ".repeat(100_000) + "🦀";
    for text in ["", "   ", "?!…", "🦀🦀", "the of and", "\u{0}", "é", "x".repeat(70_000).as_str()]
    {
        assert_eq!(SELECTOR.choose(&asked(text), &[]), [0; 0], "{text:.20}: nothing is wanted");
        assert_eq!(SELECTOR.search(text, 8), [0; 0]);
    }
    assert_eq!(SELECTOR.choose(&Conversation::new(), &[]), [0; 0]);
    assert!(SELECTOR.choose(&asked(&long), &[]).contains(&at("github_merge_pull_request")));
    assert_eq!(names(&SELECTOR.search("MERGE a Pull-Request", 1)), ["github_merge_pull_request"]);
    assert_eq!(SELECTOR.search("pull request", 0), [0; 0]);
}

#[test]
fn s3_8_tools_in_another_script_are_found() {
    let spec =
        |name: &str, about: &str| Arc::new(ToolSpec::new(name, about, json!({"type": "object"})));
    let specs =
        [spec("a", "天気予報を取得する"), spec("b", "メールを送信する"), spec("c", "Größe ändern")];
    let selector = ToolSelector::new(&specs, SelectionConfig { above: 1, offer: 1 });
    assert_eq!(selector.search("明日の天気は？", 8), [0]);
    assert_eq!(selector.search("メール", 8), [1]);
    assert_eq!(selector.search("die GRÖSSE Ändern", 8), [2]);
}

#[tokio::test]
async fn s3_8_find_tools_tells_what_a_model_needs_to_call_them() {
    let tool = find_tools(SELECTOR.clone(), SPECS.clone());
    let spec = tool.spec();
    assert_eq!((spec.name.as_str(), spec.effect), (FIND_TOOLS, ToolEffect::ReadOnly));
    for subject in ["479 tools", "calendar", "github", "weather", "spotify"] {
        assert!(spec.description.contains(subject), "{subject}: {}", spec.description);
    }
    let toolbox = Toolbox::builder().tool(tool).build().unwrap();
    toolbox.verify().unwrap();
    let context = RunContext::new();
    let found = toolbox.call(FIND_TOOLS, json!({"query": "buy train ticket"}), &context).await;
    assert_eq!(found.status, Status::Ok);
    let answer: Value = serde_json::from_str(&found.text).unwrap();
    let best = &SPECS[at("trains_buy_ticket")];
    let wanted = json!({
        "name": best.name,
        "description": best.description,
        "parameters": best.parameters,
    });
    assert_eq!(answer["tools"][0], wanted);
    assert_eq!(answer["tools"].as_array().unwrap().len(), 8);
    let nothing = toolbox.call(FIND_TOOLS, json!({"query": "…"}), &context).await;
    let note = "No tool fits. Try other words: what is to be done, and to what.";
    assert_eq!(
        serde_json::from_str::<Value>(&nothing.text).unwrap(),
        json!({"tools": [], "note": note})
    );
    let without = toolbox.call(FIND_TOOLS, json!({}), &context).await;
    assert_eq!(without.status, Status::Failed);
}

#[tokio::test]
async fn s3_8_what_find_tools_found_is_offered_until_the_person_speaks_again() {
    let tool = find_tools(SELECTOR.clone(), SPECS.clone());
    let toolbox = Toolbox::builder().tool(tool).build().unwrap();
    let query = json!({"query": "roll dice random"});
    let outcome = toolbox.call(FIND_TOOLS, query, &RunContext::new()).await;
    let found = SELECTOR.search("roll dice random", 8);
    assert!(found.contains(&at("random_number")));
    let mut conversation = asked("d20 for me");
    assert!(!SELECTOR.choose(&conversation, &[]).contains(&at("random_number")));
    conversation.push(Message::tool("call_1", FIND_TOOLS, outcome));
    let chosen = SELECTOR.choose(&conversation, &[]);
    assert!(found.iter().all(|tool| chosen.contains(tool)));
    conversation.push(Message::user("d20 for me"));
    assert!(!SELECTOR.choose(&conversation, &[]).contains(&at("random_number")));
    // A result that is not what find_tools says is nothing.
    for text in ["", "no", "[]", r#"{"tools":[{"name":7},{},{"name":"no_such_tool"}]}"#] {
        let mut conversation = asked("d20 for me");
        conversation.push(Message::tool("call_1", FIND_TOOLS, Outcome::ok(text)));
        SELECTOR.choose(&conversation, &[]);
    }
}

#[test]
fn s3_8_find_tools_is_always_offered_where_it_is_one_of_the_tools() {
    let find = find_tools(SELECTOR.clone(), SPECS.clone());
    let mut specs = SPECS.to_vec();
    specs.push(Arc::new(find.spec().clone()));
    let selector = ToolSelector::new(&specs, SelectionConfig::default());
    let last = specs.len() - 1;
    assert_eq!(selector.choose(&asked(""), &[]), [last]);
    assert!(selector.choose(&asked("cancel my flight"), &[]).contains(&last));
    assert!(!selector.search("find tools by what they do", 8).contains(&last));
}

#[test]
fn every_search_of_the_data_is_for_a_tool_that_some_question_needs() {
    let needed: BTreeSet<_> =
        ["tuning", "held_out"].into_iter().flat_map(questions).flat_map(|it| it.1).collect();
    let searches: HashMap<String, String> =
        serde_json::from_value(QUESTIONS["searches"].clone()).unwrap();
    let searched: BTreeSet<_> = searches.keys().map(|name| at(name)).collect();
    assert_eq!(needed, searched);
}
