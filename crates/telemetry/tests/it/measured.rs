//! The measurements of the conventions, as they arrive.

use opentelemetry_proto::tonic::metrics::v1::{HistogramDataPoint, Metric, metric::Data};

use crate::{
    part,
    receiver::{Receiver, attributes},
};

const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

#[test]
fn questions_to_models_are_measured_as_the_conventions_say() {
    let receiver = Receiver::start();
    part::play("off", "pretty", &[("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())]);
    let metrics = receiver.metrics();
    let names: Vec<_> = metrics.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "gen_ai.client.operation.duration",
            "gen_ai.client.operation.time_to_first_chunk",
            "gen_ai.client.token.usage",
        ]
    );

    let duration = &metrics["gen_ai.client.operation.duration"];
    assert_eq!(duration.unit, "s");
    let points = points(duration);
    assert!(points.iter().all(|point| point.explicit_bounds == SECONDS));
    let shown: Vec<_> = points.iter().map(|it| (labels(it), it.count)).collect();
    let asked = r#"gen_ai.operation.name="chat" gen_ai.provider.name="openai" gen_ai.request.model="scripted""#;
    // Two rounds of the first run and one of the stopped; the provider that refused.
    assert_eq!(shown, [(format!(r#"error.type="auth" {asked}"#), 1), (asked.to_owned(), 3)]);

    let first = &metrics["gen_ai.client.operation.time_to_first_chunk"];
    assert_eq!(first.unit, "s");
    let point = &self::points(first)[0];
    assert_eq!((labels(point), point.count), (asked.to_owned(), 3));
    assert_eq!(point.explicit_bounds, SECONDS);

    let tokens = &metrics["gen_ai.client.token.usage"];
    assert_eq!(tokens.unit, "{token}");
    let shown: Vec<_> =
        self::points(tokens).iter().map(|it| (labels(it), it.count, it.sum)).collect();
    let of_kind = |kind: &str| format!("{asked} gen_ai.token.type={kind:?}");
    // The server counts 10 and 5 where a script says nothing.
    assert_eq!(shown, [(of_kind("input"), 3, Some(290.0)), (of_kind("output"), 3, Some(34.0))]);
    let bounds: Vec<f64> = (0..14).map(|power| 4f64.powi(power)).collect();
    assert!(self::points(tokens).iter().all(|it| it.explicit_bounds == bounds));
}

fn points(metric: &Metric) -> Vec<HistogramDataPoint> {
    let Some(Data::Histogram(histogram)) = &metric.data else { panic!("{metric:?}") };
    let mut points = histogram.data_points.clone();
    points.sort_by_key(labels);
    points
}

fn labels(point: &HistogramDataPoint) -> String {
    let all = attributes(&point.attributes).into_iter();
    all.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}
