//! [`Endpoint`]: a server at an address, asked over the only code that connects.
//!
//! It goes to the origin it was made for and follows nobody anywhere else, so what is secret stays with it.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};
use rmcp::{
    model::{ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_client::{
        AuthRequiredError, InsufficientScopeError, StreamableHttpClient, StreamableHttpError,
        StreamableHttpPostResponse,
    },
};
use sse_stream::Sse;
use toolwright_http::{Address, Client, HttpError, Response, Url};

use super::{
    HttpEndpoint, McpError, Screened,
    auth::{Authorization, Challenge, NoLogin, Token},
    error::words,
    lines::LONGEST,
    sse,
};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
/// How much is read of a response that is no reply.
const REFUSAL: usize = 64 << 10;

type Failure = StreamableHttpError<HttpError>;
type Events = BoxStream<'static, Result<Sse, sse_stream::Error>>;

/// A server at an address.
#[derive(Clone)]
pub(super) struct Endpoint(Arc<Inner>);

struct Inner {
    name: String,
    login: Option<Arc<Authorization>>,
    client: Client,
    url: Url,
    headers: HeaderMap,
    screened: Screened,
}

impl Endpoint {
    pub(super) fn new(
        name: &str,
        endpoint: &HttpEndpoint,
        login: Option<Arc<Authorization>>,
        screened: &Screened,
    ) -> Result<Self, McpError> {
        let bad = |reason: String| McpError::Protocol(reason);
        let address = Address::new(endpoint.url.as_str()).map_err(bad)?;
        let client = Client::pinned(&address).map_err(|error| bad(error.to_string()))?;
        let (url, headers) = (endpoint.url.clone(), endpoint.headers.clone());
        let (name, screened) = (name.to_owned(), screened.clone());
        Ok(Self(Arc::new(Inner { name, login, client, url, headers, screened })))
    }

    async fn send(
        &self,
        method: Method,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Response, Failure> {
        let body = Bytes::from(body);
        let token = match &self.0.login {
            Some(login) => login.token().await.map_err(not_let_in)?,
            None => None,
        };
        let mut response = self.once(&method, &headers, &body, token.as_ref()).await?;
        if response.status() == StatusCode::UNAUTHORIZED
            && let Some(login) = &self.0.login
        {
            // It did nothing yet, so it may be asked once more.
            let challenge = Challenge::of(response.headers());
            let other = login.other_than(token.as_ref(), challenge.as_ref()).await;
            let other = other.map_err(not_let_in)?;
            response = self.once(&method, &headers, &body, Some(&other)).await?;
            if response.status() == StatusCode::UNAUTHORIZED {
                return Err(not_let_in(login.log_in_again()));
            }
        }
        self.looked_at(response)
    }

    async fn once(
        &self,
        method: &Method,
        headers: &HeaderMap,
        body: &Bytes,
        token: Option<&Token>,
    ) -> Result<Response, Failure> {
        let Inner { client, url, headers: own, .. } = &*self.0;
        let mut request = client.request(method.clone(), url.clone());
        request = request.headers(headers.clone()).headers(own.clone());
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, token.header.clone());
        }
        request.body(body.clone()).send().await.map_err(StreamableHttpError::Client)
    }

    /// The response, where it is neither a refusal nor a redirect.
    fn looked_at(&self, response: Response) -> Result<Response, Failure> {
        let Inner { name, login, .. } = &*self.0;
        let challenge = Challenge::of(response.headers());
        match (response.status(), challenge) {
            (StatusCode::UNAUTHORIZED, _) => Err(not_let_in(NoLogin::LoggedOut(format!(
                "it wants a login, and does not take what it is sent: look at `bearer_token_env` and `headers` of \
                 `[mcp.{name}]`"
            )))),
            (StatusCode::FORBIDDEN, Some(challenge)) if challenge.wants_more() => {
                let told = match login {
                    Some(login) => login.wants_more(&challenge),
                    None => format!("it wants more than the token of `[mcp.{name}]` allows"),
                };
                let error = InsufficientScopeError::new(told, None);
                Err(StreamableHttpError::InsufficientScope(error))
            }
            (status, _) if status.is_redirection() => {
                let told = format!("it points elsewhere ({status}), and is not followed there");
                Err(StreamableHttpError::UnexpectedServerResponse(told.into()))
            }
            _ => Ok(response),
        }
    }

    /// What the server says, without what it was shown to let us in, and what else nobody may see: whoever
    /// repeats that tells it to everybody.
    fn cleaned(&self, body: &[u8]) -> Vec<u8> {
        let body = self.0.screened.bytes(body).into_owned();
        let Some(login) = &self.0.login else { return body };
        // Whatever bytes are around it: what is shown of them in the end is text.
        let clean = login.secrets().clean(&String::from_utf8_lossy(&body));
        clean.map_or(body, |(clean, _)| clean.into_bytes())
    }

    fn events(&self, response: Response, longest: usize) -> Events {
        let endpoint = self.clone();
        let clean = move |it: Sse| {
            let data = it.data.map(|it| endpoint.cleaned(it.as_bytes()));
            Sse { data: data.map(|it| String::from_utf8_lossy(&it).into_owned()), ..it }
        };
        sse::events(response, longest).map_ok(clean).boxed()
    }

    async fn post(
        &self,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        custom: HashMap<HeaderName, HeaderValue>,
        longest: usize,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let has_session = session.is_some();
        let mut headers = headers(session.as_deref(), custom)?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let both = HeaderValue::from_static("application/json, text/event-stream");
        headers.insert(ACCEPT, both);
        let body = serde_json::to_vec(&message)?;
        let mut response = self.send(Method::POST, headers, body).await?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && has_session {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            let body = self.cleaned(&response.bytes(REFUSAL).await.unwrap_or_default());
            return refused(&message, has_session, status, &body);
        }
        let session = response.headers().get(SESSION).and_then(|it| it.to_str().ok());
        let session = session.map(str::to_owned);
        match kind(&response) {
            "text/event-stream" => {
                Ok(StreamableHttpPostResponse::Sse(self.events(response, longest), session))
            }
            "application/json" => {
                let body = response.bytes(LONGEST).await.map_err(StreamableHttpError::Client)?;
                match serde_json::from_slice(&self.cleaned(&body)) {
                    Ok(reply) => Ok(StreamableHttpPostResponse::Json(reply, session)),
                    Err(_) if !is_request(&message) => Ok(StreamableHttpPostResponse::Accepted),
                    Err(_) => Err(unexpected("its reply is none by the protocol".to_owned())),
                }
            }
            _ if !is_request(&message) => Ok(StreamableHttpPostResponse::Accepted),
            other => Err(StreamableHttpError::UnexpectedContentType(Some(words(other)))),
        }
    }

    async fn stream(
        &self,
        session: Option<Arc<str>>,
        last: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
        longest: usize,
    ) -> Result<Events, Failure> {
        let mut headers = headers(session.as_deref(), custom)?;
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(last) = last.and_then(|it| HeaderValue::from_str(&it).ok()) {
            headers.insert(LAST_EVENT, last);
        }
        let response = self.send(Method::GET, headers, Vec::new()).await?;
        match response.status() {
            StatusCode::METHOD_NOT_ALLOWED => Err(StreamableHttpError::ServerDoesNotSupportSse),
            StatusCode::NOT_FOUND if session.is_some() => Err(StreamableHttpError::SessionExpired),
            status if !status.is_success() => Err(unexpected(format!("HTTP {status}"))),
            _ if kind(&response) != "text/event-stream" => {
                Err(StreamableHttpError::ServerDoesNotSupportSse)
            }
            _ => Ok(self.events(response, longest)),
        }
    }
}

