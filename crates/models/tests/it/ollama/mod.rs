//! Ollama's own API, over real sockets.

mod errors;
mod replies;
mod requests;

use std::time::Duration;

use serde_json::{Value, json};
use toolwright_models::{EndpointConfig, RetryPolicy, Vendor};

use crate::served::{Answer, Served};

/// What the model of these tests is known by.
const OWN: &str = "ollama@127.0.0.1:m";

/// An endpoint that is asked so many times more.
fn asking(server: &Served, retries: u32) -> EndpointConfig {
    let vendor = Vendor::named("ollama").expect("a row of the table");
    let mut config = EndpointConfig::of(vendor, "m");
    config.base_url.clone_from(&server.origin);
    let first_wait = Duration::from_millis(1);
    config.retry = RetryPolicy { retries, first_wait, ..RetryPolicy::default() };
    config.idle = Duration::from_secs(20);
    config.first_byte = Duration::from_secs(20);
    config
}

/// A line, its fields in the order in which Ollama writes them.
fn line(message: &Value, rest: &str) -> String {
    format!(
        "{{\"model\":\"m\",\"created_at\":\"2026-11-15T20:22:19.{}Z\",\"message\":{message},{rest}}}\n",
        message.to_string().len()
    )
}

fn piece(message: Value) -> String {
    line(&message, "\"done\":false")
}

/// A line with this text.
fn said(text: &str) -> String {
    let text = json!(text);
    line_of(&format!("{{\"role\":\"assistant\",\"content\":{text}}}"))
}

/// A line with this thought.
fn thought(text: &str) -> String {
    let text = json!(text);
    line_of(&format!("{{\"role\":\"assistant\",\"content\":\"\",\"thinking\":{text}}}"))
}

fn line_of(message: &str) -> String {
    format!(
        "{{\"model\":\"m\",\"created_at\":\"2026-11-15T20:22:19.{}Z\",\"message\":{message},\"done\":false}}\n",
        message.len()
    )
}

/// The last line.
fn done(reason: &str) -> String {
    line(
        &json!({"role": "assistant", "content": ""}),
        &format!(
            "\"done_reason\":\"{reason}\",\"done\":true,\"total_duration\":9,\"load_duration\":1,\
             \"prompt_eval_count\":26,\"prompt_eval_duration\":2,\"eval_count\":8,\"eval_duration\":6"
        ),
    )
}

/// The whole, in one piece.
fn lines(lines: &str) -> Answer {
    Answer::lines(vec![lines.as_bytes().to_vec()])
}

/// A server that always says "Hi".
fn answering() -> Served {
    Served::new(|asked| match asked.body()["stream"] {
        Value::Bool(false) => Answer::json(
            200,
            &json!({"message": {"role": "assistant", "content": "Hi"}, "done": true}),
        ),
        _ => lines(&(said("Hi") + &done("stop"))),
    })
}
