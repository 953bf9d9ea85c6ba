//! `toolwright worker`, and `serve --engine restate`: what is wrong with them is told before anything is asked.

use serde_json::Value;

use crate::harness::Cli;

/// A port where nobody listens.
fn nobody() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[tokio::test]
async fn an_engine_needs_a_log_that_several_can_share() {
    for args in [&["worker"][..], &["serve", "--addr", "127.0.0.1:0", "--engine", "restate"]] {
        let ended = Cli::new().run(args).await;
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("engine restate needs PostgreSQL"), "{}", ended.err);
        assert!(ended.err.contains("set DATABASE_URL"), "{}", ended.err);
    }
}

#[tokio::test]
async fn a_word_that_is_no_engine_and_an_address_that_is_none_are_told() {
    let wrong = |name: &str, value: &str| Cli::new().env(name, value);
    let cases = [
        ("TOOLWRIGHT_ENGINE", "temporal", "use local or restate"),
        ("TOOLWRIGHT_ENGINE_INGRESS", "127.0.0.1:8080", "use an address with http://"),
        ("TOOLWRIGHT_ENGINE_ADMIN", "http://me:secret@host", "without a password"),
        ("TOOLWRIGHT_WORKER_ADDR", "9080", "such as 127.0.0.1:9080"),
    ];
    for (name, value, told) in cases {
        let ended = wrong(name, value).run(&["tasks"]).await;
        assert_eq!(ended.code, Some(2), "{name}: {ended:?}");
        assert!(ended.err.contains(told), "{name}: {}", ended.err);
    }
}

#[tokio::test]
async fn restate_that_is_not_there_is_told_with_what_to_start() {
    let cli = Cli::new().env("TOOLWRIGHT_ENGINE_ADMIN", &nobody());
    let ended = cli.run(&["worker", "--register-only", "http://127.0.0.1:9080"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("Restate does not answer at"), "{}", ended.err);
    assert!(ended.err.contains("start restate-server"), "{}", ended.err);
    let cli = Cli::new().env("TOOLWRIGHT_ENGINE_ADMIN", "none");
    let ended = cli.run(&["worker", "--register-only", "http://127.0.0.1:9080"]).await;
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("TOOLWRIGHT_ENGINE_ADMIN"), "{}", ended.err);

    let cli = Cli::new().env("TOOLWRIGHT_ENGINE", "restate");
    let cli = cli.env("TOOLWRIGHT_ENGINE_INGRESS", &nobody());
    let ended = cli.run(&["doctor", "--json"]).await;
    assert_eq!(ended.code, Some(1));
    let report: Value = serde_json::from_str(&ended.out).unwrap();
    let says = |name: &str| {
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|it| it["name"] == name).unwrap();
        assert_eq!(check["state"], "error", "{check}");
        check["message"].as_str().unwrap().to_owned()
    };
    assert!(says("engine").starts_with("Restate does not answer at "));
    assert!(says("shared log").starts_with("engine restate needs PostgreSQL"));
}
