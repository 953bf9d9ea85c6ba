//! [`Fault`]: why there is no answer, in the words and codes of Dapr's runtime.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use serde_json::json;
use tonic::{Code, Status};

use super::Refused;

/// Why there is no answer: the same for gRPC and for HTTP.
#[derive(Debug)]
pub(super) struct Fault {
    code: Code,
    status: StatusCode,
    name: &'static str,
    message: String,
}

impl Fault {
    fn new(code: Code, status: StatusCode, name: &'static str, message: String) -> Self {
        Self { code, status, name, message }
    }

    fn bad_request(name: &'static str, message: String) -> Self {
        Self::new(Code::InvalidArgument, StatusCode::BAD_REQUEST, name, message)
    }

    pub(super) fn no_component(asked: &str, ours: &str) -> Self {
        let asked = toolwright_core::truncate_line(asked, 100);
        Self::bad_request(
            "ERR_CONVERSATION_NOT_FOUND",
            format!(
                "failed finding conversation component {asked}: the one here is {ours} (toolwright serve \
                 --dapr-component)"
            ),
        )
    }

    pub(super) fn no_inputs(component: &str) -> Self {
        Self::bad_request(
            "ERR_CONVERSATION_MISSING_INPUTS",
            format!("failed conversing with component {component}: missing inputs in request"),
        )
    }

    pub(super) fn invalid(component: &str, reason: &str) -> Self {
        Self::bad_request(
            // As Dapr spells it.
            "ERR_CONVERSATION_INVALID_PARMS",
            format!("failed conversing with component {component}: invalid params: {reason}"),
        )
    }

    pub(super) fn malformed(reason: &str) -> Self {
        let message = format!("the body is not what this call takes: {reason}");
        Self::bad_request("ERR_MALFORMED_REQUEST", message)
    }

    pub(super) fn unanswered(component: &str, reason: &str) -> Self {
        Self::new(
            Code::Internal,
            StatusCode::INTERNAL_SERVER_ERROR,
            "ERR_CONVERSATION_INVOKE",
            format!("failed conversing with component {component}: {reason}"),
        )
    }

    pub(super) fn too_large(most: usize) -> Self {
        Self::new(
            Code::ResourceExhausted,
            StatusCode::PAYLOAD_TOO_LARGE,
            "ERR_REQUEST_TOO_LARGE",
            format!("a request may have {most} bytes"),
        )
    }

    pub(super) fn too_slow() -> Self {
        let message = "the request's body took too long".to_owned();
        let status = StatusCode::REQUEST_TIMEOUT;
        Self::new(Code::DeadlineExceeded, status, "ERR_REQUEST_TIMEOUT", message)
    }

    /// An API of Dapr's that is not spoken here.
    pub(super) fn unspoken(what: &str) -> Self {
        let what = toolwright_core::truncate_line(what, 200);
        Self::new(
            Code::Unimplemented,
            StatusCode::NOT_IMPLEMENTED,
            "ERR_NOT_IMPLEMENTED",
            format!(
                "Toolwright answers Dapr's conversation calls (ConverseAlpha2) and has nothing else of a Dapr \
                 runtime: not {what}"
            ),
        )
    }

    pub(super) fn method() -> Self {
        let message = "not with this method".to_owned();
        let status = StatusCode::METHOD_NOT_ALLOWED;
        Self::new(Code::Unimplemented, status, "ERR_METHOD_NOT_ALLOWED", message)
    }

    /// As gRPC tells it.
    pub(super) fn grpc(&self) -> Status {
        Status::new(self.code, self.message.clone())
    }

    /// As HTTP tells it.
    pub(super) fn http(&self) -> Response<Full<Bytes>> {
        let body = json!({"errorCode": self.name, "message": self.message}).to_string();
        let mut response = Response::new(Full::from(body));
        *response.status_mut() = self.status;
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Stranger => Self::new(
                Code::Unauthenticated,
                StatusCode::UNAUTHORIZED,
                "ERR_UNAUTHENTICATED",
                "who you are is not known here: send the server's token as `dapr-api-token` (DAPR_API_TOKEN)"
                    .to_owned(),
            ),
            Refused::Busy => Self::new(
                Code::ResourceExhausted,
                StatusCode::TOO_MANY_REQUESTS,
                "ERR_TOO_MANY_REQUESTS",
                "there is too much to do right now".to_owned(),
            ),
            Refused::Stopping => Self::new(
                Code::Unavailable,
                StatusCode::SERVICE_UNAVAILABLE,
                "ERR_STOPPING",
                "the server is about to stop".to_owned(),
            ),
        }
    }
}
