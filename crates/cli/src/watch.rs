//! [`Watch`]: log lines, metrics and traces of this process.

use std::sync::Arc;

use toolwright_app::{Config, config::LogFormat};
use toolwright_core::Observer;
use toolwright_telemetry::{self as telemetry, Metrics, Otlp, Serving, Telemetry, TelemetryError};

/// What watches this process. What was not sent yet is sent when it is dropped.
pub(crate) struct Watch {
    telemetry: Telemetry,
    metrics: Option<(Arc<Metrics>, Serving)>,
}

impl Watch {
    /// Begins to watch as configured; where to export to stands in the `OTEL_*` variables.
    pub(crate) async fn begin(config: &Config) -> Result<Self, TelemetryError> {
        let settings = &config.telemetry;
        let format = match settings.format.value {
            LogFormat::Pretty => telemetry::LogFormat::Pretty,
            LogFormat::Json => telemetry::LogFormat::Json,
        };
        let level = settings.log.value.clone();
        let telemetry =
            telemetry::init(&telemetry::Config { level, format, otlp: Otlp::from_env()? })?;
        let metrics = match settings.metrics.value {
            Some(address) => {
                let metrics = Arc::new(Metrics::new());
                let serving = telemetry::serve(metrics.clone(), address).await?;
                tracing::info!("metrics are at http://{}/metrics", serving.address());
                Some((metrics, serving))
            }
            None => None,
        };
        Ok(Self { telemetry, metrics })
    }

    /// Those who have to see every event.
    pub(crate) fn observers(&self) -> Vec<Arc<dyn Observer>> {
        let metrics = self.metrics.as_ref().map(|(it, _)| it.clone() as Arc<dyn Observer>);
        self.telemetry.observer().into_iter().chain(metrics).collect()
    }
}
