//! The examples run, and say what their comments say they do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
};

mod tools_as_functions;

/// Its tests are what it shows: they run here, too.
#[allow(dead_code)]
#[path = "../../examples/testing_an_agent.rs"]
mod testing_an_agent_tests;

fn command(example: &str) -> Command {
    // Cargo builds examples beside the tests: target/<profile>/examples.
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let mut command = Command::new(path.join("examples").join(example));
    for variable in ["OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_KEY", "TOOLWRIGHT_MODEL"] {
        command.env_remove(variable);
    }
    command
}

fn run(example: &str) -> String {
    let output = command(example).output().unwrap_or_else(|error| panic!("{example}: {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn weather_and_tip() {
    assert_eq!(
        run("weather_and_tip"),
        "Response: It is 72°F and sunny in San Francisco. A 20% tip is $9.12: $54.72 in all.\n\
         \x20 get_weather {\"location\":\"San Francisco, CA\"} success\n\
         \x20 calculate_tip {\"amount\":45.6,\"percentage\":20} success\n\
         Tools executed: 2\n"
    );
}

#[test]
fn agents_as_tools() {
    assert_eq!(
        run("agents_as_tools"),
        "● research\n\
         \x20   ● count_bridges\n\
         \x20     count_bridges success: 2,500 bridges\n\
         \x20 research success: Hamburg has 2,500 bridges.\n\
         Yes: 2,500.\n"
    );
}

#[test]
fn typed_answers() {
    assert_eq!(
        run("typed_answers"),
        "so far: 0 °C in \n\
         so far: 0 °C in Hamburg\n\
         so far: 0 °C in \n\
         so far: 0 °C in Hamburg\n\
         so far: 21 °C in Hamburg\n\
         so far: 21 °C in Hamburg\n\
         Weather { city: \"Hamburg\", celsius: 21.0, clothes: [\"a pullover\"] }, after 1 call\n"
    );
}

#[test]
fn conversation_queries() {
    assert_eq!(
        run("conversation_queries"),
        "NIFTY opened at 25930.05 on 2025-12-15.\n\
         called: [\"find_instrument\"]\n\
         security id: 13\n\
         open: 25930.05\n\
         refused: The value `99` for `security_id` was not returned by any earlier result and was \
         not given by the user. Values that exist: security_id 13 (from find_instrument).\n\
         success: [{\"date\":\"2025-12-15\",\"high\":26047.15,\"open\":25930.05,\"security_id\":\"13\"}]\n\
         the result of `find_instrument` has nothing at `/isin`; at its root it has: \
         exchange_segment, security_id, trading_symbol\n"
    );
}

#[test]
fn toolset() {
    assert_eq!(run("toolset"), "The list now has bread and butter.\n[\"bread\", \"butter\"]\n");
}

#[test]
fn streaming() {
    assert_eq!(
        run("streaming"),
        "[round 1/5]\n[search_database runs]\n[… looking in the first of two tables]\n\
         [… looking in the second]\n[search_database: success]\n[round 2/5]\n\
         There is one result, and it matches the query.\n[Tools executed: 1]\n"
    );
}

#[test]
fn own_guard() {
    assert_eq!(
        run("own_guard"),
        "refused by at_most: 5000.00 is more than may be transferred at once. Transfer 100.00 at \
         most, or ask the user.\nsuccess: 100.00 transferred to DE-77\n\
         I could only transfer 100.00.\n"
    );
}

#[test]
fn approver() {
    assert_eq!(
        run("approver"),
        "delete {\"path\":\"src/main.rs\"}? no\n\
         delete {\"path\":\"build/main.o\"}: success\n\
         delete {\"path\":\"src/main.rs\"}: denied\n\
         I deleted build/main.o. You wanted to keep src/main.rs.\n"
    );
}

/// Only with its feature is the example there: `cargo test --workspace` has it, as the benches do.
#[cfg(feature = "store")]
#[test]
fn kept_conversations() {
    assert_eq!(
        run("kept_conversations"),
        "order: success\nresumed: The bread is ordered.\norders made: 1\n"
    );
}

#[test]
fn cancelling() {
    assert_eq!(run("cancelling"), "wait_long: cancelled\nthe run was cancelled\n");
}

#[test]
fn text_only_model() {
    assert_eq!(
        run("text_only_model"),
        "Let me look.\n\
         [get_weather {\"location\":\"Oslo\"} (Extracted)]\n\
         [Weather in Oslo: 72°F, sunny]\n\
         It is 72°F and sunny in Oslo.\n\
         tools in the request: 0\n\
         tools in the prompt: true\n"
    );
}

#[test]
fn policies() {
    assert_eq!(
        run("policies"),
        "hangs: timeout total\n\
         hangs: retry again\n\
         hangs: success\n\
         cached: cache hit\n\
         cached: success\n\
         third: success\n\
         too_often: refused by limit\n\
         fails: error\n\
         fails_again: breaker opened\n\
         fails_again: error\n\
         not offered: get_news\n\
         left_alone: breaker refused\n\
         left_alone: refused\n\
         ACME is at 101.50. There are no news today.\n\
         get_price ran 3 times\n"
    );
}

#[test]
fn own_model() {
    assert_eq!(
        run("own_model"),
        "Roll a d20 [\"success\"] You rolled 10.\n\
         Roll a d1000 [\"error\"] You rolled Error executing roll: invalid arguments, the tool was not run.\n\
         Hello [] Say which die, for example: Roll a d20\n"
    );
}

#[test]
fn testing_an_agent() {
    assert_eq!(
        run("testing_an_agent"),
        "Good morning.\nRun its tests: cargo test --example testing_an_agent\n"
    );
}

#[test]
fn axum_stream() {
    let mut server = Server::start("axum_stream");
    let answer = server.post("/ask", "How is the weather in Oslo?");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    let named = answer.lines().filter_map(|line| line.strip_prefix("event: "));
    let kept = named.filter(|name| !matches!(*name, "content" | "call_delta"));
    assert_eq!(
        kept.collect::<Vec<_>>(),
        [
            "run_started",
            "message",
            "round_started",
            "reply",
            "tool_calls",
            "call_checked",
            "call_started",
            "call_finished",
            "round_started",
            "reply",
            "done"
        ]
    );
    assert!(answer.contains("\"response\":\"Weather in Oslo: 72°F, sunny\""), "{answer}");
}

/// An example that serves until it is ended.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(example: &str) -> Self {
        let mut process =
            command(example).arg("127.0.0.1:0").stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").expect("an address").to_owned();
        Self { process, address }
    }

    /// What it answers, to the end of the connection.
    fn post(&mut self, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn every_example_is_run_here() {
    let this = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_run = [format!("run(\"{name}\")"), format!("Server::start(\"{name}\")")];
        assert!(is_run.iter().any(|it| this.contains(it)), "no test runs examples/{name}");
    }
}
