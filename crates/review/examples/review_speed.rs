//! How long it takes to hold an answer against the results: `cargo run --release -p toolwright-review --example
//! review_speed`.
#![allow(
    clippy::indexing_slicing,
    reason = "a program that measures may stop where something fails"
)]

use std::{hint::black_box, time::Instant};

use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, ToolCatalog, ToolSpec,
    review::{ReviewTools, Reviewer},
};
use toolwright_review::AnswerReviewer;

/// One tool, as far as a review needs to know it.
struct Quotes(ToolSpec);

impl ToolCatalog for Quotes {
    fn find(&self, name: &str) -> Option<&ToolSpec> {
        (name == self.0.name).then_some(&self.0)
    }

    fn specs(&self) -> Box<dyn Iterator<Item = &ToolSpec> + '_> {
        Box::new(std::iter::once(&self.0))
    }

    fn violations(&self, _: &ToolSpec, _: &Value) -> Vec<String> {
        Vec::new()
    }

    fn unknown(&self, name: &str) -> String {
        name.to_owned()
    }
}

/// A question, and results that have this many quotes in all.
fn conversation(quotes: usize) -> Conversation {
    let mut said = Conversation::from_iter([Message::user("How do they stand?")]);
    for (round, from) in (0..quotes).step_by(20).enumerate() {
        let id = format!("call_{round}");
        let calls = vec![Call::new(id.as_str(), "get_market_quote", "{}")];
        said.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
        let rows: Vec<_> = (from..from + 20).map(quote).collect();
        said.push(Message::tool(
            id.as_str(),
            "get_market_quote",
            Outcome::ok(json!(rows).to_string()),
        ));
    }
    said
}

fn quote(number: usize) -> Value {
    let price = 100.0 + number as f64 * 1.25;
    json!({
        "symbol": format!("SYM{number}"), "ltp": price, "open": price - 1.5, "high": price + 2.75,
        "low": price - 3.5, "volume": 1000 * number + 7, "date": "2026-11-16",
    })
}

/// An answer that names this many of them.
fn answer(quotes: usize, step: usize) -> String {
    let line = |number: usize| {
        let quote = quote(number * step);
        format!(
            "- {} trades at {} (high {}, volume {}).\n",
            quote["symbol"], quote["ltp"], quote["high"], quote["volume"]
        )
    };
    (0..quotes).map(line).collect()
}

fn main() {
    let spec =
        ToolSpec::new("get_market_quote", "The price of an instrument.", json!({"type": "object"}));
    let (tools, reviewer) = (Quotes(spec), AnswerReviewer::new());
    println!("| results | answer | a review |\n|---|---|---|");
    for (quotes, told) in [(20, 5), (200, 20), (2_000, 20), (2_000, 200)] {
        let (said, answer) = (conversation(quotes), answer(told, quotes / told));
        let size: usize = said.messages().iter().map(|it| it.content().len()).sum();
        let review = |answer: &str| reviewer.review(answer, &said, ReviewTools::Related(&tools));
        let found = review(&answer);
        assert!(found.checked > 0, "there is something to check");
        let times = 50;
        let began = Instant::now();
        for _ in 0..times {
            black_box(review(black_box(&answer)));
        }
        let took = began.elapsed() / times;
        println!(
            "| {} KB, {quotes} quotes | {:.1} KB, {} values, {} not found | {took:.1?} |",
            size / 1000,
            answer.len() as f64 / 1e3,
            found.checked,
            found.findings.len()
        );
    }
}
