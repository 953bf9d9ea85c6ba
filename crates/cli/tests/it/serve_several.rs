//! Several `toolwright serve` on one database, asked as a browser or a script does.
#![cfg(target_os = "linux")]

use std::{process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{authority::Database, harness::Cli};

pub(crate) const KEY: &str = "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

/// A server, and where it is.
pub(crate) struct Served {
    process: Child,
    address: String,
    _cli: Cli,
    _out: Lines<BufReader<ChildStdout>>,
}

impl Served {
    pub(crate) async fn start(cli: Cli, more: &[&str]) -> Self {
        let args = [&["--json", "serve", "--addr", "127.0.0.1:0"][..], more].concat();
        let mut process = cli.command(&args).spawn().unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap()).lines();
        let Some(line) = out.next_line().await.unwrap() else {
            let mut said = String::new();
            process.stderr.take().unwrap().read_to_string(&mut said).await.unwrap();
            panic!("it does not serve: {said}");
        };
        let told: Value = serde_json::from_str(&line).unwrap();
        let address = told["address"].as_str().unwrap().to_owned();
        Self { process, address, _cli: cli, _out: out }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

pub(crate) async fn curl(arguments: &[&str]) -> String {
    let mut command = Command::new("curl");
    command.args(["-sN", "--max-time", "120"]).args(arguments).stdin(Stdio::null());
    String::from_utf8(command.output().await.unwrap().stdout).unwrap()
}

pub(crate) async fn post(url: &str, body: &Value) -> String {
    let kind = "Content-Type: application/json";
    curl(&["-X", "POST", url, "-H", kind, "-d", &body.to_string()]).await
}

pub(crate) fn events(text: &str) -> Vec<Value> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|it| serde_json::from_str(it).ok()).collect()
}

