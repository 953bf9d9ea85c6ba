//! [`Json`]: what a request says, read within bounds; and [`Upload`], which may say more.

use std::time::Duration;

use axum::{
    extract::{FromRequest, Request},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body as _;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, Error as _},
};
use serde_json::error::Category;
use tokio::sync::SemaphorePermit;
use toolwright_core::{Digest, JsonError, unambiguous};
use utoipa::IntoParams;

use crate::{ApiError, Limits, plain::plainly, server::Service};

/// A body in JSON.
pub(crate) struct Json<T>(pub(crate) T);

/// A body in JSON that may carry attachments, and so be larger than others.
pub(crate) struct Upload<T>(pub(crate) T);

/// As [`Upload`], with the key that the request is known by where it has one, and the digest of its address and its
/// body: the same key with another of either is a mistake.
pub(crate) struct Keyed<T> {
    pub(crate) value: T,
    pub(crate) key: Option<(String, Digest)>,
}

/// As [`Keyed`], of a body that carries no attachments.
pub(crate) struct KeyedJson<T> {
    pub(crate) value: T,
    pub(crate) key: Option<(String, Digest)>,
}

/// How it is described.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "only described; read by `idempotency_key`")]
pub(crate) struct IdempotencyKey {
    /// A key of the sender's, good for 24 hours: the same request with the same key does nothing anew, and is told of the
    /// same run from its beginning.
    #[param(rename = "idempotency-key", min_length = 1, max_length = 200)]
    key: Option<String>,
}

/// The header that has it, and how long it may be.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
const KEY_LENGTH: usize = 200;

/// A body from which on it is read elsewhere: whoever else is served does not wait for that.
const LARGE: usize = 256 << 10;

impl<T: DeserializeOwned> FromRequest<Service> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, service: &Service) -> Result<Self, ApiError> {
        let Limits { body, client_timeout, .. } = *service.limits();
        parse(&collect(request, body, client_timeout).await?).map(Self)
    }
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Service> for Upload<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, service: &Service) -> Result<Self, ApiError> {
        let (body, _place) = uploaded(request, service).await?;
        if body.len() < LARGE {
            return parse(&body).map(Self);
        }
        aside(move || parse(&body)).await.map(Self)
    }
}

impl<T: DeserializeOwned + Send + 'static> FromRequest<Service> for Keyed<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, service: &Service) -> Result<Self, ApiError> {
        let Some(key) = idempotency_key(request.headers())? else {
            let Upload(value) = Upload::from_request(request, service).await?;
            return Ok(Self { value, key: None });
        };
        let path = request.uri().path().to_owned();
        let (body, _place) = uploaded(request, service).await?;
        aside(move || {
            let digest = sent(&path, &body);
            Ok(Self { value: parse(&body)?, key: Some((key, digest)) })
        })
        .await
    }
}

impl<T: DeserializeOwned> FromRequest<Service> for KeyedJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, service: &Service) -> Result<Self, ApiError> {
        let key = idempotency_key(request.headers())?;
        let path = request.uri().path().to_owned();
        let Limits { body, client_timeout, .. } = *service.limits();
        let body = collect(request, body, client_timeout).await?;
        Ok(Self { value: parse(&body)?, key: key.map(|key| (key, sent(&path, &body))) })
    }
}

/// What was sent where.
fn sent(path: &str, body: &[u8]) -> Digest {
    Digest::of(&[path.as_bytes(), b"\0", body].concat())
}

/// The key that a request is known by, where its sender gave it one.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(key) = keys.next() else { return Ok(None) };
    // A tab may stand in a header, and in nothing that is kept.
    let is_plain = |it: &&str| it.bytes().all(|it| matches!(it, b' '..=b'~'));
    let key = key.to_str().ok().filter(|it| (1..=KEY_LENGTH).contains(&it.len()));
    let key = key.filter(is_plain);
    match key.filter(|_| keys.next().is_none()) {
        Some(key) => Ok(Some(key.to_owned())),
        None => Err(ApiError::malformed(format!(
            "`{IDEMPOTENCY_KEY}` is one key of 1 to {KEY_LENGTH} letters, digits, signs and spaces of ASCII"
        ))),
    }
}

