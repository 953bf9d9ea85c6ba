//! `toolwright worker`, and `serve --engine restate`: with a real Restate; and what is wrong with them is told.
#![cfg(target_os = "linux")]

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout},
};
use toolwright_testkit::{
    ModelServer, Reply, RestateServer, Script,
    http::{Answer, Server},
};

use crate::{
    authority::Database,
    harness::Cli,
    serve_several::{KEY, Served, curl, events, post},
};

/// A port where nobody listens.
pub(crate) fn nobody() -> String {
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
    // A worker is for one engine alone, and no reason to pass over what is said about it.
    let in_env = |word: &str| Cli::new().env("TOOLWRIGHT_ENGINE", word);
    let in_file = Cli::new().configured("[engine]\nkind = \"temporal\"\n");
    for cli in [in_env("bogus"), in_file] {
        for args in [&["worker"][..], &["worker", "--register-only", "http://127.0.0.1:9080"]] {
            let ended = cli.run(args).await;
            assert_eq!(ended.code, Some(2), "{ended:?}");
            assert!(ended.err.contains("use local or restate"), "{}", ended.err);
        }
    }
    // Where servers drive themselves it is said for them.
    let ended = in_env("local").run(&["worker"]).await;
    assert!(ended.err.contains("engine restate needs PostgreSQL"), "{}", ended.err);
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

/// The port where calls are taken in is open, and the one where Restate is looked after is not.
#[tokio::test]
async fn without_the_admin_address_a_server_is_well_and_says_what_is_missing() {
    let Database(database) = Database::new().await;
    let ingress = Server::new(|_| Answer::whole("application/json", r#"{"services":[]}"#));
    let cli = || {
        let cli = Cli::new().env("TOOLWRIGHT_MODEL", "demo").env("DATABASE_URL", &database);
        let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY).env("TOOLWRIGHT_ENGINE", "restate");
        let cli = cli.env("TOOLWRIGHT_ENGINE_INGRESS", &format!("http://{}", ingress.address));
        cli.env("TOOLWRIGHT_ENGINE_ADMIN", &nobody())
    };
    let served = Served::start(cli(), &[]).await;
    let health = curl(&[&served.url("/api/health")]).await;
    assert_eq!(health, r#"{"status":"ok"}"#);
    for args in [&["serve", "--addr", "127.0.0.1:0"][..], &["worker", "--addr", "127.0.0.1:0"]] {
        let cli = cli();
        let mut process = cli.command(args).spawn().unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap()).lines();
        let line = loop {
            let line = said.next_line().await.unwrap().expect("it says what is missing");
            assert!(!line.contains("as soon as it does"), "{args:?}: {line}");
            if line.contains("Restate does not answer") {
                break line;
            }
        };
        process.kill().await.unwrap();
        assert!(line.contains("Runs are driven all the same"), "{args:?}: {line}");
        assert!(line.contains("or set engine.admin"), "{args:?}: {line}");
    }
    let report = cli().run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let state = |name: &str| {
        let mut checks = report["checks"].as_array().unwrap().iter();
        checks.find(|it| it["name"] == name).unwrap()["state"].clone()
    };
    assert_eq!((state("engine"), state("engine.admin")), (json!("ok"), json!("warning")));
}

/// A standby can be read, and takes no changes: whoever starts on it is told, once.
#[tokio::test]
async fn a_database_that_takes_no_changes_is_told_at_the_start_and_once() {
    let database = Database::new().await;
    let ingress = Server::new(|_| Answer::whole("application/json", r#"{"services":[]}"#));
    let cli = || {
        let cli = Cli::new().env("TOOLWRIGHT_MODEL", "demo").env("DATABASE_URL", &database.0);
        let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY).env("TOOLWRIGHT_ENGINE", "restate");
        let cli = cli.env("TOOLWRIGHT_ENGINE_INGRESS", &format!("http://{}", ingress.address));
        cli.env("TOOLWRIGHT_ENGINE_ADMIN", "none")
    };
    drop(Served::start(cli(), &[]).await);
    let name = database.sql("SELECT current_database()").await;
    database.sql(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
    for args in [&["serve", "--addr", "127.0.0.1:0"][..], &["worker", "--addr", "127.0.0.1:0"]] {
        let cli = cli();
        let mut process = cli.command(args).spawn().unwrap();
        let mut err = BufReader::new(process.stderr.take().unwrap()).lines();
        let mut said = Vec::new();
        // Longer than it takes to look at the log and for runs that nobody drives, twice.
        let over = tokio::time::Instant::now() + std::time::Duration::from_secs(22);
        while let Ok(Ok(Some(line))) = tokio::time::timeout_at(over, err.next_line()).await {
            said.push(line);
        }
        process.kill().await.unwrap();
        let told: Vec<_> = said.iter().filter(|it| it.contains("takes no changes")).collect();
        assert!(told.first().unwrap().contains("name the primary"), "{args:?}: {said:#?}");
        // At the start, and each of those that look again and again.
        assert!(told.len() <= 3, "{args:?}: {said:#?}");
        assert!(!said.iter().any(|it| it.contains("cannot execute")), "{args:?}: {said:#?}");
    }
    let report = cli().run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    let told = checks.filter(|it| it["message"].as_str().unwrap().contains("takes no changes"));
    assert_eq!(told.map(|it| &it["name"]).collect::<Vec<_>>(), ["database"]);
}

/// A worker, and what it says.
pub(crate) struct Worker {
    pub(crate) process: Child,
    out: Lines<BufReader<ChildStdout>>,
    _cli: Cli,
}

impl Worker {
    /// One at this address, which Restate knows.
    pub(crate) async fn start(cli: Cli, address: &str) -> Self {
        let uri = format!("http://{address}");
        let args = ["--json", "worker", "--addr", address, "--register", &uri];
        let mut process = cli.command(&args).spawn().unwrap();
        let out = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut worker = Self { process, out, _cli: cli };
        assert_eq!(worker.said().await["address"], address);
        worker
    }

    pub(crate) async fn said(&mut self) -> Value {
        let line = self.out.next_line().await.unwrap().expect("it says something");
        serde_json::from_str(&line).unwrap()
    }
}

pub(crate) fn answer(stream: &str) -> Value {
    let last = events(stream).into_iter().find(|it| it["type"] == "done");
    last.unwrap_or_else(|| panic!("no answer: {stream}"))["response"].clone()
}

/// A server only begins; workers drive, one after the other.
#[tokio::test]
async fn what_is_asked_of_a_server_is_driven_by_whichever_worker_is_there() {
    let script = Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."));
    let model = ModelServer::start(script).await;
    let Database(database) = Database::new().await;
    let restate = tokio::task::spawn_blocking(RestateServer::start).await.unwrap();
    let cli = || {
        let cli = Cli::asking(&model).env("DATABASE_URL", &database);
        let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY).env("TOOLWRIGHT_ENGINE", "restate");
        let cli = cli.env("TOOLWRIGHT_ENGINE_INGRESS", &restate.ingress);
        cli.env("TOOLWRIGHT_ENGINE_ADMIN", &restate.admin)
    };
    let address = nobody().replace("http://", "");
    let mut first = Worker::start(cli(), &address).await;
    assert_eq!(first.said().await["new"], true);
    let served = Served::start(cli(), &[]).await;
    let ask = served.url("/api/chat/stream");
    let one = post(&ask, &json!({"message": "The first"})).await;
    assert_eq!(answer(&one), "One.");

    // The next is asked while nobody is there, and waits.
    first.process.kill().await.unwrap();
    let asked = tokio::spawn(async move { post(&ask, &json!({"message": "The second"})).await });
    let mut second = Worker::start(cli(), &address).await;
    assert_eq!(second.said().await["new"], false, "the address was known");
    assert_eq!(answer(&asked.await.unwrap()), "Two.");

    let report = cli().run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&report.out).unwrap();
    for name in ["engine", "workers", "shared log"] {
        let checks = report["checks"].as_array().unwrap();
        let check = checks.iter().find(|it| it["name"] == name).unwrap();
        assert_eq!(check["state"], "ok", "{check}");
    }
    let other = cli().env("TOOLWRIGHT_LOG_KEY", &KEY.replace('2', "3"));
    let ended = other.run(&["worker", "--addr", "127.0.0.1:0"]).await;
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.err.contains("begun with another log key"), "{}", ended.err);
    assert!(ended.err.contains("TOOLWRIGHT_LOG_KEY"), "{}", ended.err);
}
