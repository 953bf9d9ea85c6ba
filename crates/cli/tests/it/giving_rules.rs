//! Rules are given and taken back by servers and on the command line, in any order: a call runs without a question if and
//! only if the rule is there at that moment.
#![cfg(target_os = "linux")]

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    authority::Database,
    harness::Cli,
    serve_several::{KEY, Served, curl, post},
};

const TURNS: usize = 10;

/// Everybody who can give or take back.
struct Team {
    servers: Vec<Served>,
    /// Who types commands.
    cli: Cli,
}

/// A model that wants to delete the notes each time.
async fn deleting() -> ModelServer {
    let turn = |script: Script, at: usize| {
        let call = Reply::calls([(format!("c{at}"), "delete_notes".to_owned(), "{}".to_owned())]);
        script.reply(call).reply(Reply::text("Well."))
    };
    ModelServer::start((0..TURNS).fold(Script::new(), turn)).await
}

async fn get(served: &Served, path: &str) -> Value {
    serde_json::from_str(&curl(&[&served.url(path)]).await).unwrap()
}

/// The call that waits for a decision; nothing where what was asked is answered.
async fn waiting(served: &Served, asked: &JoinHandle<String>) -> Option<(String, Value)> {
    loop {
        if asked.is_finished() {
            return None;
        }
        let list = get(served, "/api/conversations").await;
        let waits = list["conversations"].as_array().unwrap().iter().find(|it| it["waiting"] == 1);
        if let Some(id) = waits.and_then(|it| it["id"].as_str()) {
            let path = format!("/api/conversations/{id}/decisions");
            let decisions = get(served, &path).await;
            if decisions["decisions"][0].is_object() {
                return Some((path, decisions["decisions"][0].clone()));
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

impl Team {
    /// Whether a call is asked about; then it is decided so.
    async fn call(&self, dice: &mut fastrand::Rng, verdict: &str) -> bool {
        let asker = dice.choice(&self.servers).unwrap();
        let (url, body) = (asker.url("/api/chat/stream"), json!({"message": "Delete them"}));
        let asked = tokio::spawn(async move { post(&url, &body).await });
        let waits = waiting(asker, &asked).await;
        if let Some((path, shown)) = &waits {
            let decider = dice.choice(&self.servers).unwrap();
            let decision = json!({
                "call_id": shown["call_id"], "fingerprint": shown["fingerprint"], "verdict": verdict,
            });
            let taken = post(&decider.url(path), &decision).await;
            assert!(taken.contains("rules"), "{taken}");
        }
        assert!(asked.await.unwrap().contains("Well."));
        waits.is_some()
    }

    /// Takes the rule back, somewhere.
    async fn take_back(&self, dice: &mut fastrand::Rng) {
        let listed = get(dice.choice(&self.servers).unwrap(), "/api/approvals").await;
        let number = listed["rules"][0]["number"].to_string();
        match dice.usize(..=self.servers.len()) {
            0 => {
                let removed = self.cli.run(&["approvals", "remove", &number]).await;
                assert_eq!(removed.code, Some(0), "{removed:?}");
                let again = self.cli.run(&["approvals", "remove", &number]).await;
                assert_eq!(again.code, Some(2), "{again:?}");
            }
            at => {
                let url = self.servers[at - 1].url(&format!("/api/approvals/{number}"));
                let code = ["-X", "DELETE", "-o", "/dev/null", "-w", "%{http_code}", url.as_str()];
                assert_eq!(curl(&code).await, "204");
                assert_eq!(curl(&code).await, "404", "nobody takes another back");
            }
        }
    }

    async fn play(&self, seed: u64) {
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut holds = false;
        for turn in 0..TURNS {
            let verdict = if dice.bool() { "always" } else { "deny" };
            let is_asked = self.call(&mut dice, verdict).await;
            assert_eq!(is_asked, !holds, "seed {seed}, turn {turn}");
            holds |= is_asked && verdict == "always";
            if holds && dice.bool() {
                self.take_back(&mut dice).await;
                holds = false;
            }
            for server in &self.servers {
                let rules = get(server, "/api/approvals").await["rules"].as_array().unwrap().len();
                assert_eq!(rules, usize::from(holds), "seed {seed}, turn {turn}");
            }
        }
    }
}

#[tokio::test]
async fn a_rule_holds_on_all_servers_until_it_is_taken_back_anywhere() {
    for seed in [1, 2] {
        let (model, Database(database)) = (deleting().await, Database::new().await);
        let cli = || {
            let cli = Cli::asking(&model).env("DATABASE_URL", &database);
            cli.env("TOOLWRIGHT_LOG_KEY", KEY)
        };
        let servers = vec![Served::start(cli(), &[]).await, Served::start(cli(), &[]).await];
        Team { servers, cli: cli() }.play(seed).await;
    }
}

#[tokio::test]
async fn a_rule_holds_until_it_is_taken_back_beside_the_server() {
    for seed in [1, 3] {
        let model = deleting().await;
        let server = Cli::asking(&model);
        let data = server.folder.path().join("data");
        let cli = Cli::asking(&model).env("TOOLWRIGHT_DATA", data.to_str().unwrap());
        let servers = vec![Served::start(server, &[]).await];
        Team { servers, cli }.play(seed).await;
    }
}

/// What was given before rules lay in the store.
#[tokio::test]
async fn the_rules_of_a_file_are_taken_over_once() {
    let cli = Cli::new();
    let data = cli.folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let file =
        r#"[{"verdict": "allow", "tool": "delete_notes"}, {"verdict": "allow", "tool": "x"}]"#;
    std::fs::write(data.join("approvals.json"), file).unwrap();
    let listed = cli.run(&["approvals"]).await;
    assert_eq!(listed.out, "  1  allow delete_notes\n  2  allow x\n", "{listed:?}");
    assert_eq!(cli.run(&["approvals", "remove", "1"]).await.code, Some(0));
    let listed = cli.run(&["approvals"]).await;
    assert_eq!(listed.out, "  2  allow x\n", "what was taken back stays so: {listed:?}");
    assert!(
        !data.join("approvals.json").exists() && data.join("approvals.json.taken-over").exists()
    );
}

/// Whoever has another key than a rule was given with cannot read it: it decides nothing, and is not listed as if it did.
#[tokio::test]
async fn a_rule_of_another_key_is_told_as_such_and_can_be_taken_back() {
    let cli = Cli::new();
    let data = cli.folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("approvals.json"), r#"[{"verdict": "allow", "tool": "x"}]"#).unwrap();
    assert_eq!(cli.run(&["approvals"]).await.out, "  1  allow x\n");
    std::fs::remove_file(data.join("log.key")).unwrap();
    let listed = cli.run(&["approvals"]).await.out;
    assert!(listed.contains("decides nothing") && listed.contains("another log key"), "{listed}");
    let listed = cli.run(&["--json", "approvals"]).await.out;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed, serde_json::json!([{"number": 1}]));
    // What is changed is told, also here.
    let removed = cli.run(&["--log", "audit=info", "approvals", "remove", "1"]).await;
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert!(removed.err.contains("rule_remove"), "{removed:?}");
    let cleared = cli.run(&["--log", "audit=info", "approvals", "clear"]).await;
    assert!(cleared.err.contains("rule_clear"), "{cleared:?}");
}

#[tokio::test]
async fn rules_of_a_file_that_cannot_be_read_are_told_with_what_to_do() {
    let cli = Cli::new();
    let data = cli.folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("approvals.json"), "[{]").unwrap();
    let ended = cli.run(&["approvals"]).await;
    assert_eq!(ended.code, Some(1), "{ended:?}");
    for words in ["approvals.json", "cannot be taken over", "move it away"] {
        assert!(ended.err.contains(words), "{ended:?}");
    }
}