/// What a response without success says. A server that does not know how the modern era begins is one of the other,
/// and rmcp is told so in the way it expects.
fn refused(
    message: &ClientJsonRpcMessage,
    has_session: bool,
    status: StatusCode,
    body: &[u8],
) -> Result<StreamableHttpPostResponse, Failure> {
    let said = words(&String::from_utf8_lossy(body));
    let JsonRpcMessage::Request(request) = message else {
        return Err(unexpected(format!("HTTP {status}: {said}")));
    };
    let error = match serde_json::from_slice::<ServerJsonRpcMessage>(body) {
        Ok(JsonRpcMessage::Error(reply)) => Some(reply.error),
        _ => None,
    };
    let is_first = matches!(request.request, ClientRequest::DiscoverRequest(_));
    if is_first && !has_session && status.is_client_error() {
        let error =
            error.unwrap_or_else(|| ErrorData::invalid_request(format!("HTTP {status}"), None));
        let reply = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
        return Ok(StreamableHttpPostResponse::Json(reply, None));
    }
    match error {
        Some(error) => {
            let reply = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
            Ok(StreamableHttpPostResponse::Json(reply, None))
        }
        None => Err(unexpected(format!("HTTP {status}: {said}"))),
    }
}

/// What is said where there is no login: the words of the error are ours, and no challenge of the server's.
fn not_let_in(why: NoLogin) -> Failure {
    match why {
        NoLogin::LoggedOut(told) => StreamableHttpError::AuthRequired(AuthRequiredError::new(told)),
        NoLogin::Failed(told) => unexpected(told),
    }
}

fn unexpected(told: String) -> Failure {
    StreamableHttpError::UnexpectedServerResponse(Cow::Owned(told))
}

fn is_request(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(_))
}

/// What a body is said to be, without parameters.
fn kind(response: &Response) -> &str {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    kind.unwrap_or_default().split(';').next().unwrap_or_default().trim()
}

fn headers(
    session: Option<&str>,
    custom: HashMap<HeaderName, HeaderValue>,
) -> Result<HeaderMap, Failure> {
    let mut headers: HeaderMap = custom.into_iter().collect();
    if let Some(session) = session {
        let bad = |_| unexpected("its session has a name that no header has".to_owned());
        let mut session = HeaderValue::from_str(session).map_err(bad)?;
        session.set_sensitive(true);
        headers.insert(SESSION, session);
    }
    Ok(headers)
}

impl StreamableHttpClient for Endpoint {
    type Error = HttpError;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        self.post(message, session, custom, LONGEST).await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
        longest: usize,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        self.post(message, session, custom, longest).await
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        let headers = headers(Some(&session), custom)?;
        // Whether it likes that or not: nobody is left to use the session.
        self.send(Method::DELETE, headers, Vec::new()).await.map(drop)
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, Failure> {
        self.stream(session, last, custom, LONGEST).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _: Option<String>,
        custom: HashMap<HeaderName, HeaderValue>,
        longest: usize,
    ) -> Result<Events, Failure> {
        self.stream(session, last, custom, longest).await
    }
}
