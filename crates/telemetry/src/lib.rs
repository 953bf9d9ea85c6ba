//! Watches runs: log lines, metrics and traces.
//!
//! [`Metrics`] folds the events of all runs into numbers that Prometheus reads, and [`serve`] offers
//! them over HTTP. [`init`] begins to write log lines and, where an [`Otlp`] endpoint is known, to
//! export spans and measurements as OpenTelemetry's conventions for generative AI name them. The
//! runtime makes the spans and hands the events to [observers](toolwright_core::Observer); it knows
//! nothing of this crate, and neither does the library: what exporting needs is needed here alone.
//!
//! No message, argument or result of a tool is exported. They are in log lines, from the level
//! `info` on.
//!
//! ```no_run
//! use std::sync::Arc;
//! use toolwright_telemetry::{Config, Metrics, Otlp, init, serve};
//!
//! # async fn example() -> Result<(), toolwright_telemetry::TelemetryError> {
//! let telemetry = init(&Config { otlp: Otlp::from_env()?, ..Config::default() })?;
//! let metrics = Arc::new(Metrics::new());
//! let serving = serve(metrics.clone(), ([127, 0, 0, 1], 9464).into()).await?;
//! // Agent::builder(model).observer(metrics), and `telemetry.observer()` where there is one.
//! drop(serving);
//! telemetry.shutdown();
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "otlp")]
mod client;
mod error;
#[cfg_attr(not(feature = "otlp"), path = "no_export.rs")]
mod export;
#[cfg(feature = "otlp")]
mod gen_ai;
mod label;
mod lines;
mod metrics;
mod otlp;
mod serve;
mod telemetry;
mod watch;

pub use self::{
    error::TelemetryError,
    lines::{LogFormat, json_line},
    metrics::{Metrics, SliceCounts},
    otlp::Otlp,
    serve::{Serving, serve},
    telemetry::{Config, Telemetry, init},
};
