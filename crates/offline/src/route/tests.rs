use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::json;
use toolwright_core::{Conversation, Message, Outcome, ToolGroup, ToolRouter, ToolSpec};
use toolwright_embed::{EmbedError, Embedder, Source};

use super::{MOST, Routes, names_file};

/// Texts are alike that have words in common.
struct Words;

impl Embedder for Words {
    fn name(&self) -> &str {
        "words"
    }

    fn dimensions(&self) -> usize {
        256
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        let vector = |text: &String| {
            let mut vector = vec![0.0_f32; 256];
            for word in text.to_lowercase().split(|char: char| !char.is_alphanumeric()) {
                let place = word.bytes().fold(7_usize, |sum, byte| sum * 31 + usize::from(byte));
                vector[place % 256] = 1.0;
            }
            let length = vector.iter().sum::<f32>().sqrt();
            vector.iter().map(|it| it / length).collect()
        };
        Box::pin(async move { Ok(texts.iter().map(vector).collect()) })
    }
}

fn tool(name: &str, about: &str) -> ToolSpec {
    ToolSpec::new(name, about, json!({"type": "object"}))
}

/// A tool that knows securities, and what it must be told.
fn finder<const N: usize>(name: &str, required: [&str; N]) -> ToolSpec {
    let parameters = json!({"type": "object", "required": required.as_slice()});
    ToolSpec::new(name, "Returns the security_id of what gold and copper cost.", parameters)
}

fn tools() -> Vec<Arc<ToolSpec>> {
    let mut tools = vec![
        finder("find", ["symbol", "segment"]),
        finder("search", ["query"]),
        tool("quote", "Get prices.").grounded("securities").examples(["what does gold cost"]),
        tool("weather", "Weather in a place.").examples(["is it raining"]),
        tool("tip", "Tip on a bill."),
    ];
    tools.extend((0..14).map(|at| tool(&format!("other{at}"), "Something else.")));
    tools.into_iter().map(Arc::new).collect()
}

async fn chosen(conversation: &Conversation) -> Vec<String> {
    let tools = tools();
    let routes = Routes::new(Arc::new(Source::ready(Arc::new(Words))));
    let places = routes.route(conversation, &tools).await.unwrap();
    assert_eq!(places.len(), MOST);
    places.into_iter().map(|at| tools[at].name.clone()).collect()
}

fn said(text: &str) -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push(Message::user(text));
    conversation
}

#[tokio::test]
async fn tools_are_found_by_examples_with_what_they_need() {
    let names = chosen(&said("what does copper cost")).await;
    assert!(names.contains(&"quote".to_owned()) && names.contains(&"search".to_owned()));
    assert!(chosen(&said("is it raining there")).await.contains(&"weather".to_owned()));
}

#[tokio::test]
async fn every_part_of_a_question_counts() {
    let names = chosen(&said("is it raining in Rome, and what tip on the bill")).await;
    assert!(
        names.contains(&"weather".to_owned()) && names.contains(&"tip".to_owned()),
        "{names:?}"
    );
}

#[tokio::test]
async fn parts_take_turns() {
    // All of the others are like the first part.
    let names = chosen(&said("something else or something else entirely, and is it raining")).await;
    assert!(names.contains(&"weather".to_owned()), "{names:?}");
}

#[tokio::test]
async fn what_gives_an_id_is_the_tool_that_asks_for_least() {
    let names = chosen(&said("quote: what does gold cost")).await;
    assert!(names.contains(&"search".to_owned()), "{names:?}");
}

#[tokio::test]
async fn what_was_used_stays() {
    let mut conversation = said("do other12");
    conversation.push(Message::tool("c", "other12", Outcome::ok("done")));
    conversation.push(Message::assistant("Done."));
    conversation.push(Message::user("now tell me whether it is raining in Rome"));
    let names = chosen(&conversation).await;
    assert!(
        names.contains(&"other12".to_owned()) && names.contains(&"weather".to_owned()),
        "{names:?}"
    );
}

/// Tools of three packs, one of which is larger than a prompt has room for.
fn packs() -> Vec<Arc<ToolSpec>> {
    let pack = |name: &str, tools: Vec<ToolSpec>| {
        let group = Arc::new(ToolGroup::new(name, ""));
        tools.into_iter().map(move |it| Arc::new(it.group(group.clone()))).collect::<Vec<_>>()
    };
    let path = json!({"type": "object", "properties": {"file_path": {"type": "string"}}});
    let files = [
        ToolSpec::new("show", "Display a file.", path.clone()),
        ToolSpec::new("edit", "Alter text.", path),
        tool("bash", "Run commands."),
    ];
    let market: Vec<_> = (0..MOST + 2)
        .map(|at| tool(&format!("price{at}"), &format!("Price number{at} of gold.")))
        .collect();
    let demo = vec![tool("weather", "Rain and sun in a place."), tool("tip", "Tip on a bill.")];
    [pack("files", files.into()), pack("market", market), pack("demo", demo)].concat()
}

