//! What a sidecar's failures mean, as one line a person can act on.

use tonic::{Code, Status};
use toolwright_core::{ModelError, ModelErrorKind};
use toolwright_http::HttpError;

use super::channel::Unanswered;

/// The error that a call without a reply means.
pub(super) fn unanswered(at: &str, component: &str, why: &Unanswered) -> ModelError {
    match why {
        Unanswered::Unreached(error) => unreached(at, error),
        Unanswered::Broken(reason) => ModelError::new(
            ModelErrorKind::Connection,
            format!("the connection to the Dapr sidecar at {at} broke: {reason}"),
        )
        .with_advice(
            "see whether it still runs, and that the port is its gRPC port (50001) and not the one for HTTP: \
             DAPR_GRPC_PORT, or DAPR_GRPC_ENDPOINT",
        ),
        Unanswered::Status(status) => refused(at, component, status),
    }
}

fn unreached(at: &str, error: &HttpError) -> ModelError {
    let kind = match error.is_lasting() {
        true => ModelErrorKind::NotConfigured,
        false => ModelErrorKind::Connection,
    };
    let message = format!("no Dapr sidecar answers at {at}: {}", error.reason);
    ModelError::new(kind, message).with_advice(error.advice.unwrap_or(
        "start it (dapr run --dapr-grpc-port 50001 …), or say where it is: DAPR_GRPC_PORT, or DAPR_GRPC_ENDPOINT",
    ))
}

/// The error that a reply means which did not come in time.
pub(super) fn too_late(at: &str, limit: std::time::Duration) -> ModelError {
    let message = format!("the Dapr sidecar at {at} did not answer within {limit:?}");
    ModelError::new(ModelErrorKind::Timeout, message)
        .with_advice("ask again, or see in the sidecar's log what its component waits for")
}

fn refused(at: &str, component: &str, status: &Status) -> ModelError {
    let words = status.message();
    let (kind, advice) = meaning(component, status);
    let message = match words.is_empty() {
        true => format!("the Dapr sidecar at {at} answered {:?}", status.code()),
        false => format!("the Dapr sidecar at {at} answered {:?}: {words}", status.code()),
    };
    let error = ModelError::new(kind, message);
    match advice {
        Some(advice) => error.with_advice(advice),
        None => error,
    }
}

fn meaning(component: &str, status: &Status) -> (ModelErrorKind, Option<String>) {
    let words = status.message().to_lowercase();
    let told = |kind, advice: &str| (kind, Some(advice.to_owned()));
    match status.code() {
        _ if is_too_long(&words) => told(
            ModelErrorKind::TooLong,
            "the conversation is too long for this model: start a new one",
        ),
        Code::InvalidArgument if words.contains("failed finding conversation component") => (
            ModelErrorKind::NotFound,
            Some(format!(
                "the sidecar has no conversation component `{component}`: look at the names of its components \
                 (`metadata.name`), and name one: --model dapr:NAME"
            )),
        ),
        Code::InvalidArgument | Code::OutOfRange => (ModelErrorKind::Request, None),
        Code::Unauthenticated | Code::PermissionDenied => told(
            ModelErrorKind::Auth,
            "check DAPR_API_TOKEN: it must be the sidecar's own (dapr-api-token)",
        ),
        Code::Unimplemented => told(
            ModelErrorKind::NotFound,
            "what answers there has no ConverseAlpha2: a Dapr runtime has it from 1.16 on",
        ),
        Code::NotFound => {
            told(ModelErrorKind::NotFound, "check the component's name and its model")
        }
        Code::FailedPrecondition => told(
            ModelErrorKind::NotConfigured,
            "the sidecar is not set up for this: look at its components and its log",
        ),
        Code::ResourceExhausted => told(ModelErrorKind::RateLimited, "wait a little and ask again"),
        Code::DeadlineExceeded => told(ModelErrorKind::Timeout, "ask again"),
        Code::Unavailable => {
            told(ModelErrorKind::Connection, "see whether the sidecar still runs, and ask again")
        }
        Code::DataLoss => told(ModelErrorKind::BrokenReply, "ask again"),
        _ => told(
            ModelErrorKind::Server,
            "the component or its provider is in trouble: the sidecar's log says more",
        ),
    }
}

/// Whether the conversation is longer than the model can read: the provider's words, passed on.
fn is_too_long(words: &str) -> bool {
    const SAID: [&str; 4] = [
        "maximum context length",
        "context length exceeded",
        "context_length_exceeded",
        "prompt is too long",
    ];
    SAID.iter().any(|said| words.contains(said))
}
