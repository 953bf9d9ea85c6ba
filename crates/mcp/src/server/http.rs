//! [`McpHttp`]: the server over HTTP, for a program that decides itself who may come in.

use std::{convert::Infallible, sync::Arc};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use rmcp::{
    model::{
        ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, GetMeta as _, JsonRpcError,
        ProtocolVersion,
    },
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        common::http_header::{HEADER_MCP_PROTOCOL_VERSION, HEADER_SESSION_ID},
        streamable_http_server::{SessionId, SessionManager as _},
    },
};
use tokio_util::sync::CancellationToken;

use super::{
    McpServer, message,
    sessions::{Place, Sessions, request_place, with_place},
};

/// What bounds the server over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// The size of a request's body.
    pub body: usize,
    /// Sessions, and requests without one, at the same time.
    pub clients: usize,
}

/// There is no room: an error of the server's own.
const NO_ROOM: ErrorCode = ErrorCode(-32_000);

/// The server over HTTP. It asks nobody who they are and looks at no name: whoever hands it a request has done
/// that, for each one. What a session is called opens nothing.
#[derive(Clone)]
pub struct McpHttp {
    service: StreamableHttpService<McpServer, Sessions>,
    sessions: Arc<Sessions>,
    limits: HttpLimits,
    stop: CancellationToken,
}

/// What is answered.
type Answer = Response<BoxBody<Bytes, Infallible>>;

impl McpHttp {
    /// Serves what `server` serves.
    pub fn new(server: McpServer, limits: HttpLimits) -> Self {
        let stop = CancellationToken::new();
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(limits.body)
            .with_cancellation_token(stop.child_token());
        let sessions = Arc::new(Sessions::new(limits.clients));
        let factory = move || Ok(server.for_http(request_place()));
        let service = StreamableHttpService::new(factory, sessions.clone(), config);
        Self { service, sessions, limits, stop }
    }

    /// Answers a request, whose body was read.
    pub async fn handle(&self, request: Request<Bytes>) -> Response<BoxBody<Bytes, Infallible>> {
        let session = session_of(request.headers());
        let answer = match *request.method() {
            Method::POST => self.post(request).await,
            Method::DELETE => return self.delete(request, session).await,
            _ => self.service.handle(request.map(Full::new)).await,
        };
        // It ended between two looks at it.
        match session {
            Some(id) if answer.status().is_server_error() && !self.is_there(&id).await => {
                bare(StatusCode::NOT_FOUND)
            }
            _ => answer,
        }
    }

    /// Answers a request whose body is too large to be read.
    pub fn too_large(&self) -> Response<BoxBody<Bytes, Infallible>> {
        let told = message::too_long(self.limits.body, None);
        failed(StatusCode::PAYLOAD_TOO_LARGE, &told)
    }

    /// Ends every session.
    pub fn close(&self) {
        self.stop.cancel();
    }

    async fn post(&self, request: Request<Bytes>) -> Answer {
        let message = match message::read(request.body()) {
            Ok(message) => message,
            Err(told) => return failed(StatusCode::BAD_REQUEST, &told),
        };
        let place = match wanted(&message, request.headers()) {
            None => None,
            Some(place) => match self.sessions.room().await {
                Some(permit) => Some(place(permit)),
                None => return no_room(message),
            },
        };
        let request = request.map(|body| Full::new(body.slice_ref(message::trimmed(&body))));
        with_place(place, self.service.handle(request)).await
    }

    async fn delete(&self, request: Request<Bytes>, session: Option<SessionId>) -> Answer {
        let was_there = match &session {
            Some(id) => self.is_there(id).await,
            None => true,
        };
        let answer = self.service.handle(request.map(Full::new)).await;
        match answer.status() {
            StatusCode::ACCEPTED if was_there => bare(StatusCode::NO_CONTENT),
            StatusCode::ACCEPTED => bare(StatusCode::NOT_FOUND),
            _ => answer,
        }
    }

    async fn is_there(&self, id: &SessionId) -> bool {
        self.sessions.has_session(id).await.unwrap_or(false)
    }
}

fn session_of(headers: &HeaderMap) -> Option<SessionId> {
    let id = headers.get(HEADER_SESSION_ID)?.to_str().ok()?;
    Some(id.to_owned().into())
}

/// The room that a message needs: whoever has a session has it already.
fn wanted(
    message: &ClientJsonRpcMessage,
    headers: &HeaderMap,
) -> Option<fn(tokio::sync::OwnedSemaphorePermit) -> Place> {
    let ClientJsonRpcMessage::Request(request) = message else { return None };
    let has_session = headers.contains_key(HEADER_SESSION_ID);
    let modern = ProtocolVersion::V_2026_07_28;
    let said = headers.get(HEADER_MCP_PROTOCOL_VERSION).and_then(|it| it.to_str().ok());
    // In the protocol without sessions one that is named is none.
    let is_modern =
        said == Some(modern.as_str()) || request.request.get_meta().protocol_version().is_some();
    match &request.request {
        ClientRequest::InitializeRequest(_) if !has_session => Some(Place::Session),
        _ if has_session && !is_modern => None,
        _ => Some(Place::Request),
    }
}

/// Everybody who has come in is busy.
fn no_room(message: ClientJsonRpcMessage) -> Answer {
    let id = message.into_request().map(|(_, id)| id);
    let told = "too many clients are served at the same time: come again";
    let told = JsonRpcError::new(id, ErrorData::new(NO_ROOM, told, None));
    let mut answer = failed(StatusCode::SERVICE_UNAVAILABLE, &told);
    // In seconds: calls are short.
    answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    answer
}

/// An error as the answer.
fn failed(status: StatusCode, error: &JsonRpcError) -> Answer {
    let body = serde_json::to_vec(error).unwrap_or_default();
    let mut answer = Response::new(Full::new(Bytes::from(body)).boxed());
    *answer.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer
}

fn bare(status: StatusCode) -> Answer {
    let mut answer = Response::new(Full::default().boxed());
    *answer.status_mut() = status;
    answer
}
