//! One row for each way in which an answer says something, or seems to: what is caught, and what must
//! not be. Every row is counted; a false alarm is a good answer in which something was found.

use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, Conversation, Message, Outcome, Status, ToolEffect, ToolSpec,
    review::ReviewTools,
};

use super::{Tools, held_against as review, returned};

/// An answer, and what is found in it: nothing in a good one.
type Row = (&'static str, &'static str, &'static [&'static str]);

/// Tools as those of a watch history, a market and the weather.
fn tools() -> Tools {
    let spec = |name: &str, about: &str, parameter: &str| {
        let parameters = json!({"type": "object", "properties": {parameter: {"type": "string"}}});
        ToolSpec::new(name, about, parameters).effect(ToolEffect::ReadOnly)
    };
    Tools(vec![
        spec("watch_statistics", "How many videos of which channels were watched.", "channel"),
        spec("get_market_quote", "The price of an instrument.", "symbol"),
        spec("get_weather", "The weather at a place.", "location"),
        spec("bash", "Runs a command in the folder.", "command"),
    ])
}

/// A question to which nothing was looked up.
fn asked(question: &str) -> Conversation {
    returned(question, &[])
}

/// A question, a call of this tool with these arguments, and how it ended.
fn called(question: &str, tool: &str, arguments: &str, outcome: Outcome) -> Conversation {
    let mut talk = asked(question);
    let calls = vec![Call::new("a", tool, arguments)];
    talk.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
    talk.push(Message::tool("a", tool, outcome));
    talk
}

fn ran(command: &str, output: &str) -> Conversation {
    let arguments = json!({"command": command}).to_string();
    called("Look into the folder.", "bash", &arguments, Outcome::ok(output))
}

const VIDEOS: &[Row] = &[
    ("invented", "You watched 9,999 videos across 777 channels.", &["9,999", "777"]),
    ("invented", "You watched 412 hours of them, 37.5% at night.", &["412", "37.5%"]),
    ("invented", "The last was on 5 March 2024 at 21:40.", &["5 March 2024", "21:40"]),
    (
        "invented",
        "See https://www.youtube.com/watch?v=dQw4w9WgXcX.",
        &["https://www.youtube.com/watch?v=dQw4w9WgXcX"],
    ),
    ("invented", "The id is VFIOSWy93H0.", &["VFIOSWy93H0"]),
    ("greeting", "Hello! What would you like to know about your videos?", &[]),
    ("offer", "Shall I look at the last 50 videos?", &[]),
    ("offer", "Let me know if you want more than 25 of them.", &[]),
    ("offer", "I can look up the 100 channels you watch most.", &[]),
    ("refusal", "I have not looked that up, so I cannot say.", &[]),
    ("small", "There are 3 ways to find out.", &[]),
];

const SUMS: &[Row] = &[
    ("user's", "17 × 23 is 391.", &[]),
    ("user's", "You asked about 17 and 23: together 40.", &[]),
    ("user's", "23 is 35.3% more than 17.", &[]),
    ("invented", "17 × 23 is 4,711.", &["4,711"]),
];

const FAILED: &[Row] = &[
    ("error code", "The service answered 503 Service Unavailable (DH-905).", &[]),
    ("error code", "It failed with error DH-905.", &[]),
    ("error code", "It failed with HTTP 503.", &[]),
    ("error code", "It failed with error DH-906.", &["DH-906"]),
    ("error code", "It failed with HTTP 500.", &["500"]),
    ("error text", "It asks to wait 45 seconds.", &[]),
    ("invented", "NIFTY is at 24,999.10.", &["24,999.10"]),
    ("model's own", "NIFTY is at 4711.", &["4711"]),
];

