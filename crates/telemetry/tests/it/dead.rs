//! A collector that is not there, or does not answer.

use std::net::TcpListener;

use crate::{part, part::Played, receiver::Receiver, story::ANSWER};

fn unaffected(played: &Played) {
    assert!(played.said.contains(&format!("answered: {ANSWER}")), "{played:?}");
    assert!(played.said.contains("stopped: the run was cancelled"), "{played:?}");
    let complaints = played.log.lines().filter(|it| it.contains("telemetry does not reach"));
    assert_eq!(complaints.count(), 1, "said once: {}", played.log);
    assert_eq!(played.log.lines().count(), 1, "and nothing else: {}", played.log);
}

#[test]
fn a_collector_that_is_not_there_is_mentioned_once() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let endpoint = format!("http://user:hunter2@{free}");
    let played = part::play("warn", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]);
    unaffected(&played);
    assert!(played.log.contains("refused"), "it says why: {}", played.log);
    assert!(!played.log.contains("hunter2"), "{}", played.log);
}

#[test]
fn a_collector_that_does_not_speak_tls_is_mentioned_once() {
    let receiver = Receiver::start();
    let endpoint = receiver.endpoint().replace("http://", "https://");
    let played = part::play("warn", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]);
    unaffected(&played);
    assert!(receiver.requests().is_empty());
}

#[test]
fn a_collector_that_takes_spans_only_is_mentioned_once() {
    let receiver = Receiver::start();
    let nowhere = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nowhere = format!("http://{nowhere}/v1/metrics");
    let soon = "10";
    let played = part::play(
        "warn",
        "pretty",
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
            ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", &nowhere),
            ("OTEL_BSP_SCHEDULE_DELAY", soon),
            ("OTEL_METRIC_EXPORT_INTERVAL", soon),
        ],
    );
    unaffected(&played);
    assert!(!receiver.spans().0.is_empty());
}

#[test]
fn a_collector_that_never_answers_does_not_keep_the_program_from_ending() {
    // Connections are taken by the system, and then nobody is there.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let an_hour = ("OTEL_EXPORTER_OTLP_TIMEOUT", "3600000");
    for variable in ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] {
        unaffected(&part::play("warn", "pretty", &[(variable, &endpoint), an_hour]));
    }
}
