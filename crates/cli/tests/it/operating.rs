//! Servers and workers as those see them who operate them: what `doctor` finds, what they log and count.
#![cfg(target_os = "linux")]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStderr, Command},
};
use toolwright_testkit::{
    ModelServer, Reply, RestateServer, Script,
    http::{Answer, Server},
};

use crate::{
    authority::Database,
    durable::{Worker, answer, nobody},
    harness::Cli,
    serve_several::{KEY, Served, curl, post},
};

/// What is needed to operate servers and workers.
struct Place {
    model: ModelServer,
    restate: RestateServer,
    database: String,
}

impl Place {
    async fn new(script: Script) -> Self {
        let model = ModelServer::start(script).await;
        let Database(database) = Database::new().await;
        let restate = tokio::task::spawn_blocking(RestateServer::start).await.unwrap();
        Self { model, restate, database }
    }

    fn cli(&self) -> Cli {
        self.on(&self.database)
    }

    fn on(&self, database: &str) -> Cli {
        let cli = Cli::asking(&self.model).env("DATABASE_URL", database);
        let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY).env("TOOLWRIGHT_ENGINE", "restate");
        let cli = cli.env("TOOLWRIGHT_ENGINE_INGRESS", &self.restate.ingress);
        cli.env("TOOLWRIGHT_ENGINE_ADMIN", &self.restate.admin)
    }
}

/// What `doctor` says of something.
async fn check(cli: &Cli, name: &str) -> Value {
    let report = cli.run(&["doctor", "--json"]).await;
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|it| it["name"] == name).unwrap().clone()
}

#[tokio::test]
async fn doctor_tells_whether_people_could_sign_in() {
    let issuer = nobody();
    let cli = |section: &str| Cli::new().configured(&format!("[server.identity{section}\n"));
    let oidc = format!(".oidc]\nissuer = \"{issuer}\"\nclient_id = \"toolwright\"");
    let found = check(&cli(&oidc), "sign-in").await;
    assert_eq!(found["state"], "error", "{found}");
    let says = format!("nobody can sign in at {issuer}: ");
    assert!(found["message"].as_str().unwrap().starts_with(&says), "{found}");
    let header = "]\nheader = \"X-User\"\ntrusted = [\"10.0.0.0/8\"]";
    let found = check(&cli(header), "sign-in").await;
    assert_eq!(found["state"], "ok", "{found}");
    assert_eq!(found["message"], "a proxy says who asks (`X-User`)");
}

#[tokio::test]
async fn doctor_tells_whether_a_worker_is_there_and_whether_restate_is_what_answers() {
    let place = Place::new(Script::new()).await;
    let found = check(&place.cli(), "workers").await;
    assert_eq!(found["state"], "error", "{found}");
    assert!(found["message"].as_str().unwrap().starts_with("Restate knows of none"), "{found}");

    let address = nobody().replace("http://", "");
    let mut worker = Worker::start(place.cli(), &address).await;
    assert_eq!(worker.said().await["new"], true);
    let found = check(&place.cli(), "workers").await;
    assert_eq!(found["state"], "ok", "{found}");
    // A worker's health is no sign of Restate, at neither of its places.
    for variable in ["TOOLWRIGHT_ENGINE_INGRESS", "TOOLWRIGHT_ENGINE_ADMIN"] {
        let cli = place.cli().env(variable, &format!("http://{address}"));
        let found = check(&cli, "engine").await;
        assert_eq!(found["state"], "error", "{found}");
        assert!(found["message"].as_str().unwrap().contains("a worker answers there"), "{found}");
    }
    let swapped = place.cli().env("TOOLWRIGHT_ENGINE_INGRESS", &place.restate.admin);
    let swapped = swapped.env("TOOLWRIGHT_ENGINE_ADMIN", &place.restate.ingress);
    let found = check(&swapped, "engine").await;
    assert!(found["message"].as_str().unwrap().contains("are swapped"), "{found}");
    let ended = swapped.run(&["worker", "--register-only", "http://127.0.0.1:9080"]).await;
    assert_eq!(ended.code, Some(3), "{ended:?}");
    assert!(ended.err.contains("engine.admin and engine.ingress are swapped"), "{}", ended.err);
    // A server is at an address that is well, too, and no worker.
    let served = Served::start(place.cli(), &[]).await;
    let ended = place.cli().run(&["worker", "--register-only", &served.url("")]).await;
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("and not a worker"), "{}", ended.err);
    assert!(ended.err.contains("start `toolwright worker`"), "{}", ended.err);

    assert_eq!(check(&place.cli(), "runs").await["state"], "ok");
    // One that is frozen is there, and not Restate is away.
    signal(&worker.process, "-STOP").await;
    let found = check(&place.cli(), "workers").await;
    assert_eq!(found["state"], "error", "{found}");
    assert!(found["message"].as_str().unwrap().contains("frozen"), "{found}");
    assert!(found["advice"].as_str().unwrap().contains("kill -CONT"), "{found}");

    worker.process.kill().await.unwrap();
    let found = check(&place.cli(), "workers").await;
    assert_eq!(found["state"], "error", "{found}");
    assert!(found["message"].as_str().unwrap().starts_with("none answers"), "{found}");
    assert!(found["advice"].as_str().unwrap().contains("toolwright worker"), "{found}");
}