const SERVICE: &[Row] = &[
    ("identifier", "The p99 latency is 4.82 s.", &[]),
    ("identifier", "p50, p95 and P99.9 are all above 4 s.", &[]),
    ("identifier", "It speaks HTTP/2 over IPv6 with TLS 1.3 and SHA-512.", &[]),
    ("identifier", "The field is a u64 in UTF-16, see RFC 7231 and ISO 8601.", &[]),
    ("identifier", "The image lies in an S3 bucket, on k8s, for arm64.", &[]),
    ("identifier", "Pod checkout-7d9f8b6c5-x2x7k restarted 14 times.", &[]),
    (
        "identifier",
        "Pod checkout-7d9f8b6c5-zzzz9 restarted 14 times.",
        &["checkout-7d9f8b6c5-zzzz9"],
    ),
    ("version", "It runs version 2.14.3.", &[]),
    ("version", "It runs v2.14.3, a 2.14 release.", &[]),
    ("version", "It runs v2.15.0.", &["v2.15.0"]),
    ("ordinal", "It is the 21st restart in the 2nd week.", &[]),
    ("error code", "One page gives a 404 error.", &[]),
    ("error code", "One page gives a 502 error.", &["502"]),
    ("address", "The pool is at 10.0.14.7:5432.", &[]),
    ("address", "The pool is at 10.0.14.9:5432.", &["10.0.14.9:5432"]),
    ("numbering", "Step 1: look.\nStep 2: wait.\n(3) Look.\n#4 Wait.", &[]),
    ("figure", "It restarted 41 times.", &["41"]),
    ("offer", "Should I restart it and wait 90 seconds?", &[]),
];

const LINKS: &[Row] = &[
    ("url", "See https://www.youtube.com/watch?v=VFIOSWy93H0.", &[]),
    ("url", "See https://youtu.be/VFIOSWy93H0?t=90.", &[]),
    ("url", "See [it](http://youtube.com/watch?v=VFIOSWy93H0&t=1m30s).", &[]),
    ("url", "See <https://docs.example.com/Guide/#start>.", &[]),
    ("url", "See https://docs.example.com/guide/.", &[]),
    ("url", "See https://docs.example.com/%67uide.", &[]),
    ("url", "Issue: https://github.com/acme/toolbox/issues/1482.", &[]),
    ("url", "As you say, https://example.net/a/b?c=17 is gone.", &[]),
    (
        "url",
        "Issue: https://github.com/acme/toolbox/issues/1483.",
        &["https://github.com/acme/toolbox/issues/1483"],
    ),
    ("url", "See https://youtu.be/VFIOSWy93H1.", &["https://youtu.be/VFIOSWy93H1"]),
    ("url", "See https://docs.example.com/pricing.", &["https://docs.example.com/pricing"]),
    ("url", "See https://example.org/help.", &["https://example.org/help"]),
];

const MEETINGS: &[Row] = &[
    ("date", "It is on Wednesday, 18 June 2025.", &[]),
    ("date", "The day after, June 19, is free.", &[]),
    ("date", "Tomorrow is 19 June 2025.", &[]),
    ("date", "Three days later, on 21 June, it is due.", &[]),
    ("date", "A week later (25 June 2025) is the next.", &[]),
    ("date", "The month before, May 2025, was quiet.", &[]),
    ("length", "The review takes 90 minutes, from 13:00 to 14:30.", &[]),
    ("length", "The trip is 18 days long.", &[]),
    ("length", "The trip is 20 days long.", &["20"]),
    ("date", "The next is on 25 June 2025.", &["25 June 2025"]),
    ("date", "It was moved to 3 August.", &["3 August"]),
];

