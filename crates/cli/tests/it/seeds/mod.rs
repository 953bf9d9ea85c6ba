//! The five documents that Toolwright began with: their own programs, questions and sentences, through the
//! real binary.
//!
//! One module a document. Each test quotes the lines it holds, so that whoever changes what it shows knows
//! what was promised. The second document's functions and clients are programs against the library:
//! `crates/toolwright/tests/it/tools_as_functions.rs` has them.

use std::process::Stdio;

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};
use toolwright_testkit::ModelServer;

use crate::harness::Cli;

mod conversation_memory;
mod trading_desk;
mod watch_history;
mod written_calls;

/// `toolwright serve`, until it is dropped.
struct Served {
    port: u16,
    _server: Child,
}

impl Served {
    async fn start(cli: &Cli, args: &[&str]) -> Self {
        let args = [&["--json", "serve", "--addr", "127.0.0.1:0"], args].concat();
        let mut server = cli.command(&args).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().expect("it says where it listens");
        let told: Value = serde_json::from_str(&line).unwrap();
        let (_, port) = told["address"].as_str().unwrap().rsplit_once(':').unwrap();
        Self { port: port.parse().unwrap(), _server: server }
    }

    /// What a document's own `curl` prints: the port is the only thing changed in it.
    async fn printed(&self, command: &str) -> String {
        let command = command.replace("localhost:8001", &format!("localhost:{}", self.port));
        let done = Command::new("sh").args(["-c", &command]).stdin(Stdio::null()).output();
        String::from_utf8(done.await.unwrap().stdout).unwrap()
    }

    /// The events that a question is answered with.
    async fn asked(&self, body: &Value) -> Vec<Value> {
        let quoted = body.to_string().replace('\'', r"'\''");
        let command = format!(
            "curl -sN -X POST http://localhost:8001/api/chat/stream \
             -H 'Content-Type: application/json' -d '{quoted}'"
        );
        events(&self.printed(&command).await)
    }
}

/// The events of a stream.
fn events(stream: &str) -> Vec<Value> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|it| *it != "[DONE]").map(|it| serde_json::from_str(it).unwrap()).collect()
}

/// The messages of the request with this number.
fn messages(server: &ModelServer, number: usize) -> Vec<Value> {
    server.requests()[number].body["messages"].as_array().unwrap().clone()
}

/// What the model was told by tools before its last reply.
fn results(server: &ModelServer) -> Vec<String> {
    let last = messages(server, server.requests().len() - 1);
    let results = last.iter().filter(|it| it["role"] == "tool");
    results.map(|it| it["content"].as_str().unwrap().to_owned()).collect()
}
