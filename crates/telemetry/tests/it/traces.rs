//! What a trace of a run looks like when it arrives.

use std::{collections::BTreeMap, fmt::Write};

use opentelemetry_proto::tonic::trace::v1::{Span, span::SpanKind};

use crate::{
    part,
    receiver::{Receiver, attributes},
    story::{ANSWER, SECRETS},
};

#[test]
fn the_whole_tree_arrives_by_the_names_of_the_conventions() {
    let receiver = Receiver::start();
    let played =
        part::play("off", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
    assert!(played.said.contains(&format!("answered: {ANSWER}")), "{played:?}");
    insta::assert_snapshot!(forest(&receiver.spans().0));
    assert_eq!(played.log, "", "there is nothing to complain about");
}

#[test]
fn nothing_that_was_said_is_in_it() {
    let receiver = Receiver::start();
    let endpoint = receiver.endpoint();
    // At this level every argument and every result is in a log line.
    let played = part::play("trace", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint)]);
    assert!(played.log.contains("21 degrees"), "{}", played.log);
    let (spans, _) = receiver.spans();
    assert!(spans.iter().all(|span| span.events.is_empty() && span.links.is_empty()));
    for request in receiver.requests() {
        let body = String::from_utf8_lossy(&request.body);
        for secret in SECRETS {
            assert!(!body.contains(secret), "{} contains {secret:?}", request.path);
        }
    }
}

#[test]
fn a_trace_is_a_run_and_says_who_it_comes_from() {
    let receiver = Receiver::start();
    let endpoint = receiver.endpoint();
    part::play(
        "off",
        "json",
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20t0ken,x-team=tools"),
            ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test"),
        ],
    );
    let (spans, resources) = receiver.spans();
    let traces: BTreeMap<_, usize> = spans.iter().fold(BTreeMap::new(), |mut all, span| {
        *all.entry(&span.trace_id).or_default() += 1;
        all
    });
    assert_eq!(traces.len(), 3, "one for each run");
    for resource in resources {
        let said = attributes(&resource.attributes);
        assert_eq!(said["service.name"], r#""toolwright""#);
        assert_eq!(said["deployment.environment.name"], r#""test""#);
    }
    let requests = receiver.requests();
    assert!(requests.iter().any(|it| it.path == "/v1/traces"));
    for request in requests {
        assert_eq!(request.headers["content-type"], "application/x-protobuf");
        assert_eq!(request.headers["authorization"], "Bearer t0ken");
        assert_eq!(request.headers["x-team"], "tools");
    }
}

#[test]
fn a_signal_has_an_address_of_its_own_or_none() {
    let receiver = Receiver::start();
    let own = format!("{}/elsewhere", receiver.endpoint());
    part::play(
        "off",
        "pretty",
        &[
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &own),
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint()),
            ("OTEL_METRICS_EXPORTER", "none"),
            ("OTEL_SERVICE_NAME", "desk"),
        ],
    );
    let paths: Vec<_> = receiver.requests().into_iter().map(|it| it.path).collect();
    assert!(!paths.is_empty() && paths.iter().all(|it| it == "/elsewhere"), "{paths:?}");
}

#[test]
fn what_is_disabled_sends_nothing() {
    let receiver = Receiver::start();
    let endpoint = receiver.endpoint();
    let disabled =
        [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("OTEL_SDK_DISABLED", "true")];
    let played = part::play("off", "pretty", &disabled);
    assert!(played.said.contains("stopped: "), "{played:?}");
    assert!(receiver.requests().is_empty());
}

/// Every trace as an outline, in the order they began: spans with kind, status and attributes,
/// indented below the span they belong to.
pub(crate) fn forest(spans: &[Span]) -> String {
    let mut roots: Vec<_> = spans.iter().filter(|it| it.parent_span_id.is_empty()).collect();
    roots.sort_by_key(|it| it.start_time_unix_nano);
    let mut text = String::new();
    let told: usize = roots.iter().map(|root| outline(&mut text, spans, root, 0)).sum();
    assert_eq!(told, spans.len(), "every span has its parent");
    text
}

/// How many spans that were.
fn outline(text: &mut String, spans: &[Span], span: &Span, depth: usize) -> usize {
    let status = span.status.clone().unwrap_or_default();
    assert_eq!(status.message, "", "a status says nothing that was said");
    let kind = SpanKind::try_from(span.kind).unwrap().as_str_name();
    let status = status.code().as_str_name();
    let (kind, status) = (kind.replace("SPAN_KIND_", ""), status.replace("STATUS_CODE_", ""));
    let _ = writeln!(text, "{:depth$}{} ({kind}, {status})", "", span.name);
    for (name, value) in attributes(&span.attributes) {
        let _ = writeln!(text, "{:depth$}  {name} = {}", "", steady(&name, value));
    }
    let mut inner: Vec<_> = spans.iter().filter(|it| it.parent_span_id == span.span_id).collect();
    // Those side by side begin in any order.
    inner.sort_by(|a, b| (&a.name, a.start_time_unix_nano).cmp(&(&b.name, b.start_time_unix_nano)));
    for inner in &inner {
        assert_eq!(inner.trace_id, span.trace_id);
        assert!(span.start_time_unix_nano <= inner.start_time_unix_nano);
        assert!(inner.end_time_unix_nano <= span.end_time_unix_nano);
    }
    let below: usize = inner.iter().map(|it| outline(text, spans, it, depth + 4)).sum();
    below + 1
}

/// What is not the same each time, without what differs.
fn steady(name: &str, value: String) -> String {
    match name {
        "toolwright.run.id" => {
            assert!(value.starts_with("\"run_"), "{value}");
            "a run".to_owned()
        }
        "gen_ai.response.time_to_first_chunk" => {
            assert!(value.parse::<f64>().unwrap() >= 0.0 && value.contains('.'), "{value}");
            "a time".to_owned()
        }
        _ => value,
    }
}