const FOLDER: &[Row] = &[
    ("quoted", "The output is:\n```\ntotal 12\nCargo.toml\nsrc/main.rs\n```", &[]),
    ("quoted", "It prints:\n```text\ntotal 12\n…\n  src/main.rs\n```", &[]),
    ("quoted", "```console\n$ ls -R\ntotal 12\nCargo.toml\n```", &[]),
    ("quoted", "`src/main.rs` contains:\n```rust\n1: fn main() {\n2:     start(8080);\n```", &[]),
    ("proposed", "Change it like this:\n```rust\nfn main() {\n    start(9090);\n}\n```", &[]),
    ("proposed", "Run this:\n```console\n$ cargo test --all\n```", &[]),
    ("proposed", "It would print:\n```rust\nok 17\n```", &[]),
    ("made up", "The output is:\n```\ntotal 48\nCargo.toml\n```", &["total 48"]),
    ("made up", "It prints:\n```\ntotal 12\nREADME.md\nsrc/main.rs\n```", &["README.md"]),
    (
        "made up",
        "```console\n$ cargo test\ntest result: ok. 12 passed\n```",
        &["test result: ok. 12 passed"],
    ),
    (
        "made up",
        "`src/main.rs` contains:\n```rust\nfn main() {\n    start(9090);\n```",
        &["start(9090);"],
    ),
    ("made up", "The log says:\n```\nINFO ready\n```", &["INFO ready"]),
    ("quoted", "The output is:\n\n> total 12\n> Cargo.toml\n>\n> src/main.rs\n\nThat is all.", &[]),
    ("made up", "The log says:\n> INFO ready\n> INFO listening", &["INFO ready", "INFO listening"]),
    ("made up", "It prints:\n\n> total 12\n> README.md", &["README.md"]),
    // What is emphasised so, or was never said to be read from anywhere.
    ("emphasised", "One thing:\n\n> Run the tests first.\n\nThen go on.", &[]),
];

const DATA: &[Row] = &[
    ("quoted", "The tool returned:\n```json\n{\n  \"tip\": 9.12,\n  \"total\": 54.72\n}\n```", &[]),
    (
        "made up",
        "The tool returned:\n```json\n{\n  \"tip\": 9.99,\n  \"total\": 54.72\n}\n```",
        &["\"tip\": 9.99,"],
    ),
    ("numbering", "1. $9.12\n2. $54.72\n3. Nothing else", &[]),
    ("worked out", "Without the tip that is $45.60.", &[]),
];

