//! [`Json`]: what a request says, read within bounds.

use axum::{
    extract::{FromRequest, Request},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderValue, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Body as _;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::error::Category;
use toolwright_core::{JsonError, unambiguous};

use crate::{ApiError, server::Service};

/// A body in JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Service> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, service: &Service) -> Result<Self, ApiError> {
        // A page of somebody else's can send forms and plain text anywhere without asking.
        if !is_json(&request) {
            return Err(ApiError::not_json());
        }
        let limits = service.limits();
        // Who says beforehand that it is too much need not send it.
        if request.body().size_hint().lower() > limits.body as u64 {
            return Err(ApiError::too_large(limits.body));
        }
        let body = Limited::new(request.into_body(), limits.body);
        let body = tokio::time::timeout(limits.client_timeout, body.collect()).await;
        let body = body.map_err(|_| ApiError::too_slow())?.map_err(|error| {
            if error.downcast_ref::<LengthLimitError>().is_some() {
                ApiError::too_large(limits.body)
            } else {
                ApiError::malformed("the request's body broke off")
            }
        })?;
        parse(&body.to_bytes()).map(Self)
    }
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
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        Category::Data => ApiError::invalid(error.to_string()),
        _ => ApiError::malformed(format!("the body is no JSON: {error}")),
    })
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
