//! What is exported, read by programs that are not ours: a collector, Google's protobuf, and
//! Prometheus's own parser. `scripts/telemetry.sh` installs them and runs these tests.

use std::{
    collections::BTreeSet,
    io::Write,
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

use crate::{exposition, openmetrics, part, receiver::Receiver, traces::forest};

/// The folder that the script installs into.
fn tools() -> PathBuf {
    std::env::var_os("TOOLWRIGHT_TELEMETRY_TOOLS").expect("scripts/telemetry.sh runs this").into()
}

/// A collector that passes everything on to a receiver, until it is dropped.
struct Collector {
    child: Child,
    endpoint: String,
}

impl Collector {
    fn start(receiver: &Receiver) -> Self {
        let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let (http, grpc) = (free(), free());
        let child = Command::new(tools().join("collector"))
            .args(["start", "--otlp-http-endpoint", &http, "--otlp-grpc-endpoint", &grpc])
            .args(["--exporter", "otlp", "--otlp-exporter-protocol", "http"])
            .args(["--otlp-exporter-endpoint", &receiver.endpoint()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        eventually("the collector listens", || TcpStream::connect(&http).is_ok());
        Self { child, endpoint: format!("http://{http}") }
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
#[ignore = "needs what scripts/telemetry.sh installs"]
fn a_collector_takes_it_and_passes_on_the_same() {
    let (direct, behind) = (Receiver::start(), Receiver::start());
    part::play("off", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &direct.endpoint())]);
    let collector = Collector::start(&behind);
    let played =
        part::play("warn", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.endpoint)]);
    assert_eq!(played.log, "", "it accepts everything");

    let all = direct.spans().0.len();
    eventually("all spans are passed on", || behind.spans().0.len() == all);
    assert_eq!(forest(&direct.spans().0), forest(&behind.spans().0));
    let measured = |at: &Receiver| at.requests().iter().any(|it| it.path == "/v1/metrics");
    eventually("the measurements are passed on", || measured(&behind));
    let names = |at: &Receiver| at.metrics().into_keys().collect::<Vec<_>>();
    assert_eq!(names(&direct), names(&behind));
}

#[test]
#[ignore = "needs what scripts/telemetry.sh installs"]
fn another_protobuf_reads_it() {
    let receiver = Receiver::start();
    part::play("off", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
    let (mut spans, mut metrics) = (0, BTreeSet::new());
    for request in receiver.requests() {
        let kind = request.path.trim_start_matches("/v1/");
        let read = read(kind, &request.body).to_string();
        spans += read.matches("\"trace_id\":").count();
        let names =
            ["duration", "time_to_first_chunk"].map(|it| format!("gen_ai.client.operation.{it}"));
        metrics.extend(names.into_iter().filter(|name| read.contains(name)));
        if kind == "traces" {
            let finish = r#"{"key":"gen_ai.response.finish_reasons","value":{"array_value":{"values":[{"string_value":"stop"}]}}}"#;
            assert!(read.contains(finish), "{read}");
        }
    }
    assert_eq!((spans, metrics.len()), (receiver.spans().0.len(), 2));
}

#[tokio::test]
#[ignore = "needs what scripts/telemetry.sh installs"]
async fn prometheus_reads_it() {
    let text = exposition::watched().await.text();
    let families = read("exposition", text.as_bytes());
    let families = families.as_array().unwrap();
    let samples: u64 = families.iter().map(|it| it["samples"].as_u64().unwrap()).sum();
    assert_eq!(samples, openmetrics::read(&text).len() as u64);
    let run = families.iter().find(|it| it["name"] == "toolwright_run_seconds").unwrap();
    assert_eq!((&run["type"], &run["unit"]), (&"histogram".into(), &"seconds".into()));
}

/// What the other program understood.
fn read(kind: &str, data: &[u8]) -> Value {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/independent.py");
    let mut child = Command::new(tools().join("bin/python"))
        .args([script, kind])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(data).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{what}: not within a minute");
}
