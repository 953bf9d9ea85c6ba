//! `toolwright doctor`.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Script};

use crate::harness::{Cli, Ended, KEY};

fn report(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap()
}

fn setting(report: &Value, name: &str) -> (String, String) {
    let row =
        report["settings"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
    (row["value"].as_str().unwrap().to_owned(), row["from"].as_str().unwrap().to_owned())
}

fn check(report: &Value, name: &str) -> Value {
    report["checks"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone()
}

#[tokio::test]
async fn flags_beat_the_environment_beats_the_file() {
    let cli = Cli::new().env("TOOLWRIGHT_MODEL", "from-env").env("TOOLWRIGHT_LOG", "error");
    let file = "log = \"info\"\n[model]\nname = \"from-file\"\nbase_url = \"http://127.0.0.1:1/v1\"\n[limits]\nrounds = 7\ncalls = 9\ntool_timeout = \"5s\"\n";
    let cli = cli.configured(file);

    let report = report(&cli.run(&["doctor", "--json", "--max-rounds", "3"]).await);
    let from_file = format!("file {}", cli.settings().display());
    assert_eq!(setting(&report, "rounds"), ("3".into(), "flag --max-rounds".into()));
    assert_eq!(
        setting(&report, "model"),
        ("from-env".into(), "environment TOOLWRIGHT_MODEL".into())
    );
    assert_eq!(setting(&report, "log"), ("error".into(), "environment TOOLWRIGHT_LOG".into()));
    assert_eq!(setting(&report, "base URL"), ("http://127.0.0.1:1/v1".into(), from_file.clone()));
    assert_eq!(setting(&report, "calls"), ("9".into(), from_file.clone()));
    assert_eq!(setting(&report, "tool timeout"), ("5s".into(), from_file));
    assert_eq!(setting(&report, "task"), ("general".into(), "default".into()));
}

#[tokio::test]
async fn an_endpoint_that_answers_is_good_and_one_that_does_not_is_an_error() {
    let server = ModelServer::start(Script::new().key(KEY)).await;
    let ended = Cli::asking(&server).run(&["doctor", "--json"]).await;
    assert_eq!(ended.code, Some(0));
    assert_eq!(check(&report(&ended), "model")["state"], "ok");

    let other =
        Cli::asking(&server).env("TOOLWRIGHT_MODEL", "missing").run(&["doctor", "--json"]).await;
    assert_eq!(check(&report(&other), "model")["state"], "warning");

    let refused =
        Cli::asking(&server).env("OPENAI_API_KEY", "wrong").run(&["doctor", "--json"]).await;
    assert_eq!(refused.code, Some(1));
    let model = check(&report(&refused), "model");
    assert_eq!(model["state"], "error");
    assert!(model["advice"].as_str().unwrap().contains("OPENAI_API_KEY"), "{model}");

    // What is missing from the address is said, by whoever asks there.
    let base = server.base_url();
    let bare = base.strip_suffix("/v1").unwrap();
    for address in [bare.to_owned(), format!("{bare}/")] {
        let cli = Cli::at(&address).env("OPENAI_API_KEY", KEY);
        let ended = cli.run(&["doctor", "--json"]).await;
        let model = check(&report(&ended), "model");
        assert_eq!((ended.code, model["state"].as_str()), (Some(1), Some("error")), "{model}");
        let wanted = format!("set OPENAI_API_BASE to {base}");
        assert!(model["advice"].as_str().unwrap().contains(&wanted), "{model}");
        let ended = cli.run(&["ask", "hello"]).await;
        assert!(ended.err.contains(&wanted), "{}", ended.err);
    }

    let gone = Cli::at("http://127.0.0.1:1/v1").run(&["doctor"]).await;
    assert_eq!(gone.code, Some(1));
    assert!(gone.out.contains("✗ model: cannot connect"), "{}", gone.out);
}

#[tokio::test]
async fn without_a_model_it_tells_how_to_connect_one() {
    let ended = Cli::new().run(&["doctor"]).await;
    assert_eq!(ended.code, Some(0));
    assert!(ended.out.contains("export OPENAI_API_BASE="), "{}", ended.out);
    assert_eq!(
        check(&report(&Cli::new().run(&["doctor", "--json"]).await), "tools")["state"],
        json!("ok")
    );
}

#[tokio::test]
async fn a_password_in_an_address_is_not_shown() {
    for address in ["http://me:hunter2@127.0.0.1:1/v1", "ftp://me:hunter2@host"] {
        for args in [vec!["doctor"], vec!["doctor", "--json"], vec!["ask", "hi"]] {
            let ended = Cli::at(address).run(&args).await;
            let said = ended.out + &ended.err;
            assert!(!said.contains("hunter2"), "{args:?}: {said}");
        }
    }
}

#[tokio::test]
async fn a_file_that_is_wrong_is_told_with_its_line() {
    let cli = Cli::new().configured("[limits]\nround = 7\n");
    let ended = cli.run(&["doctor"]).await;
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.contains("toolwright.toml is not valid") && ended.err.contains("round"),
        "{}",
        ended.err
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_key_that_others_can_read_is_warned_about() {
    use std::os::unix::fs::PermissionsExt;
    let cli = Cli::new().env("TOOLWRIGHT_MODEL", "").configured("");
    let path = cli.settings();
    let file = format!(
        "[model]\nname = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\napi_key = \"{KEY}\"\n"
    );
    std::fs::write(&path, file).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let ended = cli.run(&["doctor"]).await;
    assert!(ended.out.contains("holds a key and others can read it"), "{}", ended.out);
}
