//! The model that answers where nothing else is configured: the real one, in the real binary.

use std::path::Path;

use crate::harness::{Cli, Ended};

/// Nothing is configured; what was fetched once is found again.
async fn offline() -> Cli {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = |name: &str| kept.join(name).to_string_lossy().into_owned();
    let cli = Cli::new()
        .env("TOOLWRIGHT_MODEL", "")
        .env("TOOLWRIGHT_OFFLINE_MODEL", &folder("offline"))
        .env("TOOLWRIGHT_EMBED_MODEL", &folder("embed-model"))
        .env("PATH", &std::env::var("PATH").unwrap())
        .env("HOME", &std::env::var("HOME").unwrap());
    let pulled = cli.run(&["models", "pull", "offline"]).await;
    assert_eq!(pulled.code, Some(0), "{}", pulled.err);
    assert!(pulled.err.contains("Apache-2.0"), "{}", pulled.err);
    cli
}

fn called(ended: &Ended) -> Vec<(String, String)> {
    let events = ended.events();
    let done = events.last().unwrap();
    assert_eq!(done["type"], "done", "{done}");
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let calls = done["tool_calls"].as_array().unwrap().iter();
    calls.map(|call| (word(&call["tool"]), word(&call["status"]))).collect()
}

/// The questions of a newcomer, each with the tools that answer it.
#[tokio::test]
async fn a_newcomer_is_answered() {
    let cli = offline().await;
    let ok = |names: &[&str]| -> Vec<(String, String)> {
        names.iter().map(|name| ((*name).to_owned(), "success".to_owned())).collect()
    };
    for (question, tools, said) in [
        (
            "What's the current price of NIFTY?",
            &["search_instruments", "get_market_quote"][..],
            "Simulated",
        ),
        ("What videos have I watched recently?", &["get_recent_videos"], "watched"),
        (
            "What's the weather in San Francisco and a 20% tip on $45.60?",
            &["get_weather", "calculate_tip"],
            "54.72",
        ),
        ("Thanks!", &[], ""),
    ] {
        let ended = cli.run(&["ask", "--json", question]).await;
        assert_eq!(called(&ended), ok(tools), "{question}");
        let answer = ended.events().last().unwrap()["response"].as_str().unwrap().to_owned();
        assert!(answer.contains(said), "{question}: {answer}");
    }
}

/// At the trading desk a tool is called for what one can tell, and for nothing else.
#[tokio::test]
async fn who_says_thanks_to_the_desk_is_not_shown_positions() {
    let cli = offline().await;
    for (question, tools) in [
        ("thanks", &[][..]),
        ("Thank you!", &[]),
        ("What's the current price of NIFTY?", &["search_instruments", "get_market_quote"]),
        ("Show my positions", &["get_positions"]),
    ] {
        let ended = cli.run(&["ask", "--json", "--task", "trading", question]).await;
        let names: Vec<_> = called(&ended).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, tools, "{question}");
    }
}

/// Who cannot be helped is told what to do.
#[tokio::test]
async fn without_weights_and_without_a_way_to_them() {
    let cli = Cli::new()
        .env("TOOLWRIGHT_MODEL", "")
        .env("PATH", "/nowhere")
        .env("TOOLWRIGHT_PACKAGE_INDEX", "http://127.0.0.1:1/simple");
    let ended = cli.run(&["ask", "hi"]).await;
    assert_eq!(ended.code, Some(3), "{}", ended.err);
    assert!(ended.err.contains("what to do:"), "{}", ended.err);
    assert!(ended.out.is_empty());
    let listed = cli.run(&["models"]).await;
    assert!(listed.out.contains("not fetched yet"), "{}", listed.out);
}

/// Any other file of the kind can be named; one that is none is told as such.
#[tokio::test]
async fn a_file_that_is_no_model_is_told() {
    let cli = Cli::new();
    std::fs::write(cli.folder.path().join("x.gguf"), "nothing of the kind").unwrap();
    let ended = cli.run(&["ask", "--model", "offline:x.gguf", "hi"]).await;
    assert_eq!(ended.code, Some(3), "{}", ended.err);
}

/// What is no file is told at once: nobody waits for the other end of a pipe.
#[tokio::test]
async fn weights_that_are_no_file_are_not_waited_for() {
    let cli = Cli::new();
    let pipe = cli.folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    for name in ["offline:pipe", "offline:/dev/ptmx", "offline:/dev/zero", "offline:/"] {
        let ended = cli.run(&["ask", "--model", name, "hi"]).await;
        assert_eq!(ended.code, Some(3), "{name}: {}", ended.err);
        assert!(ended.err.contains("no regular file"), "{name}: {}", ended.err);
    }
}
