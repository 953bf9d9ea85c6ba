//! What looking for secrets costs per text, where nothing is there: the usual case.
//!
//! `cargo run --release -p toolwright-redact --example redaction_speed`

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use toolwright_redact::{Flow, Secrets};

const ONE: [&str; 1] = ["sk-canary-0123456789abcdefXYZ-and-more-of-it"];
const FIVE: [&str; 5] = [
    "sk-canary-0123456789abcdefXYZ-and-more-of-it",
    "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7",
    "correct horse battery staple",
    "postgres://app:hunter2-hunter2@db.internal/app",
    "xoxb-1234567890",
];
/// As long as it takes for a figure that stays the same; the best of several, as others use the machine.
const ROUNDS: usize = 15;
const TIMES: u32 = 20_000;

fn main() {
    let texts = texts();
    println!("{:<22}{:>7}{:>14}{:>14}", "nanoseconds", "bytes", "one secret", "five secrets");
    for (name, text) in &texts {
        let cost =
            |secrets: &Secrets| best(TIMES, || drop(black_box(secrets.clean(black_box(text)))));
        let costs = [cost(&Secrets::new(ONE)), cost(&Secrets::new(FIVE))];
        row(name, text.len(), costs);
    }
    for (name, text) in &texts {
        let costs = [Secrets::new(ONE), Secrets::new(FIVE)].map(Arc::new);
        row(
            &format!("flow, {name}"),
            text.len(),
            costs.map(|it| best(TIMES / 20, || flow(&it, text))),
        );
    }
    let first =
        |texts: &[&str]| {
            best(TIMES / 20, || {
                let secrets = Secrets::new(texts.iter().copied());
                drop(black_box(secrets.clean(black_box(
                    r#"{"city":"Paris","unit":"celsius","days":"three, please"}"#,
                ))));
            })
        };
    row("made, and one text", 56, [first(&ONE), first(&FIVE)]);
}

/// A text as a model sends it, some letters at a time.
fn flow(secrets: &Arc<Secrets>, text: &str) {
    let mut flow = Flow::new(secrets.clone());
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(6) {
        black_box(flow.push(&piece.iter().collect::<String>()));
    }
    black_box(flow.finish());
}

fn texts() -> Vec<(&'static str, String)> {
    let day = |n: usize| {
        format!(r#"{{"day":"2026-03-{n:02}","low":{n}.5,"high":1{n}.25,"sky":"cloudy"}}"#)
    };
    let days = (1..9).map(day).collect::<Vec<_>>();
    let json = format!(r#"{{"city":"Paris","days":[{}]}}"#, days.join(","));
    let spaced = json.replace(':', ": ").replace(',', ", ");
    let words =
        "The weather in Paris stays mild: clouds in the morning, sun from noon on.\n".repeat(7);
    let quoted = format!("{{\"text\":\"{}\"}}", json.replace('"', "\\\""));
    vec![
        ("a word", "celsius".to_owned()),
        ("arguments", r#"{"city":"Paris","unit":"celsius"}"#.to_owned()),
        ("result", json),
        ("result with spaces", spaced),
        ("words", words),
        ("JSON in JSON", quoted),
        ("address", format!("https://example.com/?q={}", "caf%C3%A9%20au%20lait+".repeat(20))),
    ]
}

fn row(name: &str, bytes: usize, [one, five]: [Duration; 2]) {
    println!("{name:<30}{bytes:>5}{:>14}{:>14}", one.as_nanos(), five.as_nanos());
}

/// The time of one call.
fn best(times: u32, mut call: impl FnMut()) -> Duration {
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..times).for_each(|_| call());
        start.elapsed() / times
    };
    (0..ROUNDS).map(|_| round(&mut call)).min().unwrap_or_default()
}
