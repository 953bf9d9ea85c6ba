//! Several servers on one PostgreSQL: whatever is asked on one can be watched, stopped, decided about and steered on
//! any other.

mod asking_once;
mod browsers;
mod entrusted;
mod identities;
mod leaving;
mod random;
mod together;

use std::{process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::process::Command;
use toolwright_testkit::{ModelServer, PostgresServer, Script};

use crate::harness::{Answer, Desk, Listening, PATIENCE, Request, Setup, ask};

/// The key that all servers of a test have.
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// A database of the shared PostgreSQL.
pub(crate) struct Database {
    address: String,
    pub(crate) url: String,
}

impl Database {
    pub(crate) async fn new() -> Self {
        let server = PostgresServer::shared();
        let name = format!("faces_{:016x}", fastrand::u64(..));
        sql(&server.address, &format!("CREATE DATABASE {name}")).await;
        let address = server.address.replace("dbname=postgres", &format!("dbname={name}"));
        let field = |name: &str| {
            let mut fields = address.split(' ').filter_map(|it| it.split_once('='));
            fields.find(|it| it.0 == name).unwrap().1.to_owned()
        };
        let host = field("host").replace('/', "%2F");
        let url = format!("postgres://{}@{host}/{}", field("user"), field("dbname"));
        Self { address, url }
    }

    /// What an administrator of the database does to it.
    pub(crate) async fn sql(&self, text: &str) -> String {
        sql(&self.address, text).await
    }

    /// Cuts the connections on which servers hear what others do.
    pub(crate) async fn cut_listening(&self) {
        self.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND query ILIKE 'LISTEN%'",
        )
        .await;
    }

    /// A server that shares it.
    pub(crate) async fn desk(&self, model: &ModelServer) -> Desk {
        Desk::start(self.setup(), Some(model.base_url())).await
    }

    pub(crate) fn setup(&self) -> Setup {
        let (database, log_key) = (Some(self.url.clone()), Some(KEY.to_owned()));
        Setup { database, log_key, workspace: true, ..Setup::default() }
    }
}

async fn sql(address: &str, text: &str) -> String {
    let mut command = Command::new("psql");
    command.args(["-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", text]);
    let done = command.stdin(Stdio::null()).output().await.unwrap();
    assert!(done.status.success(), "{text}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// Three servers that share a log, and a model.
pub(crate) struct Servers {
    pub(crate) a: Desk,
    pub(crate) b: Desk,
    pub(crate) c: Desk,
    pub(crate) database: Database,
    pub(crate) model: ModelServer,
}

impl Servers {
    pub(crate) async fn start(script: Script) -> Self {
        let (database, model) = (Database::new().await, ModelServer::start(script).await);
        let a = database.desk(&model).await;
        let b = database.desk(&model).await;
        let c = database.desk(&model).await;
        std::fs::write(a.work().join("a.txt"), "old\n").unwrap();
        Self { a, b, c, database, model }
    }

    /// Asks on the first, and waits until this has happened there.
    pub(crate) async fn asked(&self, kind: &str) -> (Listening, String, Value) {
        let request =
            Request::new("POST", "/api/chat/stream").json(&json!({"message": "The old must go"}));
        let mut stream = Listening::to(self.a.address, &request).await;
        let events = stream.until(kind).await;
        let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
        (stream, id, events.last().unwrap().1.clone())
    }
}

pub(crate) fn path(id: &str, rest: &str) -> String {
    format!("/api/conversations/{id}{rest}")
}

pub(crate) async fn listen(desk: &Desk, id: &str) -> Listening {
    Listening::to(desk.address, &Request::new("GET", &path(id, "/stream"))).await
}

pub(crate) async fn decide(desk: &Desk, id: &str, shown: &Value, more: Value) -> Answer {
    crate::deciding::decide(desk, id, shown, more).await
}

pub(crate) async fn summary(desk: &Desk, id: &str) -> Value {
    desk.get(&path(id, "")).await.json()
}

/// What is in the log, each with its place.
pub(crate) async fn log(desk: &Desk, id: &str) -> Vec<(String, Value)> {
    let answer = desk.get(&path(id, "/events?limit=5000")).await.json();
    let events = answer["events"].as_array().unwrap().iter();
    events.map(|it| (it["position"].to_string(), it["event"].clone())).collect()
}

/// Holds what somebody heard against the log: every committed event from the first on, once and in order; and pieces only
/// before what they become a part of.
pub(crate) fn assert_whole(heard: &[(String, Value)], log: &[(String, Value)]) {
    let kept: Vec<_> = heard.iter().filter(|(id, _)| !id.is_empty() && !id.contains('.')).collect();
    let first = kept.first().unwrap_or_else(|| panic!("nothing was heard: {heard:?}"));
    let from = log.iter().position(|(id, _)| *id == first.0).unwrap();
    let wanted: Vec<_> = log[from..].iter().take(kept.len()).collect();
    assert_eq!(kept, wanted, "heard and kept");
    let mut next = first.0.parse::<u64>().unwrap();
    for (id, event) in heard.iter().filter(|(id, _)| !id.is_empty()) {
        match id.split_once('.') {
            Some((at, _)) => assert_eq!(at.parse::<u64>().unwrap(), next, "{event}"),
            None => next = id.parse::<u64>().unwrap() + 1,
        }
    }
}

/// Waits until it is so.
pub(crate) async fn until(mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("it becomes so");
}

pub(crate) async fn delete(desk: &Desk, path: &str) -> u16 {
    ask(desk.address, &Request::new("DELETE", path)).await.status
}
