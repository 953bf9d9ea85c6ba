//! A secret that must be nowhere: not in logs, traces, metrics, the database, the stream or what the
//! model is sent, although a tool returns it.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Cli, KEY};

/// Something that takes whatever is posted to it, as a collector does.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<u8>>>);

impl Collector {
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = self.0.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(take(stream, seen.clone()));
            }
        });
        format!("http://{address}")
    }

    fn seen(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

/// Keeps every byte, and says 200 to every request.
async fn take(mut stream: TcpStream, seen: Arc<Mutex<Vec<u8>>>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        bytes.extend_from_slice(&buffer[..read]);
        seen.lock().unwrap().extend_from_slice(&buffer[..read]);
        if is_whole(&bytes) {
            bytes.clear();
            let said = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
            stream.write_all(said.as_bytes()).await.unwrap();
        }
    }
}

/// Whether these bytes are a request with all of its body.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|it| it == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.split("content-length:").nth(1).and_then(|it| it.lines().next());
    bytes.len() >= end + 4 + length.map_or(0, |it| it.trim().parse().unwrap())
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|it| it == text.as_bytes())
}

fn script() -> Script {
    Script::new()
        .reply(Reply::calls([
            ("a", "list_notes", "{}"),
            ("b", "get_weather", r#"{"location":""}"#),
        ]))
        .reply(Reply::text("There is one note."))
}

/// A command whose notes hold the key to the model, and that exports all it can.
async fn leaky(server: &ModelServer, collector: &Collector) -> Cli {
    let cli = Cli::asking(server)
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.start().await)
        .env("TOOLWRIGHT_LOG", "trace")
        .env("TOOLWRIGHT_METRICS", "127.0.0.1:0");
    let data = cli.folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let escaped: String = KEY.replace('-', "%2D");
    std::fs::write(data.join("notes.txt"), format!("the key is {KEY}\nor {escaped}\n")).unwrap();
    cli
}

/// What must be nowhere.
fn assert_absent(place: &str, bytes: &[u8]) {
    for secret in [KEY.to_owned(), KEY.replace('-', "%2D")] {
        assert!(!holds(bytes, &secret), "{place} holds {secret}");
    }
}

#[tokio::test]
async fn a_secret_that_a_tool_returns_is_nowhere() {
    let (server, collector) = (ModelServer::start(script()).await, Collector::default());
    let cli = leaky(&server, &collector).await;
    let ended = cli.run(&["ask", "--json", "What are my notes?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("[redacted]"), "{}", ended.out);

    assert_absent("the stream", ended.out.as_bytes());
    assert_absent("the log", ended.err.as_bytes());
    assert!(ended.err.contains("[execute_tool] Executing: list_notes"), "{}", ended.err);
    for request in server.requests() {
        assert_absent("a request to the model", request.body.to_string().as_bytes());
    }
    let exported = collector.seen();
    assert!(holds(&exported, "execute_tool list_notes"), "nothing was exported");
    assert!(holds(&exported, "gen_ai.client.token.usage"), "no measurement was exported");
    assert_absent("what was exported", &exported);
    for entry in std::fs::read_dir(cli.folder.path().join("data")).unwrap() {
        let path = entry.unwrap().path();
        // The file the tool reads is where the secret comes from.
        if !path.ends_with("notes.txt") {
            assert_absent(&path.display().to_string(), &std::fs::read(&path).unwrap_or_default());
        }
    }
}

#[tokio::test]
async fn metrics_are_served_and_hold_no_secret() {
    let (server, collector) = (ModelServer::start(script()).await, Collector::default());
    let cli = leaky(&server, &collector).await;
    let mut command = cli.command(&["chat"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = loop {
        let line = log.next_line().await.unwrap().expect("a line about metrics");
        if let Some(at) = line.find("http://127.0.0.1:").filter(|_| line.contains("/metrics")) {
            break line[at + 7..].split('/').next().unwrap().to_owned();
        }
    };
    tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"What are my notes?\n").await.unwrap();
    assert_eq!(answers.next_line().await.unwrap().unwrap(), "There is one note.");

    let mut stream = TcpStream::connect(&address).await.unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut text = String::new();
    let read = stream.read_to_string(&mut text);
    tokio::time::timeout(Duration::from_secs(120), read).await.unwrap().unwrap();
    assert_absent("the metrics", text.as_bytes());
    for line in [
        r#"toolwright_runs_total{outcome="done"} 1"#,
        r#"toolwright_calls_total{tool="list_notes",status="success"} 1"#,
        r#"toolwright_calls_total{tool="get_weather",status="error"} 1"#,
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    drop(input);
    child.wait().await.unwrap();
}