/// The id of a conversation, once there is one.
async fn conversation(served: &Served, state: &str) -> String {
    loop {
        let list = curl(&[&served.url("/api/conversations")]).await;
        let list: Value = serde_json::from_str(&list).unwrap_or_default();
        let first = &list["conversations"][0];
        if first["state"] == state {
            return first["id"].as_str().unwrap().to_owned();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A browser that followed a link of one at the other is listed and signed out from any machine that has the database.
#[tokio::test]
async fn browsers_of_several_servers_are_listed_and_revoked() {
    let Database(database) = Database::new().await;
    let cli = || Cli::new().env("DATABASE_URL", &database).env("TOOLWRIGHT_LOG_KEY", KEY);
    let (a, b) = (Served::start(cli(), &[]).await, Served::start(cli(), &[]).await);
    let link: Value = serde_json::from_str(&post(&a.url("/api/launch"), &json!({})).await).unwrap();
    let (_, token) = link["url"].as_str().unwrap().split_once("/?token=").unwrap();
    let head = curl(&["-D-", "-A", "A browser", &b.url(&format!("/?token={token}"))]).await;
    let field = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split(';').next().unwrap().trim().to_owned()
    };
    let cookie = format!("Cookie: {}", field("set-cookie:"));
    let key = format!("X-Toolwright-Key: {}", field("location: /#key="));
    let asked = async |served: &Served| {
        let code = ["-o", "/dev/null", "-w", "%{http_code}", "-H", &cookie, "-H", &key];
        curl(&[&code[..], &[&served.url("/api/info")]].concat()).await
    };
    assert_eq!((asked(&a).await, asked(&b).await), ("200".to_owned(), "200".to_owned()));
    let elsewhere = cli();
    let list = elsewhere.run(&["--json", "server", "sessions"]).await;
    let all: Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!((all.as_array().unwrap().len(), &all[0]["agent"]), (1, &"A browser".into()));
    let id = all[0]["id"].as_str().unwrap();
    let revoked = elsewhere.run(&["server", "sessions", "revoke", id]).await;
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    for served in [&a, &b] {
        while asked(served).await != "401" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let none = elsewhere.run(&["server", "sessions"]).await;
    assert!(none.err.contains("No browser is known"), "{none:?}");
}

/// Asked on one, watched and decided about on the other, which goes on when the first is told to stop.
#[tokio::test]
async fn two_servers_are_one() {
    let write = json!({"file_path": "a.txt", "content": "a\n"}).to_string();
    let script = Script::new()
        .reply(Reply::calls([("c1", "write", write.as_str())]))
        .reply(Reply::text("Done."));
    let model = ModelServer::start(script).await;
    let Database(database) = Database::new().await;
    let cli = || {
        let cli = Cli::asking(&model).env("DATABASE_URL", &database);
        let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY);
        std::fs::create_dir(cli.folder.path().join("work")).unwrap();
        cli
    };
    let mut a = Served::start(cli(), &["--workspace", "work"]).await;
    let b = Served::start(cli(), &["--workspace", "work"]).await;
    let (ask, body) = (a.url("/api/chat/stream"), json!({"message": "Write it"}));
    let asked = tokio::spawn(async move { post(&ask, &body).await });
    let id = conversation(&b, "running").await;
    let of = |served: &Served, rest: &str| served.url(&format!("/api/conversations/{id}{rest}"));
    let shown = loop {
        let listed = curl(&[&of(&b, "/decisions")]).await;
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let first = listed["decisions"][0].clone();
        let line: Value = serde_json::from_str(&curl(&[&of(&a, "")]).await).unwrap();
        if first.is_object() && line["waiting"] == 1 {
            break first;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };

    // The first is told to stop: what waits for a person is left to the other, and whoever listened may come back.
    let pid = a.process.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().await.unwrap().success());
    let heard = asked.await.unwrap();
    assert!(heard.contains("\nretry: "), "{heard}");
    assert!(!events(&heard).iter().any(|it| it["type"] == "error"), "{heard}");
    assert_eq!(a.process.wait().await.unwrap().code(), Some(0));
    assert_eq!(conversation(&b, "unfinished").await, id);

    let resume = of(&b, "/resume");
    let resumed = tokio::spawn(async move { post(&resume, &json!({})).await });
    assert_eq!(conversation(&b, "running").await, id);
    // Another folder is another file: it is shown anew, and what was decided about the first is not about it.
    while !resumed.is_finished() {
        let listed: Value = serde_json::from_str(&curl(&[&of(&b, "/decisions")]).await).unwrap();
        if let Some(waits) = listed["decisions"].get(0) {
            assert_eq!(waits["call_id"], shown["call_id"]);
            let decision = json!({
                "call_id": waits["call_id"], "fingerprint": waits["fingerprint"], "verdict": "deny",
            });
            post(&of(&b, "/decisions"), &decision).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let resumed = events(&resumed.await.unwrap());
    assert_eq!(resumed.last().unwrap()["response"], "Done.", "{resumed:?}");
}

/// Health is for everybody, and the rest is not.
#[tokio::test]
async fn a_balancer_needs_no_token() {
    let served = Served::start(Cli::new(), &["--auth", "token"]).await;
    for path in ["/api/health", "/api/health/live"] {
        let told = curl(&["-H", "Host: 10.1.2.3", &served.url(path)]).await;
        assert_eq!(told, r#"{"status":"ok"}"#);
    }
    assert!(curl(&[&served.url("/api/info")]).await.contains("unauthorized"));
}

/// A file has one server, and the second says what to do.
#[tokio::test]
async fn a_second_server_on_a_file_is_refused() {
    let cli = Cli::new();
    let mut second = cli.command(&["serve", "--addr", "127.0.0.1:0"]);
    let first = Served::start(cli, &[]).await;
    let ended = second.output().await.unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("another `toolwright serve`") && said.contains("DATABASE_URL"), "{said}");
    // The command line works beside it.
    let listed = first._cli.run(&["conversations", "list"]).await;
    assert_eq!(listed.code, Some(0), "{listed:?}");
}

/// Whoever has another key than those who share a log could not be heard by them: they do not come in. What only reads
/// does, and is told; and where the key is lost there is a way out.
#[tokio::test]
async fn whoever_has_another_key_than_a_shared_log_does_not_work_in_it() {
    let script = Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."));
    let model = ModelServer::start(script).await;
    let Database(database) = Database::new().await;
    let with = |key: &str| {
        Cli::asking(&model).env("DATABASE_URL", &database).env("TOOLWRIGHT_LOG_KEY", key)
    };
    let (first, other) = (with(KEY), with(&KEY.replace('2', "3")));
    // Looking decides nothing.
    let looked = other.run(&["conversations", "list"]).await;
    assert_eq!(
        (looked.code, looked.err.contains("another log key")),
        (Some(0), false),
        "{looked:?}"
    );
    assert_eq!(first.run(&["ask", "The first"]).await.code, Some(0));

    let asking: [&[&str]; 5] = [
        &["ask", "The second"],
        &["chat"],
        &["serve", "--addr", "127.0.0.1:0"],
        &["conversations", "delete", "x", "--yes"],
        &["tokens", "add", "ana"],
    ];
    for args in asking {
        let refused = other.run(args).await;
        assert_eq!(refused.code, Some(3), "{args:?}: {refused:?}");
        for words in ["another log key", "TOOLWRIGHT_LOG_KEY", "DELETE FROM toolwright.log_key"] {
            assert!(refused.err.contains(words), "{args:?}: {}", refused.err);
        }
    }
    let listed = other.run(&["conversations", "list"]).await;
    assert_eq!(listed.code, Some(0), "{listed:?}");
    assert!(listed.out.contains("The first"), "{listed:?}");
    assert!(listed.err.contains("another log key"), "{listed:?}");
    let report = other.run(&["doctor"]).await;
    assert!(
        report.out.contains("✗ database") && report.out.contains("another log key"),
        "{report:?}"
    );

    // The key is lost: the next one who works in it decides.
    Database(database.clone()).sql("DELETE FROM toolwright.log_key").await;
    assert_eq!(other.run(&["ask", "The second"]).await.code, Some(0));
    assert_eq!(first.run(&["ask", "The third"]).await.code, Some(3));
}
