//! [`Otlp`]: where spans and measurements go, as OpenTelemetry's variables say.

use std::{fmt, time::Duration};

use http::{Uri, uri::Scheme};

use crate::TelemetryError;

/// How long a collector may take where nothing is said.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Where spans and measurements go.
///
/// Headers, batch sizes, intervals, the sampler and resource attributes are read by OpenTelemetry's
/// own library, from their standard variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otlp {
    /// Where spans go.
    pub(crate) traces: Option<Target>,
    /// Where measurements go.
    pub(crate) metrics: Option<Target>,
    /// Who they come from.
    pub(crate) service: String,
}

/// Where one kind of telemetry goes.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) endpoint: Uri,
    pub(crate) timeout: Duration,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { endpoint, timeout } = self;
        write!(
            f,
            "{} within {}",
            shown(&endpoint.to_string()),
            toolwright_duration::format(*timeout)
        )
    }
}

/// The variables of one signal.
struct Names {
    path: &'static str,
    exporter: &'static str,
    endpoint: &'static str,
    protocol: &'static str,
    timeout: &'static str,
}

const TRACES: Names = Names {
    path: "v1/traces",
    exporter: "OTEL_TRACES_EXPORTER",
    endpoint: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    protocol: "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    timeout: "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
};
const METRICS: Names = Names {
    path: "v1/metrics",
    exporter: "OTEL_METRICS_EXPORTER",
    endpoint: "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    protocol: "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL",
    timeout: "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT",
};
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";

impl Otlp {
    /// Where the environment says they go; nowhere where it names no endpoint, or says
    /// `OTEL_SDK_DISABLED=true`.
    ///
    /// # Errors
    /// When it names something that cannot be used.
    pub fn from_env() -> Result<Option<Self>, TelemetryError> {
        Self::from_vars(&|name| std::env::var_os(name).map(|it| it.to_string_lossy().into_owned()))
    }

    /// As [`Otlp::from_env`], with variables of the caller's.
    ///
    /// # Errors
    /// When they name something that cannot be used.
    pub fn from_vars(
        vars: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, TelemetryError> {
        // The specification: an empty variable is one that is not set.
        let var =
            |name: &str| vars(name).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        if var("OTEL_SDK_DISABLED").is_some_and(|it| it.eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        let traces = target(&TRACES, &var)?;
        let metrics = target(&METRICS, &var)?;
        if traces.is_none() && metrics.is_none() {
            return Ok(None);
        }
        let service = var("OTEL_SERVICE_NAME")
            .or_else(|| named(&var("OTEL_RESOURCE_ATTRIBUTES")?))
            .unwrap_or_else(|| "toolwright".to_owned());
        Ok(Some(Self { traces, metrics, service }))
    }
}

fn target(
    names: &Names,
    var: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Target>, TelemetryError> {
    if var(names.exporter).is_some_and(|it| it.eq_ignore_ascii_case("none")) {
        return Ok(None);
    }
    let endpoint = match (var(names.endpoint), var(ENDPOINT)) {
        // One that is for this signal alone is taken as it is.
        (Some(own), _) => endpoint(names.endpoint, &own, "")?,
        (None, Some(shared)) => endpoint(ENDPOINT, &shared, names.path)?,
        (None, None) => return Ok(None),
    };
    for variable in [names.protocol, PROTOCOL] {
        match var(variable) {
            Some(value) if value != "http/protobuf" => {
                return Err(TelemetryError::Protocol { variable, value });
            }
            // The one that is for this signal alone decides.
            Some(_) => break,
            None => {}
        }
    }
    let timeout = var(names.timeout).or_else(|| var("OTEL_EXPORTER_OTLP_TIMEOUT"));
    let timeout = timeout.and_then(|it| it.parse().ok()).map_or(TIMEOUT, Duration::from_millis);
    Ok(Some(Target { endpoint, timeout }))
}

fn endpoint(variable: &'static str, value: &str, path: &str) -> Result<Uri, TelemetryError> {
    let bad = |reason: String| TelemetryError::Endpoint { variable, value: shown(value), reason };
    let text = match path {
        "" => value.to_owned(),
        path => format!("{}/{path}", value.trim_end_matches('/')),
    };
    let uri: Uri = text.parse().map_err(|error| bad(format!("{error}")))?;
    let is_web = uri.scheme() == Some(&Scheme::HTTP) || uri.scheme() == Some(&Scheme::HTTPS);
    if !is_web || uri.host().is_none_or(str::is_empty) {
        return Err(bad("it must begin with http:// or https:// and name a host".to_owned()));
    }
    Ok(uri)
}

/// An address without what may be secret in it: a password, or anything after a `?`.
pub(crate) fn shown(address: &str) -> String {
    let address = address.split('?').next().unwrap_or_default();
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{host}{path}")
}

/// The service's name among resource attributes.
fn named(attributes: &str) -> Option<String> {
    let pairs = attributes.split(',').filter_map(|pair| pair.split_once('='));
    let mut names = pairs.filter(|(key, _)| key.trim() == "service.name");
    names.next_back().map(|(_, name)| name.trim().to_owned()).filter(|it| !it.is_empty())
}
