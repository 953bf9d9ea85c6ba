//! [`Export`]: spans and measurements on their way to a collector.

use std::{
    sync::{Arc, mpsc::channel},
    thread,
    time::{Duration, Instant},
};

use opentelemetry::{
    Array, InstrumentationScope, Value, metrics::MeterProvider, trace::TracerProvider,
};
use opentelemetry_otlp::{
    MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    metrics::SdkMeterProvider,
    trace::{SdkTracer, SdkTracerProvider, SpanData, SpanExporter as ExportSpans},
};
use toolwright_core::Observer;
use tracing::{Level, Metadata, Subscriber, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::{Layer, filter::filter_fn, registry::LookupSpan};

use crate::{
    Otlp, TelemetryError,
    client::{Client, Signal, Trouble},
    gen_ai::GenAi,
    otlp::Target,
};

/// An attribute of which `tracing` knows one value and the conventions a list.
const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";

/// Spans and measurements on their way to a collector.
///
/// They are collected and sent by threads of their own: a run is never held up by a collector, and
/// what does not fit into the queue is dropped.
pub(crate) struct Export {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
    observer: Option<Arc<GenAi>>,
    otlp: Otlp,
    trouble: Arc<Trouble>,
}

impl Export {
    pub(crate) fn begin(otlp: &Otlp) -> Result<Option<Self>, TelemetryError> {
        let trouble = Arc::new(Trouble::default());
        let resource = Resource::builder().with_service_name(otlp.service.clone()).build();
        let traces = otlp.traces.as_ref().map(|it| tracing(it, &resource, &trouble)).transpose()?;
        let metrics = otlp.metrics.as_ref().map(|it| metering(it, &resource, &trouble));
        let metrics = metrics.transpose()?;
        let observer =
            metrics.as_ref().map(|it| Arc::new(GenAi::new(&it.meter_with_scope(scope()))));
        Ok(Some(Self { traces, metrics, observer, otlp: otlp.clone(), trouble }))
    }

    /// What makes spans, where they go anywhere.
    pub(crate) fn layer<S>(&self) -> Option<impl Layer<S> + use<S>>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        self.traces.as_ref().map(|it| spans(it.tracer_with_scope(scope())))
    }

    /// Who measures, where measurements go anywhere.
    pub(crate) fn observer(&self) -> Option<Arc<dyn Observer>> {
        self.observer.clone().map(|it| it as Arc<dyn Observer>)
    }

    /// Sends what is still here, and returns after `limit` at the latest: a collector that does not
    /// answer must not keep a program from ending.
    pub(crate) fn end(&self, limit: Duration) {
        // Longer than is waited here, so that who gives up is heard of.
        let patience = limit.saturating_mul(2);
        let (done, all_done) = channel();
        let mut waiting = Vec::new();
        let mut end = |signal: Signal, target: &Target, work: Last| {
            let done = done.clone();
            // Why it failed was said when it did; who has stopped waiting is not told.
            let work = move || _ = (work(), done.send(signal));
            if thread::Builder::new().name("telemetry-end".to_owned()).spawn(work).is_ok() {
                waiting.push((signal, target.endpoint.to_string()));
            }
        };
        if let (Some(traces), Some(target)) = (self.traces.clone(), &self.otlp.traces) {
            let work = move || traces.shutdown_with_timeout(patience);
            end(Signal::Traces, target, Box::new(work));
        }
        if let (Some(metrics), Some(target)) = (self.metrics.clone(), &self.otlp.metrics) {
            let work = move || metrics.shutdown_with_timeout(patience);
            end(Signal::Metrics, target, Box::new(work));
        }
        let deadline = Instant::now() + limit;
        while !waiting.is_empty() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(ended) = all_done.recv_timeout(left) else { break };
            waiting.retain(|(signal, _)| *signal != ended);
        }
        for (signal, endpoint) in waiting {
            self.trouble.report(
                signal,
                &endpoint,
                &format!("no answer within {}", toolwright_duration::format(limit)),
            );
        }
    }
}

/// The last work of an exporter.
type Last = Box<dyn FnOnce() -> OTelSdkResult + Send>;

/// Who made a span or a measurement.
fn scope() -> InstrumentationScope {
    InstrumentationScope::builder("toolwright").with_version(env!("CARGO_PKG_VERSION")).build()
}

fn tracing(
    target: &Target,
    resource: &Resource,
    trouble: &Arc<Trouble>,
) -> Result<SdkTracerProvider, TelemetryError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Client::new(Signal::Traces, target.timeout, trouble.clone()))
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(target.endpoint.to_string())
        .with_timeout(target.timeout)
        .build()
        .map_err(|error| TelemetryError::Export(error.to_string()))?;
    let traces = SdkTracerProvider::builder().with_resource(resource.clone());
    Ok(traces.with_batch_exporter(Listed(exporter)).build())
}

fn metering(
    target: &Target,
    resource: &Resource,
    trouble: &Arc<Trouble>,
) -> Result<SdkMeterProvider, TelemetryError> {
    let exporter = MetricExporter::builder()
        .with_http()
        .with_http_client(Client::new(Signal::Metrics, target.timeout, trouble.clone()))
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(target.endpoint.to_string())
        .with_timeout(target.timeout)
        .build()
        .map_err(|error| TelemetryError::Export(error.to_string()))?;
    let metrics = SdkMeterProvider::builder().with_resource(resource.clone());
    Ok(metrics.with_periodic_exporter(exporter).build())
}

/// An exporter that makes lists of the attributes that have to be lists.
#[derive(Debug)]
struct Listed<E>(E);

impl<E: ExportSpans> ExportSpans for Listed<E> {
    async fn export(&self, mut spans: Vec<SpanData>) -> OTelSdkResult {
        let attributes = spans.iter_mut().flat_map(|span| &mut span.attributes);
        for attribute in attributes.filter(|it| it.key.as_str() == FINISH_REASONS) {
            if let Value::String(reason) = &attribute.value {
                attribute.value = Value::Array(Array::String(vec![reason.clone()]));
            }
        }
        self.0.export(spans).await
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

/// What makes OpenTelemetry's spans of ours. Log lines stay out of them: arguments and results are
/// in those, and a trace goes elsewhere.
fn spans<S>(tracer: SdkTracer) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let is_ours = |it: &Metadata<'_>| {
        it.is_span() && *it.level() <= Level::INFO && it.target().starts_with("toolwright")
    };
    OpenTelemetryLayer::new(tracer)
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_context_activation(false)
        .with_filter(filter_fn(is_ours).with_max_level_hint(LevelFilter::INFO))
}