/// Whoever drives counts what is driven; whoever is asked counts that.
#[tokio::test]
async fn runs_are_counted_where_they_are_asked_and_where_they_are_driven() {
    let call = Reply::calls([("c1", "get_weather", r#"{"location":"Oslo"}"#)]);
    let script = Script::new().reply(call).reply(Reply::text("One.")).reply(Reply::text("Two."));
    let place = Place::new(script).await;
    let one_round = || place.cli().configured("[engine]\nslice_rounds = 1\n");
    let address = nobody().replace("http://", "");
    let mut worker = Worker::start(one_round(), &address).await;
    assert_eq!(worker.said().await["new"], true);
    let served = Served::start(place.cli(), &["--task", "demo"]).await;
    let ask = served.url("/api/chat/stream");
    for expected in ["One.", "Two."] {
        let body = json!({"message": "How is the weather in Oslo?"});
        assert_eq!(answer(&post(&ask, &body).await), expected);
    }
    let of_server = curl(&[&served.url("/metrics")]).await;
    let metrics = format!("http://{address}/metrics");
    // The end is told a moment before the slice has ended.
    let of_worker = loop {
        let text = curl(&[&metrics]).await;
        if has(&text, "toolwright_slices_running 0") && has(&text, "toolwright_runs_active 0") {
            break text;
        }
        tokio::task::yield_now().await;
    };
    for line in [
        r#"toolwright_runs_total{outcome="done"} 2"#,
        "toolwright_rounds_total 3",
        "toolwright_runs_begun_total 0",
    ] {
        assert!(has(&of_worker, line), "{line}: {of_worker}");
    }
    assert!(!of_worker.contains(r#"model="unknown""#), "{of_worker}");
    for line in ["toolwright_runs_begun_total 2", "toolwright_runs_active 0"] {
        assert!(has(&of_server, line), "{line}: {of_server}");
    }
    assert!(!of_server.contains("toolwright_runs_total{"), "{of_server}");
}

async fn signal(process: &Child, what: &str) {
    let pid = process.id().unwrap().to_string();
    assert!(Command::new("kill").args([what, &pid]).status().await.unwrap().success());
}

fn has(metrics: &str, line: &str) -> bool {
    metrics.lines().any(|it| it == line)
}

/// What is said on standard error, a line at a time.
fn errors(process: &mut Child) -> Lines<BufReader<ChildStderr>> {
    BufReader::new(process.stderr.take().unwrap()).lines()
}

/// A worker that has another log does nothing about what it is sent, and nothing is lost.
#[tokio::test]
async fn a_worker_of_another_database_says_so_and_leaves_it() {
    let place = Place::new(Script::new().reply(Reply::text("There."))).await;
    let Database(elsewhere) = Database::new().await;
    let address = nobody().replace("http://", "");
    let mut wrong = Worker::start(place.on(&elsewhere), &address).await;
    assert_eq!(wrong.said().await["new"], true);
    let served = Served::start(place.cli(), &[]).await;
    let ask = served.url("/api/chat/stream");
    let asked =
        tokio::spawn(async move { post(&ask, &json!({"message": "Is anybody there?"})).await });
    let mut said = errors(&mut wrong.process);
    let told = loop {
        let line = said.next_line().await.unwrap().expect("it says so");
        if line.contains("another database") {
            break line;
        }
    };
    assert!(told.contains("DATABASE_URL"), "{told}");
    // A worker is there, and nothing is driven: that is not well.
    let found = loop {
        let found = check(&place.cli(), "runs").await;
        if found["state"] != "ok" {
            break found;
        }
    };
    assert!(found["message"].as_str().unwrap().contains("is in another database"), "{found}");
    wrong.process.kill().await.unwrap();
    let mut right = Worker::start(place.cli(), &address).await;
    assert_eq!(right.said().await["new"], false);
    assert_eq!(answer(&asked.await.unwrap()), "There.");
}

/// A Restate that has trouble at first.
fn troubled(refused: usize) -> (Server, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let deployment = json!({
        "id": "dp_1", "deployment_id": "dp_1", "uri": "http://a/", "services": [{"name": "conversation"}],
    });
    let server = Server::new(move |request| {
        let json = |body: &Value| Answer::whole("application/json", body.to_string());
        match request.path.as_str() {
            "/version" if count.fetch_add(1, Ordering::SeqCst) < refused => {
                Answer::new("503 Service Unavailable", &[("Content-Length", "0")], "")
            }
            "/version" => json(&json!({"version": "1.7.12"})),
            "/restate/health" => json(&json!({"services": []})),
            _ => json(&deployment),
        }
    });
    (server, asked)
}

#[tokio::test]
async fn what_keeps_a_worker_from_being_registered_is_told_once_with_what_to_do() {
    let Database(database) = Database::new().await;
    // Once when it starts, and then whenever it registers: each looks at the one and the other place.
    let (restate, asked) = troubled(3);
    let at = format!("http://{}", restate.address);
    let cli = Cli::new().env("TOOLWRIGHT_MODEL", "demo").env("DATABASE_URL", &database);
    let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY).env("TOOLWRIGHT_ENGINE_ADMIN", &at);
    let cli = cli.env("TOOLWRIGHT_ENGINE_INGRESS", &at);
    let mut worker = Worker::start(cli, &nobody().replace("http://", "")).await;
    let registered = worker.said().await;
    assert_eq!(registered["deployment"], "dp_1", "{registered}");
    assert!(asked.load(Ordering::SeqCst) > 3, "it was tried again");
    worker.process.start_kill().unwrap();
    let mut said = errors(&mut worker.process);
    let mut told = Vec::new();
    while let Some(line) = said.next_line().await.unwrap() {
        told.extend(line.contains("is not registered yet").then_some(line));
    }
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("What to do: "), "{told:?}");
}

/// Everything on standard error of a process that is ended now, each line of it read as JSON.
async fn records(mut process: Child) -> Vec<Value> {
    signal(&process, "-TERM").await;
    let mut said = errors(&mut process);
    let mut records = Vec::new();
    while let Some(line) = said.next_line().await.unwrap() {
        records.push(record(&line));
    }
    records
}

fn record(line: &str) -> Value {
    let record: Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in: {line}"));
    for field in ["time", "level", "target", "message"] {
        assert!(record[field].is_string(), "{field}: {line}");
    }
    record
}

#[tokio::test]
async fn whatever_a_server_and_a_worker_say_is_json_where_log_lines_are() {
    let Database(database) = Database::new().await;
    let away = nobody();
    let cli = || {
        let cli = Cli::new().env("TOOLWRIGHT_MODEL", "demo").env("DATABASE_URL", &database);
        let cli = cli.env("TOOLWRIGHT_LOG_KEY", KEY).env("TOOLWRIGHT_LOG", "debug");
        let cli = cli.env("TOOLWRIGHT_ENGINE_ADMIN", &away).env("RUST_BACKTRACE", "1");
        cli.env("TOOLWRIGHT_ENGINE_INGRESS", &away)
    };
    let as_json = || cli().env("TOOLWRIGHT_LOG_FORMAT", "json");
    let commands: [&[&str]; 2] = [
        &["serve", "--addr", "127.0.0.1:0", "--engine", "restate"],
        &["worker", "--addr", "127.0.0.1:0", "--register", "http://127.0.0.1:9"],
    ];
    for args in commands {
        let cli = as_json();
        let mut process = cli.command(args).spawn().unwrap();
        let mut out = BufReader::new(process.stdout.take().unwrap()).lines();
        assert!(out.next_line().await.unwrap().is_some(), "{args:?}");
        let said = records(process).await;
        let has = |text: &str| said.iter().any(|it| it["message"].as_str().unwrap().contains(text));
        assert!(has("Ctrl-C"), "{args:?}: {said:?}");
        assert!(has("Restate does not answer"), "{args:?}: {said:?}");
    }
    // So is a fault of our own.
    let faulty = as_json().env("TOOLWRIGHT_PANIC_AT", "llm_end");
    let mut process =
        faulty.command(&["--json", "serve", "--addr", "127.0.0.1:0"]).spawn().unwrap();
    let mut out = BufReader::new(process.stdout.take().unwrap()).lines();
    let told: Value = serde_json::from_str(&out.next_line().await.unwrap().unwrap()).unwrap();
    let ask = format!("http://{}/api/chat/stream", told["address"].as_str().unwrap());
    let asked = tokio::spawn(async move { post(&ask, &json!({"message": "Hello"})).await });
    let mut said = errors(&mut process);
    loop {
        let line = said.next_line().await.unwrap().expect("it tells of the fault");
        if record(&line)["message"].as_str().unwrap().starts_with("Toolwright has a fault") {
            break;
        }
    }
    asked.abort();
    process.kill().await.unwrap();
    // What ends them is told so, too: also where the file says it, and where the settings cannot be used.
    let in_file = cli().configured("[telemetry]\nlog_format = \"json\"\n");
    let wrong = as_json().env("TOOLWRIGHT_ENGINE_INGRESS", "nowhere");
    for cli in [in_file.env("DATABASE_URL", ""), wrong] {
        for args in commands {
            let ended = cli.run(args).await;
            // Each line is one.
            let lines: Vec<_> = ended.err.lines().map(record).collect();
            let last = lines.last().unwrap();
            assert_eq!(last["level"], "error", "{ended:?}");
            assert!(last["fields"]["advice"].is_string(), "{ended:?}");
        }
    }
}
