//! [`TelemetryError`]: why nothing can be watched as configured, and what to do about it.

use std::{borrow::Cow, net::SocketAddr};

use toolwright_core::{ActionableError, Fault};

/// Why nothing can be watched as configured.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// A log level that does not exist.
    #[error("`{0}` is not a log level")]
    Level(String),
    /// An address of a collector that cannot be used.
    #[error("{variable} is set to `{value}`, which is not an address: {reason}")]
    Endpoint {
        /// The variable.
        variable: &'static str,
        /// Its value, without a password.
        value: String,
        /// What is wrong.
        reason: String,
    },
    /// A protocol that is not spoken here.
    #[error("{variable} is set to `{value}`, which is not spoken here")]
    Protocol {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
    },
    /// The exporter could not be made.
    #[error("telemetry cannot be exported: {0}")]
    Export(String),
    /// Metrics cannot be offered at this address.
    #[error("metrics cannot be offered at {address}: {reason}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: std::io::Error,
    },
}

impl ActionableError for TelemetryError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(match self {
            Self::Level(_) => {
                "use off, error, warn, info, debug or trace, or `info,toolwright_models=debug`"
            }
            Self::Endpoint { .. } => {
                "set it to the address of a collector, such as http://localhost:4318"
            }
            Self::Protocol { .. } => {
                "set it to http/protobuf, and the endpoint to the collector's port for that, \
                 usually 4318"
            }
            Self::Export(_) => "check the OTEL_* variables, or set OTEL_SDK_DISABLED=true",
            Self::Listen { .. } => {
                "choose an address of this machine and a port that is free, such as 127.0.0.1:9464"
            }
        }))
    }

    fn fault(&self) -> Fault {
        Fault::Usage
    }
}