async fn offered(question: &str) -> Vec<String> {
    let tools = packs();
    let routes = Routes::new(Arc::new(Source::ready(Arc::new(Words))));
    let places = routes.route(&said(question), &tools).await.unwrap();
    assert!(places.len() <= MOST);
    places.into_iter().map(|at| tools[at].name.clone()).collect()
}

#[tokio::test]
async fn a_pack_is_offered_whole_and_those_that_are_not_meant_are_not() {
    assert_eq!(offered("display a file").await, ["show", "edit", "bash"]);
    assert_eq!(offered("alter text").await, ["show", "edit", "bash"], "always the same");
    let both = offered("tip on a bill, and alter text").await;
    assert_eq!(both, ["weather", "tip", "show", "edit", "bash"]);
}

#[tokio::test]
async fn of_a_pack_that_is_too_large_the_best_are_offered() {
    let names = offered("price number11 of gold").await;
    assert_eq!(names.len(), MOST);
    assert!(names.contains(&"price11".to_owned()), "{names:?}");
    let names = offered("price number11 of gold, rain and sun in a place").await;
    assert!(names.contains(&"weather".to_owned()) && names.contains(&"price11".to_owned()));
}

#[tokio::test]
async fn the_pack_that_is_meant_stands_first_and_whole() {
    let tools = |count: usize| {
        let market = Arc::new(ToolGroup::new("prices", ""));
        let prices = (0..count).map(|at| {
            let about = format!("Price number{at} of gold.");
            Arc::new(tool(&format!("price{at}"), &about).group(market.clone()))
        });
        // The last of them is none of the usual ones.
        let words = ["note", "keep", "save", "jot", "write", "log", "store", "price"];
        let note = tool("note", "Keeps a text.").asked_by(words);
        let weather = tool("weather", "Rain and sun in a place.");
        let rest = [note, weather, tool("tip", "Tip on a bill.")];
        rest.into_iter().map(Arc::new).chain(prices).collect::<Vec<_>>()
    };
    let routes = Routes::new(Arc::new(Source::ready(Arc::new(Words))));
    let tools = tools(MOST - 1);
    let names = async |conversation: &Conversation| {
        let places = routes.route(conversation, &tools).await.unwrap();
        places.into_iter().map(|at| tools[at].name.clone()).collect::<Vec<_>>()
    };
    let prices: Vec<_> = (0..MOST - 1).map(|at| format!("price{at}")).collect();
    assert_eq!(names(&said("price of gold")).await, prices);
    // Behind it what the person calls for.
    let noted = names(&said("note the price of gold")).await;
    assert_eq!(noted[..prices.len()], prices);
    assert_eq!(noted[prices.len()..], ["note"]);
    // What happens while somebody is answered changes nothing.
    let mut conversation = said("price of gold");
    conversation.push(Message::tool("c", "weather", Outcome::ok("rain")));
    assert_eq!(names(&conversation).await, prices);
    // What is about nothing is asked of what was used last, or of the first ones of those that are as unlikely.
    assert_eq!(names(&said("xyzzy")).await, ["note", "weather", "tip"]);
    conversation.push(Message::tool("d", "price3", Outcome::ok("7")));
    conversation.push(Message::user("xyzzy"));
    assert!(names(&conversation).await.starts_with(&prices));
    // What is hardly like any tool is meant for the group that is least unlike it, and what follows a use for that.
    let faint = "xyz xyzw xyzwv xyzwvu xyzwvut of xyzwvuts";
    assert_eq!(names(&said(faint)).await, prices);
    let mut weather = said("rain");
    weather.push(Message::tool("c", "tip", Outcome::ok("7")));
    weather.push(Message::user(faint));
    assert!(names(&weather).await.starts_with(&["note", "weather", "tip"].map(str::to_owned)));
    assert_eq!(routes.usual(&tools), [vec![0, 1, 2], (3..MOST + 2).collect()]);
}

#[tokio::test]
async fn a_file_that_is_named_calls_for_tools_for_files() {
    assert!(offered("rain and sun").await.iter().all(|it| it != "show"));
    for question in ["what is in src/main.rs", "tip.txt, please", "run `make`"] {
        assert!(names_file(question), "{question}");
    }
    for question in ["a tip on 45.60", "e.g. gold", "and/or", "what now?", "Is it 5 p.m.?"] {
        assert!(!names_file(question), "{question}");
    }
    assert!(offered("now money.py").await.contains(&"show".to_owned()));
}

#[tokio::test]
async fn without_vectors_words_decide() {
    let routes = Routes::new(Arc::new(Source::local("no such folder")));
    assert_eq!(routes.route(&said("is it raining"), &tools()).await, None);
}
