//! [`Receiver`]: takes what is exported over OTLP, on a real socket, and reads it with OpenTelemetry's
//! own definition of the protocol.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    io::Write,
    net::SocketAddr,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
};

use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Response, body::Bytes, body::Incoming, server::conn::http1, service::service_fn,
};
use hyper_util::rt::TokioIo;
use opentelemetry_proto::tonic::{
    collector::{metrics::v1::ExportMetricsServiceRequest, trace::v1::ExportTraceServiceRequest},
    common::v1::{AnyValue, KeyValue, any_value::Value},
    metrics::v1::Metric,
    resource::v1::Resource,
    trace::v1::Span,
};
use prost::Message;
use tokio::{net::TcpListener, runtime};

/// Takes what is exported, from a thread of its own, until it is dropped.
pub(crate) struct Receiver {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Received>>>,
    _runtime: runtime::Runtime,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: Bytes,
}

impl Receiver {
    pub(crate) fn start() -> Self {
        let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let taken = requests.clone();
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let taken = taken.clone();
                let service = service_fn(move |request| take(request, taken.clone()));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Self { address, requests, _runtime: runtime }
    }

    /// For `OTEL_EXPORTER_OTLP_ENDPOINT`.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.requests.lock().unwrap().clone()
    }

    /// All spans, with what they say of where they come from.
    pub(crate) fn spans(&self) -> (Vec<Span>, Vec<Resource>) {
        let (mut spans, mut resources) = (Vec::new(), Vec::new());
        for request in self.requests().iter().filter(|it| it.path == "/v1/traces") {
            let request = ExportTraceServiceRequest::decode(request.body.clone()).unwrap();
            for of_resource in request.resource_spans {
                resources.extend(of_resource.resource);
                spans.extend(of_resource.scope_spans.into_iter().flat_map(|it| it.spans));
            }
        }
        (spans, resources)
    }

    /// All metrics of the last export.
    pub(crate) fn metrics(&self) -> BTreeMap<String, Metric> {
        let requests = self.requests();
        let request = requests.iter().rfind(|it| it.path == "/v1/metrics").expect("an export");
        let request = ExportMetricsServiceRequest::decode(request.body.clone()).unwrap();
        let scopes = request.resource_metrics.into_iter().flat_map(|it| it.scope_metrics);
        let metrics = scopes.flat_map(|it| it.metrics);
        metrics.map(|metric| (metric.name.clone(), metric)).collect()
    }
}

async fn take(
    request: Request<Incoming>,
    taken: Arc<Mutex<Vec<Received>>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let is_packed = head.headers.get("content-encoding").is_some_and(|it| it == "gzip");
    let body = if is_packed { unpacked(&body) } else { body };
    let path = head.uri.path().to_owned();
    taken.lock().unwrap().push(Received { path, headers: head.headers, body });
    Ok(Response::new(Full::default()))
}

/// Some collectors pack what they pass on, whatever they are told.
fn unpacked(body: &[u8]) -> Bytes {
    let mut gzip = Command::new("gzip");
    let gzip = gzip.arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut gzip = gzip.unwrap();
    gzip.stdin.take().unwrap().write_all(body).unwrap();
    gzip.wait_with_output().unwrap().stdout.into()
}

/// Attributes as `name = value`, each value in the form that shows its type.
pub(crate) fn attributes(attributes: &[KeyValue]) -> BTreeMap<String, String> {
    let shown = |it: &KeyValue| (it.key.clone(), shown(it.value.as_ref()));
    let all: BTreeMap<_, _> = attributes.iter().map(shown).collect();
    assert_eq!(all.len(), attributes.len(), "no attribute comes twice: {attributes:?}");
    all
}

fn shown(value: Option<&AnyValue>) -> String {
    match value.and_then(|it| it.value.as_ref()).expect("a value") {
        Value::StringValue(text) => format!("{text:?}"),
        Value::BoolValue(flag) => format!("{flag}"),
        Value::IntValue(number) => format!("{number}"),
        Value::DoubleValue(number) => format!("{number:?}"),
        Value::ArrayValue(list) => {
            let items: Vec<_> = list.values.iter().map(|it| shown(Some(it))).collect();
            format!("[{}]", items.join(", "))
        }
        other => format!("{other:?}"),
    }
}
