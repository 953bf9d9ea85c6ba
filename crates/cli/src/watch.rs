//! [`Watch`]: log lines, metrics and traces of this process.

use std::{net::SocketAddr, sync::Arc};

use tokio::runtime::{self, Runtime};
use toolwright_app::{Config, config::LogFormat};
use toolwright_core::Observer;
use toolwright_telemetry::{self as telemetry, Metrics, Otlp, Serving, Telemetry, TelemetryError};

/// What watches this process. What was not sent yet is sent when it is dropped.
pub(crate) struct Watch {
    telemetry: Telemetry,
    metrics: Option<Served>,
}

/// Metrics, and the thread they are served on: whoever scrapes them must not wait until the person
/// at the terminal has typed something.
struct Served {
    metrics: Arc<Metrics>,
    _serving: Serving,
    _runtime: Runtime,
}

/// Where several people use a server, who did what is told whatever else is.
fn level(said: &str, tells_who: bool) -> String {
    match tells_who && !said.contains("audit") && !said.trim().eq_ignore_ascii_case("off") {
        true => format!("{said},audit=info"),
        false => said.to_owned(),
    }
}

impl Watch {
    /// Begins to watch as configured, before anything asynchronous begins; where to export to stands in the `OTEL_*` variables.
    pub(crate) fn begin(config: &Config) -> Result<Self, TelemetryError> {
        let settings = &config.telemetry;
        let format = match settings.format.value {
            LogFormat::Pretty => telemetry::LogFormat::Pretty,
            LogFormat::Json => telemetry::LogFormat::Json,
        };
        let level = level(&settings.log.value, config.server.identity.value.is_used());
        let telemetry =
            telemetry::init(&telemetry::Config { level, format, otlp: Otlp::from_env()? })?;
        let metrics = settings.metrics.value.map(serve).transpose()?;
        Ok(Self { telemetry, metrics })
    }

    /// Those who have to see every event.
    pub(crate) fn observers(&self) -> Vec<Arc<dyn Observer>> {
        let metrics = self.metrics.as_ref().map(|it| it.metrics.clone() as Arc<dyn Observer>);
        self.telemetry.observer().into_iter().chain(metrics).collect()
    }
}

#[cfg(any(feature = "durable", feature = "server"))]
impl Watch {
    /// Metrics, and everybody who has to see every event, those among them.
    pub(crate) fn with_metrics(&self) -> (Arc<Metrics>, Vec<Arc<dyn Observer>>) {
        let served = self.metrics.as_ref().map(|it| it.metrics.clone());
        let metrics = served.unwrap_or_else(|| Arc::new(Metrics::new()));
        let telemetry = self.telemetry.observer().into_iter();
        (metrics.clone(), telemetry.chain([metrics as Arc<dyn Observer>]).collect())
    }
}

fn serve(address: SocketAddr) -> Result<Served, TelemetryError> {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|reason| TelemetryError::Listen { address, reason })?;
    let metrics = Arc::new(Metrics::new());
    let serving = runtime.block_on(telemetry::serve(metrics.clone(), address))?;
    tracing::info!("metrics are at http://{}/metrics", serving.address());
    Ok(Served { metrics, _serving: serving, _runtime: runtime })
}