fn talks() -> Vec<(Conversation, &'static [Row])> {
    let failed = Outcome::failed("DH-905: Service Unavailable (503), wait 45 seconds; no 4711");
    let service = json!({
        "image": "shop/checkout:2.14.3", "pool": "10.0.14.7:5432", "log": "p99 latency 4.82s",
        "pods": [{"name": "checkout-7d9f8b6c5-x2x7k", "restarts": 14}],
        "page": "/old: not found",
    });
    let links = json!({
        "video_id": "VFIOSWy93H0", "guide": "https://docs.example.com/guide",
        "repository": "acme/toolbox", "issue": 1482,
    });
    let meetings = json!({
        "date": "2025-06-18", "start": "13:00", "end": "14:30",
        "trip": {"from": "2025-07-01", "to": "2025-07-19"},
    });
    let link = "Is https://example.net/a/b?c=17 still there? And the video, the guide?";
    let listing = "total 12\nCargo.toml\nsrc/main.rs\n\nfn main() {\n    start(8080);\n}\n";
    vec![
        (asked("How many videos did I watch?"), VIDEOS),
        (asked("What is 17 times 23?"), SUMS),
        (called("NIFTY?", "get_market_quote", r#"{"symbol":"4711"}"#, failed), FAILED),
        (returned("Why is it slow?", &[service]), SERVICE),
        (returned(link, &[links]), LINKS),
        (returned("When is it?", &[meetings]), MEETINGS),
        (ran("ls -R; cat src/main.rs", listing), FOLDER),
        (returned("A tip?", &[json!({"tip": 9.12, "total": 54.72})]), DATA),
    ]
}

#[test]
fn what_is_made_up_is_caught_and_nothing_else() {
    let tools = tools();
    let (mut good, mut bad) = (0, 0);
    let (mut alarms, mut missed) = (Vec::new(), Vec::new());
    for (talk, rows) in talks() {
        for (class, answer, expected) in rows {
            let findings = review(answer, &talk, ReviewTools::Required(&tools)).findings;
            let texts: Vec<&str> = findings.iter().map(|it| it.text.as_str()).collect();
            *if expected.is_empty() { &mut good } else { &mut bad } += 1;
            if texts != *expected {
                let wrong = if expected.is_empty() { &mut alarms } else { &mut missed };
                wrong.push(format!("{class}: {answer:?}: {texts:?}"));
            }
        }
    }
    println!(
        "{good} good answers, {} false alarms; {bad} bad, {} wrong",
        alarms.len(),
        missed.len()
    );
    assert_eq!((alarms, missed), (Vec::<String>::new(), Vec::<String>::new()));
    assert!(good >= 40 && bad >= 25, "{good} good, {bad} bad");
}

/// Numbers that only count the lines of a list, in each of the ways lists are counted.
#[test]
fn the_numbers_of_a_list_say_nothing() {
    let tools = tools();
    let talk = returned("How?", &[json!({"a": "x"})]);
    for (before, after) in
        [("", "."), ("", ")"), ("Step ", ":"), ("(", ")"), ("#", ""), ("**", ".**")]
    {
        let list: Vec<String> = (1..=15).map(|n| format!("{before}{n}{after} x")).collect();
        let findings = review(&list.join("\n"), &talk, ReviewTools::Required(&tools)).findings;
        assert_eq!(findings, [], "{before}1{after}");
    }
    // One that does not go on from the one before is a number like any other.
    let findings = review("#482 is open.", &talk, ReviewTools::Required(&tools)).findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
}

/// What was looked at is counted, and nothing is said to have passed that was not.
#[test]
fn what_was_looked_at_is_counted() {
    let tools = tools();
    let count = |answer: &str, talk: &Conversation| {
        review(answer, talk, ReviewTools::Required(&tools)).checked
    };
    let talk = returned("Weather?", &[json!({"city": "Oslo", "temp": 14.5, "wind": 22})]);
    assert_eq!(count("In Oslo it is 14.5 degrees, wind 22.", &talk), 3);
    assert_eq!(count("It is 14.5 degrees, really 14.5.", &talk), 1, "the same twice");
    assert_eq!(count("It is mild.", &talk), 0);
    assert_eq!(count("It is 99.5 degrees.", &talk), 0);
    assert_eq!(count("Hello!", &asked("Hello")), 0);
    let output = "The output is:\n```\ntotal 12\nCargo.toml\n```";
    assert_eq!(count(output, &ran("ls", "total 12\nCargo.toml\n")), 2);
}

/// Where nothing has to come from the tools, an answer is held against what they could have told: not
/// against what they know nothing about.
#[test]
fn what_no_tool_could_have_told_is_left_alone() {
    let tools = tools();
    let found = |question: &str, answer: &str| {
        let texts =
            review(answer, &asked(question), ReviewTools::Related(&tools)).findings.into_iter();
        texts.map(|it| it.text).collect::<Vec<_>>()
    };
    assert_eq!(found("Who wrote Faust?", "Goethe did, in 1808."), Vec::<String>::new());
    assert_eq!(found("How many videos?", "It is 9,999."), ["9,999"]);
    assert_eq!(found("How much is there?", "There are 777 channels."), ["777"]);
    let none = Tools(Vec::new());
    let looked = review("There are 777.", &asked("How many?"), ReviewTools::Required(&none));
    assert_eq!(looked.findings, []);
    let refused = Outcome::new(Status::Refused, "there is no instrument 4711");
    let talk = called("NIFTY?", "get_market_quote", "{}", refused);
    let found = review("It is at 4711.", &talk, ReviewTools::Related(&tools)).findings;
    assert_eq!(found.len(), 1, "a tool was called, so it could have told: {found:?}");
}
