//! [`Export`], where no exporter is compiled in: nothing is sent, and that is said.

use std::{sync::Arc, time::Duration};

use toolwright_core::Observer;
use tracing_subscriber::layer::Identity;

use crate::{Otlp, TelemetryError};

/// Spans and measurements on their way to a collector, of which there are none here.
pub(crate) enum Export {}

impl Export {
    pub(crate) fn begin(otlp: &Otlp) -> Result<Option<Self>, TelemetryError> {
        tracing::warn!(
            "the OTEL_* variables name a collector for {}, and this program was built without the \
             feature `telemetry`: nothing is sent",
            otlp.service
        );
        Ok(None)
    }

    pub(crate) fn layer(&self) -> Option<Identity> {
        match *self {}
    }

    pub(crate) fn observer(&self) -> Option<Arc<dyn Observer>> {
        match *self {}
    }

    pub(crate) fn end(&self, _limit: Duration) {
        match *self {}
    }
}
