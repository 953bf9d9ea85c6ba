//! The examples run, and say what their comments say they do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::{path::PathBuf, process::Command};

mod tools_as_functions;

fn run(example: &str) -> String {
    // Cargo builds examples beside the tests: target/<profile>/examples.
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path: PathBuf = path.join("examples").join(example);
    let mut command = Command::new(&path);
    for variable in ["OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_KEY", "TOOLWRIGHT_MODEL"] {
        command.env_remove(variable);
    }
    let output = command.output().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
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