/// Reads something large elsewhere.
async fn aside<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let read = tokio::task::spawn_blocking(read).await;
    read.unwrap_or_else(|_| Err(ApiError::internal()))
}

/// A body that may carry attachments, and the place that it takes among those that are large, until it is read.
async fn uploaded(
    request: Request,
    service: &Service,
) -> Result<(Bytes, Option<SemaphorePermit<'_>>), ApiError> {
    let Limits { body: usual, upload: most, client_timeout, .. } = *service.limits();
    let most = most.max(usual);
    let said = usize::try_from(request.body().size_hint().upper().unwrap_or(u64::MAX));
    let said = said.unwrap_or(usize::MAX).min(most);
    // What is larger may take longer, at the pace that is asked of everybody.
    let parts = u32::try_from(said.div_ceil(usual.max(1))).unwrap_or(u32::MAX).max(1);
    let place = if said > usual && is_json(&request) {
        let place = tokio::time::timeout(client_timeout, service.uploads().acquire()).await;
        // Nobody closes it: only time can be up.
        place.map_err(|_| ApiError::overloaded(client_timeout))?.ok()
    } else {
        None
    };
    let body = collect(request, most, client_timeout.saturating_mul(parts)).await?;
    Ok((body, place))
}

/// A request's body, where it says that it is JSON and is no larger than this.
pub(crate) async fn collect(
    request: Request,
    most: usize,
    time: Duration,
) -> Result<Bytes, ApiError> {
    // A page of somebody else's can send forms and plain text anywhere without asking.
    if !is_json(&request) {
        return Err(ApiError::not_json());
    }
    // Who says beforehand that it is too much need not send it.
    if request.body().size_hint().lower() > most as u64 {
        return Err(ApiError::too_large(most));
    }
    let body = Limited::new(request.into_body(), most);
    let body = tokio::time::timeout(time, body.collect()).await;
    let body = body.map_err(|_| ApiError::too_slow())?.map_err(|error| {
        if error.downcast_ref::<LengthLimitError>().is_some() {
            ApiError::too_large(most)
        } else {
            ApiError::malformed("the request's body broke off")
        }
    })?;
    Ok(body.to_bytes())
}

fn parse<T: DeserializeOwned>(body: &Bytes) -> Result<T, ApiError> {
    // A list of values would be read as the fields in their order, which nobody was told of.
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(ApiError::invalid("the body must be an object"));
    }
    // Which of two values of one key is meant, this server and whoever looked at the request before
    // it might see differently.
    if let Ok(text) = std::str::from_utf8(body)
        && let Err(repeated @ JsonError::Repeated(_)) = unambiguous(text)
    {
        return Err(ApiError::malformed(format!("the body is ambiguous: {repeated}")));
    }
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let (at, error) = (error.path().to_string(), error.into_inner());
        match error.classify() {
            Category::Data => ApiError::invalid(plainly(&at, &error.to_string())),
            _ => ApiError::malformed(format!("the body is no JSON: {error}")),
        }
    })?;
    reader.end().map_err(|error| ApiError::malformed(format!("the body is no JSON: {error}")))?;
    Ok(read)
}

fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let kind = kind.and_then(|it| it.split(';').next()).map(str::trim);
    kind.is_some_and(|it| it.eq_ignore_ascii_case("application/json"))
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => {
                let kind = HeaderValue::from_static("application/json");
                ([(header::CONTENT_TYPE, kind)], body).into_response()
            }
            Err(error) => {
                tracing::error!(%error, "an answer could not be written");
                ApiError::internal().into_response()
            }
        }
    }
}

/// A whole number, where one is given. JSON Schema takes `3.0` for one, too.
pub(crate) fn whole_number<'de, D: Deserializer<'de>>(read: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(read)? else { return Ok(None) };
    let whole = number.as_f64().filter(|it| it.fract() == 0.0).map(|it| format!("{it:.0}"));
    let whole = number.as_u64().or_else(|| whole?.parse().ok());
    whole.map(Some).ok_or_else(|| D::Error::custom(format!("{number} is no whole number")))
}
