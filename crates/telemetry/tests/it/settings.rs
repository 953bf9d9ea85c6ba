//! What OpenTelemetry's variables may say.

use toolwright_core::ActionableError;
use toolwright_telemetry::{Config, Otlp, TelemetryError, init};

fn otlp(vars: &[(&str, &str)]) -> Result<Option<Otlp>, TelemetryError> {
    Otlp::from_vars(&|name| {
        vars.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn without_an_endpoint_nothing_goes_anywhere() {
    assert_eq!(otlp(&[]).unwrap(), None);
    assert_eq!(otlp(&[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]).unwrap(), None);
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
    assert_eq!(otlp(&[endpoint, ("OTEL_SDK_DISABLED", "TRUE")]).unwrap(), None);
    assert!(otlp(&[endpoint]).unwrap().is_some());
    assert!(otlp(&[("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "https://c/m")]).unwrap().is_some());
}

#[test]
fn what_cannot_be_used_is_named_with_a_way_out() {
    for value in ["localhost:4318", "ftp://collector", "http://", "http://a b"] {
        let error = otlp(&[("OTEL_EXPORTER_OTLP_ENDPOINT", value)]).unwrap_err();
        assert!(error.to_string().contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{error}");
        assert!(
            error.advice().unwrap().contains("http://localhost:4318"),
            "{}",
            error.advice().unwrap()
        );
    }
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4317");
    let error = otlp(&[endpoint, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]).unwrap_err();
    assert!(error.to_string().contains("`grpc`"), "{error}");
    assert!(error.advice().unwrap().contains("http/protobuf"), "{}", error.advice().unwrap());
    // What is for spans alone decides about spans, and the rest about the rest.
    let spoken = [
        endpoint,
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/protobuf"),
        ("OTEL_METRICS_EXPORTER", "none"),
    ];
    assert!(otlp(&spoken).unwrap().is_some());
}

#[test]
fn secrets_in_an_address_are_not_shown() {
    let secret = "http://user:hunter2@collector:4318/?key=hunter3";
    let shown = format!("{:?}", otlp(&[("OTEL_EXPORTER_OTLP_ENDPOINT", secret)]).unwrap());
    assert!(shown.contains("collector:4318") && !shown.contains("hunter"), "{shown}");
    let bad = "ftp://user:hunter2@collector";
    let error = otlp(&[("OTEL_EXPORTER_OTLP_ENDPOINT", bad)]).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
}

#[test]
fn levels_that_do_not_exist_are_errors() {
    for level in ["loud", "", "info,loud", "info,toolwright_models=loud"] {
        let error = init(&Config { level: level.into(), ..Config::default() }).err().expect(level);
        assert_eq!(error.to_string(), format!("`{level}` is not a log level"));
        assert!(error.advice().unwrap().contains("warn"));
    }
}
